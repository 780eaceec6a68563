//! `/api/play`, `/api/payoff`, `/api/judge` and `/api/line`. Each request contains the whole game.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena::player::{DefaultTables, NoChoice, PlayableGame, Player};
use axum::Json;
use axum::extract::State;
use mancala::eval::{Certainty, Score};
use mancala::game::{AnyGame, Hole, Notated, Pit, Record, Side, Verdict, with_game};
use mancala::progress::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ApiError, ApiResult, JsonResult, PlayerOptions, Shared};
use crate::analyse::replay::Judge;

const MAX_PLIES: usize = 2000;

/// A game, and the player that is asked for a move or an analysis.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameOptions {
    game: Option<String>,
    rules: Option<String>,
    /// The first position, if it isn't the initial position.
    from: Option<String>,
    /// The side that moves first: `south` or `north`.
    first: Option<String>,
    /// The moves, in any of the game's notations.
    #[serde(default)]
    line: String,
    player: Option<PlayerOptions>,
}

/// Parses a game (by default `ayo`) and its rules.
pub(super) fn game(game: Option<&str>, rules: Option<&str>) -> ApiResult<AnyGame> {
    let invalid = |field| move |reason| ApiError::bad_request(format!("{field}: {reason}"));
    let game: AnyGame = game.unwrap_or("ayo").parse().map_err(invalid("game"))?;
    let Some(rules) = rules else { return Ok(game) };
    game.with_rules(rules.parse().map_err(invalid("rules"))?).map_err(ApiError::bad_request)
}

fn record<G: PlayableGame>(game: G, options: &GameOptions) -> ApiResult<Record<G>> {
    let from = options.from.as_deref().map(|text| game.read_position(text)).transpose();
    let from = from.map_err(|error| ApiError::bad_request(format!("from: {error}")))?;
    let first = options.first.as_deref().map(|name| {
        let side = Side::BOTH.into_iter().find(|side| word(*side) == name);
        side.ok_or_else(|| ApiError::bad_request("first: write south or north"))
    });
    let opening = from.or(first.transpose()?.map(|side| game.start(side)));
    if options.line.trim().is_empty() {
        let opening = opening.unwrap_or_else(|| game.start(Side::South));
        return Ok(Record::from_position(game, opening));
    }
    let refused = |error: String| ApiError::bad_request(format!("line: {error}"));
    let plies = G::read_plies(&options.line).map_err(|error| refused(error.to_string()))?.len();
    if plies > MAX_PLIES {
        return Err(refused(format!("{plies} plies exceed the limit of {MAX_PLIES}")));
    }
    game.read_line(&options.line, opening).map_err(|error| refused(error.to_string()))
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    Reply,
    Payoffs,
    Judge,
}

pub(super) async fn search(
    State(state): Shared,
    Json(options): Json<GameOptions>,
    task: Task,
) -> JsonResult {
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    let player = options.player.clone();
    let player = player.ok_or_else(|| ApiError::bad_request("player: a player is required"))?;
    let shared = Arc::clone(&state);
    let answer = state.searches.run(move |progress| {
        let spec = player.spec(&shared, game)?;
        with_game!(game, game => {
            let record = record(game, &options)?;
            let mut player = spec.build(game).map_err(ApiError::bad_request)?;
            match task {
                Task::Judge => judged(&record, player, &spec.kind, progress),
                _ if record.ending().is_some() => Err(ApiError::conflict("the game is over")),
                Task::Payoffs => payoffs(&record, &mut *player, progress),
                Task::Reply => reply(record, &mut *player, progress),
            }
        })
    });
    answer.await?.map(Json)
}

fn no_choice(error: NoChoice) -> ApiError {
    match error {
        NoChoice::Stopped => {
            ApiError::busy("the search took too long: request fewer plies or a time limit")
        }
        NoChoice::Forfeit(_) => {
            ApiError::bad_request(format!("the player did not choose a move: {error}"))
        }
    }
}

/// Returns the board after the given moves. If the request names a player, then that player replies with a move.
pub(super) async fn play(state: Shared, Json(options): Json<GameOptions>) -> JsonResult {
    if options.player.is_some() {
        return search(state, Json(options), Task::Reply).await;
    }
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    with_game!(game, game => Ok(Json(board(&record(game, &options)?))))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextOptions {
    game: Option<String>,
    rules: Option<String>,
    /// A position, a line of moves, or a position followed by a line.
    text: String,
}

pub(super) async fn line(Json(options): Json<TextOptions>) -> JsonResult {
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    let text = options.text.trim();
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    with_game!(game, game => {
        let is_position = first.contains('-') || game.read_position(first).is_ok();
        let (from, line) = if is_position { (Some(first.into()), rest) } else { (None, text) };
        let options = GameOptions { from, line: line.into(), ..GameOptions::default() };
        Ok(Json(board(&record(game, &options)?)))
    })
}

fn board<G: PlayableGame>(record: &Record<G>) -> Value {
    let (game, position) = (record.game(), record.position());
    let named: AnyGame = (*game).into();
    let rows = game.rows(position);
    let pits = rows[0].len();
    let over = over(record);
    let mover = record.to_move();
    let all = (0..pits as u8).filter_map(Pit::new);
    let (legal, illegal): (Vec<Pit>, Vec<Pit>) =
        all.partition(|&pit| over.is_none() && game.objection(position, pit).is_none());
    let why = |pit: Pit| {
        let reason = game.objection(position, pit).unwrap_or("the game is over");
        (pit.letter(mover), reason)
    };
    let captured = |side| -> u16 {
        record.outcomes().filter(|ply| ply.side == side).map(|ply| ply.captured).sum()
    };
    json!({
        "kind": "board",
        "game": named.to_string(),
        // This is the same as `game` if the game has no separate rules.
        "rules": named.description().1,
        "from": record.opening().to_string(),
        "line": record.line(),
        // The moves in the game's alternative notation.
        "notation": G::other_notation(record),
        "position": position.to_string(),
        "pits": pits,
        // The pits of each side, in sowing order.
        "rows": sided(rows),
        "stores": sided(Side::BOTH.map(|side| game.store(position, side))),
        "captured": sided(Side::BOTH.map(captured)),
        "to_move": over.is_none().then(|| word(mover)),
        "legal": legal.into_iter().map(|pit| pit.letter(mover)).collect::<Vec<_>>(),
        "illegal": illegal.into_iter().map(why).collect::<BTreeMap<_, _>>(),
        "moves": record.plies().len(),
        "last": last(record),
        "over": over,
    })
}

fn reply<G: PlayableGame>(
    mut record: Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> ApiResult<Value> {
    let side = record.to_move();
    let choice = player.choose(&record, progress).map_err(no_choice)?;
    record.play(choice.pit).map_err(|error| {
        ApiError::bad_request(format!("the player made an illegal move: {error}"))
    })?;
    let mut board = board(&record);
    board["chosen"] = json!({
        "pit": choice.pit.letter(side),
        "score": choice.score.map(|score| score.0),
        "score_text": choice.score.map(|score| score.to_string()),
        "nodes": choice.nodes,
        "depth": choice.depth,
    });
    Ok(board)
}

/// Returns all moves with their values according to the player and endgame tables, or none if the player has no values.
fn payoffs<G: PlayableGame>(
    record: &Record<G>,
    player: &mut dyn Player<G>,
    progress: &dyn Progress,
) -> ApiResult<Value> {
    let valued = player.payoffs(record, progress);
    let suggestion = player.advise(record, progress).map_err(no_choice)?.pit;
    if progress.should_stop() {
        return Err(no_choice(NoChoice::Stopped));
    }
    let best = valued.iter().map(|&(_, score)| score).max();
    let known = table_values(record, progress);
    let table_value = |pit, wanted| {
        let &(_, seeds, certainty) = known.as_ref()?.iter().find(|(sown, ..)| *sown == pit)?;
        (certainty == wanted).then_some(seeds)
    };
    let (side, seed_value) = (record.to_move(), player.seed_value());
    let (game, position) = (record.game(), record.position());
    let gain = |pit| game.store(&game.play(position, pit), side) - game.store(position, side);
    let payoff = |&(pit, score): &(Pit, Score)| {
        let seed_value = seed_value.filter(|_| !score.counts_plies());
        json!({
            "pit": pit.letter(side),
            // The number of seeds that the move itself adds to the store.
            "gain": gain(pit),
            "value": score.0,
            "value_text": score.to_string(),
            "seeds": seed_value.map(|worth| f64::from(score.0) / f64::from(worth)),
            "best": Some(score) == best,
            "proven": table_value(pit, Certainty::Proven),
            "likely": table_value(pit, Certainty::Heuristic),
        })
    };
    Ok(json!({
        "kind": "payoffs",
        "to_move": word(side),
        "line": record.line(),
        "suggestion": suggestion.letter(side),
        "moves": valued.iter().map(payoff).collect::<Vec<_>>(),
    }))
}

fn judged<G: PlayableGame>(
    record: &Record<G>,
    player: Box<dyn Player<G>>,
    kind: &str,
    progress: &dyn Progress,
) -> ApiResult<Value> {
    let judge = Judge::new(kind, player, *record.game(), None);
    let judged = judge.map_err(ApiError::bad_request)?.judge(record, progress);
    let judged = judged.map_err(ApiError::bad_request)?;
    Ok(json!({
        "kind": "judged",
        "line": record.line(),
        "blunder": judged.blunder,
        "plies": judged.moves_as_json(),
        "summary": judged.summary_as_json(),
    }))
}

/// Returns the values of the moves according to endgame tables, which we build if they are missing.
fn table_values<G: PlayableGame>(
    record: &Record<G>,
    progress: &dyn Progress,
) -> Option<Vec<(Pit, i8, Certainty)>> {
    let (game, position) = (record.game(), record.position());
    let provided = DefaultTables::find(*game, true).ok()??;
    let seeds: u16 = game.rows(position).concat().iter().sum();
    if seeds > provided.max_seeds().into() {
        return None;
    }
    provided.wait(progress)?.move_bounds(G::as_ayo(position)?)
}

/// Returns the result of a finished game. The stores include seeds that were awarded at the end.
fn over<G: PlayableGame>(record: &Record<G>) -> Option<Value> {
    let (ending, settled) = (record.ending()?, record.settlement()?);
    let winner = match settled.verdict {
        Verdict::Won(side) => Some(word(side)),
        Verdict::Drawn => None,
    };
    Some(json!({
        "ending": ending.to_string(),
        "verdict": settled.verdict.to_string(),
        "winner": winner,
        "stores": sided(settled.stores),
    }))
}

/// Returns the last ply, with the hole in which each seed was sown, and the captured pits.
fn last<G: PlayableGame>(record: &Record<G>) -> Option<Value> {
    let ply = record.outcomes().next()?;
    let mut before = record.clone();
    before.undo();
    let (game, position) = (record.game(), before.position());
    let path = game.sowing(position, ply.pit);
    let mut fell = game.rows(position);
    fell[ply.side.index()][ply.pit.index()] = 0;
    for hole in &path {
        if let Hole::Pit(side, pit) = hole {
            fell[side.index()][pit.index()] += 1;
        }
    }
    let holds = game.rows(record.position());
    let taken = Side::BOTH.into_iter().flat_map(|side| {
        let pits = fell[side.index()].iter().zip(&holds[side.index()]).enumerate();
        let changed = pits.filter(|(_, (fell, holds))| fell != holds);
        let pits = changed.filter_map(|(index, _)| Pit::new(index as u8));
        pits.map(move |pit| pit.letter(side)).collect::<Vec<_>>()
    });
    let hole = |hole: &Hole| match *hole {
        Hole::Pit(side, pit) => pit.letter(side).to_string(),
        Hole::Store(side) => word(side),
    };
    Some(json!({
        "side": word(ply.side),
        "pit": ply.pit.letter(ply.side),
        "seeds": ply.seeds,
        // The number of seeds that were sown into the mover's own store.
        "home": ply.home,
        "captured": ply.captured,
        "again": ply.again,
        "path": path.iter().map(hole).collect::<Vec<_>>(),
        "taken": taken.collect::<Vec<_>>(),
    }))
}

fn sided<T: Serialize>([south, north]: [T; 2]) -> Value {
    json!({ "south": south, "north": north })
}

fn word(side: Side) -> String {
    side.to_string().to_lowercase()
}
