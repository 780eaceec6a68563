//! The player for games under a clock.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::careless::{self, careless};
use super::minimax::{self, Minimax, chosen};
use super::settings::limits;
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, PlayableGame, Player};
use mancala::book::{Book, BookMove, Entry};
use mancala::endgame::Tables;
use mancala::eval::{Score, Weights};
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::engine::{Effort, Selection, Table};
use mancala::search::{Found, Iteration, Limits, Options, SearchableGame};

/// The memory of a player for which none is named, in mebibytes.
pub(crate) const USUAL_HASH: usize = 64;
/// The most memory that a player may be given, in mebibytes.
pub(crate) const MOST_HASH: usize = 1 << 16;
/// The most threads that a player may be given.
pub(crate) const MOST_THREADS: usize = 256;

/// The plies that [`Player::payoffs`] looks ahead at most: it values every move in full.
const MOST_VALUED: u32 = 9;

/// The settings of `engine`.
pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own =
        ["weights", "depth", "nodes", "movetime", "threads", "hash", "selective", "book", "signs"];
    [&own[..], &["perspective", "quiescence"], &careless::SETTINGS[..], G::OWN_SETTINGS].concat()
}

pub(super) fn read<G: PlayableGame>(spec: &Spec, game: G) -> Result<Box<dyn Player<G>>, SpecError> {
    let (weights, options) = minimax::valuation::<G>(spec, game)?;
    let range = |most| format!("a whole number from 1 to {most}");
    let hash = spec.value("hash", |it| (1..=MOST_HASH).contains(it), range(MOST_HASH))?;
    let threads = |it: &NonZeroUsize| it.get() <= MOST_THREADS;
    let threads = spec.value("threads", threads, range(MOST_THREADS))?;
    let words = [("on", true), ("off", false)];
    let selective = super::settings::one_of(spec, "selective", &words, "on or off")?;
    let mut player: Engine<G> = Engine::new(&weights, options, limits(spec)?);
    if let Some(threads) = threads {
        player.threads = threads;
    }
    if let Some(hash) = hash {
        player.hash = hash;
    }
    if selective == Some(false) {
        player.selection = Selection::NONE;
    }
    player.book = super::settings::book(spec, game)?;
    // A search that takes its memory first would answer late.
    player.new_game();
    careless(
        spec,
        match game.tables(spec)? {
            None => player,
            Some(tables) => player.with_tables(&weights, options, tables),
        },
    )
}

/// Searches as [`engine`](mancala::search::engine) does, and remembers the searches of a game.
#[derive(Debug)]
pub struct Engine<G: SearchableGame> {
    /// The player of the same weights that knows its endgame tables.
    minimax: Minimax<G>,
    limits: Limits,
    threads: NonZeroUsize,
    selection: Selection,
    seed_value: i32,
    /// The size of the table in mebibytes.
    hash: usize,
    /// None before the first search.
    table: Option<Table>,
    book: Option<Arc<Book<G>>>,
}

impl<G: SearchableGame> Engine<G> {
    /// A player that searches with some weights within `limits`, in one thread.
    pub fn new(weights: &Weights, options: Options, limits: Limits) -> Self {
        let seed_value = G::seed_value(weights);
        Engine {
            minimax: Minimax::new(weights, limits, options),
            limits,
            threads: NonZeroUsize::MIN,
            selection: Selection::of(seed_value),
            seed_value,
            hash: USUAL_HASH,
            table: None,
            book: None,
        }
    }

    /// The player that looks positions up in `tables` where the game goes by their rules.
    #[must_use]
    pub fn with_tables(self, weights: &Weights, options: Options, tables: Arc<Tables>) -> Self {
        Engine { minimax: self.minimax.with_tables(weights, options, tables), ..self }
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
        let known = self.booked(record, limits).or_else(|| self.minimax.looked_up(record));
        if let Some(found) = known {
            listener(&Iteration { found, elapsed: Duration::ZERO });
            return chosen(Some(found));
        }
        let hash = self.hash;
        let table = self.table.get_or_insert_with(|| Table::with_mebibytes(hash));
        table.age();
        let effort = Effort {
            table,
            limits,
            threads: self.threads,
            selection: self.selection,
            seed_value: self.seed_value,
        };
        let (game, position) = (record.game(), record.position());
        let searcher = self.minimax.searcher_of(game);
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
        match (choice.depth, &self.table) {
            (Some(depth), Some(table)) if !self.minimax.is_known(record) => {
                let (game, position) = (record.game(), record.position());
                self.minimax.searcher_of(game).line(game, position, table, choice.pit, depth)
            }
            _ => vec![(record.to_move(), choice.pit)],
        }
    }

    fn payoffs(&mut self, record: &Record<G>) -> Vec<(Pit, Score)> {
        let depth = match self.limits.depth {
            Some(depth) => Some(depth),
            None => self.choose(record, &()).ok().and_then(|choice| choice.depth),
        };
        let depth = depth.map(|depth| depth.min(MOST_VALUED));
        depth.map(|depth| self.minimax.payoffs_at(record, depth).moves).unwrap_or_default()
    }

    fn tables(&self) -> Option<&Tables> {
        self.minimax.tables()
    }

    fn seed_value(&self) -> Option<i32> {
        self.minimax.seed_value()
    }

    fn reproducible(&self) -> bool {
        self.limits.reproducible() && self.threads == NonZeroUsize::MIN
    }

    fn identity(&self) -> String {
        let Engine { minimax, limits, threads, hash, .. } = self;
        let selective = if self.selection == Selection::NONE { " not selective" } else { "" };
        let searcher = minimax.searcher();
        let book = self.book.as_ref().map(|book| format!(" book {:08x}", book.checksum()));
        let book = book.unwrap_or_default();
        format!("engine {limits} threads {threads} hash {hash}{selective}{book} {searcher}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::player::{build, build_for};
    use mancala::game::Game;
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    /// A game with itself, as far as it matters.
    fn game<G: PlayableGame>(player: &mut dyn Player<G>, game: G) -> Vec<Choice> {
        player.new_game();
        let mut record = Record::new(game, Side::South);
        let mut choices = Vec::new();
        while record.ending().is_none() && choices.len() < 30 {
            let choice = player.choose(&record, &()).unwrap();
            let line = player.variation(&record, &choice);
            assert_eq!(line[0], (record.to_move(), choice.pit));
            record.play(choice.pit).unwrap();
            choices.push(choice);
        }
        choices
    }

    #[test]
    fn its_games_can_be_repeated() {
        let spec = "engine:weights=seeds,nodes=5000,hash=1";
        let mut player = build(spec).unwrap();
        let first = game(&mut *player, Ayo::default());
        assert_eq!(game(&mut *player, Ayo::default()), first);
        assert_eq!(game(&mut *build(spec).unwrap(), Ayo::default()), first);
        let mut kalah = build_for("engine:nodes=5000,hash=1", Kalah::default()).unwrap();
        let first = game(&mut *kalah, Kalah::default());
        assert_eq!(game(&mut *kalah, Kalah::default()), first);
    }

    #[test]
    fn a_book_is_asked_before_anything_is_searched() {
        let spec = "engine:weights=seeds,nodes=2000,hash=1,book=builtin";
        let mut player = build(spec).unwrap();
        let book = Ayo::default().book().unwrap();
        let choices = game(&mut *player, Ayo::default());
        assert_eq!(game(&mut *player, Ayo::default()), choices);
        let mut record = Record::new(Ayo::default(), Side::South);
        for choice in choices {
            let known = book.probe(record.position()).map(|entry| entry.best());
            assert_eq!(choice.nodes == 0, known.is_some());
            assert!(
                known.is_none_or(|best| (best.pit, Some(best.value)) == (choice.pit, choice.score))
            );
            record.play(choice.pit).unwrap();
        }
        // An analysis without an end looks further.
        let (start, stop) = (Record::new(Ayo::default(), Side::South), Stop::default());
        let analysed = player.analyse(&start, &Limits::default(), &stop, &mut |_| stop.set());
        assert!(analysed.unwrap().nodes > 0);
        assert_ne!(
            player.identity(),
            build("engine:weights=seeds,nodes=2000,hash=1").unwrap().identity()
        );
    }

    /// Stops a search once it has found something.
    #[derive(Default)]
    struct Stop(AtomicBool);

    impl Stop {
        fn set(&self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    impl Progress for Stop {
        fn should_stop(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn only_what_neither_time_nor_threads_decide_is_reproducible() {
        let said = |spec: &str| {
            let player = build(spec).unwrap();
            (player.reproducible(), player.recallable())
        };
        assert_eq!(said("engine:depth=3,hash=1"), (true, false));
        assert_eq!(said("engine:movetime=3ms,hash=1"), (false, false));
        assert_eq!(said("engine:nodes=3000,threads=2,hash=1"), (false, false));
    }

    #[test]
    fn moves_are_valued_in_full() {
        let game = Ayo::default();
        let record = Record::new(game, Side::South);
        let mut player = build("engine:weights=seeds,depth=4,hash=1").unwrap();
        let mut plain = build("minimax:weights=seeds,depth=4").unwrap();
        assert_eq!(player.payoffs(&record), plain.payoffs(&record));
        let moves = game.moves(record.position()).len();
        let mut player = build("engine:weights=seeds,nodes=2000,hash=1").unwrap();
        assert_eq!(player.payoffs(&record).len(), moves);
    }
}
