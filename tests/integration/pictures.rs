//! Pictures of runs: what `ayo plot` accepts, where it writes, and its errors.

use crate::support::{Scratch, TINY, holds, refused};

#[test]
fn seeds_are_grouped_and_generations_cut() {
    let scratch = Scratch::new();
    for seed in 1..=5 {
        scratch.train(&format!("run-{seed}"), &format!("{TINY} --generations 6 --set seed={seed}"));
    }
    scratch.ayo("plot run-1 run-2 run-3 run-4 run-5 --group -o five.svg").success();
    holds(&scratch.read("five.svg"), &["5 seeds · 6 generations"]);
    scratch.ayo("plot run-5 run-3 run-1 run-2 run-4 --group -o again.svg").success();
    assert!(scratch.read("five.svg") == scratch.read("again.svg"));
    scratch.ayo("plot run-1 --generations 3..5 --what fitness -o cut.svg").success();
    holds(&scratch.read("cut.svg"), &["generations 3 to 5 shown"]);
    let cases: [(&str, &[&str]); 2] = [
        ("run-1 --generations 7..", &["run-1", "no generation in 7..: the run has 1 to 6"]),
        ("seeds --group", &["--group", "run folder"]),
    ];
    scratch.refuses(2, "plot -o none.svg", &cases);
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
