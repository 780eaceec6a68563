//! The results as CSV, beside the printed figures.

use std::fmt::Write;

use super::against_random::AgainstRandom;
use super::lookahead::LookAhead;
use super::printed::{printed_look_ahead, printed_random, printed_round_robin};
use super::round_robin::{Averages, Standing};

/// Columns of [`Averages`].
const AVERAGES: &str =
    "win,win_first,win_second,tie,stones,margin,win_margin,loss_margin,captures,go_agains,moves";

/// A row for each combination of the round robin; `printed_win` is the report's figure.
pub fn round_robin_csv(standings: &[Standing]) -> String {
    let mut text = format!("heuristics,games,{AVERAGES},printed_win\n");
    for (standing, (_, printed)) in standings.iter().zip(printed_round_robin()) {
        let (heuristics, games) = (standing.heuristics, standing.games());
        let averages = averages(standing.averages());
        let _ = writeln!(text, "{heuristics},{games},{averages},{printed}");
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

/// A row for each combination against the random player. An `_error` is a standard error; a `printed_`
/// figure that the report does not give is empty.
pub fn random_csv(fared: &[AgainstRandom]) -> String {
    const RATIOS: [&str; 3] = ["stones_per_move", "captures_per_move", "go_agains_per_move"];
    let mut text = format!("heuristics,games,{AVERAGES},win_error,printed_win");
    for name in RATIOS {
        let _ = write!(text, ",{name},{name}_error,printed_{name}");
    }
    text.push('\n');
    for (row, printed) in fared.iter().zip(printed_random()) {
        let (heuristics, games) = (row.heuristics, row.games());
        let _ = write!(text, "{heuristics},{games},{}", averages(row.averages()));
        let printed_win = printed.wins[0].map(|win| win.to_string()).unwrap_or_default();
        let _ = write!(text, ",{:.6},{printed_win}", row.win().error);
        for (ours, printed) in row.per_move().iter().zip(printed.per_move) {
            let _ = write!(text, ",{:.6},{:.6},{printed}", ours.value, ours.error);
        }
        text.push('\n');
    }
    text
}

fn averages(it: Averages) -> String {
    let figures = [
        it.win,
        it.win_first,
        it.win_second,
        it.tie,
        it.stones,
        it.margin,
        it.win_margin,
        it.loss_margin,
        it.captures,
        it.go_agains,
        it.moves,
    ];
    figures.map(|figure| format!("{figure:.6}")).join(",")
}
