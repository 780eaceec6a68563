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
use crate::eval::{Compiled, Evaluator, Score, Sum, Weights, compile, kalah};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::Kalah;
use crate::game::{Featured, Game, Notated, Pit, Side};
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

/// A game whose positions weights can value, and so one that can be searched. A game that has nothing
/// faster than the sum of its features, and no endgame tables, needs none of the methods.
pub trait SearchableGame: Notated + Featured {
    /// The search with some weights.
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
    ///
    /// # Panics
    /// If the weights are of features of another game.
    fn searcher(weights: &Weights) -> Arc<dyn Searcher<Self>> {
        Arc::new(Sum::<Self>::new(weights))
    }

    /// The same search with endgame tables; without them in a game that has none.
    ///
    /// # Panics
    /// If the weights are of features of another game.
    fn searcher_with_tables(weights: &Weights, _tables: Arc<Tables>) -> Arc<dyn Searcher<Self>> {
        Self::searcher(weights)
    }

    /// The value that weights give to a captured seed, in their own units: that of my seed or of the
    /// opponent's, whichever counts more. 0 if they do not weigh captured seeds.
    fn seed_value(weights: &Weights) -> i32 {
        let mut sum = Sum::<Self>::new(weights);
        let values = Self::CAPTURED.iter().map(|feature| sum.take(*feature).abs());
        values.max().unwrap_or(0)
    }

    /// Whether the tables hold for the rules of this game.
    fn has_tables(&self, _tables: &Tables) -> bool {
        false
    }

    /// Whether a position is in the tables.
    fn in_tables(_tables: &Tables, _position: &Self::Position) -> bool {
        false
    }

    /// The value of each move of a position, in seeds, if the position is in the tables.
    fn known(_tables: &Tables, _position: &Self::Position) -> Option<Vec<(Pit, i8)>> {
        None
    }

    /// The move that reaches the position's value in the fewest plies, if the position is in the tables.
    fn realising(_tables: &Tables, _position: &Self::Position) -> Option<Pit> {
        None
    }
}

impl SearchableGame for Ayo {
    fn searcher(weights: &Weights) -> Arc<dyn Searcher<Ayo>> {
        match compile(weights) {
            Compiled::WithThreats(linear) => Arc::new(linear),
            Compiled::WithoutThreats(linear) => Arc::new(linear),
            Compiled::General(sum) => Arc::new(sum),
        }
    }

    fn searcher_with_tables(weights: &Weights, tables: Arc<Tables>) -> Arc<dyn Searcher<Ayo>> {
        match compile(weights) {
            Compiled::WithThreats(linear) => Arc::new(Probing::new(linear, tables)),
            Compiled::WithoutThreats(linear) => Arc::new(Probing::new(linear, tables)),
            Compiled::General(sum) => Arc::new(Probing::new(sum, tables)),
        }
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
}

impl Utility {
    /// The search of the report on kalah, which sums heuristics and knows nothing of the win.
    pub fn searcher(self) -> Arc<dyn Searcher<Kalah>> {
        Arc::new(self)
    }
}
