//! Examines files that contain results: weights, games, comparisons and JSON output.

use std::path::Path;

use crate::compare::{COMPARISON_HEADER, ComparisonError, Searched, read_comparison};
use arena::{GamesFile, LineError};
use evolve::run::is_layer;
use mancala::eval::{self, Layer, LoadError};
use mancala::store;
use serde_json::Value;

use super::ExaminedFile;
use crate::terminal::{shell::quoted, shell::typed};

pub(super) fn examine(path: &Path, file: &str) -> ExaminedFile {
    if is_layer(file) {
        return learned_layer(path, file);
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let read = match extension.as_str() {
        "json" | "toml" => store::read_document(path).map(String::into_bytes),
        "csv" | "games" | "txt" | "" => store::read(path),
        _ => return ExaminedFile::unchecked(file, "not checked"),
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(reason) => return ExaminedFile::damaged(file, "unknown", reason),
    };
    let text = String::from_utf8_lossy(&bytes);
    if let Some((games, wrong)) = GamesFile::examine(&text) {
        return lines(path, file, format!("games of a match or tournament: {games}"), wrong);
    }
    match extension.as_str() {
        // The header may be truncated, so we only look at its beginning.
        "csv" if text.starts_with("contestant,") => comparison(path, file, &text),
        "csv" if text.starts_with("feature,") => weights(path, file),
        "toml" if text.contains("weights") => weights(path, file),
        "json" => json(path, file, &text),
        _ => ExaminedFile::unchecked(file, "not checked"),
    }
}

pub(super) fn learned_layer(path: &Path, file: &str) -> ExaminedFile {
    let holds = "learned features";
    match super::decode(path, Layer::decode) {
        Ok(layer) if file == layer.file_name() => {
            ExaminedFile::sound(file, format!("{holds}: {} units", layer.units()))
        }
        Ok(layer) => ExaminedFile::damaged(file, holds, format!("it is {}", layer.file_name())),
        Err(reason) => ExaminedFile::damaged(file, holds, reason),
    }
}

fn json(path: &Path, file: &str, text: &str) -> ExaminedFile {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(reason) => return ExaminedFile::damaged(file, "JSON", reason),
    };
    match value.get("kind").and_then(Value::as_str) {
        Some("weights") => weights(path, file),
        Some(kind) => ExaminedFile::sound(file, format!("JSON of kind {kind}")),
        None if file == "champion.json" => weights(path, file),
        None => ExaminedFile::sound(file, "JSON"),
    }
}

pub(super) fn weights(path: &Path, file: &str) -> ExaminedFile {
    let damage = match eval::load(&path.to_string_lossy()) {
        Ok(weights) => {
            let features = weights.features().features().len();
            let holds = format!("weights {} of {features} features", weights.name);
            return ExaminedFile::sound(file, holds);
        }
        Err(LoadError::Content { reason, .. }) => reason.to_string(),
        Err(LoadError::Damaged { byte, .. }) => {
            format!("a bit of byte {byte} has changed")
        }
        Err(reason) => reason.to_string(),
    };
    ExaminedFile::damaged(file, "weights", damage)
}

fn comparison(path: &Path, file: &str, text: &str) -> ExaminedFile {
    let holds = "searches of a comparison";
    let wrong = match read_comparison(text) {
        Ok(Searched { trials, unfinished, .. }) => {
            let cut = if unfinished.is_some() { ", and a last line that was cut off" } else { "" };
            return ExaminedFile::sound(file, format!("{holds}: {}{cut}", trials.len()));
        }
        Err(ComparisonError::Other) if COMPARISON_HEADER.starts_with(text) => None,
        Err(ComparisonError::Other) => {
            Some(LineError { line: 1, reason: "it is not a comparison header".into() })
        }
        Err(ComparisonError::Line(wrong)) => Some(wrong),
    };
    lines(path, file, holds.into(), wrong)
}

/// Reports the first invalid line, if any. The lines before it are valid, so they can be recovered.
fn lines(path: &Path, file: &str, holds: String, wrong: Option<LineError>) -> ExaminedFile {
    let Some(wrong) = wrong else { return ExaminedFile::sound(file, holds) };
    let damaged = ExaminedFile::damaged(file, holds, &wrong);
    if wrong.line <= 1 {
        return damaged;
    }
    // We add a prefix rather than a suffix, because the file type depends on the extension.
    let copy = path.with_file_name(format!("sound-{file}"));
    let good = (wrong.line - 1).to_string();
    let head = typed(&["head", "-n", &good, "--", &path.to_string_lossy()]);
    let command = format!("{head} > {}", quoted(&copy.to_string_lossy()));
    let saved =
        "the lines before the damage; copy them to a file and repeat the command that wrote them";
    damaged.saved_by(saved, Some(command))
}
