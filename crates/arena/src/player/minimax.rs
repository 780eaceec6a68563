//! The player that searches.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::careless::{self, careless};
use super::settings::{depth_alone, limits, weights};
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, PlayableGame, Player};
use mancala::endgame::Tables;
use mancala::eval::{Certainty, Score, Signs, Weights};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{
    Found, Iteration, Limits, Options, Payoffs, Pruning, SearchableGame, Searcher,
};

/// The settings of [`Options`].
const OPTIONS: [&str; 3] = ["perspective", "quiescence", "ties"];

/// The settings of `minimax`.
pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own = ["weights", "depth", "nodes", "movetime", "signs"];
    [&own, &OPTIONS[..], &careless::SETTINGS[..], G::OWN_SETTINGS].concat()
}

/// The settings of `plain-minimax`.
pub(super) fn plain_settings<G: PlayableGame>() -> Vec<&'static str> {
    [&["weights", "depth", "signs"], &OPTIONS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn read<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
    careless(spec, searching(spec, game, limits(spec)?, Pruning::AlphaBeta)?)
}

pub(super) fn read_plain<G: PlayableGame>(
    spec: &Spec,
    game: G,
) -> Result<Box<dyn Player<G>>, SpecError> {
    Ok(Box::new(searching(spec, game, depth_alone(spec)?, Pruning::None)?))
}

/// The player of the weights and the tables that a specification names.
fn searching<G: PlayableGame>(
    spec: &Spec,
    game: G,
    limits: Limits,
    pruning: Pruning,
) -> Result<Minimax<G>, SpecError> {
    let (weights, options) = valuation::<G>(spec, game)?;
    let player = Minimax::new(&weights, limits, options).with_pruning(pruning);
    Ok(match game.tables(spec)? {
        None => player,
        Some(tables) => player.with_tables(&weights, options, tables),
    })
}

/// The weights, limits and options that a specification of `minimax` consists of; `None` of any other, and of one that
/// says more.
///
/// ```
/// use arena::player::weighed;
/// use mancala::game::ayo::Ayo;
/// let (weights, limits, _) = weighed("minimax:weights=seeds,depth=3", Ayo::default()).unwrap();
/// assert_eq!((weights.effective(), limits.depth), (vec![-1, 1], Some(3)));
/// assert!(weighed("minimax:weights=seeds,depth=3,slips=10", Ayo::default()).is_none());
/// ```
pub fn weighed<G: PlayableGame>(spec: &str, game: G) -> Option<(Weights, Limits, Options)> {
    let spec: Spec = spec.parse().ok()?;
    let said = ["weights", "signs", "depth", "nodes", "movetime"];
    let is_said = |(key, _): &(String, String)| said.iter().chain(&OPTIONS).any(|it| it == key);
    if spec.kind != "minimax" || !spec.options.iter().all(is_said) {
        return None;
    }
    let (weights, options) = valuation(&spec, game).ok()?;
    Some((weights, limits(&spec).ok()?, options))
}

/// The weights and the options that a specification gives, and the usual ones for the rest.
pub(super) fn valuation<G: PlayableGame>(
    spec: &Spec,
    game: G,
) -> Result<(Weights, Options), SpecError> {
    let weights = weights(spec, game.kind(), spec.text("weights").unwrap_or(G::WEIGHTS))?;
    let signs: Option<Signs> = spec.value("signs", |_| true, "signed or literal")?;
    let signs = signs.unwrap_or(weights.signs());
    let weights = weights.with_signs(signs);
    let options = options(spec, Options::for_weights(&weights))?;
    Ok((weights, options))
}

/// The options that a specification gives, and these for the rest.
fn options(spec: &Spec, usual: Options) -> Result<Options, SpecError> {
    let Options { perspective, quiescence, ties } = usual;
    Ok(Options {
        perspective: spec.value("perspective", |_| true, "mover or root")?.unwrap_or(perspective),
        quiescence: spec.value("quiescence", |_| true, "off or captures")?.unwrap_or(quiescence),
        ties: spec.value("ties", |_| true, "lowest or hash")?.unwrap_or(ties),
    })
}

/// Searches within some limits.
#[derive(Debug, Clone)]
pub struct Minimax<G: SearchableGame> {
    searcher: Arc<dyn Searcher<G>>,
    limits: Limits,
    pruning: Pruning,
    seed_value: SeedValue,
    tables: Option<Probed<G>>,
}

/// What a captured seed is worth to a player, in the units of its payoffs.
#[derive(Debug, Clone)]
enum SeedValue {
    Given(i32),
    /// What it is worth to these weights. It is found when it is first asked for: with units of a layer that takes
    /// thousands of positions, and no game of a tournament asks.
    Of(Box<Weights>, OnceLock<i32>),
}

impl SeedValue {
    fn get<G: SearchableGame>(&self) -> i32 {
        match self {
            SeedValue::Given(value) => *value,
            SeedValue::Of(weights, found) => *found.get_or_init(|| G::seed_value(weights)),
        }
    }
}

/// Endgame tables, and the search that looks positions up in them.
#[derive(Debug, Clone)]
struct Probed<G: SearchableGame> {
    tables: Arc<Tables>,
    searcher: Arc<dyn Searcher<G>>,
}

impl<G: SearchableGame> Minimax<G> {
    /// A player that searches with some weights within `limits`.
    pub fn new(weights: &Weights, limits: Limits, options: Options) -> Self {
        let searcher = G::searcher(weights, options);
        let seed_value = SeedValue::Of(Box::new(weights.clone()), OnceLock::new());
        Minimax { searcher, limits, pruning: Pruning::AlphaBeta, seed_value, tables: None }
    }

    /// The player of a search to which a captured seed is worth `seed_value`.
    pub fn of(searcher: Arc<dyn Searcher<G>>, seed_value: i32, limits: Limits) -> Self {
        let seed_value = SeedValue::Given(seed_value);
        Minimax { searcher, limits, pruning: Pruning::AlphaBeta, seed_value, tables: None }
    }

    /// The player that searches without this pruning. Unless it is [`Pruning::AlphaBeta`], only the depth of
    /// the limits counts.
    #[must_use]
    pub fn with_pruning(self, pruning: Pruning) -> Self {
        Minimax { pruning, ..self }
    }

    /// The player that searches `depth` plies with some weights.
    pub fn to_depth(weights: &Weights, depth: u32, options: Options) -> Self {
        Minimax::new(weights, Limits::depth(depth), options)
    }

    /// The player of some weights that looks positions up in `tables` where the game goes by their
    /// rules. In other games it plays without them.
    #[must_use]
    pub fn with_tables(self, weights: &Weights, options: Options, tables: Arc<Tables>) -> Self {
        let searcher = G::searcher_with_tables(weights, options, Arc::clone(&tables));
        Minimax { tables: Some(Probed { tables, searcher }), ..self }
    }

    /// The tables, if they are of the game that is played.
    fn tables_of(&self, game: &G) -> Option<&Probed<G>> {
        self.tables.as_ref().filter(|probed| game.has_tables(&probed.tables))
    }

    pub(super) fn searcher_of(&self, game: &G) -> &dyn Searcher<G> {
        self.tables_of(game).map_or(&*self.searcher, |probed| &*probed.searcher)
    }

    /// The search, with the tables if there are some.
    pub(super) fn searcher(&self) -> &dyn Searcher<G> {
        self.tables.as_ref().map_or(&*self.searcher, |probed| &*probed.searcher)
    }

    /// Whether the position of a record is in the tables.
    pub(super) fn is_known(&self, record: &Record<G>) -> bool {
        let tables = self.tables_of(record.game()).map(|probed| &*probed.tables);
        tables.is_some_and(|tables| G::in_tables(tables, record.position()))
    }

    /// The move in a position within the tables: of those with the best score the one that secures a proven result
    /// or realises the table's value soonest, or else the lowest pit. It is the same with pruning and without.
    pub(super) fn looked_up(&self, record: &Record<G>) -> Option<Found> {
        let tables = &self.tables_of(record.game())?.tables;
        if !G::in_tables(tables, record.position()) {
            return None;
        }
        let payoffs = self.payoffs_at(record, 1, &()).moves;
        let score = payoffs.iter().map(|&(_, score)| score).max()?;
        let best: Vec<Pit> =
            payoffs.iter().filter(|(_, its)| *its == score).map(|&(pit, _)| pit).collect();
        let is_likely = matches!(score.from_tables(), Some((_, Certainty::Heuristic)));
        // What is only likely cannot be secured.
        let secured = G::securing(tables, record.position(), &best).filter(|_| !is_likely);
        let realising = || G::realising(tables, record.position()).filter(|it| best.contains(it));
        let pit = secured.or_else(realising).unwrap_or(best[0]);
        Some(Found { pit, score, nodes: payoffs.len() as u64, depth: 1 })
    }

    pub(super) fn payoffs_at(
        &self,
        record: &Record<G>,
        depth: u32,
        progress: &dyn Progress,
    ) -> Payoffs {
        let game = record.game();
        self.searcher_of(game).payoffs(game, record.position(), depth, progress)
    }

    /// What each move is worth to the depth that the player would search.
    pub fn counted_payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Payoffs {
        let fixed = self.fixed_depth();
        match fixed.or_else(|| self.choose(record, progress).ok()?.depth) {
            Some(depth) => self.payoffs_at(record, depth, progress),
            None => Payoffs::default(),
        }
    }

    /// The plies of the search, if nothing else limits it.
    fn fixed_depth(&self) -> Option<u32> {
        self.limits.depth.filter(|&depth| self.limits == Limits::depth(depth))
    }
}

/// What a search found, as a choice.
pub(super) fn chosen(found: Option<Found>) -> Result<Choice, NoChoice> {
    let Found { pit, score, nodes, depth } = found.ok_or(NoChoice::Stopped)?;
    Ok(Choice { pit, score: Some(score), nodes, depth: Some(depth) })
}

impl<G: SearchableGame> Player<G> for Minimax<G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        if let Some(found) = self.looked_up(record) {
            return chosen(Some(found));
        }
        let Some(depth) = self.fixed_depth() else {
            let limits = self.limits;
            return self.analyse(record, &limits, progress, &mut |_| {});
        };
        let (game, position) = (record.game(), record.position());
        chosen(self.searcher_of(game).search(game, position, depth, self.pruning, progress))
    }

    fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        if let Some(found) = self.looked_up(record) {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let game = record.game();
        chosen(self.searcher_of(game).deepen(game, record.position(), limits, progress, listener))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        match choice.depth.filter(|_| !self.is_known(record)) {
            None => vec![(record.to_move(), choice.pit)],
            Some(depth) => {
                let game = record.game();
                self.searcher_of(game).variation(game, record.position(), depth)
            }
        }
    }

    fn payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        self.counted_payoffs(record, progress).moves
    }

    fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref().map(|probed| &*probed.tables)
    }

    fn seed_value(&self) -> Option<i32> {
        Some(self.seed_value.get::<G>()).filter(|&value| value > 0)
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible()
    }

    fn recallable(&self) -> bool {
        self.limits.reproducible()
    }

    fn identity(&self) -> String {
        let kind = match self.pruning {
            Pruning::AlphaBeta => "minimax",
            Pruning::Unordered => "unordered-minimax",
            Pruning::None => "plain-minimax",
        };
        format!("{kind} {} {}", self.limits, self.searcher())
    }
}
