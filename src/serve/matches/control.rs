//! Starts and stops matches.

use std::path::{Path, PathBuf};

use arena::player::Spec;
use arena::{Form, Sprt, Suite};
use axum::Json;
use axum::extract::State;
use mancala::game::{AnyGame, with_game};
use mancala::store::{self, Log};
use serde::Deserialize;

use super::{EXTENSION, match_file};
use crate::app::contest::Setup;
use crate::app::matches::{self, NoStop};
use crate::app::openings::OpeningsChoice;
use crate::serve::api::{ApiError, ApiResult, Body, PathParams, check_range};
use crate::serve::jobs::{JobKind, JobResponse, MAX_THREADS, Reservation, check_name};
use crate::serve::play::game;
use crate::serve::players::PlayerOptions;
use crate::serve::state::{AppState, Shared};

/// The openings of `ayo match`, and the seed of their choice.
const DEFAULT_OPENINGS: &str = "plies:4";
const DEFAULT_SEED: u64 = 1;
/// Letters of each player in the default name of a match.
const MAX_NICKNAME: usize = 28;

/// A new match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::serve) struct MatchOptions {
    a: PlayerOptions,
    b: PlayerOptions,
    game: Option<String>,
    rules: Option<String>,
    openings: Option<String>,
    games: Option<usize>,
    sprt: Option<String>,
    threads: Option<u32>,
    name: Option<String>,
}

/// Starts a match as a separate process.
pub(in crate::serve) async fn start(
    State(state): Shared,
    Body(options): Body<MatchOptions>,
) -> ApiResult<Json<JobResponse>> {
    let plan = MatchPlan::new(&options, &state)?;
    let (name, path) = reserve(&state, options.name.as_deref(), &plan.players)?;
    let arguments = plan.arguments(&path)?;
    // Reads many openings and loads the files of the players.
    state.searches.run(move |_| plan.check()).await??;
    store::create_folder(state.match_files.folder()).map_err(ApiError::internal)?;
    let is_running = || path.metadata().is_ok_and(|data| data.len() > 0) && Log::is_open(&path);
    state.jobs.start(&name, &arguments, is_running).await?;
    Ok(Json(JobResponse::Begun { id: name.id.clone() }))
}

/// Asks the process of a match to stop.
pub(in crate::serve) async fn stop(
    State(state): Shared,
    PathParams(id): PathParams<String>,
) -> ApiResult<Json<JobResponse>> {
    match matches::stop(&match_file(&state, &id)?) {
        Ok(()) => Ok(Json(JobResponse::Stopping { id })),
        Err(error @ NoStop::Idle) => Err(ApiError::conflict(error)),
        Err(error) => Err(ApiError::internal(error)),
    }
}

/// A match with parsed options.
struct MatchPlan {
    players: [Spec; 2],
    game: AnyGame,
    openings: OpeningsChoice,
    sprt: Option<Sprt>,
    threads: Option<u32>,
}

impl MatchPlan {
    fn new(options: &MatchOptions, state: &AppState) -> ApiResult<MatchPlan> {
        let game = game(options.game.as_deref(), options.rules.as_deref())?;
        let suite = suite(options.openings.as_deref().unwrap_or(DEFAULT_OPENINGS))?;
        if let Some(games) = options.games.filter(|games| *games == 0 || games % 2 == 1) {
            let reason = "every opening is played twice, give an even number";
            return Err(ApiError::bad_request(format!("games is {games}: {reason}")));
        }
        if let Some(threads) = options.threads {
            check_range("threads", threads, 1..=MAX_THREADS)?;
        }
        let sprt = options.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        Ok(MatchPlan {
            players: [options.a.spec(state, game)?, options.b.spec(state, game)?],
            game,
            openings: OpeningsChoice { suite, games: options.games, seed: DEFAULT_SEED },
            sprt: sprt.map_err(ApiError::bad_request)?,
            threads: options.threads,
        })
    }

    /// Makes the players and the openings as the match will.
    fn check(&self) -> ApiResult<()> {
        let players = self.players.each_ref().map(Spec::to_string);
        with_game!(self.game, game => {
            let setup = Setup::new(Form::Match, &players, game, &self.openings, self.sprt);
            setup.map(drop).map_err(ApiError::bad_request)
        })
    }

    /// Returns the arguments of the command that plays the match.
    fn arguments(&self, path: &Path) -> ApiResult<Vec<String>> {
        let mut arguments = vec!["match".to_owned()];
        for spec in &self.players {
            arguments.push(spec_argument(spec)?);
        }
        arguments.extend(["--game".into(), self.game.to_string()]);
        if let ("rules", rules) = self.game.terms() {
            arguments.extend(["--rules".into(), rules]);
        }
        arguments.extend(["--openings".into(), self.openings.suite.to_string()]);
        let games = self.openings.games.map(|games| games.to_string());
        let sprt = self.sprt.map(|sprt| sprt.to_string());
        let threads = self.threads.map(|threads| threads.to_string());
        for (flag, value) in [("--games", games), ("--sprt", sprt), ("--threads", threads)] {
            arguments.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        }
        let path = path.to_str().ok_or_else(|| {
            ApiError::internal("the name of the folder of matches is not UTF-8: choose another")
        })?;
        arguments.extend(["--quiet".into(), format!("--games-out={path}")]);
        Ok(arguments)
    }
}

/// Parses openings. Only users of this machine may name a file.
fn suite(text: &str) -> ApiResult<Suite> {
    match text.parse::<Suite>() {
        Ok(Suite::File(_)) => {
            let forms = "write plies:K or random:N,plies=K,seed=S";
            Err(ApiError::bad_request(format!("openings is {text:?}: {forms}")))
        }
        Ok(suite) => Ok(suite),
        Err(error) => Err(ApiError::bad_request(format!("openings: {error}"))),
    }
}

/// Writes a specification, and checks that it is read back unchanged.
fn spec_argument(spec: &Spec) -> ApiResult<String> {
    let text = spec.to_string();
    match text.parse::<Spec>() {
        Ok(parsed) if parsed == *spec => Ok(text),
        _ => Err(ApiError::bad_request("player: the name of the run contains a double quote")),
    }
}

/// Reserves a free name for the match, and returns it with the path of its file.
fn reserve(
    state: &AppState,
    name: Option<&str>,
    players: &[Spec; 2],
) -> ApiResult<(Reservation, PathBuf)> {
    let reserve = |name: &str| {
        let path = state.match_files.folder().join(format!("{name}{EXTENSION}"));
        let reservation = state.jobs.reserve(JobKind::Match, name)?;
        // Folders and links are in the way, too.
        if path.symlink_metadata().is_ok() {
            return Err(ApiError::conflict(format!("name is {name:?}: there is one already")));
        }
        Ok((reservation, path))
    };
    if let Some(name) = name {
        check_name(name)?;
        return reserve(name);
    }
    let [a, b] = players.each_ref().map(nickname);
    let name = format!("{a}-{b}");
    let mut numbered = (2..).filter_map(|number: u64| reserve(&format!("{name}-{number}")).ok());
    reserve(&name).or_else(|error| numbered.next().ok_or(error))
}

/// Returns a short name of a player: its weights or its run, or its kind.
fn nickname(spec: &Spec) -> String {
    let weights = spec.text("weights").and_then(|path| Path::new(path).file_name()?.to_str());
    let letters = weights.unwrap_or(&spec.kind).chars().take(MAX_NICKNAME);
    let is_valid = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = letters.map(|it| if is_valid(it) { it } else { '-' }).collect();
    let name = name.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
    if name.is_empty() { "player".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::jobs::is_valid_name;

    #[test]
    fn nicknames_are_valid_names() {
        for (spec, name) in [
            ("amateur", "amateur"),
            ("minimax:weights=learned,depth=9", "learned"),
            ("engine:weights=\"populations/a, b=c\",movetime=1s", "a--b-c"),
            ("minimax:weights=runs/ö", "player"),
        ] {
            assert_eq!(nickname(&spec.parse().unwrap()), name);
            assert!(is_valid_name(name));
        }
    }

    #[test]
    fn only_specifications_that_are_read_back_unchanged_are_arguments() {
        let spec = |folder: &str| Spec {
            kind: "minimax".into(),
            options: vec![("weights".into(), folder.into()), ("depth".into(), "9".into())],
        };
        for folder in ["runs/a", "my runs/a, b=c", "runs/it's <b>", "-x", "", "a:b"] {
            assert_eq!(
                spec_argument(&spec(folder)).unwrap().parse::<Spec>().unwrap(),
                spec(folder)
            );
        }
        for folder in ["a\"b", "\"a\"", "a\",depth=1,cmd=\"x"] {
            assert!(spec_argument(&spec(folder)).is_err(), "{folder}");
        }
    }

    #[test]
    fn openings_cannot_be_a_file() {
        assert!(suite("plies:4").is_ok() && suite("random:20,plies=6").is_ok());
        for text in ["", "/etc/passwd", "plies", "../x", "plies:99", "random:x"] {
            assert!(suite(text).is_err(), "{text}");
        }
    }
}
