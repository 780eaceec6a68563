//! `ayo select`: selects a run's champion again, by playing games between finalists.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use arena::LocalGames;
use clap::Args;
use evolve::optimise::unless_stopped;
use evolve::run::{
    ChampionSelection, Event, Finalist, GameRunner, Observer, RunFolder, SelectedChampion,
    Settings, StatusPart, StopFile, StopPolicy, Summary, Watched, finalists, least_games,
    watch_stop_file,
};
use mancala::store;
use serde_json::{Value, json};

use super::progress::{Interruption, RunDisplay};
use super::report::{print_findings, print_gate, print_strength};
use super::strength::against;
use crate::terminal::{Workers, counted, grouped, print_json, shell, usage, warn, without_empty};

/// The number of games if the run's settings request no final games.
const DEFAULT_GAMES: u32 = 20_000;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Maximum number of games between the finalists [default: the run's finalist_games, or 20000 if that is 0]. The
    /// gate plays up to 12000 more, and measuring the strength takes up to 2028 games per opponent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    games: Option<u32>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The finalists are the champion and the fittest members of the last generation, and past champions. They play from \
openings that are not used in training or strength measurements, until the winner is clear or the games are used up. \
The probability that a finalist is weaker than the winner is nominal: because it is tested after every round, it is \
too high. The winner then plays the champion that passed the last gate, and replaces it only if it is significantly \
stronger. Finally, the champion is measured against the panel, and champion.json is written.";

/// Describes the finalists (winner first), the winner's tests against the previous champion, and the resulting
/// champion, which is still the previous champion if the winner didn't pass these tests.
fn selection_json(finalists: &[Finalist], selected: &SelectedChampion) -> Value {
    let ranking = selected.ranking.iter().map(|it| {
        let Finalist { name, weights } = &finalists[it.finalist];
        json!({
            "finalist": name,
            "weights": weights.values(),
            "score": it.score,
            "games": it.games,
            "behind": it.behind,
        })
    });
    let champion = &selected.champion;
    let json = json!({
        "kind": "champion",
        "games": selected.games,
        "ranking": ranking.collect::<Vec<_>>(),
        "gate": selected.gate,
        "weights": champion.values(),
        "provenance": champion.provenance,
        "strength": against(&champion.strength),
    });
    without_empty(json, &["gate"])
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode> {
    let mut resumed = RunFolder::open(&arguments.folder)?;
    let (trainer, settings) = (&resumed.trainer, resumed.trainer.settings());
    if trainer.generation() == 0 {
        let folder = resumed.folder.path().display();
        return Err(usage(format!("{folder} has no generation to select from yet")));
    }
    for reason in &resumed.skipped {
        warn(format!("{reason}; using an older checkpoint"));
    }
    resumed.damages.iter().for_each(warn);
    let history = store::read_text(&resumed.folder.path().join("history.csv"))?;
    let finalists = finalists(trainer, &history, resumed.folder.champion());
    let games = games(arguments.games, settings, finalists.len())?;
    let stop = Interruption::listen("stopping")?.guard(StopPolicy::new(None));
    let verbosity = arguments.workers.verbosity;
    let display = RunDisplay::new(&stop, settings, trainer.generation(), verbosity);
    display.observe(&Event::Begins(StatusPart::Finals, None));
    let progress = Watched { progress: &display, stop: &stop };
    let before = resumed.folder.champion();
    let (folder, games) = (resumed.folder.path(), games.into());
    let selection = ChampionSelection { folder, settings, finalists: &finalists, before, games };
    let runner = GameRunner { games: &LocalGames::new(), progress: &progress.at_once() };
    let select = || selection.select(runner, &mut || ());
    let pool = arguments.workers.pool()?;
    let file = StopFile::of(resumed.folder.path());
    let selected = pool.install(|| watch_stop_file(&file, || stop.request(), || (), select));
    display.meter.finish();
    let Some(selected) = unless_stopped(selected)? else {
        writeln!(out, "interrupted; champion.json is unchanged; continue with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(ExitCode::from(130));
    };
    let had_report = resumed.folder.remove_report()?;
    resumed.folder.observe(&Event::ChampionSelected(&selected.champion))?;
    if arguments.json {
        print_json(&selection_json(&finalists, &selected), out)?;
    } else {
        print(&finalists, &selected, out)?;
        let summary = Summary::of(resumed.folder.path())?;
        print_findings(&summary, out)?;
        if had_report {
            let report = shell::command(&["report", &summary.argument()]);
            writeln!(out, "removed the old report; write a new one with\n  {report}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the number of games. Fails if it is too low for all finalists to play each other.
fn games(requested: Option<u32>, settings: &Settings, finalists: usize) -> Result<u32> {
    let (own, least) = (settings.finalist_games, least_games(finalists));
    let Some(games) = requested else { return Ok(if own > 0 { own } else { DEFAULT_GAMES }) };
    if u64::from(games) < least {
        return Err(usage(format!(
            "--games is {games}, which is too low: use at least {} so that all {finalists} finalists play each other",
            grouped(least)
        )));
    }
    if games < own {
        warn(format!(
            "--games is lower than this run's finalist_games, {}, so the selection is less reliable",
            grouped(own.into())
        ));
    }
    Ok(games)
}

fn print(finalists: &[Finalist], selected: &SelectedChampion, out: &mut dyn Write) -> Result<()> {
    let SelectedChampion { champion, gate, ranking, .. } = selected;
    let games = counted(selected.games, "game");
    writeln!(out, "{} in {games}\n", counted(ranking.len() as u64, "finalist"))?;
    writeln!(out, "  #   score   games  behind the winner  finalist")?;
    for (place, it) in (1..).zip(ranking) {
        let (name, games, score) = (&finalists[it.finalist].name, grouped(it.games), it.score);
        let behind = match place {
            1 => "-".to_owned(),
            _ => format!("{:.1} % nominal", 100.0 * it.behind),
        };
        writeln!(out, "{place:>3}   {score:.3} {games:>7}  {behind:>17}  {name}")?;
    }
    writeln!(out, "scores are against the finalists remaining when a finalist last played")?;
    let generation = champion.provenance.as_ref().map_or(0, |it| it.generation);
    let is_kept = !gate.is_empty() && champion.gates != *gate;
    let winner = finalists.iter().find(|it| !is_kept && it.weights.values() == champion.values());
    let name = winner.map_or(format!("generation {generation}"), |it| it.name.clone());
    let kept = if is_kept { ", because the winner did not pass the gate" } else { "" };
    writeln!(out, "\nchampion: {name}{kept}")?;
    print_strength(&champion.strength, out)?;
    print_gate(gate, (!is_kept).then_some(generation), out)
}
