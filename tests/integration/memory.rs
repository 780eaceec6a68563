//! Memory does not grow with the generations, on however many threads.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::Scratch;

/// What training may take of memory at most, in KiB.
const MOST: u64 = 64 << 10;

/// The most memory that a process has had so far, in KiB.
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?
        .trim()
        .strip_suffix(" kB")?
        .parse()
        .ok()
}

/// Sixty generations in which what the games of one leave behind would pass the limit if it stayed.
#[test]
fn a_run_takes_no_more_memory_the_longer_it_is() {
    if !cfg!(target_os = "linux") {
        eprintln!("NOT CHECKED: the memory of a process is only known on Linux here");
        return;
    }
    // On one thread nothing clears up while games are played.
    for (threads, generations) in [("1", "60"), ("2", "20")] {
        let scratch = Scratch::new();
        let line = "train --preset quick --seed 1 --depth 1 --population 10 \
                    --set measure_every=0 --set finalist_games=0 --out run --quiet";
        let mut command = scratch.command();
        command.args(line.split_whitespace());
        command.args(["--threads", threads, "--generations", generations]);
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let mut most = 0;
        while child.try_wait().unwrap().is_none() {
            most = most.max(peak(&child).unwrap_or(0));
            thread::sleep(Duration::from_millis(5));
        }
        assert!(child.wait().unwrap().success());
        assert!(most > 1000, "the memory of the run was not read: {most} KiB");
        assert!(most < MOST, "{most} KiB on {threads} threads");
    }
}

/// Sizes that users choose are refused where the memory is not there, whatever takes them.
#[cfg(target_os = "linux")]
#[test]
fn a_table_larger_than_memory_is_refused_in_a_sentence() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 3 --out tables --quiet").success();
    let engine = "engine:hash=4096,nodes=10";
    for (line, setting) in [
        ("move --player ENGINE", "hash"),
        ("match ENGINE random --games 2 --games-out new.games --quiet", "hash"),
        ("match engine:hash=900,nodes=10 engine:hash=901,nodes=10 --games 2 --quiet", "hash"),
        ("tournament ENGINE random greedy --openings plies:1 --quiet", "hash"),
        ("book build --positions 1 --player ENGINE -o new.ayo --quiet", "hash"),
        ("accuracy ENGINE --tables tables --sample 10 --quiet", "hash"),
        ("uci --player ENGINE", "hash"),
        ("kalah solve 6 6 --memory 4G --quiet", "--memory"),
        ("endgame build --seeds 48 --memory 9000G --out new --quiet", "48 seeds"),
    ] {
        let line = line.replace("ENGINE", engine);
        let ended = scratch.shell(&format!("ulimit -v 1600000; \"$0\" {line} < /dev/null"));
        let said = ended.stderr();
        assert_eq!(ended.output().status.code(), Some(1), "{line}: {said}");
        assert!(said.starts_with("ayo: ") && said.lines().count() == 1, "{line}: {said}");
        assert!(said.contains(setting), "{line}: {said}");
        // Nothing was begun.
        assert_eq!(scratch.list(""), ["tables"], "{line}");
    }
    let asked = "uci\nsetoption name Hash value 65536\nisready\nposition startpos\ngo nodes 10\n";
    let line = format!("ulimit -v 1600000; printf '{asked}' | \"$0\" uci");
    let said = scratch.shell(&line).success().stdout();
    assert!(said.contains("info string setoption") && said.contains("bestmove"), "{said}");
}
