//! Training with the user's own openings and against the user's own opponents.

use crate::support::{Bytes, Scratch, column, holds, refuses};

const TRAIN: &str = "train --preset quick --population 6 --depth 1 --quiet --set hall_of_fame=0 \
                     --set measure_every=0 --set finalist_games=0";

#[cfg(unix)]
const AGAINST_AN_ENGINE: &str = "AYO=\"$0\" exec \"$0\" train --preset quick --population 2 --depth 1 --quiet \
                                 --set hall_of_fame=0 --set measure_every=0 --set finalist_games=0 \
                                 --set fitness_set=0 --generations 1 --out run \
                                 --set \"opponents=uci:cmd=sh engine.sh,depth=1,timeout=2m\"";

fn openings(scratch: &Scratch, count: u32) -> String {
    scratch.text(&format!("openings random:{count},plies=9,seed=3"))
}

#[test]
fn a_run_keeps_the_openings_of_a_file() {
    let scratch = Scratch::new();
    let openings = openings(&scratch, 9);
    scratch.write("mine.txt", format!("# mine\n\n{openings}"));
    let train = format!("exec \"$0\" {TRAIN} --set \"openings=3+1/2 of mine.txt\"");
    scratch.shell(&format!("{train} --generations 4 --out whole")).success();
    scratch.shell(&format!("{train} --generations 2 --out run")).success();
    scratch.remove("mine.txt");
    scratch.resume("--generations 4");
    scratch.outputs().assert_same(&Bytes::of(&scratch.path("whole")));
    let kept = scratch.read("whole/run.toml");
    assert!(openings.lines().all(|it| kept.contains(it)), "{kept}");
    // Six members play two games per opening against each of four opponents, from three and later four openings.
    let asked = [3, 3, 4, 4].map(|openings| (6 * 2 * 4 * openings).to_string());
    assert_eq!(games_asked(&scratch, "whole"), asked);
}

fn games_asked(scratch: &Scratch, run: &str) -> Vec<String> {
    column(&scratch.read(&format!("{run}/history.csv")), "games_asked")
}

#[test]
fn a_file_that_training_cannot_begin_from_is_refused_by_its_line() {
    let scratch = Scratch::new();
    let measured = scratch.text("openings plies:4");
    let train = format!("2 {TRAIN} --out run --set");
    for (text, part) in
        [("what", "openings is what: "), (measured.lines().next().unwrap(), "reserved")]
    {
        scratch.write("mine.txt", format!("\n{text}\n"));
        scratch.refuses(&train, &format!("openings=mine.txt => {part}"));
    }
    refuses! { scratch, &train, "
        openings=none.txt => no file with this name
        opponents=nobody => opponents is nobody
    " }
    assert!(!scratch.path("run").exists());
}

#[test]
fn members_meet_players_outside_the_population_alone_or_beside_each_other() {
    let scratch = Scratch::new();
    let opponents = "--set opponents=greedy;minimax:weights=seeds,depth=2";
    // Six members, one opening, two games.
    for (set, asked) in [(0, 6 * 2 * 2), (4, 6 * 6 * 2)] {
        let rest = format!("{opponents} --set fitness_set={set} --out {set} --generations 3");
        scratch.ayo(&format!("{TRAIN} {rest}")).success();
        assert_eq!(games_asked(&scratch, &set.to_string())[0], asked.to_string());
    }
}

#[test]
fn an_opponent_that_has_become_another_stops_the_run() {
    let scratch = Scratch::new();
    let weights = |name: &str| scratch.write("mine.json", scratch.text(&format!("export {name}")));
    weights("seeds");
    let train = format!("{TRAIN} --set opponents=minimax:weights=mine.json,depth=1");
    scratch.ayo(&format!("{train} --generations 2 --out run")).success();
    weights("aalina4");
    let said = scratch.ayo("resume run --generations 4 --quiet").code(1).stderr();
    holds(&said, &["mine.json,depth=1 has changed since", "resume run"]);
    weights("seeds");
    scratch.resume("--generations 4");
    scratch.ayo(&format!("{train} --generations 4 --out whole")).success();
    scratch.outputs().assert_same(&Bytes::of(&scratch.path("whole")));
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_stops_the_run_which_cannot_be_repeated() {
    let scratch = Scratch::new();
    scratch.write("engine.sh", "[ -e alive ] && exec \"$AYO\" uci --player greedy\n");
    scratch.write("alive", "");
    scratch.shell(AGAINST_AN_ENGINE).success();
    holds(&scratch.read("run/run.toml"), &[" #irreproducible\""]);
    scratch.remove("alive");
    let resume = "AYO=\"$0\" exec \"$0\" resume run --generations 2 --quiet";
    let said = scratch.shell(resume).code(1).stderr();
    holds(&said, &["cannot play against the opponents", "engine.sh", "in run.toml"]);
    assert_eq!(scratch.generation("run"), 1);
    scratch.write("alive", "");
    scratch.shell(resume).success();
}

/// Listing or examining a folder mustn't run programs or read files named in its configuration.
#[cfg(unix)]
#[test]
fn a_folder_that_names_programs_or_files_is_refused_without_touching_them() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{TRAIN} --generations 2 --out run")).success();
    let recorded = scratch.read("run/run.toml");
    scratch.write("evil.sh", "touch here\n");
    scratch.write("secret.txt", "hidden\n");
    let openings = recorded.lines().find(|it| it.starts_with("openings")).unwrap();
    for (key, is, names) in [
        ("opponents", "opponents = \"\"", "opponents = \"uci:cmd=sh evil.sh\""),
        ("openings", openings.split(" #").next().unwrap(), "openings = \"secret.txt\""),
    ] {
        scratch.write("run/run.toml", recorded.replace(is, names));
        for line in ["runs .", "doctor run", "inspect run", "resume run --quiet"] {
            let ended = scratch.ayo(line);
            let said = ended.stdout() + &ended.stderr();
            assert!(said.contains(key) && !said.contains("hidden"), "{line}: {said}");
            assert!(!scratch.path("here").exists(), "{line}");
        }
    }
}
