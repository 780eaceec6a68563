//! The study in the terminal.

use std::io::{self, Write};

use crate::study::kansas::{
    AgainstRandom, Agreement, Figure, LookAhead, PrintedLookAhead, PrintedRandom, RoundRobin,
    agreement, printed_look_ahead, printed_random, printed_round_robin,
};
use mancala::eval::kansas::{Heuristic, Heuristics};

/// All that was played.
pub(super) struct Results {
    pub(super) standings: Vec<RoundRobin>,
    pub(super) look_ahead: Vec<LookAhead>,
    pub(super) fared: Vec<AgainstRandom>,
}

/// How many are shown of a long table's ends.
const SHOWN: usize = 5;

/// What is shown of each combination.
const FIGURES: [Figure; 3] = [Figure::Win, Figure::StonesPerMove, Figure::CapturesPerMove];

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

pub(super) fn print(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let [round_robin, look_ahead] = as_printed(results);
    let (all, rows) = (results.standings.len(), results.look_ahead.len());
    writeln!(out, "round robin: {round_robin} of {all} rows as printed")?;
    print_standings(&results.standings, out)?;
    writeln!(out, "\nlook-ahead table: {look_ahead} of {rows} rows as printed")?;
    print_look_ahead(&results.look_ahead, out)?;
    print_random(&results.fared, out)?;
    print_agreement(&agreement(&results.fared), out)
}

/// A line for each pair of look-aheads, a column for each heuristic.
fn print_look_ahead(rows: &[LookAhead], out: &mut dyn Write) -> io::Result<()> {
    let pairs: Vec<(&LookAhead, PrintedLookAhead)> =
        rows.iter().zip(printed_look_ahead()).collect();
    writeln!(out, "  share of games won by either look-ahead [printed]")?;
    for line in pairs.chunk_by(|(a, _), (b, _)| a.plies == b.plies) {
        let [one, other] = line[0].0.plies;
        write!(out, "  {one} v. {other:<4}")?;
        for (ours, printed) in line {
            let share = |[a, b]: [f64; 2]| format!("{a:.1} : {b:.1}");
            let (name, cell) = (ours.heuristics.names(), share(ours.wins));
            write!(out, "   {name} {cell} [{}]", share(printed.wins))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_agreement(found: &[Agreement], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "\nagreement with the printed figures: Spearman's rank correlation; rows printed within our 95 % \
         interval;\nand those that differ by more than 95 % of the differences between two samples do"
    )?;
    writeln!(out, "  {:<20}{:>5}{:>13}{:>8}  beyond", "", "rows", "correlation", "within")?;
    for it in found {
        let (name, rows, within) = (it.figure.name().replace('_', " "), it.rows, it.within);
        let correlation = it.correlation.map_or("none".into(), |it| format!("{it:.3}"));
        let beyond: Vec<String> =
            it.beyond.iter().map(|row| format!("({})", row.names())).collect();
        let list =
            if beyond.is_empty() { String::new() } else { format!(": {}", beyond.join(", ")) };
        let count = beyond.len();
        writeln!(out, "  {name:<20}{rows:>5}{correlation:>13}{within:>8}  {count}{list}")?;
    }
    Ok(())
}

fn print_standings(standings: &[RoundRobin], out: &mut dyn Write) -> io::Result<()> {
    let mut order: Vec<&RoundRobin> = standings.iter().collect();
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
        "\nagainst the random player, {games} games each: ours (its 95 % interval) [printed]"
    )?;
    write!(out, "  {:<18}", "")?;
    for figure in FIGURES {
        write!(out, "{:>29}", figure.name().replace('_', " "))?;
    }
    writeln!(out)?;
    for (ours, printed) in rows.iter().filter(|(ours, _)| single.contains(&ours.heuristics)) {
        print_row(ours, printed, out)?;
    }
    let mut order = rows;
    let stones = |row: &AgainstRandom| row.measure(Figure::Stones).value();
    order.sort_by(|(a, _), (b, _)| stones(b).total_cmp(&stones(a)));
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
    write!(out, "  {:<18}", ours.heuristics.names())?;
    for figure in FIGURES {
        let [low, high] = ours.measure(figure).interval();
        let printed =
            printed.figure(figure).map_or("–".into(), |printed| format!("{printed:.3}"));
        let value = ours.measure(figure).value();
        write!(out, "{:>29}", format!("{value:.3} ({low:.3}–{high:.3}) [{printed}]"))?;
    }
    writeln!(out)
}
