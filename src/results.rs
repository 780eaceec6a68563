//! Results as they are printed, kept in files, read back and drawn: one type each.
//!
//! Architecture invariant: the fields of these types, their names and their order are the JSON that users
//! have. A field may be added at the end of a type, none may go or change its meaning. Fields that are
//! not read back may be missing in a file.

mod champion;
mod comparison;
mod inspection;
mod kept_match;
mod matches;
mod pages;
mod runs;
mod series;
mod strength;
mod terms;
mod tournament;
mod training;

pub use champion::{ChampionChoice, RankedFinalist};
pub use comparison::{
    ComparedContestant, Comparison, Completion, Difference, MeanScore, Search, SearchPoint,
};

pub use inspection::{
    InspectedBook, InspectedCheckpoint, InspectedLayer, InspectedLeader, InspectedMember,
    InspectedRun, InspectedWeight, InspectedWeights, Inspection, Measured, Precision,
    settings_of_preset,
};
pub use kept_match::{
    KeptGame, KeptLines, KeptMatch, KeptMeeting, KeptTest, ListedMatch, MatchState,
};
pub use matches::{Match, PlayerEffort, Players, SprtResult};
pub use pages::{
    CardChampion, CostCurve, Curves, Presets, RunCard, RunPage, ShownPreset, ShownSetting,
    StrengthCurve,
};

pub use runs::{ListedRun, RunAtAGlance, Runs, UnreadableRun};
pub use series::{Series, SeriesRun, SeriesState, incomparable};
pub use strength::{AgainstOpponent, LastStrength, Score, against};
pub use terms::Terms;
pub use tournament::{Cell, Circle, RatedPlayer, Tournament};
pub use training::{
    Begun, BegunPart, Done, EvaluatedGeneration, TrainedChampion, TrainedRun, TrainingEvent,
};

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
fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Sentences in one line, if there are any.
fn joined(sentences: &[String]) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
