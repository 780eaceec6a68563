//! Memory does not grow with the number of generations or threads, and requests for too much memory are rejected.

use std::fs;

use crate::support::{Scratch, holds, peak_memory, wait_until};

/// If the data of each generation's games were never freed, sixty generations would exceed the limit.
#[test]
#[ignore = "slow: a run of 60 generations"]
fn a_run_takes_no_more_memory_the_longer_it_is() {
    // With one thread, nothing is cleaned up while games are played.
    for (threads, generations) in [(1, 60), (2, 20)] {
        let scratch = Scratch::new();
        let (mut most, mut handles) = (0, 0);
        let mut run = scratch.start(&format!(
            "train --preset quick --seed 1 --depth 1 --population 10 --set measure_every=0 \
             --set finalist_games=0 --out run --quiet --threads {threads} --generations {generations}"
        ));
        wait_until("the run does not end", || {
            // Before a new process has loaded its program, it may have copies of our own handles.
            let is_loaded = scratch.path("run/lock").exists();
            let handles_of = |id| fs::read_dir(format!("/proc/{id}/fd")).map_or(0, Iterator::count);
            let open = if is_loaded { handles_of(run.id()) } else { 0 };
            (most, handles) = (peak_memory(run.id()).max(most), open.max(handles));
            run.has_ended()
        });
        run.ended(0);
        assert!((1000..64 << 10).contains(&most), "{most} KiB on {threads} threads");
        assert!((3..16).contains(&handles), "{handles} handles on {threads} threads");
    }
}

/// Users can choose these sizes. Every command rejects them if they don't fit in memory.
#[test]
fn a_table_larger_than_memory_is_refused_in_a_sentence() {
    let scratch = Scratch::with_tables("--seeds 3 --out tables");
    for (line, setting) in [
        ("bestmove --player ENGINE", "hash"),
        ("match ENGINE random --games 2 --games-out new.games --quiet", "hash"),
        ("match engine:hash=900,nodes=10 engine:hash=901,nodes=10 --games 2 --quiet", "hash"),
        ("tournament ENGINE random greedy --openings plies:1 --quiet", "hash"),
        ("book build --positions 1 --player ENGINE -o new.ayo --quiet", "hash"),
        ("accuracy ENGINE --tables tables --sample 10 --quiet", "hash"),
        ("uci --player ENGINE", "hash"),
        ("kalah solve 6 6 --memory 4G --quiet", "--memory"),
        ("endgame build --seeds 48 --memory 9000G --out new --quiet", "48 seeds"),
    ] {
        let line = line.replace("ENGINE", "engine:hash=4096,nodes=10");
        let ended = scratch.shell(&format!("ulimit -v 1600000; \"$0\" {line} < /dev/null"));
        let said = ended.code(1).stderr();
        assert!(said.starts_with("ayo: ") && said.lines().count() == 1, "{line}: {said}");
        holds(&said, &[setting]);
        assert_eq!(scratch.list(""), ["tables"], "{line}");
    }
    let asked = "uci\nsetoption name Hash value 65536\nisready\nposition startpos\ngo nodes 10\n";
    let line = format!("ulimit -v 1600000; printf '{asked}' | \"$0\" uci");
    holds(&scratch.shell(&line).success().stdout(), &["info string setoption", "bestmove"]);
}
