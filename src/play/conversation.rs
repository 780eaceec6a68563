//! The conversation of `ayo play`: reads commands and prints answers.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use anyhow::Context;
use arena::player::PlayableGame;
use mancala::game::board;
use mancala::store;

use super::command::{Command, parse};
use super::session::{Session, Turn};
use super::view;
use crate::terminal::{counted, is_plain, shell, shown};

enum Next {
    Show,
    /// Read a command.
    Ask,
    Leave,
}

pub(crate) struct Conversation<'a, G: PlayableGame> {
    pub(crate) session: Session<G>,
    pub(crate) input: &'a mut dyn BufRead,
    pub(crate) out: &'a mut dyn Write,
    /// Whether the input is a terminal. If it is a pipe, there are no prompts and no questions.
    pub(crate) is_terminal: bool,
}

/// Maximum length of a command in bytes.
const MAX_LINE: u64 = 1000;

impl<G: PlayableGame> Conversation<'_, G> {
    /// Answers commands until the end of the input.
    pub(crate) fn hold(mut self) -> anyhow::Result<()> {
        let mut next = Next::Show;
        loop {
            next = match next {
                Next::Leave => return Ok(()),
                Next::Show => self.show()?,
                Next::Ask => match self.ask(self.prompt())? {
                    None => Next::Leave,
                    Some(text) if text.is_empty() => Next::Ask,
                    Some(text) => self.answer(&text)?,
                },
            };
        }
    }

    fn show(&mut self) -> anyhow::Result<Next> {
        let stuck = loop {
            // Show all output before the player searches, which can take a while.
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
        if let Turn::Over(ending) = self.session.turn() {
            write!(self.out, "{}", view::end(&self.session, ending))?;
        }
        Ok(Next::Ask)
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        let (game, position) = (self.session.record.game(), self.session.record.position());
        let board = if is_plain() { view::rows(game, position) } else { board(game, position) };
        write!(self.out, "\n{board}\n{}", view::state(&self.session))?;
        Ok(())
    }

    fn tell_last_move(&mut self) -> anyhow::Result<()> {
        if let Some(last) = self.session.record.outcomes().next() {
            write!(self.out, "{}", view::ply(&last, self.session.human))?;
        }
        Ok(())
    }

    fn prompt(&self) -> &'static str {
        match self.session.turn() {
            Turn::Over(_) => "undo, retry or quit> ",
            Turn::Human | Turn::Computer => "your move> ",
        }
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

    fn answer(&mut self, text: &str) -> anyhow::Result<Next> {
        let command = match parse(text, self.session.pits()) {
            Ok(command) => command,
            Err(reason) => {
                writeln!(self.out, "{reason}")?;
                return Ok(Next::Ask);
            }
        };
        match command {
            Command::Sow(pit) => {
                if let Err(refused) = self.session.sow(pit) {
                    writeln!(self.out, "{refused}")?;
                    return Ok(Next::Ask);
                }
                self.tell_last_move()?;
                return Ok(Next::Show);
            }
            Command::Undo => return self.undo(),
            Command::Retry => return self.retry(),
            Command::Switch => {
                self.session.switch();
                writeln!(self.out, "you are {} now", self.session.human)?;
                return Ok(Next::Show);
            }
            Command::Resign if self.session.record.ending().is_none() => {
                let human = self.session.human;
                writeln!(self.out, "{human} resigns, {} wins", human.other())?;
                return Ok(Next::Leave);
            }
            Command::Resign => writeln!(self.out, "the game is over")?,
            Command::Advise => match self.session.advice() {
                Ok(advice) => write!(self.out, "{}", view::advice(&advice))?,
                Err(reason) => writeln!(self.out, "{reason}")?,
            },
            Command::Hint => match self.session.hint() {
                Ok((side, pit)) => writeln!(self.out, "hint: {}", pit.letter(side))?,
                Err(reason) => writeln!(self.out, "{reason}")?,
            },
            Command::Save(file) => self.save(&file)?,
            Command::Board => {
                self.tell_last_move()?;
                self.draw()?;
            }
            Command::Line => write!(self.out, "{}", view::line(&self.session))?,
            Command::Help => write!(self.out, "{}", view::help(self.session.pits()))?,
            Command::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Ask)
    }

    /// Saves the game to a new file. Errors are printed, and the conversation continues.
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

    fn undo(&mut self) -> anyhow::Result<Next> {
        let undone = self.session.undo();
        if undone == 0 {
            writeln!(self.out, "there is no move to undo")?;
            return Ok(Next::Ask);
        }
        writeln!(self.out, "took back {}", counted(undone as u64, "move"))?;
        Ok(Next::Show)
    }

    fn retry(&mut self) -> anyhow::Result<Next> {
        if self.is_terminal && self.session.is_under_way() {
            let Some(answer) = self.ask("abandon this game and start again? [y/N] ")? else {
                return Ok(Next::Leave);
            };
            if !["y", "yes"].contains(&answer.to_ascii_lowercase().as_str()) {
                writeln!(self.out, "the game continues")?;
                return Ok(Next::Ask);
            }
        }
        self.session.retry();
        writeln!(self.out, "a new game")?;
        Ok(Next::Show)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::player::build_for;
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;
    use mancala::game::{Record, Side};
    use mancala::laws::prelude::*;

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

    /// Asserts how often the text contains each part.
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
            // In any order of the pits, at least one can be sown, and no game has more moves than this.
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
}
