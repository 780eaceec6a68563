//! Daoud, Kharma, Haidar and Popoola (CEC 2004), and Davis and Kendall (CEC 2002), which it answers: twelve
//! features at depth 5 and 3 against six at depth 7.
//!
//! Their opponent, the shareware *Awale*, is not available: our [levels](arena::player::LEVELS) share only the names
//! of its levels.

mod generations;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::player::LEVELS;
use arena::{GameResult, Openings, Suite, Tally};
use clap::Args;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Muted, Part, Progress};
use serde::Serialize;

pub use self::generations::findings as evolution_findings;
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook, StudyFile, StudyMatch};
use crate::pairing::{Pairing, Settled};
use crate::studies::study;
use crate::terminal::{WorkOptions, print_json};
use crate::trained::{settings, trained};
use crate::unfinished::StudyError;

/// Games of a match against a level in the papers.
const FEW: usize = 5;

/// Games of the long matches.
const LONG: usize = 400;

/// Games that settle a question.
const SETTLED_BY: usize = 2028;

/// The matches against a level.
struct AtLevel {
    five: StudyMatch,
    long: StudyMatch,
}

/// A player of the papers.
struct Entrant {
    name: &'static str,
    spec: String,
}

/// A training run: name, file, preset, changes to the preset, and the depth at which the weights are played.
type Run = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)], u32);

/// The six features of Davis and Kendall at the depth for which they were trained.
const SIX: &str = "six features, depth 7";
const TWELVE: &str = "published weights, depth 5";

fn entrants(
    notebook: &Notebook,
    progress: &dyn Progress,
) -> Result<Option<Vec<Entrant>>, StudyError> {
    let published = |name, depth| Entrant {
        name,
        spec: format!("minimax:weights=daoud2004-depth{depth},depth={depth}"),
    };
    let mut all = vec![published(TWELVE, 5), published("published weights, depth 3", 3)];
    let runs: [Run; 3] = [
        ("fresh weights, depth 5", "fresh-5", "daoud2004", &[("seed", "1")], 5),
        ("fresh weights, depth 3", "fresh-3", "daoud2004", &[("seed", "1"), ("depth", "3")], 3),
        (SIX, "davis-kendall", "davis-kendall2002", &[("seed", "1")], 7),
    ];
    for (name, file, preset, changes, depth) in runs {
        let settings = settings(preset, changes);
        let Some(path) = trained(notebook, file, settings, None, progress)? else {
            return Ok(None);
        };
        let spec = format!("minimax:weights={},depth={depth}", path.display());
        all.push(Entrant { name, spec });
    }
    Ok(Some(all))
}

/// Plays six games, which the progress counts, and keeps the first five. They begin at the start and at two positions
/// after two plies, so that no two are equal if both players are deterministic.
fn few(
    notebook: &mut Notebook,
    names: [&str; 2],
    pairing: &Pairing,
    progress: &dyn Progress,
) -> Result<Option<StudyMatch>, StudyError> {
    let names = names.map(str::to_owned);
    let rules = pairing.rules.to_string();
    if let Some(known) = notebook.known(&names, &rules, FEW) {
        return Ok(Some(known));
    }
    let game = Ayo { rules: pairing.rules };
    let of = |plies| Suite::Plies(plies).openings(game).expect("openings");
    let openings: [Openings; 2] = [of(0), of(2).sample(2, 1)];
    let mut games = Vec::new();
    for openings in openings {
        let part = Part { whole: progress, before: games.len() as u64, of: pairing.games as u64 };
        let kept = notebook.keeping(pairing)?;
        let Some(played) = kept.games(&openings, &part)? else { return Ok(None) };
        games.extend(played);
    }
    let result = |wanted| {
        let of_result = games.iter().take(FEW).filter(|game| game.result() == wanted);
        of_result.count() as u64
    };
    let results = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(result);
    // Times and seeds are those of all six games, which form pairs.
    let settled = Settled { pairing: pairing.clone(), tally: Tally::of(&games) };
    let played = StudyMatch { players: names, results, ..StudyMatch::from(&settled) };
    notebook.add(played.clone())?;
    Ok(Some(played))
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(entrants) = entrants(notebook, progress)? else { return Ok(None) };
    let (_, levels) = LEVELS.split_last().expect("there are levels");
    let all = (entrants.len() * levels.len() + OTHERS) as u64;
    let mut done = 0;
    let mut table = Vec::new();
    for entrant in &entrants {
        let mut row = Vec::new();
        for level in levels {
            let pairing = |games| {
                Pairing::new(entrant.name, [&entrant.spec, level.name], games)
                    .under(Rules::WIPE_OUT)
            };
            let names = [entrant.name, level.name];
            let muted = Muted(progress);
            let Some(five) = few(notebook, names, &pairing(6), &muted)? else { return Ok(None) };
            let Some(long) = notebook.settle_as(names, &pairing(LONG), &muted)? else {
                return Ok(None);
            };
            done += 1;
            progress.advance(done, all);
            row.push(AtLevel { five, long });
        }
        table.push(row);
    }
    let Some(others) = Others::play(notebook, &entrants, progress)? else { return Ok(None) };
    Ok(Some(say(&table, &others)))
}

/// Games of a long match against the last level, which takes half a second per move.
const LONG_AT_LAST: usize = 20;

/// The study `daoud-master`: five games and a long match of each player against the last level.
pub fn master_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(entrants) = entrants(notebook, progress)? else { return Ok(None) };
    let (last, _) = LEVELS.split_last().expect("there are levels");
    let each = (FEW + 1 + LONG_AT_LAST) as u64;
    let of = each * entrants.len() as u64;
    let mut said = Vec::new();
    for (before, entrant) in (0..).step_by(each as usize).zip(&entrants) {
        let part = Part { whole: progress, before, of };
        let pairing =
            |games| Pairing::new("", [&entrant.spec, last.name], games).under(Rules::WIPE_OUT);
        let names = [entrant.name, last.name];
        let Some(five) = few(notebook, names, &pairing(FEW + 1), &part)? else { return Ok(None) };
        let part = Part { before: before + FEW as u64 + 1, ..part };
        let Some(long) = notebook.settle_as(names, &pairing(LONG_AT_LAST), &part)? else {
            return Ok(None);
        };
        said.push(format!("{} {} (long: {})", entrant.name, five.won_and_lost(), long.scored()));
    }
    let note = format!(
        "the last level of ours is `{}`; five games each, and long matches of {LONG_AT_LAST}",
        last.spec
    );
    let ours = said.join("; ");
    Ok(Some(vec![Finding::new("daoud/master", Verdict::NoOpponent, ours).noting(note)]))
}

/// Matches that are not against levels.
const OTHERS: usize = 5;

struct Others {
    /// Twelve features at depth 5 against six at depth 7.
    head_to_head: StudyMatch,
    /// Both at depth 5.
    same_depth: StudyMatch,
    /// The weights with signs, and without, against an evaluator of seeds at equal depth.
    signs: [StudyMatch; 2],
    /// The weights of depth 3 against an evaluator of seeds.
    three: StudyMatch,
}

impl Others {
    fn play(
        notebook: &mut Notebook,
        entrants: &[Entrant],
        progress: &dyn Progress,
    ) -> Result<Option<Others>, StudyError> {
        let six = entrants.iter().find(|it| it.name == SIX).expect("one of five");
        let six_at_5 = six.spec.replace(",depth=7", ",depth=5");
        let twelve = "minimax:weights=daoud2004-depth5,depth=5";
        let literal = "minimax:weights=daoud2004-depth5,depth=5,signs=literal";
        let three = "minimax:weights=daoud2004-depth3,depth=3";
        let asked = [
            ([TWELVE, SIX], [twelve, &six.spec]),
            ([TWELVE, "six features, depth 5"], [twelve, &six_at_5]),
            ([TWELVE, "seeds alone, depth 5"], [twelve, "minimax:weights=seeds,depth=5"]),
            (
                ["the same read literally", "seeds alone, depth 5"],
                [literal, "minimax:weights=seeds,depth=5"],
            ),
            (
                ["published weights, depth 3", "seeds alone, depth 3"],
                [three, "minimax:weights=seeds,depth=3"],
            ),
        ];
        let mut found = Vec::new();
        for (names, players) in asked {
            let pairing = Pairing::new("", players, SETTLED_BY).under(Rules::WIPE_OUT);
            let Some(played) = notebook.settle_as(names, &pairing, progress)? else {
                return Ok(None);
            };
            found.push(played);
        }
        let [head_to_head, same_depth, signed, literal, three] =
            <[StudyMatch; OTHERS]>::try_from(found).expect("as many matches as questions");
        Ok(Some(Others { head_to_head, same_depth, signs: [signed, literal], three }))
    }
}

/// Results of the short matches: `5–0, 5–0, 3–2`.
fn fives(row: &[AtLevel]) -> String {
    row.iter().map(|it| it.five.won_and_lost()).collect::<Vec<_>>().join(", ")
}

/// Scores of the long matches.
fn longs(row: &[AtLevel]) -> String {
    row.iter().map(|it| format!("{:.3}", it.long.score)).collect::<Vec<_>>().join(", ")
}

fn say(table: &[Vec<AtLevel>], others: &Others) -> Vec<Finding> {
    let [twelve, three, fresh_5, fresh_3, six] = table else { unreachable!("five entrants") };
    let note = format!(
        "levels of ours; scores of {LONG} games at the first three; the row of the master level has the last"
    );
    let against = |row: &[AtLevel]| format!("{} (long: {})", fives(row), longs(row));
    let wins = |row: &[AtLevel]| row.iter().map(|it| it.five.results[0]).sum::<u64>();
    let better = format!(
        "{} against {}; fresh weights {}, at depth 3 {} and fresh {}",
        against(twelve),
        against(six),
        against(fresh_5),
        against(three),
        against(fresh_3)
    );
    let head = &others.head_to_head;
    let [positions, time] = [head.nodes_per_move, head.microseconds_per_move];
    let [signed, literal] = &others.signs;
    let outside =
        "page 2 of the paper is not among the scans; the weights are those that it publishes";
    let same = &others.same_depth;
    vec![
        Finding::new("daoud/davis-kendall", Verdict::NoOpponent, against(six)).noting(note.clone()),
        Finding::new("daoud/better-than-davis", Verdict::NoOpponent, better)
            .noting(format!("{} of 15 short games won against {}; {note}", wins(twelve), wins(six))),
        Finding::new("daoud/head-to-head", Verdict::exact_if(head.is_clear_win()), format!("scores {}", head.scored())).noting(format!(
            "published weights at depth 5 against six features that we evolved for depth 7, {} games",
            head.games()
        )),
        Finding::new(
            "daoud/response-time",
            Verdict::exact_if(positions[0] < positions[1]),
            format!(
                "{:.0} positions a move at depth 5, {:.0} at depth 7: {:.0} and {:.0} µs",
                positions[0], positions[1], time[0], time[1]
            ),
        ),
        Finding::new(
            "daoud/formula",
            Verdict::Lost,
            format!("{:.3} against seeds alone with the signs of docs/features.md, {:.3} without", signed.score, literal.score),
        )
        .noting("the formula is an image; only one reading of its signs makes a player"),
        Finding::new("daoud/weights-depth-5", Verdict::Lost, format!("{:.3} against seeds alone at depth 5", signed.score))
            .noting(outside),
        Finding::new("daoud/weights-depth-3", Verdict::Lost, format!("{:.3} against seeds alone at depth 3", others.three.score))
            .noting(format!("{outside}; its text has .67 for a1 where its table 1 has .06, which is used")),
        Finding::new(
            "amdf/features",
            Verdict::exact_if(!same.is_clear_win()),
            format!("twelve features score {} against six at equal depth", same.scored()),
        )
        .noting("the published twelve against six that we evolved, depth 5"),
    ]
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder for results and for the weights that are trained
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Published weights at depths 5 and 3, weights of runs of our own at both depths, and six features evolved for depth \
7 meet our three lower levels, in five games as in the papers and in long matches; the runs take five minutes on a \
core. Then twelve features meet six. \"ayo-papers all daoud-master\" lets each of them meet the last level, whose \
moves take half a second, in five games and in long matches of twenty. What \
was played is kept and not played again. \"ayo-papers all daoud-evolution\" measures generation 1 against generation \
100 of ten seeds.";

#[derive(Serialize)]
#[serde(tag = "kind", rename = "study")]
struct Kept<'a> {
    #[serde(flatten)]
    file: &'a StudyFile,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(file) = study("daoud", &arguments.out, arguments.work)? else {
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        print_json(&Kept { file: &file }, out)?;
    } else {
        print(&file, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<28}{:<24}{:>6}{:>16}  {:<24}{:>11}{:>10}",
        "player", "opponent", "games", "won drawn lost", "score", "positions", "µs a move"
    )?;
    for it in &file.matches {
        let StudyMatch { players: [player, opponent], results: [won, drawn, lost], .. } = it;
        let games = it.games();
        let results = format!("{won} {drawn} {lost}");
        let score = if games > 5 { it.scored() } else { String::new() };
        let (nodes, time) = (it.nodes_per_move[0], it.microseconds_per_move[0]);
        writeln!(
            out,
            "{player:<28}{opponent:<24}{games:>6}{results:>16}  {score:<24}{nodes:>11.0}{time:>10.1}"
        )?;
    }
    for finding in &file.findings {
        writeln!(out, "{}: {}; {}", finding.claim, finding.verdict, finding.ours)?;
    }
    Ok(())
}
