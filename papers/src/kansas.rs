//! The Kalah study by Gifford, Bley, Ajayi and Thompson (2008, University of Kansas, ITTC-FY2009-TR-03050-03), which
//! looks for the combination of heuristics that plays strongest.
//!
//! Two parts of the study are deterministic, so we compare them exactly. We compare the games against a random player
//! statistically.

mod against_random;
mod findings;
mod games;
mod more;
mod pictures;
mod printed;
mod round_robin;
mod statistics;
mod tables;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ayo::plot;
use clap::Args;
use mancala::progress::{Part, Progress};
use mancala::store;
use serde::{Serialize, Serializer};

use self::against_random::{AgainstRandom, against_random};
use self::findings::{Agreement, LookAhead, agreement, look_ahead};
pub use self::findings::{look_ahead_findings, random_findings};
pub use self::more::findings as more_findings;
use self::printed::printed_look_ahead;
pub use self::round_robin::round_robin_findings;
use self::round_robin::{RoundRobin, round_robin, round_robin_games};
use crate::pairing::report_resume;
use crate::partial::{PartialResults, StudyError};
use crate::terminal::{ProgressDisplay, WorkOptions, fail, print_json, shown, usage};

/// The search depth used in the report.
const LOOK_AHEAD: u32 = 9;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder for tables and pictures
    #[arg(long, value_name = "DIR", default_value = "kansas")]
    out: PathBuf,
    /// Games per combination against the random player; each side starts half of them
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(2..=20_000))]
    games: u32,
    /// Search depth of the combinations when playing the random player
    #[arg(long, value_name = "N", default_value_t = LOOK_AHEAD, value_parser = clap::value_parser!(u32).range(1..=20))]
    lookahead: u32,
    /// Seed of the random player
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    work: WorkOptions,
    /// Print JSON: how many rows match the printed ones, and how well the others agree
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Writes round-robin.csv (63 combinations, 124 games each), look-ahead.csv, random.csv (64 combinations \
against a random player: shares with Wilson's 95 % interval, means with standard errors) and kansas.png, all \
with the printed figures next to ours; charts.png repeats the charts of the report. Round robin (9 plies, as in \
the report) and look-ahead table are deterministic. An interrupted study resumes.";

/// The results of all games.
struct Results {
    standings: Vec<RoundRobin>,
    look_ahead: Vec<LookAhead>,
    against_random: Vec<AgainstRandom>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { out: path, games, work, .. } = arguments;
    if !games.is_multiple_of(2) {
        return Err(usage(format!("--games {games} is odd; each side begins half of the games")));
    }
    check_folder(path)?;
    let display = ProgressDisplay::new("game", work.quiet)?;
    let mut folder = Folder::new(path);
    report_resume(&folder.partial, work.quiet);
    let found = work.pool()?.install(|| play(arguments, &display, &mut folder));
    display.finish();
    let Some(results) = found? else {
        fail(format!("interrupted: {}", folder.state()));
        return Ok(ExitCode::from(130));
    };
    folder.partial.remove()?;
    let [picture, charts] = ["kansas.png", "charts.png"].map(|name| path.join(name));
    pictures::comparison(&results).write(&picture)?;
    pictures::charts(&results).write(&charts)?;
    if arguments.json {
        print_json(&KansasStudy::new(arguments, &results), out)?;
    } else {
        tables::print(&results, out)?;
        writeln!(out, "\nwrote the tables, {} and {}", shown(&picture), shown(&charts))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates the folder and checks that we can write to it, so that we don't fail after a long computation.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    store::create_folder(folder)?;
    plot::check_place(&folder.join("kansas.png"))?;
    let probe = folder.join(".written");
    store::replace(&probe, b"")?;
    Ok(store::remove(&probe)?)
}

/// The tables, in the order in which their games are played.
const TABLES: [&str; 3] = ["look-ahead.csv", "round-robin.csv", "random.csv"];

/// The output folder. A table is written as soon as it is complete. Until then, its games are saved in parts.
struct Folder<'a> {
    path: &'a Path,
    /// The number of tables written so far.
    written: usize,
    partial: PartialResults,
}

impl Folder<'_> {
    fn new(path: &Path) -> Folder<'_> {
        Folder { path, written: 0, partial: PartialResults::below(path, "kalah") }
    }

    fn write(&mut self, text: &str) -> Result<(), StudyError> {
        store::replace(&self.path.join(TABLES[self.written]), text.as_bytes())?;
        self.written += 1;
        Ok(())
    }

    /// Describes the contents of the folder after an interruption.
    fn state(&self) -> String {
        let (written, missing) = TABLES.split_at(self.written);
        let (path, missing) = (shown(self.path), missing.join(", "));
        let tables = match written {
            [] => format!("{path} has no table yet"),
            _ => format!("{path} has {}; not written: {missing}", written.join(", ")),
        };
        format!("{tables}; the same command resumes there")
    }
}

/// Plays all games. Returns `None` if interrupted.
fn play(
    arguments: &Arguments,
    progress: &dyn Progress,
    folder: &mut Folder,
) -> Result<Option<Results>, StudyError> {
    let &Arguments { games, lookahead, seed, .. } = arguments;
    let of_look_ahead = 2 * printed_look_ahead().len() as u64;
    let before = of_look_ahead + round_robin_games();
    let of = before + 64 * u64::from(games);
    let part = |before| Part { whole: progress, before, of };
    let partial = folder.partial.clone();
    let Some(look_ahead) = look_ahead(&partial, &part(0))? else { return Ok(None) };
    folder.write(&tables::look_ahead_csv(&look_ahead))?;
    let standings = round_robin(&partial, &part(of_look_ahead))?;
    let Some(standings) = standings else { return Ok(None) };
    folder.write(&tables::round_robin_csv(&standings))?;
    let against_random = against_random(games, lookahead, seed, &partial, &part(before))?;
    let Some(against_random) = against_random else { return Ok(None) };
    folder.write(&tables::random_csv(&against_random))?;
    Ok(Some(Results { standings, look_ahead, against_random }))
}

/// The result as JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "kansas")]
struct KansasStudy {
    games: u32,
    lookahead: u32,
    seed: u64,
    round_robin: Reproduced,
    look_ahead: Reproduced,
    /// For each figure, how well the games against the random player agree with the report.
    #[serde(serialize_with = "by_figure")]
    random: Vec<Agreement>,
}

/// The number of rows in a table, and how many of these match the printed rows.
#[derive(Serialize)]
struct Reproduced {
    rows: usize,
    as_printed: usize,
}

impl KansasStudy {
    fn new(&Arguments { games, lookahead, seed, .. }: &Arguments, results: &Results) -> Self {
        let [round_robin, look_ahead] = tables::as_printed(results);
        let rows = results.standings.len();
        let round_robin = Reproduced { rows, as_printed: round_robin };
        let look_ahead = Reproduced { rows: results.look_ahead.len(), as_printed: look_ahead };
        let random = agreement(&results.against_random);
        KansasStudy { games, lookahead, seed, round_robin, look_ahead, random }
    }
}

fn by_figure<S: Serializer>(agreement: &[Agreement], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(agreement.iter().map(|it| (it.figure.name(), it)))
}
