use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arena::{Batch, BatchPlayer, Games, LocalGames, ScheduledGame};
use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, Rules};
use mancala::game::{AnyGame, with_game};
use mancala::laws::{flips, on_threads};
use mancala::search::{Limits, Options};

use super::*;
use crate::games::openings_or_start;
use crate::learn::tests::plan;
use crate::learn::{Learner, Plan, Teacher, play_games};
use crate::optimise::{Chromosome, IslandTask};
use crate::run::{Checkpoint, Event, Run, Settings, StopPolicy, Trainer, Watched};
use crate::testing::changed;
use mancala::random::{Purpose, stream};

/// Runs tasks in this process, the most recent first.
#[derive(Debug, Default)]
struct Backwards {
    tasks: AtomicUsize,
}

impl TaskRunner for Backwards {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        let mut waiting: Vec<(usize, Vec<u8>)> = tasks.into_iter().enumerate().collect();
        let mut numbers = waiting.len()..;
        while let Some((number, task)) = waiting.pop() {
            self.tasks.fetch_add(1, Ordering::Relaxed);
            for task in then(number, run_task(&task, progress)?)? {
                waiting.extend(numbers.next().map(|number| (number, task)));
            }
        }
        Ok(())
    }
}

fn work(task: &[u8]) -> Task {
    let (_, work): (String, Vec<u8>) = TASK.decode(task).unwrap();
    WORK.decode(&work).unwrap()
}

type Compute =
    dyn Fn(Vec<Vec<u8>>, &mut Then<'_>, &dyn Progress) -> Result<(), TaskError> + Send + Sync;

struct By(Box<Compute>);

impl Debug for By {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("By")
    }
}

impl TaskRunner for By {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        (self.0)(tasks, then, progress)
    }
}

fn by(run: Box<Compute>) -> Arc<dyn TaskRunner> {
    Arc::new(By(run))
}

/// Returns a runner that tampers with its answers.
fn changing(change: fn(&mut Vec<Vec<u8>>)) -> Arc<dyn TaskRunner> {
    by(Box::new(move |tasks, then, progress| {
        let answers = tasks.iter().map(|task| run_task(task, progress));
        let mut answers = answers.collect::<Result<Vec<_>, _>>()?;
        change(&mut answers);
        answers.into_iter().enumerate().try_for_each(|(it, answer)| then(it, answer).map(drop))
    }))
}

fn settings(preset: &str, changes: &str) -> Settings {
    let tiny = "population=6 fitness_set=2 depth=1 generations=7 islands=3 migrate=3";
    changed(preset, &format!("{tiny} {changes}"))
}

/// A change, and a part of the error message that it should cause.
type Case<T> = (fn(&mut T), &'static str);

fn states(trainer: &mut Trainer) -> Vec<Vec<u8>> {
    let generations = trainer.generation()..trainer.settings().generations;
    let mut step = |_| {
        trainer.step(&()).unwrap();
        trainer.checkpoint().unwrap().encode()
    };
    generations.map(&mut step).collect()
}

#[test]
fn islands_advanced_by_tasks_have_the_same_states() {
    let ayo = settings("standard", "rules=awari nodes=50");
    let kalah = settings("kalah-standard", "migrate=1");
    let cached = settings("daoud2004", "migrate=10");
    // The champions of the islands play in a task after the first generation and before each migration.
    for (settings, expected) in [(ayo, 3 * 3 + 3), (kalah, 3 * 7 + 7), (cached, 3 + 1)] {
        let here = states(&mut Trainer::new(settings.clone()));
        for threads in [1, 8] {
            let runner = Arc::new(Backwards::default());
            let mut trainer = Trainer::new(settings.clone()).with_task_runner(runner.clone());
            assert!(on_threads(threads, || states(&mut trainer)) == here, "{threads} threads");
            assert_eq!(runner.tasks.load(Ordering::Relaxed), expected);
        }
        // Resume halfway between two migrations.
        let checkpoint = Checkpoint::decode(&here[3]).unwrap();
        let trainer = Trainer::restore(settings.clone(), checkpoint).unwrap();
        let mut trainer = trainer.with_task_runner(Arc::new(Backwards::default()));
        assert!(states(&mut trainer) == here[4..]);
    }
}

#[test]
fn wrong_answers_end_the_step_and_leave_the_state() {
    let cases: [Case<Vec<Vec<u8>>>; 3] = [
        (|answers| answers.swap(0, 1), "another task"),
        (|answers| drop(answers.pop()), "not computed"),
        (|answers| answers[1][40] ^= 1, "checksum"),
    ];
    for (change, part) in cases {
        let trainer = Trainer::new(settings("standard", ""));
        let mut trainer = trainer.with_task_runner(changing(change));
        let error = trainer.step(&()).unwrap_err().to_string();
        assert!(error.contains(part) && trainer.generation() == 0, "{error}");
    }
}

#[test]
fn no_thread_outlives_its_step_or_trainer() {
    let settings = settings("standard", "migrate=1 generations=1000");
    let waiting = by(Box::new(|_, _, stop| {
        while !stop.should_stop() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(TaskError::Stopped)
    }));
    let mut trainer = Trainer::new(settings.clone()).with_task_runner(waiting.clone());
    let users = Arc::strong_count(&waiting);
    assert!(matches!(trainer.step(&AtomicBool::new(true)), Err(WorkError::Stopped)));
    assert_eq!(Arc::strong_count(&waiting), users);
    // In the middle of a run, the thread is computing a task or waiting for us to receive its results.
    let runner = Arc::new(Backwards::default());
    let mut trainer = Trainer::new(settings.clone()).with_task_runner(runner.clone());
    trainer.step(&()).unwrap();
    drop(trainer);
    assert_eq!(Arc::strong_count(&runner), 1);
    let defective = by(Box::new(|_, _, _| panic!("a defect")));
    let mut trainer = Trainer::new(settings).with_task_runner(defective);
    assert!(catch_unwind(AssertUnwindSafe(|| trainer.step(&()))).is_err());
}

fn batch(game: &str, [one, other]: [&str; 2], limits: Limits, openings: usize) -> Batch {
    let game: AnyGame = game.parse().unwrap();
    let player =
        |name| BatchPlayer::new(&Weights::named(name).unwrap(), limits, Options::default());
    let openings = openings_or_start(game, openings, 3..=6, stream(1, Purpose::Trial, 0, 0));
    let schedule = ScheduledGame::all(&[[0, 1]], openings.len() as u32);
    Batch::new(game, vec![player(one), player(other)], openings, schedule).unwrap()
}

fn remote(runner: Arc<dyn TaskRunner>) -> RemoteGames {
    RemoteGames { runner }
}

#[test]
fn games_played_as_tasks_have_the_same_outcomes() {
    let depth = Limits::depth(1);
    let nodes = Limits { nodes: Some(40), ..Limits::default() };
    for (game, names, limits, openings) in [
        ("ayo", ["learned", "seeds"], depth, 300),
        ("kalah:seeds=3", ["stores", "stores"], nodes, 20),
    ] {
        let batch = batch(game, names, limits, openings);
        let here = LocalGames::new().outcomes(&batch, &()).unwrap();
        let runner = Arc::new(Backwards::default());
        let there = Games::outcomes(&remote(runner.clone()), &batch, &()).unwrap();
        assert!(here == there);
        assert_eq!(runner.tasks.load(Ordering::Relaxed), here.len().div_ceil(500));
    }
}

#[test]
fn work_that_needs_more_than_its_bytes_is_refused() {
    let remote = remote(Arc::new(Backwards::default()));
    let clock = Limits { movetime: Some(std::time::Duration::from_millis(1)), ..Limits::default() };
    let timed = batch("ayo", ["seeds", "seeds"], clock, 1);
    let start = vec![with_game!(AnyGame::default(), game => {
        mancala::game::Game::start(&game, mancala::game::Side::South).to_string()
    })];
    let program = BatchPlayer::Spec { spec: "greedy".into(), fingerprint: String::new() };
    let schedule = vec![ScheduledGame { first: 0, second: 0, opening: 0 }];
    let of_program = Batch::new(AnyGame::default(), vec![program], start, schedule);
    for batch in [timed, of_program.unwrap()] {
        let refused = remote.play(&batch, &()).unwrap_err();
        assert!(refused.to_string().contains("time limit or a program"), "{refused}");
    }
    // A task with a time limit can only come from another program.
    let limited = batch("ayo", ["seeds", "seeds"], Limits::depth(1), 1);
    let task = serde_json::to_string(&limited);
    let json = task.unwrap().replace("\"movetime\":null", r#""movetime":{"secs":1,"nanos":0}"#);
    let task: Batch = serde_json::from_str(&json).unwrap();
    assert!(matches!(games::play(task, &()), Err(TaskError::Unsupported(_))));
    let settings = changed("daoud2004", "fitness=tables islands=2");
    let mut trainer = Trainer::new(settings).with_task_runner(Arc::new(Backwards::default()));
    assert!(trainer.step(&()).unwrap_err().to_string().contains("tables"));
}

#[test]
fn damaged_tasks_and_tasks_of_other_builds_are_refused() {
    let batch = batch("ayo", ["seeds", "seeds"], Limits::depth(1), 1);
    let task = Task::Games(batch).encode();
    let answer = run_task(&task, &()).unwrap();
    assert_eq!(answer, run_task(&task, &()).unwrap());
    check_answer(&task, &answer).unwrap();
    for (bit, damaged) in flips(&task, 31) {
        assert!(matches!(run_task(&damaged, &()), Err(TaskError::Task(_))), "bit {bit}");
        assert!(matches!(check_answer(&damaged, &answer), Err(TaskError::OtherTask)));
    }
    for (bit, damaged) in flips(&answer, 1) {
        assert!(matches!(check_answer(&task, &damaged), Err(TaskError::Answer(_))), "bit {bit}");
    }
    assert!(matches!(run_task(&answer, &()), Err(TaskError::Task(FrameError::Kind { .. }))));
    let foreign = TASK.encode(&("0.1.0-0123456789abcdef", vec![1u8, 2, 3]));
    assert!(run_task(&foreign, &()).unwrap_err().to_string().contains("0.1.0-0123456789abcdef"));
    assert!(BUILD.len() > 20 && BUILD.starts_with(env!("CARGO_PKG_VERSION")), "{BUILD}");
}

#[test]
fn invalid_tasks_are_refused() {
    let cases: [Case<GenerationsTask>; 5] = [
        (|task| task.settings = "x".into(), "TOML in line 1"),
        (|task| task.settings += "\nx = 1", "unknown setting \"x\""),
        (|task| task.settings += "\nopponents = \"greedy #1\"", "other opponents"),
        (|task| task.layer = Some(vec![1]), "the task is invalid"),
        (|task| task.island.migrants = vec![Chromosome::new(vec![true])], "\"8\""),
    ];
    let (saved, migrants) = (None, Vec::new());
    let island = IslandTask { island: 1, saved, migrants, generations: 1 };
    for (change, part) in cases {
        let mut task = GenerationsTask::new(&settings("standard", ""), island.clone());
        change(&mut task);
        let error = run_task(&Task::Generations(task).encode(), &()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), fs::read(path).unwrap())).collect()
}

fn small_plan() -> Plan {
    let teacher = Teacher::Scores(Box::new(Weights::named("stores").unwrap()));
    plan("kalah:pits=3,seeds=2".parse().unwrap(), teacher)
}

#[test]
fn positions_labelled_from_tables_by_tasks_are_the_same() {
    let game = Ayo { rules: Rules::AWARI };
    let mut plan = plan(game.into(), Teacher::Scores(Box::new(Weights::named("seeds").unwrap())));
    plan.datasets.remove(0);
    let runner = Backwards::default();
    let found = collect_positions(&runner, &plan, &[0..2, 2..3], &());
    assert!(found.unwrap() == play_games(&plan, 0..3, &()).unwrap());
}

#[test]
fn positions_collected_by_tasks_are_the_same() {
    let mut plan = small_plan();
    (plan.datasets[0].positions, plan.datasets[1].positions) = (1500, 1000);
    let here = tempfile::tempdir().unwrap();
    let expected = Learner::of_run(here.path()).learn(&plan, None, &()).unwrap();
    let blocks = files(&here.path().join("positions"));
    let learn = |folder: &Path, runner: Arc<dyn TaskRunner>| {
        Learner::of_run(folder).learn(&plan, Some(&*runner), &())
    };
    let (there, runner) = (tempfile::tempdir().unwrap(), Arc::new(Backwards::default()));
    let found = on_threads(3, || learn(there.path(), runner.clone())).unwrap();
    assert!(found == expected);
    assert_eq!(files(&there.path().join("positions")), blocks);
    assert!(runner.tasks.load(Ordering::Relaxed) > 4);
    for (index, name) in blocks.keys().enumerate() {
        let path = there.path().join("positions").join(name);
        match index % 4 {
            0 => fs::remove_file(path).unwrap(),
            2 => fs::write(path, "damaged").unwrap(),
            _ => {}
        }
    }
    let found = learn(there.path(), Arc::new(Backwards::default())).unwrap();
    assert!(found.0 == expected.0);
    assert_eq!(files(&there.path().join("positions")), blocks);
}

#[test]
fn failures_of_tasks_are_errors_of_the_run() {
    for part in ["learn", "play"] {
        let runner = by(Box::new(move |tasks, then, progress| {
            let fails = |task: &Vec<u8>| match work(task) {
                Task::Generations(_) => false,
                Task::Games(_) => part == "play",
                Task::Positions(_) => part == "learn",
            };
            if tasks.iter().any(fails) {
                return Err(TaskError::Runner("a cable is cut".into()));
            }
            Backwards::default().run(tasks, then, progress)
        }));
        let scratch = tempfile::tempdir().unwrap();
        let tiny = "game=kalah:pits=3,seeds=2 features=ku1..ku8 positions=900 buffer=2000 label_depth=1 epochs=1 \
            fit_every=2 generations=3 population=6 depth=1 measure_every=2 measure_openings=2";
        let settings = changed("kalah-learned", tiny);
        let mut run = Run::create(&scratch.path().join("run"), settings, None).unwrap();
        run.trainer = run.trainer.with_task_runner(runner);
        let watched = Watched { progress: &(), stop: &StopPolicy::default() };
        let end = run.train(&watched, &mut |_: &Event| Ok(())).unwrap().end;
        let error = end.unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("a cable is cut"), "{error}");
    }
}

#[test]
fn changed_tasks_and_answers_of_positions_are_refused() {
    let plan = small_plan();
    let learn = |runner: Arc<dyn TaskRunner>| Learner::default().learn(&plan, Some(&*runner), &());
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keeping = Arc::clone(&kept);
    let keep = by(Box::new(move |tasks, _, _| {
        *keeping.lock().unwrap() = tasks;
        Err(TaskError::Stopped)
    }));
    assert!(matches!(learn(keep), Err(TaskError::Stopped)));
    let task = kept.lock().unwrap()[0].clone();
    let Task::Positions(mut changed) = work(&task) else { panic!("a task of positions") };
    changed.plan.depth = 0;
    let refused = run_task(&Task::Positions(changed).encode(), &()).unwrap_err().to_string();
    assert!(refused.contains("plan is impossible"), "{refused}");
    let swapped = learn(changing(|answers| answers.swap(0, 1)));
    assert!(swapped.unwrap_err().to_string().contains("another task"));
    // This answer belongs to the right task, but has too few games.
    let truncated = changing(|answers| {
        let (hash, answer): (String, Answer) = ANSWER.decode(&answers[0]).unwrap();
        let Answer::Positions(mut games) = answer else { panic!("positions") };
        games.pop();
        answers[0] = ANSWER.encode(&(hash, Answer::Positions(games)));
    });
    assert!(matches!(learn(truncated), Err(TaskError::OtherTask)));
}
