//! Searches compiled for the evaluators that weights become, behind one interface.
//!
//! A search is compiled for its game and its evaluator, and a program chooses the evaluator when it
//! runs. The choice is made once, outside the search: [`SearchableGame::searcher`] gives a [`Searcher`]
//! whose methods are the whole searches. They are compiled in this crate, so how fast they are does
//! not depend on how a program that uses them is built.

use std::fmt::{Debug, Display};
use std::sync::Arc;

use super::{
    Found, Iteration, Limits, Probing, alpha_beta, deepen, minimax, payoffs, principal_variation,
    unordered,
};
use crate::endgame::Tables;
use crate::eval::kansas::Utility;
use crate::eval::{Compiled, Evaluator, Feature, Score, Weights, compile, kalah};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::{self as game_of_kalah, Kalah};
use crate::game::{Game, Notated, Pit, Side};
use crate::progress::Progress;

/// How a search of a fixed depth goes through the tree. All find the same move and score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Alpha-beta with ordering and a table: [`alpha_beta`].
    AlphaBeta,
    /// Alpha-beta without either: [`unordered`], the yardstick of `ayo bench`.
    Unordered,
    /// None: [`minimax`], the reference.
    None,
}

/// Searches a game with some evaluator.
pub trait Searcher<G: Game>: Debug + Display + Send + Sync {
    /// The best move `depth` ≥ 1 plies deep. `None` if there is no legal move or `progress` stopped
    /// the search, which it can do to [`Pruning::AlphaBeta`] alone.
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        pruning: Pruning,
        progress: &dyn Progress,
    ) -> Option<Found>;

    /// The best move that a budget buys: [`deepen`].
    fn deepen(
        &self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found>;

    /// What each legal move is worth: [`payoffs`].
    fn payoffs(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Pit, Score)>;

    /// The line that both sides would play: [`principal_variation`].
    fn variation(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Side, Pit)>;
}

impl<G: Game, E: Evaluator<G> + Debug + Display + Send> Searcher<G> for E {
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        pruning: Pruning,
        progress: &dyn Progress,
    ) -> Option<Found> {
        match pruning {
            Pruning::AlphaBeta => alpha_beta(game, self, position, depth, progress),
            Pruning::Unordered => unordered(game, self, position, depth),
            Pruning::None => minimax(game, self, position, depth),
        }
    }

    fn deepen(
        &self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found> {
        deepen(game, self, position, limits, progress, listener)
    }

    fn payoffs(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Pit, Score)> {
        let progress: &dyn Progress = &();
        payoffs(game, self, position, depth, progress)
    }

    fn variation(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Side, Pit)> {
        let progress: &dyn Progress = &();
        principal_variation(game, self, position, depth, progress)
    }
}

/// A game whose positions weights can value, and so one that can be searched.
pub trait SearchableGame: Notated {
    /// The search with some weights, which are of features of this game.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// use mancala::game::{Game, Side, ayo::Ayo};
    /// use mancala::search::{Pruning, SearchableGame};
    /// let game = Ayo::default();
    /// let seeds = Ayo::searcher(&Weights::named("seeds").unwrap());
    /// let found = seeds.search(&game, &game.start(Side::South), 5, Pruning::AlphaBeta, &()).unwrap();
    /// assert_eq!(found.depth, 5);
    /// ```
    fn searcher(weights: &Weights) -> Arc<dyn Searcher<Self>>;

    /// The same search with endgame tables; without them in a game that has none.
    fn searcher_with_tables(weights: &Weights, _tables: Arc<Tables>) -> Arc<dyn Searcher<Self>> {
        Self::searcher(weights)
    }

    /// What a captured seed is worth to weights, in their own units; 0 if they do not weigh it.
    fn seed_value(weights: &Weights) -> i32;

    /// The value of a feature in a position from the view of `me`; 0 for a feature of another game.
    fn feature(feature: Feature, position: &Self::Position, me: Side) -> i32;

    /// Whether tables are of this game under the rules that it is played by.
    fn has_tables(&self, _tables: &Tables) -> bool {
        false
    }

    /// Whether a position is in some tables.
    fn in_tables(_tables: &Tables, _position: &Self::Position) -> bool {
        false
    }

    /// What tables say that each move of a position brings, if the position is in them.
    fn known(_tables: &Tables, _position: &Self::Position) -> Option<Vec<(Pit, i8)>> {
        None
    }

    /// The move by which the value that tables give to a position is reached soonest, if the position
    /// is in them.
    fn realising(_tables: &Tables, _position: &Self::Position) -> Option<Pit> {
        None
    }
}

impl SearchableGame for Ayo {
    fn searcher(weights: &Weights) -> Arc<dyn Searcher<Ayo>> {
        match compile(weights) {
            Compiled::WithThreats(linear) => Arc::new(linear),
            Compiled::WithoutThreats(linear) => Arc::new(linear),
        }
    }

    fn searcher_with_tables(weights: &Weights, tables: Arc<Tables>) -> Arc<dyn Searcher<Ayo>> {
        match compile(weights) {
            Compiled::WithThreats(linear) => Arc::new(Probing::new(linear, tables)),
            Compiled::WithoutThreats(linear) => Arc::new(Probing::new(linear, tables)),
        }
    }

    fn seed_value(weights: &Weights) -> i32 {
        let seeds = [Feature::TheirSeeds, Feature::MySeeds];
        let weighed = weights.features().features().iter().zip(weights.effective());
        let of_seeds = weighed.filter(|(feature, _)| seeds.contains(feature));
        of_seeds.map(|(_, weight)| weight.abs()).max().unwrap_or(0)
    }

    fn feature(feature: Feature, position: &Position, me: Side) -> i32 {
        feature.value(position, me)
    }

    fn has_tables(&self, tables: &Tables) -> bool {
        tables.rules() == self.rules
    }

    fn in_tables(tables: &Tables, position: &Position) -> bool {
        tables.probe(position).is_some()
    }

    fn known(tables: &Tables, position: &Position) -> Option<Vec<(Pit, i8)>> {
        tables.moves(position)
    }

    fn realising(tables: &Tables, position: &Position) -> Option<Pit> {
        tables.realising(position.rows())
    }
}

impl SearchableGame for Kalah {
    fn searcher(weights: &Weights) -> Arc<dyn Searcher<Kalah>> {
        Arc::new(kalah::Linear::new(weights))
    }

    fn seed_value(weights: &Weights) -> i32 {
        kalah::Linear::new(weights).seed_value()
    }

    fn feature(feature: Feature, position: &game_of_kalah::Position, me: Side) -> i32 {
        match feature {
            Feature::Kalah(feature) => feature.value(position, me),
            _ => 0,
        }
    }
}

impl Utility {
    /// The search of the report on kalah, which sums heuristics and knows nothing of the win.
    pub fn searcher(self) -> Arc<dyn Searcher<Kalah>> {
        Arc::new(self)
    }
}
