//! `ayo serve` in a build without the page.

use std::io::Write;

use clap::Args;

use super::usage;

#[derive(Debug, Args)]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments, _: &mut dyn Write) -> anyhow::Result<()> {
    Err(usage("this ayo was built without the feature web; build it with its usual features"))
}
