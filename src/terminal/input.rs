//! Text input from a file or from standard input.

use std::path::Path;

use anyhow::Context;
use mancala::store;

use crate::terminal::shown;

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
