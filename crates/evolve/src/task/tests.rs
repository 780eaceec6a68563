use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use arena::{Batch, BatchPlayer, Games, LocalGames, ScheduledGame};
use mancala::eval::Weights;
use mancala::game::{AnyGame, with_game};
use mancala::search::{Limits, Options};

use super::*;
use crate::games::openings_or_start;
use crate::learn::tests::plan;
use crate::learn::{LearnError, Learner, Teacher};
use crate::run::{Draft, End, Event, Run, Settings, StopPolicy, Trainer, Watched};
use mancala::random::{Purpose, stream};

/// Computes tasks in this process, the last first.
#[derive(Debug, Default)]
struct Backwards {
    tasks: AtomicUsize,
    kinds: Mutex<BTreeSet<&'static str>>,
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
            self.kinds.lock().unwrap().insert(kind(&task));
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

fn kind(task: &[u8]) -> &'static str {
    match work(task) {
        Task::Generations(_) => "generations",
        Task::Games(_) => "games",
        Task::Positions(_) => "positions",
    }
}

/// Returns changed answers.
struct Changed<F>(F);

impl<F> Debug for Changed<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Changed")
    }
}

impl<F: Fn(&mut Vec<Vec<u8>>) + Send + Sync> TaskRunner for Changed<F> {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        let answers = tasks.iter().map(|task| run_task(task, progress));
        let mut answers = answers.collect::<Result<Vec<_>, _>>()?;
        (self.0)(&mut answers);
        answers.into_iter().enumerate().try_for_each(|(it, answer)| then(it, answer).map(drop))
    }
}

fn settings(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).unwrap();
    let tiny = [("population", "6"), ("fitness_set", "2"), ("depth", "1"), ("generations", "7")];
    let islands = [("islands", "3"), ("migrate", "3")];
    for (name, value) in tiny.iter().chain(&islands).chain(changes) {
        draft.set(name, value).unwrap();
    }
    draft.finish().unwrap()
}

fn states(trainer: &mut Trainer) -> Vec<Vec<u8>> {
    let generations = trainer.generation()..trainer.settings().generations;
    let mut step = |_| {
        trainer.step(&()).unwrap_or_else(|| panic!("{}", trainer.take_failure().unwrap()));
        trainer.checkpoint().unwrap().encode()
    };
    generations.map(&mut step).collect()
}

#[test]
fn islands_advanced_by_tasks_have_the_same_states() {
    let ayo = settings("standard", &[("rules", "awari"), ("nodes", "50")]);
    let kalah = settings("kalah-standard", &[("migrate", "1")]);
    let cached = settings("daoud2004", &[("migrate", "10")]);
    // The champions of the islands play in a task after the first generation and before each migration.
    for (settings, expected) in [(ayo, 3 * 3 + 3), (kalah, 3 * 7 + 7), (cached, 3 + 1)] {
        let here = states(&mut Trainer::new(settings.clone()));
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let runner = Arc::new(Backwards::default());
            let mut trainer = Trainer::new(settings.clone()).with_task_runner(runner.clone());
            assert!(pool.install(|| states(&mut trainer)) == here, "{threads} threads");
            assert_eq!(runner.tasks.load(Ordering::Relaxed), expected);
        }
        // From the middle of the time between two migrations.
        let checkpoint = crate::run::Checkpoint::decode(&here[3]).unwrap();
        let trainer = Trainer::restore(settings.clone(), checkpoint).unwrap();
        let mut trainer = trainer.with_task_runner(Arc::new(Backwards::default()));
        assert!(states(&mut trainer) == here[4..]);
    }
}

#[test]
fn wrong_answers_end_the_step_and_leave_the_state() {
    let run = |change: fn(&mut Vec<Vec<u8>>)| {
        let mut trainer =
            Trainer::new(settings("standard", &[])).with_task_runner(Arc::new(Changed(change)));
        assert!(trainer.step(&()).is_none() && trainer.generation() == 0);
        trainer.take_failure().unwrap().to_string()
    };
    let swapped = run(|answers| answers.swap(0, 1));
    assert!(swapped.ends_with("the islands: the answer belongs to another task"), "{swapped}");
    let missing = run(|answers| drop(answers.pop()));
    assert!(missing.ends_with("tasks were not computed"), "{missing}");
    let damaged = run(|answers| answers[1][40] ^= 1);
    assert!(damaged.ends_with("the answer is damaged: its checksum does not match"), "{damaged}");
}

/// Waits until it is stopped, or panics.
#[derive(Debug)]
struct Waiting {
    panics: bool,
}

impl TaskRunner for Waiting {
    fn run(&self, _: Vec<Vec<u8>>, _: &mut Then<'_>, stop: &dyn Progress) -> Result<(), TaskError> {
        assert!(!self.panics, "a defect");
        while !stop.should_stop() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        Err(TaskError::Stopped)
    }
}

#[test]
fn no_thread_outlives_its_step_or_trainer() {
    let settings = settings("standard", &[("migrate", "1"), ("generations", "1000")]);
    let waiting = Arc::new(Waiting { panics: false });
    let mut trainer = Trainer::new(settings.clone()).with_task_runner(waiting.clone());
    let users = Arc::strong_count(&waiting);
    assert!(trainer.step(&AtomicBool::new(true)).is_none() && trainer.take_failure().is_none());
    assert_eq!(Arc::strong_count(&waiting), users);
    // In the middle of a run, the thread computes tasks or waits until its results are received.
    let runner = Arc::new(Backwards::default());
    let mut trainer = Trainer::new(settings.clone()).with_task_runner(runner.clone());
    trainer.step(&()).unwrap();
    drop(trainer);
    assert_eq!(Arc::strong_count(&runner), 1);
    let mut trainer = Trainer::new(settings).with_task_runner(Arc::new(Waiting { panics: true }));
    assert!(catch_unwind(AssertUnwindSafe(|| trainer.step(&()))).is_err());
}

/// Returns an opening batch between two evaluators.
fn batch(game: &str, [one, other]: [&str; 2], limits: Limits, openings: usize) -> Batch {
    let game: AnyGame = game.parse().unwrap();
    let player =
        |name| BatchPlayer::new(&Weights::named(name).unwrap(), limits, Options::default());
    let openings = openings_or_start(game, openings, 3..=6, stream(1, Purpose::Trial, 0, 0));
    let schedule = ScheduledGame::all(&[[0, 1]], openings.len() as u32);
    Batch::new(game, vec![player(one), player(other)], openings, schedule).unwrap()
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
        let there = Games::outcomes(&RemoteGames(runner.clone()), &batch, &()).unwrap();
        let is_same = |(one, other): (&Outcome, &Outcome)| {
            one.game() == other.game() && one.nodes() == other.nodes()
        };
        assert!(here.len() == there.len() && here.iter().zip(&there).all(is_same));
        assert_eq!(runner.tasks.load(Ordering::Relaxed), here.len().div_ceil(500));
    }
}

#[test]
fn work_that_needs_more_than_its_bytes_is_refused() {
    let remote = RemoteGames(Arc::new(Backwards::default()));
    let clock = Limits { movetime: Some(std::time::Duration::from_millis(1)), ..Limits::default() };
    let timed = batch("ayo", ["seeds", "seeds"], clock, 1);
    let start = vec![with_game!(AnyGame::default(), game => {
        mancala::game::Game::start(&game, mancala::game::Side::South).to_string()
    })];
    let program = BatchPlayer::Spec { spec: "greedy".into(), fingerprint: String::new() };
    let of_program = Batch::new(
        AnyGame::default(),
        vec![program],
        start,
        vec![ScheduledGame { first: 0, second: 0, opening: 0 }],
    );
    for batch in [timed, of_program.unwrap()] {
        let refused = remote.play(&batch, &(), &mut |_| panic!("no game is played")).unwrap_err();
        let expected =
            "games of players with a time limit or a program cannot be computed as tasks";
        assert_eq!(refused.to_string(), expected);
    }
    let mut draft = Draft::preset("daoud2004").unwrap();
    for (name, value) in [("fitness", "tables"), ("islands", "2")] {
        draft.set(name, value).unwrap();
    }
    let mut trainer =
        Trainer::new(draft.finish().unwrap()).with_task_runner(Arc::new(Backwards::default()));
    assert!(trainer.step(&()).is_none());
    let refused = trainer.take_failure().unwrap().to_string();
    assert!(refused.ends_with("tables cannot be computed as tasks"), "{refused}");
}

#[test]
fn damaged_tasks_and_tasks_of_other_builds_are_refused() {
    let batch = batch("ayo", ["seeds", "seeds"], Limits::depth(1), 1);
    let task = Task::Games(GamesTask::new(&batch, batch.schedule()).unwrap()).encode();
    let answer = run_task(&task, &()).unwrap();
    assert_eq!(answer, run_task(&task, &()).unwrap());
    check_answer(&task, &answer).unwrap();
    for bit in (0..task.len() * 8).step_by(31) {
        let mut damaged = task.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(run_task(&damaged, &()), Err(TaskError::Task(_))), "bit {bit}");
        assert!(matches!(check_answer(&damaged, &answer), Err(TaskError::OtherTask)));
    }
    for bit in 0..answer.len() * 8 {
        let mut damaged = answer.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(check_answer(&task, &damaged), Err(TaskError::Answer(_))), "bit {bit}");
    }
    assert!(matches!(run_task(&answer, &()), Err(TaskError::Task(FrameError::Kind { .. }))));
    let foreign = TASK.encode(&("0.1.0-0123456789abcdef", vec![1u8, 2, 3]));
    let refused = run_task(&foreign, &()).unwrap_err().to_string();
    assert!(refused.starts_with("the task is from build 0.1.0-0123456789abcdef, but this is"));
    assert!(BUILD.len() > 20 && BUILD.starts_with(env!("CARGO_PKG_VERSION")), "{BUILD}");
}

#[test]
fn invalid_tasks_are_refused_in_a_sentence() {
    let invalid = |change: fn(&mut GenerationsTask)| {
        let settings = settings("standard", &[]);
        let task = crate::optimise::IslandTask {
            island: 1,
            saved: None,
            migrants: Vec::new(),
            generations: 1,
        };
        let mut task = GenerationsTask::new(&settings, &task);
        change(&mut task);
        run_task(&Task::Generations(task).encode(), &()).unwrap_err().to_string()
    };
    for (error, expected) in [
        (invalid(|task| task.settings = "x".into()), "the task is invalid: invalid TOML in line 1"),
        (invalid(|task| task.settings += "\nx = 1"), "the task is invalid: unknown setting \"x\""),
        (
            invalid(|task| task.settings += "\nopponents = \"greedy #1\""),
            "generations with other opponents cannot",
        ),
        (invalid(|task| task.layer = Some(vec![1])), "the task is invalid: "),
        (
            invalid(|task| task.checkpoint = Some(vec![1])),
            "the task is invalid: is not a file of this",
        ),
        (invalid(|task| task.migrants = vec!["x".into()]), "the task is invalid: \"x\" is not a"),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
}

fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Returns the files in a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.is_file());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), fs::read(path).unwrap())).collect()
}

/// Computes a number of rounds, and then stops.
#[derive(Debug)]
struct Rounds(AtomicUsize);

impl TaskRunner for Rounds {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        let left =
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| it.checked_sub(1));
        left.map_err(|_| TaskError::Stopped)?;
        Backwards::default().run(tasks, then, progress)
    }
}

#[test]
fn positions_collected_by_tasks_are_the_same() {
    let teacher = Teacher::Scores(Box::new(Weights::named("stores").unwrap()));
    let plan = plan("kalah:pits=3,seeds=2".parse().unwrap(), teacher);
    let here = tempfile::tempdir().unwrap();
    let expected = Learner::of_run(here.path()).learn(&plan, &()).unwrap();
    let blocks = files(&here.path().join("positions"));
    let learn = |folder: &Path, runner: Arc<dyn TaskRunner>| {
        Learner::of_run(folder).with_task_runner(Some(runner)).learn(&plan, &())
    };
    for threads in [1, 3] {
        let (there, runner) = (tempfile::tempdir().unwrap(), Arc::new(Backwards::default()));
        let found = on_threads(threads, || learn(there.path(), runner.clone())).unwrap();
        assert!(found == expected, "{threads} threads");
        assert_eq!(files(&there.path().join("positions")), blocks);
        assert!(runner.tasks.load(Ordering::Relaxed) >= 8);
    }
    // After interruptions, with stored blocks of which some are lost or damaged.
    let there = tempfile::tempdir().unwrap();
    let mut stops = 0;
    let found = loop {
        match learn(there.path(), Arc::new(Rounds(AtomicUsize::new(stops)))) {
            Ok(found) => break found,
            Err(LearnError::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    };
    assert!(found.0 == expected.0 && stops > 0, "{stops}");
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

const KALAH: [(&str, &str); 3] =
    [("game", "kalah:pits=3,seeds=2"), ("features", "ku1..ku8"), ("generations", "5")];

/// Returns the settings of a small run with learned features.
fn learned(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).unwrap();
    let tiny = [
        ("positions", "900"),
        ("first_positions", "600"),
        ("buffer", "2000"),
        ("label_depth", "1"),
        ("epochs", "1"),
        ("fit_every", "2"),
        ("generations", "3"),
        ("population", "6"),
        ("depth", "1"),
        ("gate_openings", "60"),
        ("measure_every", "2"),
        ("measure_openings", "2"),
        ("finalist_games", "60"),
    ];
    for (name, value) in tiny.iter().chain(changes) {
        draft.set(name, value).unwrap();
    }
    draft.finish().unwrap()
}

#[test]
fn runs_that_learn_by_tasks_have_the_same_states() {
    let ayo =
        learned("learned", &[("features", "u1..u8"), ("rules", "awari"), ("label_tables", "3")]);
    let kalah = learned("kalah-learned", &KALAH);
    let mut kinds = BTreeSet::new();
    for (settings, threads) in [(ayo, &[3][..]), (kalah, &[1, 3])] {
        let here = states(&mut Trainer::new(settings.clone()));
        for &threads in threads {
            let runner = Arc::new(Backwards::default());
            let mut trainer = Trainer::new(settings.clone()).with_task_runner(runner.clone());
            assert!(on_threads(threads, || states(&mut trainer)) == here, "{threads} threads");
            kinds.extend(runner.kinds.lock().unwrap().iter().copied());
        }
    }
    assert_eq!(kinds, BTreeSet::from(["games", "positions"]));
}

/// Trains a run in a folder, and returns why it ended.
fn train(folder: &Path, settings: &Settings, runner: Option<Arc<dyn TaskRunner>>) -> String {
    let mut run = Run::create(folder, settings.clone(), None).unwrap();
    if let Some(runner) = runner {
        run.trainer = run.trainer.with_task_runner(runner);
    }
    let watched = Watched { progress: &(), stop: &StopPolicy::default() };
    let end = run.train(&watched, &mut |_: &Event| Ok(())).unwrap().end;
    end.map_or_else(|error| error.to_string(), |end| format!("{end:?}"))
}

#[test]
fn runs_in_a_folder_have_the_same_files_and_failures_of_tasks_are_errors() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = |name: &str| scratch.path().join(name);
    let settings = learned("kalah-learned", &KALAH);
    let complete = format!("{:?}", End::Complete);
    assert_eq!(train(&folder("here"), &settings, None), complete);
    let runner: Arc<dyn TaskRunner> = Arc::new(Backwards::default());
    assert_eq!(train(&folder("there"), &settings, Some(runner)), complete);
    let outputs = |name| {
        let mut files = files(&folder(name));
        // Times differ, and which checkpoints are written depends on the time.
        let differ = ["cost.csv", "status.json", "checksums.csv", "checkpoint-"];
        files.retain(|name, _| differ.iter().all(|it| !name.starts_with(it)));
        files
    };
    let (here, there) = (outputs("here"), outputs("there"));
    assert_eq!(here.keys().collect::<Vec<_>>(), there.keys().collect::<Vec<_>>());
    assert!(here.contains_key("champion.json"));
    for (name, bytes) in &here {
        assert!(*bytes == there[name], "{name}");
    }
    // The first games are those of a measurement.
    for (failing, message) in [
        ("positions", "cannot learn the features: a cable is cut"),
        ("games", "cannot play the games: a cable is cut"),
    ] {
        let runner = Arc::new(Failing(failing));
        assert_eq!(train(&folder(failing), &settings, Some(runner)), message);
    }
}

/// Fails at tasks of a kind.
#[derive(Debug)]
struct Failing(&'static str);

impl TaskRunner for Failing {
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError> {
        if tasks.iter().any(|task| kind(task) == self.0) {
            return Err(TaskError::Runner("a cable is cut".into()));
        }
        Backwards::default().run(tasks, then, progress)
    }
}

#[test]
fn changed_tasks_and_answers_of_positions_are_refused() {
    /// Keeps the tasks that it is asked to compute.
    #[derive(Debug, Default)]
    struct Keeping(Mutex<Vec<Vec<u8>>>);

    impl TaskRunner for Keeping {
        fn run(
            &self,
            tasks: Vec<Vec<u8>>,
            _: &mut Then<'_>,
            _: &dyn Progress,
        ) -> Result<(), TaskError> {
            *self.0.lock().unwrap() = tasks;
            Err(TaskError::Stopped)
        }
    }

    let scores = Teacher::Scores(Box::new(Weights::named("seeds").unwrap()));
    let plan = plan(AnyGame::default(), scores);
    let learn = |runner: Arc<dyn TaskRunner>| {
        Learner::default().with_task_runner(Some(runner)).learn(&plan, &())
    };
    let keeping = Arc::new(Keeping::default());
    assert!(matches!(learn(keeping.clone()), Err(LearnError::Stopped)));
    let task = keeping.0.lock().unwrap()[0].clone();
    for bit in (0..task.len() * 8).step_by(97) {
        let mut damaged = task.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(run_task(&damaged, &()), Err(TaskError::Task(_))), "bit {bit}");
    }
    let Task::Positions(mut changed) = work(&task) else { panic!("a task of positions") };
    changed.depth += 1;
    let refused = run_task(&Task::Positions(changed).encode(), &()).unwrap_err().to_string();
    assert_eq!(refused, "the task is invalid: its plan was changed");
    let swapped = learn(Arc::new(Changed(|answers: &mut Vec<Vec<u8>>| answers.swap(0, 1))));
    assert_eq!(swapped.unwrap_err().to_string(), "the answer belongs to another task");
    // An answer to the right task with too few games.
    let truncated = |answers: &mut Vec<Vec<u8>>| {
        let (hash, answer): (String, Answer) = ANSWER.decode(&answers[0]).unwrap();
        let Answer::Positions(mut games) = answer else { panic!("positions") };
        games.pop();
        answers[0] = ANSWER.encode(&(hash, Answer::Positions(games)));
    };
    assert!(matches!(learn(Arc::new(Changed(truncated))), Err(LearnError::Task(_))));
}
