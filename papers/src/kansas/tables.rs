//! Formats the results as CSV files and as text, next to the printed figures.

use std::fmt::Write as _;
use std::io::{self, Write};

use mancala::eval::kansas::Heuristics;

use super::Results;
use super::against_random::{AgainstRandom, Figure};
use super::findings::{Agreement, LookAhead, agreement};
use super::printed::{
    PRINTED_AVERAGES, PrintedLookAhead, PrintedRandom, printed_averages, printed_look_ahead,
    printed_random, printed_round_robin,
};
use super::round_robin::RoundRobin;
use super::statistics::{Estimate, Measure};

/// Returns the columns of the round robin that follow the share of wins, with their indices in [`PRINTED_AVERAGES`].
fn averages() -> impl Iterator<Item = (Figure, Option<usize>)> {
    let place = |figure: Figure| PRINTED_AVERAGES.iter().position(|it| *it == figure);
    Figure::ALL[1..=10].iter().map(move |&figure| (figure, place(figure)))
}

/// Returns one row per combination in the round robin. If a figure is never printed, it has no `printed_` column. If it
/// isn't printed for a combination, the cell is empty.
pub fn round_robin_csv(rows: &[RoundRobin]) -> String {
    let (wins, known) = (printed_round_robin(), printed_averages());
    let mut text = "heuristics,games,win,printed_win".to_owned();
    for (figure, place) in averages() {
        let name = figure.name();
        let _ = write!(text, ",{name}");
        if place.is_some() {
            let _ = write!(text, ",printed_{name}");
        }
    }
    text.push('\n');
    for row in rows {
        let (heuristics, games, ours) = (row.heuristics, row.games(), row.measure(Figure::Win));
        let win = wins.iter().find(|row| row.0 == heuristics).map(|row| row.1);
        let printed = known.iter().find(|row| row.heuristics == heuristics);
        let _ = write!(text, "{heuristics},{games},{ours:.6},{}", or_empty(win));
        for (figure, place) in averages() {
            let _ = write!(text, ",{:.6}", row.measure(figure));
            if let Some(place) = place {
                let _ = write!(text, ",{}", or_empty(printed.map(|row| row.figures[place])));
            }
        }
        text.push('\n');
    }
    text
}

/// Returns the look-ahead table.
pub fn look_ahead_csv(rows: &[LookAhead]) -> String {
    let mut text =
        "heuristic,lookahead1,lookahead2,win1,win2,printed_win1,printed_win2\n".to_owned();
    for (row, printed) in rows.iter().zip(printed_look_ahead()) {
        let ([plies1, plies2], [win1, win2]) = (row.plies, row.wins);
        let (name, [printed1, printed2]) = (row.heuristics.names(), printed.wins);
        let _ = writeln!(text, "{name},{plies1},{plies2},{win1},{win2},{printed1},{printed2}");
    }
    text
}

/// Returns one row per combination against the random player. The 95 % interval of a share is in `_low` and `_high`,
/// and the standard error of a mean is in `_error`. Printed figures appear as in [`round_robin_csv`].
pub fn random_csv(results: &[AgainstRandom]) -> String {
    let mut text = "heuristics,games".to_owned();
    let Some(first) = results.first() else { return text };
    for figure in Figure::ALL {
        let name = figure.name();
        let _ = match first.measure(figure) {
            Measure::Share(_) => write!(text, ",{name},{name}_low,{name}_high"),
            Measure::Mean(_) => write!(text, ",{name},{name}_error"),
        };
        if figure.is_printed() {
            let _ = write!(text, ",printed_{name}");
        }
    }
    text.push('\n');
    for (row, printed) in results.iter().zip(printed_random()) {
        let _ = write!(text, "{},{}", row.heuristics, row.games());
        for figure in Figure::ALL {
            let ours = row.measure(figure);
            let (value, [low, high]) = (ours.value(), ours.interval());
            let _ = match ours {
                Measure::Share(_) => write!(text, ",{value:.6},{low:.6},{high:.6}"),
                Measure::Mean(Estimate { error, .. }) => write!(text, ",{value:.6},{error:.6}"),
            };
            if figure.is_printed() {
                let _ = write!(text, ",{}", or_empty(printed.figure(figure)));
            }
        }
        text.push('\n');
    }
    text
}

fn or_empty(printed: Option<f64>) -> String {
    printed.map(|figure| figure.to_string()).unwrap_or_default()
}

/// The number of rows shown from each end of a long table.
const PRINTED_ROWS: usize = 5;

/// The figures shown for each combination.
const FIGURES: [Figure; 3] = [Figure::Win, Figure::StonesPerMove, Figure::CapturesPerMove];

/// Returns how many rows of the round robin and of the look-ahead table match the printed ones.
pub fn as_printed(results: &Results) -> [usize; 2] {
    let round_robin = results.standings.iter().zip(printed_round_robin());
    let look_ahead = results.look_ahead.iter().zip(printed_look_ahead());
    [
        // The report prints shares with four digits.
        round_robin
            .filter(|(ours, (_, win))| (ours.measure(Figure::Win) - win).abs() < 0.51e-4)
            .count(),
        look_ahead.filter(|(ours, printed)| ours.wins == printed.wins).count(),
    ]
}

pub fn print(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let [round_robin, look_ahead] = as_printed(results);
    let (all, rows) = (results.standings.len(), results.look_ahead.len());
    writeln!(out, "round robin: {round_robin} of {all} rows as printed")?;
    writeln!(out, "\nlook-ahead table: {look_ahead} of {rows} rows as printed")?;
    print_look_ahead(&results.look_ahead, out)?;
    print_random(&results.against_random, out)?;
    print_agreement(&agreement(&results.against_random), out)
}

/// Prints one line per pair of search depths, with one column per heuristic.
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

fn print_random(results: &[AgainstRandom], out: &mut dyn Write) -> io::Result<()> {
    let printed = printed_random();
    let rows: Vec<(&AgainstRandom, &PrintedRandom)> = results.iter().zip(&printed).collect();
    let mut single = vec![Heuristics::NONE];
    single.extend(Heuristics::NUMBERS.map(Heuristics::only));
    let games = results.first().map_or(0, AgainstRandom::games);
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
        [("most stones", &order[..PRINTED_ROWS]), ("fewest", &order[order.len() - PRINTED_ROWS..])]
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
