//! A progress display on standard error: a bar on a terminal, and occasional lines otherwise or with `--plain`.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal::{is_plain, say, shown};

pub(crate) struct Meter {
    bar: ProgressBar,
    lines: Option<Mutex<Lines>>,
}

/// Decides when to print the next line. The intervals grow, so that the log of an overnight run stays short.
struct Lines {
    last: Instant,
    interval: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verbosity {
    Shown,
    Quiet,
}

impl Meter {
    /// Creates a display of work that is complete at `length`.
    pub(crate) fn new(length: u64, verbosity: Verbosity) -> Meter {
        let terminal = std::io::stderr().is_terminal() && !is_plain();
        let shown = verbosity == Verbosity::Shown;
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

    /// Shows the first message immediately.
    pub(crate) fn begin(&self, message: String) {
        if self.lines.is_some() {
            say(&message);
        }
        self.bar.set_message(shown(message));
    }

    pub(crate) fn position(&self) -> u64 {
        self.bar.position()
    }

    pub(crate) fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Sets the length, for work whose length is unknown before it starts.
    pub(crate) fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    pub(crate) fn say(&self, message: String) {
        if let Some(lines) = &self.lines
            && let Ok(mut lines) = lines.lock()
            && lines.last.elapsed() >= lines.interval
        {
            say(&message);
            lines.last = Instant::now();
            lines.interval = (lines.interval * 2).min(Duration::from_secs(60));
        }
        self.bar.set_message(shown(message));
    }

    /// Prints a line that stays above the bar.
    pub(crate) fn tell(&self, line: String) {
        self.bar.suspend(|| say(line));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Formats a duration: `1m 5s`, `3.2s`.
pub(crate) fn rounded(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("{:.1}s", time.as_secs_f64());
    }
    humantime::format_duration(Duration::from_secs(time.as_secs_f64().round() as u64)).to_string()
}

/// Formats elapsed time, without seconds from one minute on: `12s`, `37m`, `2h 5m`.
pub(crate) fn coarse(time: Duration) -> String {
    let seconds = time.as_secs();
    let shown = if seconds < 60 { seconds } else { seconds - seconds % 60 };
    humantime::format_duration(Duration::from_secs(shown)).to_string()
}

/// Formats a time per move: `7.4 µs`, `12 ms`, `3.2 s`.
pub(crate) fn brief(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        _ if seconds < 999.5e-6 => (seconds * 1e6, "µs"),
        _ if seconds < 0.9995 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    if number < 9.95 { format!("{number:.1} {unit}") } else { format!("{number:.0} {unit}") }
}

/// Formats the time left at the average speed since `begun`; `?` if it is unknown.
pub(crate) fn time_left(begun: Instant, done: u64, all: u64) -> String {
    estimate(begun, done, all).map_or("?".into(), rounded)
}

/// Estimates the time left at the average speed since `begun`; `None` if nothing is done yet.
pub(crate) fn estimate(begun: Instant, done: u64, all: u64) -> Option<Duration> {
    let rest = all.saturating_sub(done) as f64 / done as f64;
    Duration::try_from_secs_f64(begun.elapsed().as_secs_f64() * rest).ok()
}

/// Formats a number with its noun: `1 generation`, `12,345 generations`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Formats a number with thousands separators: `12,345`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|g| String::from_utf8_lossy(g)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_read_them() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(0, "game"), "0 games");
        assert_eq!(rounded(Duration::from_millis(3210)), "3.2s");
        assert_eq!(rounded(Duration::from_millis(65_400)), "1m 5s");
        assert_eq!(coarse(Duration::from_millis(59_900)), "59s");
        assert_eq!(coarse(Duration::from_secs(7530)), "2h 5m");
        assert_eq!(brief(Duration::from_nanos(740)), "0.7 µs");
        assert_eq!(brief(Duration::from_micros(999)), "999 µs");
        assert_eq!(brief(Duration::from_nanos(999_600)), "1.0 ms");
        assert_eq!(brief(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(time_left(Instant::now(), 0, 5), "?");
    }
}
