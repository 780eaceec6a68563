//! Helpers that run the program in a temporary folder.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use mancala::text::is_invisible;
use serde_json::Value;
use tempfile::TempDir;

use crate::validator::Validator;

pub static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| Validator::read(env!("CARGO_MANIFEST_DIR"), "json.schema.json"));

/// A temporary folder in which the program runs without access to the user's endgame tables.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the sorted file names in a folder.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let files = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the command that runs the program with space-separated arguments.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ayo-papers"));
        command.args(line.split_whitespace()).env("AYO_TABLES", "tables").current_dir(&self.0);
        command.stdin(Stdio::null());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        output(self.command(line))
    }

    /// Returns the output of a command that must succeed.
    pub fn text(&self, line: &str) -> String {
        let output = self.run(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns a command's JSON output after validating it against the schema.
    pub fn json(&self, line: &str) -> Value {
        let text = self.text(line);
        let output = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{line}: {e}: {text}"));
        SCHEMA.check(&output);
        output
    }

    /// Asserts that a command fails with the given exit code and an error that contains these words.
    pub fn refused(&self, line: &str, code: i32, words: &[&str]) {
        let output = self.run(line);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{line}: {error}");
        assert!(output.stdout.is_empty() && error.starts_with("ayo-papers: "), "{line}: {error}");
        for word in words {
            assert!(error.contains(word), "{line}: no {word:?} in {error}");
        }
    }
}

/// Runs a command and checks that it neither panics nor prints control characters.
pub fn output(mut command: Command) -> Output {
    let output = command.output().unwrap();
    for text in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(text).unwrap();
        assert!(!text.contains("panicked"), "{command:?}: {text}");
        let control = text.chars().find(|&c| is_invisible(c) && c != '\n' && c != '\t');
        assert_eq!(control, None, "{command:?}: {text}");
    }
    output
}
