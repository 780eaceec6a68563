//! Runs that differ in the seed alone, side by side.

use std::path::Path;

use serde::Serialize;

use super::{AgainstOpponent, Score, against};
use crate::compare::MeanScore;
use evolve::run::{KnownStrength, Summary};

/// What came of runs of several seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "series")]
pub struct Series {
    /// The preset of all of them.
    pub preset: String,
    /// The runs, by seed.
    pub runs: Vec<SeriesRun>,
    /// The mean over the champions that are measured, of what each scored against the panel.
    pub panel: Option<MeanScore>,
    /// The same against each opponent of the panel.
    #[serde(serialize_with = "super::as_map")]
    pub opponents: Vec<(String, MeanScore)>,
    /// The folder of the run whose champion scored most. None if the runs have reached different generations
    /// and played no final games.
    pub best: Option<String>,
    /// Whether the series ended before its time.
    pub interrupted: bool,
}

/// A run of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesRun {
    /// Its folder.
    pub folder: String,
    /// Its seed.
    pub seed: u64,
    /// Whether it is finished, has begun or is new.
    pub state: SeriesState,
    /// Generations that are evaluated.
    pub generation: u32,
    /// The mean score of its champion against the panel, once it is measured.
    #[serde(flatten)]
    pub score: Option<Score>,
    /// What the champion scored against each of the panel.
    pub strength: Vec<AgainstOpponent>,
    /// The generation of the champion that was measured.
    pub strength_generation: Option<u32>,
    /// Whether it is the champion that final games chose.
    #[serde(skip)]
    pub is_final: bool,
}

/// How far a run of a series is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SeriesState {
    /// It is not begun.
    New,
    /// It is begun.
    Begun,
    /// There is nothing left to do.
    Finished,
}

impl SeriesState {
    /// As people read it.
    pub fn word(self) -> &'static str {
        match self {
            SeriesState::New => "new",
            SeriesState::Begun => "begun",
            SeriesState::Finished => "finished",
        }
    }
}

/// Whether all runs are finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completion {
    /// Every run is finished.
    Finished,
    /// The series was interrupted.
    Interrupted,
}

impl Series {
    /// The result of these runs of a preset.
    pub fn of(preset: &str, runs: Vec<SeriesRun>, completion: Completion) -> Series {
        let measured = || runs.iter().filter(|run| run.score.is_some());
        let mean = |figures: Vec<f64>| (!figures.is_empty()).then(|| MeanScore::new(&figures));
        let is_one_panel = has_one_panel(&runs);
        let scores = measured().filter_map(|run| Some(run.score?.score)).collect();
        let against = |(place, opponent): (usize, &AgainstOpponent)| {
            let scores = measured().filter_map(|run| Some(run.strength.get(place)?.score.score));
            Some((opponent.opponent.clone(), mean(scores.collect())?))
        };
        let opponents = measured().find(|_| is_one_panel).map_or(&[][..], |run| &run.strength);
        let score = |run: &&SeriesRun| run.score.map_or(0.0, |it| it.score);
        // The first of equal ones.
        let best = measured().rev().max_by(|a, b| score(a).total_cmp(&score(b)));
        let best = best.filter(|_| incomparable(&runs).is_none());
        Series {
            preset: preset.into(),
            panel: mean(scores).filter(|_| is_one_panel),
            opponents: opponents.iter().enumerate().filter_map(against).collect(),
            best: best.map(|run| run.folder.clone()),
            interrupted: completion == Completion::Interrupted,
            runs,
        }
    }
}

/// Whether all champions that are measured met the same opponents.
fn has_one_panel(runs: &[SeriesRun]) -> bool {
    let opponents = |run: &SeriesRun| -> Vec<String> {
        run.strength.iter().map(|it| it.opponent.clone()).collect()
    };
    let mut panels = runs.iter().filter(|run| run.score.is_some()).map(opponents);
    panels.next().is_none_or(|first| panels.all(|it| it == first))
}

/// Returns the reason if the champions of some runs cannot be ranked. They can if all were chosen by final games or
/// all runs have reached the same generation.
pub fn incomparable(runs: &[SeriesRun]) -> Option<String> {
    if !has_one_panel(runs) {
        return Some("measured against different panels: not comparable".into());
    }
    let measured = || runs.iter().filter(|run| run.score.is_some());
    let mut generations: Vec<u32> = measured().map(|run| run.generation).collect();
    generations.sort_unstable();
    generations.dedup();
    let finals = measured().filter(|run| run.is_final).count();
    let at = match generations.as_slice() {
        _ if finals == measured().count() => return None,
        _ if finals > 0 => "after final games and without".to_owned(),
        [one, other] => format!("at generations {one} and {other}"),
        [first, .., last] => format!("at generations {first} to {last}"),
        _ => return None,
    };
    Some(format!("measured {at}: not comparable"))
}

impl SeriesRun {
    /// A run that is not begun.
    pub fn new(folder: &Path, seed: u64) -> SeriesRun {
        SeriesRun {
            folder: folder.display().to_string(),
            seed,
            state: SeriesState::New,
            generation: 0,
            score: None,
            strength: Vec::new(),
            strength_generation: None,
            is_final: false,
        }
    }

    /// A run that is on disk.
    pub fn of(run: &Summary, state: SeriesState) -> SeriesRun {
        let new = SeriesRun::new(&run.path, run.settings.seed);
        let begun = SeriesRun { state, generation: run.generation, ..new };
        let Some(KnownStrength { generation, panel, is_final }) = run.known_strength() else {
            return begun;
        };
        let (score, strength) = (Score::mean(&panel), against(&panel));
        SeriesRun { score, strength, strength_generation: Some(generation), is_final, ..begun }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::eval::Strength;

    fn run(seed: u64, scores: &[f64]) -> SeriesRun {
        let strength = |&score: &f64| Strength::new("greedy", "start", 2, score, (score, score));
        let strength: Vec<Strength> = scores.iter().map(strength).collect();
        SeriesRun {
            state: SeriesState::Finished,
            strength_generation: Some(9),
            score: Score::mean(&strength),
            strength: against(&strength),
            ..SeriesRun::new(Path::new(&format!("run-{seed}")), seed)
        }
    }

    fn series(runs: Vec<SeriesRun>) -> Series {
        Series::of("quick", runs, Completion::Finished)
    }

    #[test]
    fn the_mean_is_of_those_that_are_measured() {
        let found =
            series(vec![run(1, &[0.5; 4]), run(2, &[]), run(3, &[0.9; 4]), run(4, &[0.7; 4])]);
        let MeanScore { score, score_ci95 } = found.panel.unwrap();
        let (low, high) = score_ci95.unwrap();
        assert!((score - 0.7).abs() < 1e-12 && low < 0.5 && high == 1.0, "{low} {high}");
        assert_eq!((found.best.as_deref(), found.opponents.len()), (Some("run-3"), 4));
        assert_eq!(found.opponents[3].1.score_ci95, score_ci95);
    }

    #[test]
    fn only_champions_of_one_generation_or_of_final_games_are_ranked() {
        let at = |generation: u32, is_final| {
            let strength_generation = Some(generation);
            let of = run(generation.into(), &[0.5; 4]);
            SeriesRun { generation, strength_generation, is_final, ..of }
        };
        let is_ranked = |runs: &[SeriesRun]| {
            let best = series(runs.to_vec()).best;
            assert_eq!(incomparable(runs).is_none(), best.is_some(), "{runs:?}");
            best.is_some()
        };
        for (runs, expected) in [
            ([at(500, false), at(500, false)], true),
            ([at(1, true), at(500, true)], true),
            ([at(1, false), run(2, &[])], true),
            ([at(1, false), at(500, false)], false),
            ([at(7, false), at(7, true)], false),
        ] {
            assert_eq!(is_ranked(&runs), expected);
        }
        let why = incomparable(&[at(1, false), at(500, false)]).unwrap();
        assert!(why.contains("generations 1 and 500"), "{why}");
    }

    #[test]
    fn equal_champions_are_named_in_order_and_few_have_no_interval() {
        assert_eq!(series(vec![run(2, &[0.5]), run(3, &[0.5])]).best.as_deref(), Some("run-2"));
        let alone = series(vec![run(2, &[0.5])]);
        assert_eq!(alone.panel, Some(MeanScore { score: 0.5, score_ci95: None }));
        let none = series(vec![run(2, &[])]);
        assert_eq!((none.panel, none.best, none.opponents.len()), (None, None, 0));
    }
}
