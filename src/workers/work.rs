//! Work in pieces, each of which is a pure function of what it says.

use super::wire::Piece;
use mancala::progress::Progress;

/// A batch of work. The answers are bytes, the same ones whoever finds them, but for what their
/// [digest](Piece::digest) leaves out.
pub(super) trait Work: Sync {
    /// Why a piece cannot be done.
    type Error: Send;

    /// How many pieces there are.
    fn pieces(&self) -> usize;

    /// What the pieces have in common; empty, if that is nothing.
    fn ground(&self) -> Vec<u8>;

    /// Whether others may do it. What a clock decides is done here alone.
    fn is_shared(&self) -> bool;

    /// What stands for a piece elsewhere.
    fn piece(&self, number: usize) -> Piece;

    /// How much of the work a piece is: games, searches.
    fn weight(&self, number: usize) -> u64;

    /// Does a piece here. `None` if the progress stopped it.
    fn act(&self, number: usize, progress: &dyn Progress) -> Result<Option<Vec<u8>>, Self::Error>;
}
