//! A run folder, with `run.toml`, checkpoints, `history.csv`, `cost.csv`, `strength.csv`, `tables.toml`,
//! `champion.json`, `checksums.csv`, `lock`, and during training `status.json` and `stop`. Runs with learned features
//! add `features-*.ayo` and `iterations.csv`. Interrupted finals leave `finals.ayo`. Islands have their own folders.
//!
//! Files are written in an order that survives crashes. Checksums are written before their rows, and the checkpoint
//! comes last, because it must not be ahead of the history. When we resume a run, we truncate the history to the
//! checkpoint, so the bytes of the finished run do not depend on when files were flushed.

mod checkpoints;
mod error;
mod inputs;
mod islands;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mancala::endgame::Tables;
use mancala::eval::{Format, Weights, export, read_file};
use mancala::store::{self, CHECKSUMS, Checksums, FileError, Lock};

use self::checkpoints::newest_state;
use self::inputs::{record_tables, write_layers};
use self::islands::{IslandFolder, run_of_island};
use self::table::{Table, renew_checksums};
use super::{
    Columns, Draft, Event, FINALS, Measurement, Measuring, Observer, Panel, REPORT, SettingError,
    Settings, Status, StopFile, TableAccuracyTest, Trainer, history, read_strength, read_toml,
    recorded_candidate, scheduled_until, strength_rows,
};

pub use self::checkpoints::checkpoints;
pub use self::error::FolderError;
pub use self::inputs::{is_layer, noted, read_layers, uses_tables};
pub use self::table::{
    CHAMPION, CONFIGURATION, COST, DamagedLine, HISTORY, ITERATIONS, LOG, RecordedTable, STRENGTH,
    champion_is_edited, damaged_lines,
};
pub use mancala::eval::RUNS;

/// The maximum time until an evaluated generation is written to disk. It is shorter just after the folder was opened.
const FLUSH_INTERVAL: Duration = Duration::from_secs(5);
const FIRST_FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// A run folder that only this process may write to. As an [`Observer`], it records the run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: Lock,
    history: Table,
    cost: Table,
    strength: Table,
    /// The names of the layers that are already on disk.
    layers: BTreeSet<String>,
    iterations: Table,
    islands: Vec<IslandFolder>,
    champion: Option<Weights>,
    opened: Instant,
    flushed: Instant,
}

#[derive(Debug)]
pub struct Resumed {
    pub folder: RunFolder,
    /// The run, restored from its newest usable checkpoint.
    pub trainer: Trainer,
    /// The reasons why newer checkpoints could not be used, with a sentence for each.
    pub skipped: Vec<String>,
    /// A description of the first changed row in the strength table, if any. This row and all later rows were dropped.
    pub damages: Vec<String>,
}

impl RunFolder {
    /// Starts a run in `path`, which is created if necessary, and records the `tables` that the run uses.
    pub fn create(
        path: &Path,
        settings: &Settings,
        tables: Option<&Tables>,
    ) -> Result<RunFolder, FolderError> {
        RunFolder::check_free(path)?;
        let new: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
        let create = || -> Result<RunFolder, FolderError> {
            store::create_folder(path)?;
            let mut folder = RunFolder::lock(path)?;
            // Another process may have started a run, and even finished it, before we acquired the lock.
            check_unused(path)?;
            let begun = folder.begin(settings, tables);
            folder.or_remove(begun, !new.is_empty())
        };
        create().inspect_err(|_| {
            // `remove_dir` doesn't remove folders that contain files.
            new.iter().all(|folder| fs::remove_dir(folder).is_ok());
        })
    }

    /// Returns the folder if the run has begun. Otherwise, returns the error and removes the folder if it is new.
    fn or_remove<E>(self, begun: Result<(), E>, is_new: bool) -> Result<RunFolder, E> {
        if begun.is_err() && is_new {
            // Ignore errors, since a new run can still use the folder if it remains.
            let _ = fs::remove_dir_all(&self.path);
        }
        begun.map(|()| self)
    }

    /// Writes the initial files of a run, before its first generation.
    fn begin(&mut self, settings: &Settings, tables: Option<&Tables>) -> Result<(), FolderError> {
        record_tables(&self.path, tables)?;
        let (history, cost) = (history::header(settings), history::COST_HEADER);
        self.history.replace(&history)?;
        self.cost.replace(cost)?;
        let mut headers = vec![(HISTORY, &*history), (COST, cost)];
        let strength = self.strength_text(&[], settings);
        if settings.measure_every > 0 {
            self.strength.replace(&strength)?;
            headers.push((STRENGTH, &strength));
        }
        renew_checksums(&self.path, &headers)?;
        write_layers(&self.path, settings, &mut self.layers)?;
        self.islands = IslandFolder::all(&self.path, settings, 0, env!("CARGO_PKG_VERSION"))?;
        // We write this file last, since it turns the folder into a run folder.
        Ok(self.write_configuration(settings, env!("CARGO_PKG_VERSION"))?)
    }

    /// Checks that a run can start in `path` without overwriting anything.
    pub fn check_free(path: &Path) -> Result<(), FolderError> {
        check_unused(path).map_err(|error| match error {
            FolderError::Occupied(path) if Lock::is_held(&path) => FolderError::Busy(path),
            error => error,
        })
    }

    fn columns(&self, settings: &Settings) -> Columns {
        Columns { accuracy: uses_tables(&self.path), pairs: settings.panel == Panel::Second }
    }

    /// Resumes the run in `path`, optionally with a new number of `generations`. Drops the short test of a stopped run.
    pub fn resume(path: &Path, generations: Option<u32>) -> Result<Resumed, FolderError> {
        RunFolder::restore(path, generations, false)
    }

    /// Opens the run in `path` to select its champion. Unlike [`RunFolder::resume`], keeps the rows of the short test.
    pub fn open(path: &Path) -> Result<Resumed, FolderError> {
        RunFolder::restore(path, None, true)
    }

    fn restore(
        path: &Path,
        generations: Option<u32>,
        keeps_short_test: bool,
    ) -> Result<Resumed, FolderError> {
        if let Some(run) = run_of_island(path) {
            return Err(FolderError::Island { path: path.into(), run });
        }
        let (on_disk, version) = read_configuration(path)?;
        let mut folder = RunFolder::lock(path)?;
        let settings =
            Settings { generations: generations.unwrap_or(on_disk.generations), ..on_disk.clone() };
        let header = history::header(&settings);
        let recorded = RecordedTable::read(path, HISTORY)?;
        let rows = history::good_rows(recorded.verified(), &header);
        let (trainer, skipped) = newest_state(path, &settings, rows.len() as u32)?;
        let done = trainer.generation();
        let history = header + &rows[..done as usize].concat();
        folder.history.replace(&history)?;
        let strength = RecordedTable::read(path, STRENGTH)?;
        // If measurements are disabled, then keep all rows.
        let measured = match settings.measure_every {
            0 => strength.verified().to_owned(),
            _ => {
                let mut kept = scheduled_until(done, strength.verified(), &settings);
                kept.iter().for_each(|it| folder.note_champion(it, &settings));
                if keeps_short_test {
                    kept = read_strength(strength.verified(), &settings);
                    kept.retain(|it| it.generation <= done);
                }
                folder.strength_text(&kept, &settings)
            }
        };
        folder.strength.replace(&measured)?;
        let costs = folder.cost.cut_back(history::COST_HEADER, done)?;
        let iterations = match settings.own.layers() {
            Some(_) => folder.iterations.cut_back(history::ITERATIONS_HEADER, done)?,
            None => String::new(),
        };
        // We kept the old checksums until here, because we needed them to detect changed lines.
        let tables =
            [(HISTORY, &history), (STRENGTH, &measured), (COST, &costs), (ITERATIONS, &iterations)];
        renew_checksums(path, &tables.map(|(name, text)| (name, text.as_str())))?;
        folder.islands = IslandFolder::all(path, &settings, done, &version)?;
        if settings != on_disk {
            folder.write_configuration(&settings, &version)?;
        }
        // We don't list changed rows of the history here, since they are reported with the skipped checkpoints.
        let damage = |line: DamagedLine| {
            format!("{line}; later generations are measured again if their champions are known")
        };
        let damages = strength.changed.into_iter().map(damage).collect();
        Ok(Resumed { folder, trainer, skipped, damages })
    }

    /// Starts a run in `path` that continues from the state of `trainer`, and copies the recorded rows from `parent`.
    pub fn create_branch(
        path: &Path,
        trainer: &Trainer,
        parent: &Path,
        tables: Option<&Tables>,
    ) -> Result<RunFolder, FolderError> {
        let generation = trainer.generation();
        let recorded = RecordedTable::read(parent, HISTORY)?;
        let rows = history::good_rows(recorded.verified(), &history::header(trainer.settings()));
        let Some(rows) = rows.get(..generation as usize) else {
            return Err(FolderError::history_too_short(parent, rows.len() as u32, generation));
        };
        let costs = RecordedTable::read(parent, COST)?.text;
        let is_new = !path.exists();
        let mut folder = RunFolder::create(path, trainer.settings(), tables)?;
        folder.history.add(&rows.concat());
        folder.cost.add(&history::known_rows(&costs, history::COST_HEADER, generation).concat());
        let inherited = folder.inherit_strength(parent, trainer, tables);
        let begun = inherited.and_then(|()| Ok(folder.flush(trainer)?));
        folder.or_remove(begun, is_new)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the settings of the run in `path`.
    pub fn settings(path: &Path) -> Result<Settings, FolderError> {
        read_configuration(path).map(|(settings, _)| settings)
    }

    fn lock(path: &Path) -> Result<RunFolder, FolderError> {
        let lock = Lock::take(path)?.ok_or_else(|| FolderError::Busy(path.into()))?;
        lock.sweep();
        // If there is still a stop request, then it was meant for an earlier process that has exited.
        StopFile::of(path).remove()?;
        Ok(RunFolder {
            path: path.into(),
            lock,
            history: Table::new(path, HISTORY),
            cost: Table::new(path, COST),
            strength: Table::new(path, STRENGTH),
            layers: BTreeSet::new(),
            iterations: Table::new(path, ITERATIONS),
            islands: Vec::new(),
            champion: None,
            opened: Instant::now(),
            flushed: Instant::now(),
        })
    }

    fn write_configuration(&self, settings: &Settings, version: &str) -> Result<(), FileError> {
        let text = configuration(settings, version);
        self.add_checksums(&Checksums::row_of_file(CONFIGURATION, text.as_bytes()))?;
        store::replace(&self.path.join(CONFIGURATION), text.as_bytes())
    }

    /// Returns whether this process still holds the lock on the folder.
    pub fn is_held(&self) -> bool {
        self.lock.check().is_ok()
    }

    fn flush_if_due(&mut self, trainer: &Trainer) -> Result<(), FileError> {
        let interval = (self.opened.elapsed() / 2).clamp(FIRST_FLUSH_INTERVAL, FLUSH_INTERVAL);
        if self.flushed.elapsed() < interval { Ok(()) } else { self.flush(trainer) }
    }

    /// Writes all pending data to disk.
    pub fn flush(&mut self, trainer: &Trainer) -> Result<(), FileError> {
        self.lock.check()?;
        // Write layers before the files that refer to them.
        write_layers(&self.path, trainer.settings(), &mut self.layers)?;
        self.cost.begin(history::COST_HEADER);
        if trainer.settings().own.layers().is_some() {
            self.iterations.begin(history::ITERATIONS_HEADER);
        }
        let (Some(champion), Some(checkpoint)) = (trainer.champion(), trainer.checkpoint()) else {
            return self.flush_tables();
        };
        let tables = [&self.history, &self.strength, &self.cost, &self.iterations];
        self.add_checksums(&tables.map(Table::checksums).concat())?;
        self.flush_tables()?;
        self.write_champion(self.champion.as_ref().unwrap_or(&champion))?;
        for (folder, island) in self.islands.iter_mut().zip(trainer.optimiser().islands()) {
            folder.flush(&**island)?;
        }
        checkpoints::write(&self.path, &checkpoint)?;
        self.flushed = Instant::now();
        Ok(())
    }

    fn flush_tables(&mut self) -> Result<(), FileError> {
        self.history.flush()?;
        self.cost.flush_any()?;
        self.iterations.flush_any()?;
        self.strength.flush()
    }

    /// Writes `champion.json`. No other function writes this file.
    fn write_champion(&self, champion: &Weights) -> Result<(), FileError> {
        let champion = export(champion, Format::Json);
        self.add_checksums(&Checksums::row_of_file(CHAMPION, champion.as_bytes()))?;
        store::replace(&self.path.join(CHAMPION), champion.as_bytes())
    }

    /// Removes the report, which is about to become outdated. Returns whether there was a report.
    pub fn remove_report(&self) -> Result<bool, FileError> {
        let report = self.path.join(REPORT);
        if report.is_file() { store::remove(&report).map(|()| true) } else { Ok(false) }
    }

    /// Copies a champion that was selected and measured (or that we can't read) to a file named after `generation`,
    /// because training replaces `champion.json`. Returns the path of the copy, or `None` if nothing was copied.
    pub fn keep_selected(&self, generation: u32) -> Result<Option<PathBuf>, FileError> {
        let champion = self.path.join(CHAMPION);
        let Some(bytes) = store::read_optional(&champion)? else { return Ok(None) };
        let text = String::from_utf8_lossy(&bytes);
        if read_file(&text, &champion).is_ok_and(|it| it.strength.is_empty()) {
            return Ok(None);
        }
        let kept = self.path.join(format!("selected-{generation:06}.json"));
        store::replace(&kept, &bytes)?;
        Ok(Some(kept))
    }

    /// Appends checksums of data that is about to be written. Returns an error if there is no checksum file, because a
    /// new file would hide changes.
    fn add_checksums(&self, checksums: &str) -> Result<(), FileError> {
        self.lock.check()?;
        let path = self.path.join(CHECKSUMS);
        let length = fs::metadata(&path).map_err(FileError::of("write", &path))?.len();
        store::append_at(&path, length, checksums.as_bytes()).map(drop)
    }

    /// Returns the schedule of strength measurements, which continues from the state of `trainer`.
    pub fn measuring(
        &self,
        trainer: &Trainer,
        tables: Option<Arc<Tables>>,
    ) -> Result<Measuring, FolderError> {
        RunFolder::check_tables(&self.path, tables.as_deref())?;
        let settings = trainer.settings();
        let recorded = RecordedTable::read(&self.path, STRENGTH)?;
        let measurements = scheduled_until(trainer.generation(), recorded.verified(), settings);
        let history = RecordedTable::read(&self.path, HISTORY)?;
        let mut measuring = Measuring::resume(trainer, &measurements, history.verified());
        measuring.table_accuracy = tables.map(|tables| TableAccuracyTest { tables, sample: None });
        Ok(measuring)
    }

    fn strength_text(&self, measurements: &[Measurement], settings: &Settings) -> String {
        let columns = self.columns(settings);
        let rows = measurements.iter().map(|it| strength_rows(it, columns));
        columns.header() + &rows.collect::<String>()
    }

    /// Makes the measured weights the champion if the run has gating matches and the weights have passed them.
    fn note_champion(&mut self, measurement: &Measurement, settings: &Settings) {
        if settings.panel == Panel::Second && measurement.is_champion {
            self.champion = Some(measurement.weights(settings));
        }
    }

    /// Returns the current champion, if champions have to pass gating matches in this run.
    pub fn champion(&self) -> Option<&Weights> {
        self.champion.as_ref()
    }

    /// Copies the measurements of the parent run if it measures strength in the same way as this run. Accuracies are
    /// left out if they were computed with different endgame tables.
    fn inherit_strength(
        &mut self,
        parent: &Path,
        trainer: &Trainer,
        tables: Option<&Tables>,
    ) -> Result<(), FolderError> {
        let (own, parents) = (trainer.settings(), RunFolder::settings(parent)?);
        let method = |s: &Settings| {
            let conditions = (s.game(), s.limits(), s.options(), s.measure_at, s.panel);
            ((s.measure_every, s.measure_early, s.measure_openings), conditions)
        };
        if own.measure_every == 0 || method(own) != method(&parents) || own.signs != parents.signs {
            return Ok(());
        }
        let recorded = RecordedTable::read(parent, STRENGTH)?;
        let mut measurements = scheduled_until(trainer.generation(), recorded.verified(), own);
        for measurement in &mut measurements {
            let is_same = |checksum: u32| tables.is_some_and(|it| it.checksum() == checksum);
            measurement.accuracy = measurement.accuracy.filter(|it| is_same(it.tables));
        }
        measurements.iter().for_each(|it| self.note_champion(it, own));
        let text = self.strength_text(&measurements, own);
        self.add_checksums(&Checksums::rows_of_lines(STRENGTH, 1, &text))?;
        Ok(self.strength.replace(&text)?)
    }
}

/// Removes the stop request before the lock is released. The request was either obeyed or came too late.
impl Drop for RunFolder {
    fn drop(&mut self) {
        if self.is_held() {
            // If this fails, then the next process that holds the lock removes the request.
            let _ = StopFile::of(&self.path).remove();
        }
    }
}

impl Observer for RunFolder {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        match event {
            Event::Begins(..) => Ok(()),
            Event::Generation { trainer, statistics, cost } => {
                let last = trainer.last().expect("a generation was evaluated");
                let best = recorded_candidate(trainer.settings(), trainer.optimiser());
                let best = best.expect("a generation was evaluated");
                self.history.add(&history::row(last, &best, statistics));
                self.cost.add(&history::cost_row(last, *cost));
                for (folder, island) in self.islands.iter_mut().zip(trainer.optimiser().islands()) {
                    folder.note(&**island);
                }
                if let Some(fit) = trainer.optimiser().fit() {
                    self.iterations.add(&history::iteration_row(last.generation, fit));
                }
                // Learning takes a long time, so write everything before it starts.
                match trainer.optimiser().learns_next() {
                    true => self.flush(trainer),
                    false => self.flush_if_due(trainer),
                }
            }
            Event::Measured { trainer, measurement } => {
                let columns = self.columns(trainer.settings());
                self.strength.add(&strength_rows(measurement, columns));
                self.note_champion(measurement, trainer.settings());
                self.flush_if_due(trainer)
            }
            Event::ChampionSelected(champion) => {
                self.write_champion(champion)?;
                // If this fails, the file does no harm, because we ignore or replace it when finals are played again.
                let _ = store::remove(&self.path.join(FINALS));
                Ok(())
            }
            Event::End { trainer, .. } => self.flush(trainer),
        }
    }
}

/// Reads the settings in `run.toml` and, if it's recorded, the version of the program that started the run.
fn read_configuration(path: &Path) -> Result<(Settings, String), FolderError> {
    let file = path.join(CONFIGURATION);
    if !file.exists() {
        return Err(FolderError::NoRun(path.into()));
    }
    let text = store::read_document(&file)?;
    let error = |reason: String| FolderError::invalid(&file, reason);
    let mut table = read_toml(&text).map_err(|e| error(e.to_string()))?;
    let version = table.remove("version").unwrap_or_else(|| "".into());
    let version = version.as_str().ok_or_else(|| error("version is not a string".into()))?.into();
    let settings = Draft::from_whole_table(&table).and_then(Draft::finish);
    let mut settings = settings.map_err(|e: SettingError| error(e.to_string()))?;
    read_layers(path, &mut settings)?;
    Ok((settings, version))
}

/// Returns an error if a folder contains a run, records of a run, or other files that are not [leftovers](is_leftover).
fn check_unused(path: &Path) -> Result<(), FolderError> {
    if path.join(CONFIGURATION).exists() {
        return Err(FolderError::Occupied(path.into()));
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FileError::of("read", path)(error).into()),
    };
    let mut records = Vec::new();
    let mut is_foreign = false;
    for entry in entries {
        let file = entry.map_err(FileError::of("read", path))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_record = match name.as_str() {
            CHAMPION => true,
            HISTORY | COST | STRENGTH => !history::is_only_a_header(&store::read(&file)?),
            _ => name.starts_with("checkpoint-"),
        };
        if is_record {
            records.push(name);
        } else {
            is_foreign |= !is_leftover(&name);
        }
    }
    match records.into_iter().min() {
        Some(file) => Err(FolderError::Remains { path: path.into(), file }),
        None if is_foreign => Err(FolderError::NotEmpty(path.into())),
        None => Ok(()),
    }
}

/// Returns `true` for hidden files, and for files that a process leaves if it's killed before it writes `run.toml`.
fn is_leftover(name: &str) -> bool {
    let tables = [HISTORY, COST, STRENGTH, ITERATIONS, CHECKSUMS, inputs::TABLES];
    let others = [Lock::NAME, Status::NAME, StopFile::NAME, LOG];
    let is_named = [&tables[..], &others].concat().contains(&name);
    is_named || name.starts_with('.') || is_layer(name) || name.starts_with(islands::PREFIX)
}

fn configuration(settings: &Settings, version: &str) -> String {
    format!(
        "# All settings of a run. Only generations may be changed.\n\
         version = {} # version of ayo that started the run\n{}",
        toml::Value::from(version),
        settings.to_toml()
    )
}
