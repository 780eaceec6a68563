//! Readers of text.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

use ayo::analyse::ablate::Ablation;
use ayo::analyse::accuracy::AccuracyTest;
use ayo::arena::{GamesFile, Sprt, Suite, exchange};
use ayo::compare::{Budget, Contestant, read_comparison};
use ayo::matches::{Match, Tournament};
use ayo::optimise::Encoding;
use ayo::play;
use ayo::player::protocol::{Command, Reply};
use ayo::player::{Spec, build_for};
use ayo::plot::What;
use ayo::run::{
    DEFAULT_PRESET, Draft, Settings, best_of_generation, findings, read_strength, read_toml,
};
use mancala::eval::{FeatureSet, Format, Signs, export, export_standalone};
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, GameKind, Notated, with_game};
use mancala::search::{Options, SearchableGame};

/// Returns the bytes as text, with invalid UTF-8 replaced. The program rejects such files before parsing them.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Checks that a parsed value survives a round trip, and that an error can be displayed.
fn round<T: FromStr<Err: Display> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>().map(|it| it.to_string()).map_err(|it| it.to_string());
            assert_eq!(again.as_ref(), Ok(&written), "{text:?} is not read back");
        }
        Err(error) => _ = error.to_string(),
    }
}

fn tried<T: FromStr<Err: Display>>(text: &str) {
    _ = text.parse::<T>().map_err(|error| error.to_string());
}

/// Positions of ayo.
pub(crate) fn position(bytes: &[u8]) {
    round::<Position>(&text(bytes));
}

/// Lines of play, with their implied opening.
pub(crate) fn line(bytes: &[u8]) {
    let text = text(bytes);
    _ = Ayo::default().read_line(&text, None).map(|record| record.ending());
    _ = Ayo::read_plies(&text).map_err(|error| error.to_string());
}

/// A file of positions or games in the format named on its first line. What is read can be written in every format.
pub(crate) fn exchange(bytes: &[u8]) {
    let text = text(bytes);
    let (name, rest) = text.split_once('\n').unwrap_or(("", &text));
    let format = name.parse::<exchange::Format>().unwrap_or(exchange::Format::Ayo);
    let Ok(game) = format.game(rest) else { return };
    with_game!(game.unwrap_or_default(), game => {
        let entries = format.read(game, rest).unwrap_or_default();
        for to in exchange::Format::ALL {
            let fits = to.kind().is_none_or(|kind| kind == AnyGame::from(game).kind());
            for (number, entry) in (1..).zip(entries.iter().filter(|_| fits)) {
                _ = to.write(entry, number);
            }
        }
    });
}

/// A variant of kalah, followed by a line break and a position or line of play.
pub(crate) fn kalah(bytes: &[u8]) {
    let text = text(bytes);
    let (game, rest) = text.split_once('\n').unwrap_or(("", &text));
    round::<AnyGame>(game);
    let game = game.parse::<Kalah>().unwrap_or_default();
    _ = game.read_position(rest).map(|position| game.rows(&position));
    _ = game.read_line(rest, None).map(|record| record.ending());
}

/// Player specifications. Those that would start a program or open a file are only parsed.
pub(crate) fn spec(bytes: &[u8]) {
    let text = text(bytes);
    match text.parse::<Spec>() {
        Ok(spec) if !reaches_out(&spec) => {
            _ = build_for(&text, Ayo::default()).map(|_| ()).map_err(|error| error.to_string());
            _ = build_for(&text, Kalah::default()).map(|_| ()).map_err(|error| error.to_string());
        }
        Ok(_) => {}
        Err(error) => _ = error.to_string(),
    }
}

fn reaches_out(spec: &Spec) -> bool {
    let opens = |(key, value): &(String, String)| {
        matches!(key.as_str(), "tables" | "training" | "cmd") || value.contains('/')
    };
    spec.kind == "uci" || spec.kind == "amdf" || spec.options.iter().any(opens)
}

/// Values of options.
pub(crate) fn option(bytes: &[u8]) {
    let text = text(bytes);
    round::<Rules>(&text);
    round::<AnyGame>(&text);
    round::<FeatureSet>(&text);
    round::<Signs>(&text);
    round::<Encoding>(&text);
    round::<Budget>(&text);
    tried::<Suite>(&text);
    tried::<Sprt>(&text);
    tried::<Contestant>(&text);
    tried::<Format>(&text);
    tried::<What>(&text);
}

/// Settings in TOML, as in `run.toml` and in files for `--config`.
pub(crate) fn settings(bytes: &[u8]) {
    let read = |text: &str| {
        let table = read_toml(text)?;
        _ = Draft::from_whole_table(&table).and_then(Draft::finish).map_err(|it| it.to_string());
        Draft::from_table(&table)?.finish()
    };
    match read(&text(bytes)) {
        Ok(value) => {
            let again = read(&value.to_toml()).map_err(|error| error.to_string());
            assert_eq!(again.as_ref(), Ok(&value), "it is not read back");
        }
        Err(error) => _ = error.to_string(),
    }
}

/// Weights in JSON, TOML or CSV. Parsed weights are exported, and used by a player.
pub(crate) fn weights(bytes: &[u8]) {
    match mancala::eval::read(&text(bytes), "fuzzed") {
        Ok(value) => {
            let again = mancala::eval::read(&export_standalone(&value, Format::Json), "fuzzed");
            assert_eq!(again.ok().as_ref(), Some(&value), "it is not read back");
            for format in Format::ALL {
                _ = export(&value, format);
            }
            if value.features().game() == GameKind::Ayo {
                _ = Ayo::searcher(&value, Options::default()).to_string();
            }
        }
        Err(error) => _ = error.to_string(),
    }
}

/// Files of printed games or of matches.
pub(crate) fn games(bytes: &[u8]) {
    let text = text(bytes);
    _ = GamesFile::game(&text);
    _ = GamesFile::examine(&text);
    match GamesFile::transcripts(&Ayo::default(), &text) {
        Ok(games) => {
            for game in games {
                _ = game.comment.as_deref().map(GamesFile::forfeit);
                _ = Ayo::default().replay(game.opening, &game.plies);
            }
        }
        Err(error) => drop(error),
    }
    let kalah = Kalah::default();
    for game in GamesFile::transcripts(&kalah, &text).unwrap_or_default() {
        _ = kalah.replay(game.opening, &game.plies);
    }
}

/// Both sides of the engine protocol, and user input.
pub(crate) fn protocol(bytes: &[u8]) {
    let text = text(bytes);
    for line in text.lines() {
        _ = line.parse::<Command>().map_err(|error| (error.to_string(), error.is_position));
        if let Some(reply) = Reply::parse(line) {
            assert!(Reply::parse(&reply.to_string()).is_some(), "{line:?} is not read back");
        }
        _ = play::parse(line, 6).map_err(|error| error.to_string());
    }
}

static RUN: LazyLock<Settings> =
    LazyLock::new(|| Draft::preset(DEFAULT_PRESET).and_then(Draft::finish).expect("a preset"));

/// `history.csv`.
pub(crate) fn history(bytes: &[u8]) {
    let text = text(bytes);
    for generation in [1, 2, 40, u32::MAX] {
        _ = best_of_generation(&text, generation, &RUN);
    }
    _ = findings(&[], &text, 10);
}

/// `strength.csv`.
pub(crate) fn strength(bytes: &[u8]) {
    let text = text(bytes);
    let measurements = read_strength(&text, &RUN);
    _ = findings(&measurements, "", 10);
}

/// A CSV file with the results of a comparison.
pub(crate) fn comparison(bytes: &[u8]) {
    _ = read_comparison(&text(bytes));
}

/// JSON results from which pictures are drawn.
pub(crate) fn results(bytes: &[u8]) {
    let text = text(bytes);
    _ = serde_json::from_str::<Match>(&text);
    _ = serde_json::from_str::<Tournament>(&text);
    _ = serde_json::from_str::<Ablation>(&text);
    _ = serde_json::from_str::<AccuracyTest>(&text);
}
