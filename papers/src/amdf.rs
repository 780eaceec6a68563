//! The experiment of Randle et al. with the AMDF player (IJCAIT 1(2), 2012), and matches that measure how much strength
//! the player's distances add.
//!
//! The figures in the paper's table are lost, so we can only compare our results with its text. It says that AMDF came
//! out ahead of every opponent except the grandmaster level of the shareware *Awale*, which our [ladder](crate::ladder)
//! replaces. The paper forbids moves that capture the opponent's whole row, so we use the rules `no-slam`.

mod clusters;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::player::amdf::Training;
use clap::{Args, Subcommand};
use mancala::endgame::{BuildPlan, build};
use mancala::game::ayo::Rules;
use mancala::progress::{Part, Progress, Silent};
use mancala::store;
use serde::Serialize;

pub use self::clusters::findings as cluster_findings;
use crate::claims::Verdict;
use crate::ladder::LADDER;
use crate::notebook::{Finding, Findings, Notebook, StudyMatch, scores_text};
use crate::pairing::{
    self, Answer, MatchOptions, MatchResult, Pairing, games_of, play_all, saved_in,
};
use crate::terminal::{player_error, print_json, shown, usage};

const AMDF: &str = "amdf";

/// Minimax on captures with the same search depth. If several moves are equally good, it plays the lowest pit.
const PLAIN: &str = "rbh:plies=6,bluff=off,cdg=off,refine=off";

/// The number of games per match in the paper. Each side starts half of them.
const GAMES: usize = 10;

/// The number of games per match on the ladder in our study. The ten games of the paper would show little.
const LADDER_GAMES: usize = 400;

/// The number of games in each match for an open question.
const QUESTION_GAMES: usize = 2028;

/// The maximum number of seeds in the endgame tables that supply training rows.
const TABLE_SEEDS: u8 = 10;

/// Returns the matches in the paper, i.e. against each rung of the ladder and against minimax with the same depth.
fn matches(player: &str) -> Vec<Pairing> {
    let opponents = LADDER.iter().map(|rung| (rung.name, rung.spec)).chain([("minimax", PLAIN)]);
    let pairing = |(name, spec)| Pairing::new(name, [player, spec], GAMES).under(Rules::NO_SLAM);
    opponents.map(pairing).collect()
}

/// Returns the matches for the open questions, with this many games each.
fn questions(player: &str, games: usize) -> Vec<Pairing> {
    let questions = [
        ("distances against the lowest of equal moves, as in plain minimax", [player, PLAIN]),
        (
            "distances against a random choice",
            [player, "rbh:plies=6,bluff=off,cdg=off,refine=chance"],
        ),
        ("distances against the refinement of RBH", [player, "rbh:plies=6,bluff=off,cdg=off"]),
        (
            "classes of training rows against classes of the legal moves",
            [player, "amdf:training=current"],
        ),
        ("distances of feasible moves against distances of all moves", [player, "amdf:moves=all"]),
    ];
    let pairing =
        |(question, players)| Pairing::new(question, players, games).under(Rules::NO_SLAM);
    questions.map(pairing).into()
}

fn scores(matches: &[StudyMatch]) -> String {
    scores_text(matches.iter().map(|it| it.score))
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let long = |player| matches(player).into_iter().map(|it| Pairing { games: LADDER_GAMES, ..it });
    let mut pairings: Vec<Pairing> = long(AMDF).collect();
    pairings.extend(long(PLAIN).take(LADDER.len()));
    pairings.extend(questions(AMDF, QUESTION_GAMES));
    let Some(played) = notebook.play_all(&pairings, progress)? else { return Ok(None) };
    let (ours, rest) = played.split_at(LADDER.len() + 1);
    let (plain, questions) = rest.split_at(LADDER.len());
    let [plainest, random, _, _, all] = questions else { unreachable!("five questions") };
    let (last, beaten) = ours[..LADDER.len()].split_last().expect("four rungs");
    let minimax = &ours[LADDER.len()];
    let (low, high) = last.score_ci95;
    let loses = Verdict::above([-high, -low], -0.5);
    let beats = beaten.iter().chain([minimax]).map(StudyMatch::verdict).chain([loses]);
    Ok(Some(vec![
        Finding::new(
            "amdf/table-2-words",
            Verdict::all(&beats.collect::<Vec<_>>()),
            format!(
                "scores {} on the ladder, {:.3} against minimax",
                scores(&ours[..LADDER.len()]),
                minimax.score
            ),
        )
        .with_note(format!(
            "{LADDER_GAMES} games each; holds if all scores are clearly above a half, but the last clearly below"
        )),
        Finding::new(
            "amdf/minimax-levels",
            Verdict::Lost,
            format!("scores {} on the ladder", scores(plain)),
        )
        .with_note("minimax on captures, six plies; among equal moves the lowest pit"),
        Finding::new(
            "amdf/improves",
            Verdict::all(&[plainest.verdict(), random.verdict()]),
            format!(
                "{} against minimax of equal depth, {} if minimax breaks ties at random",
                plainest.score_text(),
                random.score_text()
            ),
        )
        .with_note(format!("{QUESTION_GAMES} games each; holds if both are clear wins, differs if one is a clear loss")),
        Finding::new(
            "amdf/step-7",
            Verdict::Open,
            format!("feasible moves alone score {} against all moves", all.score_text()),
        )
        .with_note("step 1 has feasible moves"),
    ]))
}

pub fn table_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.folder().join("tables");
    let plan = BuildPlan::new(Rules::AYO, TABLE_SEEDS, &folder).expect("fewer than 48 seeds");
    if build(&plan, &Silent(progress), |_| ())?.is_none() {
        return Ok(None);
    }
    // There are no tables for `no-slam`, but we can use rows from the tables for `ayo`.
    let rows = Training::from_source(&format!("tables:{}", folder.display()), Rules::AYO);
    let rows = rows.expect("readable tables").expect("rows of tables");
    let file = notebook.folder().join("rows.csv");
    store::replace(&file, rows.to_csv().as_bytes())?;
    let trained = format!("amdf:training={}", file.display());
    let name = format!("amdf by tables of {TABLE_SEEDS} seeds");
    let of = 2 * QUESTION_GAMES as u64;
    let mut results = Vec::new();
    for (at, opponent) in [AMDF, PLAIN].into_iter().enumerate() {
        let pairing = Pairing::new("", [&trained, opponent], QUESTION_GAMES).under(Rules::NO_SLAM);
        let part = Part { whole: progress, before: (at * QUESTION_GAMES) as u64, of };
        let Some(played) = notebook.play_as([&name, opponent], &pairing, &part)? else {
            return Ok(None);
        };
        results.push(played);
    }
    let ours = format!(
        "{} against classes by the rule of Tchoukaillon, {} against minimax",
        results[0].score_text(),
        results[1].score_text()
    );
    Ok(Some(vec![Finding::new("amdf/endgame-training", Verdict::Open, ours).with_note(format!(
        "classes from tables of {TABLE_SEEDS} seeds under `ayo`; {QUESTION_GAMES} games"
    ))]))
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    rows: Option<Rows>,
    /// The player to test
    #[arg(long, value_name = "SPEC", default_value = "amdf")]
    player: String,
    #[command(flatten)]
    options: MatchOptions,
}

const AFTER_HELP: &str = "\
Plays matches of ten games against four players that replace the levels of the shareware Awale, and minimax of the \
same depth, as in the paper, and then measures how much strength the distances add. The figures of the paper's table \
are lost; its text says that AMDF was ahead of all opponents but Awale's grandmaster. An interrupted study resumes.";

#[derive(Debug, Subcommand)]
enum Rows {
    /// Write good and bad rows as CSV, for use as amdf:training=FILE
    Rows(RowsArguments),
}

/// The result as JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "amdf")]
struct AmdfStudy {
    matches: Vec<Answer>,
    questions: Vec<Answer>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { rows, player, options } = arguments;
    if let Some(Rows::Rows(arguments)) = rows {
        write_rows(arguments, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let played = options.play("amdf", |folder, progress| {
        let matches = saved_in(folder, matches(player));
        let questions = saved_in(folder, questions(player, options.games()));
        let before = games_of(&matches);
        let of = before + games_of(&questions);
        let part = |before| Part { whole: progress, before, of };
        let Some(matches) = play_all(&matches, &part(0))? else { return Ok(None) };
        let questions = play_all(&questions, &part(before))?;
        Ok(questions.map(|questions| [matches, questions]))
    })?;
    let Some([matches, questions]) = played else { return Ok(ExitCode::from(130)) };
    if options.json {
        let [matches, questions] = [&matches, &questions].map(|results| pairing::answers(results));
        print_json(&AmdfStudy { matches, questions }, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    print_matches(player, &matches, out)?;
    writeln!(out, "\nOpen questions, in Elo points of the first player")?;
    pairing::print(&questions, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print_matches(player: &str, matches: &[MatchResult], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "Matches of {} games: {} against", GAMES, shown(player))?;
    for MatchResult { pairing, tally } in matches {
        let [ours, theirs] = tally.mean_seeds;
        let (won, drawn, lost) = (tally.wins, tally.draws, tally.losses);
        let (opponent, moves) = (&pairing.question, tally.mean_plies / 2.0);
        let ahead = if won > lost { "ahead" } else { "not ahead" };
        let printed = match opponent.as_str() {
            "grandmaster" => "not ahead",
            _ => "ahead",
        };
        writeln!(
            out,
            "  {opponent:<12} +{won} ={drawn} -{lost}  seeds {ours:.1} : {theirs:.1}  moves {moves:.0}  \
             {ahead}; the paper: {printed}"
        )?;
    }
    Ok(())
}

#[derive(Debug, Args)]
struct RowsArguments {
    /// self-play:N, tables:DIR, or a file of rows to check and rewrite
    #[arg(value_name = "SOURCE", default_value = "self-play:100")]
    source: String,
    /// Rules for the games
    #[arg(long, value_name = "NAME", default_value_t)]
    rules: Rules,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the training rows of the player.
fn write_rows(arguments: &RowsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let RowsArguments { source, rules, output } = arguments;
    let training = Training::from_source(source, *rules).map_err(player_error)?;
    let Some(training) = training else {
        return Err(usage("the source \"current\" has no rows before a game"));
    };
    let text = training.to_csv();
    let Some(path) = output else {
        out.write_all(text.as_bytes())?;
        return Ok(());
    };
    store::write_output(path, text.as_bytes())?;
    let (good, bad) = (training.good.len(), training.bad.len());
    writeln!(out, "{good} good and {bad} bad rows in {}", shown(path))?;
    Ok(())
}
