use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::Pentanomial;
use clap::Args;
use mancala::eval::GateTest;

use super::progress::{Leaving, Watch};
use super::{print_json, usage};
use crate::app::champion::{Candidates, NoChoice};
use crate::results::{AgainstOpponent, ChampionChoice, RankedFinalist, Score};
use crate::terminal::meter::{counted, grouped};
use crate::terminal::workers::Workers;
use crate::terminal::{shell, shown, warn};
use evolve::run::{Event, Observer, Part, StopPolicy, Summary, Watched};

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
games are used up. The probability that a finalist is behind the winner is nominal: it is tested after every \
round, and so is too high. The winner then plays the champion that passed the last gate, and replaces it only if it is \
shown to be stronger. The champion plays the panel, and champion.json is written.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let candidates = Candidates::of(&arguments.folder).map_err(choice_error)?;
    for what in &candidates.passed_over {
        warn(format!("{what}; an older checkpoint is used"));
    }
    for what in &candidates.damages {
        warn(what);
    }
    let games = candidates.games(arguments.games).map_err(choice_error)?;
    let settings = &candidates.settings;
    if games < settings.finalist_games {
        warn(format!(
            "fewer games than the finalist_games of this run, {}: the choice owes more to luck",
            grouped(settings.finalist_games.into())
        ));
    }
    let stop = Leaving::listen("stopping")?.guard(StopPolicy::new(None));
    let verbosity = arguments.workers.verbosity();
    let mut watch = Watch::new(&stop, settings, candidates.generation, verbosity);
    watch.observe(&Event::Begins(Part::Finals))?;
    let bar = watch.bar();
    let watched = Watched { progress: &*bar, stop: &stop };
    let chosen = arguments.workers.pool()?.install(|| candidates.choose(games, &watched));
    watch.finish();
    let Some(found) = chosen? else {
        writeln!(out, "interrupted; champion.json is unchanged; go on with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        print_json(&found, out)?;
    } else {
        print(&found, out)?;
        say_findings(&Summary::of(candidates.folder.path())?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A choice that cannot be made, in terms of the command line.
fn choice_error(error: NoChoice) -> anyhow::Error {
    match error {
        NoChoice::NoGeneration(_) => usage(error),
        NoChoice::TooFew { games, least, finalists } => usage(format!(
            "--games is {games}: give {} or more, so that all of {finalists} finalists meet",
            grouped(least)
        )),
        error => error.into(),
    }
}

fn print(found: &ChampionChoice, out: &mut dyn Write) -> anyhow::Result<()> {
    let games = counted(found.games, "game");
    writeln!(out, "{} in {games}\n", counted(found.ranking.len() as u64, "finalist"))?;
    writeln!(out, "  #   score   games  behind the winner  finalist")?;
    for (place, RankedFinalist { finalist, score, games, behind, .. }) in (1..).zip(&found.ranking)
    {
        let games = grouped(*games);
        let behind = match place {
            1 => "-".to_owned(),
            _ => format!("{:.1} % nominal", 100.0 * behind),
        };
        writeln!(out, "{place:>3}   {score:.3} {games:>7}  {behind:>17}  {finalist}")?;
    }
    let generation = found.provenance.as_ref().map_or(0, |it| it.generation);
    let is_kept = found.gate.first().is_some_and(|it| it.against == generation);
    let kept = if is_kept { ", since the winner did not pass the gate" } else { "" };
    writeln!(out, "\nchampion: that of generation {generation}{kept}")?;
    say_gate(&found.gate, out)?;
    say_strength(&found.strength, out)
}

/// Prints the tests of a gate, a line each.
pub(crate) fn say_gate(tests: &[GateTest], out: &mut dyn Write) -> anyhow::Result<()> {
    for GateTest { against, limits, pairs, decision, test, .. } in tests {
        let pairs = Pentanomial::of_counts(*pairs);
        let (score, games) = (pairs.score().unwrap_or(0.5), counted(2 * pairs.pairs(), "game"));
        writeln!(
            out,
            "gate: {score:.3} in {games} at {} against the champion of generation {against} ({}: {})",
            shown(limits),
            shown(test),
            shown(decision)
        )?;
    }
    Ok(())
}

/// What weights scored, if it was measured, a line an opponent.
pub(crate) fn say_strength(
    strength: &[AgainstOpponent],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for it in strength {
        let Score { score, score_ci95: (low, high) } = it.score;
        writeln!(out, "  {score:.3} ({low:.3} to {high:.3}) against {}", shown(&it.opponent))?;
    }
    if let Some(first) = strength.first() {
        writeln!(
            out,
            "  in {} each, openings {}",
            counted(first.games, "game"),
            shown(&first.openings)
        )?;
    }
    Ok(())
}

/// What a user should know of a run that its fitness does not show.
pub(crate) fn say_findings(run: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    for finding in run.findings() {
        writeln!(out, "note: {finding}")?;
    }
    Ok(())
}
