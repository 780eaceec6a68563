//! The champion of a run, chosen anew by games between finalists.

use std::path::{Path, PathBuf};

use crate::train::app_stop::heeding;
use crate::train::result_champion::ChampionChoice;
use arena::LocalGames;
use evolve::run::{
    Choosing, Damage, Finalist, FolderError, RunFolder, Settings, Watched, finalists, least_games,
};
use mancala::store::{self, FileError};

/// Games of a run whose settings ask for none.
const DEFAULT_GAMES: u32 = 20_000;

/// Which weights may become champion of a run.
pub struct Candidates {
    /// The run's folder, which is held.
    pub folder: RunFolder,
    /// The settings of the run.
    pub settings: Settings,
    /// The generation that it stands at.
    pub generation: u32,
    /// The candidates.
    pub finalists: Vec<Finalist>,
    /// Checkpoints that could not be read and why, a sentence each.
    pub passed_over: Vec<String>,
    /// What has happened to its tables.
    pub damages: Vec<Damage>,
}

/// Why no champion can be chosen.
#[derive(Debug, thiserror::Error)]
pub enum NoChoice {
    /// The run cannot be read.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Its history cannot be read, or its champion not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no candidate.
    #[error("{} has no generation yet: there is nothing to choose from", .0.display())]
    NoGeneration(PathBuf),
    /// Some would not play.
    #[error("{games} games are too few: {finalists} finalists need {least} to meet")]
    TooFew {
        /// Games asked for.
        games: u32,
        /// The fewest in which all meet.
        least: u64,
        /// How many candidates there are.
        finalists: usize,
    },
}

impl Candidates {
    /// The candidates of a run.
    ///
    /// # Errors
    /// If the run cannot be read, or has no generation.
    pub fn of(run: &Path) -> Result<Candidates, NoChoice> {
        let resumed = RunFolder::resume(run, None)?;
        let (folder, trainer) = (resumed.folder, resumed.trainer);
        if trainer.generation() == 0 {
            return Err(NoChoice::NoGeneration(folder.path().into()));
        }
        let history = store::read_text(&folder.path().join("history.csv"))?;
        let finalists = finalists(&trainer, &history, folder.champion());
        let (settings, generation) = (trainer.settings().clone(), trainer.generation());
        let (passed_over, damages) = (resumed.passed_over, resumed.damages);
        Ok(Candidates { folder, settings, generation, finalists, passed_over, damages })
    }

    /// The games that are asked for, or else the run's own number.
    ///
    /// # Errors
    /// If not all can play in so many.
    pub fn games(&self, asked: Option<u32>) -> Result<u32, NoChoice> {
        let own = Some(self.settings.finalist_games).filter(|&games| games > 0);
        let (finalists, least) = (self.finalists.len(), least_games(self.finalists.len()));
        match asked {
            Some(games) if u64::from(games) < least => {
                Err(NoChoice::TooFew { games, least, finalists })
            }
            _ => Ok(asked.or(own).unwrap_or(DEFAULT_GAMES)),
        }
    }

    /// Chooses the champion and writes it. `None` if that was stopped.
    ///
    /// # Errors
    /// If the champion cannot be written.
    pub fn choose(
        &self,
        games: u32,
        watched: &Watched,
    ) -> Result<Option<ChampionChoice>, FileError> {
        let (games, place) = (games.into(), LocalGames::new());
        let progress = watched.at_once();
        let (settings, before) = (&self.settings, self.folder.champion());
        let choosing = Choosing { settings, finalists: &self.finalists, before, games };
        let choose = || choosing.choose(&place, &progress, &mut || ());
        let choice = heeding(self.folder.path(), watched.stop, || (), choose);
        let Some(choice) = choice else { return Ok(None) };
        self.folder.replace_champion(&choice.champion)?;
        Ok(Some(ChampionChoice::of(&self.finalists, &choice)))
    }
}
