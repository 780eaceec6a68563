//! The command `ayo-papers rbh`.

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use mancala::progress::Part;
use serde::Serialize;

use super::{GAMES, LevelGame, levels, metrics, questions};
use crate::charts::{Chart, Sheet};
use crate::ladder::LADDER;
use crate::pairing::{self, Answer, MatchOptions, MatchResult, games_of, play_all, saved_in};
use crate::terminal::{check_picture, print_json, shown};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The player to test
    #[arg(long, value_name = "SPEC", default_value = "rbh")]
    player: String,
    /// Plot the seeds of each game to this file, .png or .svg, as in figures 5.1 to 5.4 of the thesis
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play only the games in table 5.1
    #[arg(long)]
    levels_only: bool,
    /// Play no games, and compare readings of the thesis with South's moves in its printed games
    #[arg(long, conflicts_with_all = ["levels_only", "output", "player", "json"])]
    moves: bool,
    #[command(flatten)]
    options: MatchOptions,
}

const AFTER_HELP: &str = "\
Plays six games at each of four levels, as in table 5.1 of the thesis, then the three metrics against each \
other, and then matches that measure refinement, bluffing, the endgame rules and evolved weights. Players of our own \
replace the levels of the shareware Awale, the opponent of the thesis. An interrupted study resumes.";

/// The result as JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "rbh")]
struct RbhStudy<'a> {
    levels: &'a [LevelGame],
    /// The results of matches between players with different metrics.
    metrics: Vec<Answer>,
    questions: Vec<Answer>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { player, output, levels_only, moves, options } = arguments;
    if *moves {
        super::moves::print(out)?;
        return Ok(ExitCode::SUCCESS);
    }
    output.as_deref().map_or(Ok(()), check_picture)?;
    let played = options.play("rbh", |folder, progress| {
        let games = options.games();
        let (metrics, questions) = match levels_only {
            true => (Vec::new(), Vec::new()),
            false => (metrics(games), questions(games)),
        };
        let [metrics, questions] = [metrics, questions].map(|it| saved_in(folder, it));
        let of_levels = (LADDER.len() * GAMES) as u64;
        let before = of_levels + games_of(&metrics);
        let of = before + games_of(&questions);
        let part = |before| Part { whole: progress, before, of };
        let Some(levels) = levels(player, folder, &part(0))? else { return Ok(None) };
        let Some(metrics) = play_all(&metrics, &part(of_levels))? else { return Ok(None) };
        let questions = play_all(&questions, &part(before))?;
        Ok(questions.map(|questions| (levels, [metrics, questions])))
    })?;
    let Some((levels, results)) = played else { return Ok(ExitCode::from(130)) };
    if let Some(path) = output {
        picture(&levels).write(path)?;
    }
    if options.json {
        let [metrics, questions] = results.map(|results| pairing::answers(&results));
        print_json(&RbhStudy { levels: &levels, metrics, questions }, out)?;
    } else {
        print(arguments, &levels, &results, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws figures 5.1 to 5.4 of the thesis, which show the seeds in table 5.1 with one chart per level.
fn picture(games: &[LevelGame]) -> Sheet {
    let of_level = |games: &[LevelGame]| {
        let group = |game: &LevelGame| {
            let ([rbh, level], [printed, awale]) = (game.seeds, game.printed.seeds);
            vec![f64::from(rbh), f64::from(printed), f64::from(level), f64::from(awale)]
        };
        Chart::Bars {
            title: format!("{}: seeds in each of six games", games[0].level),
            groups: games.iter().map(group).collect(),
        }
    };
    Sheet {
        title: "Seeds captured by RBH and its opponents",
        notes: &[
            "figures 5.1 to 5.4 of Akinyemi 2012 and our games; players of our own replace the levels of Awale",
        ],
        keys: &["RBH", "RBH, printed", "our level", "Awale, printed"],
        columns: 2,
        sizes: [1000, 48],
        charts: games.chunk_by(|a, b| a.level == b.level).map(of_level).collect(),
    }
}

fn print(
    arguments: &Arguments,
    levels: &[LevelGame],
    [metrics, questions]: &[Vec<MatchResult>; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let player = shown(&arguments.player);
    writeln!(out, "Table 5.1: {player} against our ladder; printed: RBH against Awale's")?;
    writeln!(out, "  level        game  moves     seeds   printed: moves     seeds       nodes")?;
    for game in levels {
        print_game(game, out)?;
    }
    for rung in &LADDER {
        print_level(rung.name, levels, out)?;
    }
    for rung in &LADDER {
        writeln!(out, "  {} is {}", rung.name, rung.spec)?;
    }
    if let Some(path) = &arguments.output {
        writeln!(out, "  wrote {}", shown(path))?;
    }
    if arguments.levels_only {
        return Ok(());
    }
    writeln!(out, "\nThe metrics against each other")?;
    pairing::print(metrics, out)?;
    writeln!(out, "\nOpen questions, in Elo points of the first player")?;
    pairing::print(questions, out)
}

fn print_game(game: &LevelGame, out: &mut dyn Write) -> anyhow::Result<()> {
    let LevelGame { level, tournament, moves, seeds: [ours, theirs], printed, nodes } = game;
    let [printed_ours, printed_theirs] = printed.seeds;
    writeln!(
        out,
        "  {level:<12} {tournament:>4}  {moves:>5}  {ours:>3} : {theirs:<2}   {:>14}  {printed_ours:>3} : \
         {printed_theirs:<2}   {:>9.0}",
        printed.moves, nodes[0]
    )?;
    Ok(())
}

/// Prints how many games we won, drew and lost at a level, followed by the printed numbers.
fn print_level(level: &str, games: &[LevelGame], out: &mut dyn Write) -> anyhow::Result<()> {
    let record = |seeds: fn(&LevelGame) -> [u32; 2]| {
        let count = |order| {
            let games = games.iter().filter(|it| it.level == level).map(seeds);
            games.filter(|[ours, theirs]| ours.cmp(theirs) == order).count()
        };
        let [won, drawn, lost] = [Ordering::Greater, Ordering::Equal, Ordering::Less].map(count);
        format!("+{won} ={drawn} -{lost}")
    };
    let [ours, printed] = [record(|it| it.seeds.map(u32::from)), record(|it| it.printed.seeds)];
    Ok(writeln!(out, "  {level:<12} {ours}, printed {printed}")?)
}
