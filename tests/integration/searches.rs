//! Runs that evolve what the engine's search takes for granted.

use crate::support::{Bytes, Scratch, refused};

const SEARCHES: &str = "--preset engine --population 6 --quiet --set nodes=60 --set measure_every=2 \
                        --set measure_openings=2 --set finalist_games=0";

#[test]
fn a_run_leaves_the_same_bytes_on_any_number_of_threads_and_through_a_stop() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {SEARCHES} --out whole --generations 4 --threads 2")).success();
    scratch.ayo(&format!("train {SEARCHES} --out parts --generations 1 --threads 1")).success();
    scratch.ayo("resume parts --generations 4 --threads 1 --quiet").success();
    Bytes::of(&scratch.path("whole")).assert_same(&Bytes::of(&scratch.path("parts")));
}

#[test]
fn a_champion_sets_a_search_and_values_nothing() {
    let scratch = Scratch::new();
    let said = scratch.text(&format!("train {SEARCHES} --out run --generations 2"));
    assert!(said.contains("play --player engine:search=run,movetime=1s"), "{said}");
    for line in [
        "move --player engine:search=run,nodes=500,hash=1",
        "move --player engine:search=run,margin=50,depth=5,hash=1",
        "inspect run",
        "export run --format csv",
        "plot run -o run.png",
    ] {
        scratch.ayo(line).success();
    }
    let as_weights = ["weights", "search"];
    for player in ["minimax:weights=run", "engine:weights=run", "rbh:weights=run"] {
        refused(scratch.ayo(&format!("move --player {player}")), 2, &as_weights);
    }
    refused(scratch.ayo("export run --format c"), 2, &["search", "json"]);
    refused(scratch.ayo("ablate run"), 2, &["search"]);
    refused(scratch.ayo("move --player engine:search=seeds"), 2, &["search", "seeds"]);
    let both = scratch.ayo("move --player engine:search=run,selective=on");
    refused(both, 2, &["selective is \"on\"", "search="]);
    refused(scratch.ayo("move --player engine:margin=-1"), 2, &["margin", "-1", "10000"]);
    refused(scratch.ayo("train --preset engine --set nodes=0"), 2, &["nodes"]);
    scratch.ayo("endgame build --seeds 6 --rules ayo --out tables --quiet").success();
    refused(scratch.ayo("resume run --generations 3 --tables tables"), 2, &["--tables", "search"]);
    refused(scratch.ayo("train --preset engine --tables tables"), 2, &["--tables", "search"]);
    refused(scratch.ayo("train --features margin,a1 --set nodes=5"), 2, &["margin", "a1"]);
}
