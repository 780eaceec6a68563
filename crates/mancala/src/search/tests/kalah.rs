//! Searches in kalah, where a side may move several times in a row.

use crate::laws::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::super::*;
use super::{any_options, budget_suffices, line_realises_score, searches_agree};
use crate::eval::kalah::Linear;
use crate::eval::kansas::{Heuristics, Utility};
use crate::eval::{Evaluator, FeatureSet, MAX_WEIGHT, Perspective, Quiescence, Signs, Weights};
use crate::game::arbitrary::any_kalah_position as any_position;
use crate::game::kalah::{Feature, Kalah, Position};
use crate::game::{AnyGame, Feature as AnyFeature, Game, Pit, Side};

/// Generates weights for all features. The weights are either small, which produces many ties, or large.
fn any_linear() -> impl Strategy<Value = Linear> {
    let limit = i64::from(MAX_WEIGHT);
    let weights = |range| proptest::collection::vec(range, Feature::ALL.len());
    prop_oneof![weights(-2..=2), weights(-limit..=limit)].prop_map(|values| {
        let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
        Linear::new(&Weights::new("", features, &values, Signs::Signed).unwrap())
    })
}

/// Generates evaluators that don't recognise wins.
fn any_utility() -> impl Strategy<Value = Utility> {
    (0..64usize).prop_map(|index| Heuristics::all().nth(index).unwrap().utility())
}

/// Generates positions with small game trees, which can be searched deeply without pruning.
pub(super) fn endgame() -> impl Strategy<Value = (Kalah, Position)> {
    any_position().prop_filter("a small tree", |(game, position)| {
        let seeds: u16 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
        let most = [96, 96, 96, 24, 12, 10, 8, 8][game.pits() - 1];
        (2..=most).contains(&seeds)
    })
}

/// Computes a move's value for `root` without using any of the searches. The position after the move is at `ply`.
fn value<E: Evaluator<Kalah>>(
    (tree, root): (Tree<'_, Kalah, E>, Side),
    before: &Position,
    pit: Pit,
    depth: u32,
    ply: u32,
) -> Score {
    let Tree { game, evaluator, options } = tree;
    let position = game.play(before, pit);
    if let Some(ending) = game.ended(&position) {
        return evaluator.end_value(game, &position, ending, root, ply);
    }
    let maximises = position.to_move() == root;
    let best = |values: &mut dyn Iterator<Item = Score>| {
        if maximises { values.max() } else { values.min() }
    };
    let deeper = |pit| value((tree, root), &position, pit, depth.max(1) - 1, ply + 1);
    if depth > 0 {
        return best(&mut game.moves(&position).map(deeper)).expect("an unfinished game has moves");
    }
    let mover = before.to_move();
    let static_value = match options.perspective {
        Perspective::Root => evaluator.evaluate(&position, root),
        Perspective::Mover if mover == root => evaluator.evaluate(&position, root),
        Perspective::Mover => -evaluator.evaluate(&position, mover),
    };
    if options.quiescence == Quiescence::Off {
        return static_value;
    }
    let captures = game.moves(&position).filter(|&pit| captured(game, &position, pit) > 0);
    best(&mut captures.map(deeper).chain([static_value])).expect("the static value")
}

fn captured(game: &Kalah, before: &Position, pit: Pit) -> u16 {
    let on_board = |it: &Position| Side::BOTH.map(|side| it.seeds_in_row(side)).iter().sum::<u16>();
    on_board(before) - on_board(&game.play(before, pit)) - game.sown_home(before, pit)
}

fn searches_follow_definition<E: Evaluator<Kalah>>(
    tree: Tree<'_, Kalah, E>,
    position: &Position,
    depth: u32,
) -> TestCaseResult {
    let root = position.to_move();
    let of_move = |pit| (pit, value((tree, root), position, pit, depth - 1, 1));
    let each: Vec<(Pit, Score)> = tree.game.moves(position).map(of_move).collect();
    prop_assert_eq!(move_values(tree, position, depth, &()).moves, each);
    searches_agree(tree, position, depth).map(drop)
}

laws! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..ProptestConfig::with_cases(200) })]

    /// We also search to depths from 7, because only searches of at least seven plies use a table.
    #[test]
    fn every_search_finds_what_minimax_finds(
        (game, position) in any_position(), linear in any_linear(), utility in any_utility(),
        depth in 1..=5u32, (other, few) in endgame(), deep in 7..=9u32, options in any_options(),
    ) {
        for (game, position, depth) in [(game, position, depth), (other, few, deep)] {
            searches_follow_definition(Tree::new(&game, &linear).with_options(options), &position, depth)?;
            searches_follow_definition(Tree::new(&game, &utility).with_options(options), &position, depth)?;
            let options = Options { quiescence: Quiescence::Off, ..options };
            line_realises_score(Tree::new(&game, &linear).with_options(options), &position, depth)?;
            line_realises_score(Tree::new(&game, &utility).with_options(options), &position, depth)?;
        }
    }

    #[test]
    fn deepening_keeps_its_budget(
        (game, position) in any_position(), linear in any_linear(), nodes in 1..20_000u64,
        options in any_options(),
    ) {
        budget_suffices(Tree::new(&game, &linear).with_options(options), &position, nodes)?;
    }
}

/// If the quiescence search finds a win, iterative deepening must go on. Here, the search to depth 1 finds one winning
/// move, but the search to depth 2 finds another one that we prefer.
#[test]
fn a_win_beyond_the_plies_searched_is_searched_further() {
    let game = "kalah:pits=4,seeds=5,empty-capture=on,ending=emptier".parse();
    let Ok(AnyGame::Kalah(game)) = game else { panic!("{game:?}") };
    let position = game.position("1-0-0-1-20-1-0-0-0-17-1").unwrap();
    let zero = vec![0; Feature::ALL.len()];
    let features = FeatureSet::new(Feature::ALL.map(AnyFeature::from).to_vec()).unwrap();
    let linear = Linear::new(&Weights::new("", features, &zero, Signs::Signed).unwrap());
    for ties in [Ties::Lowest, Ties::Hash] {
        let options = Options { quiescence: Quiescence::Captures, ties, ..Options::default() };
        let tree = Tree::new(&game, &linear).with_options(options);
        for depth in 1..=7 {
            searches_follow_definition(tree, &position, depth).unwrap();
        }
    }
}
