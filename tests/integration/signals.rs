//! Interrupting a run with Ctrl-C or SIGTERM, and continuing it with the printed command.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ayo::run::{Status, StatusPart};

use crate::support::{
    A_MOMENT, Bytes, DEEP, LIVELY, Scratch, Training, holds, program, undisturbed, wait_until,
};

fn continuation(out: &str, words: &str) -> String {
    let mut lines = out.lines().skip_while(|line| !line.contains(words));
    assert!(lines.next().is_some_and(|line| line.ends_with("; continue with")), "{out}");
    lines.next().unwrap_or_else(|| panic!("{out}")).trim().to_owned()
}

fn typed(scratch: &Scratch, command: &str) -> Training {
    let mut shell = scratch.command_of("sh");
    shell.args(["-c", &format!("exec {command}")]);
    Training::start(shell)
}

/// Interrupts a run, continues it with the printed command, and compares it with an uninterrupted run.
fn interrupt_and_continue(signal: &str, folder: &str, program: &Path, scratch: &Scratch) {
    let mut command = scratch.command_of(program);
    command.args(["train", "--preset=daoud2004", &format!("--out={folder}")]);
    command.args(LIVELY.split(' ')).args(["--threads", "1", "--generations", "1000000"]);
    let mut training = Training::start(command);
    training.begun();
    sleep(A_MOMENT);
    let out = training.interrupted(signal);
    let done = scratch.generation(folder);
    assert!(done > 0, "{out}");
    let on = continuation(&out, &format!("interrupted after generation {done} of 1000000"));
    let mut resumed = typed(scratch, &on);
    holds(&resumed.begun(), &[&format!("continuing after generation {done} of 1000000")]);
    assert!(resumed.kill());
    let end = done + 3;
    typed(scratch, &format!("{on} --quiet --generations {end}")).ended(0);
    let whole = undisturbed(&format!("{LIVELY} --generations {end}"));
    Bytes::of(&scratch.path(folder)).assert_same(&whole);
}

#[test]
fn signals_end_a_run_that_the_printed_command_continues() {
    interrupt_and_continue("INT", "-x", &program(), &Scratch::new());
    // The paths of the run and the program are quoted if necessary.
    let scratch = Scratch::new();
    let folder = scratch.path("my programs");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(program(), folder.join("ayo")).unwrap();
    interrupt_and_continue("TERM", "runs/of today's", &folder.join("ayo"), &scratch);
}

#[test]
#[ignore = "slow: waits for five seconds"]
fn a_long_generation_is_dropped_after_five_seconds_or_a_second_signal() {
    let [patient, hasty] = [(); 2].map(|()| Scratch::new());
    let [mut first, mut second] = [&patient, &hasty].map(|scratch| scratch.begin(DEEP));
    sleep(A_MOMENT);
    let begun = Instant::now();
    first.signal("TERM");
    second.signal("INT");
    sleep(A_MOMENT);
    second.signal("INT");
    let (status, _, err) = second.wait();
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(begun.elapsed() < Duration::from_secs(4));
    holds(&err, &["again to exit at once"]);
    assert_eq!(hasty.json("inspect run --json")["state"], "stopped");
    let out = first.ended(130);
    let took = begun.elapsed().as_secs_f64();
    assert!((4.5..9.0).contains(&took), "it took {took} s");
    let on = continuation(&out, "interrupted after generation 0 of 100");
    assert!(typed(&patient, &on).begun().contains("continuing after generation 0 of 100"));
}

#[test]
fn when_time_is_up_the_printed_command_goes_on() {
    let scratch = Scratch::new();
    // Time may be up before there's a member to choose from.
    let out = scratch.train("quick", "--preset quick --quiet --max-time 1ns").stdout();
    continuation(&out, "time is up after generation 0; ");
    let loud = LIVELY.replace("--quiet", "--threads 1 --generations 1000000 --max-time 2500ms");
    let run = scratch.train("run", &loud);
    let (stopped, err) = (run.stdout(), run.stderr());
    // We show the limit instead of the number of generations, and a complete report.
    holds(&stopped, &[" UTC, 2.5s from now", "games scheduled", "champion run/", "ayo plot run"]);
    holds(&stopped, &["ayo resume run\nnext:\n"]);
    assert!(err.starts_with("generation 0\n") && err.contains("s of 2.5s\n"), "{err}");
    assert!(!stopped.contains("1000000") && !err.contains("1000000"), "{stopped}{err}");
    let done = scratch.generation("run");
    assert!(done > 0);
    let on = continuation(&stopped, &format!("time is up after generation {done}; "));
    assert!(!scratch.path("run/strength.csv").exists());
    let out = scratch.shell(&format!("{on} --max-time 1ms")).success().stdout();
    holds(&out, &[&format!("continuing after generation {done}, until ")]);
}

/// We print the same command everywhere. It plays the finals and completes the run, just as resuming would.
#[test]
fn the_command_after_interrupted_finals_plays_them() {
    let whole = Scratch::trained(FINALS).outputs();
    let interrupted = || {
        let scratch = Scratch::new();
        let mut training = scratch.begin(&format!("train --out run {FINALS}"));
        // The last generation is on disk before the finals start.
        let last = scratch.path("run/checkpoint-000003.ayo");
        wait_until("training does not end", || last.exists());
        let out = training.interrupted("INT");
        (continuation(&out, "interrupted after generation 3 of 3"), scratch)
    };
    let (on, scratch) = interrupted();
    assert!(on.ends_with("ayo select run"), "{on}");
    holds(&scratch.text("runs ."), &["ayo select ./run\n"]);
    assert_eq!(scratch.json("runs run --json")["runs"][0]["resume"], on.as_str());
    assert_eq!(scratch.json("inspect run --json")["resume"], on.as_str());
    holds(&scratch.text("inspect run"), &["ayo select run\n"]);
    scratch.shell(&format!("{on} --quiet")).success();
    assert_eq!(scratch.json("inspect run --json")["state"], "complete");
    scratch.outputs().assert_same(&whole);
    let (_, scratch) = interrupted();
    assert!(!scratch.read("run/champion.json").contains("strength"), "the finals were over");
    let mut training = scratch.begin("resume run --quiet");
    sleep(A_MOMENT);
    training.signal("INT");
    let (status, out, err) = training.wait();
    let is_chosen = scratch.read("run/champion.json").contains("strength");
    assert_eq!(status.code(), Some(if is_chosen { 0 } else { 130 }), "{out}{err}");
    scratch.resume("");
    scratch.outputs().assert_same(&whole);
}

#[test]
fn the_limit_of_time_bounds_the_final_games() {
    let scratch = Scratch::new();
    let run = "train --preset quick --out run --quiet --threads 1 --population 6 --depth 1 --generations 1000000 \
               --set finalist_games=100000000 --set measure_openings=1";
    let resume = "resume run --quiet --threads 1 --max-time 500ms".to_owned();
    for line in [format!("{run} --max-time 1s"), resume] {
        let begun = Instant::now();
        let out = scratch.text(&line);
        assert!(begun.elapsed() < Duration::from_secs(12), "it took {:?}", begun.elapsed());
        let done = scratch.generation("run");
        let on = continuation(&out, &format!("time is up after generation {done}"));
        assert!(on.ends_with("ayo resume run"), "{out}");
        holds(&out, &["ayo select run\n"]);
        holds(&scratch.text("runs ."), &["ayo resume ./run\n"]);
        let left = Status::read(&scratch.path("run")).unwrap();
        assert_eq!((left.part, left.finals_begun), (StatusPart::OutOfTime, true));
        // The last generation was measured, but the champion is the last one that passed its gate.
        assert!(!scratch.read("run/champion.json").contains("strength"));
        assert_eq!(scratch.json("inspect run --json")["measured"]["generation"], done);
        let champion = scratch.value("run/champion.json");
        let glance = &scratch.json("runs run --json")["runs"][0];
        assert_eq!(glance["strength_generation"], champion["provenance"]["generation"]);
        assert_eq!(glance["resume"], on.as_str());
    }
    let mut training = scratch.begin("resume run --quiet");
    sleep(A_MOMENT);
    let out = training.interrupted("INT");
    assert!(continuation(&out, "interrupted").ends_with("ayo resume run"), "{out}");
    holds(&scratch.text("runs ."), &["ayo resume ./run\n"]);
}

#[test]
fn generations_end_early_enough_for_the_final_games() {
    let scratch = Scratch::new();
    let limit = FINALS.replace("--generations 3", "--generations 1000000 --max-time 2s");
    let begun = Instant::now();
    let out = scratch.train("run", &limit.replace("pits=4,seeds=4", "pits=3,seeds=2")).stdout();
    assert!(begun.elapsed() < Duration::from_secs(12), "it took {:?}", begun.elapsed());
    let done = scratch.generation("run");
    let on = continuation(&out, &format!("time is up after generation {done}"));
    assert!(on.ends_with("ayo resume run"), "{on}");
    holds(&scratch.read("run/champion.json"), &["strength"]);
}

#[test]
#[ignore = "slow: ends a run by time, and repeats it"]
fn the_short_test_has_no_influence_on_the_finals() {
    let scratch = Scratch::new();
    let run = FINALS.replace("every=0", "every=999999 --set measure_early=first");
    let run = run.replace("pits=4,seeds=4", "pits=3,seeds=2");
    scratch.train("run", &run.replace("generations 3", "generations 1000000 --max-time 2s"));
    if !scratch.read("run/champion.json").contains("strength") {
        scratch.text("select run --quiet");
    }
    let done = format!("generations {}", scratch.generation("run"));
    scratch.train("whole", &run.replace("generations 3", &done));
    assert_eq!(scratch.read("whole/champion.json"), scratch.read("run/champion.json"));
}

#[test]
fn the_command_after_an_interrupted_selection_repeats_it() {
    let scratch = Scratch::new();
    // At this depth, even the first round of the finals takes seconds.
    let run = "--preset quick --population 4 --depth 6 --generations 1000000 --max-time 1s --quiet";
    let measured = "--set measure_every=1000000 --set measure_openings=1 --set panel=1";
    scratch.train("run", &format!("{run} {measured} --set finalist_games=0"));
    let strength = scratch.read("run/strength.csv");
    let mut choice = scratch.start("select run --games 100000000 --threads 1 --quiet");
    sleep(A_MOMENT);
    let on = continuation(&choice.interrupted("INT"), "champion.json is unchanged");
    assert!(on.ends_with("ayo select run --games 100000000 --threads 1 --quiet"), "{on}");
    assert_eq!(scratch.read("run/strength.csv"), strength);
}

/// A run that spends nearly all its time in the finals.
const FINALS: &str = "--preset kalah-standard --seed 3 --population 6 --depth 1 --threads 1 --quiet \
                      --generations 3 --set game=kalah:pits=4,seeds=4 --set openings=random:2,plies=5-9 \
                      --set measure_every=0 --set finalist_games=60";
