//! `/api/play`, `/api/payoff`, `/api/judge` and `/api/line`.

use std::sync::Arc;

use arena::player::{NoChoice, Spec};
use axum::Json;
use axum::extract::State;
use mancala::game::{AnyGame, Side, with_game};
use mancala::progress::Progress;
use serde::Deserialize;
use serde_json::Value;

use super::{ApiError, ApiResult, AppState, PlayerOptions, Shared};
use crate::analyse::board::{self, Asked, BoardError, named_game};

/// A game, and the player that moves or analyses.
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
    fn game(&self) -> ApiResult<AnyGame> {
        game(self.game.as_deref(), self.rules.as_deref())
    }

    fn line(self) -> Asked {
        let first = self.first.map(|side| match side {
            SideName::South => Side::South,
            SideName::North => Side::North,
        });
        Asked { from: self.from, first, line: self.line }
    }
}

/// Parses a game. The default is `ayo`.
pub(super) fn game(game: Option<&str>, rules: Option<&str>) -> ApiResult<AnyGame> {
    named_game(game.unwrap_or("ayo"), rules).map_err(ApiError::bad_request)
}

async fn search<T: Send + 'static>(
    state: Arc<AppState>,
    mut options: GameOptions,
    search: impl FnOnce(AnyGame, &Asked, &Spec, &dyn Progress) -> Result<T, BoardError> + Send + 'static,
) -> ApiResult<Json<T>> {
    let game = options.game()?;
    let player = options.player.take();
    let player = player.ok_or_else(|| ApiError::bad_request("player: a player is required"))?;
    let line = options.line();
    let shared = Arc::clone(&state);
    let task = state.searches.run(move |progress| {
        let spec = player.spec(&shared, game)?;
        json(search(game, &line, &spec, progress))
    });
    task.await?
}

fn json<T>(result: Result<T, BoardError>) -> ApiResult<Json<T>> {
    result.map(Json).map_err(|error| match error {
        BoardError::Over => ApiError::conflict(error),
        BoardError::NoChoice(NoChoice::Stopped) => {
            ApiError::busy("the search took too long: request fewer plies or a time limit")
        }
        error => ApiError::bad_request(error),
    })
}

/// Returns the board after the line and, if a player is given, after its move.
pub(super) async fn play(
    State(state): Shared,
    Json(options): Json<GameOptions>,
) -> ApiResult<Json<Value>> {
    if options.player.is_none() {
        return with_game!(options.game()?, game => {
            json(board::record(game, &options.line()).map(|record| board::board(&record)))
        });
    }
    let reply = |game, line: &Asked, spec: &Spec, progress: &dyn Progress| {
        with_game!(game, game => {
            let record = board::record(game, line)?;
            board::reply(record, &mut *spec.build(game)?, progress)
        })
    };
    search(state, options, reply).await
}

pub(super) async fn payoff(
    State(state): Shared,
    Json(options): Json<GameOptions>,
) -> ApiResult<Json<Value>> {
    let payoffs = |game, line: &Asked, spec: &Spec, progress: &dyn Progress| {
        with_game!(game, game => {
            let record = board::record(game, line)?;
            board::payoffs(&record, &mut *spec.build(game)?, progress)
        })
    };
    search(state, options, payoffs).await
}

pub(super) async fn judge(
    State(state): Shared,
    Json(options): Json<GameOptions>,
) -> ApiResult<Json<Value>> {
    let judged = |game, line: &Asked, spec: &Spec, progress: &dyn Progress| with_game!(game, game => board::judged(&board::record(game, line)?, spec, progress));
    search(state, options, judged).await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextOptions {
    game: Option<String>,
    rules: Option<String>,
    text: String,
}

pub(super) async fn line(Json(options): Json<TextOptions>) -> ApiResult<Json<Value>> {
    let game = game(options.game.as_deref(), options.rules.as_deref())?;
    with_game!(game, game => {
        json(board::read(game, &options.text).map(|record| board::board(&record)))
    })
}
