//! Results as they are printed, kept in files, read back and drawn: one type each.
//!
//! Architecture invariant: the fields of these types, their names and their order are the JSON that users
//! have. A field may be added at the end of a type, none may go or change its meaning. Fields that are
//! not read back may be missing in a file.

mod ablation;
mod accuracy;
mod bench;
mod board;
mod comparison;
mod examination;
mod kept_match;
mod matches;
mod position;
mod replay;
mod tournament;

pub use ablation::{Ablation, FeatureWorth};
pub use accuracy::{AccuracyAt, AccuracyTest, PlayerAccuracy};
pub use bench::{
    Bench, EngineSpeed, GameSpeed, PerftSpeed, SearchSpeed, Signature, Speed, TrainingSpeed,
};
pub use board::{Board, Chosen, JudgedLine, LastPly, Over, Payoff, Payoffs, Sided};

pub use comparison::{
    ComparedContestant, Comparison, Completion, Difference, MeanScore, Search, SearchPoint,
};
pub use examination::{Examination, ExaminedFile, Health};

pub use kept_match::{
    KeptGame, KeptLines, KeptMatch, KeptMeeting, KeptTest, ListedMatch, MatchState,
};
pub use matches::{Match, PlayerEffort, Players, SprtResult};

pub use position::{ChosenMove, Evaluation};
pub use replay::{
    Awarded, DecidedAt, Departed, EndingName, JudgedBy, JudgedMove, NamedPly, ReplayedGame,
    Replays, Sides,
};

pub use tournament::{Cell, Circle, RatedPlayer, Tournament};

use crate::terms::Terms;
use arena::player::PlayableGame;
use arena::{Contest, Finished, Team};
use mancala::game::ayo::Ayo;
use serde::{Serialize, Serializer};

/// A contest as far as it was played, of which a result is made.
#[derive(Clone, Copy)]
pub struct PlayedContest<'a, G: PlayableGame = Ayo> {
    /// The players, and what they play.
    pub contest: &'a Contest<'a, G>,
    /// The openings in words that differ where the openings do.
    pub openings: &'a str,
    /// The games in the order of their numbers.
    pub games: &'a [Finished],
    /// Whether it ended before its time.
    pub interrupted: bool,
}

impl<G: PlayableGame> PlayedContest<'_, G> {
    fn terms(&self) -> Terms {
        self.contest.game.into().into()
    }

    fn reproducible(&self) -> bool {
        self.contest.teams.iter().all(Team::reproducible)
    }
}

/// Pairs as an object, in their order.
pub(crate) fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Sentences in one line, if there are any.
pub(crate) fn joined(sentences: &[String]) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
