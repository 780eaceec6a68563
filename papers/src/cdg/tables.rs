//! Compares tables 3.1 to 3.8 of the thesis cell by cell, and checks its propositions and conjecture 1.

use std::iter::successors;
use std::ops::RangeInclusive;

use mancala::endgame::cdg::{next_vector, vectors};
use mancala::progress::Progress;
use rayon::prelude::*;

use super::theory::{
    Situation, block_count, conjectured, fillings, harvest, march, maximal, pattern, totals,
};
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};

/// The largest board on which we test the propositions, in pits per side.
const MOST_PITS: u32 = 200;

pub fn findings(_: &mut Notebook, progress: &dyn Progress) -> Findings {
    let mut findings = tables();
    findings.push(reduction());
    for (done, proposition) in (1..).zip(Proposition::ALL) {
        if progress.should_stop() {
            return Ok(None);
        }
        let failure = proposition.first_failure(1..=MOST_PITS);
        let ours = match failure {
            None => format!("holds for n = 1 to {MOST_PITS}"),
            Some(pits) => format!("fails for n = {pits}"),
        };
        let claim = format!("thesis/proposition-{done}");
        findings.push(Finding::new(&claim, Verdict::holds_if(failure.is_none()), ours));
        progress.advance(done, 4);
    }
    Ok(Some(findings))
}

/// Compares readings of the transformation T* (section 3.4.2). The formula only empties pit i, but according to the
/// text, T* also adds a seed to each "postfix". By index, these would be the pits after pit i, but a move sows into the
/// pits before it.
fn reduction() -> Finding {
    let all: Vec<Vec<u32>> = vectors(6).collect();
    let reduced = |vector: &[u32], grows: fn(usize, usize) -> bool| {
        let mut vector = vector.to_vec();
        let index = (0..vector.len()).find(|&it| vector[it] as usize == it + 2).expect("a harvest");
        vector[index] = 0;
        (0..).zip(&mut vector).for_each(|(at, it)| *it += u32::from(grows(at, index)));
        vector
    };
    let count = |grows: fn(usize, usize) -> bool| {
        all.windows(2).filter(|it| reduced(&it[1], grows) == it[0]).count()
    };
    let (formula, words) = (count(|_, _| false), count(|at, index| at < index));
    let (literal, of) = (count(|at, index| at > index), all.len() - 1);
    let ours =
        format!("{words} of {of} vectors become the next by the words, {formula} by the formula");
    Finding::new("thesis/reduction", Verdict::misprint_if(words == of && formula < of), ours)
        .with_note(format!(
            "\"postfixes\" taken as the pits sown next, as in proposition I; by index the words give {literal} of {of}"
        ))
}

/// A proposition of the thesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposition {
    /// I: the transformation that adds two seeds is reversible.
    Inverse,
    /// II: there is exactly one vector each with 0, 2, 4, … seeds.
    Sums,
    /// III: if we exclude the empty vector, there are half as many vectors as the largest vector has seeds.
    Count,
    /// IV: the largest vector has Σ 2jk_j seeds.
    Total,
}

impl Proposition {
    /// The propositions, in order.
    pub const ALL: [Proposition; 4] =
        [Proposition::Inverse, Proposition::Sums, Proposition::Count, Proposition::Total];

    /// Returns the text of the proposition.
    pub fn says(self) -> &'static str {
        match self {
            Proposition::Inverse => "I: adding two seeds can be undone",
            Proposition::Sums => "II: the vectors have 0, 2, 4, … seeds",
            Proposition::Count => "III: there are half as many vectors as the largest has seeds",
            Proposition::Total => "IV: the largest vector has Σ 2jk_j seeds",
        }
    }

    fn holds(self, pits: u32) -> bool {
        let total: u64 = maximal(pits).iter().map(|&seeds| u64::from(seeds)).sum();
        let sum = |vector: &Vec<u32>| vector.iter().map(|&seeds| u64::from(seeds)).sum::<u64>();
        let mut vectors = vectors(pits as usize);
        match self {
            Proposition::Inverse => vectors.all(|vector| {
                next_vector(&vector).is_none_or(|it| harvest(&it).as_ref() == Some(&vector))
            }),
            Proposition::Sums => (0..).zip(vectors).all(|(at, it)| sum(&it) == 2 * at),
            Proposition::Count => vectors.count() as u64 == 1 + total / 2,
            Proposition::Total => {
                fillings(pits).map(|(j, times, _)| (2 * j * times) as u64).sum::<u64>() == total
            }
        }
    }

    /// Returns the smallest number of pits per side for which the proposition fails.
    pub fn first_failure(self, pits: RangeInclusive<u32>) -> Option<u32> {
        pits.into_iter().find(|&pits| !self.holds(pits))
    }
}

/// Boards that contradict conjecture 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failures {
    /// The number of such boards.
    pub count: u64,
    /// The smallest of these boards, in pits per side.
    pub first: Vec<u32>,
}

/// Tests conjecture 1 for a range of pits per side, and lists at most `listed` failures. Calls `follow` with the amount
/// of work that is done and the total amount.
pub fn conjecture_failures(
    pits: RangeInclusive<u32>,
    listed: usize,
    follow: &dyn Fn(u64, u64),
) -> Failures {
    const CHUNK: u32 = 4096;
    let (begin, end) = pits.into_inner();
    // The work for n pits is proportional to n, so the work for all numbers up to n is proportional to n².
    let work = |n: u32| u64::from(n) * u64::from(n);
    let before = work(begin.saturating_sub(1));
    let mut failures = Failures { count: 0, first: Vec::new() };
    for first in (begin..=end).step_by(CHUNK as usize) {
        let last = end.min(first.saturating_add(CHUNK - 1));
        let fails = |&n: &u32| block_count(n) != conjectured(n);
        let failing: Vec<u32> = (first..=last).into_par_iter().filter(fails).collect();
        failures.count += failing.len() as u64;
        let room = listed - failures.first.len();
        failures.first.extend(failing.into_iter().take(room));
        follow(work(last) - before, work(end) - before);
    }
    failures
}

/// Returns the rows of a table, without its header.
fn table(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn numbers(cells: &[&str]) -> Vec<u32> {
    cells.iter().map(|cell| cell.parse().expect("a number")).collect()
}

/// The number of matching cells, and the number of all cells.
#[derive(Default)]
struct Cells {
    same: usize,
    all: usize,
}

impl Cells {
    fn compare<T: PartialEq>(&mut self, printed: &[T], ours: &[T]) {
        self.all += printed.len().max(ours.len());
        self.same += printed.iter().zip(ours).filter(|(printed, ours)| printed == ours).count();
    }

    /// Returns a finding that the table matches exactly, or that it has a misprint for the given reason.
    fn finding(&self, claim: &str, why: &str) -> Finding {
        let Cells { same, all } = self;
        let claim = format!("thesis/{claim}");
        if same == all {
            return Finding::new(&claim, Verdict::Exact, format!("all {all} cells"));
        }
        Finding::new(&claim, Verdict::Misprint, format!("{same} of {all} cells")).with_note(why)
    }
}

/// Returns the rows of X and Y in the format of the tables.
fn board(situation: &Situation) -> Vec<u32> {
    let mut cells: Vec<u32> = situation.vector().iter().rev().copied().collect();
    cells.extend((0..6).map(|pit| u32::from(pit == usize::from(!situation.opponent_moves()))));
    cells
}

fn row(n: u32) -> Situation {
    Situation::of_row(n, 6).expect("a row of table 3.5")
}

fn sequence(n: u32) -> Vec<u32> {
    successors(Some(row(n)), Situation::next).map(|it| it.played()).collect()
}

fn tables() -> Vec<Finding> {
    vec![
        table_3_1(),
        algorithm(),
        table_3_2(),
        conjecture(),
        table_3_4(),
        growth(),
        table_3_5(),
        figure_3_13(),
        table_3_6(),
        a007952(),
        figure_3_14(),
        figure_3_15(),
        table_3_7(),
        table_3_8(),
    ]
}

fn table_3_1() -> Finding {
    let mut cells = Cells::default();
    for (n, printed) in (3..).zip(table(include_str!("../../data/printed/thesis/table_3_1.csv"))) {
        cells.compare(&numbers(&printed[1..]), &board(&row(n)));
    }
    cells.finding("table-3.1", "").with_note("rows 3 to 21 of table 3.5")
}

fn table_3_5() -> Finding {
    let mut cells = Cells::default();
    for (n, printed) in (1..).zip(table(include_str!("../../data/printed/thesis/table_3_5.csv"))) {
        cells.compare(&numbers(&printed[1..]), &board(&row(n)));
    }
    cells.finding("table-3.5", "")
}

fn algorithm() -> Finding {
    let vector = maximal(6);
    let same = vector == [2, 2, 1, 3, 5, 7];
    let ours: Vec<String> = vector.iter().map(u32::to_string).collect();
    Finding::new("thesis/figure-3.9", Verdict::exact_if(same), ours.join(", "))
}

fn table_3_2() -> Finding {
    let mut cells = Cells::default();
    for (n, printed) in (1..).zip(table(include_str!("../../data/printed/thesis/table_3_2.csv"))) {
        cells.compare(&numbers(&printed[1..]), &maximal(n));
    }
    cells.finding("table-3.2", "")
}

fn table_3_4() -> Finding {
    let mut cells = Cells::default();
    for (n, printed) in (1..).zip(table(include_str!("../../data/printed/thesis/table_3_4.csv"))) {
        let ours = totals(n);
        cells.compare(&numbers(&printed[1..]), &[ours.s, ours.f, ours.g].map(|it| it as u32));
    }
    cells.finding(
        "table-3.4",
        "s(22) = 190 is printed as 196 and s(48) = 800 as 820; the vector in table 3.2 has 190 seeds",
    )
}

fn conjecture() -> Finding {
    let failures = conjecture_failures(1..=100_000, 1, &|_, _| ());
    let (verdict, ours) = match failures.first.first() {
        None => (Verdict::Exact, "holds for n = 1 to 100,000".to_owned()),
        Some(first) => (
            Verdict::Differs,
            format!("fails first at n = {first}, and for {} of the first 100,000", failures.count),
        ),
    };
    Finding::new("thesis/conjecture-1", verdict, ours)
        .with_note("as far as computed, f(n) grows like n^(2/3), and the conjecture is linear")
}

fn growth() -> Finding {
    let ratio = totals(10_000).ratio(10_000);
    let verdict = Verdict::holds_if((ratio - 1.0).abs() < 1e-2);
    Finding::new("thesis/broline-loeb", verdict, format!("s(n)·π/n² is {ratio:.4} at n = 10,000"))
        .with_note("a limit, so no finite n is exact")
}

fn figure_3_13() -> Finding {
    let (board, moves) = (board(&row(17)), sequence(17));
    let same = board[..6] == [0, 6, 4, 2, 3, 1] && moves[..2] == [1, 3];
    Finding::new(
        "thesis/figure-3.13",
        Verdict::exact_if(same),
        "row 17 of table 3.6, which begins 1, 3",
    )
    .with_note("the text names the row")
}

fn table_3_6() -> Finding {
    let mut cells = Cells::default();
    for printed in table(include_str!("../../data/printed/thesis/table_3_6.csv")) {
        let n = numbers(&printed[..1])[0];
        cells.compare(&numbers(&printed[1..13]), &board(&row(n)));
        cells.compare(&numbers(&printed[13..]), &sequence(n));
    }
    let why = "in rows 18 to 21, 4 is printed for a pit of 7 and 5 for a pit of 2; the printed boards contradict both";
    cells.finding("table-3.6", why)
}

/// OEIS A007952, the numbers left by a sieve, without the initial 0.
const A007952: [u64; 13] = [1, 3, 5, 9, 11, 17, 21, 29, 33, 41, 47, 57, 59];

fn a007952() -> Finding {
    // We count the opponent's seed as well. The first board is empty except for this seed.
    let ours: Vec<u64> = (0..13).map(|n| if n == 0 { 1 } else { totals(n).s + 1 }).collect();
    let shown: Vec<String> = ours[..7].iter().map(u64::to_string).collect();
    Finding::new("thesis/a007952", Verdict::exact_if(ours == A007952), shown.join(", "))
        .with_note("s(n) + 1, equal up to n = 12; the terms of A007952 come from OEIS")
}

fn figure_3_14() -> Finding {
    let boards = successors(Some(vec![5, 3, 2]), |it| Some(march(it)));
    let steps = boards.take(100).position(|it| it == [4, 3, 2, 1]);
    let (verdict, ours) = match steps {
        Some(steps) => (Verdict::Exact, format!("4, 3, 2, 1 after {steps} moves")),
        None => (Verdict::Differs, "never".into()),
    };
    Finding::new("thesis/figure-3.14", verdict, ours)
}

fn figure_3_15() -> Finding {
    let boards: Vec<Vec<u32>> =
        successors(Some(vec![2, 1, 1]), |it| Some(march(it))).take(4).collect();
    let same = boards == [vec![2, 1, 1], vec![2, 2], vec![3, 1], vec![2, 1, 1]];
    Finding::new("thesis/figure-3.15", Verdict::exact_if(same), "the same four boards")
}

fn table_3_7() -> Finding {
    let behaviour = |seeds| match pattern(seeds) {
        it if it.beyond == 0 => "Matching Group".to_owned(),
        it => format!("Period {}", it.periods[0]),
    };
    let mut cells = Cells::default();
    let printed: Vec<Vec<&str>> =
        table(include_str!("../../data/printed/thesis/table_3_7.csv")).collect();
    for seeds in 1..=21 {
        let said = printed.iter().find(|row| row[0] == seeds.to_string()).map_or("", |row| row[1]);
        cells.compare(&[said], &[behaviour(seeds).as_str()]);
    }
    cells.finding(
        "table-3.7",
        "15 is a matching group and 16 has period 6; the table prints 16 as a group and omits 15, which table 3.8 lists",
    )
}

fn table_3_8() -> Finding {
    let groups = (1..).filter(|&seeds| pattern(seeds).beyond == 0);
    let mut cells = Cells::default();
    for (printed, ours) in
        table(include_str!("../../data/printed/thesis/table_3_8.csv")).zip(groups)
    {
        cells.compare(&numbers(&printed[1..]), &[ours]);
    }
    cells.finding("table-3.8", "")
}
