//! Players as the page names them: never by a specification, which could name any program or file.

use arena::player::{PANEL_SIZE, PlayableGame, Spec, level_of, levels};
use axum::Json;
use axum::extract::State;
use mancala::eval::{LEARNED, REFERENCE, Weights};
use mancala::game::ayo::{GrandSlam, Rules, Stalemate};
use mancala::game::{AnyGame, GameKind, with_game};
use serde::{Deserialize, Serialize};

use super::answer::{Query, Refusal};
use super::desk::Desk;
use super::runs;
use crate::analyse::board::named_game;

/// Plies that a player looks ahead if nothing is said.
const USUAL_DEPTH: u32 = 9;
/// The most that may be asked for.
const DEEPEST: u32 = 15;
/// In milliseconds.
const TIMES: std::ops::RangeInclusive<u32> = 10..=10_000;

/// A player, in one of the ways that a request may name it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerAsked {
    level: Option<String>,
    weights: Option<String>,
    run: Option<String>,
    depth: Option<u32>,
    time_ms: Option<u32>,
}

impl PlayerAsked {
    /// Its specification.
    ///
    /// # Errors
    /// If there is no such player, or more is asked of it than is allowed.
    pub(super) fn spec(&self, desk: &Desk, game: AnyGame) -> Result<Spec, Refusal> {
        let weights = match (&self.level, &self.weights, &self.run) {
            (Some(name), None, None) => return self.of_level(name, game),
            (None, Some(name), None) => named(name, game)?,
            (None, None, Some(id)) => desk.run_folder(id)?.display().to_string(),
            _ => return Err(Refusal::wrong("player: give one of level, weights and run")),
        };
        let set = |key: &str, value: String| (key.to_owned(), value);
        let weights = set("weights", weights);
        let (kind, limits) = match (self.depth, self.time_ms) {
            (Some(_), Some(_)) => return Err(Refusal::wrong("player: give depth or time_ms")),
            (depth, None) => {
                let depth = depth.unwrap_or(USUAL_DEPTH);
                in_range("depth", depth, 1..=DEEPEST)?;
                ("minimax", vec![set("depth", depth.to_string())])
            }
            (None, Some(time)) => {
                in_range("time_ms", time, TIMES)?;
                let has_book = with_game!(game, game => game.book().is_some());
                let book = has_book.then(|| set("book", "builtin".into()));
                let time = set("movetime", format!("{time}ms"));
                ("engine", [time].into_iter().chain(book).collect())
            }
        };
        let options = [weights].into_iter().chain(limits).collect();
        Ok(Spec { kind: kind.into(), options })
    }

    fn of_level(&self, name: &str, game: AnyGame) -> Result<Spec, Refusal> {
        if self.depth.is_some() || self.time_ms.is_some() {
            return Err(Refusal::wrong("player: a level has its own depth and time"));
        }
        match level_of(game.kind(), name) {
            Some(level) => Ok(Spec { kind: level.name.into(), options: Vec::new() }),
            None => {
                let names: Vec<_> = levels(game.kind()).iter().map(|level| level.name).collect();
                let names = names.join(", ");
                Err(Refusal::wrong(format!("player: there is no level {name:?}; choose {names}")))
            }
        }
    }
}

fn in_range(field: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Refusal> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = (range.start(), range.end());
    Err(Refusal::wrong(format!("player: {field} is {value}, not {least} to {most}")))
}

/// Names of evaluators of a game, the strongest first, and sums of features that its runs are measured against.
fn evaluators(game: AnyGame) -> Vec<&'static str> {
    let reference = Weights::named(REFERENCE).expect("a named evaluator").features().game();
    let kind = game.kind();
    let own = [LEARNED, REFERENCE].into_iter().filter(|_| kind == reference);
    let mut names: Vec<_> = own.chain(kind.evaluators().iter().map(|it| it.name)).collect();
    for (name, _) in with_game!(game, game => panel(game)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn panel<G: PlayableGame>(_: G) -> [(&'static str, u32); PANEL_SIZE] {
    G::PANEL
}

/// A name may be none of a file.
fn named(name: &str, game: AnyGame) -> Result<String, Refusal> {
    let known = evaluators(game);
    if known.contains(&name) {
        return Ok(name.into());
    }
    let known = known.join(", ");
    Err(Refusal::wrong(format!("player: there are no weights {name:?}; choose {known}")))
}

#[derive(Debug, Deserialize)]
pub(super) struct GameNamed {
    game: Option<String>,
}

/// Something that can be chosen, and what it is.
#[derive(Debug, Serialize)]
struct Choice {
    name: String,
    about: String,
}

#[derive(Debug, Serialize)]
struct RunChoice {
    id: String,
    about: String,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename = "players")]
pub(super) struct Players {
    levels: Vec<Choice>,
    weights: Vec<Choice>,
    runs: Vec<RunChoice>,
    rules: Vec<Choice>,
}

/// Who there is to play with in a game.
pub(super) async fn list(
    State(desk): State<Desk>,
    Query(asked): Query<GameNamed>,
) -> Result<Json<Players>, Refusal> {
    let game = named_game(asked.game.as_deref().unwrap_or("ayo"), None).map_err(Refusal::wrong)?;
    let is_ayo = game.kind() == GameKind::Ayo;
    let levels = levels(game.kind()).iter();
    let choice = |name: &str, about: &str| Choice { name: name.into(), about: about.into() };
    let about = |name: &str| match name {
        LEARNED => "learned features, the strongest".into(),
        REFERENCE => "twelve features, evolved".into(),
        name => Weights::named(name).map_or(String::new(), |weights| {
            match weights.features().features().len() {
                1 => "one feature".into(),
                count => format!("{count} features"),
            }
        }),
    };
    let own = desk.clone();
    let runs = desk.reads.run(move |_| runs::to_play(&own, game.kind())).await?;
    let rules = Rules::PRESETS.iter().filter(|_| is_ayo);
    Ok(Json(Players {
        levels: levels.map(|it| choice(it.name, it.about)).collect(),
        weights: evaluators(game).into_iter().map(|it| choice(it, &about(it))).collect(),
        runs: runs.into_iter().map(|(id, about)| RunChoice { id, about }).collect(),
        rules: rules.map(|(name, rules)| choice(name, &said(*rules))).collect(),
    }))
}

/// The rules in a few words, by where they differ.
fn said(rules: Rules) -> String {
    let slam = match rules.grand_slam() {
        GrandSlam::CapturesNothing => "a move that would capture the whole row captures nothing",
        GrandSlam::CapturesAll => "a capture may empty the row",
        GrandSlam::Illegal => "a move that would capture the whole row is not allowed",
    };
    let left = match rules.stalemate() {
        Stalemate::OwnRows => "without a move each side takes its own row",
        Stalemate::OpponentTakes => "without a move the opponent takes what is left",
        Stalemate::Void => "without a move the game is void",
        Stalemate::CauserLoses => "who leaves the opponent no move loses",
    };
    format!("{slam}; {left}")
}
