use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evolution::player::LEVELS;
use mancala::progress::Part;

use super::super::terminal::shown;
use super::super::{check_picture, print_json};
use super::pairings::{self, Effort, not_met};
use crate::report;
use crate::results::{LevelResult, RbhStudy};
use crate::study::rbh::{self, GAMES, LevelGame, SECONDS};
use crate::study::{Pairing, Settled, play_all};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The player that meets the levels
    #[arg(long, value_name = "SPEC", default_value = "rbh")]
    player: String,
    /// Draw the seeds of each game, as figures 5.1 to 5.4 of the thesis, to this file, .png or .svg
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play the games of table 5.1 alone
    #[arg(long)]
    levels_only: bool,
    #[command(flatten)]
    effort: Effort,
}

const AFTER_HELP: &str = "\
First come six games at each of four levels, as in table 5.1 of the thesis. Its opponent, the shareware \
Awale, is not available: our levels share only the names of Awale's. Then the three metrics meet each \
other. Last comes what the thesis leaves open: what refinement, bluffing, the endgame and evolved weights \
are worth. An interrupted study goes on where it stopped; games that were kept have no times.";

/// All that was played.
struct Results {
    levels: Vec<LevelGame>,
    metrics: Vec<Settled>,
    questions: Vec<Settled>,
}

impl Results {
    fn study(&self) -> RbhStudy {
        RbhStudy {
            levels: self.levels.iter().map(LevelResult::from).collect(),
            metrics: pairings::answers(&self.metrics),
            questions: pairings::answers(&self.questions),
        }
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    check_picture(arguments.output.as_deref())?;
    let games = arguments.effort.games();
    let (metrics, questions) = match arguments.levels_only {
        true => (Vec::new(), Vec::new()),
        false => (rbh::metrics(games), rbh::questions(games)),
    };
    let kept = arguments.effort.kept("rbh");
    let [metrics, questions] = [metrics, questions].map(|it| kept.pairings(it));
    let of = |pairings: &[Pairing]| pairings.iter().map(|pairing| pairing.games).sum::<usize>();
    let (of_levels, of_metrics) = (LEVELS.len() * GAMES, of(&metrics));
    let all = of_levels + of_metrics + of(&questions);
    let watch = arguments.effort.watch(all)?;
    let part = |before: usize| Part { whole: &watch, before: before as u64, of: all as u64 };
    let folder = kept.folder()?;
    let played = arguments.effort.pool()?.install(|| {
        let levels = rbh::levels(&arguments.player, Some(folder), &part(0))?;
        let Some(levels) = levels else { return Ok(None) };
        let Some(metrics) = play_all(&metrics, &part(of_levels))? else { return Ok(None) };
        let questions = play_all(&questions, &part(of_levels + of_metrics))?;
        Ok(questions.map(|questions| Results { levels, metrics, questions }))
    });
    watch.finish();
    let Some(results) = played.map_err(not_met)? else {
        return Ok(kept.interrupted());
    };
    kept.finish()?;
    if let Some(path) = &arguments.output {
        report::plot_levels(&results.study().levels, path)?;
    }
    if arguments.effort.json {
        print_json(&results.study(), out)?;
    } else {
        print(arguments, &results, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(arguments: &Arguments, results: &Results, out: &mut dyn Write) -> anyhow::Result<()> {
    let player = &arguments.player;
    writeln!(out, "Table 5.1: {} against our levels; printed: RBH against Awale's", shown(player))?;
    writeln!(
        out,
        "  level        game  moves     seeds   printed: moves     seeds   positions   ms a move   printed: s"
    )?;
    for game in &results.levels {
        print_game(game, out)?;
    }
    for level in LEVELS {
        print_level(level.name, &results.levels, out)?;
    }
    let last = &LEVELS[LEVELS.len() - 1];
    writeln!(out, "  {} is {}; that of the thesis was another program's", last.name, last.spec)?;
    if let Some(path) = &arguments.output {
        writeln!(out, "  wrote {}", shown(path))?;
    }
    if arguments.levels_only {
        return Ok(());
    }
    writeln!(out, "\nThe metrics against each other")?;
    pairings::print(&results.metrics, out)?;
    writeln!(out, "\nWhat is worth what, in Elo points of the first player")?;
    pairings::print(&results.questions, out)
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

/// Won, drawn and lost, by more seeds.
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
