//! The experiment of Randle et al. with the AMDF player (IJCAIT 1(2), 2012), and the question that it leaves open: the
//! value of its distances.
//!
//! The figures of its table are lost, so that only its words can be compared: ahead of every opponent except the
//! grandmaster of the shareware *Awale*, whose levels are not available.

mod clusters;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use arena::player::LEVELS;
use arena::player::amdf::{Source, SourceError, Training};
use clap::{Args, Subcommand};
use mancala::endgame::{BuildPlan, build};
use mancala::game::ayo::Rules;
use mancala::progress::{Muted, Part, Progress};
use mancala::store;
use serde::Serialize;

pub use self::clusters::findings as cluster_findings;
use crate::claims::Verdict;
use crate::notebook::{Finding, Findings, Notebook, StudyMatch};
use crate::pairing::{self, Answer, MatchOptions, Pairing, Settled, games_of, kept_in, play_all};
use crate::terminal::{print_json, shown, usage};

const AMDF: &str = "amdf";

/// Minimax of the same depth by captures, which plays the lowest of equal moves.
const PLAIN: &str = "rbh:plies=6,bluff=off,cdg=off,refine=off";

/// Games of a match of the paper. Each side begins half of them.
const GAMES: usize = 10;

/// Games that settle a question.
const SETTLED_BY: usize = 2028;

/// Most seeds of the endgame tables from which training rows are taken.
const TABLE_SEEDS: u8 = 10;

/// The matches of the paper: minimax of the same depth, and each level.
fn matches(player: &str) -> Vec<Pairing> {
    let plain = ("minimax", PLAIN);
    let opponents =
        LEVELS.iter().map(|level| (level.name, level.name)).chain(std::iter::once(plain));
    opponents.map(|(name, spec)| Pairing::new(name, [player, spec], GAMES)).collect()
}

/// The open questions, each settled by this many games.
fn questions(player: &str, games: usize) -> Vec<Pairing> {
    let questions = [
        ("distances or the lowest of equal moves, as plain minimax", [player, PLAIN]),
        ("distances or chance", [player, "rbh:plies=6,bluff=off,cdg=off,refine=chance"]),
        ("distances or the refinement of RBH", [player, "rbh:plies=6,bluff=off,cdg=off"]),
        ("classes of training rows or of the moves themselves", [player, "amdf:training=current"]),
    ];
    questions.map(|(question, players)| Pairing::new(question, players, games)).into()
}

/// `10–0, 9–1, …`, with draws where there are any.
fn results(matches: &[StudyMatch]) -> String {
    matches.iter().map(StudyMatch::won_and_lost).collect::<Vec<_>>().join(", ")
}

pub fn findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let mut pairings = matches(AMDF);
    let of_levels = LEVELS.len();
    pairings
        .extend(LEVELS.iter().map(|level| Pairing::new(level.name, [PLAIN, level.name], GAMES)));
    pairings.extend(questions(AMDF, SETTLED_BY).into_iter().take(2));
    let Some(found) = notebook.settle_all(&pairings, progress)? else { return Ok(None) };
    let (ours, rest) = found.split_at(of_levels + 1);
    let (plain, worth) = rest.split_at(of_levels);
    let ahead = ours[..of_levels - 1].iter().all(|it| it.score > 0.5);
    let last = &ours[of_levels - 1];
    let words =
        if ahead && last.score < 0.5 { "as the paper says" } else { "not as the paper says" };
    let note =
        "our levels; with two players that roll no dice ten games from an opening each, in pairs";
    Ok(Some(vec![
        Finding::new(
            "amdf/table-2-words",
            Verdict::NoOpponent,
            format!("{} against the levels, {} against minimax: {words}", results(&ours[..of_levels]), results(&ours[of_levels..])),
        )
        .noting(note),
        Finding::new("amdf/minimax-levels", Verdict::NoOpponent, format!("{} against the levels", results(plain)))
            .noting("minimax by captures, six plies, the lowest of equal moves"),
        Finding::new(
            "amdf/improves",
            Verdict::exact_if(worth[0].is_clear_win()),
            format!("{} against minimax of equal depth, {} if that chooses among equals by chance", worth[0].scored(), worth[1].scored()),
        )
        .noting(format!("{SETTLED_BY} games each; among equal moves any rule but the lowest pit gains as much or more")),
    ]))
}

pub fn table_findings(notebook: &mut Notebook, progress: &dyn Progress) -> Findings {
    let folder = notebook.folder().join("tables");
    let plan = BuildPlan::new(Rules::AYO, TABLE_SEEDS, &folder).expect("fewer than 48 seeds");
    if build(&plan, &Muted(progress), |_| ())?.is_none() {
        return Ok(None);
    }
    let trained = format!("amdf:training=tables:{}", folder.display());
    let name = format!("amdf by tables of {TABLE_SEEDS} seeds");
    let of = 2 * SETTLED_BY as u64;
    let mut found = Vec::new();
    for (at, opponent) in [AMDF, PLAIN].into_iter().enumerate() {
        let pairing = Pairing::new("", [&trained, opponent], SETTLED_BY);
        let part = Part { whole: progress, before: (at * SETTLED_BY) as u64, of };
        let Some(played) = notebook.settle_as([&name, opponent], &pairing, &part)? else {
            return Ok(None);
        };
        found.push(played);
    }
    let ours = format!(
        "{} against classes by the rule of Tchoukaillon, {} against minimax",
        found[0].scored(),
        found[1].scored()
    );
    Ok(Some(vec![Finding::new("amdf/endgame-training", Verdict::Open, ours).noting(format!(
        "classes from tables of up to {TABLE_SEEDS} seeds: a row is good if a best move leaves it; {SETTLED_BY} games"
    ))]))
}

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    rows: Option<Rows>,
    /// The player that meets the others
    #[arg(long, value_name = "SPEC", default_value = "amdf")]
    player: String,
    #[command(flatten)]
    options: MatchOptions,
}

const AFTER_HELP: &str = "\
First come matches of ten games against four levels and minimax of the same depth, as in the paper. The \
figures of its table are lost. Its text says that AMDF was ahead of all opponents but the grandmaster of \
the shareware Awale, which is not available: our levels share only the names of Awale's. Then comes what \
the paper leaves open: what its distances are worth. An interrupted study resumes.";

#[derive(Debug, Subcommand)]
enum Rows {
    /// Write good and bad rows as CSV, for amdf:training=FILE
    Rows(RowsArguments),
}

/// The result in JSON.
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
        let matches = kept_in(folder, matches(player));
        let questions = kept_in(folder, questions(player, options.games()));
        let before = games_of(&matches);
        let of = before + games_of(&questions);
        let part = |before| Part { whole: progress, before, of };
        let Some(matches) = play_all(&matches, &part(0))? else { return Ok(None) };
        let questions = play_all(&questions, &part(before))?;
        Ok(questions.map(|questions| [matches, questions]))
    })?;
    let Some([matches, questions]) = played else { return Ok(ExitCode::from(130)) };
    if options.json {
        let [matches, questions] = [&matches, &questions].map(|settled| pairing::answers(settled));
        print_json(&AmdfStudy { matches, questions }, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    print_matches(player, &matches, out)?;
    writeln!(out, "\nWhat is worth what, in Elo points of the first player")?;
    pairing::print(&questions, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print_matches(player: &str, matches: &[Settled], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "Matches of {} games: {} against", GAMES, shown(player))?;
    for Settled { pairing, tally } in matches {
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
             {ahead}; in the paper's words {printed}"
        )?;
    }
    Ok(())
}

#[derive(Debug, Args)]
struct RowsArguments {
    /// Where they come from: self-play:N, tables:DIR, or a file of rows, which is checked and written again
    #[arg(value_name = "SOURCE", default_value = "self-play:100")]
    source: String,
    /// Rules of the games
    #[arg(long, value_name = "NAME", default_value_t)]
    rules: Rules,
    /// Write them here [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the training rows of the player.
fn write_rows(arguments: &RowsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let RowsArguments { source, rules, output } = arguments;
    let wrong = |_| usage(format!("SOURCE is \"{source}\", not {SourceError}"));
    let parsed: Source = source.parse().map_err(wrong)?;
    let training = Training::from_source(&parsed, *rules).with_context(|| source.clone())?;
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
