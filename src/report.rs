//! `ayo report`: writes a page that shows whether runs improved, whether that's significant, and what to do next.

mod diagnosis;
mod gather;
mod page;
mod picture;
mod result;
mod showcase;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use evolve::run::{CROSS_GAMES, REPORT, argument};
use mancala::progress::Progress;
use mancala::store;

use crate::terminal::{
    Interrupt, ShownProgress, Workers, grouped, print_json, shell, shown, time_limit, usage,
};

/// The files that a report adds to a run folder. They aren't needed to resume the run.
pub(crate) const FILES: [&str; 3] = [REPORT, CROSS_GAMES, diagnosis::FILE];
/// The maximum number of runs in a report. More would make the page too large.
const MAX_RUNS: usize = 5;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Run folders
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Page to write, as HTML [default: report.html in the run folder, if there is one run]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Time for games between champions. The games are stored in the run folder, and the next report continues them
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "5m")]
    games_time: Duration,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, and write no page unless --output is given
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The page is a single file that needs no network. \"ayo train\" and \"ayo resume\" write it at the end of a \
run unless --report off is given. docs/report.md explains its parts.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { runs, output, games_time, workers, json } = arguments;
    if runs.len() > MAX_RUNS {
        return Err(usage(format!("at most {MAX_RUNS} runs fit in a report, not {}", runs.len())));
    }
    let is_page =
        |path: &PathBuf| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("html"));
    let page = match (output, runs.as_slice()) {
        (Some(path), _) if !is_page(path) => {
            let path = shown(path);
            return Err(usage(format!("--output {path}: the name must end in .html")));
        }
        (Some(path), _) => Some(path.clone()),
        (None, _) if *json => None,
        (None, [run]) => Some(run.join(REPORT)),
        (None, _) => return Err(usage("--output: several runs need a file, such as report.html")),
    };
    let interrupt = Interrupt::listen()?;
    let progress = ShownProgress::new(0, workers.verbosity, &interrupt, |done, of, left| {
        format!("games between champions: {} of {}{left}", grouped(done), grouped(of))
    });
    let report = workers.pool()?.install(|| gather::report(runs, *games_time, &progress));
    progress.finish();
    let report = report?;
    if let Some(path) = &page {
        let page = page::page(&report)?;
        match output {
            Some(_) => store::write_output(path, page.as_bytes())?,
            // We replace a symbolic link in a run folder instead of following it.
            None => store::replace(path, page.as_bytes())?,
        }
    }
    if *json {
        print_json(&report, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    for (run, folder) in report.runs.iter().zip(runs) {
        writeln!(out, "{}: {}", shown(&run.name), run.headline)?;
        run.findings.iter().try_for_each(|it| writeln!(out, "note: {}", shown(it)))?;
        if !run.of_games.has_all_games {
            let more = shell::command(&["report", &argument(folder)]);
            writeln!(out, "note: \"{more}\" plays the remaining games between champions")?;
        }
    }
    if let Some(path) = &page {
        writeln!(out, "wrote {}", shown(path))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Renders the page of a run from the files in the run folder, without playing games.
///
/// # Errors
/// If there is no run, or if one of its files cannot be read.
pub fn page_of(folder: &Path) -> anyhow::Result<String> {
    page::page(&gather::report(&[folder.to_owned()], Duration::ZERO, &())?)
}

/// Returns how much time the report should spend on games, given that the run took `time`. This is 5 % of `time` or,
/// for runs of up to an hour, 10 % but at most 20 seconds. For runs of a few seconds, it's zero.
pub(crate) fn games_time(time: Duration) -> Duration {
    const HOUR: Duration = Duration::from_secs(3600);
    const MAX: Duration = Duration::from_secs(20);
    const MIN: Duration = Duration::from_millis(500);
    match time {
        _ if time > HOUR => time / 20,
        _ if time / 10 < MIN => Duration::ZERO,
        _ => (time / 10).min(MAX),
    }
}

/// Writes the report of a run to the run folder and returns the path. At most `time` is spent on games.
pub(crate) fn write_at_end(
    folder: &Path,
    time: Duration,
    progress: &dyn Progress,
) -> anyhow::Result<PathBuf> {
    let report = gather::report(&[folder.to_owned()], time, progress)?;
    let path = folder.join(REPORT);
    store::replace(&path, page::page(&report)?.as_bytes())?;
    Ok(path)
}
