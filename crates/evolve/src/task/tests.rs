use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::{Batch, BatchPlayer, Games, LocalGames, ScheduledGame};
use mancala::eval::Weights;
use mancala::game::{AnyGame, with_game};
use mancala::search::{Limits, Options};

use super::*;
use crate::games::openings_or_start;
use crate::run::{Draft, Settings, Trainer};
use mancala::random::{Purpose, stream};

/// Computes tasks in this process, the last first.
#[derive(Debug, Default)]
struct Backwards {
    tasks: AtomicUsize,
}

impl TaskRunner for Backwards {
    fn run(&self, tasks: Vec<Vec<u8>>, progress: &dyn Progress) -> Result<Vec<Vec<u8>>, TaskError> {
        self.tasks.fetch_add(tasks.len(), Ordering::Relaxed);
        let answers = tasks.iter().rev().map(|task| run_task(task, progress));
        let mut answers = answers.collect::<Result<Vec<_>, _>>()?;
        answers.reverse();
        Ok(answers)
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
    fn run(&self, tasks: Vec<Vec<u8>>, progress: &dyn Progress) -> Result<Vec<Vec<u8>>, TaskError> {
        let mut answers = Backwards::default().run(tasks, progress)?;
        (self.0)(&mut answers);
        Ok(answers)
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
    for (settings, expected) in [(ayo, 3 * 3), (kalah, 3 * 7), (cached, 3)] {
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
    assert!(missing.ends_with("2 answers to 3 tasks"), "{missing}");
    let damaged = run(|answers| answers[1][40] ^= 1);
    assert!(damaged.ends_with("the answer is damaged: its checksum does not match"), "{damaged}");
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
        let mut task = GenerationsTask::new(&settings, &task, 1);
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
