//! Runs in the background: `--detach` and `ayo follow`.

use std::os::unix::process::CommandExt;

use crate::support::{Ended, LIVELY, Scratch, holds, program, train_line, undisturbed, wait_until};

#[test]
fn a_detached_run_survives_the_hangup_of_its_terminal() {
    let scratch = Scratch::new();
    let arguments = format!("{LIVELY} --generations 700");
    let line = format!("\"$0\" {} --detach; kill -HUP 0", train_line("run", &arguments));
    // A closed terminal sends SIGHUP to the process group of its shell.
    let mut shell = scratch.command_of("sh");
    shell.args(["-c", &line]).arg(program()).process_group(0);
    let begun = Ended::of(shell, "").stdout();
    let process = scratch.read("run/lock");
    holds(&begun, &["run run trains in the background", process.trim(), "follow run", "stop run"]);
    let followed = scratch.ayo("follow run").success();
    holds(&followed.stdout(), &["run is complete with 700 generations"]);
    holds(&followed.stderr(), &["generation "]);
    let log = || scratch.read("run/run.log");
    assert!(log().starts_with("run run, seed 5\n"));
    // The report follows after the run is complete.
    wait_until("no report", || log().contains("700 generations in "));
    scratch.outputs().assert_same(&undisturbed(&arguments));
    holds(&scratch.text("doctor run"), &["run.log", "detached"]);
    holds(&scratch.text("resume run --detach"), &["run is complete with 700 generations"]);
}

#[test]
fn a_detached_run_is_stopped_and_resumed() {
    let scratch = Scratch::new();
    scratch.train("run", &format!("{LIVELY} --generations 5"));
    let ways: &[&str] = &["missing run folder", "populations"];
    scratch.refuses(2, "", &[("follow", ways), ("stop", &["ayo runs"])]);
    scratch.text("resume run --quiet --generations 1000000 --detach");
    scratch.text("stop run");
    let done = scratch.generation("run");
    let followed = scratch.ayo("follow run").code(130).stdout();
    holds(&followed, &[&format!("run stopped after generation {done}; continue with")]);
    scratch.resume(&format!("--generations {}", done + 3));
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations {}", done + 3)));
}

#[test]
fn errors_before_training_are_those_of_the_command() {
    let scratch = Scratch::tiny(3);
    scratch.refuses(
        2,
        "train --detach",
        &[
            ("--preset deap", &["\"deap\""]),
            ("--seeds 1..3", &["--seeds", "--detach"]),
            ("--dry-run", &["--dry-run", "--detach"]),
            ("--json", &["--json", "--detach"]),
        ],
    );
    scratch.refuses(
        1,
        "",
        &[
            ("train --detach --out run", &["run already contains a run"]),
            ("resume --detach nothing", &["nothing"]),
            ("follow nothing", &["nothing"]),
        ],
    );
    assert_eq!(scratch.list("").len(), 1);
}
