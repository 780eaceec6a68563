//! The player for games under a clock.

mod informed;

use std::num::NonZeroUsize;
use std::time::Duration;

use self::informed::Informed;
use super::careless::{self, careless};
use super::minimax::{self, Minimax, chosen};
use super::settings::{self, limits};
use super::spec::{Spec, SpecError};
use super::{Choice, NoChoice, PlayableGame, Player, Provided};
use mancala::endgame::Tables;
use mancala::eval::{LEARNED, Score, Weights};
use mancala::game::{Dial, Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::engine::{Effort, Selection, Table};
use mancala::search::{Iteration, Limits, Options, SearchableGame};

/// The memory of a player for which none is named, in mebibytes.
pub(crate) const USUAL_HASH: usize = 64;
/// The most memory that a player may be given, in mebibytes.
pub(crate) const MOST_HASH: usize = 1 << 16;
/// The most threads that a player may be given.
pub(crate) const MOST_THREADS: usize = 256;

/// The evaluator with which searches are evolved.
const EVOLVED_WITH: &str = LEARNED;
/// The memory of players whose searches are evolved, in mebibytes: their searches are short.
const EVOLVING_HASH: usize = 1;

/// The plies that [`Player::payoffs`] looks ahead at most: it values every move in full.
const MOST_VALUED: u32 = 9;

/// The settings of `engine`.
pub(super) fn settings<G: PlayableGame>() -> Vec<&'static str> {
    let own = [
        "weights",
        "depth",
        "nodes",
        "movetime",
        "threads",
        "hash",
        "selective",
        "search",
        "signs",
    ];
    let dials = Dial::ALL.map(Dial::name);
    let shared = ["perspective", "quiescence"];
    [&own[..], &dials, &shared, &careless::SETTINGS[..], G::OWN_SETTINGS].concat()
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
    // A search that takes its memory first would answer late.
    player.new_game();
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
    let evolved = spec.text("search").map(|name| settings::search(spec, name)).transpose()?;
    let mut selection = named.or(evolved).unwrap_or_default();
    for dial in Dial::ALL {
        let (least, most) = dial.range();
        let range = |it: &i32| (least..=most).contains(it);
        let expected = format!("a whole number from {least} to {most}");
        if let Some(value) = spec.value(dial.name(), range, expected)? {
            selection.set(dial, value);
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
        }
    }

    /// The player of the compiled-in learned features whose search weights of dials set, as they are evolved.
    ///
    /// # Panics
    /// If they are weights of something else.
    pub fn of_dials(dials: &Weights, limits: Limits) -> Self {
        let selection = Selection::of_weights(dials).expect("weights of dials");
        let weights = Weights::named(EVOLVED_WITH).expect("a named evaluator");
        let player = Engine::new(&weights, Options::for_weights(&weights), limits);
        Engine { selection, hash: EVOLVING_HASH, ..player }
    }

    /// A player like this one that has searched nothing yet.
    #[must_use]
    pub fn copy(&self) -> Self {
        Engine { informed: self.informed.clone(), table: None, ..*self }
    }

    /// The player that looks positions up in these tables where the game goes by their rules and few seeds are
    /// on the board.
    #[must_use]
    pub fn with_tables(self, weights: &Weights, options: Options, provided: Provided) -> Self {
        Engine { informed: self.informed.with(weights, options, provided), ..self }
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
        if let Some(found) = player.looked_up(record) {
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
        let player = self.informed.at(record, &self.limits, &());
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

    fn payoffs(&mut self, record: &Record<G>) -> Vec<(Pit, Score)> {
        let depth = match self.limits.depth {
            Some(depth) => Some(depth),
            None => self.choose(record, &()).ok().and_then(|choice| choice.depth),
        };
        let depth = depth.map(|depth| depth.min(MOST_VALUED));
        let player = self.informed.at(record, &self.limits, &());
        depth.map(|depth| player.payoffs_at(record, depth).moves).unwrap_or_default()
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
        let differs = |dial: &Dial| selection.get(*dial) != Selection::default().get(*dial);
        let said = |dial: Dial| format!(" {} {}", dial.name(), selection.get(dial));
        let selective: String = Dial::ALL.into_iter().filter(differs).map(said).collect();
        format!("engine {limits} threads {threads} hash {hash}{selective} {informed}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::player::tables::Building;
    use crate::player::{build, build_for};
    use mancala::game::Game;
    use mancala::game::ayo::{Ayo, Rules};
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

    /// A position with 26 seeds, from which a game soon comes within reach of the tables.
    const FEW: &str = "2-3-2-0-4-2-1-3-0-5-2-2-11-11-S";

    /// The game that an engine plays with itself on from there.
    fn ending(tables: Option<&Provided>, limits: &Limits) -> Vec<Choice> {
        let weights = Weights::named("seeds").unwrap();
        let options = Options::for_weights(&weights);
        let mut player: Engine<Ayo> = Engine { hash: 1, ..Engine::new(&weights, options, *limits) };
        if let Some(provided) = tables {
            player = player.with_tables(&weights, options, provided.clone());
        }
        let mut record = Record::from_position(Ayo::default(), FEW.parse().unwrap());
        let mut choices = Vec::new();
        while record.ending().is_none() && choices.len() < 40 {
            choices.push(player.choose(&record, &()).unwrap());
            record.play(choices[choices.len() - 1].pit).unwrap();
        }
        choices
    }

    /// Tables of which nothing is built yet.
    fn unbuilt() -> Provided {
        Provided::Built(Arc::new(Building::of(Rules::AYO).unwrap()))
    }

    #[test]
    fn a_game_is_the_same_whenever_its_tables_are_ready() {
        let nodes = Limits { nodes: Some(3000), ..Limits::default() };
        let provided = unbuilt();
        let cold = ending(Some(&provided), &nodes);
        assert_eq!(ending(Some(&provided), &nodes), cold);
        let filed = Provided::Filed(Arc::clone(provided.ready().unwrap()));
        assert_eq!(ending(Some(&filed), &nodes), cold);
        assert_ne!(ending(None, &nodes), cold);
    }

    #[test]
    fn a_clock_is_not_kept_waiting_for_tables() {
        let Provided::Built(building) = unbuilt() else { unreachable!() };
        building.never();
        let limits = Limits { movetime: Some(Duration::from_millis(1)), ..Limits::default() };
        assert!(!ending(Some(&Provided::Built(building)), &limits).is_empty());
    }

    #[test]
    fn what_tables_it_has_stands_in_its_identity() {
        let said = |settings: &str| build(&format!("engine:hash=1{settings}")).unwrap().identity();
        assert!(said("").ends_with(" tables ayo 12"), "{}", said(""));
        assert!(!said(",tables=off").contains("tables"));
        let awari = build_for("engine:hash=1", Ayo { rules: Rules::AWARI }).unwrap().identity();
        assert!(awari.ends_with(" tables awari 12"), "{awari}");
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
