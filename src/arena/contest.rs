//! A match: two players, a suite of openings, both colours.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::game::{Effort, End, play_game};
use super::openings::Openings;
use super::team::Team;
use crate::game::ayo::{Ayo, Position};
use crate::game::{Record, Settlement, Side, Verdict};
use crate::player::{Player, SpecError};
use crate::search::Monitor;

/// Two players who meet from every opening twice, with colours swapped.
///
/// Game `2i` and game `2i + 1` are the pair of opening `i`; the first player moves first in the even
/// one.
pub struct Contest<'a> {
    /// The players.
    pub teams: [&'a Team; 2],
    /// The game and its rules.
    pub game: Ayo,
    /// What they begin from.
    pub openings: &'a Openings,
}

/// One finished game of a match, seen by the first player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its number in the match, from 0.
    pub index: usize,
    /// What it began from.
    pub opening: Position,
    /// The moves.
    pub line: String,
    /// How it ended.
    pub end: End,
    /// What it came to.
    pub settlement: Settlement,
    /// What the first and the second player spent.
    pub effort: [Effort; 2],
}

/// Whether to go on with a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Followed {
    /// Play on.
    On,
    /// The match is decided.
    Enough,
}

impl Finished {
    /// The side that the first player played.
    pub fn side_of_first(&self) -> Side {
        let mover = self.opening.to_move();
        if self.index.is_multiple_of(2) { mover } else { mover.other() }
    }

    /// Half points of the first player: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u32 {
        match self.settlement.verdict {
            Verdict::Drawn => 1,
            Verdict::Won(side) if side == self.side_of_first() => 2,
            Verdict::Won(_) => 0,
        }
    }

    /// Final stores of the first and the second player.
    pub fn stores(&self) -> [u8; 2] {
        let side = self.side_of_first();
        [side, side.other()].map(|side| self.settlement.stores[side.index()])
    }
}

/// How many different games there are among some.
pub fn distinct_games(games: &[Finished]) -> usize {
    games.iter().map(|game| (game.opening, game.line.as_str())).collect::<HashSet<_>>().len()
}

impl Contest<'_> {
    /// Games in the match.
    pub fn len(&self) -> usize {
        2 * self.openings.positions().len()
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plays the games from number `from` on, `threads` at a time, and tells `follow` of each in the
    /// order of their numbers, whatever was played at a time. Ends when all are played, the follower
    /// has enough, or the monitor stops it.
    ///
    /// # Errors
    /// The follower's, or if a player cannot be started.
    pub fn play<E: From<SpecError>>(
        &self,
        from: usize,
        threads: NonZeroUsize,
        monitor: &dyn Monitor,
        follow: &mut dyn FnMut(Finished) -> Result<Followed, E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(from);
        let enough = AtomicBool::new(false);
        let stop = Either { monitor, enough: &enough };
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads.get() {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                scope.spawn(move || self.work(next, stop, &sender));
            }
            drop(sender);
            let told = tell_in_order(from, receiver, follow);
            // Whatever still runs has become pointless.
            enough.store(true, Ordering::Relaxed);
            told
        })
    }

    /// Plays one game after the other until there is none left or nobody listens.
    fn work(
        &self,
        next: &AtomicUsize,
        stop: &Either<'_>,
        sender: &mpsc::Sender<Result<Finished, SpecError>>,
    ) {
        while !stop.should_stop() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.len() {
                return;
            }
            let Some(game) = self.game(index, stop).transpose() else {
                return;
            };
            if sender.send(game).is_err() {
                return;
            }
        }
    }

    /// The game of this number; `None` if it was stopped.
    fn game(&self, index: usize, stop: &dyn Monitor) -> Result<Option<Finished>, SpecError> {
        let opening = self.openings.positions()[index / 2];
        let mut record = Record::from_position(self.game, opening);
        let first_is_south = (opening.to_move() == Side::South) == index.is_multiple_of(2);
        let (mut first, mut second) = (self.teams[0].take()?, self.teams[1].take()?);
        first.new_game();
        second.new_game();
        let players: [&mut dyn Player<Ayo>; 2] =
            if first_is_south { [&mut *first, &mut *second] } else { [&mut *second, &mut *first] };
        let played = play_game(&mut record, players, stop);
        self.teams[0].rest(first);
        self.teams[1].rest(second);
        Ok(played.map(|played| {
            let [south, north] = played.effort;
            Finished {
                index,
                opening,
                line: record.line(),
                end: played.end,
                settlement: played.settlement,
                effort: if first_is_south { [south, north] } else { [north, south] },
            }
        }))
    }
}

fn tell_in_order<E: From<SpecError>>(
    from: usize,
    receiver: mpsc::Receiver<Result<Finished, SpecError>>,
    follow: &mut dyn FnMut(Finished) -> Result<Followed, E>,
) -> Result<(), E> {
    let mut early = BTreeMap::new();
    let mut due = from;
    for game in receiver {
        let game = game?;
        early.insert(game.index, game);
        while let Some(game) = early.remove(&due) {
            due += 1;
            if follow(game)? == Followed::Enough {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Stops for the monitor or when the match is decided.
struct Either<'a> {
    monitor: &'a dyn Monitor,
    enough: &'a AtomicBool,
}

impl Monitor for Either<'_> {
    fn should_stop(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.monitor.should_stop()
    }
}
