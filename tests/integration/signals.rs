//! Interrupting a run: Ctrl-C, SIGTERM, and the printed command that continues it.

use std::thread::sleep;
use std::time::{Duration, Instant};

use ayo::run::{Status, StatusPart};

use crate::support::{Bytes, LIVELY, Scratch, TINY, Training, program, undisturbed};

/// Long enough for the program to be ready for signals.
const A_MOMENT: Duration = Duration::from_millis(400);

/// Returns the printed command that continues a run.
fn continuation(out: &str, words: &str) -> String {
    let mut lines = out.lines().skip_while(|line| !line.contains(words));
    assert!(lines.next().is_some_and(|line| line.ends_with("; continue with")), "{out}");
    lines.next().unwrap_or_else(|| panic!("{out}")).trim().to_owned()
}

/// Types a printed command into a shell in the folder where it was printed.
fn typed(scratch: &Scratch, command: &str) -> Training {
    let mut shell = scratch.command_of("sh");
    shell.args(["-c", &format!("exec {command}")]);
    Training::start(shell)
}

/// Interrupts a run, continues it with the printed command, and compares it with an uninterrupted run.
fn interrupt_and_continue(
    signal: &str,
    folder: &str,
    program: &std::path::Path,
    scratch: &Scratch,
) {
    let mut command = scratch.command_of(program);
    command.args(["train", "--preset=daoud2004", &format!("--out={folder}")]);
    command.args(LIVELY.split(' ')).args(["--generations", "1000000"]);
    let mut training = Training::start(command);
    training.begun();
    sleep(A_MOMENT);
    training.signal(signal);
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(!err.contains("panicked"), "{err}");
    let done = scratch.generation(folder);
    assert!(done > 0, "{out}");
    let on = continuation(&out, &format!("interrupted after generation {done} of 1000000"));
    let mut resumed = typed(scratch, &on);
    let line = resumed.begun();
    assert!(line.contains(&format!("continuing after generation {done} of 1000000")), "{line}");
    assert!(resumed.kill());
    let end = done + 3;
    let mut resumed = typed(scratch, &format!("{on} --quiet --generations {end}"));
    let (status, _, err) = resumed.wait();
    assert!(status.success(), "{err}");
    let whole = undisturbed(&format!("{LIVELY} --generations {end}"));
    Bytes::of(&scratch.path(folder)).assert_same(&whole);
}

#[test]
fn ctrl_c_ends_a_run_that_the_printed_command_continues() {
    interrupt_and_continue("INT", "run", &program(), &Scratch::new());
}

#[test]
fn sigterm_ends_a_run_that_the_printed_command_continues() {
    interrupt_and_continue("TERM", "runs/of today's", &program(), &Scratch::new());
}

#[test]
fn a_printed_command_is_quoted_wherever_it_needs_to_be() {
    let scratch = Scratch::new();
    let folder = scratch.path("my programs");
    std::fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(program(), folder.join("ayo")).unwrap();
    interrupt_and_continue("TERM", "-x", &folder.join("ayo"), &scratch);
}

#[test]
fn a_long_generation_is_dropped_after_five_seconds() {
    let scratch = Scratch::new();
    let mut training =
        scratch.start("train --preset daoud2004 --out run --depth 30 --threads 1 --quiet");
    training.begun();
    sleep(A_MOMENT);
    training.signal("TERM");
    let begun = Instant::now();
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let took = begun.elapsed().as_secs_f64();
    assert!((4.5..9.0).contains(&took), "it took {took} s");
    let on = continuation(&out, "interrupted after generation 0 of 100");
    assert!(typed(&scratch, &on).begun().contains("continuing after generation 0 of 100"));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let scratch = Scratch::new();
    let mut training =
        scratch.start("train --preset daoud2004 --out run --depth 30 --threads 1 --quiet");
    training.begun();
    sleep(A_MOMENT);
    training.signal("INT");
    sleep(A_MOMENT);
    let begun = Instant::now();
    training.signal("INT");
    let (status, _, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert!(err.contains("again to leave at once"), "{err}");
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
}

#[test]
fn when_time_is_up_the_printed_command_goes_on() {
    let scratch = Scratch::new();
    let stopped = scratch.text(&format!(
        "train --preset daoud2004 --out run {TINY} --generations 1000000 --max-time 200ms"
    ));
    let done = scratch.generation("run");
    assert!(done > 0);
    let on = continuation(&stopped, &format!("time is up after generation {done}; "));
    let mut resumed = typed(&scratch, &format!("{on} --max-time 1ms"));
    let (status, out, err) = resumed.wait();
    assert!(status.success(), "{err}");
    assert!(out.contains(&format!("continuing after generation {done}\n")), "{out}");
}

#[test]
fn time_may_be_up_before_there_is_anybody_to_choose_from() {
    let scratch = Scratch::new();
    let run = "train --preset quick --out run --quiet --max-time 1ns";
    let out = scratch.text(run);
    continuation(&out, "time is up after generation 0; ");
}

#[test]
fn final_games_are_left_at_once_and_the_run_is_not_complete() {
    let scratch = Scratch::new();
    let mut training = scratch.start(
        "train --preset quick --out run --quiet --population 6 --depth 5 --generations 1 \
         --set finalist_games=100000000 --set measure_every=0",
    );
    training.begun();
    let begun = Instant::now();
    while scratch.generation("run") == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no generation ends");
        sleep(Duration::from_millis(20));
    }
    sleep(A_MOMENT);
    let begun = Instant::now();
    training.signal("INT");
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(begun.elapsed() < Duration::from_secs(4), "it took {:?}", begun.elapsed());
    continuation(&out, "interrupted after generation 1 of 1");
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
}

/// The printed command is that of the final games, wherever it is printed, and completes the run.
#[test]
fn the_command_after_interrupted_finals_plays_them() {
    let scratch = Scratch::new();
    let mut training = scratch.start(FINALS);
    training.begun();
    finals_begin(&scratch);
    training.signal("INT");
    let (status, out, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let on = continuation(&out, "interrupted after generation 3 of 3");
    assert!(on.ends_with("ayo champion run"), "{on}");
    assert!(scratch.text("runs .").contains("ayo champion ./run\n"));
    assert_eq!(scratch.json("runs run --json")["runs"][0]["resume"], on.as_str());
    assert_eq!(scratch.json("inspect run --json")["resume"], on.as_str());
    assert!(scratch.text("inspect run").contains("ayo champion run\n"));
    let (status, _, err) = typed(&scratch, &format!("{on} --quiet")).wait();
    assert!(status.success(), "{err}");
    assert_eq!(scratch.json("inspect run --json")["state"], "complete");
    let whole = Scratch::new();
    whole.ayo(FINALS).success();
    Bytes::of(&scratch.path("run")).assert_same(&Bytes::of(&whole.path("run")));
}

#[test]
fn the_limit_of_time_bounds_the_final_games() {
    let scratch = Scratch::new();
    let run = "train --preset quick --out run --quiet --population 6 --depth 3 --generations 1000000 \
               --set finalist_games=100000000 --set measure_openings=1";
    for line in [format!("{run} --max-time 3s"), "resume run --quiet --max-time 2s".to_owned()] {
        let begun = Instant::now();
        let out = scratch.text(&line);
        assert!(begun.elapsed() < Duration::from_secs(12), "it took {:?}", begun.elapsed());
        let done = scratch.generation("run");
        let on = continuation(&out, &format!("time is up after generation {done}"));
        assert!(on.ends_with("ayo champion run"), "{on}");
        let left = Status::read(&scratch.path("run")).unwrap();
        assert_eq!((left.part, left.finals_begun), (StatusPart::OutOfTime, true));
        // The last generation was measured; the champion is the last one that passed its gate.
        assert!(!scratch.read("run/champion.json").contains("strength"));
        assert_eq!(scratch.json("inspect run --json")["measured"]["generation"], done);
        let champion: serde_json::Value =
            serde_json::from_str(&scratch.read("run/champion.json")).unwrap();
        let glance = &scratch.json("runs run --json")["runs"][0];
        assert_eq!(glance["strength_generation"], champion["provenance"]["generation"]);
        assert_eq!(glance["resume"], on.as_str());
    }
    // A run that was interrupted in its generations is resumed.
    let mut training = scratch.start("resume run --quiet");
    training.begun();
    sleep(A_MOMENT);
    training.signal("INT");
    let (_, out, _) = training.wait();
    assert!(continuation(&out, "interrupted").ends_with("ayo resume run"), "{out}");
    assert!(scratch.text("runs .").contains("ayo resume ./run\n"));
}

#[test]
fn generations_end_early_enough_for_the_final_games() {
    let scratch = Scratch::new();
    let line = FINALS.replace("--generations 3", "--generations 1000000 --max-time 8s");
    let begun = Instant::now();
    let out = scratch.text(&line.replace("pits=5,seeds=3", "pits=3,seeds=2"));
    assert!(begun.elapsed() < Duration::from_secs(18), "it took {:?}", begun.elapsed());
    let done = scratch.generation("run");
    let on = continuation(&out, &format!("time is up after generation {done}"));
    assert!(on.ends_with("ayo resume run"), "{on}");
    assert!(scratch.read("run/champion.json").contains("strength"), "{out}");
}

#[test]
fn the_choice_of_a_champion_that_was_interrupted_is_asked_for_again() {
    let scratch = Scratch::new();
    scratch.ayo(&FINALS.replace("finalist_games=60", "finalist_games=0")).success();
    let mut choice = scratch.start("champion run --games 100000000 --quiet");
    sleep(A_MOMENT);
    choice.signal("INT");
    let (status, out, err) = choice.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let on = continuation(&out, "interrupted; champion.json is unchanged");
    assert!(on.ends_with("ayo champion run --games 100000000 --quiet"), "{on}");
}

/// A run that is nothing but finals, nearly.
const FINALS: &str = "train --preset kalah-standard --out run --seed 3 --population 6 --depth 1 --quiet \
                      --generations 3 --set game=kalah:pits=5,seeds=3 --set openings=random:2,plies=5-9 \
                      --set measure_every=0 --set finalist_games=60";

/// Waits until the last generation is on disk, which is before the finals begin.
fn finals_begin(scratch: &Scratch) {
    let begun = Instant::now();
    while scratch.path("run").join("checkpoint-000003.ayo").metadata().is_err() {
        assert!(begun.elapsed() < Duration::from_secs(60), "training does not end");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn finals_that_were_interrupted_are_played_when_the_run_is_resumed() {
    let scratch = Scratch::new();
    let mut training = scratch.start(FINALS);
    training.begun();
    finals_begin(&scratch);
    training.signal("INT");
    let (status, _, err) = training.wait();
    assert_eq!(status.code(), Some(130), "{err}");
    assert!(!scratch.read("run/champion.json").contains("strength"), "the finals were over");
    let mut training = scratch.start("resume run --quiet");
    training.begun();
    sleep(A_MOMENT);
    training.signal("INT");
    let (status, out, err) = training.wait();
    let is_chosen = scratch.read("run/champion.json").contains("strength");
    assert_eq!(status.code(), Some(if is_chosen { 0 } else { 130 }), "{out}{err}");
    scratch.ayo("resume run --quiet").success();
    let whole = Scratch::new();
    whole.ayo(FINALS).success();
    Bytes::of(&scratch.path("run")).assert_same(&Bytes::of(&whole.path("run")));
}
