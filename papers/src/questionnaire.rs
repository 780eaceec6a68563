//! Recomputes the usability study in the thesis (table 5.2, appendix B) and the t-test in the paper about this study,
//! using the printed figures. The individual answers were not printed.

use std::io::Write;

use clap::Args;
use mancala::progress::Progress;
use serde::{Deserialize, Serialize};

use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook};
use crate::terminal::print_json;

const TABLE: &str = include_str!("../data/printed/thesis/table_5_2.csv");
const QUESTIONS: &str = include_str!("../data/printed/thesis/questions.csv");

/// The printed number of players who answered.
const PLAYERS: u32 = 50;

/// The printed test: the means of RBH and Awale, t, the degrees of freedom, and the critical value.
const TEST: [f64; 5] = [34.21, 30.61, -1.46, 49.0, 2.0];

/// A column in table 5.2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Item {
    /// A short form of the question.
    item: String,
    /// The printed mean of the answers, which range from 1 to 5.
    mean: f64,
    /// The printed standard deviation.
    deviation: f64,
    /// The printed variance.
    variance: f64,
}

impl Item {
    /// Returns whether the variance can be the square of the deviation. Both are rounded to three decimal places.
    fn is_square(&self) -> bool {
        const HALF: f64 = 0.0005 + 1e-9;
        let [low, high] = [self.deviation - HALF, self.deviation + HALF].map(|it| it * it);
        (low - HALF..=high + HALF).contains(&self.variance)
    }

    /// Returns the square root of the printed variance.
    fn deviation_of_variance(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Returns whether this many integer answers can have the printed mean, which is rounded to two decimal places.
    fn mean_fits(&self, answers: u32) -> bool {
        let sum = (self.mean * f64::from(answers)).round();
        // Means halfway between two decimals may have been rounded either way.
        (sum / f64::from(answers) - self.mean).abs() <= 0.005 + 1e-9
    }
}

fn lines<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a printed table")).collect()
}

/// Returns table 5.2 as printed.
fn table() -> Vec<Item> {
    lines(TABLE)
}

/// A question in appendix B.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Question {
    /// The heading of the section.
    section: String,
    /// The statement to be rated.
    question: String,
    /// The column in table 5.2, or an empty string if there is none.
    column: String,
}

/// Returns the questions in appendix B.
fn questions() -> Vec<Question> {
    lines(QUESTIONS)
}

/// Returns the numbers of players, up to the printed number, for which all printed means are possible.
fn possible_players() -> Vec<u32> {
    let table = table();
    (1..=PLAYERS).filter(|&players| table.iter().all(|item| item.mean_fits(players))).collect()
}

/// Returns the two-sided p-value for Student's t.
fn p_value(t: f64, freedom: f64) -> f64 {
    const STEPS: u32 = 20_000;
    let density = |x: f64| (1.0 + x * x / freedom).powf(-(freedom + 1.0) / 2.0);
    // Simpson's rule. With ten or more degrees of freedom, the density beyond 60 is negligible.
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

pub fn findings(_: &mut Notebook, _: &dyn Progress) -> Findings {
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
        .map(|item| item.mean.to_string())
        .collect();
    let ours = format!(
        "{} of {} variances are squares of their deviations",
        table.len() - wrong.len(),
        table.len()
    );
    let verdict = if wrong.is_empty() { Verdict::Exact } else { Verdict::Misprint };
    let players = match possible.as_slice() {
        [] => format!("no number of players up to {PLAYERS} makes all means possible"),
        some => format!("{some:?} players would make all means possible"),
    };
    Finding::new("thesis/table-5.2", verdict, ours).with_note(format!(
        "printed deviation for the root of its variance: {}. Means of {PLAYERS} integer answers are multiples of \
         0.02, and {} are not; {players}",
        wrong.join(", "),
        impossible.join(", ")
    ))
}

fn means() -> Finding {
    let above = table().iter().filter(|item| item.mean > 4.0).count();
    let ours = format!("{above} of {}", table().len());
    Finding::new("thesis/table-5.2-means", Verdict::exact_if(above == 9), ours)
}

fn appendix() -> Finding {
    let questions = questions();
    let shown = questions.iter().filter(|question| !question.column.is_empty()).count();
    let ours = format!("{} questions, of which table 5.2 has {shown}", questions.len());
    Finding::new("thesis/appendix-b", Verdict::Unrepeatable, ours)
        .with_note("the answers are not available")
}

fn t_test() -> Finding {
    let [rbh, awale, t, freedom, critical] = TEST;
    let p = p_value(t, freedom);
    let verdict = match t.abs() > critical && p < 0.05 {
        true => Verdict::Exact,
        false => Verdict::misprint_if(t.abs() < critical),
    };
    let spread = (rbh - awale).abs() / t.abs() * (freedom + 1.0).sqrt();
    Finding::new("rbh/t-test", verdict, format!("p = {p:.3}, not significant")).with_note(format!(
        "|t| is below the printed {critical}; the sign is that of Awale minus RBH; t implies a standard deviation of \
         {spread:.1} points"
    ))
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Table 5.2 of the thesis has the mean, standard deviation and variance of twelve answers. A variance is the square \
of its deviation, and a mean of 50 integer answers is a multiple of 0.02. The t-test is that of the paper on the \
same study. The answers are not printed, so the study itself cannot be repeated.";

#[derive(Serialize)]
struct Recomputed {
    #[serde(flatten)]
    printed: Item,
    is_square: bool,
    deviation_of_variance: f64,
    mean_possible: bool,
}

impl From<Item> for Recomputed {
    fn from(printed: Item) -> Recomputed {
        Recomputed {
            is_square: printed.is_square(),
            deviation_of_variance: (1000.0 * printed.deviation_of_variance()).round() / 1000.0,
            mean_possible: printed.mean_fits(PLAYERS),
            printed,
        }
    }
}

#[derive(Serialize)]
struct Study {
    kind: &'static str,
    table: Vec<Recomputed>,
    possible_players: Vec<u32>,
    questions: Vec<Question>,
    t: f64,
    degrees_of_freedom: f64,
    p: f64,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let [_, _, t, degrees_of_freedom, critical] = TEST;
    let study = Study {
        kind: "questionnaire",
        table: table().into_iter().map(Recomputed::from).collect(),
        possible_players: possible_players(),
        questions: questions(),
        t,
        degrees_of_freedom,
        p: p_value(t, degrees_of_freedom),
    };
    if arguments.json {
        return print_json(&study, out);
    }
    writeln!(
        out,
        "table 5.2{:>36}{:>11}{:>10}  root of the variance",
        "mean", "deviation", "variance"
    )?;
    for row in &study.table {
        let Item { item, mean, deviation, variance } = &row.printed;
        let impossible = if row.mean_possible { " " } else { "*" };
        let root =
            if row.is_square { "fits".into() } else { format!("{:.3}", row.deviation_of_variance) };
        writeln!(
            out,
            "  {item:<38}{mean:>5.2}{impossible}{deviation:>10.3}{variance:>10.3}  {root}"
        )?;
    }
    writeln!(out, "* not a mean of {PLAYERS} integer answers")?;
    let shown = study.questions.iter().filter(|question| !question.column.is_empty()).count();
    writeln!(out, "appendix B has {} questions, the table {shown} of them", study.questions.len())?;
    let p = study.p;
    writeln!(out, "t({degrees_of_freedom}) = {t}: p = {p:.3}; {critical} is needed for p < 0.05")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_variances_are_not_squares() {
        let wrong: Vec<f64> =
            table().iter().filter(|row| !row.is_square()).map(|row| row.deviation).collect();
        assert_eq!(wrong, [1.281, 0.679, 0.926, 0.341, 0.579, 1.147]);
    }

    #[test]
    fn p_values_of_students_t() {
        assert!((p_value(2.0096, 49.0) - 0.05).abs() < 1e-4);
        assert!((p_value(0.0, 49.0) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn means_of_integer_answers() {
        let mean = |mean| Item { item: String::new(), mean, deviation: 1.0, variance: 1.0 };
        assert!(mean(4.02).mean_fits(50) && !mean(4.31).mean_fits(50));
        assert!(mean(4.31).mean_fits(48) && mean(3.0).mean_fits(1));
    }

    #[test]
    fn every_column_is_a_question() {
        let questions = questions();
        for item in table() {
            assert!(questions.iter().any(|question| question.column == item.item), "{}", item.item);
        }
    }
}
