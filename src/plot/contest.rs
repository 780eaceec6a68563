//! Plots of the results printed by `ayo tournament --json`, `ayo match --json`, `ayo ablate --json` and
//! `ayo accuracy --json`, or saved by `ayo compare`. Each result is drawn as a separate picture.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::{Error, Picture, Selection, Target, What, input};
use crate::analyse::ablate;
use crate::analyse::accuracy::picture::AccuracyPicture;
use crate::compare::{comparison_header, picture as comparison};
use crate::matches::tournament::{self, Tournament};
use crate::matches::two_players::{self, Match};
use crate::terminal::shown;

/// The picture for each `kind` field in a result file.
const KINDS: [(&str, What); 5] = [
    ("tournament", What::Ratings),
    ("match", What::Pairs),
    ("comparison", What::Comparison),
    ("ablation", What::Ablation),
    ("accuracy", What::Accuracy),
];

/// If an input is a result, draws it and returns `true`. Returns an error if there are other inputs besides the result.
pub(crate) fn draw(
    inputs: &[PathBuf],
    selection: &Selection,
    target: &Target,
) -> Result<bool, Error> {
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
        let place = (kind, path.as_path(), target);
        match of_kind {
            What::Ratings => {
                let found = parse(&text).and_then(Tournament::check);
                replace(found.map(|found| tournament::picture(&found)), place)?;
            }
            What::Comparison => {
                let found = comparison::Results::parse(&text);
                replace(found.map(|found| comparison::Comparison::new(&found)), place)?;
            }
            What::Ablation => {
                replace(parse(&text).and_then(|found| ablate::picture::picture(&found)), place)?;
            }
            What::Accuracy => {
                replace(parse(&text).and_then(|found| AccuracyPicture::new(&found)), place)?;
            }
            _ => {
                let found = parse(&text).and_then(Match::check);
                replace(found.map(|found| two_players::picture(&found)), place)?;
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// Draws a printed result if a picture was requested. `out` is `None` if the result was printed as JSON.
pub(crate) fn write<P: Picture>(
    picture: impl FnOnce() -> Result<P, String>,
    kind: &'static str,
    output: Option<&Path>,
    out: Option<&mut dyn Write>,
) -> anyhow::Result<()> {
    let Some(output) = output else { return Ok(()) };
    replace(picture(), (kind, output, &Target::new(output)?))?;
    match out {
        Some(out) => Ok(writeln!(out, "\nwrote {}", shown(output))?),
        None => Ok(()),
    }
}

/// Draws the results read from the file at `path`.
fn replace(
    picture: Result<impl Picture, String>,
    (kind, path, target): (&str, &Path, &Target),
) -> Result<(), Error> {
    let refused = |reason| format!("cannot draw the results of this {kind}: {reason}");
    target.replace(&picture.map_err(|reason| Error::input(path, refused(reason)))?)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
