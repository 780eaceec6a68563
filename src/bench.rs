//! `ayo bench`: measures the speed of the program, and prints a signature that shows whether its choices have changed.
//!
//! The signature does not depend on the machine or on the number of threads.

mod measure;

use std::fmt::{self, Display};
use std::io::Write;
use std::time::Duration;

use arena::player::PlayableGame;
use clap::Args;
use mancala::game::{AnyGame, with_game};
use serde::Serialize;

pub use self::measure::{evaluator, positions};
use crate::terminal::{Interrupt, ShownProgress, Workers, grouped, print_json, usage};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Game: ayo, or kalah[:pits=6,seeds=4,empty-capture=on|off,ending=owner|emptier]
    #[arg(long, value_name = "GAME", default_value_t = AnyGame::default())]
    game: AnyGame,
    /// Depth of the deep searches in plies [default: 13, with --quick 9]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    #[command(flatten)]
    workers: Workers,
    /// Measure for about a second in total
    #[arg(long)]
    quick: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The signature consists of a node count and a checksum of the moves and scores from searches of forty positions. It \
does not depend on the machine or the number of threads. The checksum is also the same in every version.

Searches and perft run on one core. A node is a position visited by a search. The baseline is alpha-beta on the same \
board, without a transposition table. It tries pits from the lowest up and evaluates one leaf at a time. The engine \
searches the initial position for about a second with a 64 MiB table, which is larger than the processor's cache.";

const SIGNATURE_DEPTHS: [u32; 2] = [5, 9];
const SHALLOW: u32 = 5;

#[derive(Serialize)]
#[serde(tag = "kind", rename = "bench")]
struct Bench {
    version: &'static str,
    threads: usize,
    positions: usize,
    weights: &'static str,
    signature: [Signature; 2],
    searches: [SearchSpeed; 2],
    engine: EngineSpeed,
    perft: PerftSpeed,
    games: GameSpeed,
    training: TrainingSpeed,
    /// The name of the game. Left out for ayo.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
}

#[derive(Clone, Copy, Serialize)]
struct Speed {
    count: u64,
    seconds: f64,
    per_second: f64,
}

impl Speed {
    fn new(count: u64, time: Duration) -> Speed {
        let seconds = time.as_secs_f64();
        Speed { count, seconds, per_second: count as f64 / seconds }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct Signature {
    depth: u32,
    /// Number of nodes searched, which may change when the search is improved.
    nodes: u64,
    /// CRC-32 of moves and scores, in hexadecimal. It is the same in every version.
    checksum: String,
}

/// Writes `5:123456-0a1b2c3d`: depth, nodes, checksum.
impl Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.depth, self.nodes, self.checksum)
    }
}

#[derive(Serialize)]
struct SearchSpeed {
    depth: u32,
    nodes: Speed,
    baseline_nodes: Speed,
    gain: f64,
}

#[derive(Serialize)]
struct EngineSpeed {
    /// Signature of the engine's search. It may change when the engine is improved.
    signature: Signature,
    nodes: Speed,
}

#[derive(Serialize)]
struct PerftSpeed {
    depth: u32,
    leaves: Speed,
}

#[derive(Serialize)]
struct GameSpeed {
    depth: u32,
    games: Speed,
    /// Number of nodes that the players searched.
    nodes: u64,
}

#[derive(Serialize)]
struct TrainingSpeed {
    generations: Speed,
    games: u64,
    /// Number of nodes that the players of these games searched.
    nodes: u64,
}

struct Plan {
    depth: u32,
    /// A short measurement is repeated for at least this time.
    least: Duration,
    engine_nodes: u64,
    perft: u32,
    games: usize,
    generations: u32,
}

const QUICK: Plan = Plan {
    depth: 9,
    least: Duration::from_millis(100),
    engine_nodes: 1_000_000,
    perft: 8,
    games: 50,
    generations: 1,
};

const FULL: Plan = Plan {
    depth: 13,
    least: Duration::from_secs(1),
    engine_nodes: 30_000_000,
    perft: 10,
    games: 1000,
    generations: 10,
};

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let bench = with_game!(arguments.game, game => measure(arguments, game))?;
    if arguments.json {
        return print_json(&bench, out);
    }
    print(&bench, out)
}

fn measure<G: PlayableGame>(arguments: &Arguments, game: G) -> anyhow::Result<Bench> {
    let pool = arguments.workers.pool()?;
    let plan = if arguments.quick { QUICK } else { FULL };
    let depth = arguments.depth.unwrap_or(plan.depth);
    let unsuitable = |error: &dyn Display| usage(format!("--game: {error}"));
    let positions = measure::suite(game).map_err(|error| unsuitable(&error))?;
    let settings = measure::settings(game).map_err(|error| unsuitable(&error))?;
    let verbosity = arguments.workers.verbosity();
    let progress = |title: String| {
        ShownProgress::new(1, verbosity, &Interrupt::default(), move |done, of, left| {
            format!("{title} {done}/{of}, {left} left")
        })
    };
    let signature =
        SIGNATURE_DEPTHS.map(|depth| pool.install(|| measure::signature(game, &positions, depth)));
    let searches = [SHALLOW, depth].map(|depth| {
        let progress = progress(format!("depth {depth}, search"));
        let speed = measure::searches(game, &positions, depth, plan.least, &progress);
        progress.finish();
        speed
    });
    let engine = measure::engine(game, plan.engine_nodes);
    let perft = measure::perft_speed(game, plan.perft, plan.least);
    let playing = progress("games".into());
    let games = pool.install(|| measure::games(game, SHALLOW, plan.games, &playing));
    playing.finish();
    let training = progress("training, generation".into());
    let trained = pool.install(|| measure::training(settings, plan.generations, &training));
    training.finish();
    let any: AnyGame = game.into();
    Ok(Bench {
        version: env!("CARGO_PKG_VERSION"),
        threads: pool.current_num_threads(),
        positions: positions.len(),
        weights: measure::weights_name(game),
        signature,
        searches,
        engine,
        perft,
        games: games.map_err(|error| unsuitable(&error))?,
        training: trained,
        game: (any != AnyGame::default()).then(|| any.to_string()),
    })
}

fn print(bench: &Bench, out: &mut dyn Write) -> anyhow::Result<()> {
    let [shallow, deep] = &bench.signature;
    writeln!(out, "signature            {shallow}  {deep}")?;
    writeln!(out, "\n{} positions, one core", bench.positions)?;
    writeln!(out, "{:<20}{:>15}{:>12}{:>12}{:>8}", "", "nodes", "time", "M nodes/s", "gain")?;
    let mut print = |title: &str, speed: &Speed, gain: &str| {
        let (nodes, time, millions) = columns(speed);
        writeln!(out, "{title:<20}{nodes:>15}{time:>12}{millions:>12.1}{gain:>8}")
    };
    for SearchSpeed { depth, nodes, baseline_nodes, gain } in &bench.searches {
        print(&format!("depth {depth}"), nodes, &format!("{gain:.2}"))?;
        print("  baseline", baseline_nodes, "")?;
    }
    let EngineSpeed { signature, nodes } = &bench.engine;
    print("engine", nodes, "")?;
    let share = nodes.per_second / bench.searches[0].nodes.per_second;
    writeln!(out, "  {share:.2} of the rate at depth {SHALLOW}; found {signature}")?;
    let PerftSpeed { depth, leaves } = &bench.perft;
    let (count, time, millions) = columns(leaves);
    writeln!(out, "\nperft {depth:<15}{count:>15}{time:>12}{millions:>12.1} M leaves/s, one core")?;
    let threads = match bench.threads {
        1 => "1 thread".into(),
        threads => format!("{threads} threads"),
    };
    let (games, training) = (&bench.games.games, &bench.training);
    let (count, time, _) = columns(games);
    let rate = games.per_second;
    writeln!(out, "{:<21}{count:>15}{time:>12}{rate:>12.0} games/s, {threads}", "games")?;
    let (count, time, _) = columns(&training.generations);
    let rate = training.generations.per_second;
    writeln!(out, "{:<21}{count:>15}{time:>12}{rate:>12.1} generations/s, {threads}", "training")?;
    let (games, nodes) = (grouped(training.games), grouped(training.nodes));
    Ok(writeln!(out, "  with {games} games and {nodes} nodes")?)
}

/// Formats the count and the time, and returns them with the rate in millions per second.
fn columns(speed: &Speed) -> (String, String, f64) {
    let seconds = speed.seconds;
    let time = match seconds < 1.0 {
        true => format!("{:.2} ms", 1e3 * seconds),
        false => format!("{seconds:.2} s"),
    };
    (grouped(speed.count), time, speed.per_second / 1e6)
}
