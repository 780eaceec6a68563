//! The rows of `history.csv`, `cost.csv` and `epochs.csv`.

use std::str::FromStr;

use crate::optimise::{Champion, Chromosome, Evaluated, Fit};
use serde::Serialize;

use super::event::Cost;
use super::settings::Settings;
use super::statistics::Statistics;

/// The columns of `history.csv` for a run with these settings.
pub fn column_names(settings: &Settings) -> Vec<String> {
    let fixed = [
        "generation",
        "best",
        "mean",
        "worst",
        "sd",
        "best_chromosome",
        "hamming",
        "distinct",
        "games_asked",
        "games_played",
    ];
    let names = settings.features.features().iter().map(|feature| feature.name());
    let weights = names.flat_map(|name| [format!("{name}_mean"), format!("{name}_sd")]);
    fixed.map(str::to_owned).into_iter().chain(weights).collect()
}

/// The header line of `history.csv`.
pub fn header(settings: &Settings) -> String {
    column_names(settings).join(",") + "\n"
}

/// The line of `history.csv` for one generation. Four decimals are more than any of it is worth and
/// are the same on every machine. `best` is the candidate that it names.
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

/// The header line of `cost.csv`.
pub const COST_HEADER: &str = "generation,nodes,seconds,games_per_second\n";

/// The header of `epochs.csv`.
pub const EPOCHS_HEADER: &str = "generation,epoch,layer,positions,first_loss,last_loss,duel\n";

/// The row of `epochs.csv` for the features that were learned in a generation: mean cross-entropies of the first and
/// the last pass of the fit in nats, and the score of the duel, which is empty where there was none.
pub fn epoch_row(generation: u32, fit: &Fit) -> String {
    let Fit { epoch, layer, positions, losses, duel } = fit;
    let [first, last] = [losses.first(), losses.last()].map(|it| it.copied().unwrap_or_default());
    let duel = duel.map(|score| format!("{score:.4}")).unwrap_or_default();
    format!("{generation},{epoch},{layer},{positions},{first:.5},{last:.5},{duel}\n")
}

/// The line of `cost.csv` for one generation.
pub fn cost_row(evaluated: &Evaluated, cost: Cost) -> String {
    let games = evaluated.games_played as f64;
    let rate = if cost.seconds > 0.0 { games / cost.seconds } else { 0.0 };
    format!("{},{},{:.4},{rate:.1}\n", evaluated.generation, cost.nodes, cost.seconds)
}

/// Whether the text of either file records nothing.
pub fn is_only_a_header(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.next().is_none_or(|header| header.starts_with(b"generation,")) && lines.next().is_none()
}

/// The rows of `history.csv` that can be relied on: from generation 1 on, each one generation further,
/// each whole and with as many columns as the header has. The header itself need not be right.
pub fn good_rows<'a>(text: &'a str, header: &str) -> Vec<&'a str> {
    let rows = rows(text, header).enumerate();
    let rows = rows.take_while(|(index, row)| row.is_some_and(|row| row.0 as usize == index + 1));
    rows.filter_map(|(_, row)| row.map(|(_, line)| line)).collect()
}

/// The rows up to a generation of `cost.csv` or `epochs.csv`, by its header. Some may be missing: no run depends on
/// them.
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

/// Totals of a run up to the end of a generation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Totals {
    /// The generation.
    pub generation: u32,
    /// Games asked for.
    pub games_asked: u64,
    /// Games played.
    pub games: u64,
    /// Positions searched, if `cost.csv` has all generations up to this one.
    pub nodes: Option<u64>,
    /// Hours, without measurements and final games, if `cost.csv` has all generations up to this one.
    pub hours: Option<f64>,
}

/// Returns the totals up to each generation, from the texts of `history.csv` and `cost.csv`.
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

/// The lines after the first one with the generations that they are of; `None` for a line that is no
/// whole row.
fn rows<'a>(text: &'a str, header: &str) -> impl Iterator<Item = Option<(u32, &'a str)>> {
    let columns = header.split(',').count();
    text.split_inclusive('\n').skip(1).map(move |line| {
        let mut fields = line.strip_suffix('\n')?.split(',');
        let generation = fields.next()?.parse().ok()?;
        (fields.count() + 1 == columns).then_some((generation, line))
    })
}

/// The chromosome that a generation names and the best fitness, as `history.csv` records them; an error says
/// what is wrong with the file or that the generation is not in it.
pub fn best_of_generation(
    text: &str,
    generation: u32,
    settings: &Settings,
) -> Result<(Chromosome, u64), String> {
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let mut last = 0;
    for row in rows.records() {
        // An unterminated last line is one that is being written.
        let Ok(row) = row else { break };
        if row.get(0) != Some(&generation.to_string()) {
            last = last.max(row.get(0).and_then(|n| n.parse().ok()).unwrap_or(0));
            continue;
        }
        let field = |index| row.get(index).unwrap_or_default();
        let chromosome = settings.coding().read(field(5));
        let chromosome = chromosome.map_err(|e| format!("generation {generation}: {e}"))?;
        let fitness = field(1).parse();
        let fitness = fitness.map_err(|_| format!("generation {generation}: best is no number"))?;
        return Ok((chromosome, fitness));
    }
    Err(format!("generation {generation} is not recorded, the last one is {last}"))
}

/// What `best_chromosome` is in the rows of some generations, as far as they can be read.
pub fn best_of_some(
    text: &str,
    settings: &Settings,
    is_wanted: impl Fn(u32) -> bool,
) -> Vec<Champion> {
    let coding = settings.coding();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let champion = |row: csv::StringRecord| {
        let generation = row.get(0)?.parse().ok().filter(|it| is_wanted(*it))?;
        Some(Champion { generation, chromosome: coding.read(row.get(5)?).ok()? })
    };
    rows.records().map_while(Result::ok).filter_map(champion).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_follow_each_other_are_good() {
        let good = |text: &str| good_rows(text, "generation,best,mean\n").concat();
        assert_eq!(good(""), "");
        assert_eq!(good("generation,best,mean\n1,2,3\n2,3,4\n"), "1,2,3\n2,3,4\n");
        assert_eq!(good("?\n1,2,3\n2,3,4"), "1,2,3\n");
        assert_eq!(good("\n1,2,3\n2,3\n3,4,5\n"), "1,2,3\n");
        assert_eq!(good("\n1,2,3\n3,4,5\n"), "1,2,3\n");
        assert_eq!(good("\n1,2,3\n1,2,3\n2,3,4\n"), "1,2,3\n");
        assert_eq!(good("\n1,2,3\nx,3,4\n"), "1,2,3\n");
    }

    #[test]
    fn totals_go_as_far_as_the_tables_do() {
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
        // After a gap the cost is unknown.
        let found = with("1,5000,1800,4\n3,7,900,4\n");
        assert_eq!(found.iter().map(|it| it.nodes).collect::<Vec<_>>(), [Some(5000), None, None]);
        assert_eq!(totals("", ""), []);
    }

    #[test]
    fn costs_that_are_known_are_kept() {
        let text = format!("{COST_HEADER}1,2,3,4\n5,6\n3,4,5,6\n2,3,4,5\n4,5,6,7\n5,6,7,8\n6");
        assert_eq!(known_rows(&text, COST_HEADER, 4), ["1,2,3,4\n", "3,4,5,6\n", "4,5,6,7\n"]);
    }
}
