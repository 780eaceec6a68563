//! Converts games files of version 0.1, which used its own text format, to JSON Lines.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use arena::{Heading, SavedGame, SavedGames};
use mancala::store::{self, Log};
use serde_json::json;

use crate::terminal::shown;

/// Converts a file in place. The file is replaced only if all of its games are valid.
pub(crate) fn convert_file(path: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let name = shown(path);
    if Log::is_open(path) {
        bail!("{name} is in use by another process");
    }
    let text = String::from_utf8(store::read(path)?);
    let converted = convert(&text.with_context(|| name.clone())?).with_context(|| name.clone())?;
    store::write_output(path, converted.as_bytes())?;
    let games = converted.lines().count() - 1;
    writeln!(out, "converted {name}: games {games}; repeat the original command to resume")?;
    Ok(())
}

/// Converts the text to JSON Lines. An incomplete last line is dropped.
fn convert(text: &str) -> anyhow::Result<String> {
    let text = text.rfind('\n').map_or("", |end| &text[..=end]);
    let count = text.lines().take_while(|line| line.starts_with("# ")).count();
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.by_ref().take(count).collect();
    let mut converted = convert_heading(&heading)?.line();
    for (number, line) in (count + 1..).zip(lines) {
        let game = convert_game(line).with_context(|| format!("line {number} is not a game"))?;
        converted += &game.to_line();
    }
    let games = SavedGames::read_all(converted.as_bytes())?;
    if let Some(error) = games.error {
        bail!("line {}: {}", error.line + count - 1, error.reason);
    }
    Ok(converted)
}

fn convert_heading(lines: &[&str]) -> anyhow::Result<Heading> {
    let field =
        |name: &str| lines.iter().find_map(|line| line.strip_prefix("# ")?.strip_prefix(name));
    let required = |name: &str| field(name).with_context(|| format!("\"# {name}\" is missing"));
    let form = field("ayo games 1: ")
        .context("not a games file of version 0.1")?
        .split(';')
        .next()
        .unwrap_or_default();
    let players = (1..).map_while(|number| {
        let spec = field(&format!("player {number}: "))?;
        Some(json!({ "spec": spec, "identity": field(&format!("player {number} is "))? }))
    });
    let index = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
    let pairing = |text: &str| {
        let (a, b) = text.split_once('-')?;
        Some([index(a)?, index(b)?])
    };
    let pairings: Option<Vec<_>> = required("pairings: ")?.split(' ').map(pairing).collect();
    let game = match field("rules: ") {
        Some(rules) => format!("ayo {rules}"),
        None => required("game: ")?.to_owned(),
    };
    let positions = required("positions: ")?.split_once(", crc32 ");
    let (positions, crc32) = positions.context("\"# positions: \" has no checksum")?;
    let heading = json!({
        "kind": "games",
        "version": 2,
        "form": form,
        "players": players.collect::<Vec<_>>(),
        "pairings": pairings.context("\"# pairings: \" is invalid")?,
        "game": game,
        "openings": required("openings: ")?,
        "positions": positions.parse::<usize>()?,
        "crc32": u32::from_str_radix(crc32, 16)?,
        "sprt": field("sprt: "),
    });
    Ok(serde_json::from_value(heading)?)
}

/// Parses `game 17: POSITION MOVES # nodes 120 340; 1-0; 26-14; ENDING`.
fn convert_game(line: &str) -> Option<SavedGame> {
    let (number, rest) = line.strip_prefix("game ")?.split_once(": ")?;
    let (played, comment) = rest.split_once(" # nodes ")?;
    let (opening, moves) = played.split_once(' ').unwrap_or((played, ""));
    let mut parts = comment.splitn(4, "; ");
    let (one, other) = parts.next()?.split_once(' ')?;
    let result = parts.next()?.into();
    let (first, second) = parts.next()?.split_once('-')?;
    Some(SavedGame {
        game: number.parse().ok()?,
        opening: opening.into(),
        line: moves.into(),
        nodes: [one.parse().ok()?, other.parse().ok()?],
        result,
        stores: [first.parse().ok()?, second.parse().ok()?],
        end: parts.next()?.into(),
        study: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = include_str!("../../tests/data/games-of-0.1.games");

    #[test]
    fn a_file_of_0_1_is_converted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        std::fs::write(&path, OLD).unwrap();
        convert_file(&path, &mut Vec::new()).unwrap();
        let games = SavedGames::read_all(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!((games.count(), &games.error), (6, &None));
        assert_eq!(games.heading.players[1].identity, "random seed 3");
        let cut = &OLD[..OLD.len() - 9];
        assert_eq!(convert(cut).unwrap().lines().count(), 6);
    }

    #[test]
    fn an_invalid_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        for (from, to) in [
            ("games 1:", "games 2:"),
            ("pairings: 1-2", "pairings: 0-2"),
            ("game 3: ", "game 4: "),
            ("; 1-0; ", "; 0-1; "),
        ] {
            let text = OLD.replacen(from, to, 1);
            std::fs::write(&path, &text).unwrap();
            convert_file(&path, &mut Vec::new()).unwrap_err();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
