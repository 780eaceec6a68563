//! `ayo stop`, runs in the background, and the status that a training process writes to `status.json`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ayo::run::{RunFolder, Status, StatusPart};

use crate::support::{
    A_MOMENT, Ended, LIVELY, Scratch, TINY, Training, holds, program, refuses, train_line,
    undisturbed, wait_until,
};

fn lively(scratch: &Scratch) -> Training {
    let line = format!("train --preset daoud2004 --out run {LIVELY} --generations 1000000");
    let training = scratch.begin(&format!("{line} --threads 1"));
    sleep(A_MOMENT);
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
    holds(&said, &[&format!("run stopped after generation {done};"), "ayo resume run\n"]);
    let out = training.ended(130);
    holds(&out, &[&format!("generation {done} of 1000000"), "champion run/champion.json"]);
    assert!(!scratch.path("run/stop").exists());
    let left = Status::read(&scratch.path("run")).unwrap();
    assert_eq!((left.part, left.generation), (StatusPart::Stopped, done));
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
    let end = done + 3;
    scratch.resume(&format!("--generations {end}"));
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations {end}")));
    assert_eq!(part(&scratch.path("run")), Some(StatusPart::Complete));
    // With `--no-wait`, the command leaves a request and doesn't wait.
    let scratch = Scratch::new();
    let mut training = lively(&scratch);
    scratch.text("stop run --no-wait");
    holds(&training.ended(130), &["stopped by \"ayo stop\""]);
    refuses! { scratch, "1 stop", "
        nowhere => nowhere
        run => no process is training in run
    " }
    assert!(!scratch.path("run/stop").exists());
}

#[test]
fn a_request_that_came_too_late_stops_nothing() {
    let scratch = Scratch::new();
    // A run ignores and removes an old request when it starts or resumes.
    fs::create_dir(scratch.path("run")).unwrap();
    let train = format!("train --preset daoud2004 --out run {LIVELY} --generations 3");
    for line in [train.as_str(), "resume run --generations 6 --quiet"] {
        scratch.write("run/stop", "");
        scratch.ayo(line).success();
        assert!(!scratch.path("run/stop").exists(), "{line}");
    }
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations 6")));
    // Without a running process, a request is harmless.
    scratch.write("run/stop", "");
    holds(&scratch.text("doctor run"), &["nothing is damaged\n"]);
    scratch.ayo("runs .").success();
    scratch.resume("--out other --set depth=3 --generations 7");
    assert!(!scratch.path("other/stop").exists());
}

#[test]
fn what_cannot_be_written_stops_no_run_and_stays_away() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("run/status.json/inside")).unwrap();
    fs::create_dir(scratch.path("run/stop")).unwrap();
    scratch.train("run", &format!("{LIVELY} --generations 3"));
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations 3")));
    assert_eq!(Status::read(&scratch.path("run")), None);
    let names = scratch.list("run");
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{names:?}");
    // We can't write a request there, either.
    let mut training = scratch.begin("resume run --generations 1000000 --quiet");
    scratch.refuses("1 stop", "run => cannot write | run/stop");
    assert!(training.kill());
}

#[test]
fn the_export_of_an_older_champion_says_so() {
    let scratch = Scratch::new();
    let settings = "--generations 1000000 --set measure_every=1000000 --set measure_openings=1";
    let mut training = scratch.begin(&train_line("run", &format!("{LIVELY} {settings}")));
    wait_until("no checkpoint", || scratch.generation("run") > 1);
    assert!(training.kill());
    let newest = format!("export run --generation {}", scratch.generation("run"));
    holds(&scratch.ayo("export run").success().stderr(), &["is of generation 1;", &newest]);
}

/// Stops a run during a part that would take hours, and continues it with the printed command.
#[test]
fn measuring_generations_and_finalists_is_told_of_and_stopped_at_once() {
    let common = "train --preset quick --out run --quiet --population 6";
    let measured = "--depth 4 --set measure_every=1 --set measure_openings=1014 --set finalist_games=0 --threads 2";
    let finals = "--depth 4 --set measure_every=0 --set finalist_games=100000000 --threads 1";
    for (generations, settings, verb) in [(2, finals, "select"), (1, measured, "resume")] {
        let scratch = Scratch::new();
        let line = format!("{common} {settings} --generations {generations}");
        let mut training = scratch.begin(&line);
        let run = scratch.path("run");
        let is_under_way =
            |it: Status| it.part == StatusPart::Measuring && it.of > 0 && it.updated >= it.began;
        wait_until("nothing is measured", || Status::read(&run).is_some_and(is_under_way));
        let begun = Instant::now();
        scratch.ayo("stop run").success();
        assert!(begun.elapsed() < Duration::from_secs(4), "it took {:?}", begun.elapsed());
        let out = training.ended(130);
        holds(&out, &[&format!("\"ayo stop\" after generation {generations} of {generations}")]);
        assert!(out.ends_with(&format!("ayo {verb} run\n")), "{out}");
        assert_eq!(part(&run), Some(StatusPart::Stopped));
    }
}

#[cfg(unix)]
#[test]
fn a_detached_run_survives_the_hangup_of_its_terminal_and_is_stopped_and_resumed() {
    use std::os::unix::process::CommandExt;
    let scratch = Scratch::new();
    let arguments = format!("{LIVELY} --generations 60");
    let line = format!("\"$0\" {} --detach; kill -HUP 0", train_line("run", &arguments));
    // When a terminal is closed, the process group of its shell gets a SIGHUP.
    let mut shell = scratch.command_of("sh");
    shell.args(["-c", &line]).arg(program()).process_group(0);
    let begun = Ended::of(shell, "").stdout();
    let process = scratch.read("run/lock");
    holds(&begun, &["run run in the background", process.trim(), "follow run", "stop run"]);
    let followed = scratch.ayo("follow run").success();
    holds(&followed.stdout(), &["run is complete with 60 generations"]);
    holds(&followed.stderr(), &["generation "]);
    let log = || scratch.read("run/run.log");
    assert!(log().starts_with("run run, seed 5\n"));
    // The report comes after the run is complete.
    wait_until("no report", || log().contains("60 generations in "));
    scratch.outputs().assert_same(&undisturbed(&arguments));
    holds(&scratch.text("doctor run"), &["run.log", "detached"]);
    holds(&scratch.text("resume run --detach"), &["run is complete with 60 generations"]);
    scratch.refuses("2", "follow => populations\nstop => populations");
    let seeds = TINY.replace("--seed 3", "--seeds 5,6 --generations 9 --detach");
    holds(
        &scratch.text(&train_line("s", &seeds)),
        &["2 runs in the background", "follow s-5", "stop s-5"],
    );
    scratch.ayo("follow s-5").success();
    wait_until("no second run", || scratch.read("s-5/run.log").contains("s-6"));
    scratch.text("resume run --quiet --generations 1000000 --detach");
    // If only one run in populations is being trained, we don't have to name it.
    fs::create_dir(scratch.path("populations")).unwrap();
    std::os::unix::fs::symlink("../run", scratch.path("populations/a")).unwrap();
    holds(&scratch.text("stop"), &["populations/a stopped after generation "]);
    let done = scratch.generation("run");
    let followed = scratch.ayo("follow run").code(130).stdout();
    holds(&followed, &[&format!("run stopped after generation {done}; continue with")]);
    scratch.resume(&format!("--generations {}", done + 3));
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations {}", done + 3)));
}

#[cfg(unix)]
#[test]
fn a_run_that_failed_says_why() {
    let scratch = Scratch::new();
    // Like a full disk, except that the short status file can be written.
    let line = train_line("run", &format!("{TINY} --generations 600"));
    let failed = scratch.shell(&format!("ulimit -f 24; trap '' XFSZ; exec \"$0\" {line}"));
    holds(&failed.code(1).stderr(), &["File too large"]);
    let followed = scratch.ayo("follow run").code(1).stdout();
    holds(&followed, &["run failed after generation", "File too large"]);
    for line in ["inspect run", "runs .", "runs . --json"] {
        holds(&scratch.text(line), &["File too large"]);
    }
    scratch.resume("");
    assert!(!scratch.text("runs . --json").contains("File too large"));
}

#[test]
fn following_a_run_in_use_that_is_not_trained_says_so() {
    let scratch = Scratch::tiny(3);
    let in_use = RunFolder::resume(&scratch.path("run"), None).unwrap();
    let mut command = scratch.command();
    command.args(["follow", "run"]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut follow = command.spawn().unwrap();
    let mut said = BufReader::new(follow.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(said.any(|line| line.contains("run is in use, but not being trained")));
    drop(in_use);
    assert!(follow.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn errors_before_training_are_those_of_the_command() {
    let scratch = Scratch::tiny(3);
    refuses! { scratch, "2 train --detach", r#"
        --preset deap => "deap"
        --dry-run => --dry-run | --detach
        --json => --json | --detach
    "# }
    refuses! { scratch, "1", "
        train --detach --out run => run already contains a run
        resume --detach nothing => nothing
        follow nothing => nothing
    " }
    assert_eq!(scratch.list("").len(), 1);
}
