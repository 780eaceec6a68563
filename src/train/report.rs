//! Training results: JSON for scripts, and the summary that we print at the end.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use arena::Pentanomial;
use evolve::run::{End, Event, RUNS, Run, Settings, Summary, against_panel, argument};
use mancala::eval::{GateTest, Strength, Weights};
use mancala::game::{AnyGame, GameKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::strength::{LastStrength, Score, against, measured_json};
use crate::terminal::{counted, grouped, rounded, shell, shell::program, shown, without_empty};

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(super) struct Done {
    pub(super) generations: u32,
    pub(super) games_asked: u64,
    pub(super) games_played: u64,
    pub(super) nodes: u64,
    /// The number of wall-clock seconds, including measurements and final games.
    pub(super) seconds: f64,
}

pub(super) fn begun_json(run: &Run) -> Value {
    let settings = run.trainer.settings();
    json!({
        "kind": "begun",
        "folder": run.folder.path().display().to_string(),
        "preset": settings.preset,
        "seed": settings.seed,
        "generation": run.trainer.generation(),
        "generations": settings.generations,
    })
}

/// Describes an event as JSON. Returns `None` for events that are part of the result.
pub(super) fn event_json(event: &Event) -> Option<Value> {
    match event {
        Event::Begins(part, generation) => {
            Some(json!({ "kind": "part", "part": part, "generation": generation }))
        }
        Event::Generation { trainer, statistics, cost } => {
            let last = trainer.last().expect("a generation was evaluated");
            let generation = statistics.generation;
            Some(json!({
                "kind": "generation",
                "generation": generation,
                "best": statistics.best,
                "best_possible": trainer.settings().best_possible_fitness(generation),
                "mean": statistics.mean,
                "worst": statistics.worst,
                "distinct": statistics.distinct,
                "games_asked": last.games_asked,
                "games_played": last.games_played,
                "nodes": cost.nodes,
                "seconds": cost.seconds,
            }))
        }
        Event::Measured { measurement, .. } => {
            let mut json = measured_json(measurement);
            json.as_object_mut()?.shift_insert(0, "kind".into(), "measured".into());
            Some(json)
        }
        Event::ChampionSelected(_) | Event::End { .. } => None,
    }
}

/// Describes a champion by its non-zero weights and, if final games were played, its mean score.
fn champion_json(champion: &Weights, run: &Summary) -> Value {
    let provenance = champion.provenance.as_ref();
    let weights = champion.features().features().iter().zip(champion.effective());
    let weights = weights.filter(|(_, weight)| *weight != 0);
    let weights: Map<_, _> =
        weights.map(|(it, weight)| (it.name().to_owned(), weight.into())).collect();
    let score = Score::mean(against_panel(&champion.strength));
    let json = json!({
        "file": run.path.join("champion.json").display().to_string(),
        "generation": provenance.map(|it| it.generation),
        "fitness": provenance.and_then(|it| it.fitness),
        "weights": weights,
        "score": score.map(|it| it.score),
        "score_ci95": score.map(|it| it.score_ci95),
        "strength": against(&champion.strength),
    });
    without_empty(json, &["score", "score_ci95"])
}

pub(super) struct Ended {
    pub(super) end: End,
    /// Whether the run had a time limit, in which case it usually ends before its last generation.
    pub(super) has_time_limit: bool,
    pub(super) summary: Summary,
    pub(super) done: Done,
    pub(super) resume: String,
    pub(super) report: Option<PathBuf>,
}

impl Ended {
    /// Returns whether training was stopped before the run was complete or its time was up.
    pub(super) fn is_unfinished(&self) -> bool {
        matches!(self.end, End::Interrupted | End::Stopped)
    }

    pub(super) fn json(&self) -> Value {
        let Ended { end, summary: run, done, resume, report, .. } = self;
        json!({
            "kind": "trained",
            "folder": run.path.display().to_string(),
            "seed": run.settings.seed,
            "end": end,
            "generation": run.generation,
            "generations": run.settings.generations,
            "done": done,
            "champion": run.champion.as_ref().map(|champion| champion_json(champion, run)),
            "findings": run.findings(&shell::quoted(&run.argument())),
            "resume": resume,
            "report": report.as_ref().map(|it| it.display().to_string()),
        })
    }

    pub(super) fn totals(&self) -> String {
        let Done { generations, games_asked, games_played, nodes, seconds } = self.done;
        format!(
            "{} in {}: {} scheduled, {} played, {:.0} million positions searched",
            counted(generations.into(), "generation"),
            rounded(Duration::from_secs_f64(seconds)),
            counted(games_asked, "game"),
            grouped(games_played),
            nodes as f64 / 1e6
        )
    }
}

/// Prints the result and suggested commands, with fewer details after an interruption.
pub(super) fn print_end(ended: &Ended, out: &mut dyn Write) -> anyhow::Result<()> {
    let summary = &ended.summary;
    writeln!(out, "{}", ended.totals())?;
    print_champion(summary, out)?;
    let is_finished = !ended.is_unfinished();
    if is_finished {
        if let Some(champion) = &summary.champion {
            print_strength(&champion.strength, out)?;
        }
        print_findings(summary, out)?;
    }
    if let Some(report) = &ended.report {
        writeln!(out, "report {}", shown(report))?;
    }
    print_continuation(ended, out)?;
    if is_finished && summary.generation > 0 {
        writeln!(out, "next:")?;
        print_commands(next_commands(&summary.argument(), &summary.settings), out)?;
    }
    Ok(())
}

/// Explains why a run ended before it was complete, and prints the commands to continue it.
pub(super) fn print_continuation(ended: &Ended, out: &mut dyn Write) -> anyhow::Result<()> {
    let Ended { end, has_time_limit, summary, resume, .. } = ended;
    let why = match end {
        End::Complete => return Ok(()),
        End::OutOfTime => "time is up",
        End::Interrupted => "interrupted",
        End::Stopped => "stopped by \"ayo stop\"",
    };
    let (done, all) = (summary.generation, summary.settings.generations);
    let of = if *has_time_limit { String::new() } else { format!(" of {all}") };
    let finals = if summary.lacks_finals { ", before the finals ended" } else { "" };
    if ended.done.generations == 0 && done < all {
        let learns = summary.settings.learning_needs().disk > 0;
        let kept = if learns { "; collected positions and fits are kept" } else { "" };
        writeln!(out, "no generation was finished{kept}")?;
    }
    writeln!(out, "{why} after generation {done}{of}{finals}; continue with")?;
    writeln!(out, "  {resume}")?;
    if summary.lacks_finals && !summary.lacks_only_finals() {
        writeln!(out, "or select the champion without further training, using")?;
        writeln!(out, "  {}", shell::command(&["select", &summary.argument()]))?;
    }
    Ok(())
}

pub(super) fn print_champion(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let champion = summary.champion.as_ref();
    let Some((champion, of)) = champion.and_then(|it| Some((it, it.provenance.as_ref()?))) else {
        return Ok(());
    };
    let (file, generation) = (summary.path.join("champion.json"), of.generation);
    let best = summary.settings.best_possible_fitness(generation);
    let fitness = of.fitness.map(|fitness| format!(", fitness {fitness} of {best}"));
    let fitness = fitness.unwrap_or_default();
    writeln!(out, "champion {}{fitness} in generation {generation}", shown(&file))?;
    print_gate(&champion.gates, Some(generation), out)?;
    if let Some(LastStrength { score, games, generation, .. }) = LastStrength::of(summary) {
        let Score { score, score_ci95: (low, high) } = score;
        let next = summary.settings.measured_generations(summary.generation).next();
        let next = next.map_or(String::new(), |it| format!("; next measured in generation {it}"));
        writeln!(
            out,
            "strength {score:.3} ({low:.3} to {high:.3}) at {} in generation {generation}, {} against panel {}{next}",
            summary.settings.limits(),
            counted(games, "game"),
            summary.settings.panel
        )?;
    }
    Ok(())
}

/// Prints the matches in which a candidate became the champion (of generation `of`) or was rejected.
pub(super) fn print_gate(
    tests: &[GateTest],
    of: Option<u32>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    for GateTest { against, limits, pairs, decision, test, .. } in tests {
        let pairs = Pentanomial::of_counts(*pairs);
        let (score, games) = (pairs.score().unwrap_or(0.5), counted(2 * pairs.pairs(), "game"));
        // In the finals, the champion may be replaced with a candidate of the same generation.
        let before = if Some(*against) == of { " before the finals" } else { "" };
        writeln!(
            out,
            "gate: {score:.3} in {games} at {} against the champion of generation {against}{before} ({}: {})",
            shown(limits),
            shown(test),
            shown(decision)
        )?;
    }
    Ok(())
}

pub(crate) fn print_strength(strength: &[Strength], out: &mut dyn Write) -> anyhow::Result<()> {
    for Strength { opponent, score, low, high, .. } in strength {
        writeln!(out, "  {score:.3} ({low:.3} to {high:.3}) against {}", shown(opponent))?;
    }
    if let Some(first) = strength.first() {
        let (games, openings) = (counted(first.games, "game"), shown(&first.openings));
        writeln!(out, "  in {games} each, openings {openings}")?;
    }
    Ok(())
}

pub(super) fn print_findings(run: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    for finding in run.findings(&shell::quoted(&run.argument())) {
        writeln!(out, "note: {finding}")?;
    }
    Ok(())
}

/// The purpose and the arguments of a suggested command.
type Command = (&'static str, String);

/// Suggests commands for a run that has a champion. `folder` is the run folder as typed on a command line.
pub(crate) fn next_commands(folder: &str, settings: &Settings) -> Vec<Command> {
    let name = Path::new(folder).file_name().unwrap_or_default().to_string_lossy();
    let picture = format!("plots/{name}.png");
    let mut export = vec!["export", folder, "-o", "champion.toml"];
    if settings.features.units().next().is_some() {
        export.push("--standalone");
    }
    let mut next = vec![
        ("Draw everything on one sheet", shell::typed(&["plot", folder, "-o", &picture])),
        ("Use the champion elsewhere", shell::typed(&export)),
    ];
    next.extend(play_commands(folder, settings));
    if cfg!(feature = "web") {
        next.push(("Look at it in the browser", format!("serve{}", runs_option(folder))));
    }
    next
}

pub(super) fn print_commands(commands: Vec<Command>, out: &mut dyn Write) -> anyhow::Result<()> {
    for (purpose, command) in commands {
        writeln!(out, "  {} {command}  # {purpose}", program())?;
    }
    Ok(())
}

pub(super) fn play_command(folder: &Path, settings: &Settings) -> String {
    format!("{} {}", program(), play_commands(&argument(folder), settings)[0].1)
}

pub(super) fn play_commands(weights: &str, settings: &Settings) -> Vec<Command> {
    let weights =
        if weights.contains([',', '=']) { format!("\"{weights}\"") } else { weights.to_owned() };
    let game = settings.game();
    let command = |purpose, player: String| {
        (purpose, format!("play --player {}{}", shell::quoted(&player), game_option(game)))
    };
    let minimax = format!("minimax:weights={weights},depth=7");
    let mut commands = vec![command("Play against the champion", minimax)];
    if game.kind() == GameKind::Ayo {
        let purpose = "Play against RBH, a refinement-based player with the same weights";
        commands.push(command(purpose, format!("rbh:weights={weights}")));
    }
    commands
}

/// Returns the `--runs` option for the folder that contains a run, or an empty string for the default folder.
fn runs_option(run: &str) -> String {
    let folder = Path::new(run).parent().unwrap_or(Path::new(""));
    match folder.to_str() {
        Some(RUNS) => String::new(),
        Some("") => " --runs .".into(),
        _ => format!(" --runs {}", shell::quoted(&folder.to_string_lossy())),
    }
}

/// Returns the `--game` option, or an empty string for the default game.
fn game_option(game: AnyGame) -> String {
    if game.name() == AnyGame::default().name() {
        return String::new();
    }
    format!(" --game {}", shell::quoted(&game.to_string()))
}
