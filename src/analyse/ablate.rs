pub(crate) mod picture;
pub(crate) mod result;
pub(crate) mod work;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use arena::player::PlayableGame;
use clap::Args;
use mancala::game::with_game;
use mancala::progress::Progress;
use mancala::search::MAX_DEPTH;

use crate::analyse::ablate::result::{Ablation, FeatureWorth};
use crate::analyse::ablate::work::Setup;
use crate::analyse::eval::{name_width, weights_of};
use crate::cli::openings::{Choice, openings_error};
use crate::plot;
use crate::terminal::interrupt::Interrupt;
use crate::terminal::meter::{Meter, grouped, time_left};
use crate::terminal::output::{check_picture, print_json};
use crate::terminal::shown;
use crate::terminal::workers::Workers;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
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

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(arguments.choice.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let weights = weights_of(game.into().kind(), &arguments.weights)?;
    let openings = arguments.choice.chosen();
    let setup = Setup::new(weights, game, arguments.depth, &openings).map_err(openings_error)?;
    let watch = Watch {
        interrupt: Interrupt::listen()?,
        meter: Meter::new(setup.games(), arguments.workers.verbosity()),
        begun: Instant::now(),
    };
    let pool = arguments.workers.pool()?;
    check_picture(arguments.output.as_deref())?;
    let found = pool.install(|| setup.play(&watch));
    watch.meter.finish();
    let Some(found) = found else {
        writeln!(out, "interrupted: nothing is known before all games are played")?;
        return Ok(ExitCode::from(130));
    };
    // Printed first: a picture that cannot be written must not take the games with it.
    if arguments.json {
        print_json(&found, out)?
    } else {
        print(&found, out)?
    }
    if let Some(output) = &arguments.output {
        plot::plot_ablation(&found, output)?;
        if !arguments.json {
            writeln!(out, "\nwrote {}", shown(output))?;
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
    fn advance(&self, done: u64, of: u64) {
        let left = time_left(self.begun, done, of);
        self.meter.set_position(done);
        self.meter.say(format!("game {} of {}, {left} left", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

fn print(found: &Ablation, out: &mut dyn Write) -> anyhow::Result<()> {
    let Ablation { weights, depth, terms, openings, features } = found;
    let weights = shown(weights);
    writeln!(out, "{weights} at depth {depth}, openings {openings}, {terms}")?;
    writeln!(out, "what it scores against itself without one feature, and the Elo difference\n")?;
    let wide = name_width(features.iter().map(|it| it.feature.as_str()));
    writeln!(
        out,
        "{:<wide$}{:<38}{:>7}{:>8}{:>7}      95% interval",
        "", "", "weight", "score", "Elo"
    )?;
    for FeatureWorth { feature, meaning, weight, elo, elo_ci95, score, .. } in features {
        let worth = score.zip(elo.zip(*elo_ci95));
        let worth = worth.map(|(score, (elo, (low, high)))| {
            format!("{score:>8.3}{elo:>+7.0}  {low:>+6.0} to {high:>+6.0}")
        });
        let worth = worth.unwrap_or("   weighs nothing already".into());
        writeln!(out, "{feature:<wide$}{meaning:<38}{weight:>7}{worth}")?;
    }
    Ok(())
}
