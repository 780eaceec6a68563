//! Interference with the files of a running or finished program.

use std::fs;
use std::process::Stdio;

use mancala::store::Lock;

use crate::support::{A_MOMENT, LIVELY, Scratch, TINY, Training, holds, refused};

fn measured() -> Scratch {
    let settings = "--set measure_every=2 --set measure_openings=2 --set panel=1 --generations 5";
    Scratch::trained(&format!("{TINY} {settings}"))
}

#[test]
fn damage_to_tables_of_a_run_is_named() {
    let scratch = measured();
    for file in ["run/history.csv", "run/strength.csv"] {
        let good = scratch.read(file);
        let starts = good.match_indices('\n').map(|(at, _)| at + 1);
        for (line, start) in (2..).zip(starts.take(3)) {
            let place = [start, start + 9, start + good[start..].find('\n').unwrap()][line % 3];
            scratch.write(file, &good);
            scratch.flip(file, place);
            let words = [file, &format!("line {line} ")];
            holds(&scratch.ayo("inspect run").code(1).stdout(), &words);
            refused(scratch.ayo("plot run -o plot.svg"), 1, &words);
        }
        scratch.write(file, good);
    }
    scratch.ayo("inspect run").success();
    // A history that ends before the newest checkpoint is damaged, too.
    let file = "run/history.csv";
    let good = scratch.read(file);
    for end in [0, 30, good.rfind("\n2,").unwrap() + 1, good.len() / 2, good.len() - 1] {
        scratch.write(file, &good[..end]);
        let words = [file, &*format!("line {} ", good[..end].matches('\n').count().max(1) + 1)];
        let found = &scratch.json("runs . --json")["runs"][0];
        assert_eq!(found["state"], "damaged", "{end}");
        holds(found["error"].as_str().unwrap(), &words);
        assert!(found["resume"].as_str().unwrap().ends_with("doctor ./run"), "{found}");
        holds(&scratch.text("runs ."), &["ayo doctor ./run"]);
        holds(&scratch.ayo("inspect run").code(1).stdout(), &words);
        for command in ["plot run -o plot.svg", "report run"] {
            refused(scratch.ayo(command), 1, &[words[0], words[1], "ayo doctor run"]);
        }
        scratch.ayo("doctor run").code(1);
    }
}

#[test]
fn rows_that_a_run_did_not_write_are_named() {
    let scratch = measured();
    let history = scratch.read("run/history.csv");
    let copy = history.lines().last().unwrap().replacen('5', "6", 1) + "\n";
    let cases = [("history", "garbage\n"), ("history", &copy), ("strength", "garbage\n")];
    for (name, row) in cases {
        let file = format!("run/{name}.csv");
        let good = scratch.read(&file);
        scratch.write(&file, good.clone() + row);
        let words = [&*file, &format!("line {} ", good.lines().count() + 1)];
        holds(&scratch.ayo("inspect run").code(1).stdout(), &words);
        for command in ["plot run -o plot.svg", "report run"] {
            refused(scratch.ayo(command), 1, &[words[0], words[1], "ayo doctor run"]);
        }
        refused(scratch.ayo("export run --generation 6"), 1, &["run/history.csv"]);
        // A row that is not recorded yet is no damage.
        let lock = Lock::take(&scratch.path("run")).unwrap().unwrap();
        scratch.ayo("inspect run").success();
        drop(lock);
        scratch.ayo("resume run").success();
        scratch.ayo("inspect run").success();
        assert_eq!(scratch.read(&file), good);
    }
    // Rows up to the newest checkpoint are trusted if their checksums are lost.
    let checksums = scratch.read("run/checksums.csv");
    scratch.write("run/checksums.csv", checksums.split_inclusive('\n').take(5).collect::<String>());
    scratch.succeed(&["inspect run", "plot run -o plot.svg", "resume run"]);
}

#[test]
fn a_run_without_a_champion_may_still_be_training() {
    let scratch = measured();
    scratch.remove("run/champion.json");
    scratch.refuses("1 eval", "--weights run => ayo resume");
    let _lock = Lock::take(&scratch.path("run")).unwrap().unwrap();
    scratch.refuses("1 eval", "--weights run => still training");
}

#[test]
fn a_run_of_a_version_without_checksums_goes_on() {
    let scratch = measured();
    scratch.shell("cp -r run new").success();
    scratch.remove("run/checksums.csv");
    scratch.succeed(&["inspect run", "resume run --generations 7", "resume new --generations 7"]);
    assert_eq!(scratch.read("run/history.csv"), scratch.read("new/history.csv"));
    assert!(scratch.read("run/checksums.csv").contains("\nhistory.csv,8,"));
}

#[test]
fn a_champion_edited_by_hand_is_told_from_a_damaged_or_lost_one() {
    let scratch = measured();
    let good = scratch.read("run/champion.json");
    let weights = good.find("\"weights\": [").unwrap() + "\"weights\": [".len();
    let digit = weights + good[weights..].find(|c: char| c.is_ascii_digit()).unwrap();
    scratch.flip("run/champion.json", digit);
    let flipped = scratch.bytes("run/champion.json");
    assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "damaged");
    let damaged = format!("champion.json: damaged: a bit of byte {digit} ");
    scratch.refuses("1 eval", &format!("--weights run => {damaged}"));
    holds(&scratch.ayo("inspect run").code(1).stdout(), &[&damaged]);
    let name = good.find("\"name\": \"").unwrap() + "\"name\": \"".len();
    scratch.write("run/champion.json", [&good[..name], "my own ", &good[name..]].concat());
    scratch.ayo("eval --weights run").success();
    holds(&scratch.text("inspect run"), &["champion.json has been edited"]);
    // If the run is complete, we restore the champion's file.
    for lost in [Some(flipped), None] {
        match lost {
            Some(flipped) => scratch.write("run/champion.json", flipped),
            None => scratch.remove("run/champion.json"),
        }
        let resumed = scratch.ayo("resume run").success();
        holds(&resumed.stderr(), &["champion.json was missing or damaged"]);
        assert_eq!(scratch.read("run/champion.json"), good);
        assert!(!scratch.text("inspect run").contains("edited"));
    }
    assert_eq!(scratch.ayo("resume run").success().stderr(), "");
}

#[cfg(unix)]
#[test]
fn files_that_somebody_removes_from_a_run_in_progress_are_missed() {
    let cases = [
        ("lock", 1, "removed or replaced"),
        ("history.csv", 1, "cannot write run/history.csv: "),
        ("checksums.csv", 1, "cannot write run/checksums.csv: "),
        ("cost.csv", 130, ""),
    ];
    let begun = cases.map(|(name, ..)| {
        let scratch = Scratch::new();
        let line = format!("train --preset daoud2004 --out run {LIVELY} --generations 1000000");
        let training = scratch.begin(&format!("{line} --threads 1"));
        scratch.remove(&format!("run/{name}"));
        let mut second = (name == "lock").then(|| scratch.start("resume run --quiet"));
        second.iter_mut().for_each(|it| drop(it.begun()));
        (scratch, training, second)
    });
    // If a run ends before its first generation, it has nothing to write.
    std::thread::sleep(A_MOMENT);
    for ((name, code, words), (scratch, mut training, mut second)) in cases.into_iter().zip(begun) {
        training.signal("INT");
        let (status, _, said) = training.wait();
        assert_eq!(status.code(), Some(code), "{name}: {said}");
        holds(&said, &[words]);
        second.iter_mut().for_each(|it| drop(it.interrupted("INT")));
        let is_written_again = name == "lock" || name == "cost.csv";
        assert_eq!(scratch.path("run").join(name).exists(), is_written_again, "{name}");
        if name != "history.csv" {
            assert!(!scratch.text("inspect run").contains("edited"));
            scratch.resume("--max-time 1ns");
        }
    }
}

#[test]
fn of_several_builders_of_one_folder_one_builds() {
    let scratch = Scratch::new();
    let mut builders: Vec<_> =
        (0..3).map(|_| scratch.start("endgame build --seeds 9 --quiet")).collect();
    let ends: Vec<_> = builders.iter_mut().map(|it| it.wait()).collect();
    assert!(ends.iter().any(|(status, ..)| status.success()));
    for (status, _, said) in ends.iter().filter(|(status, ..)| !status.success()) {
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.ends_with(" is building tables in tables\n"), "{said}");
    }
    scratch.ayo("endgame verify tables --quiet").success();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_a_sentence_and_a_failure() {
    let scratch = Scratch::new();
    let train = format!("train --preset daoud2004 --out run {TINY} --generations 1");
    for line in [
        "--help",
        "--version",
        "train --help",
        "perft 3",
        "perft 3 --json",
        "openings plies:2",
        "uci < /dev/null",
        "match random greedy --openings plies:1 --games-out m.games --quiet",
        "endgame build --seeds 3 --out tables --quiet",
        &train,
    ] {
        let said = scratch.shell(&format!("\"$0\" {line} > /dev/full")).code(1).stderr();
        holds(&said, &["ayo: cannot write to standard output: ", "(os error 28)\n"]);
    }
    // The failure is detected before any work is done.
    assert!(scratch.list("").is_empty());
    for line in ["perft 3", "uci", "openings plies:4"] {
        let found = scratch.shell(&format!("(printf 'uci\\n'; sleep 0.3) | \"$0\" {line} | true"));
        assert_eq!(found.success().stderr(), "", "{line}");
    }
    let limited = scratch.shell("ulimit -f 1; exec \"$0\" endgame build --seeds 6 --quiet").code(1);
    assert!(limited.stderr().starts_with("ayo: cannot write tables/awari-"), "{limited:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_start_that_is_refused_leaves_nothing() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("own/history.csv")).unwrap();
    fs::create_dir_all(scratch.path("tables")).unwrap();
    scratch.write("tables/awari-00.ayo", "damaged");
    scratch.write("own/history.csv/file", "");
    let before = scratch.list("");
    let train = format!("train --preset daoud2004 {TINY} --generations 1 --out new/run");
    let few = "ulimit -v 1000000; ";
    let long = "x".repeat(300);
    for (limit, line) in [
        ("", "TRAIN --tables none"),
        ("", "TRAIN --tables tables"),
        ("", "TRAIN --seeds 1..2 --tables none"),
        ("", "TRAIN --fitness tables"),
        ("", "TRAIN --start-from none"),
        ("", "TRAIN --max-time 0"),
        (few, "TRAIN --threads 1024"),
        (few, "TRAIN --seeds 1..2 --threads 1024"),
        ("", &format!("TRAIN{long}")),
        ("", "ablate none -o new/picture.svg"),
        ("", "accuracy random --tables none -o new/picture.svg"),
        ("", "accuracy nobody --tables tables -o new/picture.svg"),
        (few, "compare spsa:openings=1 --budget games=60 --seeds 1 -o new/c.csv --threads 1024"),
        ("", "match random nobody --games-out new/m.games"),
        ("", "book build --player nobody -o new/b.ayo"),
        ("", "endgame build --seeds 48 --memory 9000G --out new/tables"),
    ] {
        let line = line.replace("TRAIN", &train);
        let run = |limit: &str| scratch.shell(&format!("{limit}\"$0\" {line}"));
        let mut found = run(limit);
        // If memory runs out while a thread starts, the standard library or glibc aborts. Retry with another limit.
        let aborts =
            ["allocate an alternative stack", "register TLS destructor", "memory allocation of"];
        for limit in ["ulimit -v 1001100; ", "ulimit -v 1003300; ", "ulimit -v 997700; "] {
            if aborts.iter().any(|abort| found.stderr().contains(abort)) {
                found = run(limit);
            }
        }
        assert!(matches!(found.output().status.code(), Some(1 | 2)), "{found:?}");
        assert_eq!(scratch.list(""), before, "{found:?}");
    }
    // An existing folder is kept with all its content.
    refused(scratch.ayo(&train.replace("new/run", "own")), 1, &["history.csv"]);
    assert!(scratch.path("own/history.csv/file").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_program_takes_its_engine_along() {
    let scratch = Scratch::new();
    scratch.write("hung.sh", "echo $$ > id; exec sleep 600");
    let mut command = scratch.command();
    command.args(["bestmove", "--player", "uci:cmd=\"sh hung.sh\""]);
    let mut asking = Training::start(command);
    let id = || fs::read_to_string(scratch.path("id")).unwrap_or_default();
    crate::support::wait_until("the engine does not start", || id().ends_with('\n'));
    let engine = std::path::Path::new("/proc").join(id().trim());
    assert!(engine.exists());
    assert!(asking.kill());
    // The killed engine may remain a zombie if nothing reaps it.
    let is_gone = || fs::read_to_string(engine.join("cmdline")).unwrap_or_default().is_empty();
    crate::support::wait_until("the engine lives on", is_gone);
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_is_cut_short_in_use_is_a_sentence() {
    use std::io::{BufRead, Write};
    let scratch = Scratch::with_tables("--seeds 8");
    let mut command = scratch.command();
    command.args("uci --player minimax:tables=tables --rules awari".split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut session = command.spawn().unwrap();
    let mut input = session.stdin.take().unwrap();
    writeln!(input, "uci").unwrap();
    let greeting = std::io::BufReader::new(session.stdout.as_mut().unwrap());
    assert!(greeting.lines().any(|line| line.unwrap() == "uciok"));
    for seeds in 0..=8 {
        let path = scratch.path(&format!("tables/awari-{seeds:02}.ayo"));
        fs::File::options().write(true).open(path).unwrap().set_len(0).unwrap();
    }
    writeln!(input, "position fen 2-0-0-1-0-1-1-0-1-0-0-0-21-21-S\ngo").unwrap();
    drop(input);
    let end = session.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&end.stderr);
    assert!(end.status.code() == Some(1) && said.contains("truncated"), "{said}");
}

#[cfg(unix)]
#[test]
fn plain_minimax_stops_at_the_first_signal() {
    let scratch = Scratch::new();
    let mut playing =
        scratch.start("match plain-minimax:depth=20 random --games 2 --threads 1 --quiet");
    std::thread::sleep(A_MOMENT);
    playing.interrupted("TERM");
}
