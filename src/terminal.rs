//! Standard output and standard error. Commands write all their output through this module.
//!
//! Names and messages may come from files, folders and other programs, so characters that control a
//! terminal are escaped here. This uses JSON syntax, so that JSON on standard output stays valid.
//! Text that must stay on one line, such as the name of a folder, must be passed through `shown`.

mod format;
mod output;
mod progress;
pub(crate) mod shell;

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context;
use mancala::store;
use mancala::text::{escape, escape_lines};
use serde::{Serialize, Serializer};
use serde_json::Value;

pub use self::progress::{Meter, Verbosity};
pub(crate) use self::{format::*, output::*, progress::*};

static PLAIN: OnceLock<bool> = OnceLock::new();

/// Turns plain output on if the user asked for it or the terminal is dumb.
pub(crate) fn set_plain(is_requested: bool) {
    let is_dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    let _ = PLAIN.set(is_requested || is_dumb);
}

/// Returns whether to print progress as lines and to describe boards in words.
pub(crate) fn is_plain() -> bool {
    PLAIN.get().copied().unwrap_or(false)
}

/// Prints a line to standard error. Ignores errors, so that work continues even if standard error is closed.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", error_line(&line.to_string()));
}

/// Like [`say`], but for errors that end the program.
pub(crate) fn fail(sentence: impl Display) {
    say(format!("ayo: {sentence}"));
}

/// Like [`say`], but for warnings, after which the work continues.
pub(crate) fn warn(sentence: impl Display) {
    say(format!("ayo: warning: {sentence}"));
}

/// Like [`say`], but first ends the current line, for instance after the `^C` echoed by a terminal.
pub(crate) fn say_below(line: impl Display) {
    let _ = writeln!(io::stderr());
    say(line);
}

pub(crate) fn say_lines(text: &str) {
    let _ = write!(io::stderr(), "{}", escape_lines(text));
}

/// Escapes a path or an external name for use in a sentence or table.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    escape(&name.as_ref().to_string_lossy()).into_owned()
}

/// An error in the usage of the command line. All other errors have a different exit code.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(String);

/// Converts an error to a [`Usage`] error, for use in `map_err`.
pub fn usage(error: impl Display) -> anyhow::Error {
    Usage(error.to_string()).into()
}

/// Formats an error with its causes. Skips a cause if the message so far already ends with it.
pub(crate) fn sentence(error: &anyhow::Error) -> String {
    error.chain().map(|cause| cause.to_string()).fold(String::new(), |said, cause| {
        match said.as_str() {
            "" => cause,
            _ if said.ends_with(&cause) => said,
            _ => format!("{said}: {cause}"),
        }
    })
}

pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Reads a file, or standard input if the path is `-`.
pub(crate) fn read_input(file: &Path) -> anyhow::Result<Text> {
    if file == Path::new("-") {
        let text = store::read_standard_input().context("cannot read standard input")?;
        return Ok(Text { name: "standard input".into(), text });
    }
    Ok(Text { name: shown(file), text: store::read_document(file)? })
}

/// Checks that a plot can be written to `output`, in order to fail early when the work may take hours.
pub(crate) fn check_picture(output: Option<&Path>) -> anyhow::Result<()> {
    output.map_or(Ok(()), crate::plot::check_place)
}

/// Prints a line before lengthy work. Ignores a closed output, so that the work goes ahead without it.
pub(crate) fn announce(text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) fn print_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string_pretty(found)?)?)
}

pub(crate) fn print_json_line(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string(found)?)?)
}

/// Prints a result as one line of JSON. Like [`announce`], ignores a closed output.
pub(crate) fn announce_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    announce(&serde_json::to_string(found)?, out)
}

/// Serialises pairs of names and values as a map, for `serialize_with`.
pub(crate) fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Removes each field named in `optional` from an object if the field's value is `null` or an empty list.
pub(crate) fn without_empty(mut object: Value, optional: &[&str]) -> Value {
    if let Some(fields) = object.as_object_mut() {
        let is_empty =
            |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        fields.retain(|name, value| !optional.contains(&name.as_str()) || !is_empty(value));
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_of_an_error_is_named_once() {
        let missing = mancala::store::read(std::path::Path::new("no/such/file")).unwrap_err();
        let said = sentence(&anyhow::Error::from(missing).context("the run stopped"));
        assert_eq!(said.matches("cannot read no/such/file: ").count(), 1, "{said}");
        assert_eq!(said.matches("os error").count(), 1, "{said}");
        assert!(said.starts_with("the run stopped: cannot read"), "{said}");
    }
}
