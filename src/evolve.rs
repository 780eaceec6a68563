//! The genetic algorithm: settings, chromosomes, breeding, fitness, and the folder that a run lives in.
//!
//! Architecture invariant: evolution only emits events. Files, progress and pictures are observers of
//! them, and a run's bytes depend on its settings and seed alone.

mod ablation;
mod baseline;
mod branch;
mod breeding;
mod checkpoint;
mod choosing;
mod compare;
mod finals;
mod findings;
mod fitness;
mod folder;
mod founders;
mod gauge;
mod genome;
mod history;
mod leaders;
mod lessons;
mod measuring;
mod pairs;
mod recalling;
mod settings;
mod statistics;
mod strength;
mod summary;
mod table;
mod tournament;
mod trainer;
mod yardstick;

pub use ablation::{Ablated, ablate};
pub use baseline::{Algorithm, Optimiser, Plan, PlanError, Spent};
pub use branch::{BranchError, branch, last_population};
pub use breeding::{breed, first_population};
pub use checkpoint::Checkpoint;
pub use choosing::{Choice, Finalist, choose, finalists};
pub use compare::{
    Budget, BudgetError, COMPARISON_HEADER, Contestant, ContestantError, Mean, NoTrial, POINTS,
    Point, Row, Spectator, Standing as ComparisonStanding, Terms as ComparisonTerms, Trial,
    comparison_rows, compete, played, read_comparison, standings,
};
pub use finals::{Finals, Standing, Terms, finals, least_games};
pub use findings::findings;
pub use fitness::{Control, Evaluation, Fitness};
pub use folder::{FolderError, Resumed, RunFolder};
pub use founders::{founder, left_out};
pub use gauge::Precision;
pub use genome::{Chromosome, ChromosomeError, Encoding, EncodingError};
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
pub use tournament::{Champion, Tournament};
pub use trainer::{
    Cost, End, Evaluated, Event, Observer, Patience, Trainer, champion, run, run_measured,
};
pub use yardstick::{Ancestor, MeasuredOpenings, Yardstick, panel};
