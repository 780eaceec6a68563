//! Files of games: one game a line.

use std::str::FromStr;

use super::{Line, LineError, Position, PositionError};

/// A game as a line of a file has it; nobody has checked yet that its moves are legal.
///
/// `LABEL: POSITION MOVES # COMMENT`, where all but the moves may be missing. The label ends at the last
/// colon, so it may hold others; the moves are in either notation.
///
/// ```
/// use ayo::game::ayo::Transcript;
/// let game: Transcript = "game 2: 4N2, 4S1, 5N5".parse().unwrap();
/// assert_eq!(game.label.as_deref(), Some("game 2"));
/// assert_eq!(game.opening().to_string(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N");
/// assert_eq!(game.line.plies.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// What the game is called.
    pub label: Option<String>,
    /// The position before the first move, if the game says so.
    pub position: Option<Position>,
    /// The moves.
    pub line: Line,
    /// What is noted after them, if anything.
    pub comment: Option<String>,
}

/// Text that is no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// A position that is none.
    #[error("opening position: {0}")]
    Position(PositionError),
    /// Moves that are none.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A line of a file that is no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: {source}")]
pub struct FileLineError {
    /// The number of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub source: TranscriptError,
}

impl Transcript {
    /// The games of a file; blank lines and those that begin with `#` say nothing.
    ///
    /// # Errors
    /// At the first line that is no game.
    pub fn all_in(text: &str) -> Result<Vec<Transcript>, FileLineError> {
        let lines = (1..).zip(text.lines().map(str::trim));
        lines
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .map(|(number, line)| line.parse().map_err(|source| FileLineError { number, source }))
            .collect()
    }

    /// The position before the first move: the start, begun by whoever moves first, if the game does
    /// not say.
    pub fn opening(&self) -> Position {
        self.position.unwrap_or_else(|| Position::start(self.line.first()))
    }
}

impl FromStr for Transcript {
    type Err = TranscriptError;

    fn from_str(text: &str) -> Result<Self, TranscriptError> {
        // A comment stands apart, so that a label can be "game #1".
        let (text, comment) = match text.split_once(" # ") {
            Some((text, comment)) => (text, Some(comment.trim().to_owned())),
            None => (text, None),
        };
        let (label, game) = text.rsplit_once(':').unwrap_or(("", text));
        let (label, game) = (label.trim(), game.trim());
        let end = game.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(game.len());
        let (word, rest) = game.split_at(end);
        // No move has a hyphen, so a word with one is meant as a position even where it is wrong.
        let (position, moves) = match word.contains('-') {
            true => (
                Some(word.parse().map_err(TranscriptError::Position)?),
                rest.trim_start_matches(','),
            ),
            false => (None, game),
        };
        let label = (!label.is_empty()).then(|| label.to_owned());
        Ok(Transcript { label, position, line: moves.parse()?, comment })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_positions_may_be_missing() {
        let read = |text: &str| text.parse::<Transcript>().unwrap();
        let bare = read("FfE");
        assert_eq!((bare.label, bare.position, bare.line.plies.len()), (None, None, 3));
        let opened = read("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N fE");
        assert_eq!(opened.opening().to_string(), "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
        assert_eq!(opened.line.to_string(), "fE");
        let named = read("minimax:depth=3 v. greedy: 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N, 4N6, 5S5");
        assert_eq!(named.label.as_deref(), Some("minimax:depth=3 v. greedy"));
        assert_eq!(named.line.to_string(), "4N6, 5S5");
        assert_eq!(read("nothing yet:").line.plies, []);
        let noted = read("game #17: FfE # nodes 120 340; 1-0: majority");
        assert_eq!(noted.label.as_deref(), Some("game #17"));
        assert_eq!(noted.line.plies.len(), 3);
        assert_eq!(noted.comment.as_deref(), Some("nodes 120 340; 1-0: majority"));
    }

    #[test]
    fn comments_and_blank_lines_are_ignored_and_errors_name_the_line() {
        let games = Transcript::all_in("# two games\r\n\r\nFf\r\n  # none\r\nb: FfE\r\n").unwrap();
        assert_eq!(games.len(), 2);
        let refused = |text: &str| Transcript::all_in(text).unwrap_err().to_string();
        assert!(refused(&"\u{1b}x".repeat(5000)).len() < 200);
        assert_eq!(
            refused("Ff\n\nFx"),
            "line 3: ply 2: \"x\" is not a move; write a pit as A–F or a–f, or in the form 5S6(3)"
        );
        assert_eq!(
            refused("a: 4-4-4 Ff"),
            "line 1: opening position: a position has 15 fields joined by \"-\" (12 pits, \
             2 stores, side to move), not 3"
        );
    }
}
