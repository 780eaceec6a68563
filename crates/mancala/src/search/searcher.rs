//! Searches for weights that are known at run time.
//!
//! Searches are monomorphised over the game and the evaluator. [`SearchableGame::searcher`] chooses the evaluator once and
//! returns a [`Searcher`], whose methods are whole searches. All of them are compiled in this crate, so their speed does
//! not depend on the build settings of other crates.

use std::fmt::{self, Debug, Display};
use std::sync::Arc;

use super::engine::{self, Effort};
use super::{
    Found, Iteration, Limits, Options, Payoffs, Probing, Sample, Tree, alpha_beta, deepen,
    leaves::leaves, payoffs, principal_variation, reference::minimax_until, unordered,
};
use crate::endgame::Tables;
use crate::eval::kansas::Utility;
use crate::eval::learned::{Split, learned_seed_value};
use crate::eval::{
    BestLeaf, Certainty, Compiled, Evaluator, Inferred, Learned, Leaves, Nothing, Score, Sum,
    Weights, compiled, kalah,
};
use crate::game::ayo::{Ayo, Position};
use crate::game::kalah::Kalah;
use crate::game::{Ending, Game, Notated, Pit, Side};
use crate::progress::Progress;

/// The algorithm of a search to a fixed depth. All find the same move and score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// [`alpha_beta`]: with move ordering and a table.
    AlphaBeta,
    /// [`unordered`]: alpha-beta without either, the baseline of `ayo bench`.
    Unordered,
    /// [`minimax`](super::minimax).
    None,
}

/// The searches of a game with an evaluator.
pub trait Searcher<G: Game>: Debug + Display + Send + Sync {
    /// Finds the best move, `depth` ≥ 1 plies deep. `None` if there is no legal move or `progress` stopped the search.
    /// [`Pruning::Unordered`] cannot be stopped.
    fn search(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        pruning: Pruning,
        progress: &dyn Progress,
    ) -> Option<Found>;

    /// [`deepen`].
    fn deepen(
        &self,
        game: &G,
        position: &G::Position,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found>;

    /// [`engine::think`].
    fn think(
        &self,
        game: &G,
        position: &G::Position,
        effort: &Effort<'_>,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Option<Found>;

    /// [`engine::line`].
    fn line(
        &self,
        game: &G,
        position: &G::Position,
        table: &engine::Table,
        first: Pit,
        plies: u32,
    ) -> Vec<(Side, Pit)>;

    /// [`payoffs`].
    fn payoffs(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        progress: &dyn Progress,
    ) -> Payoffs;

    /// Evaluates a position for `me` without a search.
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

    /// [`principal_variation`].
    fn variation(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(Side, Pit)>;

    /// Returns a sample of the positions that [`alpha_beta`] evaluates, `depth` ≥ 1 plies deep, in the order of the
    /// search. Ends of games and positions in tables are not evaluated. This is slower than the search itself.
    fn leaves(
        &self,
        game: &G,
        position: &G::Position,
        depth: u32,
        sample: Sample,
    ) -> Vec<G::Position>;
}

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

/// The evaluator and the options that differ from the default.
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
        principal_variation(self.tree(game), position, depth, &())
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

/// A game that can be searched with weights. The default methods are those of a game without a fast evaluator and
/// without endgame tables.
pub trait SearchableGame: Notated + Inferred + Default {
    /// Returns the searches with some weights.
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
            Split { units: None, features } => searching(features, options),
            Split { units: Some((layer, units)), features } => {
                searching(Learned::<Self, _>::new(layer, &units, features), options)
            }
        }
    }

    /// Like [`searcher`](Self::searcher), with endgame tables if the game has any.
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

    /// Returns the value that weights give to a captured seed: that of my seeds or of the opponent's, the larger of the
    /// two. 0 if the weights do not count captured seeds. For a learned layer it is the slope of the value by the lead, over
    /// positions of random games.
    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return learned_seed_value(&Self::default(), weights);
        }
        let mut sum = Sum::<Self>::without_units(weights);
        let values = Self::CAPTURED.iter().map(|feature| sum.take(*feature).abs());
        values.max().unwrap_or(0)
    }

    /// Whether the tables are for the rules of this game.
    fn has_tables(&self, _tables: &Tables) -> bool {
        false
    }

    fn in_tables(_tables: &Tables, _position: &Self::Position) -> bool {
        false
    }

    /// Returns the value of each move in seeds and its certainty, if the position is in the tables.
    fn known(_: &Tables, _: &Self::Position) -> Option<Vec<(Pit, i8, Certainty)>> {
        None
    }

    /// Returns the move among some that comes closest to the guaranteed result of the side to move, if the tables have
    /// bounds for the position.
    fn securing(_tables: &Tables, _position: &Self::Position, _among: &[Pit]) -> Option<Pit> {
        None
    }

    /// Returns the move that realises the value of the position in the fewest plies, if the position is in the tables.
    fn realising(_tables: &Tables, _position: &Self::Position) -> Option<Pit> {
        None
    }
}

/// An evaluator that can be printed.
trait PrintableEvaluator<G: Game>: Evaluator<G> + Debug + Display + Send {}

impl<G: Game, E: Evaluator<G> + Debug + Display + Send> PrintableEvaluator<G> for E {}

/// An evaluator behind dynamic dispatch. Compiling a search for every type of evaluator takes long, so rare evaluators
/// share this type. One call covers all leaves below a node.
#[derive(Debug, Clone)]
struct Erased<G: Game>(Arc<dyn PrintableEvaluator<G>>);

impl<G: Game> Erased<G> {
    fn new(evaluator: impl Evaluator<G> + Debug + Display + Send + 'static) -> Self {
        Erased(Arc::new(evaluator))
    }
}

impl<G: Game> Evaluator<G> for Erased<G> {
    #[inline]
    fn evaluate(&self, position: &G::Position, me: Side) -> Score {
        self.0.evaluate(position, me)
    }

    #[inline]
    fn value_end(&self, game: &G, end: &G::Position, ending: Ending, me: Side, ply: u32) -> Score {
        self.0.value_end(game, end, ending, me, ply)
    }

    #[inline]
    fn known(&self, position: &G::Position, me: Side, ply: u32) -> Option<Score> {
        self.0.known(position, me, ply)
    }

    #[inline]
    fn best_leaf(
        &self,
        game: &G,
        position: &G::Position,
        leaves: Leaves,
        nodes: &mut u64,
    ) -> BestLeaf {
        self.0.best_leaf(game, position, leaves, nodes)
    }
}

impl<G: Game> Display for Erased<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

fn with_tables<E: Evaluator<Ayo> + Debug + Display + Send + 'static>(
    evaluator: E,
    options: Options,
    tables: Option<Arc<Tables>>,
) -> Arc<dyn Searcher<Ayo>> {
    match tables {
        None => searching(evaluator, options),
        Some(tables) => searching(Probing::new(evaluator, tables), options),
    }
}

fn ayo_searcher(
    weights: &Weights,
    options: Options,
    tables: Option<Arc<Tables>>,
) -> Arc<dyn Searcher<Ayo>> {
    let Split { units, features } = Split::<Ayo>::of(weights);
    let Some((layer, units)) = units else {
        return match (compiled(features), &tables) {
            (Compiled::WithThreats(it), _) => with_tables(it, options, tables),
            (Compiled::General(it), _) => with_tables(Erased::new(it), options, tables),
            (Compiled::WithoutThreats(it), None) => searching(it, options),
            (Compiled::Tabled(it), None) => searching(it, options),
            (Compiled::WithoutThreats(it), _) => with_tables(Erased::new(it), options, tables),
            (Compiled::Tabled(it), _) => with_tables(Erased::new(it), options, tables),
        };
    };
    if features.is_empty() {
        with_tables(Learned::new(layer, &units, Nothing), options, tables)
    } else {
        let learned = Learned::<Ayo, _>::new(layer, &units, compiled(features));
        with_tables(Erased::new(learned), options, tables)
    }
}

impl SearchableGame for Ayo {
    fn searcher(weights: &Weights, options: Options) -> Arc<dyn Searcher<Ayo>> {
        ayo_searcher(weights, options, None)
    }

    fn searcher_with_tables(
        weights: &Weights,
        options: Options,
        tables: Arc<Tables>,
    ) -> Arc<dyn Searcher<Ayo>> {
        ayo_searcher(weights, options, Some(tables))
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
        let Split { units, features } = Split::<Kalah>::of(weights);
        let features = kalah::Linear::of(features);
        match units {
            None => searching(features, options),
            Some((layer, units)) => {
                let learned = Learned::<Kalah, _>::new(layer, &units, features);
                searching(Erased::new(learned), options)
            }
        }
    }

    fn seed_value(weights: &Weights) -> i32 {
        if weights.features().units().next().is_some() {
            return learned_seed_value(&Kalah::default(), weights);
        }
        kalah::Linear::of(Sum::without_units(weights)).seed_value()
    }
}

impl Utility {
    /// Returns the searches of the report on kalah, which do not value wins.
    pub fn searcher(self) -> Arc<dyn Searcher<Kalah>> {
        // The options of the report.
        searching(Erased::new(self), Options::OF_2004)
    }
}
