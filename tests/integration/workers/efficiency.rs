//! How much of what the processors could do a run with workers gets, beside what the simulation says:
//!
//! `cargo test --release --features redis --test integration efficiency -- --ignored --nocapture`
//!
//! All processes share as many processors as there are threads that play, if there are so many. Efficiency is the time
//! of one thread alone, over processors times time; that of games leaves out what is done between batches.
//! `AYO_PRESET=learned` and `AYO_GENERATIONS=30` ask for others.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use ayo::arena::{Batch, Follow, Games, GamesError, Helpers, LocalGames, Outcome};
use ayo::run::{Draft, Trainer};
use ayo::workers::simulation::{Network, Recorded, Recorder};
use ayo::workers::{Crew, Terms};
use mancala::progress::Progress;

use super::server::{Server, until};
use super::team::{Said, coordinator};
use crate::support::{Scratch, Training, program};

/// Seconds that a message travels within a machine.
const DELAY: f64 = 5e-5;

/// A run that is timed.
struct Subject {
    preset: String,
    generations: u32,
}

impl Subject {
    fn asked_for() -> Subject {
        let asked = |name: &str| std::env::var(name).ok();
        let preset = asked("AYO_PRESET").unwrap_or("standard".into());
        let generations = asked("AYO_GENERATIONS").map_or(60, |it| it.parse().unwrap());
        Subject { preset, generations }
    }

    fn trainer(&self) -> Trainer {
        Trainer::new(Draft::preset(&self.preset).unwrap().finish().unwrap())
    }

    /// What its generations take on so many threads of this process, with games played there.
    fn time(&self, games: Arc<dyn Games>, threads: usize) -> Took {
        let games = Arc::new(Timed { games, nanos: AtomicU64::new(0) });
        let mut trainer = self.trainer().playing_at(games.clone());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let begun = Instant::now();
        let step = |_| trainer.step(&()).unwrap();
        let nodes = pool.install(|| (0..self.generations).map(step).sum());
        let games = games.nanos.load(Ordering::Relaxed) as f64 * 1e-9;
        Took { seconds: begun.elapsed().as_secs_f64(), games, nodes }
    }
}

/// What some generations took.
struct Took {
    seconds: f64,
    /// Seconds in which batches of games were played.
    games: f64,
    /// Positions searched.
    nodes: u64,
}

/// Games, and how long they took.
#[derive(Debug)]
struct Timed {
    games: Arc<dyn Games>,
    nanos: AtomicU64,
}

impl Timed {
    fn time<T>(&self, play: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let played = play();
        self.nanos.fetch_add(begun.elapsed().as_nanos() as u64, Ordering::Relaxed);
        played
    }
}

impl Games for Timed {
    fn play(
        &self,
        batch: &Batch,
        progress: &dyn Progress,
        follow: &mut Follow,
    ) -> Result<(), GamesError> {
        self.time(|| self.games.play(batch, progress, follow))
    }

    fn outcomes(&self, batch: &Batch, progress: &dyn Progress) -> Option<Vec<Outcome>> {
        self.time(|| self.games.outcomes(batch, progress))
    }
}

/// Processors from the first on.
fn pinned(cores: usize) -> String {
    format!("0-{}", cores - 1)
}

/// Lets this process use so many processors. A thread that ends meanwhile makes `taskset` fail, so it is asked again.
fn pin(cores: usize) {
    let id = std::process::id().to_string();
    let done = |_| Command::new("taskset").args(["-acp", &pinned(cores), &id]).output().unwrap();
    assert!((0..20).map(done).any(|it| it.status.success()), "taskset failed twenty times");
}

fn worker(server: &Server, cores: usize) -> Training {
    let mut command = Command::new("taskset");
    command.args(["-c", &pinned(cores)]).arg(program());
    command.args(["worker", &server.url(), "--threads", "1"]);
    Training::start(command)
}

/// Seconds of processor that a process has used.
fn used(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// What a run with workers took.
struct Taken {
    took: Took,
    /// Seconds of processor of this process and of the server, and of all workers.
    here: f64,
    there: f64,
    tasks: f64,
    bytes: f64,
}

fn with_workers(subject: &Subject, workers: usize, cores: usize, terms: Terms) -> Taken {
    let server = Server::start(&[]).expect("a server");
    let said = Said::default();
    pin(cores);
    let team: Vec<Training> = (0..workers).map(|_| worker(&server, cores)).collect();
    let coordinator = coordinator(&server.url(), terms, &said);
    until("they are there", || coordinator.helpers() == workers as u64);
    let games = Crew(Arc::clone(&coordinator)).help(LocalGames::with_move_cache());
    let here = || used(std::process::id()) + used(server.id());
    let there = || team.iter().map(|it| used(it.id())).sum::<f64>();
    let (bytes, before) = (server.bytes(), (here(), there()));
    let took = subject.time(games, 1);
    Taken {
        took,
        here: here() - before.0,
        there: there() - before.1,
        tasks: server.calls("hsetnx") as f64,
        bytes: (server.bytes() - bytes) as f64,
    }
}

#[test]
#[ignore = "prints figures: some minutes"]
fn efficiency_of_batches() {
    let subject = Subject::asked_for();
    let all = std::thread::available_parallelism().unwrap().get();
    pin(1);
    let recorder = Arc::new(Recorder::new(LocalGames::with_move_cache(), Terms::default().task));
    let alone = subject.time(recorder.clone(), 1);
    let batches = recorder.batches();
    let games: f64 = batches.iter().map(Recorded::seconds).sum();
    let between = (alone.seconds - games) / batches.len() as f64;
    println!(
        "{}: {} generations, {:.2} s on one thread, {:.1} % of it games",
        subject.preset,
        subject.generations,
        alone.seconds,
        100.0 * alone.games / alone.seconds
    );
    let two = 2.min(all);
    pin(two);
    let local = subject.time(Arc::new(LocalGames::with_move_cache()), two);
    println!(
        "{two} threads of one process: {:.3}, of games {:.3}",
        alone.seconds / local.seconds / two as f64,
        alone.games / local.games / two as f64
    );
    let idle = Terms { check_every: u64::MAX, is_idle: true, ..Terms::default() };
    let taken = with_workers(&subject, 1, two, idle);
    let handling = ((taken.here - between * batches.len() as f64) / taken.tasks).max(0.0);
    let taking = ((taken.there - games) / taken.tasks).max(0.0);
    println!(
        "a task costs coordinator and server {:.0} µs of processor and the worker {:.0} µs, {:.0} bytes both ways",
        1e6 * handling,
        1e6 * taking,
        taken.bytes / taken.tasks
    );
    println!(
        "coordinator and server use {:.1} % of a processor while one worker plays everything",
        100.0 * taken.here / taken.took.seconds
    );
    println!("workers  processors  seconds  efficiency  predicted  of games  tasks/s  positions");
    for workers in [1, 2, 4, 8, 15].into_iter().filter(|it| *it < 5 || *it < all) {
        let cores = (workers + 1).min(all);
        let taken = with_workers(&subject, workers, cores, Terms::default());
        let took = &taken.took;
        let again = (took.nodes as f64 / alone.nodes as f64 - 1.0).max(0.0);
        let network = Network {
            workers,
            local: 1,
            cores: Some(cores),
            delay: DELAY,
            handling,
            taking,
            again,
            check_every: 100,
            between,
        };
        let predicted = network.forecast(&batches).efficiency;
        println!(
            "{workers:>7}  {cores:>10}  {:>7.2}  {:>10.3}  {predicted:>9.3}  {:>8.3}  {:>7.0}  {:>+8.1} %",
            took.seconds,
            alone.seconds / took.seconds / cores as f64,
            alone.games / took.games / cores as f64,
            taken.tasks / took.seconds,
            100.0 * again
        );
    }
    pin(all);
}

#[test]
#[ignore = "prints figures: some minutes"]
fn efficiency_of_whole_runs() {
    let all = std::thread::available_parallelism().unwrap().get();
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let line = |out: &str, cores: usize, with: &str| {
        let mut command = Command::new("taskset");
        command.args(["-c", &pinned(cores)]).arg(program()).args(["train", "--out", out]);
        let rest = "--preset standard --seeds 1..16 --generations 50 --set measure_every=0 \
                    --set finalist_games=0 --threads 1 --quiet";
        command.args(rest.split_whitespace()).args(with.split_whitespace());
        command.current_dir(scratch.path("")).env("AYO_TABLES", "tables");
        let begun = Instant::now();
        let found = command.output().unwrap();
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        begun.elapsed().as_secs_f64()
    };
    let alone = line("alone", 1, "");
    println!(
        "sixteen runs of standard, 50 generations each: {alone:.2} s one after the other on one thread"
    );
    println!("workers  processors  seconds  efficiency");
    for workers in [1, 3, 7].into_iter().filter(|it| *it < 4 || *it < all) {
        let cores = (workers + 1).min(all);
        let _team: Vec<Training> = (0..workers).map(|_| worker(&server, cores)).collect();
        until("they are there", || server.number(&["ZCARD", "ayo:1:workers"]) == workers as i64);
        let seconds =
            line(&format!("with-{workers}"), cores, &format!("--workers {}", server.url()));
        let efficiency = alone / seconds / cores as f64;
        println!("{workers:>7}  {cores:>10}  {seconds:>7.2}  {efficiency:>10.3}");
        server.say(&["FLUSHALL"]);
    }
}
