//! Weights by pit content: training, resuming, fixing, ablation, export and drawing.

use mancala::eval::read;
use serde_json::json;

use crate::support::{Scratch, TINY, column, holds, refuses};

/// A quick run. Its third generation is the first to search deeper than three plies.
pub const SMALL: &str = "--preset pits --seed 3 --quiet --depth 4 --population 6 --set warm_up=2 \
                         --set hall_of_fame=1 --set sparring=1 --set openings=random:1,plies=20-30 \
                         --set measure_every=0 --set finalist_games=0";

/// During the warm-up, generations search less deeply, so they differ from those of a run that starts at full depth.
#[test]
fn a_run_warms_up_once() {
    let history = |changes: &str| -> Vec<String> {
        let rest = "--generations 4 --set population=12";
        let scratch = Scratch::trained(&format!("{SMALL} {rest} {changes}"));
        scratch.read("run/history.csv").lines().skip(1).map(str::to_owned).collect()
    };
    let warm = history("");
    let cold = history("--set warm_up=0");
    let shallow = history("--set depth=3");
    assert_eq!(warm[..2], shallow[..2]);
    assert_ne!(warm[..2], cold[..2]);
    assert_ne!(warm[2..], shallow[2..]);
}

/// We can't reuse games from the warm-up, because they would end differently at full depth.
#[test]
fn what_was_played_while_it_warmed_up_is_played_again() {
    let settings = "--generations 4 --set elite=100% --set warm_up=2";
    let scratch = Scratch::trained(&format!("{settings} {TINY} --set depth=4"));
    let played = column(&scratch.read("run/history.csv"), "games_played");
    let played: Vec<u32> = played.iter().map(|it| it.parse().unwrap()).collect();
    assert!(played[2] >= played[0] / 2 && played[0] > 0, "{played:?}");
    assert!(played[1] < played[2] && played[3] < played[2], "{played:?}");
}

#[test]
fn a_weight_whose_feature_has_an_equals_sign_is_fixed_and_drawn() {
    let fix = "--generations 2 --fix m1=0=5,t6=13=-7,bias=100,a10=0";
    let scratch = Scratch::trained(&format!("{SMALL} {fix}"));
    let weights = read(&scratch.read("run/champion.json"), "").unwrap();
    let names: Vec<&str> = weights.features().features().iter().map(|it| it.name()).collect();
    let weight = |name| weights.values()[names.iter().position(|it| *it == name).unwrap()];
    assert_eq!(["m1=0", "t6=13", "bias", "a10"].map(weight), [5, -7, 100, 0]);
    assert_eq!((names.len(), weights.features().to_string().as_str()), (181, "pits"));
    refuses! { scratch, "2 train --preset pits --dry-run", r#"
        --fix m1=0 => --fix | "m1" is not a feature
        --features u1,u2 => u1 is a neuron of a learned layer
    "# }
    for (inputs, output) in [("run", "pits.svg"), ("run/champion.json m1=3", "two.png")] {
        scratch.ayo(&format!("plot {inputs} --what pits -o {output}")).success();
        assert!(scratch.path(output).exists());
    }
    scratch.ayo("plot run -o all.svg").success();
    scratch.refuses("1 plot reference", "--what pits -o none.svg => pits needs weights");
}

#[test]
fn sums_of_contents_have_a_name_and_play() {
    let scratch = Scratch::new();
    let eval = "eval --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S --weights m1=4+m1=5+t2=4+bias+a10";
    let shown = scratch.text(eval);
    let is_listed = |it: &str| it.starts_with("m1=4 ") && it.ends_with(" my pit 1 holds 4");
    assert!(shown.lines().any(is_listed), "{shown}");
    assert!(!shown.contains("m1=5 "), "{shown}");
    let score = scratch.json(&format!("{eval} --json"));
    assert_eq!((&score["score"], &score["features"]), (&json!(3), &json!([1, 0, 1, 1, 0])));
    scratch
        .ayo("match minimax:weights=\"a9+a10+m6=0\",depth=3 random --openings plies:1")
        .success();
    scratch.refuses("2 eval", "--weights u1+u2 => u1 is a neuron of a learned layer");
    scratch.ayo("ablate a9+a10+bias+m6=0 --depth 1 --openings plies:1 -o ablation.svg").success();
    holds(&scratch.read("ablation.svg"), &["my pit 6 holds 0"]);
}
