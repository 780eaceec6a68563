//! Plots of the results printed by `ayo tournament --json`, `ayo match --json`, `ayo ablate --json` and
//! `ayo accuracy --json`, or saved by `ayo compare`. Each result is drawn as a separate picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{Canvas, Error, Selection, What, input};
use crate::analyse::{ablate, accuracy};
use crate::compare::{self, comparison_header};
use crate::matches::{tournament, two_players};
use crate::terminal::shown;

/// The picture for each `kind` field in a result file.
const KINDS: [(&str, What); 5] = [
    ("tournament", What::Ratings),
    ("match", What::Pairs),
    ("comparison", What::Comparison),
    ("ablation", What::Ablation),
    ("accuracy", What::Accuracy),
];

/// Draws the input if it is a result. Returns an error if there are other inputs besides the result.
pub(crate) fn picture(inputs: &[PathBuf], selection: &Selection) -> Result<Option<Canvas>, Error> {
    for path in inputs.iter().filter(|path| path.is_file()) {
        let text = input::text(path)?;
        let kind = match comparison_header(&text) {
            Some(_) => Some("comparison".to_owned()),
            None => input::kind(&text),
        };
        let Some((kind, of_kind)) = KINDS.into_iter().find(|it| kind.as_deref() == Some(it.0))
        else {
            continue;
        };
        if inputs.len() > 1 {
            let reason = format!("the results of a {kind} cannot be combined with other inputs");
            return Err(Error::input(path, reason));
        }
        selection.check_no_runs()?;
        if let Some(what) = selection.what.filter(|what| *what != of_kind) {
            return Err(Error::Nothing(what));
        }
        let picture = match of_kind {
            What::Ratings => parse(&text).and_then(|found| tournament::picture(&found)),
            What::Comparison => compare::picture::picture(&text),
            What::Ablation => parse(&text).and_then(|found| ablate::picture::picture(&found)),
            What::Accuracy => parse(&text).and_then(|found| accuracy::picture::picture(&found)),
            _ => parse(&text).and_then(|found| two_players::picture(&found)),
        };
        return picture.map(Some).map_err(refused(kind, path));
    }
    Ok(None)
}

/// Draws a printed result if a picture was requested. `out` is `None` if the result was printed as JSON.
pub(crate) fn write(
    picture: impl FnOnce() -> Result<Canvas, String>,
    kind: &str,
    output: Option<&Path>,
    out: Option<&mut dyn Write>,
) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    super::output::write(&picture().map_err(refused(kind, output))?, output)?;
    match out {
        Some(out) => Ok(writeln!(out, "\nwrote {}", shown(output))?),
        None => Ok(()),
    }
}

fn refused(kind: &str, path: &Path) -> impl Fn(String) -> Error {
    move |reason| Error::input(path, format!("cannot draw the results of this {kind}: {reason}"))
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
