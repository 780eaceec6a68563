use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_json;
use super::shell::{self, program};
use super::terminal::shown;
use crate::app::doctor::{self, Shell};
use crate::results::{Examination, ExaminedFile, Health};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a run, of endgame tables, or of results
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Nothing is written. What is damaged comes with what can be saved and the command that saves it.

Exit codes: 0 nothing is damaged, or a process writes there, 1 something is damaged.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let shell = Shell { program: program(), quoted: shell::quoted };
    let found = doctor::examine(&arguments.folder, &shell)?;
    if arguments.json {
        print_json(&found, out)?;
    } else {
        print(&found, out)?;
    }
    Ok(ExitCode::from(u8::from(found.state == Health::Damaged)))
}

fn print(found: &Examination, out: &mut dyn Write) -> anyhow::Result<()> {
    for ExaminedFile { file, holds, damage, saved, command } in &found.files {
        writeln!(out, "{:<24} {}", shown(file), shown(holds))?;
        if let Some(damage) = damage {
            writeln!(out, "  damaged: {}", shown(damage))?;
        }
        if let Some(saved) = saved {
            writeln!(out, "  saved: {}", shown(saved))?;
        }
        if let Some(command) = command {
            writeln!(out, "    {command}")?;
        }
    }
    let folder = shown(&found.folder);
    let damaged = found.files.iter().filter(|file| file.damage.is_some()).count();
    match found.state {
        Health::Sound => writeln!(out, "{folder}: nothing is damaged")?,
        Health::Busy => writeln!(out, "{folder}: a process writes there")?,
        Health::Damaged => {
            writeln!(out, "{folder}: {damaged} of {} files damaged", found.files.len())?
        }
    }
    Ok(())
}
