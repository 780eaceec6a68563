//! The rules of run folders.

use std::fs;

use serde_json::json;

use crate::support::{Bytes, Ended, LIVELY, Scratch, TINY, refused, undisturbed};

#[test]
fn a_run_is_never_overwritten() {
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {TINY} --generations 3");
    scratch.ayo(&train).success();
    let before = Bytes::of(&scratch.path("run"));
    let ways_on = ["run already holds a run", "ayo resume run", "--seed", "--out"];
    refused(scratch.ayo(&train), 1, &ways_on);
    refused(
        scratch.ayo("train --preset daoud2004 --out run --seed 9 --generations 50"),
        1,
        &ways_on,
    );
    before.assert_same(&Bytes::of(&scratch.path("run")));
    // The command that is named can be typed as it stands.
    fs::rename(scratch.path("run"), scratch.path("a run")).unwrap();
    let sentence = refused(
        scratch.run(&["train", "--preset=daoud2004", "--out", "a run"]),
        1,
        &["ayo resume 'a run'"],
    );
    let command = sentence.split('"').nth(1).unwrap();
    scratch.shell(command).success();
    // A folder that holds something else is nobody's run.
    fs::create_dir(scratch.path("papers")).unwrap();
    scratch.write("papers/daoud.pdf", "the paper");
    scratch.ayo(&format!("train --preset daoud2004 --out papers {TINY} --generations 3")).success();
    assert_eq!(scratch.read("papers/daoud.pdf"), "the paper");
}

#[test]
fn what_is_left_of_a_run_is_never_destroyed() {
    let scratch = Scratch::new();
    let train = "train --preset daoud2004 --population 6 --depth 1 --generations 3 --quiet";
    scratch.ayo(train).success();
    let run = "populations/daoud2004-1";
    let champion = scratch.read(&format!("{run}/champion.json"));
    fs::remove_file(scratch.path(run).join("run.toml")).unwrap();
    let again = format!("{train} --out {run}");
    for file in ["champion.json", "checkpoint-000003.ayo", "cost.csv", "history.csv"] {
        let before = scratch.list(run);
        let words = [run, &format!("there is {file} of an earlier run"), "--seed", "--out"];
        refused(scratch.ayo(&again), 1, &words);
        refused(scratch.ayo(&format!("{train} --seed 1")), 1, &words);
        assert_eq!(scratch.list(run), before);
        fs::remove_file(scratch.path(run).join(file)).unwrap();
    }
    // A run without an explicit seed goes to another folder.
    scratch.write(&format!("{run}/champion.json"), &champion);
    assert!(scratch.text(train).starts_with("run populations/daoud2004-2, seed 2\n"));
    assert_eq!(scratch.read(&format!("{run}/champion.json")), champion);
    fs::remove_file(scratch.path(run).join("champion.json")).unwrap();
    // Files left by a process that was killed before the run existed do not block it.
    scratch.write(&format!("{run}/history.csv"), "generation,best\n");
    scratch.write(&format!("{run}/cost.csv"), "");
    scratch.write(&format!("{run}/.run.toml.tmp"), "half of");
    scratch.ayo(&again).success();
}

#[test]
fn the_lowest_free_seed_is_taken_and_said() {
    let scratch = Scratch::new();
    let train = "train --preset daoud2004 --population 6 --depth 1 --generations 1 --quiet";
    for seed in [1, 2, 3] {
        let out = scratch.text(train);
        assert!(
            out.starts_with(&format!("run populations/daoud2004-{seed}, seed {seed}\n")),
            "{out}"
        );
    }
    fs::remove_dir_all(scratch.path("populations/daoud2004-2")).unwrap();
    assert!(scratch.text(train).starts_with("run populations/daoud2004-2, seed 2\n"));
    let ways_on = ["daoud2004-2 already holds a run", "ayo resume populations/daoud2004-2"];
    refused(scratch.ayo(&format!("{train} --seed 2")), 1, &ways_on);
    refused(scratch.ayo(&format!("{train} --set seed=2")), 1, &ways_on);
    assert!(scratch.text(&format!("{train} --seed 7")).contains("populations/daoud2004-7, seed 7"));
    let folders = ["daoud2004-1", "daoud2004-2", "daoud2004-3", "daoud2004-7"];
    assert_eq!(scratch.list("populations"), folders);
}

#[test]
fn trainers_that_begin_together_share_no_folder() {
    let scratch = Scratch::new();
    let train = "train --preset daoud2004 --population 6 --depth 1 --generations 1 --quiet";
    let mut trainers: Vec<_> = (0..6).map(|_| scratch.start(train)).collect();
    let mut lines: Vec<String> = trainers.iter_mut().map(|trainer| trainer.begun()).collect();
    for trainer in &mut trainers {
        let (status, _, err) = trainer.wait();
        assert!(status.success(), "{err}");
    }
    lines.sort();
    let expected = (1..=6).map(|n| format!("run populations/daoud2004-{n}, seed {n}\n"));
    assert_eq!(lines, expected.collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn a_second_trainer_is_told_while_the_first_runs() {
    let scratch = Scratch::new();
    let mut first =
        scratch.start("train --preset daoud2004 --out run --depth 30 --threads 1 --quiet");
    first.begun();
    refused(scratch.ayo("resume run"), 1, &["another process is training in run"]);
    refused(scratch.ayo("resume run --generations 200"), 1, &["another process"]);
    refused(
        scratch.ayo("train --preset daoud2004 --out run"),
        1,
        &["another process is training in run"],
    );
    assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "running");
    assert_eq!(scratch.json("inspect run --json")["state"], "running");
    assert!(scratch.read("run/run.toml").contains("\ngenerations = 100 "));
    assert!(first.kill());
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
    scratch.ayo("resume run --max-time 1ns").success();
}

#[test]
fn a_changed_setting_is_refused_by_its_name() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let text = scratch.read("run/run.toml");
    for (key, was, is) in [
        ("seed", "3", "4"),
        ("population", "10", "12"),
        ("fitness_set", "3", "4"),
        ("elite", "\"10%\"", "1"),
        ("crossover_rate", "0.5", "0.6"),
        ("mutation_rate", "0.001", "0.01"),
        ("encoding", "\"binary:4\"", "\"binary:5\""),
        ("features", "\"daoud2004\"", "\"aalina\""),
        ("signs", "\"signed\"", "\"literal\""),
        ("rules", "\"wipe-out\"", "\"awari\""),
        ("depth", "2", "3"),
        ("pairing_memory", "100", "50"),
    ] {
        let line = format!("\n{key} = {was} #");
        assert!(text.contains(&line), "{key}: {text}");
        scratch.write("run/run.toml", text.replace(&line, &format!("\n{key} = {is} #")));
        let sentence = format!("{key} was {was} when the run began and is {is} now");
        refused(scratch.ayo("resume run --generations 5"), 1, &["run/run.toml", &sentence]);
    }
    scratch.write("run/run.toml", &text);
    scratch.ayo("resume run --generations 5 --quiet").success();
}

#[test]
fn a_complete_run_says_how_to_go_on() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let before = Bytes::of(&scratch.path("run"));
    let out = scratch.text("resume run");
    assert!(out.starts_with("run is complete with 3 generations"), "{out}");
    let command = out.lines().nth(1).unwrap().trim();
    assert!(command.ends_with("ayo resume run --generations 6"), "{out}");
    before.assert_same(&Bytes::of(&scratch.path("run")));
}

#[test]
fn the_version_that_began_a_run_stays_with_it() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let own = format!("version = \"{}\" #", env!("CARGO_PKG_VERSION"));
    let text = scratch.read("run/run.toml");
    assert!(text.contains(&own), "{text}");
    let older = |text: &str| text.replace(&own, "version = \"0.0.9\" #");
    scratch.write("run/run.toml", older(&text));
    scratch.ayo("resume run --generations 5 --quiet").success();
    let expected = older(&text).replace("generations = 3 #", "generations = 5 #");
    assert_eq!(scratch.read("run/run.toml"), expected);
}

#[test]
fn a_dry_run_writes_nothing_and_can_be_trained_from() {
    let scratch = Scratch::new();
    let changes = "--seed 8 --population 30 --depth 3 --rules awari --signs literal --set elite=3";
    let out = scratch.text(&format!("train --preset daoud2004 --dry-run {changes}"));
    assert!(out.contains("# Folder: populations/daoud2004-8\n"), "{out}");
    assert!(out.contains("# Games asked for: 36,000, 360 a generation\n"), "{out}");
    assert!(scratch.list("").is_empty());
    scratch.write("dry.toml", &out);
    // How long it takes depends on the machine.
    let lasting = |said: &str| {
        said.lines()
            .filter(|it| !it.starts_with("# It needs"))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert!(out.contains("kB of disk space"), "{out}");
    assert_eq!(lasting(&scratch.text("train --dry-run --config dry.toml")), lasting(&out));
    assert!(
        scratch
            .text("train --preset daoud2004 --dry-run")
            .contains("the lowest SEED whose folder is free")
    );
    assert_eq!(scratch.list(""), ["dry.toml"]);
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 1")).success();
    let out = scratch.text("train --preset daoud2004 --dry-run --out run");
    assert!(out.contains("\n# This run cannot begin: run already holds a run: continue"), "{out}");
}

#[test]
fn later_settings_win() {
    let scratch = Scratch::new();
    scratch
        .write("c.toml", "preset = \"daoud2004\"\ndepth = 2\npopulation = 20\ngenerations = 7\n");
    let out = scratch.text(
        "train --dry-run --set generations=9 --population 30 --generations 8 --config c.toml",
    );
    for line in ["depth = 2 #", "population = 30 #", "generations = 9 #", "elite = \"10%\" #"] {
        assert!(out.contains(&format!("\n{line}")), "{line}: {out}");
    }
}

#[test]
fn a_quiet_run_says_nothing_on_standard_error() {
    let scratch = Scratch::new();
    let quiet = scratch
        .ayo(&format!("train --preset daoud2004 --out run {LIVELY} --generations 40"))
        .success();
    assert_eq!(quiet.stderr(), "");
    let quiet = scratch.ayo("resume run --generations 45 --quiet").success();
    assert_eq!(quiet.stderr(), "");
}

#[test]
fn a_run_that_is_watched_says_at_once_where_it_begins() {
    let scratch = Scratch::new();
    let tiny = TINY.replace(" --quiet", "");
    let run = scratch
        .ayo(&format!("train --preset daoud2004 --out run {tiny} --generations 1"))
        .success();
    let err = run.stderr();
    let [begins, look] = err.lines().collect::<Vec<_>>()[..] else { panic!("{err}") };
    assert_eq!(begins, "generation 0/1");
    // How strong the first champion is, by a few games of which nothing is kept.
    assert!(
        look.starts_with("generation 1 after ") && look.contains(": its best scores 0."),
        "{look}"
    );
    assert!(look.ends_with(" in 100 games against minimax:weights=seeds,depth=2"), "{look}");
    scratch.ayo(&format!("train --preset daoud2004 --out quiet {TINY} --generations 1")).success();
    assert!(Bytes::of(&scratch.path("run")) == Bytes::of(&scratch.path("quiet")));
    let out = run.stdout();
    assert!(out.contains("\n1 generation in ") && out.contains(": 60 games asked for, "), "{out}");
    let run = scratch.ayo("resume run --generations 2").success();
    assert_eq!(run.stderr(), "generation 1/2\n");
}

#[test]
fn runs_lists_state_progress_champion_and_command() {
    let scratch = Scratch::new();
    assert!(scratch.text("runs").starts_with("no runs in populations; begin one with "));
    assert_eq!(scratch.json("runs --json"), json!({ "kind": "runs", "runs": [] }));
    scratch.ayo(&format!("train --preset daoud2004 {TINY} --generations 4")).success();
    scratch
        .ayo(&format!("train --preset daoud2004 --out populations/a {TINY} --max-time 1ns"))
        .success();
    scratch.write("populations/notes.txt", "not a run");
    fs::create_dir(scratch.path("populations/empty")).unwrap();
    let found = scratch.json("runs --json");
    let [stopped, complete] = found["runs"].as_array().unwrap().as_slice() else {
        panic!("{found}");
    };
    let fields: Vec<&String> = complete.as_object().unwrap().keys().collect();
    let documented = [
        "folder",
        "state",
        "preset",
        "seed",
        "generation",
        "generations",
        "champion_fitness",
        "champion_strength",
        "champion_strength_ci95",
        "resume",
        "strength_generation",
    ];
    assert_eq!(fields, documented);
    assert_eq!(complete["folder"], "populations/daoud2004-3");
    assert_eq!((&complete["state"], &complete["seed"]), (&json!("complete"), &json!(3)));
    assert_eq!((&complete["generation"], &complete["generations"]), (&json!(4), &json!(4)));
    assert!(complete["champion_fitness"].is_u64());
    assert_eq!(
        (&stopped["folder"], &stopped["state"]),
        (&json!("populations/a"), &json!("stopped"))
    );
    assert_eq!(stopped["champion_fitness"], json!(null));
    assert!(stopped["resume"].as_str().unwrap().ends_with("ayo resume populations/a"));
    let text = scratch.text("runs");
    let lines: Vec<&str> = text.lines().collect();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[0]), ["run", "state", "generation", "strength", "changed"]);
    assert_eq!(words(lines[1])[..2], ["a", "stopped"]);
    assert!(lines[2].starts_with("  ") && lines[2].ends_with("ayo resume populations/a"), "{text}");
    assert_eq!(words(lines[3])[..4], ["daoud2004-3", "complete", "4/4", "-"]);
    assert!(words(lines[3])[4].starts_with("20"), "{text}");
    assert!([0, 1, 3].iter().all(|&line| lines[line].len() <= 60), "{text}");
    assert_eq!(scratch.text("runs populations"), text);
    // A run by its bare name, as this list has it.
    let name = text.lines().nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let meant = format!("did you mean \"populations/{name}\"?");
    refused(scratch.ayo(&format!("resume {name}")), 1, &["there is no folder", &meant]);
    for line in ["inspect", "plot -o a.png", "match greedy", "move --player minimax:weights="] {
        let line =
            if line.ends_with('=') { format!("{line}{name}") } else { format!("{line} {name}") };
        refused(scratch.ayo(&line), 2, &[&meant]);
    }
    assert!(scratch.text(&format!("runs populations/{name}")).contains(&format!("\n{name} ")));
}

#[test]
fn inspect_says_first_what_came_of_a_run_and_how_it_differs() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let text = scratch.text("inspect run");
    let lines: Vec<&str> = text.lines().collect();
    let place = |start: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{start}: {text}"))
    };
    let (own, shared) = (place("settings of its own:"), place("settings of the preset:"));
    assert!(place("champion:") < own && own < shared, "{text}");
    for own_setting in ["  seed: 3", "  generations: 3", "  population: 10", "  depth: 2"] {
        assert!((own..shared).contains(&place(own_setting)), "{text}");
    }
    assert!(place("  rules: ") > shared, "{text}");
    // Scripts find what they know.
    assert_eq!(scratch.json("inspect run --json")["settings"]["seed"], 3);
}

#[test]
fn a_damaged_run_is_not_called_complete() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 4")).success();
    for (file, words) in [
        ("run/checkpoint-000004.ayo", "run/checkpoint-000004.ayo is not a file of this program"),
        ("run/champion.json", "run/champion.json: "),
    ] {
        let before = fs::read(scratch.path(file)).unwrap();
        scratch.write(file, "{");
        let inspected = scratch.ayo("inspect run --json").code(1);
        let inspected: serde_json::Value = serde_json::from_str(&inspected.stdout()).unwrap();
        for found in [&inspected, &scratch.json("runs . --json")["runs"][0]] {
            assert_eq!(found["state"], "damaged", "{file}");
            assert!(found["error"].as_str().unwrap().contains(words), "{found}");
        }
        let text = scratch.text("runs .");
        assert!(text.contains(" damaged ") && text.contains(words), "{text}");
        assert!(!text.contains("no champion yet"), "{text}");
        scratch.write(file, before);
    }
    assert_eq!(scratch.json("inspect run --json")["state"], "complete");
}

#[test]
fn history_has_its_documented_columns_and_a_row_a_generation() {
    let scratch = Scratch::new();
    let settings = format!("{TINY} --set features=seeds");
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {settings} --generations 4"))
        .success();
    scratch.ayo("resume run --generations 7 --quiet").success();
    let history = scratch.read("run/history.csv");
    let mut lines = history.lines();
    assert_eq!(
        lines.next().unwrap(),
        "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,games_asked,games_played,\
         a9_mean,a9_sd,a10_mean,a10_sd"
    );
    let numbers: Vec<&str> = lines.map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(scratch.read("run/cost.csv").lines().count(), 8);
}

#[test]
fn only_the_newest_three_checkpoints_are_kept() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 1")).success();
    for generations in [2, 3, 4, 5] {
        scratch.ayo(&format!("resume run --generations {generations} --quiet")).success();
    }
    let kept = ["checkpoint-000003.ayo", "checkpoint-000004.ayo", "checkpoint-000005.ayo"];
    let others = ["checksums.csv", "cost.csv", "history.csv", "lock", "run.toml", "status.json"];
    let mut all = [["champion.json"].as_slice(), &kept, &others].concat();
    all.sort_unstable();
    assert_eq!(scratch.list("run"), all);
}

#[test]
fn what_a_killed_process_was_writing_is_cleared_away() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let before = scratch.list("run");
    scratch.write("run/.checkpoint-000002.ayo.tmp", "half of");
    scratch.write("run/.checkpoint-000009.ayo.tmp", "");
    scratch.ayo("resume run --generations 4 --quiet").success();
    let mut after = scratch.list("run");
    after.retain(|name| name != "checkpoint-000004.ayo");
    assert_eq!(after, before);
}

/// Runs the program where no file can grow beyond so many blocks of 512 bytes, as on a full disk.
#[cfg(unix)]
fn on_a_full_disk(scratch: &Scratch, blocks: u32, line: &str) -> Ended {
    scratch.shell(&format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\" {line}"))
}

#[cfg(unix)]
#[test]
fn a_full_disk_stops_a_run_that_can_go_on_later() {
    let whole = undisturbed(&format!("{LIVELY} --generations 24"));
    let run = format!("--out run {LIVELY} --generations 24");
    let scratch = Scratch::new();
    // Not even a folder.
    let failed = on_a_full_disk(&scratch, 0, &format!("train --preset daoud2004 {run}")).code(1);
    let sentence = failed.stderr();
    assert!(sentence.starts_with("ayo: cannot write run/history.csv: "), "{sentence}");
    assert_eq!(sentence.matches("os error").count(), 1, "{sentence}");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
    assert!(!scratch.path("run/run.toml").exists());
    // A run, but no room for its history.
    let failed = on_a_full_disk(&scratch, 9, &format!("train --preset daoud2004 {run}")).code(1);
    full_at(&failed.stderr(), "run/history.csv");
    // Room for the history, but not for a checkpoint.
    scratch.ayo("resume run --generations 6 --quiet").success();
    let before = scratch.list("run");
    let failed = on_a_full_disk(&scratch, 20, "resume run --generations 24 --quiet").code(1);
    full_at(&failed.stderr(), "run/checkpoint-000024.ayo");
    assert_eq!(scratch.list("run"), before);
    assert_eq!(scratch.generation("run"), 6);
    scratch.ayo("resume run --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&whole);
}

#[cfg(unix)]
fn full_at(sentence: &str, file: &str) {
    assert!(sentence.starts_with("ayo: the run stopped; "), "{sentence}");
    assert!(sentence.contains("ayo resume run\": "), "{sentence}");
    assert!(sentence.contains(&format!("cannot write {file}: ")), "{sentence}");
    assert_eq!(sentence.matches("os error").count(), 1, "{sentence}");
    assert_eq!(sentence.lines().count(), 1, "{sentence}");
}

#[test]
fn a_branch_keeps_what_its_chromosomes_mean() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let branch = |set: &str| scratch.ayo(&format!("resume run --set {set} --out new --quiet"));
    for set in ["signs=literal", "encoding=binary:5", "population=12"] {
        let key = set.split('=').next().unwrap();
        refused(branch(set), 2, &["--set", key, "--start-from"]);
    }
    refused(branch("parent=me"), 2, &["--set parent", "only a branch"]);
    assert!(!scratch.path("new").exists());
    branch("depth=1 --generations 4").success();
    assert_eq!(scratch.generation("new"), 4);
}
