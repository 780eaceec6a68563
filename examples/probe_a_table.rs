//! Builds the endgame tables of awari with up to six seeds and looks positions up in them.
//!
//! ```sh
//! cargo run --release --example probe_a_table
//! ```

use std::error::Error;

use mancala::endgame::{BuildPlan, build};
use mancala::game::Side;
use mancala::game::ayo::{Position, Rules};

/// Each further seed takes about 1.4 times as many positions.
const SEEDS: u8 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    // Under the rules of awari the values are proven. A layer is a file; what is built is kept, so that
    // a second build of the same folder finds it.
    let folder = tempfile::tempdir()?;
    let plan = BuildPlan::new(Rules::AWARI, SEEDS, folder.path())?;
    let built = |seeds| println!("layer of {seeds} seeds");
    let tables = build(&plan, &(), built)?.expect("nothing stops the building");
    println!("{} positions\n", plan.positions());

    for text in ["1-0-0-0-0-1-1-0-0-0-0-0-23-22-S", "0-0-0-0-1-1-1-0-0-0-1-0-22-22-S"] {
        let position: Position = text.parse()?;
        // The mover's seeds less the opponent's that both can still reach by perfect play.
        let value = tables.probe(&position).expect("few enough seeds");
        // The same at the end of the game, with what is captured already.
        let end = tables.difference(&position, Side::South).expect("few enough seeds");
        println!("{position}: {value:+} to the mover, South ends {end:+}");
        for (pit, value) in tables.moves(&position).expect("few enough seeds") {
            println!("  {}: {value:+}", pit.letter(position.to_move()));
        }
    }
    Ok(())
}
