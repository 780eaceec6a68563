//! Who meets whom from which openings, and the games that come of it.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::game::{Effort, End, play_game};
use super::openings::Openings;
use super::team::{NoCopy, Team};
use crate::player::{PlayableGame, Player};
use mancala::game::ayo::Ayo;
use mancala::game::{Record, Settlement, Side};
use mancala::progress::Progress;

/// Players who meet in pairings, from every opening twice, with colours swapped.
///
/// The games of a pairing follow each other: its games `2i` and `2i + 1` are the pair of opening `i`,
/// and the pairing's first player moves first in the even one.
pub struct Contest<'a, G: PlayableGame = Ayo> {
    /// The players.
    pub teams: &'a [Team<G>],
    /// Who meets whom, first player and second player.
    pub pairings: Vec<[usize; 2]>,
    /// The game and its rules.
    pub game: G,
    /// What they begin from.
    pub openings: &'a Openings<G::Position>,
}

/// One finished game of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its number in the contest, from 0.
    pub index: usize,
    /// The number of its pairing.
    pub pairing: usize,
    /// What it began from.
    pub opening: String,
    /// Who moved first.
    pub mover: Side,
    /// The moves.
    pub line: String,
    /// How it ended.
    pub end: End,
    /// What it came to.
    pub settlement: Settlement,
    /// What the first and the second player of the pairing spent.
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
    /// The side that the pairing's first player played.
    pub fn side_of_first(&self) -> Side {
        if self.index.is_multiple_of(2) { self.mover } else { self.mover.other() }
    }

    /// Final stores of the first and the second player.
    pub fn stores(&self) -> [u16; 2] {
        let side = self.side_of_first();
        [side, side.other()].map(|side| self.settlement.stores[side.index()])
    }
}

/// How many different games there are among some.
pub fn distinct_games(games: &[Finished]) -> usize {
    games
        .iter()
        .map(|game| (game.opening.as_str(), game.line.as_str()))
        .collect::<HashSet<_>>()
        .len()
}

impl<G: PlayableGame> Contest<'_, G> {
    /// Games in the contest.
    pub fn len(&self) -> usize {
        self.pairings.len() * self.games_of_pairing()
    }

    /// Games of one pairing, an even number.
    pub fn games_of_pairing(&self) -> usize {
        2 * self.openings.positions().len()
    }

    /// What a game begins from.
    pub fn opening(&self, index: usize) -> G::Position {
        self.openings.positions()[index % self.games_of_pairing() / 2]
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Plays the games from number `from` on, `threads` at a time, and tells `follow` of each in the
    /// order of their numbers, whatever was played at a time. Ends when all are played, the follower
    /// has enough, or the progress stops it.
    ///
    /// # Errors
    /// The follower's, or if a further copy of a player cannot be started.
    pub fn play<E: From<NoCopy>>(
        &self,
        from: usize,
        threads: NonZeroUsize,
        progress: &dyn Progress,
        follow: &mut dyn FnMut(Finished) -> Result<Followed, E>,
    ) -> Result<(), E> {
        let next = AtomicUsize::new(from);
        let enough = AtomicBool::new(false);
        let stop = Either { progress, enough: &enough };
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
        sender: &mpsc::Sender<Result<Finished, NoCopy>>,
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
    fn game(&self, index: usize, stop: &dyn Progress) -> Result<Option<Finished>, NoCopy> {
        let opening = self.opening(index);
        let pairing = index / self.games_of_pairing();
        let [first_team, second_team] = self.pairings[pairing].map(|player| &self.teams[player]);
        let mut record = Record::from_position(self.game, opening);
        let mover = record.to_move();
        let first_is_south = (mover == Side::South) == index.is_multiple_of(2);
        let (mut first, mut second) = (first_team.take()?, second_team.take()?);
        first.new_game();
        second.new_game();
        let players: [&mut dyn Player<G>; 2] =
            if first_is_south { [&mut *first, &mut *second] } else { [&mut *second, &mut *first] };
        let played = play_game(&mut record, players, stop);
        first_team.rest(first);
        second_team.rest(second);
        Ok(played.map(|played| {
            let [south, north] = played.effort;
            Finished {
                index,
                pairing,
                opening: opening.to_string(),
                mover,
                line: record.line(),
                end: played.end,
                settlement: played.settlement,
                effort: if first_is_south { [south, north] } else { [north, south] },
            }
        }))
    }
}

fn tell_in_order<E: From<NoCopy>>(
    from: usize,
    receiver: mpsc::Receiver<Result<Finished, NoCopy>>,
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

/// Stops for the progress or when the match is decided.
struct Either<'a> {
    progress: &'a dyn Progress,
    enough: &'a AtomicBool,
}

impl Progress for Either<'_> {
    fn should_stop(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.progress.should_stop()
    }
}
