//! Support for lengthy work: progress on standard error, Ctrl-C, and the options `--threads` and `--quiet`.

use std::io::IsTerminal;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::player::kill_engines;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mancala::progress::Progress;
use terminal_size::terminal_size_of;

use super::output::width;
use super::{is_plain, say, shown, time_left};

/// A progress display on standard error: a bar on a terminal, or occasional lines otherwise and with `--plain`.
pub struct Meter {
    bar: ProgressBar,
    lines: Option<Mutex<Lines>>,
}

/// Determines when to print the next line. The interval between lines grows over time, to keep logs short.
struct Lines {
    last: Instant,
    interval: Duration,
}

/// Whether to show progress.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Verbosity {
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl Meter {
    /// Creates a progress display for a task of `length` units.
    pub fn new(length: u64, verbosity: Verbosity) -> Meter {
        let terminal = std::io::stderr().is_terminal() && !is_plain();
        let shown = !verbosity.quiet;
        let target = if terminal && shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let style = ProgressStyle::with_template("{wide_bar} {msg}").expect("a valid template");
        let lines = Lines { last: Instant::now(), interval: Duration::from_secs(2) };
        Meter {
            bar: ProgressBar::with_draw_target(Some(length), target).with_style(style),
            lines: (!terminal && shown).then(|| Mutex::new(lines)),
        }
    }

    /// Shows a first message immediately.
    pub fn begin(&self, message: String) {
        if self.lines.is_some() {
            say(&message);
        }
        self.set_message(message);
    }

    /// Sets the message next to the bar. It's truncated to one line of the terminal.
    fn set_message(&self, message: String) {
        let width = width(terminal_size_of(std::io::stderr())).saturating_sub(2);
        self.bar.set_message(shown(message).chars().take(width).collect::<String>());
    }

    /// Returns the amount of work done.
    pub fn position(&self) -> u64 {
        self.bar.position()
    }

    /// Sets the amount of work done.
    pub fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Sets the total amount of work, which may be unknown at first.
    pub fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// Shows a message next to the bar or, if there is no bar, occasionally prints it as a line.
    pub fn say(&self, message: String) {
        if let Some(lines) = &self.lines
            && let Ok(mut lines) = lines.lock()
            && lines.last.elapsed() >= lines.interval
        {
            say(&message);
            lines.last = Instant::now();
            lines.interval = (lines.interval * 2).min(Duration::from_secs(60));
        }
        self.set_message(message);
    }

    /// Prints a permanent line above the bar, unless progress isn't shown at all.
    pub fn tell(&self, line: String) {
        if self.lines.is_some() || !self.bar.is_hidden() {
            self.bar.suspend(|| say(line));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The minimum time between updates in milliseconds. Without it, there could be an update every few microseconds.
const INTERVAL: u64 = 100;

type Message<'a> = Box<dyn Fn(u64, u64, &str) -> String + Send + Sync + 'a>;

/// Shows the progress of some work on a [`Meter`].
pub(crate) struct ShownProgress<'a> {
    meter: Meter,
    interrupt: Interrupt,
    begun: Instant,
    /// The time of the last update, in milliseconds since `begun`.
    updated: AtomicU64,
    /// Formats the message, given the work done, the total and the time left (e.g. `, 5s left`, or an empty string).
    message: Message<'a>,
}

impl<'a> ShownProgress<'a> {
    pub(crate) fn new(
        length: u64,
        verbosity: Verbosity,
        interrupt: &Interrupt,
        message: impl Fn(u64, u64, &str) -> String + Send + Sync + 'a,
    ) -> ShownProgress<'a> {
        ShownProgress {
            meter: Meter::new(length, verbosity),
            interrupt: interrupt.clone(),
            begun: Instant::now(),
            updated: AtomicU64::new(0),
            message: Box::new(message),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for ShownProgress<'_> {
    fn advance(&self, done: u64, of: u64) {
        let now = self.begun.elapsed().as_millis() as u64;
        let (last, order) = (self.updated.load(Ordering::Relaxed), Ordering::Relaxed);
        if now < last + INTERVAL || self.updated.compare_exchange(last, now, order, order).is_err()
        {
            return;
        }
        let left = time_left(self.begun, done, of);
        self.meter.set_length(of);
        self.meter.set_position(done);
        self.meter.say((self.message)(done, of, &left));
    }

    fn should_stop(&self) -> bool {
        self.interrupt.should_stop()
    }
}

/// The number of threads, and whether to show progress. Neither affects results unless a player has a time limit.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Workers {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

/// Parses a time limit, which must not be zero.
pub(crate) fn time_limit(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("the time must not be zero: give a time such as 10m".into()),
        Err(_) if text.parse::<u32>().is_ok() => {
            Err(format!("give a unit: {text}s, {text}m or {text}h"))
        }
        parsed => parsed.map_err(|error| format!("{error}: give a time such as 90s, 10m or 8h")),
    }
}

/// Parses an amount of memory, in units that are powers of 1024.
pub(crate) fn memory_size(text: &str) -> Result<u64, &'static str> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text);
    bytes.map_err(|_| "give a number of bytes with K, M, G or T, as in 1.5G")
}

impl Workers {
    /// Creates a pool with the requested number of threads, by default one per core.
    pub(crate) fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.threads.unwrap_or(0).into();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.context("cannot start the threads")
    }
}

/// A second signal within this time is ignored, because some programs signal both a process and its process group.
const SAME_WISH: Duration = Duration::from_millis(300);

/// Calls `wish` on the first Ctrl-C or SIGTERM. The second signal ends the program immediately.
pub(crate) fn on_signals(wish: impl Fn() + Send + 'static) -> anyhow::Result<()> {
    let mut first: Option<Instant> = None;
    let handler = move || match first {
        None => {
            first = Some(Instant::now());
            wish();
        }
        Some(at) if at.elapsed() <= SAME_WISH => {}
        Some(_) => leave(),
    };
    ctrlc::set_handler(handler).context("cannot catch Ctrl-C")
}

/// Kills external engines and exits on the first Ctrl-C or SIGTERM, for commands that have nothing to save.
pub(crate) fn leave_on_signals() -> anyhow::Result<()> {
    ctrlc::set_handler(|| leave()).context("cannot catch Ctrl-C")
}

fn leave() -> ! {
    kill_engines();
    process::exit(130)
}

/// Stops work on request, at a deadline, or on the first Ctrl-C or SIGTERM. Clones share their state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<(AtomicBool, OnceLock<Instant>)>);

impl Interrupt {
    pub(crate) fn listen() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let handler = interrupt.clone();
        on_signals(move || handler.set())?;
        Ok(interrupt)
    }

    pub(crate) fn set(&self) {
        self.0.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether a stop was requested or signalled, regardless of the deadline.
    pub(crate) fn is_set(&self) -> bool {
        self.0.0.load(Ordering::Relaxed)
    }

    /// Sets the deadline to `time` from now, unless one is already set.
    pub(crate) fn set_after(&self, time: Duration) {
        if let Some(deadline) = Instant::now().checked_add(time) {
            let _ = self.0.1.set(deadline);
        }
    }
}

impl Progress for Interrupt {
    fn should_stop(&self) -> bool {
        self.is_set() || self.0.1.get().is_some_and(|&at| Instant::now() >= at)
    }
}
