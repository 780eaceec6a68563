use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use clap::Args;

use crate::terminal::meter::{Meter, Verbosity, counted, rounded};
use crate::terminal::{shell, shown};
use crate::train::app_stop::request;
use evolve::run::{RunState, StopPolicy, Summary};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Run folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Do not wait until training has stopped
    #[arg(long)]
    no_wait: bool,
}

const AFTER_HELP: &str = "\
A generation under way is finished if that takes at most 5 s. \"ayo resume\" goes on with the run to the same bytes \
that an uninterrupted run writes.

The request is a file, \"stop\", in the run folder, so it reaches a process on another machine that shares the folder.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let folder = &arguments.folder;
    let asked = request(folder)?;
    if arguments.no_wait {
        writeln!(out, "asked {} to stop", shown(folder))?;
        return Ok(());
    }
    let wait = Wait { begun: Instant::now(), meter: OnceLock::new() };
    let summary = asked.wait(&wait);
    wait.finish();
    if let Some(summary) = summary? {
        say(&summary, out)?;
    }
    Ok(())
}

fn say(summary: &Summary, out: &mut dyn Write) -> anyhow::Result<()> {
    let (path, done) = (shown(&summary.path), summary.generation);
    if summary.state == RunState::Complete {
        let generations = counted(done.into(), "generation");
        writeln!(
            out,
            "{path} came to its end before it could stop: it is complete with {generations}"
        )?;
        return Ok(());
    }
    writeln!(out, "{path} stopped after generation {done}; go on with")?;
    writeln!(out, "  {}", shell::command(&summary.next_arguments()))?;
    Ok(())
}

/// Shows that the wait goes on, once it takes longer than anyone expects.
struct Wait {
    begun: Instant,
    meter: OnceLock<Meter>,
}

impl Wait {
    const UNEXPECTED: Duration = Duration::from_secs(2);

    fn finish(&self) {
        if let Some(meter) = self.meter.get() {
            meter.finish();
        }
    }
}

impl Progress for Wait {
    /// Asked now and then while the wait goes on.
    fn should_stop(&self) -> bool {
        let waited = self.begun.elapsed();
        if waited >= Wait::UNEXPECTED {
            let grace = StopPolicy::GRACE.as_millis() as u64;
            let meter = self.meter.get_or_init(|| {
                let meter = Meter::new(grace, Verbosity::Shown);
                meter.begin("waiting for the generation under way".into());
                meter
            });
            meter.set_position((waited.as_millis() as u64).min(grace));
            meter.say(format!("waiting for the generation under way, {}", rounded(waited)));
        }
        false
    }
}
