//! Pictures of runs: what `ayo plot` accepts, where it writes, and its errors.

use crate::support::{Scratch, TINY, holds, refused};

#[test]
fn seeds_are_grouped_and_generations_cut() {
    let scratch = Scratch::new();
    for seed in 1..=2 {
        scratch.train(&format!("run-{seed}"), &format!("{TINY} --generations 6 --set seed={seed}"));
    }
    scratch.ayo("plot run-1 run-2 --group --generations 3..5 -o cut.svg").success();
    holds(&scratch.read("cut.svg"), &["2 seeds", "generations 3 to 5 shown"]);
}

#[test]
fn folders_are_created_below_the_current_one_alone() {
    let scratch = Scratch::new();
    scratch.ayo("plot seeds -o pictures/of/seeds.svg").success();
    scratch.ayo("plot seeds -o ./more/./seeds.png").success();
    assert!(scratch.path("pictures/of/seeds.svg").exists() && scratch.path("more").exists());
    let missing = scratch.path("mistyped");
    for output in [missing.join("seeds.svg"), "../nowhere-at-all/seeds.svg".into()] {
        let line = format!("plot seeds -o {}", output.display());
        let words = ["does not exist", "only folders below the current directory are created"];
        refused(scratch.ayo(&line), 1, &words);
    }
    assert!(!missing.exists());
    scratch.ayo(&format!("plot seeds -o {}", scratch.path("more/2.svg").display())).success();
}
