//! Series of runs with several seeds: run in parallel, skipped if finished, and rejected before hours are spent.

use crate::support::{Bytes, Scratch, holds, refused, refuses};

const SERIES: &str = "train --preset daoud2004 --out all/run --population 6 --depth 1 --generations 3 --quiet \
                      --set fitness_set=2 --set measure_every=3 --set measure_openings=1 --set panel=1";

#[test]
fn a_run_of_a_series_is_the_run_of_its_seed() {
    let scratch = Scratch::new();
    let said = scratch.text(&format!("{SERIES} --seeds 4..5"));
    assert_eq!(scratch.list("all"), ["run-4", "run-5"]);
    scratch.ayo(&(SERIES.replace("all/run", "alone") + " --seed 5")).success();
    let alone = Bytes::of(&scratch.path("alone"));
    alone.assert_same(&Bytes::of(&scratch.path("all/run-5")));
    // Threads without a run of their own help with the games of other runs. This doesn't change the bytes.
    scratch.ayo(&format!("{} --seeds 4..5 --threads 5", SERIES.replace("all", "many"))).success();
    alone.assert_same(&Bytes::of(&scratch.path("many/run-5")));
    holds(&said, &["all/run-4, seed 4", "all/run-5, seed 5", "mean of 2 seeds: 0.", "next:"]);
    let best = said.lines().find_map(|line| line.strip_prefix("best in these games: ")).unwrap();
    holds(&said, &[&format!("play --player minimax:weights={best},depth=7")]);
    let plot = said.lines().find_map(|line| line.trim().split_once(" plot ")).unwrap().1;
    scratch.ayo(&format!("plot {plot}")).success();
    // Without `--out`, folders are created in the same place as for single runs.
    scratch.ayo(&(SERIES.replace("--out all/run ", "") + " --seeds 2,7")).success();
    assert_eq!(scratch.list("populations"), ["daoud2004-2", "daoud2004-7"]);
}

#[test]
fn the_same_command_goes_on_and_skips_what_is_finished() {
    let scratch = Scratch::new();
    let line = format!("{SERIES} --seeds 1..3");
    // Simulate an interruption, with one finished and one unfinished run.
    scratch.ayo(&(SERIES.replace("all/run", "all/run-1") + " --seed 1")).success();
    let shorter = SERIES.replace("all/run", "all/run-2").replace("generations 3", "generations 2");
    scratch.ayo(&(shorter + " --seed 2")).success();
    let said = scratch.text(&format!("{line} --dry-run"));
    holds(&said, &["run-1, finished\n", "run-2, continues after generation 2\n", "run-3\n"]);
    let said = scratch.text(&format!("{line} --threads 1"));
    let resumed = "run 2 of 3: all/run-2, seed 2, resumed after generation 2";
    assert!(said.starts_with(resumed), "{said}");
    for seed in 2..=3 {
        let alone = SERIES.replace("all/run", &format!("alone-{seed}"));
        scratch.ayo(&format!("{alone} --seed {seed}")).success();
        let [ours, alone] = ["all/run", "alone"].map(|it| scratch.path(&format!("{it}-{seed}")));
        assert!(Bytes::of(&ours) == Bytes::of(&alone), "{seed}");
    }
    let again = scratch.text(&line);
    assert!(again.starts_with("run ") && !again.contains("run 1 of"), "{again}");
    assert_eq!(again, said[said.find("run    ").unwrap()..]);
    // Every run of the series can be extended.
    scratch.ayo(&line.replace("generations 3", "generations 4").replace("1..3", "1,3")).success();
    assert_eq!([1, 2, 3].map(|seed| scratch.generation(&format!("all/run-{seed}"))), [4, 3, 4]);
}

#[test]
#[ignore = "slow: ends runs by time"]
fn the_limit_of_time_bounds_each_run_and_its_final_games() {
    let scratch = Scratch::new();
    let line = "train --preset quick --out all/run --quiet --population 6 --depth 1 --generations 1000000 \
                --set finalist_games=100000000 --set measure_openings=1 --set panel=1 --threads 2 --seeds 1..2 --max-time 1s";
    let begun = std::time::Instant::now();
    let said = scratch.text(line);
    assert!(begun.elapsed().as_secs() < 12, "it took {:?}", begun.elapsed());
    let again = scratch.text(line);
    for seed in [1, 2] {
        let has = |said: &str, verb| said.contains(&format!("ayo {verb} all/run-{seed}\n"));
        assert!(has(&said, "select") && has(&again, "resume") && !has(&again, "select"), "{again}");
    }
    let more = scratch.text(&line.replace("s 1000000", "s 1000001").replace("1s", "1ns"));
    assert!(more.contains("resumed after"), "{more}");
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_the_series() {
    let scratch = Scratch::new();
    let line = SERIES.replace("generations 3", "generations 1000000") + " --seeds 1..2 --threads 1";
    let mut running = scratch.start(&line);
    let table = scratch.path("all/run-1/history.csv");
    crate::support::wait_until("nothing is written", || table.exists() || running.has_ended());
    let out = running.interrupted("INT");
    assert!(out.contains("stopped before all runs finished; continue with\n"), "{out}");
    assert!(out.trim_end().ends_with(" --seeds 1..2 --threads 1"), "{out}");
    assert_eq!(scratch.list("all"), ["run-1"]);
}

#[test]
fn what_would_stop_a_later_run_is_said_before_the_first() {
    let scratch = Scratch::new();
    refuses! { scratch, &format!("2 {SERIES}"), "
        --seeds 5..1 => --seeds | 1..5
        --seeds 1,1 => --seeds | twice
        --seeds 9223372036854775808 => --seeds | largest seed
        --seeds 1..2 --seed 3 => --seed
        --seeds 1..2 --set seed=3 => --set seed
        --seeds 1..2 --dry-run --json => --json
    " }
    let line = format!("{SERIES} --seeds 1..2");
    refused(scratch.ayo(&line.replace("all/run", "..")), 2, &["--out ..", "needs a folder name"]);
    scratch.ayo(&(SERIES.replace("all/run", "all/run-2") + " --seed 2")).success();
    for (was, is, part) in [
        ("depth 1", "depth 2", "depth is 1 instead of 2"),
        ("generations 3", "generations 2", "generations is 3 instead of 2"),
    ] {
        refused(scratch.ayo(&line.replace(was, is)), 2, &["all/run-2", part, "--out"]);
    }
    scratch.write("all/run-1", "in the way");
    assert_ne!(scratch.ayo(&line).output().status.code(), Some(0));
    assert_eq!(scratch.list("all"), ["run-1", "run-2"]);
}
