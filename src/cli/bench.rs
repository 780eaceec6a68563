use std::fmt::Display;
use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::{Value, json};

use super::meter::{Meter, Verbosity, grouped, time_left};
use super::usage;
use super::workers::Workers;
use crate::bench::{self, Comparison, PlayedGames, Rate, Sum, Trained};
use crate::player::PlayableGame;
use mancala::game::{AnyGame, with_game};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
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
is the same on every machine and with every number of threads; the checksum, with every version too.

Searches and perft run on one core. A node is a position that a search enters. The baseline is \
alpha-beta on the same board that looks at pits from the lowest up, one leaf at a time, without a \
table.";

/// The signature's depths.
const SIGNATURE_DEPTHS: [u32; 2] = [5, 9];
/// The depth of the players of a training run.
const SHALLOW: u32 = 5;

/// How much is measured.
struct Plan {
    depth: u32,
    /// How long something short is repeated.
    least: Duration,
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
            Plan { depth, least, perft: 8, games: 50, generations: 1 }
        } else {
            let (depth, least) = (depth.unwrap_or(13), Duration::from_secs(1));
            Plan { depth, least, perft: 10, games: 1000, generations: 10 }
        }
    }
}

/// All that is measured.
struct Measured {
    game: AnyGame,
    weights: &'static str,
    signature: [Sum; 2],
    shallow: Comparison,
    deep: Comparison,
    perft: Rate,
    positions: usize,
    played: PlayedGames,
    trained: Trained,
    plan: Plan,
    threads: usize,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let pool = arguments.workers.pool()?;
    let verbosity = arguments.workers.verbosity();
    let plan = Plan::of(arguments);
    let measured = with_game!(arguments.game, game => Measured::new(game, plan, &pool, verbosity))?;
    if arguments.json {
        writeln!(out, "{:#}", measured.json())?;
    } else {
        measured.print(out)?;
    }
    Ok(())
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

impl Measured {
    fn new<G: PlayableGame>(
        game: G,
        plan: Plan,
        pool: &rayon::ThreadPool,
        verbosity: Verbosity,
    ) -> anyhow::Result<Measured> {
        let positions = bench::suite(game).map_err(unfit)?;
        let settings = bench::settings(game).map_err(unfit)?;
        let signature = SIGNATURE_DEPTHS
            .map(|depth| pool.install(|| bench::signature(game, &positions, depth)));
        let compare = |depth| {
            shown(&format!("depth {depth}, search"), verbosity, |progress| {
                bench::compare(game, &positions, depth, plan.least, progress)
            })
        };
        let (shallow, deep) = (compare(SHALLOW), compare(plan.depth));
        let perft = bench::rate_of_perft(game, plan.perft, plan.least);
        let played = shown("games", verbosity, |progress| {
            pool.install(|| bench::play(game, plan.games, progress))
        });
        let trained = shown("training, generation", verbosity, |progress| {
            pool.install(|| bench::train(settings, plan.generations, progress))
        });
        let (played, positions) = (played.map_err(unfit)?, positions.len());
        let (weights, threads) = (bench::measured(game), pool.current_num_threads());
        let game = game.into();
        Ok(Measured {
            game,
            weights,
            signature,
            shallow,
            deep,
            perft,
            positions,
            played,
            trained,
            plan,
            threads,
        })
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.print_searches(out)?;
        self.print_play(out)
    }

    fn print_searches(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let signature = self.signature.map(text_of);
        writeln!(out, "signature            {}", signature.join("  "))?;
        writeln!(out, "\n{} positions, one core", self.positions)?;
        writeln!(out, "{:<20}{:>15}{:>12}{:>12}{:>8}", "", "nodes", "time", "M nodes/s", "gain")?;
        for comparison in [&self.shallow, &self.deep] {
            let depth = comparison.found.depth;
            let gain = format!("{:.2}", comparison.gain());
            print_search(out, &format!("depth {depth}"), comparison.search, &gain)?;
            print_search(out, "  baseline", comparison.baseline, "")?;
        }
        let millions = self.perft.per_second() / 1e6;
        let (count, time) = (grouped(self.perft.count), seconds(self.perft.time));
        let perft_depth = self.plan.perft;
        writeln!(
            out,
            "\nperft {perft_depth:<15}{count:>15}{time:>12}{millions:>12.1} M leaves/s, one core",
        )?;
        Ok(())
    }

    fn print_play(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let threads = match self.threads {
            1 => "1 thread".into(),
            threads => format!("{threads} threads"),
        };
        let (of_games, trained) = (self.played.games, self.trained);
        writeln!(
            out,
            "games{:<16}{:>15}{:>12}{:>12.0} games/s, {threads}",
            "",
            grouped(of_games.count),
            seconds(of_games.time),
            of_games.per_second()
        )?;
        let of_run = trained.generations;
        writeln!(
            out,
            "training{:<13}{:>15}{:>12}{:>12.1} generations/s, {threads}",
            "",
            grouped(of_run.count),
            seconds(of_run.time),
            of_run.per_second()
        )?;
        writeln!(
            out,
            "  which took {} games and {} nodes",
            grouped(trained.games),
            grouped(trained.nodes)
        )?;
        Ok(())
    }

    fn json(&self) -> Value {
        let rate = |rate: Rate| {
            json!({
                "count": rate.count,
                "seconds": rate.time.as_secs_f64(),
                "per_second": rate.per_second(),
            })
        };
        let comparison = |comparison: &Comparison| {
            json!({
                "depth": comparison.found.depth,
                "nodes": rate(comparison.search),
                "baseline_nodes": rate(comparison.baseline),
                "gain": comparison.gain(),
            })
        };
        let signature = |sum: Sum| {
            json!({
                "depth": sum.depth,
                "nodes": sum.nodes,
                "checksum": format!("{:08x}", sum.checksum),
            })
        };
        let Measured { weights, signature: sums, positions, played, trained, plan, .. } = self;
        let mut found = json!({
            "kind": "bench",
            "version": env!("CARGO_PKG_VERSION"),
            "threads": self.threads,
            "positions": positions,
            "weights": weights,
            "signature": sums.map(signature),
            "searches": [comparison(&self.shallow), comparison(&self.deep)],
            "perft": { "depth": plan.perft, "leaves": rate(self.perft) },
            "games": { "depth": SHALLOW, "games": rate(played.games), "nodes": played.nodes },
            "training": {
                "generations": rate(trained.generations),
                "games": trained.games,
                "nodes": trained.nodes,
            },
        });
        if self.game != AnyGame::default() {
            found["game"] = self.game.to_string().into();
        }
        found
    }
}

/// A game that something cannot be measured of.
fn unfit(error: impl Display) -> anyhow::Error {
    usage(format!("--game: {error}"))
}

/// `5:123456-0a1b2c3d`: depth, nodes, checksum.
fn text_of(sum: Sum) -> String {
    format!("{}:{}-{:08x}", sum.depth, sum.nodes, sum.checksum)
}

fn print_search(out: &mut dyn Write, what: &str, rate: Rate, gain: &str) -> std::io::Result<()> {
    let millions = rate.per_second() / 1e6;
    let (nodes, time) = (grouped(rate.count), seconds(rate.time));
    writeln!(out, "{what:<20}{nodes:>15}{time:>12}{millions:>12.1}{gain:>8}")
}

/// A time of any size to three or four digits.
fn seconds(time: Duration) -> String {
    match time.as_secs_f64() {
        s if s < 1.0 => format!("{:.2} ms", 1e3 * s),
        s => format!("{s:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_read_them() {
        assert_eq!(seconds(Duration::from_micros(2344)), "2.34 ms");
        assert_eq!(seconds(Duration::from_millis(12_345)), "12.35 s");
        assert_eq!(text_of(Sum { depth: 5, nodes: 7, checksum: 255 }), "5:7-000000ff");
    }
}
