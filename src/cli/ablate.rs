use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use super::check_picture;
use super::eval::weights_of;
use super::interrupt::Interrupt;
use super::meter::{Meter, grouped, time_left};
use super::openings::Choice;
use super::workers::Workers;
use crate::player::PlayableGame;
use crate::report;
use crate::run::{Ablated, Control, ablate};
use mancala::eval::Weights;
use mancala::game::{AnyGame, with_game};
use mancala::progress::Progress;
use mancala::search::MAX_DEPTH;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Named weights, a weights file or a run folder
    #[arg(value_name = "WEIGHTS")]
    weights: String,
    /// Plies that both sides search every move
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    #[command(flatten)]
    choice: Choice,
    /// Picture to write; its ending, .png or .svg, is its format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, which "ayo plot" draws
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Each feature's weight in turn is set to zero, and the weights play themselves without it, every \
opening twice with colours swapped. What a feature is worth is the Elo difference, with a 95 % \
interval from pairs of games.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    check_picture(arguments.output.as_deref())?;
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let weights = weights_of(game.into().kind(), &arguments.weights)?;
    let openings = arguments.choice.load(game)?;
    let verbosity = arguments.workers.verbosity();
    let weighed = weights.effective().iter().filter(|weight| **weight != 0).count();
    let games = 2 * weighed as u64 * openings.positions().len() as u64;
    let watch = Watch {
        interrupt: Interrupt::listen()?,
        meter: Meter::new(games, verbosity),
        begun: Instant::now(),
    };
    let pool = arguments.workers.pool()?;
    let found = pool.install(|| ablate(&weights, game, arguments.depth, &openings, &watch));
    watch.meter.finish();
    let Some(found) = found else {
        writeln!(out, "interrupted: nothing is known before all games are played")?;
        return Ok(ExitCode::from(130));
    };
    let json = format!("{:#}", as_json(arguments, &weights, game.into(), &found));
    // Printed first: a picture that cannot be written must not take the games with it.
    if arguments.json {
        writeln!(out, "{json}")?
    } else {
        print(arguments, &weights, game.into(), &found, out)?
    }
    if let Some(output) = &arguments.output {
        report::plot_ablation(&json, output)?;
        if !arguments.json {
            writeln!(out, "\nwrote {}", output.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Watch {
    interrupt: Interrupt,
    meter: Meter,
    begun: Instant,
}

impl Progress for Watch {
    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

impl Control for Watch {
    fn games_measured(&self, played: u64, of: u64) {
        let left = time_left(self.begun, played, of);
        self.meter.set_position(played);
        self.meter.say(format!("game {} of {}, {left} left", grouped(played), grouped(of)));
    }
}

fn as_json(arguments: &Arguments, weights: &Weights, game: AnyGame, found: &[Ablated]) -> Value {
    let (word, terms) = game.terms();
    let feature = |it: &Ablated| {
        let worth = it.worth();
        json!({
            "feature": it.feature.name(),
            "meaning": it.feature.meaning(),
            "weight": it.weight,
            "elo": worth.map(|worth| worth.elo),
            "elo_ci95": worth.map(|worth| worth.elo_ci95),
            "score": worth.map(|worth| worth.score),
            "score_ci95": worth.map(|worth| worth.score_ci95),
            "games": it.pairs.map_or(0, |pairs| 2 * pairs.pairs()),
            "pairs": it.pairs,
        })
    };
    json!({
        "kind": "ablation",
        "weights": weights.name,
        "depth": arguments.depth,
        (word): terms,
        "openings": arguments.choice.describe(),
        "features": found.iter().map(feature).collect::<Vec<_>>(),
    })
}

fn print(
    arguments: &Arguments,
    weights: &Weights,
    game: AnyGame,
    found: &[Ablated],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let (depth, openings) = (arguments.depth, arguments.choice.describe());
    let (word, terms) = game.terms();
    writeln!(out, "{} at depth {depth}, openings {openings}, {word} {terms}", weights.name)?;
    writeln!(out, "what it scores against itself without one feature, and the Elo difference\n")?;
    writeln!(
        out,
        "{:<5}{:<38}{:>7}{:>8}{:>7}      95% interval",
        "", "", "weight", "score", "Elo"
    )?;
    for it in found {
        let (name, meaning, weight) = (it.feature.name(), it.feature.meaning(), it.weight);
        let worth = it.worth().map_or("   weighs nothing already".into(), |worth| {
            let (low, high) = worth.elo_ci95;
            format!("{:>8.3}{:>+7.0}  {low:>+6.0} to {high:>+6.0}", worth.score, worth.elo)
        });
        writeln!(out, "{name:<5}{meaning:<38}{weight:>7}{worth}")?;
    }
    Ok(())
}
