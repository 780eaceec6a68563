//! A folder that gets what a run has come to somewhere else.

use super::sound::renew_checksums;
use super::{
    CHAMPION, COST, EPOCHS, HISTORY, RunFolder, STRENGTH, checkpoint_name, drop_old_checkpoints,
};
use crate::run::history::Tables;
use crate::run::trainer::Trainer;
use mancala::eval::{Format, Weights, export};
use mancala::store::{self, Checksums, FileError};

impl RunFolder {
    /// Puts what a run has come to in the place of what the folder holds, the checkpoint last: whatever interrupts
    /// it, the run can go on from what was there.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(crate) fn fill(
        mut self,
        trainer: &Trainer,
        tables: Tables,
        champion: &Weights,
    ) -> Result<(), FileError> {
        let Tables { history, costs, strength, epochs } = tables;
        self.layers.write(&self.path, trainer.settings())?;
        let champion = export(champion, Format::Json);
        let tables = [(HISTORY, history), (COST, costs), (STRENGTH, strength), (EPOCHS, epochs)];
        renew_checksums(&self.path, &tables)?;
        self.note(&Checksums::row_of_file(CHAMPION, champion.as_bytes()))?;
        for (name, text) in tables {
            if !text.is_empty() {
                store::replace(&self.path.join(name), text.as_bytes())?;
            }
        }
        store::replace(&self.path.join(CHAMPION), champion.as_bytes())?;
        let checkpoint = trainer.checkpoint().expect("a run that has come to something");
        let file = self.path.join(checkpoint_name(trainer.generation()));
        store::replace(&file, &checkpoint.encode())?;
        drop_old_checkpoints(&self.path)
    }
}
