//! `/api/play`, `/api/payoff`, `/api/judge` and `/api/line`.

use std::sync::Arc;

use arena::player::NoChoice;
use axum::Json;
use axum::extract::State;
use mancala::game::{AnyGame, Side, with_game};
use serde::Deserialize;

use super::api::{ApiError, ApiResult, Body};
use super::players::PlayerOptions;
use super::state::Shared;
use crate::app::board::{self, Asked, NoAnswer, named_game};
use crate::results::{Board, JudgedLine, Payoffs};

/// A game, and the player that moves or judges.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameOptions {
    game: Option<String>,
    rules: Option<String>,
    from: Option<String>,
    first: Option<SideName>,
    #[serde(default)]
    line: String,
    player: Option<PlayerOptions>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideName {
    South,
    North,
}

impl GameOptions {
    /// Splits the request into the game, the line and the player.
    fn parts(self) -> ApiResult<(AnyGame, Asked, Option<PlayerOptions>)> {
        let game = game(self.game.as_deref(), self.rules.as_deref())?;
        let first = self.first.map(|side| match side {
            SideName::South => Side::South,
            SideName::North => Side::North,
        });
        Ok((game, Asked { from: self.from, first, line: self.line }, self.player))
    }

    fn parts_with_player(self) -> ApiResult<(AnyGame, Asked, PlayerOptions)> {
        let (game, line, player) = self.parts()?;
        let player = player.ok_or_else(|| ApiError::bad_request("player: it is missing"))?;
        Ok((game, line, player))
    }
}

/// Parses a game, with `ayo` as the default.
///
/// # Errors
/// If the game or its rules are unknown.
pub(super) fn game(game: Option<&str>, rules: Option<&str>) -> ApiResult<AnyGame> {
    named_game(game.unwrap_or("ayo"), rules).map_err(ApiError::bad_request)
}

/// Returns the board after the line and, if a player is given, after its move.
pub(super) async fn play(
    State(state): Shared,
    Body(options): Body<GameOptions>,
) -> ApiResult<Json<Board>> {
    let (game, line, player) = options.parts()?;
    let Some(player) = player else {
        return with_game!(game, game => {
            json(board::record(game, &line).map(|record| board::board(&record)))
        });
    };
    let shared = Arc::clone(&state);
    let task = state.searches.run(move |progress| {
        let spec = player.spec(&shared, game)?;
        json(with_game!(game, game => {
            board::record(game, &line)
                .and_then(|record| board::reply(record, &mut *spec.build(game)?, progress))
        }))
    });
    task.await?
}

/// Returns the value of each move.
pub(super) async fn payoff(
    State(state): Shared,
    Body(options): Body<GameOptions>,
) -> ApiResult<Json<Payoffs>> {
    let (game, line, player) = options.parts_with_player()?;
    let shared = Arc::clone(&state);
    let task = state.searches.run(move |progress| {
        let spec = player.spec(&shared, game)?;
        json(with_game!(game, game => {
            board::record(game, &line)
                .and_then(|record| board::payoffs(&record, &mut *spec.build(game)?, progress))
        }))
    });
    task.await?
}

/// Analyses the moves of a line.
pub(super) async fn judge(
    State(state): Shared,
    Body(options): Body<GameOptions>,
) -> ApiResult<Json<JudgedLine>> {
    let (game, line, player) = options.parts_with_player()?;
    let shared = Arc::clone(&state);
    let task = state.searches.run(move |progress| {
        let spec = player.spec(&shared, game)?;
        json(with_game!(game, game => {
            board::record(game, &line).and_then(|record| board::judged(&record, &spec, progress))
        }))
    });
    task.await?
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextOptions {
    game: Option<String>,
    rules: Option<String>,
    text: String,
}

/// Reads a pasted position or line.
pub(super) async fn line(Body(options): Body<TextOptions>) -> ApiResult<Json<Board>> {
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    with_game!(game, game => {
        json(board::read(game, &options.text).map(|record| board::board(&record)))
    })
}

fn json<T>(result: Result<T, NoAnswer>) -> ApiResult<Json<T>> {
    result.map(Json).map_err(|error| match error {
        NoAnswer::Over => ApiError::conflict(error),
        NoAnswer::NoChoice(NoChoice::Stopped) => {
            ApiError::busy("the search took too long: request fewer plies or a time limit")
        }
        error => ApiError::bad_request(error),
    })
}
