//! Games with their history.

use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{self, AnyGame, Game, Notated, PlyError, Side};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::position::{
    GameResult, KnownGame, Move, MoveArgument, Position, State, game_of, invalid, side_name,
    with_state,
};

pub(crate) enum AnyRecord {
    Ayo(game::Record<Ayo>),
    Kalah(game::Record<Kalah>),
}

/// Runs code with the concrete record in an [`AnyRecord`].
macro_rules! with_record {
    ($any:expr, $record:ident => $code:expr) => {
        match $any {
            AnyRecord::Ayo($record) => $code,
            AnyRecord::Kalah($record) => $code,
        }
    };
}

impl From<game::Record<Ayo>> for AnyRecord {
    fn from(record: game::Record<Ayo>) -> Self {
        AnyRecord::Ayo(record)
    }
}

impl From<game::Record<Kalah>> for AnyRecord {
    fn from(record: game::Record<Kalah>) -> Self {
        AnyRecord::Kalah(record)
    }
}

/// An immutable game: an opening position and the moves played from it.
///
/// Unlike a position, a record detects repetitions. `moves` is a line in any notation of the game, such as "FfE" or
/// "4S6, 4N6", played from `position` or, by default, from the initial position of `game` under `rules`. Raises
/// `ValueError` if a move is illegal.
#[pyclass(frozen, module = "ayo")]
pub(crate) struct Record(AnyRecord);

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (moves="", position=None, game="ayo", rules=None))]
    fn new(
        moves: &str,
        position: Option<PyRef<Position>>,
        game: &str,
        rules: Option<&str>,
    ) -> PyResult<Record> {
        let played = match (position.map(|it| it.state), game_of(game, rules)?) {
            (Some(State::Ayo(game, from)), _) => played(game, moves, Some(from))?.into(),
            (Some(State::Kalah(game, from)), _) => played(game, moves, Some(from))?.into(),
            (None, AnyGame::Ayo(game)) => played(game, moves, None)?.into(),
            (None, AnyGame::Kalah(game)) => played(game, moves, None)?.into(),
        };
        Ok(Record(played))
    }

    /// The position before the first move.
    #[getter]
    fn opening(&self) -> Position {
        let state = with_record!(&self.0, record => record.game().state(*record.opening()));
        Position { state }
    }

    /// The position after the last move.
    #[getter]
    pub(crate) fn position(&self) -> Position {
        let state = with_record!(&self.0, record => record.game().state(*record.position()));
        Position { state }
    }

    /// The moves played so far.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        let plies = with_record!(&self.0, record => record.plies());
        plies.iter().map(|&(side, pit)| Move { side, pit }).collect()
    }

    /// The moves as letters.
    #[getter]
    fn line(&self) -> String {
        with_record!(&self.0, record => record.line())
    }

    /// The moves in the notation of Akinyemi's thesis, `None` for kalah.
    #[getter]
    fn thesis(&self) -> Option<String> {
        match &self.0 {
            AnyRecord::Ayo(record) => Ayo::other_notation(record),
            AnyRecord::Kalah(record) => Kalah::other_notation(record),
        }
    }

    /// The side to move, "South" or "North".
    #[getter]
    fn to_move(&self) -> &'static str {
        side_name(with_record!(&self.0, record => record.to_move()))
    }

    /// Returns the legal moves, none if the game is over.
    fn legal_moves(&self) -> Vec<Move> {
        with_record!(&self.0, record => match record.ending() {
            Some(_) => Vec::new(),
            None => {
                let side = record.to_move();
                record.game().moves(record.position()).map(|pit| Move { side, pit }).collect()
            }
        })
    }

    /// Returns the game after one more move: a `Move`, the letter of a pit, or its index.
    ///
    /// Raises `ValueError` if the move is illegal or the game is over.
    fn play(&self, r#move: MoveArgument) -> PyResult<Record> {
        with_record!(&self.0, record => {
            if let Some(ending) = record.ending() {
                return Err(invalid(PlyError::Over(ending)));
            }
            let pit = r#move.resolve(record.to_move())?;
            let mut record = record.clone();
            record.play(pit).map_err(invalid)?;
            Ok(Record(record.into()))
        })
    }

    /// Whether the game is over.
    fn is_over(&self) -> bool {
        with_record!(&self.0, record => record.ending().is_some())
    }

    /// Returns the result of the game, `None` if it is not over.
    fn result(&self) -> Option<GameResult> {
        with_record!(&self.0, record => {
            Some(GameResult::new(record.settlement()?, record.ending()?))
        })
    }

    fn __len__(&self) -> usize {
        with_record!(&self.0, record => record.plies().len())
    }

    fn __eq__(&self, other: PyRef<Record>) -> bool {
        self.opening() == other.opening() && self.line() == other.line()
    }

    fn __hash__(&self) -> u64 {
        self.position().__hash__()
    }

    fn __repr__(&self) -> String {
        format!("Record('{}')\n{}", self.line(), self.position().__repr__())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String, Position)) {
        (slf.get_type(), (slf.get().line(), slf.get().opening()))
    }
}

/// A position, or a game with its history.
#[derive(FromPyObject)]
pub(crate) enum Played<'py> {
    Record(PyRef<'py, Record>),
    Position(PyRef<'py, Position>),
}

impl Played<'_> {
    /// Returns the game so far, which must not be over and must follow the rules of `game`.
    pub(crate) fn unfinished<G: KnownGame>(&self, game: G) -> PyResult<game::Record<G>> {
        let (opening, moves) = match self {
            Played::Position(position) => ((**position).clone(), Vec::new()),
            Played::Record(record) => (record.opening(), record.moves()),
        };
        let of_game =
            G::of(&opening.state).filter(|(of, _)| of.description() == game.description());
        let (_, start) = of_game.ok_or_else(|| {
            let ours = with_state!(opening.state, (of, _position) => of.description().1);
            invalid(format!(
                "the position is one of {ours}, but the player plays {}",
                game.description().1
            ))
        })?;
        let mut record = game::Record::from_position(game, start);
        for it in moves {
            record.play(it.pit).map_err(invalid)?;
        }
        match record.ending() {
            Some(ending) => Err(invalid(PlyError::Over(ending))),
            None => Ok(record),
        }
    }
}

/// Plays a line from a position, by default the initial one, in which the side of the first move is to move.
fn played<G: KnownGame>(
    game: G,
    moves: &str,
    from: Option<G::Position>,
) -> PyResult<game::Record<G>> {
    let start = from.unwrap_or_else(|| game.start(Side::South));
    if moves.trim().is_empty() {
        return Ok(game::Record::from_position(game, start));
    }
    game.read_line(moves, from).map_err(invalid)
}
