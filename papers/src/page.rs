//! The claims of the papers with our findings, as a list and as the page `docs/reproduction.md`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::claims::{Claim, Paper, Settled, Verdict, papers};
use crate::notebook::StudyFile;
use crate::studies::{STUDIES, kept, read};
use crate::terminal::print_json;

#[derive(Debug, Args)]
struct Results {
    /// Folder of results, as "ayo-papers all" leaves it [default: those that the program was built with]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

impl Results {
    /// The files of the folder, and those that the program was built with where one is missing.
    fn files(&self) -> anyhow::Result<Vec<StudyFile>> {
        let mut files = kept();
        let Some(folder) = &self.results else { return Ok(files) };
        for study in STUDIES {
            let Some(file) = read(folder, study.name)?.filter(StudyFile::is_complete) else {
                continue;
            };
            files.retain(|it| it.study != file.study);
            files.push(file);
        }
        Ok(files)
    }
}

#[derive(Debug, Args)]
pub struct ListArguments {
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

pub fn list(arguments: &ListArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut rows = rows(&arguments.results.files()?);
    if let Some(paper) = &arguments.paper {
        rows.retain(|row| row.is_of(paper));
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
    let counts = Verdict::ALL.map(|verdict| format!("{verdict} {}", count(&rows, Some(verdict))));
    writeln!(out, "{} claims: {}", rows.len(), counts.join(", "))?;
    Ok(())
}

#[derive(Debug, Args)]
pub struct PageArguments {
    #[command(flatten)]
    results: Results,
}

pub fn print(arguments: &PageArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(write!(out, "{}", page(&arguments.results.files()?))?)
}

/// A claim with its finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    /// The claim, as `PAPER/PLACE`.
    claim: String,
    /// The table, figure or section of the paper.
    place: String,
    /// The page, where the scan has page numbers.
    page: Option<u16>,
    /// The printed figure or sentence.
    printed: String,
    /// Whether that comes from outside the scans.
    outside: bool,
    /// Our figure; empty where nothing is computed.
    ours: String,
    /// How ours compares with the printed figure; `None` until the study is complete.
    verdict: Option<Verdict>,
    /// A remark; may be empty.
    note: String,
    /// The command that shows our figure.
    command: Option<String>,
    /// The study that compares both.
    study: Option<String>,
    /// Seconds that the whole study took.
    seconds: Option<f64>,
}

impl Row {
    fn is_of(&self, paper: &str) -> bool {
        self.claim.split('/').next() == Some(paper)
    }
}

/// Returns a row for every claim of the five papers.
fn rows(files: &[StudyFile]) -> Vec<Row> {
    let findings: HashMap<&str, _> = files
        .iter()
        .flat_map(|file| file.findings.iter().map(move |it| (it.claim.as_str(), (it, file))))
        .collect();
    let row = |paper: &Paper, claim: &Claim| {
        let name = paper.full_name(claim);
        let found = findings.get(name.as_str());
        let (ours, verdict, note) = match (&claim.settled, found) {
            (Settled::At { verdict, why }, _) => (String::new(), Some(*verdict), why.clone()),
            (Settled::By { .. }, Some((it, _))) => {
                (it.ours.clone(), Some(it.verdict), it.note.clone())
            }
            (Settled::By { .. }, None) => (String::new(), None, String::new()),
        };
        let seconds = found.map(|(_, file)| file.seconds);
        let study = claim.study().map(str::to_owned);
        let Claim { place, page, printed, command, outside, .. } = claim.clone();
        let claim = name;
        Row { claim, place, page, printed, outside, ours, verdict, note, command, study, seconds }
    };
    papers().iter().flat_map(|paper| paper.claims.iter().map(move |it| row(paper, it))).collect()
}

fn count(rows: &[Row], verdict: Option<Verdict>) -> usize {
    rows.iter().filter(|row| row.verdict == verdict).count()
}

const HEAD: &str = "\
# Every table of the five papers

One row for each table, figure and numbered claim: what is printed, what this program finds, and how the two compare.
The page is printed by `ayo-papers page` from the findings in `papers/data/kept`; a test compares both, and another
repeats the cheap studies. `ayo-papers` is the package in `papers/` ([how to run it](../papers/README.md)).
`ayo-papers list` prints the rows, with `--json` for a script. `ayo-papers all --quick` does the cheap studies in a
minute, `ayo-papers all` all of them; an interrupted one resumes.

Printed figures are data files in `papers/data/printed`. The scans have lost all images. A row with † rests on a figure
from outside the scans: only the first page of Daoud et al. is there, and their weights come from the published paper.
Awale, the shareware that three of the papers played against, cannot be obtained; our levels share its levels' names and
nothing else. The time is that of the whole study on one core of a busy machine. Where a command prints our figure alone,
a second one compares it with the printed figure.
";

/// Returns the text of `docs/reproduction.md`.
fn page(files: &[StudyFile]) -> String {
    let rows = rows(files);
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "\n## Summary\n\n{}", summary(&rows));
    for paper in papers() {
        let _ = writeln!(text, "## {}\n\nSource, *{}*.\n", paper.heading(), paper.title);
        let _ = writeln!(text, "At hand: {}.\n", paper.at_hand);
        text.push_str("| where | printed | ours | verdict | command |\n|---|---|---|---|---|\n");
        for row in rows.iter().filter(|row| row.is_of(&paper.name)) {
            let _ = writeln!(text, "{}", line(row));
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

fn summary(rows: &[Row]) -> String {
    let mut text = "| verdict | rows |\n|---|---:|\n".to_owned();
    for verdict in Verdict::ALL {
        let _ = writeln!(text, "| {verdict} | {} |", count(rows, Some(verdict)));
    }
    let missing = count(rows, None);
    if missing > 0 {
        let _ = writeln!(text, "| not done yet | {missing} |");
    }
    text
}

/// Commands that compare our figures with the printed ones begin so, apart from those that only print ours.
const COMPARES: &str = "ayo-papers ";
const PRINTS: [&str; 2] = ["ayo-papers cdg ", "ayo-papers count"];

fn line(row: &Row) -> String {
    let page = row.page.map(|page| format!(", p. {page}")).unwrap_or_default();
    let mark = if row.outside { " †" } else { "" };
    let verdict = row.verdict.map_or("not done yet".into(), |it| format!("**{it}**"));
    let note = if row.note.is_empty() { String::new() } else { format!(": {}", row.note) };
    let time = row.seconds.map(|it| format!(" ({})", time(it))).unwrap_or_default();
    let command = row.command.as_ref().map(|command| {
        let compares = command.starts_with(COMPARES)
            && !PRINTS.iter().any(|prints| command.starts_with(prints));
        match &row.study {
            Some(study) if !compares => {
                format!("`{command}`; compared by `ayo-papers all {study}`{time}")
            }
            _ => format!("`{command}`{time}"),
        }
    });
    let command = command.unwrap_or_default();
    let cells = [format!("{}{page}{mark}", row.place), row.printed.clone(), row.ours.clone()];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} | {verdict}{} | {command} |", cells.join(" | "), note.replace('|', "\\|"))
}

/// Seconds for a reader.
fn time(seconds: f64) -> String {
    match seconds {
        ..1.5 => "1 s".into(),
        ..90.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Every claim is settled once, and every finding is of a claim that names its study.
    #[test]
    fn claims_and_findings_fit() {
        let papers = papers();
        let all: Vec<(String, &Claim)> = papers
            .iter()
            .flat_map(|paper| paper.claims.iter().map(|it| (paper.full_name(it), it)))
            .collect();
        let names: HashSet<&String> = all.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), all.len(), "a name occurs twice");
        for (name, claim) in &all {
            let Some(study) = claim.study() else { continue };
            assert!(STUDIES.iter().any(|it| it.name == study), "{name}: no study {study}");
            assert!(claim.command.is_some(), "{name} has no command");
        }
        for file in kept() {
            let asked = all.iter().filter(|(_, claim)| claim.study() == Some(&file.study));
            let asked: HashSet<&str> = asked.map(|(name, _)| name.as_str()).collect();
            let found: HashSet<&str> = file.findings.iter().map(|it| it.claim.as_str()).collect();
            assert_eq!(asked, found, "{}", file.study);
        }
    }

    #[test]
    fn every_claim_has_a_verdict() {
        let undone: Vec<Row> =
            rows(&kept()).into_iter().filter(|row| row.verdict.is_none()).collect();
        assert!(undone.is_empty(), "{undone:#?}");
    }

    #[test]
    fn the_page_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reproduction.md");
        let found = std::fs::read_to_string(path).unwrap();
        assert!(found == page(&kept()), "run: ayo-papers page > docs/reproduction.md");
    }
}
