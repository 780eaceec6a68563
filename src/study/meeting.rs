//! Meetings of players of Ayo, as studies ask for them.

use std::num::NonZeroUsize;

use super::Watcher;
use crate::arena::{Contest, Finished, Followed, NoCopy, Openings, Suite, Tally, Team};
use crate::player::SpecError;
use mancala::game::ayo::Ayo;
use mancala::progress::Progress;

/// Two players who meet to settle a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// What the meeting settles.
    pub question: String,
    /// The specifications of the players; the result is the first one's.
    pub players: [String; 2],
    /// Games, an even number.
    pub games: usize,
}

/// A meeting and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Met {
    /// The meeting.
    pub meeting: Meeting,
    /// What it came to.
    pub tally: Tally,
}

/// How studies play: on how many threads, and who is told.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// Games at a time.
    pub threads: NonZeroUsize,
    /// Told of every game, and asked whether to go on.
    pub watcher: &'a dyn Watcher,
}

impl Meeting {
    /// A meeting of so many games, or one more if they are odd.
    pub fn new(question: &str, players: [&str; 2], games: usize) -> Meeting {
        let players = players.map(str::to_owned);
        Meeting { question: question.into(), players, games: games.next_multiple_of(2) }
    }

    /// Plays the games from a sample of the openings of `plies:4`. `None` if the watcher stopped them.
    ///
    /// # Errors
    /// If a specification describes no player.
    pub fn play(&self, stage: Stage) -> Result<Option<Met>, SpecError> {
        let openings = Suite::Plies(4).openings(Ayo::default()).expect("it has 1014");
        let games = self.games(&openings.sample(self.games / 2, 1), stage)?;
        let met = |games: Vec<Finished>| Met { meeting: self.clone(), tally: Tally::of(&games) };
        Ok(games.map(met))
    }

    /// The games from some openings, each twice, the first player of the meeting first in the even ones.
    /// `None` if the watcher stopped them.
    ///
    /// # Errors
    /// If a specification describes no player.
    pub fn games(
        &self,
        openings: &Openings,
        stage: Stage,
    ) -> Result<Option<Vec<Finished>>, SpecError> {
        let game = Ayo::default();
        let [first, second] = &self.players;
        let teams = [Team::new(first, game)?, Team::new(second, game)?];
        let contest = Contest { teams: &teams, pairings: vec![[0, 1]], game, openings };
        let mut games = Vec::new();
        let mut follow = |game| {
            games.push(game);
            stage.watcher.played(1);
            Ok::<_, Lost>(Followed::On)
        };
        contest.play(0, stage.threads, &Stop(stage.watcher), &mut follow).map_err(|it| it.0)?;
        Ok((games.len() == contest.len()).then_some(games))
    }
}

/// Plays meetings in order; those before the watcher stopped them.
///
/// # Errors
/// If a specification describes no player.
pub fn play_all(meetings: &[Meeting], stage: Stage) -> Result<Option<Vec<Met>>, SpecError> {
    let mut met = Vec::new();
    for meeting in meetings {
        match meeting.play(stage)? {
            Some(outcome) => met.push(outcome),
            None => return Ok(None),
        }
    }
    Ok(Some(met))
}

struct Stop<'a>(&'a dyn Watcher);

impl Progress for Stop<'_> {
    fn should_stop(&self) -> bool {
        self.0.should_stop()
    }
}

/// A player of whom there is no further copy.
struct Lost(SpecError);

impl From<NoCopy> for Lost {
    fn from(error: NoCopy) -> Lost {
        Lost(*error.reason)
    }
}
