use std::fs;
use std::path::PathBuf;

use arena::Verdict;
use mancala::laws::{StopAfter, flips};
use mancala::progress::Progress;
use tempfile::TempDir;

use super::*;
use crate::run::{COST, HISTORY, StopPolicy, Trainer, Watched, run_measured, totals};
use crate::testing::{changed, on_any_threads, runner};

const PLAN: CrossGamesPlan = CrossGamesPlan { champions: 5, rounds: 3 };

/// Trains or continues a short run, without gating matches because they would take too long.
fn train(folder: &Path, preset: &str, generations: u32) {
    let (mut folder, mut trainer) = match folder.exists() {
        true => {
            let resumed = RunFolder::resume(folder, Some(generations)).unwrap();
            (resumed.folder, resumed.trainer)
        }
        false => {
            let short =
                "depth=2 population=10 measure_every=2 measure_openings=2 panel=1 finalist_games=0";
            let settings = changed(preset, &format!("{short} generations={generations}"));
            (RunFolder::create(folder, &settings, None).unwrap(), Trainer::new(settings))
        }
    };
    let mut measuring = folder.measuring(&trainer, None).unwrap();
    let watched = Watched { progress: &(), stop: &StopPolicy::default() };
    run_measured(&mut trainer, &mut measuring, &watched, &mut [&mut folder]).unwrap();
}

/// Trains a new run. Its folder is removed together with the [`TempDir`].
fn trained(generations: u32) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("run");
    train(&folder, "quick", generations);
    (scratch, folder)
}

fn play(folder: &Path, progress: &dyn Progress) -> CrossGames {
    cross_games(folder, PLAN, runner(progress)).unwrap()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let entries =
        entries.map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()));
    entries.filter(|(name, _)| name != CROSS_GAMES).collect()
}

#[test]
fn interruptions_and_threads_do_not_matter_and_the_run_is_untouched() {
    let (_scratch, folder) = trained(6);
    let before = files(&folder);
    let stored = folder.join(CROSS_GAMES);
    let whole = on_any_threads(|| {
        let _ = fs::remove_file(&stored);
        play(&folder, &())
    });
    assert!(whole.is_complete && whole.problem.is_none());
    assert_eq!(whole.lineage.generations.len(), 4);
    assert_eq!(whole.lineage.diagnose(1).unwrap().pairs_per_cell, 3);
    let bytes = fs::read(&stored).unwrap();
    for games in [4, 7, 16] {
        fs::remove_file(&stored).unwrap();
        let mut parts = 0;
        let found = loop {
            let found = play(&folder, &StopAfter::reports(games));
            let cells = found.lineage.diagnose(1).map_or(0, |it| it.pairs_per_cell);
            assert!(cells <= 3, "a table with complete rounds");
            parts += 1;
            if found.is_complete || parts > 100 {
                break found;
            }
        };
        assert_eq!((&found, fs::read(&stored).unwrap() == bytes), (&whole, true), "{games} games");
    }
    assert_eq!(files(&folder), before);
}

#[test]
fn a_damaged_file_is_replaced_and_changed_champions_play_again() {
    let (_scratch, folder) = trained(4);
    let whole = play(&folder, &());
    let stored = folder.join(CROSS_GAMES);
    let bytes = fs::read(&stored).unwrap();
    for (bit, damaged) in flips(&bytes, 187) {
        fs::write(&stored, damaged).unwrap();
        let found = play(&folder, &());
        assert!(found.problem.is_some() && found.lineage == whole.lineage, "bit {bit}");
        assert!(fs::read(&stored).unwrap() == bytes);
    }
    // Stored games are ignored if their players, weights, scores or generations are invalid.
    let settings = RunFolder::settings(&folder).unwrap();
    let recorded = recorded_champions(&folder, &settings).unwrap();
    let identity_of = |generation, weights_of| {
        identity(&champion(&settings, &Champion::past(generation, recorded[&weights_of].clone())))
    };
    for first in ["someone".into(), identity_of(1, 4)] {
        let champions = BTreeMap::from([(1, first), (4, identity_of(4, 4)), (9, String::new())]);
        let cells = [((4, 1), vec![4; 9]), ((4, 4), vec![0]), ((1, 4), vec![9, 9])];
        let forged = Stored { champions, cells: BTreeMap::from(cells) };
        fs::write(&stored, FRAME.encode(&forged)).unwrap();
        assert_eq!(play(&folder, &()).lineage, whole.lineage);
        assert_eq!(fs::read(&stored).unwrap(), bytes);
    }
}

/// Creates a folder in place of the games file once a game has been played.
struct Unstorable<'a>(&'a Path);

impl Progress for Unstorable<'_> {
    fn advance(&self, _: u64, _: u64) {
        fs::create_dir_all(self.0).unwrap();
    }
}

#[test]
fn games_that_cannot_be_stored_are_returned() {
    let (_scratch, folder) = trained(3);
    let stored = folder.join(CROSS_GAMES);
    let found = play(&folder, &Unstorable(&stored));
    assert!(found.problem.is_some() && found.is_complete);
    fs::remove_dir(stored).unwrap();
    assert_eq!(play(&folder, &()).lineage, found.lineage);
}

#[test]
fn games_are_kept_when_the_run_continues() {
    let (_scratch, folder) = trained(6);
    play(&folder, &());
    train(&folder, "quick", 8);
    let [counter, afresh] = [(); 2].map(|()| StopAfter::reports(u64::MAX));
    let continued = play(&folder, &counter);
    fs::remove_file(folder.join(CROSS_GAMES)).unwrap();
    assert_eq!(play(&folder, &afresh), continued);
    assert!(counter.count() < afresh.count());
    let none = CrossGamesPlan { rounds: 0, ..PLAN };
    let stored = cross_games(&folder, none, runner(&())).unwrap();
    assert_eq!(stored.lineage, continued.lineage);
}

#[test]
fn all_optimisers_and_games() {
    let scratch = tempfile::tempdir().unwrap();
    for preset in ["standard", "daoud2004", "cma-es", "spsa", "kalah-standard"] {
        let folder = scratch.path().join(preset);
        train(&folder, preset, 3);
        let found = play(&folder, &());
        let generations = &found.lineage.generations;
        assert!(generations.first() == Some(&1) && generations.last() == Some(&3), "{preset}");
        assert!(found.is_complete && found.champions.len() >= 2, "{preset}");
    }
}

#[test]
fn runs_with_learned_features_have_other_features_in_each_iteration() {
    let scratch = tempfile::tempdir().unwrap();
    for (file, bytes) in
        files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../populations/learned")))
    {
        fs::write(scratch.path().join(file), bytes).unwrap();
    }
    let plan = CrossGamesPlan { champions: 5, rounds: 4 };
    let found = cross_games(scratch.path(), plan, runner(&())).unwrap();
    let generations = &found.lineage.generations;
    assert_eq!((generations.first(), generations.last()), (Some(&1), Some(&640)));
    let layers: BTreeSet<_> =
        found.champions.iter().map(|it| it.features().layer().unwrap().file_name()).collect();
    assert!(layers.len() > 2 && layers.len() == generations.len(), "{layers:?}");
    assert!(found.lineage.diagnose(1).unwrap().ratings.last().unwrap().elo > 100.0);
    assert_eq!(found.lineage.diagnose(1).unwrap().disengagement.verdict, Verdict::No);
}

#[test]
fn generations_are_spread_evenly_and_stay_selected() {
    let select = |last: u32, most| spread(1..=last, most);
    assert_eq!(select(100, 5), [1, 32, 64, 96, 100]);
    assert_eq!(select(3, 40), [1, 2, 3]);
    assert_eq!(spread([7].into_iter(), 40), [7]);
    for last in 1..300 {
        let [few, many, longer] = [select(last, 10), select(last, 40), select(last + 50, 40)];
        assert!(many.len() <= 40 && (many.len() >= 20 || last < 40));
        assert_eq!([many[0], *many.last().unwrap()], [1, last]);
        assert!(few.iter().all(|it| many.contains(it)));
        let kept = many.iter().filter(|it| longer.contains(it)).count();
        assert!(4 * kept >= many.len(), "{last}: {kept} of {}", many.len());
    }
}

fn first(count: usize, lineage: &Lineage) -> Lineage {
    let mut pairs = Crosstable::new(count);
    for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
        pairs.add_all(a, b, lineage.pairs.between(a, b));
    }
    let Lineage { generations, originals, .. } = lineage;
    Lineage {
        generations: generations[..count].into(),
        originals: originals[..count].into(),
        pairs,
    }
}

/// For real runs, compares forecasts after 10 %, 15 %, … and 50 % of the time with the champion after twice that time.
#[test]
#[ignore = "prints the coverage in docs/report.md for the run folders in RUNS, and plays games in them"]
fn coverage_of_forecasts_for_real_runs() {
    let runs = std::env::var("RUNS").expect("run folders, separated by spaces");
    for run in runs.split_whitespace().map(Path::new) {
        let plan = CrossGamesPlan { champions: 81, ..CrossGamesPlan::default() };
        let lineage = cross_games(run, plan, runner(&())).unwrap().lineage;
        let [history, costs] =
            [HISTORY, COST].map(|file| fs::read_to_string(run.join(file)).unwrap());
        let totals = totals(&history, &costs);
        let hours = |it: &u32| totals[*it as usize - 1].hours.unwrap();
        let costs: Vec<f64> = lineage.generations.iter().map(hours).collect();
        let ratings = lineage.ratings().unwrap();
        let (mut forecasts, mut covered, mut width) = (0, 0, 0.0);
        for twentieths in 2..=10 {
            let end = costs.last().unwrap() * f64::from(twentieths) / 20.0;
            let count = costs.partition_point(|it| *it <= end);
            let later = costs.partition_point(|it| *it < 2.0 * costs[count - 1]);
            let known = first(count, &lineage).ratings().unwrap();
            let Some(found) = arena::forecast(&costs[..count], &known, costs[count - 1]) else {
                continue;
            };
            let actual = ratings.of(later, Some(count - 1)).elo;
            let (low, high) = found.gain_ci90;
            println!("  {count:>3} {actual:>5.0} {:>5.0} {low:>5.0} {high:>5.0}", found.gain);
            forecasts += 1;
            covered += u32::from((low..=high).contains(&actual));
            width += high - low;
        }
        let width = width / f64::from(forecasts);
        println!("{}: {covered} of {forecasts}, mean width {width:.0}", run.display());
    }
}
