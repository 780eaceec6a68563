//! Faults by lot, many at a time. Every schedule follows from its seed.

use std::thread;
use std::time::Duration;

use ayo::workers::Crew;
use mancala::random::ChaCha8Rng;
use rand::RngExt;

use super::engines::{Faulty, Vice};
use super::proxy::Proxy;
use super::server::{Server, url};
use super::team::{Helper, Said, TERMS, alone, coordinator, generations, trainer};
use crate::support::dice;

/// The vices of a worker, by lot.
fn vice(dice: &mut ChaCha8Rng) -> Vice {
    match dice.random_range(0..8u32) {
        0 => Vice::Slow(dice.random_range(1..200)),
        1 => Vice::Lies,
        2 => Vice::DiesOf(dice.random_range(0..4)),
        3 => Vice::Babbles,
        4..6 => Vice::Moody(dice.random_range(1..40)),
        _ => Vice::None,
    }
}

/// Something that happens to the server or the network.
fn happens(dice: &mut ChaCha8Rng, server: &mut Server, proxy: &Proxy) {
    proxy.cut(false);
    match dice.random_range(0..8u32) {
        0 => drop(server.say(&["FLUSHALL"])),
        1 => drop(server.say(&["CLIENT", "KILL", "TYPE", "normal"])),
        2 => {
            server.kill();
            server.run();
        }
        3 => drop(server.say(&["CONFIG", "SET", "maxmemory", "1mb"])),
        4 => drop(server.say(&["CONFIG", "SET", "maxmemory", "0"])),
        5 => proxy.cut(true),
        6 => {
            server.signal("STOP");
            thread::sleep(Duration::from_millis(dice.random_range(1..300)));
            server.signal("CONT");
        }
        _ => {}
    }
}

/// A run under the faults of a seed.
fn schedule(seed: u64, server: &mut Server) {
    let (said, mut dice) = (Said::default(), dice(78, seed));
    server.say(&["CONFIG", "SET", "maxmemory", "0"]);
    let proxy = Proxy::to(server.port());
    let through = [server.url(), url(proxy.port())];
    let place = |dice: &mut ChaCha8Rng| through[dice.random_range(0..2u32) as usize].clone();
    let coordinator = coordinator(&place(&mut dice), TERMS, &said);
    let mut helpers: Vec<Helper> = Vec::new();
    let events = |_| {
        for _ in 0..dice.random_range(0..3u32) {
            helpers.push(Helper::of(&place(&mut dice), Faulty::new(vice(&mut dice), seed), &said));
        }
        if !helpers.is_empty() && dice.random_bool(0.3) {
            helpers.remove(0).leave();
        }
        thread::sleep(Duration::from_millis(dice.random_range(0..700)));
        happens(&mut dice, server, &proxy);
    };
    let found = generations(trainer().helped_by(&Crew(coordinator.clone())), events);
    proxy.cut(false);
    assert_eq!(&found, alone(), "schedule {seed}: {}", said.all());
}

#[test]
fn a_dozen_schedules_of_faults_change_nothing() {
    let Some(mut server) = Server::start(&[]) else { return };
    (1..=12).for_each(|seed| schedule(seed, &mut server));
}

/// `AYO_SCHEDULES=first..last cargo test --features redis --test integration five_hundred -- --ignored`
#[test]
#[ignore = "half an hour"]
fn five_hundred_schedules_of_faults_change_nothing() {
    let Some(mut server) = Server::start(&[]) else { return };
    let asked = std::env::var("AYO_SCHEDULES").unwrap_or("1..500".into());
    let (first, last) = asked.split_once("..").unwrap();
    for seed in first.parse::<u64>().unwrap()..=last.parse().unwrap() {
        schedule(seed, &mut server);
        if seed.is_multiple_of(10) {
            eprintln!("{seed} schedules");
        }
    }
}
