//! Renders the papers' claims and our findings, as a list and as the page `docs/reproduction.md`.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::claims::{Basis, Claim, Paper, Verdict, papers};
use crate::notebook::StudyFile;
use crate::studies::{STUDIES, Study, built_in, read};
use crate::terminal::print_json;

#[derive(Debug, Args)]
struct Results {
    /// Folder with results written by "ayo-papers all" [default: the built-in results]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
}

impl Results {
    /// Returns the files in the folder. If a study's file is missing or incomplete, we use the built-in file instead.
    fn files(&self) -> anyhow::Result<Vec<StudyFile>> {
        let mut files = built_in();
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
    /// List only the claims in this paper: daoud, thesis, rbh, amdf or kansas
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
    writeln!(out, "{}", counts(&rows))?;
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

/// A claim and its finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Row {
    /// The claim, in the form `PAPER/PLACE`.
    claim: String,
    /// The table, figure or section of the paper.
    place: String,
    /// The page, if the scan has page numbers.
    page: Option<u16>,
    /// The figure or sentence as printed.
    printed: String,
    /// Whether the printed figure comes from a source other than the scans.
    outside: bool,
    /// Our figure, or an empty string if nothing is computed.
    ours: String,
    /// How our figure compares with the printed one, or `None` until the study is complete.
    verdict: Option<Verdict>,
    /// A remark, which may be empty.
    note: String,
    /// The command that shows our figure.
    command: Option<String>,
    /// The study that compares the two figures.
    study: Option<String>,
    /// The duration of the whole study in seconds.
    seconds: Option<f64>,
}

impl Row {
    fn is_of(&self, paper: &str) -> bool {
        self.claim.split('/').next() == Some(paper)
    }

    /// Returns whether the claim is illegible in the scan and nothing is computed for it.
    fn is_lost(&self) -> bool {
        self.verdict == Some(Verdict::Lost) && self.ours.is_empty()
    }
}

/// Returns one row for every claim in the five papers.
fn rows(files: &[StudyFile]) -> Vec<Row> {
    let findings: HashMap<&str, _> = files
        .iter()
        .flat_map(|file| file.findings.iter().map(move |it| (it.claim.as_str(), (it, file))))
        .collect();
    let row = |paper: &Paper, claim: &Claim| {
        let name = paper.full_name(claim);
        let finding = findings.get(name.as_str());
        let (ours, verdict, note) = match (&claim.basis, finding) {
            (Basis::Fixed { verdict, why }, _) => (String::new(), Some(*verdict), why.clone()),
            (Basis::Study { .. }, Some((it, _))) => {
                (it.ours.clone(), Some(it.verdict), it.note.clone())
            }
            (Basis::Study { .. }, None) => (String::new(), None, String::new()),
        };
        let seconds = finding.map(|(_, file)| file.seconds);
        let study = claim.study().map(str::to_owned);
        let Claim { place, page, printed, command, outside, .. } = claim.clone();
        let claim = name;
        Row { claim, place, page, printed, outside, ours, verdict, note, command, study, seconds }
    };
    papers().iter().flat_map(|paper| paper.claims.iter().map(move |it| row(paper, it))).collect()
}

/// Formats the number of claims with each verdict.
fn counts(rows: &[Row]) -> String {
    let count = |verdict: Verdict| {
        let count = rows.iter().filter(|row| row.verdict == Some(verdict)).count();
        format!("{verdict} {count}")
    };
    format!("{} claims: {}", rows.len(), Verdict::ALL.map(count).join(", "))
}

const HEAD: &str = "\
# The tables of five papers

This page compares the tables, figures and numbered claims of five papers with the results of
[`ayo-papers`](../papers/README.md). `ayo-papers list` prints the command that computes each result.

We only have scans of the papers. Rows with † use the published papers or public copies instead. In three papers,
the opponent is Awale, a shareware program that is no longer available. Four of our players (the *ladder*) replace its
levels. They were selected to reproduce the scores of Davis and Kendall.

| verdict | rule |
|---|---|
| exact | all printed figures equal ours to the printed digits |
| holds | a claim without a figure is true; for a match, the 95 % interval lies on the claimed side of a half |
| within error | a figure agrees at the 95 % level; for several figures, this number of disagreements or more has a probability above 1 % |
| misprint | another part of the paper, or another source about the same program, contradicts the claim |
| differs | none of the other verdicts applies |
| open question | there is no figure to compare, or our evidence is inconclusive, such as a match whose interval includes a half |
| not repeatable | needs people, machines or programs that are not available, or was used to select the ladder |
| lost in scan | illegible in the scan |
";

/// Returns the contents of `docs/reproduction.md`.
fn page(files: &[StudyFile]) -> String {
    let rows = rows(files);
    let mut text = format!("{HEAD}\n{}.\n\n", counts(&rows));
    for paper in papers() {
        let _ = writeln!(text, "## {}\n\nSource: *{}*.\n", paper.heading(), paper.title);
        let _ = writeln!(text, "Available: {}.\n", paper.at_hand);
        text.push_str("| where | printed | ours | verdict |\n|---|---|---|---|\n");
        let rows = rows.iter().filter(|row| row.is_of(&paper.name));
        let (lost, rows): (Vec<&Row>, Vec<&Row>) = rows.partition(|row| row.is_lost());
        for row in rows {
            let _ = writeln!(text, "{}", line(row));
        }
        if !lost.is_empty() {
            let places: Vec<&str> = lost.iter().map(|row| row.place.as_str()).collect();
            let _ = writeln!(text, "\nLost in the scan, so not compared: {}.", places.join("; "));
        }
        text.push('\n');
    }
    text + &times(files)
}

fn line(row: &Row) -> String {
    let page = row.page.map(|page| format!(", p. {page}")).unwrap_or_default();
    let mark = if row.outside { " †" } else { "" };
    let verdict = row.verdict.map_or("not done yet".into(), |verdict| verdict.to_string());
    let note = if row.note.is_empty() { String::new() } else { format!(": {}", row.note) };
    let cells = [
        format!("{}{page}{mark}", row.place),
        row.printed.clone(),
        row.ours.clone(),
        format!("**{verdict}**{note}"),
    ];
    format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// Lists how long the longer studies take.
fn times(files: &[StudyFile]) -> String {
    let study = |study: &Study| {
        let time = time(files.iter().find(|file| file.study == study.name)?.seconds);
        (time != "1 s").then(|| format!("`{}` ({time})", study.name))
    };
    let studies: Vec<String> = STUDIES.iter().filter_map(study).collect();
    format!(
        "## Studies\n\n`ayo-papers all STUDY` repeats a study. On one core of a busy machine, each takes about a second or less, except\n{}.\n",
        studies.join(", ")
    )
}

/// Formats a duration as `1 s` or `3 min`.
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

    /// Checks that the claims of each study are the same as the claims of its findings.
    #[test]
    fn claims_match_findings() {
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
        for file in built_in() {
            let claims = all.iter().filter(|(_, claim)| claim.study() == Some(&file.study));
            let claims: HashSet<&str> = claims.map(|(name, _)| name.as_str()).collect();
            let findings: HashSet<&str> =
                file.findings.iter().map(|it| it.claim.as_str()).collect();
            assert_eq!(claims, findings, "{}", file.study);
        }
    }

    /// Any verdict that compares our figure with the printed one needs a study.
    #[test]
    fn verdicts_without_a_study_compare_nothing() {
        use Verdict::{Lost, Open, Unrepeatable};
        for paper in papers() {
            for claim in &paper.claims {
                let Basis::Fixed { verdict, .. } = &claim.basis else { continue };
                assert!([Lost, Open, Unrepeatable].contains(verdict), "{}", claim.id);
            }
        }
    }

    #[test]
    fn every_claim_has_a_verdict() {
        let undone: Vec<Row> =
            rows(&built_in()).into_iter().filter(|row| row.verdict.is_none()).collect();
        assert!(undone.is_empty(), "{undone:#?}");
    }

    #[test]
    fn the_page_is_up_to_date() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reproduction.md");
        let found = std::fs::read_to_string(path).unwrap();
        assert!(found == page(&built_in()), "run: ayo-papers page > docs/reproduction.md");
    }
}
