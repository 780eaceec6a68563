//! Builds the endgame tables of awari with up to six seeds, and looks up positions.
//!
//! ```sh
//! cargo run --release --example probe_a_table
//! ```

use std::error::Error;

use mancala::endgame::{BuildPlan, build};
use mancala::game::Side;
use mancala::game::ayo::{Position, Rules};

/// The number of positions grows by a factor of about 1.4 per seed.
const SEEDS: u8 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    // Values are proven under the rules of awari. Each layer is a file, and a second build in the same folder reuses
    // existing layers.
    let folder = tempfile::tempdir()?;
    let plan = BuildPlan::new(Rules::AWARI, SEEDS, folder.path())?;
    let built = |seeds| println!("layer of {seeds} seeds");
    let tables = build(&plan, &(), built)?.expect("nothing stops the building");
    println!("{} positions\n", plan.positions());

    for text in ["1-0-0-0-0-1-1-0-0-0-0-0-23-22-S", "0-0-0-0-1-1-1-0-0-0-1-0-22-22-S"] {
        let position: Position = text.parse()?;
        // The seeds that the mover still captures, minus the opponent's, with perfect play.
        let value = tables.probe(&position).expect("few enough seeds");
        // The difference at the end of the game, which includes captured seeds.
        let end = tables.difference(&position, Side::South).expect("few enough seeds");
        println!("{position}: {value:+} to the mover, South ends {end:+}");
        for (pit, value) in tables.moves(&position).expect("few enough seeds") {
            println!("  {}: {value:+}", pit.letter(position.to_move()));
        }
    }
    Ok(())
}
