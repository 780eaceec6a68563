//! Files of results: weights, games, comparisons, and JSON that was printed.

use std::path::Path;

use arena::GamesFile;
use mancala::eval::{self, LoadError};
use mancala::store;
use serde_json::Value;

use super::shell::Shell;
use crate::compare::{COMPARISON_HEADER, ComparisonError, Searched, WrongLine, read_comparison};
use crate::results::ExaminedFile;

/// Examines a file by what it looks like.
pub(super) fn examine(path: &Path, file: &str, shell: &Shell) -> ExaminedFile {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !["json", "toml", "csv", "games", "txt", ""].contains(&ending.as_str()) {
        return ExaminedFile::unchecked(file, "not looked into");
    }
    let is_document = ["json", "toml"].contains(&ending.as_str());
    let read = if is_document {
        store::read_document(path).map(String::into_bytes)
    } else {
        store::read(path)
    };
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(reason) => return ExaminedFile::damaged(file, "unknown", reason),
    };
    let text = String::from_utf8_lossy(&bytes);
    let kept = Kept { path, file, shell };
    if let Some((games, wrong)) = GamesFile::examine(&text) {
        let wrong = wrong.map(|(line, reason)| WrongLine { line: line as u64, reason });
        return kept.told(format!("games of a match or tournament: {games}"), wrong);
    }
    // One that was cut off in its header holds nothing yet.
    if ending == "csv" && text.starts_with("contestant,") {
        return kept.comparison(&text);
    }
    match ending.as_str() {
        "json" => json(path, file, &text),
        "csv" if text.starts_with("feature,") => weights(path, file),
        "toml" if text.contains("weights") => weights(path, file),
        _ => ExaminedFile::unchecked(file, "not looked into"),
    }
}

fn json(path: &Path, file: &str, text: &str) -> ExaminedFile {
    let read: Result<Value, _> = serde_json::from_str(text);
    match read {
        Err(reason) => ExaminedFile::damaged(file, "JSON", reason),
        Ok(value) => match value.get("kind").and_then(Value::as_str) {
            Some("weights") => weights(path, file),
            Some(kind) => ExaminedFile::sound(file, format!("JSON of kind {kind}")),
            None if file == "champion.json" => weights(path, file),
            None => ExaminedFile::sound(file, "JSON"),
        },
    }
}

/// A file of weights.
pub(super) fn weights(path: &Path, file: &str) -> ExaminedFile {
    match eval::load(&path.to_string_lossy()) {
        Ok(weights) => {
            let features = weights.features().features().len();
            ExaminedFile::sound(file, format!("weights {} of {features} features", weights.name))
        }
        Err(LoadError::Content { reason, .. }) => ExaminedFile::damaged(file, "weights", reason),
        Err(LoadError::Damaged { byte, .. }) => {
            let what = format!("a bit of byte {byte} has changed since it was written");
            ExaminedFile::damaged(file, "weights", what)
        }
        Err(reason) => ExaminedFile::damaged(file, "weights", reason),
    }
}

/// A file of lines that a command goes on from.
struct Kept<'a> {
    path: &'a Path,
    file: &'a str,
    shell: &'a Shell,
}

impl Kept<'_> {
    fn comparison(&self, text: &str) -> ExaminedFile {
        let wrong = match read_comparison(text) {
            Ok(Searched { trials, unfinished, .. }) => {
                let cut =
                    if unfinished.is_some() { ", and a last one that was cut off" } else { "" };
                return self.told(format!("searches of a comparison: {}{cut}", trials.len()), None);
            }
            Err(ComparisonError::Other) if COMPARISON_HEADER.starts_with(text) => None,
            Err(ComparisonError::Other) => {
                Some(WrongLine { line: 1, reason: "it is not the header of a comparison".into() })
            }
            Err(ComparisonError::Line(wrong)) => Some(wrong),
        };
        self.told("searches of a comparison".into(), wrong)
    }

    /// A file whose lines before a wrong one are good, if one is wrong.
    fn told(&self, holds: String, wrong: Option<WrongLine>) -> ExaminedFile {
        let Some(wrong) = wrong else { return ExaminedFile::sound(self.file, holds) };
        let damaged = ExaminedFile::damaged(self.file, holds, &wrong);
        if wrong.line <= 1 {
            return damaged;
        }
        let path = self.path.to_string_lossy();
        // The ending stays, since it says what the file is.
        let sound = self.path.with_file_name(format!("sound-{}", self.file));
        let lines = (wrong.line - 1).to_string();
        let head = self.shell.words(&["head", "-n", &lines, "--", &path]);
        let command = format!("{head} > {}", self.shell.words(&[&sound.to_string_lossy()]));
        let saved =
            "the lines before it; the command that wrote the file goes on from a copy of them";
        damaged.saved_by(saved, Some(command))
    }
}
