use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::print_json;
use crate::app::doctor::{self, Shell};
use crate::results::{Examination, ExaminedFile, Health};
use crate::terminal::meter::counted;
use crate::terminal::shell::program;
use crate::terminal::{shell, shown};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Folder of a run, of endgame tables, or of results
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Convert a file of games of version 0.1 in place, instead of an examination
    #[arg(long)]
    convert: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "convert")]
    json: bool,
}

const AFTER_HELP: &str = "\
Without --convert nothing is written. What is damaged comes with what can be saved and the command that saves it.

A file that the folder can do without may be missing, and a file of another kind is not looked into: the last \
line counts them.

Exit codes: 0 no damage was found, or a process writes there, 1 something is damaged.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if arguments.convert {
        crate::matches::old_games::convert_file(&arguments.folder, out)?;
        return Ok(ExitCode::SUCCESS);
    }
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
    let widths = found.files.iter().map(|it| shown(&it.file).chars().count());
    let wide = widths.max().unwrap_or(0);
    for ExaminedFile { file, holds, damage, missing, saved, command, .. } in &found.files {
        let line = format!("{:<wide$}  {}", shown(file), shown(holds));
        writeln!(out, "{}", line.trim_end())?;
        if let Some(damage) = damage {
            writeln!(out, "  damaged: {}", shown(damage))?;
        }
        if let Some(missing) = missing {
            writeln!(out, "  missing: {}", shown(missing))?;
        }
        if let Some(saved) = saved {
            writeln!(out, "  saved: {}", shown(saved))?;
        }
        if let Some(command) = command {
            writeln!(out, "    {command}")?;
        }
    }
    writeln!(out, "{}: {}", shown(&found.folder), verdict(found))?;
    Ok(())
}

/// The last line: what is said of the folder as a whole, and of how many files nothing could be said.
fn verdict(found: &Examination) -> String {
    let count =
        |is: fn(&ExaminedFile) -> bool| found.files.iter().filter(|it| is(it)).count() as u64;
    let files = |number: u64| counted(number, "file");
    let missing = count(|it| it.missing.is_some());
    let unchecked = count(|it| !it.checked);
    let edited = count(|it| it.edited);
    let mut parts = vec![match found.state {
        Health::Busy => return "a process writes there".into(),
        Health::Damaged => {
            let damaged = count(|it| it.damage.is_some());
            format!("{damaged} of {} damaged", files(found.files.len() as u64))
        }
        Health::Sound if unchecked + edited == 0 => "nothing is damaged".to_owned(),
        Health::Sound | Health::Incomplete => "no damage found".to_owned(),
    }];
    parts.extend((missing > 0).then(|| format!("{} missing", files(missing))));
    parts.extend((edited > 0).then(|| format!("{} edited", files(edited))));
    parts.extend((unchecked > 0).then(|| format!("{} not checked", files(unchecked))));
    parts.join("; ")
}
