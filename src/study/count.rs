//! How many positions there are, by the formula of Donkers, Uiterwijk and de Voogt that the thesis (4.2) and its
//! papers quote.

use super::notebook::{Findings, Notebook};
use crate::results::{Finding, Verdict};
use evolution::player::gains;
use mancala::game::Side;
use mancala::game::ayo::{Ayo, PITS, SEEDS};
use mancala::progress::Progress;

/// The number that the thesis prints for the board of ayo.
pub const PRINTED: f64 = 1.313_244e14;

/// Positions of the tables that Daoud et al. quote, and their share of all.
const QUOTED: (f64, f64) = (52e9, 0.045);

/// Positions that Romein and Bal solved (2002): those that play can reach.
const SOLVED: f64 = 889_063_398_406.0;

/// Ways to lay `seeds` seeds in `places` places: C(places + seeds − 1, seeds). `None` without a place, and
/// where the number has more than 128 bits.
///
/// ```
/// use ayo::study::count::ways;
/// assert_eq!(ways(12, 1), Some(12));
/// assert_eq!(ways(14, 48), Some(6_566_222_272_575));
/// ```
pub fn ways(places: u32, seeds: u32) -> Option<u128> {
    let others = u128::from(places.checked_sub(1)?);
    // After each step it is the number of ways for so many seeds, and so whole.
    (1..=u128::from(seeds)).try_fold(1u128, |ways, n| ways.checked_mul(others + n).map(|it| it / n))
}

/// Equation 1: positions of so many players with so many seeds in so many places, pits and stores.
pub fn positions(players: u32, places: u32, seeds: u32) -> Option<u128> {
    ways(places, seeds)?.checked_mul(players.into())
}

/// Boards of ayo with at most so many seeds in the pits, whoever moves.
pub fn boards_up_to(seeds: u32) -> u128 {
    // One more place holds the seeds that are not on the board.
    ways(2 * PITS as u32 + 1, seeds).expect("it has 41 bits")
}

pub(super) fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let ours = positions(2, 2 * PITS as u32 + 2, SEEDS.into()).expect("it has 44 bits") as f64;
    let scientific = format!("{ours:.6e}").replace("e13", " × 10¹³");
    let tenfold = (PRINTED / ours - 10.0).abs() < 1e-4;
    let verdict = if tenfold { Verdict::Misprint } else { Verdict::Differs };
    let of_thesis = Finding::new("thesis/equation-4.1", verdict, scientific.clone()).noting(
        "the same digits, ten times as many: 2·C(61, 48). It counts positions that no play reaches, and \
         Romein and Bal reach 8.9 × 10¹¹ of them",
    );
    let of_paper = Finding::new("rbh/equation-1", Verdict::Exact, scientific)
        .noting("the formula itself; for the board of ayo");
    let tree = worked_tree();
    let of_tree = |claim: &str| {
        Finding::new(claim, Verdict::Lost, tree.clone()).noting(
            "the board is in the scan, the tree is not; ours, four plies deep, more being better",
        )
    };
    Ok(Some(vec![
        of_thesis,
        of_paper,
        of_tree("thesis/figure-4.2"),
        of_tree("rbh/figures-2-3"),
        state_space(),
    ]))
}

fn state_space() -> Finding {
    let (all, most) = (boards_up_to(SEEDS.into()) as f64, 35);
    let table = boards_up_to(most) as f64;
    let share = |of: f64| 100.0 * table / of;
    let ours = format!(
        "{:.1} billion boards have at most {most} seeds: {:.1} % of the {:.2} × 10¹² boards, {:.1} % of the {:.2} × \
         10¹¹ that play reaches",
        table / 1e9,
        share(all),
        all / 1e12,
        share(SOLVED),
        SOLVED / 1e11
    );
    let (positions, quoted) = QUOTED;
    debug_assert!((table / positions - 1.0).abs() < 0.01);
    let fits = [all, SOLVED].iter().any(|of| (table / of - quoted).abs() < 0.0005);
    let verdict = if fits { Verdict::Exact } else { Verdict::Differs };
    Finding::new("daoud/state-space", verdict, ours)
        .noting("52 billion is the table of 35 seeds; neither count of the whole makes it 4.5 %")
}

/// The board of figure 4.2, with stores that keep the 24-seed rule away.
const FIGURE: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

/// What each move of the figure gains, four plies deep.
fn worked_tree() -> String {
    let position = FIGURE.parse().expect("a position");
    let (gains, _) = gains(&Ayo::default(), &position, 4);
    let said =
        |&(pit, gain): &(mancala::game::Pit, i32)| format!("{} {gain:+}", pit.letter(Side::South));
    gains.iter().map(said).collect::<Vec<_>>().join(", ").replace("+0", "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_those_of_the_tables_index() {
        for seeds in 0..=48 {
            let ways = ways(12, seeds.into()).unwrap();
            assert_eq!(ways, mancala::endgame::positions(seeds).into());
        }
        let sum: u128 = (0..=35).map(|seeds| ways(12, seeds).unwrap()).sum();
        assert_eq!(sum, boards_up_to(35));
        assert_eq!((ways(0, 3), ways(1, 9), ways(5, 0)), (None, Some(1), Some(1)));
        assert_eq!(ways(200, 400), None);
    }
}
