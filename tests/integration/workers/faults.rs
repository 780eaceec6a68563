//! One fault at a time, and the run alone beside it.

use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use ayo::workers::{Crew, Terms, Worker};

use super::engines::{Faulty, Vice};
use super::proxy::Proxy;
use super::server::{Server, until, url};
use super::team::{Helper, Said, TERMS, address, alone, coordinator, generations, trainer};

/// The coordinator only puts answers in order, as long as there is someone to help.
const IDLE: Terms = Terms { is_idle: true, ..TERMS };

/// A run with one worker of a vice, and an honest one where `honest` says so. What both sides said.
fn with(vice: Vice, honest: u32, terms: Terms) -> Option<(Said, Said, u64)> {
    let server = Server::start(&[])?;
    let (ours, theirs) = (Said::default(), Said::default());
    let coordinator = coordinator(&server.url(), terms, &ours);
    let helper = Helper::of(&server.url(), Faulty::new(vice, 1), &theirs);
    let others: Vec<Helper> = (0..honest)
        .map(|it| Helper::of(&server.url(), Faulty::new(Vice::None, it.into()), &theirs))
        .collect();
    until("they are there", || coordinator.helpers() > u64::from(honest));
    assert_eq!(&generations(trainer().helped_by(&Crew(coordinator.clone())), |_| ()), alone());
    drop(others);
    let tasks = helper.leave();
    Some((ours, theirs, tasks))
}

#[test]
fn workers_alone_find_the_same() {
    let Some((ours, theirs, tasks)) = with(Vice::None, 0, IDLE) else { return };
    assert!(tasks > 50, "{tasks} tasks");
    assert!(ours.has("helps with 1 thread") && theirs.has("helping a test"), "{}", ours.all());
}

#[test]
fn a_slow_worker_is_not_waited_for() {
    let Some((ours, _, tasks)) = with(Vice::Slow(300), 1, IDLE) else { return };
    assert!(tasks > 0 && !ours.has("ALARM"), "{}", ours.all());
}

#[test]
fn a_lie_is_noticed_and_all_that_the_liar_said_is_done_again() {
    let Some((ours, theirs, _)) = with(Vice::Lies, 1, IDLE) else { return };
    assert!(
        ours.has("found what is not true: nothing is taken from it any more"),
        "{}",
        ours.all()
    );
    assert!(theirs.has("is not helped: its answers are not true"), "{}", theirs.all());
}

#[test]
fn what_is_no_answer_is_not_taken() {
    let Some((ours, ..)) = with(Vice::Babbles, 1, IDLE) else { return };
    assert!(ours.has("found what is not true"), "{}", ours.all());
}

#[test]
fn a_task_that_no_worker_survives_is_done_here() {
    let Some((ours, ..)) = with(Vice::DiesOf(2), 0, IDLE) else { return };
    assert!(
        ours.has("was given to 3 workers and never answered: it is done here"),
        "{}",
        ours.all()
    );
}

#[test]
fn what_a_worker_cannot_do_is_done_here() {
    let Some((ours, theirs, tasks)) = with(Vice::Refuses, 0, IDLE) else { return };
    assert_eq!(tasks, 0);
    assert!(ours.has("are played here alone, because on worker"), "{}", ours.all());
    assert!(theirs.has("is refused: there is nobody who plays"), "{}", theirs.all());
}

#[test]
fn a_worker_of_another_build_is_refused_on_both_sides() {
    let Some(server) = Server::start(&[]) else { return };
    let (ours, theirs) = (Said::default(), Said::default());
    let coordinator = coordinator(&server.url(), TERMS, &ours);
    let engine = Arc::new(Faulty::new(Vice::Lies, 1));
    let worker = Worker::new(&address(&server.url()), engine.clone(), 2, theirs.tell());
    let helper = Helper::start(worker.of_build("ayo 0.1.0 and so on"));
    until("both have said so", || ours.has("is refused") && theirs.has("is not helped"));
    assert_eq!(&generations(trainer().helped_by(&Crew(coordinator.clone())), |_| ()), alone());
    assert_eq!((helper.leave(), coordinator.helpers()), (0, 0));
    assert!(ours.has("it is \"ayo 0.1.0 and so on\" and this run \"ayo "), "{}", ours.all());
}

/// Runs with a worker, while something happens to the server before every generation.
fn while_it_happens(mut happens: impl FnMut(&mut Server, u32)) {
    let Some(mut server) = Server::start(&[]) else { return };
    let (said, url) = (Said::default(), server.url());
    let coordinator = coordinator(&url, TERMS, &said);
    let helper = Helper::of(&url, Faulty::new(Vice::Slow(5), 1), &said);
    until("it is there", || coordinator.helpers() > 0);
    let trainer = trainer().helped_by(&Crew(coordinator.clone()));
    assert_eq!(&generations(trainer, |generation| happens(&mut server, generation)), alone());
    // The worker comes back by itself.
    until("it is there again", || coordinator.helpers() > 0);
    drop(helper);
}

#[test]
fn the_server_is_killed_and_comes_back_empty() {
    while_it_happens(|server, generation| {
        if generation == 2 {
            server.kill();
        } else if generation == 3 {
            server.run();
        }
    });
}

#[test]
fn the_server_forgets_everything() {
    while_it_happens(|server, _| drop(server.say(&["FLUSHALL"])));
}

/// The server stops while a generation is played, and goes on after so long.
fn it_stands_still(time: Duration) {
    while_it_happens(|server, generation| match generation {
        2 => server.signal("STOP"),
        4 => {
            sleep(time);
            server.signal("CONT");
        }
        _ => {}
    });
}

#[test]
fn the_server_stands_still() {
    it_stands_still(Duration::ZERO);
}

/// `cargo test --features redis --test integration for_a_minute -- --ignored`
#[test]
#[ignore = "a minute"]
fn the_server_stands_still_for_a_minute() {
    it_stands_still(Duration::from_secs(60));
}

#[test]
fn the_server_has_no_memory_left() {
    while_it_happens(|server, generation| {
        let most = if generation == 2 { "1mb" } else { "0" };
        server.say(&["CONFIG", "SET", "maxmemory-policy", "noeviction"]);
        server.say(&["CONFIG", "SET", "maxmemory", most]);
    });
}

#[test]
fn the_server_throws_everybody_out() {
    while_it_happens(|server, _| {
        for kind in ["normal", "normal", "pubsub"] {
            server.say(&["CLIENT", "KILL", "TYPE", kind]);
        }
    });
}

#[test]
fn the_network_of_a_worker_is_cut_and_mended() {
    let Some(server) = Server::start(&[]) else { return };
    let (said, proxy) = (Said::default(), Proxy::to(server.port()));
    let coordinator = coordinator(&server.url(), TERMS, &said);
    let helper = Helper::of(&url(proxy.port()), Faulty::new(Vice::None, 1), &said);
    until("it is there", || coordinator.helpers() > 0);
    let trainer = trainer().helped_by(&Crew(coordinator.clone()));
    assert_eq!(&generations(trainer, |generation| proxy.cut(generation % 2 == 0)), alone());
    proxy.cut(false);
    drop(helper);
}

#[test]
fn the_network_of_the_run_is_cut_and_mended() {
    let Some(server) = Server::start(&[]) else { return };
    let (said, proxy) = (Said::default(), Proxy::to(server.port()));
    let coordinator = coordinator(&url(proxy.port()), TERMS, &said);
    let _helper = Helper::of(&server.url(), Faulty::new(Vice::None, 1), &said);
    until("it is there", || coordinator.helpers() > 0);
    let trainer = trainer().helped_by(&Crew(coordinator.clone()));
    assert_eq!(&generations(trainer, |generation| proxy.cut(generation % 2 == 0)), alone());
    proxy.cut(false);
}

#[test]
fn two_runs_share_a_server_and_its_workers() {
    let Some(server) = Server::start(&[]) else { return };
    let said = Said::default();
    let helper = Helper::of(&server.url(), Faulty::new(Vice::None, 1), &said);
    let [one, other] = [(); 2].map(|()| coordinator(&server.url(), IDLE, &said));
    until("it is there", || one.helpers() > 0 && other.helpers() > 0);
    std::thread::scope(|scope| {
        for coordinator in [&one, &other] {
            scope.spawn(move || {
                assert_eq!(
                    &generations(trainer().helped_by(&Crew(coordinator.clone())), |_| ()),
                    alone()
                );
            });
        }
    });
    assert!(helper.leave() > 100);
}

#[test]
fn workers_join_and_leave() {
    let Some(server) = Server::start(&[]) else { return };
    let (said, mut helpers) = (Said::default(), Vec::new());
    let coordinator = coordinator(&server.url(), IDLE, &said);
    let join = || Helper::of(&server.url(), Faulty::new(Vice::Slow(2), 1), &said);
    let come_and_go = |generation| {
        if generation % 2 == 1 {
            helpers.extend([join(), join()]);
            until("they are there", || coordinator.helpers() > 0);
        } else {
            helpers.remove(0).leave();
        }
    };
    assert_eq!(&generations(trainer().helped_by(&Crew(coordinator.clone())), come_and_go), alone());
    sleep(Duration::from_millis(1));
    assert!(said.has("has left"), "{}", said.all());
}

/// Nothing stays for ever, whatever becomes of those who left it.
#[test]
fn a_run_leaves_nothing_that_does_not_expire() {
    let Some(server) = Server::start(&[]) else { return };
    let said = Said::default();
    let coordinator = coordinator(&server.url(), IDLE, &said);
    let helper = Helper::of(&server.url(), Faulty::new(Vice::None, 1), &said);
    until("it is there", || coordinator.helpers() > 0);
    generations(trainer().helped_by(&Crew(coordinator.clone())), |_| ());
    drop((helper, coordinator));
    let keys: Vec<String> = redis::from_redis_value(server.say(&["KEYS", "*"])).unwrap();
    let stays = |key: &String| server.number(&["TTL", key]) < 0;
    assert_eq!(keys.iter().find(|key| stays(key)), None);
    assert_eq!(keys.iter().find(|key| key.ends_with(":tasks") || key.ends_with(":info")), None);
}
