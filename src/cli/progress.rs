//! Progress of a run, on standard error: a bar on a terminal, now and then a line elsewhere.

use std::io::{IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::evolve::{Control, End, Event, Observer, Patience, Settings, Statistics};
use crate::search::Monitor;
use crate::store::FileError;

/// Sub-steps of a generation on the bar.
const STEPS: u64 = 1000;

/// Makes the first Ctrl-C or SIGTERM end a run safely and the second one at once.
pub(super) fn leave_on_signals(patience: Patience) -> anyhow::Result<Arc<Patience>> {
    let patience = Arc::new(patience);
    let handler = Arc::clone(&patience);
    ctrlc::set_handler(move || {
        if !handler.interrupt() {
            process::exit(130);
        }
        let grace = Patience::GRACE.as_secs();
        let _ = writeln!(
            std::io::stderr(),
            "\nfinishing the generation if that takes at most {grace} s; again to leave at once"
        );
    })
    .context("cannot catch Ctrl-C")?;
    Ok(patience)
}

/// Watches a run for the user.
pub(super) struct Watch {
    patience: Arc<Patience>,
    bar: ProgressBar,
    lines: Option<Lines>,
    begun: Instant,
    first: u32,
    generations: u32,
    best_possible: u64,
    played: u64,
    asked: u64,
    nodes: u64,
    done: u32,
}

/// Lines that come ever more seldom, so that a night's log stays short.
struct Lines {
    last: Instant,
    interval: Duration,
}

impl Watch {
    /// A watch over a run that has evaluated `done` generations.
    pub(super) fn new(
        patience: &Arc<Patience>,
        settings: &Settings,
        done: u32,
        quiet: bool,
    ) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = match terminal && !quiet {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let length = u64::from(settings.generations) * STEPS;
        let style = ProgressStyle::with_template("{wide_bar} {msg}").expect("a valid template");
        let bar = ProgressBar::with_draw_target(Some(length), target).with_style(style);
        bar.set_position(u64::from(done) * STEPS);
        let lines = Lines { last: Instant::now(), interval: Duration::from_secs(2) };
        Watch {
            patience: Arc::clone(patience),
            bar,
            lines: (!terminal && !quiet).then_some(lines),
            begun: Instant::now(),
            first: done,
            generations: settings.generations,
            best_possible: 4 * settings.fitness_set_size() as u64,
            played: 0,
            asked: 0,
            nodes: 0,
            done,
        }
    }

    /// What the run is controlled by.
    pub(super) fn control(&self) -> Controls {
        Controls {
            patience: Arc::clone(&self.patience),
            bar: self.bar.clone(),
            base: AtomicU64::new(0),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// What this process has done.
    pub(super) fn totals(&self) -> String {
        format!(
            "{} generations in {}: {} games asked for, {} played, {:.0} million positions searched",
            self.done - self.first,
            rounded(self.begun.elapsed()),
            grouped(self.asked),
            grouped(self.played),
            self.nodes as f64 / 1e6
        )
    }

    fn message(&self, statistics: &Statistics) -> String {
        let (done, all) = (self.done, self.generations);
        let here = f64::from(self.done - self.first);
        let left = self.begun.elapsed().as_secs_f64() / here * f64::from(all - done);
        format!(
            "generation {done}/{all}  best {}/{}  mean {:.1}  {} left",
            statistics.best,
            self.best_possible,
            statistics.mean,
            rounded(Duration::from_secs_f64(left))
        )
    }
}

impl Observer for Watch {
    fn observe(&mut self, event: &Event) -> Result<(), FileError> {
        let Event::Generation { trainer, statistics, cost } = event else {
            return Ok(());
        };
        let last = trainer.last().expect("a generation was evaluated");
        self.played += last.games_played;
        self.asked += last.games_asked;
        self.nodes += cost.nodes;
        self.done = last.generation;
        let message = self.message(statistics);
        if let Some(lines) = &mut self.lines
            && lines.last.elapsed() >= lines.interval
        {
            // Nobody may be reading any more; the run is worth more than its log.
            let _ = writeln!(std::io::stderr(), "{message}");
            lines.last = Instant::now();
            lines.interval = (lines.interval * 2).min(Duration::from_secs(60));
        }
        self.bar.set_message(message);
        self.bar.set_position(u64::from(self.done) * STEPS);
        Ok(())
    }
}

/// Ends a run when the user's patience does, and moves the bar within a generation.
pub(super) struct Controls {
    patience: Arc<Patience>,
    bar: ProgressBar,
    base: AtomicU64,
}

impl Monitor for Controls {
    fn should_stop(&self) -> bool {
        self.patience.should_stop()
    }
}

impl Control for Controls {
    fn leave(&self) -> Option<End> {
        self.base.store(self.bar.position(), Ordering::Relaxed);
        self.patience.leave()
    }

    fn games_played(&self, played: u64, of: u64) {
        // The last step is the generation's own.
        let step = played * (STEPS - 1) / of.max(1);
        self.bar.set_position(self.base.load(Ordering::Relaxed) + step);
    }
}

/// `1m 5s`, `3.2s`.
fn rounded(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        return format!("{:.1}s", time.as_secs_f64());
    }
    humantime::format_duration(Duration::from_secs(time.as_secs_f64().round() as u64)).to_string()
}

/// `12,345`.
fn grouped(number: u64) -> String {
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
        assert_eq!(rounded(Duration::from_millis(3210)), "3.2s");
        assert_eq!(rounded(Duration::from_millis(65_400)), "1m 5s");
    }
}
