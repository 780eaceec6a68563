//! Players, which are either built into the library or Python objects that choose moves.

use std::sync::{Arc, Mutex};

use arena::player::{self, Choice, NoChoice};
use mancala::eval::Score;
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Game, Notated, Record};
use mancala::progress::Progress;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::position::{
    Any, Integer, KnownGame, Move, MoveArgument, Position, game_of, invalid, with_any,
};
use crate::threads::{self, lock};

type Boxed<G> = Mutex<Box<dyn player::Player<G>>>;

type AnyPlayer = Any<(Ayo, Boxed<Ayo>), (Kalah, Boxed<Kalah>)>;

/// The result of a search.
///
/// `score` is `None` for players that do not evaluate moves.
#[pyclass(frozen, eq, hash, get_all, module = "ayo")]
#[derive(Debug, Clone, PartialEq, Hash)]
pub(crate) struct Analysis {
    /// The chosen move.
    r#move: Move,
    /// The value of the move for the side to move. An evaluation is in the units of the weights, from -4,000,000 to
    /// 4,000,000; divided by the player's `seed_value`, it is in seeds. A win is 10,000,000 minus the number of plies
    /// to the end. A win by endgame tables is 8,000,000 if it is proven and 6,000,000 otherwise, plus 1,024 per seed of
    /// the difference, minus the number of plies to the position in the tables. The value of a loss is the negative of
    /// that of a win.
    score: Option<i32>,
    /// The number of plies to the end of the game, if the search reached a win or a loss. `None` for wins and losses by
    /// endgame tables, even if they are proven.
    plies_to_end: Option<u32>,
    /// The search depth in plies.
    depth: Option<u32>,
    /// The number of positions searched.
    nodes: u64,
    /// The expected line.
    variation: Vec<Move>,
}

#[pymethods]
impl Analysis {
    #[new]
    fn new(
        r#move: Move,
        score: Option<Integer>,
        plies_to_end: Option<Integer>,
        depth: Option<Integer>,
        nodes: Integer,
        variation: Vec<Move>,
    ) -> PyResult<Analysis> {
        let number = |name, it: Option<Integer>| it.map(|it| it.within(name, 0..=u32::MAX));
        Ok(Analysis {
            r#move,
            score: score.map(|it| it.within("score", i32::MIN..=i32::MAX)).transpose()?,
            plies_to_end: number("plies_to_end", plies_to_end).transpose()?,
            depth: number("depth", depth).transpose()?,
            nodes: nodes.within("nodes", 0..=u64::MAX)?,
            variation,
        })
    }

    fn __repr__(&self) -> String {
        let Analysis { r#move, score, depth, nodes, variation, .. } = self;
        let line: Vec<_> = variation.iter().map(|it| (it.side, it.pit)).collect();
        let line = mancala::game::line(&line);
        let score = score.map_or("None".into(), |it| it.to_string());
        let depth = depth.map_or("None".into(), |it| it.to_string());
        let letter = r#move.__str__();
        format!(
            "Analysis({letter}, score={score}, depth={depth}, nodes={nodes}, variation='{line}')"
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, impl IntoPyObject<'py>) {
        let it = slf.get();
        let line = it.variation.clone();
        (slf.get_type(), (it.r#move, it.score, it.plies_to_end, it.depth, it.nodes, line))
    }
}

/// A built-in player, given by a specification as on the command line.
///
/// Examples are "amateur", "engine:weights=learned,nodes=100000", "minimax:weights=seeds,depth=7" and "rbh". Raises
/// `ValueError` if the specification, or a file in it, is invalid.
#[pyclass(frozen, subclass, module = "ayo")]
pub(crate) struct Player {
    /// The specification, the game and its rules.
    arguments: (String, String, Option<String>),
    player: AnyPlayer,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, game="ayo", rules=None))]
    fn new(spec: &str, game: &str, rules: Option<&str>) -> PyResult<Player> {
        let spec = player::in_full(spec).map_err(invalid)?;
        let player = match game_of(game, rules)? {
            AnyGame::Ayo(game) => Any::Ayo((game, built(&spec, game)?)),
            AnyGame::Kalah(game) => Any::Kalah((game, built(&spec, game)?)),
        };
        Ok(Player { arguments: (spec, game.into(), rules.map(str::to_owned)), player })
    }

    /// The specification.
    #[getter]
    pub(crate) fn spec(&self) -> &str {
        &self.arguments.0
    }

    /// Returns the move that the player chooses.
    ///
    /// Raises `ValueError` if the game is over or its rules differ from the player's.
    fn choose(&self, py: Python, position: PyRef<Position>) -> PyResult<Move> {
        Ok(self.search(py, position)?.r#move)
    }

    /// The value of a captured seed in the player's scores, or `None` if the player does not value seeds. For learned
    /// features, this is an estimate.
    #[getter]
    fn seed_value(&self, py: Python) -> Option<i32> {
        py.detach(|| with_any!(&self.player, (_, player) => lock(player).seed_value()))
    }

    /// Searches a position within the limits of the player.
    fn search(&self, py: Python, position: PyRef<Position>) -> PyResult<Analysis> {
        with_any!(&self.player, (game, player) => {
            let record = position.unfinished()?.of_game(*game)?;
            threads::run(py, None, |cancel| analysed(&mut **lock(player), record, cancel))?
        })
    }

    /// Returns the value of each legal move for the side to move, as pairs of a `Move` and a number. The list is empty
    /// for players that do not evaluate moves.
    ///
    /// An engine searches each move fully, as deep as `search` but at most nine plies, and ignores its opening book.
    /// The move with the best value may therefore differ from the move that `search` and `choose` return.
    fn values(&self, py: Python, position: PyRef<Position>) -> PyResult<Vec<(Move, i32)>> {
        with_any!(&self.player, (game, player) => {
            let record = position.unfinished()?.of_game(*game)?;
            let values = threads::run(py, None, |cancel| lock(player).payoffs(record, cancel))?;
            Ok(Move::of(record.to_move(), values.into_iter().map(|(pit, Score(value))| (pit, value))))
        })
    }

    /// Starts a new game, in which the player remembers nothing from earlier positions.
    fn new_game(&self, py: Python) {
        py.detach(|| with_any!(&self.player, (_, player) => lock(player).new_game()));
    }

    fn __repr__(&self) -> String {
        let game = with_any!(&self.player, (game, _) => game.description().1);
        format!("Player('{}', {game})", self.spec())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, impl IntoPyObject<'py>) {
        (slf.py().get_type::<Player>(), slf.get().arguments.clone())
    }
}

fn built<G: KnownGame>(spec: &str, game: G) -> PyResult<Boxed<G>> {
    player::build_for(spec, game).map(Mutex::new).map_err(invalid)
}

fn analysed<G: Game>(
    player: &mut dyn player::Player<G>,
    record: &Record<G>,
    cancel: &dyn Progress,
) -> PyResult<Analysis> {
    let choice = player.choose(record, cancel).map_err(invalid)?;
    let variation = player.variation(record, &choice).into_iter();
    Ok(Analysis {
        r#move: Move { side: record.to_move(), pit: choice.pit },
        score: choice.score.map(|score| score.0),
        plies_to_end: choice.score.and_then(Score::plies_to_end),
        depth: choice.depth,
        nodes: choice.nodes,
        variation: variation.map(Move::from).collect(),
    })
}

/// A Python object that chooses moves. Either it has a method `choose` or it is callable. We call it with a `Position`.
pub(crate) struct PythonPlayer {
    pub(crate) object: Arc<Py<PyAny>>,
    pub(crate) name: String,
    /// The first exception that a Python player raised. It ends the match.
    pub(crate) failure: Arc<Mutex<Option<PyErr>>>,
}

impl<G: KnownGame> player::Player<G> for PythonPlayer {
    fn choose(&mut self, record: &Record<G>, _: &dyn Progress) -> Result<Choice, NoChoice> {
        let chosen = Python::attach(|py| {
            let position = Position(G::WRAP(record.clone()));
            let object = self.object.bind(py);
            let chosen = match object.hasattr("choose")? {
                true => object.call_method1("choose", (position,)),
                false => object.call1((position,)),
            };
            let pit = chosen?.extract::<MoveArgument>()?.resolve(record);
            Ok(pit.map_err(|error| NoChoice::Forfeit(error.value(py).to_string())))
        });
        let pit = chosen.map_err(|error| {
            lock(&self.failure).get_or_insert(error);
            NoChoice::Stopped
        })??;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        self.name.clone()
    }

    fn is_reproducible(&self) -> bool {
        false
    }
}
