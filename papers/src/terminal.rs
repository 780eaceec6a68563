//! Standard streams, progress display, Ctrl-C and exit codes.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::player::{SpecError, kill_engines};
use ayo::plot;
pub use ayo::terminal::usage;
use ayo::terminal::{Meter, Usage, Verbosity};
use clap::Args;
use mancala::progress::{Progress, time_left};
use mancala::text::{escape, escape_lines};
use serde::Serialize;

/// A buffer for standard output. Escapes control characters, which paths and player specifications may contain.
#[derive(Default)]
pub struct Output(Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.0);
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(escape_lines(&String::from_utf8_lossy(&bytes)).as_bytes());
        written.and_then(|()| stdout.flush()).map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
        })
    }
}

/// Prints a line on standard error.
pub fn say(line: impl Display) {
    let _ = writeln!(io::stderr(), "{}", escape(&line.to_string()));
}

/// Prints an error on standard error.
pub fn fail(sentence: impl Display) {
    say(format!("ayo-papers: {sentence}"));
}

/// Prints help, the version or a usage error from `clap`.
pub fn print_usage_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let _ = write!(io::stderr(), "ayo-papers: {text}");
    ExitCode::from(2)
}

/// Escapes a path or an argument for use in a message.
pub fn shown(text: impl AsRef<OsStr>) -> String {
    escape(&text.as_ref().to_string_lossy()).into_owned()
}

/// Prints a result as indented JSON.
pub fn print_json(result: &impl Serialize, out: &mut dyn Write) -> anyhow::Result<()> {
    Ok(writeln!(out, "{}", serde_json::to_string_pretty(result)?)?)
}

/// Marks an invalid player specification as a usage error. Damaged files and failing engines are not usage errors.
pub fn player_error(error: SpecError) -> anyhow::Error {
    if error.is_usage { usage(error) } else { error.into() }
}

/// Prints an error with its causes, and returns the exit code. A closed standard output does not count as an error.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    let io = error.downcast_ref::<io::Error>();
    if io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        return ExitCode::SUCCESS;
    }
    let mut sentence = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // Some errors already include their cause in the message.
        if sentence.is_empty() {
            sentence = cause;
        } else if !sentence.ends_with(&cause) {
            sentence = format!("{sentence}: {cause}");
        }
    }
    fail(sentence);
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// Checks that a picture can be written, before a long computation starts.
pub fn check_picture(path: &Path) -> anyhow::Result<()> {
    plot::check_place(path)
}

/// Options shared by all long-running commands.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct WorkOptions {
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl WorkOptions {
    /// Starts the threads.
    pub fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.threads.unwrap_or(0).into();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.context("cannot start the threads")
    }
}

/// Displays progress on standard error, and stops the work on Ctrl-C.
pub struct ProgressDisplay {
    meter: Meter,
    title: Mutex<(String, Instant)>,
}

impl ProgressDisplay {
    /// Displays the progress of interruptible work as `TITLE 12 of 300`.
    pub fn new(title: &str, quiet: bool) -> anyhow::Result<ProgressDisplay> {
        stop_on_signals()?;
        Ok(ProgressDisplay::unstoppable(title, quiet))
    }

    /// Displays the progress of work that doesn't save anything, so that signals can simply end the program.
    pub fn unstoppable(title: &str, quiet: bool) -> ProgressDisplay {
        let title = Mutex::new((title.into(), Instant::now()));
        ProgressDisplay { meter: Meter::new(1, Verbosity { quiet }), title }
    }

    /// Starts another task and prints its title.
    pub fn begin(&self, title: String) {
        self.meter.set_position(0);
        self.meter.begin(title.clone());
        *self.title.lock().unwrap_or_else(|error| error.into_inner()) = (title, Instant::now());
    }

    /// Clears the progress bar.
    pub fn finish(&self) {
        self.meter.finish();
    }
}

impl Progress for ProgressDisplay {
    fn advance(&self, done: u64, of: u64) {
        let (title, begun) = &*self.title.lock().unwrap_or_else(|error| error.into_inner());
        let rounded =
            |left: Duration| humantime::format_duration(Duration::from_secs(left.as_secs()));
        let left = time_left(*begun, done, of);
        let left = left.map_or(String::new(), |left| format!(", {} left", rounded(left)));
        self.meter.set_length(of);
        self.meter.set_position(done);
        self.meter.say(format!("{title} {} of {}{left}", grouped(done), grouped(of)));
    }

    fn should_stop(&self) -> bool {
        INTERRUPTED.load(Ordering::Relaxed)
    }
}

/// Whether there was a Ctrl-C or SIGTERM.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Some programs signal both a process and its group, so two signals within this time count as one.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Stops the work on the first signal, and exits on a later one.
fn stop_on_signals() -> anyhow::Result<()> {
    let mut first: Option<Instant> = None;
    let handler = move || match first {
        None => {
            first = Some(Instant::now());
            INTERRUPTED.store(true, Ordering::Relaxed);
        }
        Some(at) if at.elapsed() <= SAME_SIGNAL => {}
        Some(_) => {
            kill_engines();
            process::exit(130);
        }
    };
    ctrlc::set_handler(handler).context("cannot catch Ctrl-C")
}

/// Formats a count with its noun: `1 game`, `12,345 games`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats a number as `12,345`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!(grouped(0_u8), "0");
        assert_eq!(grouped(u128::from(u64::MAX) + 1), "18,446,744,073,709,551,616");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(1_234_567, "game"), "1,234,567 games");
    }
}
