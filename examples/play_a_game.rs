//! Plays a game of ayo between two weight vectors and prints it move by move.
//!
//! ```sh
//! cargo run --release --example play_a_game
//! ```

use std::error::Error;

use ayo::arena::play_game;
use ayo::player::Minimax;
use mancala::eval::{Signs, Weights};
use mancala::game::ayo::Ayo;
use mancala::game::{Game, Record, Side};
use mancala::search::{Limits, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let game = Ayo::default();
    // Weights consist of a name, features, and a number for each feature. `Weights::named` returns published weights;
    // `mancala::eval::load` reads them from a file or a run folder.
    let published = Weights::named("daoud2004-depth5").expect("published weights");
    let own = Weights::new("seeds in hand", "a9,a10".parse()?, &[2, 2], Signs::Signed)?;

    // A player combines a search with weights. Both players search four plies.
    let limits = Limits::depth(4);
    let mut south = Minimax::<Ayo>::new(&published, limits, Options::default());
    let mut north = Minimax::<Ayo>::new(&own, limits, Options::default());

    // The record keeps track of legal moves and the end of the game. `&()` is a no-op progress observer that never
    // stops the game.
    let mut record = Record::new(game, Side::South);
    let played = play_game(&mut record, [&mut south, &mut north], &()).expect("nothing stops it");

    println!("South: {}, North: {}\n", published.name, own.name);
    let mut position = *record.opening();
    for (number, &(side, pit)) in record.plies().iter().enumerate() {
        position = game.play(&position, pit);
        println!("{:>3}. {} {position}", number + 1, pit.letter(side));
    }
    println!();
    let verdict = record.verdict().expect("the game has ended");
    println!("{verdict} after {} moves: {:?}", record.plies().len(), played.end);
    Ok(())
}
