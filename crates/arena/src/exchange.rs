//! Reads and writes positions and games in the formats of other programs.
//!
//! Every format can be converted to and from [`Entry`]. [`difference`] tells whether a game would take a different
//! course under the rules of another program.

mod openspiel;
mod own;
mod playstrategy;
#[cfg(test)]
mod tests;
mod turns;

use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Ending, GameKind, Notated, Pit, Record, Settlement, Side, Verdict};

use crate::{GameResult, GamesFile};

/// A file format for positions and games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Lines of the form `LABEL: POSITION MOVES # COMMENT`.
    Ayo,
    /// One JSON object per game, as in the games file of a match, but without the header line.
    Games,
    /// Positions of PlayStrategy's Oware, with one position per line.
    Fen,
    /// Games of PlayStrategy's Oware.
    Pgn,
    /// State strings of OpenSpiel's `oware`, or games. A game is written as a line of actions.
    OpenSpiel,
    /// The input and output of a program that plays CodinGame's Oware Abapa, for each turn.
    CodinGame,
    /// The `state` and `move` commands of the Kalah Game Protocol, for each turn.
    Kgp,
}

/// A position, or a game from that position.
#[derive(Debug, Clone)]
pub struct Entry<G: Notated> {
    pub label: Option<String>,
    pub record: Record<G>,
    /// The recorded result. It differs from the result on the board if, say, a player resigned or ran out of time.
    pub verdict: Option<Verdict>,
    pub comment: Option<String>,
}

/// The text of an entry, and a description of any information that the format cannot represent.
pub type Written = (String, Option<&'static str>);

impl Format {
    /// Returns the only game that the format supports, or `None` if it supports any game.
    pub fn kind(self) -> Option<GameKind> {
        match self {
            Format::Ayo | Format::Games => None,
            Format::Kgp => Some(GameKind::Kalah),
            Format::Fen | Format::Pgn | Format::OpenSpiel | Format::CodinGame => {
                Some(GameKind::Ayo)
            }
        }
    }

    /// Returns the game that the text or the format specifies, if any. Fails if the game is invalid.
    pub fn game(self, text: &str) -> Result<Option<AnyGame>, String> {
        match self {
            Format::Ayo | Format::Games => GamesFile::game(text).transpose(),
            Format::Kgp => turns::board_of(text),
            _ => Ok(Some(AnyGame::default())),
        }
    }

    /// Returns the variant of `game` that is played on the same board by the programs that use this format.
    pub fn rules(self, game: AnyGame) -> AnyGame {
        match game {
            game if self.kind().is_none() => game,
            AnyGame::Ayo(_) => AnyGame::default(),
            AnyGame::Kalah(game) => {
                let seeds = game.seeds_per_pit() as u8;
                Kalah::new(game.pits() as u8, seeds).expect("the board of a game").into()
            }
        }
    }

    /// Reads positions and games. Error messages begin with the line number.
    pub fn read<G: Notated>(self, game: G, text: &str) -> Result<Vec<Entry<G>>, String> {
        match self {
            Format::Ayo | Format::Games => own::read(game, text),
            Format::Fen => playstrategy::read_positions(game, text),
            Format::Pgn => playstrategy::read_games(game, text),
            Format::OpenSpiel => openspiel::read(game, text),
            Format::CodinGame | Format::Kgp => turns::read(self, game, text),
        }
    }

    /// Formats an entry. Fails if the format can't represent the entry. `number` is the number of the game, counted
    /// from 1, which only [`Format::Games`] contains.
    pub fn write<G: Notated>(self, entry: &Entry<G>, number: usize) -> Result<Written, String> {
        match self {
            Format::Ayo => Ok((own::line(entry), None)),
            Format::Games => Ok((own::saved(entry, number), None)),
            Format::Fen => playstrategy::position(entry),
            Format::Pgn => Ok((playstrategy::game(entry), None)),
            Format::OpenSpiel => openspiel::write(entry),
            Format::CodinGame | Format::Kgp => Ok(turns::write(self, entry)),
        }
    }
}

mancala::format_names!("choose ayo, games, fen, pgn, openspiel, codingame or kgp", {
    Ayo: "ayo", "txt";
    Games: "games", "jsonl";
    Fen: "fen", "fen";
    Pgn: "pgn", "pgn";
    OpenSpiel: "openspiel", "spiel";
    CodinGame: "codingame", "cg";
    Kgp: "kgp", "kgp";
});

impl<G: Notated> Entry<G> {
    fn new(record: Record<G>) -> Entry<G> {
        Entry { label: None, record, verdict: None, comment: None }
    }

    /// Returns whether the entry is a position without moves.
    pub fn is_position(&self) -> bool {
        self.record.plies().is_empty()
    }

    /// Returns the recorded result, or the result on the board if the game has ended.
    pub fn result(&self) -> Option<Verdict> {
        self.verdict.or_else(|| self.record.verdict())
    }

    fn opening_side(&self) -> Side {
        self.record.game().to_move(self.record.opening())
    }

    fn is_from_start(&self) -> bool {
        *self.record.opening() == self.record.game().start(Side::South)
    }
}

/// Formats a result from `side`'s point of view, or returns `*` for an unfinished game.
fn result_text(verdict: Option<Verdict>, side: Side) -> String {
    verdict.map_or("*".into(), |verdict| GameResult::of(verdict, side).to_string())
}

/// Parses a result from South's point of view.
fn verdict_of(text: &str) -> Option<Verdict> {
    text.parse().ok().map(|result: GameResult| result.verdict(Side::South))
}

/// Parses a number that consists only of digits. (`parse` alone would also accept a plus sign.)
fn number(text: &str) -> Option<u16> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn at<E: ToString>(line: usize) -> impl Fn(E) -> String {
    move |error| format!("line {line}: {}", error.to_string())
}

fn play<G: Notated>(record: &mut Record<G>, index: u16) -> Result<(), String> {
    let pit = u8::try_from(index).ok().and_then(Pit::new);
    let pit = pit.ok_or_else(|| format!("there is no pit with index {index}"))?;
    record.play(pit).map_err(|error| error.to_string())
}

/// A format, and the variant of a game that is played by the programs that use this format.
#[derive(Debug, Clone, Copy)]
pub struct Terms<G> {
    pub format: Format,
    /// The result of [`Format::rules`].
    pub game: G,
}

impl<G: Notated> Terms<G> {
    /// Returns the name by which messages refer to these programs. The name consists of the format and the rules.
    fn name(&self) -> String {
        let game: AnyGame = self.game.into();
        format!("{} ({})", self.format.name(), game.description().1)
    }

    /// If the game has ended, returns the reason and the settlement.
    fn end(&self, record: &Record<G>) -> Option<(String, Settlement)> {
        let (game, position) = (&self.game, record.position());
        let is_ignored = |ending| ending == Ending::Repetition && self.format == Format::CodinGame;
        if let Some(ending) = record.ending().filter(|&ending| !is_ignored(ending)) {
            return Some((ending.to_string(), game.settle(position, ending)));
        }
        let stores = Side::BOTH.map(|side| game.store(position, side));
        let on_board: u16 = game.rows(position).iter().flatten().sum();
        let half = (stores[0] + stores[1] + on_board) / 2;
        if self.format == Format::Kgp && stores.iter().any(|&store| store > half) {
            return Some((Ending::Majority.to_string(), game.settle(position, Ending::EmptyRow)));
        }
        // After this many plies, the side with more captured seeds wins.
        let max_plies = match self.format {
            Format::CodinGame => 200,
            Format::OpenSpiel => 1000,
            _ => return None,
        };
        let settlement = Settlement { stores, verdict: Verdict::by_stores(stores) };
        let is_over = record.plies().len() >= max_plies;
        is_over.then(|| (format!("reached the limit of {max_plies} moves"), settlement))
    }
}

/// Plays a game under the rules of two programs and describes the first difference, or returns `None` if they agree.
pub fn difference<G: Notated>(entry: &Entry<G>, terms: &[Terms<G>; 2]) -> Option<String> {
    let [source, target] = terms.each_ref().map(Terms::name);
    let opening = *entry.record.opening();
    let mut records = terms.each_ref().map(|terms| Record::from_position(terms.game, opening));
    let mut plies = entry.record.plies().iter();
    loop {
        let ply = records[0].plies().len();
        let ends = [terms[0].end(&records[0]), terms[1].end(&records[1])];
        if ends[0] != ends[1] {
            let [here, there] = ends.map(|end| match end {
                None => "the game continues".into(),
                Some((reason, Settlement { stores: [south, north], .. })) => {
                    format!("the game ends {south}-{north} ({reason})")
                }
            });
            return Some(format!("after ply {ply}, in {source} {here}, in {target} {there}"));
        }
        let &(side, pit) = plies.next().filter(|_| ends[0].is_none())?;
        records[0].play(pit).expect("a recorded move is legal");
        if let Err(error) = records[1].play(pit) {
            return Some(format!("in {target}, {error}"));
        }
        if records[0].position() != records[1].position() {
            let (ply, pit) = (ply + 1, pit.letter(side));
            return Some(format!(
                "ply {ply} ({pit}) captures different seeds in {source} and {target}"
            ));
        }
    }
}
