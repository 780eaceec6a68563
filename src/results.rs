//! Results as they are printed, kept in files, read back and drawn: one type each.
//!
//! Architecture invariant: the fields of these types, their names and their order are the JSON that users
//! have. A field may be added at the end of a type, none may go or change its meaning. Fields that are
//! not read back may be missing in a file.

mod ablation;
mod accuracy;
mod bench;
mod board;
mod champion;
mod examination;
mod inspection;
mod pages;
mod position;
mod replay;
mod runs;
mod series;
mod strength;
mod terms;
mod training;

pub use ablation::{Ablation, FeatureWorth};
pub use accuracy::{AccuracyAt, AccuracyTest, PlayerAccuracy};
pub use bench::{
    Bench, EngineSpeed, GameSpeed, PerftSpeed, SearchSpeed, Signature, Speed, TrainingSpeed,
};
pub use board::{Board, Chosen, JudgedLine, LastPly, Over, Payoff, Payoffs, Sided};
pub use champion::{ChampionChoice, RankedFinalist};

pub use examination::{Examination, ExaminedFile, Health};
pub use inspection::{
    InspectedBook, InspectedCheckpoint, InspectedLayer, InspectedLeader, InspectedMember,
    InspectedRun, InspectedWeight, InspectedWeights, Inspection, Measured, Precision,
    settings_of_preset,
};

pub use pages::{
    CardChampion, CostCurve, Curves, Presets, RunCard, RunPage, ShownPreset, ShownSetting,
    StrengthCurve,
};
pub use position::{ChosenMove, Evaluation};
pub use replay::{
    Awarded, DecidedAt, Departed, EndingName, JudgedBy, JudgedMove, NamedPly, ReplayedGame,
    Replays, Sides,
};
pub use runs::{ListedRun, RunAtAGlance, Runs, UnreadableRun};
pub use series::{Completion, Series, SeriesRun, SeriesState, incomparable};
pub use strength::{AgainstOpponent, LastStrength, Score, against};
pub use terms::Terms;

pub use training::{
    Begun, BegunPart, Done, EvaluatedGeneration, TrainedChampion, TrainedRun, TrainingEvent,
};

use serde::{Serialize, Serializer};

/// Pairs as an object, in their order.
pub(crate) fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Sentences in one line, if there are any.
fn joined(sentences: &[String]) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
