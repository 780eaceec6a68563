//! What can happen in a game of a person with a player.

use arena::player::{NoChoice, PlayableGame, Player};
use mancala::eval::{Certainty, Score};
use mancala::game::{Ending, IllegalMove, Pit, Ply, Record, Side};

/// A game of a person with a player.
pub struct Session<G: PlayableGame> {
    /// The game as it was given, to which [`Session::retry`] goes back.
    begun: Record<G>,
    record: Record<G>,
    human: Side,
    player: Box<dyn Player<G>>,
}

/// What the session waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A move of the person, by [`Session::sow`].
    Human,
    /// The player's choice, by [`Session::reply`].
    Computer,
    /// Nothing: the game has ended so.
    Over(Ending),
}

/// Why a person's move was not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is nothing to move any more.
    #[error("the game is over; undo, retry or quit")]
    Over,
    /// The player is due.
    #[error("it is the computer's turn; undo, retry, switch or quit")]
    Turn,
    /// The rules forbid it.
    #[error("you cannot sow from {}: {reason}", pit.letter(*side))]
    Illegal {
        /// The person's side.
        side: Side,
        /// The pit that was named.
        pit: Pit,
        /// Why.
        reason: &'static str,
    },
}

/// Why the player did not move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// It chose none.
    #[error("the computer gives no move: {0}; undo, retry, switch or quit")]
    NoChoice(#[from] NoChoice),
    /// It chose one that is none.
    #[error("the computer breaks the rules, {0}; undo, retry, switch or quit")]
    Illegal(#[from] IllegalMove),
}

/// What the player thinks of the moves of the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The side to move.
    pub side: Side,
    /// What each move is worth; nothing if the player puts no value on moves.
    pub payoffs: Vec<(Pit, Score)>,
    /// What its endgame tables say that each move brings, and what that is worth. `None` if it has none of
    /// these rules, or the position is not in them.
    pub known: Option<Vec<(Pit, i8, Certainty)>>,
    /// What a captured seed is worth in the payoffs, if that is known.
    pub seed_value: Option<i32>,
    /// The move that it would make.
    pub suggestion: Pit,
}

/// Why the player has no advice.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAdvice {
    /// There is nothing to move any more.
    #[error("the game is over: there is nothing to choose")]
    Over,
    /// It chose no move.
    #[error("the computer suggests no move: {0}")]
    NoChoice(#[from] NoChoice),
}

impl<G: PlayableGame> Session<G> {
    /// A session that goes on from a game.
    pub fn new(record: Record<G>, human: Side, mut player: Box<dyn Player<G>>) -> Self {
        player.new_game();
        Session { begun: record.clone(), record, human, player }
    }

    /// The game as it stands.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The person's side.
    pub fn human(&self) -> Side {
        self.human
    }

    /// Pits of a row.
    pub fn pits(&self) -> usize {
        self.record.game().rows(self.record.position())[0].len()
    }

    /// Which side is to move, unless the game is over.
    pub fn turn(&self) -> Turn {
        match self.record.ending() {
            Some(ending) => Turn::Over(ending),
            None if self.record.to_move() == self.human => Turn::Human,
            None => Turn::Computer,
        }
    }

    /// The last ply and what it did.
    pub fn last(&self) -> Option<Ply> {
        self.record.outcomes().next()
    }

    /// The seeds that a side has sown home and those that it has captured in the moves on record.
    pub fn won(&self, side: Side) -> [u16; 2] {
        let plies = self.record.outcomes().filter(|ply| ply.side == side);
        plies.fold([0; 2], |[home, captured], ply| [home + ply.home, captured + ply.captured])
    }

    /// Plays the person's move.
    ///
    /// # Errors
    /// If it is not the person's turn, or the rules forbid the move.
    pub fn sow(&mut self, pit: Pit) -> Result<(), Refused> {
        match self.turn() {
            Turn::Over(_) => return Err(Refused::Over),
            Turn::Computer => return Err(Refused::Turn),
            Turn::Human => {}
        }
        let side = self.human;
        let played = self.record.play(pit);
        played.map_err(|illegal| Refused::Illegal { side, pit, reason: illegal.reason })
    }

    /// Lets the player make one move if it is its turn; whether it did. It can be its turn again then, where
    /// a move can earn another one.
    ///
    /// # Errors
    /// If it cannot go on; it is still its turn then, and undo, retry and switch are ways out.
    pub fn reply(&mut self) -> Result<bool, Stuck> {
        if self.turn() != Turn::Computer {
            return Ok(false);
        }
        let choice = self.player.choose(&self.record, &())?;
        self.record.play(choice.pit)?;
        Ok(true)
    }

    /// What the player thinks of the moves of the side to move.
    ///
    /// # Errors
    /// If the game is over, or the player chooses no move.
    pub fn advice(&mut self) -> Result<Advice, NoAdvice> {
        if let Turn::Over(_) = self.turn() {
            return Err(NoAdvice::Over);
        }
        Ok(Advice {
            side: self.record.to_move(),
            suggestion: self.player.advise(&self.record, &())?.pit,
            payoffs: self.player.payoffs(&self.record, &()),
            seed_value: self.player.seed_value(),
            known: self.known(),
        })
    }

    /// The move that the player would make for the side to move.
    ///
    /// # Errors
    /// If the game is over, or the player chooses no move.
    pub fn hint(&mut self) -> Result<(Side, Pit), NoAdvice> {
        if let Turn::Over(_) = self.turn() {
            return Err(NoAdvice::Over);
        }
        Ok((self.record.to_move(), self.player.advise(&self.record, &())?.pit))
    }

    fn known(&self) -> Option<Vec<(Pit, i8, Certainty)>> {
        G::known(self.player.tables()?, self.record.position())
    }

    /// Goes back to the last position but the present one in which it was the person's turn. Returns
    /// how many plies that takes back: none if there is no such position, as after the computer's
    /// first move.
    pub fn undo(&mut self) -> usize {
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
    pub fn retry(&mut self) {
        self.player.new_game();
        self.record = self.begun.clone();
    }

    /// Person and player change sides.
    pub fn switch(&mut self) {
        self.human = self.human.other();
    }

    /// Whether any move is on record that was not given at the beginning.
    pub fn is_under_way(&self) -> bool {
        self.record.plies() != self.begun.plies() && self.record.ending().is_none()
    }
}

#[cfg(test)]
mod tests {
    use arena::player::{Choice, build};
    use mancala::game::ayo::{Ayo, Line, Position};
    use mancala::progress::Progress;

    use super::*;

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
        assert_eq!(over.advice(), Err(NoAdvice::Over));
    }

    #[test]
    fn the_suggestion_is_the_first_of_the_best_payoffs() {
        let mut session = session(Side::South, "minimax:weights=seeds,depth=4");
        for _ in 0..8 {
            let Advice { payoffs, suggestion, .. } = session.advice().unwrap();
            let best = payoffs.iter().map(|&(_, score)| score).max().unwrap();
            let first = payoffs.iter().find(|&&(_, score)| score == best).unwrap().0;
            assert_eq!(suggestion, first);
            session.sow(first).unwrap();
            session.reply().unwrap();
        }
    }

    #[test]
    fn a_player_that_slips_suggests_the_best_move() {
        let mut session = session(Side::South, "minimax:weights=seeds,depth=2,slips=100");
        for _ in 0..8 {
            let Advice { payoffs, suggestion, .. } = session.advice().unwrap();
            let best = payoffs.iter().map(|&(_, score)| score).max();
            let suggested = payoffs.iter().find(|&&(pit, _)| pit == suggestion);
            assert_eq!(suggested.map(|&(_, score)| score), best);
            session.sow(suggestion).unwrap();
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
