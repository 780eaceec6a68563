//! Section C of the report, in which every combination plays every other, both moving first and moving second.

use std::collections::{HashMap, HashSet};

use arena::ScheduledGame;
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;
use mancala::progress::Progress;

use super::LOOK_AHEAD;
use super::against_random::Figure;
use super::games::{Counts, play};
use super::printed::{
    PRINTED_AVERAGES, figure_10, printed_averages, printed_round_robin, repeated,
};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::partial::{PartialResults, StudyError};

/// The results of one combination.
#[derive(Debug, Clone, Copy)]
pub struct RoundRobin {
    pub heuristics: Heuristics,
    first: Counts,
    second: Counts,
}

impl RoundRobin {
    /// Returns the measured value of a figure.
    pub fn measure(&self, figure: Figure) -> f64 {
        let [first, second] = [self.first, self.second];
        let mut all = first;
        all += second;
        let ratio = |sum: u64, of: u64| sum as f64 / of as f64;
        let per_game = |sum: u64| ratio(sum, all.games);
        match figure {
            Figure::Win => per_game(all.wins),
            Figure::WinFirst => ratio(first.wins, first.games),
            Figure::WinSecond => ratio(second.wins, second.games),
            Figure::Tie => per_game(all.draws),
            Figure::Stones => per_game(all.stones),
            Figure::Margin => per_game(all.won_by) - per_game(all.lost_by),
            Figure::WinMargin => per_game(all.won_by),
            Figure::LossMargin => per_game(all.lost_by),
            Figure::Captures => per_game(all.captures),
            Figure::GoAgains => per_game(all.go_agains),
            Figure::Moves => per_game(all.moves),
            Figure::StonesPerMove => ratio(all.stones, all.moves),
            Figure::CapturesPerMove => ratio(all.captures, all.moves),
            Figure::GoAgainsPerMove => ratio(all.go_agains, all.moves),
        }
    }

    /// Returns the shares shown in figure 10: games won, won moving first, won moving second, drawn, and not lost.
    pub fn shares(&self) -> [f64; 5] {
        let [win, first, second, tie] =
            [Figure::Win, Figure::WinFirst, Figure::WinSecond, Figure::Tie]
                .map(|it| self.measure(it));
        [win, first, second, tie, win + tie]
    }

    pub fn games(&self) -> u64 {
        self.first.games + self.second.games
    }
}

/// Returns the number of games to play. Combinations that play in the same way count as one player.
pub fn round_robin_games() -> u64 {
    let players = distinct().len() as u64;
    players * players
}

/// Plays the round robin of the 63 combinations with the report's search depth and rules. Returns the results in the
/// report's order, or `None` if interrupted. Progress counts games; games that are already saved are skipped.
///
/// Combinations with equal utilities share their games, because players are deterministic.
pub fn round_robin(
    partial: &PartialResults,
    progress: &dyn Progress,
) -> Result<Option<Vec<RoundRobin>>, StudyError> {
    round_robin_of(Kalah::KANSAS, &combinations().collect::<Vec<_>>(), partial, progress)
}

/// Returns the results of some combinations, each of which plays against the other 62 combinations in games of `kalah`.
pub fn round_robin_of(
    kalah: Kalah,
    rows: &[Heuristics],
    partial: &PartialResults,
    progress: &dyn Progress,
) -> Result<Option<Vec<RoundRobin>>, StudyError> {
    let different = distinct();
    let like = |it: Heuristics| different.iter().position(|known| known.utility() == it.utility());
    let number = |it: Heuristics| like(it).expect("listed") as u32;
    let chosen: HashSet<u32> = rows.iter().copied().map(number).collect();
    let numbers = 0..different.len() as u32;
    let pairings = numbers.clone().flat_map(|one| numbers.clone().map(move |other| [one, other]));
    let pairings: Vec<[u32; 2]> =
        pairings.filter(|pairing| pairing.iter().any(|it| chosen.contains(it))).collect();
    let players: Vec<(Heuristics, u32)> = different.iter().map(|it| (*it, LOOK_AHEAD)).collect();
    let scheduled = |&[first, second]: &[u32; 2]| ScheduledGame { first, second, opening: 0 };
    let schedule: Vec<ScheduledGame> = pairings.iter().map(scheduled).collect();
    let Some(games) = play(kalah, &players, &schedule, partial, progress)? else { return Ok(None) };
    let games: HashMap<[u32; 2], [Counts; 2]> = pairings.into_iter().zip(games).collect();
    let row = |&heuristics: &Heuristics| {
        let mine = number(heuristics);
        let (mut first, mut second) = (Counts::default(), Counts::default());
        for theirs in combinations().filter(|it| *it != heuristics).map(number) {
            first += games[&[mine, theirs]][0];
            second += games[&[theirs, mine]][1];
        }
        RoundRobin { heuristics, first, second }
    };
    Ok(Some(rows.iter().map(row).collect()))
}

/// Returns the combinations with at least one heuristic.
pub fn combinations() -> impl Iterator<Item = Heuristics> {
    Heuristics::all().skip(1)
}

/// Returns one combination per distinct utility.
fn distinct() -> Vec<Heuristics> {
    let mut players: Vec<Heuristics> = Vec::new();
    for combination in combinations() {
        if players.iter().all(|known| known.utility() != combination.utility()) {
            players.push(combination);
        }
    }
    players
}

pub fn round_robin_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(rows) = round_robin(notebook.partial(), progress)? else { return Ok(None) };
    let table = Standings(&rows);
    let mut found = vec![table.figure_1(), table.figure_2(), table.repeated()];
    found.extend([table.h4(), table.h6(), table.h1(), table.figure_10(), table.winner()]);
    let sorted = table.figure_2();
    let chart = "a chart of figure 2; `ayo-papers kalah` draws ours";
    found.push(Finding { claim: "kansas/c-figure-11".into(), ..sorted.with_note(chart) });
    found.push(table.first_move());
    Ok(Some(found))
}

struct Standings<'a>(&'a [RoundRobin]);

/// Returns whether two shares agree to four digits.
fn equal(ours: f64, printed: f64) -> bool {
    (ours - printed).abs() < 0.51e-4
}

impl Standings<'_> {
    fn row(&self, heuristics: Heuristics) -> &RoundRobin {
        self.0.iter().find(|row| row.heuristics == heuristics).expect("one of 63")
    }

    /// Returns the share of games won by a combination, given as six digits.
    fn win(&self, digits: &str) -> f64 {
        self.row(digits.parse().expect("six digits")).measure(Figure::Win)
    }

    fn figure_1(&self) -> Finding {
        let (mut same, mut all) = (0, 0);
        for row in printed_averages() {
            let ours = PRINTED_AVERAGES.map(|figure| self.row(row.heuristics).measure(figure));
            all += ours.len();
            same += ours.iter().zip(row.figures).filter(|(a, b)| (*a - b).abs() < 1e-6).count();
        }
        Finding::new(
            "kansas/c-figure-1",
            Verdict::exact_if(same == all),
            format!("{same} of {all} cells to six digits"),
        )
        .with_note("the scan has eight complete columns; the shares won are in figure 2")
    }

    fn figure_2(&self) -> Finding {
        let printed = printed_round_robin();
        let same = printed
            .iter()
            .filter(|(row, win)| equal(self.row(*row).measure(Figure::Win), *win))
            .count();
        let ours = format!("{same} of {} rows to four digits", printed.len());
        Finding::new("kansas/c-figure-2", Verdict::exact_if(same == printed.len()), ours)
    }

    fn repeated(&self) -> Finding {
        let other: Vec<String> = repeated()
            .iter()
            .map(|(heuristics, printed)| {
                (heuristics, printed, self.row(*heuristics).measure(Figure::Win))
            })
            .filter(|(_, printed, ours)| !equal(*ours, **printed))
            .map(|(heuristics, printed, ours)| {
                format!("{printed} for {ours:.6} ({})", heuristics.names())
            })
            .collect();
        let verdict = if other.is_empty() { Verdict::Exact } else { Verdict::Misprint };
        let ours = format!("all but {} cells", other.len());
        Finding::new("kansas/c-figures-3-9", verdict, ours)
            .with_note(format!("printed {}; figure 2 has our values", other.join(", ")))
    }

    fn h4(&self) -> Finding {
        let rows = ["100000", "010000", "001000", "110000", "101000", "011000", "111000"];
        let worse = |row: &&str| self.win(&with(row, 3)) < self.win(row);
        let count = rows.iter().filter(|row| worse(row)).count();
        let ours = format!("{count} of {}", rows.len());
        Finding::new("kansas/c-h4", Verdict::holds_if(count == rows.len()), ours)
    }

    fn h6(&self) -> Finding {
        let rows = ["100000", "110000", "101000", "011000", "111000"];
        let better: Vec<&str> =
            rows.into_iter().filter(|row| self.win(&with(row, 5)) > self.win(row)).collect();
        let ours =
            better.join(", ").replace("110000", "(H1, H2)").replace("111000", "(H1, H2, H3)");
        Finding::new("kansas/c-h6", Verdict::holds_if(better == ["110000", "111000"]), ours)
    }

    fn h1(&self) -> Finding {
        let rows = ["100", "011"].into_iter();
        let cases = rows.flat_map(|row| (1..8).map(move |rest| (row, format!("{row}{rest:03b}"))));
        let cases: Vec<(&str, String)> = cases.collect();
        let worse = |(row, more): &&(&str, String)| self.win(more) < self.win(&format!("{row}000"));
        let count = cases.iter().filter(worse).count();
        let ours = format!("{count} of {} cases", cases.len());
        Finding::new("kansas/c-h1", Verdict::holds_if(count == cases.len()), ours)
            .with_note("true in all 14 cases; figure 6 lists ten")
    }

    fn figure_10(&self) -> Finding {
        let printed = figure_10();
        let same = |row: Heuristics, figures: [f64; 5]| {
            self.row(row).shares().iter().zip(figures).all(|(a, b)| (a - b).abs() < 0.51e-5)
        };
        let fits = printed.iter().filter(|(row, figures)| same(*row, *figures)).count();
        let h1 = Heuristics::only(1);
        let last = printed.last().expect("four rows");
        let other = Heuristics::all().find(|row| *row != h1 && row.names() == "H1 H2");
        let is_misprint = other.is_some_and(|row| same(row, last.1));
        let verdict = match (fits == printed.len(), is_misprint) {
            (true, _) => Verdict::Exact,
            (false, true) => Verdict::Misprint,
            (false, false) => Verdict::Differs,
        };
        Finding::new("kansas/c-figure-10", verdict, format!("{fits} of {} rows, five columns", printed.len()))
            .with_note("the last row is marked (H1, H2, H3) but has the figures of (H1, H2), which the text names")
    }

    fn winner(&self) -> Finding {
        let share = |row: &&RoundRobin| row.measure(Figure::Win);
        let best = self.0.iter().max_by(|a, b| share(a).total_cmp(&share(b))).expect("63 rows");
        let (names, other) = (best.heuristics.names(), self.win("111100"));
        let printed = printed_round_robin();
        let most = printed.iter().max_by(|a, b| a.1.total_cmp(&b.1)).expect("63 rows");
        let ours = format!("({names}) with {:.4}", best.measure(Figure::Win));
        let verdict = match names == "H1 H2 H3 H4" {
            true => Verdict::Exact,
            false => Verdict::misprint_if(most.0 == best.heuristics),
        };
        Finding::new("kansas/c-winner", verdict, ours).with_note(format!(
            "figure 2 has the same winner; (H1, H2, H3, H4) has {other:.4} there and here"
        ))
    }

    fn first_move(&self) -> Finding {
        let [first, second] = [Figure::WinFirst, Figure::WinSecond];
        let ahead = |row: &&RoundRobin| row.measure(first) > row.measure(second);
        let count = self.0.iter().filter(ahead).count();
        let mean = |figure: Figure| {
            100.0 * self.0.iter().map(|row| row.measure(figure)).sum::<f64>() / self.0.len() as f64
        };
        let (first, second) = (mean(first), mean(second));
        let ours = format!(
            "{first:.1} % won moving first, {second:.1} % moving second; {count} of 63 win more when moving first"
        );
        Finding::new("kansas/first-move", Verdict::holds_if(first > second), ours)
            .with_note("shares of all games of the round robin")
    }
}

/// Returns the digits with one heuristic added. The index of the heuristic counts from 0.
fn with(digits: &str, heuristic: usize) -> String {
    let mut digits = digits.to_owned();
    digits.replace_range(heuristic..=heuristic, "1");
    digits
}
