//! The folder that a run lives in: `run.toml`, checkpoints, `history.csv`, `cost.csv`, `strength.csv`,
//! `tables.toml`, `champion.json`, `checksums.csv`, `lock`, and while a process trains `status.json` and perhaps `stop`; of a run that learns its features also `features-*.ayo`
//! and `epochs.csv`.
//!
//! What a flush writes goes in an order that a crash cannot hurt: checksums before what they stand for,
//! history next, the checkpoint that it must reach up to last. Resuming cuts the history back to the
//! checkpoint, so how often is flushed changes no byte of the finished run.

mod error;
mod layers;
mod measured;
mod sound;
mod table;
mod tables;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use self::error::FolderError;
pub use self::layers::is_layer;
pub use self::layers::read_layers;
use self::sound::renew_checksums;
pub use self::sound::{
    CHAMPION, CONFIGURATION, COST, EPOCHS, HISTORY, OnDisk, STRENGTH, champion_is_edited,
    changed_lines,
};
pub use self::sound::{ChangedLine, Damage};
use self::table::Table;
pub use self::tables::{goes_by_tables, noted};
use super::event::{Event, Observer};
use super::history;
use crate::run::checkpoint::{Checkpoint, CheckpointError};
use crate::run::settings::{Draft, SettingError, Settings, read_toml};
use crate::run::stop_file::StopFile;
use crate::run::strength::{Columns, scheduled_until, strength_rows};
use crate::run::trainer::Trainer;
use crate::run::yardstick::Panel;
use mancala::endgame::Tables;
pub use mancala::eval::RUNS;
use mancala::eval::{Format, Weights, export};
use mancala::store::{self, Checksums, FileError, FrameError, Lock};

/// Checkpoints that are kept.
const KEPT: usize = 3;
/// How long a generation may wait to be written, once a run has been at work for a while: whoever has just begun it
/// looks at what comes.
const FLUSH_EVERY: Duration = Duration::from_secs(5);
const FLUSH_AT_FIRST: Duration = Duration::from_secs(1);

/// A run folder that this process alone may write. As an [`Observer`] it keeps the run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    lock: Lock,
    history: Table,
    cost: Table,
    strength: Table,
    layers: layers::Kept,
    epochs: Table,
    /// The champion that passed the last gate, in a run that has gates.
    champion: Option<Weights>,
    opened: Instant,
    flushed: Instant,
}

/// A run that can go on.
#[derive(Debug)]
pub struct Resumed {
    /// The folder, which this process holds.
    pub folder: RunFolder,
    /// Where it stands.
    pub trainer: Trainer,
    /// Why newer checkpoints were passed over, a sentence each.
    pub passed_over: Vec<String>,
    /// What has happened to its tables.
    pub damages: Vec<Damage>,
}

impl RunFolder {
    /// Begins a run in `path`, which is created if need be, and notes which `tables` it goes by.
    ///
    /// # Errors
    /// If it holds a run or what is left of one, or another process trains in it.
    pub fn create(
        path: &Path,
        settings: &Settings,
        tables: Option<&Tables>,
    ) -> Result<RunFolder, FolderError> {
        RunFolder::check_free(path)?;
        let new: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
        let begun = RunFolder::create_in(path, settings, tables, !new.is_empty());
        if begun.is_err() {
            // Folders that are not empty stay.
            new.iter().all(|folder| fs::remove_dir(folder).is_ok());
        }
        begun
    }

    fn create_in(
        path: &Path,
        settings: &Settings,
        tables: Option<&Tables>,
        is_new: bool,
    ) -> Result<RunFolder, FolderError> {
        store::create_folder(path)?;
        let mut folder = RunFolder::lock(path)?;
        // Another process may have begun a run, and even left it, before the lock was taken.
        check_unused(path)?;
        let begun = folder.begin(settings, tables);
        folder.if_begun(begun, is_new)
    }

    /// The folder, or the error of a run that could not begin. Then a folder that is new is removed.
    fn if_begun<E>(self, begun: Result<(), E>, is_new: bool) -> Result<RunFolder, E> {
        if begun.is_err() && is_new {
            // If it stays, a run can still begin in it.
            let _ = fs::remove_dir_all(&self.path);
        }
        begun.map(|()| self)
    }

    /// Writes the files of a run without generations.
    fn begin(&mut self, settings: &Settings, tables: Option<&Tables>) -> Result<(), FolderError> {
        let header = history::header(settings);
        self.history.replace(None, &header)?;
        self.cost.replace(None, history::COST_HEADER)?;
        renew_checksums(&self.path, &[(HISTORY, &header), (COST, history::COST_HEADER)])?;
        self.layers.write(&self.path, settings)?;
        tables::note(&self.path, tables)?;
        // Last, since it makes the folder a run.
        Ok(self.write_configuration(settings, env!("CARGO_PKG_VERSION"))?)
    }

    /// Whether a run can begin in `path` without destroying anything.
    ///
    /// # Errors
    /// If it holds a run, perhaps one that another process trains, or what is left of one.
    pub fn check_free(path: &Path) -> Result<(), FolderError> {
        check_unused(path).map_err(|refusal| match refusal {
            FolderError::Occupied(path) if Lock::is_held(&path) => FolderError::Busy(path),
            refusal => refusal,
        })
    }

    /// Whether these are the tables that the run in a folder began with, or it began without and there are
    /// none.
    ///
    /// # Errors
    /// If not, with what to give instead.
    pub fn check_tables(folder: &Path, tables: Option<&Tables>) -> Result<(), FolderError> {
        tables::check(folder, tables)
    }

    /// What its `strength.csv` has.
    pub fn columns(&self, settings: &Settings) -> Columns {
        Columns { precision: goes_by_tables(&self.path), pairs: settings.panel == Panel::Second }
    }

    /// Continues the run in `path`, up to another number of `generations` if one is given.
    ///
    /// # Errors
    /// If there is no run, another process trains in it, a setting has changed, or no checkpoint of
    /// those there are is whole and one that the history reaches.
    pub fn resume(path: &Path, generations: Option<u32>) -> Result<Resumed, FolderError> {
        let Configuration { settings: on_disk, version } = read_configuration(path)?;
        let mut folder = RunFolder::lock(path)?;
        let settings =
            Settings { generations: generations.unwrap_or(on_disk.generations), ..on_disk.clone() };
        let header = history::header(&settings);
        let recorded = OnDisk::read(path, HISTORY)?;
        let rows = history::good_rows(recorded.sound(), &header);
        let (trainer, passed_over) = newest_state(path, &settings, rows.len() as u32)?;
        let done = trainer.generation();
        let history = header + &rows[..done as usize].concat();
        folder.history.replace(Some(&recorded.text), &history)?;
        let strength = OnDisk::read(path, STRENGTH)?;
        // All that was measured may be lost, and none of it known any more.
        let measured = match settings.measure_every {
            0 => strength.sound().to_owned(),
            _ => {
                let good = scheduled_until(done, strength.sound(), &settings);
                good.iter().for_each(|it| folder.note_champion(it, &settings));
                let columns = folder.columns(&settings);
                let rows = good.iter().map(|it| strength_rows(it, columns));
                columns.header() + &rows.collect::<String>()
            }
        };
        folder.strength.replace(Some(&strength.text), &measured)?;
        let known = OnDisk::read(path, COST)?;
        let costs = history::known_rows(known.sound(), history::COST_HEADER, done).concat();
        let costs = history::COST_HEADER.to_owned() + &costs;
        folder.cost.replace(Some(&known.text), &costs)?;
        let mut epochs = String::new();
        if settings.layers().is_some() {
            let known = OnDisk::read(path, EPOCHS)?;
            epochs = history::EPOCHS_HEADER.to_owned();
            epochs += &history::known_rows(known.sound(), history::EPOCHS_HEADER, done).concat();
            folder.epochs.replace(Some(&known.text), &epochs)?;
        }
        // Only now: until then the old ones say what is wrong.
        let tables =
            [(HISTORY, &history), (STRENGTH, &measured), (COST, &costs), (EPOCHS, &epochs)];
        renew_checksums(path, &tables.map(|(name, text)| (name, text.as_str())))?;
        if settings != on_disk {
            folder.write_configuration(&settings, &version)?;
        }
        // A changed row of the history shows in the checkpoints that were passed over.
        let damages = strength.changed.into_iter().map(Damage).collect();
        Ok(Resumed { folder, trainer, passed_over, damages })
    }

    /// Begins a run in `path` that goes on where `trainer` stands, with what the run in `parent` has
    /// recorded so far.
    ///
    /// # Errors
    /// As of [`create`](Self::create), or if the records of the parent do not reach so far.
    pub fn create_branch(
        path: &Path,
        trainer: &Trainer,
        parent: &Path,
        tables: Option<&Tables>,
    ) -> Result<RunFolder, FolderError> {
        let generation = trainer.generation();
        let recorded = OnDisk::read(parent, HISTORY)?;
        let rows = history::good_rows(recorded.sound(), &history::header(trainer.settings()));
        let Some(rows) = rows.get(..generation as usize) else {
            return Err(unreached(parent, rows.len() as u32, generation));
        };
        let costs = OnDisk::read(parent, COST)?.text;
        let is_new = !path.exists();
        let mut folder = RunFolder::create(path, trainer.settings(), tables)?;
        folder.history.add(&rows.concat());
        folder.cost.add(&history::known_rows(&costs, history::COST_HEADER, generation).concat());
        let inherited = folder.inherit_strength(parent, trainer, tables);
        let begun = inherited.and_then(|()| Ok(folder.flush(trainer)?));
        folder.if_begun(begun, is_new)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings of the run in `path`.
    pub fn settings(path: &Path) -> Result<Settings, FolderError> {
        read_configuration(path).map(|configuration| configuration.settings)
    }

    fn lock(path: &Path) -> Result<RunFolder, FolderError> {
        let lock = Lock::take(path)?.ok_or_else(|| FolderError::Busy(path.into()))?;
        lock.sweep();
        // It asked a process that is gone.
        StopFile::of(path).remove()?;
        Ok(RunFolder {
            path: path.into(),
            lock,
            history: Table::new(path, HISTORY),
            cost: Table::new(path, COST),
            strength: Table::new(path, STRENGTH),
            layers: layers::Kept::default(),
            epochs: Table::new(path, EPOCHS),
            champion: None,
            opened: Instant::now(),
            flushed: Instant::now(),
        })
    }

    fn write_configuration(&self, settings: &Settings, version: &str) -> Result<(), FileError> {
        let text = format!(
            "# The whole configuration of a run. All but generations must stay as they are.\n\
             version = {} # of the program that began the run\n{}",
            toml::Value::from(version),
            settings.to_toml()
        );
        self.note(&Checksums::row_of_file(CONFIGURATION, text.as_bytes()))?;
        store::replace(&self.path.join(CONFIGURATION), text.as_bytes())
    }

    /// Whether it is still this process alone that writes here.
    pub fn is_held(&self) -> bool {
        self.lock.check().is_ok()
    }

    fn flush_if_late(&mut self, trainer: &Trainer) -> Result<(), FileError> {
        let every = (self.opened.elapsed() / 2).clamp(FLUSH_AT_FIRST, FLUSH_EVERY);
        if self.flushed.elapsed() < every { Ok(()) } else { self.flush(trainer) }
    }

    /// Writes what is not on disk yet.
    pub fn flush(&mut self, trainer: &Trainer) -> Result<(), FileError> {
        self.lock.check()?;
        // Before all that names them.
        self.layers.write(&self.path, trainer.settings())?;
        self.cost.begin(history::COST_HEADER);
        if trainer.settings().layers().is_some() {
            self.epochs.begin(history::EPOCHS_HEADER);
        }
        let (Some(champion), Some(checkpoint)) = (trainer.champion(), trainer.checkpoint()) else {
            return self.flush_tables();
        };
        let champion = export(self.champion.as_ref().unwrap_or(&champion), Format::Json);
        let tables = [&self.history, &self.strength, &self.cost, &self.epochs];
        let known: String = tables.map(Table::checksums).concat();
        self.note(&(known + &Checksums::row_of_file(CHAMPION, champion.as_bytes())))?;
        self.flush_tables()?;
        store::replace(&self.path.join(CHAMPION), champion.as_bytes())?;
        let file = self.path.join(checkpoint_name(trainer.generation()));
        store::replace(&file, &checkpoint.encode())?;
        self.flushed = Instant::now();
        drop_old_checkpoints(&self.path)
    }

    fn flush_tables(&mut self) -> Result<(), FileError> {
        self.history.flush()?;
        self.cost.flush_any()?;
        self.epochs.flush_any()?;
        self.strength.flush()
    }
}

/// A request to stop is done with once the lock is let go: it was obeyed, or came too late.
impl Drop for RunFolder {
    fn drop(&mut self) {
        if self.is_held() {
            // If it stays, the next holder of the lock removes it.
            let _ = StopFile::of(&self.path).remove();
        }
    }
}

impl Observer for RunFolder {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        match event {
            Event::Begins(_) => Ok(()),
            Event::Generation { trainer, statistics, cost } => {
                let last = trainer.last().expect("a generation was evaluated");
                let best = trainer.recorded().expect("a generation was evaluated");
                self.history.add(&history::row(last, &best, statistics));
                self.cost.add(&history::cost_row(last, *cost));
                if let Some(fit) = trainer.fit() {
                    self.epochs.add(&history::epoch_row(last.generation, fit));
                }
                self.flush_if_late(trainer)
            }
            Event::Measured { trainer, measurement } => {
                let columns = self.columns(trainer.settings());
                self.strength.add(&strength_rows(measurement, columns));
                self.note_champion(measurement, trainer.settings());
                self.flush_if_late(trainer)
            }
            Event::End { trainer, .. } => self.flush(trainer),
        }
    }
}

/// What `run.toml` holds.
struct Configuration {
    settings: Settings,
    /// Of the program that began the run; empty if the file does not say.
    version: String,
}

fn read_configuration(path: &Path) -> Result<Configuration, FolderError> {
    let file = path.join(CONFIGURATION);
    if !file.exists() {
        return Err(FolderError::NoRun(path.into()));
    }
    let text = store::read_document(&file)?;
    let refuse = |reason: String| FolderError::Configuration { path: file.clone(), reason };
    let mut table = read_toml(&text).map_err(|e| refuse(e.to_string()))?;
    let version = table.remove("version").unwrap_or_else(|| "".into());
    let version = version.as_str().ok_or_else(|| refuse("version is not a text".into()))?.into();
    let settings = Draft::from_whole_table(&table).and_then(Draft::finish);
    let mut settings = settings.map_err(|e: SettingError| refuse(e.to_string()))?;
    layers::read_layers(path, &mut settings)?;
    Ok(Configuration { settings, version })
}

fn check_unused(path: &Path) -> Result<(), FolderError> {
    if path.join(CONFIGURATION).exists() {
        return Err(FolderError::Occupied(path.into()));
    }
    match remains(path)? {
        Some(file) => Err(FolderError::Remains { path: path.into(), file }),
        None => Ok(()),
    }
}

/// The first by name of the files in a folder without `run.toml` that a new run would overwrite or mix
/// with its own. A process that was killed before it wrote `run.toml` leaves none: it had a lock,
/// tables of a header alone and temporary files.
fn remains(path: &Path) -> Result<Option<String>, FileError> {
    let mut found = Vec::new();
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::of("read", path)(error)),
    };
    for entry in entries {
        let file = entry.map_err(FileError::of("read", path))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_kept = match name.as_str() {
            "champion.json" => true,
            "history.csv" | "cost.csv" | "strength.csv" => {
                !history::is_only_a_header(&store::read(&file)?)
            }
            _ => name.starts_with("checkpoint-"),
        };
        if is_kept {
            found.push(name);
        }
    }
    Ok(found.into_iter().min())
}

fn checkpoint_name(generation: u32) -> String {
    format!("checkpoint-{generation:06}.ayo")
}

/// The checkpoints of a run folder, oldest first: generation and file.
pub fn checkpoints(path: &Path) -> Result<Vec<(u32, PathBuf)>, FileError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(FileError::of("read", path))? {
        let file = entry.map_err(FileError::of("read", path))?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix("checkpoint-").and_then(|n| n.strip_suffix(".ayo"));
        if let Some(generation) = number.and_then(|n| n.parse().ok()) {
            found.push((generation, file));
        }
    }
    found.sort();
    Ok(found)
}

fn drop_old_checkpoints(path: &Path) -> Result<(), FileError> {
    let all = checkpoints(path)?;
    for (_, file) in &all[..all.len().saturating_sub(KEPT)] {
        store::remove(file)?;
    }
    Ok(())
}

/// The run as the newest whole checkpoint left it that the good `rows` of the history reach, and why
/// newer ones are passed over. Those are set aside, so that they do not count among the checkpoints
/// that are kept.
fn newest_state(
    path: &Path,
    settings: &Settings,
    rows: u32,
) -> Result<(Trainer, Vec<String>), FolderError> {
    let all = checkpoints(path)?;
    if all.is_empty() {
        return Ok((Trainer::new(settings.clone()), Vec::new()));
    }
    let history = path.join("history.csv");
    let mut passed_over: Vec<(&PathBuf, &str, String)> = Vec::new();
    let mut unreached_generation = None;
    for (_, file) in all.iter().rev() {
        match Checkpoint::decode(&store::read(file)?) {
            Ok(checkpoint) if checkpoint.generation() > rows => {
                // Rows of other settings are not bad: what is wrong is that the settings differ.
                checkpoint.compare(settings).map_err(|reason| blame(path, file, reason))?;
                let generation = checkpoint.generation();
                let (history, file_name) = (history.display(), file.display());
                let line = line_after(rows);
                let what = format!(
                    "{history}, line {line}: its good rows end at generation {rows}, before {file_name}"
                );
                passed_over.push((file, "ahead", what));
                unreached_generation = Some(generation);
            }
            Ok(checkpoint) => {
                let trainer = Trainer::restore(settings.clone(), checkpoint)
                    .map_err(|reason| blame(path, file, reason))?;
                for (file, ending, _) in &passed_over {
                    set_aside(file, ending)?;
                }
                return Ok((trainer, passed_over.into_iter().map(|(.., what)| what).collect()));
            }
            Err(reason @ FrameError::Version { .. }) => {
                let (path, reason) = (file.clone(), reason.into());
                return Err(FolderError::Checkpoint { path, reason });
            }
            Err(reason) => {
                passed_over.push((file, "damaged", format!("{} {reason}", file.display())));
            }
        }
    }
    if let Some(generation) = unreached_generation {
        return Err(unreached(path, rows, generation));
    }
    let reasons: Vec<String> = passed_over.into_iter().map(|(.., what)| what).collect();
    Err(FolderError::AllDamaged { path: path.into(), reasons: reasons.join("; ") })
}

/// The history of a run does not reach up to a generation.
fn unreached(folder: &Path, rows: u32, generation: u32) -> FolderError {
    FolderError::History { path: folder.join(HISTORY), rows, generation, line: line_after(rows) }
}

/// The number of the line after the header and so many rows.
fn line_after(rows: u32) -> u32 {
    rows.saturating_add(2)
}

/// A changed setting is a matter of `run.toml`, all else one of the checkpoint.
fn blame(folder: &Path, checkpoint: &Path, reason: CheckpointError) -> FolderError {
    let path = match reason {
        CheckpointError::Changed { .. } => folder.join(CONFIGURATION),
        _ => checkpoint.into(),
    };
    FolderError::Checkpoint { path, reason }
}

fn set_aside(file: &Path, ending: &str) -> Result<(), FileError> {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    store::rename(file, Path::new(&name))
}
