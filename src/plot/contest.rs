//! Plots the results of the commands tournament, match, ablate and accuracy (printed with
//! `--json`), and the files written by `ayo compare`. Each result is plotted separately.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{Canvas, Selection, What, input, invalid, nothing};
use crate::analyse::{ablate, accuracy};
use crate::compare::{self, comparison_header};
use crate::matches::{tournament, two_players};
use crate::terminal::shown;

type Draw = fn(&str) -> Result<Canvas, String>;

/// The supported kinds of results, each with the name of its plot and the function that draws it.
const KINDS: [(&str, What, Draw); 5] = [
    ("tournament", What::Ratings, |text| tournament::picture(&parse(text)?)),
    ("match", What::Pairs, |text| two_players::picture(&parse(text)?)),
    ("comparison", What::Comparison, compare::picture::picture),
    ("ablation", What::Ablation, |text| ablate::picture::picture(&parse(text)?)),
    ("accuracy", What::Accuracy, |text| accuracy::picture::picture(&parse(text)?)),
];

/// Draws the input if it is a result. Fails if a result is combined with other inputs.
pub(crate) fn picture(inputs: &[PathBuf], selection: &Selection) -> anyhow::Result<Option<Canvas>> {
    for path in inputs.iter().filter(|path| path.is_file()) {
        let text = input::text(path)?;
        let kind = match comparison_header(&text) {
            Some(_) => Some("comparison".to_owned()),
            None => input::kind(&text),
        };
        let found = KINDS.into_iter().find(|it| kind.as_deref() == Some(it.0));
        let Some((kind, of_kind, draw)) = found else { continue };
        if inputs.len() > 1 {
            let reason = format!("the results of a {kind} cannot be combined with other inputs");
            return Err(invalid(path, reason));
        }
        selection.check_no_runs()?;
        if let Some(what) = selection.what.filter(|what| *what != of_kind) {
            return Err(nothing(what));
        }
        return draw(&text).map(Some).map_err(refused(kind, path));
    }
    Ok(None)
}

/// Writes a plot of a result, if the user asked for one. `out` is `None` if we printed JSON.
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

fn refused(kind: &str, path: &Path) -> impl Fn(String) -> anyhow::Error {
    move |reason| invalid(path, format!("cannot draw the results of this {kind}: {reason}"))
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
