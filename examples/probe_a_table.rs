//! Builds the endgame tables for awari with up to six seeds, and looks up positions.
//!
//! ```sh
//! cargo run --release --example probe_a_table
//! ```

use std::error::Error;

use mancala::endgame::{BuildPlan, build};
use mancala::game::Side;
use mancala::game::ayo::{Position, Rules};

/// Maximum number of seeds. Each additional seed multiplies the number of positions by about 1.4.
const SEEDS: u8 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    // Under the rules of awari, all values are proven. Each layer is stored in its own file, and a second build in the
    // same folder reuses existing layers.
    let folder = tempfile::tempdir()?;
    let plan = BuildPlan::new(Rules::AWARI, SEEDS, folder.path())?;
    let built = |seeds| println!("layer of {seeds} seeds");
    let tables = build(&plan, &(), built)?.expect("nothing stops the building");
    println!("{} positions\n", plan.positions());

    for text in ["1-0-0-0-0-1-1-0-0-0-0-0-23-22-S", "0-0-0-0-1-1-1-0-0-0-1-0-22-22-S"] {
        let position: Position = text.parse()?;
        // With perfect play, the seeds that the mover will still capture, minus the opponent's.
        let value = tables.probe(&position).expect("few enough seeds");
        // The final difference between the stores, including the seeds captured so far.
        let end = tables.difference(&position, Side::South).expect("few enough seeds");
        println!("{position}: {value:+} to the mover, South ends {end:+}");
        for (pit, value) in tables.moves(&position).expect("few enough seeds") {
            println!("  {}: {value:+}", pit.letter(position.to_move()));
        }
    }
    Ok(())
}
