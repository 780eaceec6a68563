//! Tests the strategies in section 3.2 of the thesis, using boards that fit its text.

use mancala::game::ayo::{Ayo, PITS, Position, sown, strategies};
use mancala::game::{Game, Pit, Side};
use mancala::progress::Progress;

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let [odu_of_thesis, odu_of_later] = odu();
    Ok(Some(vec![
        described(
            "thesis/figure-3.2",
            "1-1-0-0-5-0-5-2-1-2-0-2-15-14-S",
            &[(Side::South, 5, 8), (Side::North, 6, 4)],
        ),
        described(
            "thesis/figure-3.3",
            "2-0-0-7-0-3-1-2-1-1-2-0-15-14-S",
            &[(Side::South, 4, 0), (Side::South, 6, 7), (Side::North, 5, 3)],
        ),
        odu_of_thesis,
        odu_of_later,
        odu_of_figure(),
        blocking(),
        wasted_odu(),
        largest_capture(),
        sowing_distance("thesis/sowing-distance"),
        sowing_distance("rbh/equations-2-3"),
        endings(),
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

/// Returns a finding for a figure whose board is lost, using a board that fits the text. `captures` contains a side, a
/// pit and, according to the text, the number of seeds that the side captures by playing this pit.
fn described(claim: &str, board: &str, captures: &[(Side, usize, u8)]) -> Finding {
    let south = position(board);
    let taken = |&(side, from, _): &(Side, usize, u8)| {
        captured(&if side == Side::South { south } else { south.passed() }, from - 1)
    };
    let found: Vec<u8> = captures.iter().map(taken).collect();
    let is_true = found.iter().zip(captures).all(|(found, (.., printed))| found == printed);
    let listed = found.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    Finding::new(claim, Verdict::holds_if(is_true), format!("{listed} seeds"))
        .with_note(format!("on a board that fits every sentence, `{board}`"))
}

/// Returns the smallest and largest number of seeds in a pit (counted from 0) with which a move ends in the other row
/// after this many laps. A pit that takes one lap is an odu, and a pit that takes two laps is an ikare.
fn sizes(index: usize, laps: u8) -> [u8; 2] {
    let places = 2 * PITS as u8 - 1;
    let ends_opposite = |&seeds: &u8| usize::from(sown(pit(index), seeds).last) >= PITS;
    let mut sizes = (laps * places + 1..=(laps + 1) * places).filter(ends_opposite);
    let least = sizes.next().expect("a size");
    [least, sizes.next_back().expect("six sizes")]
}

/// Compares the sizes of an odu with both sources, and the sizes of an ikare with the later paper.
fn odu() -> [Finding; 2] {
    let [[odu, ikare], [odu_1, ikare_1]] = [5, 0].map(|index| [sizes(index, 1), sizes(index, 2)]);
    let (thesis, later) = ([[12, 16], [17, 21]], [[12, 17], [23, 27]]);
    // The two sources contradict each other if they print different sizes for an odu in pit 6.
    let verdict = |ours, printed| match ours == printed {
        true => Verdict::Exact,
        false => Verdict::misprint_if(thesis[0] != later[0]),
    };
    let text = |[least, most]: [u8; 2]| format!("{least} to {most}");
    let [a, b, c, d] = [odu, ikare, odu_1, ikare_1].map(text);
    let of_thesis = format!("{a} in pit 6, {c} in pit 1");
    let of_later = format!("{a} and {b} in pit 6, {c} and {d} in pit 1");
    [
        Finding::new("thesis/odu", verdict([odu, odu_1], thesis), of_thesis)
            .with_note("the upper ends are one too low; the later paper has 12 to 17"),
        Finding::new("rbh/odu", verdict([odu, ikare], later), of_later)
            .with_note("the odu is true of pit 6; the ikare is one too low"),
    ]
}

fn odu_of_figure() -> Finding {
    let board = position("2-3-0-19-0-1-2-9-0-1-1-0-5-5-S");
    let strategies = strategies(&Ayo::default(), &board, pit(3));
    let verdict = Verdict::holds_if(strategies.contains(&"odu played"));
    let taken = captured(&board, 3);
    Finding::new("thesis/figure-3.4", verdict, format!("an odu; sown now it captures {taken}"))
}

/// The text only determines five pits of the board.
fn blocking() -> Finding {
    let board = position("2-2-2-4-4-4-4-4-4-5-0-1-6-6-S");
    let strategies = strategies(&Ayo::default(), &board, pit(0));
    let before = captured(&board.passed(), 3);
    let after = captured(&Ayo::default().play(&board, pit(0)), 3);
    let blocks = strategies.contains(&"blocking") && before > 0 && after == 0;
    let verdict = Verdict::holds_if(blocks);
    let ours = format!(
        "{before} seeds at stake before the move and {after} after it, on a board that fits"
    );
    Finding::new("thesis/figures-3.5-3.6", verdict, ours).with_note("the text fixes five pits")
}

fn wasted_odu() -> Finding {
    let last = usize::from(sown(pit(3), 17).last);
    let ours = format!("17 seeds from pit 4 end in pit {} of the other row", last + 1 - 6);
    Finding::new("thesis/figure-3.7", Verdict::holds_if(last == 6 + 3), ours)
}

fn largest_capture() -> Finding {
    // Five pits reach three seeds. With a sixth, the move would be a grand slam, which captures nothing.
    let board = position("0-0-0-0-0-17-9-1-1-1-1-1-9-8-S");
    let taken = captured(&board, 5);
    Finding::new(
        "thesis/kroo-15",
        Verdict::exact_if(taken == 15),
        format!("{taken}: five pits of three"),
    )
    .with_note("six pits would be a grand slam, which captures nothing; 18 under `wipe-out`")
}

/// Tests equations 2 and 3 of chapter 4: how many seeds it takes to reach a pit in the other row after θ more laps.
fn sowing_distance(claim: &str) -> Finding {
    let pits = PITS as u8;
    let (mut equal, mut of) = (0, 0);
    for (i, j, laps) in (0..pits)
        .flat_map(|i| (pits..2 * pits).flat_map(move |j| (0..3).map(move |laps| (i, j, laps))))
    {
        let (n, k) = (2 * pits + 2, 2);
        let lap = (n - k - 1) * laps;
        // From pit i of the player to pit j of the opponent, and back to pit i. Pits count from the mover's first pit.
        let to_opponent = (i, j - i + lap, j);
        let to_player = (j - pits, i + n - k - j + lap, i + pits);
        for (from, seeds, last) in [to_opponent, to_player] {
            equal += usize::from(sown(pit(from.into()), seeds).last == last);
            of += 1;
        }
    }
    Finding::new(claim, Verdict::holds_if(equal == of), format!("{equal} of {of} distances"))
        .with_note("up to two laps; the first odu goes exactly n − k places; the text says more")
}

fn endings() -> Finding {
    // The number of seeds on the board at which a game ends, according to 3.2, 3.2.7 and rule 6.
    let [first, others @ ..] = [5, 4, 3];
    Finding::new(
        "thesis/endings",
        Verdict::misprint_if(others.iter().any(|it| *it != first)),
        "a game ends when a position repeats",
    )
    .with_note("they contradict each other; `ayo play` has `resign`")
}
