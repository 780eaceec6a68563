//! Benchmarks of a search's components on typical positions, and of whole searches.

use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use mancala::eval::{Evaluator, Leaves, Linear, Perspective, Quiescence, Score, Weights};
use mancala::game::ayo::{Ayo, Feature, Position};
use mancala::game::{Game, GameFeature, PitSet};
use mancala::search::{SearchResult, Tree, alpha_beta, unordered};

/// The positions of `ayo bench` and all unfinished positions up to two plies later.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let game = Ayo::default();
    let mut all = positions();
    let (mut begin, mut end) = (0, all.len());
    for _ply in 0..2 {
        for index in begin..end {
            let position = all[index];
            let children = game.moves(&position).map(|pit| game.play(&position, pit));
            all.extend(children.filter(|child| game.ended(child).is_none()));
        }
        (begin, end) = (end, all.len());
    }
    all
});

/// Returns the positions of `ayo bench`.
fn positions() -> Vec<Position> {
    let lines = include_str!("../../src/bench/suite.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| line.parse().unwrap()).collect()
}

/// Returns the evaluator of `ayo bench`.
fn evaluator() -> Linear {
    Linear::new(&Weights::named("daoud2004-depth5").unwrap())
}

/// Returns one position from each phase: opening, middle game, kroo, endgame.
fn searched() -> Vec<Position> {
    positions().into_iter().step_by(10).collect()
}

/// Benchmarks a function on each of [`POSITIONS`]. Each item is a position.
fn with_each<T>(bencher: Bencher, work: impl Fn(&Position) -> T + Sync) {
    let positions = POSITIONS.as_slice();
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        for position in positions {
            black_box(work(black_box(position)));
        }
    });
}

#[divan::bench]
fn moves(bencher: Bencher) {
    let game = Ayo::default();
    with_each(bencher, |position| game.moves(position));
}

/// Plays the legal moves of each position. Each item is a move.
#[divan::bench]
fn play(bencher: Bencher) {
    let game = Ayo::default();
    let of = |&position: &Position| game.moves(&position).map(move |pit| (position, pit));
    let moves: Vec<_> = POSITIONS.iter().flat_map(of).collect();
    bencher.counter(ItemsCount::new(moves.len())).bench(|| {
        for (position, pit) in &moves {
            black_box(game.play(black_box(position), *pit));
        }
    });
}

/// Computes the features one at a time from their definitions.
#[divan::bench]
fn features(bencher: Bencher) {
    let game = Ayo::default();
    with_each(bencher, |position| {
        let me = game.to_move(position);
        Feature::ALL.map(|feature| feature.value(position, me))
    });
}

/// Computes the weighted sum of features the way a search does.
#[divan::bench]
fn evaluate(bencher: Bencher) {
    let (game, evaluator) = (Ayo::default(), evaluator());
    with_each(bencher, |position| evaluator.evaluate(position, game.to_move(position)));
}

/// Evaluates all leaves below a position without pruning. Each item is a leaf.
#[divan::bench]
fn leaf_loop(bencher: Bencher) {
    let (game, evaluator) = (Ayo::default(), evaluator());
    let entered = |position: &Position| {
        let leaves = Leaves {
            moves: game.moves(position),
            first: PitSet::default(),
            me: game.to_move(position),
            perspective: Perspective::Mover,
            quiescence: Quiescence::Off,
            ply: 1,
            alpha: Score::LOWEST,
            beta: Score::HIGHEST,
        };
        let mut nodes = 0;
        black_box(evaluator.best_leaf(&game, position, leaves, &mut nodes));
        nodes
    };
    let leaves: u64 = POSITIONS.iter().map(entered).sum();
    bencher
        .counter(ItemsCount::new(leaves))
        .bench(|| POSITIONS.iter().map(|position| entered(black_box(position))).sum::<u64>());
}

/// Benchmarks a search. Each item is a node.
fn search(bencher: Bencher, search: impl Fn(&Position) -> Option<SearchResult> + Sync) {
    let positions = searched();
    let nodes = |position: &Position| search(position).map_or(0, |found| found.nodes);
    let all: u64 = positions.iter().map(nodes).sum();
    bencher
        .counter(ItemsCount::new(all))
        .bench(|| positions.iter().map(|position| nodes(black_box(position))).sum::<u64>());
}

#[divan::bench(args = [5, 9])]
fn search_alpha_beta(bencher: Bencher, depth: u32) {
    let (game, evaluator) = (Ayo::default(), evaluator());
    let tree = Tree::new(&game, &evaluator);
    search(bencher, |position| alpha_beta(tree, position, depth, &()));
}

#[divan::bench(args = [5, 9])]
fn search_unordered(bencher: Bencher, depth: u32) {
    let (game, evaluator) = (Ayo::default(), evaluator());
    search(bencher, |position| unordered(Tree::new(&game, &evaluator), position, depth));
}
