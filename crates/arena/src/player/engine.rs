//! A player with a transposition table, threads and selective search, for games played on a clock.

use std::mem;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::minimax::{self, Minimax, chosen};
use super::simple::{SLIP_SETTINGS, with_slips};
use super::spec::{Result, Spec, book, limits, provided};
use super::{Choice, Chosen, DefaultTables, PlayableGame, Player};
use mancala::book::{Book, BookMove, Entry};
use mancala::endgame::Tables;
use mancala::eval::{Score, Weights};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::engine::{EngineOptions, SearchParam, Selectivity, Table};
use mancala::search::{Iteration, Limits, Options, SearchResult, SearchableGame, Ties};

/// The default size of the transposition table in mebibytes.
pub const DEFAULT_HASH: usize = 64;
/// The maximum size of the transposition table in mebibytes.
pub const MAX_HASH: usize = 1 << 16;
pub const MAX_THREADS: usize = 256;

/// The maximum depth for [`Player::payoffs`], which searches every move with a full window.
const MAX_PAYOFF_DEPTH: u32 = 9;

pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own =
        ["weights", "depth", "nodes", "movetime", "threads", "hash", "selective", "book", "signs"];
    let parameters = SearchParam::ALL.map(|parameter| parameter.name);
    let shared = ["perspective", "quiescence"];
    [&own[..], &parameters, &shared, &SLIP_SETTINGS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn read<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>> {
    let (weights, options) = minimax::valuation::<G>(spec, game)?;
    // The engine plays the first of equally good moves, so `ties` must not appear in its identity.
    let options = Options { ties: Ties::Lowest, ..options };
    let range = |max| format!("a whole number from 1 to {max}");
    let hash = spec.value("hash", |hash| (1..=MAX_HASH).contains(hash), range(MAX_HASH))?;
    let threads = |threads: &NonZeroUsize| threads.get() <= MAX_THREADS;
    let threads = spec.value("threads", threads, range(MAX_THREADS))?;
    let (limits, hash) = (limits(spec)?, hash.unwrap_or(DEFAULT_HASH));
    let (selectivity, book) = (selectivity(spec)?, book(spec, game)?);
    let provided = provided(spec, game)?;
    // We only allocate the table once we know that the other settings are valid.
    let table = Table::try_with_mebibytes(hash);
    let table = table.map_err(|error| spec.failed(format_args!("hash: {error}")))?;
    let mut player = Engine { selectivity, book, ..Engine::new(&weights, options, limits, table) };
    player.evaluator.provided = provided;
    (player.hash, player.threads) = (hash, threads.unwrap_or(NonZeroUsize::MIN));
    with_slips(spec, player)
}

fn selectivity(spec: &Spec) -> Result<Selectivity> {
    let words = [("on", Selectivity::PROVEN), ("off", Selectivity::NONE)];
    let preset = spec.one_of("selective", &words, "on or off")?;
    let mut selectivity = preset.unwrap_or_default();
    for parameter in SearchParam::ALL {
        let (min, max) = parameter.range;
        let is_valid = |value: &i32| (min..=max).contains(value);
        let expected = format!("a whole number from {min} to {max}");
        if let Some(value) = spec.value(parameter.name, is_valid, expected)? {
            selectivity.set(parameter, value);
        }
    }
    Ok(selectivity)
}

/// A player that searches with [`engine`](mancala::search::engine) and keeps its transposition table throughout a game.
#[derive(Debug)]
pub(super) struct Engine<G: SearchableGame> {
    evaluator: Evaluator<G>,
    limits: Limits,
    threads: NonZeroUsize,
    selectivity: Selectivity,
    /// The size of the transposition table in mebibytes.
    hash: usize,
    table: Table,
    /// Whether the values in `table` depend on endgame tables. Such values must not be mixed with other values.
    has_endgame_values: bool,
    book: Option<Arc<Book<G>>>,
}

impl<G: SearchableGame> Engine<G> {
    /// Creates a player with one thread and without endgame tables or an opening book.
    fn new(weights: &Weights, options: Options, limits: Limits, table: Table) -> Self {
        let plain = Minimax::new(weights, limits, options);
        Engine {
            evaluator: Evaluator { plain, provided: None, tabled: OnceLock::new() },
            limits,
            threads: NonZeroUsize::MIN,
            selectivity: Selectivity::default(),
            hash: DEFAULT_HASH,
            table,
            has_endgame_values: false,
            book: None,
        }
    }

    fn entry(&self, record: &Record<G>) -> Option<Entry<'_, G>> {
        self.book.as_ref()?.probe(record.position())
    }

    /// Returns the book move, if any. The book isn't used for analysis without limits.
    fn book_move(&self, record: &Record<G>, limits: &Limits) -> Option<SearchResult> {
        let entry = self.entry(record).filter(|_| *limits != Limits::default())?;
        let BookMove { pit, value, .. } = entry.best();
        Some(SearchResult { pit, score: value, nodes: 0, depth: entry.variation(pit).len() as u32 })
    }
}

impl<G: SearchableGame> Player<G> for Engine<G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Chosen {
        let limits = self.limits;
        self.analyse(record, &limits, progress, &mut |_| {})
    }

    fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Chosen {
        let player = self.evaluator.at(record, limits, progress);
        let known = self.book_move(record, limits).or_else(|| player.looked_up(record));
        if let Some(found) = known {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let has_tables = player.tables().is_some();
        if has_tables != mem::replace(&mut self.has_endgame_values, has_tables) {
            self.table.clear();
        }
        self.table.age();
        let options = EngineOptions {
            table: &self.table,
            limits,
            threads: self.threads,
            selectivity: self.selectivity,
            seed_value: self.evaluator.plain.seed_value().unwrap_or(0),
        };
        let (game, position) = (record.game(), record.position());
        chosen(player.searcher.engine_search(game, position, &options, progress, listener))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        if let Some(entry) = self.entry(record).filter(|_| choice.nodes == 0) {
            return entry.variation(choice.pit);
        }
        let player = self.evaluator.now(self.has_endgame_values);
        match choice.depth.filter(|_| !player.is_known(record)) {
            Some(depth) => {
                let (game, position) = (record.game(), record.position());
                player.searcher.engine_line(game, position, &self.table, choice.pit, depth)
            }
            None => vec![(record.to_move(), choice.pit)],
        }
    }

    fn variation_is_stored(&self) -> bool {
        true
    }

    fn payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        let depth = match self.limits.depth {
            Some(depth) => Some(depth),
            None => {
                // The depth of a book move is the length of its line, not a search depth, so we disable the book here.
                let book = self.book.take();
                let choice = self.choose(record, progress);
                self.book = book;
                choice.ok().and_then(|choice| choice.depth)
            }
        };
        let depth = depth.map(|depth| depth.min(MAX_PAYOFF_DEPTH));
        let player = self.evaluator.at(record, &self.limits, progress);
        depth.map(|depth| player.payoffs_at(record, depth, progress).moves).unwrap_or_default()
    }

    fn tables(&self) -> Option<&Tables> {
        self.evaluator.provided.as_ref()?.ready().map(|tables| &**tables)
    }

    fn seed_value(&self) -> Option<i32> {
        self.evaluator.plain.seed_value()
    }

    fn is_reproducible(&self) -> bool {
        self.limits.is_reproducible() && self.threads == NonZeroUsize::MIN
    }

    fn identity(&self) -> String {
        let Engine { evaluator, limits, threads, hash, selectivity, .. } = self;
        let default = Selectivity::default();
        let differs = |&it: &SearchParam| selectivity.get(it) != default.get(it);
        let setting = |it: SearchParam| format!(" {} {}", it.name, selectivity.get(it));
        let selective: String = SearchParam::ALL.into_iter().filter(differs).map(setting).collect();
        let deeper = if selectivity.deeper { "" } else { " deeper off" };
        let book = self.book.as_ref().map(|book| format!(" book {:08x}", book.checksum()));
        let book = book.unwrap_or_default();
        let tables = evaluator.provided.as_ref().map(|tables| format!(" {tables}"));
        let (searcher, tables) = (&evaluator.plain.searcher, tables.unwrap_or_default());
        format!(
            "engine {limits} threads {threads} hash {hash}{selective}{deeper}{book} {searcher}{tables}"
        )
    }
}

/// We only use tables if the board has at most this many seeds more than the tables cover. If there are more seeds,
/// then a search rarely reaches positions in the tables.
const MAX_SEEDS_BEYOND: u16 = 12;
/// We build tables once the board has at most this many seeds more than the tables will cover.
const BUILD_SEEDS_BEYOND: u16 = 24;

/// A player without endgame tables and, once tables have been built, the same player with tables.
#[derive(Debug)]
struct Evaluator<G: SearchableGame> {
    plain: Minimax<G>,
    provided: Option<DefaultTables>,
    tabled: OnceLock<Minimax<G>>,
}

impl<G: SearchableGame> Evaluator<G> {
    /// Returns the player for the current position. To keep games reproducible, the decision to use tables depends only
    /// on the number of seeds. If the tables aren't ready, then we wait for them, unless there's a time limit.
    fn at(&self, record: &Record<G>, limits: &Limits, progress: &dyn Progress) -> &Minimax<G> {
        let Some(provided) = &self.provided else { return &self.plain };
        let seeds: u16 = record.game().rows(record.position()).concat().iter().sum();
        let beyond = seeds.saturating_sub(provided.max_seeds().into());
        if beyond <= BUILD_SEEDS_BEYOND {
            provided.begin();
        }
        let tables = match limits.movetime {
            _ if beyond > MAX_SEEDS_BEYOND => None,
            Some(_) => provided.ready(),
            None => provided.wait(progress),
        };
        tables.map_or(&self.plain, |tables| self.tabled(tables))
    }

    /// Returns the player with tables if tables are requested and ready, and otherwise the player without tables.
    fn now(&self, with_tables: bool) -> &Minimax<G> {
        let provided = self.provided.as_ref().filter(|_| with_tables);
        provided.and_then(DefaultTables::ready).map_or(&self.plain, |tables| self.tabled(tables))
    }

    fn tabled(&self, tables: &Arc<Tables>) -> &Minimax<G> {
        self.tabled.get_or_init(|| self.plain.clone().with_tables(Arc::clone(tables)))
    }
}

#[cfg(test)]
mod tests;
