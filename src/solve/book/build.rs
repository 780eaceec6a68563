use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use arena::player::PlayableGame;
use clap::Args;
use mancala::game::ayo::Rules;
use mancala::game::{AnyGame, with_game};

use crate::cli::game::named;
use crate::solve::book::source::book_error;
use crate::solve::book::watch::Watch;
use crate::solve::book::work::{Building, End, Valuer};
use crate::terminal::error::usage;
use crate::terminal::meter::{counted, grouped, rounded};
use crate::terminal::output::announce;
use crate::terminal::shown;
use crate::terminal::workers::{Workers, time_limit};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// File of the book; one that is there is gone on with
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Positions whose moves are to be in it, in whole rounds of 32
    #[arg(long, value_name = "N", default_value_t = 1000)]
    positions: u32,
    /// Positions that the search of one position may enter
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "player")]
    nodes: u64,
    /// Player that values positions [default: engine:hash=16 with --nodes]
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// Plies that a seed given away by the player with the book counts for [default: 32]
    #[arg(long, value_name = "N")]
    own: Option<u16>,
    /// Plies that a seed given away by its opponent counts for [default: 12]
    #[arg(long, value_name = "N")]
    opponent: Option<u16>,
    /// Stop after this long: 90s, 10m, 8h; the same command goes on
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    max_time: Option<Duration>,
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Rules of ayo: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
    #[command(flatten)]
    workers: Workers,
}

const AFTER_HELP: &str = "\
The next positions are those where a line costs least: each ply costs one, and each seed that a move gives away against \
the best one costs --own or --opponent. Large numbers make a deep book of good lines, small ones a broad one.

The file is written every few seconds. Interruptions and the number of threads change none of its bytes.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    with_game!(named(arguments.game, arguments.rules)?, game => build(arguments, game, out))
}

fn build<G: PlayableGame>(
    arguments: &Arguments,
    game: G,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if arguments.positions == 0 {
        return Err(usage("invalid value '0' for --positions: a book has at least one"));
    }
    // Nothing of the opening is in endgame tables.
    let tables = if G::OWN_SETTINGS.contains(&"tables") { ",tables=off" } else { "" };
    let usual = || format!("engine:nodes={},hash=16{tables}", arguments.nodes);
    let player = arguments.player.clone().unwrap_or_else(usual);
    let pool = arguments.workers.pool()?;
    let valuer = Valuer::new(&player, game, pool.current_num_threads()).map_err(book_error)?;
    let (file, weights) = (&arguments.output, [arguments.own, arguments.opponent]);
    let mut building = Building::begin(file, game, valuer, weights).map_err(book_error)?;
    let (before, all) = (building.book().expanded() as u64, arguments.positions.into());
    let (path, name) = (shown(file), shown(&player));
    let from = if before > 0 { format!(", from {}", grouped(before)) } else { String::new() };
    let to = counted(all, "position");
    announce(&format!("{path}: to {to}{from}, valued by {name}"), out)?;
    let watch = Watch::new([before, all], arguments.max_time, arguments.workers.verbosity())?;
    let grown = pool.install(|| building.grow(all as usize, &watch));
    watch.finish();
    let (end, time) = (grown?, rounded(watch.elapsed()));
    let book = building.book();
    let holds = format!(
        "moves of {}, values of {}",
        counted(book.expanded() as u64, "position"),
        grouped(book.positions() as u64)
    );
    let (said, code) = match end {
        End::Reached => ("as many as asked for", 0),
        End::Complete => ("every line to its end", 0),
        End::Stopped if watch.interrupted() => ("interrupted; the same command goes on", 130),
        End::Stopped => ("the time is up; the same command goes on", 0),
    };
    writeln!(out, "{path}: {holds}, in {time}: {said}")?;
    Ok(ExitCode::from(code))
}
