//! Files of games: one game a line.

use super::{Notated, Side, TextError};

/// A game as a line of a file has it. Its moves are not yet checked to be legal.
///
/// `LABEL: POSITION MOVES # COMMENT`, where all but the moves may be missing. The label ends at the last
/// colon, so it may hold others; position and moves are in any notation of the game.
///
/// ```
/// use mancala::game::{Transcript, ayo::Ayo};
/// let game = Transcript::read(&Ayo::default(), "game 2: 4N2, 4S1, 5N5").unwrap();
/// assert_eq!(game.label.as_deref(), Some("game 2"));
/// assert_eq!(game.opening.to_string(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N");
/// assert_eq!(game.plies.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript<G: Notated> {
    /// The name of the game.
    pub label: Option<String>,
    /// The position before the first move: if the line gives none, the start with the side of the first
    /// move to move.
    pub opening: G::Position,
    /// The moves.
    pub plies: Vec<G::Ply>,
    /// The comment after them.
    pub comment: Option<String>,
}

/// Why a text is no game.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// The position is not valid.
    #[error("opening position: {0}")]
    Position(TextError),
    /// The moves are not valid.
    #[error("{0}")]
    Line(TextError),
}

/// A line of a file that is no game.
#[derive(Debug, thiserror::Error)]
#[error("line {number}: {source}")]
pub struct FileLineError {
    /// The number of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub source: TranscriptError,
}

impl<G: Notated> Transcript<G> {
    /// The games of a file. Blank lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// At the first line that is no game.
    pub fn all_in(game: &G, text: &str) -> Result<Vec<Transcript<G>>, FileLineError> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let games = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read = |(number, line)| {
            Transcript::read(game, line).map_err(|source| FileLineError { number, source })
        };
        games.map(read).collect()
    }

    /// The game of a line.
    ///
    /// # Errors
    /// If its position or its moves are not valid in this game.
    pub fn read(game: &G, text: &str) -> Result<Transcript<G>, TranscriptError> {
        // A comment stands apart, so that a label can be "game #1".
        let (text, comment) = match text.split_once(" # ") {
            Some((text, comment)) => (text, Some(comment.trim().to_owned())),
            None => (text, None),
        };
        let (label, played) = text.rsplit_once(':').unwrap_or(("", text));
        let label = Some(label.trim().to_owned()).filter(|label| !label.is_empty());
        let (position, moves) = split(played.trim());
        let position = position.map(|text| game.read_position(text)).transpose();
        let position = position.map_err(TranscriptError::Position)?;
        let plies = G::read_plies(moves).map_err(TranscriptError::Line)?;
        let first = plies.first().map_or(Side::South, |&ply| ply.into().0);
        let opening = position.unwrap_or_else(|| game.start(first));
        Ok(Transcript { label, opening, plies, comment })
    }
}

/// The position that a game begins with, if there is one, and its moves.
fn split(game: &str) -> (Option<&str>, &str) {
    let end = game.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(game.len());
    let (word, rest) = game.split_at(end);
    // No move has a hyphen, so a word with one is meant as a position even where it is wrong.
    match word.contains('-') {
        true => (Some(word), rest.trim_start_matches(',')),
        false => (None, game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::ayo::{Ayo, Line};
    use crate::game::kalah::Kalah;

    #[test]
    fn labels_and_positions_may_be_missing() {
        let read = |text: &str| Transcript::read(&Ayo::default(), text).unwrap();
        let line = |game: &Transcript<Ayo>| Line { plies: game.plies.clone() }.to_string();
        let start = |first| Ayo::default().start(first);
        let bare = read("FfE");
        assert_eq!((&bare.label, bare.opening, bare.plies.len()), (&None, start(Side::South), 3));
        let opened = read("4-4-4-4-4-0-5-5-5-5-4-4-0-0-N fE");
        assert_eq!(opened.opening.to_string(), "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N");
        assert_eq!(line(&opened), "fE");
        let named = read("minimax:depth=3 v. greedy: 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N, 4N6, 5S5");
        assert_eq!(named.label.as_deref(), Some("minimax:depth=3 v. greedy"));
        assert_eq!(line(&named), "4N6, 5S5");
        assert_eq!(read("nothing yet:").plies, []);
        let noted = read("game #17: FfE # nodes 120 340; 1-0: majority");
        assert_eq!(noted.label.as_deref(), Some("game #17"));
        assert_eq!(noted.plies.len(), 3);
        assert_eq!(noted.comment.as_deref(), Some("nodes 120 340; 1-0: majority"));
    }

    #[test]
    fn comments_and_blank_lines_are_ignored_and_errors_name_the_line() {
        let games =
            Transcript::all_in(&Ayo::default(), "# two games\r\n\r\nFf\r\n  # none\r\nb: FfE\r\n")
                .unwrap();
        assert_eq!(games.len(), 2);
        let refused =
            |text: &str| Transcript::all_in(&Ayo::default(), text).unwrap_err().to_string();
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
    #[test]
    fn positions_and_moves_are_those_of_the_game() {
        let game: Kalah = "kalah:pits=2,seeds=1".parse().unwrap();
        let found = Transcript::read(&game, "small: 1-1-1-0-1-0-2 bA # 1-0").unwrap();
        assert_eq!(found.opening, game.position("1-1-1-0-1-0-2").unwrap());
        assert_eq!((found.plies.len(), found.comment.as_deref()), (2, Some("1-0")));
        let begun = Transcript::read(&game, "bA").unwrap();
        assert_eq!(begun.opening, game.start(Side::North));
        let refused = |text| Transcript::read(&game, text).unwrap_err().to_string();
        assert!(refused("4-4 A").starts_with("opening position: "), "{}", refused("4-4 A"));
        let reason = "ply 2: \"4\" is not a move; write a pit as A–H or a–h";
        assert_eq!(refused("A4S6"), reason);
    }
}
