//! `ayo bench`: measures the program's speed and prints a signature that changes if the search finds different moves.

use std::fmt::{self, Display};
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::player::{PANEL_SIZE, PlayableGame, SpecError};
use arena::{Batch, BatchPlayer, Games, LocalGames, ScheduledGame, Suite, gather_all};
use clap::Args;
use evolve::run::{Draft, SettingError, Settings, Trainer, preset_of_game};
use mancala::eval::Weights;
use mancala::game::{AnyGame, GameKind, Side, perft, with_game};
use mancala::progress::Progress;
use mancala::search::engine::{EngineOptions, Selectivity, Table};
use mancala::search::{Limits, Options, Pruning, SearchResult, Searcher};
use serde::Serialize;

use crate::terminal::{Interrupt, ShownProgress, Workers, counted, grouped, print_json, usage};

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
    /// The game. This is omitted for ayo.
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
    /// The number of nodes. Unlike the checksum, it may change whenever the search is improved.
    nodes: u64,
    /// The CRC-32 of the moves and scores in hexadecimal. It must not change between versions.
    checksum: String,
}

/// Prints the depth, node count and checksum, e.g. `5:123456-0a1b2c3d`.
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
    /// Both the node count and the checksum may change whenever the engine is improved.
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
    nodes: u64,
}

#[derive(Serialize)]
struct TrainingSpeed {
    generations: Speed,
    games: u64,
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let bench = with_game!(arguments.game, game => measure(arguments, game))?;
    if arguments.json {
        return print_json(&bench, out);
    }
    print(&bench, out)
}

fn measure<G: PlayableGame>(arguments: &Arguments, game: G) -> anyhow::Result<Bench> {
    let pool = arguments.workers.pool()?;
    let quick = arguments.quick;
    let depth = arguments.depth.unwrap_or(if quick { 9 } else { 13 });
    // We repeat short measurements until this much time has passed.
    let least = Duration::from_millis(if quick { 100 } else { 1000 });
    let unsuitable = |error: &dyn Display| usage(format!("--game: {error}"));
    let positions = suite(game).map_err(|error| unsuitable(&error))?;
    let settings = settings(game).map_err(|error| unsuitable(&error))?;
    let verbosity = arguments.workers.verbosity;
    let progress = |title: String| {
        ShownProgress::new(1, verbosity, &Interrupt::default(), move |done, of, left| {
            format!("{title} {done}/{of}{left}")
        })
    };
    let signature =
        SIGNATURE_DEPTHS.map(|depth| pool.install(|| signature(game, &positions, depth)));
    let searches = [SHALLOW, depth].map(|depth| {
        let progress = progress(format!("depth {depth}, search"));
        let speed = searches(game, &positions, depth, least, &progress);
        progress.finish();
        speed
    });
    let engine = engine(game, if quick { 1_000_000 } else { 30_000_000 });
    let perft = perft_speed(game, if quick { 8 } else { 10 }, least);
    let playing = progress("games".into());
    let openings = if quick { 50 } else { 1000 };
    let games = pool.install(|| games(game, SHALLOW, openings, &playing));
    playing.finish();
    let learning = progress("training, generation".into());
    let generations = if quick { 1 } else { 10 };
    let trained = pool.install(|| training(settings, generations, &learning));
    learning.finish();
    let any: AnyGame = game.into();
    Ok(Bench {
        version: env!("CARGO_PKG_VERSION"),
        threads: pool.current_num_threads(),
        positions: positions.len(),
        weights: weights_name(game),
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
    let threads = counted(bench.threads as u64, "thread");
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

fn columns(speed: &Speed) -> (String, String, f64) {
    let seconds = speed.seconds;
    let time = match seconds < 1.0 {
        true => format!("{:.2} ms", 1e3 * seconds),
        false => format!("{seconds:.2} s"),
    };
    (grouped(speed.count), time, speed.per_second / 1e6)
}

/// Repeats `work` until the time `least` has passed. Returns the last result and the shortest running time.
fn fastest<T>(least: Duration, work: impl Fn() -> T) -> (T, Duration) {
    let mut fastest = Duration::MAX;
    let all = Instant::now();
    loop {
        let begun = Instant::now();
        let result = work();
        fastest = fastest.min(begun.elapsed());
        if all.elapsed() >= least {
            return (result, fastest);
        }
    }
}

fn signature<G: PlayableGame>(game: G, positions: &[G::Position], depth: u32) -> Signature {
    let searcher = searcher(game);
    let search = |position: usize, _: &dyn Progress| {
        Some(searcher.search(&game, &positions[position], depth, Pruning::AlphaBeta, &()))
    };
    let found = gather_all(positions.len(), &(), search).unwrap_or_default();
    signature_of(depth, found.into_iter().flatten())
}

fn signature_of(depth: u32, results: impl IntoIterator<Item = SearchResult>) -> Signature {
    let mut hasher = crc32fast::Hasher::new();
    let mut nodes = 0;
    for result in results {
        nodes += result.nodes;
        hasher.update(&[result.pit.index() as u8]);
        hasher.update(&result.score.0.to_le_bytes());
    }
    Signature { depth, nodes, checksum: format!("{:08x}", hasher.finalize()) }
}

/// Measures the speed of the search and of its unoptimised baseline. Each measurement takes at least the time `least`.
fn searches<G: PlayableGame>(
    game: G,
    positions: &[G::Position],
    depth: u32,
    least: Duration,
    progress: &dyn Progress,
) -> SearchSpeed {
    let searcher = searcher(game);
    let mut totals = [(0, Duration::ZERO); 2];
    for (done, position) in (1..).zip(positions) {
        for (total, pruning) in totals.iter_mut().zip([Pruning::AlphaBeta, Pruning::Unordered]) {
            let search = || searcher.search(&game, position, depth, pruning, &());
            let (found, time) = fastest(least / positions.len() as u32, search);
            total.0 += found.map_or(0, |found| found.nodes);
            total.1 += time;
        }
        progress.advance(done, positions.len() as u64);
    }
    let [nodes, baseline_nodes] = totals.map(|(nodes, time)| Speed::new(nodes, time));
    SearchSpeed { depth, nodes, baseline_nodes, gain: baseline_nodes.seconds / nodes.seconds }
}

/// The default size of an engine's transposition table, in MiB.
const HASH: usize = 64;

/// Measures the engine search over about `nodes` nodes, from the initial position with an empty transposition table.
fn engine<G: PlayableGame>(game: G, nodes: u64) -> EngineSpeed {
    let (searcher, weights) = (searcher(game), weights(game));
    let table = Table::try_with_mebibytes(HASH).expect("a small table fits in memory");
    let limits = Limits::nodes(nodes);
    let options = EngineOptions {
        table: &table,
        limits: &limits,
        threads: NonZeroUsize::MIN,
        selectivity: Selectivity::default(),
        seed_value: G::seed_value(&weights),
    };
    let begun = Instant::now();
    let found = searcher.engine_search(&game, &game.start(Side::South), &options, &(), &mut |_| {});
    let time = begun.elapsed();
    let found = found.expect("a game has a legal first move");
    let nodes = Speed::new(found.nodes, time);
    EngineSpeed { signature: signature_of(found.depth, [found]), nodes }
}

/// Measures the speed of perft. Note that perft only counts the moves at the last ply and doesn't play them.
fn perft_speed<G: PlayableGame>(game: G, depth: u32, least: Duration) -> PerftSpeed {
    let start = game.start(Side::South);
    let (leaves, time) = fastest(least, || perft(&game, &start, depth));
    PerftSpeed { depth, leaves: Speed::new(leaves, time) }
}

/// Plays one game per opening between two players with the benchmark's weights, on the current rayon pool.
fn games<G: PlayableGame>(
    game: G,
    depth: u32,
    games: usize,
    progress: &dyn Progress,
) -> Result<GameSpeed, SpecError> {
    let weights = weights(game);
    let openings = Suite::Plies(4).sample(game, games, 1)?;
    let scheduled = |opening| ScheduledGame { first: 0, second: 0, opening };
    let schedule: Vec<ScheduledGame> = (0..openings.len() as u32).map(scheduled).collect();
    let all = schedule.len() as u64;
    let players = vec![BatchPlayer::to_depth(&weights, depth, Options::of(game.kind()))];
    let batch = Batch::new(game.into(), players, openings, schedule).expect("the game's weights");
    let begun = Instant::now();
    let outcomes = LocalGames::new().outcomes(&batch, progress).unwrap_or_default();
    let games = Speed::new(all, begun.elapsed());
    Ok(GameSpeed { depth, games, nodes: outcomes.iter().map(|it| it.nodes).sum() })
}

/// Trains the first generations of a run in memory, on the current rayon pool.
fn training(settings: Settings, generations: u32, progress: &dyn Progress) -> TrainingSpeed {
    let mut trainer = Trainer::new(settings);
    let (mut games, mut nodes) = (0, 0);
    let begun = Instant::now();
    for generation in 1..=generations {
        nodes += trainer.step(&()).expect("no stop is requested");
        games += trainer.last().map_or(0, |last| last.games_played);
        progress.advance(generation.into(), generations.into());
    }
    let generations = Speed::new(generations.into(), begun.elapsed());
    TrainingSpeed { generations, games, nodes }
}

/// Returns the settings of the training run: preset `daoud2004` for ayo, and the default preset for other games.
fn settings<G: PlayableGame>(game: G) -> Result<Settings, SettingError> {
    let preset = match game.kind() {
        GameKind::Ayo => "daoud2004",
        _ => preset_of_game(&game.into()),
    };
    let mut draft = Draft::preset(preset)?;
    draft.set("game", &Into::<AnyGame>::into(game).to_string())?;
    if game.kind() == GameKind::Ayo {
        // The preset had these rules when we published our results. We still use them, so that results stay comparable.
        draft.set("rules", "ayo")?;
    }
    draft.finish()
}

/// Returns the name of the published weights for ayo or, for other games, the name of the last reference opponent.
fn weights_name<G: PlayableGame>(game: G) -> &'static str {
    match game.kind() {
        GameKind::Ayo => "daoud2004-depth5",
        _ => G::PANEL[PANEL_SIZE - 1].0,
    }
}

fn weights<G: PlayableGame>(game: G) -> Weights {
    Weights::named(weights_name(game)).expect("the name of a built-in weight set")
}

fn searcher<G: PlayableGame>(game: G) -> Arc<dyn Searcher<G>> {
    G::searcher(&weights(game), Options::of(game.kind()))
}

/// Returns 40 positions to search. For ayo, these are the positions in `suite.txt`: ten each from the opening, the
/// middle game, games with a kroo (a pit with more than twelve seeds), and the endgame. For other games, 20 are random
/// positions after 4 plies and 20 after 12 plies.
///
/// # Errors
/// If the game has too few such positions.
fn suite<G: PlayableGame>(game: G) -> Result<Vec<G::Position>, SpecError> {
    if game.kind() == GameKind::Ayo {
        let lines = include_str!("bench/suite.txt").lines().filter(|line| !line.starts_with('#'));
        let read = |line| game.read_position(line).expect("the suite is valid");
        return Ok(lines.map(read).collect());
    }
    let drawn = |plies| Suite::Random { count: 20, plies, seed: 1 }.openings(game);
    let [early, late] = [drawn(4)?, drawn(12)?];
    Ok([early, late].concat())
}

#[cfg(test)]
mod tests {
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    use super::*;

    /// The search must find the same moves and scores as plain minimax, so the checksums only change if the suite, the
    /// rules or the evaluation changes. The node counts also change with the search algorithm.
    const SIGNATURES: [&str; 2] = ["5:12008-dcbef728", "9:217424-1fb136ab"];
    const SIGNATURE_OF_KALAH: &str = "5:13386-25dfd327";

    fn plain<G: PlayableGame>(game: G, positions: &[G::Position], depth: u32) -> Signature {
        let searcher = searcher(game);
        let pruning = if depth < 6 { Pruning::None } else { Pruning::Unordered };
        let search = |position| searcher.search(&game, position, depth, pruning, &());
        signature_of(depth, positions.iter().filter_map(search))
    }

    #[test]
    fn signatures_are_known_and_those_of_plain_searches() {
        let (game, positions) = (Ayo::default(), suite(Ayo::default()).unwrap());
        assert_eq!(positions.len(), 40);
        for (depth, known) in [5, 9].into_iter().zip(SIGNATURES) {
            let found = signature(game, &positions, depth);
            assert_eq!(found.to_string(), known);
            assert_eq!(plain(game, &positions, depth).checksum, found.checksum, "depth {depth}");
        }
        let kalah = Kalah::default();
        let positions = suite(kalah).unwrap();
        assert_eq!(positions.len(), 40);
        let found = signature(kalah, &positions, 5);
        assert_eq!(found.to_string(), SIGNATURE_OF_KALAH);
        assert_eq!(plain(kalah, &positions, 5).checksum, found.checksum);
    }

    #[test]
    fn the_measured_work_is_done() {
        let (game, positions) = (Ayo::default(), &suite(Ayo::default()).unwrap()[..3]);
        let speed = searches(game, positions, 4, Duration::from_millis(1), &());
        assert_eq!(speed.nodes.count, signature(game, positions, 4).nodes);
        assert!(speed.baseline_nodes.count > 0 && speed.gain > 0.0);
        assert_eq!(perft_speed(game, 4, Duration::ZERO).leaves.count, 1014);
    }
}
