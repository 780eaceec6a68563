//! Statistics per generation, and the rows of `history.csv`, `cost.csv` and `iterations.csv`.

use std::collections::HashSet;
use std::str::FromStr;

use serde::Serialize;

use super::{Cost, Settings};
use crate::optimise::{Champion, Chromosome, Coding, Evaluated, FitReport, mean_hamming_distance};

/// Returns the header line of `history.csv` for a run with the given settings.
pub fn header(settings: &Settings) -> String {
    let mut header =
        "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,games_asked,games_played"
            .to_owned();
    for feature in settings.features.features() {
        let name = feature.name();
        header += &format!(",{name}_mean,{name}_sd");
    }
    header + "\n"
}

/// Formats a generation as a line of `history.csv`, with `best` as its recorded candidate.
pub fn row(evaluated: &Evaluated, best: &Chromosome, statistics: &Statistics) -> String {
    let (s, chromosome) = (statistics, best.to_hex());
    let mut row = format!(
        "{},{},{:.4},{},{:.4},{chromosome},{:.4},{},{},{}",
        s.generation,
        s.best,
        s.mean,
        s.worst,
        s.sd,
        s.hamming,
        s.distinct,
        evaluated.games_asked,
        evaluated.games_played,
    );
    for (mean, sd) in &s.weights {
        row += &format!(",{mean:.4},{sd:.4}");
    }
    row + "\n"
}

pub const COST_HEADER: &str = "generation,nodes,seconds,games_per_second\n";

pub const ITERATIONS_HEADER: &str =
    "generation,iteration,layer,positions,first_loss,last_loss,evolved,labeller\n";

/// Formats the features learned in a generation as a line of `iterations.csv`.
pub fn iteration_row(generation: u32, fit: &FitReport) -> String {
    let FitReport { iteration, layer, positions, losses, evolved, labeller } = fit;
    let [first, last] = [losses.first(), losses.last()].map(|it| it.copied().unwrap_or_default());
    let evolved = evolved.map(|score| format!("{score:.4}")).unwrap_or_default();
    format!(
        "{generation},{iteration},{layer},{positions},{first:.5},{last:.5},{evolved},{labeller}\n"
    )
}

pub fn cost_row(evaluated: &Evaluated, cost: Cost) -> String {
    let games = evaluated.games_played as f64;
    let rate = if cost.seconds > 0.0 { games / cost.seconds } else { 0.0 };
    format!("{},{},{:.4},{rate:.1}\n", evaluated.generation, cost.nodes, cost.seconds)
}

/// Returns whether a table is empty or consists of just a header.
pub fn is_only_a_header(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.next().is_none_or(|header| header.starts_with(b"generation,")) && lines.next().is_none()
}

/// Returns the leading rows of `history.csv` that have the columns of `header` and consecutive generations from 1.
pub fn good_rows<'a>(text: &'a str, header: &str) -> Vec<&'a str> {
    let rows = rows(text, header).enumerate();
    let rows = rows.take_while(|(index, row)| row.is_some_and(|row| row.0 as usize == index + 1));
    rows.filter_map(|(_, row)| row.map(|(_, line)| line)).collect()
}

/// Returns the rows of `cost.csv` or `iterations.csv` up to the given generation. These tables need not be complete.
pub fn known_rows<'a>(text: &'a str, header: &str, generation: u32) -> Vec<&'a str> {
    let mut last = 0;
    let rows = rows(text, header).flatten();
    let rows = rows.filter(|&(number, _)| {
        let follows = last < number && number <= generation;
        last = if follows { number } else { last };
        follows
    });
    rows.map(|(_, line)| line).collect()
}

/// The totals of a run up to and including a generation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Totals {
    pub generation: u32,
    pub games_asked: u64,
    pub games: u64,
    /// The number of positions searched, or `None` if `cost.csv` lacks one of the generations.
    pub nodes: Option<u64>,
    /// The training time in hours, without measurements and final games, or `None` if `cost.csv` lacks a generation.
    pub hours: Option<f64>,
}

/// Returns the totals up to each generation, given the contents of `history.csv` and `cost.csv`.
pub fn totals(history: &str, costs: &str) -> Vec<Totals> {
    fn field<T: FromStr>(line: &str, column: usize) -> Option<T> {
        line.split(',').nth(column)?.trim_end().parse().ok()
    }
    let header = history.lines().next().unwrap_or_default();
    let mut costs = known_rows(costs, COST_HEADER, u32::MAX).into_iter();
    let (mut games_asked, mut games, mut cost) = (0u64, 0u64, Some((0u64, 0.0)));
    let rows = (1..).zip(good_rows(history, header)).map(|(generation, line)| {
        games_asked = games_asked.saturating_add(field(line, 8).unwrap_or(0));
        games = games.saturating_add(field(line, 9).unwrap_or(0));
        let known = costs.next().filter(|cost| field(cost, 0) == Some(generation));
        cost = cost.zip(known).and_then(|((nodes, hours), line)| {
            let seconds: f64 = field(line, 2)?;
            Some((nodes.saturating_add(field(line, 1)?), hours + seconds / 3600.0))
        });
        let (nodes, hours) = cost.unzip();
        Totals { generation, games_asked, games, nodes, hours }
    });
    rows.collect()
}

/// Returns each line after the header with its generation, or `None` if the line is incomplete.
fn rows<'a>(text: &'a str, header: &str) -> impl Iterator<Item = Option<(u32, &'a str)>> + use<'a> {
    let columns = header.split(',').count();
    text.split_inclusive('\n').skip(1).map(move |line| {
        let mut fields = line.strip_suffix('\n')?.split(',');
        let generation = fields.next()?.parse().ok()?;
        (fields.count() + 1 == columns).then_some((generation, line))
    })
}

/// Reads the recorded chromosome and the best fitness of a generation from the contents of `history.csv`.
pub fn best_of_generation(
    text: &str,
    generation: u32,
    settings: &Settings,
) -> Result<Champion, String> {
    if let Some(row) = complete_rows(text).find(|(number, _)| *number == generation) {
        return best(&settings.coding(), row);
    }
    let last = complete_rows(text).map(|(number, _)| number).max().unwrap_or(0);
    Err(format!("generation {generation} is not recorded; the last is {last}"))
}

/// Like [`best_of_generation`], but for all generations selected by `includes`, up to the first incomplete row.
pub fn best_of_some(
    text: &str,
    settings: &Settings,
    includes: impl Fn(u32) -> bool,
) -> Vec<Champion> {
    let coding = settings.coding();
    let rows = complete_rows(text).filter(|(generation, _)| includes(*generation));
    rows.filter_map(|row| best(&coding, row).ok()).collect()
}

/// Returns the rows of a `history.csv` with their generations, up to the first incomplete row.
fn complete_rows(text: &str) -> impl Iterator<Item = (u32, &str)> {
    rows(text, text.lines().next().unwrap_or_default()).map_while(|row| row)
}

fn best(coding: &Coding, (generation, line): (u32, &str)) -> Result<Champion, String> {
    let field = |column| line.split(',').nth(column).unwrap_or_default();
    let chromosome = coding.read(field(5)).map_err(|e| format!("generation {generation}: {e}"))?;
    let fitness = field(1).parse();
    let fitness = fitness.map_err(|_| format!("generation {generation}: best is not a number"))?;
    Ok(Champion { generation, chromosome, fitness: Some(fitness) })
}

/// Statistics of an evaluated generation. Means and standard deviations are over all members.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    pub generation: u32,
    pub best: u64,
    pub mean: f64,
    pub worst: u64,
    pub sd: f64,
    /// The number of bits in which two members differ, averaged over all pairs of members.
    pub hamming: f64,
    pub distinct: usize,
    /// The mean and the standard deviation of each weight, in feature order.
    pub weights: Vec<(f64, f64)>,
}

impl Statistics {
    pub fn of(coding: &Coding, evaluated: &Evaluated) -> Statistics {
        let Evaluated { generation, members, fitness, .. } = evaluated;
        let signed: Vec<i64> = fitness.iter().map(|&f| f as i64).collect();
        let (mean, sd) = mean_and_deviation(&signed);
        let decoded: Vec<Vec<i64>> = members.iter().map(|m| coding.decode(m)).collect();
        let weight = |gene: usize| {
            mean_and_deviation(&decoded.iter().map(|weights| weights[gene]).collect::<Vec<_>>())
        };
        Statistics {
            generation: *generation,
            best: evaluated.best().1,
            mean,
            worst: *fitness.iter().min().expect("a generation has candidates"),
            sd,
            hamming: mean_hamming_distance(members),
            distinct: members.iter().collect::<HashSet<_>>().len(),
            weights: (0..decoded[0].len()).map(weight).collect(),
        }
    }
}

/// Returns the mean and the population standard deviation. Sums are computed with integers.
fn mean_and_deviation(values: &[i64]) -> (f64, f64) {
    let count = values.len() as i128;
    let sum: i128 = values.iter().map(|&v| i128::from(v)).sum();
    let squares: i128 = values.iter().map(|&v| i128::from(v) * i128::from(v)).sum();
    let mean = sum as f64 / count as f64;
    let deviation = ((count * squares - sum * sum) as f64).sqrt() / count as f64;
    (mean, deviation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::Chromosome;
    use crate::testing::changed;

    #[test]
    fn good_rows_are_consecutive() {
        let good = |text: &str| good_rows(text, "generation,best,mean\n").concat();
        assert_eq!(good(""), "");
        assert_eq!(good("generation,best,mean\n1,2,3\n2,3,4\n"), "1,2,3\n2,3,4\n");
        for wrong in ["2,3,4", "2,3\n3,4,5\n", "3,4,5\n", "1,2,3\n2,3,4\n", "x,3,4\n"] {
            assert_eq!(good(&format!("?\n1,2,3\n{wrong}")), "1,2,3\n", "{wrong}");
        }
    }

    #[test]
    fn totals_cover_the_rows_of_both_tables() {
        let history = "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,games_asked,games_played\n\
                       1,9,8,7,1,ab,1,2,100,60\n2,9,8,7,1,ab,1,2,100,0\n3,9,8,7,1,ab,1,2,200,50\n";
        let with = |costs: &str| totals(history, &format!("{COST_HEADER}{costs}"));
        let found = with("1,5000,1800,4\n2,0,900,4\n");
        let sums: Vec<_> =
            found.iter().map(|it| (it.games_asked, it.games, it.nodes, it.hours)).collect();
        let expected = [
            (100, 60, Some(5000), Some(0.5)),
            (200, 60, Some(5000), Some(0.75)),
            (400, 110, None, None),
        ];
        assert_eq!(sums, expected);
        // After a gap, the cost is unknown.
        let found = with("1,5000,1800,4\n3,7,900,4\n");
        assert_eq!(found.iter().map(|it| it.nodes).collect::<Vec<_>>(), [Some(5000), None, None]);
        assert_eq!(totals("", ""), []);
    }

    #[test]
    fn known_rows_are_in_order_up_to_a_generation() {
        let text = format!("{COST_HEADER}1,2,3,4\n5,6\n3,4,5,6\n2,3,4,5\n4,5,6,7\n5,6,7,8\n6");
        assert_eq!(known_rows(&text, COST_HEADER, 4), ["1,2,3,4\n", "3,4,5,6\n", "4,5,6,7\n"]);
    }

    #[test]
    fn a_generation_by_the_definitions() {
        let settings = changed("daoud2004", "");
        let [zeros, ones] = [false, true].map(|bit| Chromosome::new(vec![bit; 48]));
        let members = vec![zeros.clone(), ones.clone(), zeros];
        let (generation, fitness, games_asked, games_played) = (9, vec![1, 3, 2], 0, 0);
        let evaluated = Evaluated { generation, members, fitness, games_asked, games_played };
        let statistics = Statistics::of(&settings.coding(), &evaluated);
        assert_eq!((statistics.best, statistics.worst, statistics.distinct), (3, 1, 2));
        assert_eq!(evaluated.best().0, &ones);
        let is_near = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
        assert!(is_near(statistics.mean, 2.0) && is_near(statistics.sd, (2.0_f64 / 3.0).sqrt()));
        assert!(is_near(statistics.hamming, 32.0), "the mean over the three pairs");
        let is_of_gene =
            |&(mean, sd): &(f64, f64)| is_near(mean, 5.0) && is_near(sd, 50_f64.sqrt());
        assert!(statistics.weights.len() == 12 && statistics.weights.iter().all(is_of_gene));
    }
}
