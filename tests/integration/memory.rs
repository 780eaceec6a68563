//! More memory than there is.

use crate::support::{Scratch, holds};

/// Sizes that users choose are refused where the memory is not there, whatever takes them.
#[cfg(target_os = "linux")]
#[test]
fn a_table_larger_than_memory_is_refused_in_a_sentence() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --seeds 3 --out tables --quiet").success();
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
        let line = line.replace("ENGINE", "engine:hash=4096,nodes=10");
        let ended = scratch.shell(&format!("ulimit -v 1600000; \"$0\" {line} < /dev/null"));
        let said = ended.code(1).stderr();
        assert!(said.starts_with("ayo: ") && said.lines().count() == 1, "{line}: {said}");
        holds(&said, &[setting]);
        // Nothing was begun.
        assert_eq!(scratch.list(""), ["tables"], "{line}");
    }
    let asked = "uci\nsetoption name Hash value 65536\nisready\nposition startpos\ngo nodes 10\n";
    let line = format!("ulimit -v 1600000; printf '{asked}' | \"$0\" uci");
    let said = scratch.shell(&line).success().stdout();
    holds(&said, &["info string setoption", "bestmove"]);
}
