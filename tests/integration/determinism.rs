//! The same settings and seed give the same bytes, whatever happens on the way.

use crate::support::{Bytes, LIVELY, POOLED, Scratch, TINY, undisturbed};

#[test]
fn on_one_thread_and_on_two() {
    for settings in [LIVELY, POOLED, TINY] {
        let one = undisturbed(&format!("{settings} --generations 15 --threads 1"));
        for threads in [2, 5] {
            let more = undisturbed(&format!("{settings} --generations 15 --threads {threads}"));
            more.assert_same(&one);
        }
    }
}

#[test]
fn after_raising_the_number_of_generations() {
    let at_once = undisturbed(&format!("{TINY} --generations 20"));
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 10")).success();
    scratch.ayo("resume run --generations 20 --quiet").success();
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
    assert!(scratch.read("run/run.toml").contains("\ngenerations = 20 "));
}

#[test]
fn in_pieces_of_any_size_and_number_of_threads() {
    let at_once = undisturbed(&format!("{TINY} --generations 24"));
    let scratch = Scratch::new();
    scratch
        .ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 1 --threads 2"))
        .success();
    for (generations, threads) in [(2, 1), (3, 2), (7, 1), (8, 3), (23, 1), (24, 2)] {
        let arguments = format!("--generations {generations} --threads {threads} --quiet");
        scratch.ayo(&format!("resume run {arguments}")).success();
        assert_eq!(scratch.generation("run"), generations);
    }
    Bytes::of(&scratch.path("run")).assert_same(&at_once);
}

#[test]
fn with_stops_by_time() {
    for settings in [LIVELY, POOLED] {
        let at_once = undisturbed(&format!("{settings} --generations 20"));
        let scratch = Scratch::new();
        let train = format!("train --preset daoud2004 --out run {settings} --generations 20");
        scratch.ayo(&format!("{train} --max-time 1ns")).success();
        for time in ["1ns", "1ms", "7ms", "20ms", "3ms", "40ms"] {
            scratch.ayo(&format!("resume run --quiet --max-time {time}")).success();
        }
        scratch.ayo("resume run --quiet").success();
        Bytes::of(&scratch.path("run")).assert_same(&at_once);
    }
}

#[test]
fn whatever_the_folder_and_the_configuration_are_called() {
    let by_flags = undisturbed(&format!("{TINY} --generations 5"));
    let scratch = Scratch::new();
    scratch.write(
        "settings.toml",
        "preset = \"daoud2004\"\npopulation = 10\nfitness_set = 3\ndepth = 2\nseed = 3\ngenerations = 5\n",
    );
    scratch.run(&["train", "--config", "settings.toml", "--out", "an/other folder"]).success();
    Bytes::of(&scratch.path("an/other folder")).assert_same(&by_flags);
    // The settings that a run folder keeps are a configuration too.
    scratch.run(&["train", "--config", "an/other folder/run.toml", "--out", "again"]).success();
    Bytes::of(&scratch.path("again")).assert_same(&by_flags);
}

#[cfg(unix)]
mod killed {
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    use rand::RngExt;

    use super::*;
    use crate::support::{Training, dice};

    /// How long nobody looks at the files of a process that is waited for.
    const A_LOOK: Duration = Duration::from_micros(200);

    /// Where in a process's life the blow falls.
    #[derive(Debug, Clone, Copy)]
    enum Moment {
        /// While it trains, with nothing on disk of what it has done.
        Training,
        /// When its time is up and it writes everything.
        Flush,
        /// After it was asked to leave: while it finishes a generation or writes.
        Leaving,
    }

    /// Goes on with the run and kills it. Returns whether it was killed while it trained or wrote.
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
            false => format!("train --preset daoud2004 --out run {settings}"),
        };
        let mut training = scratch.start(&format!("{run} --generations 1000000 {limit}"));
        training.begun();
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

    /// Waits until something is appended to a file, or the process has nothing to append and ends.
    fn wait_for_growth(file: &Path, training: &mut Training) {
        let length = || std::fs::metadata(file).unwrap().len();
        let before = length();
        while length() == before && !training.has_ended() {
            sleep(A_LOOK);
        }
    }

    #[test]
    fn twelve_times_at_random_moments() {
        at_random_moments(LIVELY, 12);
    }

    #[test]
    fn eight_times_as_the_default_trainer() {
        at_random_moments(POOLED, 8);
    }

    fn at_random_moments(settings: &str, times: u32) {
        let scratch = Scratch::new();
        let moments = [Moment::Training, Moment::Flush, Moment::Training, Moment::Leaving];
        let (mut kills, mut attempt) = (0, 0);
        while kills < times {
            let moment = moments[attempt as usize % moments.len()];
            kills += u32::from(resume_and_kill(&scratch, settings, moment, attempt));
            attempt += 1;
            assert!(attempt < 200, "only {kills} of {attempt} were killed in time");
            // Nothing needs cleaning up, and the run gets on whatever the killed ones lost.
            let runs = scratch.json("runs . --json");
            assert_eq!(runs["runs"][0]["state"], "stopped", "{moment:?}, attempt {attempt}");
            let further = scratch.generation("run") + 2;
            scratch.ayo(&format!("resume run --generations {further} --quiet")).success();
            assert_eq!(scratch.generation("run"), further);
        }
        let end = scratch.generation("run") + 5;
        scratch.ayo(&format!("resume run --generations {end} --quiet")).success();
        let whole = undisturbed(&format!("{settings} --generations {end}"));
        Bytes::of(&scratch.path("run")).assert_same(&whole);
        let rows = scratch.read("run/cost.csv").lines().count();
        assert_eq!(rows, 1 + end as usize, "rows of cost.csv");
    }

    #[test]
    fn while_the_folder_comes_to_be() {
        let whole = undisturbed(&format!("{TINY} --generations 30"));
        for attempt in 0..18 {
            let mut dice = dice(21, attempt);
            let scratch = Scratch::new();
            let train = format!("train --preset daoud2004 --out run {TINY} --generations 30");
            let mut training = scratch.start(&train);
            // A third of the blows fall after a moment, a third once there is a folder and a third
            // once there is a run, all within milliseconds.
            let sign = ["", "run", "run/run.toml"][attempt as usize % 3];
            while !scratch.path(sign).exists() {
                sleep(A_LOOK);
            }
            sleep(Duration::from_micros(
                dice.random_range(0..[20, 8, 15][attempt as usize % 3] * 1000),
            ));
            training.kill();
            // Either there is no run yet and one can begin, or there is one and it can go on.
            match scratch.path("run/run.toml").exists() {
                true => scratch.ayo("resume run --quiet").success(),
                false => scratch.ayo(&train).success(),
            };
            Bytes::of(&scratch.path("run")).assert_same(&whole);
        }
    }

    #[test]
    fn while_it_is_taken_up_again() {
        let whole = undisturbed(&format!("{TINY} --generations 30"));
        let scratch = Scratch::new();
        scratch
            .ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 12"))
            .success();
        for attempt in 0..20 {
            let mut training = scratch.start("resume run --quiet --generations 1000000");
            sleep(Duration::from_micros(dice(22, attempt).random_range(0..12_000)));
            training.kill();
        }
        assert_eq!(scratch.generation("run"), 12);
        scratch.ayo("resume run --quiet --generations 30").success();
        Bytes::of(&scratch.path("run")).assert_same(&whole);
    }
}
