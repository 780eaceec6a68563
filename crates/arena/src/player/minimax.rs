//! Players that use minimax search, to a fixed depth or with iterative deepening.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::simple::{SLIP_SETTINGS, with_slips};
use super::spec::{Result, Spec, depth_limit, limits, tables, weights};
use super::{Choice, Chosen, NoChoice, PlayableGame, Player};
use mancala::endgame::Tables;
use mancala::eval::kansas::Heuristics;
use mancala::eval::{Certainty, Score, Signs, Weights};
use mancala::game::ayo::Position;
use mancala::game::kalah::Kalah;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{
    Iteration, Limits, MoveValues, Options, Pruning, SearchResult, SearchableGame, Searcher,
};

const OPTIONS: [&str; 3] = ["perspective", "quiescence", "ties"];

pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own = ["weights", "depth", "nodes", "movetime", "signs"];
    [&own, &OPTIONS[..], &SLIP_SETTINGS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn plain_settings<G: PlayableGame>() -> Vec<&'static str> {
    [&["weights", "depth", "signs"], &OPTIONS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn read<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>> {
    with_slips(spec, searching(spec, game, limits(spec)?, Pruning::AlphaBeta)?)
}

pub(super) fn read_plain<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>> {
    Ok(Box::new(searching(spec, game, depth_limit(spec)?, Pruning::None)?))
}

/// Creates a `kansas` player, which sums the heuristics of Gifford et al. (2008) and does not recognise won games.
pub(super) fn read_kansas(spec: &Spec, _: Kalah) -> Result<Box<dyn Player<Kalah>>> {
    let heuristics =
        spec.value("heuristics", |_| true, "h0 or some of h1 to h6, as in h1+h2+h4")?;
    let Some::<Heuristics>(heuristics) = heuristics else {
        return Err(spec.missing("heuristics=h1+h2"));
    };
    let utility = heuristics.utility();
    let player = Minimax::of(utility.searcher(), utility.seed_value(), depth_limit(spec)?);
    Ok(Box::new(player))
}

fn searching<G: PlayableGame>(
    spec: &Spec,
    game: G,
    limits: Limits,
    pruning: Pruning,
) -> Result<Minimax<G>> {
    let (weights, options) = valuation::<G>(spec, game)?;
    let player = Minimax { pruning, ..Minimax::new(&weights, limits, options) };
    Ok(match tables(spec, game)? {
        None => player,
        Some(tables) => player.with_tables(tables),
    })
}

/// Returns the weights and options in a specification. Missing settings have their default values.
pub(super) fn valuation<G: PlayableGame>(spec: &Spec, game: G) -> Result<(Weights, Options)> {
    let weights = weights(spec, game.kind(), spec.text("weights").unwrap_or(G::WEIGHTS))?;
    let signs: Option<Signs> = spec.value("signs", |_| true, "signed or literal")?;
    let signs = signs.unwrap_or(weights.signs());
    let weights = weights.with_signs(signs);
    let Options { perspective, quiescence, ties } = Options::for_weights(&weights);
    let options = Options {
        perspective: spec.value("perspective", |_| true, "mover or root")?.unwrap_or(perspective),
        quiescence: spec.value("quiescence", |_| true, "off or captures")?.unwrap_or(quiescence),
        ties: spec.value("ties", |_| true, "lowest or hash")?.unwrap_or(ties),
    };
    Ok((weights, options))
}

/// A player that searches within limits.
#[derive(Debug, Clone)]
pub struct Minimax<G: SearchableGame> {
    pub(super) searcher: Arc<dyn Searcher<G>>,
    limits: Limits,
    pruning: Pruning,
    /// The weights and options, or `None` if the search doesn't use weights.
    valuation: Option<Arc<(Weights, Options)>>,
    /// The value of a captured seed. We compute it on first use, because weights with hidden neurons must evaluate
    /// thousands of positions for this.
    seed_value: OnceLock<i32>,
    tables: Option<Arc<Tables>>,
}

impl<G: SearchableGame> Minimax<G> {
    /// Creates a player with these weights.
    pub fn new(weights: &Weights, limits: Limits, options: Options) -> Self {
        Minimax {
            searcher: G::searcher(weights, options),
            limits,
            pruning: Pruning::AlphaBeta,
            valuation: Some(Arc::new((weights.clone(), options))),
            seed_value: OnceLock::new(),
            tables: None,
        }
    }

    /// Creates a player from any searcher. `seed_value` is the value of a captured seed in its evaluation.
    pub fn of(searcher: Arc<dyn Searcher<G>>, seed_value: i32, limits: Limits) -> Self {
        let (pruning, seed_value) = (Pruning::AlphaBeta, OnceLock::from(seed_value));
        Minimax { searcher, limits, pruning, valuation: None, seed_value, tables: None }
    }

    /// Creates a player with the given weights that searches `depth` plies.
    pub fn to_depth(weights: &Weights, depth: u32, options: Options) -> Self {
        Minimax::new(weights, Limits::depth(depth), options)
    }

    /// Adds endgame tables for the game's rules. Panics for a player created by [`of`](Self::of).
    #[must_use]
    pub fn with_tables(self, tables: Arc<Tables>) -> Self {
        let (weights, options) = self.valuation.as_deref().expect("a player with weights");
        let searcher = G::searcher_with_tables(weights, *options, Some(Arc::clone(&tables)));
        Minimax { searcher, tables: Some(tables), ..self }
    }

    /// Returns the tables and the current position, if the tables contain that position.
    fn probed(&self, record: &Record<G>) -> Option<(&Tables, Position)> {
        let tables = self.tables.as_deref()?;
        let position = *G::as_ayo(record.position())?;
        tables.probe(&position).map(|_| (tables, position))
    }

    pub(super) fn is_known(&self, record: &Record<G>) -> bool {
        self.probed(record).is_some()
    }

    /// Looks up the best move in the tables. Among moves with equal scores, we prefer a move that secures a proven
    /// result. If there's none, then we prefer the move that realises its value soonest, and then the lowest pit.
    pub(super) fn looked_up(&self, record: &Record<G>) -> Option<SearchResult> {
        let (tables, position) = self.probed(record)?;
        let payoffs = self.payoffs_at(record, 1, &()).moves;
        let score = payoffs.iter().map(|&(_, score)| score).max()?;
        let best: Vec<Pit> =
            payoffs.iter().filter(|(_, value)| *value == score).map(|&(pit, _)| pit).collect();
        let is_likely = matches!(score.table_difference(), Some((_, Certainty::Heuristic)));
        // Bounds are only useful if they prove a result.
        let bounds = tables.bounds().filter(|_| !is_likely);
        let secured = bounds.and_then(|bounds| bounds.best_move(position.rows(), &best));
        let shortest_win = || tables.shortest_win(position.rows()).filter(|pit| best.contains(pit));
        let pit = secured.or_else(shortest_win).unwrap_or(best[0]);
        Some(SearchResult { pit, score, nodes: payoffs.len() as u64, depth: 1 })
    }

    pub(super) fn payoffs_at(
        &self,
        record: &Record<G>,
        depth: u32,
        progress: &dyn Progress,
    ) -> MoveValues {
        let game = record.game();
        self.searcher.move_values(game, record.position(), depth, progress)
    }

    /// Returns the value of each move at the player's search depth.
    pub fn move_values(&mut self, record: &Record<G>, progress: &dyn Progress) -> MoveValues {
        let fixed = self.fixed_depth();
        match fixed.or_else(|| self.choose(record, progress).ok()?.depth) {
            Some(depth) => self.payoffs_at(record, depth, progress),
            None => MoveValues::default(),
        }
    }

    /// Returns the search depth, if depth is the only limit.
    fn fixed_depth(&self) -> Option<u32> {
        self.limits.depth.filter(|&depth| self.limits == Limits::depth(depth))
    }
}

pub(super) fn chosen(found: Option<SearchResult>) -> Chosen {
    let SearchResult { pit, score, nodes, depth } = found.ok_or(NoChoice::Stopped)?;
    Ok(Choice { pit, score: Some(score), nodes, depth: Some(depth) })
}

impl<G: SearchableGame> Player<G> for Minimax<G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        if let Some(found) = self.looked_up(record) {
            return chosen(Some(found));
        }
        let Some(depth) = self.fixed_depth() else {
            let limits = self.limits;
            return self.analyse(record, &limits, progress, &mut |_| {});
        };
        let (game, position) = (record.game(), record.position());
        chosen(self.searcher.search(game, position, depth, self.pruning, progress))
    }

    fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Chosen {
        if let Some(found) = self.looked_up(record) {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let game = record.game();
        chosen(self.searcher.deepen(game, record.position(), limits, progress, listener))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        match choice.depth.filter(|_| !self.is_known(record)) {
            None => vec![(record.to_move(), choice.pit)],
            Some(depth) => {
                let game = record.game();
                self.searcher.principal_variation(game, record.position(), depth)
            }
        }
    }

    fn payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        self.move_values(record, progress).moves
    }

    fn tables(&self) -> Option<&Tables> {
        self.tables.as_deref()
    }

    fn seed_value(&self) -> Option<i32> {
        let value = || self.valuation.as_ref().map_or(0, |it| G::seed_value(&it.0));
        let value = self.seed_value.get_or_init(value);
        Some(*value).filter(|&value| value > 0)
    }

    fn is_recallable(&self) -> bool {
        self.is_reproducible()
    }

    fn identity(&self) -> String {
        let kind = match self.pruning {
            Pruning::AlphaBeta => "minimax",
            Pruning::Unordered => "unordered-minimax",
            Pruning::None => "plain-minimax",
        };
        format!("{kind} {} {}", self.limits, self.searcher)
    }
}
