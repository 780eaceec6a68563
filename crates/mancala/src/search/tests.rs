//! Pruning changes the cost of a search, never its choice.

mod bounds;
mod kalah;
mod learned;

use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;

use super::*;
use crate::eval::{
    Compiled, Evaluator, FeatureSet, Linear, Nothing, Perspective, Quiescence, Signs, Sum, Weights,
    compile,
};
use crate::game::arbitrary::any_position;
use crate::game::ayo::{self, Ayo, Position, Rules};
use crate::game::{Ending, Game, Pit, PitSet, Record, Settlement, Side};
use crate::laws;
use crate::progress::Progress;

fn linear(weights: &Weights) -> Linear<true> {
    match compile(weights) {
        Compiled::WithThreats(linear) => linear,
        _ => panic!("give a1–a4 a weight"),
    }
}

pub(super) fn any_options() -> impl Strategy<Value = Options> {
    let perspective = prop_oneof![Just(Perspective::Mover), Just(Perspective::Root)];
    let quiescence = prop_oneof![Just(Quiescence::Off), Just(Quiescence::Captures)];
    let ties = prop_oneof![Just(Ties::Lowest), Just(Ties::Hash)];
    let options = (perspective, quiescence, ties);
    options.prop_map(|(perspective, quiescence, ties)| Options { perspective, quiescence, ties })
}

pub(super) fn any_linear() -> impl Strategy<Value = Linear<true>> {
    // Small weights make many ties.
    proptest::collection::vec(0..4i64, 12).prop_map(|mut values| {
        values[0] += 1;
        linear(&Weights::new("", FeatureSet::daoud2004(), &values, Signs::Signed).unwrap())
    })
}

/// The move and the score.
pub(super) fn choice(found: Option<Found>) -> Option<(Pit, Score)> {
    found.map(|found| (found.pit, found.score))
}

/// Checks that alpha-beta finds the move and score of minimax. Returns the result of minimax.
fn pruning_agrees<G: Game, E: Evaluator<G>>(
    tree: Tree<'_, G, E>,
    position: &G::Position,
    depth: u32,
) -> Result<Option<Found>, TestCaseError> {
    let plain = minimax(tree, position, depth);
    let pruned = alpha_beta(tree, position, depth, &());
    prop_assert_eq!(choice(pruned), choice(plain));
    Ok(plain)
}

/// Checks that all searches with compiled weights find the move and score of minimax with the sum of features.
fn searcher_agrees(
    weights: &Weights,
    position: &Position,
    depth: u32,
    options: Options,
) -> Result<(), TestCaseError> {
    let game = Ayo::default();
    let sum = Sum::new(weights);
    let plain = minimax(Tree::new(&game, &sum).with(options), position, depth);
    let searcher = Ayo::searcher(weights, options);
    for pruning in [Pruning::AlphaBeta, Pruning::Unordered, Pruning::None] {
        let found = searcher.search(&game, position, depth, pruning, &());
        prop_assert_eq!(choice(found), choice(plain));
    }
    Ok(())
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn a_search_with_pit_tables_is_that_with_the_sum(
        position in any_position(), depth in 1u32..4, options in any_options(),
        values in proptest::collection::vec(-3..=3i64, 181),
    ) {
        let weights = Weights::new("", "pits".parse().unwrap(), &values, Signs::Literal).unwrap();
        searcher_agrees(&weights, &position, depth, options)?;
    }

    /// Includes a feature without a fast evaluator.
    #[test]
    fn a_search_supports_every_feature(
        position in any_position(), depth in 1u32..4, options in any_options(),
    ) {
        for feature in ayo::Feature::ALL {
            let set = FeatureSet::new(vec![feature.into()]).unwrap();
            let weights = Weights::new("", set, &[7], Signs::Signed).unwrap();
            searcher_agrees(&weights, &position, depth, options)?;
        }
    }

    #[test]
    fn alpha_beta_finds_the_move_and_score_of_minimax(
        position in any_position(), evaluator in any_linear(), depth in 1u32..6,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            let tree = Tree::new(&game, &evaluator).with(options);
            let plain = pruning_agrees(tree, &position, depth)?;
            let pruned = alpha_beta(tree, &position, depth, &());
            prop_assert!(pruned.map(|f| f.nodes) <= plain.map(|f| f.nodes));
        }
    }

    #[test]
    fn the_principal_variation_realises_the_score(
        position in any_position(), few in endgame(), evaluator in any_linear(), depth in 1u32..6,
    ) {
        for (position, depth) in [(position, depth), (few, depth + 5)] {
            let game = Ayo::default();
            let tree = Tree::new(&game, &evaluator);
            let Some(found) = alpha_beta(tree, &position, depth, &()) else { continue };
            if game.ended(&position).is_some() {
                continue;
            }
            let line = principal_variation(tree, &position, depth, &());
            prop_assert_eq!(line[0].1, found.pit);
            let mut record = Record::from_position(game, position);
            for &(_, pit) in &line {
                record.play(pit).unwrap();
            }
            let last = record.position();
            let value = match game.ended(last) {
                Some(ending) => {
                    let verdict = game.settle(last, ending).verdict;
                    Score::of_end(verdict, position.to_move(), line.len() as u32)
                }
                // At even plies the opponent has moved last.
                None if line.len() % 2 == 0 => -evaluator.evaluate(last, position.to_move().other()),
                None => evaluator.evaluate(last, position.to_move()),
            };
            prop_assert_eq!(value, found.score);
        }
    }

    #[test]
    fn the_best_payoff_is_the_score(
        position in any_position(), evaluator in any_linear(), options in any_options(),
        depth in 1u32..4,
    ) {
        let game = Ayo::default();
        let options = Options { ties: Ties::Lowest, ..options };
        let tree = Tree::new(&game, &evaluator).with(options);
        let values = payoffs(tree, &position, depth, &()).moves;
        prop_assert_eq!(values.len(), game.moves(&position).len());
        let best = values.iter().rev().max_by_key(|(_, score)| *score);
        prop_assert_eq!(best.copied(), choice(minimax(tree, &position, depth)));
    }
}

/// Positions with few seeds, whose trees are small.
pub(super) fn endgame() -> impl Strategy<Value = Position> {
    any_position().prop_filter("few seeds", |position| {
        Side::BOTH.iter().map(|&side| position.seeds_in_row(side)).sum::<u8>() <= 14
    })
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn deep_searches_with_a_table_find_the_move_and_score_of_minimax(
        position in endgame(), evaluator in any_linear(), depth in 7u32..=9,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            pruning_agrees(Tree::new(&game, &evaluator).with(options), &position, depth)?;
        }
    }
}

/// Ayo in which a side that captures moves again, so that the sides need not alternate.
#[derive(Debug, Clone, Copy)]
struct CaptureAgain(Ayo);

impl Game for CaptureAgain {
    type Position = Position;

    fn start(&self, first: Side) -> Position {
        self.0.start(first)
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move()
    }

    fn moves(&self, position: &Position) -> PitSet {
        self.0.moves(position)
    }

    fn play(&self, position: &Position, pit: Pit) -> Position {
        let mover = position.to_move();
        let next = self.0.play(position, pit);
        if next.store(mover) == position.store(mover) {
            return next;
        }
        let pits = Side::BOTH.map(|side| next.row(side)).concat().try_into().unwrap();
        Position::new(pits, Side::BOTH.map(|side| next.store(side)), mover).unwrap()
    }

    fn ending(&self, position: &Position, moves: PitSet) -> Option<Ending> {
        self.0.ending(position, moves)
    }

    fn promising(&self, position: &Position) -> PitSet {
        self.0.promising(position)
    }

    fn settle(&self, position: &Position, ending: Ending) -> Settlement {
        self.0.settle(position, ending)
    }

    fn store(&self, position: &Position, side: Side) -> u16 {
        self.0.store(position, side)
    }

    fn seeds(&self, position: &Position, pit: Pit) -> u16 {
        self.0.seeds(position, pit)
    }

    fn objection(&self, position: &Position, pit: Pit) -> Option<&'static str> {
        self.0.objection(position, pit)
    }
}

/// An evaluator of [`CaptureAgain`].
struct AyoLinear(Linear<true>);

impl Evaluator<CaptureAgain> for AyoLinear {
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        self.0.evaluate(position, me)
    }
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn sides_need_not_alternate(
        position in any_position(), few in endgame(), evaluator in any_linear(),
        depth in 1u32..5, deep in 7u32..=8, options in any_options(),
    ) {
        let (game, evaluator) = (CaptureAgain(Ayo::default()), AyoLinear(evaluator));
        let tree = Tree::new(&game, &evaluator).with(options);
        pruning_agrees(tree, &position, depth)?;
        pruning_agrees(tree, &few, deep)?;
    }

    /// The values of successive depths are far apart.
    #[test]
    fn large_weights_change_nothing(
        position in endgame(), values in proptest::collection::vec(-30_000..30_000i64, 12),
    ) {
        let weights = Weights::new("", FeatureSet::daoud2004(), &values, Signs::Signed).unwrap();
        prop_assume!(values[..4] != [0; 4]);
        let (game, evaluator) = (Ayo::default(), linear(&weights));
        pruning_agrees(Tree::new(&game, &evaluator), &position, 8)?;
    }
}

laws! {
    #[test]
    fn deepening_finds_what_a_search_of_its_depth_finds(
        position in any_position(), evaluator in any_linear(), nodes in 1u64..20_000,
        options in any_options(),
    ) {
        let game = Ayo::default();
        let tree = Tree::new(&game, &evaluator).with(options);
        let limits = Limits { depth: Some(8), nodes: Some(nodes), movetime: None };
        let mut depths = Vec::new();
        let mut listen = |i: &Iteration| depths.push(i.found.depth);
        let found = deepen(tree, &position, &limits, &(), &mut listen);
        let Some(found) = found else {
            prop_assert!(game.moves(&position).is_empty());
            return Ok(());
        };
        prop_assert_eq!(&depths, &(1..=found.depth).collect::<Vec<_>>());
        let direct = alpha_beta(tree, &position, found.depth, &()).unwrap();
        prop_assert_eq!(choice(Some(direct)), choice(Some(found)));
        let full = alpha_beta(tree, &position, 8, &()).unwrap();
        if found.score.plies_to_end().is_some_and(|plies| plies <= found.depth) {
            prop_assert_eq!(choice(Some(full)), choice(Some(found)));
        }
        // Only the first iteration may exceed the budget.
        prop_assert!(found.nodes <= nodes || found.depth == 1);
    }
}

#[test]
fn a_move_time_ends_a_search() {
    let game = Ayo::default();
    let evaluator = linear(&Weights::named("daoud2004-depth5").unwrap());
    let limits =
        Limits { movetime: Some(std::time::Duration::from_millis(30)), ..Limits::default() };
    let begun = std::time::Instant::now();
    let start = game.start(Side::South);
    let found = deepen(Tree::new(&game, &evaluator), &start, &limits, &(), &mut |_| {}).unwrap();
    assert!((4..30).contains(&found.depth), "{}", found.depth);
    // A loaded machine may be late, but not by the time of the next iterations.
    assert!(begun.elapsed().as_secs() < 5);
    assert!(!limits.reproducible() && Limits::depth(3).reproducible());
}

#[test]
fn wins_come_early_and_losses_late() {
    let seeds = Weights::new("", "a1,a10".parse().unwrap(), &[1, 1], Signs::Signed).unwrap();
    let game = Ayo::default();
    // F captures: its last seed makes three in c, and South passes 24 seeds.
    let position: Position = "0-0-0-0-0-3-0-0-2-0-0-1-22-20-S".parse().unwrap();
    let found = alpha_beta(Tree::new(&game, &linear(&seeds)), &position, 5, &()).unwrap();
    assert_eq!((found.pit.letter(Side::South), found.score), ('F', Score::win(1)));
    let position: Position = "0-0-1-0-0-0-0-0-0-0-0-1-20-26-S".parse().unwrap();
    assert!(game.ending(&position, game.moves(&position)).is_some());
}

#[test]
fn a_monitor_stops_a_search() {
    struct After(AtomicU32);
    impl Progress for After {
        fn should_stop(&self) -> bool {
            self.0.fetch_sub(1, Ordering::Relaxed) == 0
        }
    }
    let game = Ayo::default();
    let evaluator = linear(&Weights::named("daoud2004-depth5").unwrap());
    let start = game.start(Side::South);
    let stopped = alpha_beta(Tree::new(&game, &evaluator), &start, 8, &After(AtomicU32::new(3)));
    assert_eq!(stopped, None);
}

/// In the paper of 2004 the root had always moved last, so the perspectives were the same.
#[test]
fn perspectives_agree_if_the_root_has_moved_last() {
    let game = Ayo::default();
    let evaluator = linear(&Weights::named("daoud2004-depth5").unwrap());
    let start = game.start(Side::South);
    let by = |perspective, depth| {
        let options = Options { perspective, ..Options::default() };
        let found = alpha_beta(Tree::new(&game, &evaluator).with(options), &start, depth, &());
        found.unwrap().score
    };
    for depth in [1, 3, 5, 7] {
        assert_eq!(by(Perspective::Mover, depth), by(Perspective::Root, depth));
    }
    for depth in [2, 4, 6] {
        assert_ne!(by(Perspective::Mover, depth), by(Perspective::Root, depth));
    }
}

laws! {
    #[test]
    fn all_searches_break_ties_alike(position in any_position(), options in any_options()) {
        let game = Ayo::default();
        prop_assume!(!game.moves(&position).is_empty());
        let tree = Tree::new(&game, &Nothing).with(options);
        let found = minimax(tree, &position, 2).map(|found| found.pit);
        prop_assert_eq!(alpha_beta(tree, &position, 2, &()).map(|found| found.pit), found);
        let limits = Limits::depth(2);
        let deepened = deepen(tree, &position, &limits, &(), &mut |_| {}).map(|found| found.pit);
        prop_assert_eq!(deepened, found);
    }
}

/// The results of runs depend on the choice among equals, so it must not change.
#[test]
fn the_choice_among_equals_does_not_change() {
    let game = Ayo::default();
    let options = Options { ties: Ties::Hash, ..Options::default() };
    let tree = Tree::new(&game, &Nothing).with(options);
    let mut record = Record::new(game, Side::South);
    let line: String = (0..12)
        .map(|_| {
            let pit = alpha_beta(tree, record.position(), 1, &()).unwrap().pit;
            let letter = pit.letter(record.to_move());
            record.play(pit).unwrap();
            letter
        })
        .collect();
    assert_eq!(line, "AeFdBbAfEaAc");
}
