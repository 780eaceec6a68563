use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;

use super::helpers::address;
use super::interrupt::Interrupt;
use super::meter::counted;
use super::terminal::say;
use crate::workers::{Honest, Worker};
use mancala::progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Redis server: redis://[USER[:PASSWORD]@]HOST[:PORT]/; REDISCLI_AUTH is a password that nobody sees
    #[arg(value_name = "URL")]
    server: String,
    /// Threads that work [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Leave after TIME: 90s, 10m, 8h [default: stay]
    #[arg(long = "for", value_name = "TIME", value_parser = humantime::parse_duration)]
    time: Option<Duration>,
}

const AFTER_HELP: &str = "\
A worker helps every train, resume, compare, champion, match and tournament that names the same server with --workers \
and is of the same version. It needs no file of theirs and keeps none. It can come, go and be killed at any time. \
Ctrl-C lets it finish what it has in hand.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, |it| it.get() as u32);
    let threads = arguments.threads.map_or(cores, u32::from);
    let server = address("URL", &arguments.server)?;
    let tell = Box::new(|sentence: &str| say(sentence));
    let worker = Worker::new(&server, Arc::new(Honest::new()), threads, tell);
    let leaves = arguments.time.and_then(|time| Instant::now().checked_add(time));
    let stay = Stay { interrupt: Interrupt::listen()?, leaves };
    let with = counted(threads.into(), "thread");
    say(format!("worker {} with {with} at {}; Ctrl-C ends it", worker.name(), server));
    let tasks = worker.work(&stay);
    writeln!(out, "{} done", counted(tasks, "task"))?;
    Ok(())
}

/// Until when a worker stays.
struct Stay {
    interrupt: Interrupt,
    leaves: Option<Instant>,
}

impl Progress for Stay {
    fn should_stop(&self) -> bool {
        self.interrupt.should_stop() || self.leaves.is_some_and(|at| Instant::now() >= at)
    }
}
