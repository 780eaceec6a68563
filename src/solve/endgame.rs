//! Endgame tables: one file a verb below.

mod build;
mod probe;
mod prove;
pub(crate) mod size;
mod stats;
pub(crate) mod tables;
mod verify;
mod watch;

crate::cli::verbs::verbs! {
    /// Solve every position with up to so many seeds; the same command goes on where it stopped
    Build(build::Arguments) => build::run,
    /// Check tables against the rules
    Verify(verify::Arguments) => verify::run,
    /// Look a position up: its value and that of each move
    Probe(probe::Arguments) => probe::run,
    /// Prove that a position is won, drawn or lost, by proof-number search
    Prove(prove::Arguments) => prove::run,
    /// Count the positions by seeds and value
    Stats(stats::Arguments) => stats::run,
}
