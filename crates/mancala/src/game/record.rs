//! A game and its history.

use super::{Ending, Game, Pit, Settlement, Side, Verdict};
use crate::text::Result;

/// An opening position and the moves played from it.
///
/// A record rejects illegal moves and detects the end of the game, including a repetition. It accepts moves after the
/// end, because printed games sometimes continue.
///
/// ```
/// use mancala::game::{Pit, Record, Side, ayo::Ayo};
/// let mut record = Record::new(Ayo::default(), Side::South);
/// record.play(Pit::new(5).unwrap()).unwrap();
/// assert_eq!(record.line(), "F");
/// assert!(record.undo());
/// assert_eq!(record.line(), "");
/// ```
#[derive(Debug, Clone)]
pub struct Record<G: Game> {
    game: G,
    positions: Vec<G::Position>,
    plies: Vec<(Side, Pit)>,
}

/// A single ply from a record, along with its effect on the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub side: Side,
    pub pit: Pit,
    pub seeds: u16,
    /// The number of seeds sown into the mover's own store.
    pub home: u16,
    pub captured: u16,
    pub again: bool,
}

impl<G: Game> Record<G> {
    /// Creates a game from the initial position, with `first` to move.
    pub fn new(game: G, first: Side) -> Self {
        Self::from_position(game, game.start(first))
    }

    pub fn from_position(game: G, position: G::Position) -> Self {
        Record { game, positions: vec![position], plies: Vec::new() }
    }

    pub fn game(&self) -> &G {
        &self.game
    }

    pub fn opening(&self) -> &G::Position {
        &self.positions[0]
    }

    /// Returns the opening position and the position after each ply.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// Returns the position after the last ply.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    pub fn to_move(&self) -> Side {
        self.game.to_move(self.position())
    }

    pub fn plies(&self) -> &[(Side, Pit)] {
        &self.plies
    }

    /// Returns the plies and their effects, latest first.
    pub fn outcomes(&self) -> impl Iterator<Item = Ply> {
        let steps = self.positions.windows(2).zip(&self.plies).rev();
        steps.map(|(step, &(side, pit))| {
            let (game, before, after) = (&self.game, &step[0], &step[1]);
            let home = game.sown_home(before, pit);
            Ply {
                side,
                pit,
                seeds: game.seeds(before, pit),
                home,
                captured: game.store(after, side) - game.store(before, side) - home,
                again: game.to_move(after) == side && game.ended(after).is_none(),
            }
        })
    }

    /// Returns the moves as letters, in upper case for South.
    pub fn line(&self) -> String {
        line(&self.plies)
    }

    /// Plays a move for the side to move. Fails if the move is illegal.
    pub fn play(&mut self, pit: Pit) -> Result<()> {
        let side = self.to_move();
        if let Some(reason) = self.game.objection(self.position(), pit) {
            let (ply, pit) = (self.plies.len() + 1, pit.letter(side));
            return Err(format!("ply {ply}: {side} cannot play {pit}: {reason}").into());
        }
        self.positions.push(self.game.play(self.position(), pit));
        self.plies.push((side, pit));
        Ok(())
    }

    /// Plays a line of moves. If a move is illegal, this fails, and the record keeps the moves before it.
    pub fn play_line(&mut self, plies: impl IntoIterator<Item = (Side, Pit)>) -> Result<()> {
        for (side, pit) in plies {
            let to_move = self.to_move();
            if side != to_move {
                let ply = self.plies.len() + 1;
                return Err(format!("ply {ply}: it is {to_move}'s turn").into());
            }
            self.play(pit)?;
        }
        Ok(())
    }

    /// Takes back the last ply. Returns false if there was nothing to take back.
    pub fn undo(&mut self) -> bool {
        let undone = self.plies.pop().is_some();
        if undone {
            self.positions.pop();
        }
        undone
    }

    /// Returns how the game ended, or `None` if the last position doesn't end it.
    pub fn ending(&self) -> Option<Ending> {
        let ending = self.game.ending(self.position(), self.game.moves(self.position()));
        ending.or_else(|| self.repeats().then_some(Ending::Repetition))
    }

    /// Returns the result of the game, or `None` if the last position doesn't end it.
    pub fn settlement(&self) -> Option<Settlement> {
        Some(self.game.settle(self.position(), self.ending()?))
    }

    /// Returns the winner of the game, or `None` if the last position doesn't end it.
    pub fn verdict(&self) -> Option<Verdict> {
        Some(self.settlement()?.verdict)
    }

    /// Returns whether the position has occurred before. Stores never shrink, so we can stop once they differ.
    fn repeats(&self) -> bool {
        let now = self.position();
        let store = |p: &G::Position, side| self.game.store(p, side);
        let [south, north] = Side::BOTH;
        let stores = |p: &G::Position| (store(p, south), store(p, north));
        let stored = stores(now);
        let (_, before) = self.positions.split_last().expect("never empty");
        // This runs after every ply of every game, so we use a loop, because an iterator chain isn't always inlined.
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

/// Returns moves as letters, in upper case for South.
pub fn line(plies: &[(Side, Pit)]) -> String {
    plies.iter().map(|&(side, pit)| pit.letter(side)).collect()
}
