//! Chapter 3 of the thesis: the completely determined game, cell by cell beside its tables.

mod laws;
mod matrix;
mod tables;

pub use laws::{Broken, Law, broken};
pub use matrix::{Block, Blocks, Payoffs, Reading, blocks};

use super::notebook::{Findings, Notebook};
use crate::results::{Finding, Verdict};
use mancala::endgame::cdg::Situation;
use mancala::progress::Progress;

/// Pits a side up to which propositions are looked at.
pub const LAWS_UP_TO: u32 = 200;

pub(super) fn findings(_: &mut Notebook, progress: &dyn Progress) -> Findings {
    let mut found = tables::findings();
    let laws = [
        (Law::Inverse, "proposition-1"),
        (Law::Sums, "proposition-2"),
        (Law::Count, "proposition-3"),
        (Law::Total, "proposition-4"),
    ];
    for (at, (law, claim)) in (0..).zip(laws) {
        if progress.should_stop() {
            return Ok(None);
        }
        let broken = broken(law, 1..=LAWS_UP_TO);
        let (verdict, ours) = match broken {
            None => (Verdict::Exact, format!("holds for n = 1 to {LAWS_UP_TO}")),
            Some(Broken { pits }) => (Verdict::Differs, format!("fails for n = {pits}")),
        };
        found.push(Finding::new(&format!("thesis/{claim}"), verdict, ours));
        progress.advance(at + 1, 4);
    }
    Ok(Some(found))
}

/// The matrix of figure 3.11, row by row. Its board is that of row 15 of table 3.5.
const FIGURE_3_11: [[i32; 6]; 6] = [
    [0, -2, 0, 0, 0, -2],
    [0, 0, -2, 0, 0, 0],
    [0, 0, -2, 0, 0, 0],
    [0, 0, -2, 0, 0, 0],
    [0, 0, -2, 0, 0, 0],
    [0, 0, -2, 0, 0, 0],
];

/// The columns of figure 3.12: x₁ to x₁₆.
const FIGURE_3_12: [i64; 16] = [1, 1, 4, 4, 5, 3, 7, 1, 3, 5, 7, 9, 11, 13, 15, 17];

pub(super) fn matrix_findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    Ok(Some(vec![theorem_1(), theorem_1_of_all(), theorem_2()]))
}

fn payoffs(row: u32, reading: Reading) -> Payoffs {
    let situation = Situation::of_row(row, 6).expect("a row of table 3.5");
    Payoffs::of(&situation.position().expect("six pits"), reading)
}

fn theorem_1() -> Finding {
    let ours = payoffs(15, Reading::Passing);
    let same = ours.cells == FIGURE_3_11.map(|row| row.map(Some));
    let (low, high) = (ours.maximin(), ours.minimax());
    let said = format!("the same 36 payoffs; maximin {low}, minimax {high}");
    let verdict = if same && low < high { Verdict::Exact } else { Verdict::Differs };
    Finding::new("thesis/theorem-1", verdict, said).noting(
        "the board is row 15 of table 3.5, the seventh with Y to move; five of Y's six pits are empty, and the \
         figure counts an empty pit as a pass and lets X take Y's last seed, which the golden rule forbids",
    )
}

fn theorem_1_of_all() -> Finding {
    let saddles = |reading| (1..=21).filter(|&row| payoffs(row, reading).saddle()).count();
    let (passing, legal) = (saddles(Reading::Passing), saddles(Reading::Legal));
    let ours =
        format!("{passing} of 21 have one if an empty pit is a pass, {legal} if it is no move");
    let verdict = if passing == 0 { Verdict::Exact } else { Verdict::Differs };
    Finding::new("thesis/theorem-1-all", verdict, ours)
        .noting("where Y moves it has one legal move, and a matrix of one row has a saddle point")
}

fn theorem_2() -> Finding {
    let found = blocks(16);
    let size = [found.rows.len(), 16];
    let verdict = if size == [7, 16] && found.sums() == FIGURE_3_12 {
        Verdict::Exact
    } else {
        Verdict::Differs
    };
    Finding::new(
        "thesis/theorem-2",
        verdict,
        format!("{} × {}, the same columns", size[0], size[1]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_of_figure_3_11_is_that_of_row_15_alone() {
        let printed = FIGURE_3_11.map(|row| row.map(Some));
        let same = |row: &u32| payoffs(*row, Reading::Passing).cells == printed;
        assert_eq!((1..=21).filter(same).collect::<Vec<_>>(), [15]);
    }
}
