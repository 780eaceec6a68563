//! Run progress of this process, as shown in `status.json` and on the terminal.

use std::time::{Duration, Instant};

use mancala::progress::time_left;

use super::{Event, Part, Settings};

/// The progress that this process has made in a run.
#[derive(Debug, Clone)]
pub struct RunProgress {
    pub settings: Settings,
    pub begun: Instant,
    pub part: Option<Part>,
    /// The current stage of the part; empty before the first one.
    pub stage: &'static str,
    pub stage_begun: Instant,
    /// Work done in the current stage: games, or positions or steps of learning.
    pub done: u64,
    /// Total work of the current stage; 0 while unknown.
    pub of: u64,
    pub generation: u32,
    /// The work of all generations evaluated before this process started, and including later ones.
    before: u64,
    evaluated: u64,
    pub all: u64,
    /// Games per second in the last generation of this process, excluding cached games.
    pub games_per_second: Option<f64>,
    pub finals_begun: bool,
}

impl RunProgress {
    /// Returns the initial progress of a run with this many evaluated generations.
    pub fn new(settings: &Settings, generation: u32) -> RunProgress {
        let [before, left] =
            [1..=generation, generation + 1..=settings.generations].map(|it| settings.work(it));
        RunProgress {
            settings: settings.clone(),
            begun: Instant::now(),
            part: None,
            stage: "",
            stage_begun: Instant::now(),
            done: 0,
            of: 0,
            generation,
            before,
            evaluated: before,
            all: before + left,
            games_per_second: None,
            finals_begun: false,
        }
    }

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

    /// Starts a part. If it is `None`, ends the current part.
    pub fn begin(&mut self, part: Option<Part>) {
        self.part = part;
        self.begin_stage("");
        self.finals_begun |= part == Some(Part::Finals);
    }

    pub fn begin_stage(&mut self, name: &'static str) {
        (self.stage, self.stage_begun, self.done, self.of) = (name, Instant::now(), 0, 0);
    }

    pub fn advance(&mut self, done: u64, of: u64) {
        (self.done, self.of) = (done, of);
    }

    /// Returns the work done, including the completed fraction of the current generation.
    pub fn work(&self) -> u64 {
        let Some(Part::Generation(number)) = self.part else { return self.evaluated };
        let share = self.done as f64 / self.of.max(1) as f64;
        self.evaluated + (share * self.settings.work(number..=number) as f64) as u64
    }

    pub fn generations_left(&self) -> Option<Duration> {
        time_left(self.begun, self.work() - self.before, self.all - self.before)
    }

    pub fn stage_left(&self) -> Option<Duration> {
        time_left(self.stage_begun, self.done, self.of)
    }
}
