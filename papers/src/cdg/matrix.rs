//! Payoff matrices from the thesis (section 3.4, theorem 1), and the matrix of blocks (theorem 2).

use std::io::Write;

use anyhow::anyhow;
use clap::Args;
use mancala::game::ayo::{Ayo, PITS, Position, Rules};
use mancala::game::{Game, Pit};
use mancala::progress::Progress;
use serde_json::{Value, json};

use super::Span;
use super::theory::{Situation, fillings};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::terminal::usage;

/// How to treat a pit that cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Playing the pit passes the turn, and a capture may take the whole row, as in figure 3.11.
    Passing,
    /// The pit cannot be chosen, and the golden rule applies.
    Legal,
}

/// The payoffs a_ij = x_i − y_ij: the number of seeds that the side to move captures by playing pit i, minus the number
/// that the opponent captures by replying with pit j.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MoveValues {
    /// One row per pit of the side to move and one column per pit of its opponent, both in sowing order. A cell is
    /// `None` if a move is illegal and does not count as a pass.
    cells: [[Option<i32>; PITS]; PITS],
}

impl MoveValues {
    fn of(position: &Position, reading: Reading) -> MoveValues {
        let rules = match reading {
            Reading::Passing => Rules::WIPE_OUT,
            Reading::Legal => Rules::AYO,
        };
        let game = Ayo { rules };
        let row = |from: usize| {
            let first = play(&game, position, from, reading);
            std::array::from_fn(|to| {
                let (gain, after) = first?;
                let (loss, _) = play(&game, &after, to, reading)?;
                Some(gain - loss)
            })
        };
        MoveValues { cells: std::array::from_fn(row) }
    }

    /// Returns the largest row minimum, or 0 if there are no rows.
    fn maximin(&self) -> i32 {
        let least = |row: &[Option<i32>; PITS]| row.iter().flatten().min().copied();
        self.cells.iter().filter_map(least).max().unwrap_or(0)
    }

    /// Returns the smallest column maximum, or 0 if there are no columns. The column of a reply doesn't include moves
    /// after which this reply is impossible, because the opponent replies after the move.
    fn minimax(&self) -> i32 {
        let most = |to: usize| self.cells.iter().filter_map(|row| row[to]).max();
        (0..PITS).filter_map(most).min().unwrap_or(0)
    }

    /// Returns whether the matrix has a saddle point.
    fn saddle(&self) -> bool {
        self.maximin() == self.minimax()
    }
}

/// Returns the seeds captured by a move, and the position after it. A pass captures nothing.
fn play(game: &Ayo, position: &Position, pit: usize, reading: Reading) -> Option<(i32, Position)> {
    let (mover, pit) = (position.to_move(), Pit::new(pit as u8)?);
    if game.moves(position).contains(pit) {
        let after = game.play(position, pit);
        return Some((i32::from(after.store(mover) - position.store(mover)), after));
    }
    (reading == Reading::Passing).then(|| (0, position.passed()))
}

/// A block in algorithm I.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    /// The farthest pit of the block, counted from 1.
    pit: u32,
    /// k_j, the number of times that the pit is filled.
    times: u32,
    /// The entries for pits 1 to `pit`, before they are multiplied by k_j.
    entries: Vec<i64>,
}

/// The matrix of theorem 2 for one board size.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Blocks {
    /// The number of pits per side.
    pits: u32,
    /// One row per block, starting with the farthest.
    rows: Vec<Block>,
}

impl Blocks {
    fn of(pits: u32) -> Blocks {
        let block = |(j, times, _)| Block {
            pit: j as u32,
            times: times as u32,
            // Pit j has j + 1 seeds, and each nearer pit has two fewer than the one before. Entries are negative where
            // the farther pits contribute too many seeds.
            entries: (1..=j).map(|pit: i64| j + 1 - 2 * (j - pit)).collect(),
        };
        Blocks { pits, rows: fillings(pits).filter(|it| it.1 > 0).map(block).collect() }
    }

    /// Returns the column sums, starting with x₁. They form the largest vector.
    fn sums(&self) -> Vec<i64> {
        let mut sums = vec![0; self.pits as usize];
        for block in &self.rows {
            for (sum, entry) in sums.iter_mut().zip(&block.entries) {
                *sum += entry * i64::from(block.times);
            }
        }
        sums
    }
}

/// The matrix of figure 3.11. Its board is row 15 of table 3.5.
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

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    Ok(Some(vec![figure_3_8(), theorem_1(), theorem_1_for_all_rows(), theorem_2()]))
}

/// The number of the game in table 3.1 that theorem 1 names as the board of figure 3.8. Note that table 3.1 begins with
/// row 3 of table 3.5.
const NAMED_GAME: u32 = 7;

fn figure_3_8() -> Finding {
    let printed = FIGURE_3_11.map(|row| row.map(Some));
    let fits = (1..=21).find(|&row| payoffs(row, Reading::Passing).cells == printed);
    let fits = fits.expect("row 15") - 2;
    let ours = format!("the matrix of figure 3.11 belongs to game {fits} of table 3.1");
    Finding::new("thesis/figure-3.8", Verdict::misprint_if(fits != NAMED_GAME), ours).with_note(
        "the board is lost; section 3.5 plays pit 6 first, which fits games 1, 7, 13 and 19",
    )
}

fn payoffs(row: u32, reading: Reading) -> MoveValues {
    let situation = Situation::of_row(row, 6).expect("a row of table 3.5");
    MoveValues::of(&situation.position().expect("six pits"), reading)
}

fn theorem_1() -> Finding {
    let ours = payoffs(15, Reading::Passing);
    let same = ours.cells == FIGURE_3_11.map(|row| row.map(Some));
    let (low, high) = (ours.maximin(), ours.minimax());
    let said = format!("the same 36 payoffs; maximin {low}, minimax {high}");
    Finding::new("thesis/theorem-1", Verdict::exact_if(same && low < high), said).with_note(
        "row 15 of table 3.5; the figure counts empty pits as passes and ignores the golden rule",
    )
}

fn theorem_1_for_all_rows() -> Finding {
    let saddles = |reading| (1..=21).filter(|&row| payoffs(row, reading).saddle()).count();
    let (passing, legal) = (saddles(Reading::Passing), saddles(Reading::Legal));
    let ours =
        format!("{passing} of 21 have one if an empty pit is a pass, {legal} if it is no move");
    Finding::new("thesis/theorem-1-all", Verdict::exact_if(passing == 0), ours).with_note(
        "where Y is to move it has one legal move, and a one-row matrix has a saddle point",
    )
}

fn theorem_2() -> Finding {
    let blocks = Blocks::of(16);
    let rows = blocks.rows.len();
    let same = rows == 7 && blocks.sums() == FIGURE_3_12;
    let ours = format!("{rows} × {}, the same columns", blocks.pits);
    Finding::new("thesis/theorem-2", Verdict::exact_if(same), ours)
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Rows of table 3.5, 15 or 1..21
    #[arg(value_name = "N..M", required_unless_present = "position", value_parser = Span::up_to::<21>)]
    rows: Option<Span>,
    /// Position: pits A-F and a-f, South's store, North's store, side to move, joined by -
    #[arg(long, value_name = "P", conflicts_with = "rows")]
    position: Option<Position>,
    /// Leave out illegal moves and apply the golden rule. By default, empty pits pass the turn and a capture may take
    /// the whole row, as in figure 3.11
    #[arg(long)]
    legal: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The payoff of a move and a reply is the captures of the side to move, less those of its opponent's reply \
(thesis, 3.4). Figure 3.11 is row 15. Theorem 1 says that such a matrix has no saddle point: a payoff that is the \
minimum of its row and the maximum of its column.";

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let reading = if arguments.legal { Reading::Legal } else { Reading::Passing };
    let mut matrices = Vec::new();
    for position in positions(arguments)? {
        let payoffs = MoveValues::of(&position, reading);
        if !arguments.json {
            print(&position, &payoffs, out)?;
        }
        matrices.push(json!({
            "position": position.to_string(),
            "payoffs": payoffs.cells,
            "maximin": payoffs.maximin(),
            "minimax": payoffs.minimax(),
            "saddle": payoffs.saddle(),
        }));
    }
    if arguments.json {
        writeln!(out, "{}", json!({ "kind": "cdg-matrix", "matrices": matrices }))?;
    }
    Ok(())
}

fn positions(arguments: &Arguments) -> anyhow::Result<Vec<Position>> {
    if let Some(position) = arguments.position {
        return Ok(vec![position]);
    }
    let rows = arguments.rows.iter().flat_map(|span| span.numbers());
    let of_row = |row| {
        let position = Situation::of_row(row, 6).map_err(usage)?.position();
        position.ok_or_else(|| anyhow!("row {row} has no position"))
    };
    rows.map(of_row).collect()
}

fn print(position: &Position, payoffs: &MoveValues, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{position}")?;
    for row in payoffs.cells {
        let cell = |cell: Option<i32>| cell.map_or("    ·".into(), |it| format!("{it:>5}"));
        writeln!(out, "{}", row.map(cell).join(""))?;
    }
    let (low, high) = (payoffs.maximin(), payoffs.minimax());
    let saddle = if payoffs.saddle() { "a saddle point" } else { "no saddle point" };
    writeln!(out, "maximin {low}, minimax {high}: {saddle}")?;
    Ok(())
}

#[derive(Debug, Args)]
pub struct BlocksArguments {
    /// Pits per side, 16 or 1..26, at most 200
    #[arg(value_name = "N..M", value_parser = Span::up_to::<200>)]
    pits: Span,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints matrices like the one in figure 3.12.
pub fn list_blocks(arguments: &BlocksArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let boards: Vec<Blocks> = arguments.pits.numbers().map(Blocks::of).collect();
    if arguments.json {
        let row = |it: &Block| json!({ "pit": it.pit, "times": it.times, "entries": it.entries });
        let of = |it: &Blocks| {
            let rows: Vec<Value> = it.rows.iter().map(row).collect();
            json!({ "n": it.pits, "rows": rows, "x": it.sums() })
        };
        let boards: Vec<Value> = boards.iter().map(of).collect();
        writeln!(out, "{}", json!({ "kind": "cdg-blocks", "boards": boards }))?;
        return Ok(());
    }
    for board in &boards {
        let (pits, blocks) = (board.pits, board.rows.len());
        writeln!(out, "n = {pits}: {blocks} blocks, entries of pit 1 first, times k")?;
        let line =
            |numbers: &[i64]| numbers.iter().map(|it| format!("{it:>5}")).collect::<String>();
        for block in &board.rows {
            writeln!(out, "k {:>3} {}", block.times, line(&block.entries))?;
        }
        writeln!(out, "x     {}", line(&board.sums()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::theory::{block_count, maximal};
    use super::*;

    #[test]
    fn only_row_15_has_the_matrix_of_figure_3_11() {
        let printed = FIGURE_3_11.map(|row| row.map(Some));
        let same = |row: &u32| payoffs(*row, Reading::Passing).cells == printed;
        assert_eq!((1..=21).filter(same).collect::<Vec<_>>(), [15]);
    }

    #[test]
    fn columns_add_up_to_the_largest_vector() {
        for pits in 1..=60 {
            let blocks = Blocks::of(pits);
            let expected: Vec<i64> = maximal(pits).into_iter().map(i64::from).collect();
            assert_eq!((blocks.sums(), blocks.rows.len() as u64), (expected, block_count(pits)));
        }
    }

    #[test]
    fn payoffs_are_captures_less_captures() {
        let position: Position = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S".parse().unwrap();
        let payoffs = MoveValues::of(&position, Reading::Legal);
        assert_eq!(payoffs.cells[0], [None; PITS], "A is empty");
        let game = Ayo::default();
        for pit in game.moves(&position) {
            let gain = i32::from(game.play(&position, pit).store(position.to_move())) - 17;
            let row = payoffs.cells[pit.index()];
            assert!(row.iter().flatten().all(|&cell| cell <= gain), "{pit:?}");
            let some_reply_captures_nothing = row.iter().flatten().any(|&cell| cell == gain);
            assert!(some_reply_captures_nothing, "{pit:?}");
        }
    }
}
