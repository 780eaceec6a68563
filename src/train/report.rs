//! What is said at the end of training.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use mancala::game::{AnyGame, GameKind};

use crate::terminal::meter::{counted, grouped, rounded};
use crate::terminal::shell::program;
use crate::terminal::{shell, shown};
use crate::train::champion::{say_findings, say_gate, say_strength};
use crate::train::result_training::{Done, TrainedRun};
use crate::train::strength::{LastStrength, Score, against};
use evolve::run::{End, RUNS, Settings, Summary, argument};

/// Training that has ended.
pub(crate) struct Ended {
    pub(crate) end: End,
    /// Whether time ended its generations, or would have.
    pub(crate) by_time: bool,
    pub(crate) summary: Summary,
    /// What this process has done.
    pub(crate) done: Done,
    /// The command that goes on.
    pub(crate) resume: String,
}

impl Ended {
    /// Whether there is something left that the user asked for.
    pub(crate) fn is_left(&self) -> bool {
        matches!(self.end, End::Interrupted | End::Stopped)
    }

    /// As scripts read it.
    pub(crate) fn result(&self) -> TrainedRun {
        TrainedRun::of(&self.summary, self.end, self.done, self.resume.clone())
    }

    /// What this process has done, in words.
    pub(crate) fn totals(&self) -> String {
        let Done { generations, games_asked, games_played, nodes, seconds } = self.done;
        format!(
            "{} in {}: {} asked for, {} played, {:.0} million positions searched",
            counted(generations.into(), "generation"),
            rounded(Duration::from_secs_f64(seconds)),
            counted(games_asked, "game"),
            grouped(games_played),
            nodes as f64 / 1e6
        )
    }
}

/// Says what there is and what to type next. Whoever stopped a run wants less of that.
pub(crate) fn report(ended: &Ended, out: &mut dyn Write) -> anyhow::Result<()> {
    let summary = &ended.summary;
    writeln!(out, "{}", ended.totals())?;
    say_champion(summary, out)?;
    let is_whole = !ended.is_left();
    if is_whole {
        if let Some(champion) = &summary.champion {
            say_strength(&against(&champion.strength), out)?;
        }
        say_findings(summary, out)?;
    }
    say_how_to_go_on(ended, out)?;
    if is_whole && summary.generation > 0 { say_what_next(summary, out) } else { Ok(()) }
}

/// Prints why a run ended before it was complete, and the command that continues it.
pub(crate) fn say_how_to_go_on(ended: &Ended, out: &mut dyn Write) -> anyhow::Result<()> {
    let Ended { end, by_time, summary, resume, .. } = ended;
    let why = match end {
        End::Complete => return Ok(()),
        End::OutOfTime => "time is up",
        End::Interrupted => "interrupted",
        End::Stopped => "stopped by \"ayo stop\"",
    };
    let (done, all) = (summary.generation, summary.settings.generations);
    let whole = if *by_time { String::new() } else { format!(" of {all}") };
    let finals = if summary.lacks_finals { ", before its champion was chosen" } else { "" };
    writeln!(out, "{why} after generation {done}{whole}{finals}; go on with")?;
    writeln!(out, "  {resume}")?;
    Ok(())
}

/// Prints a line about the champion and a line about the strength that was measured last.
pub(crate) fn say_champion(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let champion = summary.champion.as_ref();
    let Some((champion, of)) = champion.and_then(|it| Some((it, it.provenance.as_ref()?))) else {
        return Ok(());
    };
    let (file, generation) = (summary.path.join("champion.json"), of.generation);
    let best = summary.settings.best_possible_fitness(generation);
    let fitness = of.fitness.map(|fitness| format!(", fitness {fitness} of {best}"));
    let fitness = fitness.unwrap_or_default();
    writeln!(out, "champion {}{fitness} in generation {generation}", shown(&file))?;
    if let Some(LastStrength { score, games, generation, .. }) = LastStrength::of(summary) {
        let (games, Score { score, score_ci95: (low, high) }) = (counted(games, "game"), score);
        let strength =
            format!("strength {score:.3} ({low:.3} to {high:.3}) in generation {generation}");
        writeln!(out, "{strength}, {games} against panel {}", summary.settings.panel)?;
    }
    say_gate(&champion.gates, out)?;
    Ok(())
}

fn say_what_next(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let (program, path) = (program(), shell::quoted(&summary.argument()));
    let name = summary.path.file_name().unwrap_or_default().to_string_lossy();
    let picture = shell::quoted(&format!("plots/{name}.png"));
    writeln!(out, "next:")?;
    writeln!(out, "  {program} plot {path} -o {picture}")?;
    writeln!(out, "  {program} export {path} --format toml")?;
    say_how_to_play(summary, out)?;
    if cfg!(feature = "web") {
        writeln!(out, "  {program} serve{}", folder_option(summary))?;
    }
    Ok(())
}

/// The commands that play against the champion.
pub(crate) fn say_how_to_play(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    for command in play_commands(&summary.argument(), &summary.settings) {
        writeln!(out, "  {command}")?;
    }
    Ok(())
}

/// The command that plays against the champion of a run.
pub(crate) fn play_command(folder: &Path, settings: &Settings) -> String {
    play_commands(&argument(folder), settings).swap_remove(0)
}

/// The same with each player that its weights make, at least one.
fn play_commands(weights: &str, settings: &Settings) -> Vec<String> {
    let weights =
        if weights.contains([',', '=']) { format!("\"{weights}\"") } else { weights.to_owned() };
    let game = settings.game();
    let mut players = vec![format!("minimax:weights={weights},depth=7")];
    if game.kind() == GameKind::Ayo {
        players.push(format!("rbh:weights={weights}"));
    }
    let command = |player: String| {
        format!("{} play --player {}{}", program(), shell::quoted(&player), game_option(game))
    };
    players.into_iter().map(command).collect()
}

/// What names the folder that a run lies in on a command line, if it has to be named.
fn folder_option(summary: &Summary) -> String {
    let folder =
        summary.path.parent().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    match folder.as_str() {
        RUNS => String::new(),
        "" => " --runs .".into(),
        other => format!(" --runs {}", shell::quoted(other)),
    }
}

/// What names the game on a command line, if it has to be named.
fn game_option(game: AnyGame) -> String {
    if game.name() == AnyGame::default().name() {
        return String::new();
    }
    format!(" --game {}", shell::quoted(&game.to_string()))
}
