//! Processes that are killed and stopped.

use std::thread::sleep;
use std::time::Duration;

use super::server::{Server, until};
use crate::support::{Bytes, Scratch, Training, undisturbed};

/// A run of a second or two, most of it games.
const RUN: &str = "--seed 5 --population 40 --depth 4 --generations 6 --set mutation_rate=0.05 --quiet \
                   --set openings=random:2,plies=5-8";

fn worker(scratch: &Scratch, server: &Server) -> Training {
    scratch.start(&format!("worker {} --threads 1", server.url()))
}

fn train(scratch: &Scratch, server: &Server) -> Training {
    let mut training = scratch.start(&format!(
        "train --preset daoud2004 --out run --threads 1 --workers {} {RUN}",
        server.url()
    ));
    training.begun();
    training
}

fn is_there(server: &Server) -> bool {
    server.number(&["ZCARD", "ayo:1:workers"]) > 0
}

/// A worker has a task in hand.
fn works(server: &Server) -> bool {
    let runs: Vec<String> =
        redis::from_redis_value(server.say(&["KEYS", "ayo:1:run:*:answers:*"])).unwrap();
    !runs.is_empty()
}

/// A run with a worker that something happens to, and the run alone.
fn with_a_worker(happens: impl FnOnce(&mut Training)) {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let mut worker = worker(&scratch, &server);
    until("a worker", || is_there(&server));
    let mut training = train(&scratch, &server);
    until("answers", || works(&server));
    happens(&mut worker);
    let (status, _, err) = training.wait();
    assert!(status.success(), "{err}");
    assert!(err.contains("helps with 1 thread"), "{err}");
    Bytes::of(&scratch.path("run")).assert_same(&undisturbed(RUN));
}

#[test]
fn a_worker_that_is_killed_leaves_no_trace() {
    with_a_worker(|worker| assert!(worker.kill()));
}

#[test]
fn a_worker_that_stands_still_past_its_lease_leaves_no_trace() {
    with_a_worker(|worker| {
        worker.signal("STOP");
        sleep(Duration::from_millis(1300));
        worker.signal("CONT");
        sleep(Duration::from_millis(200));
    });
}

#[test]
fn a_run_that_is_killed_goes_on_with_its_workers() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let mut worker = worker(&scratch, &server);
    until("a worker", || is_there(&server));
    let mut training = train(&scratch, &server);
    until("answers", || works(&server));
    assert!(training.kill());
    let line = format!("resume run --threads 1 --quiet --workers {}", server.url());
    let (status, _, err) = scratch.start(&line).wait();
    assert!(status.success(), "{err}");
    Bytes::of(&scratch.path("run")).assert_same(&undisturbed(RUN));
    worker.signal("TERM");
    let (status, out, err) = worker.wait();
    assert!(status.success() && out.ends_with("done\n"), "{out}{err}");
    assert!(err.contains("helping train run on"), "{err}");
}

/// The lines of a file of games without what moves cost.
fn games(scratch: &Scratch, file: &str) -> String {
    scratch.read(file)
}

#[test]
fn matches_tournaments_and_champions_are_those_of_one_process() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let _worker = worker(&scratch, &server);
    until("a worker", || is_there(&server));
    let help = format!("--threads 1 --quiet --workers {}", server.url());
    let both = |line: &str| {
        let alone = scratch.text(&format!("{line} --quiet"));
        assert_eq!(scratch.text(&format!("{line} {help}")), alone);
    };
    both("tournament seeds greedy random:seed=3 --openings plies:2");
    let line =
        "match minimax:weights=aalina4,depth=2 minimax:weights=seeds,depth=2 --openings plies:2";
    scratch.text(&format!("{line} --quiet --games-out alone.txt"));
    scratch.text(&format!("{line} {help} --games-out helped.txt"));
    assert_eq!(games(&scratch, "helped.txt"), games(&scratch, "alone.txt"));
    let line =
        "train --preset daoud2004 --generations 3 --population 10 --depth 2 --seed 3 --quiet";
    for folder in ["one", "other"] {
        scratch.text(&format!("{line} --out {folder}"));
    }
    scratch.text("champion one --games 500 --quiet");
    scratch.text(&format!("champion other --games 500 {help}"));
    assert_eq!(scratch.read("one/champion.json"), scratch.read("other/champion.json"));
}

/// The rows of a comparison without nodes and seconds, which may differ.
fn rows(scratch: &Scratch, file: &str) -> Vec<Vec<String>> {
    let text = scratch.read(file);
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let is_kept = |name: &str| !["nodes", "seconds", "crc32", "checksum"].contains(&name);
    let places: Vec<usize> = (0..header.len()).filter(|&it| is_kept(&header[it])).collect();
    lines.map(|line| places.iter().map(|&it| line[it].clone()).collect()).collect()
}

#[test]
fn comparisons_are_those_of_one_process() {
    let Some(server) = Server::start(&[]) else { return };
    let scratch = Scratch::new();
    let _worker = worker(&scratch, &server);
    until("a worker", || is_there(&server));
    let line = "compare cma-es:depth=2 random-search:depth=2 --seeds 1..3 --budget games=1000 --depth 2 \
                --openings 20 --quiet";
    scratch.text(&format!("{line} -o alone.csv"));
    scratch.text(&format!("{line} -o helped.csv --threads 1 --workers {}", server.url()));
    assert_eq!(rows(&scratch, "helped.csv"), rows(&scratch, "alone.csv"));
}
