//! What a run folder keeps of measured strength.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{CHAMPION, FolderError, HISTORY, OnDisk, RunFolder, STRENGTH};
use crate::run::measuring::Measuring;
use crate::run::settings::Settings;
use crate::run::strength::{Measurement, scheduled_until, strength_rows};
use crate::run::trainer::Trainer;
use crate::run::yardstick::Panel;
use mancala::endgame::Tables;
use mancala::eval::{Format, Weights, export};
use mancala::store::{self, CHECKSUMS, Checksums, FileError};

impl RunFolder {
    /// The measurements of a run that stands where `trainer` does, with `tables` those of precision as
    /// well. `strength.csv` is cut back to the whole ones up to there that are on the schedule.
    ///
    /// # Errors
    /// If the file cannot be read or written, or the run began with other tables or without.
    pub fn measuring(
        &mut self,
        trainer: &Trainer,
        tables: Option<Arc<Tables>>,
    ) -> Result<Measuring, FolderError> {
        RunFolder::check_tables(self.path(), tables.as_deref())?;
        let settings = trainer.settings();
        if settings.measure_every == 0 {
            return Ok(Measuring::new(settings));
        }
        let recorded = OnDisk::read(&self.path, STRENGTH)?;
        let good = scheduled_until(trainer.generation(), recorded.sound(), settings);
        self.rewrite_strength(Some(&recorded.text), &good, settings)?;
        let history = OnDisk::read(&self.path, HISTORY)?;
        let measuring = Measuring::resume(trainer, &good, history.sound());
        Ok(match tables {
            Some(tables) => measuring.by_tables(tables),
            None => measuring,
        })
    }

    fn rewrite_strength(
        &mut self,
        old: Option<&str>,
        measurements: &[Measurement],
        settings: &Settings,
    ) -> Result<(), FileError> {
        let columns = self.columns(settings);
        let rows = measurements.iter().map(|it| strength_rows(it, columns));
        let new = columns.header() + &rows.collect::<String>();
        if old != Some(&new) {
            self.note(&Checksums::rows_of_lines(STRENGTH, 1, &new))?;
        }
        self.strength.replace(old, &new)
    }

    /// Keeps the weights of a measurement that has passed the gate as those of the champion. Without gates the champion
    /// is that of the last generation, measured or not.
    pub(super) fn note_champion(&mut self, measurement: &Measurement, settings: &Settings) {
        if settings.panel == Panel::Second && measurement.is_champion {
            self.champion = Some(measurement.weights(settings));
        }
    }

    /// The champion that passed the last gate, if the run has gates.
    pub fn champion(&self) -> Option<&Weights> {
        self.champion.as_ref()
    }

    /// Adds checksums of what is about to be written.
    ///
    /// # Errors
    /// If they cannot be written, or another program has removed the file. It is not begun anew here: without the
    /// rows that it had, nothing would tell whether the other files have changed.
    pub(super) fn note(&self, checksums: &str) -> Result<(), FileError> {
        self.lock.check()?;
        let path = self.path.join(CHECKSUMS);
        let length = fs::metadata(&path).map_err(FileError::of("write", &path))?.len();
        store::append_at(&path, length, checksums.as_bytes()).map(drop)
    }

    /// Puts a champion in the place of the best of the last generation.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn replace_champion(&self, champion: &Weights) -> Result<(), FileError> {
        let champion = export(champion, Format::Json);
        self.note(&Checksums::row_of_file(CHAMPION, champion.as_bytes()))?;
        store::replace(&self.path.join(CHAMPION), champion.as_bytes())
    }

    /// Takes over what was measured in the parent, if it would be measured alike here. Precision by other
    /// tables is left out.
    pub fn inherit_strength(
        &mut self,
        parent: &Path,
        trainer: &Trainer,
        tables: Option<&Tables>,
    ) -> Result<(), FolderError> {
        let (own, its) = (trainer.settings(), RunFolder::settings(parent)?);
        let measured =
            |s: &Settings| ((s.measure_every, s.measure_early, s.measure_openings), s.conditions());
        if own.measure_every == 0 || measured(own) != measured(&its) || own.signs != its.signs {
            return Ok(());
        }
        let recorded = OnDisk::read(parent, STRENGTH)?;
        let mut measurements = scheduled_until(trainer.generation(), recorded.sound(), own);
        for measurement in &mut measurements {
            let is_ours = |by: u32| tables.is_some_and(|tables| tables.checksum() == by);
            measurement.precision = measurement.precision.filter(|it| is_ours(it.tables));
        }
        measurements.iter().for_each(|it| self.note_champion(it, own));
        Ok(self.rewrite_strength(None, &measurements, own)?)
    }
}
