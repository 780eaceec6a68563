use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::meter::{counted, grouped};
use super::progress::{Watch, leave_on_signals};
use super::usage;
use super::workers::Workers;
use crate::run::{
    Choice, Event, Finalist, Observer, Part, RunFolder, StopPolicy, Summary, Watched, choose,
    finalists, least_games,
};
use mancala::eval::Weights;
use mancala::store;

/// Games of a run whose settings ask for none.
const DEFAULT_GAMES: u32 = 20_000;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Games between the finalists at most [default: the run's finalist_games, or 20000 if that is 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: Option<u32>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Finalists are the champion and the fittest of the last generation, and champions of the past. They \
meet on openings that neither training nor measurements begin from, until the leader is clear or the \
games are used up. How likely a finalist is behind the winner is nominal: it is asked again after every \
round, and so is too high. Then the winner plays the panel on all openings, and champion.json is replaced.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let resumed = RunFolder::resume(&arguments.folder, None)?;
    for what in &resumed.passed_over {
        let _ = writeln!(std::io::stderr(), "ayo: {what}; an older checkpoint is used");
    }
    let (folder, trainer) = (resumed.folder, resumed.trainer);
    let settings = trainer.settings();
    if trainer.generation() == 0 {
        let path = folder.path().display();
        return Err(usage(format!("{path} has no generation yet: there is nobody to choose from")));
    }
    let history = store::read_text(&folder.path().join("history.csv"))?;
    let finalists = finalists(&trainer, &history);
    let default = Some(settings.finalist_games).filter(|&games| games > 0);
    let games = arguments.games.or(default).unwrap_or(DEFAULT_GAMES);
    if let Some(games) = arguments.games {
        check_games(games, finalists.len(), settings.finalist_games)?;
    }
    let stop = leave_on_signals(StopPolicy::new(None), "stopping")?;
    let verbosity = arguments.workers.verbosity();
    let mut watch = Watch::new(&stop, settings, trainer.generation(), verbosity);
    watch.observe(&Event::Begins(Part::Finals))?;
    let bar = watch.bar();
    let watched = Watched { progress: &*bar, stop: &stop };
    let pool = arguments.workers.pool()?;
    let chosen = pool.install(|| choose(settings, &finalists, games.into(), &watched.at_once()));
    watch.finish();
    let Some(choice) = chosen else {
        writeln!(out, "interrupted; champion.json is as it was")?;
        return Ok(ExitCode::from(130));
    };
    folder.replace_champion(&choice.champion)?;
    if arguments.json {
        print_json(&finalists, &choice, out)?;
    } else {
        print(&finalists, &choice, out)?;
        say_findings(&Summary::of(folder.path())?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether in so many games everybody can play; whoever asks for less than the run had is told.
fn check_games(games: u32, finalists: usize, of_run: u32) -> anyhow::Result<()> {
    let least = least_games(finalists);
    if u64::from(games) < least {
        return Err(usage(format!(
            "--games is {games}: give {} or more, so that all of {finalists} finalists meet",
            grouped(least)
        )));
    }
    if games < of_run {
        let _ = writeln!(
            std::io::stderr(),
            "ayo: fewer games than the finalist_games of this run, {}: the choice owes more to luck",
            grouped(of_run.into())
        );
    }
    Ok(())
}

fn print(finalists: &[Finalist], choice: &Choice, out: &mut dyn Write) -> anyhow::Result<()> {
    let games = counted(choice.games, "game");
    writeln!(out, "{} in {games}\n", counted(finalists.len() as u64, "finalist"))?;
    writeln!(out, "  #   score   games  behind the winner  finalist")?;
    for (place, standing) in (1..).zip(&choice.ranking) {
        let name = &finalists[standing.finalist].name;
        let games = grouped(standing.games);
        let behind = match place {
            1 => "-".to_owned(),
            _ => format!("{:.1} % nominal", 100.0 * standing.behind),
        };
        writeln!(out, "{place:>3}   {:.3} {games:>7}  {behind:>17}  {name}", standing.score)?;
    }
    writeln!(out)?;
    say_strength(&choice.champion, out)
}

fn print_json(finalists: &[Finalist], choice: &Choice, out: &mut dyn Write) -> anyhow::Result<()> {
    let ranking = choice.ranking.iter().map(|standing| {
        json!({
            "finalist": finalists[standing.finalist].name,
            "weights": finalists[standing.finalist].weights.values(),
            "score": standing.score,
            "games": standing.games,
            "behind": standing.behind,
        })
    });
    let found = json!({
        "kind": "champion",
        "games": choice.games,
        "ranking": ranking.collect::<Vec<_>>(),
        "weights": choice.champion.values(),
        "provenance": choice.champion.provenance,
        "strength": choice.champion.strength,
    });
    writeln!(out, "{found:#}")?;
    Ok(())
}

/// What weights scored, if it was measured, a line an opponent.
pub(super) fn say_strength(weights: &Weights, out: &mut dyn Write) -> anyhow::Result<()> {
    for it in &weights.strength {
        let (score, low, high) = (it.score, it.low, it.high);
        writeln!(out, "  {score:.3} ({low:.3} to {high:.3}) against {}", it.opponent)?;
    }
    if let Some(first) = weights.strength.first() {
        writeln!(out, "  in {} each, openings {}", counted(first.games, "game"), first.openings)?;
    }
    Ok(())
}

/// What a user should know of a run that its fitness does not show.
pub(super) fn say_findings(run: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    for finding in run.findings() {
        writeln!(out, "note: {finding}")?;
    }
    Ok(())
}
