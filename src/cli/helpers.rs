//! `--workers`: who helps.

use std::sync::Arc;

use clap::Args;

use super::terminal::say;
use super::usage;
use crate::run::{Elsewhere, Trying};
use crate::workers::{Address, Coordinator, Crew, SharedRuns, SharedTrials, Terms};
use evolution::arena::Helpers;

/// The password of a server whose address has none, as redis-cli has it.
const PASSWORD: &str = "REDISCLI_AUTH";

/// The server that workers are found by.
#[derive(Debug, Args)]
pub(super) struct Help {
    /// Let workers help that are found by this Redis server: redis://[USER[:PASSWORD]@]HOST[:PORT]/. What comes out is
    /// the same. REDISCLI_AUTH is a password that nobody sees
    #[arg(long, value_name = "URL")]
    workers: Option<String>,
}

/// Those who help with a run.
#[derive(Debug, Clone)]
pub(super) enum Hands {
    Alone,
    Many(Arc<Coordinator>),
}

/// Reads an address that `flag` gave. Only here, since clap repeats what it refuses, and a password may stand in it.
pub(super) fn address(flag: &str, text: &str) -> anyhow::Result<Address> {
    let address = text.parse::<Address>().map_err(|error| usage(format!("{flag}: {error}")))?;
    Ok(address.or_password(std::env::var(PASSWORD).ok().as_deref()))
}

impl Help {
    /// Those who help with what `what` says, from now on.
    pub(super) fn hands(&self, what: &str) -> anyhow::Result<Hands> {
        let Some(text) = &self.workers else { return Ok(Hands::Alone) };
        let address = address("--workers", text)?;
        let tell = Box::new(|sentence: &str| say(sentence));
        let coordinator = Coordinator::start(&address, what, Terms::default(), tell)?;
        Ok(Hands::Many(Arc::new(coordinator)))
    }
}

impl Hands {
    pub(super) fn helpers(&self) -> Arc<dyn Helpers> {
        match self {
            Hands::Alone => Arc::new(()),
            Hands::Many(coordinator) => Arc::new(Crew(Arc::clone(coordinator))),
        }
    }

    /// Others who train whole runs.
    pub(super) fn elsewhere(&self) -> Option<Box<dyn Elsewhere + '_>> {
        match self {
            Hands::Alone => None,
            Hands::Many(coordinator) => Some(Box::new(SharedRuns(coordinator))),
        }
    }

    /// Where the searches of a comparison are done.
    pub(super) fn trying(&self) -> Box<dyn Trying + '_> {
        match self {
            Hands::Alone => Box::new(crate::run::Here),
            Hands::Many(coordinator) => Box::new(SharedTrials(coordinator)),
        }
    }
}
