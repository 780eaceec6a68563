//! What a run folder keeps of measured strength.

use std::path::Path;

use super::{FolderError, RunFolder, read_table, replace_if_new};
use crate::eval::{Format, Weights, export};
use crate::evolve::measuring::Measuring;
use crate::evolve::settings::Settings;
use crate::evolve::strength::{STRENGTH_HEADER, read_strength, strength_rows};
use crate::evolve::trainer::Trainer;
use crate::store::{self, FileError};

impl RunFolder {
    /// The measurements of a run that stands where `trainer` does. `strength.csv` is cut back to the
    /// whole ones up to there.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn measuring(&self, trainer: &Trainer) -> Result<Measuring, FileError> {
        let settings = trainer.settings();
        if settings.measure_every == 0 {
            return Ok(Measuring::new(settings));
        }
        let file = self.path.join("strength.csv");
        let recorded = read_table(&file)?;
        let mut good = read_strength(&recorded, settings.chromosome_bits());
        good.retain(|measurement| measurement.generation <= trainer.generation());
        let rows: Vec<String> = good.iter().map(strength_rows).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        replace_if_new(&file, &recorded, STRENGTH_HEADER, &rows)?;
        Ok(Measuring::resume(trainer, &good))
    }

    /// Puts a champion in the place of the best of the last generation.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn crown(&self, champion: &Weights) -> Result<(), FileError> {
        let champion = export(champion, Format::Json);
        store::replace(&self.path.join("champion.json"), champion.as_bytes())
    }

    /// Takes over what was measured in the parent, if it would be measured alike here.
    pub(super) fn inherit_strength(
        &self,
        parent: &Path,
        trainer: &Trainer,
    ) -> Result<(), FolderError> {
        let (own, its) = (trainer.settings(), RunFolder::settings(parent)?);
        let measured = |s: &Settings| (s.measure_every, s.measure_openings, s.rules, s.depth);
        if own.measure_every > 0 && measured(own) == measured(&its) && own.signs == its.signs {
            let recorded = read_table(&parent.join("strength.csv"))?;
            store::replace(&self.path.join("strength.csv"), recorded.as_bytes())?;
        }
        Ok(())
    }
}
