//! The strategies from section 3.2 of the thesis, on boards that fit its text.

use mancala::game::ayo::{Ayo, Position, is_odu, sown, strategies};
use mancala::game::{Game, Pit};
use mancala::progress::Progress;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    Ok(Some(vec![
        chain(),
        golden_rule(),
        odu_sizes("thesis/odu", "printed one too low, as if the pit of origin were sown"),
        odu_sizes("rbh/odu", "true of pit 6 only; each lower pit needs one more seed"),
        odu_of_figure(),
        blocking(),
        wasted_odu(),
        largest_capture(),
    ]))
}

fn pit(index: usize) -> Pit {
    Pit::new(index as u8).expect("a pit")
}

fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

/// Returns the number of seeds captured by a move.
fn captured(position: &Position, from: usize) -> u8 {
    let side = position.to_move();
    Ayo::default().play(position, pit(from)).store(side) - position.store(side)
}

/// As in the text, the move captures three, two and three seeds from pits 4, 3 and 2.
fn chain() -> Finding {
    let board = position("1-0-0-0-5-0-5-2-1-2-0-0-16-16-S");
    let taken = captured(&board, 4);
    let verdict = if taken == 8 { Verdict::Lost } else { Verdict::Differs };
    Finding::new(
        "thesis/figure-3.2",
        verdict,
        format!("{taken} seeds on a board that fits the text"),
    )
    .with_note("the text fixes the captured pits")
}

/// The captures are those described in the text.
fn golden_rule() -> Finding {
    let board = position("0-0-0-7-0-3-1-2-1-1-1-0-16-16-S");
    let taken = [3, 5].map(|from| captured(&board, from));
    let ours = format!("{} and {} seeds on a board that fits the text", taken[0], taken[1]);
    let verdict = if taken == [0, 7] { Verdict::Lost } else { Verdict::Differs };
    Finding::new("thesis/figure-3.3", verdict, ours)
}

/// Returns the smallest and largest number of seeds that form an odu in a pit, counted from 0.
fn odu_of(index: usize) -> [u8; 2] {
    let sizes: Vec<u8> = (0..=48).filter(|&seeds| is_odu(index, seeds)).collect();
    [sizes[0], sizes[sizes.len() - 1]]
}

fn odu_sizes(claim: &str, why: &str) -> Finding {
    let [[low, high], [first, last]] = [odu_of(5), odu_of(0)];
    let ours = format!("{low} to {high} in pit 6, {first} to {last} in pit 1");
    let printed = match claim {
        "thesis/odu" => [12, 16, 17, 21],
        _ => [12, 17, 12, 17],
    };
    Finding::new(claim, Verdict::exact_if([low, high, first, last] == printed), ours).with_note(why)
}

fn odu_of_figure() -> Finding {
    let board = position("2-3-0-19-0-1-2-9-0-1-1-0-5-5-S");
    let strategies = strategies(&Ayo::default(), &board, pit(3));
    let verdict = Verdict::exact_if(strategies.contains(&"odu played"));
    let taken = captured(&board, 3);
    Finding::new("thesis/figure-3.4", verdict, format!("an odu; sown now it captures {taken}"))
}

/// Only five pits of the board are determined by the text.
fn blocking() -> Finding {
    let board = position("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S");
    let strategies = strategies(&Ayo::default(), &board, pit(0));
    let before = captured(&board.passed(), 3);
    let after = captured(&Ayo::default().play(&board, pit(0)), 3);
    let blocks = strategies.contains(&"blocking") && before > 0 && after == 0;
    let verdict = if blocks { Verdict::Lost } else { Verdict::Differs };
    let ours = format!(
        "{before} seeds at stake before the move and {after} after it, on a board that fits"
    );
    Finding::new("thesis/figures-3.5-3.6", verdict, ours).with_note("the text fixes five pits")
}

fn wasted_odu() -> Finding {
    let last = usize::from(sown(pit(3), 17).last);
    let ours = format!("17 seeds from pit 4 end in pit {} of the other row", last + 1 - 6);
    let verdict = if last == 6 + 3 { Verdict::Lost } else { Verdict::Differs };
    Finding::new("thesis/figure-3.7", verdict, ours)
}

fn largest_capture() -> Finding {
    // Five pits reach three seeds. A sixth would make it a grand slam, which captures nothing.
    let board = position("0-0-0-0-0-17-9-1-1-1-1-1-9-8-S");
    let taken = captured(&board, 5);
    Finding::new(
        "thesis/kroo-15",
        Verdict::exact_if(taken == 15),
        format!("{taken}: five pits of three"),
    )
    .with_note("six pits would be a grand slam, which captures nothing; 18 under `wipe-out`")
}
