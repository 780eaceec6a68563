//! One game, and what the report counts in it.

use std::collections::HashMap;
use std::ops::{Add, AddAssign};
use std::sync::{Arc, Mutex};

use rand::RngExt;

use mancala::eval::kansas::Utility;
use mancala::game::kalah::{Kalah, Position};
use mancala::game::{Game, Pit, Side};
use mancala::random::ChaCha8Rng;
use mancala::search::{Pruning, Searcher};

/// Who chooses moves.
pub(super) enum Mind<'a> {
    /// The best by a utility, some plies deep.
    Searching(&'a Memorising),
    /// Any, by these dice.
    Random(&'a mut ChaCha8Rng),
}

impl Mind<'_> {
    fn choose(&mut self, game: &Kalah, position: &Position) -> Pit {
        let chosen = match self {
            Mind::Searching(searcher) => searcher.choose(game, position),
            Mind::Random(dice) => {
                let mut moves = game.moves(position);
                let index = dice.random_range(0..moves.len() as u32);
                moves.nth(index as usize)
            }
        };
        chosen.expect("the game goes on, so there is a move")
    }
}

/// A deterministic player. It need not search twice where its games run together.
pub(super) struct Memorising {
    searcher: Arc<dyn Searcher<Kalah>>,
    depth: u32,
    known: Mutex<HashMap<Position, Pit>>,
}

impl Memorising {
    pub(super) fn new(utility: Utility, depth: u32) -> Memorising {
        let searcher = utility.searcher();
        Memorising { searcher, depth, known: Mutex::default() }
    }

    fn choose(&self, game: &Kalah, position: &Position) -> Option<Pit> {
        let known = || self.known.lock().expect("nothing panics while it is locked");
        if let Some(pit) = known().get(position) {
            return Some(*pit);
        }
        let pruning = Pruning::AlphaBeta;
        let pit = self.searcher.search(game, position, self.depth, pruning, &())?.pit;
        known().insert(*position, pit);
        Some(pit)
    }
}

/// What a player did in a game, or in several together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Deeds {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    /// Seeds at home in the end.
    pub(super) stones: u64,
    /// By how many he won, of the games won; and lost.
    pub(super) won_by: u64,
    pub(super) lost_by: u64,
    pub(super) captures: u64,
    pub(super) go_agains: u64,
    pub(super) moves: u64,
}

impl Add for Deeds {
    type Output = Deeds;

    fn add(self, other: Deeds) -> Deeds {
        Deeds {
            games: self.games + other.games,
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            stones: self.stones + other.stones,
            won_by: self.won_by + other.won_by,
            lost_by: self.lost_by + other.lost_by,
            captures: self.captures + other.captures,
            go_agains: self.go_agains + other.go_agains,
            moves: self.moves + other.moves,
        }
    }
}

impl AddAssign for Deeds {
    fn add_assign(&mut self, other: Deeds) {
        *self = *self + other;
    }
}

/// Plays a game from the start, the first mind beginning: what each of them did.
pub(super) fn duel(game: &Kalah, mut minds: [Mind; 2]) -> [Deeds; 2] {
    let mut position = game.start(Side::South);
    let mut deeds = [Deeds { games: 1, ..Deeds::default() }; 2];
    loop {
        if let Some(ending) = game.ended(&position) {
            let stores = game.settle(&position, ending).stores.map(u64::from);
            for (side, deeds) in deeds.iter_mut().enumerate() {
                let [mine, theirs] = [stores[side], stores[1 - side]];
                deeds.stones = mine;
                deeds.won_by = mine.saturating_sub(theirs);
                deeds.lost_by = theirs.saturating_sub(mine);
                deeds.wins = (mine > theirs).into();
                deeds.draws = (mine == theirs).into();
            }
            return deeds;
        }
        let mover = game.to_move(&position);
        let pit = minds[mover.index()].choose(game, &position);
        let after = game.play(&position, pit);
        let deeds = &mut deeds[mover.index()];
        deeds.moves += 1;
        deeds.go_agains += u64::from(game.promising(&position).contains(pit));
        deeds.captures += u64::from(captures(&position, &after, pit));
        position = after;
    }
}

/// Whether a move brought more home than the seeds that were sown there.
fn captures(position: &Position, after: &Position, pit: Pit) -> bool {
    let mover = position.to_move();
    let row = position.row(mover);
    let (reach, pits) = (pit.index() + usize::from(row[pit.index()]), position.pits());
    // Home is the slot behind the last pit, and a lap goes round all slots but the other home.
    let sown = (reach + pits + 1) / (2 * pits + 1);
    usize::from(after.store(mover) - position.store(mover)) > sown
}
