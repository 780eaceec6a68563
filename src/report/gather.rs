//! Reads run folders into [`RunReport`]s, and plays the games that the report needs.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use arena::{Diagnosis, Forecast, Progress as Trend, Rating, Verdict};
use evolve::run::{RunState, Summary, argument};
use mancala::eval::{Feature, Weights};
use mancala::progress::Progress;
use serde_json::{Value, json};

use super::diagnosis::Diagnosed;
use super::result::{Report, RunCurves, RunReport};
use crate::plot::{Curve, Entry, Generation, Run, averaged, folder_name, minus, shares};
use crate::terminal::{rounded, shell};
use crate::train::report::next_commands;
use crate::train::strength::{LastStrength, Score};

/// The maximum number of points on a fitness curve.
const MAX_POINTS: usize = 200;
/// The maximum time limit. Longer limits could overflow the clock.
const MAX_TIME: Duration = Duration::from_secs(1 << 32);

/// Creates a report on one or more runs. We spend at most `time` on games and leave out sections that need more time.
pub(super) fn report(
    folders: &[PathBuf],
    time: Duration,
    progress: &dyn Progress,
) -> anyhow::Result<Report> {
    let end = Instant::now() + time.min(MAX_TIME);
    let mut runs = Vec::new();
    let mut champions = Vec::new();
    for (folder, left) in folders.iter().zip((1..=folders.len() as u32).rev()) {
        let time = end.saturating_duration_since(Instant::now()) / left;
        let (run, champion) = of_run(folder, time, progress)?;
        champions.extend(champion.map(|it| (run.preset.clone(), it)));
        runs.push(run);
    }
    let is_one_preset = champions.iter().all(|(preset, _)| *preset == champions[0].0);
    let weights: Vec<&Weights> = champions.iter().map(|(_, weights)| weights).collect();
    let agreement = if is_one_preset { agreement(&weights) } else { None };
    Ok(Report { version: env!("CARGO_PKG_VERSION"), runs, agreement })
}

fn of_run(
    folder: &Path,
    time: Duration,
    progress: &dyn Progress,
) -> anyhow::Result<(RunReport, Option<Weights>)> {
    let summary = Summary::of(folder)?;
    let entry = Entry::read(folder, None)?;
    let curves = curves(entry.run.as_ref().expect("a folder is a run"), &summary);
    let settings = &summary.settings;
    let relative = relative(folder);
    let of_games =
        Diagnosed::of(folder, settings, (entry.champion.as_ref(), &curves), time, progress)?;
    // We don't show the folder of a damaged file, because the folder's name may be private.
    let damages =
        summary.damages.iter().map(|it| it.replace(&*folder.join("").to_string_lossy(), ""));
    let findings = summary.findings(&shell::quoted(&relative));
    let findings = damages.chain(findings).chain(of_games.problem.clone()).collect();
    let report = RunReport {
        name: entry.name,
        state: summary.state.to_string(),
        preset: settings.preset.clone(),
        seed: settings.seed,
        game: settings.game().to_string(),
        generation: summary.generation,
        generations: settings.generations,
        hours: curves.hours.last().copied(),
        headline: headline(&of_games, &curves),
        findings,
        next: next(&summary, &relative),
        folder: relative,
        of_games,
        weights: entry.champion.as_ref().map(weights).unwrap_or_default(),
        has_learned_features: settings.own.layers().is_some(),
        curves,
    };
    Ok((report, entry.champion))
}

/// Returns a run folder as the user typed it, for use in commands. Since reports may be published, an absolute path is
/// made relative to the working folder or, if it's outside of that folder, reduced to its last component.
pub(super) fn relative(folder: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let inside = folder.strip_prefix(&current).unwrap_or(folder);
    let path: PathBuf = match inside.is_relative() && inside.file_name().is_some() {
        true => inside.components().filter(|it| *it != Component::CurDir).collect(),
        false => folder_name(folder).into(),
    };
    argument(&path)
}

fn curves(run: &Run, summary: &Summary) -> RunCurves {
    let block = run.generations.len().div_ceil(MAX_POINTS).max(1);
    let curve = |figure: fn(&Generation) -> f64| {
        let points = (1..).map(f64::from).zip(run.generations.iter().map(figure));
        averaged(&points.collect::<Curve>(), block)
    };
    let measured = run.measurements.iter();
    RunCurves {
        fitness: [curve(|it| it.best), curve(|it| it.fitness.mean), curve(|it| it.worst)],
        measured: measured.map(|it| (it.generation, Score::within(it.strength()))).collect(),
        champion: LastStrength::of(summary),
        hours: run.totals.iter().map_while(|it| it.hours).collect(),
    }
}

/// Returns the weights as JSON, largest first.
fn weights(champion: &Weights) -> Vec<Value> {
    let mut weights: Vec<_> =
        champion.features().features().iter().zip(champion.effective()).collect();
    weights.sort_by_key(|(_, weight)| std::cmp::Reverse(weight.unsigned_abs()));
    let json = |(it, weight): (&Feature, i32)| json!({ "feature": it.name(), "weight": weight, "meaning": it.meaning() });
    weights.into_iter().map(json).collect()
}

fn next(summary: &Summary, folder: &str) -> Vec<Value> {
    let (settings, own) = (&summary.settings, summary.argument());
    let words = summary.next_arguments().into_iter();
    let mut resume: Vec<String> =
        words.map(|it| if it == own { folder.to_owned() } else { it }).collect();
    let purpose = match summary.state {
        RunState::Complete => {
            let more = (2 * u64::from(settings.generations)).to_string();
            resume.extend(["--generations".into(), more]);
            Some("Train longer")
        }
        RunState::Running => None,
        RunState::Stopped | RunState::Damaged => Some("Continue the run"),
    };
    let resume = purpose.map(|it| (it, shell::typed(&resume)));
    let next = resume.into_iter().chain(next_commands(folder, settings));
    let json =
        |(purpose, command)| json!({ "purpose": purpose, "command": format!("ayo {command}") });
    next.map(json).collect()
}

/// Compares the champions of several runs with the same preset. Returns `None` if there are fewer than two champions,
/// or if they have no feature in common.
fn agreement(champions: &[&Weights]) -> Option<Value> {
    if champions.len() < 2 {
        return None;
    }
    let mut all: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    for weights in champions {
        for (feature, share) in shares(weights) {
            all.entry(feature).or_default().push(share);
        }
    }
    all.retain(|_, shares| shares.len() == champions.len());
    let cosine = |(one, other): (usize, usize)| -> f64 {
        all.values().map(|shares| shares[one] * shares[other]).sum()
    };
    let pairs = || (0..champions.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    let mut features: Vec<_> = all.iter().collect();
    let size = |shares: &[f64]| shares.iter().sum::<f64>().abs();
    features.sort_by(|a, b| size(b.1).total_cmp(&size(a.1)));
    let json = |(it, shares): &(&Feature, &Vec<f64>)| json!({ "feature": it.name(), "meaning": it.meaning(), "shares": shares });
    let features: Vec<Value> = features.iter().map(json).collect();
    let cosine = pairs().map(cosine).sum::<f64>() / pairs().count() as f64;
    (!features.is_empty()).then(|| json!({ "cosine": cosine, "features": features }))
}

fn headline(diagnosed: &Diagnosed, curves: &RunCurves) -> String {
    let Some(diagnosis) = &diagnosed.diagnosis else {
        let few = if diagnosed.has_all_games { "champions" } else { "games between its champions" };
        return format!("Not enough {few} to tell whether the player became stronger.");
    };
    let unknown = || "too little is known for a forecast".into();
    let forecast = diagnosed.forecast.as_ref().map_or_else(unknown, forecast);
    format!("{}; {}; {forecast}.", gain(diagnosis), last_gain(diagnosis, curves))
}

/// Describes how much stronger the newest champion is than the first.
fn gain(diagnosis: &Diagnosis) -> String {
    let Some(&Rating { elo, elo_ci95: (low, high) }) = diagnosis.ratings.last() else {
        return "One champion".into();
    };
    let margin = (high - low) / 2.0;
    match () {
        () if low > 0.0 => format!("{elo:.0} ± {margin:.0} Elo stronger than at the start"),
        () if high < 0.0 => format!("{:.0} ± {margin:.0} Elo weaker than at the start", -elo),
        () => {
            let elo = minus(&format!("{elo:.0}"));
            // The trend uses all champions, so it may be significant even if the difference is not.
            let is_rise = diagnosis.progress.verdict == Verdict::Yes;
            let trend = if is_rise { ", but the trend of all ratings is up" } else { "" };
            let ends = "No significant difference between the first and the last champion";
            format!("{ends} ({elo} ± {margin:.0} Elo){trend}")
        }
    }
}

fn last_gain(diagnosis: &Diagnosis, curves: &RunCurves) -> String {
    let Trend { verdict, last_gain, .. } = &diagnosis.progress;
    let Some(generation) = *last_gain else {
        return match verdict {
            Verdict::Yes => "date of the last gain unclear",
            Verdict::Undecided => "whether ratings still rise is undecided",
            Verdict::No => "no significant gain",
        }
        .into();
    };
    let time = curves.hours_at(generation);
    let time = time.map_or(String::new(), |it| format!(" ({} of training)", duration(it)));
    format!("ratings still rose significantly after generation {generation}{time}")
}

/// Gains below this limit (in Elo) don't justify more training.
const SMALL_GAIN: f64 = 50.0;

/// Formats a forecast. We only give the upper end of its interval, because progress may end at any time.
fn forecast(forecast: &Forecast) -> String {
    let more = duration(forecast.more);
    let limit = (forecast.gain_ci90.1 / 5.0).ceil().max(1.0) * 5.0;
    match limit <= SMALL_GAIN {
        true => format!("{more} more would probably add less than {limit:.0} Elo"),
        false => format!("{more} more could add up to {limit:.0} Elo"),
    }
}

pub(super) fn duration(hours: f64) -> String {
    Duration::try_from_secs_f64(hours * 3600.0).map_or("unknown".into(), rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_contain_the_folder_as_typed_but_no_absolute_path() {
        let here = std::env::current_dir().unwrap();
        for (folder, shown) in [
            ("populations/a", "populations/a".to_owned()),
            ("./populations/a/", "populations/a".to_owned()),
            ("/home/someone/secret/run-1", "run-1".to_owned()),
            ("../someone/run-1", "../someone/run-1".to_owned()),
            ("src/..", here.file_name().unwrap().to_string_lossy().into()),
            (here.join("runs/b").to_str().unwrap(), "runs/b".to_owned()),
            ("reference", "./reference".to_owned()),
        ] {
            assert_eq!(relative(Path::new(folder)), shown, "{folder}");
        }
    }
}
