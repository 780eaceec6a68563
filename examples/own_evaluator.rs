//! Plays a custom evaluator, which is not a weighted sum of features, against one that is.
//!
//! ```sh
//! cargo run --release --example own_evaluator
//! ```

use std::error::Error;

use mancala::eval::{Evaluator, Linear, Score, Weights};
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Record, Side};
use mancala::search::{Tree, alpha_beta};

/// Counts captured seeds, which are worth more when fewer are left on the board.
struct Urgent;

impl Evaluator<Ayo> for Urgent {
    fn evaluate(&self, position: &Position, me: Side) -> Score {
        let seeds = |side| i32::from(position.store(side));
        let left = 48 - seeds(me) - seeds(me.other());
        Score((seeds(me) - seeds(me.other())) * (96 - left))
    }
}

/// Search depth for both sides, in plies.
const DEPTH: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let game = Ayo::default();
    // Weights are compiled into an evaluator like any other. A search is compiled for a single evaluator type, so each
    // side has its own search.
    let weights = Linear::new(&Weights::named("daoud2004-depth3").expect("published weights"));
    let mut record = Record::new(game, Side::South);
    while record.ending().is_none() {
        let position = *record.position();
        let result = match record.to_move() {
            Side::South => alpha_beta(Tree::new(&game, &Urgent), &position, DEPTH, &()),
            Side::North => alpha_beta(Tree::new(&game, &weights), &position, DEPTH, &()),
        };
        record.play(result.ok_or("a position without an ending has moves")?.pit)?;
    }
    let end = record.settlement().expect("the game has ended");
    println!("{} after {} moves", end.verdict, record.plies().len());
    println!("Urgent {}, daoud2004-depth3 {}", end.stores[0], end.stores[1]);
    Ok(())
}
