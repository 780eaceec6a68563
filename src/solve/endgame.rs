//! `ayo endgame`: builds, verifies and reads endgame tables.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

use anyhow::bail;
use arena::os;
use clap::Args;
use indicatif::BinaryBytes;
use mancala::endgame::{
    self, BuildPlan, Outcome, Tables, VerifiedLayer, census, positions, rules_in,
};
use mancala::game::Side;
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::progress::Progress;
use serde_json::{Map, Value, json};

use crate::terminal::{
    Interrupt, ShownProgress, Verbosity, Workers, announce, counted, fail, grouped, memory_size,
    print_json_line, rounded, shell, shell::program, shown, usage,
};

crate::cli::verbs! {
    /// Solve all positions up to a number of seeds; the same command resumes an interrupted build
    Build(BuildArguments) => build,
    /// Check tables against the rules
    Verify(VerifyArguments) => verify,
    /// Look up the value of a position and of each of its moves
    Probe(ProbeArguments) => probe,
    /// Prove that a position is won, drawn or lost, by proof-number search
    Prove(ProveArguments) => prove,
    /// Count positions by seeds and value
    Stats(StatsArguments) => stats,
}

#[derive(Debug, Args)]
struct Choice {
    /// Folder of the tables [default: the folder that build writes to]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Rules of the tables [default: the rules of the files, if they are all the same]
    #[arg(long, value_name = "NAME")]
    rules: Option<Rules>,
}

impl Choice {
    fn open(&self) -> anyhow::Result<Tables> {
        open(&folder(self.folder.as_deref())?, self.rules)
    }
}

/// Returns the given folder or, if there is none, the default folder for tables.
pub(crate) fn folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = given.map(Path::to_owned).or_else(os::tables_folder);
    folder.ok_or_else(|| usage("cannot find your home folder: specify the folder of the tables"))
}

/// Opens the tables in a folder. If `rules` is `None`, the folder must contain the tables of only one rule set.
pub(crate) fn open(folder: &Path, rules: Option<Rules>) -> anyhow::Result<Tables> {
    if !folder.exists() {
        let (folder, program) = (shown(folder), program());
        bail!(
            "no endgame tables in {folder}: run \"{program} endgame build --seeds 10\" to build small ones"
        );
    }
    let rules = match (rules, rules_in(folder)?.as_slice()) {
        (Some(rules), _) | (None, &[rules]) => rules,
        // If the folder is empty, use any rules, since opening the tables below fails with a better error message.
        (None, []) => Rules::AWARI,
        (None, found) => {
            let names: Vec<String> = found.iter().map(Rules::to_string).collect();
            let (folder, names) = (shown(folder), names.join(", "));
            return Err(usage(format!(
                "{folder} has tables for several rule sets: choose one with --rules: {names}"
            )));
        }
    };
    Ok(Tables::open(folder, rules)?)
}

/// Returns a warning to print before the values, unless they are proven to be exact.
pub(crate) fn caution(tables: &Tables) -> Option<String> {
    let rules = tables.rules();
    (!tables.are_proven())
        .then(|| format!("heuristic: the tables count a repetition as 0, but {rules} does not"))
}

pub(crate) fn print_caution(tables: &Tables, out: &mut dyn Write) -> anyhow::Result<()> {
    caution(tables).map_or(Ok(()), |caution| Ok(writeln!(out, "{caution}")?))
}

/// Creates a progress display. `layers` is the number of finished layers.
fn layer_progress<'a>(
    positions: u64,
    workers: Workers,
    layers: &'a AtomicU8,
) -> anyhow::Result<ShownProgress<'a>> {
    let message = move |done: u64, all: u64, left: &str| {
        let percent = 100 * done.min(all) / all.max(1);
        format!("{} seeds  {percent}%{left}", layers.load(Ordering::Relaxed))
    };
    Ok(ShownProgress::new(positions, workers.verbosity, &Interrupt::listen()?, message))
}

#[derive(Debug, Args)]
#[command(after_help = BUILD_HELP)]
struct BuildArguments {
    /// Maximum number of seeds on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=48))]
    seeds: u8,
    /// Rules: awari, whose values are proven, ayo or wipe-out
    #[arg(long, value_name = "NAME", default_value_t = Rules::AWARI)]
    rules: Rules,
    /// Folder for the tables [default: AYO_TABLES, or ayo/tables in your data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Memory limit
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = memory_size)]
    memory: u64,
    #[command(flatten)]
    workers: Workers,
}

const BUILD_HELP: &str = "\
There is one file per number of seeds, written as soon as it is solved. Repeat the command to resume an interrupted \
build. 10 seeds take less than a second, 18 seeds take a few seconds and 82 MiB, 24 seeds take 1.2 GiB.

Tables in the default folder are used by other commands and by \"engine\" players with these rules, which build \
tables of up to 12 seeds if there are none.

A value is the best seed difference that the side to move can still achieve. Endless play counts as 0, by the \
repetition rule in awari and by convention under other rules.";

fn build(arguments: &BuildArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = folder(arguments.out.as_deref())?;
    let plan = BuildPlan::new(arguments.rules, arguments.seeds, &path).map_err(usage)?;
    let (rules, seeds) = (arguments.rules, counted(arguments.seeds.into(), "seed"));
    let [memory, allowed] = [plan.memory(), arguments.memory].map(BinaryBytes);
    if memory.0 > allowed.0 {
        return Err(usage(format!(
            "{seeds} need {memory} of memory, but --memory allows only {allowed}"
        )));
    }
    let (count, disk) = (grouped(plan.positions()), BinaryBytes(plan.positions()));
    let summary = format!("{count} positions, {disk} on disk, at most {memory} of memory");
    announce(&format!("{rules} up to {seeds}: {summary}"), out)?;
    let (missing, layers) = (plan.missing()?, AtomicU8::new(0));
    let progress = layer_progress(2 * missing, arguments.workers, &layers)?;
    let layer_done = |seeds| layers.store(seeds + 1, Ordering::Relaxed);
    let pool = arguments.workers.pool()?;
    let built = pool.install(|| endgame::build(&plan, &progress, layer_done));
    progress.finish();
    let folder = shown(&path);
    let Some(tables) = built? else {
        writeln!(out, "interrupted; finished layers were saved; continue with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(ExitCode::from(130));
    };
    let time = progress.elapsed();
    let rate = missing as f64 / time.as_secs_f64() / 1e6;
    match missing {
        0 => writeln!(out, "{folder} is already complete and undamaged")?,
        _ => writeln!(out, "{folder} complete in {}: {rate:.1} million per second", rounded(time))?,
    }
    print_caution(&tables, out)?;
    Ok(ExitCode::from(if progress.should_stop() && missing > 0 { 130 } else { 0 }))
}

#[derive(Debug, Args)]
#[command(after_help = VERIFY_HELP)]
struct VerifyArguments {
    #[command(flatten)]
    choice: Choice,
    /// For each number of seeds with more than N positions, check only N random ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    #[command(flatten)]
    workers: Workers,
}

const VERIFY_HELP: &str = "\
Every value must equal the best value after a move, and every nonzero value must be reached in finitely many plies. \
Exit codes: 0 if all values are correct, 1 if a value is wrong, 130 if interrupted.";

fn verify(arguments: &VerifyArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let tables = arguments.choice.open()?;
    let sizes = (0..=tables.max_seeds()).map(positions);
    let all = sizes.map(|size| arguments.sample.map_or(size, |sample| size.min(sample))).sum();
    let layers = AtomicU8::new(0);
    let progress = layer_progress(all, arguments.workers, &layers)?;
    let mut lines = String::new();
    let layer_done = |VerifiedLayer { seeds, positions, checked, undecided }| {
        layers.store(seeds + 1, Ordering::Relaxed);
        lines += &format!("{}: {}", counted(seeds.into(), "seed"), counted(positions, "position"));
        if checked < positions {
            lines += &format!(", {} checked", grouped(checked));
        }
        if undecided > 0 {
            let reason = "of them too deep to check that the end of the game is reached";
            lines += &format!(", {} {reason}", grouped(undecided));
        }
        lines += "\n";
    };
    let pool = arguments.workers.pool()?;
    let verify = || endgame::verify(&tables, arguments.sample, &progress, layer_done);
    let verified = pool.install(verify);
    progress.finish();
    write!(out, "{lines}")?;
    let complete = verified?;
    let result = if complete { "all values are correct" } else { "interrupted; no error so far" };
    writeln!(out, "{}: {result}", tables.rules())?;
    print_caution(&tables, out)?;
    Ok(ExitCode::from(if complete { 0 } else { 130 }))
}

#[derive(Debug, Args)]
struct ProbeArguments {
    #[command(flatten)]
    choice: Choice,
    /// Position: pits A-F and a-f, South's store, North's store and the side to move, joined by -
    #[arg(long, value_name = "P")]
    position: Position,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn probe(arguments: &ProbeArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let tables = arguments.choice.open()?;
    let position = &arguments.position;
    let seeds: u8 = Side::BOTH.map(|side| position.seeds_in_row(side)).iter().sum();
    tables.check_reached(seeds)?;
    let (Some(value), Some(moves)) = (tables.probe(position), tables.moves(position)) else {
        let (folder, most) = (shown(tables.folder()), tables.max_seeds());
        let seeds = counted(seeds.into(), "seed");
        bail!(
            "position {position} has {seeds} on the board, but the tables in {folder} have at most {most}"
        );
    };
    let side = position.to_move();
    let moves = moves.into_iter().map(|(pit, value)| (pit.letter(side), value));
    if arguments.json {
        let moves: Map<_, _> = moves.map(|(pit, value)| (pit.into(), json!(value))).collect();
        let (rules, proven) = (tables.rules().to_string(), tables.are_proven());
        let result = json!({ "kind": "probe", "value": value, "moves": moves, "rules": rules, "proven": proven });
        return Ok(writeln!(out, "{result}")?);
    }
    writeln!(out, "rules {}", tables.rules())?;
    print_caution(&tables, out)?;
    writeln!(out, "{side} to move gets {value:+} of the remaining seeds")?;
    for (pit, value) in moves {
        writeln!(out, "  {pit} {value:>+4}")?;
    }
    Ok(())
}

#[derive(Debug, Args)]
#[command(after_help = PROVE_HELP)]
struct ProveArguments {
    /// Position: pits A-F and a-f, South's store, North's store and the side to move, joined by -
    #[arg(long, value_name = "P")]
    position: Position,
    /// Maximum number of positions in each of the two search trees
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Rules: ayo, awari, wipe-out or no-slam
    #[arg(long, value_name = "NAME", default_value_t = Rules::AWARI)]
    rules: Rules,
    /// Folder of endgame tables, which the proof search may use at its leaves
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    verbosity: Verbosity,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const PROVE_HELP: &str = "\
Proof-number search first tries to prove that the side to move wins, then that it does not lose. Each tree takes 48 \
bytes per position. A line that repeats a position ends there with the seeds in the stores, as in endgame tables, so \
results are proven only for awari.

Exit codes: 0 if the position is a win, a draw or a loss, 1 if the position limit was reached.";

fn prove(arguments: &ProveArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let &ProveArguments { ref position, nodes, rules, verbosity, json, .. } = arguments;
    let tables = arguments.tables.as_deref().map(|folder| open(folder, Some(rules))).transpose()?;
    let message = |done, of, left: &str| {
        format!("{} of at most {} positions{left}", grouped(done), grouped(of))
    };
    let progress = ShownProgress::new(2 * nodes, verbosity, &Interrupt::listen()?, message);
    let proof = endgame::prove(&Ayo { rules }, position, tables.as_ref(), nodes, &progress);
    progress.finish();
    let Some(proof) = proof else {
        fail("interrupted: no proof yet");
        return Ok(ExitCode::from(130));
    };
    let (name, words) = match proof.outcome {
        Outcome::Win => ("win", "wins"),
        Outcome::Draw => ("draw", "draws"),
        Outcome::Loss => ("loss", "loses"),
        Outcome::AtLeastDraw => ("at-least-draw", "does not lose"),
        Outcome::AtMostDraw => ("at-most-draw", "does not win"),
        Outcome::Unknown => ("unknown", "may win or lose: the position limit was reached"),
    };
    if json {
        let (nodes, rules) = (proof.nodes, rules.to_string());
        let result = json!({ "kind": "proof", "outcome": name, "nodes": nodes, "rules": rules });
        print_json_line(&result, out)?;
    } else {
        writeln!(out, "{} {words}", position.to_move())?;
        writeln!(out, "{} positions, rules {rules}", grouped(proof.nodes))?;
    }
    let decided = matches!(proof.outcome, Outcome::Win | Outcome::Draw | Outcome::Loss);
    Ok(ExitCode::from(u8::from(!decided)))
}

#[derive(Debug, Args)]
struct StatsArguments {
    #[command(flatten)]
    choice: Choice,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn stats(arguments: &StatsArguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let tables = arguments.choice.open()?;
    let layers = (0..).zip(census(&tables)?);
    if arguments.json {
        let layers = layers.map(|(seeds, counts)| {
            let counts = counts.iter().map(|(value, n)| (value.to_string(), json!(n)));
            let counts: Map<String, Value> = counts.collect();
            json!({ "seeds": seeds, "positions": positions(seeds), "counts": counts })
        });
        let result = json!({
            "kind": "census",
            "rules": tables.rules().to_string(),
            "proven": tables.are_proven(),
            "layers": layers.collect::<Vec<_>>(),
        });
        return Ok(writeln!(out, "{result:#}")?);
    }
    writeln!(out, "rules {}", tables.rules())?;
    print_caution(&tables, out)?;
    for (seeds, counts) in layers {
        let positions = positions(seeds);
        writeln!(out, "\n{}: {}", counted(seeds.into(), "seed"), counted(positions, "position"))?;
        for (value, count) in counts {
            let share = 100.0 * count as f64 / positions as f64;
            writeln!(out, "  {value:>3} {:>15} {share:>6.2}%", grouped(count))?;
        }
    }
    Ok(())
}
