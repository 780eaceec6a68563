//! The results that `ayo tournament --json`, `ayo match --json`, `ayo ablate --json` and
//! `ayo accuracy --json` print and that `ayo compare` leaves.
//!
//! Everything is checked here, once: what these types hold can be drawn without another look.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::error::Error;
use super::input;
use crate::analyse::ablate::picture as ablation;
use crate::analyse::accuracy::picture as accuracy;
use crate::compare::comparison_header;
use crate::compare::picture as comparison;
use crate::matches::tournament::Tournament;
use crate::matches::two_players::Match;

/// What a file of results holds.
pub(crate) enum Contest {
    Tournament(Tournament),
    Match(Box<Match>),
    Comparison(comparison::Results),
    Ablation(crate::analyse::ablate::Ablation),
    Accuracy(crate::analyse::accuracy::AccuracyTest),
}

/// The results that the one input holds; `None` if the inputs are runs or weights.
pub(crate) fn read(inputs: &[PathBuf]) -> Result<Option<Contest>, Error> {
    let mut files = inputs.iter().filter(|path| path.is_file());
    let found = files.find_map(|path| kind_of(path).transpose().map(|found| (path, found)));
    let Some((path, found)) = found else {
        return Ok(None);
    };
    let (kind, text) = found?;
    if inputs.len() > 1 {
        return Err(Error::Alone { path: path.into(), kind });
    }
    let contest = match kind {
        TOURNAMENT => {
            parse::<Tournament>(&text).and_then(Tournament::check).map(Contest::Tournament)
        }
        COMPARISON => comparison::Results::parse(&text).map(Contest::Comparison),
        ABLATION => parse(&text)
            .and_then(|found| ablation::check(&found).map(|()| Contest::Ablation(found))),
        ACCURACY => parse(&text)
            .and_then(|found| accuracy::check(&found).map(|()| Contest::Accuracy(found))),
        _ => parse::<Match>(&text).and_then(Match::check).map(|found| Contest::Match(found.into())),
    };
    contest.map(Some).map_err(|reason| Error::Results { path: path.into(), kind, reason })
}

const TOURNAMENT: &str = "tournament";
const MATCH: &str = "match";
const COMPARISON: &str = "comparison";
const ABLATION: &str = "ablation";
const ACCURACY: &str = "accuracy";

/// Which results a file says that it holds, and its text; `None` if it says something else.
fn kind_of(path: &Path) -> Result<Option<(&'static str, String)>, Error> {
    let text = input::text(path)?;
    if comparison_header(&text).is_some() {
        return Ok(Some((COMPARISON, text)));
    }
    let kind = input::kind(&text);
    let known = [TOURNAMENT, MATCH, ABLATION, ACCURACY]
        .into_iter()
        .find(|known| kind.as_deref() == Some(known));
    Ok(known.map(|kind| (kind, text)))
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
