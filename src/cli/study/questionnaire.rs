use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::super::print_json;
use crate::study::questionnaire::{self, Item, PLAYERS, Question, TEST};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Table 5.2 of the thesis has a mean, a standard deviation and a variance of each of twelve answers. A variance is \
the square of its deviation, and a mean of whole answers by 50 players is a multiple of 0.02. The test is that of \
the paper on the same study. The answers are not printed, so the study itself cannot be repeated.";

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

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let [_, _, t, degrees_of_freedom, critical] = TEST;
    let study = Study {
        kind: "questionnaire",
        table: questionnaire::table().into_iter().map(Recomputed::from).collect(),
        possible_players: questionnaire::possible_players(),
        questions: questionnaire::questions(),
        t,
        degrees_of_freedom,
        p: questionnaire::p_value(t, degrees_of_freedom),
    };
    if arguments.json {
        return print_json(&study, out);
    }
    writeln!(
        out,
        "table 5.2{:>36}{:>11}{:>10}  root of the variance",
        "mean", "deviation", "variance"
    )?;
    for it in &study.table {
        let Item { item, mean, deviation, variance } = &it.printed;
        let impossible = if it.mean_possible { " " } else { "*" };
        let root =
            if it.is_square { "fits".into() } else { format!("{:.3}", it.deviation_of_variance) };
        writeln!(
            out,
            "  {item:<38}{mean:>5.2}{impossible}{deviation:>10.3}{variance:>10.3}  {root}"
        )?;
    }
    writeln!(out, "* no mean of {PLAYERS} whole answers")?;
    let shown = study.questions.iter().filter(|it| !it.column.is_empty()).count();
    writeln!(out, "appendix B has {} questions, the table {shown} of them", study.questions.len())?;
    let p = study.p;
    writeln!(out, "t({degrees_of_freedom}) = {t}: p = {p:.3}; {critical} is needed for p < 0.05")?;
    Ok(())
}
