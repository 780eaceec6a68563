//! `ayo study all`: every study, or some, each kept as soon as it is whole.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Args;

use super::super::meter::{Verbosity, counted};
use super::super::terminal::{fail, shown};
use super::super::workers::Workers;
use super::watch::{StudyWatch, say_going_on};
use crate::results::StudyFile;
use crate::study::{Cost, Notebook, STUDIES, Study, StudyError, Unfinished, study_named};
use mancala::store;
use mancala::text::did_you_mean;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Studies, by name [default: all]
    #[arg(value_name = "STUDY", value_parser = known)]
    studies: Vec<&'static str>,
    /// Do those that take less than a minute on a core
    #[arg(long, conflicts_with = "studies")]
    quick: bool,
    /// Folder for results, one file a study
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    /// Do studies again whose results are there
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    workers: Workers,
}

const AFTER_HELP: &str = "\
A study whose file is there and whole is not done again. One that was interrupted goes on after the last game \
that it kept; a run of the trainer within a study begins anew. \"ayo study list --results DIR\" shows \
what came of the claims of the papers, and \"ayo study page \
--results DIR\" is the page docs/reproduction.md.

Quick: count, cdg, matrix, strategies, questionnaire, printed-games, kansas-lookahead, amdf-clusters, proofs, forcing. Longer: \
kansas-round-robin, rbh-metrics, rbh-levels, amdf, amdf-tables, daoud-evolution, mined, kansas-random, daoud, daoud-master.";

fn known(name: &str) -> Result<&'static str, String> {
    let names: Vec<&str> = STUDIES.iter().map(|study| study.name).collect();
    let refused =
        || did_you_mean(name, names.clone(), format!("the studies are {}", names.join(", ")));
    study_named(name).map(|study| study.name).ok_or_else(refused)
}

impl Arguments {
    fn wanted(&self) -> Vec<&'static Study> {
        let is_wanted = |study: &&Study| match self.studies.is_empty() {
            true => !self.quick || study.cost == Cost::Quick,
            false => self.studies.contains(&study.name),
        };
        STUDIES.iter().filter(is_wanted).collect()
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let wanted = arguments.wanted();
    let watch = StudyWatch::new(wanted.len(), arguments.workers.verbosity())?;
    let desk = Desk::new(&arguments.out, arguments.workers, &watch)?;
    for study in wanted {
        let known = read(&arguments.out, study.name)?.filter(|_| !arguments.anew);
        if arguments.anew {
            Unfinished::below(&arguments.out, study.name).remove()?;
        }
        if known.as_ref().is_some_and(StudyFile::is_whole) {
            watch.skip();
            writeln!(out, "{:<20} kept", study.name)?;
            continue;
        }
        let Some(file) = desk.work(study, known)? else { return Ok(ExitCode::from(130)) };
        say(&file, out)?;
    }
    watch.finish();
    writeln!(out, "next: ayo study list --results {}", shown(&arguments.out))?;
    Ok(ExitCode::SUCCESS)
}

/// What a study found, a line a claim.
fn say(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    let claims = counted(file.findings.len() as u64, "claim");
    writeln!(out, "{:<20} {claims} in {:.1} s", file.study, file.seconds)?;
    for it in &file.findings {
        writeln!(out, "  {:<30} {}: {}", it.claim, it.verdict, it.ours)?;
    }
    Ok(out.flush()?)
}

/// One study, or what is kept of it. `None` if it was interrupted, which is said.
pub(super) fn study(
    name: &'static str,
    folder: &Path,
    workers: Workers,
) -> anyhow::Result<Option<StudyFile>> {
    let known = read(folder, name)?;
    if known.as_ref().is_some_and(StudyFile::is_whole) {
        return Ok(known);
    }
    let watch = StudyWatch::new(1, workers.verbosity())?;
    let study = study_named(name).expect("a study of ours");
    let file = Desk::new(folder, workers, &watch)?.work(study, known)?;
    watch.finish();
    Ok(file)
}

/// Where studies are done.
struct Desk<'a> {
    folder: &'a Path,
    pool: rayon::ThreadPool,
    watch: &'a StudyWatch,
    verbosity: Verbosity,
}

impl<'a> Desk<'a> {
    fn new(folder: &'a Path, workers: Workers, watch: &'a StudyWatch) -> anyhow::Result<Desk<'a>> {
        store::create_folder(folder)?;
        Ok(Desk { folder, pool: workers.pool()?, watch, verbosity: workers.verbosity() })
    }

    /// Does a study, or goes on with it, and keeps its file. `None` if it was interrupted.
    fn work(&self, study: &Study, known: Option<StudyFile>) -> anyhow::Result<Option<StudyFile>> {
        self.watch.begin(study.name);
        say_going_on(&Unfinished::below(self.folder, study.name), self.verbosity);
        let file = known.unwrap_or_else(|| StudyFile::new(study.name));
        let file = self.pool.install(|| one(study, file, self.folder, self.watch))?;
        if file.is_none() {
            self.watch.finish();
            fail(format!("interrupted in {}: the same command goes on there", study.name));
        }
        Ok(file)
    }
}

/// Does a study and keeps its file. `None` if it was interrupted.
fn one(
    study: &Study,
    file: StudyFile,
    folder: &Path,
    watch: &StudyWatch,
) -> anyhow::Result<Option<StudyFile>> {
    let begun = Instant::now();
    let before = file.seconds;
    let mut keep = |file: &StudyFile| {
        let seconds = before + begun.elapsed().as_secs_f64();
        write(folder, &StudyFile { seconds, ..file.clone() })
    };
    let mut notebook = Notebook::new(file, folder, &mut keep);
    let findings = (study.run)(&mut notebook, watch).map_err(refused)?;
    let Some(findings) = findings else {
        notebook.pause()?;
        return Ok(None);
    };
    let unfinished = notebook.unfinished().clone();
    let file = notebook.finish(findings, begun.elapsed().as_secs_f64());
    write(folder, &file)?;
    unfinished.remove()?;
    Ok(Some(file))
}

/// What is said of a study that came to no end.
fn refused(error: StudyError) -> anyhow::Error {
    match error {
        StudyError::Pairing(error) => super::pairings::not_met(error),
        other => other.into(),
    }
}

fn write(folder: &Path, file: &StudyFile) -> Result<(), store::FileError> {
    let seconds = (file.seconds * 10.0).round() / 10.0;
    let text = serde_json::to_string_pretty(&StudyFile { seconds, ..file.clone() });
    let text = text.expect("figures and words") + "\n";
    store::replace(&folder.join(format!("{}.json", file.study)), text.as_bytes())
}

/// What a folder has of a study.
pub(super) fn read(folder: &Path, study: &str) -> anyhow::Result<Option<StudyFile>> {
    let path = folder.join(format!("{study}.json"));
    if !path.exists() {
        return Ok(None);
    }
    let text = store::read_text(&path)?;
    let file: StudyFile = serde_json::from_str(&text)
        .with_context(|| format!("{}: not what \"ayo study all\" leaves", shown(&path)))?;
    Ok(Some(file))
}
