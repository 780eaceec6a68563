mod tables;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::super::meter::Verbosity;
use super::super::{pool, usage};
use super::watch::Watch;
use crate::study::kansas::{self, AgainstRandom, LookAhead, Standing};
use crate::{report, store};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder for the tables and the picture
    #[arg(long, value_name = "DIR", default_value = "kansas")]
    out: PathBuf,
    /// Games of each combination against the random player, half of them begun by it
    #[arg(long, value_name = "N", default_value_t = 800, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// Plies that combinations look ahead against the random player
    #[arg(long, value_name = "N", default_value_t = kansas::LOOK_AHEAD, value_parser = clap::value_parser!(u32).range(1..=20))]
    lookahead: u32,
    /// Seed of the random player
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads that play games [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print JSON: how many rows come out as printed, and the rank correlations
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The folder gets round-robin.csv (63 combinations, 124 games each), look-ahead.csv, random.csv (64 \
combinations against a random player, with standard errors) and kansas.png, all with the report's \
printed figures beside ours. Round robin and look-ahead table are deterministic; the report's own \
look-ahead of 9 plies is theirs.";

/// All that was played.
struct Results {
    standings: Vec<Standing>,
    look_ahead: Vec<LookAhead>,
    fared: Vec<AgainstRandom>,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if !arguments.games.is_multiple_of(2) {
        let games = arguments.games;
        return Err(usage(format!(
            "--games {games} is odd: half of them are begun by either side"
        )));
    }
    check_folder(&arguments.out)?;
    let watch = watch(arguments)?;
    let pool = pool(arguments.threads)?;
    let found = pool.install(|| play(arguments, &watch));
    watch.finish();
    let Some(results) = found else {
        let _ = writeln!(
            std::io::stderr(),
            "ayo: interrupted: nothing is written before all games are played"
        );
        return Ok(ExitCode::from(130));
    };
    let picture = arguments.out.join("kansas.png");
    write(&results, &arguments.out)?;
    report::plot_kansas(&arguments.out, &picture)?;
    if arguments.json {
        writeln!(out, "{:#}", as_json(arguments, &results))?;
    } else {
        tables::print(&results, out)?;
        writeln!(out, "\nwrote the tables and {}", picture.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the folder; what comes of minutes of play must not fail to be written there.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    report::check_place(&folder.join("kansas.png"))?;
    let probe = folder.join(".written");
    store::replace(&probe, b"")?;
    fs::remove_file(&probe).with_context(|| format!("cannot remove {}", probe.display()))
}

fn play(arguments: &Arguments, watch: &Watch) -> Option<Results> {
    let &Arguments { games, lookahead, seed, .. } = arguments;
    Some(Results {
        look_ahead: kansas::look_ahead(watch)?,
        standings: kansas::round_robin(watch)?,
        fared: kansas::against_random(games, lookahead, seed, watch)?,
    })
}

fn write(results: &Results, folder: &Path) -> anyhow::Result<()> {
    let files = [
        ("round-robin.csv", kansas::round_robin_csv(&results.standings)),
        ("look-ahead.csv", kansas::look_ahead_csv(&results.look_ahead)),
        ("random.csv", kansas::random_csv(&results.fared)),
    ];
    for (name, text) in files {
        store::replace(&folder.join(name), text.as_bytes())?;
    }
    Ok(())
}

fn as_json(arguments: &Arguments, results: &Results) -> serde_json::Value {
    let [round_robin, look_ahead] = tables::as_printed(results);
    let correlations = tables::correlations(results);
    let correlations: serde_json::Map<String, serde_json::Value> = correlations
        .into_iter()
        .map(|(name, correlation)| (name.replace([' ', '-'], "_"), json!(correlation)))
        .collect();
    json!({
        "kind": "kansas",
        "games": arguments.games,
        "lookahead": arguments.lookahead,
        "seed": arguments.seed,
        "round_robin": { "rows": results.standings.len(), "as_printed": round_robin },
        "look_ahead": { "rows": results.look_ahead.len(), "as_printed": look_ahead },
        "rank_correlations": correlations,
    })
}

fn watch(arguments: &Arguments) -> anyhow::Result<Watch> {
    let look_ahead = 2 * kansas::printed_look_ahead().len() as u64;
    let all = kansas::round_robin_games() + look_ahead + 64 * u64::from(arguments.games);
    let verbosity = if arguments.quiet { Verbosity::Quiet } else { Verbosity::Shown };
    Watch::new(all, verbosity)
}
