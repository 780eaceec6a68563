use std::io::Write;
use std::process::ExitCode;

use clap::Args;

use crate::solve::endgame::tables::{Choice, caution};
use crate::solve::endgame::watch::Watch;
use crate::terminal::meter::{counted, grouped};
use crate::terminal::workers::Workers;
use mancala::endgame::{self, Checked, Extent, positions};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    choice: Choice,
    /// Look at so many random positions of each number of seeds that has more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    #[command(flatten)]
    workers: Workers,
}

const AFTER_HELP: &str = "\
Every value must be the best of what the moves lead to, and every value but 0 must be reached in finitely \
many plies. Exit codes: 0 all is right, 1 something is not, 130 interrupted.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let tables = arguments.choice.open()?;
    let extent = arguments.sample.map_or(Extent::Whole, Extent::Sample);
    let sizes = (0..=tables.most_seeds()).map(positions);
    let all = sizes.map(|size| arguments.sample.map_or(size, |sample| size.min(sample))).sum();
    let watch = Watch::new(all, arguments.workers.verbosity())?;
    let mut lines = Vec::new();
    let verified = arguments.workers.pool()?.install(|| {
        endgame::verify(&tables, extent, &watch, |checked| {
            watch.layer_done(checked.seeds);
            lines.push(line(&checked));
        })
    });
    watch.finish();
    for line in &lines {
        writeln!(out, "{line}")?;
    }
    let complete = verified?;
    let end = if complete { "all as it should be" } else { "interrupted; right so far" };
    writeln!(out, "{}: {end}", tables.rules())?;
    if let Some(caution) = caution(&tables) {
        writeln!(out, "{caution}")?;
    }
    Ok(ExitCode::from(if complete { 0 } else { 130 }))
}

fn line(checked: &Checked) -> String {
    let Checked { seeds, positions, looked_at, undecided } = *checked;
    let said = format!("{}: {}", counted(seeds.into(), "seed"), counted(positions, "position"));
    let sampled = (looked_at < positions).then(|| format!(", {} looked at", grouped(looked_at)));
    let unknown = (undecided > 0).then(|| {
        format!(", {} of them too deep to see that the end is reached", grouped(undecided))
    });
    [said, sampled.unwrap_or_default(), unknown.unwrap_or_default()].concat()
}
