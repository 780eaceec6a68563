//! How an engine is started and asked, as a specification has it.

use std::time::Duration;

use crate::player::settings::{limits, time};
use crate::player::spec::{Spec, SpecError};
use mancala::search::Limits;

/// Time for an answer if no timeout is given.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// How an engine is started and asked.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// What it may spend on a move.
    pub(super) limits: Limits,
    /// How long it may take to answer, beyond the time that a limit gives it.
    pub(super) timeout: Duration,
    /// Its settings.
    pub(super) options: Vec<(String, String)>,
}

impl Setup {
    /// The setup that a specification describes.
    pub(super) fn read(spec: &Spec) -> Result<Setup, SpecError> {
        let Some(command) = spec.text("cmd") else {
            let (key, example) = ("cmd".into(), "\"PROGRAM ARGUMENTS\"".into());
            return Err(SpecError::Missing { kind: spec.kind.clone(), key, example });
        };
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words =
            words.ok_or_else(|| spec.unexpected("cmd", command, "a program and its arguments"))?;
        Ok(Setup {
            words,
            limits: limits(spec)?,
            timeout: time(spec, "timeout")?.unwrap_or(DEFAULT_TIMEOUT),
            options: options(spec)?,
        })
    }
}

/// The settings `option.NAME`, in the order given.
fn options(spec: &Spec) -> Result<Vec<(String, String)>, SpecError> {
    let mut options = Vec::new();
    for (key, value) in &spec.options {
        let Some(name) = key.strip_prefix("option.") else {
            continue;
        };
        if [name, value].iter().any(|text| text.contains(['\n', '\r'])) {
            return Err(spec.unexpected(key, value, "one line"));
        }
        options.push((name.into(), value.clone()));
    }
    Ok(options)
}
