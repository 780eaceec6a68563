//! The list of studies, and the command that runs them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use mancala::progress::Progress;
use mancala::store;
use mancala::text::did_you_mean;

use crate::notebook::{Findings, Notebook, StudyFile};
use crate::pairing::{command_error, report_resume};
use crate::partial::{PartialResults, StudyError};
use crate::terminal::{ProgressDisplay, WorkOptions, counted, fail, shown};
use crate::{
    amdf, cdg, count, daoud, forcing, kansas, ladder, mined, printed_games, proofs, prototype,
    questionnaire, rbh, strategies, trees,
};

/// How long a study takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// Less than a minute on one core.
    Quick,
    /// Several minutes.
    Long,
}

/// A computation that checks some of the claims.
pub struct Study {
    /// The name of the study and of its file.
    pub name: &'static str,
    cost: Cost,
    /// Runs the study. Progress counts games or other units of work.
    run: fn(&mut Notebook, &dyn Progress) -> Findings,
    /// The contents of the study's file in `papers/data/results`.
    built_in: &'static str,
}

macro_rules! study {
    ($cost:ident, $name:literal, $run:path) => {
        Study {
            name: $name,
            cost: Cost::$cost,
            run: $run,
            built_in: include_str!(concat!("../data/results/", $name, ".json")),
        }
    };
}

/// All studies, starting with the quick ones.
pub static STUDIES: &[Study] = &[
    study!(Quick, "count", count::findings),
    study!(Quick, "cdg", cdg::findings),
    study!(Quick, "matrix", cdg::matrix_findings),
    study!(Quick, "strategies", strategies::findings),
    study!(Quick, "questionnaire", questionnaire::findings),
    study!(Quick, "printed-games", printed_games::findings),
    study!(Quick, "rbh-moves", rbh::move_findings),
    study!(Quick, "kansas-lookahead", kansas::look_ahead_findings),
    study!(Quick, "trees", trees::findings),
    study!(Quick, "prototype", prototype::findings),
    study!(Quick, "amdf-clusters", amdf::cluster_findings),
    study!(Quick, "proofs", proofs::findings),
    study!(Quick, "forcing", forcing::findings),
    study!(Long, "kansas-round-robin", kansas::round_robin_findings),
    study!(Long, "rbh-metrics", rbh::metric_findings),
    study!(Long, "rbh-levels", rbh::level_findings),
    study!(Long, "amdf", amdf::findings),
    study!(Long, "amdf-tables", amdf::table_findings),
    study!(Long, "daoud-evolution", daoud::evolution_findings),
    study!(Long, "ladder", ladder::findings),
    study!(Long, "daoud-title", daoud::title_findings),
    study!(Long, "mined", mined::findings),
    study!(Long, "kansas-more", kansas::more_findings),
    study!(Long, "kansas-random", kansas::random_findings),
    study!(Long, "daoud", daoud::findings),
];

fn study_named(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// Returns the built-in files from `papers/data/results`.
pub fn built_in() -> Vec<StudyFile> {
    let read = |study: &Study| serde_json::from_str(study.built_in).expect("a file of a study");
    STUDIES.iter().map(read).collect()
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Names of the studies to run [default: all]
    #[arg(value_name = "STUDY", value_parser = parse_study)]
    studies: Vec<&'static str>,
    /// Run all studies that take less than a minute on one core
    #[arg(long, conflicts_with = "studies")]
    quick: bool,
    /// Folder for the results, with one file per study
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    /// Repeat studies even if they have results
    #[arg(long, alias = "anew")]
    repeat: bool,
    #[command(flatten)]
    work: WorkOptions,
}

const AFTER_HELP: &str = "\
A complete study is not repeated. An interrupted study resumes after its last saved game; a training run within a \
study starts again. \"ayo-papers list --results DIR\" lists the claims of the papers with the \
results, and \"ayo-papers page --results DIR\" prints the page docs/reproduction.md.";

fn parse_study(name: &str) -> Result<&'static str, String> {
    let names: Vec<&str> = STUDIES.iter().map(|study| study.name).collect();
    let unknown =
        || did_you_mean(name, names.clone(), format!("the studies are {}", names.join(", ")));
    study_named(name).map(|study| study.name).ok_or_else(unknown)
}

impl Arguments {
    fn chosen(&self) -> Vec<&'static Study> {
        let is_chosen = |study: &&Study| match self.studies.is_empty() {
            true => !self.quick || study.cost == Cost::Quick,
            false => self.studies.contains(&study.name),
        };
        STUDIES.iter().filter(is_chosen).collect()
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { out: folder, repeat, work, .. } = arguments;
    let chosen = arguments.chosen();
    let runner = Runner::new(folder, *work)?;
    for (number, study) in (1..).zip(&chosen) {
        if *repeat {
            PartialResults::below(folder, study.name).remove()?;
        }
        let saved = read(folder, study.name)?.filter(|_| !repeat);
        if saved.as_ref().is_some_and(StudyFile::is_complete) {
            writeln!(out, "{:<20} complete", study.name)?;
            continue;
        }
        let title = format!("study {number} of {}, {}:", chosen.len(), study.name);
        let Some(file) = runner.run(study, saved, title)? else {
            return Ok(ExitCode::from(130));
        };
        print(&file, out)?;
    }
    runner.display.finish();
    writeln!(out, "next: ayo-papers list --results {}", shown(folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints one line per match and claim.
pub fn print(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    let claims = counted(file.findings.len() as u64, "claim");
    writeln!(out, "{:<20} {claims} in {:.1} s", file.study, file.seconds)?;
    for it in &file.matches {
        let ([a, b], [won, drawn, lost]) = (&it.players, it.results);
        writeln!(out, "  {a} v. {b}: +{won} ={drawn} -{lost}, {}", it.score_text())?;
    }
    for it in &file.findings {
        writeln!(out, "  {:<30} {}: {}", it.claim, it.verdict, it.ours)?;
    }
    Ok(out.flush()?)
}

/// Runs a study unless its file is complete. If interrupted, prints a message and returns `None`.
pub fn study(name: &str, folder: &Path, work: WorkOptions) -> anyhow::Result<Option<StudyFile>> {
    let saved = read(folder, name)?;
    if saved.as_ref().is_some_and(StudyFile::is_complete) {
        return Ok(saved);
    }
    let study = study_named(name).expect("the name of a study");
    let runner = Runner::new(folder, work)?;
    let file = runner.run(study, saved, format!("study {name}:"))?;
    runner.display.finish();
    Ok(file)
}

/// The folder, threads and progress display for running studies.
struct Runner<'a> {
    folder: &'a Path,
    pool: rayon::ThreadPool,
    display: ProgressDisplay,
    quiet: bool,
}

impl<'a> Runner<'a> {
    fn new(folder: &'a Path, work: WorkOptions) -> anyhow::Result<Runner<'a>> {
        store::create_folder(folder)?;
        let (pool, display) = (work.pool()?, ProgressDisplay::new("", work.quiet)?);
        Ok(Runner { folder, pool, display, quiet: work.quiet })
    }

    /// Starts or resumes a study and saves its file. Returns `None` if interrupted.
    fn run(
        &self,
        study: &Study,
        saved: Option<StudyFile>,
        title: String,
    ) -> anyhow::Result<Option<StudyFile>> {
        self.display.begin(title);
        report_resume(&PartialResults::below(self.folder, study.name), self.quiet);
        let file = saved.unwrap_or_else(|| StudyFile::new(study.name));
        let file = self.pool.install(|| self.run_study(study, file))?;
        if file.is_none() {
            self.display.finish();
            fail(format!("interrupted in {}: the same command resumes it", study.name));
        }
        Ok(file)
    }

    fn run_study(&self, study: &Study, file: StudyFile) -> anyhow::Result<Option<StudyFile>> {
        let start = Instant::now();
        let before = file.seconds;
        let mut save = |file: &StudyFile| {
            let seconds = before + start.elapsed().as_secs_f64();
            write(self.folder, &StudyFile { seconds, ..file.clone() })
        };
        let mut notebook = Notebook::new(file, self.folder, &mut save);
        let findings = (study.run)(&mut notebook, &self.display).map_err(|error| match error {
            StudyError::Pairing(error) => command_error(error),
            other => other.into(),
        })?;
        let Some(findings) = findings else {
            notebook.pause()?;
            return Ok(None);
        };
        let partial = notebook.partial().clone();
        let file = notebook.finish(findings, start.elapsed().as_secs_f64());
        write(self.folder, &file)?;
        partial.remove()?;
        Ok(Some(file))
    }
}

fn write(folder: &Path, file: &StudyFile) -> Result<(), store::FileError> {
    let seconds = (file.seconds * 10.0).round() / 10.0;
    let text = serde_json::to_string_pretty(&StudyFile { seconds, ..file.clone() });
    let text = text.expect("numbers and strings") + "\n";
    store::replace(&folder.join(format!("{}.json", file.study)), text.as_bytes())
}

/// Reads the file of a study. Returns `None` if the folder doesn't contain this file.
pub fn read(folder: &Path, study: &str) -> anyhow::Result<Option<StudyFile>> {
    let path = folder.join(format!("{study}.json"));
    if !path.exists() {
        return Ok(None);
    }
    let text = store::read_text(&path)?;
    let file: StudyFile = serde_json::from_str(&text)
        .with_context(|| format!("{}: not a result of \"ayo-papers all\"", shown(&path)))?;
    Ok(Some(file))
}
