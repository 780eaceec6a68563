//! Checks claims about searches. Equations 1 to 4 of Randle et al. compute the value of a tree by minimax, by the
//! Stockman equality over solution trees, and by the captures along the best line. Others say how much alpha-beta
//! saves.

use std::collections::BTreeSet;

use arena::player::{build_for, gains};
use mancala::game::ayo::{Ayo, Position};
use mancala::game::kalah::Kalah;
use mancala::game::{Game, Record, Side};
use mancala::progress::Progress;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::printed_games;

/// The depth of the trees in plies.
const PLIES: u32 = 4;

/// A value that is larger than the value of any leaf.
const LARGE: i32 = 1000;

/// A game tree. Max is the side to move at the root. The value of a leaf is the number of seeds that Max has captured
/// since the root, minus the number that the opponent has captured.
struct Tree {
    game: Ayo,
    root: Position,
}

impl Tree {
    fn leaf(&self, position: &Position) -> i32 {
        let side = self.root.to_move();
        let lead = |it: &Position| i32::from(it.store(side)) - i32::from(it.store(side.other()));
        lead(position) - lead(&self.root)
    }

    /// Returns the children of a position, or none at a leaf.
    fn children(&self, position: &Position, plies: u32) -> Vec<Position> {
        if plies == 0 || self.game.ended(position).is_some() {
            return Vec::new();
        }
        self.game.moves(position).map(|pit| self.game.play(position, pit)).collect()
    }

    /// Computes the minimax value of a position for Max (equation 1).
    fn minimax(&self, position: &Position, plies: u32) -> i32 {
        let children = self.children(position, plies);
        let values = children.iter().map(|child| self.minimax(child, plies - 1));
        let is_max = position.to_move() == self.root.to_move();
        let best = if is_max { values.max() } else { values.min() };
        best.unwrap_or_else(|| self.leaf(position))
    }

    /// Returns the number of leaves below a position.
    fn leaves(&self, position: &Position, plies: u32) -> u64 {
        let children = self.children(position, plies);
        let below: u64 = children.iter().map(|child| self.leaves(child, plies - 1)).sum();
        below.max(1)
    }

    /// Searches with alpha-beta, visiting the best child first. Returns the value for the side to move, and adds the
    /// number of leaves that it visits to `leaves`.
    fn alpha_beta(
        &self,
        position: &Position,
        plies: u32,
        [mut alpha, beta]: [i32; 2],
        leaves: &mut u64,
    ) -> i32 {
        let sign = if position.to_move() == self.root.to_move() { 1 } else { -1 };
        let mut children = self.children(position, plies);
        if children.is_empty() {
            *leaves += 1;
            return sign * self.leaf(position);
        }
        children.sort_by_cached_key(|child| -sign * self.minimax(child, plies - 1));
        for child in &children {
            alpha = alpha.max(-self.alpha_beta(child, plies - 1, [-beta, -alpha], leaves));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Returns the values of g for all solution trees below a position. A solution tree contains all children of one
    /// player's nodes (Max's nodes in T⁺, Min's nodes in T⁻), and one child of each of the other player's nodes. The
    /// value g is the extreme value (maximum or minimum) of its leaves.
    fn solutions(
        &self,
        position: &Position,
        plies: u32,
        whole: Side,
        extreme: fn(i32, i32) -> i32,
    ) -> BTreeSet<i32> {
        let children = self.children(position, plies);
        let sets = children.iter().map(|child| self.solutions(child, plies - 1, whole, extreme));
        let all = |a: BTreeSet<i32>, b: BTreeSet<i32>| {
            a.iter().flat_map(|x| b.iter().map(move |y| extreme(*x, *y))).collect()
        };
        let values = if position.to_move() == whole {
            sets.reduce(all)
        } else {
            sets.reduce(|a, b| &a | &b)
        };
        values.unwrap_or_else(|| BTreeSet::from([self.leaf(position)]))
    }
}

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let game = Ayo::default();
    let positions: Vec<Position> =
        printed_games::decisions().iter().map(|it| *it.record.position()).collect();
    let (mut equal, mut of_gains) = (0, 0);
    for &root in &positions {
        let (max, tree) = (root.to_move(), Tree { game, root });
        let value = tree.minimax(&root, PLIES);
        let upper = tree.solutions(&root, PLIES, max, i32::max);
        let lower = tree.solutions(&root, PLIES, max.other(), i32::min);
        equal += usize::from([lower.last(), upper.first()] == [Some(&value); 2]);
        let gains = gains(&game, &root, PLIES, &()).expect("nothing stops the search");
        let best = gains.moves.into_iter().map(|(_, gain)| gain.0).max();
        of_gains += usize::from(best == Some(value));
    }
    let of = positions.len();
    let (mut minimax, mut alpha_beta) = (0, 0);
    for &root in &positions {
        let tree = Tree { game, root };
        minimax += tree.leaves(&root, PLIES / 2);
        let value = tree.alpha_beta(&root, PLIES, [-LARGE, LARGE], &mut alpha_beta);
        debug_assert_eq!(value, tree.minimax(&root, PLIES));
    }
    let ratio = alpha_beta as f64 / minimax as f64;
    let trees = format!("trees of {PLIES} plies at the {of} positions of the thesis's two games");
    Ok(Some(vec![
        Finding::new(
            "amdf/equations-1-3",
            Verdict::holds_if(equal == of),
            format!("{equal} of {of} trees"),
        )
        .with_note(format!(
            "{trees}; g(T⁺) is a maximum and g(T⁻) a minimum; our scan has both right"
        )),
        Finding::new(
            "amdf/equation-4",
            Verdict::holds_if(of_gains == of),
            format!("{of_gains} of {of} trees"),
        )
        .with_note("a leaf of equation 1 is worth the difference of all captures"),
        Finding::new(
            "thesis/alpha-beta",
            // A factor of two in the number of leaves is less than the effect of one ply.
            Verdict::holds_if((0.5..=2.0).contains(&ratio)),
            format!(
                "{alpha_beta} leaves with the best moves first to depth {PLIES}, {minimax} by minimax to {}: {ratio:.2}",
                PLIES / 2
            ),
        )
        .with_note(
            "printed the other way round, with double the depth; in positions of games; holds within a factor of two, less \
             than a ply",
        ),
        pruning(),
    ]))
}

/// Compares searches with and without pruning, using the heuristics and rules of the Kansas report.
fn pruning() -> Finding {
    let spec = |kind: &str| format!("{kind}:weights=h1+h2,depth=6");
    let [mut pruned, mut plain] = ["minimax", "plain-minimax"]
        .map(|kind| build_for(&spec(kind), Kalah::KANSAS).expect("a player of kalah"));
    let mut record = Record::new(Kalah::KANSAS, Side::South);
    let (mut same, mut nodes, mut of) = (0, [0; 2], 0);
    while record.ending().is_none() {
        let [a, b] = [&mut pruned, &mut plain].map(|it| it.choose(&record, &()).expect("a move"));
        same += usize::from(a.pit == b.pit);
        nodes = [nodes[0] + a.nodes, nodes[1] + b.nodes];
        of += 1;
        record.play(a.pit).expect("a legal move");
    }
    let ours = format!("{same} of {of} moves, {} nodes instead of {}", nodes[0], nodes[1]);
    Finding::new("kansas/pruning", Verdict::holds_if(same == of && nodes[0] < nodes[1]), ours)
        .with_note("a game at look-ahead 6")
}
