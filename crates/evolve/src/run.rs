//! Training runs: their settings, the loop that drives an optimiser, and the folder that records a run.
//!
//! Architecture invariant: the run is independent of the algorithm and only emits events. Observers write files, show
//! progress and draw plots. The output of a run depends only on its settings and seed.

mod champion;
mod checkpoint;
mod cross_games;
mod estimate;
mod event;
mod finals;
mod folder;
mod gate;
mod history;
mod past;
mod run_loop;
mod schedule;
mod settings;
mod status;
mod stop;
mod strength;
mod strength_test;
mod summary;
mod trainer;

pub use crate::games::GameRunner;
pub use crate::optimise::{Chromosome, Encoding, Evaluated};
use champion::most_games;
pub use champion::{ChampionSelection, Finalist, SelectedChampion, finalists};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use cross_games::{CROSS_GAMES, CrossGames, CrossGamesPlan, REPORT, cross_games};
pub use estimate::{Estimate, slow_games};
pub use event::{Cost, Event, Observer};
use finals::Ranked;
pub use finals::{FINALS, least_games};
pub use folder::{
    CHAMPION, CONFIGURATION, COST, DamagedLine, FolderError, HISTORY, ITERATIONS, LOG, RUNS,
    RecordedTable, Resumed, RunFolder, STRENGTH, checkpoints, damaged_lines, is_layer, noted,
    read_layers,
};
use folder::{champion_is_edited, uses_tables};
use gate::{FINAL_PAIRS, PAIRS, SHORT_PAIRS};
use history::best_of_some;
pub use history::{
    COST_HEADER, ITERATIONS_HEADER, Statistics, Totals, best_of_generation, good_rows, header,
    known_rows, totals,
};
use past::recorded_champions;
pub use past::{branch, last_population, weights_of_generation};
pub use run_loop::{Run, Trained, run_measured, train};
pub use schedule::Measuring;
pub use settings::{
    DEFAULT_PRESET, Draft, SettingError, Settings, all_settings, digits, meant_preset,
    preset_of_game, presets, read_toml,
};
use status::StatusObserver;
pub use status::{RunProgress, Status, StatusPart};
pub use stop::{End, StopFile, StopPolicy, Watched, for_at_most, watch_stop_file};
use strength::{
    Columns, measured_champions, past_opponents, scheduled_until, short_test, strength_rows,
};
pub use strength::{Measurement, read_strength};
pub use strength_test::{
    MeasuredAt, Panel, TableAccuracy, against_panel, measured_openings, openings_name,
    past_generation, quick_strength_check,
};
use strength_test::{TableAccuracyTest, generation_of, past_champion};
pub use summary::{KnownStrength, RunState, Summary, argument, findings, resume_arguments};
pub use trainer::{Trainer, provenance};
use trainer::{champion, local_games, recorded_candidate};
