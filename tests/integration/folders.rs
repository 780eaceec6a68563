//! The rules for run folders.

use std::fs;

use serde_json::json;

use crate::support::{
    Bytes, DEEP, LIVELY, Scratch, TINY, column, holds, refused, refuses, undisturbed,
};

#[test]
fn a_run_is_never_overwritten() {
    let scratch = Scratch::tiny(3);
    let before = scratch.outputs();
    for rest in [&format!("{TINY} --generations 3"), "--seed 9 --generations 50"] {
        let ways_on = "run already contains a run | ayo resume run | --seed | --out";
        scratch.refuses("1 train --preset daoud2004 --out run", &format!("{rest} => {ways_on}"));
    }
    let out = scratch.text("resume run");
    holds(&out, &["run is complete with 3 generations", "ayo resume run --generations 6\n"]);
    before.assert_same(&scratch.outputs());
    // The configuration keeps the version with which the run began.
    let own = format!("version = \"{}\" #", env!("CARGO_PKG_VERSION"));
    let text = scratch.read("run/run.toml");
    assert!(text.contains(&own), "{text}");
    let older = text.replace(&own, "version = \"0.0.9\" #");
    scratch.write("run/run.toml", &older);
    scratch.resume("--generations 5");
    let expected = older.replace("generations = 3 #", "generations = 5 #");
    assert_eq!(scratch.read("run/run.toml"), expected);
    fs::rename(scratch.path("run"), scratch.path("a run")).unwrap();
    let again = scratch.run(&["train", "--preset=daoud2004", "--out", "a run"]);
    let sentence = refused(again, 1, &["ayo resume 'a run'"]);
    scratch.shell(sentence.split('"').nth(1).unwrap()).success();
    // Only an empty folder can become a run folder.
    fs::create_dir(scratch.path("papers")).unwrap();
    scratch.train("papers", &format!("{TINY} --generations 3"));
    fs::remove_dir_all(scratch.path("papers")).unwrap();
    fs::create_dir(scratch.path("papers")).unwrap();
    scratch.write("papers/daoud.pdf", "the paper");
    scratch.refuses("2 train --out", "papers => papers is neither empty nor a run folder | --out");
    assert_eq!(scratch.list("papers"), ["daoud.pdf"]);
}

const MOMENT: &str = "train --preset daoud2004 --population 6 --depth 1 --generations 1 --quiet";

#[test]
fn what_is_left_of_a_run_is_never_destroyed() {
    let scratch = Scratch::new();
    scratch.ayo(MOMENT).success();
    let run = "populations/daoud2004-1";
    let champion = scratch.read(&format!("{run}/champion.json"));
    scratch.remove(&format!("{run}/run.toml"));
    for file in ["champion.json", "checkpoint-000001.ayo", "cost.csv", "history.csv"] {
        let before = scratch.list(run);
        for rest in [&format!("--out {run}"), "--seed 1"] {
            let parts = format!("{run} | contains {file} from an earlier run | --seed | --out");
            scratch.refuses(&format!("1 {MOMENT}"), &format!("{rest} => {parts}"));
        }
        assert_eq!(scratch.list(run), before);
        scratch.remove(&format!("{run}/{file}"));
    }
    scratch.remove(&format!("{run}/report.html"));
    // Without an explicit seed, a run goes to another folder.
    scratch.write(&format!("{run}/champion.json"), &champion);
    assert!(scratch.text(MOMENT).starts_with("run populations/daoud2004-2, seed 2\n"));
    assert_eq!(scratch.read(&format!("{run}/champion.json")), champion);
    scratch.remove(&format!("{run}/champion.json"));
    // If a process was killed before the run existed, its files don't block the run.
    for (file, text) in
        [("history.csv", "generation,best\n"), ("cost.csv", ""), (".run.toml.tmp", "half of")]
    {
        scratch.write(&format!("{run}/{file}"), text);
    }
    scratch.ayo(&format!("{MOMENT} --out {run}")).success();
}

#[test]
fn the_lowest_free_seed_is_taken_and_said() {
    let scratch = Scratch::new();
    let takes = |line: &str, seed: u32| {
        let out = scratch.text(line);
        let expected = format!("run populations/daoud2004-{seed}, seed {seed}\n");
        assert!(out.starts_with(&expected), "{out}");
    };
    for seed in [1, 2, 3] {
        takes(MOMENT, seed);
    }
    fs::remove_dir_all(scratch.path("populations/daoud2004-2")).unwrap();
    takes(MOMENT, 2);
    refuses! { scratch, &format!("1 {MOMENT}"), "
        --seed 2 => daoud2004-2 already contains a run | ayo resume populations/daoud2004-2
        --set seed=2 => daoud2004-2 already contains a run
    " }
    takes(&format!("{MOMENT} --seed 7"), 7);
    let folders = ["daoud2004-1", "daoud2004-2", "daoud2004-3", "daoud2004-7"];
    assert_eq!(scratch.list("populations"), folders);
}

#[test]
fn trainers_that_begin_together_share_no_folder() {
    let scratch = Scratch::new();
    let mut trainers: Vec<_> = (0..6).map(|_| scratch.start(MOMENT)).collect();
    let mut lines: Vec<String> = trainers.iter_mut().map(|trainer| trainer.begun()).collect();
    for trainer in &mut trainers {
        trainer.ended(0);
    }
    lines.sort();
    let expected = (1..=6).map(|n| format!("run populations/daoud2004-{n}, seed {n}\n"));
    assert_eq!(lines, expected.collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn a_second_trainer_is_told_while_the_first_runs() {
    let scratch = Scratch::new();
    let mut first = scratch.begin(DEEP);
    refuses! { scratch, "1", "
        resume run => another process is training in run
        resume run --generations 200 => another process is training in run
        train --preset daoud2004 --out run => another process is training in run
        select run => another process is training in run
    " }
    assert_eq!(scratch.json("doctor run --json")["state"], "busy");
    holds(&scratch.text("doctor run"), &["a process is writing to it"]);
    assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "running");
    assert_eq!(scratch.json("inspect run --json")["state"], "running");
    assert!(scratch.read("run/run.toml").contains("\ngenerations = 100 "));
    assert!(first.kill());
    assert_eq!(scratch.json("inspect run --json")["state"], "stopped");
    assert_eq!(scratch.json("doctor run --json")["state"], "sound");
    scratch.refuses("2 select", "run => no generation to select from");
    scratch.ayo("resume run --max-time 1ns").success();
}

#[test]
fn a_changed_setting_is_refused_by_its_name() {
    let scratch = Scratch::tiny(3);
    let text = scratch.read("run/run.toml");
    for (key, was, is) in [
        ("seed", "3", "4"),
        ("elite", "\"10%\"", "1"),
        ("mutation_rate", "0.001", "0.01"),
        ("encoding", "\"binary:4\"", "\"binary:5\""),
        ("rules", "\"wipe-out\"", "\"awari\""),
        ("pairing_memory", "100", "50"),
    ] {
        let line = format!("\n{key} = {was} #");
        assert!(text.contains(&line), "{key}: {text}");
        scratch.write("run/run.toml", text.replace(&line, &format!("\n{key} = {is} #")));
        let sentence = format!("{key} was {was} when the run began, but is now {is}");
        refused(scratch.ayo("resume run --generations 5"), 1, &["run/run.toml", &sentence]);
    }
    scratch.write("run/run.toml", &text);
    scratch.resume("--generations 5");
    // A branch may change settings, but not the meaning of its chromosomes.
    let branch = "resume run --out new --quiet --set";
    refuses! { scratch, &format!("2 {branch}"), "
        signs=literal => --set | signs | --start-from
        encoding=binary:5 => --set | encoding | --start-from
        population=12 => --set | population | --start-from
        parent=me => --set parent | cannot be set
    " }
    assert!(!scratch.path("new").exists());
    scratch.ayo(&format!("{branch} depth=1 --generations 6")).success();
    assert_eq!(scratch.generation("new"), 6);
}

#[test]
fn a_dry_run_writes_nothing_and_can_be_trained_from() {
    let scratch = Scratch::new();
    let changes = "--seed 8 --population 30 --depth 3 --rules awari --signs literal --set elite=3";
    let out = scratch.text(&format!("train --preset daoud2004 --dry-run {changes}"));
    holds(&out, &["# Folder: populations/daoud2004-8\n", "36,000, 360 per generation\n"]);
    assert!(scratch.list("").is_empty());
    scratch.write("dry.toml", &out);
    // The estimated duration depends on the machine.
    let lasting = |said: &str| {
        let lines = said.lines().filter(|it| !it.starts_with("# Needs"));
        lines.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(lasting(&scratch.text("train --dry-run --config dry.toml")), lasting(&out));
    let set = "--set generations=9 --population 31 --generations 8";
    let out = scratch.text(&format!("train --dry-run {set} --config dry.toml"));
    holds(&out, &["\ndepth = 3 #", "\npopulation = 31 #", "\ngenerations = 9 #", "\nelite = 3 #"]);
    fs::create_dir(scratch.path("run")).unwrap();
    fs::rename(scratch.path("dry.toml"), scratch.path("run/run.toml")).unwrap();
    let out = scratch.text("train --preset daoud2004 --dry-run --out run");
    holds(&out, &["\n# This run cannot be started: run already contains a run"]);
}

#[test]
fn a_run_that_is_watched_says_at_once_where_it_begins_and_a_quiet_one_nothing() {
    let scratch = Scratch::new();
    let tiny = TINY.replace(" --quiet", "");
    let run = scratch.train("run", &format!("{tiny} --generations 1"));
    // The quick strength check of the first champion plays a few games and doesn't keep them.
    holds(&run.stderr(), &["generation 0/1\ngeneration 1 after ", " in 100 games against "]);
    holds(&run.stdout(), &["\n1 generation in ", ": 60 games scheduled, "]);
    let quiet = scratch.train("quiet", &format!("{TINY} --generations 1"));
    assert_eq!(quiet.stderr(), "");
    assert!(scratch.outputs() == Bytes::of(&scratch.path("quiet")));
    assert_eq!(scratch.ayo("resume run --generations 2").success().stderr(), "generation 1/2\n");
    assert_eq!(scratch.resume("--generations 30").stderr(), "");
}

#[test]
fn runs_lists_state_progress_champion_and_command() {
    let scratch = Scratch::new();
    assert!(scratch.text("runs").starts_with("no runs in populations; start one with "));
    assert_eq!(scratch.json("runs --json"), json!({ "kind": "runs", "runs": [] }));
    scratch.ayo(&format!("train --preset daoud2004 {TINY} --generations 4")).success();
    scratch.train("populations/a", &format!("{TINY} --max-time 1ns"));
    scratch.write("populations/notes.txt", "not a run");
    fs::create_dir(scratch.path("populations/empty")).unwrap();
    let found = scratch.json("runs --json");
    let runs = found["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2, "{found}");
    let fields = ["folder", "state", "seed", "generation", "champion_strength"];
    let complete = json!(["populations/daoud2004-3", "complete", 3, 4, null]);
    let stopped = json!(["populations/a", "stopped", 3, 0, null]);
    for (run, expected) in runs.iter().zip([stopped, complete]) {
        assert_eq!(json!(fields.map(|it| &run[it])), expected);
        assert_eq!(run["champion_fitness"].is_u64(), run["state"] == "complete", "{run}");
    }
    let text = scratch.text("runs");
    holds(&text, &["\na ", " stopped ", "ayo resume populations/a\n", "\ndaoud2004-3 ", " 4/4 "]);
    assert_eq!(scratch.text("runs populations"), text);
    // We expect users to type a run's bare name, because this list shows it.
    scratch.refuses("1 resume", "a => did you mean \"populations/a\"?");
    refuses! { scratch, "2", r#"
        task next populations/a tasks => no islands
        inspect a => did you mean "populations/a"?
        plot -o a.png a => did you mean "populations/a"?
        match greedy a => did you mean "populations/a"?
        bestmove --player minimax:weights=a => did you mean "populations/a"?
    "# }
    refuses! { scratch, "1", r#"
        resume daoud204-3 => did you mean "populations/daoud2004-3"?
        stop populations/daoud204-3 => did you mean "populations/daoud2004-3"?
        doctor daoud204-3 => did you mean "populations/daoud2004-3"?
    "# }
    assert!(scratch.text("runs populations/a").contains("\na "));
    // If a run was cloned or copied, its files are newer than the run.
    assert!(text.lines().any(|row| row.starts_with("a ") && row.ends_with(" UTC")), "{text}");
    scratch.remove("populations/a/status.json");
    assert!(scratch.text("runs").lines().any(|row| row.starts_with("a ") && row.ends_with(" -")));
}

#[test]
fn inspect_says_first_what_came_of_a_run_and_how_it_differs() {
    let scratch = Scratch::tiny(4);
    let text = scratch.text("inspect run");
    let (own, shared) = text.split_once("\nsettings of the preset:\n").unwrap();
    holds(own, &["kind: run\n", "\nchampion:", "  seed: 3", "  generations: 4"]);
    holds(shared, &["  rules: "]);
    let newest = "run/checkpoint-000004.ayo";
    let files = ["run", newest, "run/champion.json"];
    let [run, checkpoint, champion] = files.map(|it| scratch.json(&format!("inspect {it} --json")));
    assert_eq!((&run["state"], &run["settings"]["population"]), (&json!("complete"), &json!(10)));
    assert_eq!(run["champion"], champion);
    assert_eq!(checkpoint["generation"], 4);
    let mut settings = run["settings"].clone();
    assert_eq!(settings.as_object_mut().unwrap().remove("generations"), Some(json!(4)));
    assert_eq!(checkpoint["settings"], settings);
    let members = checkpoint["members"].as_array().unwrap();
    let best = members.iter().map(|member| member["fitness"].as_u64().unwrap()).max().unwrap();
    assert_eq!((members.len(), &champion["provenance"]["fitness"]), (10, &json!(best)));
    for (what, kind) in
        [(newest, "checkpoint"), ("run/champion.json", "weights"), ("seeds", "weights")]
    {
        let said = scratch.text(&format!("inspect {what}"));
        assert!(said.starts_with(&format!("kind: {kind}\n")), "{what}: {said}");
    }
}

#[test]
fn a_run_leaves_a_row_a_generation_and_the_newest_three_checkpoints() {
    let scratch = Scratch::trained(&format!("{TINY} --set features=seeds --generations 1"));
    // Partial files from a killed process are removed.
    scratch.write("run/.checkpoint-000002.ayo.tmp", "half of");
    scratch.write("run/.checkpoint-000009.ayo.tmp", "");
    for generations in [2, 3, 4, 5] {
        scratch.resume(&format!("--generations {generations}"));
    }
    let names = "champion.json checkpoint-000003.ayo checkpoint-000004.ayo checkpoint-000005.ayo checksums.csv \
                 cost.csv history.csv lock run.toml status.json";
    assert_eq!(scratch.list("run").join(" "), names);
    let history = scratch.read("run/history.csv");
    assert_eq!(column(&history, "a10_sd").len(), 5);
    assert_eq!(column(&history, "generation"), ["1", "2", "3", "4", "5"]);
    assert_eq!(scratch.read("run/cost.csv").lines().count(), 6);
}

#[cfg(unix)]
#[test]
fn a_full_disk_stops_a_run_that_can_go_on_later() {
    let scratch = Scratch::new();
    // Limits files to this many blocks of 512 bytes.
    let limited = |blocks: u32, line: &str| {
        scratch.shell(&format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\" {line}"))
    };
    let run = format!("train --preset daoud2004 --out run {LIVELY} --generations 24");
    // If there is no room at all, the run isn't even created.
    refused(limited(0, &run), 1, &["ayo: cannot write run/history.csv: "]);
    assert!(!scratch.path("run/run.toml").exists());
    // There is room to create the run, but not for its history.
    let out = limited(9, &run).code(1);
    holds(&out.stderr(), &["ayo resume run", "cannot write run/history.csv: "]);
    // There is room for the history, but not for a checkpoint.
    scratch.resume("--generations 6");
    let before = scratch.list("run");
    let out = limited(20, "resume run --generations 24 --quiet").code(1);
    holds(&out.stderr(), &["ayo resume run", "cannot write run/checkpoint-000024.ayo: "]);
    assert_eq!((out.stderr().lines().count(), out.stderr().matches("os error").count()), (1, 1));
    assert_eq!(scratch.list("run"), before);
    assert_eq!(scratch.generation("run"), 6);
    scratch.resume("");
    scratch.outputs().assert_same(&undisturbed(&format!("{LIVELY} --generations 24")));
}
