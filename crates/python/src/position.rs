//! Positions and moves.

use std::fmt::{Display, Write};
use std::hash::{DefaultHasher, Hash, Hasher};

use arena::player::PlayableGame;
use mancala::game::ayo::{self, Ayo, Rules};
use mancala::game::kalah::{self, Kalah};
use mancala::game::{
    AnyGame, Ending, Game, Notated, Pit, PlayError, PlyError, Settlement, Side, Verdict, board,
    perft, with_game,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::threads;

/// The largest depth of [`Position::perft`], as on the command line.
const MAX_PERFT: u32 = 100;

/// Converts an error about an argument. Its text is the sentence that the command line prints.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the game with this name, under these rules.
pub(crate) fn game_of(game: &str, rules: Option<&str>) -> PyResult<AnyGame> {
    let game: AnyGame = game.parse().map_err(invalid)?;
    match rules {
        Some(rules) => game.with_rules(rules.parse::<Rules>().map_err(invalid)?).map_err(invalid),
        None => Ok(game),
    }
}

pub(crate) fn side_of(name: &str) -> PyResult<Side> {
    let side = Side::BOTH.into_iter().find(|side| side.to_string() == name);
    side.ok_or_else(|| invalid(format!("the side is \"{name}\", not South or North")))
}

pub(crate) fn side_name(side: Side) -> &'static str {
    ["South", "North"][side.index()]
}

/// A game whose positions Python can hold.
pub(crate) trait KnownGame: PlayableGame {
    fn state(self, position: Self::Position) -> State;

    /// Returns the game and the position, if the position is one of this game.
    fn of(state: &State) -> Option<(Self, Self::Position)>;

    /// Number of pits per side.
    fn row_length(&self) -> usize;

    /// Creates a position from the seeds in South's pits, North's pits and both stores.
    fn with_seeds(&self, seeds: &[u16], to_move: Side) -> Result<Self::Position, String>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Ayo(Ayo, ayo::Position),
    Kalah(Kalah, kalah::Position),
}

/// Runs code with the concrete game and position of a [`State`].
macro_rules! with_state {
    ($state:expr, ($game:ident, $position:ident) => $code:expr) => {
        match $state {
            $crate::position::State::Ayo($game, $position) => $code,
            $crate::position::State::Kalah($game, $position) => $code,
        }
    };
}
pub(crate) use with_state;

impl KnownGame for Ayo {
    fn state(self, position: ayo::Position) -> State {
        State::Ayo(self, position)
    }

    fn of(state: &State) -> Option<(Ayo, ayo::Position)> {
        if let State::Ayo(game, position) = state { Some((*game, *position)) } else { None }
    }

    fn row_length(&self) -> usize {
        6
    }

    fn with_seeds(&self, seeds: &[u16], to_move: Side) -> Result<ayo::Position, String> {
        let mut bytes = [0; 14];
        for (byte, &seeds) in bytes.iter_mut().zip(seeds) {
            *byte = u8::try_from(seeds).map_err(|_| format!("{seeds} seeds are too many"))?;
        }
        let [pits @ .., south, north] = bytes;
        ayo::Position::new(pits, [south, north], to_move).map_err(|error| error.to_string())
    }
}

impl KnownGame for Kalah {
    fn state(self, position: kalah::Position) -> State {
        State::Kalah(self, position)
    }

    fn of(state: &State) -> Option<(Kalah, kalah::Position)> {
        if let State::Kalah(game, position) = state { Some((*game, *position)) } else { None }
    }

    fn row_length(&self) -> usize {
        self.pits()
    }

    fn with_seeds(&self, seeds: &[u16], to_move: Side) -> Result<kalah::Position, String> {
        let (south, rest) = seeds.split_at(self.pits());
        let (north, stores) = rest.split_at(self.pits());
        let position = self.position_of([south, north], [stores[0], stores[1]], to_move);
        position.map_err(|error| error.to_string())
    }
}

/// A move: the letter of a pit, `A`, `B`, … for South and `a`, `b`, … for North.
///
/// `int(move)` is the index of the pit in its row, from 0. Raises `ValueError` if the text is not a letter of a pit.
#[pyclass(frozen, eq, hash, from_py_object, module = "ayo")]
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
        let found = first.and_then(Pit::from_letter);
        let (side, pit) = found.ok_or_else(|| {
            invalid(format!("the move is \"{letter}\", not the letter of a pit, such as A or a"))
        })?;
        Ok(Move { side, pit })
    }

    /// The side that moves, "South" or "North".
    #[getter]
    fn side(&self) -> &'static str {
        side_name(self.side)
    }

    /// Index of the pit in its row, from 0.
    #[getter]
    fn pit(&self) -> usize {
        self.pit.index()
    }

    fn __index__(&self) -> usize {
        self.pit.index()
    }

    fn __str__(&self) -> String {
        self.pit.letter(self.side).to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.__str__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().__str__(),))
    }
}

/// A move as Python callers give it: a `Move`, a letter, or the index of a pit.
#[derive(FromPyObject)]
pub(crate) enum MoveArgument {
    Move(Move),
    Index(u8),
    Letter(String),
}

impl MoveArgument {
    pub(crate) fn resolve(&self, to_move: Side) -> PyResult<Pit> {
        let chosen = match self {
            MoveArgument::Move(it) => *it,
            MoveArgument::Letter(letter) => Move::new(letter)?,
            MoveArgument::Index(index) => {
                let none = || invalid(format!("there is no pit {index}"));
                Move { side: to_move, pit: Pit::new(*index).ok_or_else(none)? }
            }
        };
        match chosen.side == to_move {
            true => Ok(chosen.pit),
            false => Err(invalid(PlyError::Turn(to_move))),
        }
    }
}

/// The result of a finished game.
///
/// `winner` is "South", "North" or `None` for a draw, `stores` are the final stores (South, North) and `reason` tells
/// how the game ended.
#[pyclass(frozen, eq, get_all, module = "ayo", name = "Result")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GameResult {
    winner: Option<&'static str>,
    stores: (u16, u16),
    reason: String,
}

#[pymethods]
impl GameResult {
    fn __repr__(&self) -> String {
        let GameResult { winner, stores: (south, north), reason } = self;
        let winner = winner.map_or("draw".to_owned(), |side| format!("{side} wins"));
        format!("Result({winner}, {south} to {north}: {reason})")
    }
}

impl GameResult {
    pub(crate) fn new(settlement: Settlement, ending: Ending) -> GameResult {
        let winner = match settlement.verdict {
            Verdict::Won(side) => Some(side_name(side)),
            Verdict::Drawn => None,
        };
        GameResult { winner, stores: settlement.stores.into(), reason: ending.to_string() }
    }
}

/// An immutable position of ayo or kalah.
///
/// `text` is the notation that `str(position)` returns, by default the initial position. `game` is "ayo", or
/// "kalah" with optional settings such as "kalah:seeds=3". `rules` are those of ayo: "ayo", "awari", "wipe-out" or
/// "no-slam", each with an optional ":stalemate=…". Raises `ValueError` if the text is not a position of the game.
#[pyclass(frozen, eq, module = "ayo")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) state: State,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text=None, game="ayo", rules=None))]
    fn new(text: Option<&str>, game: &str, rules: Option<&str>) -> PyResult<Position> {
        with_game!(game_of(game, rules)?, game => {
            let position = match text {
                Some(text) => game.read_position(text).map_err(invalid)?,
                None => game.start(Side::South),
            };
            Ok(Position { state: game.state(position) })
        })
    }

    /// Creates a position from numbers in the order of `seeds`.
    #[staticmethod]
    #[pyo3(signature = (seeds, game="ayo", rules=None))]
    fn from_seeds(seeds: Vec<u16>, game: &str, rules: Option<&str>) -> PyResult<Position> {
        with_game!(game_of(game, rules)?, game => {
            let position = read_row(game, &seeds).map_err(invalid)?;
            Ok(Position { state: game.state(position) })
        })
    }

    /// The game, such as "ayo" or "kalah:seeds=3".
    #[getter]
    pub(crate) fn game(&self) -> String {
        with_state!(self.state, (game, _position) => game.text())
    }

    /// The rules of ayo, `None` for kalah.
    #[getter]
    pub(crate) fn rules(&self) -> Option<String> {
        match self.state {
            State::Ayo(game, _) => Some(game.rules.to_string()),
            State::Kalah(..) => None,
        }
    }

    /// The side to move, "South" or "North".
    #[getter]
    fn to_move(&self) -> &'static str {
        side_name(self.turn())
    }

    /// The seeds in South's and in North's pits, each in sowing order.
    #[getter]
    fn rows(&self) -> [Vec<u16>; 2] {
        with_state!(self.state, (game, position) => game.rows(&position))
    }

    /// The seeds in South's and in North's store.
    #[getter]
    fn stores(&self) -> (u16, u16) {
        with_state!(self.state, (game, position) => {
            (game.store(&position, Side::South), game.store(&position, Side::North))
        })
    }

    /// The row of the position in an array for `Evaluator.evaluate_batch`: South's pits, North's pits, South's store,
    /// North's store, and the side to move (0 South, 1 North).
    #[getter]
    fn seeds(&self) -> Vec<u16> {
        let (south, north) = self.stores();
        let mut seeds = self.rows().concat();
        seeds.extend([south, north, self.turn().index() as u16]);
        seeds
    }

    /// Returns the legal moves, none if the game is over.
    fn legal_moves(&self) -> Vec<Move> {
        let side = self.turn();
        with_state!(self.state, (game, position) => match game.ended(&position) {
            Some(_) => Vec::new(),
            None => game.moves(&position).map(|pit| Move { side, pit }).collect(),
        })
    }

    /// Returns the position after a move: a `Move`, the letter of a pit, or its index.
    ///
    /// Raises `ValueError` if the move is illegal or the game is over.
    fn play(&self, r#move: MoveArgument) -> PyResult<Position> {
        with_state!(self.state, (game, position) => {
            if let Some(ending) = game.ended(&position) {
                return Err(invalid(PlyError::Over(ending)));
            }
            let side = game.to_move(&position);
            let pit = r#move.resolve(side)?;
            if let Some(reason) = game.objection(&position, pit) {
                return Err(invalid(PlayError::Illegal { ply: 1, side, pit, reason }));
            }
            Ok(Position { state: game.state(game.play(&position, pit)) })
        })
    }

    /// Whether the game is over in this position. Repetitions are only known to a `Record`.
    fn is_over(&self) -> bool {
        with_state!(self.state, (game, position) => game.ended(&position).is_some())
    }

    /// Returns the result of the game, `None` if it is not over.
    fn result(&self) -> Option<GameResult> {
        with_state!(self.state, (game, position) => {
            let ending = game.ended(&position)?;
            Some(GameResult::new(game.settle(&position, ending), ending))
        })
    }

    /// Returns the number of sequences of `depth` legal moves, up to 100.
    fn perft(&self, py: Python, depth: u32) -> PyResult<u64> {
        if depth > MAX_PERFT {
            return Err(invalid(format!("{depth} is not in 0..={MAX_PERFT}")));
        }
        let count = |_: &_| {
            with_state!(self.state, (game, position) => {
                perft(&game, &position, depth)
            })
        };
        threads::run(py, None, count)
    }

    fn __str__(&self) -> String {
        with_state!(self.state, (_game, position) => position.to_string())
    }

    pub(crate) fn __repr__(&self) -> String {
        let board = with_state!(self.state, (game, position) => board(&game, &position));
        format!("{board}{} to move", self.to_move())
    }

    fn _repr_html_(&self) -> String {
        let [south, mut north] = self.rows();
        north.reverse();
        let (home, away) = self.stores();
        let row = |seeds: &[u16]| {
            seeds.iter().fold(String::new(), |mut row, seeds| {
                let _ = write!(row, "<td>{seeds}</td>");
                row
            })
        };
        format!(
            "<table><tr><td rowspan=2>North {away}</td>{}<td rowspan=2>{home} South</td></tr>\
             <tr>{}</tr></table><p>{} to move</p>",
            row(&north),
            row(&south),
            self.to_move()
        )
    }

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        with_state!(self.state, (_game, position) => position.hash(&mut hasher));
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyType>, (String, String, Option<String>)) {
        let it = slf.get();
        (slf.get_type(), (it.__str__(), it.game(), it.rules()))
    }
}

impl Position {
    fn turn(&self) -> Side {
        with_state!(self.state, (game, position) => game.to_move(&position))
    }
}

/// Reads a position from numbers in the order of [`Position::seeds`].
pub(crate) fn read_row<G: KnownGame>(game: G, numbers: &[u16]) -> Result<G::Position, String> {
    let columns = 2 * game.row_length() + 3;
    if numbers.len() != columns {
        return Err(format!("a position has {columns} numbers, not {}", numbers.len()));
    }
    let (seeds, side) = numbers.split_at(columns - 1);
    match side[0] {
        0 => game.with_seeds(seeds, Side::South),
        1 => game.with_seeds(seeds, Side::North),
        other => Err(format!("the side to move is {other}, not 0 or 1")),
    }
}
