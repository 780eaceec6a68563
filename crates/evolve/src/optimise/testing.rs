//! Shared helpers for the tests of optimisers.

use super::genetic::{GeneticSettings, Setup};
use super::optimiser::{Answer, Ask, Optimiser};
use super::settings::{Method, OptimiserSettings};
use super::task::Task;
use crate::learn::Learner;
use crate::testing::pairs;
use arena::{Games, LocalGames};
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

/// Like [`task`], but with eight hidden units for the optimiser that learns features.
pub(super) fn task_of(method: &Method) -> Task {
    match method.name {
        "learned" => Task { features: "u1..u8".parse().expect("units"), ..task() },
        _ => task(),
    }
}

pub(super) fn step(optimiser: &mut dyn Optimiser) {
    loop {
        let answer = match optimiser.ask() {
            Ask::Games(batch) | Ask::Match(batch) => {
                Answer::Games(LocalGames::new().outcomes(&batch, &()).unwrap())
            }
            Ask::Layer(plan) => {
                Answer::Layer(Box::new(Learner::default().learn(&plan, &()).unwrap().0))
            }
            Ask::Positions(_) => panic!("these tests have no tables"),
            Ask::Islands(_) => panic!("these tests have no islands"),
            Ask::Done => return,
        };
        optimiser.tell(answer);
    }
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
