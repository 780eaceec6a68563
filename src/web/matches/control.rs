//! Starting and stopping matches.

use std::path::{Path, PathBuf};

use arena::player::Spec;
use arena::{Form, Sprt, Suite};
use axum::Json;
use axum::extract::State;
use mancala::game::{AnyGame, with_game};
use mancala::store::{self, Log};
use serde::Deserialize;

use super::files::{ENDING, file_of};
use crate::analyse::board::named_game;
use crate::matches::contest::Setup;
use crate::matches::openings::OpeningsChoice;
use crate::matches::saved;
use crate::web::answer::{Body, Named, Refusal};
use crate::web::desk::Desk;
use crate::web::jobs::{Answered, Purpose, Reserved, being_begun};
use crate::web::players::PlayerAsked;
use crate::web::shelf::is_good_name;

/// What `ayo match` plays from, and the seed of its choice, if nothing is said.
const USUAL_OPENINGS: &str = "plies:4";
const USUAL_SEED: u64 = 1;
const MOST_THREADS: u16 = 1024;
/// Letters of a player in a name that is made of both.
const OF_A_NAME: usize = 28;

/// A match that is to begin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct MatchAsked {
    a: PlayerAsked,
    b: PlayerAsked,
    game: Option<String>,
    rules: Option<String>,
    openings: Option<String>,
    games: Option<usize>,
    sprt: Option<String>,
    threads: Option<u16>,
    name: Option<String>,
}

/// Begins a match as a process of its own.
pub(in crate::web) async fn begin(
    State(desk): State<Desk>,
    Body(asked): Body<MatchAsked>,
) -> Result<Json<Answered>, Refusal> {
    let wanted = Wanted::of(&asked, &desk)?;
    let (place, path) = place(&desk, &asked, &wanted)?;
    let id = place.id().to_owned();
    let words = wanted.words(&path)?;
    // It may read many openings and load what players need.
    desk.searches.run(move |_| wanted.check()).await??;
    store::create_folder(desk.match_files.folder()).map_err(Refusal::failed)?;
    let plays = || path.metadata().is_ok_and(|found| found.len() > 0) && Log::is_open(&path);
    desk.jobs.begin(&place, &words, plays).await?;
    Ok(Json(Answered::Begun { id }))
}

/// Asks the process of a match to stop.
pub(in crate::web) async fn stop(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<Answered>, Refusal> {
    match saved::stop(&file_of(&desk, &id)?) {
        Ok(true) => Ok(Json(Answered::Stopping { id })),
        Ok(false) => Err(Refusal::conflict("no process plays this match")),
        Err(error) => Err(Refusal::failed(error)),
    }
}

/// A match whose fields are read.
struct Wanted {
    players: [Spec; 2],
    game: AnyGame,
    openings: OpeningsChoice,
    sprt: Option<Sprt>,
    threads: Option<u16>,
}

impl Wanted {
    fn of(asked: &MatchAsked, desk: &Desk) -> Result<Wanted, Refusal> {
        let game = asked.game.as_deref().unwrap_or("ayo");
        let game = named_game(game, asked.rules.as_deref()).map_err(Refusal::wrong)?;
        let openings = suite(asked.openings.as_deref().unwrap_or(USUAL_OPENINGS))?;
        if let Some(games) = asked.games.filter(|games| *games == 0 || games % 2 == 1) {
            let why = "every opening is played twice, give an even number";
            return Err(Refusal::wrong(format!("games is {games}: {why}")));
        }
        let sprt = asked.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        if let Some(threads) = asked.threads.filter(|it| !(1..=MOST_THREADS).contains(it)) {
            return Err(Refusal::wrong(format!("threads is {threads}, not 1 to {MOST_THREADS}")));
        }
        Ok(Wanted {
            players: [asked.a.spec(desk, game)?, asked.b.spec(desk, game)?],
            game,
            openings: OpeningsChoice { suite: openings, games: asked.games, seed: USUAL_SEED },
            sprt: sprt.map_err(Refusal::wrong)?,
            threads: asked.threads,
        })
    }

    /// Makes the players and the openings, as the match will.
    fn check(&self) -> Result<(), Refusal> {
        let players = self.players.each_ref().map(Spec::to_string);
        with_game!(self.game, game => {
            let setup = Setup::new(Form::Match, &players, game, &self.openings, self.sprt);
            setup.map(drop).map_err(Refusal::wrong)
        })
    }

    /// The command that plays it, as one would type it.
    fn words(&self, path: &Path) -> Result<Vec<String>, Refusal> {
        let mut words = vec!["match".to_owned()];
        for spec in &self.players {
            words.push(written(spec)?);
        }
        words.extend(["--game".into(), self.game.to_string()]);
        if let ("rules", rules) = self.game.terms() {
            words.extend(["--rules".into(), rules]);
        }
        words.extend(["--openings".into(), self.openings.suite.to_string()]);
        let games = self.openings.games.map(|games| games.to_string());
        let sprt = self.sprt.map(|sprt| sprt.to_string());
        let threads = self.threads.map(|threads| threads.to_string());
        for (flag, value) in [("--games", games), ("--sprt", sprt), ("--threads", threads)] {
            words.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        }
        let path = path.to_str().ok_or_else(|| {
            Refusal::failed("the folder of matches has a name that is no text: give another")
        })?;
        words.extend(["--quiet".into(), format!("--games-out={path}")]);
        Ok(words)
    }
}

/// Openings by their text, which may name no file: that is for who sits at this machine.
fn suite(text: &str) -> Result<Suite, Refusal> {
    match text.parse::<Suite>() {
        Ok(Suite::File(_)) => {
            let form = "write plies:K or random:N,plies=K,seed=S";
            Err(Refusal::wrong(format!("openings is {text:?}: {form}")))
        }
        Ok(suite) => Ok(suite),
        Err(error) => Err(Refusal::wrong(format!("openings: {error}"))),
    }
}

/// A specification as text that means the same.
fn written(spec: &Spec) -> Result<String, Refusal> {
    let text = spec.to_string();
    match text.parse::<Spec>() {
        Ok(read) if read == *spec => Ok(text),
        _ => Err(Refusal::wrong("player: the folder of the run has a double quote in its name")),
    }
}

/// The name of the match and its file, which is free.
fn place(desk: &Desk, asked: &MatchAsked, wanted: &Wanted) -> Result<(Reserved, PathBuf), Refusal> {
    let path = |name: &str| desk.match_files.folder().join(format!("{name}{ENDING}"));
    // Something else than a file may be in the way, too.
    let is_free = |name: &str| path(name).symlink_metadata().is_err();
    if let Some(name) = &asked.name {
        if !is_good_name(name) {
            let rule = "a name has letters, digits, dots, dashes and underscores, 64 at most";
            return Err(Refusal::wrong(format!("name is {name:?}: {rule}")));
        }
        let place = desk.jobs.reserve(Purpose::Match, name).ok_or_else(|| being_begun(name))?;
        if !is_free(name) {
            return Err(Refusal::conflict(format!("name is {name:?}: there is one already")));
        }
        return Ok((place, path(name)));
    }
    let [a, b] = wanted.players.each_ref().map(nickname);
    let name = format!("{a}-{b}");
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let names = [name.clone()].into_iter().chain(numbered).filter(|name| is_free(name));
    let mut places = names.filter_map(|name| desk.jobs.reserve(Purpose::Match, &name));
    let place = places.next().ok_or_else(|| being_begun(&name))?;
    let path = path(place.id());
    Ok((place, path))
}

/// What a player is called in a name: by its weights or its run, or by its kind.
fn nickname(spec: &Spec) -> String {
    let weights = spec.text("weights").and_then(|it| Path::new(it).file_name()?.to_str());
    let name = weights.unwrap_or(&spec.kind).chars();
    let fit = |letter: char| {
        if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '-' }
    };
    let name: String = name.map(fit).take(OF_A_NAME).collect();
    let name = name.trim_start_matches(|it: char| !it.is_ascii_alphanumeric());
    if name.is_empty() { "player".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_called_by_what_it_weighs() {
        for (spec, name) in [
            ("amateur", "amateur"),
            ("minimax:weights=learned,depth=9", "learned"),
            ("engine:weights=\"populations/a, b=c\",movetime=1s", "a--b-c"),
            ("minimax:weights=runs/ö", "player"),
        ] {
            let called = nickname(&spec.parse().unwrap());
            assert_eq!(called, name);
            assert!(is_good_name(&called));
        }
    }

    #[test]
    fn only_what_reads_back_is_written() {
        let of = |folder: &str| Spec {
            kind: "minimax".into(),
            options: vec![("weights".into(), folder.into()), ("depth".into(), "9".into())],
        };
        for folder in ["runs/a", "my runs/a, b=c", "runs/it's <b>", "-x", "", "a:b"] {
            assert_eq!(written(&of(folder)).unwrap().parse::<Spec>().unwrap(), of(folder));
        }
        for folder in ["a\"b", "\"a\"", "a\",depth=1,cmd=\"x"] {
            assert!(written(&of(folder)).is_err(), "{folder}");
        }
    }

    #[test]
    fn openings_are_never_a_file() {
        assert!(suite("plies:4").is_ok() && suite("random:20,plies=6").is_ok());
        for text in ["", "/etc/passwd", "plies", "../x", "plies:99", "random:x"] {
            assert!(suite(text).is_err(), "{text}");
        }
    }
}
