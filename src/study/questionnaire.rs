//! The usability study of the thesis (table 5.2, appendix B) and of its paper (a t-test), recomputed as far as
//! printed figures allow. The answers themselves are not printed.

use super::notebook::{Findings, Notebook};
use crate::results::{Finding, Verdict};
use mancala::progress::Progress;
use serde::{Deserialize, Serialize};

const TABLE: &str = include_str!("printed/table_5_2.csv");
const QUESTIONS: &str = include_str!("printed/questions.csv");

/// Players who answered, as printed.
pub const PLAYERS: u32 = 50;

/// The printed test: mean of RBH and of Awale, t, degrees of freedom, the critical value.
pub const TEST: [f64; 5] = [34.21, 30.61, -1.46, 49.0, 2.0];

/// A column of table 5.2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// What was asked.
    pub item: String,
    /// Printed mean of answers from 1 to 5.
    pub mean: f64,
    /// Printed standard deviation.
    pub deviation: f64,
    /// Printed variance.
    pub variance: f64,
}

impl Item {
    /// Whether the variance is the square of the deviation, both being rounded to three places.
    pub fn is_square(&self) -> bool {
        const HALF: f64 = 0.0005 + 1e-9;
        let [low, high] = [self.deviation - HALF, self.deviation + HALF].map(|it| it * it);
        (low - HALF..=high + HALF).contains(&self.variance)
    }

    /// The deviation that the printed variance asks for.
    pub fn deviation_of_variance(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Whether so many whole answers can have the printed mean, which is rounded to two places.
    pub fn mean_fits(&self, answers: u32) -> bool {
        let sum = (self.mean * f64::from(answers)).round();
        // Halves may have been rounded either way.
        (sum / f64::from(answers) - self.mean).abs() <= 0.005 + 1e-9
    }
}

fn lines<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a table of ours")).collect()
}

/// Table 5.2 as printed.
pub fn table() -> Vec<Item> {
    lines(TABLE)
}

/// A question of appendix B: section, words, and the column of table 5.2 if it has one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The heading that it stands under.
    pub section: String,
    /// What players were to agree with.
    pub question: String,
    /// The column of table 5.2; empty if there is none.
    pub column: String,
}

/// Appendix B.
pub fn questions() -> Vec<Question> {
    lines(QUESTIONS)
}

/// Numbers of players, up to the printed one, for which every printed mean is possible.
pub fn possible_players() -> Vec<u32> {
    let table = table();
    (1..=PLAYERS).filter(|&players| table.iter().all(|item| item.mean_fits(players))).collect()
}

/// The two-sided p-value of Student's t.
///
/// ```
/// use ayo::study::questionnaire::p_value;
/// assert!((p_value(2.0096, 49.0) - 0.05).abs() < 1e-4);
/// assert!((p_value(0.0, 49.0) - 1.0).abs() < 1e-9);
/// ```
pub fn p_value(t: f64, freedom: f64) -> f64 {
    const STEPS: u32 = 20_000;
    let density = |x: f64| (1.0 + x * x / freedom).powf(-(freedom + 1.0) / 2.0);
    // Simpson's rule; beyond 60 nothing is left for ten degrees of freedom or more.
    let integral = |from: f64, to: f64| {
        let step = (to - from) / f64::from(STEPS);
        let weight = |at: u32| match at {
            0 | STEPS => 1.0,
            it if it % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let sum: f64 =
            (0..=STEPS).map(|at| weight(at) * density(from + f64::from(at) * step)).sum();
        sum * step / 3.0
    };
    let t = t.abs();
    1.0 - integral(0.0, t) / (integral(0.0, t) + integral(t, 60.0 + t))
}

pub(super) fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
    Ok(Some(vec![squares(), means(), appendix(), t_test()]))
}

fn squares() -> Finding {
    let table = table();
    let wrong: Vec<String> = table
        .iter()
        .filter(|item| !item.is_square())
        .map(|item| format!("{} for {:.3}", item.deviation, item.deviation_of_variance()))
        .collect();
    let possible = possible_players();
    let impossible: Vec<String> = table
        .iter()
        .filter(|item| !item.mean_fits(PLAYERS))
        .map(|it| it.mean.to_string())
        .collect();
    let ours = format!(
        "{} of {} variances are squares of their deviations",
        table.len() - wrong.len(),
        table.len()
    );
    let verdict = if wrong.is_empty() { Verdict::Exact } else { Verdict::Misprint };
    let players = match possible.as_slice() {
        [] => format!("no number of players up to {PLAYERS} makes all of them possible"),
        some => format!("{some:?} players would make all of them possible"),
    };
    Finding::new("thesis/table-5.2", verdict, ours).noting(format!(
        "deviations printed for those of their variances: {}. Means of whole answers by {PLAYERS} players are \
         multiples of 0.02, and {} are not; {players}",
        wrong.join(", "),
        impossible.join(", ")
    ))
}

fn means() -> Finding {
    let above = table().iter().filter(|item| item.mean > 4.0).count();
    let verdict = if above == 9 { Verdict::Exact } else { Verdict::Differs };
    Finding::new("thesis/table-5.2-means", verdict, format!("{above} of {}", table().len()))
}

fn appendix() -> Finding {
    let questions = questions();
    let shown = questions.iter().filter(|it| !it.column.is_empty()).count();
    let ours = format!("{} questions, of which table 5.2 has {shown}", questions.len());
    Finding::new("thesis/appendix-b", Verdict::NoOpponent, ours)
        .noting("fifty players and their answers cannot be had, so nothing more can be computed")
}

fn t_test() -> Finding {
    let [rbh, awale, t, freedom, critical] = TEST;
    let p = p_value(t, freedom);
    let verdict = if t.abs() > critical && p < 0.05 { Verdict::Exact } else { Verdict::Differs };
    let spread = (rbh - awale).abs() / t.abs() * (freedom + 1.0).sqrt();
    Finding::new("rbh/t-test", verdict, format!("p = {p:.3}, not significant")).noting(format!(
        "|t| does not reach the printed {critical}; the sign is that of Awale less RBH; the differences would \
         deviate by {spread:.1} points"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_columns_and_a_sixth_by_three_thousandths_are_not_squares() {
        let wrong: Vec<f64> =
            table().iter().filter(|it| !it.is_square()).map(|it| it.deviation).collect();
        assert_eq!(wrong, [1.281, 0.679, 0.926, 0.341, 0.579, 1.147]);
    }

    #[test]
    fn means_of_whole_answers() {
        let mean = |mean| Item { item: String::new(), mean, deviation: 1.0, variance: 1.0 };
        assert!(mean(4.02).mean_fits(50) && !mean(4.31).mean_fits(50));
        assert!(mean(4.31).mean_fits(48) && mean(3.0).mean_fits(1));
    }

    #[test]
    fn every_column_is_a_question() {
        let questions = questions();
        for item in table() {
            assert!(questions.iter().any(|it| it.column == item.item), "{}", item.item);
        }
    }
}
