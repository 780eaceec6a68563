//! The results as CSV, beside the printed figures.

use std::fmt::Write;

use super::against_random::AgainstRandom;
use super::figure::Figure;
use super::lookahead::LookAhead;
use super::printed::{printed_averages, printed_look_ahead, printed_random, printed_round_robin};
use super::round_robin::{Averages, RoundRobin};
use super::statistics::{Estimate, Measure};

/// A column of the round robin: its name, ours, and its place among the means that some rows print.
type Column = (&'static str, fn(&Averages) -> f64, Option<usize>);

/// Those after the share of games won, which all rows print.
const AVERAGES: [Column; 10] = [
    ("win_first", |it| it.win_first, None),
    ("win_second", |it| it.win_second, Some(0)),
    ("tie", |it| it.tie, None),
    ("stones", |it| it.stones, Some(1)),
    ("margin", |it| it.margin, Some(2)),
    ("win_margin", |it| it.win_margin, Some(3)),
    ("loss_margin", |it| it.loss_margin, Some(4)),
    ("captures", |it| it.captures, Some(5)),
    ("go_agains", |it| it.go_agains, Some(6)),
    ("moves", |it| it.moves, Some(7)),
];

/// A row for each combination of the round robin. What the report gives for no combination has no
/// `printed_` column; what it does not give for this one is empty.
pub fn round_robin_csv(rows: &[RoundRobin]) -> String {
    let (wins, known) = (printed_round_robin(), printed_averages());
    let mut text = "heuristics,games,win,printed_win".to_owned();
    for (name, _, place) in AVERAGES {
        let _ = write!(text, ",{name}");
        if place.is_some() {
            let _ = write!(text, ",printed_{name}");
        }
    }
    text.push('\n');
    for row in rows {
        let (heuristics, games, ours) = (row.heuristics, row.games(), row.averages());
        let win = wins.iter().find(|row| row.0 == heuristics).map(|row| row.1);
        let printed = known.iter().find(|row| row.heuristics == heuristics);
        let _ = write!(text, "{heuristics},{games},{:.6},{}", ours.win, or_empty(win));
        for (_, mean, place) in AVERAGES {
            let _ = write!(text, ",{:.6}", mean(&ours));
            if let Some(place) = place {
                let _ = write!(text, ",{}", or_empty(printed.map(|row| row.figures[place])));
            }
        }
        text.push('\n');
    }
    text
}

/// A row for each row of the look-ahead table.
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

/// A row for each combination against the random player. A share has its 95 % interval, `_low` and `_high`;
/// any other figure its standard error, `_error`. What the report gives for no combination has no
/// `printed_` column; what it does not give for this one is empty.
pub fn random_csv(fared: &[AgainstRandom]) -> String {
    let mut text = "heuristics,games".to_owned();
    let Some(first) = fared.first() else { return text };
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
    for (row, printed) in fared.iter().zip(printed_random()) {
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
