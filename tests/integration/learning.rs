//! Runs that learn their features.

use std::collections::BTreeMap;

use crate::support::{Scratch, holds, refused, refuses};

/// A quick run with iterations of three generations.
pub const LEARNING: &str = "--preset learned --features u1..u8 --seed 4 --population 6 --depth 1 --quiet \
                        --set fit_every=3 --set positions=300 --set first_positions=200 --set buffer=600 --set epochs=2 --set gate_openings=4 \
                        --set label_tables=5 --set label_depth=1 \
                        --set measure_every=0 --set finalist_games=0";

/// Returns the files that must be the same in all runs. Only the last checkpoint is among them.
fn left(scratch: &Scratch, run: &str) -> BTreeMap<String, Vec<u8>> {
    let same = ["champion", "features", "history", "iterations", "strength"];
    let names = scratch.list(run);
    let last = names.iter().rfind(|it| it.starts_with("checkpoint"));
    let is_kept = |it: &&String| Some(*it) == last || same.iter().any(|same| it.starts_with(same));
    let kept = names.iter().filter(is_kept);
    kept.map(|it| (it.clone(), scratch.bytes(&format!("{run}/{it}")))).collect()
}

fn layer_of(scratch: &Scratch) -> String {
    let mut names = scratch.list("run").into_iter();
    names.find(|name| name.starts_with("features-")).unwrap()
}

#[test]
#[ignore = "slow: four learned runs"]
fn a_run_that_is_stopped_after_every_generation_learns_the_same() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train {LEARNING} --out whole --generations 7 --threads 2")).success();
    scratch.ayo(&format!("train {LEARNING} --out run --generations 1 --threads 1")).success();
    for generations in 2..=7 {
        let threads = generations % 2 + 1;
        scratch.resume(&format!("--generations {generations} --threads {threads}"));
    }
    let whole = left(&scratch, "whole");
    assert_eq!(whole.keys().filter(|name| name.starts_with("features-")).count(), 3);
    assert_eq!(whole, left(&scratch, "run"));
    let iterations = scratch.read("whole/iterations.csv");
    let rows: Vec<&str> = iterations.lines().skip(1).collect();
    assert!(rows.len() == 3 && rows[2].starts_with("7,3,"), "{iterations}");
    assert!(!rows[2].ends_with(','), "the second iteration's champion has played: {iterations}");
    // All generations of an iteration have the fitted weights as champion, but only the last may have recorded them.
    let champion = |generation: u32| {
        let ended = scratch.ayo(&format!("export whole --generation {generation}"));
        ended.output().status.success().then(|| ended.json()["weights"].clone())
    };
    for (first, last) in [(1, 3), (4, 6)] {
        let of_first = champion(first);
        assert!(of_first.is_none() || of_first == champion(last), "{first}");
    }
    refused(scratch.ayo("resume whole --set fit_every=5 --out other"), 2, &["fit_every"]);
    // Runs in a series don't share layers.
    let learning = LEARNING.replace(" --seed 4", "");
    scratch.ayo(&format!("train {learning} --generations 1 --seeds 3..4 --out series")).success();
    let layers = left(&scratch, "series-4").into_iter();
    let layers: Vec<_> = layers.filter(|(name, _)| name.starts_with("features-")).collect();
    assert!(layers.len() == 1 && layers.iter().all(|(name, layer)| whole[name] == *layer));
}

#[test]
fn a_champion_of_learned_features_plays_and_its_layer_is_missed() {
    let scratch = Scratch::new();
    let said = scratch.train("run", &format!("{LEARNING} --generations 2")).stdout();
    holds(&said, &[" export run -o champion.toml --standalone"]);
    scratch.succeed(&[
        "bestmove --player minimax:weights=run,depth=3",
        "inspect run",
        "export run --standalone",
        "plot run -o run.png",
        "match minimax:weights=run,depth=1 minimax:weights=seeds,depth=1 --openings plies:2 --quiet",
        "doctor run",
    ]);
    let layer = layer_of(&scratch);
    let file = format!("run/{layer}");
    let good = scratch.bytes(&file);
    scratch.flip(&file, good.len() / 2);
    refused(scratch.ayo("bestmove --player minimax:weights=run,depth=1"), 1, &[&layer, "damaged"]);
    scratch.remove(&file);
    refused(scratch.ayo("resume run --generations 3"), 1, &[&layer]);
    scratch.write(&file, good);
    scratch.resume("--generations 3");
}

#[test]
fn features_that_cannot_be_learned_are_refused() {
    let scratch = Scratch::new();
    refuses! { scratch, "2 train --dry-run --preset learned", "
        --rules no-slam => label_tables | no-slam
        --game kalah --features ku1..ku8 => label_tables | kalah
        --features u1..u7 => 8, 16, 24, 32, 48, 64
        --features u2,u1,u3..u8 => in order
        --features a9,a10 => 8, 16, 24, 32, 48, 64
    " }
    scratch.refuses("2 train --dry-run", "--features u1..u16 => layer");
}

#[test]
fn a_layer_that_is_there_is_weighed_by_the_genetic_algorithm() {
    let scratch = Scratch::trained(&format!("{LEARNING} --generations 1"));
    let layer = layer_of(&scratch);
    let tiny =
        "--seed 2 --population 6 --depth 1 --quiet --set finalist_games=0 --set measure_every=0";
    for (name, from) in [("a", "run".to_owned()), ("b", format!("run/{layer}"))] {
        let line = format!("train --features learned:{from} {tiny} --out {name} --generations 3");
        scratch.ayo(&line).success();
    }
    assert_eq!(left(&scratch, "a"), left(&scratch, "b"));
    let line = "resume a --generations 5 --quiet";
    scratch.succeed(&[line, "bestmove --player minimax:weights=a,depth=2", "doctor a"]);
    refuses! { scratch, "2 train", "
        --features learned:seeds --dry-run => seeds | no learned layer
        --config a/run.toml --out c => layer | learned:FILE
    " }
    scratch.remove(&format!("a/{layer}"));
    refused(scratch.ayo("resume a --generations 6"), 1, &[&layer]);
}

#[test]
fn what_units_look_at_and_how_they_were_fitted_is_drawn() {
    let scratch = Scratch::trained(&format!("{LEARNING} --generations 8"));
    let drawn = |line: &str| {
        scratch.ayo(&format!("plot {line} -o picture.svg")).success();
        scratch.read("picture.svg")
    };
    scratch.ayo("export run --standalone -o alone.json").success();
    let [svg, of_champion, alone] =
        ["run", "run/champion.json", "alone.json"].map(|it| drawn(&format!("{it} --what units")));
    assert!(of_champion == alone);
    holds(&svg, &["\nu1\n", "\nu8\n", "\nthat make 2\n", "\nstore\n"]);
    holds(&drawn("run --what fit"), &["\nloss (nats)\n", "\nevolved v. fitted\n"]);
    holds(&drawn("run"), &["\nFit\n", "\nUnits\n"]);
    drawn("run alone.json reference");
    drawn("run run --what fit");
    // If weights weren't learned, there is no picture of learning.
    let layer = layer_of(&scratch);
    scratch.refuses("2 plot -o none.svg", "pits --what units => pits");
    scratch.remove("run/iterations.csv");
    scratch.ayo("plot run -o all.svg").success();
    scratch.refuses(
        "1 plot -o none.svg",
        &format!(
            "reference --what units => units needs weights
         reference --what fit => fit needs a run folder
         run --what fit => fit needs a run folder
         run/{layer} --what units => {layer}"
        ),
    );
    assert!(!scratch.path("none.svg").exists());
}
