//! Measures how much many open pages slow down a run on the same machine.
//!
//! ```sh
//! cargo build --release
//! AYO=target/release/ayo cargo run --release -p ayo-browser --bin load -- 60 2
//! ```
//!
//! This trains for 60 seconds with and without the load, twice, and compares the generations reached in both cases.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ayo_browser::requests::Connection;
use ayo_browser::{Server, Stage};
use serde_json::{Value, json};
use tokio::io::AsyncBufReadExt;
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval_at, sleep, timeout};

const STREAMS: usize = 50;
const CONNECTIONS: u32 = 32;
/// Yields 200 requests per second over all connections.
const PERIOD: Duration = Duration::from_millis(5 * CONNECTIONS as u64);
const LIMIT: f64 = 0.05;
const TRAINING: &str = "--quiet --preset quick --seed 4 --threads 2 --generations 1000000 --set depth=5 \
                        --set population=24 --set measure_every=0 --set finalist_games=0";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|it| it.parse::<u64>());
    let mut number = |otherwise| arguments.next().map_or(Ok(otherwise), |it| it);
    let (Ok(seconds), Ok(rounds)) = (number(60), number(1)) else {
        eprintln!("usage: load [SECONDS] [ROUNDS]");
        return ExitCode::from(2);
    };
    let threads = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let lost = threads.block_on(measure(Duration::from_secs(seconds), rounds));
    if lost < LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The number of games and the seconds taken by each generation.
type Costs = Vec<(f64, f64)>;

async fn measure(span: Duration, rounds: u64) -> f64 {
    let stage = Stage::default();
    stage.learned("learned");
    stage.trained("small", 1, 12).await;
    let server = stage.serve().await;
    let (mut alone, mut loaded) = ((0.0, 0.0), (0.0, 0.0));
    for round in 0..rounds {
        // Alternate the order, because the machine may be cooler in the first run.
        let order = if round % 2 == 0 { [false, true] } else { [true, false] };
        let mut costs = [Costs::new(), Costs::new()];
        for with_load in order {
            let name = format!("night-{round}-{with_load}");
            let time = span.as_secs();
            let mut trainer =
                stage.start(&format!("train --out runs/{name} --max-time {time}s {TRAINING}"));
            if with_load {
                load(&server, &stage.run(&name), &name, span).await;
            }
            let end = timeout(span + Duration::from_secs(120), trainer.wait()).await;
            assert!(
                end.expect("the run ends in time").expect("it can be waited for").success(),
                "the run failed"
            );
            costs[usize::from(with_load)] = read_costs(&stage.run(&name));
        }
        // Runs with the same seed play the same games in each generation.
        let common = costs[0].len().min(costs[1].len());
        let add = |(games, seconds): (f64, f64), costs: &Costs| {
            let sum = |part: fn(&(f64, f64)) -> f64| costs[..common].iter().map(part).sum::<f64>();
            (games + sum(|it| it.0), seconds + sum(|it| it.1))
        };
        (alone, loaded) = (add(alone, &costs[0]), add(loaded, &costs[1]));
    }
    let speed = |(games, seconds): (f64, f64)| games / seconds;
    let lost = 1.0 - speed(loaded) / speed(alone);
    println!("training alone      {:8.1} games/s", speed(alone));
    println!("training with load  {:8.1} games/s, {:.1} % less", speed(loaded), 100.0 * lost);
    lost
}

fn read_costs(folder: &Path) -> Costs {
    let text = fs::read_to_string(folder.join("cost.csv")).expect("the run has costs");
    let row = |line: &str| {
        let cells: Vec<f64> = line.split(',').filter_map(|it| it.parse().ok()).collect();
        let [_, _, seconds, speed] = cells[..] else { panic!("cost.csv has the row {line}") };
        (speed * seconds, seconds)
    };
    text.lines().skip(1).map(row).collect()
}

async fn load(server: &Server, folder: &Path, id: &str, span: Duration) {
    while !folder.join("run.toml").exists() {
        sleep(Duration::from_millis(20)).await;
    }
    let open = async || Connection::open(server.port, server.token()).await.expect("a connection");
    let events = Arc::new(AtomicU64::new(0));
    let mut streams = JoinSet::new();
    for _ in 0..STREAMS {
        let path = format!("/api/events?run={id}&after=0");
        let mut lines = open().await.follow(&path).await.expect("the stream begins").lines();
        let events = Arc::clone(&events);
        streams.spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                events.fetch_add(u64::from(line.starts_with("event:")), Ordering::Relaxed);
            }
        });
    }
    let begun = Instant::now();
    let mut clients = JoinSet::new();
    for index in 0..CONNECTIONS {
        let first = begun + PERIOD * index / CONNECTIONS;
        clients.spawn(requests(open().await, id.to_owned(), first, begun + span));
    }
    let mut seconds: Vec<f64> = clients.join_all().await.concat();
    streams.shutdown().await;
    seconds.sort_by(f64::total_cmp);
    let at = |share: f64| 1000.0 * seconds[((seconds.len() - 1) as f64 * share) as usize];
    println!(
        "{} requests in {:.0} s; median {:.2} ms, 99th of 100 {:.2} ms, slowest {:.1} ms",
        seconds.len(),
        begun.elapsed().as_secs_f64(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    println!("{} events on {STREAMS} streams", events.load(Ordering::Relaxed));
}

/// Sends requests at regular intervals over one connection. Returns the response times in seconds, measured from the
/// scheduled times, so that a late response also counts against the requests queued behind it.
async fn requests(
    mut connection: Connection,
    id: String,
    first: Instant,
    end: Instant,
) -> Vec<f64> {
    let mut ticks = interval_at(first.into(), PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut seconds = Vec::new();
    while Instant::now() < end {
        let due = ticks.tick().await;
        let (method, path, body) = request(seconds.len(), &id);
        let answer = connection.ask(method, &path, body.as_ref()).await;
        assert_eq!(answer.expect("an answer").status, 200, "{path}");
        seconds.push(due.elapsed().as_secs_f64());
    }
    seconds
}

fn request(number: usize, id: &str) -> (&'static str, String, Option<Value>) {
    match number % 4 {
        0 => ("GET", "/api/runs".into(), None),
        1 => ("GET", format!("/api/runs/{id}/history?after=3"), None),
        2 => ("GET", "/api/runs/learned/history?after=600".into(), None),
        _ => ("POST", "/api/play".into(), Some(json!({ "line": "CfDcEeAa" }))),
    }
}
