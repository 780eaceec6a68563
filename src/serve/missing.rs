//! Replaces `ayo serve` in builds without the web page.

use std::io::Write;

use clap::Args;

use crate::terminal::usage;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_: &Arguments, _: &mut dyn Write) -> anyhow::Result<()> {
    Err(usage("this ayo was built without the feature \"web\"; build it with default features"))
}
