//! `--threads` and `--quiet`, which all long-running commands have.

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::terminal::Verbosity;

/// The number of threads, and whether progress is shown. Neither affects results, unless a player has a time limit.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Workers {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Parses a time limit, which must not be zero.
pub(crate) fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("the time must not be zero: give a time such as 10m".into()),
        Err(_) if text.parse::<u32>().is_ok() => {
            Err(format!("give a unit: {text}s, {text}m or {text}h"))
        }
        parsed => parsed.map_err(|error| error.to_string()),
    }
}

impl Workers {
    /// Creates a pool with this number of threads, or one per core by default.
    pub(crate) fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.threads.unwrap_or(0).into();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.context("cannot start the threads")
    }

    pub(crate) fn threads(self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    pub(crate) fn verbosity(self) -> Verbosity {
        if self.quiet { Verbosity::Quiet } else { Verbosity::Shown }
    }
}
