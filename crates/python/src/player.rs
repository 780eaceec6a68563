//! Players: the searches of the library, and Python objects that choose moves.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::player::{self, Choice, NoChoice};
use mancala::eval::Score;
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{self, AnyGame, Game, Notated, Pit};
use mancala::progress::Progress;
use mancala::search::Limits;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::position::{KnownGame, Move, MoveArgument, Position, game_of, invalid};
use crate::record::Played;
use crate::threads::{self, Cancel, lock};

type Boxed<G> = Mutex<Box<dyn player::Player<G>>>;

enum AnyPlayer {
    Ayo(Ayo, Boxed<Ayo>),
    Kalah(Kalah, Boxed<Kalah>),
}

/// Runs code with the concrete game and player in an [`AnyPlayer`].
macro_rules! with_player {
    ($any:expr, ($game:ident, $player:ident) => $code:expr) => {
        match $any {
            AnyPlayer::Ayo($game, $player) => $code,
            AnyPlayer::Kalah($game, $player) => $code,
        }
    };
}

/// What a search found.
///
/// `move` is the chosen move and `score` its value for the side to move in the unit of the weights, `None` for players
/// that do not evaluate moves. `plies_to_end` is known if the score is a win or a loss. `depth` counts plies, `nodes`
/// positions, and `variation` is the expected line.
#[pyclass(frozen, get_all, module = "ayo")]
#[derive(Debug, Clone)]
pub(crate) struct Analysis {
    r#move: Move,
    score: Option<i32>,
    plies_to_end: Option<u32>,
    depth: Option<u32>,
    nodes: u64,
    variation: Vec<Move>,
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        let Analysis { r#move, score, depth, nodes, variation, .. } = self;
        let line: Vec<(_, Pit)> = variation.iter().map(|it| (it.side, it.pit)).collect();
        let number = |it: Option<i64>| it.map_or("None".to_owned(), |it| it.to_string());
        format!(
            "Analysis(move={}, score={}, depth={}, nodes={nodes}, variation='{}')",
            r#move.pit.letter(r#move.side),
            number(score.map(i64::from)),
            number(depth.map(i64::from)),
            game::line(&line)
        )
    }
}

/// A player of the library, given by a specification as on the command line.
///
/// Examples are "amateur", "engine:weights=learned,nodes=100000", "minimax:weights=seeds,depth=7" and "rbh". Raises
/// `ValueError` if the specification, or a file in it, is invalid.
#[pyclass(frozen, subclass, module = "ayo")]
pub(crate) struct Player {
    pub(crate) spec: String,
    player: AnyPlayer,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (spec, game="ayo", rules=None))]
    fn new(spec: &str, game: &str, rules: Option<&str>) -> PyResult<Player> {
        let spec = player::in_full(spec).map_err(invalid)?;
        let player = match game_of(game, rules)? {
            AnyGame::Ayo(game) => AnyPlayer::Ayo(game, built(&spec, game)?),
            AnyGame::Kalah(game) => AnyPlayer::Kalah(game, built(&spec, game)?),
        };
        Ok(Player { spec, player })
    }

    /// The specification.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// A description of the player with all its settings. Players with equal identities play alike.
    #[getter]
    fn identity(&self) -> String {
        with_player!(&self.player, (_game, player) => lock(player).identity())
    }

    /// Whether the same game yields the same move on every machine.
    #[getter]
    fn is_reproducible(&self) -> bool {
        with_player!(&self.player, (_game, player) => lock(player).is_reproducible())
    }

    /// Returns the move that the player chooses in a `Position` or a `Record`.
    ///
    /// Raises `ValueError` if the game is over or has other rules than the player.
    fn choose(&self, py: Python, position: Played) -> PyResult<Move> {
        with_player!(&self.player, (game, player) => {
            let record = position.unfinished(*game)?;
            let side = record.to_move();
            let choice = threads::run(py, None, |cancel| lock(player).choose(&record, cancel))?;
            let choice = choice.map_err(invalid)?;
            Ok(Move { side, pit: choice.pit })
        })
    }

    /// Searches a `Position` or a `Record` with these limits, by default those of the player: plies, positions, and
    /// seconds per move.
    #[pyo3(signature = (position, depth=None, nodes=None, movetime=None))]
    fn search(
        &self,
        py: Python,
        position: Played,
        depth: Option<u32>,
        nodes: Option<u64>,
        movetime: Option<f64>,
    ) -> PyResult<Analysis> {
        let limits = limits_of(depth, nodes, movetime)?;
        with_player!(&self.player, (game, player) => {
            let record = position.unfinished(*game)?;
            threads::run(py, None, |cancel| analysed(&mut **lock(player), &record, limits, cancel))?
        })
    }

    /// Returns the value of each legal move for the side to move, as pairs of a `Move` and a number. Empty for players
    /// that do not evaluate moves.
    fn values(&self, py: Python, position: Played) -> PyResult<Vec<(Move, i32)>> {
        with_player!(&self.player, (game, player) => {
            let record = position.unfinished(*game)?;
            let side = record.to_move();
            let values = threads::run(py, None, |cancel| lock(player).payoffs(&record, cancel))?;
            Ok(values.into_iter().map(|(pit, Score(value))| (Move { side, pit }, value)).collect())
        })
    }

    /// Forgets what the player knows from earlier positions.
    fn new_game(&self) {
        with_player!(&self.player, (_game, player) => lock(player).new_game());
    }

    fn __repr__(&self) -> String {
        let game = with_player!(&self.player, (game, _player) => game.description().1);
        format!("Player('{}', {game})", self.spec)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyType>, (String, String, Option<String>)) {
        let it = slf.get();
        let (game, rules) = match &it.player {
            AnyPlayer::Ayo(game, _) => (game.text(), Some(game.rules.to_string())),
            AnyPlayer::Kalah(game, _) => (game.text(), None),
        };
        (slf.py().get_type::<Player>(), (it.spec.clone(), game, rules))
    }
}

fn built<G: KnownGame>(spec: &str, game: G) -> PyResult<Boxed<G>> {
    player::build_for(spec, game).map(Mutex::new).map_err(invalid)
}

fn limits_of(depth: Option<u32>, nodes: Option<u64>, movetime: Option<f64>) -> PyResult<Limits> {
    if depth.is_some_and(|depth| depth == 0 || depth > mancala::search::MAX_DEPTH) {
        return Err(invalid("depth is not a whole number from 1 to 100"));
    }
    if nodes == Some(0) {
        return Err(invalid("nodes is not a whole number from 1"));
    }
    let seconds = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        time.ok_or_else(|| {
            invalid(format!("movetime is {seconds}, not a number of seconds above 0"))
        })
    };
    Ok(Limits { depth, nodes, movetime: movetime.map(seconds).transpose()? })
}

fn analysed<G: Game>(
    player: &mut dyn player::Player<G>,
    record: &game::Record<G>,
    limits: Limits,
    cancel: &Cancel,
) -> PyResult<Analysis> {
    let limits = if limits == Limits::default() { player.limits() } else { Some(limits) };
    let choice = match limits {
        Some(limits) => player.analyse(record, &limits, cancel, &mut |_| {}),
        None => player.choose(record, cancel),
    };
    let choice = choice.map_err(invalid)?;
    let variation = player.variation(record, &choice);
    Ok(Analysis {
        r#move: Move { side: record.to_move(), pit: choice.pit },
        score: choice.score.map(|score| score.0),
        plies_to_end: choice.score.and_then(Score::plies_to_end),
        depth: choice.depth,
        nodes: choice.nodes,
        variation: variation.into_iter().map(|(side, pit)| Move { side, pit }).collect(),
    })
}

/// A Python object that chooses moves: it has a method `choose`, or is itself called, with a `Position`.
pub(crate) struct PythonPlayer {
    pub(crate) object: Arc<Py<PyAny>>,
    pub(crate) name: String,
    /// The first exception, which ends the games.
    pub(crate) failure: Arc<Mutex<Option<PyErr>>>,
}

impl<G: KnownGame> player::Player<G> for PythonPlayer {
    fn choose(&mut self, record: &game::Record<G>, _: &dyn Progress) -> Result<Choice, NoChoice> {
        let chosen = Python::attach(|py| {
            let position = Position { state: record.game().state(*record.position()) };
            let object = self.object.bind(py);
            let chosen = match object.hasattr("choose")? {
                true => object.call_method1("choose", (position,)),
                false => object.call1((position,)),
            };
            chosen?.extract::<MoveArgument>()?.resolve(record.to_move())
        });
        let pit = chosen.map_err(|error| {
            lock(&self.failure).get_or_insert(error);
            NoChoice::Stopped
        })?;
        Ok(Choice { pit, score: None, nodes: 0, depth: None })
    }

    fn identity(&self) -> String {
        self.name.clone()
    }

    fn is_reproducible(&self) -> bool {
        false
    }
}
