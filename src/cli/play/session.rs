//! A game of a person with a player: what can happen in it, without a word of input or output.

use crate::player::{NoChoice, PlayableGame, Player};
use mancala::eval::{Certainty, Score};
use mancala::game::{Ending, IllegalMove, Pit, Ply, Record, Side};

pub(super) struct Session<G: PlayableGame> {
    /// The game as it was given, to which [`Session::retry`] goes back.
    begun: Record<G>,
    record: Record<G>,
    human: Side,
    player: Box<dyn Player<G>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Human,
    Computer,
    Over(Ending),
}

/// Why a person's move was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    #[error("the game is over; undo, retry or quit")]
    Over,
    #[error("it is the computer's turn; undo, retry, switch or quit")]
    Turn,
    #[error("you cannot sow from {}: {reason}", pit.letter(*side))]
    Illegal { side: Side, pit: Pit, reason: &'static str },
}

/// Why the player did not move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Stuck {
    #[error("the computer gives no move: {0}; undo, retry, switch or quit")]
    NoChoice(#[from] NoChoice),
    #[error("the computer breaks the rules, {0}; undo, retry, switch or quit")]
    Illegal(#[from] IllegalMove),
}

/// Why the player suggests nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoSuggestion {
    #[error("the game is over: there is nothing to choose")]
    Over,
    #[error("the computer suggests no move: {0}")]
    NoChoice(#[from] NoChoice),
}

impl<G: PlayableGame> Session<G> {
    /// A session that goes on from a game.
    pub(super) fn new(record: Record<G>, human: Side, mut player: Box<dyn Player<G>>) -> Self {
        player.new_game();
        Session { begun: record.clone(), record, human, player }
    }

    pub(super) fn record(&self) -> &Record<G> {
        &self.record
    }

    pub(super) fn human(&self) -> Side {
        self.human
    }

    pub(super) fn turn(&self) -> Turn {
        match self.record.ending() {
            Some(ending) => Turn::Over(ending),
            None if self.record.to_move() == self.human => Turn::Human,
            None => Turn::Computer,
        }
    }

    /// The last ply and what it did.
    pub(super) fn last(&self) -> Option<Ply> {
        self.record.outcomes().next()
    }

    /// The seeds that a side has sown home and those that it has captured in the moves on record.
    pub(super) fn won(&self, side: Side) -> [u16; 2] {
        let plies = self.record.outcomes().filter(|ply| ply.side == side);
        plies.fold([0; 2], |[home, captured], ply| [home + ply.home, captured + ply.captured])
    }

    /// Plays the person's move.
    pub(super) fn sow(&mut self, pit: Pit) -> Result<(), Refused> {
        match self.turn() {
            Turn::Over(_) => return Err(Refused::Over),
            Turn::Computer => return Err(Refused::Turn),
            Turn::Human => {}
        }
        let side = self.human;
        let played = self.record.play(pit);
        played.map_err(|illegal| Refused::Illegal { side, pit, reason: illegal.reason })
    }

    /// Lets the player make one move if it is his turn; whether he did. It can be his turn again then, where
    /// a move can earn another one.
    ///
    /// # Errors
    /// If he cannot go on; it is still his turn then, and undo, retry and switch are ways out.
    pub(super) fn reply(&mut self) -> Result<bool, Stuck> {
        if self.turn() != Turn::Computer {
            return Ok(false);
        }
        let choice = self.player.choose(&self.record, &())?;
        self.record.play(choice.pit)?;
        Ok(true)
    }

    /// What the player thinks each move of the side to move is worth; nothing if he puts no value on
    /// moves or the game is over.
    pub(super) fn payoffs(&mut self) -> Vec<(Pit, Score)> {
        match self.turn() {
            Turn::Over(_) => Vec::new(),
            Turn::Human | Turn::Computer => self.player.payoffs(&self.record),
        }
    }

    /// What his endgame tables say that each move brings the side to move, and what that is worth. `None`
    /// if he has none of these rules, or the position is not in them.
    pub(super) fn known(&self) -> Option<(Certainty, Vec<(Pit, i8)>)> {
        let tables = self.player.tables()?;
        let certainty = if tables.proven() { Certainty::Proven } else { Certainty::Heuristic };
        Some((certainty, G::known(tables, self.record.position())?))
    }

    /// The move that the player would make for the side to move.
    pub(super) fn suggestion(&mut self) -> Result<Pit, NoSuggestion> {
        if let Turn::Over(_) = self.turn() {
            return Err(NoSuggestion::Over);
        }
        Ok(self.player.choose(&self.record, &())?.pit)
    }

    /// Goes back to the last position but the present one in which it was the person's turn. Returns
    /// how many plies that takes back: none if there is no such position, as after the computer's
    /// first move.
    pub(super) fn undo(&mut self) -> usize {
        let is_humans = |&(side, _): &(Side, Pit)| side == self.human;
        let Some(previous) = self.record.plies().iter().rposition(is_humans) else {
            return 0;
        };
        let undone = self.record.plies().len() - previous;
        (0..undone).for_each(|_| {
            self.record.undo();
        });
        undone
    }

    /// Goes back to the game as it was given.
    pub(super) fn retry(&mut self) {
        self.player.new_game();
        self.record = self.begun.clone();
    }

    /// Person and player change sides.
    pub(super) fn switch(&mut self) {
        self.human = self.human.other();
    }

    /// Whether any move is on record that was not given at the beginning.
    pub(super) fn is_under_way(&self) -> bool {
        self.record.plies() != self.begun.plies() && self.record.ending().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Choice, build};
    use mancala::game::ayo::{Ayo, Line, Position};
    use mancala::progress::Progress;

    fn session(human: Side, player: &str) -> Session<Ayo> {
        let record = Record::new(Ayo::default(), Side::South);
        Session::new(record, human, build(player).unwrap())
    }

    fn pit(index: u8) -> Pit {
        Pit::new(index).unwrap()
    }

    #[test]
    fn undo_goes_back_to_the_persons_previous_turn() {
        let mut south = session(Side::South, "greedy");
        assert_eq!(south.undo(), 0);
        south.sow(pit(5)).unwrap();
        assert_eq!(south.reply(), Ok(true));
        assert_eq!(south.turn(), Turn::Human);
        assert_eq!(south.undo(), 2);
        assert_eq!(south.turn(), Turn::Human);
        // Before the computer has replied only the person's own move goes.
        south.sow(pit(5)).unwrap();
        assert_eq!(south.undo(), 1);
        assert_eq!(south.record().line(), "");
    }

    #[test]
    fn the_computers_first_move_is_not_taken_back() {
        let mut north = session(Side::North, "greedy");
        assert_eq!(north.reply(), Ok(true));
        assert_eq!(north.reply(), Ok(false));
        assert_eq!(north.undo(), 0);
        north.sow(pit(5)).unwrap();
        assert_eq!(north.reply(), Ok(true));
        assert_eq!(north.undo(), 2);
        assert_eq!(north.record().plies().len(), 1);
        assert_eq!(north.turn(), Turn::Human);
    }

    #[test]
    fn sides_change_in_the_middle_of_a_game() {
        let mut session = session(Side::South, "greedy");
        session.sow(pit(5)).unwrap();
        session.reply().unwrap();
        session.switch();
        assert_eq!((session.human(), session.turn()), (Side::North, Turn::Computer));
        assert_eq!(session.sow(pit(0)), Err(Refused::Turn));
        assert_eq!(session.reply(), Ok(true));
        assert_eq!(session.turn(), Turn::Human);
        // The person now answers for the moves that North has made.
        assert_eq!(session.undo(), 2);
        assert_eq!(session.record().line(), "F");
    }

    #[test]
    fn retry_goes_back_to_the_game_as_given() {
        let line: Line = "FfE".parse().unwrap();
        let start = Position::start(Side::South);
        let record = line.play_from(Ayo::default(), start).unwrap();
        let mut session = Session::new(record, Side::North, build("greedy").unwrap());
        assert!(!session.is_under_way());
        session.sow(pit(0)).unwrap();
        assert!(session.is_under_way());
        session.retry();
        assert_eq!(session.record().line(), "FfE");
    }

    #[test]
    fn illegal_moves_say_why() {
        let mut session = session(Side::South, "greedy");
        session.sow(pit(5)).unwrap();
        session.reply().unwrap();
        let refused = session.sow(pit(5)).unwrap_err().to_string();
        assert_eq!(refused, "you cannot sow from F: the pit is empty");
        let lost = "4-4-4-4-4-3-0-0-0-0-0-0-0-25-S".parse().unwrap();
        let record = Record::from_position(Ayo::default(), lost);
        let mut over = Session::new(record, Side::South, build("greedy").unwrap());
        assert_eq!(over.turn(), Turn::Over(Ending::Majority));
        assert_eq!(over.sow(pit(5)), Err(Refused::Over));
        assert_eq!(over.reply(), Ok(false));
        assert_eq!(over.payoffs(), []);
        assert_eq!(over.suggestion(), Err(NoSuggestion::Over));
    }

    #[test]
    fn the_suggestion_is_the_first_of_the_best_payoffs() {
        let mut session = session(Side::South, "minimax:weights=seeds,depth=4");
        for _ in 0..8 {
            let payoffs = session.payoffs();
            let best = payoffs.iter().map(|&(_, score)| score).max().unwrap();
            let first = payoffs.iter().find(|&&(_, score)| score == best).unwrap().0;
            assert_eq!(session.suggestion(), Ok(first));
            session.sow(first).unwrap();
            session.reply().unwrap();
        }
    }

    #[test]
    fn captures_are_counted_from_the_opening() {
        let position = "1-0-0-0-0-1-1-1-0-0-0-0-21-23-S".parse().unwrap();
        let record = Record::from_position(Ayo::default(), position);
        let mut session = Session::new(record, Side::South, build("greedy").unwrap());
        session.sow(pit(5)).unwrap();
        assert_eq!(session.won(Side::South), [0, 2]);
        assert_eq!(session.won(Side::North), [0, 0]);
        let last = session.last().unwrap();
        assert_eq!((last.pit, last.seeds, last.captured), (pit(5), 1, 2));
    }

    /// Answers whatever it is told to.
    struct Puppet(Result<u8, NoChoice>);

    impl Player<Ayo> for Puppet {
        fn choose(&mut self, _: &Record<Ayo>, _: &dyn Progress) -> Result<Choice, NoChoice> {
            let index = self.0.clone()?;
            Ok(Choice { pit: pit(index), score: None, nodes: 0, depth: None })
        }

        fn identity(&self) -> String {
            "puppet".into()
        }
    }

    #[test]
    fn a_player_that_fails_leaves_the_game_to_the_person() {
        let forfeit = Puppet(Err(NoChoice::Forfeit("it crashed".into())));
        let said = "the computer gives no move: it crashed; undo, retry, switch or quit";
        let illegal = "the computer breaks the rules, ply 2: North cannot play h: there is no such \
                       pit; undo, retry, switch or quit";
        for (puppet, said) in [(forfeit, said), (Puppet(Ok(7)), illegal)] {
            let record = Record::new(Ayo::default(), Side::South);
            let mut session = Session::new(record, Side::South, Box::new(puppet));
            session.sow(pit(5)).unwrap();
            assert_eq!(session.reply().unwrap_err().to_string(), said);
            assert_eq!(session.turn(), Turn::Computer);
            session.switch();
            session.sow(pit(5)).unwrap();
        }
    }
}
