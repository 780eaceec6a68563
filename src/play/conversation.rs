//! The main loop of `ayo play`, which reads commands and prints answers.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use anyhow::Context;
use arena::player::{Choice, PlayableGame, Player};
use mancala::game::{Pit, Record, Side, board};
use mancala::store;

use super::command::{Command, parse};
use super::view;
use crate::terminal::{columns, counted, is_plain, shell, shown};

pub(crate) struct Conversation<'a, G: PlayableGame> {
    pub(crate) session: Session<G>,
    pub(crate) input: &'a mut dyn BufRead,
    pub(crate) out: &'a mut dyn Write,
    /// Whether the input is a terminal. If it isn't, we don't print prompts or ask questions.
    pub(crate) is_terminal: bool,
}

/// The maximum length of a command in bytes.
const MAX_LINE: u64 = 1000;

impl<G: PlayableGame> Conversation<'_, G> {
    /// Executes commands until the user quits or the input ends.
    pub(crate) fn hold(mut self) -> anyhow::Result<()> {
        self.show()?;
        loop {
            let is_over = self.session.record.ending().is_some();
            let prompt = if is_over { "undo, retry or quit> " } else { "your move> " };
            let Some(text) = self.ask(prompt)? else { return Ok(()) };
            if text.is_empty() {
                continue;
            }
            match parse(&text, self.session.pits()) {
                Ok(command) => {
                    if !self.answer(command)? {
                        return Ok(());
                    }
                }
                Err(reason) => writeln!(self.out, "{reason}")?,
            }
        }
    }

    /// Plays the computer's moves while it's the computer's turn, then shows the board.
    fn show(&mut self) -> anyhow::Result<()> {
        let stuck = loop {
            // We flush before the computer thinks, because thinking can take a while.
            self.out.flush()?;
            match self.session.reply() {
                Ok(true) => self.tell_last_move()?,
                Ok(false) => break None,
                Err(stuck) => break Some(stuck),
            }
        };
        self.draw()?;
        if let Some(stuck) = stuck {
            writeln!(self.out, "{stuck}")?;
        }
        Ok(write!(self.out, "{}", view::end(&self.session))?)
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (game, position) = (self.session.record.game(), self.session.record.position());
        let drawn = board(game, position);
        let is_wide = drawn.lines().any(|line| line.chars().count() > columns());
        let board = if is_plain() || is_wide { view::rows(game, position) } else { drawn };
        write!(self.out, "\n{board}\n{}", view::state(&self.session))?;
        Ok(())
    }

    fn tell_last_move(&mut self) -> anyhow::Result<()> {
        if let Some(last) = self.session.record.outcomes().next() {
            write!(self.out, "{}", view::ply(&last, self.session.human))?;
        }
        Ok(())
    }

    /// Reads a line and trims it. Returns `None` at the end of the input.
    fn ask(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        if self.is_terminal {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()?;
        let mut line = Vec::new();
        let read = Read::take(&mut *self.input, MAX_LINE).read_until(b'\n', &mut line);
        let ended = read.context("cannot read standard input")? == 0;
        if ended && self.is_terminal {
            writeln!(self.out)?;
        }
        Ok((!ended).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
    }

    /// Executes a command and returns whether the conversation continues.
    fn answer(&mut self, command: Command) -> anyhow::Result<bool> {
        let session = &mut self.session;
        match command {
            Command::Sow(pit) => match session.sow(pit) {
                Ok(()) => {
                    self.tell_last_move()?;
                    self.show()?;
                }
                Err(refused) => writeln!(self.out, "{refused}")?,
            },
            Command::Undo => match session.undo() {
                0 => writeln!(self.out, "there is no move to undo")?,
                undone => {
                    writeln!(self.out, "took back {}", counted(undone as u64, "move"))?;
                    self.show()?;
                }
            },
            Command::Retry => return self.retry(),
            Command::Switch => {
                session.human = session.human.other();
                writeln!(self.out, "you are {} now", session.human)?;
                self.show()?;
            }
            Command::Resign if session.record.ending().is_none() => {
                let human = session.human;
                writeln!(self.out, "{human} resigns, {} wins", human.other())?;
                return Ok(false);
            }
            Command::Resign => writeln!(self.out, "the game is over")?,
            Command::Advise => match view::advice(session) {
                Ok(advice) => write!(self.out, "{advice}")?,
                Err(reason) => writeln!(self.out, "{reason}")?,
            },
            Command::Hint => match session.hint() {
                Ok(pit) => writeln!(self.out, "hint: {pit}")?,
                Err(reason) => writeln!(self.out, "{reason}")?,
            },
            Command::Save(file) => self.save(&file)?,
            Command::Board => {
                self.tell_last_move()?;
                self.draw()?;
            }
            Command::Line => write!(self.out, "{}", view::line(session))?,
            Command::Help => write!(self.out, "{}", view::help(session.pits()))?,
            Command::Quit => return Ok(false),
        }
        Ok(true)
    }

    /// Saves the game to a new file. If that fails, prints the error and carries on.
    fn save(&mut self, file: &str) -> anyhow::Result<()> {
        let path = Path::new(file);
        if file.is_empty() {
            writeln!(self.out, "missing file name, as in: save game.txt")?;
        } else if self.session.record.plies().is_empty() {
            writeln!(self.out, "there is no move to save yet")?;
        } else if path.exists() {
            writeln!(self.out, "{} already exists: choose another file", shown(file))?;
        } else if let Err(error) = store::write_output(path, view::saved(&self.session).as_bytes())
        {
            writeln!(self.out, "{error}")?;
        } else {
            let words = ["analyse", file, "--player", "grandmaster"];
            writeln!(self.out, "saved; to review it, run: {}", shell::command(&words))?;
        }
        Ok(())
    }

    fn retry(&mut self) -> anyhow::Result<bool> {
        let Session { record, begun, .. } = &self.session;
        let is_under_way = record.plies() != begun.plies() && record.ending().is_none();
        if self.is_terminal && is_under_way {
            let Some(answer) = self.ask("abandon this game and start again? [y/N] ")? else {
                return Ok(false);
            };
            if !["y", "yes"].contains(&answer.to_ascii_lowercase().as_str()) {
                writeln!(self.out, "the game continues")?;
                return Ok(true);
            }
        }
        self.session.retry();
        writeln!(self.out, "a new game")?;
        self.show()?;
        Ok(true)
    }
}

/// A game between a person and a computer player.
pub struct Session<G: PlayableGame> {
    /// The game as it was when the session began. This is used by [`Session::retry`].
    begun: Record<G>,
    pub record: Record<G>,
    pub human: Side,
    pub player: Box<dyn Player<G>>,
    /// The player that gives hints if `player` is intentionally weak. If this is `None`, then `player` gives hints.
    pub adviser: Option<Box<dyn Player<G>>>,
}

impl<G: PlayableGame> Session<G> {
    pub fn new(record: Record<G>, human: Side, mut player: Box<dyn Player<G>>) -> Self {
        player.new_game();
        Session { begun: record.clone(), record, human, player, adviser: None }
    }

    pub fn pits(&self) -> usize {
        self.record.game().rows(self.record.position())[0].len()
    }

    fn is_computers_turn(&self) -> bool {
        self.record.ending().is_none() && self.record.to_move() != self.human
    }

    /// Plays the person's move. The error explains why the move isn't allowed.
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

    /// Plays a move if it's the computer's turn. Returns whether a move was played. (In kalah, the computer may have to
    /// move again.) After an error, it's still the computer's turn.
    pub fn reply(&mut self) -> Result<bool, String> {
        if !self.is_computers_turn() {
            return Ok(false);
        }
        let choice = self.player.choose(&self.record, &()).map_err(|error| error.to_string());
        let play = |choice: Choice| self.record.play(choice.pit).map_err(|error| error.to_string());
        choice.and_then(play).map(|()| true).map_err(|error| {
            format!("the computer did not move: {error}; undo, retry, switch or quit")
        })
    }

    /// Returns the game and the player that gives hints.
    pub fn adviser(&mut self) -> (&Record<G>, &mut dyn Player<G>) {
        (&self.record, &mut **self.adviser.as_mut().unwrap_or(&mut self.player))
    }

    /// Returns the letter of the move that the adviser would choose for the side to move.
    pub fn hint(&mut self) -> Result<char, String> {
        if self.record.ending().is_some() {
            return Err("the game is over".into());
        }
        let (record, adviser) = self.adviser();
        let choice = adviser.advise(record, &());
        let choice = choice.map_err(|error| format!("no move to suggest: {error}"))?;
        Ok(choice.pit.letter(self.record.to_move()))
    }

    /// Goes back to the person's previous turn, if there is one. Returns the number of plies that were undone.
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
        self.adviser.iter_mut().for_each(|adviser| adviser.new_game());
        self.record = self.begun.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::player::{NoChoice, build, build_for};
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;
    use mancala::laws::prelude::*;
    use mancala::progress::Progress;

    fn output<G: PlayableGame>(
        (record, human, computer): (Record<G>, Side, &str),
        typed: &[u8],
        is_terminal: bool,
    ) -> String {
        let player = build_for(computer, *record.game()).unwrap();
        let (mut out, session) = (Vec::new(), Session::new(record, human, player));
        Conversation { session, input: &mut &typed[..], out: &mut out, is_terminal }
            .hold()
            .unwrap();
        String::from_utf8(out).unwrap()
    }

    fn start() -> (Record<Ayo>, Side, &'static str) {
        (Record::new(Ayo::default(), Side::South), Side::South, "greedy")
    }

    fn piped(typed: &str) -> String {
        output(start(), typed.as_bytes(), false)
    }

    /// Asserts that the text contains each part the given number of times.
    #[track_caller]
    fn contains(text: &str, parts: &[(&str, usize)]) {
        for &(part, count) in parts {
            assert_eq!(text.matches(part).count(), count, "{part}: {text}");
        }
    }

    #[test]
    fn a_pipe_gets_no_prompts_and_ends_the_session() {
        let state = "0 moves; captured: you 0, computer 0\n";
        assert!(piped("").ends_with(state));
        let after = piped("f\nline\nundo\n");
        contains(
            &after,
            &[("sows F: 4 seeds", 1), ("sows a: 5 seeds", 1), ("\nFa\n4S6, 5N1\n", 1)],
        );
        assert!(after.ends_with(state) && !after.contains('>'), "{after}");
        assert!(piped("f\nresign\nline\n").ends_with("South resigns, North wins\n"));
    }

    #[test]
    fn wrong_input_leaves_the_game_unchanged() {
        let found = piped("x\n\nF\nF\n\nundo\nundo\nquit\nA\n");
        contains(&found, &[("type help", 1), ("took back 2 moves\n", 1), ("sows A", 0)]);
        let found = output(start(), b"\xff\xfe\nline", false);
        assert!(found.ends_with("no moves yet\n"), "{found}");
    }

    #[test]
    fn an_ended_game_still_takes_commands() {
        // F captures two seeds each in a and b, which wins the game.
        let position = "4-4-4-4-2-2-1-1-0-0-0-1-23-2-S".parse().unwrap();
        let opening = Record::from_position(Ayo::default(), position);
        let typed = b"F\nA\npayoff\nretry\nF\nundo";
        let found = output((opening, Side::South, "greedy"), typed, false);
        let ends = [("South 27, North 2: South (you) wins\n", 2), ("the game is over", 4)];
        contains(&found, &[&ends[..], &[("a new game\n", 1), ("took back 1 move\n", 1)]].concat());
    }

    #[test]
    fn a_terminal_is_prompted_and_asked_before_a_game_is_given_up() {
        let found = output(start(), b"retry\nF\nretry\nn\nretry\nY\n", true);
        contains(&found, &[("[y/N] ", 2), ("the game continues\n", 1), ("a new game\n", 2)]);
        assert!(found.ends_with("your move> \n"), "{found}");
    }

    #[test]
    fn the_computer_moves_on_for_as_long_as_it_earns_moves() {
        let game = Kalah::default();
        let sides = [
            (Side::South, "0-0-0-0-1-1-20-5-0-0-0-2-0-19-1", ["E", "e", "f", "a"]),
            (Side::North, "5-0-0-0-2-0-19-0-0-0-0-1-1-20-2", ["e", "E", "F", "A"]),
        ];
        for (human, position, [mine, first, second, third]) in sides {
            let record = Record::from_position(game, game.position(position).unwrap());
            let computer = human.other();
            let typed = format!("{mine}\nline\nundo\nline\n{mine}\nswitch\n");
            let found = output((record, human, "greedy"), typed.as_bytes(), true);
            let line = format!("\n{mine}{first}{second}{third}\n");
            let switched = format!("you are {computer} now\n{human} (computer) sows");
            contains(&found, &[(&line, 1), ("took back 4 moves\n", 1), ("no moves yet\n", 1)]);
            contains(&found, &[("moves again\n", 4), (&switched, 1), ("the computer's turn", 0)]);
        }
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn every_game_of_kalah_comes_to_its_end(
            (pits, seeds) in (1..=8u8, 1..=6u8), south: bool, greedy: bool, seed: u64,
            order in Just(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']).prop_shuffle(),
        ) {
            let record = Record::new(Kalah::new(pits, seeds).unwrap(), Side::South);
            let human = if south { Side::South } else { Side::North };
            let computer = if greedy { "greedy".into() } else { format!("random:seed={seed}") };
            // Each round contains at least one legal move, and no game takes more than 200 rounds.
            let typed = order.map(|letter| format!("{letter}\n")).concat().repeat(200);
            let found = output((record, human, computer.as_str()), typed.as_bytes(), true);
            prop_assert_eq!(found.matches("\nfinal stores ").count(), 1, "{}", found);
        }
    }

    #[test]
    fn a_hint_is_a_move_and_a_game_is_kept_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("my game.txt");
        let typed =
            format!("save {0}\nhint\nF\nsave {0}\nsave {0}\nsave\n", file.to_str().unwrap());
        let found = piped(&typed);
        contains(&found, &[("no move to save", 1), ("\nhint: ", 1), ("\nsaved; ", 1)]);
        contains(&found, &[("already exists", 1), ("missing file name", 1)]);
        let kept = std::fs::read_to_string(file).unwrap();
        assert!(kept.starts_with("# ayo play\n# rules: ayo\nF"), "{kept}");
    }

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
        // If the computer hasn't replied yet, then undo takes back only the person's own move.
        south.sow(pit(5)).unwrap();
        assert_eq!((south.undo(), south.record.line()), (1, String::new()));
        // Undo doesn't take back the computer's first move.
        let mut north = session(Side::North, "greedy");
        assert_eq!((north.reply(), north.reply(), north.undo()), (Ok(true), Ok(false), 0));
        north.sow(pit(5)).unwrap();
        assert_eq!((north.reply(), north.undo()), (Ok(true), 2));
        assert_eq!((north.record.plies().len(), north.is_computers_turn()), (1, false));
    }

    /// Tests that a player that sometimes moves at random still suggests the best move.
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
