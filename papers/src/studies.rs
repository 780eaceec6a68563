//! The studies by name, and the command that does them.

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
use crate::pairing::{failed, say_resuming};
use crate::terminal::{Watch, WorkOptions, counted, fail, shown};
use crate::unfinished::{StudyError, Unfinished};
use crate::{
    amdf, cdg, count, daoud, forcing, kansas, mined, printed_games, proofs, questionnaire, rbh,
    strategies,
};

/// How long a study takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Less than a minute on one core.
    Quick,
    /// Minutes.
    Long,
}

/// A computation that settles claims.
pub struct Study {
    /// Its name, and that of its file.
    pub name: &'static str,
    cost: Cost,
    /// Does the study. The progress counts games or other pieces of work.
    run: fn(&mut Notebook, &dyn Progress) -> Findings,
}

const fn quick(name: &'static str, run: fn(&mut Notebook, &dyn Progress) -> Findings) -> Study {
    Study { name, cost: Cost::Quick, run }
}

const fn long(name: &'static str, run: fn(&mut Notebook, &dyn Progress) -> Findings) -> Study {
    Study { name, cost: Cost::Long, run }
}

/// All studies, the quick ones first.
pub static STUDIES: &[Study] = &[
    // Positions by seeds, and a worked tree.
    quick("count", count::findings),
    // The tables of chapter 3 of the thesis.
    quick("cdg", cdg::findings),
    // Payoff matrices and saddle points.
    quick("matrix", cdg::matrix_findings),
    // The strategies of section 3.2 of the thesis.
    quick("strategies", strategies::findings),
    quick("questionnaire", questionnaire::findings),
    quick("printed-games", printed_games::findings),
    // Kalah at different look-aheads.
    quick("kansas-lookahead", kansas::look_ahead_findings),
    // Clusters of rows, equations 7 to 14.
    quick("amdf-clusters", amdf::cluster_findings),
    // Proof-number search against endgame tables.
    quick("proofs", proofs::findings),
    // Forcing a completely determined game.
    quick("forcing", forcing::findings),
    // 63 players of Kalah against each other.
    long("kansas-round-robin", kansas::round_robin_findings),
    // Three metrics of RBH.
    long("rbh-metrics", rbh::metric_findings),
    // RBH against four levels.
    long("rbh-levels", rbh::level_findings),
    // AMDF against four levels and minimax.
    long("amdf", amdf::findings),
    // AMDF with classes from endgame tables.
    long("amdf-tables", amdf::table_findings),
    // Generation 1 against generation 100, ten seeds.
    long("daoud-evolution", daoud::evolution_findings),
    // Evaluators mined from endgame tables.
    long("mined", mined::findings),
    // 64 players of Kalah against a random player.
    long("kansas-random", kansas::random_findings),
    // Twelve features at depth 5 and six at depth 7 against three levels.
    long("daoud", daoud::findings),
    // These players against the last level.
    long("daoud-master", daoud::master_findings),
];

fn study_named(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// Returns the files in `papers/data/kept`.
pub fn kept() -> Vec<StudyFile> {
    KEPT.iter().map(|text| serde_json::from_str(text).expect("a file of a study")).collect()
}

const KEPT: &[&str] = &[
    include_str!("../data/kept/count.json"),
    include_str!("../data/kept/cdg.json"),
    include_str!("../data/kept/matrix.json"),
    include_str!("../data/kept/strategies.json"),
    include_str!("../data/kept/questionnaire.json"),
    include_str!("../data/kept/printed-games.json"),
    include_str!("../data/kept/kansas-lookahead.json"),
    include_str!("../data/kept/amdf-clusters.json"),
    include_str!("../data/kept/proofs.json"),
    include_str!("../data/kept/kansas-round-robin.json"),
    include_str!("../data/kept/rbh-metrics.json"),
    include_str!("../data/kept/rbh-levels.json"),
    include_str!("../data/kept/amdf.json"),
    include_str!("../data/kept/amdf-tables.json"),
    include_str!("../data/kept/daoud-evolution.json"),
    include_str!("../data/kept/forcing.json"),
    include_str!("../data/kept/mined.json"),
    include_str!("../data/kept/kansas-random.json"),
    include_str!("../data/kept/daoud.json"),
    include_str!("../data/kept/daoud-master.json"),
];

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Studies, by name [default: all]
    #[arg(value_name = "STUDY", value_parser = known)]
    studies: Vec<&'static str>,
    /// Do those that take less than a minute on a core
    #[arg(long, conflicts_with = "studies")]
    quick: bool,
    /// Folder for results, one file per study
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    /// Repeat studies whose results are there
    #[arg(long)]
    anew: bool,
    #[command(flatten)]
    work: WorkOptions,
}

const AFTER_HELP: &str = "\
A study whose file is complete is not repeated. An interrupted study resumes after the last game that it saved; a \
training run within a study starts again. \"ayo-papers list --results DIR\" lists the claims of the papers with the \
results, and \"ayo-papers page --results DIR\" prints the page docs/reproduction.md.

Quick: count, cdg, matrix, strategies, questionnaire, printed-games, kansas-lookahead, amdf-clusters, proofs, forcing. Longer: \
kansas-round-robin, rbh-metrics, rbh-levels, amdf, amdf-tables, daoud-evolution, mined, kansas-random, daoud, daoud-master.";

fn known(name: &str) -> Result<&'static str, String> {
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
    let Arguments { out: folder, anew, work, .. } = arguments;
    let chosen = arguments.chosen();
    let workplace = Workplace::new(folder, *work)?;
    for (number, study) in (1..).zip(&chosen) {
        if *anew {
            Unfinished::below(folder, study.name).remove()?;
        }
        let known = read(folder, study.name)?.filter(|_| !anew);
        if known.as_ref().is_some_and(StudyFile::is_complete) {
            writeln!(out, "{:<20} kept", study.name)?;
            continue;
        }
        let title = format!("study {number} of {}, {}:", chosen.len(), study.name);
        let Some(file) = workplace.work(study, known, title)? else {
            return Ok(ExitCode::from(130));
        };
        print(&file, out)?;
    }
    workplace.watch.finish();
    writeln!(out, "next: ayo-papers list --results {}", shown(folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a line per claim.
fn print(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    let claims = counted(file.findings.len() as u64, "claim");
    writeln!(out, "{:<20} {claims} in {:.1} s", file.study, file.seconds)?;
    for it in &file.findings {
        writeln!(out, "  {:<30} {}: {}", it.claim, it.verdict, it.ours)?;
    }
    Ok(out.flush()?)
}

/// Does a study unless its file is complete. Returns `None` if it was interrupted, after a line that says so.
pub fn study(name: &str, folder: &Path, work: WorkOptions) -> anyhow::Result<Option<StudyFile>> {
    let known = read(folder, name)?;
    if known.as_ref().is_some_and(StudyFile::is_complete) {
        return Ok(known);
    }
    let study = study_named(name).expect("the name of a study");
    let workplace = Workplace::new(folder, work)?;
    let file = workplace.work(study, known, format!("study {name}:"))?;
    workplace.watch.finish();
    Ok(file)
}

/// The folder, threads and progress of studies.
struct Workplace<'a> {
    folder: &'a Path,
    pool: rayon::ThreadPool,
    watch: Watch,
    quiet: bool,
}

impl<'a> Workplace<'a> {
    fn new(folder: &'a Path, work: WorkOptions) -> anyhow::Result<Workplace<'a>> {
        store::create_folder(folder)?;
        let (pool, watch) = (work.pool()?, Watch::new("", work.quiet)?);
        Ok(Workplace { folder, pool, watch, quiet: work.quiet })
    }

    /// Starts or resumes a study, and saves its file. Returns `None` if it was interrupted.
    fn work(
        &self,
        study: &Study,
        known: Option<StudyFile>,
        title: String,
    ) -> anyhow::Result<Option<StudyFile>> {
        self.watch.begin(title);
        say_resuming(&Unfinished::below(self.folder, study.name), self.quiet);
        let file = known.unwrap_or_else(|| StudyFile::new(study.name));
        let file = self.pool.install(|| self.do_study(study, file))?;
        if file.is_none() {
            self.watch.finish();
            fail(format!("interrupted in {}: the same command resumes it", study.name));
        }
        Ok(file)
    }

    fn do_study(&self, study: &Study, file: StudyFile) -> anyhow::Result<Option<StudyFile>> {
        let begun = Instant::now();
        let before = file.seconds;
        let mut save = |file: &StudyFile| {
            let seconds = before + begun.elapsed().as_secs_f64();
            write(self.folder, &StudyFile { seconds, ..file.clone() })
        };
        let mut notebook = Notebook::new(file, self.folder, &mut save);
        let findings = (study.run)(&mut notebook, &self.watch).map_err(|error| match error {
            StudyError::Pairing(error) => failed(error),
            other => other.into(),
        })?;
        let Some(findings) = findings else {
            notebook.pause()?;
            return Ok(None);
        };
        let unfinished = notebook.unfinished().clone();
        let file = notebook.finish(findings, begun.elapsed().as_secs_f64());
        write(self.folder, &file)?;
        unfinished.remove()?;
        Ok(Some(file))
    }
}

fn write(folder: &Path, file: &StudyFile) -> Result<(), store::FileError> {
    let seconds = (file.seconds * 10.0).round() / 10.0;
    let text = serde_json::to_string_pretty(&StudyFile { seconds, ..file.clone() });
    let text = text.expect("numbers and strings") + "\n";
    store::replace(&folder.join(format!("{}.json", file.study)), text.as_bytes())
}

/// Reads the file of a study, if the folder has one.
pub fn read(folder: &Path, study: &str) -> anyhow::Result<Option<StudyFile>> {
    let path = folder.join(format!("{study}.json"));
    if !path.exists() {
        return Ok(None);
    }
    let text = store::read_text(&path)?;
    let file: StudyFile = serde_json::from_str(&text)
        .with_context(|| format!("{}: not what \"ayo-papers all\" leaves", shown(&path)))?;
    Ok(Some(file))
}
