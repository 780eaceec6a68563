//! Counts positions with the formula of Donkers, Uiterwijk and de Voogt that the thesis quotes (section 4.2).

use std::io::Write;

use anyhow::anyhow;
use arena::player::gains;
use clap::Args;
use mancala::eval::Score;
use mancala::game::ayo::{Ayo, PITS, SEEDS};
use mancala::game::{Pit, Side};
use mancala::progress::Progress;
use serde_json::{Value, json};

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::terminal::grouped;

/// The printed number of positions of Ayo.
const PRINTED: f64 = 1.313_244e14;

/// The printed size of an endgame database, and its share of all positions.
const QUOTED: (f64, f64) = (52e9, 0.045);

/// The number of reachable positions, according to the solution by Romein and Bal (2002).
const SOLVED: f64 = 889_063_398_406.0;

/// Returns the number of ways to distribute seeds over places, C(places + seeds − 1, seeds). Returns `None` if there
/// are no places or if the number doesn't fit into 128 bits.
fn ways(places: u32, seeds: u32) -> Option<u128> {
    let others = u128::from(places.checked_sub(1)?);
    // Every intermediate value is the number of ways for fewer seeds, so the division is exact.
    (1..=u128::from(seeds)).try_fold(1u128, |ways, n| ways.checked_mul(others + n).map(|it| it / n))
}

/// Returns the number of positions according to equation 1, in which both pits and stores count as places.
fn positions(players: u32, places: u32, seeds: u32) -> Option<u128> {
    ways(places, seeds)?.checked_mul(players.into())
}

/// Returns the number of Ayo boards with at most this many seeds in the pits, ignoring the side to move.
fn boards_up_to(seeds: u32) -> u128 {
    // An extra place holds the seeds that are off the board.
    ways(2 * PITS as u32 + 1, seeds).expect("41 bits")
}

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    let ours = positions(2, 2 * PITS as u32 + 2, SEEDS.into()).expect("44 bits") as f64;
    let scientific = format!("{ours:.6e}").replace("e13", " × 10¹³");
    let tenfold = (PRINTED / ours - 10.0).abs() < 1e-4;
    let verdict = if tenfold { Verdict::Misprint } else { Verdict::Differs };
    let of_thesis = Finding::new("thesis/equation-4.1", verdict, scientific.clone()).with_note(
        "2·C(61, 48), printed ten times too large; 8.9 × 10¹¹ positions are reachable (Romein and Bal)",
    );
    let is_count = (0..=12).all(|seeds| positions(2, 4, seeds) == Some(2 * boards(4, seeds)));
    let of_paper = Finding::new("rbh/equation-1", Verdict::holds_if(is_count), scientific)
        .with_note("for the board of ayo; on four places, equals a count of all boards");
    let tree = worked_tree();
    let of_tree = |claim: &str| {
        Finding::new(claim, Verdict::Lost, tree.clone()).with_note("our values at four plies")
    };
    Ok(Some(vec![
        of_thesis,
        of_paper,
        of_tree("thesis/figure-4.2"),
        of_tree("rbh/figures-2-3"),
        state_space(),
        all_seeds_on_the_board(),
    ]))
}

/// Counts boards recursively, so that we can test the formula for a few places.
fn boards(places: u32, seeds: u32) -> u128 {
    match places {
        1 => 1,
        _ => (0..=seeds).map(|first| boards(places - 1, seeds - first)).sum(),
    }
}

/// The state-space complexity of Ayo that section 2.2.1.3 quotes from Donkers et al. (2003).
const COMPLEXITY: f64 = 2.8e11;

fn all_seeds_on_the_board() -> Finding {
    let boards = ways(2 * PITS as u32, SEEDS.into()).expect("38 bits") as f64;
    let is_equal = (boards / COMPLEXITY - 1.0).abs() < 0.05 / 2.8;
    let ours = format!("{:.4} × 10¹¹ boards have all 48 seeds in the pits", boards / 1e11);
    // Section 3.1 gives the number of reachable positions. If that is different, the thesis contradicts itself.
    let contradicts = (SOLVED / COMPLEXITY - 1.0).abs() > 0.05;
    let verdict = if contradicts { Verdict::Misprint } else { Verdict::exact_if(is_equal) };
    Finding::new("thesis/complexity", verdict, ours)
        .with_note("C(59, 48), without those after a capture; section 3.1 has 8.9 × 10¹¹")
}

fn state_space() -> Finding {
    let (all, most) = (boards_up_to(SEEDS.into()) as f64, 35);
    let table = boards_up_to(most) as f64;
    let share = |of: f64| 100.0 * table / of;
    let ours = format!(
        "{:.1} billion boards have at most {most} seeds: {:.1} % of the {:.2} × 10¹² boards, {:.1} % of the {:.2} × \
         10¹¹ reachable ones",
        table / 1e9,
        share(all),
        all / 1e12,
        share(SOLVED),
        SOLVED / 1e11
    );
    let (positions, quoted) = QUOTED;
    debug_assert!((table / positions - 1.0).abs() < 0.01);
    let fits = [all, SOLVED].iter().any(|of| (table / of - quoted).abs() < 0.0005);
    Finding::new("daoud/state-space", Verdict::exact_if(fits), ours)
        .with_note("52 billion is the table of 35 seeds; it is 4.5 % of neither total")
}

/// The board in figure 4.2. We put 17 seeds into each store, so that neither side has won yet.
const FIGURE: &str = "0-4-2-1-3-1-1-1-0-1-0-0-17-17-S";

/// Returns the value of each move in the figure at a depth of four plies.
fn worked_tree() -> String {
    let position = FIGURE.parse().expect("a position");
    let gains = gains(&Ayo::default(), &position, 4, &()).expect("nothing stops the search");
    let gain = |(pit, Score(gain)): (Pit, _)| format!("{} {gain:+}", pit.letter(Side::South));
    gains.moves.into_iter().map(gain).collect::<Vec<_>>().join(", ").replace("+0", "0")
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Number of pits on both sides together
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=200))]
    pits: u32,
    /// Number of seeds
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(0..=400))]
    seeds: u32,
    /// Number of stores
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=20))]
    stores: u32,
    /// Number of players that may be to move
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    players: u32,
    /// List the number of boards for each number of seeds in the pits
    #[arg(long)]
    by_seeds: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
P = k·C(n + m − 1, m), with k players, m seeds and n pits and stores together: equation 1 in chapter 4 of \
Akinyemi's thesis (2012) and in the papers that quote it. It includes positions that cannot be \
reached in play. --by-seeds also counts the boards with fewer seeds in the pits.";

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let &Arguments { pits, seeds, stores, players, by_seeds, json, .. } = arguments;
    let too_many = || {
        anyhow!("{seeds} seeds in {} places: the number needs more than 128 bits", pits + stores)
    };
    let all = positions(players, pits + stores, seeds).ok_or_else(too_many)?;
    let of_seeds = |seeds| ways(pits, seeds).ok_or_else(too_many);
    let rows: Vec<(u32, u128)> = match by_seeds {
        true => (0..=seeds).map(|n| Ok((n, of_seeds(n)?))).collect::<anyhow::Result<_>>()?,
        false => Vec::new(),
    };
    let is_ayo = [pits, seeds, stores, players] == [12, 48, 2, 2];
    if json {
        let row = |(n, ways): &(u32, u128)| json!({ "seeds": n, "boards": ways.to_string() });
        let rows: Vec<Value> = rows.iter().map(row).collect();
        let printed = is_ayo.then_some(PRINTED);
        // Use strings, because large JSON numbers may lose digits.
        let output = json!({ "kind": "count", "positions": all.to_string(), "printed": printed, "boards": rows });
        writeln!(out, "{output}")?;
        return Ok(());
    }
    writeln!(out, "positions {}", grouped(all))?;
    if is_ayo {
        writeln!(out, "printed   {PRINTED:.6e}, the same digits ten times as large")?;
        writeln!(
            out,
            "boards    {}, at most 48 seeds in the pits, without the stores",
            grouped(boards_up_to(48))
        )?;
        writeln!(
            out,
            "          {} of them with at most 35, whose table is published",
            grouped(boards_up_to(35))
        )?;
    }
    for (n, ways) in rows {
        writeln!(out, "{n:>9} {:>24}", grouped(ways))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_those_of_the_endgame_tables() {
        for seeds in 0..=48 {
            let ways = ways(12, seeds.into()).unwrap();
            assert_eq!(ways, mancala::endgame::positions(seeds).into());
        }
        let sum: u128 = (0..=35).map(|seeds| ways(12, seeds).unwrap()).sum();
        assert_eq!(sum, boards_up_to(35));
        assert_eq!((ways(0, 3), ways(1, 9), ways(5, 0)), (None, Some(1), Some(1)));
        assert_eq!(ways(14, 48), Some(6_566_222_272_575));
        assert_eq!(ways(200, 400), None);
    }
}
