use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use super::super::print_json;
use super::super::terminal::shown;
use super::pairings::{self, Effort, not_met};
use crate::results::AmdfStudy;
use crate::study::{Settled, amdf, play_all};
use mancala::progress::Part;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The player that meets the others
    #[arg(long, value_name = "SPEC", default_value = "amdf")]
    player: String,
    #[command(flatten)]
    effort: Effort,
}

const AFTER_HELP: &str = "\
First come matches of ten games against four levels and minimax of the same depth, as in the paper. The \
figures of its table are lost. Its text says that AMDF was ahead of all opponents but the grandmaster of \
the shareware Awale, which is not available: our levels share only the names of Awale's. Then comes what \
the paper leaves open: what its distances are worth. An interrupted study goes on where it stopped.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let kept = arguments.effort.kept("amdf");
    kept.folder()?;
    let matches = kept.pairings(amdf::matches(&arguments.player));
    let questions = kept.pairings(amdf::questions(&arguments.player, arguments.effort.games()));
    let games = matches.iter().chain(&questions).map(|pairing| pairing.games).sum();
    let watch = arguments.effort.watch(games)?;
    let of_matches: usize = matches.iter().map(|pairing| pairing.games).sum();
    let part = |before: usize| Part { whole: &watch, before: before as u64, of: games as u64 };
    let played = arguments.effort.pool()?.install(|| {
        let Some(matches) = play_all(&matches, &part(0))? else { return Ok(None) };
        Ok(play_all(&questions, &part(of_matches))?.map(|questions| [matches, questions]))
    });
    watch.finish();
    let Some([matches, questions]) = played.map_err(not_met)? else {
        return Ok(kept.interrupted());
    };
    kept.finish()?;
    if arguments.effort.json {
        let [matches, questions] = [&matches, &questions].map(|settled| pairings::answers(settled));
        print_json(&AmdfStudy { matches, questions }, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    print_matches(&arguments.player, &matches, out)?;
    writeln!(out, "\nWhat is worth what, in Elo points of the first player")?;
    pairings::print(&questions, out)?;
    Ok(ExitCode::SUCCESS)
}

fn print_matches(player: &str, matches: &[Settled], out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "Matches of {} games: {} against", amdf::GAMES, shown(player))?;
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
