//! Saves a contest's games in a JSON Lines file. The first line is the [`Heading`], which records everything that the
//! games depend on. Each further line is a [`SavedGame`]. Existing lines are never changed, but an incomplete last line
//! is removed when the contest is resumed.

use std::path::Path;
use std::time::{Duration, Instant};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::adjudication::Adjudicated;
use crate::contest::{Contest, ContestGame, Form, side_of_first};
use crate::game::{End, FinishedGame, GameResult, MoveCost, unfinished};
use crate::player::PlayableGame;
use crate::player::protocol::excerpt;
use crate::player_pool::PlayerPool;
use crate::saved_games::{LineError, MAX_LINE, SavedGames};
use crate::sprt::Sprt;
use mancala::game::{AnyGame, Game, Notated, Record, Side, Transcript, Verdict, with_game};
use mancala::store::{self, FileError, Log};
use mancala::text::Result;

const VERSION: u32 = 2;
const BEGINNING: &str = r#"{"kind":"games","version":"#;
/// The start of a file of version 1, which wasn't JSON.
const BEGINNING_OF_1: &str = "# ayo games ";

const FLUSH_INTERVAL: Duration = Duration::from_secs(5);

/// The prefix of [`SavedGame::end`] if a player forfeited the game.
const FORFEIT: &str = "forfeit by the ";
/// The prefix of [`SavedGame::end`] if the game was adjudicated.
const ADJUDICATED: &str = "adjudicated by ";

/// The header of a games file. It records everything that the games of a contest depend on.
///
/// Architecture invariant: we never create a player from a games file, because a specification can run any program.
/// Players are only recorded as strings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "games")]
pub struct Heading {
    version: u32,
    pub form: Form,
    pub players: Vec<SavedPlayer>,
    pub pairings: Vec<[usize; 2]>,
    #[serde(serialize_with = "write_game", deserialize_with = "read_game")]
    pub game: AnyGame,
    pub openings: String,
    pub positions: usize,
    pub crc32: u32,
    pub sprt: Option<Sprt>,
    /// The rules by which games are adjudicated, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPlayer {
    pub spec: String,
    /// A description of the player, including all defaults and the contents of its files, so that we notice changes.
    pub identity: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadingError {
    #[error("not a games file")]
    Foreign,
    /// The format of ayo 0.1.
    #[error("a games file written by ayo 0.1; convert it with \"ayo doctor --convert FILE\"")]
    Outdated,
    #[error("unsupported format version {0}, expected version {VERSION}")]
    Version(u32),
    #[error("line 1: the header is incomplete")]
    CutOff,
    /// A field is missing or has an invalid value.
    #[error("line 1: {0}")]
    Invalid(String),
}

/// A game as stored in a line of the file. In arrays, the first value is for the pairing's first player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The number of the game in the contest, counted from 1.
    pub game: usize,
    pub opening: String,
    pub line: String,
    /// The number of positions that each player searched.
    pub nodes: [u64; 2],
    /// `1-0` if the first player won, `0-1` if the second player won, or `1/2-1/2` for a draw.
    pub result: String,
    /// The number of seeds that each player won.
    pub stores: [u16; 2],
    pub end: String,
    /// The adjudicated result, if the game was played to the end anyway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<Adjudicated>,
}

/// A file to which the games of a contest are appended.
#[derive(Debug)]
pub struct GamesFile {
    log: Log,
    unwritten: String,
    flushed: Instant,
}

/// Serialises a game as a string such as `ayo awari` or `kalah:seeds=3`.
fn write_game<S: Serializer>(game: &AnyGame, to: S) -> Result<S::Ok, S::Error> {
    match game.description() {
        ("rules", rules) => to.collect_str(&format_args!("{game} {rules}")),
        (_, game) => to.collect_str(&game),
    }
}

fn read_game<'de, D: Deserializer<'de>>(from: D) -> Result<AnyGame, D::Error> {
    let text = String::deserialize(from)?;
    let game = match text.split_once(' ') {
        None => text.parse(),
        Some((game, rules)) => {
            game.parse().and_then(|game: AnyGame| game.with_rules(rules.parse()?))
        }
    };
    game.map_err(Error::custom)
}

impl Heading {
    pub fn new<G: PlayableGame>(contest: &Contest<G>) -> Heading {
        let player = |pool: &PlayerPool<G>| SavedPlayer {
            spec: pool.spec.clone(),
            identity: pool.identity.clone(),
        };
        let mut checksum = crc32fast::Hasher::new();
        contest.openings.iter().for_each(|it| checksum.update(it.to_string().as_bytes()));
        Heading {
            version: VERSION,
            form: contest.form,
            players: contest.players.iter().map(player).collect(),
            pairings: contest.pairings.clone(),
            game: contest.game.into(),
            openings: contest.suite.clone(),
            positions: contest.openings.len(),
            crc32: checksum.finalize(),
            sprt: contest.sprt,
            adjudication: contest.adjudication.to_json(),
        }
    }

    /// Formats the header as the first line of the file, including the newline.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers") + "\n"
    }

    pub fn games(&self) -> usize {
        self.pairings.len() * self.games_per_pairing()
    }

    pub fn games_per_pairing(&self) -> usize {
        2 * self.positions
    }

    /// Parses the header at the start of a file. Returns the header and the length of its line in bytes.
    pub fn read(bytes: &[u8]) -> Result<(Heading, usize), HeadingError> {
        let begins = |beginning: &str| bytes.starts_with(beginning.as_bytes());
        if begins(BEGINNING_OF_1) {
            return Err(HeadingError::Outdated);
        }
        let is_cut = BEGINNING.as_bytes().starts_with(bytes);
        if !is_cut && !begins(BEGINNING) {
            return Err(HeadingError::Foreign);
        }
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or(HeadingError::CutOff)?;
        let heading = &bytes[..end];
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let heading = match from_json(heading) {
            Ok(Versioned { version: VERSION }) => from_json(heading).and_then(Heading::checked),
            Ok(Versioned { version }) => return Err(HeadingError::Version(version)),
            Err(reason) => Err(reason),
        };
        heading.map(|heading| (heading, end + 1)).map_err(HeadingError::Invalid)
    }

    /// Checks that the pairings refer to existing players, and that the number of games is in range.
    fn checked(self) -> Result<Heading, String> {
        let players = self.players.len();
        if self.pairings.iter().any(|&[a, b]| a == b || a.max(b) >= players) {
            return Err("the pairings do not match the players".into());
        }
        let games =
            self.positions.checked_mul(2).and_then(|it| it.checked_mul(self.pairings.len()));
        match games {
            None | Some(0) => Err("the number of games is out of range".into()),
            Some(_) => Ok(self),
        }
    }

    /// Reads the games in a part of the file that starts with the game at index `first`.
    pub fn read_games(&self, part: &[u8], first: usize) -> Result<Vec<ContestGame>, LineError> {
        let lines = (first..).zip(part.split_inclusive(|byte| *byte == b'\n'));
        let read = |(index, line)| {
            let wrong = |reason| LineError { line: index + 2, reason };
            self.read_game(line, index).map_err(wrong)
        };
        lines.map(read).collect()
    }

    pub(crate) fn read_game(&self, line: &[u8], index: usize) -> Result<ContestGame, String> {
        if line.len() as u64 == MAX_LINE {
            return Err("the line is too long for a game".into());
        }
        let games = self.games();
        if index >= games {
            return Err(format!("the match has only {games} games"));
        }
        let of_pairing = self.games_per_pairing();
        with_game!(self.game, game => read_line(line, index, game, of_pairing))
    }

    /// Describes how the header of a games file differs from this contest's header.
    fn other_match(&self, found: &[u8]) -> String {
        let found = match Heading::read(found) {
            Ok((found, _)) => found,
            Err(reason) => return format!(": {reason}"),
        };
        let fields = |heading: &Heading| serde_json::to_value(heading).unwrap_or_default();
        let difference = first_difference(&fields(&found), &fields(self), String::new());
        let difference = difference.unwrap_or_default();
        format!(" belongs to another match: {difference}; repeat that match, or give another file")
    }
}

/// Describes the first field that differs, such as `players[0].spec`.
fn first_difference(found: &Value, expected: &Value, path: String) -> Option<String> {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let dot = if path.is_empty() { "" } else { "." };
            // Optional fields may be missing in one of the objects.
            let of =
                |object: &Map<String, Value>, key| object.get(key).cloned().unwrap_or_default();
            let difference = |key| {
                first_difference(&of(found, key), &of(expected, key), format!("{path}{dot}{key}"))
            };
            found.keys().chain(expected.keys()).find_map(difference)
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            let mut items = found.iter().zip(expected).enumerate();
            items.find_map(|(at, (a, b))| first_difference(a, b, format!("{path}[{at}]")))
        }
        _ if found == expected => None,
        _ => {
            let [found, expected] = [found, expected].map(|value| excerpt(&value.to_string()));
            Some(format!("its {path} is {found}, but this match has {expected}"))
        }
    }
}

/// Parses JSON. We remove line numbers from errors, because `bytes` is a single line.
fn from_json<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        excerpt(text.split(" at line ").next().unwrap_or_default())
    })
}

impl GamesFile {
    /// Opens or creates a contest's file and returns its games. Fails if the file belongs to another contest or is
    /// damaged (apart from an incomplete last line).
    pub fn open<G: PlayableGame>(
        path: &Path,
        contest: &Contest<G>,
    ) -> Result<(GamesFile, Vec<ContestGame>)> {
        let heading = Heading::new(contest);
        store::create_folder_of(path)?;
        let busy = || format!("{} is in use by another match", path.display());
        let mut log = Log::open(path)?.ok_or_else(busy)?;
        let text = log.text()?;
        let expected = heading.line();
        let games = match text.strip_prefix(&expected) {
            Some(games) => complete_lines(games),
            // The program was interrupted while it wrote the header.
            None if expected.starts_with(&text) => "",
            None => {
                let reason = heading.other_match(text.as_bytes());
                return Err(format!("{}{reason}", path.display()).into());
            }
        };
        let at = |error| format!("{}, {error}", path.display());
        let found = heading.read_games(games.as_bytes(), 0).map_err(at)?;
        let is_other =
            |game: &&ContestGame| contest.opening(game.index).to_string() != game.opening;
        if let Some(ContestGame { index, opening, .. }) = found.iter().find(is_other) {
            let reason = format!("{opening} is not the opening of this game");
            return Err(at(LineError { line: index + 2, reason }).into());
        }
        if text.len() < expected.len() {
            log.cut(0)?;
            log.append(&expected)?;
        } else {
            log.cut((expected.len() + games.len()) as u64)?;
        }
        Ok((GamesFile { log, unwritten: String::new(), flushed: Instant::now() }, found))
    }

    pub fn add(&mut self, game: &ContestGame) -> Result<(), FileError> {
        self.unwritten += &SavedGame::from(game).to_line();
        if self.flushed.elapsed() >= FLUSH_INTERVAL { self.flush() } else { Ok(()) }
    }

    /// Writes all pending games to disk.
    pub fn flush(&mut self) -> Result<(), FileError> {
        self.log.append(&self.unwritten)?;
        self.unwritten.clear();
        self.flushed = Instant::now();
        Ok(())
    }
}

/// The start of a file in which `ayo play` saved a game.
const PLAY: &str = "# ayo play\n# ";

/// Returns the first lines of a file in which `ayo play` saves a game, given the game's
/// [description](Notated::description).
pub fn heading_of_play((word, terms): (&str, String)) -> String {
    format!("{PLAY}{word}: {terms}\n")
}

impl GamesFile {
    /// Returns the game of a contest's games file or of a file saved by `ayo play`. Returns `None` for any other file.
    pub fn game(text: &str) -> Option<Result<AnyGame, String>> {
        if let Some(terms) = text.strip_prefix(PLAY) {
            let (word, terms) = terms.lines().next()?.split_once(": ")?;
            let game = AnyGame::described(word, terms);
            return Some(game.map_err(|error| format!("line 2: {error}")));
        }
        match Heading::read(text.as_bytes()) {
            Ok((heading, _)) => Some(Ok(heading.game)),
            Err(HeadingError::Foreign) => None,
            Err(_) if text.is_empty() => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }

    /// Parses games from printed text or a contest's file. Skips the last line of a contest's file if it's incomplete.
    pub fn transcripts<G: Notated>(game: &G, text: &str) -> Result<Vec<Transcript<G>>, String> {
        if !text.starts_with('{') {
            return Transcript::all_in(game, text);
        }
        let read = |(number, line): (usize, &str)| {
            let wrong = |error: String| format!("line {number}: {error}");
            let saved = SavedGame::read(line.as_bytes()).map_err(wrong)?;
            let text = format!("game {}: {} {}", saved.game, saved.opening, saved.line);
            let transcript = Transcript::read(game, &text).map_err(|it| wrong(it.to_string()))?;
            Ok(Transcript { comment: Some(saved.end), ..transcript })
        };
        // An incomplete last line is not valid JSON.
        let is_whole = |line: &str| SavedGame::read(line.as_bytes()).is_ok();
        let last = text.lines().next_back().filter(|line| is_whole(line));
        let text = if last.is_some() { text } else { complete_lines(text) };
        let lines = (1..).zip(text.lines());
        lines.filter(|(_, line)| !line.starts_with(BEGINNING)).map(read).collect()
    }

    /// If the comment of a transcript describes a forfeit, returns which player forfeited the game and why.
    pub fn forfeit(comment: &str) -> Option<String> {
        comment.starts_with(FORFEIT).then(|| excerpt(comment))
    }

    /// Counts the games in a contest's file and returns the first invalid line, if any. Returns `None` for other files.
    pub fn examine(text: &str) -> Option<(usize, Option<LineError>)> {
        match SavedGames::read_all(text.as_bytes()) {
            Ok(games) => Some((games.count(), games.error)),
            Err(HeadingError::Foreign | HeadingError::CutOff) => None,
            Err(error) => Some((0, Some(LineError { line: 1, reason: error.to_string() }))),
        }
    }
}

/// Returns `text` up to its last line break. Anything after that is an incomplete line.
fn complete_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

impl ContestGame {
    pub fn ending(&self) -> String {
        match &self.end {
            End::Rules(ending) => ending.to_string(),
            End::Adjudicated(by) => format!("{ADJUDICATED}{by}"),
            End::Forfeit(side, reason) => {
                let who = if *side == self.side_of_first { "first" } else { "second" };
                format!("{FORFEIT}{who} player: {}", reason.replace(['\n', '\r'], " "))
            }
        }
    }
}

impl From<&ContestGame> for SavedGame {
    fn from(game: &ContestGame) -> SavedGame {
        SavedGame {
            game: game.index + 1,
            opening: game.opening.clone(),
            line: game.line.clone(),
            nodes: game.cost.map(|cost| cost.nodes),
            result: game.result.to_string(),
            stores: game.stores,
            end: game.ending(),
            study: game.study,
        }
    }
}

impl SavedGame {
    /// Formats the game as a line of the file.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("strings and numbers") + "\n"
    }

    /// Parses a line of the file without checking that the game is legal.
    pub fn read(line: &[u8]) -> Result<SavedGame, String> {
        from_json(line).map_err(|error| format!("not a game: {error}"))
    }

    pub(crate) fn record<G: Notated>(&self, game: G) -> Result<Record<G>, String> {
        let opening = game.read_position(&self.opening);
        let opening = opening.map_err(|error| format!("opening: {error}"))?;
        game.read_line(&self.line, Some(opening)).map_err(|error| format!("line: {error}"))
    }
}

/// Parses a line and replays the game, which may start from any opening.
fn read_line<G: Notated>(
    line: &[u8],
    index: usize,
    game: G,
    games_per_pairing: usize,
) -> Result<ContestGame, String> {
    let saved = SavedGame::read(line)?;
    let number = index + 1;
    if saved.game != number {
        return Err(format!("expected game {number}"));
    }
    let record = saved.record(game)?;
    let played = replayed(&saved, &record, side_of_first(index, game.to_move(record.opening())));
    let finished = played.map(|played| ContestGame::new(index, games_per_pairing, &record, played));
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    // We serialise the game again and compare the bytes, in order to detect any change to the file.
    let is_same = |it: &ContestGame| SavedGame::from(it).to_line().trim_end().as_bytes() == line;
    finished.filter(is_same).ok_or_else(|| {
        let SavedGame { result, stores: [a, b], end, .. } = &saved;
        let result = excerpt(&format!("{result}, {a}-{b}, {end}"));
        format!("the result \"{result}\" does not match the moves")
    })
}

/// Returns how a saved game ended, or `None` if it isn't over. `first` is the first player's side.
fn replayed<G: Game>(saved: &SavedGame, record: &Record<G>, first: Side) -> Option<FinishedGame> {
    let forfeited = saved.end.strip_prefix(FORFEIT).and_then(|end| end.split_once(" player: "));
    let (end, settlement) = if let Some((who, reason)) = forfeited {
        let side = if who == "first" { first } else { first.other() };
        let settlement = unfinished(record, Verdict::Won(side.other()));
        (End::Forfeit(side, reason.into()), settlement)
    } else if let Some(by) = saved.end.strip_prefix(ADJUDICATED) {
        let by = serde_json::from_value(by.into()).ok()?;
        let result: GameResult = saved.result.parse().ok()?;
        (End::Adjudicated(by), unfinished(record, result.verdict(first)))
    } else {
        (End::Rules(record.ending()?), record.settlement()?)
    };
    let study = saved.study;
    if study.is_some_and(|study| study.plies > record.plies().len()) {
        return None;
    }
    let cost = Side::BOTH.map(|side| MoveCost {
        moves: record.plies().iter().filter(|(mover, _)| *mover == side).count() as u32,
        nodes: saved.nodes[usize::from(side != first)],
        ..MoveCost::default()
    });
    Some(FinishedGame { end, settlement, cost, study })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heading(form: Form, specs: &[&str], game: &str, sprt: Option<&str>) -> Heading {
        let player =
            |spec: &&str| SavedPlayer { spec: spec.to_string(), identity: "greedy".into() };
        Heading {
            version: VERSION,
            form,
            players: specs.iter().map(player).collect(),
            pairings: form.pairings(specs.len()),
            game: game.parse().unwrap(),
            openings: "plies:4, 20 games drawn with seed 1".into(),
            positions: 10,
            crc32: 0xbe4b,
            sprt: sprt.map(|it| it.parse().unwrap()),
            adjudication: None,
        }
    }

    #[test]
    fn a_heading_reads_back_and_a_beginning_of_it_is_cut_off() {
        let program = "uci:cmd=\"touch /tmp/x\"";
        let awari = AnyGame::default().with_rules("awari".parse().unwrap()).unwrap();
        for heading in [
            heading(Form::Match, &["greedy", program], "ayo", Some("elo0=0,elo1=10")),
            Heading { game: awari, ..heading(Form::Match, &["a", "b"], "ayo", None) },
            heading(Form::RoundRobin, &["a", "b", "c"], "kalah:seeds=3", None),
            heading(Form::Gauntlet, &["<b>a</b>", "b\nc", "c"], "kalah", None),
        ] {
            let line = heading.line();
            for length in 0..line.len() {
                let cut = &line.as_bytes()[..length];
                assert_eq!(Heading::read(cut), Err(HeadingError::CutOff), "{length}");
            }
            assert_eq!(Heading::read(line.as_bytes()), Ok((heading, line.len())));
        }
    }

    #[test]
    fn an_invalid_heading_is_refused() {
        let text = heading(Form::Match, &["greedy", "random"], "ayo", Some("elo1=5")).line();
        for (from, to, expected) in [
            ("games", "matches", HeadingError::Foreign),
            ("{\"kind\":\"games\"", "# ayo games 1: match\n", HeadingError::Outdated),
            ("version\":2", "version\":9", HeadingError::Version(9)),
        ] {
            assert_eq!(Heading::read(text.replacen(from, to, 1).as_bytes()), Err(expected));
        }
        let most = format!("positions\":{}", usize::MAX);
        for (from, to) in [
            ("version\":2", "version\":-2"),
            ("\"match\"", "\"feast\""),
            ("identity", "identities"),
            ("[[0,1]]", "[[0,2]]"),
            ("[[0,1]]", "[[1,1]]"),
            ("[[0,1]]", "[]"),
            ("ayo ayo", "ayo chess\\u001b[2J"),
            ("ayo ayo", "chess"),
            ("positions\":10", "positions\":0"),
            ("positions\":10", &most),
            ("elo1=5", "elo1=-5"),
        ] {
            let error = Heading::read(text.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(matches!(&error, HeadingError::Invalid(_)), "{to}: {error:?}");
            assert!(!error.to_string().contains('\u{1b}'));
        }
    }
}
