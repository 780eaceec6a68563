//! The open problem of the thesis (6.3): can the opponent be forced into a completely determined game (CDG)?
//!
//! We answer this by searching positions that occurred in games. The side to move can force a CDG within n plies if it
//! has a move after which it can force a CDG within n − 2 plies, whatever the opponent replies.

use arena::{ContestGame, Suite};
use mancala::endgame::cdg;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Notated, Side};
use mancala::progress::{Progress, Silent};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::pairing::Pairing;

/// The number of games from which we take the positions. Both players search 5 plies and evaluate by counting seeds.
const GAMES: usize = 400;

/// The search depths. All are odd, because the side to move makes both the first and the last move.
const PLIES: [u32; 4] = [1, 3, 5, 7];

/// The maximum number of seeds on the board. A completely determined game has at most 21 seeds.
const MAX_SEEDS: u8 = 24;

/// The width of the classes into which we divide positions, in seeds on the board.
const BAND: u8 = 6;

/// Returns whether a position is a row of table 3.5 in which `me` still has seeds to capture.
fn is_cdg(position: &Position, me: Side) -> bool {
    let theirs = position.row(me.other());
    let place = usize::from(position.to_move() == me);
    let has_one_seed =
        theirs.iter().enumerate().all(|(pit, &seeds)| seeds == u8::from(pit == place));
    has_one_seed && position.seeds_in_row(me) > 0 && cdg::is_cdg(&cdg::row(position, me))
}

/// Returns whether a side can force a CDG within this many plies. The position itself may already be a CDG.
fn can_force(game: &Ayo, position: &Position, me: Side, plies: u32) -> bool {
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
        let is_forced = if position.to_move() == self.me {
            after.any(|next| self.forces(&next, plies - 1))
        } else {
            after.all(|next| self.forces(&next, plies - 1))
        };
        self.known.insert((*position, plies), is_forced);
        is_forced
    }
}

/// Returns a game's positions before its end that have at most [`MAX_SEEDS`] on the board.
fn positions(game: &Ayo, played: &ContestGame) -> Vec<Position> {
    let opening = played.opening.parse().expect("a position");
    let record = game.read_line(&played.line, Some(opening)).expect("a line that was played");
    let mut position = opening;
    let mut positions = Vec::new();
    for &(_, pit) in record.plies() {
        let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        if seeds <= MAX_SEEDS && game.ended(&position).is_none() {
            positions.push(position);
        }
        position = game.play(&position, pit);
    }
    positions
}

/// The number of positions in a class, and the number in which a CDG can be forced within each of [`PLIES`].
type Band = (usize, [usize; PLIES.len()]);

pub fn findings(_: &mut Notebook, progress: &dyn Progress) -> Findings {
    let game = Ayo::default();
    let openings = Suite::Plies(4).sample(game, GAMES / 2, 1).expect("1014 openings");
    let player = "minimax:weights=seeds,depth=5";
    let pairing = Pairing::new("", [player, player], GAMES);
    let Some(games) = pairing.games(&openings, &Silent(progress))? else { return Ok(None) };
    let mut all: Vec<Position> = games.iter().flat_map(|played| positions(&game, played)).collect();
    all.sort_by_key(Position::to_string);
    all.dedup();
    let mut bands = [Band::default(); (MAX_SEEDS / BAND) as usize];
    let of = all.len() as u64;
    for (at, part) in all.chunks(256).enumerate() {
        if progress.should_stop() {
            return Ok(None);
        }
        let results: Vec<(u8, [bool; PLIES.len()])> = part
            .par_iter()
            .map(|position| {
                let seeds = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
                let me = position.to_move();
                (seeds, PLIES.map(|plies| can_force(&game, position, me, plies)))
            })
            .collect();
        for (seeds, forced) in results {
            let (count, within) = &mut bands[usize::from(seeds.max(1) - 1) / usize::from(BAND)];
            *count += 1;
            within.iter_mut().zip(forced).for_each(|(sum, it)| *sum += usize::from(it));
        }
        progress.advance((256 * (at + 1) as u64).min(of), of);
    }
    Ok(Some(vec![finding(&bands)]))
}

fn finding(bands: &[Band]) -> Finding {
    let of_band = |(at, (count, within)): (usize, &Band)| {
        let (low, high) = (at * usize::from(BAND) + 1, (at + 1) * usize::from(BAND));
        let share = |it: &usize| format!("{:.1}", 100.0 * *it as f64 / (*count).max(1) as f64);
        let shares: Vec<String> = within.iter().map(share).collect();
        format!("{low} to {high} seeds: {} % of {count}", shares.join(", "))
    };
    let ours: Vec<String> = bands.iter().enumerate().map(of_band).collect();
    Finding::new("thesis/open-problem", Verdict::Open, ours.join("; ")).with_note(format!(
        "share of positions of {GAMES} games in which a search shows that the side to move can force one within \
         {PLIES:?} plies"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cdg::theory::Situation;
    use mancala::game::Pit;

    #[test]
    fn rows_of_table_3_5_are_completely_determined() {
        let game = Ayo::default();
        for row in 3..=21 {
            let position = Situation::of_row(row, 6).unwrap().position().unwrap();
            assert!(is_cdg(&position, Side::South), "row {row}");
            assert!(can_force(&game, &position, Side::South, 0));
            assert!(!is_cdg(&position, Side::North), "row {row}");
        }
    }

    #[test]
    fn more_plies_force_at_least_as_much() {
        let game = Ayo::default();
        let position: Position = "0-0-0-0-3-0-0-1-0-0-0-0-22-22-S".parse().unwrap();
        let within: Vec<bool> =
            (0..6).map(|plies| can_force(&game, &position, Side::South, plies)).collect();
        assert!(within.is_sorted(), "{within:?}");
        let by_hand = game.moves(&position).any(|pit: Pit| {
            let after = game.play(&position, pit);
            is_cdg(&after, Side::South)
        });
        assert_eq!(within[1], by_hand || within[0]);
    }
}
