//! The rows of `history.csv` and `cost.csv`.

use std::path::Path;

use super::genome::Chromosome;
use super::settings::Settings;
use super::statistics::Statistics;
use super::trainer::{Cost, Evaluated};
use crate::store::{self, FileError};

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
pub(super) fn header(settings: &Settings) -> String {
    column_names(settings).join(",") + "\n"
}

/// The line of `history.csv` for one generation. Four decimals are more than any of it is worth and
/// are the same on every machine.
pub(super) fn row(evaluated: &Evaluated, statistics: &Statistics) -> String {
    let s = statistics;
    let chromosome = evaluated.best().0.to_hex();
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
pub(super) const COST_HEADER: &str = "generation,nodes,seconds,games_per_second\n";

/// The line of `cost.csv` for one generation.
pub(super) fn cost_row(evaluated: &Evaluated, cost: Cost) -> String {
    let games = evaluated.games_played as f64;
    let rate = if cost.seconds > 0.0 { games / cost.seconds } else { 0.0 };
    format!("{},{},{:.4},{rate:.1}\n", evaluated.generation, cost.nodes, cost.seconds)
}

/// Whether the text of either file records nothing.
pub(super) fn is_only_a_header(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n');
    lines.next().is_none_or(|header| header.starts_with(b"generation,")) && lines.next().is_none()
}

/// Cuts a file of one header and one row a generation back to its first `generations` rows.
///
/// # Errors
/// `Ok(Err(rows))` if it holds fewer whole rows than that.
pub(super) fn cut(path: &Path, generations: u32) -> Result<Result<(), u32>, FileError> {
    let text = store::read_text(path)?;
    let lines: Vec<&str> = text.split_inclusive('\n').filter(|l| l.ends_with('\n')).collect();
    let wanted = generations as usize + 1;
    if lines.len() < wanted {
        return Ok(Err(lines.len().saturating_sub(1) as u32));
    }
    let kept = lines[..wanted].concat();
    if kept != text {
        store::replace(path, kept.as_bytes())?;
    }
    Ok(Ok(()))
}

/// The best chromosome of a generation and its fitness, as `history.csv` records them; an error says
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
        let chromosome = Chromosome::from_hex(field(5), settings.chromosome_bits());
        let chromosome = chromosome.map_err(|e| format!("generation {generation}: {e}"))?;
        let fitness = field(1).parse();
        let fitness = fitness.map_err(|_| format!("generation {generation}: best is no number"))?;
        return Ok((chromosome, fitness));
    }
    Err(format!("generation {generation} is not recorded, the last one is {last}"))
}
