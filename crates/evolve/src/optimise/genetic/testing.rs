//! Settings for tests.

use super::settings::{GeneticSettings, Setup};
use crate::optimise::method::OptimiserSettings;
use crate::optimise::task::Task;
use crate::optimise::testing;
use mancala::eval::Signs;

/// Those of the first trainer with some changes, which must fit together.
pub(crate) fn setup(changes: &[(&str, &str)]) -> Setup {
    let mut task = Task { seed: 1, signs: Signs::Signed, depth: 5, ..testing::task() };
    let mut own = GeneticSettings::default();
    for &(name, value) in changes {
        match name {
            "depth" => task.depth = value.parse().unwrap(),
            "features" => task.features = value.parse().unwrap(),
            "signs" => task.signs = value.parse().unwrap(),
            "game" => task.game = value.parse().unwrap(),
            "rules" => task.game = task.game.with_rules(value.parse().unwrap()).unwrap(),
            _ => own.set(name, value).unwrap().unwrap(),
        }
    }
    own.check(&task).unwrap();
    Setup::new(task, own)
}
