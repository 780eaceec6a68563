//! What the tests of all optimisers need.

use super::ask::{Answer, Ask, Optimiser};
use super::method::Method;
use super::task::{Finals, Origin, Task};
use crate::learn::learn;
use arena::{Games, LocalGames};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;
use mancala::search::Options;

/// Weights of the first twelve features of ayo are to be found by games at depth 1.
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
        origin: Origin::New,
        finals: Finals::None,
    }
}

/// The same task for a method: one that learns its features is to weigh eight units.
pub(super) fn task_of(method: &Method) -> Task {
    match method.name {
        "learned" => Task { features: "u1..u8".parse().expect("units"), ..task() },
        _ => task(),
    }
}

/// Makes a step with the answers to what it asks.
pub(super) fn step(optimiser: &mut dyn Optimiser) {
    loop {
        let answer = match optimiser.ask() {
            Ask::Games(batch) => Answer::Games(LocalGames::new().outcomes(&batch, &()).unwrap()),
            Ask::Layer(plan) => Answer::Layer(Box::new(learn(&plan, &()).unwrap().0)),
            Ask::Positions(_) => panic!("these tests have no tables"),
            Ask::Done => return,
        };
        optimiser.tell(answer);
    }
}
