//! Shared helpers for tests.

use std::fmt::Debug;
use std::sync::LazyLock;

use arena::LocalGames;
use mancala::progress::Progress;

use crate::games::GameRunner;
use crate::run::{Draft, Settings};

pub(crate) fn runner(progress: &dyn Progress) -> GameRunner<'_> {
    static GAMES: LazyLock<LocalGames> = LazyLock::new(LocalGames::new);
    GameRunner { games: &*GAMES, progress }
}

/// Parses settings of the form `name=value`, separated by spaces.
pub(crate) fn pairs(changes: &str) -> impl Iterator<Item = (&str, &str)> {
    changes.split_whitespace().map(|it| it.split_once('=').unwrap())
}

pub(crate) fn changed(preset: &str, changes: &str) -> Settings {
    let mut draft = Draft::preset(preset).unwrap();
    pairs(changes).for_each(|(key, value)| draft.set(key, value).unwrap());
    draft.finish().unwrap()
}

/// Runs `work` on one thread and on two, and checks that the results are equal.
pub(crate) fn on_any_threads<T: Send + PartialEq + Debug>(work: impl Fn() -> T + Sync) -> T {
    let [one, two] = [1, 2].map(|threads| mancala::laws::on_threads(threads, &work));
    assert_eq!(one, two);
    one
}
