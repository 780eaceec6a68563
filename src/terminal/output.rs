//! How verbs print.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::terminal::error::usage;

/// Whether a picture can be written there, before work that is to be drawn.
pub(crate) fn check_picture(output: Option<&Path>) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    crate::plot::check_ending(output).map_err(usage)?;
    Ok(crate::plot::check_place(output)?)
}

/// Says something before long work. The work goes on even if the reader of the output has closed it.
pub(crate) fn announce(text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints a result as JSON over several lines.
pub(crate) fn print_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string_pretty(found)?)?)
}

/// Prints a result as JSON in one line.
pub(crate) fn print_json_line(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string(found)?)?)
}

/// As [`announce`], of an object that is a line of its own.
pub(crate) fn announce_json(found: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    announce(&serde_json::to_string(found)?, out)
}
