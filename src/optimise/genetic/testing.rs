//! Settings for tests.

use super::settings::{GeneticSettings, Setup};
use crate::optimise::method::OptimiserSettings;
use crate::optimise::task::{Finals, Origin, Task};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;

/// Those of the first trainer with some changes, which must fit together.
pub(crate) fn setup(changes: &[(&str, &str)]) -> Setup {
    let mut task = Task {
        name: "test".into(),
        seed: 1,
        features: FeatureSet::daoud2004(),
        signs: Signs::Signed,
        game: AnyGame::default(),
        depth: 5,
        origin: Origin::New,
        finals: Finals::None,
    };
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
