mod tables;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use self::tables::Results;
use super::super::terminal::{fail, shown};
use super::super::workers::Workers;
use super::super::{print_json, usage};
use super::watch::{Watch, say_going_on};
use crate::report::{self, PrintedCharts};
use crate::results::{FigureAgreement, KansasStudy, Reproduced};
use crate::study::{Unfinished, kansas};
use mancala::progress::{Part, Progress};
use mancala::store;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder for the tables and the picture
    #[arg(long, value_name = "DIR", default_value = "kansas")]
    out: PathBuf,
    /// Games of each combination against the random player, half of them begun by it
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(2..=20_000))]
    games: u32,
    /// Plies that combinations look ahead against the random player
    #[arg(long, value_name = "N", default_value_t = kansas::LOOK_AHEAD, value_parser = clap::value_parser!(u32).range(1..=20))]
    lookahead: u32,
    /// Seed of the random player
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON: how many rows come out as printed, and how far the rest agrees
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The folder gets round-robin.csv (63 combinations, 124 games each), look-ahead.csv, random.csv (64 \
combinations against a random player: shares with Wilson's 95 % interval, means with standard errors) \
and kansas.png, all with the report's \
printed figures beside ours; charts.png draws the report's charts anew. Round robin and look-ahead table are \
deterministic; the report's own look-ahead of 9 plies is theirs. An interrupted study goes on where it stopped.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if !arguments.games.is_multiple_of(2) {
        let games = arguments.games;
        return Err(usage(format!(
            "--games {games} is odd: half of them are begun by either side"
        )));
    }
    check_folder(&arguments.out)?;
    let watch = watch(arguments)?;
    let pool = arguments.workers.pool()?;
    let mut folder = Folder::new(&arguments.out);
    say_going_on(&folder.unfinished, arguments.workers.verbosity());
    let found = pool.install(|| play(arguments, &watch, &mut folder));
    watch.finish();
    let Some(results) = found? else {
        fail(format!("interrupted: {}", folder.state()));
        return Ok(ExitCode::from(130));
    };
    folder.unfinished.remove()?;
    let picture = arguments.out.join("kansas.png");
    report::plot_kansas(&arguments.out, &picture)?;
    let charts = arguments.out.join("charts.png");
    report::plot_kansas_charts(&arguments.out, &printed_charts(), &charts)?;
    if arguments.json {
        print_json(&study(arguments, &results), out)?;
    } else {
        tables::print(&results, out)?;
        writeln!(out, "\nwrote the tables, {} and {}", shown(&picture), shown(&charts))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the charts show beside the tables.
fn printed_charts() -> PrintedCharts {
    let standings = kansas::figure_10().into_iter().map(|(it, shares)| (it.to_string(), shares));
    PrintedCharts { counts: kansas::counted(0.9987), standings: standings.collect() }
}

/// Makes the folder before minutes of play, whose results are to be written there.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    store::create_folder(folder)?;
    report::check_place(&folder.join("kansas.png"))?;
    let probe = folder.join(".written");
    store::replace(&probe, b"")?;
    Ok(store::remove(&probe)?)
}

/// The tables, in the order in which they are played.
const TABLES: [&str; 3] = ["look-ahead.csv", "round-robin.csv", "random.csv"];

/// Where the tables are left, each as soon as it is whole, and the games of the others.
struct Folder<'a> {
    path: &'a Path,
    /// Those that are whole.
    written: Vec<&'static str>,
    /// What there is of the others.
    unfinished: Unfinished,
}

impl Folder<'_> {
    fn new(path: &Path) -> Folder<'_> {
        Folder { path, written: Vec::new(), unfinished: Unfinished::below(path, "kalah") }
    }

    fn keep(&mut self, text: &str) -> anyhow::Result<()> {
        let name = TABLES[self.written.len()];
        store::replace(&self.path.join(name), text.as_bytes())?;
        self.written.push(name);
        Ok(())
    }

    /// What an interruption left.
    fn state(&self) -> String {
        let (path, written) = (shown(self.path), &self.written);
        let missing = TABLES[written.len()..].join(", ");
        let whole = match written.is_empty() {
            true => format!("{path} has no table yet"),
            false => format!("{path} has {}; not written: {missing}", written.join(", ")),
        };
        format!("{whole}; the same command goes on there")
    }
}

/// `None` if the progress stopped it.
fn play(
    arguments: &Arguments,
    progress: &dyn Progress,
    folder: &mut Folder,
) -> anyhow::Result<Option<Results>> {
    let &Arguments { games, lookahead, seed, .. } = arguments;
    let parts = games_of_parts(arguments);
    let part = |part: usize| {
        let before = parts[..part].iter().sum();
        Part { whole: progress, before, of: parts.iter().sum() }
    };
    let kept = folder.unfinished.clone();
    let Some(look_ahead) = kansas::look_ahead(&kept, &part(0))? else { return Ok(None) };
    folder.keep(&kansas::look_ahead_csv(&look_ahead))?;
    let Some(standings) = kansas::round_robin(&kept, &part(1))? else { return Ok(None) };
    folder.keep(&kansas::round_robin_csv(&standings))?;
    let fared = kansas::against_random(games, lookahead, seed, &kept, &part(2))?;
    let Some(fared) = fared else { return Ok(None) };
    folder.keep(&kansas::random_csv(&fared))?;
    Ok(Some(Results { standings, look_ahead, fared }))
}

fn study(arguments: &Arguments, results: &Results) -> KansasStudy {
    let [round_robin, look_ahead] = tables::as_printed(results);
    let agreement = kansas::agreement(&results.fared);
    let by_figure = agreement.iter().map(|it| (it.figure.name().into(), FigureAgreement::from(it)));
    KansasStudy {
        games: arguments.games,
        lookahead: arguments.lookahead,
        seed: arguments.seed,
        round_robin: Reproduced { rows: results.standings.len(), as_printed: round_robin },
        look_ahead: Reproduced { rows: results.look_ahead.len(), as_printed: look_ahead },
        random: by_figure.collect(),
    }
}

fn watch(arguments: &Arguments) -> anyhow::Result<Watch> {
    Watch::new(games_of_parts(arguments).iter().sum(), arguments.workers.verbosity())
}

/// Games of the look-ahead table, of the round robin, and against the random player.
fn games_of_parts(arguments: &Arguments) -> [u64; 3] {
    let look_ahead = 2 * kansas::printed_look_ahead().len() as u64;
    [look_ahead, kansas::round_robin_games(), 64 * u64::from(arguments.games)]
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// Stops after so many games.
    struct StopAfter(AtomicU64);

    impl Progress for StopAfter {
        fn advance(&self, _done: u64, _of: u64) {
            self.0.fetch_sub(1, Ordering::Relaxed);
        }

        fn should_stop(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn what_was_whole_is_kept() {
        let temporary = tempfile::tempdir().unwrap();
        let arguments = Line::parse_from(["kalah"]).arguments;
        let look_ahead = 2 * kansas::printed_look_ahead().len() as u64;
        // The third goes on where the second stopped.
        for (games, kept) in [(0, 0), (look_ahead, 1), (0, 1)] {
            let mut folder = Folder::new(temporary.path());
            let stop = StopAfter(games.into());
            assert!(play(&arguments, &stop, &mut folder).unwrap().is_none());
            assert_eq!(folder.written, TABLES[..kept]);
            for (place, name) in TABLES.iter().enumerate() {
                assert_eq!(temporary.path().join(name).exists(), place < kept, "{name}");
                assert_eq!(folder.state().contains(name), kept > 0, "{name}");
            }
        }
    }
}
