//! The open problem of the thesis (6.3): can the opponent be forced into a completely determined game?
//!
//! A search with that as its only goal answers it for positions from games: the side to move forces one within some
//! plies if it has a move such that after every reply it still does.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::notebook::{Findings, Notebook};
use super::pairing::Pairing;
use crate::results::{Finding, Verdict};
use evolution::arena::{Finished, Suite};
use mancala::endgame::cdg;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Notated, Side};
use mancala::progress::Progress;

/// Games that positions come from, between players that count seeds five plies ahead.
const GAMES: usize = 400;

/// Plies within which it is to be forced, the mover's first and last.
const PLIES: [u32; 4] = [1, 3, 5, 7];

/// Most seeds on the board; a completely determined game has at most 21.
const MOST_SEEDS: u8 = 24;

/// Seeds on the board that are counted together.
const BAND: u8 = 6;

/// Whether a position is a completely determined game in which `me` captures: some row of table 3.5 with
/// something to capture.
pub fn is_cdg(position: &Position, me: Side) -> bool {
    let theirs = position.row(me.other());
    let place = usize::from(position.to_move() == me);
    let alone = theirs.iter().enumerate().all(|(pit, &seeds)| seeds == u8::from(pit == place));
    alone && position.seeds_in_row(me) > 0 && cdg::is_cdg(&cdg::row(position, me))
}

/// Whether a side can make a completely determined game of a position within so many plies, whatever the
/// other does. One that is there already counts.
pub fn can_force(game: &Ayo, position: &Position, me: Side, plies: u32) -> bool {
    Search { game, me, known: FxHashMap::default() }.forces(position, plies)
}

struct Search<'a> {
    game: &'a Ayo,
    me: Side,
    known: FxHashMap<(Position, u32), bool>,
}

impl Search<'_> {
    fn forces(&mut self, position: &Position, plies: u32) -> bool {
        if is_cdg(position, self.me) {
            return true;
        }
        let moves = self.game.moves(position);
        if plies == 0 || self.game.ending(position, moves).is_some() {
            return false;
        }
        if let Some(&known) = self.known.get(&(*position, plies)) {
            return known;
        }
        let mut after =
            moves.map(|pit| self.game.play(position, pit)).collect::<Vec<_>>().into_iter();
        let found = if position.to_move() == self.me {
            after.any(|next| self.forces(&next, plies - 1))
        } else {
            after.all(|next| self.forces(&next, plies - 1))
        };
        self.known.insert((*position, plies), found);
        found
    }
}

/// The positions of a game with few seeds on the board, in which somebody is to move.
fn positions(game: &Ayo, played: &Finished) -> Vec<Position> {
    let opening = played.opening.parse().expect("a position of ours");
    let record = game.read_line(&played.line, Some(opening)).expect("a line of ours");
    let mut position = opening;
    let mut found = Vec::new();
    for &(_, pit) in record.plies() {
        let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        if seeds <= MOST_SEEDS && game.ended(&position).is_none() {
            found.push(position);
        }
        position = game.play(&position, pit);
    }
    found
}

/// How many positions of a band there are, and in how many one can be forced within [`PLIES`].
type Band = (usize, [usize; PLIES.len()]);

/// The study `forcing`.
pub(super) fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let game = Ayo::default();
    let openings = Suite::Plies(4).openings(game).expect("it has 1014").sample(GAMES / 2, 1);
    let player = "minimax:weights=seeds,depth=5";
    let pairing = Pairing::new("", [player, player], GAMES);
    let quiet = mancala::progress::Muted(progress);
    let Some(games) = pairing.games(&openings, &quiet)? else { return Ok(None) };
    let mut all: Vec<Position> = games.iter().flat_map(|played| positions(&game, played)).collect();
    all.sort_by_key(Position::to_string);
    all.dedup();
    let mut bands = [Band::default(); (MOST_SEEDS / BAND) as usize];
    let of = all.len() as u64;
    for (at, part) in all.chunks(256).enumerate() {
        if progress.should_stop() {
            return Ok(None);
        }
        let found: Vec<(u8, [bool; PLIES.len()])> = part
            .par_iter()
            .map(|position| {
                let seeds = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
                let me = position.to_move();
                (seeds, PLIES.map(|plies| can_force(&game, position, me, plies)))
            })
            .collect();
        for (seeds, forced) in found {
            let (count, within) = &mut bands[usize::from(seeds.max(1) - 1) / usize::from(BAND)];
            *count += 1;
            within.iter_mut().zip(forced).for_each(|(sum, it)| *sum += usize::from(it));
        }
        progress.advance((256 * (at + 1) as u64).min(of), of);
    }
    let _ = notebook;
    Ok(Some(vec![say(&bands)]))
}

fn say(bands: &[Band]) -> Finding {
    let of_band = |(at, (count, within)): (usize, &Band)| {
        let (low, high) = (at * usize::from(BAND) + 1, (at + 1) * usize::from(BAND));
        let share = |it: &usize| format!("{:.1}", 100.0 * *it as f64 / (*count).max(1) as f64);
        let shares: Vec<String> = within.iter().map(share).collect();
        format!("{low} to {high} seeds: {} % of {count}", shares.join(", "))
    };
    let ours: Vec<String> = bands.iter().enumerate().map(of_band).collect();
    Finding::new("thesis/open-problem", Verdict::Open, ours.join("; ")).noting(format!(
        "positions of {GAMES} games in which the side to move can force one within {PLIES:?} plies, by a search with \
         that as its goal"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::endgame::cdg::Situation;
    use mancala::game::Pit;

    #[test]
    fn rows_of_table_3_5_are_there_already_and_lead_to_each_other() {
        let game = Ayo::default();
        for row in 3..=21 {
            let position = Situation::of_row(row, 6).unwrap().position().unwrap();
            assert!(is_cdg(&position, Side::South), "row {row}");
            assert!(can_force(&game, &position, Side::South, 0));
            assert!(!is_cdg(&position, Side::North), "row {row}");
        }
    }

    /// One ply before row 2: South's A is on its way to where B, C, … do not matter.
    #[test]
    fn what_is_forced_in_some_plies_is_forced_in_more() {
        let game = Ayo::default();
        let position: Position = "0-0-0-0-3-0-0-1-0-0-0-0-22-22-S".parse().unwrap();
        let within: Vec<bool> =
            (0..6).map(|plies| can_force(&game, &position, Side::South, plies)).collect();
        assert!(within.is_sorted(), "{within:?}");
        // A search by hand: some first move whose every reply is forced a ply later.
        let by_hand = game.moves(&position).any(|pit: Pit| {
            let after = game.play(&position, pit);
            is_cdg(&after, Side::South)
        });
        assert_eq!(within[1], by_hand || within[0]);
    }
}
