//! `ayo stop`, and what a process that trains says in `status.json`.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ayo::run::{Status, StatusPart};

use crate::support::{Bytes, LIVELY, Scratch, Training, refused, undisturbed};

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        sleep(Duration::from_millis(10));
    }
}

/// A long run, some generations of which are evaluated.
fn lively(scratch: &Scratch) -> Training {
    let line = format!("train --preset daoud2004 --out run {LIVELY} --generations 1000000");
    let mut training = scratch.start(&line);
    training.begun();
    let is_on = |it: Status| it.generation > 2;
    wait_until("no generation ends", || Status::read(&scratch.path("run")).is_some_and(is_on));
    training
}

fn part(run: &Path) -> Option<StatusPart> {
    Status::read(run).map(|it| it.part)
}

#[test]
fn a_run_that_is_stopped_goes_on_to_the_same_bytes() {
    let scratch = Scratch::new();
    let mut training = lively(&scratch);
    let said = scratch.text("stop run");
    let done = scratch.generation("run");
    let stopped = format!("run stopped after generation {done}; go on with\n");
    assert!(said.starts_with(&stopped) && said.ends_with("ayo resume run\n"), "{said}");
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let whole = format!("stopped by \"ayo stop\" after generation {done} of 1000000; go on with\n");
    assert!(out.contains(&whole), "{out}");
    assert!(out.contains("games asked for") && out.contains("champion run/champion.json"), "{out}");
    assert!(!out.contains("next:"), "{out}");
    assert!(!scratch.path("run/stop").exists());
    let left = Status::read(&scratch.path("run")).unwrap();
    assert_eq!((left.part, left.generation), (StatusPart::Stopped, done));
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
    let end = done + 3;
    scratch.ayo(&format!("resume run --quiet --generations {end}")).success();
    let whole = undisturbed(&format!("{LIVELY} --generations {end}"));
    Bytes::of(&scratch.path("run")).assert_same(&whole);
    assert_eq!(part(&scratch.path("run")), Some(StatusPart::Complete));
}

#[test]
fn whoever_does_not_wait_only_asks() {
    let scratch = Scratch::new();
    let mut training = lively(&scratch);
    assert_eq!(scratch.text("stop run --no-wait"), "asked run to stop\n");
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(out.contains("stopped by \"ayo stop\""), "{out}");
}

#[test]
fn where_nothing_trains_nothing_is_stopped() {
    let scratch = Scratch::new();
    refused(scratch.ayo("stop nowhere"), 1, &["there is no folder nowhere"]);
    scratch.ayo(&format!("train --preset daoud2004 --out run {LIVELY} --generations 3")).success();
    refused(scratch.ayo("stop run"), 1, &["nothing trains in run"]);
    assert!(!scratch.path("run/stop").exists());
}

#[test]
fn a_request_that_came_too_late_stops_nothing() {
    let scratch = Scratch::new();
    // Neither where a run begins nor where it goes on.
    fs::create_dir(scratch.path("run")).unwrap();
    let train = format!("train --preset daoud2004 --out run {LIVELY} --generations 3");
    for line in [train.as_str(), "resume run --generations 6 --quiet"] {
        scratch.write("run/stop", "");
        scratch.ayo(line).success();
        assert!(!scratch.path("run/stop").exists(), "{line}");
    }
    Bytes::of(&scratch.path("run")).assert_same(&undisturbed(&format!("{LIVELY} --generations 6")));
    // It does no harm either.
    scratch.write("run/stop", "");
    let doctor = scratch.text("doctor run");
    assert!(doctor.ends_with("run: nothing is damaged\n"), "{doctor}");
    scratch.ayo("runs .").success();
    scratch.ayo("resume run --out other --set depth=3 --generations 7 --quiet").success();
    assert!(!scratch.path("other/stop").exists());
}

#[test]
fn what_cannot_be_written_stops_no_run_and_stays_away() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("run/status.json/inside")).unwrap();
    fs::create_dir(scratch.path("run/stop")).unwrap();
    scratch.ayo(&format!("train --preset daoud2004 --out run {LIVELY} --generations 3")).success();
    Bytes::of(&scratch.path("run")).assert_same(&undisturbed(&format!("{LIVELY} --generations 3")));
    assert_eq!(Status::read(&scratch.path("run")), None);
    let names = scratch.list("run");
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{names:?}");
}

#[test]
fn a_request_that_cannot_be_left_is_one_sentence() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("run/stop")).unwrap();
    let line = format!("train --preset daoud2004 --out run {LIVELY} --generations 1000000");
    let mut training = scratch.start(&line);
    training.begun();
    refused(scratch.ayo("stop run"), 1, &["cannot write", "run/stop"]);
    assert!(training.kill());
}

/// Stops a run in a part that would take hours, and checks the verb of the printed command.
fn stop_in(part_of_it: StatusPart, generations: u32, line: &str, verb: &str) {
    let scratch = Scratch::new();
    let mut training = scratch.start(&format!("{line} --generations {generations}"));
    training.begun();
    let run = scratch.path("run");
    wait_until("the part does not begin", || part(&run) == Some(part_of_it));
    let is_under_way = |it: Status| it.part == part_of_it && it.of > 0 && it.updated >= it.began;
    wait_until("the part does not go on", || Status::read(&run).is_some_and(is_under_way));
    let begun = Instant::now();
    scratch.ayo("stop run").success();
    assert!(begun.elapsed() < Duration::from_secs(4), "it took {:?}", begun.elapsed());
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let after = format!("stopped by \"ayo stop\" after generation {generations} of {generations}");
    assert!(out.contains(&after), "{out}");
    assert!(out.ends_with(&format!("ayo {verb} run\n")), "{out}");
    assert_eq!(part(&run), Some(StatusPart::Stopped));
}

#[test]
fn games_that_measure_a_champion_are_told_of_and_stopped_at_once() {
    stop_in(
        StatusPart::Measuring,
        4,
        "train --preset quick --out run --quiet --population 6 --depth 5 \
         --set finalist_games=100000000 --set measure_every=0",
        "champion",
    );
}

#[test]
fn measuring_is_told_of_and_stopped_at_once() {
    stop_in(
        StatusPart::Measuring,
        1,
        "train --preset quick --out run --quiet --population 6 --depth 8 \
         --set finalist_games=0 --set measure_every=1 --set measure_openings=1014",
        "resume",
    );
}

#[test]
fn where_time_is_the_limit_it_is_the_progress_and_the_report_is_whole() {
    let scratch = Scratch::new();
    let line = "train --preset daoud2004 --out run --seed 5 --population 16 --depth 2 \
                --set mutation_rate=0.03 --generations 1000000 --max-time 3s";
    let assert = scratch.ayo(line).success();
    let (out, err) = (assert.stdout(), assert.stderr());
    let done = scratch.generation("run");
    let mut ending = out.lines().skip_while(|line| !line.starts_with("time is up"));
    let up = format!("time is up after generation {done}; go on with");
    assert_eq!(ending.next(), Some(up.as_str()));
    assert!(ending.next().is_some_and(|line| line.ends_with("ayo resume run")), "{out}");
    assert_eq!(ending.next(), Some("next:"), "{out}");
    for words in ["games asked for", "champion run/champion.json", "ayo plot run"] {
        assert!(out.contains(words), "{words}: {out}");
    }
    assert!(err.starts_with("generation 0\n") && err.contains("s of 3.0s\n"), "{err}");
    assert!(!out.contains("1000000") && !err.contains("1000000"), "{out}{err}");
    assert_eq!(part(&scratch.path("run")), Some(StatusPart::OutOfTime));
}
