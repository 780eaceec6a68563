//! What is for Kalah alone: one file a verb below.

mod solve;

crate::cli::verbs::verbs! {
    /// Say by how much the first player wins a small board when both play their best
    Solve(solve::Arguments) => solve::run,
}
