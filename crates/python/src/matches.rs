//! Matches between two players.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::player::{Minimax, PlayableGame, SpecError};
use arena::{Contest, ContestGame, End, Form, PlayerPool, Sprt, Suite, Tally};
use mancala::game::{AnyGame, with_game};
use mancala::search::{Limits, Options};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::evaluator::Evaluator;
use crate::player::{Player, PythonPlayer};
use crate::position::{Integer, KnownGame, game_of, invalid};
use crate::threads::{self, lock};

const MAX_GAMES: NonZeroUsize = NonZeroUsize::new(1_000_000_000).unwrap();
/// The search depth (in plies) of an evaluator that is used as a player.
const DEPTH: u32 = 5;
/// Interval at which `progress` is called.
const INTERVAL: Duration = Duration::from_secs(1);

/// The first exception raised by a Python player.
type Failure = Arc<Mutex<Option<PyErr>>>;

/// Plays a match and returns its result as JSON. If an exception ends the match, the result of the pairs completed so
/// far is stored in the exception's attribute `_match_result`. About once a second, we call `progress` with the result
/// so far, without `records`.
#[pyfunction]
pub(crate) fn play_match(
    py: Python,
    a: Bound<PyAny>,
    b: Bound<PyAny>,
    game: &str,
    rules: Option<&str>,
    openings: &str,
    games: Option<Integer>,
    seed: Integer,
    sprt: Option<&str>,
    threads: Option<Integer>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let pool = threads::pool(threads)?;
    let games = games.map(|games| games.within("games", NonZeroUsize::MIN..=MAX_GAMES));
    let (games, seed) = (games.transpose()?, seed.within("seed", 0..=u64::MAX)?);
    let suite: Suite = openings.parse().map_err(invalid)?;
    let sprt: Option<Sprt> = sprt.map(str::parse).transpose().map_err(invalid)?;
    let failure = Failure::default();
    let (played, result) = with_game!(game_of(game, rules)?, game => {
        let players = vec![pool_of(a, game, &failure)?, pool_of(b, game, &failure)?];
        let openings = suite.for_games(game, games, seed).map_err(invalid)?;
        let contest = Contest::new(Form::Match, players, game, openings, suite.to_string());
        let contest = Contest { sprt, ..contest };
        let mut games = Vec::new();
        let (so_far, mut due) = (Mutex::new(None), Instant::now() + INTERVAL);
        let mut follow = |games: &[ContestGame], _| {
            let begun = Instant::now();
            if progress.is_some() && games.len() >= 2 && begun >= due {
                let (pairs, _) = games.as_chunks::<2>();
                *lock(&so_far) = Some(described(&contest, pairs.as_flattened(), false).to_string());
                // Spend at most a twentieth of the time here, even if there are millions of games.
                due = Instant::now() + INTERVAL.max(20 * begun.elapsed());
            }
            Ok::<_, SpecError>(())
        };
        let report = |py: Python| {
            // Unlock before the call, because the games wait for this lock.
            let result = lock(&so_far).take();
            let call = |(progress, result): (&Py<PyAny>, String)| progress.call1(py, (result,));
            progress.as_ref().zip(result).map(call).transpose().map(drop)
        };
        let played = threads::run_and_report(py, Some(&pool), report, |cancel| {
            contest.play(&mut games, cancel, &mut follow)
        });
        games.truncate(games.len() / 2 * 2);
        (played, described(&contest, &games, true).to_string())
    });
    let error = match (lock(&failure).take(), played) {
        (Some(error), _) | (None, Err(error)) => error,
        (None, Ok(Err(error))) => PyRuntimeError::new_err(error.to_string()),
        (None, Ok(Ok(_))) => return Ok(result),
    };
    // Ignore errors, because an exception may refuse new attributes, e.g. if its class is a frozen dataclass.
    let _ = error.value(py).setattr("_match_result", result);
    Err(error)
}

/// Creates a pool with copies of a player, given as a specification, a `Player`, an `Evaluator`, or a Python object.
fn pool_of<G: KnownGame>(
    player: Bound<PyAny>,
    game: G,
    failure: &Failure,
) -> PyResult<PlayerPool<G>> {
    if let Ok(spec) = player.extract::<&str>() {
        return PlayerPool::new(spec, game).map_err(invalid);
    }
    if let Ok(known) = player.cast::<Player>() {
        return PlayerPool::new(known.get().spec(), game).map_err(invalid);
    }
    if let Ok(evaluator) = player.cast::<Evaluator>() {
        let evaluator = evaluator.get();
        let weights = evaluator.weights.clone();
        if weights.features().game() != G::KIND {
            let game: AnyGame = game.into();
            return Err(invalid(evaluator.other_game(&game.to_string())));
        }
        let (limits, options) = (Limits::depth(DEPTH), Options::for_weights(&weights));
        let name = format!("minimax:weights=\"{}\",depth={DEPTH}", evaluator.source);
        let create = move || Ok(Box::new(Minimax::new(&weights, limits, options)) as _);
        return PlayerPool::with(name, create).map_err(invalid);
    }
    if !player.is_callable() && !player.hasattr("choose")? {
        let error = format!("{player:?} is not a player: it has no method choose");
        return Err(PyTypeError::new_err(error));
    }
    let attribute = |name| player.getattr(name).ok()?.extract::<String>().ok();
    let name = match attribute("name").or_else(|| attribute("__name__")) {
        Some(name) => name,
        None => player.get_type().name()?.to_string(),
    };
    let (object, failure) = (Arc::new(player.unbind()), Arc::clone(failure));
    let named = name.clone();
    let create = move || {
        let (object, failure) = (Arc::clone(&object), Arc::clone(&failure));
        Ok(Box::new(PythonPlayer { object, name: named.clone(), failure }) as _)
    };
    PlayerPool::with(name, create).map_err(invalid)
}

fn described<G: PlayableGame>(contest: &Contest<G>, games: &[ContestGame], records: bool) -> Value {
    let tally = Tally::of(games);
    let sprt = contest.sprt.map(|sprt| sprt.judge(tally.pairs));
    let record = |game: &ContestGame| {
        let end = match &game.end {
            End::Forfeit(side, reason) => format!("{side} forfeits: {reason}"),
            _ => game.ending(),
        };
        json!({
            "opening": game.opening, "moves": game.line, "side_of_a": game.side_of_first,
            "points_of_a": f64::from(game.result.points()) / 2.0, "seeds": game.stores, "end": end,
        })
    };
    let mut result = json!({
        "a": contest.players[0].spec, "b": contest.players[1].spec,
        "openings": contest.suite, "sprt": sprt,
        "forfeits": [tally.forfeits[0].0, tally.forfeits[1].0],
        "records": games.iter().filter(|_| records).map(record).collect::<Vec<_>>(),
    });
    let figures = [json!(tally), json!(tally.pairs.estimate())];
    let figures = figures.into_iter().filter_map(|it| it.as_object().cloned()).flatten();
    result.as_object_mut().expect("an object").extend(figures);
    result
}
