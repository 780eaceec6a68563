//! A finished run on its way from one folder to another.
//!
//! Architecture invariant: what travels are contents, never names. What comes from elsewhere is believed as far as it
//! fits the settings: a checkpoint that these settings can go on from, a row for every generation, every measurement
//! that was due, and a champion that the run has.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::choosing::finalists;
use super::folder::{FolderError, RunFolder, checkpoints};
use super::history::{
    self, COST_HEADER, EPOCHS_HEADER, Tables, best_of_generation, good_rows, known_rows,
};
use super::measuring::Measuring;
use super::settings::{Draft, SettingError, Settings, read_toml};
use super::statistics::Statistics;
use super::strength::{Columns, read_strength, strength_rows};
use super::trainer::Trainer;
use super::yardstick::MeasuredOpenings;
use crate::run::checkpoint::{Checkpoint, CheckpointError};
use mancala::eval::{self, Format, Layer, LoadError, Strength, Weights, export};
use mancala::progress::Progress;
use mancala::store::{self, FileError, Frame, FrameError};

const FRAME: Frame = Frame { kind: *b"DONE", version: 1 };

/// All that a finished run has come to.
#[derive(Debug)]
pub struct Finished {
    trainer: Trainer,
    wire: Wire,
    champion: Weights,
}

/// What travels; the fields are its format.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Wire {
    layers: Vec<Vec<u8>>,
    checkpoint: Vec<u8>,
    history: String,
    costs: String,
    strength: String,
    epochs: String,
    chosen: Option<Chosen>,
}

/// The champion that final games chose.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Chosen {
    /// Its place among the finalists.
    finalist: u32,
    /// Against each of the panel: games, points a game, and the ends of the interval of these.
    strength: Vec<(u64, f64, f64, f64)>,
}

/// What is no finished run of some settings.
#[derive(Debug, thiserror::Error)]
pub enum NotFinished {
    /// Its folder does not let it be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its champion cannot be read.
    #[error(transparent)]
    Champion(#[from] LoadError),
    /// Not what was sent.
    #[error("a finished run {0}")]
    Frame(#[from] FrameError),
    /// Settings that are none.
    #[error(transparent)]
    Settings(#[from] SettingError),
    /// A state that these settings do not lead to.
    #[error("its checkpoint: {0}")]
    Checkpoint(#[from] CheckpointError),
    /// Something is missing or wrong.
    #[error("its {0} are not those of a finished run of these settings")]
    Part(&'static str),
}

impl Finished {
    /// The run in a folder.
    ///
    /// # Errors
    /// If it is not finished, or damaged.
    pub fn of(folder: &Path) -> Result<Finished, NotFinished> {
        let settings = RunFolder::settings(folder)?;
        let text = |name: &str| match folder.join(name) {
            path if path.exists() => store::read_text(&path),
            _ => Ok(String::new()),
        };
        let (_, newest) = checkpoints(folder)?.pop().ok_or(NotFinished::Part("checkpoints"))?;
        let layers = settings.layers().map(|it| it.all()).unwrap_or_default();
        let mut wire = Wire {
            layers: layers.iter().map(|layer| layer.encode()).collect(),
            checkpoint: store::read(&newest)?,
            history: text("history.csv")?,
            costs: text("cost.csv")?,
            strength: text("strength.csv")?,
            epochs: text("epochs.csv")?,
            chosen: None,
        };
        if settings.has_finals() {
            let champion = eval::load(&folder.join("champion.json").to_string_lossy())?;
            let trainer = Trainer::restore(settings.clone(), decoded(&wire.checkpoint)?)?;
            wire.chosen = Some(chosen(&champion, &trainer, &wire.history)?);
        }
        Finished::admit(wire, &settings)
    }

    /// Reads what a run of these settings has come to elsewhere.
    ///
    /// # Errors
    /// If it is not that.
    pub fn decode(bytes: &[u8], settings: &Settings) -> Result<Finished, NotFinished> {
        Finished::admit(FRAME.decode(bytes)?, settings)
    }

    /// What travels.
    pub fn encode(&self) -> Vec<u8> {
        FRAME.encode(&self.wire)
    }

    /// What stands for all of it but the costs, which depend on the machine.
    pub fn digest(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let Wire { layers, checkpoint, history, strength, epochs, .. } = &self.wire;
        layers.iter().chain([checkpoint]).for_each(|it| hasher.update(it));
        let champion = export(&self.champion, Format::Json);
        [history, strength, epochs, &champion].iter().for_each(|it| hasher.update(it.as_bytes()));
        hasher.finalize()
    }

    /// Whether the run, begun anew, comes to the same in so many generations; `None` if the progress stopped that.
    pub fn begins_so(&self, generations: u32, progress: &dyn Progress) -> Option<bool> {
        let mut trainer = Trainer::new(anew(self.trainer.settings()).ok()?);
        let header = history::header(trainer.settings());
        for row in good_rows(&self.wire.history, &header).iter().take(generations as usize) {
            trainer.step(progress)?;
            let last = trainer.last().expect("a generation was evaluated");
            let best = trainer.recorded().expect("a generation was evaluated");
            if *row != history::row(last, &best, &Statistics::of(trainer.coding(), last)) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Puts it in a folder: a new one, or one in which this run was begun.
    ///
    /// # Errors
    /// If there is another run in it, or it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), FolderError> {
        let settings = self.trainer.settings();
        let opened = match RunFolder::check_free(folder) {
            Err(FolderError::Occupied(_)) => {
                RunFolder::resume(folder, Some(settings.generations))?.folder
            }
            _ => RunFolder::create(folder, settings, None)?,
        };
        let Wire { history, costs, strength, epochs, .. } = &self.wire;
        let tables = Tables { history, costs, strength, epochs };
        Ok(opened.fill(&self.trainer, tables, &self.champion)?)
    }

    fn admit(mut wire: Wire, settings: &Settings) -> Result<Finished, NotFinished> {
        // Layers from elsewhere are nobody else's.
        let settings = anew(settings)?;
        match settings.layers() {
            Some(layers) => {
                for layer in &wire.layers {
                    layers.add(Layer::decode(layer).map_err(|_| NotFinished::Part("layers"))?);
                }
            }
            None if wire.layers.is_empty() => {}
            None => return Err(NotFinished::Part("layers")),
        }
        let trainer = Trainer::restore(settings, decoded(&wire.checkpoint)?)?;
        let (settings, done) = (trainer.settings(), trainer.generation());
        let is_whole = done == settings.generations && has_history(&wire.history, &trainer);
        wire.costs = COST_HEADER.to_owned() + &known_rows(&wire.costs, COST_HEADER, done).concat();
        wire.epochs = match settings.layers() {
            Some(_) => {
                EPOCHS_HEADER.to_owned() + &known_rows(&wire.epochs, EPOCHS_HEADER, done).concat()
            }
            None => String::new(),
        };
        let are_plain = [&wire.costs, &wire.epochs].into_iter().all(|it| is_of_figures(it));
        if !is_whole || !are_plain {
            return Err(NotFinished::Part("generations"));
        }
        if !has_strength(&wire.strength, &trainer, &wire.history) {
            return Err(NotFinished::Part("measurements"));
        }
        let champion = champion(&wire, &trainer).ok_or(NotFinished::Part("finals"))?;
        Ok(Finished { trainer, wire, champion })
    }
}

/// The same settings, without anything that a run of them has learned.
fn anew(settings: &Settings) -> Result<Settings, SettingError> {
    Draft::from_whole_table(&read_toml(&settings.to_toml())?)?.finish()
}

fn decoded(checkpoint: &[u8]) -> Result<Checkpoint, CheckpointError> {
    Ok(Checkpoint::decode(checkpoint)?)
}

/// Whether there is a row for every generation, the last of which is that of the trainer.
fn has_history(text: &str, trainer: &Trainer) -> bool {
    let (settings, done) = (trainer.settings(), trainer.generation());
    let header = history::header(settings);
    let rows = good_rows(text, &header);
    let last = best_of_generation(text, done, settings).ok().map(|(best, _)| best);
    rows.len() == done as usize
        && header + &rows.concat() == text
        && is_of_figures(text)
        && last == trainer.recorded()
}

/// Whether all after the header are figures: numbers, and the hexadecimal digits of names.
fn is_of_figures(table: &str) -> bool {
    let is_figure = |c: char| c.is_ascii_hexdigit() || ",.+-\n".contains(c);
    table.split_once('\n').is_none_or(|(_, rows)| rows.chars().all(is_figure))
}

/// Whether all was measured that was due.
fn has_strength(text: &str, trainer: &Trainer, history: &str) -> bool {
    let settings = trainer.settings();
    if settings.measure_every == 0 {
        return text.is_empty();
    }
    let measured = read_strength(text, settings);
    let rows = measured.iter().map(|it| strength_rows(it, Columns::Plain));
    text == Columns::Plain.header() + &rows.collect::<String>()
        && !Measuring::resume(trainer, &measured, history).is_due()
}

/// How the champion of a finished run was chosen.
fn chosen(champion: &Weights, trainer: &Trainer, history: &str) -> Result<Chosen, NotFinished> {
    let finalists = finalists(trainer, history);
    let finalist = finalists.iter().position(|it| it.weights.values() == champion.values());
    let strength = champion.strength.iter().map(|it| (it.games, it.score, it.low, it.high));
    match finalist {
        Some(finalist) if !champion.strength.is_empty() => {
            Ok(Chosen { finalist: finalist as u32, strength: strength.collect() })
        }
        _ => Err(NotFinished::Part("finals")),
    }
}

/// The champion: who leads, or who was chosen by final games.
fn champion(wire: &Wire, trainer: &Trainer) -> Option<Weights> {
    let settings = trainer.settings();
    if !settings.has_finals() {
        return trainer.champion().filter(|_| wire.chosen.is_none());
    }
    let Chosen { finalist, strength } = wire.chosen.as_ref()?;
    let finalists = finalists(trainer, &wire.history);
    let mut champion = finalists.into_iter().nth(*finalist as usize)?.weights;
    let opponents = settings.conditions().opponents([]);
    let openings = MeasuredOpenings::of(settings.game());
    if opponents.len() != strength.len() {
        return None;
    }
    let against = |(opponent, &(games, score, low, high)): (String, &(u64, f64, f64, f64))| {
        Strength::new(opponent, openings.name(games / 2), games, score, (low, high))
    };
    champion.strength = opponents.into_iter().zip(strength).map(against).collect();
    champion.strength.iter().all(Strength::is_possible).then_some(champion)
}

#[cfg(test)]
mod tests;
