//! `ayo ablate`: measures the value of each feature by playing the weights against a copy that lacks the feature.

pub(crate) mod picture;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use arena::player::PlayableGame;
use arena::{Batch, BatchPlayer, Games, LocalGames, PairScore, Pentanomial, ScheduledGame};
use clap::Args;
use mancala::eval::{Signs, Weights};
use mancala::game::{AnyGame, Notated, with_game};
use mancala::progress::Progress;
use mancala::search::{MAX_DEPTH, Options};
use serde::{Deserialize, Serialize};

use super::eval::{name_width, weights_of};
use crate::cli::game::GameChoice;
use crate::matches::openings::OpeningsChoice;
use crate::plot::contest::write;
use crate::terminal::{
    Interrupt, ShownProgress, Workers, check_picture, grouped, print_json, shown, signed,
};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Named weights, a weights file or a run folder
    #[arg(value_name = "WEIGHTS")]
    weights: String,
    /// Search depth of both sides, in plies
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH as i64))]
    depth: u32,
    #[command(flatten)]
    openings: OpeningsChoice,
    #[command(flatten)]
    game: GameChoice,
    /// Picture to write; the extension, .png or .svg, selects the format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    workers: Workers,
    /// Print JSON, which "ayo plot" can draw
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
For each feature, the weights play against the same weights with that feature's weight set to zero, from \
every opening with both colours. The value of a feature is the Elo difference, with a 95 % interval computed from \
game pairs.";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "ablation")]
pub struct Ablation {
    pub weights: String,
    /// The search depth of both sides, in plies.
    pub depth: u32,
    #[serde(flatten)]
    pub game: AnyGame,
    pub openings: String,
    /// The features, sorted by value in descending order. Features whose weight is zero come last.
    pub features: Vec<FeatureWorth>,
}

/// The value of a feature. If the feature's weight is zero, then no games are played and the results are `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureWorth {
    pub feature: String,
    pub meaning: String,
    /// The feature's weight, with the sign used in the search.
    pub weight: i64,
    /// The Elo difference between playing with the feature and playing without it.
    pub elo: Option<f64>,
    pub elo_ci95: Option<(f64, f64)>,
    /// The mean score per game of the full weights against the weights without this feature.
    pub score: Option<f64>,
    pub score_ci95: Option<(f64, f64)>,
    #[serde(default)]
    pub games: u64,
    /// The number of game pairs with each possible score.
    pub pairs: Option<Pentanomial>,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<ExitCode> {
    with_game!(arguments.game.game()?, game => play(arguments, game, out))
}

fn play<G: PlayableGame>(arguments: &Arguments, game: G, out: &mut dyn Write) -> Result<ExitCode> {
    let weights = weights_of(game.into().kind(), &arguments.weights)?;
    let openings = arguments.openings.load(game)?;
    let weighed = weights.effective().iter().filter(|weight| **weight != 0).count();
    let games = 2 * weighed as u64 * openings.len() as u64;
    let verbosity = arguments.workers.verbosity;
    let progress = ShownProgress::new(games, verbosity, &Interrupt::listen()?, |done, of, left| {
        format!("game {} of {}{left}", grouped(done), grouped(of))
    });
    let pool = arguments.workers.pool()?;
    check_picture(arguments.output.as_deref())?;
    let features = pool.install(|| ablate(&weights, game, arguments.depth, &openings, &progress));
    progress.finish();
    let Some(features) = features else {
        writeln!(out, "interrupted: there is no result until all games are played")?;
        return Ok(ExitCode::from(130));
    };
    let ablation = Ablation {
        weights: weights.name,
        depth: arguments.depth,
        game: game.into(),
        openings: arguments.openings.to_string(),
        features,
    };
    // We print before drawing, so that the results aren't lost if writing the picture fails.
    match arguments.json {
        true => print_json(&ablation, out)?,
        false => print(&ablation, out)?,
    }
    let text = (!arguments.json).then_some(out);
    write(|| picture::picture(&ablation), "ablation", arguments.output.as_deref(), text)?;
    Ok(ExitCode::SUCCESS)
}

fn print(ablation: &Ablation, out: &mut dyn Write) -> Result<()> {
    let Ablation { weights, depth, game, openings, features } = ablation;
    let weights = shown(weights);
    writeln!(out, "{weights} at depth {depth}, openings {openings}, {}", game.terms())?;
    writeln!(out, "score against the same weights without the feature, and Elo difference\n")?;
    let wide = name_width(features.iter().map(|worth| worth.feature.as_str()));
    writeln!(
        out,
        "{:<wide$}{:<38}{:>7}{:>8}{:>7}      95% interval",
        "", "", "weight", "score", "Elo"
    )?;
    for FeatureWorth { feature, meaning, weight, elo, elo_ci95, score, .. } in features {
        let figures = match (score, elo, elo_ci95) {
            (Some(score), Some(elo), Some((low, high))) => {
                let [elo, low, high] = [*elo, *low, *high].map(signed);
                format!("{score:>8.3}{elo:>7}  {low:>6} to {high:>6}")
            }
            _ => "   not played: the weight is zero".into(),
        };
        writeln!(out, "{feature:<wide$}{meaning:<38}{weight:>7}{figures}")?;
    }
    Ok(())
}

/// Plays the weights against copies that each lack one feature. Returns `None` if `progress` requests a stop.
fn ablate<G: Notated>(
    weights: &Weights,
    game: G,
    depth: u32,
    openings: &[G::Position],
    progress: &dyn Progress,
) -> Option<Vec<FeatureWorth>> {
    let options = Options::for_weights(weights);
    let effective = weights.effective();
    let weighed: Vec<usize> = (0..effective.len()).filter(|&index| effective[index] != 0).collect();
    let ablated = weighed.iter().map(|&feature| without(weights, feature));
    let players: Vec<BatchPlayer> = std::iter::once(weights.clone())
        .chain(ablated)
        .map(|weights| BatchPlayer::to_depth(&weights, depth, options))
        .collect();
    let pairings: Vec<[u32; 2]> = (1..players.len() as u32).map(|player| [0, player]).collect();
    let schedule = ScheduledGame::all(&pairings, openings.len() as u32);
    let batch = Batch::new(game.into(), players, openings, schedule).expect("players of this game");
    let scores = PairScore::of_pairs(&LocalGames::new().outcomes(&batch, progress)?);
    let mut played = scores.chunks(batch.openings.len());
    let features = weights.features().features().iter().zip(&effective);
    let mut worths: Vec<FeatureWorth> = features
        .map(|(feature, &weight)| {
            let scores = if weight == 0 { None } else { played.next() };
            let pairs: Option<Pentanomial> = scores.map(|scores| scores.iter().copied().collect());
            let estimate = pairs.map(|pairs| pairs.estimate());
            FeatureWorth {
                feature: feature.name().to_owned(),
                meaning: feature.meaning().to_owned(),
                weight: weight.into(),
                elo: estimate.map(|estimate| estimate.elo),
                elo_ci95: estimate.map(|estimate| estimate.elo_ci95),
                score: estimate.map(|estimate| estimate.score),
                score_ci95: estimate.map(|estimate| estimate.score_ci95),
                games: pairs.map_or(0, |pairs| 2 * pairs.pairs()),
                pairs,
            }
        })
        .collect();
    let elo = |worth: &FeatureWorth| worth.elo.unwrap_or(f64::NEG_INFINITY);
    worths.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    Some(worths)
}

fn without(weights: &Weights, feature: usize) -> Weights {
    let mut values: Vec<i64> = weights.effective().into_iter().map(i64::from).collect();
    values[feature] = 0;
    Weights::new("ablated", weights.features().clone(), &values, Signs::Literal)
        .expect("weights that were valid before")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_feature_the_signs_stay() {
        let weights = Weights::named("seeds").unwrap();
        assert_eq!(without(&weights, 0).effective(), [0, 1]);
        assert_eq!(without(&weights, 1).effective(), [-1, 0]);
    }
}
