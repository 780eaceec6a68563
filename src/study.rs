//! Published studies, done again and set beside what was printed.

pub mod amdf;
pub mod kansas;
mod meeting;
pub mod rbh;

pub use meeting::{Meeting, Met, Stage, play_all};

/// Told how a study goes on, and asked whether to give up.
pub trait Watcher: Sync {
    /// So many more games have been played.
    fn played(&self, games: u64);

    /// Whether to stop.
    fn should_stop(&self) -> bool;
}

/// Hears nothing and never stops.
impl Watcher for () {
    fn played(&self, _games: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}
