//! The player for games under a clock.

mod informed;

use std::mem;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use self::informed::Informed;
use super::careless::{self, careless};
use super::minimax::{self, Minimax, chosen};
use super::settings::{self, limits};
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, PlayableGame, Player, Provided};
use mancala::book::{Book, BookMove, Entry};
use mancala::endgame::Tables;
use mancala::eval::{Score, Weights};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::engine::{Effort, Parameter, Selection, Table};
use mancala::search::{Found, Iteration, Limits, Options, SearchableGame};

/// The memory of a player for which none is named, in mebibytes.
pub const USUAL_HASH: usize = 64;
/// The most memory that a player may be given, in mebibytes.
pub const MOST_HASH: usize = 1 << 16;
/// The most threads that a player may be given.
pub const MOST_THREADS: usize = 256;

/// The plies that [`Player::payoffs`] looks ahead at most: it values every move in full.
const MOST_VALUED: u32 = 9;

/// The settings of `engine`.
pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own =
        ["weights", "depth", "nodes", "movetime", "threads", "hash", "selective", "book", "signs"];
    let parameters = Parameter::ALL.map(Parameter::name);
    let shared = ["perspective", "quiescence"];
    [&own[..], &parameters, &shared, &careless::SETTINGS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn read<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
    let (weights, options) = minimax::valuation::<G>(spec, game)?;
    let range = |most| format!("a whole number from 1 to {most}");
    let hash = spec.value("hash", |it| (1..=MOST_HASH).contains(it), range(MOST_HASH))?;
    let threads = |it: &NonZeroUsize| it.get() <= MOST_THREADS;
    let threads = spec.value("threads", threads, range(MOST_THREADS))?;
    let mut player: Engine<G> = Engine::new(&weights, options, limits(spec)?);
    if let Some(threads) = threads {
        player.threads = threads;
    }
    if let Some(hash) = hash {
        player.hash = hash;
    }
    player.selection = selection(spec)?;
    player.book = settings::book(spec, game)?;
    // A search that takes its memory first would answer late.
    let table = Table::try_with_mebibytes(player.hash);
    let refused = |error| SpecError::Memory { kind: spec.kind.clone(), key: "hash", error };
    player.table = Some(table.map_err(refused)?);
    careless(
        spec,
        match game.provided(spec)? {
            None => player,
            Some(provided) => player.with_tables(&weights, options, provided),
        },
    )
}

/// What the settings leave of what a search takes for granted.
fn selection(spec: &Spec) -> Result<Selection, SpecError> {
    let words = [("on", Selection::PROVEN), ("off", Selection::NONE)];
    let named = settings::one_of(spec, "selective", &words, "on or off")?;
    let mut selection = named.unwrap_or_default();
    for parameter in Parameter::ALL {
        let (least, most) = parameter.range();
        let range = |it: &i32| (least..=most).contains(it);
        let expected = format!("a whole number from {least} to {most}");
        if let Some(value) = spec.value(parameter.name(), range, expected)? {
            selection.set(parameter, value);
        }
    }
    Ok(selection)
}

/// Searches as [`engine`](mancala::search::engine) does, and remembers the searches of a game.
#[derive(Debug)]
pub struct Engine<G: SearchableGame> {
    /// The player of the same weights that looks positions up and values moves in full.
    informed: Informed<G>,
    limits: Limits,
    threads: NonZeroUsize,
    selection: Selection,
    seed_value: i32,
    /// The size of the table in mebibytes.
    hash: usize,
    /// None before the first search.
    table: Option<Table>,
    /// Whether it holds what was found with endgame tables: values of the two kinds do not mix.
    has_tabled: bool,
    book: Option<Arc<Book<G>>>,
}

impl<G: SearchableGame> Engine<G> {
    /// A player that searches with some weights within `limits`, in one thread.
    pub fn new(weights: &Weights, options: Options, limits: Limits) -> Self {
        let seed_value = G::seed_value(weights);
        Engine {
            informed: Informed::without(Minimax::new(weights, limits, options)),
            limits,
            threads: NonZeroUsize::MIN,
            selection: Selection::default(),
            seed_value,
            hash: USUAL_HASH,
            table: None,
            has_tabled: false,
            book: None,
        }
    }

    /// A player like this one that has searched nothing yet.
    #[must_use]
    pub fn copy(&self) -> Self {
        let (informed, book) = (self.informed.clone(), self.book.clone());
        Engine { informed, book, table: None, ..*self }
    }

    /// The player that looks positions up in these tables where the game goes by their rules and few seeds are
    /// on the board.
    #[must_use]
    pub fn with_tables(self, weights: &Weights, options: Options, provided: Provided) -> Self {
        Engine { informed: self.informed.with(weights, options, provided), ..self }
    }

    /// The position of a record in the book, if that is of the game that is played.
    fn entry(&self, record: &Record<G>) -> Option<Entry<'_, G>> {
        let book = self.book.as_ref()?;
        let its_own = book.game().terms() == record.game().terms();
        book.probe(record.position()).filter(|_| its_own)
    }

    /// The move of the book. An analysis without an end is there to look further than that.
    fn booked(&self, record: &Record<G>, limits: &Limits) -> Option<Found> {
        let entry = self.entry(record).filter(|_| *limits != Limits::default())?;
        let BookMove { pit, value, .. } = entry.best();
        Some(Found { pit, score: value, nodes: 0, depth: entry.variation(pit).len() as u32 })
    }
}

impl<G: SearchableGame> Player<G> for Engine<G> {
    fn choose(&mut self, record: &Record<G>, progress: &dyn Progress) -> Result<Choice, NoChoice> {
        let limits = self.limits;
        self.analyse(record, &limits, progress, &mut |_| {})
    }

    fn analyse(
        &mut self,
        record: &Record<G>,
        limits: &Limits,
        progress: &dyn Progress,
        listener: &mut dyn FnMut(&Iteration),
    ) -> Result<Choice, NoChoice> {
        let player = self.informed.at(record, limits, progress);
        let known = self.booked(record, limits).or_else(|| player.looked_up(record));
        if let Some(found) = known {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let hash = self.hash;
        let table = self.table.get_or_insert_with(|| Table::with_mebibytes(hash));
        let is_tabled = player.tables().is_some();
        if is_tabled != mem::replace(&mut self.has_tabled, is_tabled) {
            table.clear();
        }
        table.age();
        let effort = Effort {
            table,
            limits,
            threads: self.threads,
            selection: self.selection,
            seed_value: self.seed_value,
        };
        let (game, position) = (record.game(), record.position());
        let searcher = player.searcher_of(game);
        chosen(searcher.think(game, position, &effort, progress, listener))
    }

    fn limits(&self) -> Option<Limits> {
        Some(self.limits)
    }

    /// What was found in another game is forgotten.
    fn new_game(&mut self) {
        let hash = self.hash;
        self.table.get_or_insert_with(|| Table::with_mebibytes(hash)).clear();
    }

    fn variation(&mut self, record: &Record<G>, choice: &Choice) -> Vec<(Side, Pit)> {
        if let Some(entry) = self.entry(record).filter(|_| choice.nodes == 0) {
            return entry.variation(choice.pit);
        }
        let player = self.informed.now(self.has_tabled);
        match (choice.depth, &self.table) {
            (Some(depth), Some(table)) if !player.is_known(record) => {
                let (game, position) = (record.game(), record.position());
                player.searcher_of(game).line(game, position, table, choice.pit, depth)
            }
            _ => vec![(record.to_move(), choice.pit)],
        }
    }

    /// It is in the table.
    fn keeps_lines(&self) -> bool {
        true
    }

    fn payoffs(&mut self, record: &Record<G>, progress: &dyn Progress) -> Vec<(Pit, Score)> {
        let depth = match self.limits.depth {
            Some(depth) => Some(depth),
            None => self.choose(record, progress).ok().and_then(|choice| choice.depth),
        };
        let depth = depth.map(|depth| depth.min(MOST_VALUED));
        let player = self.informed.at(record, &self.limits, progress);
        depth.map(|depth| player.payoffs_at(record, depth, progress).moves).unwrap_or_default()
    }

    fn tables(&self) -> Option<&Tables> {
        self.informed.tables()
    }

    fn seed_value(&self) -> Option<i32> {
        self.informed.plain().seed_value()
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible() && self.threads == NonZeroUsize::MIN
    }

    fn identity(&self) -> String {
        let Engine { informed, limits, threads, hash, selection, .. } = self;
        let differs = |it: &Parameter| selection.get(*it) != Selection::default().get(*it);
        let said = |it: Parameter| format!(" {} {}", it.name(), selection.get(it));
        let selective: String = Parameter::ALL.into_iter().filter(differs).map(said).collect();
        let deeper = if selection.deeper { "" } else { " deeper off" };
        let book = self.book.as_ref().map(|book| format!(" book {:08x}", book.checksum()));
        let book = book.unwrap_or_default();
        format!("engine {limits} threads {threads} hash {hash}{selective}{deeper}{book} {informed}")
    }
}

#[cfg(test)]
mod tests;
