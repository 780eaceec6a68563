//! Players in requests, and `/api/players`. Requests can't contain specifications, because these could name any file.

use arena::player::{PlayableGame, Spec, level_of, levels, published};
use axum::Json;
use axum::extract::{Query, State};
use mancala::eval::{LEARNED, REFERENCE, STANDARD_0_2, Weights};
use mancala::game::ayo::{GrandSlam, Rules, Stalemate};
use mancala::game::{AnyGame, GameKind, with_game, with_type};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ApiError, ApiResult, AppState, JsonResult, Shared, check_range, play::game, runs};

const DEFAULT_DEPTH: u32 = 9;
const MAX_DEPTH: u32 = 15;
/// The range of allowed search times in milliseconds.
const TIMES: std::ops::RangeInclusive<u32> = 10..=10_000;

/// A player in a request: a level, a published player, or a search with given weights or a run's champion.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerOptions {
    level: Option<String>,
    weights: Option<String>,
    run: Option<String>,
    depth: Option<u32>,
    time_ms: Option<u32>,
}

impl PlayerOptions {
    pub(super) fn spec(&self, state: &AppState, game: AnyGame) -> ApiResult<Spec> {
        let weights = match (&self.level, &self.weights, &self.run) {
            (Some(name), None, None) => return self.level_spec(name, game),
            (None, Some(name), None) => check_weights(name, game)?.to_owned(),
            (None, None, Some(id)) => state.run_folder(id)?.display().to_string(),
            _ => return Err(ApiError::bad_request("player: give one of level, weights and run")),
        };
        let mut options = vec![("weights".to_owned(), weights)];
        let kind = match (self.depth, self.time_ms) {
            (Some(_), Some(_)) => {
                return Err(ApiError::bad_request("player: give depth or time_ms"));
            }
            (depth, None) => {
                let depth = depth.unwrap_or(DEFAULT_DEPTH);
                check_range("player: depth", depth, 1..=MAX_DEPTH)?;
                options.push(("depth".into(), depth.to_string()));
                "minimax"
            }
            (None, Some(time)) => {
                check_range("player: time_ms", time, TIMES)?;
                options.push(("movetime".into(), format!("{time}ms")));
                if with_game!(game, game => game.book().is_some()) {
                    options.push(("book".into(), "builtin".into()));
                }
                "engine"
            }
        };
        Ok(Spec { kind: kind.into(), options })
    }

    fn level_spec(&self, name: &str, game: AnyGame) -> ApiResult<Spec> {
        if self.depth.is_some() || self.time_ms.is_some() {
            return Err(ApiError::bad_request(
                "player: a level cannot be combined with depth or time_ms",
            ));
        }
        if let Some(level) = level_of(game.kind(), name) {
            return Ok(Spec { kind: level.name.into(), options: Vec::new() });
        }
        let published = published(game.kind());
        if let Some(player) = published.iter().find(|player| player.name == name) {
            return Ok(player.spec.parse().expect("a valid specification"));
        }
        let all = levels(game.kind()).iter().chain(published);
        let names: Vec<_> = all.map(|level| level.name).collect();
        let names = names.join(", ");
        let message = format!("player: unknown level {name:?}; choose {names}");
        Err(ApiError::bad_request(message))
    }
}

/// Returns the names of a game's evaluators (strongest first), followed by the names of the reference opponents.
fn evaluators(game: AnyGame) -> Vec<&'static str> {
    let reference = Weights::named(REFERENCE).expect("a named evaluator").features().game();
    let kind = game.kind();
    let trained = [LEARNED, REFERENCE, STANDARD_0_2].into_iter().filter(|_| kind == reference);
    let mut names: Vec<_> = trained.chain(kind.evaluators().iter().map(|it| it.name)).collect();
    for (name, _) in with_type!(kind, G => &G::PANEL) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

/// Rejects everything but the names of built-in weights, because other strings could be paths.
fn check_weights(name: &str, game: AnyGame) -> ApiResult<&str> {
    let names = evaluators(game);
    if names.contains(&name) {
        return Ok(name);
    }
    let names = names.join(", ");
    Err(ApiError::bad_request(format!("player: unknown weights {name:?}; choose {names}")))
}

#[derive(Debug, Deserialize)]
pub(super) struct ListOptions {
    game: Option<String>,
}

fn choice(name: &str, about: impl Into<String>) -> Value {
    json!({ "name": name, "about": about.into() })
}

pub(super) async fn list(State(state): Shared, Query(options): Query<ListOptions>) -> JsonResult {
    let game = game(options.game.as_deref(), None)?;
    let kind = game.kind();
    let about = |name: &str| match name {
        LEARNED => "learned features; the strongest".into(),
        REFERENCE => "twelve features with evolved weights".into(),
        name => Weights::named(name).map_or(String::new(), |weights| {
            match weights.features().features().len() {
                1 => "one feature".into(),
                count => format!("{count} features"),
            }
        }),
    };
    let levels = levels(kind).iter().map(|level| choice(level.name, level.about));
    let published = published(kind).iter().map(|player| choice(player.name, player.about));
    let weights = evaluators(game).into_iter().map(|name| choice(name, about(name)));
    let rules = Rules::PRESETS.iter().filter(|_| kind == GameKind::Ayo);
    let rules = rules.map(|(name, rules)| choice(name, about_rules(*rules)));
    Ok(Json(json!({
        "kind": "players",
        "levels": levels.collect::<Vec<_>>(),
        "published": published.collect::<Vec<_>>(),
        "weights": weights.collect::<Vec<_>>(),
        "runs": state.read(move |state| Ok(runs::opponents(state, kind))).await?,
        "rules": rules.collect::<Vec<_>>(),
    })))
}

fn about_rules(rules: Rules) -> String {
    let slam = match rules.grand_slam() {
        GrandSlam::CapturesNothing => "a move that would capture the whole row captures nothing",
        GrandSlam::CapturesAll => "a capture may empty the row",
        GrandSlam::Illegal => "a move that would capture the whole row is not allowed",
    };
    let stalemate = match rules.stalemate() {
        Stalemate::OwnRows => "if a player cannot move, each side takes its own row",
        Stalemate::OpponentTakes => {
            "if a player cannot move, the opponent takes the remaining seeds"
        }
        Stalemate::Void => "if a player cannot move, the game is void",
        Stalemate::CauserLoses => "a player who leaves the opponent without a move loses",
    };
    format!("{slam}; {stalemate}")
}
