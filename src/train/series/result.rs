//! The result of `ayo train --seeds`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use evolve::run::{KnownStrength, RunState, Summary};
use mancala::eval::Strength;
use serde::Serialize;

use crate::compare::MeanScore;
use crate::terminal::{as_map, counted, shell, shell::program, shown};
use crate::train::report::{play_commands, print_commands};
use crate::train::strength::{Score, as_against};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "series")]
pub(super) struct Series {
    preset: String,
    /// The runs, sorted by seed.
    runs: Vec<SeriesRun>,
    /// The mean score of the measured champions against the reference opponents.
    panel: Option<MeanScore>,
    #[serde(serialize_with = "as_map")]
    opponents: Vec<(String, MeanScore)>,
    /// The folder of the run with the strongest champion, if the champions can be compared.
    best: Option<String>,
    interrupted: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct SeriesRun {
    folder: String,
    seed: u64,
    /// The state of the run: `new`, `begun` or `finished`.
    state: &'static str,
    generation: u32,
    /// The champion's mean score against the reference opponents, if it was measured.
    #[serde(flatten)]
    score: Option<Score>,
    #[serde(serialize_with = "as_against")]
    strength: Vec<Strength>,
    strength_generation: Option<u32>,
    /// Whether the champion was selected by final games.
    #[serde(skip)]
    is_final: bool,
    /// The command that continues the run, if it was ended by the time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
}

impl Series {
    pub(super) fn of(preset: &str, runs: Vec<SeriesRun>, interrupted: bool) -> Series {
        let measured = || runs.iter().filter(|run| run.score.is_some());
        let mean = |scores: Vec<Score>| (!scores.is_empty()).then(|| MeanScore::new(&scores));
        let has_one_panel = has_one_panel(&runs);
        let scores = measured().filter_map(|run| run.score).collect();
        let against = |(place, opponent): (usize, &Strength)| {
            let scores = measured().filter_map(|run| Some(run.strength.get(place)?.into()));
            Some((opponent.opponent.clone(), mean(scores.collect())?))
        };
        let opponents = measured().find(|_| has_one_panel).map_or(&[][..], |run| &run.strength);
        let score = |run: &&SeriesRun| run.score.map_or(0.0, |it| it.score);
        // `max_by` returns the last of several equal elements, so we iterate backwards to get the first.
        let best = measured().rev().max_by(|a, b| score(a).total_cmp(&score(b)));
        let best = best.filter(|_| incomparable(&runs).is_none());
        Series {
            preset: preset.into(),
            panel: mean(scores).filter(|_| has_one_panel),
            opponents: opponents.iter().enumerate().filter_map(against).collect(),
            best: best.map(|run| run.folder.clone()),
            interrupted,
            runs,
        }
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let widths = self.runs.iter().map(|run| shown(&run.folder).chars().count());
        let wide = widths.max().unwrap_or(0);
        let mut row = |run: &str, state: &str, generation: &str, measured: &str, strength: &str| {
            writeln!(out, "{run:<wide$}  {state:<8}  {generation:>10}  {measured:>11}  {strength}")
        };
        row("run", "state", "generation", "measured in", "strength")?;
        for run in &self.runs {
            let measured = run.strength_generation.map_or("-".into(), |it| it.to_string());
            let strength = run.score.map_or("-".into(), |it| {
                MeanScore { score: it.score, score_ci95: Some(it.score_ci95) }.to_string()
            });
            let state = if run.resume.is_some() { "time up" } else { run.state };
            row(&shown(&run.folder), state, &run.generation.to_string(), &measured, &strength)?;
        }
        self.print_mean(out)?;
        match (&self.best, incomparable(&self.runs)) {
            (_, Some(why)) => writeln!(out, "{why}, so there is no best run")?,
            (Some(best), None) => writeln!(out, "best in these games: {}", shown(best))?,
            (None, None) => {}
        }
        if self.interrupted {
            writeln!(out, "stopped before all runs finished; continue with")?;
            writeln!(out, "  {}", shell::again())?;
            return Ok(());
        }
        let commands = Vec::from_iter(self.runs.iter().filter_map(|run| run.resume.as_ref()));
        if !commands.is_empty() {
            writeln!(out, "time ran out in some runs, which count as finished; continue with")?;
        }
        commands.into_iter().try_for_each(|command| writeln!(out, "  {command}"))?;
        let folders = self.runs.iter().map(|run| shell::quoted(&run.folder));
        let folders = folders.collect::<Vec<_>>().join(" ");
        let picture = shell::quoted(&format!("plots/{}-seeds.png", self.preset));
        writeln!(out, "next:\n  {} plot {folders} --group -o {picture}", program())?;
        let Some(best) = &self.best else { return Ok(()) };
        let run = Summary::of(Path::new(best))?;
        print_commands(play_commands(&run.argument(), &run.settings), out)
    }

    fn print_mean(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(panel) = self.panel else { return Ok(()) };
        let measured = self.runs.iter().filter(|run| run.score.is_some()).count() as u64;
        writeln!(out, "\nmean of {}: {panel}", counted(measured, "seed"))?;
        for (opponent, strength) in &self.opponents {
            writeln!(out, "  {strength} against {}", shown(opponent))?;
        }
        let first = self.runs.iter().filter_map(|run| run.strength.first());
        let terms = BTreeSet::from_iter(first.map(|it| (it.games, &it.openings)));
        if let [(games, openings)] = *Vec::from_iter(terms) {
            writeln!(out, "  in {} each, openings {}", counted(games, "game"), shown(openings))?;
        }
        Ok(())
    }
}

fn has_one_panel(runs: &[SeriesRun]) -> bool {
    let measured = runs.iter().filter(|run| run.score.is_some());
    let panels = measured.map(|run| Vec::from_iter(run.strength.iter().map(|it| &it.opponent)));
    BTreeSet::from_iter(panels).len() <= 1
}

/// Explains why the champions can't be ranked, or returns `None` if they can. They must have played the same opponents,
/// and either all runs had final games, or none did and all have the same number of generations.
fn incomparable(runs: &[SeriesRun]) -> Option<String> {
    if !has_one_panel(runs) {
        return Some("measured against different panels: not comparable".into());
    }
    let measured = || runs.iter().filter(|run| run.score.is_some());
    let generations = BTreeSet::from_iter(measured().map(|run| run.generation));
    let finals = measured().filter(|run| run.is_final).count();
    let at = match *Vec::from_iter(generations) {
        _ if finals == measured().count() => return None,
        _ if finals > 0 => "with and without final games".to_owned(),
        [one, other] => format!("in runs of {one} and {other} generations"),
        [first, .., last] => format!("in runs of {first} to {last} generations"),
        _ => return None,
    };
    Some(format!("measured {at}: not comparable"))
}

impl SeriesRun {
    pub(super) fn new(folder: &Path, seed: u64) -> SeriesRun {
        let folder = folder.display().to_string();
        SeriesRun { folder, seed, state: "new", ..SeriesRun::default() }
    }

    pub(super) fn of(run: &Summary, is_finished: bool, tables: Option<&Path>) -> SeriesRun {
        let state = if is_finished { "finished" } else { "begun" };
        let new = SeriesRun::new(&run.path, run.settings.seed);
        let mut next = run.next_arguments();
        if let Some(tables) = tables.filter(|_| !run.lacks_only_finals()) {
            next.extend(["--tables".into(), tables.to_string_lossy().into_owned()]);
        }
        let is_out_of_time = is_finished && run.state != RunState::Complete;
        let resume = is_out_of_time.then(|| shell::command(&next));
        let begun = SeriesRun { state, generation: run.generation, resume, ..new };
        let Some(KnownStrength { generation, panel, is_final }) = run.known_strength() else {
            return begun;
        };
        let (score, strength) = (Score::mean(&panel), panel);
        SeriesRun { score, strength, strength_generation: Some(generation), is_final, ..begun }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64, scores: &[f64]) -> SeriesRun {
        let strength = |&score: &f64| Strength::new("greedy", "start", 2, score, (score, score));
        let strength: Vec<Strength> = scores.iter().map(strength).collect();
        SeriesRun {
            state: "finished",
            strength_generation: Some(9),
            score: Score::mean(&strength),
            strength,
            ..SeriesRun::new(Path::new(&format!("run-{seed}")), seed)
        }
    }

    fn series(runs: Vec<SeriesRun>) -> Series {
        Series::of("quick", runs, false)
    }

    #[test]
    fn the_mean_is_over_measured_champions() {
        let found =
            series(vec![run(1, &[0.5; 4]), run(2, &[]), run(3, &[0.9; 4]), run(4, &[0.7; 4])]);
        let MeanScore { score, score_ci95 } = found.panel.unwrap();
        let (low, high) = score_ci95.unwrap();
        assert!((score - 0.7).abs() < 1e-12 && low < 0.5 && high == 1.0, "{low} {high}");
        assert_eq!((found.best.as_deref(), found.opponents.len()), (Some("run-3"), 4));
        assert_eq!(found.opponents[3].1.score_ci95, score_ci95);
    }

    #[test]
    fn the_interval_of_equal_scores_is_that_of_the_games() {
        let lost = |seed| {
            let strength = vec![Strength::new("greedy", "start", 40, 0.0, (0.0, 0.14))];
            SeriesRun { strength, ..run(seed, &[0.0]) }
        };
        let (low, high) = series(vec![lost(1), lost(2)]).opponents[0].1.score_ci95.unwrap();
        assert!(low == 0.0 && (high - 0.14 / 2.0_f64.sqrt()).abs() < 1e-12, "{high}");
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
        assert!(why.contains("1 and 500 generations"), "{why}");
    }

    #[test]
    fn the_first_of_equal_champions_is_best_and_a_single_one_has_no_interval() {
        assert_eq!(series(vec![run(2, &[0.5]), run(3, &[0.5])]).best.as_deref(), Some("run-2"));
        let single = series(vec![run(2, &[0.5])]);
        assert_eq!(single.panel, Some(MeanScore { score: 0.5, score_ci95: None }));
        let none = series(vec![run(2, &[])]);
        assert_eq!((none.panel, none.best, none.opponents.len()), (None, None, 0));
    }
}
