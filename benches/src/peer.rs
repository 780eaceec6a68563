//! The perft of `ayo` compared with that of `OwareBoard` from the crate `board-game`.
//!
//! Under both rule sets a grand slam captures nothing, and the mover must feed an opponent without seeds. They differ
//! in two cases: when two seeds chase each other, which ends the game in `OwareBoard`, and when a mover gives away its
//! last seed and would capture all of the opponent's. Neither occurs within [`COMPARED`] plies of the start.

use std::sync::Once;

use board_game::board::{Board, BoardMoves};
use board_game::games::oware::OwareBoard;
use board_game::util::game_stats::perft_naive;
use divan::Bencher;
use divan::counter::ItemsCount;
use internal_iterator::InternalIterator;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Side, perft};

/// Depth of the timed perft. It is small enough for some of the samples to run without being preempted.
const DEPTH: u32 = 6;
/// Maximum depth at which the two counts are compared.
const COMPARED: u32 = 10;

fn start() -> Position {
    Ayo::default().start(Side::South)
}

fn peer() -> OwareBoard<6> {
    OwareBoard::default()
}

/// # Panics
/// If the programs count different numbers of lines.
fn counts_agree() {
    for depth in 1..=COMPARED {
        let (ours, theirs) = (perft(&Ayo::default(), &start(), depth), perft_naive(&peer(), depth));
        assert_eq!(ours, theirs, "perft {depth}");
    }
    for depth in 1..=DEPTH {
        let ours = played(&Ayo::default(), &start(), depth);
        assert_eq!((ours, played_by_peer(&peer(), depth)), (perft_naive(&peer(), depth), ours));
    }
}

/// Like [`perft`], but also plays the moves of the last ply.
fn played<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.moves(position);
    if game.ending(position, moves).is_some() {
        return 0;
    }
    moves.map(|pit| played(game, &game.play(position, pit), depth - 1)).sum()
}

/// Like [`perft_naive`], but also plays the moves of the last ply.
fn played_by_peer(board: &OwareBoard<6>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Ok(moves) = board.available_moves() else { return 0 };
    let mut sum = 0;
    moves.for_each(|pit| {
        let child = board.clone_and_play(pit).expect("the move is available");
        sum += played_by_peer(&child, depth - 1);
    });
    sum
}

/// Benchmarks a perft in which each item is a line of play of [`DEPTH`] plies.
fn count(bencher: Bencher, count: impl Fn() -> u64 + Sync) {
    static COMPARISON: Once = Once::new();
    COMPARISON.call_once(counts_agree);
    bencher.counter(ItemsCount::new(count())).bench(count);
}

/// Counts the moves of the last ply without playing them.
#[divan::bench_group(sample_count = 400, sample_size = 1)]
mod perft_in_bulk {
    use super::*;

    #[divan::bench]
    fn ayo(bencher: Bencher) {
        count(bencher, || perft(&Ayo::default(), &start(), DEPTH));
    }

    #[divan::bench]
    fn board_game(bencher: Bencher) {
        count(bencher, || perft_naive(&peer(), DEPTH));
    }
}

/// Plays the moves of the last ply.
#[divan::bench_group(sample_count = 400, sample_size = 1)]
mod perft_played {
    use super::*;

    #[divan::bench]
    fn ayo(bencher: Bencher) {
        count(bencher, || played(&Ayo::default(), &start(), DEPTH));
    }

    #[divan::bench]
    fn board_game(bencher: Bencher) {
        count(bencher, || played_by_peer(&peer(), DEPTH));
    }
}
