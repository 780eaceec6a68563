//! A game as it is played. The record is the referee: it alone knows the history.

use super::{Ending, Game, Pit, Settlement, Side, Verdict};

/// An opening position and the moves played from it.
///
/// The record is the referee: it refuses illegal moves and knows when a game has ended, by
/// repetition too. It lets play go on past the end, as printed games do.
///
/// ```
/// use mancala::game::{Pit, Record, Side, ayo::Ayo};
/// let mut record = Record::new(Ayo::default(), Side::South);
/// record.play(Pit::new(5).unwrap()).unwrap();
/// assert_eq!(record.line(), "F");
/// assert!(record.play(Pit::new(0).unwrap()).is_ok());
/// assert!(record.undo());
/// assert_eq!(record.line(), "F");
/// ```
#[derive(Debug, Clone)]
pub struct Record<G: Game> {
    game: G,
    /// The opening position and the one after each ply: never empty.
    positions: Vec<G::Position>,
    plies: Vec<(Side, Pit)>,
}

/// A ply of a record and what it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The side that moved.
    pub side: Side,
    /// The pit that was sown.
    pub pit: Pit,
    /// Seeds that were sown.
    pub seeds: u16,
    /// Seeds sown into the mover's own store.
    pub home: u16,
    /// Seeds captured.
    pub captured: u16,
    /// Whether the mover is to move again.
    pub again: bool,
}

/// A move that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {side} cannot play {}: {reason}", pit.letter(*side))]
pub struct IllegalMove {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The side to move.
    pub side: Side,
    /// The pit that was to be sown.
    pub pit: Pit,
    /// Why, in words that end a sentence.
    pub reason: &'static str,
}

impl<G: Game> Record<G> {
    /// A game from the start position, with `first` to move.
    pub fn new(game: G, first: Side) -> Self {
        Self::from_position(game, game.start(first))
    }

    /// A game from any position.
    pub fn from_position(game: G, position: G::Position) -> Self {
        Record { game, positions: vec![position], plies: Vec::new() }
    }

    /// The rules that the game is played by.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position that the game began from.
    pub fn opening(&self) -> &G::Position {
        &self.positions[0]
    }

    /// The position after the last ply.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// The side to move.
    pub fn to_move(&self) -> Side {
        self.game.to_move(self.position())
    }

    /// The side and the pit of each ply.
    pub fn plies(&self) -> &[(Side, Pit)] {
        &self.plies
    }

    /// What each ply did, the last ply first.
    ///
    /// ```
    /// use mancala::game::{Pit, Record, Side, kalah::Kalah};
    /// let mut record = Record::new(Kalah::default(), Side::South);
    /// record.play(Pit::new(2).unwrap()).unwrap();
    /// let last = record.outcomes().next().unwrap();
    /// assert_eq!((last.home, last.captured, last.again), (1, 0, true));
    /// ```
    pub fn outcomes(&self) -> impl Iterator<Item = Ply> {
        let steps = self.positions.windows(2).zip(&self.plies).rev();
        steps.map(|(step, &(side, pit))| self.outcome(side, pit, [&step[0], &step[1]]))
    }

    fn outcome(&self, side: Side, pit: Pit, [before, after]: [&G::Position; 2]) -> Ply {
        let game = &self.game;
        let home = game.sown_home(before, pit);
        Ply {
            side,
            pit,
            seeds: game.seeds(before, pit),
            home,
            captured: game.store(after, side) - game.store(before, side) - home,
            again: game.to_move(after) == side && game.ended(after).is_none(),
        }
    }

    /// The moves as letters run together.
    pub fn line(&self) -> String {
        line(&self.plies)
    }

    /// Sows from `pit` for the side to move.
    pub fn play(&mut self, pit: Pit) -> Result<(), IllegalMove> {
        let side = self.to_move();
        if let Some(reason) = self.game.objection(self.position(), pit) {
            let ply = self.plies.len() + 1;
            return Err(IllegalMove { ply, side, pit, reason });
        }
        self.positions.push(self.game.play(self.position(), pit));
        self.plies.push((side, pit));
        Ok(())
    }

    /// Takes the last ply back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let undone = self.plies.pop().is_some();
        if undone {
            self.positions.pop();
        }
        undone
    }

    /// How the game has ended, if the last position ends it.
    pub fn ending(&self) -> Option<Ending> {
        let position = self.position();
        let moves = self.game.moves(position);
        let ending = self.game.ending(position, moves);
        ending.or_else(|| self.repeats().then_some(Ending::Repetition))
    }

    /// The result, if the last position ends the game.
    pub fn settlement(&self) -> Option<Settlement> {
        Some(self.game.settle(self.position(), self.ending()?))
    }

    /// Who won, if the game has ended.
    pub fn verdict(&self) -> Option<Verdict> {
        Some(self.settlement()?.verdict)
    }

    /// Whether the position occurred before. Positions include the stores, so one from before the
    /// last capture is never equal, and the search for an equal one stops there.
    fn repeats(&self) -> bool {
        let now = self.position();
        let store = |p: &G::Position, side| self.game.store(p, side);
        let [south, north] = Side::BOTH;
        let stores = |p: &G::Position| (store(p, south), store(p, north));
        let stored = stores(now);
        let (_, before) = self.positions.split_last().expect("never empty");
        // Once a ply of every game: as a chain of adapters it is a call or not by the luck of codegen units.
        for earlier in before.iter().rev() {
            if stores(earlier) != stored {
                return false;
            }
            if earlier == now {
                return true;
            }
        }
        false
    }
}

/// Moves as letters run together, upper case for South.
pub fn line(plies: &[(Side, Pit)]) -> String {
    plies.iter().map(|&(side, pit)| pit.letter(side)).collect()
}
