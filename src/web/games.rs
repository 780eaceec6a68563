//! `/api/play`, `/api/payoff`, `/api/judge` and `/api/line`.

use arena::player::NoChoice;
use axum::Json;
use axum::extract::State;
use mancala::game::{AnyGame, Side, with_game};
use serde::{Deserialize, Serialize};

use super::answer::{Body, Refusal};
use super::desk::Desk;
use super::players::PlayerAsked;
use crate::analyse::board::{self, Asked, Board, BoardError, JudgedLine, Payoffs, named_game};

/// A game, and who moves or judges in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameAsked {
    game: Option<String>,
    rules: Option<String>,
    from: Option<String>,
    first: Option<SideAsked>,
    #[serde(default)]
    line: String,
    player: Option<PlayerAsked>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SideAsked {
    South,
    North,
}

/// A text that someone pasted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextAsked {
    game: Option<String>,
    rules: Option<String>,
    text: String,
}

impl GameAsked {
    fn game(&self) -> Result<AnyGame, Refusal> {
        game_of(self.game.as_deref(), self.rules.as_deref())
    }

    fn asked(&self) -> Asked {
        let first = self.first.map(|side| match side {
            SideAsked::South => Side::South,
            SideAsked::North => Side::North,
        });
        Asked { from: self.from.clone(), first, line: self.line.clone() }
    }

    fn player(&mut self) -> Result<PlayerAsked, Refusal> {
        self.player.take().ok_or_else(|| Refusal::wrong("player: it is missing"))
    }
}

fn game_of(game: Option<&str>, rules: Option<&str>) -> Result<AnyGame, Refusal> {
    named_game(game.unwrap_or("ayo"), rules).map_err(Refusal::wrong)
}

/// The board after the line, and after a move of the player if one is asked for.
pub(super) async fn play(
    State(desk): State<Desk>,
    Body(mut asked): Body<GameAsked>,
) -> Result<Json<Board>, Refusal> {
    let (game, at) = (asked.game()?, asked.asked());
    let Some(player) = asked.player.take() else {
        return with_game!(game, game => answered(board::record(game, &at).map(|it| board::board(&it))));
    };
    let own = desk.clone();
    let found = desk.searches.run(move |progress| {
        let spec = player.spec(&own, game)?;
        answered(with_game!(game, game => {
            board::record(game, &at)
                .and_then(|record| board::reply(record, &mut *spec.build(game)?, progress))
        }))
    });
    found.await?
}

/// What the moves are worth.
pub(super) async fn payoff(
    State(desk): State<Desk>,
    Body(mut asked): Body<GameAsked>,
) -> Result<Json<Payoffs>, Refusal> {
    let (game, at) = (asked.game()?, asked.asked());
    let (player, own) = (asked.player()?, desk.clone());
    let found = desk.searches.run(move |progress| {
        let spec = player.spec(&own, game)?;
        answered(with_game!(game, game => {
            board::record(game, &at)
                .and_then(|record| board::payoffs(&record, &mut *spec.build(game)?, progress))
        }))
    });
    found.await?
}

/// What a player makes of the moves of a line.
pub(super) async fn judge(
    State(desk): State<Desk>,
    Body(mut asked): Body<GameAsked>,
) -> Result<Json<JudgedLine>, Refusal> {
    let (game, at) = (asked.game()?, asked.asked());
    let (player, own) = (asked.player()?, desk.clone());
    let found = desk.searches.run(move |progress| {
        let spec = player.spec(&own, game)?;
        answered(with_game!(game, game => {
            board::record(game, &at).and_then(|record| board::judged(&record, &spec, progress))
        }))
    });
    found.await?
}

/// The board of a text that was pasted.
pub(super) async fn line(Body(asked): Body<TextAsked>) -> Result<Json<Board>, Refusal> {
    let game = game_of(asked.game.as_deref(), asked.rules.as_deref())?;
    with_game!(game, game => answered(board::read(game, &asked.text).map(|it| board::board(&it))))
}

fn answered<T: Serialize>(found: Result<T, BoardError>) -> Result<Json<T>, Refusal> {
    found.map(Json).map_err(|error| match error {
        BoardError::Over => Refusal::conflict(error),
        BoardError::NoChoice(NoChoice::Stopped) => {
            Refusal::busy("the search took too long: ask for fewer plies or a time")
        }
        error => Refusal::wrong(error),
    })
}
