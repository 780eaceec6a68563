//! The completely determined game: one file a verb below.

mod boards;
mod conjecture;
mod distance;
mod matching;
mod matrix;
mod maximal;
mod numbers;
mod span;
mod sums;

super::verbs! {
    /// Draw a row of table 3.5 as a board
    Position(boards::Arguments) => boards::position,
    /// Play a row of table 3.5 out, capture by capture (tables 3.5 and 3.6)
    Play(boards::Arguments) => boards::play,
    /// Say how far rows are from a CDG: remainder and its sum
    Distance(distance::Arguments) => distance::run,
    /// List the largest CDG of boards of several sizes (table 3.2)
    Maximal(maximal::Arguments) => maximal::run,
    /// List s(n), f(n) and g(n) of boards of several sizes (table 3.4), or draw s(n)·π/n²
    Sums(sums::Arguments) => sums::run,
    /// List which numbers of seeds make matching groups, and the periods of the others (tables 3.7, 3.8)
    Matching(matching::Arguments) => matching::run,
    /// Show payoff matrices and their saddle points (theorem 1, figure 3.11)
    Matrix(matrix::Arguments) => matrix::matrix,
    /// Show the blocks that make up the largest CDG (theorem 2, figure 3.12)
    Blocks(matrix::BlocksArguments) => matrix::list_blocks,
    /// Test propositions I to IV
    Propositions(matrix::LawArguments) => matrix::laws,
    /// Test conjecture 1, a closed form of f(n)
    Conjecture(conjecture::Arguments) => conjecture::run,
}
