//! How verbs print.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use super::error::usage;

/// Whether a picture can be written there, before work that is to be drawn.
pub(super) fn check_picture(output: Option<&Path>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    crate::report::check_ending(output).map_err(usage)?;
    Ok(crate::report::check_place(output)?)
}

/// Says something before long work. The work goes on even if the reader of the output has closed it.
pub(super) fn announce(text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a result as JSON over several lines.
pub(super) fn print_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string_pretty(found)?)?)
}

/// Prints a result as JSON in one line.
pub(super) fn print_json_line(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string(found)?)?)
}

/// As [`announce`], of an object that is a line of its own.
pub(super) fn announce_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    announce(&serde_json::to_string(found)?, out)
}
