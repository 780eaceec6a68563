//! Pairings of players of Ayo, as studies ask for them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use evolution::arena::{
    Contest, Entrant, Finished, Form, GamesError, GamesFile, GamesFileError, Heading, Openings,
    Suite, Tally, Team,
};
use evolution::player::SpecError;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Part, Progress};
use mancala::store::FileError;

use crate::results::Answer;

/// Two players that meet to settle a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// What the games settle.
    pub question: String,
    /// The specifications of the players; the result is the first one's.
    pub players: [String; 2],
    /// Games, an even number.
    pub games: usize,
    /// What they play by.
    pub rules: Rules,
    /// The folder that has the games that were played before, and gets the others.
    pub folder: Option<PathBuf>,
}

/// A pairing and what it came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The pairing.
    pub pairing: Pairing,
    /// The figures of its games.
    pub tally: Tally,
}

/// Why players have not met.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// A specification describes no player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A player cannot be had as often as games are played at a time.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// Games that were kept are not those of this pairing.
    #[error(transparent)]
    Kept(#[from] GamesFileError),
    /// A game that cannot be kept.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Pairing {
    /// A pairing of so many games, or one more if they are odd.
    pub fn new(question: &str, players: [&str; 2], games: usize) -> Pairing {
        let players = players.map(str::to_owned);
        let (question, rules) = (question.into(), Rules::default());
        Pairing { question, players, games: games.next_multiple_of(2), rules, folder: None }
    }

    /// The same, its games kept in a folder, so that none is played twice.
    #[must_use]
    pub fn kept_in(self, folder: &Path) -> Pairing {
        Pairing { folder: Some(folder.to_owned()), ..self }
    }

    /// The same under other rules.
    #[must_use]
    pub fn under(self, rules: Rules) -> Pairing {
        Pairing { rules, ..self }
    }

    /// Plays the games from a sample of the openings of `plies:4`. `None` if the progress stopped them.
    ///
    /// # Errors
    /// If a player cannot be had.
    pub fn play(&self, progress: &dyn Progress) -> Result<Option<Settled>, PairingError> {
        let game = Ayo { rules: self.rules };
        let openings = Suite::Plies(4).openings(game).expect("it has 1014");
        let games = self.games(&openings.sample(self.games / 2, 1), progress)?;
        let settled =
            |games: Vec<Finished>| Settled { pairing: self.clone(), tally: Tally::of(&games) };
        Ok(games.map(settled))
    }

    /// The games from some openings, each twice, the first player of the pairing first in the even ones.
    /// `None` if the progress stopped them.
    ///
    /// # Errors
    /// If a player cannot be had.
    pub fn games(
        &self,
        openings: &Openings,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Finished>>, PairingError> {
        let game = Ayo { rules: self.rules };
        let [first, second] = &self.players;
        let teams = [Team::new(first, game)?, Team::new(second, game)?];
        let contest = Contest { teams: &teams, pairings: vec![[0, 1]], game, openings };
        let (mut file, mut games) = (None, Vec::new());
        if let Some(folder) = &self.folder {
            let heading = heading(&contest);
            let (opened, found) = GamesFile::open(&place(folder, &heading), &heading, &contest)?;
            (file, games) = (Some(opened), found);
        }
        let found = games.len();
        let mut follow = |game| {
            file.as_mut().map_or(Ok(()), |file: &mut GamesFile| file.add(&game))?;
            games.push(game);
            Ok::<_, PairingError>(ControlFlow::Continue(()))
        };
        let played = if found < contest.len() {
            contest.play(found, &contest.local_games(), progress, &mut follow)
        } else {
            Ok(())
        };
        file.as_mut().map_or(Ok(()), GamesFile::flush)?;
        played?;
        Ok((games.len() == contest.len()).then_some(games))
    }
}

/// What the games of a contest depend on.
fn heading(contest: &Contest<Ayo>) -> Heading {
    let entrant =
        |team: &Team<Ayo>| Entrant { spec: team.spec().into(), identity: team.identity().into() };
    Heading {
        form: Form::Match,
        players: contest.teams.iter().map(entrant).collect(),
        pairings: contest.pairings.clone(),
        game: contest.game.into(),
        openings: "those of a study".into(),
        positions: contest.openings.positions().len(),
        checksum: contest.openings.checksum(),
        sprt: None,
    }
}

/// Where a folder has the games of a heading.
fn place(folder: &Path, heading: &Heading) -> PathBuf {
    folder.join(format!("{:08x}.games", crc32fast::hash(heading.to_string().as_bytes())))
}

/// Plays pairings in order. `None` if the progress stopped them; it counts the games of all.
///
/// # Errors
/// If a player cannot be had.
pub fn play_all(
    pairings: &[Pairing],
    progress: &dyn Progress,
) -> Result<Option<Vec<Settled>>, PairingError> {
    let all: usize = pairings.iter().map(|pairing| pairing.games).sum();
    let (mut settled, mut before) = (Vec::new(), 0);
    for pairing in pairings {
        let part = Part { whole: progress, before, of: all as u64 };
        match pairing.play(&part)? {
            Some(it) => settled.push(it),
            None => return Ok(None),
        }
        before += pairing.games as u64;
    }
    Ok(Some(settled))
}

impl From<&Settled> for Answer {
    fn from(Settled { pairing, tally }: &Settled) -> Answer {
        let estimate = tally.pairs.estimate();
        Answer {
            question: pairing.question.clone(),
            players: pairing.players.clone(),
            games: tally.games(),
            score: estimate.score,
            score_ci95: estimate.score_ci95,
            elo: estimate.elo,
            elo_ci95: estimate.elo_ci95,
            seeds: tally.mean_seeds,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_that_were_kept_are_not_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let pairing = Pairing::new("", ["greedy", "random:seed=1"], 6);
        let kept = pairing.clone().kept_in(folder.path());
        let files = || fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path());
        let tally = |pairing: &Pairing| pairing.play(&()).unwrap().unwrap().tally;
        let results = |it: &Tally| (it.wins, it.draws, it.losses, it.mean_seeds, it.mean_plies);
        let whole = tally(&kept);
        assert_eq!(results(&whole), results(&tally(&pairing)));
        // It was interrupted after two games.
        let file = files().next().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let third = text.find("game 3:").or_else(|| text.find("game 2:")).unwrap();
        fs::write(&file, &text[..third]).unwrap();
        let resumed = tally(&kept);
        assert_eq!(results(&resumed), results(&whole));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert!(
            resumed.effort[0].clocked < whole.effort[0].clocked,
            "no time was spent on what was there"
        );
        // Other players have another file.
        tally(&Pairing::new("", ["greedy", "random:seed=2"], 6).kept_in(folder.path()));
        assert_eq!(files().count(), 2);
    }
}
