//! What others do to the files of a running program, and to those that it left.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Scratch, TINY, Training, program, refused};

/// A run that is measured, of a few generations.
fn measured(scratch: &Scratch) {
    let settings = "--set measure_every=2 --set measure_openings=2 --set panel=1 --generations 5";
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} {settings}")).success();
}

/// A run that continues until it is stopped.
fn endless(scratch: &Scratch) -> Training {
    let mut training = scratch.start(
        "train --preset daoud2004 --out run --depth 2 --generations 1000000 --seed 1 --quiet",
    );
    training.begun();
    training
}

/// Every bit of a table, some in each line, turned one at a time.
fn bits(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        let begin = *at;
        *at += line.len();
        Some((begin, line.len()))
    });
    // The line's end included: without it the next line hangs on to this one.
    (1..).zip(lines).flat_map(|(line, (begin, length))| {
        [0, length / 3, length - 1].map(|place| (line, 8 * (begin + place) + line % 7))
    })
}

fn turned(text: &str, bit: usize) -> Vec<u8> {
    let mut damaged = text.as_bytes().to_vec();
    damaged[bit / 8] ^= 1 << (bit % 8);
    damaged
}

#[test]
fn a_damaged_row_is_named_by_inspect_and_plot() {
    let scratch = Scratch::new();
    measured(&scratch);
    for name in ["history.csv", "strength.csv"] {
        let file = format!("run/{name}");
        let good = scratch.read(&file);
        let last = good.len() - 1;
        for (line, bit) in bits(&good).filter(|(_, bit)| bit / 8 != last) {
            scratch.write(&file, turned(&good, bit));
            let words = [&file, "has changed since it was written", &format!("line {line} ")];
            let inspected = scratch.ayo("inspect run").code(1);
            let said = inspected.stdout();
            assert!(words.iter().all(|word| said.contains(*word)), "bit {bit}: {said}");
            refused(scratch.ayo("plot run -o plot.svg"), 1, &words.map(|it| it as &str));
        }
        scratch.write(&file, good);
    }
    scratch.ayo("inspect run").success();
}

#[test]
fn a_damaged_row_is_named_by_resume_and_not_taken_over() {
    let scratch = Scratch::new();
    measured(&scratch);
    let [history, strength] = ["run/history.csv", "run/strength.csv"].map(|it| scratch.read(it));
    let last = history.lines().last().unwrap();
    scratch.write("run/history.csv", history.replace(last, &last.replacen("5,", "5,1", 1)));
    let said = refused(scratch.ayo("resume run --quiet"), 1, &["run/history.csv, line 6: "]);
    assert!(said.contains("its good rows end at generation 4"), "{said}");
    scratch.write("run/history.csv", &history);
    let last = strength.lines().last().unwrap();
    scratch.write("run/strength.csv", strength.replace(last, &last.replacen("4,", "4,1", 1)));
    let said = scratch.ayo("resume run --quiet --generations 6").success().stderr();
    let line = strength.lines().count();
    let expected = format!(
        "ayo: warning: run/strength.csv, line {line} has changed since it was written; from there on"
    );
    assert!(said.starts_with(&expected), "{said}");
    // The history knows the champion, so it is measured again.
    assert!(scratch.read("run/strength.csv").starts_with(&strength));
    scratch.ayo("inspect run").success();
}

/// A byte that is not UTF-8 at the beginning of a row must not count as the end of the file.
#[test]
fn a_run_with_a_byte_that_is_not_text_is_resumed() {
    let scratch = Scratch::new();
    measured(&scratch);
    let good = scratch.read("run/strength.csv");
    let starts: Vec<usize> = good.match_indices('\n').map(|(at, _)| at + 1).collect();
    for (generations, &start) in (6..).zip(&starts[..starts.len() - 1]) {
        let mut bytes = good.clone().into_bytes();
        bytes[start] ^= 0x80;
        scratch.write("run/strength.csv", bytes);
        scratch.ayo(&format!("resume run --quiet --generations {generations}")).success();
        scratch.ayo("inspect run").success();
    }
}

#[test]
fn a_run_of_a_version_without_checksums_goes_on() {
    let (old, new) = (Scratch::new(), Scratch::new());
    for scratch in [&old, &new] {
        measured(scratch);
    }
    fs::remove_file(old.path("run/checksums.csv")).unwrap();
    old.ayo("inspect run").success();
    for scratch in [&old, &new] {
        scratch.ayo("resume run --quiet --generations 7").success();
    }
    assert_eq!(old.read("run/history.csv"), new.read("run/history.csv"));
    assert!(old.read("run/checksums.csv").contains("\nhistory.csv,8,"));
}

#[test]
fn a_champion_edited_by_hand_is_told_from_a_damaged_one() {
    let scratch = Scratch::new();
    measured(&scratch);
    let good = scratch.read("run/champion.json");
    let weights = good.find("\"weights\": [").unwrap() + "\"weights\": [".len();
    let digit = weights + good[weights..].find(|c: char| c.is_ascii_digit()).unwrap();
    scratch.write("run/champion.json", turned(&good, 8 * digit));
    let damaged = format!("champion.json: damaged: a bit of byte {digit} has changed");
    refused(scratch.ayo("eval --weights run"), 1, &[&damaged]);
    let inspected = scratch.ayo("inspect run").code(1);
    assert!(inspected.stdout().contains(&damaged));
    let name = good.find("\"name\": \"").unwrap() + "\"name\": \"".len();
    scratch.write("run/champion.json", [&good[..name], "my own ", &good[name..]].concat());
    scratch.ayo("eval --weights run").success();
    assert!(scratch.text("inspect run").contains("champion.json has been edited"));
    scratch.write("run/champion.json", good);
    assert!(!scratch.text("inspect run").contains("edited"));
}

#[test]
fn a_lost_champion_of_a_complete_run_is_written_again() {
    let scratch = Scratch::new();
    measured(&scratch);
    let good = scratch.read("run/champion.json");
    let champion = scratch.path("run/champion.json");
    let flipped = turned(&good, 8 * good.find("\"weights\"").unwrap());
    for lose in [&|| fs::remove_file(&champion), &|| fs::write(&champion, &flipped)]
        as [&dyn Fn() -> std::io::Result<()>; 2]
    {
        lose().unwrap();
        let resumed = scratch.ayo("resume run").success();
        assert!(resumed.stderr().contains("champion.json was missing or damaged"));
        assert_eq!(scratch.read("run/champion.json"), good);
        assert!(!scratch.text("inspect run").contains("edited"));
    }
    assert_eq!(scratch.ayo("resume run").success().stderr(), "");
}

#[cfg(unix)]
#[test]
fn a_lock_that_somebody_removes_ends_the_first_trainer_and_not_the_second() {
    let scratch = Scratch::new();
    let mut first = endless(&scratch);
    fs::remove_file(scratch.path("run/lock")).unwrap();
    let mut second = scratch.start("resume run --quiet");
    second.begun();
    first.signal("INT");
    let (status, _, said) = first.wait();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("run/lock") && said.contains("removed or replaced"), "{said}");
    second.signal("INT");
    let (status, _, said) = second.wait();
    assert_eq!(status.code(), Some(130), "{said}");
    scratch.ayo("inspect run").success();
}

#[cfg(unix)]
#[test]
fn a_history_that_somebody_removes_is_missed() {
    let scratch = Scratch::new();
    let mut training = endless(&scratch);
    fs::remove_file(scratch.path("run/history.csv")).unwrap();
    training.signal("INT");
    let (status, _, said) = training.wait();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write run/history.csv: "), "{said}");
    assert!(!scratch.path("run/history.csv").exists());
}

#[cfg(unix)]
#[test]
fn checksums_that_somebody_removes_are_missed() {
    let scratch = Scratch::new();
    let mut training = endless(&scratch);
    for name in ["checksums.csv", "cost.csv"] {
        fs::remove_file(scratch.path("run").join(name)).unwrap();
    }
    // A run that is ended before its first generation has nothing to write.
    std::thread::sleep(std::time::Duration::from_secs(1));
    training.signal("INT");
    let (status, _, said) = training.wait();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write run/checksums.csv: "), "{said}");
    assert!(!scratch.path("run/checksums.csv").exists());
    assert!(!scratch.text("inspect run").contains("edited"));
    scratch.ayo("resume run --max-time 1ns --quiet").success();
}

#[cfg(unix)]
#[test]
fn costs_that_somebody_removes_are_begun_anew() {
    let scratch = Scratch::new();
    let mut training = endless(&scratch);
    fs::remove_file(scratch.path("run/cost.csv")).unwrap();
    training.signal("INT");
    let (status, _, said) = training.wait();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(scratch.read("run/cost.csv").starts_with("generation,nodes,"));
}

#[cfg(unix)]
#[test]
fn names_of_old_temporary_files_are_no_trap() {
    let scratch = Scratch::new();
    scratch.write("precious", "mine");
    fs::create_dir(scratch.path("run")).unwrap();
    let names = ["history.csv", "champion.json", "run.toml"].map(|it| format!("run/.{it}.tmp"));
    for (name, kind) in
        names.iter().chain([&".w.json.tmp".to_owned(), &".p.svg.tmp".to_owned()]).zip(0..)
    {
        match kind % 2 {
            0 => std::os::unix::fs::symlink(scratch.path("precious"), scratch.path(name)).unwrap(),
            _ => {
                let made = Command::new("mkfifo").arg(scratch.path(name)).status().unwrap();
                assert!(made.success());
            }
        }
    }
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 2")).success();
    scratch.ayo("export run --format json -o w.json").success();
    scratch.ayo("plot run -o p.svg").success();
    assert_eq!(scratch.read("precious"), "mine");
}

#[test]
fn of_several_builders_of_one_folder_one_builds() {
    let scratch = Scratch::new();
    let builders: Vec<_> = (0..3)
        .map(|_| {
            let mut command = scratch.command();
            command.args("endgame build --seeds 9 --quiet".split(' '));
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let ends: Vec<_> = builders.into_iter().map(|it| it.wait_with_output().unwrap()).collect();
    assert!(ends.iter().any(|end| end.status.success()));
    for end in ends.iter().filter(|end| !end.status.success()) {
        let said = String::from_utf8_lossy(&end.stderr);
        assert_eq!(end.status.code(), Some(1), "{said}");
        // A process that has just begun may not have written its number yet.
        assert!(
            ["ayo: process ", "ayo: another process "].iter().any(|it| said.starts_with(it)),
            "{said}"
        );
        assert!(said.ends_with(" is building tables in tables\n"), "{said}");
    }
    scratch.ayo("endgame verify tables --quiet").success();
}

/// Runs a line of a shell in which `"$0"` is the program.
#[cfg(unix)]
fn shell(scratch: &Scratch, line: &str) -> std::process::Output {
    let mut shell = scratch.command_of("sh");
    shell.arg("-c").arg(line).arg(program()).output().unwrap()
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
        let found = shell(&scratch, &format!("\"$0\" {line} > /dev/full"));
        let said = String::from_utf8_lossy(&found.stderr);
        assert_eq!(found.status.code(), Some(1), "{line}: {said}");
        let expected =
            "ayo: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!(said, expected, "{line}");
    }
    // It is found out before any work.
    assert!(scratch.list("").is_empty());
    for line in ["perft 3", "uci", "openings plies:4"] {
        let found = shell(&scratch, &format!("(printf 'uci\\n'; sleep 1) | \"$0\" {line} | true"));
        assert!(found.status.success() && found.stderr.is_empty(), "{line}: {found:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_start_that_is_refused_leaves_nothing() {
    let scratch = Scratch::new();
    for folder in ["tables", "own/history.csv"] {
        fs::create_dir_all(scratch.path(folder)).unwrap();
    }
    scratch.write("tables/awari-00.ayo", "damaged");
    scratch.write("own/history.csv/file", "");
    let before = scratch.list("");
    let train = format!("train --preset daoud2004 {TINY} --generations 1 --out new/run");
    let few = "ulimit -v 1000000; ";
    for (limit, line) in [
        ("", format!("{train} --tables none")),
        ("", format!("{train} --tables tables")),
        ("", format!("{train} --seeds 1..2 --tables none")),
        ("", format!("{train} --fitness tables")),
        ("", format!("{train} --start-from none")),
        ("", format!("{train} --max-time 0")),
        (few, format!("{train} --threads 1024")),
        (few, format!("{train} --seeds 1..2 --threads 1024")),
        // The file system refuses the longest of the names.
        ("", format!("{train}{}", "x".repeat(300))),
        ("", "ablate none -o new/picture.svg".into()),
        ("", "accuracy random --tables none -o new/picture.svg".into()),
        ("", "accuracy nobody --tables tables -o new/picture.svg".into()),
        (
            few,
            "compare spsa:openings=1 --budget games=60 --seeds 1 -o new/c.csv --threads 1024"
                .into(),
        ),
        ("", "match random nobody --games-out new/m.games".into()),
        ("", "book build --player nobody -o new/b.ayo".into()),
        ("", "endgame build --seeds 48 --memory 9000G --out new/tables".into()),
    ] {
        let run = |limit: &str| shell(&scratch, &format!("{limit}\"$0\" {line}"));
        let mut found = run(limit);
        // The standard library and glibc abort where memory ends while a thread begins. Another limit ends it elsewhere.
        let aborts = ["allocate an alternative stack", "register TLS destructor"];
        for limit in ["ulimit -v 1001100; ", "ulimit -v 1003300; ", "ulimit -v 997700; "] {
            let message = String::from_utf8_lossy(&found.stderr).into_owned();
            if aborts.iter().any(|abort| message.contains(abort)) {
                found = run(limit);
            }
        }
        let said = String::from_utf8_lossy(&found.stderr);
        assert!(matches!(found.status.code(), Some(1 | 2)), "{line}: {said}");
        assert_eq!(scratch.list(""), before, "{line}: {said}");
    }
    // A folder that was there before stays, with all that is in it.
    refused(scratch.ayo(&train.replace("new/run", "own")), 1, &["history.csv"]);
    assert!(scratch.path("own/history.csv/file").exists());
}

#[cfg(unix)]
#[test]
fn a_file_that_outgrows_its_limit_is_a_sentence() {
    let scratch = Scratch::new();
    let found = shell(&scratch, "ulimit -f 1; exec \"$0\" endgame build --seeds 6 --quiet");
    let said = String::from_utf8_lossy(&found.stderr);
    assert_eq!(found.status.code(), Some(1), "{said}");
    assert!(said.starts_with("ayo: cannot write tables/awari-"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_program_takes_its_engine_along() {
    let scratch = Scratch::new();
    scratch.write("hung.sh", "echo $$ > id; exec sleep 600");
    let mut command = scratch.command();
    command.args(["move", "--player", "uci:cmd=\"sh hung.sh\""]);
    let mut asking = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let soon = |done: &dyn Fn() -> bool| {
        (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            done()
        })
    };
    let id = || fs::read_to_string(scratch.path("id")).unwrap_or_default();
    assert!(soon(&|| id().ends_with('\n')));
    let engine = std::path::Path::new("/proc").join(id().trim());
    assert!(engine.exists());
    asking.kill().unwrap();
    asking.wait().unwrap();
    // Nobody may be there to bury it.
    let is_gone = || fs::read_to_string(engine.join("cmdline")).unwrap_or_default().is_empty();
    assert!(soon(&is_gone), "the engine lives on");
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_is_cut_short_in_use_is_a_sentence() {
    use std::io::Write;

    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 8 --quiet").success();
    let mut command = scratch.command();
    command.args("uci --player minimax:tables=tables --rules awari".split(' '));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut session = command.spawn().unwrap();
    let mut input = session.stdin.take().unwrap();
    writeln!(input, "uci").unwrap();
    let mut greeting = std::io::BufReader::new(session.stdout.as_mut().unwrap());
    let mut line = String::new();
    while line != "uciok\n" {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut greeting, &mut line).unwrap() > 0);
    }
    for seeds in 0..=8 {
        let file = fs::File::options()
            .write(true)
            .open(scratch.path(&format!("tables/awari-{seeds:02}.ayo")));
        file.unwrap().set_len(0).unwrap();
    }
    writeln!(input, "position fen 2-0-0-1-0-1-1-0-1-0-0-0-21-21-S\ngo").unwrap();
    drop(input);
    let end = session.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&end.stderr);
    assert_eq!(end.status.code(), Some(1), "{said}");
    assert!(said.starts_with("ayo: an endgame table was cut short"), "{said}");
}

#[cfg(unix)]
#[test]
fn plain_minimax_stops_at_the_first_signal() {
    let scratch = Scratch::new();
    let line = "match plain-minimax:depth=20 random --games 2 --threads 1 --quiet";
    let mut command = scratch.command();
    command.args(line.split(' '));
    let mut playing = Training::start(command);
    std::thread::sleep(std::time::Duration::from_millis(400));
    playing.signal("TERM");
    let (status, out, _) = playing.wait();
    assert_eq!(status.code(), Some(130), "{out}");
}
