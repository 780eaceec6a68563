//! Shared helpers for the tests of optimisers.

use super::genetic::{GeneticSettings, Setup};
use super::optimiser::{Executor, Optimiser, WorkError};
use super::settings::{Method, OptimiserSettings};
use super::task::Task;
use crate::learn::{Fitted, Learner, Plan};
use crate::testing::pairs;
use arena::{Batch, Games, LocalGames, Outcome};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;
use mancala::search::Options;

pub(super) fn task() -> Task {
    Task {
        name: "test".into(),
        seed: 3,
        features: FeatureSet::daoud2004(),
        signs: Signs::Literal,
        game: AnyGame::default(),
        depth: 1,
        nodes: None,
        options: Options::OF_2004,
        is_branch: false,
        has_finals: false,
    }
}

/// Like [`task`], but the optimiser that learns features has eight hidden units.
pub(super) fn task_of(method: &Method) -> Task {
    match method.name {
        "learned" => Task { features: "u1..u8".parse().expect("units"), ..task() },
        _ => task(),
    }
}

/// An executor that supports neither endgame tables nor islands.
pub(super) struct LocalExecutor;

impl Executor for LocalExecutor {
    fn games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        LocalGames::new().outcomes(batch, &()).ok_or(WorkError::Stopped)
    }

    fn match_games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        self.games(batch)
    }

    fn layer(&mut self, plan: &Plan) -> Result<Fitted, WorkError> {
        Ok(Learner::default().learn(plan, None, &()).unwrap().0)
    }
}

pub(super) fn step(optimiser: &mut dyn Optimiser) {
    optimiser.step(&mut LocalExecutor).unwrap();
}

pub(super) fn setup(changes: &str) -> Setup {
    let mut task = Task { seed: 1, signs: Signs::Signed, depth: 2, ..task() };
    let mut own = GeneticSettings::defaults();
    for (name, value) in pairs(changes) {
        match name {
            "depth" => task.depth = value.parse().unwrap(),
            "signs" => task.signs = value.parse().unwrap(),
            _ => own.set(name, value).unwrap().unwrap(),
        }
    }
    own.check(&task).unwrap();
    Setup::new(task, own)
}
