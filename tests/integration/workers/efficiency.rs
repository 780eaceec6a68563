//! How much of what the processors could do a run with workers gets, beside what the simulation says:
//!
//! `cargo test --release --features redis --test integration efficiency -- --ignored --nocapture`
//!
//! All processes share as many processors as there are threads that play, if there are so many. Efficiency is the time
//! of one thread alone, over processors times time. `AYO_PRESET=learned` and `AYO_GENERATIONS=30` ask for others.

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use ayo::arena::LocalGames;
use ayo::run::{Draft, Trainer};
use ayo::workers::simulation::{Network, Recorded, Recorder};
use ayo::workers::{Crew, Terms};

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

    /// Seconds of its generations on so many threads of this process, and positions searched.
    fn time(&self, mut trainer: Trainer, threads: usize) -> (f64, u64) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let begun = Instant::now();
        let step = |_| trainer.step(&()).unwrap();
        let nodes = pool.install(|| (0..self.generations).map(step).sum());
        (begun.elapsed().as_secs_f64(), nodes)
    }
}

/// Processors from the first on.
fn pinned(cores: usize) -> String {
    format!("0-{}", cores - 1)
}

/// Lets this process use so many processors.
fn pin(cores: usize) {
    let id = std::process::id().to_string();
    let done = Command::new("taskset").args(["-acp", &pinned(cores), &id]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
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
    seconds: f64,
    nodes: u64,
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
    let trainer = subject.trainer().helped_by(&Crew(Arc::clone(&coordinator)));
    let here = || used(std::process::id()) + used(server.id());
    let there = || team.iter().map(|it| used(it.id())).sum::<f64>();
    let (bytes, before) = (server.bytes(), (here(), there()));
    let (seconds, nodes) = subject.time(trainer, 1);
    Taken {
        seconds,
        nodes,
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
    let (alone, nodes) = subject.time(subject.trainer().playing_at(recorder.clone()), 1);
    let batches = recorder.batches();
    let games: f64 = batches.iter().map(Recorded::seconds).sum();
    let between = (alone - games) / batches.len() as f64;
    println!(
        "{}: {} generations, {alone:.2} s on one thread, {:.1} % of it games",
        subject.preset,
        subject.generations,
        100.0 * games / alone
    );
    pin(2.min(all));
    let (local, _) = subject.time(subject.trainer(), 2.min(all));
    println!("two threads of one process: {:.3} of two processors", alone / 2.0 / local);
    let idle = Terms { check_every: u64::MAX, is_idle: true, ..Terms::default() };
    let taken = with_workers(&subject, 1, 2.min(all), idle);
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
        100.0 * taken.here / taken.seconds
    );
    println!("workers  processors  seconds  efficiency  predicted  tasks/s  positions");
    for workers in [1, 2, 4, 8, 15].into_iter().filter(|it| *it < 5 || *it < all) {
        let cores = (workers + 1).min(all);
        let taken = with_workers(&subject, workers, cores, Terms::default());
        let again = (taken.nodes as f64 / nodes as f64 - 1.0).max(0.0);
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
            "{workers:>7}  {cores:>10}  {:>7.2}  {:>10.3}  {predicted:>9.3}  {:>7.0}  {:>+8.1} %",
            taken.seconds,
            alone / taken.seconds / cores as f64,
            taken.tasks / taken.seconds,
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
        let rest = "--preset standard --seeds 1..8 --generations 20 --set measure_every=0 \
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
        "eight runs of standard, 20 generations each: {alone:.2} s one after the other on one thread"
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
