//! The approach of J. van Rijswijck ("Learning from Perfection", CG 2000), which fits evaluators to endgame tables
//! instead of games.
//!
//! We fit two evaluators to the same positions: weights of the twelve features by least squares, and a decision tree
//! over the seeds in single pits. We test both evaluators in matches, along with weights that were evolved with a
//! fitness based on endgame tables.

mod tree;

use std::sync::Arc;

use arena::{Accuracy, PlayerPool, Sample, Sampling, Suite, Tally};
use mancala::endgame::{Rows, Tables, positions, unrank};
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::Side;
use mancala::game::ayo::{Ayo, PITS, Position, Rules, SEEDS as ALL_SEEDS};
use mancala::progress::{Part, Progress, Silent};
use nalgebra::{Cholesky, SMatrix, SVector};

use self::tree::Tree;
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook, StudyMatch};
use crate::pairing::{MatchResult, Pairing, PairingError};
use crate::partial::StudyError;
use crate::proofs::tables;
use crate::trained::{settings, trained, write_weights};

/// The maximum number of seeds in the endgame tables.
const SEEDS: u8 = 10;

/// We use one in this many positions in the tables.
const STEP: u64 = 5;

/// The number of positions, sampled from games, in which we measure the players' accuracy.
const ACCURACY_POSITIONS: usize = 2_000;

/// The number of games per match.
const GAMES: usize = 2028;

/// The search depth of the players.
const DEPTH: u32 = 5;

/// The opponent of all players.
const OPPONENT: &str = "minimax:weights=seeds,depth=5";

/// Returns the positions, split into a training half and a test half.
fn examples(tables: &Tables) -> [Vec<Example>; 2] {
    let mut halves = [Vec::new(), Vec::new()];
    let mut number = 0;
    for seeds in 1..=SEEDS {
        for rank in (0..positions(seeds)).step_by(STEP as usize) {
            let rows = unrank(seeds, rank);
            let value = tables.value(rows).expect("within the tables").into();
            halves[number % 2].push(Example { rows, value });
            number += 1;
        }
    }
    halves
}

/// Returns the share of the variance that the predictions explain.
fn explained(examples: &[Example], predict: impl Fn(&Example) -> f64) -> f64 {
    let count = examples.len() as f64;
    let mean = examples.iter().map(|example| example.value).sum::<f64>() / count;
    let square = |of: &dyn Fn(&Example) -> f64| {
        examples.iter().map(|example| of(example).powi(2)).sum::<f64>()
    };
    1.0 - square(&|example| example.value - predict(example))
        / square(&|example| example.value - mean)
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(tables) = tables(SEEDS, progress)? else { return Ok(None) };
    let tables = Arc::new(tables);
    let [training, test] = examples(&tables);
    let tree = Tree::grown(&training);
    let fit = Fit::of(&training);
    let shares = [
        explained(&test, |example| tree.value(example.rows)),
        explained(&test, |example| fit.value(example.rows)),
    ];
    let Some(players) = players(notebook, &fit, &tables, progress)? else { return Ok(None) };
    let Some(lost) = accuracy(&tables, &players, progress)? else { return Ok(None) };
    let Some(scores) = strength(notebook, &players, progress)? else { return Ok(None) };
    let Some(tree_score) = tree_strength(&tree, notebook, progress)? else { return Ok(None) };
    let lines: Vec<String> = players
        .iter()
        .zip(lost.iter().zip(&scores))
        .map(|((name, _), (lost, score))| format!("{name} {:.3}, {score}", lost.seeds_lost))
        .collect();
    let ours = format!(
        "a tree of {} leaves explains {:.0} % of the variance, least squares {:.0} %; score of the tree {tree_score}; \
         seeds lost per move and score: {}",
        tree.leaves(),
        100.0 * shares[0],
        100.0 * shares[1],
        lines.join("; ")
    );
    Ok(Some(vec![Finding::new("daoud/van-rijswijck", Verdict::Open, ours).with_note(format!(
        "tables of {SEEDS} seeds, fitted to half of the positions and tested on the other half; seeds lost by 3-ply \
         searches in {ACCURACY_POSITIONS} positions of games; scores in {GAMES} games against seeds alone, both at \
         depth 5; rules awari"
    ))]))
}

type Players = Vec<(&'static str, String)>;

/// Returns the names and weights of the players.
fn players(
    notebook: &Notebook,
    fit: &Fit,
    tables: &Arc<Tables>,
    progress: &dyn Progress,
) -> Result<Option<Players>, StudyError> {
    let mined = write_weights(notebook, "mined", &fit.weights())?;
    let run = settings("quick", &[("rules", "awari"), ("fitness", "tables"), ("seed", "1")]);
    let path = trained(notebook, "by-tables", run, Some(tables), &Silent(progress))?;
    let Some(path) = path else { return Ok(None) };
    Ok(Some(vec![
        ("mined weights", mined.display().to_string()),
        ("fitness=tables", path.display().to_string()),
        ("seeds", "seeds".into()),
        ("reference", "reference,ties=lowest".into()),
    ]))
}

fn accuracy(
    tables: &Tables,
    players: &Players,
    progress: &dyn Progress,
) -> Result<Option<Vec<Accuracy>>, StudyError> {
    let seeds = 1..=SEEDS;
    let sampling = Sampling { seeds: seeds.clone(), positions: ACCURACY_POSITIONS, seed: 1 };
    let Some(sample) = Sample::draw(tables, &sampling, &Silent(progress)) else { return Ok(None) };
    let game = Ayo { rules: Rules::AWARI };
    let mut accuracies = Vec::new();
    for (_, weights) in players {
        let spec = format!("minimax:weights={weights},depth=3");
        let pool = PlayerPool::new(&spec, game).map_err(PairingError::from)?;
        let Some(lost) = sample.losses(&pool, &Silent(progress))? else { return Ok(None) };
        accuracies.extend(sample.accuracy(&lost, &seeds));
    }
    Ok(Some(accuracies))
}

fn strength(
    notebook: &mut Notebook,
    players: &Players,
    progress: &dyn Progress,
) -> Result<Option<Vec<String>>, StudyError> {
    let others: Vec<_> = players.iter().filter(|(_, weights)| weights != "seeds").collect();
    let of = (others.len() * GAMES) as u64;
    let mut scores = Vec::new();
    for (at, (name, weights)) in others.into_iter().enumerate() {
        let player = format!("minimax:weights={weights},depth={DEPTH}");
        let pairing = Pairing::new("", [&player, OPPONENT], GAMES).under(Rules::AWARI);
        let part = Part { whole: progress, before: (at * GAMES) as u64, of };
        let Some(played) = notebook.play_as([name, OPPONENT], &pairing, &part)? else {
            return Ok(None);
        };
        scores.push(played.score_text());
    }
    // The score of the opponent against itself.
    scores.insert(2, "0.5".into());
    Ok(Some(scores))
}

/// Returns the score of the decision tree.
fn tree_strength(
    tree: &Tree,
    notebook: &mut Notebook,
    progress: &dyn Progress,
) -> Result<Option<String>, StudyError> {
    let game = Ayo { rules: Rules::AWARI };
    let names = ["mined tree", OPPONENT].map(str::to_owned);
    let rules = game.rules.to_string();
    if let Some(known) = notebook.known(&names, &rules, GAMES) {
        return Ok(Some(known.score_text()));
    }
    let openings = Suite::Plies(4).sample(game, GAMES / 2, 1).expect("1014 openings");
    let seeds = Weights::named("seeds").expect("a named evaluator");
    let Some(games) = tree::games(tree, &seeds, DEPTH, &openings, game, progress) else {
        return Ok(None);
    };
    let pairing = Pairing::new("", ["mined tree", OPPONENT], GAMES).under(game.rules);
    let played = StudyMatch::from(&MatchResult { pairing, tally: Tally::of(&games) });
    notebook.add(played.clone())?;
    Ok(Some(played.score_text()))
}

/// A table position with its value for the side to move.
struct Example {
    rows: Rows,
    value: f64,
}

/// Returns the position with these rows in which South is to move and the remaining seeds are in the stores.
fn position([mover, other]: Rows) -> Position {
    let mut pits = [0; 2 * PITS];
    pits[..PITS].copy_from_slice(&mover.to_le_bytes()[..PITS]);
    pits[PITS..].copy_from_slice(&other.to_le_bytes()[..PITS]);
    let rest = ALL_SEEDS - pits.iter().sum::<u8>();
    Position::new(pits, [rest / 2, rest - rest / 2], Side::South).expect("48 seeds")
}

/// The number of features excluding the two stores, whose weights are fixed at one seed.
const FREE: usize = 10;

/// The indices of a9 and a10, which are the seeds captured by the opponent and by the player.
const STORES: [usize; 2] = [8, 9];

/// The weight of a captured seed.
const SEED: f64 = 1000.0;

/// The weights of all features except the stores, in seeds, fitted by least squares.
struct Fit {
    worth: SVector<f64, FREE>,
}

/// Returns the features (except the stores) for the side that has just moved, as at the leaves of a search.
fn inputs(rows: Rows) -> SVector<f64, FREE> {
    let position = position(rows);
    let values = FeatureSet::daoud2004().values::<Ayo>(&position, Side::North);
    let free = values.iter().enumerate().filter(|(at, _)| !STORES.contains(at));
    SVector::from_iterator(free.map(|(_, &value)| f64::from(value)))
}

impl Fit {
    fn of(examples: &[Example]) -> Fit {
        let mut squares = SMatrix::<f64, FREE, FREE>::identity() * 1e-6;
        let mut products = SVector::<f64, FREE>::zeros();
        for example in examples {
            let x = inputs(example.rows);
            squares += x * x.transpose();
            // The value is for the side to move, but the features are for the other side.
            products -= x * example.value;
        }
        let solved = Cholesky::new(squares).map(|it| it.solve(&products));
        Fit { worth: solved.unwrap_or_else(SVector::zeros) }
    }

    /// Returns the value of a position for the side to move.
    fn value(&self, rows: Rows) -> f64 {
        -self.worth.dot(&inputs(rows))
    }

    fn weights(&self) -> Weights {
        let mut values: Vec<i64> = self.worth.iter().map(|it| (SEED * it).round() as i64).collect();
        let [theirs, mine] = STORES;
        values.insert(theirs, -SEED as i64);
        values.insert(mine, SEED as i64);
        let features = FeatureSet::daoud2004();
        Weights::new("mined", features, &values, Signs::Literal).expect("twelve, each a few seeds")
    }
}
