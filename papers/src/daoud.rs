//! Daoud, Kharma, Haidar and Popoola (CEC 2004) and their predecessors Davis and Kendall (CEC 2002): twelve features at
//! depths 5 and 3 against six features at depth 7.
//!
//! Their opponent, the shareware *Awale*, is not available. Our [levels](arena::player::LEVELS) have only their names
//! in common with its levels.

mod generations;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::player::LEVELS;
use arena::{GameResult, Openings, Suite, Tally};
use clap::Args;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::{Part, Progress, Silent};
use serde::Serialize;

pub use self::generations::findings as evolution_findings;
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook, StudyFile, StudyMatch};
use crate::pairing::{MatchResult, Pairing};
use crate::partial::StudyError;
use crate::studies::study;
use crate::terminal::{WorkOptions, print_json};
use crate::trained::{settings, trained};

/// Games per match against a level, as in the papers.
const SHORT_GAMES: usize = 5;

/// Games per long match.
const LONG_GAMES: usize = 400;

/// Games per question.
const QUESTION_GAMES: usize = 2028;

/// Matches against one level.
struct LevelMatches {
    short: StudyMatch,
    long: StudyMatch,
}

struct PaperPlayer {
    name: &'static str,
    spec: String,
}

/// A training run: name, file, preset, changes to the preset, and the player's search depth.
type Run = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)], u32);

/// The six features of Davis and Kendall, at the depth for which they were trained.
const SIX: &str = "six features, depth 7";
const TWELVE: &str = "published weights, depth 5";

fn players(
    notebook: &Notebook,
    progress: &dyn Progress,
) -> Result<Option<Vec<PaperPlayer>>, StudyError> {
    let published = |name, depth| PaperPlayer {
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
        all.push(PaperPlayer { name, spec });
    }
    Ok(Some(all))
}

/// Plays six games and uses the first five; progress counts all six. The games start from the initial position and from
/// two positions after two plies, so that deterministic players do not repeat a game.
fn short_match(
    notebook: &mut Notebook,
    names: [&str; 2],
    pairing: &Pairing,
    progress: &dyn Progress,
) -> Result<Option<StudyMatch>, StudyError> {
    let names = names.map(str::to_owned);
    let rules = pairing.rules.to_string();
    if let Some(known) = notebook.known(&names, &rules, SHORT_GAMES) {
        return Ok(Some(known));
    }
    let game = Ayo { rules: pairing.rules };
    let of = |plies| Suite::Plies(plies).openings(game).expect("openings");
    let openings: [Openings; 2] = [of(0), of(2).sample(2, 1)];
    let mut games = Vec::new();
    for openings in openings {
        let part = Part { whole: progress, before: games.len() as u64, of: pairing.games as u64 };
        let saved = notebook.saving(pairing)?;
        let Some(played) = saved.games(&openings, &part)? else { return Ok(None) };
        games.extend(played);
    }
    let count = |result| {
        let short = games.iter().take(SHORT_GAMES);
        short.filter(|game| game.result() == result).count() as u64
    };
    let results = [GameResult::Win, GameResult::Draw, GameResult::Loss].map(count);
    // Times and seeds include the sixth game, which completes the last pair.
    let result = MatchResult { pairing: pairing.clone(), tally: Tally::of(&games) };
    let played = StudyMatch { players: names, results, ..StudyMatch::from(&result) };
    notebook.add(played.clone())?;
    Ok(Some(played))
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(players) = players(notebook, progress)? else { return Ok(None) };
    let (_, levels) = LEVELS.split_last().expect("there are levels");
    let all = (players.len() * levels.len() + OTHER_MATCHES) as u64;
    let mut done = 0;
    let mut table = Vec::new();
    for player in &players {
        let mut row = Vec::new();
        for level in levels {
            let pairing = |games| {
                Pairing::new(player.name, [&player.spec, level.name], games).under(Rules::WIPE_OUT)
            };
            let names = [player.name, level.name];
            let silent = Silent(progress);
            let Some(short) = short_match(notebook, names, &pairing(6), &silent)? else {
                return Ok(None);
            };
            let Some(long) = notebook.play_as(names, &pairing(LONG_GAMES), &silent)? else {
                return Ok(None);
            };
            done += 1;
            progress.advance(done, all);
            row.push(LevelMatches { short, long });
        }
        table.push(row);
    }
    let Some(others) = OtherMatches::play(notebook, &players, progress)? else { return Ok(None) };
    Ok(Some(compare(&table, &others)))
}

/// Games per long match against the last level, which needs half a second per move.
const MASTER_GAMES: usize = 20;

/// Runs the study `daoud-master`, with a short and a long match between each player and the last level.
pub fn master_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let Some(players) = players(notebook, progress)? else { return Ok(None) };
    let (last, _) = LEVELS.split_last().expect("there are levels");
    let each = (SHORT_GAMES + 1 + MASTER_GAMES) as u64;
    let of = each * players.len() as u64;
    let mut results = Vec::new();
    for (before, player) in (0..).step_by(each as usize).zip(&players) {
        let part = Part { whole: progress, before, of };
        let pairing =
            |games| Pairing::new("", [&player.spec, last.name], games).under(Rules::WIPE_OUT);
        let names = [player.name, last.name];
        let short = pairing(SHORT_GAMES + 1);
        let Some(short) = short_match(notebook, names, &short, &part)? else { return Ok(None) };
        let part = Part { before: before + SHORT_GAMES as u64 + 1, ..part };
        let Some(long) = notebook.play_as(names, &pairing(MASTER_GAMES), &part)? else {
            return Ok(None);
        };
        let result = format!("{} (long: {})", short.results_text(), long.score_text());
        results.push((player.name, result));
    }
    let note = format!(
        "our last level is `{}`; five games each, and long matches of {MASTER_GAMES}",
        last.spec
    );
    let (_, first) = &results[0];
    let ours = if results.iter().all(|(_, result)| result == first) {
        format!("each of {} players {first}", results.len())
    } else {
        results
            .iter()
            .map(|(name, result)| format!("{name}: {result}"))
            .collect::<Vec<_>>()
            .join("; ")
    };
    Ok(Some(vec![Finding::new("daoud/master", Verdict::NoOpponent, ours).with_note(note)]))
}

/// Number of matches in [`OtherMatches`].
const OTHER_MATCHES: usize = 5;

/// Matches between players other than the levels.
struct OtherMatches {
    /// Twelve features at depth 5 against six features at depth 7.
    head_to_head: StudyMatch,
    /// The same players, both at depth 5.
    same_depth: StudyMatch,
    /// The weights with and without signs, against seeds alone at the same depth.
    signs: [StudyMatch; 2],
    /// The weights for depth 3, against seeds alone.
    depth_3: StudyMatch,
}

impl OtherMatches {
    fn play(
        notebook: &mut Notebook,
        players: &[PaperPlayer],
        progress: &dyn Progress,
    ) -> Result<Option<OtherMatches>, StudyError> {
        let six = players.iter().find(|player| player.name == SIX).expect("one of five");
        let six_at_5 = six.spec.replace(",depth=7", ",depth=5");
        let twelve = "minimax:weights=daoud2004-depth5,depth=5";
        let literal = "minimax:weights=daoud2004-depth5,depth=5,signs=literal";
        let depth_3 = "minimax:weights=daoud2004-depth3,depth=3";
        let matches = [
            ([TWELVE, SIX], [twelve, &six.spec]),
            ([TWELVE, "six features, depth 5"], [twelve, &six_at_5]),
            ([TWELVE, "seeds alone, depth 5"], [twelve, "minimax:weights=seeds,depth=5"]),
            (
                ["published weights without signs, depth 5", "seeds alone, depth 5"],
                [literal, "minimax:weights=seeds,depth=5"],
            ),
            (
                ["published weights, depth 3", "seeds alone, depth 3"],
                [depth_3, "minimax:weights=seeds,depth=3"],
            ),
        ];
        let mut results = Vec::new();
        for (names, players) in matches {
            let pairing = Pairing::new("", players, QUESTION_GAMES).under(Rules::WIPE_OUT);
            let Some(played) = notebook.play_as(names, &pairing, progress)? else {
                return Ok(None);
            };
            results.push(played);
        }
        let [head_to_head, same_depth, signed, literal, depth_3] =
            <[StudyMatch; OTHER_MATCHES]>::try_from(results).expect("five matches");
        Ok(Some(OtherMatches { head_to_head, same_depth, signs: [signed, literal], depth_3 }))
    }
}

/// Formats the results of short matches as `5–0, 5–0, 3–2`.
fn short_results(row: &[LevelMatches]) -> String {
    row.iter().map(|level| level.short.results_text()).collect::<Vec<_>>().join(", ")
}

fn long_scores(row: &[LevelMatches]) -> String {
    row.iter().map(|level| format!("{:.3}", level.long.score)).collect::<Vec<_>>().join(", ")
}

/// Compares the matches with the papers' claims.
fn compare(table: &[Vec<LevelMatches>], others: &OtherMatches) -> Vec<Finding> {
    let [twelve, depth_3, fresh_5, fresh_3, six] = table else { unreachable!("five players") };
    let note = format!("our first three levels; long: scores of {LONG_GAMES} games");
    let against =
        |row: &[LevelMatches]| format!("{} (long: {})", short_results(row), long_scores(row));
    let wins = |row: &[LevelMatches]| row.iter().map(|it| it.short.results[0]).sum::<u64>();
    let better = format!(
        "{} against {}; fresh weights {}; at depth 3 {}, fresh {}",
        against(twelve),
        against(six),
        against(fresh_5),
        against(depth_3),
        against(fresh_3)
    );
    let head = &others.head_to_head;
    let [nodes, time] = [head.nodes_per_move, head.microseconds_per_move];
    let [signed, literal] = &others.signs;
    let same = &others.same_depth;
    vec![
        Finding::new("daoud/davis-kendall", Verdict::NoOpponent, against(six)).with_note(note.clone()),
        Finding::new("daoud/better-than-davis", Verdict::NoOpponent, better)
            .with_note(format!("{} of 15 short games won, Davis and Kendall {}; {note}", wins(twelve), wins(six))),
        Finding::new("daoud/head-to-head", Verdict::exact_if(head.is_clear_win()), format!("score {}", head.score_text())).with_note(format!(
            "published weights at depth 5 against six features that we evolved for depth 7, {} games",
            head.games()
        )),
        Finding::new(
            "daoud/response-time",
            Verdict::exact_if(nodes[0] < nodes[1]),
            format!(
                "{:.0} nodes per move at depth 5, {:.0} at depth 7: {:.0} and {:.0} µs",
                nodes[0], nodes[1], time[0], time[1]
            ),
        ),
        Finding::new(
            "daoud/formula",
            Verdict::Lost,
            format!("{:.3} against seeds alone with the signs of docs/features.md, {:.3} without", signed.score, literal.score),
        )
        .with_note("only one reading of the signs plays well"),
        Finding::new("daoud/weights-depth-5", Verdict::Lost, format!("{:.3} against seeds alone at depth 5", signed.score)),
        Finding::new("daoud/weights-depth-3", Verdict::Lost, format!("{:.3} against seeds alone at depth 3", others.depth_3.score))
            .with_note("a1 is .67 in the text and .06 in table 1, which we use"),
        Finding::new(
            "amdf/features",
            Verdict::exact_if(!same.is_clear_win()),
            format!("twelve features score {} against six at equal depth", same.score_text()),
        )
        .with_note("the published twelve against six that we evolved, depth 5"),
    ]
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// Folder for results and trained weights
    #[arg(long, value_name = "DIR", default_value = "studies")]
    out: PathBuf,
    #[command(flatten)]
    work: WorkOptions,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The published weights at depths 5 and 3, newly trained weights at both depths, and six features trained for depth 7 \
play against our three lower levels, in five games as in the papers and in long matches; training takes five minutes \
on one core. Then twelve features play against six. \"ayo-papers all daoud-master\" plays against the last level, \
which takes half a second per move, five games and long matches of twenty. \"ayo-papers all daoud-evolution\" \
compares generations 1 and 100 for ten seeds. Finished matches are not repeated.";

/// The result as JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "study")]
struct DaoudStudy<'a> {
    #[serde(flatten)]
    file: &'a StudyFile,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Some(file) = study("daoud", &arguments.out, arguments.work)? else {
        return Ok(ExitCode::from(130));
    };
    if arguments.json {
        print_json(&DaoudStudy { file: &file }, out)?;
    } else {
        print(&file, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(file: &StudyFile, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(
        out,
        "{:<28}{:<24}{:>6}{:>16}  {:<24}{:>11}{:>10}",
        "player", "opponent", "games", "won drawn lost", "score", "nodes", "µs/move"
    )?;
    for it in &file.matches {
        let StudyMatch { players: [player, opponent], results: [won, drawn, lost], .. } = it;
        let games = it.games();
        let results = format!("{won} {drawn} {lost}");
        let score = if games > 5 { it.score_text() } else { String::new() };
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
