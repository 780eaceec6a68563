//! The player that assigns values to book positions.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::player::{self, PlayableGame, Player, Spec};
use mancala::book::{Book, Priorities, Settings};
use mancala::eval::Score;
use mancala::game::Record;
use mancala::progress::Progress;
use rayon::prelude::*;

use crate::analyse::bestmove::player_error;
use crate::terminal::usage;

/// A player that assigns values to positions, with one instance per thread.
pub(super) struct Valuer<G> {
    written: String,
    spec: Spec,
    game: G,
    identity: String,
    seed_value: u32,
    idle: Mutex<Vec<Box<dyn Player<G>>>>,
}

impl<G: PlayableGame> Valuer<G> {
    pub(super) fn new(player: &str, game: G, threads: usize) -> anyhow::Result<Valuer<G>> {
        let spec = player.parse::<Spec>().map_err(player_error)?.in_full();
        let instances = (0..threads.max(1)).map(|_| spec.build(game));
        let idle = instances.collect::<Result<Vec<_>, _>>().map_err(player_error)?;
        let Some(seed_value) = idle[0].seed_value().and_then(|value| u32::try_from(value).ok())
        else {
            return Err(usage(format!(
                "player {player} does not evaluate captured seeds, so it cannot evaluate book positions"
            )));
        };
        if !idle[0].is_reproducible() {
            return Err(usage(format!(
                "player {player} is not reproducible; a book needs depth= or nodes=, one thread and no movetime="
            )));
        }
        let (identity, idle) = (idle[0].identity(), Mutex::new(idle));
        let written = player::in_full(player).map_err(player_error)?;
        Ok(Valuer { written, spec, game, identity, seed_value, idle })
    }

    /// Returns the value for the side to move, or `None` if the search was stopped.
    pub(super) fn value(&self, position: &G::Position, progress: &dyn Progress) -> Option<Score> {
        let taken = self.idle.lock().ok()?.pop();
        let mut player = taken.or_else(|| self.spec.build(self.game).ok())?;
        // Clear the transposition table, since entries from other positions would affect the value.
        player.new_game();
        let choice = player.advise(&Record::from_position(self.game, *position), progress);
        self.idle.lock().ok()?.push(player);
        // Discard the result of a stopped search, which may have searched less deeply.
        choice.ok().filter(|_| !progress.should_stop())?.score
    }

    pub(super) fn default_priorities(&self) -> Priorities {
        Priorities::for_seed_value(self.seed_value)
    }

    /// Returns the settings of a book built with this player.
    pub(super) fn terms(&self, priorities: Priorities) -> Settings {
        Settings { player: self.written.clone(), identity: self.identity.clone(), priorities }
    }
}

/// Checks that a book was built with the requested settings. A different spelling of the same player is accepted.
pub(super) fn check_terms(found: &Settings, wanted: &Settings, path: &Path) -> anyhow::Result<()> {
    let texts = |terms: &Settings| {
        let Priorities { ply, own, opponent } = terms.priorities;
        [terms.identity.clone(), format!("--own {own} --opponent {opponent} (a seed is {ply})")]
    };
    for (found, wanted) in texts(found).into_iter().zip(texts(wanted)) {
        if found != wanted {
            let (found, wanted) = difference(&found, &wanted);
            let path = path.display();
            return Err(usage(format!("{path} was built with {found}, not {wanted}")));
        }
    }
    Ok(())
}

/// Returns the parts in which two strings differ, since the common parts may be long. The last common word is included,
/// because it names the difference.
fn difference(one: &str, other: &str) -> (String, String) {
    let [one, other] = [one, other].map(|text| text.split([' ', ',']).collect::<Vec<_>>());
    let equal = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let first = equal(&mut one.iter().zip(&other)).saturating_sub(1);
    let (one, other) = (&one[first..], &other[first..]);
    let last = equal(&mut one.iter().rev().zip(other.iter().rev()));
    let text = |words: &[&str]| match words[..words.len() - last].join(" ") {
        empty if empty.is_empty() => "nothing in its place".into(),
        words => words,
    };
    (text(one), text(other))
}

/// A position whose value in the book differs from the search's value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Difference<P> {
    pub(super) position: P,
    pub(super) stored: Score,
    pub(super) found: Score,
}

/// Searches an evenly spaced sample of a book's positions again and returns the differences, or `None` if stopped.
pub(super) fn value_again<G: PlayableGame>(
    book: &Book<G>,
    valuer: &Valuer<G>,
    sample: usize,
    progress: &dyn Progress,
) -> Option<Vec<Difference<G::Position>>> {
    let searched: Vec<_> = book.searched().collect();
    let done = AtomicU64::new(0);
    let drawn = (0..sample).into_par_iter().map(|index| searched[index * searched.len() / sample]);
    let valued = drawn.with_max_len(1).map(|(&position, stored)| {
        let found = valuer.value(&position, progress)?;
        progress.advance(done.fetch_add(1, Ordering::Relaxed) + 1, sample as u64);
        Some((stored != found).then_some(Difference { position, stored, found }))
    });
    let valued: Option<Vec<_>> = valued.collect();
    Some(valued?.into_iter().flatten().collect())
}
