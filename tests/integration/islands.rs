//! Runs with islands, in one process and as tasks in several.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use ayo::run::{Draft, RunFolder};

use crate::support::{Bytes, Scratch, holds, refuses};

/// A run on a board with few openings, so that finals and measurements are quick.
const ISLANDS: [(&str, &str); 13] = [
    ("seed", "3"),
    ("game", "kalah:pits=3,seeds=3"),
    ("openings", "random:2,plies=5-9"),
    ("finalist_games", "60"),
    ("islands", "3"),
    ("migrate", "2"),
    ("population", "6"),
    ("fitness_set", "2"),
    ("depth", "1"),
    ("generations", "5"),
    ("measure_every", "3"),
    ("measure_openings", "2"),
    ("panel", "1"),
];

fn line() -> String {
    let set = ISLANDS.map(|(name, value)| format!(" --set {name}={value}"));
    format!("--preset kalah-standard --quiet --report off{}", set.concat())
}

#[test]
fn islands_have_the_bytes_of_a_whole_run_on_any_threads_and_in_pieces() {
    let scratch = Scratch::new();
    let line = line();
    scratch.train("whole", &line);
    let whole = Bytes::of(&scratch.path("whole"));
    for threads in [1, 8] {
        let folder = format!("run-{threads}");
        let shorter = line.replace("generations=5", "generations=3");
        scratch.train(&folder, &format!("{shorter} --threads {threads}"));
        scratch.ayo(&format!("resume {folder} --quiet --report off --generations 5")).success();
        whole.assert_same(&Bytes::of(&scratch.path(&folder)));
        for island in 1..=3 {
            let [whole, pieces] = ["whole", &folder].map(|it| format!("{it}/island-{island}"));
            assert_eq!(scratch.read(&format!("{whole}/history.csv")).lines().count(), 6);
            for file in ["history.csv", "run.toml", "checkpoint-000005.ayo"] {
                let [whole, pieces] = [&whole, &pieces].map(|it| format!("{it}/{file}"));
                assert_eq!(scratch.bytes(&whole), scratch.bytes(&pieces), "{pieces}");
            }
        }
    }
    assert_eq!(scratch.read("whole/history.csv").lines().count(), 6);
    for run in ["whole", "whole/island-2"] {
        for command in ["plot -o a.svg", "inspect", "report -o a.html --games-time 200ms"] {
            scratch.ayo(&format!("{command} {run}")).success();
        }
    }
    scratch.succeed(&["doctor whole", "export whole", "runs .", "runs whole/island-1"]);
    scratch.succeed(&["bestmove --game kalah --player minimax:weights=whole/island-1,depth=1"]);
    scratch.write("x", "x");
    refuses! { scratch, "1", "
        resume whole/island-1 --generations 7 => whole/island-1 is an island
        task next none tasks => none
        task run none answer => cannot read none
        task run x answer => x: the task
    " }
    scratch.refuses("2 train", "--preset spsa --set islands=2 => islands is 2");
    // We can resume with just the state of the whole run.
    std::fs::remove_dir_all(scratch.path("run-1/island-2")).unwrap();
    scratch.ayo("resume run-1 --quiet --report off --generations 6").success();
    let rows = scratch.read("run-1/island-2/history.csv");
    assert!(rows.lines().nth(1).unwrap().starts_with("6,"), "{rows}");
}

/// Creates the folder of a run without computing anything.
fn create(scratch: &Scratch, preset: &str, settings: &[(&str, &str)]) {
    let mut draft = Draft::preset(preset).unwrap();
    settings.iter().for_each(|(name, value)| draft.set(name, value).unwrap());
    drop(RunFolder::create(&scratch.path("run"), &draft.finish().unwrap(), None).unwrap());
}

#[test]
fn a_run_computed_as_tasks_has_the_bytes_of_a_whole_run() {
    let scratch = Scratch::new();
    scratch.train("whole", &line());
    create(&scratch, "kalah-standard", &ISLANDS);
    // Pretend that killed processes have left temporary files behind.
    fs::create_dir(scratch.path("tasks")).unwrap();
    for name in [".0123456789abcdef.task.1111111111111111.tmp", ".0123456789abcdef.answer.tmp"] {
        let file = File::create(scratch.path("tasks").join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(120)).unwrap();
    }
    let mut computed = 0;
    loop {
        let next = scratch.ayo("task next run tasks --quiet");
        if next.output().status.code() == Some(3) {
            holds(&next.stdout(), &["5 generations evaluated", "resume run"]);
            break;
        }
        let said = next.success().stdout();
        // Nothing changes until there are answers.
        assert_eq!(scratch.text("task next run tasks --quiet"), said);
        let files = scratch.list("tasks");
        let is_waiting = |it: &&String| {
            it.ends_with(".task") && !files.contains(&it.replace(".task", ".answer"))
        };
        let waiting: Vec<&String> = files.iter().filter(is_waiting).collect();
        holds(&said, &[&format!("{} task", waiting.len()), "in tasks"]);
        assert!((1..=3).contains(&waiting.len()), "{files:?}");
        let answer = waiting[0].replace(".task", ".answer");
        let run = format!("task run tasks/{} tasks/{answer} --quiet", waiting[0]);
        if computed == 0 {
            // A damaged answer is computed again.
            scratch.write(&format!("tasks/{answer}"), "damaged");
            let said = scratch.ayo("task next run tasks --quiet").success();
            holds(&said.stderr(), &[&answer, "the answer was not written by this program"]);
        }
        scratch.ayo(&format!("{run} --threads {}", 1 + computed % 3)).success();
        holds(&scratch.text(&run), &["already contains the answer"]);
        computed += 1;
    }
    // Each of the three islands migrates twice, so it has three tasks.
    assert_eq!(computed, 9);
    assert_eq!(scratch.list("tasks"), [""; 0]);
    scratch.ayo("resume run --quiet --report off").success();
    // A finished run keeps its champion.
    assert_eq!(scratch.ayo("task next run tasks --quiet").output().status.code(), Some(3));
    Bytes::of(&scratch.path("whole")).assert_same(&scratch.outputs());
}

/// Without GNU parallel (`.ci/run` reports it), we test only the script for Slurm. Our substitute for `sbatch` waits
/// until a job ends, and `sleep` takes less than a second.
#[test]
#[cfg(unix)]
fn scripts_give_the_bytes_of_a_whole_run_and_end_if_a_task_fails() {
    let scratch = Scratch::new();
    scratch.train("whole", &line());
    let programs = r#"
        mkdir bin failing 'the tasks'
        ln -s "$0" bin/ayo
        printf '#!/bin/sh\nexec /bin/sleep 0.05\n' > bin/sleep
        printf '#!/bin/sh\nfor job; do :; done; sh -c "$job" </dev/null >/dev/null 2>&1; true\n' > bin/sbatch
        printf '#!/bin/sh\n[ "$2" != run ] && exec bin/ayo "$@"; exit 1\n' > failing/ayo
        chmod +x bin/sbatch bin/sleep failing/ayo"#;
    scratch.shell(programs).success();
    let has_parallel = scratch.shell("command -v parallel").output().status.success();
    let scripts = [("slurm", ""), ("parallel", "2/:")];
    for (engine, hosts) in scripts.into_iter().take(1 + usize::from(has_parallel)) {
        create(&scratch, "kalah-standard", &ISLANDS);
        let contrib = concat!(env!("CARGO_MANIFEST_DIR"), "/contrib");
        let script = format!("sh '{contrib}/{engine}-islands.sh' run 'the tasks' {hosts}");
        let failed =
            scratch.shell(&format!("PATH=$PWD/failing:$PWD/bin:$PATH timeout 60 {script}"));
        assert_eq!(failed.output().status.code(), Some(1), "{engine}: {}", failed.stderr());
        scratch.shell(&format!("PATH=$PWD/bin:$PATH {script}")).success();
        Bytes::of(&scratch.path("whole")).assert_same(&scratch.outputs());
        std::fs::remove_dir_all(scratch.path("run")).unwrap();
    }
}

#[test]
fn a_run_that_learns_by_tasks_has_the_bytes_of_a_whole_run() {
    let scratch = Scratch::new();
    let set = "seed=3 game=kalah:pits=3,seeds=2 features=ku1..ku8 depth=1 label_depth=1 positions=600 \
        first_positions=400 buffer=1200 epochs=1 fit_every=2 generations=5 population=6 gate_openings=20 \
        measure_every=2 measure_openings=2 finalist_games=0";
    let set: Vec<&str> = set.split_whitespace().collect();
    let line = format!("--preset kalah-learned --quiet --report off --set {}", set.join(" --set "));
    scratch.train("whole", &line);
    let settings: Vec<_> = set.iter().filter_map(|it| it.split_once('=')).collect();
    create(&scratch, "kalah-learned", &settings);
    let mut rounds = 0;
    while scratch.ayo("task next run tasks --quiet").output().status.code() != Some(3) {
        for task in scratch.list("tasks").iter().filter(|it| it.ends_with(".task")) {
            let answer = task.replace(".task", ".answer");
            scratch.ayo(&format!("task run tasks/{task} tasks/{answer} --quiet")).success();
        }
        rounds += 1;
        assert!(rounds < 30);
    }
    assert!(rounds >= 2, "{rounds}");
    assert_eq!(scratch.list("tasks"), [""; 0]);
    scratch.ayo("resume run --quiet --report off").success();
    Bytes::of(&scratch.path("whole")).assert_same(&scratch.outputs());
    assert_eq!(scratch.read("whole/iterations.csv"), scratch.read("run/iterations.csv"));
    // The layer was made for up to eight pits per side, but this board has three.
    scratch.ayo("plot run --what units -o units.svg").success();
    let svg = scratch.read("units.svg");
    assert!(svg.contains(">\n3\n<") && !svg.contains(">\n8\n<"));
}
