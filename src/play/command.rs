//! What a person may ask of a session, and the words for it.

use mancala::game::{Pit, Side};

/// What a person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// To sow from a pit.
    Sow(Pit),
    /// What each move is worth.
    Advise,
    /// A move that is good.
    Hint,
    /// The previous turn again.
    Undo,
    /// A new game.
    Retry,
    /// The computer's side.
    Switch,
    /// A look at the board.
    Board,
    /// The moves so far.
    Line,
    /// To keep the game in a file of this name, which is empty if none was typed.
    Save(String),
    /// The list of commands.
    Help,
    /// To leave.
    Quit,
}

/// A word for a command.
#[derive(Debug, Clone)]
pub struct Word {
    /// In full.
    pub word: &'static str,
    /// Its short form, never the letter of a pit.
    pub short: &'static str,
    /// What it asks for.
    pub command: Command,
    /// That in words.
    pub meaning: &'static str,
}

/// All words.
pub const WORDS: [Word; 12] = [
    word("payoff", "p", Command::Advise, "what your moves are worth, and a suggestion"),
    word("hint", "hi", Command::Hint, "a move, without what the others are worth"),
    word("undo", "u", Command::Undo, "back to your previous turn"),
    word("back", "ba", Command::Undo, "the same as undo"),
    word("retry", "r", Command::Retry, "begin again"),
    word("switch", "s", Command::Switch, "change sides with the computer"),
    word("side", "s", Command::Switch, "the same as switch"),
    word("board", "bo", Command::Board, "the board and the last move"),
    word("line", "l", Command::Line, "the game so far"),
    word("save FILE", "sa", Command::Save(String::new()), "keep the game for \"ayo replay FILE\""),
    word("help", "h", Command::Help, "this list; ? too"),
    word("quit", "q", Command::Quit, "leave"),
];

const fn word(
    word: &'static str,
    short: &'static str,
    command: Command,
    meaning: &'static str,
) -> Word {
    Word { word, short, command, meaning }
}

/// A line that asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{shown}\" is neither a pit, {letters}, nor a command; type help for a list")]
pub struct NoCommand {
    /// The beginning of the line.
    pub shown: String,
    /// The letters of the pits.
    pub letters: String,
}

/// The command of a line, in a game with rows of so many pits. A word may be cut short to two letters or
/// more.
///
/// # Errors
/// If it is neither a pit nor a word.
pub fn parse(text: &str, pits: usize) -> Result<Command, NoCommand> {
    let lower = text.trim().to_ascii_lowercase();
    if let Some(pit) = pit(&lower, pits) {
        return Ok(Command::Sow(pit));
    }
    if lower == "?" {
        return Ok(Command::Help);
    }
    let (first, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    if ["save", "sa"].contains(&first.to_ascii_lowercase().as_str()) {
        return Ok(Command::Save(rest.trim().to_owned()));
    }
    let means =
        |it: &&Word| lower == it.short || (lower.len() >= 2 && it.word.starts_with(lower.as_str()));
    WORDS.iter().find(means).map(|it| it.command.clone()).ok_or_else(|| {
        let shown = text.trim().escape_debug().take(40).collect();
        NoCommand { shown, letters: letters(pits) }
    })
}

/// Either case will do, since no side sows from the other side's pits.
fn pit(lower: &str, pits: usize) -> Option<Pit> {
    let mut letters = lower.chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    Pit::from_letter(letter).map(|(_, pit)| pit).filter(|pit| pit.index() < pits)
}

/// The letters of a row of pits, `A-F`; `A` of one alone.
pub fn letters(pits: usize) -> String {
    let last = Pit::new(pits as u8 - 1).map_or('H', |pit| pit.letter(Side::South));
    if last == 'A' { "A".into() } else { format!("A-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_are_taken_in_either_case() {
        for (text, index) in [("a", 0), ("F", 5), (" c ", 2)] {
            assert_eq!(parse(text, 6), Ok(Command::Sow(Pit::new(index).unwrap())));
        }
        assert_eq!(letters(1), "A");
        let refused = "\"g\" is neither a pit, A-F, nor a command; type help for a list";
        assert_eq!(parse("g", 6).unwrap_err().to_string(), refused);
    }

    #[test]
    fn words_and_what_is_left_of_them_are_commands() {
        for Word { word, short, command, .. } in WORDS {
            let word = word.trim_end_matches(" FILE");
            for said in [word, short, &word[..2]] {
                assert_eq!(parse(said, 6), Ok(command.clone()), "{said}");
            }
        }
        assert_eq!(parse("save My game.txt", 6), Ok(Command::Save("My game.txt".into())));
        assert_eq!(parse("?", 6), Ok(Command::Help));
        assert_eq!(parse("QUIT", 6), Ok(Command::Quit));
    }

    #[test]
    fn anything_else_is_refused_in_one_line() {
        for text in ["", "FfE", "quitt", "\u{1b}[A", "ü", "A\nB", &"x".repeat(5000)] {
            let error = parse(text, 6).unwrap_err().to_string();
            assert!(error.len() < 120 && !error.contains(char::is_control), "{error}");
        }
    }
}
