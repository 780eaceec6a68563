//! Training from one's own openings and against one's own opponents.

use std::fs;

use crate::support::{Bytes, Scratch, refused};

const TRAIN: &str = "train --preset quick --population 6 --depth 1 --quiet --set hall_of_fame=0 \
                     --set measure_every=0 --set finalist_games=0";

/// Two members, since each game with an engine takes a second without optimisation.
#[cfg(unix)]
const PAIR: &str = "train --preset quick --population 2 --depth 1 --quiet --set hall_of_fame=0 \
                    --set measure_every=0 --set finalist_games=0";

/// A file of openings that strength is not measured from.
fn openings(scratch: &Scratch, count: u32) -> String {
    scratch.text(&format!("openings random:{count},plies=9,seed=3"))
}

#[test]
fn a_run_keeps_the_openings_of_a_file() {
    let scratch = Scratch::new();
    scratch.write("mine.txt", format!("# mine\n\n{}", openings(&scratch, 9)));
    let train = format!("{TRAIN} --set \"openings=3+1/2 of mine.txt\"");
    scratch.shell(&format!("exec \"$0\" {train} --generations 4 --out whole")).success();
    scratch.shell(&format!("exec \"$0\" {train} --generations 2 --out pieces")).success();
    fs::remove_file(scratch.path("mine.txt")).unwrap();
    scratch.ayo("resume pieces --generations 4 --quiet").success();
    Bytes::of(&scratch.path("pieces")).assert_same(&Bytes::of(&scratch.path("whole")));
    let kept = scratch.read("whole/run.toml");
    assert!(openings(&scratch, 9).lines().all(|it| kept.contains(it)), "{kept}");
    // Six members play two games each with four, from three openings in two generations and then from four.
    let asked: Vec<u32> =
        (1..=4).map(|generation| games_asked(&scratch, "whole", generation)).collect();
    assert_eq!(asked, [3, 3, 4, 4].map(|openings| 6 * 2 * 4 * openings));
}

/// The games that a generation asked for.
fn games_asked(scratch: &Scratch, run: &str, generation: usize) -> u32 {
    let rows = scratch.read(&format!("{run}/history.csv"));
    let place = rows.lines().next().unwrap().split(',').position(|it| it == "games_asked");
    rows.lines().nth(generation).unwrap().split(',').nth(place.unwrap()).unwrap().parse().unwrap()
}

#[test]
fn a_file_that_training_cannot_begin_from_is_refused_by_its_line() {
    let scratch = Scratch::new();
    let measured = scratch.text("openings plies:4");
    for (text, words) in [
        ("what", "openings is what: "),
        ("0-0-0-0-0-0-0-0-0-0-0-0-24-24-S", "the game is over"),
        (measured.lines().next().unwrap(), "strength is measured from it"),
        ("# none", "the file has 0 openings"),
    ] {
        scratch.write(
            "mine.txt",
            format!("{}{text}\n", if words.contains("file") { "" } else { "\n" }),
        );
        refused(scratch.ayo(&format!("{TRAIN} --set openings=mine.txt --out run")), 2, &[words]);
        assert!(!scratch.path("run").exists());
    }
    refused(
        scratch.ayo(&format!("{TRAIN} --set openings=none.txt --out run")),
        2,
        &["no file of this name"],
    );
}

#[test]
fn members_meet_players_outside_the_population_alone_or_beside_each_other() {
    let scratch = Scratch::new();
    let with = |set: &str, out: &str| {
        let train =
            format!("{TRAIN} --generations 3 --set opponents=greedy;minimax:weights=seeds,depth=2");
        scratch.ayo(&format!("{train} --set fitness_set={set} --out {out}")).success();
        games_asked(&scratch, out, 1)
    };
    // Six members, one opening, two games.
    assert_eq!((with("0", "alone"), with("4", "mixed")), (6 * 2 * 2, 6 * 6 * 2));
    refused(
        scratch.ayo(&format!("{TRAIN} --set opponents=nobody --out run")),
        2,
        &["opponents is nobody"],
    );
}

#[test]
fn an_opponent_that_has_become_another_stops_the_run() {
    let scratch = Scratch::new();
    let weights = |name: &str| {
        scratch.write("mine.json", scratch.text(&format!("export {name} --format json")))
    };
    weights("seeds");
    let opponents = "--set opponents=minimax:weights=mine.json,depth=1";
    scratch.ayo(&format!("{TRAIN} {opponents} --generations 2 --out run")).success();
    weights("aalina4");
    let said = scratch.ayo("resume run --generations 4 --quiet").code(1).stderr();
    let words = ["mine.json,depth=1 is not the player", "resume run"];
    assert!(words.iter().all(|it| said.contains(it)), "{said}");
    weights("seeds");
    scratch.ayo("resume run --generations 4 --quiet").success();
    scratch.ayo(&format!("{TRAIN} {opponents} --generations 4 --out whole")).success();
    Bytes::of(&scratch.path("run")).assert_same(&Bytes::of(&scratch.path("whole")));
}

#[cfg(unix)]
#[test]
fn a_run_against_an_engine_says_that_it_cannot_be_repeated() {
    let scratch = Scratch::new();
    scratch.write("engine.sh", "exec \"$AYO\" uci\n");
    let train = format!("{PAIR} --generations 1 --set fitness_set=0 --out run");
    let engine = "--set \"opponents=uci:cmd=sh engine.sh,depth=1,timeout=2m\"";
    scratch.shell(&format!("AYO=\"$0\" exec \"$0\" {train} {engine}")).success();
    assert!(scratch.read("run/run.toml").contains(" #irreproducible\""));
}

/// Whoever lists or examines a folder runs no program and reads no file that its configuration names.
#[cfg(unix)]
#[test]
fn a_folder_that_names_programs_or_files_is_refused_without_touching_them() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{TRAIN} --generations 2 --out run")).success();
    let recorded = scratch.read("run/run.toml");
    scratch.write("evil.sh", "touch here\n");
    scratch.write("secret.txt", "secret\n");
    let openings = recorded.lines().find(|it| it.starts_with("openings")).unwrap();
    for (key, is, names) in [
        ("opponents", "opponents = \"\"", "opponents = \"uci:cmd=sh evil.sh\""),
        ("openings", openings.split(" #").next().unwrap(), "openings = \"secret.txt\""),
    ] {
        scratch.write("run/run.toml", recorded.replace(is, names));
        for line in ["runs .", "doctor run", "inspect run", "resume run --quiet"] {
            let ended = scratch.ayo(line);
            let said = ended.stdout() + &ended.stderr();
            assert!(said.contains(key) && !said.contains("secret\n"), "{line}: {said}");
            assert!(!scratch.path("here").exists(), "{line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_engine_that_fails_stops_the_run() {
    let scratch = Scratch::new();
    scratch.write("engine.sh", "[ -e alive ] && exec \"$AYO\" uci\n");
    scratch.write("alive", "");
    let train = format!("{PAIR} --generations 1 --set fitness_set=0 --out run");
    let engine = "--set \"opponents=uci:cmd=sh engine.sh,depth=1,timeout=2m\"";
    scratch.shell(&format!("AYO=\"$0\" exec \"$0\" {train} {engine}")).success();
    fs::remove_file(scratch.path("alive")).unwrap();
    let on = "resume run --generations 3 --quiet";
    let said = scratch.shell(&format!("AYO=\"$0\" exec \"$0\" {on}")).code(1).stderr();
    assert!(
        said.contains("cannot play against the opponents") && said.contains("engine.sh"),
        "{said}"
    );
    assert_eq!(scratch.generation("run"), 1);
    scratch.write("alive", "");
    scratch.shell(&format!("AYO=\"$0\" exec \"$0\" {on}")).success();
}
