//! Section C of the Kansas report, the round robin, claim by claim.

use super::printed::{printed_averages, printed_round_robin};
use super::printed_more::{figure_10, repeated};
use super::round_robin::{Averages, RoundRobin, round_robin};
use crate::results::{Finding, Verdict};
use crate::study::notebook::{Findings, Notebook};
use mancala::eval::kansas::{Heuristic, Heuristics};
use mancala::progress::Progress;

/// The study `kansas-round-robin`.
pub fn round_robin_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(rows) = round_robin(notebook.unfinished(), progress)? else { return Ok(None) };
    let table = Standings(&rows);
    let mut found = vec![table.figure_1(), table.figure_2(), table.repeated()];
    found.extend([table.h4(), table.h6(), table.h1(), table.figure_10(), table.winner()]);
    let sorted = table.figure_2();
    let chart = "the chart is an image of figure 2; ours is drawn by `ayo study kalah`";
    found.push(Finding { claim: "kansas/c-figure-11".into(), ..sorted.noting(chart) });
    found.push(table.first_move());
    Ok(Some(found))
}

struct Standings<'a>(&'a [RoundRobin]);

fn judged(same: bool) -> Verdict {
    if same { Verdict::Exact } else { Verdict::Differs }
}

/// Printed to four digits.
fn alike(ours: f64, printed: f64) -> bool {
    (ours - printed).abs() < 0.51e-4
}

impl Standings<'_> {
    fn of(&self, heuristics: Heuristics) -> Averages {
        let row = self.0.iter().find(|row| row.heuristics == heuristics);
        row.expect("one of 63").averages()
    }

    /// The share won by heuristics, written as six digits.
    fn win(&self, digits: &str) -> f64 {
        self.of(digits.parse().expect("six digits")).win
    }

    fn figure_1(&self) -> Finding {
        let (mut same, mut all) = (0, 0);
        for row in printed_averages() {
            let it = self.of(row.heuristics);
            let ours = [
                it.win_second,
                it.stones,
                it.margin,
                it.win_margin,
                it.loss_margin,
                it.captures,
                it.go_agains,
                it.moves,
            ];
            all += ours.len();
            same += ours.iter().zip(row.figures).filter(|(a, b)| (*a - b).abs() < 1e-6).count();
        }
        Finding::new(
            "kansas/c-figure-1",
            judged(same == all),
            format!("{same} of {all} cells to six digits"),
        )
        .noting("the scan has eight of the columns whole; the shares won are in figure 2")
    }

    fn figure_2(&self) -> Finding {
        let printed = printed_round_robin();
        let same = printed.iter().filter(|(row, win)| alike(self.of(*row).win, *win)).count();
        let ours = format!("{same} of {} rows to four digits", printed.len());
        Finding::new("kansas/c-figure-2", judged(same == printed.len()), ours)
    }

    fn repeated(&self) -> Finding {
        let other: Vec<String> = repeated()
            .iter()
            .filter(|it| !alike(self.of(it.heuristics).win, it.win))
            .map(|it| {
                format!(
                    "{} for {:.6} ({})",
                    it.win,
                    self.of(it.heuristics).win,
                    it.heuristics.names()
                )
            })
            .collect();
        let verdict = if other.is_empty() { Verdict::Exact } else { Verdict::Misprint };
        let ours = format!("all but {} cells", other.len());
        Finding::new("kansas/c-figures-3-9", verdict, ours)
            .noting(format!("printed {}; figure 2 has ours", other.join(", ")))
    }

    fn h4(&self) -> Finding {
        let rows = ["100000", "010000", "001000", "110000", "101000", "011000", "111000"];
        let worse = |row: &&str| self.win(&with(row, 3)) < self.win(row);
        let count = rows.iter().filter(|row| worse(row)).count();
        let ours = format!("{count} of {}", rows.len());
        Finding::new("kansas/c-h4", judged(count == rows.len()), ours)
    }

    fn h6(&self) -> Finding {
        let rows = ["100000", "110000", "101000", "011000", "111000"];
        let better: Vec<&str> =
            rows.into_iter().filter(|row| self.win(&with(row, 5)) > self.win(row)).collect();
        let ours =
            better.join(", ").replace("110000", "(H1, H2)").replace("111000", "(H1, H2, H3)");
        Finding::new("kansas/c-h6", judged(better == ["110000", "111000"]), ours)
    }

    fn h1(&self) -> Finding {
        let rows = ["100", "011"].into_iter();
        let cases = rows.flat_map(|row| (1..8).map(move |rest| (row, format!("{row}{rest:03b}"))));
        let cases: Vec<(&str, String)> = cases.collect();
        let worse = |(row, more): &&(&str, String)| self.win(more) < self.win(&format!("{row}000"));
        let count = cases.iter().filter(worse).count();
        let ours = format!("{count} of {} cases", cases.len());
        Finding::new("kansas/c-h1", judged(count == cases.len()), ours)
            .noting("true of all; the ten are those that figure 6 still lists")
    }

    fn figure_10(&self) -> Finding {
        let printed = figure_10();
        let same = |row: Heuristics, figures: [f64; 5]| {
            let it = self.of(row);
            let ours = [it.win, it.win_first, it.win_second, it.tie, it.win + it.tie];
            ours.iter().zip(figures).all(|(a, b)| (a - b).abs() < 0.51e-5)
        };
        let fits = printed.iter().filter(|(row, figures)| same(*row, *figures)).count();
        let meant = Heuristics::only(Heuristic::H1);
        let last = printed.last().expect("four rows");
        let other = Heuristics::all().find(|row| *row != meant && row.names() == "H1 H2");
        let mended = other.is_some_and(|row| same(row, last.1));
        let verdict = match (fits == printed.len(), mended) {
            (true, _) => Verdict::Exact,
            (false, true) => Verdict::Misprint,
            (false, false) => Verdict::Differs,
        };
        Finding::new("kansas/c-figure-10", verdict, format!("{fits} of {} rows, five columns", printed.len()))
            .noting("the last row is marked (H1, H2, H3) and has every figure of (H1, H2), which the text names")
    }

    fn winner(&self) -> Finding {
        let share = |row: &&RoundRobin| row.averages().win;
        let best = self.0.iter().max_by(|a, b| share(a).total_cmp(&share(b))).expect("63 rows");
        let (names, other) = (best.heuristics.names(), self.win("111100"));
        let ours = format!("({names}) with {:.4}", best.averages().win);
        let verdict = if names == "H1 H2 H3 H4" { Verdict::Exact } else { Verdict::Misprint };
        Finding::new("kansas/c-winner", verdict, ours)
            .noting(format!("figure 10 has ours; (H1, H2, H3, H4) has {other:.4} there and here"))
    }

    fn first_move(&self) -> Finding {
        let ahead = |row: &&RoundRobin| row.averages().win_first > row.averages().win_second;
        let count = self.0.iter().filter(ahead).count();
        let mean = |part: fn(&Averages) -> f64| {
            100.0 * self.0.iter().map(|row| part(&row.averages())).sum::<f64>()
                / self.0.len() as f64
        };
        let (first, second) = (mean(|it| it.win_first), mean(|it| it.win_second));
        let ours = format!(
            "{first:.1} % won moving first, {second:.1} % moving second; {count} of 63 win more first"
        );
        Finding::new("kansas/first-move", judged(count == 63), ours)
            .noting("true of the field, not of each of its combinations")
    }
}

/// The digits with one more heuristic, counted from 0.
fn with(digits: &str, heuristic: usize) -> String {
    let mut digits = digits.to_owned();
    digits.replace_range(heuristic..=heuristic, "1");
    digits
}
