use std::io::Write;

use anyhow::anyhow;
use clap::Args;
use serde_json::{Value, json};

use super::meter::grouped;
use crate::study::count::{PRINTED, boards_up_to, positions, ways};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Pits of the board, both sides together
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=200))]
    pits: u32,
    /// Seeds
    #[arg(long, value_name = "N", default_value_t = 48, value_parser = clap::value_parser!(u32).range(0..=400))]
    seeds: u32,
    /// Stores
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=20))]
    stores: u32,
    /// Players that may be to move
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
    players: u32,
    /// List the boards with each number of seeds in the pits
    #[arg(long)]
    by_seeds: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
P = k·C(n + m − 1, m), with k players, m seeds and n pits and stores together: equation 1 in chapter 4 of \
Akinyemi's thesis (2012) and in the papers that quote it. It counts every way to lay the seeds, those that play \
cannot reach too. Without --by-seeds boards are counted for the seeds of the game alone.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let &Arguments { pits, seeds, stores, players, by_seeds, json, .. } = arguments;
    let too_many =
        || anyhow!("{seeds} seeds in {} places: more than 128 bits can count", pits + stores);
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
        // Text, since a number of JSON may lose digits.
        let found = json!({ "kind": "count", "positions": all.to_string(), "printed": printed, "boards": rows });
        writeln!(out, "{found}")?;
        return Ok(());
    }
    writeln!(out, "positions {}", thousands(all))?;
    if is_ayo {
        writeln!(out, "printed   {PRINTED:.6e}, the same digits ten times as large")?;
        writeln!(
            out,
            "boards    {}, at most 48 seeds in the pits, without the stores",
            thousands(boards_up_to(48))
        )?;
        writeln!(
            out,
            "          {} of them with at most 35, whose table is published",
            thousands(boards_up_to(35))
        )?;
    }
    for (n, ways) in rows {
        writeln!(out, "{n:>9} {:>24}", thousands(ways))?;
    }
    Ok(())
}

/// `12,345`, of numbers beyond 64 bits too.
fn thousands(number: u128) -> String {
    const UNIT: u128 = 1_000_000_000_000_000_000;
    match u64::try_from(number) {
        Ok(small) => grouped(small),
        Err(_) => {
            let low = grouped((number % UNIT) as u64 + UNIT as u64);
            format!("{},{}", thousands(number / UNIT), &low[2..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_64_bits_have_their_commas() {
        assert_eq!(thousands(u128::from(u64::MAX) + 1), "18,446,744,073,709,551,616");
        assert_eq!(
            thousands(10_u128.pow(36) + 7),
            "1,000,000,000,000,000,000,000,000,000,000,000,007"
        );
    }
}
