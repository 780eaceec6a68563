//! A training run: settings, the loop that drives an optimiser, and the folder that a run lives in.
//!
//! Architecture invariant: a run only emits events. Files, progress and pictures are observers of
//! them, and a run's bytes depend on its settings and seed alone.

pub(crate) mod ablation;
pub(crate) mod branch;
pub(crate) mod checkpoint;
pub(crate) mod choosing;
pub(crate) mod compare;
pub(crate) mod finals;
pub(crate) mod findings;
pub(crate) mod folder;
pub(crate) mod gauge;
pub(crate) mod history;
pub(crate) mod leaders;
pub(crate) mod measuring;
pub(crate) mod settings;
pub(crate) mod statistics;
pub(crate) mod strength;
pub(crate) mod summary;
pub(crate) mod trainer;
pub(crate) mod yardstick;

pub use crate::optimise::baseline::{Algorithm, Optimiser, Plan, PlanError, Spent};
pub use crate::optimise::fitness::{Control, Evaluation, Fitness};
pub use crate::optimise::genetic::breeding::{breed, first_population};
pub use crate::optimise::genetic::founders::{founder, left_out};
pub use crate::optimise::genetic::tournament::{Champion, Tournament};
pub use crate::optimise::genome::{Chromosome, ChromosomeError, Encoding, EncodingError};
pub use ablation::{Ablated, ablate};
pub use branch::{BranchError, branch, last_population};
pub use checkpoint::Checkpoint;
pub use choosing::{Choice, Finalist, choose, finalists};
pub use compare::{
    Budget, BudgetError, COMPARISON_HEADER, Contestant, ContestantError, Mean, NoTrial, POINTS,
    Point, Row, Spectator, Standing as ComparisonStanding, Terms as ComparisonTerms, Trial,
    comparison_rows, compete, played, read_comparison, standings,
};
pub use finals::{Finals, FinalsTerms, Ranked, finals, least_games};
pub use findings::findings;
pub use folder::{FolderError, Resumed, RunFolder};
pub use gauge::Precision;
pub use history::{best_of_generation, column_names};
pub use leaders::{LeaderError, Wanted, weights_of_generation};
pub use measuring::Measuring;
pub use settings::{
    Beginnings, Crossover, DEFAULT_PRESET, Draft, Fixed, Founders, KEYS, Key, Merit, Mutation,
    PRESETS, Scale, Selection, SettingError, Settings, Share, preset_of_game, read_toml,
};
pub use statistics::Statistics;
pub use strength::{Measurement, read_strength};
pub use summary::{RunState, Summary, is_finished, quoted_for_shell, resume_arguments};
pub use trainer::{
    Cost, End, Evaluated, Event, Observer, Patience, Trainer, champion, run, run_measured,
};
pub use yardstick::{Ancestor, MeasuredOpenings, Yardstick, panel};
