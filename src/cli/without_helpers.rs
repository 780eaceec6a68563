//! `--workers` in a build without workers.

use std::sync::Arc;

use clap::Args;

use super::usage;
use crate::run::{Elsewhere, Here, Trying};
use evolution::arena::Helpers;

/// What is said of a build that knows no server.
pub(super) const WITHOUT: &str = "this ayo was built without the feature redis; \"cargo install --features redis\" builds it with workers";

#[derive(Debug, Args)]
pub(super) struct Help {
    #[arg(long, value_name = "URL", hide = true)]
    workers: Option<String>,
}

/// Nobody.
#[derive(Debug, Clone)]
pub(super) struct Hands;

impl Help {
    pub(super) fn hands(&self, _: &str) -> anyhow::Result<Hands> {
        match self.workers {
            Some(_) => Err(usage(format!("--workers: {WITHOUT}"))),
            None => Ok(Hands),
        }
    }
}

impl Hands {
    pub(super) fn helpers(&self) -> Arc<dyn Helpers> {
        Arc::new(())
    }

    pub(super) fn elsewhere(&self) -> Option<Box<dyn Elsewhere>> {
        None
    }

    pub(super) fn trying(&self) -> Box<dyn Trying> {
        Box::new(Here)
    }
}
