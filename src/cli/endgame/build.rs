use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::super::meter::{counted, grouped, rounded};
use super::super::workers::Workers;
use super::super::{announce, program, shell, usage};
use super::caution;
use super::size::Size;
use super::watch::Watch;
use mancala::endgame::{self, BuildPlan};
use mancala::game::ayo::Rules;
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Most seeds on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=48))]
    seeds: u8,
    /// Rules: awari, whose values are proven, ayo or wipe-out
    #[arg(long, value_name = "NAME", default_value_t = Rules::AWARI)]
    rules: Rules,
    /// Folder of the tables
    #[arg(long, value_name = "DIR", default_value = "tables")]
    out: PathBuf,
    /// Memory that it may take
    #[arg(long, value_name = "SIZE", default_value_t = Size(DEFAULT_MEMORY))]
    memory: Size,
    #[command(flatten)]
    workers: Workers,
}

const DEFAULT_MEMORY: u64 = 8 << 30;

const AFTER_HELP: &str = "\
Every number of seeds is a file, written when it is solved; an interrupted build goes on behind the last \
of them by the same command. 10 seeds take a moment, 18 seeds 83 MiB and some seconds, 24 seeds 1.2 GiB.

A value is the best seed difference still to come for the side to move. Play without end is worth 0, \
which under awari is what the rules say of a repetition and elsewhere a convention.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let plan = BuildPlan::new(arguments.rules, arguments.seeds, &arguments.out).map_err(usage)?;
    let (memory, allowed) = (Size(plan.memory()), arguments.memory);
    let seeds = counted(arguments.seeds.into(), "seed");
    if memory > allowed {
        let said = format!("up to {seeds} takes {memory} of memory, --memory allows {allowed}");
        return Err(usage(said));
    }
    let (positions, disk) = (grouped(plan.positions()), Size(plan.disk()));
    let before = format!(
        "{} up to {seeds}: {positions} positions, {disk} on disk, at most {memory} of memory",
        arguments.rules
    );
    announce(&before, out)?;
    let missing = plan.missing()?;
    let watch = Watch::new(2 * missing, arguments.workers.verbosity())?;
    let work = || endgame::build(&plan, &watch, |seeds| watch.layer_done(seeds));
    let built = arguments.workers.pool()?.install(work);
    watch.finish();
    let folder = arguments.out.display();
    let Some(tables) = built? else {
        writeln!(out, "interrupted; the layers that are done are kept; go on with")?;
        writeln!(out, "  {}", again(arguments))?;
        return Ok(ExitCode::from(130));
    };
    let time = watch.elapsed();
    let rate = missing as f64 / time.as_secs_f64() / 1e6;
    match missing {
        0 => writeln!(out, "{folder} has them all, undamaged")?,
        _ => writeln!(out, "{folder} complete in {}: {rate:.1} million a second", rounded(time))?,
    }
    if let Some(caution) = caution(&tables) {
        writeln!(out, "{caution}")?;
    }
    Ok(ExitCode::from(if watch.should_stop() && missing > 0 { 130 } else { 0 }))
}

/// The command that goes on.
fn again(arguments: &Arguments) -> String {
    let (seeds, rules, memory) = (arguments.seeds, arguments.rules, arguments.memory.0);
    let out = shell::quoted(&arguments.out.to_string_lossy());
    let call = format!("{} endgame build --seeds {seeds} --rules {rules} --out {out}", program());
    if memory == DEFAULT_MEMORY { call } else { format!("{call} --memory {memory}") }
}
