//! Parses commands typed by the user.

use mancala::game::{Pit, Side};

/// A command that the user can type. See [`WORDS`] for descriptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Sow(Pit),
    Advise,
    Hint,
    Undo,
    Retry,
    Switch,
    Resign,
    Board,
    Line,
    /// Save the game to a file. The name is empty if none was given.
    Save(String),
    Help,
    Quit,
}

/// All commands other than pit moves. Each entry is the command's name, its abbreviation (which is
/// never a pit letter), the command itself and a description.
pub const WORDS: [(&str, &str, Command, &str); 13] = [
    ("payoff", "p", Command::Advise, "show the values of your moves and a suggestion"),
    ("hint", "hi", Command::Hint, "show a suggestion only"),
    ("undo", "u", Command::Undo, "return to your previous turn"),
    ("back", "ba", Command::Undo, "the same as undo"),
    ("retry", "r", Command::Retry, "begin again"),
    ("switch", "s", Command::Switch, "switch sides with the computer"),
    ("side", "s", Command::Switch, "the same as switch"),
    ("resign", "res", Command::Resign, "give up the game and leave"),
    ("board", "bo", Command::Board, "show the board and the last move"),
    ("line", "l", Command::Line, "show the game so far"),
    ("save FILE", "sa", Command::Save(String::new()), "save the game for \"ayo analyse FILE\""),
    ("help", "h", Command::Help, "show this list (also ?)"),
    ("quit", "q", Command::Quit, "leave"),
];

/// Parses a line. Words may be shortened to two or more letters. If that's ambiguous, the first match in `WORDS` wins.
pub fn parse(text: &str, pits: usize) -> Result<Command, String> {
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
    let is_meant = |word: &str, short: &str| {
        lower == short || (lower.len() >= 2 && word.starts_with(lower.as_str()))
    };
    let entry = WORDS.into_iter().find(|(word, short, ..)| is_meant(word, short));
    entry.map(|(_, _, command, _)| command).ok_or_else(|| {
        let shown: String = text.trim().escape_debug().take(40).collect();
        let pits = letters(pits);
        format!("\"{shown}\" is neither a pit ({pits}) nor a command; type help for a list")
    })
}

/// Parses a pit's letter. Its case is ignored, because a side can only sow from its own pits.
fn pit(lower: &str, pits: usize) -> Option<Pit> {
    let mut letters = lower.chars();
    let (letter, None) = (letters.next()?, letters.next()) else { return None };
    Pit::from_letter(letter).map(|(_, pit)| pit).filter(|pit| pit.index() < pits)
}

/// Returns the letters of a row with this many pits, e.g. `A-F`, or `A` for one pit.
pub fn letters(pits: usize) -> String {
    let last = Pit::new(pits as u8 - 1).map_or('H', |pit| pit.letter(Side::South));
    if last == 'A' { "A".into() } else { format!("A-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_what_is_left_of_them_are_commands() {
        for (word, short, command, _) in WORDS {
            let word = word.trim_end_matches(" FILE");
            // "re" is short for "retry".
            let start = if word == "resign" { "res" } else { &word[..2] };
            for said in [word, short, start] {
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
            let error = parse(text, 6).unwrap_err();
            assert!(error.len() < 120 && !error.contains(char::is_control), "{error}");
        }
    }
}
