//! `--workers`: who helps.

use std::sync::Arc;

use clap::Args;

use super::terminal::say;
use crate::arena::Helpers;
use crate::run::Trying;
use crate::workers::{Address, AddressError, Coordinator, SharedTrials, Terms};

/// The password of a server whose address has none, as redis-cli has it.
const PASSWORD: &str = "REDISCLI_AUTH";

/// The server that workers are found by.
#[derive(Debug, Args)]
pub(super) struct Help {
    /// Let workers help that are found by this Redis server: redis://[USER[:PASSWORD]@]HOST[:PORT]/. What comes out is
    /// the same. REDISCLI_AUTH is a password that nobody sees
    #[arg(long, value_name = "URL", value_parser = address)]
    workers: Option<Address>,
}

/// Those who help with a run.
#[derive(Debug, Clone)]
pub(super) enum Hands {
    Alone,
    Many(Arc<Coordinator>),
}

/// Reads an address. What is wrong with it is said without it.
pub(super) fn address(text: &str) -> Result<Address, AddressError> {
    let password = std::env::var(PASSWORD).ok();
    Ok(text.parse::<Address>()?.or_password(password.as_deref()))
}

impl Help {
    /// Those who help with what `what` says, from now on.
    pub(super) fn hands(&self, what: &str) -> anyhow::Result<Hands> {
        let Some(address) = &self.workers else { return Ok(Hands::Alone) };
        let tell = Box::new(|sentence: &str| say(sentence));
        let coordinator = Coordinator::start(address, what, Terms::default(), tell)?;
        Ok(Hands::Many(Arc::new(coordinator)))
    }
}

impl Hands {
    pub(super) fn helpers(&self) -> Arc<dyn Helpers> {
        match self {
            Hands::Alone => Arc::new(()),
            Hands::Many(coordinator) => Arc::new(Arc::clone(coordinator)),
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
