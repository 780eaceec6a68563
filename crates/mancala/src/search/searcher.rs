//! Searches compiled for the evaluators that weights become, behind one interface.
//!
//! A search is compiled for its game and its evaluator, and a program chooses the evaluator when it
//! runs. The choice is made once, outside the search: [`SearchableGame::searcher`] gives a [`Searcher`]
//! whose methods are the whole searches. They are compiled in this crate, so how fast they are does
//! not depend on how a program that uses them is built.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use super::engine::{self, Effort};
use super::erased::Erased;
use super::{
    Found, Iteration, Limits, Options, Payoffs, Probing, Sample, Tree, alpha_beta, deepen,
    leaves::leaves, payoffs, plain::minimax_until, principal_variation, unordered,
};
use crate::endgame::Tables;
use crate::eval::Certainty;
use crate::eval::kansas::Utility;
use crate::eval::learned::Split;
use crate::eval::learned::seed_worth;
use crate::eval::{
    Compiled, Evaluator, Inferred, Learned, Linear, Nothing, Score, Sum, Tabled, Weights, compiled,
    kalah,
};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::Kalah;
use crate::game::{Game, Notated, Pit, Side};
use crate::progress::Progress;

/// How a search of a fixed depth goes through the tree. All find the same move and score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// Alpha-beta with ordering and a table: [`alpha_beta`].
    AlphaBeta,
    /// Alpha-beta without either: [`unordered`], the yardstick of `ayo bench`.
    Unordered,
    /// None: [`minimax`](super::minimax), the reference.
    None,
}

/// Searches a game with some evaluator.
pub trait Searcher<G: Game>: Debug + Display + Send + Sync {
    /// The best move `depth` ≥ 1 plies deep. `None` if there is no legal move or `progress` stopped
    /// the search, which it can do to all but [`Pruning::Unordered`].
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

    /// The best move that an engine finds: [`engine::think`].
    fn think(
        &self,
        game: &G,
        position: &G::Position,
        effort: &Effort<'_>,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found>;

    /// The line that an engine has found: [`engine::line`].
    fn line(
        &self,
        game: &G,
        position: &G::Position,
        table: &engine::Table,
        first: Pit,
        plies: u32,
    ) -> Vec<(Side, Pit)>;

    /// What each legal move is worth: [`payoffs`].
    fn payoffs(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        progress: &dyn Progress,
    ) -> Payoffs;

    /// What the evaluator makes of a position for `me`, whoever is to move, without a search.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// use mancala::game::{Side, ayo::Ayo};
    /// use mancala::search::{Options, SearchableGame};
    /// let seeds = Ayo::searcher(&Weights::named("seeds").unwrap(), Options::default());
    /// let position = "13-0-1-0-0-2-3-0-0-0-0-1-20-8-N".parse()?;
    /// assert_eq!(seeds.evaluate(&position, Side::South).0, 20 - 8);
    /// # Ok::<(), mancala::game::ayo::PositionError>(())
    /// ```
    fn evaluate(&self, position: &G::Position, me: Side) -> Score;

    /// The line that both sides would play: [`principal_variation`].
    fn variation(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Side, Pit)>;

    /// A sample of the positions that [`alpha_beta`] values as leaves, `depth` ≥ 1 plies deep, in the order in
    /// which it comes to them. Those in which the game has ended or which tables know are not among them. It is
    /// slower than the search, which it follows move for move.
    fn leaves(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        sample: Sample,
    ) -> Vec<G::Position>;
}

/// An evaluator, and how leaves are valued by it.
#[derive(Debug)]
struct Searching<E> {
    evaluator: E,
    options: Options,
}

impl<E> Searching<E> {
    fn tree<'a, G: Game>(&'a self, game: &'a G) -> Tree<'a, G, E>
    where
        E: Evaluator<G>,
    {
        Tree::new(game, &self.evaluator).with(self.options)
    }
}

/// The evaluator, and the options that are not the usual ones.
impl<E: Display> Display for Searching<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.options.to_string();
        let gap = if options.is_empty() { "" } else { " " };
        write!(f, "{}{gap}{options}", self.evaluator)
    }
}

impl<G: Game, E: Evaluator<G> + Debug + Display + Send> Searcher<G> for Searching<E> {
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        pruning: Pruning,
        progress: &dyn Progress,
    ) -> Option<Found> {
        match pruning {
            Pruning::AlphaBeta => alpha_beta(self.tree(game), position, depth, progress),
            Pruning::Unordered => unordered(self.tree(game), position, depth),
            Pruning::None => minimax_until(self.tree(game), position, depth, progress),
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
        deepen(self.tree(game), position, limits, progress, listener)
    }

    fn think(
        &self,
        game: &G,
        position: &G::Position,
        effort: &Effort<'_>,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found> {
        engine::think(self.tree(game), position, effort, progress, listener)
    }

    fn line(
        &self,
        game: &G,
        position: &G::Position,
        table: &engine::Table,
        first: Pit,
        plies: u32,
    ) -> Vec<(Side, Pit)> {
        engine::line(self.tree(game), position, table, first, plies)
    }

    fn payoffs(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        progress: &dyn Progress,
    ) -> Payoffs {
        payoffs(self.tree(game), position, depth, progress)
    }

    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        self.evaluator.evaluate(position, me)
    }

    fn variation(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Side, Pit)> {
        let progress: &dyn Progress = &();
        principal_variation(self.tree(game), position, depth, progress)
    }

    fn leaves(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        sample: Sample,
    ) -> Vec<G::Position> {
        leaves(game, &self.evaluator, self.options, position, depth, sample)
    }
}

fn searching<G: Game, E: Evaluator<G> + Debug + Display + Send + 'static>(
    evaluator: E,
    options: Options,
) -> Arc<dyn Searcher<G>> {
    Arc::new(Searching { evaluator, options })
}

/// A game whose positions weights can value, and so one that can be searched. A game that has nothing
/// faster than the sum of its features, and no endgame tables, needs none of the methods.
pub trait SearchableGame: Notated + Inferred + Default {
    /// The search with some weights.
    ///
    /// ```
    /// use mancala::eval::Weights;
    /// use mancala::game::{Game, Side, ayo::Ayo};
    /// use mancala::search::{Options, Pruning, SearchableGame};
    /// let game = Ayo::default();
    /// let seeds = Ayo::searcher(&Weights::named("seeds").unwrap(), Options::default());
    /// let found = seeds.search(&game, &game.start(Side::South), 5, Pruning::AlphaBeta, &()).unwrap();
    /// assert_eq!(found.depth, 5);
    /// ```
    ///
    /// # Panics
    /// If the weights are of features of another game.
    fn searcher(weights: &Weights, options: Options) -> Arc<dyn Searcher<Self>> {
        match Split::<Self>::of(weights) {
            Split { units: None, counted } => searching(counted, options),
            Split { units: Some((layer, units)), counted } => {
                searching(Learned::<Self, _>::new(layer, &units, counted), options)
            }
        }
    }

    /// The same search with endgame tables; without them in a game that has none.
    ///
    /// # Panics
    /// If the weights are of features of another game.
    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        _tables: Arc<Tables>,
    ) -> Arc<dyn Searcher<Self>> {
        Self::searcher(weights, options)
    }

    /// The value that weights give to a captured seed, in their own units: that of my seed or of the
    /// opponent's, whichever counts more. 0 if they do not weigh captured seeds. To units of a learned layer it is the
    /// slope of their values by the lead, over positions of random games.
    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return seed_worth(&Self::default(), weights);
        }
        let mut sum = Sum::<Self>::beside_units(weights);
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

    /// The value of each move of a position, in seeds, and whether it is proven, if the position is in the tables.
    fn known(_: &Tables, _: &Self::Position) -> Option<Vec<(Pit, i8, Certainty)>> {
        None
    }

    /// Of some moves the one that comes nearest to what its mover is sure of, if the position has bounds.
    fn securing(_tables: &Tables, _position: &Self::Position, _among: &[Pit]) -> Option<Pit> {
        None
    }

    /// The move that reaches the position's value in the fewest plies, if the position is in the tables.
    fn realising(_tables: &Tables, _position: &Self::Position) -> Option<Pit> {
        None
    }
}

/// What weights of ayo become.
enum OfAyo {
    Units(Learned<Ayo, Nothing>),
    Threats(Linear<true>),
    NoThreats(Linear<false>),
    Tabled(Tabled),
    Other(Erased<Ayo>),
}

impl OfAyo {
    fn of(weights: &Weights) -> OfAyo {
        let Split { units, counted } = Split::<Ayo>::of(weights);
        match (units, counted) {
            (Some((layer, units)), counted) if counted.is_empty() => {
                OfAyo::Units(Learned::new(layer, &units, Nothing))
            }
            (Some((layer, units)), counted) => {
                OfAyo::Other(Erased::new(Learned::<Ayo, _>::new(layer, &units, compiled(counted))))
            }
            (None, counted) => match compiled(counted) {
                Compiled::WithThreats(it) => OfAyo::Threats(it),
                Compiled::WithoutThreats(it) => OfAyo::NoThreats(it),
                Compiled::Tabled(it) => OfAyo::Tabled(it),
                Compiled::General(it) => OfAyo::Other(Erased::new(it)),
            },
        }
    }
}

impl SearchableGame for Ayo {
    fn searcher(weights: &Weights, options: Options) -> Arc<dyn Searcher<Ayo>> {
        match OfAyo::of(weights) {
            OfAyo::Units(it) => searching(it, options),
            OfAyo::Threats(it) => searching(it, options),
            OfAyo::NoThreats(it) => searching(it, options),
            OfAyo::Tabled(it) => searching(it, options),
            OfAyo::Other(it) => searching(it, options),
        }
    }

    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        tables: Arc<Tables>,
    ) -> Arc<dyn Searcher<Ayo>> {
        let other = |it| searching(Probing::new(it, Arc::clone(&tables)), options);
        match OfAyo::of(weights) {
            OfAyo::Units(it) => searching(Probing::new(it, tables), options),
            OfAyo::Threats(it) => searching(Probing::new(it, tables), options),
            OfAyo::NoThreats(it) => other(Erased::new(it)),
            OfAyo::Tabled(it) => other(Erased::new(it)),
            OfAyo::Other(it) => other(it),
        }
    }

    fn has_tables(&self, tables: &Tables) -> bool {
        tables.rules() == self.rules
    }

    fn in_tables(tables: &Tables, position: &Position) -> bool {
        tables.probe(position).is_some()
    }

    fn known(tables: &Tables, position: &Position) -> Option<Vec<(Pit, i8, Certainty)>> {
        tables.known(position)
    }

    fn securing(tables: &Tables, position: &Position, among: &[Pit]) -> Option<Pit> {
        tables.bounds()?.securing(position.rows(), among)
    }

    fn realising(tables: &Tables, position: &Position) -> Option<Pit> {
        tables.realising(position.rows())
    }
}

impl SearchableGame for Kalah {
    fn searcher(weights: &Weights, options: Options) -> Arc<dyn Searcher<Kalah>> {
        let Split { units, counted } = Split::<Kalah>::of(weights);
        let counted = kalah::Linear::of(counted);
        match units {
            None => searching(counted, options),
            Some((layer, units)) => {
                let learned = Learned::<Kalah, _>::new(layer, &units, counted);
                searching(Erased::new(learned), options)
            }
        }
    }

    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return seed_worth(&Kalah::default(), weights);
        }
        kalah::Linear::of(Sum::beside_units(weights)).seed_value()
    }
}

impl Utility {
    /// The search of the report on kalah, which sums heuristics and knows nothing of the win.
    pub fn searcher(self) -> Arc<dyn Searcher<Kalah>> {
        // As the report reads.
        searching(Erased::new(self), Options::OF_2004)
    }
}
