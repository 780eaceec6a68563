//! The subcommand `ayo-papers rbh`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::player::LEVELS;
use clap::Args;
use mancala::progress::Part;
use serde::Serialize;

use super::{GAMES, LevelGame, SECONDS, levels, metrics, questions};
use crate::charts::{Chart, Sheet};
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
    #[command(flatten)]
    options: MatchOptions,
}

const AFTER_HELP: &str = "\
Plays six games at each of four levels, as in table 5.1 of the thesis, then the three metrics against each \
other, and then matches that measure refinement, bluffing, the endgame rules and evolved weights. The opponent \
of the thesis, the shareware Awale, is not available: our levels share only the names of its levels. An \
interrupted study resumes; its saved games have no times.";

/// The result as JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename = "rbh")]
struct RbhStudy {
    levels: Vec<LevelResult>,
    /// Results of the metrics against each other.
    metrics: Vec<Answer>,
    questions: Vec<Answer>,
}

/// The result of a game at a level, as JSON.
#[derive(Serialize)]
struct LevelResult {
    level: &'static str,
    tournament: usize,
    moves: usize,
    seeds: [u16; 2],
    positions_per_move: [f64; 2],
    printed: PrintedGame,
}

#[derive(Serialize)]
struct PrintedGame {
    moves: u32,
    seeds: [u32; 2],
}

impl From<&LevelGame> for LevelResult {
    fn from(game: &LevelGame) -> LevelResult {
        let &LevelGame { level, tournament, moves, seeds, nodes, printed, .. } = game;
        let printed = PrintedGame { moves: printed.moves, seeds: printed.seeds };
        LevelResult { level, tournament, moves, seeds, positions_per_move: nodes, printed }
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Arguments { player, output, levels_only, options } = arguments;
    output.as_deref().map_or(Ok(()), check_picture)?;
    let played = options.play("rbh", |folder, progress| {
        let games = options.games();
        let (metrics, questions) = match levels_only {
            true => (Vec::new(), Vec::new()),
            false => (metrics(games), questions(games)),
        };
        let [metrics, questions] = [metrics, questions].map(|it| saved_in(folder, it));
        let of_levels = (LEVELS.len() * GAMES) as u64;
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
        let levels = levels.iter().map(LevelResult::from).collect();
        print_json(&RbhStudy { levels, metrics, questions }, out)?;
    } else {
        print(arguments, &levels, &results, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Draws figures 5.1 to 5.4 of the thesis: the seeds in table 5.1, one chart per level.
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
            "figures 5.1 to 5.4 of Akinyemi 2012 and our games; our levels replace those of Awale, which is not available",
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
    writeln!(out, "Table 5.1: {player} against our levels; printed: RBH against Awale's")?;
    writeln!(
        out,
        "  level        game  moves     seeds   printed: moves     seeds       nodes     ms/move   printed: s"
    )?;
    for game in levels {
        print_game(game, out)?;
    }
    for level in LEVELS {
        print_level(level.name, levels, out)?;
    }
    let last = &LEVELS[LEVELS.len() - 1];
    writeln!(out, "  {} is {}; the thesis played against another program", last.name, last.spec)?;
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
    let LevelGame { level, tournament, moves, seeds: [ours, theirs], milliseconds, printed, nodes } =
        game;
    let index = LEVELS.iter().position(|it| it.name == *level).unwrap_or(0);
    let [printed_ours, printed_theirs] = printed.seeds;
    let time = milliseconds[0].map_or("–".into(), |it| format!("{it:.3}"));
    writeln!(
        out,
        "  {level:<12} {tournament:>4}  {moves:>5}  {ours:>3} : {theirs:<2}   {:>14}  {printed_ours:>3} : \
         {printed_theirs:<2}   {:>9.0}   {time:>9}   {:>10.2}",
        printed.moves, nodes[0], SECONDS[index][0],
    )?;
    Ok(())
}

/// Formats the number of games won, drawn and lost.
fn record(seeds: impl Iterator<Item = [u32; 2]>) -> String {
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for [ours, theirs] in seeds {
        match ours.cmp(&theirs) {
            std::cmp::Ordering::Greater => won += 1,
            std::cmp::Ordering::Equal => drawn += 1,
            std::cmp::Ordering::Less => lost += 1,
        }
    }
    format!("+{won} ={drawn} -{lost}")
}

fn print_level(level: &str, games: &[LevelGame], out: &mut dyn Write) -> anyhow::Result<()> {
    let games = || games.iter().filter(|game| game.level == level);
    let ours = record(games().map(|game| game.seeds.map(u32::from)));
    let printed = record(games().map(|game| game.printed.seeds));
    writeln!(out, "  {level:<12} {ours}, printed {printed}")?;
    Ok(())
}
