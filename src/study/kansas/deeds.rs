//! What the report counts in a game.

use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};

use mancala::game::kalah::{Kalah, Position};
use mancala::game::{Game, Pit, Record};

/// What a player did in a game, or in several together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Deeds {
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    /// Seeds at home in the end.
    pub(super) stones: u64,
    /// By how many it won, of the games won; and lost.
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

/// What South and North did in a game that was played to its end.
pub(super) fn deeds(record: &Record<Kalah>) -> [Deeds; 2] {
    let stores = record.settlement().map_or([0; 2], |it| it.stores).map(u64::from);
    let mut deeds = [0, 1].map(|side| {
        let [mine, theirs] = [stores[side], stores[1 - side]];
        Deeds {
            games: 1,
            wins: (mine > theirs).into(),
            draws: (mine == theirs).into(),
            stones: mine,
            won_by: mine.saturating_sub(theirs),
            lost_by: theirs.saturating_sub(mine),
            ..Deeds::default()
        }
    });
    let (game, mut position) = (record.game(), *record.opening());
    for &(mover, pit) in record.plies() {
        let after = game.play(&position, pit);
        let deeds = &mut deeds[mover.index()];
        deeds.moves += 1;
        deeds.go_agains += u64::from(game.promising(&position).contains(pit));
        deeds.captures += u64::from(captures(&position, &after, pit));
        position = after;
    }
    deeds
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
