//! A training run: settings, the loop that drives an optimiser, and the folder that a run lives in.
//!
//! Architecture invariant: a run knows no algorithm, and only emits events. Files, progress and pictures
//! are observers of them, and a run's bytes depend on its settings and seed alone.

mod branch;
mod checkpoint;
mod choosing;
mod compare;
mod drive;
mod estimate;
mod event;
mod finals;
mod findings;
mod folder;
mod gate;
mod history;
mod leaders;
mod measuring;
mod oracle;
mod precision;
mod settings;
mod statistics;
mod status;
mod stop;
mod stop_file;
mod strength;
mod summary;
mod trainer;
mod yardstick;

pub use crate::optimise::{Chromosome, Encoding, Evaluated};
pub use branch::{BranchError, branch, last_population};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use choosing::{Choice, Choosing, Finalist, finalists};
pub use compare::{
    Advance, Budget, BudgetError, COMPARISON_HEADER, ComparisonError, ComparisonTerms, Contestant,
    ContestantError, ContestantScore, Mean, NoTrial, POINTS, PairedDifference, Point, Row,
    Searched, Spent, Told, Trial, WrongLine, comparison_header, comparison_rows, compete,
    contestant_scores, differences, played, read_comparison,
};
pub use drive::{run, run_measured, train};
pub use estimate::Estimate;
pub use event::{Cost, Event, Observer, Part};
pub use finals::{Finals, FinalsTerms, Ranked, finals, least_games};
pub use findings::findings;
pub use folder::{
    CHAMPION, CONFIGURATION, COST, EPOCHS, HISTORY, OnDisk, STRENGTH, changed_lines, checkpoints,
    is_layer, noted,
};
pub use folder::{ChangedLine, Damage, FolderError, RUNS, Resumed, RunFolder, read_layers};
pub use history::{COST_HEADER, EPOCHS_HEADER, good_rows, header, known_rows};
pub use history::{Totals, best_of_generation, column_names, totals};
pub use leaders::{LeaderError, Wanted, weights_of_generation};
pub use measuring::Measuring;
pub use precision::Precision;
pub use settings::{
    DEFAULT_PRESET, Draft, SettingError, Settings, preset_of_game, presets, read_toml,
    setting_names,
};
pub use statistics::Statistics;
pub use status::{Status, StatusPart};
pub use stop::{End, StopPolicy, Watched};
pub use stop_file::StopFile;
pub use strength::{Measurement, read_strength};
pub use summary::{KnownStrength, RunState, Summary, argument, resume_arguments};
pub use trainer::Trainer;
pub use yardstick::{
    Ancestor, Conditions, MeasuredAt, MeasuredOpenings, Panel, Yardstick, against_panel, glimpse,
};
