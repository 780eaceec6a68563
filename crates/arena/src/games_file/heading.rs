//! What a file of games says before its games.

use std::fmt::{self, Display};

use crate::contest::Form;
use crate::player::protocol::printable;
use crate::sprt::Sprt;
use mancala::game::AnyGame;
use mancala::game::ayo::{Ayo, Rules};
use mancala::text::one_line;

/// What the games of a contest depend on.
///
/// Architecture invariant: players are text here. None is made of what a file says, since a player may be any program.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// The pairs of players that meet.
    pub form: Form,
    /// The players.
    pub players: Vec<Entrant>,
    /// The players that meet, first and second, by number from 0.
    pub pairings: Vec<[usize; 2]>,
    /// The game and its rules.
    pub game: AnyGame,
    /// The openings in words.
    pub openings: String,
    /// How many there are.
    pub positions: usize,
    /// Their CRC-32.
    pub checksum: u32,
    /// The test that may end the contest early.
    pub sprt: Option<Sprt>,
}

/// A player of a contest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// Its specification.
    pub spec: String,
    /// What that stands for, files read.
    pub identity: String,
}

/// Text that is no heading of a file of games.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadingError {
    /// It is something else.
    #[error("it is no file of games of ayo")]
    Foreign,
    /// It is of another version.
    #[error("it is of version \"{0}\" of files of games, which this version of ayo does not read")]
    Version(String),
    /// Lines are missing at its end.
    #[error("its heading is not complete")]
    CutOff,
    /// A line is another than it should be.
    #[error("line {line}: \"# {expected}…\" should stand here")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What it should begin with, after "# ".
        expected: String,
    },
    /// A line has a value that cannot be.
    #[error("line {line}: {reason}")]
    Value {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

const BEGINNING: &str = "# ayo games ";
const VERSION: &str = "1";
const TEST: &str = "sprt: ";
const ORDER: &str = "the first player moves first in odd games";

/// The lines of the heading, with their ends.
impl Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |text: String| writeln!(f, "# {}", one_line(&text));
        line(format!("ayo games {VERSION}: {}; {ORDER}", self.form.name()))?;
        for (number, Entrant { spec, identity }) in (1..).zip(&self.players) {
            line(format!("player {number}: {spec}"))?;
            line(format!("player {number} is {identity}"))?;
        }
        let pairings = self.pairings.iter().map(|[a, b]| format!("{}-{}", a + 1, b + 1));
        line(format!("pairings: {}", pairings.collect::<Vec<_>>().join(" ")))?;
        let (word, terms) = self.game.terms();
        line(format!("{word}: {terms}"))?;
        line(format!("openings: {}", self.openings))?;
        line(format!("positions: {}, crc32 {:08x}", self.positions, self.checksum))?;
        self.sprt.map_or(Ok(()), |sprt| line(format!("{TEST}{sprt}")))
    }
}

impl Heading {
    /// Games of the whole contest.
    pub fn games(&self) -> usize {
        self.pairings.len() * self.games_of_pairing()
    }

    /// Games of one pairing, an even number.
    pub fn games_of_pairing(&self) -> usize {
        2 * self.positions
    }

    /// Reads the heading that a text begins with. Returns the rest of the text, too.
    ///
    /// # Errors
    /// If it begins with none.
    pub fn read(text: &str) -> Result<(Heading, &str), HeadingError> {
        let Some(rest) = text.strip_prefix(BEGINNING) else {
            let is_cut = BEGINNING.starts_with(text);
            return Err(if is_cut { HeadingError::CutOff } else { HeadingError::Foreign });
        };
        let mut lines = Lines { rest, number: 0 };
        let form = lines.form()?;
        let players = lines.players()?;
        let pairings = lines.after("pairings: ")?;
        let pairings = read_pairings(pairings, players.len());
        let pairings = pairings.ok_or_else(|| lines.wrong("the pairings are not of these players"));
        let (pairings, game) = (pairings?, lines.game()?);
        let openings = lines.after("openings: ")?.into();
        let positions = read_positions(lines.after("positions: ")?);
        let positions = positions.ok_or_else(|| lines.wrong("it is no number and CRC-32"));
        let (positions, checksum) = positions?;
        let games = pairings.len().checked_mul(positions).and_then(|pairs| pairs.checked_mul(2));
        if games.is_none_or(|games| games == 0) {
            return Err(lines.wrong("no contest has as many games"));
        }
        let sprt = lines.next_after(TEST)?.map(str::parse::<Sprt>).transpose();
        let sprt = sprt.map_err(|error| lines.wrong(error))?;
        let heading =
            Heading { form, players, pairings, game, openings, positions, checksum, sprt };
        Ok((heading, lines.rest))
    }
}

/// Pairings of so many players.
fn read_pairings(text: &str, players: usize) -> Option<Vec<[usize; 2]>> {
    let number = |text: &str| {
        let number: usize = text.parse().ok()?;
        number.checked_sub(1).filter(|index| *index < players)
    };
    let pairing = |text: &str| {
        let (a, b) = text.split_once('-')?;
        let (a, b) = (number(a)?, number(b)?);
        (a != b).then_some([a, b])
    };
    text.split(' ').map(pairing).collect()
}

fn read_positions(text: &str) -> Option<(usize, u32)> {
    let (count, checksum) = text.split_once(", crc32 ")?;
    Some((count.parse().ok()?, u32::from_str_radix(checksum, 16).ok()?))
}

/// The lines of a heading that are not read yet.
struct Lines<'a> {
    rest: &'a str,
    /// How many are read.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The first line, whose beginning is read.
    fn form(&mut self) -> Result<Form, HeadingError> {
        let (line, rest) = self.rest.split_once('\n').ok_or(HeadingError::CutOff)?;
        (self.rest, self.number) = (rest, 1);
        let (version, words) = line.split_once(": ").unwrap_or((line, ""));
        if version != VERSION {
            let version = printable(&version.chars().take(20).collect::<String>());
            return Err(HeadingError::Version(version));
        }
        let form = words.strip_suffix(ORDER).and_then(|it| it.strip_suffix("; "));
        let found = Form::ALL.into_iter().find(|it| Some(it.name()) == form);
        found.ok_or_else(|| self.wrong("it names no form of a contest"))
    }

    fn players(&mut self) -> Result<Vec<Entrant>, HeadingError> {
        let mut players = Vec::new();
        loop {
            let number = players.len() + 1;
            let Some(spec) = self.next_after(&format!("player {number}: "))? else { break };
            let identity = self.after(&format!("player {number} is "))?.into();
            players.push(Entrant { spec: spec.into(), identity });
        }
        Ok(players)
    }

    fn game(&mut self) -> Result<AnyGame, HeadingError> {
        let game = match self.next_after("rules: ")? {
            Some(rules) => {
                let rules = rules.parse::<Rules>();
                rules.map(|rules| Ayo { rules }.into()).map_err(|error| error.to_string())
            }
            None => self.after("game: ")?.parse(),
        };
        game.map_err(|error| self.wrong(error))
    }

    /// What follows a word in the next line, which must begin with it.
    fn after(&mut self, word: &str) -> Result<&'a str, HeadingError> {
        let line = self.number + 1;
        let found = self.next_after(word)?;
        found.ok_or_else(|| HeadingError::Line { line, expected: word.into() })
    }

    /// What follows a word in the next line, if that begins with it.
    fn next_after(&mut self, word: &str) -> Result<Option<&'a str>, HeadingError> {
        let Some((line, rest)) = self.rest.split_once('\n') else {
            // The last line may be missing, and a game that is being written may follow.
            let is_over = word == TEST && !self.rest.starts_with('#');
            return if is_over { Ok(None) } else { Err(HeadingError::CutOff) };
        };
        let found = line.strip_prefix("# ").and_then(|line| line.strip_prefix(word));
        if found.is_some() {
            (self.rest, self.number) = (rest, self.number + 1);
        }
        Ok(found)
    }

    /// The line that was read last has a value that cannot be.
    fn wrong(&self, reason: impl Display) -> HeadingError {
        HeadingError::Value { line: self.number, reason: printable(&reason.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws;

    fn heading(form: Form, specs: &[&str], game: &str, sprt: Option<&str>) -> Heading {
        let entrant = |spec: &&str| Entrant { spec: spec.to_string(), identity: "greedy".into() };
        Heading {
            form,
            players: specs.iter().map(entrant).collect(),
            pairings: form.pairings(specs.len()),
            game: game.parse().unwrap(),
            openings: "plies:4, 20 games drawn with seed 1".into(),
            positions: 10,
            checksum: 0xbe4b,
            sprt: sprt.map(|it| it.parse().unwrap()),
        }
    }

    fn some() -> String {
        heading(Form::Match, &["greedy", "random"], "ayo", Some("elo1=5")).to_string()
    }

    #[test]
    fn a_heading_reads_back() {
        let program = "uci:cmd=\"touch /tmp/x\"";
        for heading in [
            heading(Form::Match, &["greedy", program], "ayo", Some("elo0=0,elo1=10")),
            heading(Form::RoundRobin, &["a", "b", "c"], "kalah:seeds=3", None),
            heading(Form::Gauntlet, &["<b>a</b>", "b", "c"], "kalah", None),
        ] {
            let text = format!("{heading}game 1: ");
            assert_eq!(Heading::read(&text), Ok((heading, "game 1: ")));
        }
    }

    #[test]
    fn a_heading_that_is_cut_off_is_told_from_a_wrong_one() {
        let text = some();
        let whole = text.rfind("# sprt").unwrap();
        for length in (0..text.len()).filter(|length| *length != whole) {
            assert_eq!(Heading::read(&text[..length]), Err(HeadingError::CutOff), "{length}");
        }
        for beginning in ["", "g", "game 1: 4-4"] {
            let text = format!("{}{beginning}", &text[..whole]);
            let (heading, rest) = Heading::read(&text).unwrap();
            assert_eq!((heading.sprt, rest), (None, beginning));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = some();
        let most = format!("positions: {}", usize::MAX);
        for (from, to, words) in [
            ("# ayo games 1", "ayo games 1", "it is no file of games"),
            ("games 1:", "games 2:", "version \"2\""),
            ("games 1: match", "games 1: feast", "line 1: it names no form"),
            ("player 2 is", "player 2 was", "line 5: \"# player 2 is …\" should stand here"),
            ("player 2:", "player 3:", "line 4: \"# pairings: …\""),
            (": 1-2", ": 1-3", "line 6: the pairings"),
            (": 1-2", ": 1-1", "line 6: the pairings"),
            (": 1-2", ": 0-1", "line 6: the pairings"),
            (": 1-2", ": ", "line 6: the pairings"),
            ("rules: ayo", "rules: chess", "line 7: "),
            ("rules: ayo", "rules: ayo\r", "line 7: "),
            ("rules: ayo", "game: chess\u{1b}[2J", "chess\\u{1b}[2J"),
            ("positions: 10", "positions: 0", "line 9: no contest"),
            ("positions: 10", &most, "line 9: no contest"),
            ("positions: 10", "positions: -1", "line 9: it is no number"),
            ("crc32 ", "crc32 g", "line 9: it is no number"),
            ("elo1=5", "elo1=-5", "line 10: sprt: elo0"),
        ] {
            let error = Heading::read(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(words), "{to}: {error}");
        }
    }

    laws! {
        #[test]
        fn no_text_makes_it_panic(at in 0..400_usize, piece in "[-0-9a-z:,# \n\u{e9}]{0,12}") {
            let text = some();
            let at = at.min(text.len());
            _ = Heading::read(&format!("{}{piece}{}", &text[..at], &text[at..]));
            _ = Heading::read(&format!("{}{piece}", &text[..at]));
        }
    }
}
