//! The same settings and seed produce the same bytes, regardless of interruptions.

use crate::strength::MEASURED;
use crate::support::{Bytes, LIVELY, POOLED, Scratch, TINY, undisturbed};
use crate::{optimisers, pits, settings};

fn kinds() -> Vec<String> {
    let kalah = "--seed 4 --population 8 --depth 2 --quiet --set openings=random:2,plies=5-9 \
                 --set game=kalah:pits=3,seeds=3 --set measure_every=2 --set measure_openings=2 \
                 --set finalist_games=60 --preset";
    let mut kinds = [LIVELY, POOLED, pits::SMALL].map(str::to_owned).to_vec();
    kinds.push(format!("{MEASURED} --set panel=1"));
    kinds.push(format!("{kalah} kalah-standard"));
    kinds.extend(settings::searches().map(optimisers::small));
    kinds
}

#[test]
fn on_any_number_of_threads_in_pieces_and_with_stops_by_time() {
    for settings in kinds() {
        eprintln!("{settings}");
        let whole = undisturbed(&format!("{settings} --generations 6 --threads 1"));
        let scratch = Scratch::trained(&format!("{settings} --generations 1 --threads 2"));
        for (generations, threads) in [(2, 3), (4, 1)] {
            scratch.resume(&format!("--generations {generations} --threads {threads}"));
            assert_eq!(scratch.generation("run"), generations);
        }
        for time in ["1ns", "10ms"] {
            scratch.resume(&format!("--generations 6 --max-time {time}"));
        }
        scratch.resume("--generations 6");
        scratch.outputs().assert_same(&whole);
        assert!(scratch.read("run/run.toml").contains("\ngenerations = 6 "));
    }
}

#[test]
fn whatever_the_folder_and_the_configuration_are_called() {
    let by_flags = undisturbed(&format!("{TINY} --generations 5"));
    let scratch = Scratch::new();
    let settings =
        "preset = \"daoud2004\"\npopulation = 10\nfitness_set = 3\ndepth = 2\nseed = 3\n";
    scratch.write("settings.toml", format!("{settings}generations = 5\n"));
    // The settings in a run folder are also a valid configuration.
    let kept = "an/other folder/run.toml";
    for (config, out) in [("settings.toml", "an/other folder"), (kept, "again")] {
        scratch.run(&["train", "--config", config, "--out", out]).success();
        Bytes::of(&scratch.path(out)).assert_same(&by_flags);
    }
}
