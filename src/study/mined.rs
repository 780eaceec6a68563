//! The line of J. van Rijswijck ("Learning from Perfection", CG 2000): evaluators whose values come from endgame tables
//! and not from play.
//!
//! Two are mined from the same positions: weights of the twelve features by least squares, and a tree of yes-no
//! questions on what single pits hold. Both play; beside them stands a run whose fitness is asked of tables.

mod example;
mod linear;
mod played;
mod tree;

use std::sync::Arc;

use super::error::StudyError;
use super::notebook::{Findings, Notebook};
use super::pairing::{Pairing, Settled};
use super::proofs::tables;
use super::trained::{kept, leaders, settings};
use crate::results::{Finding, StudyMatch, Verdict};
use evolution::arena::{Accuracy, Sample, Sampling, Suite, Tally, Team};
use example::Example;
use linear::fitted;
use mancala::endgame::{Tables, positions, unrank};
use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Muted, Part, Progress};
use tree::Tree;

/// Seeds of the tables.
const SEEDS: u8 = 10;

/// Positions of the tables that are mined: every so many of them.
const EVERY: u64 = 5;

/// Positions of games that players are asked about.
const ASKED: usize = 2_000;

/// Games of a match.
const GAMES: usize = 2028;

/// Plies that players look ahead in them.
const DEPTH: u32 = 5;

/// Whom all meet.
const OPPONENT: &str = "minimax:weights=seeds,depth=5";

/// Two halves of the positions, each to be learned from or asked about.
fn examples(tables: &Tables) -> [Vec<Example>; 2] {
    let mut halves = [Vec::new(), Vec::new()];
    let mut number = 0;
    for seeds in 1..=SEEDS {
        for rank in (0..positions(seeds)).step_by(EVERY as usize) {
            let rows = unrank(seeds, rank);
            let value = tables.value(rows).expect("within the tables").into();
            halves[number % 2].push(Example { rows, value });
            number += 1;
        }
    }
    halves
}

/// The share of the variance of values that predictions explain.
fn explained(examples: &[Example], predict: impl Fn(&Example) -> f64) -> f64 {
    let count = examples.len() as f64;
    let mean = examples.iter().map(|it| it.value).sum::<f64>() / count;
    let square =
        |of: &dyn Fn(&Example) -> f64| examples.iter().map(|it| of(it).powi(2)).sum::<f64>();
    1.0 - square(&|it| it.value - predict(it)) / square(&|it| it.value - mean)
}

/// The study `mined`.
pub(super) fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(tables) = tables(SEEDS, progress)? else { return Ok(None) };
    let tables = Arc::new(tables);
    let [known, asked] = examples(&tables);
    let tree = Tree::grown(&known);
    let fit = fitted(&known);
    let shares =
        [explained(&asked, |it| tree.value(it.rows)), explained(&asked, |it| fit.value(it.rows))];
    let Some(players) = players(notebook, &fit, &tables, progress)? else { return Ok(None) };
    let Some(lost) = accuracy(&tables, &players, progress)? else { return Ok(None) };
    let Some(scores) = strength(notebook, &players, progress)? else { return Ok(None) };
    let Some(climbed) = strength_of(&tree, notebook, progress)? else { return Ok(None) };
    let said: Vec<String> = players
        .iter()
        .zip(lost.iter().zip(&scores))
        .map(|((name, _), (lost, score))| format!("{name} {:.3}, {score}", lost.seeds_lost))
        .collect();
    let ours = format!(
        "of the values a tree of {} leaves explains {:.0} %, least squares {:.0} %; score of the tree {climbed}; \
         seeds lost a move and score: {}",
        tree.leaves(),
        100.0 * shares[0],
        100.0 * shares[1],
        said.join("; ")
    );
    Ok(Some(vec![Finding::new("daoud/van-rijswijck", Verdict::Open, ours).noting(format!(
        "tables of {SEEDS} seeds, values of half of the positions asked of what was mined from the other half; seeds \
         lost by searches of 3 plies in {ASKED} positions of games; scores against seeds alone at depth 5 in {GAMES} \
         games at depth 5, rules awari"
    ))]))
}

type Players = Vec<(&'static str, String)>;

/// Names and weights of those that are compared.
fn players(
    notebook: &Notebook,
    fit: &linear::Fit,
    tables: &Arc<Tables>,
    progress: &dyn Progress,
) -> Result<Option<Players>, StudyError> {
    let mined = kept(notebook, "mined", &fit.weights())?;
    let path = notebook.folder().join("weights").join("by-tables.json");
    if !path.exists() {
        let run = settings("quick", &[("rules", "awari"), ("fitness", "tables"), ("seed", "1")]);
        let last = run.generations;
        let Some(found) = leaders(run, Some(tables), &[last], &Muted(progress)) else {
            return Ok(None);
        };
        kept(notebook, "by-tables", &found[0])?;
    }
    Ok(Some(vec![
        ("mined weights", mined.display().to_string()),
        ("fitness=tables", path.display().to_string()),
        ("seeds", "seeds".into()),
        ("reference", "reference".into()),
    ]))
}

fn accuracy(
    tables: &Tables,
    players: &Players,
    progress: &dyn Progress,
) -> Result<Option<Vec<Accuracy>>, StudyError> {
    let seeds = 1..=SEEDS;
    let sampling = Sampling { seeds: seeds.clone(), positions: ASKED, seed: 1 };
    let Some(sample) = Sample::draw(tables, &sampling, &Muted(progress)) else { return Ok(None) };
    let game = Ayo { rules: Rules::AWARI };
    let mut found = Vec::new();
    for (_, weights) in players {
        let spec = format!("minimax:weights={weights},depth=3");
        let team = Team::new(&spec, game).map_err(super::PairingError::from)?;
        let Some(lost) = sample.ask(&team, &Muted(progress))? else { return Ok(None) };
        found.extend(sample.accuracy(&lost, &seeds));
    }
    Ok(Some(found))
}

fn strength(
    notebook: &mut Notebook,
    players: &Players,
    progress: &dyn Progress,
) -> Result<Option<Vec<String>>, StudyError> {
    let others: Vec<_> = players.iter().filter(|(_, weights)| weights != "seeds").collect();
    let of = (others.len() * GAMES) as u64;
    let mut found = Vec::new();
    for (at, (name, weights)) in others.into_iter().enumerate() {
        let player = format!("minimax:weights={weights},depth={DEPTH}");
        let pairing = Pairing::new("", [&player, OPPONENT], GAMES).under(Rules::AWARI);
        let part = Part { whole: progress, before: (at * GAMES) as u64, of };
        let Some(played) = notebook.settle_as([name, OPPONENT], &pairing, &part)? else {
            return Ok(None);
        };
        found.push(played.scored());
    }
    // Against itself.
    found.insert(2, "0.5".into());
    Ok(Some(found))
}

/// What the tree scores against seeds alone in as many games.
fn strength_of(
    tree: &Tree,
    notebook: &mut Notebook,
    progress: &dyn Progress,
) -> Result<Option<String>, StudyError> {
    let game = Ayo { rules: Rules::AWARI };
    let names = ["mined tree", OPPONENT].map(str::to_owned);
    let rules = game.rules.to_string();
    if let Some(known) = notebook.known(&names, &rules, GAMES) {
        return Ok(Some(known.scored()));
    }
    let openings = Suite::Plies(4).openings(game).expect("it has 1014").sample(GAMES / 2, 1);
    let seeds = Weights::named("seeds").expect("a named evaluator");
    let Some(games) = played::games(tree, &seeds, DEPTH, &openings, game, progress) else {
        return Ok(None);
    };
    let pairing = Pairing::new("", ["mined tree", OPPONENT], GAMES).under(game.rules);
    let played = StudyMatch::from(&Settled { pairing, tally: Tally::of(&games) });
    notebook.add(played.clone())?;
    Ok(Some(played.scored()))
}
