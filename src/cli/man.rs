//! `ayo man`: manual pages.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Command};
use clap_mangen::Man;

use crate::terminal::shown;
use mancala::store;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder for the pages of all commands; without it, the page of ayo itself is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
To install the pages: ayo man ~/.local/share/man/man1
To view a page without installing: ayo man | man -l -";

pub(super) fn run(arguments: &Arguments, mut command: Command, out: &mut dyn Write) -> Result<()> {
    command.build();
    let Some(folder) = &arguments.folder else { return Ok(out.write_all(&page(&command)?)?) };
    store::create_folder(folder)?;
    let written = write_all(&command, folder)?;
    Ok(writeln!(out, "wrote {written} pages to {}", shown(folder))?)
}

/// Writes the pages of a command and all its subcommands, and returns their number.
fn write_all(command: &Command, folder: &Path) -> Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    store::write_output(&folder.join(format!("{name}.1")), &page(command)?)?;
    let below = command.get_subcommands().filter(|it| it.get_name() != "help");
    below.map(|it| write_all(it, folder)).try_fold(1, |sum, written| Ok(sum + written?))
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(page)
}
