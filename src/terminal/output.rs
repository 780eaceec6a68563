//! Helpers for the output of commands.

use std::io::{self, Write};
use std::path::Path;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Checks that a picture can be written to `output`. Called before the work whose result the picture shows, which may
/// take hours.
pub(crate) fn check_picture(output: Option<&Path>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    crate::plot::check_place(output).map_err(crate::plot::Error::for_user)
}

/// Prints a line before work that takes long. If the output is closed, this is no error, so that the work continues.
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

/// Prints a result as JSON on one line, like [`announce`].
pub(crate) fn announce_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    announce(&serde_json::to_string(found)?, out)
}

/// Serialises pairs as an object, in order.
pub(crate) fn as_map<T: Serialize, S: Serializer>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Removes those `optional` fields of an object that are `null` or an empty list.
pub(crate) fn without_empty(mut object: Value, optional: &[&str]) -> Value {
    if let Some(fields) = object.as_object_mut() {
        let is_empty =
            |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        fields.retain(|name, value| !optional.contains(&name.as_str()) || !is_empty(value));
    }
    object
}

/// Joins sentences into one line. Returns `None` for an empty list.
pub(crate) fn joined(sentences: &[String]) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join("; "))
}
