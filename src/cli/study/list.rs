//! `ayo study list` and `ayo study page`: the claims of the papers beside what the studies left.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::super::print_json;
use super::all::read;
use crate::results::{StudyFile, Verdict};
use crate::study::{self, Row, kept};

#[derive(Debug, Args)]
pub(super) struct Results {
    /// Folder of results, as "ayo study all" leaves it [default: those that the program was built with]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

impl Results {
    fn files(&self) -> anyhow::Result<Vec<StudyFile>> {
        self.results.as_deref().map_or_else(|| Ok(kept()), all_in)
    }
}

/// The files of a folder, those that the program was built with where one is missing.
fn all_in(folder: &Path) -> anyhow::Result<Vec<StudyFile>> {
    let mut files = kept();
    for study in study::STUDIES {
        let Some(file) = read(folder, study.name)?.filter(StudyFile::is_whole) else { continue };
        files.retain(|it| it.study != file.study);
        files.push(file);
    }
    Ok(files)
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    #[command(flatten)]
    results: Results,
    /// List claims of this paper alone: daoud, thesis, rbh, amdf or kansas
    #[arg(long, value_name = "NAME", value_parser = ["daoud", "thesis", "rbh", "amdf", "kansas"])]
    paper: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename = "claims")]
struct Listed {
    rows: Vec<Row>,
}

pub(super) fn list(arguments: &ListArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = study::rows(&arguments.results.files()?);
    if let Some(paper) = &arguments.paper {
        rows.retain(|row| row.claim.split('/').next() == Some(paper));
    }
    if arguments.json {
        return print_json(&Listed { rows }, out);
    }
    for row in &rows {
        let verdict = row.verdict.map_or("not done yet".into(), |it| it.to_string());
        writeln!(out, "{:<32} {verdict}", row.claim)?;
        writeln!(out, "    printed  {}", row.printed)?;
        if !row.ours.is_empty() {
            writeln!(out, "    ours     {}", row.ours)?;
        }
        if !row.note.is_empty() {
            writeln!(out, "    note     {}", row.note)?;
        }
        if let Some(command) = &row.command {
            writeln!(out, "    command  {command}")?;
        }
    }
    let of = |verdict| rows.iter().filter(|row| row.verdict == Some(verdict)).count();
    let counts = Verdict::ALL.map(|verdict| format!("{verdict} {}", of(verdict)));
    writeln!(out, "{} claims: {}", rows.len(), counts.join(", "))?;
    Ok(())
}

#[derive(Debug, Args)]
pub(super) struct PageArguments {
    #[command(flatten)]
    results: Results,
}

pub(super) fn page(arguments: &PageArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(write!(out, "{}", study::page(&arguments.results.files()?))?)
}
