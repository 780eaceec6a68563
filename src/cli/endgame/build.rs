use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::super::{announce, usage};
use super::size::Size;
use super::tables::{caution, folder};
use super::watch::Watch;
use crate::terminal::meter::{counted, grouped, rounded};
use crate::terminal::shell::program;
use crate::terminal::workers::Workers;
use crate::terminal::{shell, shown};
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
    /// Folder of the tables [default: AYO_TABLES, or ayo/tables in your data folder]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Memory that it may take
    #[arg(long, value_name = "SIZE", default_value_t = Size(DEFAULT_MEMORY))]
    memory: Size,
    #[command(flatten)]
    workers: Workers,
}

const DEFAULT_MEMORY: u64 = 8 << 30;

const AFTER_HELP: &str = "\
Each number of seeds has a file, which is written when it is solved. The same command continues an \
interrupted build. 10 seeds take a moment, 18 seeds 82 MiB and some seconds, 24 seeds 1.2 GiB.

Without --out the other verbs find the tables by themselves, and so do \"engine\" players of these rules. \
They build tables of up to 12 seeds where there are none.

A value is the best seed difference that the side to move can still reach. Endless play is worth 0: under \
awari by the rule for repetitions, elsewhere by convention.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path = folder(arguments.out.as_deref())?;
    let plan = BuildPlan::new(arguments.rules, arguments.seeds, &path).map_err(usage)?;
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
    let folder = shown(&path);
    let Some(tables) = built? else {
        writeln!(out, "interrupted; the layers that are done are kept; go on with")?;
        writeln!(out, "  {}", again(arguments, &path))?;
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
fn again(arguments: &Arguments, folder: &Path) -> String {
    let (seeds, rules, memory) = (arguments.seeds, arguments.rules, arguments.memory.0);
    let out = shell::quoted(&folder.to_string_lossy());
    let call = format!("{} endgame build --seeds {seeds} --rules {rules} --out {out}", program());
    if memory == DEFAULT_MEMORY { call } else { format!("{call} --memory {memory}") }
}
