//! Reads and writes positions, lines of moves and files of games.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::{AnyGame, Game, Pit, Record, Replay, Side, replay};
use crate::text::{Message, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hole {
    Pit(Side, Pit),
    Store(Side),
}

pub(super) fn row(side: Side, pits: usize) -> impl Iterator<Item = Hole> + Clone {
    (0..pits as u8).filter_map(Pit::new).map(move |pit| Hole::Pit(side, pit))
}

/// Returns the holes in sowing order: `mover`'s pits, `mover`'s store and the opponent's pits.
pub(super) fn round(mover: Side, pits: usize) -> impl Iterator<Item = Hole> + Clone {
    row(mover, pits).chain([Hole::Store(mover)]).chain(row(mover.other(), pits))
}

/// Parses the seeds in `holes` and the side to move, joined by `-`. `fields` describes the format in error messages.
pub(super) fn read_seeds(
    text: &str,
    holes: impl Iterator<Item = Hole>,
    most: u16,
    sides: [&'static str; 2],
    fields: impl Display,
) -> Result<(Vec<u16>, Side), Message> {
    let holes: Vec<Hole> = holes.collect();
    let texts: Vec<&str> = text.trim().split('-').collect();
    let (expected, found) = (holes.len() + 1, texts.len());
    if found != expected {
        return Err(format!("a position {fields}, not {found}").into());
    }
    let seeds = holes.into_iter().zip(&texts).map(|(hole, text)| {
        let seeds = unsigned(text).filter(|seeds| *seeds <= most);
        seeds.ok_or_else(|| {
            let field = match hole {
                Hole::Pit(side, pit) => format!("pit {}", pit.letter(side)),
                Hole::Store(side) => format!("{side}'s store"),
            };
            format!("{field} is \"{text}\", not a number of seeds from 0 to {most}")
        })
    });
    let (seeds, side) = (seeds.collect::<Result<_, _>>()?, texts[found - 1]);
    let to_move = Side::BOTH.into_iter().find(|to_move| sides[to_move.index()] == side);
    let [south, north] = sides;
    let wrong_side = || format!("the side to move is \"{side}\", not {south} or {north}");
    Ok((seeds, to_move.ok_or_else(wrong_side)?))
}

pub(super) fn wrong_length(found: usize, pits: usize) -> Message {
    let expected = 2 * pits + 2;
    format!("a position has seeds in {expected} pits and stores, not {found}").into()
}

/// Parses an unsigned number. Unlike [`str::parse`], this doesn't accept a sign.
pub(super) fn unsigned<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Parses plies written as pit letters, with or without spaces between them.
pub(super) fn read_letters(text: &str, pits: usize, form: &str) -> Result<Vec<Ply>> {
    let letter = |text: &str| {
        let (side, pit) = Pit::from_letter(text.chars().next()?)?;
        (pit.index() < pits).then_some(Ply { side, pit, printed: None })
    };
    let words = text.split_whitespace().flat_map(|word| word.split_inclusive(|_| true));
    read_words(words, letter, form)
}

/// Parses each word as a ply. `form` describes the expected format of a ply in error messages.
pub(super) fn read_words<'a>(
    words: impl Iterator<Item = &'a str>,
    parse: impl Fn(&str) -> Option<Ply>,
    form: &str,
) -> Result<Vec<Ply>> {
    let plies = words.zip(1..).map(|(word, ply)| {
        // The text may come from any file, so we truncate and escape the word.
        let text = || word.chars().take(20).flat_map(char::escape_debug).collect::<String>();
        let error = || format!("ply {ply}: \"{}\" is not a move; {form}", text()).into();
        parse(word).ok_or_else(error)
    });
    plies.collect()
}

/// A ply in a written game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub side: Side,
    pub pit: Pit,
    /// The seed counts that were printed with the ply, as in `2S6(2)` (Akinyemi 2012).
    pub printed: Option<Printed>,
}

impl From<Ply> for (Side, Pit) {
    fn from(ply: Ply) -> (Side, Pit) {
        (ply.side, ply.pit)
    }
}

impl Display for Ply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Printed { seeds, captured }) = self.printed else {
            return write!(f, "{}", self.pit.letter(self.side));
        };
        let player = match self.side {
            Side::South => 'S',
            Side::North => 'N',
        };
        write!(f, "{seeds}{player}{}", self.pit.index() + 1)?;
        if captured > 0 { write!(f, "({captured})") } else { Ok(()) }
    }
}

/// The numbers of seeds sown and captured that Akinyemi's notation prints with each ply, e.g. 2 and 6 in `2S2(6)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    pub seeds: u8,
    pub captured: u8,
}

/// A game that has a name and can be read and written as text.
pub trait Notated: Game + Into<AnyGame> {
    const NAME: &'static str;

    /// Whether printed games may continue after the game is over.
    const CONTINUES: bool = false;

    /// Returns a key and a value that describe the game and its rules, such as `rules: awari` or `game: kalah`.
    fn description(&self) -> (&'static str, String);

    fn read_position(&self, text: &str) -> Result<Self::Position, Message>;

    /// Creates a position from the seeds in South's pits, North's pits and both stores.
    fn position_of(
        &self,
        seeds: &[impl Copy + Into<u16>],
        to_move: Side,
    ) -> Result<Self::Position, Message>;

    /// Plays a line of moves. `from` defaults to the initial position. The side of the first ply is then to move.
    fn read_line(&self, text: &str, from: Option<Self::Position>) -> Result<Record<Self>, Message> {
        let plies = Self::read_plies(text)?;
        let first = plies.first().map_or(Side::South, |ply| ply.side);
        let mut record = Record::from_position(*self, from.unwrap_or_else(|| self.start(first)));
        record.play_line(plies.into_iter().map(Into::into))?;
        Ok(record)
    }

    /// Parses a line of plies. Doesn't check whether they are legal.
    fn read_plies(text: &str) -> Result<Vec<Ply>, Message>;

    /// Replays a written game up to its first error.
    fn replay(self, opening: Self::Position, plies: &[Ply]) -> Replay<Self> {
        replay::replay(self, opening, plies)
    }

    /// Returns the seeds in South's and in North's pits, each in sowing order.
    fn rows(&self, position: &Self::Position) -> [Vec<u16>; 2];

    /// Returns the hole that each seed of a legal move is sown into, in order.
    fn sowing(&self, position: &Self::Position, pit: Pit) -> Vec<Hole>;

    /// Returns the moves of a game in an alternative notation, or `None` if the game only has one notation.
    fn other_notation(_record: &Record<Self>) -> Option<String> {
        None
    }

    /// Returns the names of the strategies that a legal move follows, or `None` if the game has no named strategies.
    fn strategies(&self, _position: &Self::Position, _pit: Pit) -> Option<Vec<&'static str>> {
        None
    }
}

/// A game parsed from one line of a file. Its moves haven't been checked for legality yet.
///
/// The line has the form `LABEL: POSITION MOVES # COMMENT`, where only the moves are required. Everything before the
/// last colon is the label. The position and moves may use any notation of the game.
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
    pub label: Option<String>,
    /// The position before the first move. Defaults to the initial position, with the side of the first ply to move.
    pub opening: G::Position,
    pub plies: Vec<Ply>,
    pub comment: Option<String>,
}

impl<G: Notated> Transcript<G> {
    /// Parses a file of games, one per line. Skips blank lines and lines that start with `#`.
    pub fn all_in(game: &G, text: &str) -> Result<Vec<Transcript<G>>, String> {
        let lines = (1..).zip(text.lines().map(str::trim));
        let games = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read = |(number, line): (usize, _)| {
            Transcript::read(game, line).map_err(|error| format!("line {number}: {error}"))
        };
        games.map(read).collect()
    }

    pub fn read(game: &G, text: &str) -> Result<Transcript<G>, Message> {
        // We require spaces around `#` so that labels such as "game #1" work.
        let (text, comment) = match text.split_once(" # ") {
            Some((text, comment)) => (text, Some(comment.trim().to_owned())),
            None => (text, None),
        };
        let (label, played) = text.rsplit_once(':').unwrap_or(("", text));
        let label = Some(label.trim().to_owned()).filter(|label| !label.is_empty());
        let (position, moves) = split(played.trim());
        let position = position.map(|text| game.read_position(text)).transpose();
        let position = position.map_err(|error| format!("opening position: {error}"))?;
        let plies = G::read_plies(moves)?;
        let first = plies.first().map_or(Side::South, |ply| ply.side);
        let opening = position.unwrap_or_else(|| game.start(first));
        Ok(Transcript { label, opening, plies, comment })
    }
}

/// Separates the position (if given) from the moves.
fn split(game: &str) -> (Option<&str>, &str) {
    let end = game.find(|c: char| c == ',' || c.is_whitespace()).unwrap_or(game.len());
    let (word, rest) = game.split_at(end);
    // Moves never contain a hyphen, so a word with a hyphen must be a position (perhaps an invalid one).
    match word.contains('-') {
        true => (Some(word), rest.trim_start_matches(',')),
        false => (None, game),
    }
}

/// Draws the board from South's point of view, with each player's store on the player's right.
///
/// ```text
///             f   e   d   c   b   a
///           +---+---+---+---+---+---+
///           | 4 | 4 | 4 | 4 | 4 | 4 |
///  North  0 +---+---+---+---+---+---+  0 South
///           | 4 | 4 | 4 | 4 | 4 | 4 |
///           +---+---+---+---+---+---+
///             A   B   C   D   E   F
/// ```
pub fn board<G: Notated>(game: &G, position: &G::Position) -> String {
    let [south, mut north] = game.rows(position);
    north.reverse();
    let pits = south.len();
    let cells = |row: Vec<u16>| row.iter().map(|seeds| format!("{seeds:>2} |")).collect::<String>();
    let letters = |side: Side| {
        let letters = (0..pits as u8).filter_map(Pit::new).map(|pit| pit.letter(side));
        let mut letters: Vec<String> = letters.map(|letter| letter.to_string()).collect();
        if side == Side::North {
            letters.reverse();
        }
        letters.join("   ")
    };
    let (margin, rule) = (" ".repeat(10), format!("+{}", "---+".repeat(pits)));
    let stores = Side::BOTH.map(|side| game.store(position, side));
    let middle = format!(" North {:>2} {rule} {:>2} South", stores[1], stores[0]);
    [
        format!("{margin}  {}", letters(Side::North)),
        format!("{margin}{rule}"),
        format!("{margin}|{}", cells(north)),
        middle,
        format!("{margin}|{}", cells(south)),
        format!("{margin}{rule}"),
        format!("{margin}  {}\n", letters(Side::South)),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ayo::{Ayo, Rules};
    use crate::game::kalah::Kalah;
    use crate::laws::prelude::*;

    #[test]
    fn only_the_moves_of_a_game_are_required() {
        const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
        const OPENED: &str = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N";
        for (text, label, opening, line, comment) in [
            ("FfE", None, START, "FfE", None),
            ("OPENED fE", None, OPENED, "fE", None),
            ("a:b=3 v. c: OPENED, 4N6, 5S5", Some("a:b=3 v. c"), OPENED, "4N6, 5S5", None),
            ("nothing yet:", Some("nothing yet"), START, "", None),
            ("g #17: FfE # 1-0: most", Some("g #17"), START, "FfE", Some("1-0: most")),
        ] {
            let text = text.replace("OPENED", OPENED);
            let game = Transcript::read(&Ayo::default(), &text).unwrap();
            assert_eq!((game.label.as_deref(), game.comment.as_deref()), (label, comment));
            assert_eq!(game.opening.to_string(), opening);
            let plies: Vec<String> = game.plies.iter().map(Ply::to_string).collect();
            assert_eq!(plies.join(if line.contains(',') { ", " } else { "" }), line);
        }
        let kalah: Kalah = "kalah:pits=2,seeds=1".parse().unwrap();
        let game = Transcript::read(&kalah, "small: 1-1-1-0-1-0-2 bA # 1-0").unwrap();
        assert_eq!((game.opening.to_string().as_str(), game.plies.len()), ("1-1-1-0-1-0-2", 2));
        let game = Transcript::read(&kalah, "bA").unwrap();
        assert_eq!(game.opening, kalah.start(Side::North));
    }

    #[test]
    fn comments_and_blank_lines_are_skipped_and_errors_name_the_line() {
        let text = "# two games\r\n\r\nFf\r\n  # none\r\nb: FfE\r\n";
        assert_eq!(Transcript::all_in(&Ayo::default(), text).unwrap().len(), 2);
        let refused = |text: &str| Transcript::all_in(&Ayo::default(), text).unwrap_err();
        assert!(refused(&"\u{1b}x".repeat(5000)).len() < 200);
        assert!(refused("Ff\n\nFx").starts_with("line 3: ply 2: "));
        assert!(refused("a: 4-4-4 Ff").contains("15 fields"));
        let error = Transcript::all_in(&Kalah::default(), "A4S6").unwrap_err();
        assert!(error.starts_with("line 1: ply 2: "), "{error}");
    }

    /// Checks that each hole has gained the seeds that were sown into it, unless they were captured.
    fn sowing_matches_play<G: Notated>(
        game: G,
        position: &G::Position,
    ) -> Result<(), TestCaseError> {
        let mover = game.to_move(position);
        for pit in game.moves(position) {
            let mut rows = game.rows(position);
            rows[mover.index()][pit.index()] = 0;
            let mut stores = Side::BOTH.map(|side| game.store(position, side));
            for hole in game.sowing(position, pit) {
                match hole {
                    Hole::Pit(side, pit) => rows[side.index()][pit.index()] += 1,
                    Hole::Store(side) => stores[side.index()] += 1,
                }
            }
            let after = game.play(position, pit);
            let fallen = rows.concat().into_iter().zip(game.rows(&after).concat());
            let mut captured = 0;
            for (fell, holds) in fallen.filter(|(fell, holds)| fell != holds) {
                prop_assert_eq!(holds, 0, "{} {:?}", position, pit);
                captured += fell;
            }
            stores[mover.index()] += captured;
            prop_assert_eq!(stores, Side::BOTH.map(|side| game.store(&after, side)));
        }
        Ok(())
    }

    laws! {
        #[test]
        fn sowing_agrees_with_play(
            position in any_position(),
            (kalah, of_kalah) in any_kalah_position(),
        ) {
            for (_, rules) in Rules::PRESETS {
                sowing_matches_play(Ayo { rules }, &position)?;
            }
            sowing_matches_play(kalah, &of_kalah)?;
        }
    }

    #[test]
    fn the_board_is_aligned_with_one_and_two_digits() {
        let position = "1-2-3-14-5-6-7-0-0-0-0-1-0-9-S".parse().unwrap();
        let expected = "
            f   e   d   c   b   a
          +---+---+---+---+---+---+
          | 1 | 0 | 0 | 0 | 0 | 7 |
 North  9 +---+---+---+---+---+---+  0 South
          | 1 | 2 | 3 |14 | 5 | 6 |
          +---+---+---+---+---+---+
            A   B   C   D   E   F
";
        assert_eq!(format!("\n{}", board(&Ayo::default(), &position)), expected);
    }
}
