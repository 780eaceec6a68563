//! Positions and moves.

use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::str::FromStr;

use arena::player::PlayableGame;
use mancala::game::ayo::{Ayo, Rules};
use mancala::game::kalah::Kalah;
use mancala::game::{
    AnyGame, Game, Notated, Pit, PlyError, Record, Side, Verdict, board, perft, with_game,
};
use mancala::progress::Progress;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::threads;

/// The largest depth of [`Position::perft`], as on the command line.
const MAX_PERFT: u32 = 100;

/// Phrases in messages of the command line, and their replacements in Python.
const IN_PYTHON: [(&str, &str); 6] = [
    (" --tables", " tables="),
    ("--game ayo", "game=\"ayo\""),
    ("--game kalah", "game=\"kalah\""),
    (", if the command has it", ""),
    ("--openings random:N,plies=K", "openings=\"random:N,plies=K\""),
    ("run \"ayo resume\"", "call ayo.resume"),
];

/// Converts an error about an argument. The text of the exception is the message that the command line prints, with
/// keyword arguments in place of options.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    let in_python = |text: String, (phrase, python): (&str, &str)| text.replace(phrase, python);
    PyValueError::new_err(IN_PYTHON.into_iter().fold(error.to_string(), in_python))
}

/// An integer of any size. If it is out of range, the error message is the same as for settings.
pub(crate) struct Integer(String);

impl FromPyObject<'_, '_> for Integer {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Integer> {
        match object.extract::<i64>() {
            Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => Err(error),
            _ => Ok(Integer(object.str()?.to_string())),
        }
    }
}

impl From<u64> for Integer {
    fn from(value: u64) -> Integer {
        Integer(value.to_string())
    }
}

impl Integer {
    /// Returns the integer if it is within the range. `name` is the argument's name in the error message.
    pub(crate) fn within<T: FromStr + PartialOrd + Display>(
        &self,
        name: &str,
        range: RangeInclusive<T>,
    ) -> PyResult<T> {
        let (text, min, max) = (&self.0, range.start(), range.end());
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| {
            invalid(format!("{name} is {text}: give a whole number from {min} to {max}"))
        })
    }
}

/// Returns the game with this name, under these rules.
pub(crate) fn game_of(game: &str, rules: Option<&str>) -> PyResult<AnyGame> {
    let game: AnyGame = game.parse().map_err(invalid)?;
    match rules {
        Some(rules) => game.with_rules(rules.parse::<Rules>().map_err(invalid)?).map_err(invalid),
        None => Ok(game),
    }
}

/// A move: the letter of a pit, `A`, `B`, … for South and `a`, `b`, … for North.
///
/// `int(move)` is the index of the pit in its row, from 0. Raises `ValueError` if the text is not the letter of a pit.
/// A move is equal to its letter: `"A" in position.legal_moves()`.
#[pyclass(frozen, from_py_object, module = "ayo")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) side: Side,
    pub(crate) pit: Pit,
}

#[pymethods]
impl Move {
    #[new]
    fn new(letter: &str) -> PyResult<Move> {
        let mut letters = letter.chars();
        let first = letters.next().filter(|_| letters.next().is_none());
        let (side, pit) = first.and_then(Pit::from_letter).ok_or_else(|| {
            invalid(format!("the move is \"{letter}\", not the letter of a pit, such as A or a"))
        })?;
        Ok(Move { side, pit })
    }

    /// The side that moves, "South" or "North".
    #[getter]
    fn side(&self) -> String {
        self.side.to_string()
    }

    /// The index of the pit in its row, from 0.
    #[getter]
    fn pit(&self) -> usize {
        self.pit.index()
    }

    fn __index__(&self) -> usize {
        self.pit.index()
    }

    pub(crate) fn __str__(&self) -> String {
        self.pit.letter(self.side).to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.__str__())
    }

    fn __eq__(&self, other: &Bound<PyAny>) -> bool {
        let letter = || other.extract::<String>().is_ok_and(|letter| letter == self.__str__());
        other.extract().map_or_else(|_| letter(), |other: Move| other == *self)
    }

    /// The hash of the letter, because a move is equal to its letter.
    fn __hash__(&self, py: Python) -> PyResult<isize> {
        PyString::new(py, &self.__str__()).hash()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().__str__(),))
    }
}

impl From<(Side, Pit)> for Move {
    fn from((side, pit): (Side, Pit)) -> Move {
        Move { side, pit }
    }
}

impl Move {
    /// Converts each pair of a pit and a value to a pair of a `Move`, made by `side`, and the same value.
    pub(crate) fn of<T>(side: Side, values: impl IntoIterator<Item = (Pit, T)>) -> Vec<(Move, T)> {
        values.into_iter().map(|(pit, value)| (Move { side, pit }, value)).collect()
    }
}

/// A move as passed by Python callers: a `Move`, a letter, or the index of a pit.
pub(crate) enum MoveArgument {
    Move(Move),
    Index(Integer),
    Letter(String),
}

impl FromPyObject<'_, '_> for MoveArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<MoveArgument> {
        let index = || object.extract().ok().map(MoveArgument::Index);
        let letter = || object.extract().ok().map(MoveArgument::Letter);
        let chosen = object.extract().ok().map(MoveArgument::Move).or_else(index).or_else(letter);
        let Some(chosen) = chosen else {
            let error = format!("{} is not a move, a pit's letter or its index", object.repr()?);
            return Err(PyTypeError::new_err(error));
        };
        Ok(chosen)
    }
}

/// Moves as passed by Python callers.
enum MovesArgument {
    Line(String),
    List(Vec<MoveArgument>),
}

impl FromPyObject<'_, '_> for MovesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<MovesArgument> {
        if let Ok(line) = object.extract() {
            return Ok(MovesArgument::Line(line));
        }
        object.extract().map(MovesArgument::List).or_else(|_| {
            let object = object.repr()?;
            Err(PyTypeError::new_err(format!(
                "moves are a line such as \"FfE\" or a list of moves, not {object}"
            )))
        })
    }
}

impl MoveArgument {
    /// Returns the pit of this move. Fails if it's a pit of the other side or an index that is out of range. Doesn't
    /// check that the pit of a letter or `Move` is on the board, or that the pit has seeds.
    pub(crate) fn resolve<G: KnownGame>(&self, record: &Record<G>) -> PyResult<Pit> {
        let to_move = record.to_move();
        let Move { side, pit } = match self {
            MoveArgument::Move(it) => *it,
            MoveArgument::Letter(letter) => Move::new(letter)?,
            MoveArgument::Index(index) => {
                let pits = record.game().rows(record.position())[0].len() as u8;
                let pit = Pit::new(index.within("the pit", 0..=pits - 1)?);
                Move { side: to_move, pit: pit.expect("it is within the range") }
            }
        };
        if side == to_move {
            return Ok(pit);
        }
        let pit = pit.letter(side);
        Err(invalid(format!("{to_move} cannot play {pit}: the pit is {side}'s")))
    }
}

/// The result of a finished game.
///
/// The stores include the seeds that each side gets at the end of the game.
#[pyclass(frozen, eq, hash, get_all, module = "ayo")]
#[derive(Debug, Clone, PartialEq, Hash)]
pub(crate) struct Result {
    /// "South", "North", or `None` for a draw.
    winner: Option<String>,
    /// The final stores of South and North.
    stores: (u16, u16),
    /// How the game ended, such as "repetition".
    reason: String,
}

#[pymethods]
impl Result {
    #[new]
    fn new(winner: Option<String>, stores: [Integer; 2], reason: String) -> PyResult<Result> {
        let store = |seeds: Integer| seeds.within("stores", 0..=u16::MAX);
        let [south, north] = stores;
        Ok(Result { winner, stores: (store(south)?, store(north)?), reason })
    }

    fn __repr__(&self) -> String {
        let Result { winner, stores: (south, north), reason } = self;
        let winner = winner.as_ref().map_or("draw".into(), |side| format!("{side} wins"));
        format!("Result({winner}, {south} to {north}: {reason})")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, impl IntoPyObject<'py>) {
        let Result { winner, stores, reason } = slf.get().clone();
        (slf.get_type(), (winner, stores, reason))
    }
}

/// Runs code with the value in an [`Any`].
macro_rules! with_any {
    ($any:expr, $value:pat => $code:expr) => {
        match $any {
            $crate::position::Any::Ayo($value) => $code,
            $crate::position::Any::Kalah($value) => $code,
        }
    };
}
pub(crate) use with_any;

/// A game whose records can be stored in Python objects.
pub(crate) trait KnownGame: PlayableGame {
    const WRAP: fn(Record<Self>) -> AnyRecord;

    /// Returns the record if it belongs to this game.
    fn unwrap(record: &AnyRecord) -> Option<&Record<Self>> {
        with_any!(record, record => (record as &dyn std::any::Any).downcast_ref())
    }
}

impl KnownGame for Ayo {
    const WRAP: fn(Record<Ayo>) -> AnyRecord = Any::Ayo;
}

impl KnownGame for Kalah {
    const WRAP: fn(Record<Kalah>) -> AnyRecord = Any::Kalah;
}

/// A value whose type depends on the game.
#[derive(Debug, Clone)]
pub(crate) enum Any<A, K> {
    Ayo(A),
    Kalah(K),
}

pub(crate) type AnyRecord = Any<Record<Ayo>, Record<Kalah>>;

/// An immutable position of ayo or kalah, which remembers the moves that led to it.
///
/// `text` is the notation that `str(position)` returns, or the numbers of `seeds`. The default is the initial position.
/// `moves` is a list of moves from there, or a line in any notation of the game, such as "FfE" or "4S6, 4N6". `game` is
/// "ayo", or "kalah" with optional settings such as "kalah:seeds=3". `rules` are the rules of ayo: "ayo", "awari", "wipe-out" or
/// "no-slam", each with an optional ":stalemate=…". Positions are equal if their boards, games and rules are equal.
/// Moves only matter for repetitions. Raises `ValueError` if the text or a move is invalid.
#[pyclass(frozen, eq, module = "ayo")]
#[derive(Debug, Clone)]
pub(crate) struct Position(pub(crate) AnyRecord);

#[pymethods]
impl Position {
    #[new]
    #[pyo3(
        signature = (text=None, moves=MovesArgument::Line(String::new()), game="ayo", rules=None),
        text_signature = "(text=None, moves='', game='ayo', rules=None)"
    )]
    fn new(
        text: Option<Bound<PyAny>>,
        moves: MovesArgument,
        game: &str,
        rules: Option<&str>,
    ) -> PyResult<Position> {
        with_game!(game_of(game, rules)?, game => {
            let from = text.map(|text| match text.cast::<PyString>() {
                Ok(text) => game.read_position(text.to_str()?).map_err(invalid),
                Err(_) => {
                    let row = text.extract::<Vec<Integer>>()?.into_iter();
                    let row = row.map(|it| it.within("a number of seeds", 0..=u16::MAX));
                    position_of_row(game, &row.collect::<PyResult<Vec<_>>>()?).map_err(invalid)
                }
            });
            let from = from.transpose()?;
            let start = || Record::from_position(game, from.unwrap_or_else(|| game.start(Side::South)));
            let record = match &moves {
                MovesArgument::Line(line) if line.trim().is_empty() => start(),
                MovesArgument::Line(line) => game.read_line(line, from).map_err(invalid)?,
                MovesArgument::List(moves) => {
                    let mut record = start();
                    for r#move in moves {
                        let pit = r#move.resolve(&record)?;
                        record.play(pit).map_err(invalid)?;
                    }
                    record
                }
            };
            Ok(position(record))
        })
    }

    /// The game, such as "ayo" or "kalah:seeds=3".
    #[getter]
    pub(crate) fn game(&self) -> String {
        with_any!(&self.0, record => AnyGame::from(*record.game()).to_string())
    }

    /// The rules of ayo, or `None` for kalah.
    #[getter]
    pub(crate) fn rules(&self) -> Option<String> {
        Ayo::unwrap(&self.0).map(|record| record.game().rules.to_string())
    }

    /// The position before the first of the moves.
    #[getter]
    fn opening(&self) -> Position {
        with_any!(&self.0, record => {
            position(Record::from_position(*record.game(), *record.opening()))
        })
    }

    /// The moves that led from the opening to this position.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let plies = with_any!(&self.0, record => record.plies());
        plies.iter().copied().map(Move::from).collect()
    }

    /// The moves as letters.
    #[getter]
    fn line(&self) -> String {
        with_any!(&self.0, record => record.line())
    }

    /// The moves in the notation of Akinyemi's thesis, or `None` for kalah.
    #[getter]
    fn thesis_line(&self) -> Option<String> {
        Ayo::unwrap(&self.0).and_then(Ayo::other_notation)
    }

    /// The side to move, "South" or "North".
    #[getter]
    fn to_move(&self) -> String {
        with_any!(&self.0, record => record.to_move()).to_string()
    }

    /// The seeds in South's and in North's pits, each in sowing order.
    #[getter]
    fn rows(&self) -> [Vec<u16>; 2] {
        with_any!(&self.0, record => record.game().rows(record.position()))
    }

    /// The seeds in South's and in North's store.
    #[getter]
    fn stores(&self) -> [u16; 2] {
        with_any!(&self.0, record => {
            Side::BOTH.map(|side| record.game().store(record.position(), side))
        })
    }

    /// The row of the position in an array for `Evaluator.evaluate_batch`: South's pits, North's pits, South's store,
    /// North's store, and the side to move (0 South, 1 North).
    #[getter]
    fn seeds(&self) -> Vec<u16> {
        let side = with_any!(&self.0, record => record.to_move()).index() as u16;
        [self.rows().concat(), self.stores().to_vec(), vec![side]].concat()
    }

    /// Returns the legal moves. The list is empty if the game is over.
    fn legal_moves(&self) -> Vec<Move> {
        with_any!(&self.0, record => {
            let pits = record.game().moves(record.position());
            let side = record.to_move();
            let is_over = record.ending().is_some();
            pits.filter(|_| !is_over).map(|pit| Move { side, pit }).collect()
        })
    }

    /// Returns the position after a move: a `Move`, the letter of a pit, or its index.
    ///
    /// Raises `ValueError` if the move is illegal or the game is over.
    fn play(&self, r#move: MoveArgument) -> PyResult<Position> {
        with_any!(&self.unfinished()?.0, record => {
            let pit = r#move.resolve(record)?;
            let mut record = record.clone();
            record.play(pit).map_err(invalid)?;
            Ok(position(record))
        })
    }

    /// Whether the game is over in this position, for example because it is a repetition.
    #[getter]
    fn is_over(&self) -> bool {
        self.unfinished().is_err()
    }

    /// The result of the game, or `None` if it is not over.
    #[getter]
    fn result(&self) -> Option<Result> {
        with_any!(&self.0, record => {
            let (ending, settlement) = (record.ending()?, record.settlement()?);
            let winner = match settlement.verdict {
                Verdict::Won(side) => Some(side.to_string()),
                Verdict::Drawn => None,
            };
            Some(Result { winner, stores: settlement.stores.into(), reason: ending.to_string() })
        })
    }

    /// Returns the number of sequences of `depth` legal moves, up to 100, without regard to repetitions.
    fn perft(&self, py: Python, depth: Integer) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=MAX_PERFT)?;
        threads::run(
            py,
            None,
            |cancel| with_any!(&self.0, record => count(record.game(), record.position(), depth, cancel)),
        )
    }

    fn __str__(&self) -> String {
        with_any!(&self.0, record => record.position().to_string())
    }

    /// Returns a drawing of the board, as in notebooks.
    fn board(&self) -> String {
        let board = with_any!(&self.0, record => board(record.game(), record.position()));
        format!("{board}{} to move", self.to_move())
    }

    fn _repr_html_(&self) -> String {
        format!("<pre>{}</pre>", self.board())
    }

    /// Returns an expression that constructs an equal position, but without its move history.
    fn __repr__(&self) -> String {
        let option = |name: &str, value: Option<String>| {
            let value = value.filter(|it| it != "ayo");
            value.map_or(String::new(), |it| format!(", {name}='{it}'"))
        };
        let options = option("game", Some(self.game())) + &option("rules", self.rules());
        format!("Position('{}'{options})", self.__str__())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        with_any!(&self.0, record => record.position().hash(&mut hasher));
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyType>, (String, String, String, Option<String>)) {
        let it = slf.get();
        (slf.get_type(), (it.opening().__str__(), it.line(), it.game(), it.rules()))
    }
}

/// Counts lines in the same way as [`perft`]. The count is meaningless if the search was cancelled.
fn count<G: Game>(game: &G, position: &G::Position, depth: u32, cancel: &dyn Progress) -> u64 {
    if depth < 8 {
        return perft(game, position, depth);
    }
    if cancel.should_stop() || game.ended(position).is_some() {
        return 0;
    }
    game.moves(position).map(|pit| count(game, &game.play(position, pit), depth - 1, cancel)).sum()
}

/// Creates a position from the numbers of [`Position::seeds`].
pub(crate) fn position_of_row<G: KnownGame>(
    game: G,
    row: &[impl Copy + Into<u16>],
) -> std::result::Result<G::Position, String> {
    let (&side, seeds) = row.split_last().ok_or("there are no numbers")?;
    let side = Side::BOTH.get(usize::from(side.into()));
    let position = game.position_of(seeds, *side.unwrap_or(&Side::South));
    let position = position.map_err(|error| {
        let start = game.rows(&game.start(Side::South)).concat();
        let (pits, total, found) = (start.len(), start.iter().sum::<u16>(), row.len());
        if found == pits + 3 {
            let mut numbers = seeds.iter().map(|&seeds| seeds.into()).enumerate();
            let excess = numbers.find(|&(_, seeds)| seeds > total);
            let text =
                |(column, seeds)| format!("column {column} is {seeds}, more than {total} seeds");
            return excess.map_or(error.to_string(), text);
        }
        let all = format!("{} numbers ({pits} pits, 2 stores, the side to move)", pits + 3);
        format!("a position has {all}, not {found}")
    })?;
    side.map(|_| position).ok_or("the side to move is not 0 or 1".into())
}

pub(crate) fn position<G: KnownGame>(record: Record<G>) -> Position {
    Position(G::WRAP(record))
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.__str__(), self.game(), self.rules())
            == (other.__str__(), other.game(), other.rules())
    }
}

impl Position {
    /// Returns the position, whose game must not be over.
    pub(crate) fn unfinished(&self) -> PyResult<&Position> {
        match with_any!(&self.0, record => record.ending()) {
            Some(ending) => Err(invalid(PlyError::Over(ending))),
            None => Ok(self),
        }
    }

    /// Returns the record. Fails if it belongs to another game.
    pub(crate) fn of_game<G: KnownGame>(&self, game: G) -> PyResult<&Record<G>> {
        let (ours, theirs) = (self.rules().unwrap_or(self.game()), game.description().1);
        let error = || invalid(format!("the position belongs to {ours}, not {theirs}"));
        G::unwrap(&self.0).filter(|_| ours == theirs).ok_or_else(error)
    }
}
