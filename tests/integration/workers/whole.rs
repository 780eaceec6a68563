//! Series whose runs workers train whole.

use std::thread::sleep;
use std::time::Duration;

use super::engines::{Faulty, Vice};
use super::server::{Server, until};
use super::team::{Helper, Said};
use crate::support::{Bytes, Scratch, Training, undisturbed};

/// A run of a good half second.
const RUN: &str = "--population 24 --depth 3 --generations 5 --quiet --set mutation_rate=0.05 \
                   --set openings=random:2,plies=5-8 --set measure_every=5 --set measure_openings=4";

fn series(seeds: &str, server: &Server) -> String {
    let url = server.url();
    format!(
        "train --preset daoud2004 --out all/run --seeds {seeds} --threads 1 --workers {url} {RUN}"
    )
}

/// The runs of some seeds are those that each process trains alone.
fn assert_same(scratch: &Scratch, seeds: std::ops::RangeInclusive<u32>) {
    for seed in seeds {
        let ours = Bytes::of(&scratch.path(&format!("all/run-{seed}")));
        ours.assert_same(&undisturbed(&format!("{RUN} --seed {seed}")));
    }
}

fn worker(scratch: &Scratch, server: &Server, threads: u32) -> Training {
    let before = server.number(&["ZCARD", "ayo:1:workers"]);
    let worker = scratch.start(&format!("worker {} --threads {threads}", server.url()));
    until("a worker", || server.number(&["ZCARD", "ayo:1:workers"]) > before);
    worker
}

/// A worker has something in hand.
fn works(server: &Server) -> bool {
    let streams: Vec<String> =
        redis::from_redis_value(server.say(&["KEYS", "ayo:1:run:*:tasks"])).unwrap();
    let pending = |stream: &String| {
        let found: Vec<redis::Value> =
            redis::from_redis_value(server.say(&["XPENDING", stream, "workers"])).unwrap();
        found.first().is_some_and(|it| *it != redis::Value::Int(0))
    };
    streams.iter().any(pending)
}

#[test]
fn runs_that_workers_train_are_those_of_one_process() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let _worker = worker(&scratch, &server, 2);
    // Three threads: three runs beside each other, and the fourth by games.
    let said = scratch.text(&series("1..4", &server));
    for words in [", trained by worker ", ", trained here\n", "run 4 of 4: all/run-4, seed 4\n"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert_same(&scratch, 1..=4);
    let again = scratch.ayo(&series("1..4", &server)).success();
    assert!(!again.stdout().contains("trained"), "{}", again.stdout());
    assert!(scratch.ayo("doctor all/run-1").output().status.success());
}

#[test]
fn a_series_survives_the_end_of_workers_and_of_itself() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let mut first = worker(&scratch, &server, 1);
    let mut training = scratch.start(&series("1..6", &server));
    until("a task", || works(&server));
    assert!(first.kill());
    let _second = worker(&scratch, &server, 1);
    until("a finished run", || {
        (1..=6).any(|seed| scratch.path(&format!("all/run-{seed}/champion.json")).exists())
    });
    assert!(training.kill());
    sleep(Duration::from_millis(50));
    let (status, _, err) = scratch.start(&series("1..6", &server)).wait();
    assert!(status.success(), "{err}");
    assert_same(&scratch, 1..=6);
}

#[test]
fn a_series_that_is_interrupted_goes_on() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let _worker = worker(&scratch, &server, 1);
    let mut training = scratch.start(&series("1..4", &server));
    until("a task", || works(&server));
    training.signal("INT");
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(out.contains("stopped before all were finished; go on with\n"), "{out}");
    scratch.ayo(&series("1..4", &server)).success();
    assert_same(&scratch, 1..=4);
}

#[test]
fn what_is_no_run_is_not_taken() {
    let Some(server) = Server::start(&[]) else { return };
    let (scratch, theirs) = (Scratch::new(), Said::default());
    let helper = Helper::of(&server.url(), Faulty::new(Vice::Babbles, 1), &theirs);
    until("it is there", || server.number(&["ZCARD", "ayo:1:workers"]) > 0);
    let said = scratch.ayo(&series("1..2", &server)).success();
    assert!(said.stderr().contains("found what is not true"), "{}", said.stderr());
    assert!(!said.stdout().contains("by worker"), "{}", said.stdout());
    assert_same(&scratch, 1..=2);
    assert!(helper.leave() > 0);
}
