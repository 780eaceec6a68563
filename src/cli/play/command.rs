//! What a person may type.

use std::fmt::Write;

use mancala::game::{Pit, Side};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Sow(Pit),
    Payoff,
    Undo,
    Retry,
    Switch,
    Board,
    Line,
    Help,
    Quit,
}

/// Words, their short forms and meanings. No short form is the letter of a pit.
const WORDS: [(&str, &str, Command, &str); 9] = [
    ("payoff", "p", Command::Payoff, "what each of your moves is worth, and a suggestion"),
    ("undo", "u", Command::Undo, "back to your previous turn"),
    ("retry", "r", Command::Retry, "begin again"),
    ("switch", "s", Command::Switch, "change sides with the computer"),
    ("side", "s", Command::Switch, "the same"),
    ("board", "bo", Command::Board, "the board and the last move"),
    ("line", "l", Command::Line, "the game so far"),
    ("help", "h", Command::Help, "this list; ? too"),
    ("quit", "q", Command::Quit, "leave"),
];

/// The command of a line of a game with rows of so many pits, or why it is none. A word may be cut short to two letters or more.
pub(super) fn parse(text: &str, pits: usize) -> Result<Command, String> {
    let lower = text.trim().to_ascii_lowercase();
    if let Some(pit) = pit(&lower, pits) {
        return Ok(Command::Sow(pit));
    }
    if lower == "?" {
        return Ok(Command::Help);
    }
    let means = |word: &str, short: &str| {
        lower == short || (lower.len() >= 2 && word.starts_with(lower.as_str()))
    };
    let found = WORDS.iter().find(|(word, short, ..)| means(word, short));
    found.map(|&(_, _, command, _)| command).ok_or_else(|| {
        let shown: String = text.trim().escape_debug().take(40).collect();
        format!(
            "\"{shown}\" is neither a pit, {}, nor a command; type help for a list",
            range(pits)
        )
    })
}

/// Either case will do: nobody sows from the other side's pits.
fn pit(lower: &str, pits: usize) -> Option<Pit> {
    let mut letters = lower.chars();
    let (letter, None) = (letters.next()?, letters.next()) else {
        return None;
    };
    Pit::from_letter(letter).map(|(_, pit)| pit).filter(|pit| pit.index() < pits)
}

/// The letters of a row of pits, `A-F`; `A` of one alone.
pub(super) fn range(pits: usize) -> String {
    let last = Pit::new(pits as u8 - 1).map_or('H', |pit| pit.letter(Side::South));
    if last == 'A' { "A".into() } else { format!("A-{last}") }
}

/// The list of commands.
pub(super) fn help(pits: usize) -> String {
    let letters = range(pits);
    let either = format!("sow from this pit of yours; {} too", letters.to_lowercase());
    let mut text = format!("  {letters:<10}{:<4}{either}\n", "");
    for (word, short, _, meaning) in WORDS {
        let _ = writeln!(text, "  {word:<10}{short:<4}{meaning}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_are_taken_in_either_case() {
        for (text, index) in [("a", 0), ("F", 5), (" c ", 2)] {
            assert_eq!(parse(text, 6), Ok(Command::Sow(Pit::new(index).unwrap())));
        }
        assert_eq!(range(1), "A");
        let refused = "\"g\" is neither a pit, A-F, nor a command; type help for a list";
        assert_eq!(parse("g", 6), Err(refused.into()));
    }

    #[test]
    fn words_and_what_is_left_of_them_are_commands() {
        for (word, short, command, _) in WORDS {
            assert_eq!(parse(word, 6), Ok(command));
            assert_eq!(parse(short, 6), Ok(command));
            assert_eq!(parse(&word[..2], 6), Ok(command));
        }
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
