//! A game between a person and a player.

use arena::player::{PlayableGame, Player};
use mancala::game::{Pit, Record, Side};

/// A game between a person and a player.
pub struct Session<G: PlayableGame> {
    /// The game at the start of the session, to which [`Session::retry`] returns.
    begun: Record<G>,
    pub record: Record<G>,
    pub human: Side,
    pub player: Box<dyn Player<G>>,
}

impl<G: PlayableGame> Session<G> {
    pub fn new(record: Record<G>, human: Side, mut player: Box<dyn Player<G>>) -> Self {
        player.new_game();
        Session { begun: record.clone(), record, human, player }
    }

    /// Returns the number of pits per row.
    pub fn pits(&self) -> usize {
        self.record.game().rows(self.record.position())[0].len()
    }

    fn is_computers_turn(&self) -> bool {
        self.record.ending().is_none() && self.record.to_move() != self.human
    }

    /// Plays the person's move, or returns the reason why it is not allowed.
    pub fn sow(&mut self, pit: Pit) -> Result<(), String> {
        if self.record.ending().is_some() {
            return Err("the game is over; undo, retry or quit".into());
        }
        if self.is_computers_turn() {
            return Err("it is the computer's turn; undo, retry, switch or quit".into());
        }
        if let Some(reason) = self.record.game().objection(self.record.position(), pit) {
            return Err(format!("you cannot sow from {}: {reason}", pit.letter(self.human)));
        }
        self.record.play(pit).map_err(|error| error.to_string())
    }

    /// Plays one move of the player if it is the player's turn, and returns whether it did. In
    /// kalah, the player may then move again. After an error, it is still the player's turn.
    pub fn reply(&mut self) -> Result<bool, String> {
        if !self.is_computers_turn() {
            return Ok(false);
        }
        let choice = self.player.choose(&self.record, &()).map_err(|error| {
            format!("the computer did not choose a move: {error}; undo, retry, switch or quit")
        })?;
        self.record.play(choice.pit).map_err(|error| {
            format!("the computer made an illegal move: {error}; undo, retry, switch or quit")
        })?;
        Ok(true)
    }

    /// Returns the letter of the move that the player would choose for the side to move.
    pub fn hint(&mut self) -> Result<char, String> {
        if self.record.ending().is_some() {
            return Err("the game is over".into());
        }
        let choice = self.player.advise(&self.record, &());
        let choice = choice.map_err(|error| format!("no move to suggest: {error}"))?;
        Ok(choice.pit.letter(self.record.to_move()))
    }

    /// Goes back to the person's previous turn. Returns the number of plies taken back, 0 if there is no such turn.
    pub fn undo(&mut self) -> usize {
        let is_humans = |&(side, _): &(Side, Pit)| side == self.human;
        let Some(previous) = self.record.plies().iter().rposition(is_humans) else { return 0 };
        let undone = self.record.plies().len() - previous;
        (0..undone).for_each(|_| {
            self.record.undo();
        });
        undone
    }

    pub fn retry(&mut self) {
        self.player.new_game();
        self.record = self.begun.clone();
    }

    /// Returns whether a move was played in this session and the game is not over.
    pub fn is_under_way(&self) -> bool {
        self.record.plies() != self.begun.plies() && self.record.ending().is_none()
    }
}

#[cfg(test)]
mod tests {
    use arena::player::{Choice, NoChoice, build};
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
        assert_eq!((south.reply(), south.is_computers_turn()), (Ok(true), false));
        assert_eq!((south.undo(), south.is_computers_turn()), (2, false));
        // Before the computer has replied, only the person's own move is undone.
        south.sow(pit(5)).unwrap();
        assert_eq!((south.undo(), south.record.line()), (1, String::new()));
        // Undo does not take back the computer's first move.
        let mut north = session(Side::North, "greedy");
        assert_eq!((north.reply(), north.reply(), north.undo()), (Ok(true), Ok(false), 0));
        north.sow(pit(5)).unwrap();
        assert_eq!((north.reply(), north.undo()), (Ok(true), 2));
        assert_eq!((north.record.plies().len(), north.is_computers_turn()), (1, false));
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
        assert_eq!(session.record.line(), "FfE");
    }

    /// A player that sometimes moves at random still suggests the best move.
    #[test]
    fn the_suggestion_is_the_first_of_the_best_payoffs() {
        for (settings, is_first) in [("depth=4", true), ("depth=2,slips=100", false)] {
            let mut session = session(Side::South, &format!("minimax:weights=seeds,{settings}"));
            for _ in 0..8 {
                let payoffs = session.player.payoffs(&session.record, &());
                let suggestion = Pit::from_letter(session.hint().unwrap()).unwrap().1;
                let best = payoffs.iter().map(|&(_, score)| score).max().unwrap();
                let all = payoffs.iter().filter(|&&(_, score)| score == best);
                let of_best = all.map(|it| it.0).take(if is_first { 1 } else { 6 });
                assert!(of_best.into_iter().any(|pit| pit == suggestion), "{payoffs:?}");
                session.sow(suggestion).unwrap();
                session.reply().unwrap();
            }
        }
    }

    /// A player that always returns the same choice.
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
        for (puppet, part) in [(forfeit, "it crashed"), (Puppet(Ok(7)), "ply 2: ")] {
            let record = Record::new(Ayo::default(), Side::South);
            let mut session = Session::new(record, Side::South, Box::new(puppet));
            session.sow(pit(5)).unwrap();
            assert!(session.reply().unwrap_err().contains(part));
            assert!(session.is_computers_turn());
            session.human = Side::North;
            session.sow(pit(5)).unwrap();
        }
    }
}
