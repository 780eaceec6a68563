//! Disk failures and kills at every file change that a run makes (see `change` in the store of `mancala`).

use std::process::Output;

use crate::optimisers;
use crate::support::{Bytes, POOLED, Scratch, TINY, train_line, undisturbed};

/// Settings for a run that writes all kinds of files: history, checkpoints, measurements and a champion.
fn whole_of_tiny() -> String {
    format!("{TINY} --set measure_every=3 --set measure_openings=1 --set panel=1")
}

fn commands(settings: &str) -> [String; 2] {
    [
        train_line("run", &format!("{settings} --generations 2")),
        "resume run --quiet --generations 4".to_owned(),
    ]
}

fn struck(fault: &str, settings: &str, scratch: &Scratch) -> Vec<Output> {
    let [begin, resume] = commands(settings);
    let with_fault = |line: &str| {
        let mut command = scratch.command();
        command.args(line.split_whitespace()).env("AYO_FAULT", fault).output().unwrap()
    };
    let begun = with_fault(&begin);
    let resumed = scratch.path("run/run.toml").exists().then(|| with_fault(&resume));
    [begun].into_iter().chain(resumed).collect()
}

fn mended(scratch: &Scratch, settings: &str, whole: &Bytes, fault: &str) {
    let [begin, resume] = commands(settings);
    if !scratch.path("run/run.toml").exists() {
        scratch.ayo(&begin).success();
    }
    assert_eq!(scratch.ayo(&resume).success().stderr(), "", "{fault}");
    scratch.outputs().assert_same(whole);
    let names = scratch.list("run");
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{fault}: {names:?}");
}

fn whole_run(settings: &str) -> Bytes {
    undisturbed(&format!("{settings} --generations 4"))
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_before_any_change_goes_on_to_the_same_bytes() {
    use std::os::unix::process::ExitStatusExt;

    // All optimisers change the same files, and `determinism` compares their runs in pieces.
    let kinds = [(whole_of_tiny(), 6), (POOLED.to_owned(), 23), (optimisers::small("spsa"), 25)];
    for (settings, step) in kinds {
        let whole = whole_run(&settings);
        let mut killed = 0;
        for change in (1..).step_by(step) {
            let scratch = Scratch::new();
            let fault = format!("kill:{change}");
            let found = struck(&fault, &settings, &scratch);
            let kills = found.iter().filter(|it| it.status.signal().is_some()).count();
            assert!(found.iter().all(|it| it.status.success() || it.status.signal().is_some()));
            if kills == 0 {
                break;
            }
            killed += kills;
            mended(&scratch, &settings, &whole, &fault);
        }
        assert!(killed * step > 50, "{settings}: {killed}");
    }
}

#[test]
fn a_disk_that_fails_once_costs_a_sentence_and_nothing_else() {
    let settings = whole_of_tiny();
    let whole = whole_run(&settings);
    let mut failed = 0;
    for change in (1..).step_by(5) {
        let scratch = Scratch::new();
        let (what, code) = if change % 2 == 0 { ("enospc", 28) } else { ("eio", 5) };
        let fault = format!("{what}:{change}");
        let found = struck(&fault, &settings, &scratch);
        for output in &found {
            let said = String::from_utf8_lossy(&output.stderr);
            if output.status.success() {
                // The report may fail, because the run doesn't depend on it.
                let is_harmless = said.is_empty() || said.starts_with("ayo: warning: no report: ");
                assert!(is_harmless, "{fault}: {said}");
                continue;
            }
            failed += 1;
            assert_eq!(output.status.code(), Some(1), "{fault}: {said}");
            assert!(said.starts_with("ayo: ") && said.lines().count() == 1, "{fault}: {said}");
            assert!(said.contains(&format!("(os error {code})")), "{fault}: {said}");
        }
        if found.len() == 2 && found.iter().all(|output| output.status.success()) {
            break;
        }
        mended(&scratch, &settings, &whole, &fault);
    }
    assert!(failed > 8, "{failed}");
}
