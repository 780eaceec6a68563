//! The page of all claims, and its rows.

use std::collections::HashMap;
use std::fmt::Write;

use super::claims::{Claim, Paper, Settled, papers};
use crate::results::{StudyFile, Verdict};

/// A claim beside what came of it.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Row {
    /// The claim, as `PAPER/PLACE`.
    pub claim: String,
    /// Where it stands in the paper.
    pub place: String,
    /// The page, where the scan has page numbers.
    pub page: Option<u16>,
    /// What is printed.
    pub printed: String,
    /// Whether that comes from outside the scans.
    pub outside: bool,
    /// Our figure; empty where nothing is computed.
    pub ours: String,
    /// What it is beside the printed one; `None` as long as its study has not come to an end.
    pub verdict: Option<Verdict>,
    /// What to know about it; may be empty.
    pub note: String,
    /// The command that shows ours.
    pub command: Option<String>,
    /// The study that compares the two.
    pub study: Option<String>,
    /// Seconds that the whole study took.
    pub seconds: Option<f64>,
}

/// Every claim of the five papers beside what the studies left.
pub fn rows(files: &[StudyFile]) -> Vec<Row> {
    let findings: HashMap<&str, (&StudyFile, usize)> = files
        .iter()
        .flat_map(|file| file.findings.iter().enumerate().map(move |(at, it)| (file, at, it)))
        .map(|(file, at, finding)| (finding.claim.as_str(), (file, at)))
        .collect();
    let of = |paper: &Paper, claim: &Claim| {
        let name = paper.full_name(claim);
        let found = findings.get(name.as_str()).map(|&(file, at)| (&file.findings[at], file));
        let (ours, verdict, note) = match (&claim.settled, found) {
            (Settled::At { verdict, why }, _) => (String::new(), Some(*verdict), why.clone()),
            (Settled::By { .. }, Some((it, _))) => {
                (it.ours.clone(), Some(it.verdict), it.note.clone())
            }
            (Settled::By { .. }, None) => (String::new(), None, String::new()),
        };
        let seconds = found.map(|(_, file)| file.seconds);
        let study = match &claim.settled {
            Settled::By { study } => Some(study.clone()),
            Settled::At { .. } => None,
        };
        let Claim { place, page, printed, command, outside, .. } = claim.clone();
        let claim = name;
        Row { claim, place, page, printed, outside, ours, verdict, note, command, study, seconds }
    };
    papers().iter().flat_map(|paper| paper.claims.iter().map(move |it| of(paper, it))).collect()
}

const HEAD: &str = "\
# Every table of the five papers

One row for each table, figure and numbered claim: what is printed, what this program finds, and how the two compare.
The page is made by `ayo study page` of what the studies left in `src/study/kept`; a test holds it to that, and another
does the cheap studies again. `ayo study list` prints the rows, with `--json` for a script. `ayo study all --quick` does
the cheap studies in a minute, `ayo study all` all of them; an interrupted one goes on where it stopped.

Printed figures are data files beside the studies: `src/study/cdg/printed`, `src/study/kansas/printed`,
`src/study/printed`. The scans have lost all images. A row with † rests on a figure from outside the scans: only the
first page of Daoud et al. is there, and their weights come from the published paper. Awale, the shareware that three
of the papers played against, cannot be obtained; our levels share its levels' names and nothing else. The time is
that of the whole study on one core of a busy machine. Where a command prints our figure alone, a second one compares
it with what is printed.
";

/// `docs/reproduction.md`.
pub fn page(files: &[StudyFile]) -> String {
    let rows = rows(files);
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "\n## Summary\n\n{}", summary(&rows));
    for paper in papers() {
        let of_paper = rows.iter().filter(|row| row.claim.split('/').next() == Some(&paper.name));
        let _ = writeln!(text, "## {}\n\nSource, *{}*.\n", paper.heading(), paper.title);
        let _ = writeln!(text, "At hand: {}.\n", paper.at_hand);
        text.push_str("| where | printed | ours | verdict | command |\n|---|---|---|---|---|\n");
        for row in of_paper {
            let _ = writeln!(text, "{}", line(row));
        }
        text.push('\n');
    }
    text.trim_end().to_owned() + "\n"
}

impl Paper {
    fn heading(&self) -> String {
        let mut letters = self.name.chars();
        letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }
}

fn summary(rows: &[Row]) -> String {
    let mut text = "| verdict | rows |\n|---|---:|\n".to_owned();
    for verdict in Verdict::ALL {
        let count = rows.iter().filter(|row| row.verdict == Some(verdict)).count();
        let _ = writeln!(text, "| {verdict} | {count} |");
    }
    let missing = rows.iter().filter(|row| row.verdict.is_none()).count();
    if missing > 0 {
        let _ = writeln!(text, "| not done yet | {missing} |");
    }
    text
}

fn line(row: &Row) -> String {
    let page = row.page.map(|page| format!(", p. {page}")).unwrap_or_default();
    let mark = if row.outside { " †" } else { "" };
    let verdict = row.verdict.map_or("not done yet".into(), |it| format!("**{it}**"));
    let note = if row.note.is_empty() { String::new() } else { format!(": {}", row.note) };
    let time = row.seconds.map(|it| format!(" ({})", time(it))).unwrap_or_default();
    let command = row.command.as_ref().map(|command| match &row.study {
        Some(study) if !command.starts_with("ayo study") => {
            format!("`{command}`; compared by `ayo study all {study}`{time}")
        }
        _ => format!("`{command}`{time}"),
    });
    let command = command.unwrap_or_default();
    let cells = [format!("{}{page}{mark}", row.place), row.printed.clone(), row.ours.clone()];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    format!("| {} | {verdict}{} | {command} |", cells.join(" | "), note.replace('|', "\\|"))
}

/// Seconds as a reader wants to know them.
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
    use crate::study::{STUDIES, kept};

    /// A claim is settled in one place, and what a study finds is a claim that names it.
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
    fn nothing_is_left_to_do() {
        let undone: Vec<Row> =
            rows(&kept()).into_iter().filter(|row| row.verdict.is_none()).collect();
        assert!(undone.is_empty(), "{undone:#?}");
    }

    #[test]
    fn the_page_is_what_the_studies_left() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reproduction.md");
        let found = std::fs::read_to_string(path).unwrap();
        assert!(found == page(&kept()), "run: ayo study page > docs/reproduction.md");
    }
}
