//! Figures of docs/distributed.md:
//! `cargo test --release --features redis --test integration figures -- --ignored --nocapture`.

use std::time::Instant;

use ayo::arena::{Batch, Contender, Helpers, LocalGames, Meeting};
use ayo::workers::{Coordinator, Crew, Honest, Terms, Worker};
use mancala::eval::Weights;
use mancala::game::AnyGame;
use mancala::search::Options;

use super::server::{Server, until};
use super::team::{Helper, Said, address, coordinator};

/// A generation of twelve weights: every member against four others from some openings.
fn generation(members: u32, openings: usize) -> Batch {
    let player = |seed: u32| {
        let mut weights = Weights::named("daoud2004-depth5").unwrap();
        let values: Vec<i64> =
            weights.effective().iter().map(|it| i64::from(*it) + i64::from(seed % 7)).collect();
        weights =
            Weights::new("", weights.features().clone(), &values, mancala::eval::Signs::Literal)
                .unwrap();
        Contender::to_depth(&weights, 2, Options::default())
    };
    let players = (0..members).map(player).collect();
    let suite: ayo::arena::Suite = "plies:4".parse().unwrap();
    let mut positions = suite.openings(mancala::game::ayo::Ayo::default()).unwrap().notation();
    positions.truncate(openings);
    let pairings: Vec<[u32; 2]> =
        (0..members).flat_map(|a| (1..5).map(move |b| [a, (a + b) % members])).collect();
    let meetings = Meeting::all(&pairings, positions.len() as u32);
    Batch::new(AnyGame::default(), players, positions, meetings).unwrap()
}

fn time(coordinator: &std::sync::Arc<Coordinator>, batch: &Batch) -> f64 {
    let games = Crew(coordinator.clone()).help(LocalGames::with_move_cache());
    let begun = Instant::now();
    games.outcomes(batch, &()).unwrap();
    begun.elapsed().as_secs_f64()
}

/// Seconds of processor that this process has used: its user and system time.
fn used() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

#[test]
#[ignore = "prints figures"]
fn figures() {
    let Some(server) = Server::start(&[]) else { return };
    let (said, batch) = (Said::default(), generation(12, 40));
    // One game a task, and no game twice: workers recall their moves, so that what is left is the way.
    let terms = Terms { check_every: u64::MAX, least_lease: 1000, task: 1, is_idle: true };
    let coordinator = coordinator(&server.url(), terms, &said);
    let worker =
        Worker::new(&address(&server.url()), std::sync::Arc::new(Honest::new()), 4, said.tell());
    let helper = Helper::start(worker);
    until("it is there", || coordinator.helpers() > 0);
    let first = time(&coordinator, &batch);
    let (before, cpu) = (server.bytes(), used());
    let rounds = 5;
    let seconds: f64 = (0..rounds).map(|_| time(&coordinator, &batch)).sum();
    let tasks = (rounds * batch.meetings().len()) as f64;
    println!("the first time {first:.2} s, then {:.2} s", seconds / rounds as f64);
    println!("{:.0} tasks/s of one game each, recalled", tasks / seconds);
    println!(
        "{:.0} bytes a task, both ways, with the batch itself",
        (server.bytes() - before) as f64 / tasks
    );
    println!(
        "{:.0} µs of processor a task, coordinator and workers together",
        1e6 * (used() - cpu) / tasks
    );
    drop(helper);
}
