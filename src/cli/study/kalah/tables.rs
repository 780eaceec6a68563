//! The study in the terminal.

use std::io::{self, Write};

use super::Results;
use crate::eval::kansas::{Heuristic, Heuristics};
use crate::study::kansas::{
    AgainstRandom, Estimate, PrintedRandom, Standing, printed_look_ahead, printed_random,
    printed_round_robin, rank_correlation,
};

/// How many are shown of a long table's ends.
const SHOWN: usize = 5;

/// 95 % of a normal distribution lie within so many standard errors.
const TWO_SIDED_95: f64 = 1.96;

/// The rows of the round robin and of the look-ahead table that come out as printed.
pub(super) fn as_printed(results: &Results) -> [usize; 2] {
    let round_robin = results.standings.iter().zip(printed_round_robin());
    let look_ahead = results.look_ahead.iter().zip(printed_look_ahead());
    [
        // Printed to four digits.
        round_robin.filter(|(ours, (_, win))| (ours.averages().win - win).abs() < 0.51e-4).count(),
        look_ahead.filter(|(ours, printed)| ours.wins == printed.wins).count(),
    ]
}

/// How far the order of the combinations against the random player is the printed one.
pub(super) fn correlations(results: &Results) -> Vec<(&'static str, Option<f64>)> {
    let printed = printed_random();
    let pairs = || results.fared.iter().zip(&printed);
    let win = pairs().filter_map(|(ours, it)| Some((ours.win().value, it.wins[0]?))).collect();
    let mut pairs_of = vec![("win share", win)];
    for (at, name) in
        ["stones a move", "captures a move", "go-agains a move"].into_iter().enumerate()
    {
        let both = |(ours, it): (&AgainstRandom, &PrintedRandom)| {
            (ours.per_move()[at].value, it.per_move[at])
        };
        pairs_of.push((name, pairs().map(both).collect::<Vec<_>>()));
    }
    pairs_of.into_iter().map(|(name, pairs)| (name, rank_correlation(&pairs))).collect()
}

pub(super) fn print(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let [round_robin, look_ahead] = as_printed(results);
    let (all, rows) = (results.standings.len(), results.look_ahead.len());
    writeln!(out, "round robin: {round_robin} of {all} rows as printed")?;
    print_standings(&results.standings, out)?;
    writeln!(out, "\nlook-ahead table: {look_ahead} of {rows} rows as printed")?;
    print_random(&results.fared, out)?;
    writeln!(out, "\nrank correlation with the printed figures")?;
    for (name, correlation) in correlations(results) {
        let text = correlation.map_or("none".into(), |it| format!("{it:.3}"));
        writeln!(out, "  {name:<17}{text:>7}")?;
    }
    Ok(())
}

fn print_standings(standings: &[Standing], out: &mut dyn Write) -> io::Result<()> {
    let mut order: Vec<&Standing> = standings.iter().collect();
    order.sort_by(|a, b| b.averages().win.total_cmp(&a.averages().win));
    writeln!(
        out,
        "  {:<20}{:>7}{:>7}{:>8}{:>8}{:>9}",
        "best", "win", "first", "second", "stones", "margin"
    )?;
    for standing in order.iter().take(SHOWN) {
        let (names, it) = (standing.heuristics.names(), standing.averages());
        writeln!(
            out,
            "  {names:<20}{:>7.4}{:>7.3}{:>8.3}{:>8.2}{:>+9.2}",
            it.win, it.win_first, it.win_second, it.stones, it.margin
        )?;
    }
    Ok(())
}

fn print_random(fared: &[AgainstRandom], out: &mut dyn Write) -> io::Result<()> {
    let printed = printed_random();
    let rows: Vec<(&AgainstRandom, &PrintedRandom)> = fared.iter().zip(&printed).collect();
    let mut single = vec![Heuristics::NONE];
    single.extend(Heuristic::ALL.map(Heuristics::only));
    let games = fared.first().map_or(0, AgainstRandom::games);
    writeln!(
        out,
        "\nagainst the random player, {games} games each, ± 95 % interval; printed in brackets"
    )?;
    writeln!(out, "  {:<20}{:>24}{:>24}{:>24}", "", "win", "stones a move", "captures a move")?;
    for (ours, printed) in rows.iter().filter(|(ours, _)| single.contains(&ours.heuristics)) {
        print_row(ours, printed, out)?;
    }
    let mut order = rows;
    order.sort_by(|(a, _), (b, _)| b.averages().stones.total_cmp(&a.averages().stones));
    for (title, part) in
        [("most stones", &order[..SHOWN]), ("fewest", &order[order.len() - SHOWN..])]
    {
        writeln!(out, "  {title}")?;
        for (ours, printed) in part {
            print_row(ours, printed, out)?;
        }
    }
    Ok(())
}

fn print_row(ours: &AgainstRandom, printed: &PrintedRandom, out: &mut dyn Write) -> io::Result<()> {
    let [stones, captures, _] = ours.per_move();
    let figures = [
        figure(ours.win(), printed.wins[0]),
        figure(stones, Some(printed.per_move[0])),
        figure(captures, Some(printed.per_move[1])),
    ];
    write!(out, "  {:<20}", ours.heuristics.names())?;
    for figure in figures {
        write!(out, "{figure:>24}")?;
    }
    writeln!(out)
}

fn figure(ours: Estimate, printed: Option<f64>) -> String {
    let printed = printed.map_or("–".into(), |printed| format!("{printed:.3}"));
    format!("{:.3} ± {:.3} ({printed})", ours.value, TWO_SIDED_95 * ours.error)
}
