//! Evaluates positions in three ways: with features, with their weighted sum, and with a search.
//!
//! ```sh
//! cargo run --release --example evaluate_positions
//! ```

use std::error::Error;

use mancala::eval::Weights;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, line};
use mancala::search::{Options, Pruning, SearchableGame};

/// Positions as text: South's pits, North's pits, South's store, North's store, and the side to move.
const POSITIONS: [&str; 3] = [
    "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
    "0-0-0-0-0-1-2-0-0-0-0-0-24-21-S",
    "3-0-2-0-1-8-1-2-0-5-0-4-11-11-N",
];

/// Search depth in plies.
const DEPTH: u32 = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Ayo::default();
    let weights = Weights::named("daoud2004-depth5").expect("published weights");
    // The search is compiled for the evaluator type that fits these weights.
    let searcher = Ayo::searcher(&weights, Options::default());
    for text in POSITIONS {
        // Parsing rejects illegal positions.
        let position: Position = text.parse()?;
        let me = game.to_move(&position);
        println!("{position}, seen by {me}");

        // `effective` applies the sign of the feature to the weight. The weighted sum is the static evaluation.
        let mut sum = 0;
        for (feature, weight) in weights.features().features().iter().zip(weights.effective()) {
            let value = feature.value::<Ayo>(&position, me).expect("a feature of ayo");
            sum += value * weight;
            if value * weight != 0 {
                println!(
                    "  {:<5}{:<38}{value:>3} × {weight:>3}",
                    feature.name(),
                    feature.meaning()
                );
            }
        }
        println!("  sum {sum}");

        // A search returns the best move, its score and the number of nodes searched.
        if let Some(result) = searcher.search(&game, &position, DEPTH, Pruning::AlphaBeta, &()) {
            let variation = line(&searcher.principal_variation(&game, &position, DEPTH));
            println!(
                "  depth {DEPTH}: {} in {} nodes, {variation}\n",
                result.score.0, result.nodes
            );
        }
    }
    Ok(())
}
