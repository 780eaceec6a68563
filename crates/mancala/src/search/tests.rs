//! Pruning changes cost, never choice.

mod bounds;
mod kalah;
mod learned;

use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;

use super::*;
use crate::eval::{
    Compiled, Evaluator, FeatureSet, Linear, Perspective, Quiescence, Signs, Sum, Weights, compile,
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

/// Any of the options, in every combination.
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

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn a_search_by_tables_is_the_search_by_the_sum(
        position in any_position(), depth in 1u32..4, options in any_options(),
        values in proptest::collection::vec(-3..=3i64, 181),
    ) {
        let game = Ayo::default();
        let weights = Weights::new("", "pits".parse().unwrap(), &values, Signs::Literal).unwrap();
        let plain = minimax(Tree::new(&game, &Sum::new(&weights)).with(options), &position, depth);
        let searcher = Ayo::searcher(&weights, options);
        for pruning in [Pruning::AlphaBeta, Pruning::Unordered, Pruning::None] {
            let found = searcher.search(&game, &position, depth, pruning, &());
            prop_assert_eq!(found.map(|f| (f.pit, f.score)), plain.map(|f| (f.pit, f.score)));
        }
    }

    /// Among them one that no fast evaluation serves: no search may lose what it weighs.
    #[test]
    fn a_search_serves_every_feature(
        position in any_position(), depth in 1u32..4, options in any_options(),
    ) {
        let game = Ayo::default();
        for feature in ayo::Feature::ALL {
            let set = FeatureSet::new(vec![feature.into()]).unwrap();
            let weights = Weights::new("", set, &[7], Signs::Signed).unwrap();
            let plain = minimax(Tree::new(&game, &Sum::new(&weights)).with(options), &position, depth);
            let searcher = Ayo::searcher(&weights, options);
            for pruning in [Pruning::AlphaBeta, Pruning::Unordered, Pruning::None] {
                let found = searcher.search(&game, &position, depth, pruning, &());
                prop_assert_eq!(found.map(|f| (f.pit, f.score)), plain.map(|f| (f.pit, f.score)));
            }
        }
    }

    #[test]
    fn alpha_beta_picks_the_move_and_score_of_minimax(
        position in any_position(), evaluator in any_linear(), depth in 1u32..6,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            let tree = Tree::new(&game, &evaluator).with(options);
            let plain = minimax(tree, &position, depth);
            let pruned = alpha_beta(tree, &position, depth, &());
            prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
            prop_assert!(pruned.map(|f| f.nodes) <= plain.map(|f| f.nodes));
        }
    }

    #[test]
    fn the_principal_variation_realises_the_score(
        position in any_position(), few in endgame(), evaluator in any_linear(), depth in 1u32..6,
    ) {
        for (position, depth) in [(position, depth), (few, depth + 5)] {
            let game = Ayo::default();
            let Some(found) = alpha_beta(Tree::new(&game, &evaluator), &position, depth, &()) else {
                continue;
            };
            if game.ended(&position).is_some() {
                continue;
            }
            let line = principal_variation(Tree::new(&game, &evaluator), &position, depth, &());
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
                // Depths of this game alternate: its opponent has moved last at the even ones.
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
        let found = minimax(tree, &position, depth).map(|f| (f.pit, f.score));
        prop_assert_eq!(best.copied(), found);
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
    fn deep_searches_with_a_table_pick_the_move_and_score_of_minimax(
        position in endgame(), evaluator in any_linear(), depth in 7u32..=9,
        options in any_options(),
    ) {
        for (_, rules) in Rules::PRESETS {
            let game = Ayo { rules };
            let tree = Tree::new(&game, &evaluator).with(options);
            let plain = minimax(tree, &position, depth);
            let pruned = alpha_beta(tree, &position, depth, &());
            prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
        }
    }
}

/// Ayo in which whoever captures moves again, so that the sides need not alternate.
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

/// An evaluator of Ayo, for the game in which sides do not alternate.
struct Same(Linear<true>);

impl Evaluator<CaptureAgain> for Same {
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
        let (game, evaluator) = (CaptureAgain(Ayo::default()), Same(evaluator));
        let tree = Tree::new(&game, &evaluator).with(options);
        for (position, depth) in [(position, depth), (few, deep)] {
            let plain = minimax(tree, &position, depth);
            let pruned = alpha_beta(tree, &position, depth, &());
            prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
        }
    }

    /// However far apart the values of neighbouring depths are.
    #[test]
    fn large_weights_change_nothing(
        position in endgame(), values in proptest::collection::vec(-30_000..30_000i64, 12),
    ) {
        let weights = Weights::new("", FeatureSet::daoud2004(), &values, Signs::Signed).unwrap();
        prop_assume!(values[..4] != [0; 4]);
        let (game, evaluator) = (Ayo::default(), linear(&weights));
        let plain = minimax(Tree::new(&game, &evaluator), &position, 8);
        let pruned = alpha_beta(Tree::new(&game, &evaluator), &position, 8, &());
        prop_assert_eq!(plain.map(|f| (f.pit, f.score)), pruned.map(|f| (f.pit, f.score)));
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
        prop_assert_eq!((direct.pit, direct.score), (found.pit, found.score));
        let full = alpha_beta(tree, &position, 8, &()).unwrap();
        if found.score.plies_to_end().is_some_and(|plies| plies <= found.depth) {
            prop_assert_eq!((full.pit, full.score), (found.pit, found.score));
        }
        // The first iteration alone may exceed a budget.
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
    // A loaded machine may be late, but not by as much as the next iterations would take.
    assert!(begun.elapsed().as_secs() < 5);
    assert!(!limits.reproducible() && Limits::depth(3).reproducible());
}

#[test]
fn wins_come_early_and_losses_late() {
    let seeds = Weights::new("", "a1,a10".parse().unwrap(), &[1, 1], Signs::Signed).unwrap();
    let game = Ayo::default();
    // South passes 24 at once with F, whose last seed makes three of the two in c.
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

/// The laws of the paper of 2004: `Root` values what `Mover` does where the root has moved last.
#[test]
fn perspectives_agree_where_the_root_moves_last() {
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
    /// Among equals every pit is taken somewhere, and always the same one in the same position.
    #[test]
    fn ties_are_broken_by_the_position_alone(position in any_position(), options in any_options()) {
        let game = Ayo::default();
        prop_assume!(!game.moves(&position).is_empty());
        let nothing = Sum::<Ayo>::new(&Weights::new("", "a1".parse().unwrap(), &[0], Signs::Signed).unwrap());
        let tree = Tree::new(&game, &nothing).with(options);
        let found = minimax(tree, &position, 2).map(|found| found.pit);
        prop_assert_eq!(alpha_beta(tree, &position, 2, &()).map(|found| found.pit), found);
        let limits = Limits::depth(2);
        let deepened = deepen(tree, &position, &limits, &(), &mut |_| {}).map(|found| found.pit);
        prop_assert_eq!(deepened, found);
    }
}

/// Which move is played among equals is part of the results of runs, so it may never change.
#[test]
fn the_order_of_equals_is_fixed() {
    let game = Ayo::default();
    let nothing =
        Sum::<Ayo>::new(&Weights::new("", "a1".parse().unwrap(), &[0], Signs::Signed).unwrap());
    let options = Options { ties: Ties::Hash, ..Options::default() };
    let tree = Tree::new(&game, &nothing).with(options);
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
