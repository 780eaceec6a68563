//! The same settings and seed produce the same bytes, regardless of interruptions.

use crate::strength::MEASURED;
use crate::support::{Bytes, LIVELY, POOLED, Scratch, TINY, undisturbed};
use crate::{optimisers, pits};

fn kinds() -> Vec<String> {
    let kalah = "--seed 4 --population 8 --depth 2 --quiet --set openings=random:2,plies=5-9 \
                 --set game=kalah:pits=3,seeds=3 --set measure_every=2 --set measure_openings=2 \
                 --set finalist_games=200 --preset";
    let mut kinds = [LIVELY, POOLED, TINY, pits::SMALL].map(str::to_owned).to_vec();
    kinds.push(format!("{MEASURED} --set panel=1"));
    kinds.extend(["kalah-standard", "kalah-extended"].map(|preset| format!("{kalah} {preset}")));
    kinds.extend(optimisers::PRESETS.map(optimisers::small));
    kinds
}

#[test]
fn on_any_number_of_threads_in_pieces_and_with_stops_by_time() {
    for settings in kinds() {
        eprintln!("{settings}");
        let whole = undisturbed(&format!("{settings} --generations 12 --threads 1"));
        undisturbed(&format!("{settings} --generations 12 --threads 3")).assert_same(&whole);
        let scratch = Scratch::trained(&format!("{settings} --generations 1 --threads 2"));
        for (generations, threads) in [(2, 1), (3, 3), (7, 1)] {
            scratch.resume(&format!("--generations {generations} --threads {threads}"));
            assert_eq!(scratch.generation("run"), generations);
        }
        for time in ["1ns", "7ms", "1ms", "30ms"] {
            scratch.resume(&format!("--generations 12 --max-time {time}"));
        }
        scratch.resume("--generations 12");
        scratch.outputs().assert_same(&whole);
        assert!(scratch.read("run/run.toml").contains("\ngenerations = 12 "));
    }
}

#[test]
fn whatever_the_folder_and_the_configuration_are_called() {
    let by_flags = undisturbed(&format!("{TINY} --generations 5"));
    let scratch = Scratch::new();
    let settings =
        "preset = \"daoud2004\"\npopulation = 10\nfitness_set = 3\ndepth = 2\nseed = 3\n";
    scratch.write("settings.toml", format!("{settings}generations = 5\n"));
    // The settings stored in a run folder are also a valid configuration.
    let kept = "an/other folder/run.toml";
    for (config, out) in [("settings.toml", "an/other folder"), (kept, "again")] {
        scratch.run(&["train", "--config", config, "--out", out]).success();
        Bytes::of(&scratch.path(out)).assert_same(&by_flags);
    }
}

#[cfg(unix)]
mod killed {
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    use rand::RngExt;

    use super::*;
    use crate::support::{Training, dice, train_line};

    const A_LOOK: Duration = Duration::from_micros(200);

    #[derive(Debug, Clone, Copy)]
    enum Moment {
        /// While it trains, before any of the new work is on disk.
        Training,
        /// When its time is up and it writes everything.
        Flush,
        /// After SIGTERM, while it finishes a generation or writes.
        Leaving,
    }

    /// Resumes the run and kills it. Returns whether the kill came before the process ended.
    fn resume_and_kill(scratch: &Scratch, settings: &str, moment: Moment, attempt: u64) -> bool {
        let mut dice = dice(20, attempt);
        let mut up_to =
            |milliseconds: u64| Duration::from_micros(dice.random_range(0..1000 * milliseconds));
        let limit = match moment {
            Moment::Flush => format!("--max-time {}us", 1 + up_to(40).as_micros()),
            Moment::Training | Moment::Leaving => String::new(),
        };
        let run = match scratch.path("run/run.toml").exists() {
            true => "resume run --quiet".to_owned(),
            false => train_line("run", settings),
        };
        let mut training = scratch.begin(&format!("{run} --generations 1000000 {limit}"));
        match moment {
            Moment::Training => sleep(up_to(150)),
            Moment::Flush => {
                wait_for_growth(&scratch.path("run/history.csv"), &mut training);
                sleep(up_to(12));
            }
            Moment::Leaving => {
                sleep(Duration::from_millis(20) + up_to(40));
                training.signal("TERM");
                sleep(up_to(30));
            }
        }
        training.kill()
    }

    fn wait_for_growth(file: &Path, training: &mut Training) {
        let length = || std::fs::metadata(file).unwrap().len();
        let before = length();
        while length() == before && !training.has_ended() {
            sleep(A_LOOK);
        }
    }

    #[test]
    fn at_random_moments() {
        let optimisers = optimisers::PRESETS.map(optimisers::small);
        let mut cases = vec![(LIVELY, 12), (POOLED, 8), (MEASURED, 4)];
        cases.extend(optimisers.iter().map(|settings| (&**settings, 4)));
        for (settings, times) in cases {
            killed_at_random_moments(settings, times);
        }
    }

    fn killed_at_random_moments(settings: &str, times: u32) {
        let scratch = Scratch::new();
        let moments = [Moment::Training, Moment::Flush, Moment::Training, Moment::Leaving];
        let (mut kills, mut attempt) = (0, 0);
        while kills < times {
            let moment = moments[attempt as usize % moments.len()];
            kills += u32::from(resume_and_kill(&scratch, settings, moment, attempt));
            attempt += 1;
            assert!(attempt < 200, "only {kills} of {attempt} were killed in time");
            // Nothing needs cleaning up, and the run advances regardless of the work lost in the kills.
            let runs = scratch.json("runs . --json");
            assert_eq!(runs["runs"][0]["state"], "stopped", "{moment:?}, attempt {attempt}");
            let further = scratch.generation("run") + 2;
            scratch.resume(&format!("--generations {further}"));
            assert_eq!(scratch.generation("run"), further);
        }
        let end = scratch.generation("run") + 5;
        scratch.resume(&format!("--generations {end}"));
        scratch.outputs().assert_same(&undisturbed(&format!("{settings} --generations {end}")));
        let rows = scratch.read("run/cost.csv").lines().count();
        assert_eq!(rows, 1 + end as usize, "rows of cost.csv");
    }

    #[test]
    fn while_the_folder_comes_to_be() {
        let whole = undisturbed(&format!("{TINY} --generations 30"));
        for attempt in 0..18 {
            let mut dice = dice(21, attempt);
            let scratch = Scratch::new();
            let train = train_line("run", &format!("{TINY} --generations 30"));
            let mut training = scratch.start(&train);
            // A third of the kills follow after a random delay, a third once the folder exists, and a third once the
            // run exists, all within milliseconds.
            let sign = ["", "run", "run/run.toml"][attempt as usize % 3];
            while !scratch.path(sign).exists() {
                sleep(A_LOOK);
            }
            sleep(Duration::from_micros(
                dice.random_range(0..[20, 8, 15][attempt as usize % 3] * 1000),
            ));
            training.kill();
            // If there is no run yet, it can be started; otherwise it can be resumed.
            match scratch.path("run/run.toml").exists() {
                true => scratch.resume(""),
                false => scratch.ayo(&train).success(),
            };
            scratch.outputs().assert_same(&whole);
        }
    }

    #[test]
    fn while_it_is_taken_up_again() {
        let whole = undisturbed(&format!("{TINY} --generations 30"));
        let scratch = Scratch::tiny(12);
        for attempt in 0..20 {
            let mut training = scratch.start("resume run --quiet --generations 1000000");
            sleep(Duration::from_micros(dice(22, attempt).random_range(0..12_000)));
            training.kill();
        }
        assert_eq!(scratch.generation("run"), 12);
        scratch.resume("--generations 30");
        scratch.outputs().assert_same(&whole);
    }
}
