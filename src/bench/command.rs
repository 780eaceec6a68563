use std::fmt::Display;
use std::io::Write;
use std::time::{Duration, Instant};

use arena::player::PlayableGame;
use clap::Args;
use mancala::game::{AnyGame, with_game};
use mancala::progress::Progress;

use crate::bench::result::{
    Bench, EngineSpeed, GameSpeed, PerftSpeed, SearchSpeed, Signature, Speed,
};
use crate::bench::{self, PlayedGames};
use crate::terminal::error::usage;
use crate::terminal::meter::{Meter, Verbosity, grouped, time_left};
use crate::terminal::output::print_json;
use crate::terminal::workers::Workers;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Plies of the deep searches [default: 13, with --quick 9]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    #[command(flatten)]
    workers: Workers,
    /// Measure for about a second in all, roughly
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The signature is the nodes and a checksum of the moves and scores of searches of forty positions. It \
is the same on every machine and with every number of threads, and the checksum with every version.

Searches and perft run on one core. A node is a position that a search enters. The baseline is \
alpha-beta on the same board, without a table. It tries pits from the lowest up and values one leaf \
at a time. The engine searches the start for about a second with 64 MiB, longer than the processor's own memory \
lasts.";

/// The signature's depths.
const SIGNATURE_DEPTHS: [u32; 2] = [5, 9];
/// The depth of the players of a training run.
const SHALLOW: u32 = 5;

/// How much is measured.
struct Plan {
    depth: u32,
    /// How long something short is repeated.
    least: Duration,
    /// Nodes of the engine's search.
    long: u64,
    perft: u32,
    games: usize,
    generations: u32,
}

impl Plan {
    fn of(arguments: &Arguments) -> Plan {
        let depth = arguments.depth;
        if arguments.quick {
            let least = Duration::from_millis(100);
            let depth = depth.unwrap_or(9);
            Plan { depth, least, long: 1_000_000, perft: 8, games: 50, generations: 1 }
        } else {
            let (depth, least) = (depth.unwrap_or(13), Duration::from_secs(1));
            Plan { depth, least, long: 30_000_000, perft: 10, games: 1000, generations: 10 }
        }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let pool = arguments.workers.pool()?;
    let verbosity = arguments.workers.verbosity();
    let plan = Plan::of(arguments);
    let found = with_game!(arguments.game, game => measure(game, &plan, &pool, verbosity))?;
    if arguments.json {
        return print_json(&found, out);
    }
    print_searches(&found, out)?;
    print_play(&found, out)
}

/// Calls `work` with a progress that a meter shows.
fn shown<T>(what: &str, verbosity: Verbosity, work: impl FnOnce(&dyn Progress) -> T) -> T {
    let shown = Shown { what, meter: Meter::new(1, verbosity), begun: Instant::now() };
    let done = work(&shown);
    shown.meter.finish();
    done
}

/// A meter of some work.
struct Shown<'a> {
    what: &'a str,
    meter: Meter,
    begun: Instant,
}

impl Progress for Shown<'_> {
    fn advance(&self, done: u64, of: u64) {
        let (what, left) = (self.what, time_left(self.begun, done, of));
        self.meter.set_length(of);
        self.meter.set_position(done);
        self.meter.say(format!("{what} {done}/{of}, {left} left"));
    }
}

fn measure<G: PlayableGame>(
    game: G,
    plan: &Plan,
    pool: &rayon::ThreadPool,
    verbosity: Verbosity,
) -> anyhow::Result<Bench> {
    let positions = bench::suite(game).map_err(unfit)?;
    let settings = bench::settings(game).map_err(unfit)?;
    let signature = SIGNATURE_DEPTHS
        .map(|depth| pool.install(|| bench::signature(game, &positions, depth)).into());
    let compare = |depth| {
        let compared = shown(&format!("depth {depth}, search"), verbosity, |progress| {
            bench::compare(game, &positions, depth, plan.least, progress)
        });
        SearchSpeed::from(&compared)
    };
    let searches = [compare(SHALLOW), compare(plan.depth)];
    let engine = bench::think(game, plan.long).into();
    let leaves = bench::rate_of_perft(game, plan.perft, plan.least).into();
    let played = shown("games", verbosity, |progress| {
        pool.install(|| bench::play(game, plan.games, progress))
    });
    let trained = shown("training, generation", verbosity, |progress| {
        pool.install(|| bench::train(settings, plan.generations, progress))
    });
    let PlayedGames { games, nodes } = played.map_err(unfit)?;
    let (weights, game) = (bench::measured(game).into(), game.into());
    Ok(Bench {
        version: env!("CARGO_PKG_VERSION").into(),
        threads: pool.current_num_threads(),
        positions: positions.len(),
        weights,
        signature,
        searches,
        engine,
        perft: PerftSpeed { depth: plan.perft, leaves },
        games: GameSpeed { depth: SHALLOW, games: games.into(), nodes },
        training: trained.into(),
        game: (game != AnyGame::default()).then(|| game.to_string()),
    })
}

fn print_searches(found: &Bench, out: &mut dyn Write) -> anyhow::Result<()> {
    let signature = found.signature.each_ref().map(text_of);
    writeln!(out, "signature            {}", signature.join("  "))?;
    writeln!(out, "\n{} positions, one core", found.positions)?;
    writeln!(out, "{:<20}{:>15}{:>12}{:>12}{:>8}", "", "nodes", "time", "M nodes/s", "gain")?;
    for SearchSpeed { depth, nodes, baseline_nodes, gain } in &found.searches {
        print_search(out, &format!("depth {depth}"), nodes, &format!("{gain:.2}"))?;
        print_search(out, "  baseline", baseline_nodes, "")?;
    }
    let EngineSpeed { signature, nodes } = &found.engine;
    print_search(out, "engine", nodes, "")?;
    let share = nodes.per_second / found.searches[0].nodes.per_second;
    writeln!(out, "  {share:.2} of the rate at depth {SHALLOW}; found {}", text_of(signature))?;
    let PerftSpeed { depth, leaves } = &found.perft;
    let millions = leaves.per_second / 1e6;
    let (count, time) = (grouped(leaves.count), seconds(leaves.seconds));
    writeln!(out, "\nperft {depth:<15}{count:>15}{time:>12}{millions:>12.1} M leaves/s, one core",)?;
    Ok(())
}

fn print_play(found: &Bench, out: &mut dyn Write) -> anyhow::Result<()> {
    let threads = match found.threads {
        1 => "1 thread".into(),
        threads => format!("{threads} threads"),
    };
    let (games, training) = (&found.games.games, &found.training);
    writeln!(
        out,
        "games{:<16}{:>15}{:>12}{:>12.0} games/s, {threads}",
        "",
        grouped(games.count),
        seconds(games.seconds),
        games.per_second
    )?;
    let generations = &training.generations;
    writeln!(
        out,
        "training{:<13}{:>15}{:>12}{:>12.1} generations/s, {threads}",
        "",
        grouped(generations.count),
        seconds(generations.seconds),
        generations.per_second
    )?;
    writeln!(
        out,
        "  which took {} games and {} nodes",
        grouped(training.games),
        grouped(training.nodes)
    )?;
    Ok(())
}

/// A game that something cannot be measured of.
fn unfit(error: impl Display) -> anyhow::Error {
    usage(format!("--game: {error}"))
}

/// `5:123456-0a1b2c3d`: depth, nodes, checksum.
fn text_of(Signature { depth, nodes, checksum }: &Signature) -> String {
    format!("{depth}:{nodes}-{checksum}")
}

fn print_search(out: &mut dyn Write, what: &str, speed: &Speed, gain: &str) -> std::io::Result<()> {
    let millions = speed.per_second / 1e6;
    let (nodes, time) = (grouped(speed.count), seconds(speed.seconds));
    writeln!(out, "{what:<20}{nodes:>15}{time:>12}{millions:>12.1}{gain:>8}")
}

/// A time of any size to three or four digits.
fn seconds(time: f64) -> String {
    if time < 1.0 { format!("{:.2} ms", 1e3 * time) } else { format!("{time:.2} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_read_them() {
        assert_eq!(seconds(0.002_344), "2.34 ms");
        assert_eq!(seconds(12.345), "12.35 s");
        assert_eq!(
            text_of(&Signature { depth: 5, nodes: 7, checksum: "000000ff".into() }),
            "5:7-000000ff"
        );
    }
}
