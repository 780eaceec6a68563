use std::io::Write;
use std::time::Duration;

use clap::Args;

use super::helpers::address;
use super::meter::{coarse, counted, grouped};
use super::print_json;
use super::terminal::shown;
use crate::workers::{Roster, RunRow, WorkerCard};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Redis server: redis://[USER[:PASSWORD]@]HOST[:PORT]/; REDISCLI_AUTH is a password that nobody sees
    #[arg(value_name = "URL")]
    server: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let roster = Roster::of(&address("URL", &arguments.server)?)?;
    if arguments.json {
        return print_json(&roster, out);
    }
    print(&roster, out)
}

fn print(roster: &Roster, out: &mut dyn Write) -> anyhow::Result<()> {
    let Roster { server, version, runs, workers } = roster;
    let (all, threads) =
        (workers.len() as u64, workers.iter().map(|it| u64::from(it.threads)).sum());
    writeln!(
        out,
        "{}, Redis {}: {} with {}, {}",
        shown(server),
        shown(version),
        counted(all, "worker"),
        counted(threads, "thread"),
        counted(runs.len() as u64, "run")
    )?;
    if !workers.is_empty() {
        writeln!(out, "\nthreads    tasks  tasks/s       up  worker")?;
    }
    for WorkerCard { worker, threads, build, up, tasks, recent, .. } in workers {
        let (tasks, up) = (grouped(*tasks), coarse(Duration::from_secs(*up)));
        let rate = *recent as f64 / 10.0;
        writeln!(out, "{threads:>7} {tasks:>8} {rate:>8.1} {up:>8}  {}", shown(worker))?;
        writeln!(out, "{:>36}{}", "", shown(build))?;
    }
    for RunRow { card, tasks, taken, quarantined } in runs {
        writeln!(out, "\n{} on {}", shown(&card.what), shown(&card.host))?;
        let waiting = tasks.saturating_sub(*taken);
        writeln!(out, "  tasks: {} with workers, {} waiting", grouped(*taken), grouped(waiting))?;
        writeln!(out, "  {}", shown(&card.build))?;
        for (worker, why) in quarantined {
            writeln!(out, "  quarantined: {}, {}", shown(worker), shown(why))?;
        }
        for it in workers.iter().filter(|it| it.build != card.build) {
            writeln!(out, "  refused: {}, which is of another build", shown(&it.worker))?;
        }
    }
    Ok(())
}
