//! The progress of a run in this process, which `status.json` and the terminal show.

use std::time::{Duration, Instant, SystemTime};

use super::event::{Event, Part};
use super::settings::Settings;

/// The progress of a run in this process, from its [events](Event) and the progress of each part.
#[derive(Debug, Clone)]
pub struct RunProgress {
    pub settings: Settings,
    /// Beginning of this process.
    pub begun: Instant,
    /// The part under way, if one has begun.
    pub part: Option<Part>,
    /// Beginning of the part.
    pub part_begun: SystemTime,
    /// Work done in the part: games, or steps of learning.
    pub done: u64,
    /// Work of the whole part; 0 while unknown.
    pub of: u64,
    /// The time since which the work of the part has been `of`.
    since: Instant,
    /// The last evaluated generation.
    pub generation: u32,
    /// Work of the generations that were evaluated before this process, and of those until now.
    before: u64,
    evaluated: u64,
    /// Work of all generations.
    pub all: u64,
    /// Games per second in the last generation of this process, without cached games.
    pub games_per_second: Option<f64>,
    /// Whether the final games have begun.
    pub finals_begun: bool,
}

impl RunProgress {
    /// Returns the progress of a run that has evaluated this many generations.
    pub fn new(settings: &Settings, generation: u32) -> RunProgress {
        let [before, left] =
            [1..=generation, generation + 1..=settings.generations].map(|it| settings.work(it));
        RunProgress {
            settings: settings.clone(),
            begun: Instant::now(),
            part: None,
            part_begun: SystemTime::now(),
            done: 0,
            of: 0,
            since: Instant::now(),
            generation,
            before,
            evaluated: before,
            all: before + left,
            games_per_second: None,
            finals_begun: false,
        }
    }

    /// Takes note of an event.
    pub fn observe(&mut self, event: &Event) {
        match event {
            Event::Begins(part) => self.begin(Some(*part)),
            Event::Generation { trainer, cost, .. } => {
                self.begin(None);
                self.generation = trainer.generation();
                self.evaluated += self.settings.work(self.generation..=self.generation);
                let played = trainer.last().map_or(0, |it| it.games_played);
                let speed = played as f64 / cost.seconds;
                self.games_per_second = Some(speed).filter(|it| it.is_finite());
            }
            Event::Measured { .. } | Event::ChampionSelected(_) | Event::End { .. } => {}
        }
    }

    /// Begins a part, or ends the one under way.
    pub fn begin(&mut self, part: Option<Part>) {
        (self.part, self.done, self.of) = (part, 0, 0);
        (self.part_begun, self.since) = (SystemTime::now(), Instant::now());
        self.finals_begun |= part == Some(Part::Finals);
    }

    /// Takes note of the work done in the part under way.
    pub fn advance(&mut self, done: u64, of: u64) {
        if self.of != 0 && self.of != of {
            self.since = Instant::now();
        }
        (self.done, self.of) = (done, of);
    }

    /// Returns the work done, including the share of the generation under way.
    pub fn work(&self) -> u64 {
        let Some(Part::Generation(number)) = self.part else { return self.evaluated };
        let share = self.done as f64 / self.of.max(1) as f64;
        self.evaluated + (share * self.settings.work(number..=number) as f64) as u64
    }

    /// Estimates the time to the end of the generations; `None` as long as none is known.
    pub fn generations_left(&self) -> Option<Duration> {
        remaining(self.begun, self.work() - self.before, self.all - self.before)
    }

    /// Estimates the time to the end of the part under way.
    pub fn part_left(&self) -> Option<Duration> {
        remaining(self.since, self.done, self.of)
    }
}

/// Estimates the time of the remaining work from the speed since `begun`.
fn remaining(begun: Instant, done: u64, of: u64) -> Option<Duration> {
    let share = of.saturating_sub(done) as f64 / done as f64;
    Duration::try_from_secs_f64(begun.elapsed().as_secs_f64() * share).ok()
}
