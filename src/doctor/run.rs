//! Examines the files in run folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evolve::learn::{FIT, POSITIONS};
use evolve::optimise::ChromosomeError;
use evolve::run::{
    CHAMPION, CONFIGURATION, COST, COST_HEADER, Checkpoint, FINALS, FolderError, HISTORY,
    ITERATIONS, ITERATIONS_HEADER, LOG, Measurement, RecordedTable, RunFolder, STRENGTH, Settings,
    Status, StopFile, Summary, Trainer, argument, checkpoints, good_rows, header, is_layer,
    known_rows, noted, read_layers, read_strength, resume_arguments,
};
use mancala::eval;
use mancala::store::{self, CHECKSUMS, Checksums, Lock, Verdict};

use super::{ExaminedFile, left_over, lock, results};
use crate::report;
use crate::terminal::{shell::command, shell::typed};

const TABLES: &str = "tables.toml";
const TIMES: &str = "generation times";
const FITS: &str = "feature training";
const CHECKSUMS_HOLD: &str = "checksums of the other files";

/// Returns whether a folder with these files is a run folder, even if it is incomplete.
pub(super) fn is_run(names: &[String]) -> bool {
    let is_of_run = |name: &String| name == CONFIGURATION || name == HISTORY || is_checkpoint(name);
    names.iter().any(is_of_run)
}

fn is_checkpoint(name: &str) -> bool {
    name.starts_with("checkpoint-") && name.ends_with(".ayo")
}

fn up_to(generation: u32) -> String {
    format!("the run up to generation {generation}")
}

fn needs(layer: Option<&String>) -> String {
    layer.map_or(String::new(), |layer| format!("; needs {layer}"))
}

/// If the error was caused by a layer that couldn't be read, returns the layer's file name.
fn layer_in(error: &FolderError) -> Option<String> {
    let path = match error {
        FolderError::File(error) => &error.path,
        FolderError::Invalid { place, .. } => Path::new(place),
        _ => return None,
    };
    path.file_name()?.to_str().filter(|name| is_layer(name)).map(String::from)
}

/// Describes a file that a run doesn't require. Returns `None` for any other file.
fn dispensable(name: &str) -> Option<&'static str> {
    Some(match name {
        FIT => "the state of the last fit, which is recomputed if it is missing",
        POSITIONS => "positions to which features are fitted; they are collected again if missing",
        FINALS => "results of interrupted finals, which are played again if they are missing",
        StopFile::NAME => "a stop request that came too late; it is removed when training starts",
        LOG => "the output of detached processes",
        _ if report::FILES.contains(&name) => "part of the report, rewritten by `ayo report`",
        _ if name.ends_with(".damaged") || name.ends_with(".ahead") => {
            "renamed when the run was resumed; it can be deleted"
        }
        _ => return None,
    })
}

/// Examines a run folder. If a training process is using it, its files may be changing, so we don't look at them.
pub(super) fn examine(folder: &Path, names: &[String]) -> Vec<ExaminedFile> {
    if Lock::is_held(folder) {
        let holds = "a running process is using this run: check it after the process has ended";
        return vec![ExaminedFile::sound(CONFIGURATION, holds)];
    }
    let run = Run::read(folder);
    let mut files = vec![run.configuration()];
    if run.newest() > 0 {
        let expected = [HISTORY, CHAMPION, STRENGTH, CHECKSUMS, COST, ITERATIONS];
        let missing = expected.into_iter().filter(|file| !names.iter().any(|name| name == file));
        files.extend(missing.filter_map(|file| run.missing(file)));
    }
    let others = names.iter().filter(|name| *name != CONFIGURATION);
    files.extend(others.map(|name| run.file(name)));
    let lost = run.lost.iter().filter(|layer| !names.contains(layer));
    files.extend(lost.map(|layer| run.layer(layer)));
    files
}

/// The state of a run, reconstructed from its folder. Each file is checked against this state.
struct Run<'a> {
    folder: &'a Path,
    /// What is wrong with `run.toml`, if anything: the damage or, if it matches no checkpoint, one of the differences.
    damage: Option<String>,
    /// The settings in `run.toml` or, if that file is damaged, the settings in the newest valid checkpoint.
    settings: Option<Settings>,
    /// A map from the generation of each valid checkpoint to the missing or damaged layer that it needs, if any.
    checkpoints: BTreeMap<u32, Option<String>>,
    /// The missing or damaged layers that are needed by the settings, a checkpoint, the champion or a measurement.
    lost: BTreeSet<String>,
    rows: u32,
    checksums: Checksums,
}

impl Run<'_> {
    fn read(folder: &Path) -> Run<'_> {
        let configured = RunFolder::settings(folder);
        let mut decoded: Vec<Checkpoint> = checkpoints(folder)
            .unwrap_or_default()
            .iter()
            .filter_map(|(_, file)| Checkpoint::decode(&store::read(file).ok()?).ok())
            .collect();
        let difference = |checkpoint: &Checkpoint| {
            Some(checkpoint.compare(configured.as_ref().ok()?).err()?.to_string())
        };
        // If run.toml differs from every checkpoint, it must have been edited. If it matches some
        // of them, the other checkpoints must belong to another run.
        let mut changed = decoded.last().and_then(difference);
        if decoded.iter().any(|checkpoint| difference(checkpoint).is_none()) {
            decoded.retain(|checkpoint| difference(checkpoint).is_none());
            changed = None;
        }
        let mut lost: BTreeSet<String> =
            configured.as_ref().err().into_iter().filter_map(layer_in).collect();
        let recorded = || {
            let mut settings = decoded.last()?.settings().ok()?;
            read_layers(folder, &mut settings).ok().map(|()| settings)
        };
        let damage = match &configured {
            Err(error) if lost.is_empty() => Some(error.to_string()),
            _ => changed,
        };
        let settings = configured.ok().filter(|_| damage.is_none()).or_else(recorded);
        let rows = settings.as_ref().map_or(0, |settings| {
            let history = RecordedTable::read(folder, HISTORY);
            history.map_or(0, |table| good_rows(table.verified(), &header(settings)).len() as u32)
        });
        let layer_of = |checkpoint: Checkpoint| match &settings {
            None => lost.first().cloned(),
            Some(settings) => Trainer::restore(settings.clone(), checkpoint).err()?.lost_layer(),
        };
        let checkpoints: BTreeMap<u32, Option<String>> =
            decoded.into_iter().map(|it| (it.generation(), layer_of(it))).collect();
        lost.extend(checkpoints.values().flatten().cloned());
        let checksums = Checksums::of(folder).unwrap_or_default();
        let mut run = Run { folder, damage, settings, checkpoints, lost, rows, checksums };
        run.lost.extend(run.champion_layer().filter(|layer| run.layer(layer).damage.is_some()));
        run.lost.extend(run.unread_measurement().and_then(|(_, layer)| layer));
        run
    }

    /// Returns the generation of the newest valid checkpoint, or 0 if there is none.
    fn newest(&self) -> u32 {
        self.checkpoints.last_key_value().map_or(0, |(newest, _)| *newest)
    }

    /// Returns the generation from which the run can be resumed, if any.
    fn resumable(&self) -> Option<u32> {
        let is_usable = |generation: u32| self.damage.is_none() && generation <= self.rows;
        self.usable().rev().find(|generation| is_usable(*generation))
    }

    /// Returns the generations of the checkpoints whose layer isn't missing or damaged, oldest first.
    fn usable(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.checkpoints.iter().filter(|(_, layer)| layer.is_none()).map(|(it, _)| *it)
    }

    /// Returns all lines of a table before the first one that doesn't match its checksum.
    fn text(&self, name: &str) -> String {
        RecordedTable::read(self.folder, name)
            .map_or(String::new(), |table| table.verified().to_owned())
    }

    fn configuration(&self) -> ExaminedFile {
        let Some(damage) = &self.damage else {
            let holds = match (&self.settings, self.lost.first()) {
                (Some(settings), _) => self.summary(settings),
                (None, layer) => format!("the settings of a run{}", needs(layer)),
            };
            return self.mark_if_edited(ExaminedFile::sound(CONFIGURATION, holds));
        };
        let damaged = ExaminedFile::damaged(CONFIGURATION, "the settings of a run", damage);
        let Some((newest, _)) = self.checkpoints.last_key_value() else { return damaged };
        let checkpoint = self.folder.join(format!("checkpoint-{newest:06}.ayo"));
        let inspect = command(&["inspect", &checkpoint.to_string_lossy()]);
        let saved = "all settings except the number of generations; a checkpoint contains them, and the file can be restored by hand";
        damaged.saved_by(saved, Some(inspect))
    }

    fn summary(&self, settings: &Settings) -> String {
        let summary = Summary::of(self.folder);
        let state = summary.map_or("unknown".into(), |summary| summary.state.to_string());
        let (preset, seed, all) = (&settings.preset, settings.seed, settings.generations);
        format!("{preset} run, seed {seed}, {state}, {} of {all} generations", self.newest())
    }

    /// Describes a missing file. Returns `None` if this run wouldn't have written it.
    fn missing(&self, name: &str) -> Option<ExaminedFile> {
        let lost = ExaminedFile::damaged(name, "", "it is missing");
        let (holds, consequence) = match name {
            HISTORY => return Some(self.offer_resume_or_new_run(lost)),
            CHAMPION => return Some(self.offer_champion(lost)),
            STRENGTH => {
                // If measurements are enabled, then the first generation is always measured, so the file should exist.
                self.settings.as_ref().filter(|settings| settings.measure_every > 0)?;
                let saved = "the past champions; resuming measures them again";
                return Some(self.offer_resume(lost, saved));
            }
            CHECKSUMS => {
                (CHECKSUMS_HOLD, "changes to tables and the champion cannot be detected without it")
            }
            ITERATIONS => {
                self.settings.as_ref()?.own.layers()?;
                (FITS, "losses and gating matches are lost, but no run needs them")
            }
            _ => (TIMES, "nodes and times are lost, but no run needs them"),
        };
        let missing = Some(consequence.into());
        let missing = ExaminedFile { missing, ..ExaminedFile::sound(name, holds) };
        Some(self.offer_resume(missing, "nothing; resuming starts a new file"))
    }

    fn file(&self, name: &str) -> ExaminedFile {
        match name {
            HISTORY => {
                let holds = match self.rows {
                    0 => "no generations yet".into(),
                    rows => format!("rows for generations 1 to {rows}"),
                };
                let file = ExaminedFile::of(name, holds, self.damage_of_table(HISTORY));
                self.offer_resume_or_new_run(file)
            }
            STRENGTH => self.strength(),
            COST | ITERATIONS => {
                let text = self.text(name);
                let (title, header) = match name {
                    COST => (TIMES, COST_HEADER),
                    _ => (FITS, ITERATIONS_HEADER),
                };
                let known = known_rows(&text, header, self.newest()).len();
                let is_other = name == COST && !text.starts_with(header);
                let other = if is_other { ", another header" } else { "" };
                let holds = format!("{title}: {known}{other}");
                let file = ExaminedFile::of(name, holds, self.damage_of_table(name));
                self.offer_resume(file, "the rows before it")
            }
            CHAMPION => self.champion(),
            TABLES => self.tables(),
            CHECKSUMS => self.checksums(),
            Lock::NAME => lock(false),
            Status::NAME => {
                let holds = "the progress of the last training process, which no run needs";
                if Status::read(self.folder).is_some() {
                    return ExaminedFile::sound(name, holds);
                }
                let damaged = ExaminedFile::damaged(name, holds, "it cannot be read");
                self.offer_removal(damaged, "the whole run")
            }
            _ if is_checkpoint(name) => self.checkpoint(name),
            _ if name.starts_with("selected-") => results::examine(&self.folder.join(name), name),
            _ if is_layer(name) => self.layer(name),
            _ => match dispensable(name) {
                Some(holds) => ExaminedFile::sound(name, holds),
                None => left_over(name)
                    .unwrap_or_else(|| ExaminedFile::unchecked(name, "not a run file")),
            },
        }
    }

    fn damage_of_table(&self, name: &str) -> Option<String> {
        if let Some(damage) = self.damage_by_checksums(name) {
            return Some(damage);
        }
        let text = RecordedTable::read(self.folder, name).ok()?;
        let (text, rows, newest) = (text.verified(), self.rows, self.newest());
        let settings = self.settings.as_ref().filter(|_| name == HISTORY)?;
        if !text.is_empty() && !text.starts_with(&header(settings)) {
            return Some("line 1 is not the expected header".into());
        }
        let lines = text.matches('\n').count() as u32;
        let is_cut = rows < newest || lines > rows + 1;
        is_cut.then(|| {
            let (line, next) = (rows + 2, rows + 1);
            format!(
                "line {line} is not generation {next}; there is a checkpoint of generation {newest}"
            )
        })
    }

    /// Compares a table with its checksums and describes the damage, if any. Older versions didn't write checksums.
    fn damage_by_checksums(&self, name: &str) -> Option<String> {
        let bytes = match store::read(&self.folder.join(name)) {
            Ok(bytes) => bytes,
            Err(error) => return Some(error.to_string()),
        };
        let known = self.checksums.last_line(name);
        if known == 0 {
            return None;
        }
        if let Some(line) = self.checksums.changed_line(name, 1, &bytes) {
            return Some(format!("line {line} has changed since it was written"));
        }
        let complete = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let lines = complete + u64::from(!bytes.is_empty() && !bytes.ends_with(b"\n"));
        let good = self.good_lines(name).max(known);
        if lines > good {
            return Some(format!("line {} was not written by the run", good + 1));
        }
        let lacks_lines = complete == 0 || (complete < known && self.is_behind(name));
        lacks_lines.then(|| format!("the file ends before line {}", complete + 1))
    }

    /// Counts the valid lines of a table, including the header, up to the generation of the newest checkpoint.
    fn good_lines(&self, name: &str) -> u64 {
        let (newest, text) = (self.newest(), self.text(name));
        let rows = match name {
            HISTORY => self.rows.min(newest) as usize,
            STRENGTH => {
                let measured = self.measurements(&text).into_iter();
                measured.filter(|one| one.generation <= newest).map(|one| one.rows()).sum()
            }
            COST => known_rows(&text, COST_HEADER, newest).len(),
            _ => known_rows(&text, ITERATIONS_HEADER, newest).len(),
        };
        1 + rows as u64
    }

    /// Returns whether a table lacks rows from before the newest checkpoint. We ignore the checksums of later rows,
    /// because they may be left over from a process that was killed.
    fn is_behind(&self, name: &str) -> bool {
        let newest = self.newest();
        if name == STRENGTH {
            let measured = self.measurements(&self.text(STRENGTH));
            let every = self.settings.as_ref().map_or(0, |settings| settings.measure_every).max(1);
            let due = (newest.saturating_sub(1) / every * every).max(u32::from(newest > 1));
            return measured.last().map_or(0, |last| last.generation) < due;
        }
        self.rows == newest && self.checksums.last_line(HISTORY) == u64::from(self.rows) + 1
    }

    fn measurements(&self, text: &str) -> Vec<Measurement> {
        self.settings.as_ref().map_or(Vec::new(), |settings| read_strength(text, settings))
    }

    /// Returns the line number of the first unreadable measurement, and the layer that made it unreadable, if any.
    fn unread_measurement(&self) -> Option<(usize, Option<String>)> {
        let (settings, text) = (self.settings.as_ref()?, self.text(STRENGTH));
        let rows: usize = self.measurements(&text).iter().map(Measurement::rows).sum();
        let line = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).nth(rows + 1)?;
        let coding = settings.coding();
        let layer = line.split(',').find_map(|field| match coding.read(field) {
            Err(ChromosomeError::Layer(file)) => Some(file),
            _ => None,
        });
        Some((rows + 2, layer))
    }

    fn champion_layer(&self) -> Option<String> {
        let text = store::read_document(&self.folder.join(CHAMPION)).ok()?;
        let champion: serde_json::Value = serde_json::from_str(&text).ok()?;
        champion["layer"]["file"].as_str().filter(|file| is_layer(file)).map(String::from)
    }

    fn strength(&self) -> ExaminedFile {
        let text = self.text(STRENGTH);
        let measured = self.measurements(&text);
        let holds = format!("measurements: {}", measured.len());
        let damage = self.damage_of_table(STRENGTH);
        let damage = match self.unread_measurement() {
            Some((line, Some(layer))) if damage.is_none() => {
                return ExaminedFile::sound(
                    STRENGTH,
                    format!("{holds}; line {line} needs {layer}"),
                );
            }
            Some((line, _)) => damage.or(Some(format!("line {line} is not a valid row"))),
            None => damage,
        };
        let file = ExaminedFile::of(STRENGTH, holds, damage);
        self.offer_resume(file, "the measurements before it")
    }

    fn layer(&self, name: &str) -> ExaminedFile {
        let layer = results::learned_layer(&self.folder.join(name), name);
        match layer.damage.is_some() && self.lost.contains(name) {
            true => self.offer_resume_or_new_run(layer),
            false => layer.saved_by("the run; only past champions need this layer", None),
        }
    }

    fn champion(&self) -> ExaminedFile {
        let path = self.folder.join(CHAMPION);
        let layer = self.champion_layer();
        if let Some(layer) = layer.as_ref().filter(|layer| self.lost.contains(*layer)) {
            return ExaminedFile::sound(CHAMPION, format!("weights{}", needs(Some(layer))));
        }
        let file = results::weights(&path, CHAMPION);
        match file.damage.clone().or_else(|| self.other_run(&path)) {
            Some(damage) => self.offer_champion(ExaminedFile { damage: Some(damage), ..file }),
            None => self.mark_if_edited(file),
        }
    }

    fn mark_if_edited(&self, file: ExaminedFile) -> ExaminedFile {
        let content = store::read(&self.folder.join(&file.file)).unwrap_or_default();
        if !self.checksums.is_changed(&file.file, &content) {
            return file;
        }
        let holds = file.holds + ", edited by hand since the run wrote it";
        ExaminedFile { holds, edited: true, ..file }
    }

    /// Returns an error message if the champion belongs to another run.
    fn other_run(&self, champion: &Path) -> Option<String> {
        let provenance = eval::load(&champion.to_string_lossy()).ok()?.provenance?;
        let settings = self.settings.as_ref()?;
        (provenance.settings != settings.hash()).then(|| {
            format!("it belongs to another run: {}, seed {}", provenance.preset, provenance.seed)
        })
    }

    fn tables(&self) -> ExaminedFile {
        let holds = "the run's endgame tables";
        match noted(self.folder) {
            Ok(Some(tables)) => ExaminedFile::sound(TABLES, format!("{holds}: {tables}")),
            Ok(None) => {
                let damage = "rules, seeds or checksum of the tables are missing";
                ExaminedFile::damaged(TABLES, holds, damage)
            }
            Err(error) => ExaminedFile::damaged(TABLES, "", error),
        }
    }

    fn checksums(&self) -> ExaminedFile {
        let damage = match Checksums::damaged_lines(self.folder) {
            Ok(lines) if lines.is_empty() => self.missing_checksum(),
            Ok(lines) => Some(format!("line {} is damaged", lines[0])),
            Err(error) => return ExaminedFile::damaged(CHECKSUMS, CHECKSUMS_HOLD, error),
        };
        let file = ExaminedFile::of(CHECKSUMS, CHECKSUMS_HOLD, damage);
        match self.resumable() {
            Some(newest) => self.offer_resume(file, &up_to(newest)),
            None => file,
        }
    }

    fn missing_checksum(&self) -> Option<String> {
        let is_unknown = |name: &str| self.checksums.verdict(name, &[]) == Verdict::Unknown;
        // Version 0.1 did not write checksums for the files in `newer`.
        let covers_all = self.checksums.last_line(COST) > 0 || !is_unknown(CONFIGURATION);
        let newer = [COST, ITERATIONS, CONFIGURATION].into_iter().filter(|_| covers_all);
        let names = [HISTORY, STRENGTH, CHAMPION].into_iter().chain(newer);
        let mut existing = names.filter(|it| self.newest() > 0 && self.folder.join(it).exists());
        existing.find_map(|name| {
            if [CHAMPION, CONFIGURATION].contains(&name) {
                return is_unknown(name).then(|| format!("the checksum of {name} is missing"));
            }
            let line = self.checksums.first_unknown_line(name);
            let is_missing = line <= self.good_lines(name);
            is_missing.then(|| format!("the checksum of {name}, line {line}, is missing"))
        })
    }

    fn checkpoint(&self, name: &str) -> ExaminedFile {
        let holds = "a checkpoint";
        let decoded = super::decode(&self.folder.join(name), Checkpoint::decode);
        match decoded.and_then(|checkpoint| self.restore(name, checkpoint)) {
            Ok(generation) if self.checkpoints.contains_key(&generation) => {
                let needs = needs(self.checkpoints[&generation].as_ref());
                ExaminedFile::sound(name, format!("{holds} of generation {generation}{needs}"))
            }
            Ok(generation) => {
                let damage = format!("it belongs to generation {generation} of another run");
                self.offer_removal(ExaminedFile::damaged(name, holds, damage), "the run")
            }
            Err(damage) => self.offer_checkpoint(ExaminedFile::damaged(name, holds, damage)),
        }
    }

    /// Checks that a checkpoint can be restored, unless it needs a missing or damaged layer. Returns its generation.
    fn restore(&self, name: &str, checkpoint: Checkpoint) -> Result<u32, String> {
        let generation = checkpoint.generation();
        if name != format!("checkpoint-{generation:06}.ayo") {
            return Err(format!("it belongs to generation {generation}"));
        }
        if self.checkpoints.get(&generation).is_some_and(Option::is_some) {
            return Ok(generation);
        }
        let mut settings = checkpoint.settings().map_err(|error| error.to_string())?;
        read_layers(self.folder, &mut settings).map_err(|error| error.to_string())?;
        let restored = Trainer::restore(settings, checkpoint);
        restored.map(|_| generation).map_err(|error| error.to_string())
    }

    /// Suggests resuming the run or, if that isn't possible, starting a new run with the same settings. If the
    /// optimiser supports it, the new run starts from the last population or from the champion.
    fn offer_resume_or_new_run(&self, damaged: ExaminedFile) -> ExaminedFile {
        let copy = "or restore a copy of the file";
        if let Some(generation) = self.resumable() {
            let saved = format!("{}; {copy}", up_to(generation));
            return self.offer_resume(damaged, &saved);
        }
        let Some(settings) = self.settings.as_ref().filter(|_| self.damage.is_none()) else {
            return damaged.saved_by("nothing, unless there is a copy of the file", None);
        };
        let has_founders = settings.entries().iter().any(|entry| entry.name == "founders");
        let champion = self.folder.join(CHAMPION);
        let (saved, from) = if has_founders && self.usable().next().is_some() {
            ("the last population, from which a new run can start", Some(self.folder))
        } else if has_founders && champion.exists() && self.champion().damage.is_none() {
            ("the champion, from which a new run can start", Some(&*champion))
        } else if is_layer(&damaged.file) {
            (
                "the settings: repeating the run writes this file again, which can be copied back",
                None,
            )
        } else {
            ("the settings, with which the run can be repeated", None)
        };
        let config = self.folder.join(CONFIGURATION).to_string_lossy().into_owned();
        let mut train = vec!["train".to_owned(), "--config".into(), config];
        train.extend(from.into_iter().flat_map(|it| ["--start-from".into(), argument(it)]));
        train.extend(["--out".into(), format!("{}-again", self.folder.display())]);
        train.extend(resume_arguments(self.folder).split_off(2));
        damaged.saved_by(format!("{saved}; {copy}"), Some(command(&train)))
    }

    fn offer_champion(&self, damaged: ExaminedFile) -> ExaminedFile {
        let (Some(settings), Some(generation)) = (&self.settings, self.resumable()) else {
            return damaged;
        };
        if generation < settings.generations {
            return self.offer_resume(damaged, &up_to(generation));
        }
        if settings.has_finals() {
            let select = command(&["select", &self.folder.to_string_lossy()]);
            let saved =
                "the candidates of its generation, from which the champion is selected again";
            return damaged.saved_by(saved, Some(select));
        }
        self.offer_resume(damaged, "the champion of the last generation, from the checkpoint")
    }

    /// Suggests removing a damaged checkpoint if it's older than the checkpoint from which the run would be resumed.
    /// Newer checkpoints can stay, because `ayo resume` renames them.
    fn offer_checkpoint(&self, damaged: ExaminedFile) -> ExaminedFile {
        let name = damaged.file.strip_prefix("checkpoint-").and_then(|it| it.strip_suffix(".ayo"));
        let number = name.and_then(|text| text.parse::<u32>().ok());
        // A checkpoint without a number also counts as older, because it is never read.
        let newer = self.resumable().filter(|newer| number.is_none_or(|own| own < *newer));
        let Some(newer) = newer else { return self.offer_resume_or_new_run(damaged) };
        let saved = format!("the whole run: the newer checkpoint of generation {newer} is valid");
        self.offer_removal(damaged, &saved)
    }

    fn offer_removal(&self, damaged: ExaminedFile, saved: &str) -> ExaminedFile {
        let path = self.folder.join(&damaged.file);
        let remove = typed(&["rm", "--", &path.to_string_lossy()]);
        damaged.saved_by(saved, Some(remove))
    }

    /// Suggests resuming the run, if that's possible. `saved` says what this recovers.
    fn offer_resume(&self, file: ExaminedFile, saved: &str) -> ExaminedFile {
        if self.resumable().is_none() {
            return file;
        }
        file.saved_by(saved, Some(command(&resume_arguments(self.folder))))
    }
}
