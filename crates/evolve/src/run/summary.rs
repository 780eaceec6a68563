//! Summarises run folders, including those in which a process is currently training.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use mancala::eval::{self, Strength, Weights};
use mancala::store::{self, FileError, Lock};
use serde::Serialize;

use super::{
    CHAMPION, Checkpoint, CheckpointError, Event, Finalist, FolderError, Measurement, Measuring,
    Observer, RecordedTable, Resumed, RunFolder, Settings, Status, Trainer, against_panel,
    champion_is_edited, checkpoints, damaged_lines, finalists, generation_of, past_generation,
    read_strength, scheduled_until, uses_tables,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    Running,
    /// The run is [finished](Summary::is_finished).
    Complete,
    Stopped,
    /// The newest checkpoint, a layer that it needs or the champion cannot be read, or a table is damaged.
    Damaged,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KnownStrength {
    pub generation: u32,
    /// The scores against the reference opponents. This list is never empty.
    pub panel: Vec<Strength>,
    pub is_final: bool,
}

impl fmt::Display for RunState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[derive(Debug, Clone)]
pub struct Summary {
    pub path: PathBuf,
    pub settings: Settings,
    pub state: RunState,
    pub generation: u32,
    pub champion: Option<Weights>,
    /// The name of the champion among the finalists, if it is not the champion of its generation.
    pub champion_name: Option<String>,
    /// Descriptions of all damage, with one sentence for each.
    pub damages: Vec<String>,
    /// Why the last training process failed, if the run is stopped.
    pub failure: Option<String>,
    /// Whether only the final games are missing, or they have begun but not ended.
    pub lacks_finals: bool,
    /// Whether all generations are evaluated and measured.
    is_measured: bool,
}

impl Summary {
    pub fn of(path: &Path) -> Result<Summary, FolderError> {
        let settings = RunFolder::settings(path)?;
        let checkpoints = checkpoints(path)?;
        let generation = checkpoints.last().map_or(0, |(generation, _)| *generation);
        let is_running = Lock::is_held(path);
        // A training process may remove checkpoints that we have just listed.
        let newest = checkpoints.last().filter(|_| !is_running);
        let newest = newest.map(|(_, file)| restored(file, generation, &settings)).transpose();
        let champion = Some(path.join(CHAMPION)).filter(|file| file.exists());
        let champion = champion.map(|file| eval::load(&file.display().to_string())).transpose();
        let mut damages: Vec<String> = newest.as_ref().err().cloned().into_iter().collect();
        damages.extend(champion.as_ref().err().map(ToString::to_string));
        if !is_running {
            damages.extend(damaged_lines(path)?.iter().map(ToString::to_string));
        }
        let (champion, state) = (champion.ok().flatten(), RunState::Stopped);
        let mut summary = Summary {
            path: path.into(),
            settings,
            state,
            generation,
            champion,
            champion_name: None,
            damages,
            failure: None,
            lacks_finals: false,
            is_measured: false,
        };
        if is_running {
            summary.state = RunState::Running;
        } else if !summary.damages.is_empty() {
            summary.state = RunState::Damaged;
        } else {
            let trainer = newest.ok().flatten().flatten();
            summary.champion_name = trainer.as_ref().and_then(|it| summary.other_finalist(it));
            summary.is_measured = trainer.is_some_and(|trainer| summary.has_measured(&trainer));
            if summary.is_measured && summary.is_chosen() {
                summary.state = RunState::Complete;
            }
            let status = Status::read(&summary.path);
            summary.lacks_finals = generation > 0
                && !summary.is_chosen()
                && (summary.is_measured || status.as_ref().is_some_and(|it| it.finals_begun));
            let is_stopped = summary.state == RunState::Stopped;
            summary.failure = status.filter(|_| is_stopped).and_then(|it| it.error);
        }
        Ok(summary)
    }

    /// Describes any damage, or why the last training process failed.
    pub fn error(&self) -> Option<String> {
        let damages = (!self.damages.is_empty()).then(|| self.damages.join("; "));
        damages.or_else(|| self.failure.clone())
    }

    pub fn measurements(&self) -> Vec<Measurement> {
        let recorded = RecordedTable::read(&self.path, "strength.csv");
        recorded.map_or(Vec::new(), |it| read_strength(it.verified(), &self.settings))
    }

    /// Returns whether a run in the state of `trainer` has measured all its generations and selected its champion.
    pub fn is_finished(&self, trainer: &Trainer) -> bool {
        self.has_measured(trainer) && self.is_chosen()
    }

    /// Copies the selected champion to another file if the run continues, and restores `champion.json` if the run is
    /// finished. Returns warnings about everything that was lost or repaired. Note that this must be called on a
    /// summary from before the run was resumed.
    pub fn keep_champion(&self, resumed: &mut Resumed) -> Result<Vec<String>, FileError> {
        let Resumed { folder, trainer, skipped, damages } = resumed;
        let skipped = skipped.iter();
        let skipped =
            skipped.map(|reason| format!("{reason}; continuing from an older checkpoint"));
        let mut warnings: Vec<String> = skipped.chain(damages.iter().cloned()).collect();
        if !self.is_finished(trainer) {
            let kept = folder.keep_selected(self.generation)?;
            let replaced = "training replaces the selected champion in champion.json";
            let kept = kept.map(|kept| format!("{replaced}; {} is a copy", kept.display()));
            warnings.extend(kept.or_else(|| self.older_champion(folder)));
            return Ok(warnings);
        }
        // If the run was stopped, then its last champion may only have passed the short test, which has fewer games.
        let champion = folder.champion().cloned().or_else(|| trainer.champion());
        let is_right = |champion: &Weights| {
            let written = self.champion.as_ref();
            written.is_some_and(|it| self.settings.has_finals() || it == champion)
        };
        if let Some(champion) = champion.filter(|champion| !is_right(champion)) {
            folder.observe(&Event::ChampionSelected(&champion))?;
            let restored = "was missing or damaged and has been restored from the checkpoint";
            warnings.push(format!("{} {restored}", self.path.join(CHAMPION).display()));
        }
        Ok(warnings)
    }

    /// Returns a warning if resuming replaces the champion with an older one, the last to pass a scheduled measurement.
    fn older_champion(&self, folder: &RunFolder) -> Option<String> {
        let generation = |it: &Weights| it.provenance.as_ref().map(|it| it.generation);
        let (was, is) = (generation(self.champion.as_ref()?)?, generation(folder.champion()?)?);
        (is < was).then(|| {
            format!(
                "champion.json goes back from generation {was} to {is}, the last to pass a scheduled measurement"
            )
        })
    }

    fn has_measured(&self, trainer: &Trainer) -> bool {
        let settings = trainer.settings();
        let text = RecordedTable::read(&self.path, "strength.csv");
        let text = text.map_or(String::new(), |it| it.verified().to_owned());
        let recorded = scheduled_until(trainer.generation(), &text, settings);
        let history = store::read_text(&self.path.join("history.csv")).unwrap_or_default();
        trainer.generation() >= settings.generations
            && !Measuring::resume(trainer, &recorded, &history).is_due()
    }

    /// Returns whether the final games have been played (in which case the champion has a strength) or aren't needed.
    fn is_chosen(&self) -> bool {
        let is_measured = self.champion.as_ref().is_some_and(|it| !it.strength.is_empty());
        is_measured || !self.settings.has_finals()
    }

    /// Returns the strength of the champion selected by the final games. If there were no final
    /// games, this is the strength of the most recently measured champion.
    pub fn known_strength(&self) -> Option<KnownStrength> {
        let champion = self.champion.as_ref().filter(|champion| !champion.strength.is_empty());
        let by_finals = champion.map(|champion| {
            let panel = against_panel(&champion.strength).to_vec();
            KnownStrength { generation: generation_of(champion), panel, is_final: true }
        });
        let measured = || {
            let last = self.measurements().into_iter().rfind(|it| it.is_champion)?;
            let panel = last.panel().to_vec();
            Some(KnownStrength { generation: last.generation, panel, is_final: false })
        };
        by_finals.or_else(measured)
    }

    /// Returns the name of the run's champion among the finalists, unless it is the champion of its generation.
    fn other_finalist(&self, trainer: &Trainer) -> Option<String> {
        let champion = self.champion.as_ref()?;
        let is_it = |it: &Finalist| it.weights.values() == champion.values();
        let finalists = finalists(trainer, "", None).into_iter();
        let name = finalists.skip(1).find(is_it)?.name;
        (!name.starts_with("champion of generation")).then_some(name)
    }

    /// Returns warnings about the run. The commands that they suggest contain `folder`.
    pub fn findings(&self, folder: &str) -> Vec<String> {
        let history = store::read_text(&self.path.join("history.csv")).unwrap_or_default();
        let mut found = findings(&self.measurements(), &history, self.settings.candidates());
        if let (Some(name), Some(champion)) = (&self.champion_name, &self.champion) {
            let generation = generation_of(champion);
            found.push(format!(
                "champion.json is the {name}, not the champion of generation {generation}, which plays the games between \
                 champions; to export the latter, use \"ayo export {folder} --generation {generation}\""
            ));
        }
        found.extend(self.unmeasured_champion(folder));
        if champion_is_edited(&self.path) {
            found.push("champion.json has been edited since it was written".into());
        }
        found
    }

    /// Returns a warning if the newest champion of a stopped run is not yet measured, so that `champion.json` is older.
    pub fn unmeasured_champion(&self, folder: &str) -> Option<String> {
        let (champion, newest) = (self.champion.as_ref()?, self.generation);
        let of = generation_of(champion);
        let is_older =
            self.state == RunState::Stopped && champion.strength.is_empty() && of < newest;
        // A champion that was measured may have lost the gating match.
        let is_measured = self.measurements().last().is_some_and(|it| it.generation == newest);
        (is_older && !is_measured).then(|| format!(
            "champion.json is of generation {of}; the champion of generation {newest} has not been measured, but \"ayo \
             export {folder} --generation {newest}\" writes its weights"
        ))
    }

    /// Returns whether all generations are evaluated and measured, but the final games have not been played.
    pub fn lacks_only_finals(&self) -> bool {
        self.lacks_finals && self.is_measured
    }

    /// Returns the arguments of the command that continues the run, or examines it if it is damaged.
    pub fn next_arguments(&self) -> Vec<String> {
        match self.state {
            RunState::Damaged => vec!["doctor".to_owned(), self.argument()],
            _ if self.lacks_only_finals() => vec!["select".to_owned(), self.argument()],
            _ => resume_arguments(&self.path),
        }
    }

    /// Returns the folder as an unambiguous command-line argument.
    pub fn argument(&self) -> String {
        argument(&self.path)
    }

    /// Summarises the run folders directly inside `folder`, sorted by name, or only `folder` if it is itself a run.
    pub fn all_in(folder: &Path) -> std::io::Result<Vec<(PathBuf, Result<Summary, FolderError>)>> {
        if folder.join("run.toml").exists() {
            return Ok(vec![(folder.into(), Summary::of(folder))]);
        }
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("run.toml").exists())
            .collect();
        paths.sort();
        Ok(paths.into_iter().map(|path| (path.clone(), Summary::of(&path))).collect())
    }
}

/// Restores the newest checkpoint of a run that learns its features or that has evaluated all generations. Returns an
/// error if the checkpoint or its layer cannot be read. Other errors are reported when the run is resumed.
fn restored(file: &Path, generation: u32, settings: &Settings) -> Result<Option<Trainer>, String> {
    let bytes = store::read(file).map_err(|error| error.to_string())?;
    let checkpoint = Checkpoint::decode(&bytes);
    let checkpoint = checkpoint.map_err(|error| format!("{} {error}", file.display()))?;
    if settings.own.layers().is_none() && generation < settings.generations {
        return Ok(None);
    }
    let restored = Trainer::restore(settings.clone(), checkpoint);
    match restored.as_ref().err().and_then(CheckpointError::lost_layer) {
        Some(layer) => {
            Err(format!("{layer} is missing or damaged: generation {generation} needs it"))
        }
        None => Ok(restored.ok()),
    }
}

/// Returns arguments that resume the run in a folder. If the run uses tables, then `DIR` stands for their path.
pub fn resume_arguments(folder: &Path) -> Vec<String> {
    let tables = if uses_tables(folder) { ["--tables", "DIR"].as_slice() } else { &[] };
    let words = ["resume".to_owned(), argument(folder)];
    words.into_iter().chain(tables.iter().map(|&it| it.to_owned())).collect()
}

/// Returns a folder as an argument that cannot be mistaken for an option or a weights name.
pub fn argument(folder: &Path) -> String {
    let text = folder.display().to_string();
    let is_ambiguous = text.starts_with('-') || Weights::named(&text).is_some();
    if is_ambiguous { format!("./{text}") } else { text }
}

/// We warn about low diversity if the mean distance is below this fraction of the mean distance in generation 1.
const MIN_DISTANCE: f64 = 0.05;
/// We warn about low diversity if the number of distinct candidates is below this fraction of the population size.
const MIN_DISTINCT: f64 = 0.2;

/// Returns warnings about a run, with one sentence for each. `history` is the content of `history.csv`.
pub fn findings(measurements: &[Measurement], history: &str, population: u32) -> Vec<String> {
    let falling = falling(measurements).into_iter();
    let diversity = diversity(history, population).into_iter();
    falling.chain(diversity).chain(circle(measurements)).collect()
}

/// Warns if the last score is lower than an earlier score and their confidence intervals do not overlap.
fn falling(measurements: &[Measurement]) -> Option<String> {
    let (last, earlier) = measurements.split_last()?;
    let best = earlier.iter().max_by(|a, b| a.strength().0.total_cmp(&b.strength().0))?;
    let ((now, now_margin), (then, then_margin)) = (last.strength(), best.strength());
    (now + now_margin < then - then_margin).then(|| {
        format!(
            "strength has dropped: {then:.2} ±{then_margin:.2} in generation {}, {now:.2} \
             ±{now_margin:.2} in generation {}",
            best.generation, last.generation
        )
    })
}

/// Warns if the candidates are nearly identical.
fn diversity(history: &str, population: u32) -> Option<String> {
    let complete = history.rfind('\n').map_or("", |end| &history[..end]);
    let mut lines = complete.lines();
    let header: Vec<&str> = lines.next()?.split(',').collect();
    let figure = |line: &str, name: &str| {
        let column = header.iter().position(|column| *column == name)?;
        line.split(',').nth(column)?.parse::<f64>().ok()
    };
    let first = lines.next()?;
    let last = lines.next_back()?;
    let (before, now) = (figure(first, "hamming")?, figure(last, "hamming")?);
    let (distinct, generation) = (figure(last, "distinct")?, figure(last, "generation")?);
    let is_lost = now < MIN_DISTANCE * before || distinct < MIN_DISTINCT * f64::from(population);
    is_lost.then(|| {
        format!(
            "low diversity: {distinct} distinct chromosomes of {population} in generation {generation}, differing in \
             {now:.1} bits on average, compared with {before:.1} in generation 1"
        )
    })
}

/// Warns if three champions beat each other in a cycle and each of these three results is significant.
fn circle(measurements: &[Measurement]) -> Option<String> {
    let mut wins = HashSet::new();
    for &Measurement { generation, ref against, .. } in measurements {
        let mut past = Vec::new();
        for it in against {
            let Some(earlier) = past_generation(&it.opponent) else { continue };
            past.push(earlier);
            if it.low > 0.5 {
                wins.insert([generation, earlier]);
            } else if it.high < 0.5 {
                wins.insert([earlier, generation]);
            }
        }
        // There are few pairs to examine, since each champion plays against only a few earlier ones.
        let mut pairs = past.iter().flat_map(|&one| past.iter().map(move |&other| (one, other)));
        let is_circle = |&(one, other): &(u32, u32)| {
            [[generation, one], [one, other], [other, generation]]
                .iter()
                .all(|it| wins.contains(it))
        };
        if let Some((one, other)) = pairs.find(is_circle) {
            return Some(format!(
                "champions form a cycle: generation {generation} beats {one}, {one} beats {other}, {other} beats \
                 {generation}"
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::strength::tests::measurements;

    const HEADER: &str = "generation,best,hamming,distinct\n";

    #[test]
    fn falling_strength_is_reported() {
        let found = findings(&measurements(&[(1, 0.4), (5, 0.8), (10, 0.6)]), "", 50);
        let facts =
            ["strength has dropped", "0.80 ±0.02 in generation 5", "0.60 ±0.02 in generation 10"];
        assert!(found.len() == 1 && facts.iter().all(|it| found[0].contains(it)), "{found:?}");
        assert!(findings(&measurements(&[(1, 0.65), (5, 0.62)]), "", 50).is_empty());
        assert!(findings(&measurements(&[(1, 0.4), (5, 0.6), (10, 0.58)]), "", 50).is_empty());
    }

    #[test]
    fn lost_diversity_is_reported() {
        let found = |rows: &str| findings(&[], &format!("{HEADER}{rows}"), 50);
        let uniform = found("1,5,24.0,50\n2,5,18.0,40\n3,5,0.6,12\n");
        let facts = ["low diversity", "12 distinct", "of 50 in generation 3", "0.6 bits", "24.0"];
        assert!(facts.iter().all(|it| uniform[0].contains(it)), "{uniform:?}");
        assert_eq!(found("1,5,24.0,50\n3,5,6.0,9\n").len(), 1);
        // A line without a newline does not count.
        for healthy in ["1,5,24.0,50\n3,5,6.0,9", "1,5,24.0,50\n2,5,18.0,40\n", ""] {
            assert!(found(healthy).is_empty(), "{healthy}");
        }
    }

    #[test]
    fn a_circle_of_champions_is_reported() {
        let mut taken = measurements(&[(1, 0.5), (5, 0.5), (10, 0.5)]);
        let mut set = |of: usize, against: &str, score: f64| {
            let it = taken[of].against.iter_mut().find(|it| it.opponent == against).unwrap();
            (it.score, it.low, it.high) = (score, score - 0.05, score + 0.05);
            findings(&taken, "", 50)
        };
        set(1, "champion of generation 1", 0.7);
        set(2, "champion of generation 5", 0.7);
        let found = set(2, "champion of generation 1", 0.3);
        assert!(found[0].contains("generation 10 beats 5, 5 beats 1, 1 beats 10"), "{found:?}");
        assert!(set(2, "champion of generation 1", 0.47).is_empty());
    }

    #[test]
    fn a_command_in_a_note_names_its_run() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../populations/reference"));
        let name = Some("mean of late champions".into());
        let summary = Summary { champion_name: name, ..Summary::of(folder).unwrap() };
        let found = summary.findings("runs/a");
        assert!(found.concat().contains("ayo export runs/a --generation "), "{found:?}");
    }

    #[test]
    fn a_long_run_is_checked_quickly() {
        let scores: Vec<(u32, f64)> = (1..=5000).map(|generation| (generation, 0.5)).collect();
        let begun = std::time::Instant::now();
        assert!(findings(&measurements(&scores), "", 50).is_empty());
        assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
    }
}
