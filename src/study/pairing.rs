//! Pairings of players of Ayo, as studies ask for them.

use std::ops::ControlFlow;

use evolution::arena::{Contest, Finished, GamesError, Openings, Suite, Tally, Team};
use evolution::player::SpecError;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Part, Progress};

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
}

impl Pairing {
    /// A pairing of so many games, or one more if they are odd.
    pub fn new(question: &str, players: [&str; 2], games: usize) -> Pairing {
        let players = players.map(str::to_owned);
        let (question, rules) = (question.into(), Rules::default());
        Pairing { question, players, games: games.next_multiple_of(2), rules }
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
        let mut games = Vec::new();
        let mut follow = |game| {
            games.push(game);
            Ok::<_, GamesError>(ControlFlow::Continue(()))
        };
        contest.play(0, &contest.local_games(), progress, &mut follow)?;
        Ok((games.len() == contest.len()).then_some(games))
    }
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
