//! `ayo champion`: selects the champion of a run again, by games between finalists.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::LocalGames;
use clap::Args;
use evolve::run::{
    ChampionSelection, Event, Finalist, Observer, Part, RunFolder, SelectedChampion, Settings,
    StopFile, StopPolicy, Summary, Watched, finalists, least_games, watch_stop_file,
};
use mancala::eval::{GateTest, Provenance};
use mancala::store;
use serde::Serialize;

use super::progress::{Interruption, RunDisplay};
use super::report::{print_findings, print_gate, print_strength};
use super::strength::{AgainstOpponent, against};
use crate::terminal::error::usage;
use crate::terminal::meter::{counted, grouped};
use crate::terminal::output::print_json;
use crate::terminal::workers::Workers;
use crate::terminal::{shell, warn};

/// Games of a run whose settings ask for no final games.
const DEFAULT_GAMES: u32 = 20_000;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
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
Finalists are the champion and the fittest of the last generation, and past champions. They play from openings \
that neither training nor measurements use, until the winner is clear or the games are used up. The probability \
that a finalist is behind the winner is nominal: it is tested after every round, which makes it too high. The winner \
then plays the champion that passed the last gate, and replaces it only if it proves stronger. The champion is \
measured against the panel, and champion.json is written.";

/// The result of the selection.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "champion")]
struct ChampionResult {
    /// Games played between the finalists.
    games: u64,
    /// The finalists, the winner first.
    ranking: Vec<RankedFinalist>,
    /// The tests of the winner against the champion before; empty if there was none, or it is the winner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gate: Vec<GateTest>,
    /// The weights of the champion: the winner, or the champion before if the winner did not pass the gate.
    weights: Vec<i32>,
    provenance: Option<Provenance>,
    strength: Vec<AgainstOpponent>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct RankedFinalist {
    finalist: String,
    /// The weights in the order of the features.
    weights: Vec<i32>,
    score: f64,
    games: u64,
    /// Probability that the winner is stronger.
    behind: f64,
}

impl ChampionResult {
    fn of(finalists: &[Finalist], selected: &SelectedChampion) -> ChampionResult {
        let ranking = selected.ranking.iter().map(|it| RankedFinalist {
            finalist: finalists[it.finalist].name.clone(),
            weights: finalists[it.finalist].weights.values().to_vec(),
            score: it.score,
            games: it.games,
            behind: it.behind,
        });
        ChampionResult {
            games: selected.games,
            ranking: ranking.collect(),
            gate: selected.gate.clone(),
            weights: selected.champion.values().to_vec(),
            provenance: selected.champion.provenance.clone(),
            strength: against(&selected.champion.strength),
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut resumed = RunFolder::resume(&arguments.folder, None)?;
    let (trainer, settings) = (&resumed.trainer, resumed.trainer.settings());
    if trainer.generation() == 0 {
        let folder = resumed.folder.path().display();
        return Err(usage(format!(
            "{folder} has no generation yet: there is nothing to choose from"
        )));
    }
    for reason in &resumed.skipped {
        warn(format!("{reason}; an older checkpoint is used"));
    }
    resumed.damages.iter().for_each(warn);
    let history = store::read_text(&resumed.folder.path().join("history.csv"))?;
    let finalists = finalists(trainer, &history, resumed.folder.champion());
    let games = games(arguments.games, settings, finalists.len())?;
    let stop = Interruption::listen("stopping")?.guard(StopPolicy::new(None));
    let verbosity = arguments.workers.verbosity();
    let mut display = RunDisplay::new(&stop, settings, trainer.generation(), verbosity);
    display.observe(&Event::Begins(Part::Finals));
    let bar = display.bar();
    let progress = Watched { progress: &*bar, stop: &stop };
    let before = resumed.folder.champion();
    let selection =
        ChampionSelection { settings, finalists: &finalists, before, games: games.into() };
    let select = || selection.select(&LocalGames::new(), &progress.at_once(), &mut || ());
    let pool = arguments.workers.pool()?;
    let file = StopFile::of(resumed.folder.path());
    let selected = pool.install(|| watch_stop_file(&file, || stop.request(), || (), select));
    display.finish();
    let Some(selected) = selected else {
        writeln!(out, "interrupted; champion.json is unchanged; continue with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(ExitCode::from(130));
    };
    resumed.folder.observe(&Event::ChampionSelected(&selected.champion))?;
    let result = ChampionResult::of(&finalists, &selected);
    if arguments.json {
        print_json(&result, out)?;
    } else {
        print(&result, out)?;
        print_findings(&Summary::of(resumed.folder.path())?, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of games, in which all finalists must be able to play each other.
fn games(requested: Option<u32>, settings: &Settings, finalists: usize) -> anyhow::Result<u32> {
    let (own, least) = (settings.finalist_games, least_games(finalists));
    let Some(games) = requested else { return Ok(if own > 0 { own } else { DEFAULT_GAMES }) };
    if u64::from(games) < least {
        return Err(usage(format!(
            "--games is {games}: give {} or more, so that all of {finalists} finalists meet",
            grouped(least)
        )));
    }
    if games < own {
        warn(format!(
            "fewer games than the finalist_games of this run, {}: the choice owes more to luck",
            grouped(own.into())
        ));
    }
    Ok(games)
}

fn print(result: &ChampionResult, out: &mut dyn Write) -> anyhow::Result<()> {
    let games = counted(result.games, "game");
    writeln!(out, "{} in {games}\n", counted(result.ranking.len() as u64, "finalist"))?;
    writeln!(out, "  #   score   games  behind the winner  finalist")?;
    for (place, it) in (1..).zip(&result.ranking) {
        let (games, RankedFinalist { finalist, score, behind, .. }) = (grouped(it.games), it);
        let behind = match place {
            1 => "-".to_owned(),
            _ => format!("{:.1} % nominal", 100.0 * behind),
        };
        writeln!(out, "{place:>3}   {score:.3} {games:>7}  {behind:>17}  {finalist}")?;
    }
    let generation = result.provenance.as_ref().map_or(0, |it| it.generation);
    let is_kept = result.gate.first().is_some_and(|it| it.against == generation);
    let kept = if is_kept { ", since the winner did not pass the gate" } else { "" };
    writeln!(out, "\nchampion: that of generation {generation}{kept}")?;
    print_gate(&result.gate, out)?;
    print_strength(&result.strength, out)
}
