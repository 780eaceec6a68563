//! What the tests of all optimisers need.

use super::ask::{Answer, Ask, Optimiser};
use super::task::{Finals, Origin, Task};
use crate::arena::{Games, LocalGames};
use mancala::eval::{FeatureSet, Signs};
use mancala::game::AnyGame;
use mancala::search::Options;

/// Weights of the first twelve features of ayo are to be found by games at depth 1.
pub(super) fn task() -> Task {
    Task {
        name: "test".into(),
        seed: 3,
        layer: None,
        features: FeatureSet::daoud2004(),
        signs: Signs::Literal,
        game: AnyGame::default(),
        depth: 1,
        options: Options::OF_2004,
        origin: Origin::New,
        finals: Finals::None,
    }
}

/// Makes a step with the games that it asks for.
pub(super) fn step(optimiser: &mut dyn Optimiser) {
    while let Ask::Games(batch) = optimiser.ask() {
        optimiser.tell(Answer::Games(LocalGames::new().outcomes(&batch, &()).unwrap()));
    }
}
