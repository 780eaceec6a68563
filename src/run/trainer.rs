//! The loop: breed, evaluate, tell the observers.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::optimise::fitness::{AtOnce, Control, Evaluation, Fitness};
use crate::optimise::genetic::breeding::{breed, first_population};
use crate::optimise::genetic::table_fitness::{Lessons, with_marks};
use crate::optimise::genetic::tournament::{Champion, Tournament};
use crate::optimise::genome::Chromosome;
use crate::run::checkpoint::{Checkpoint, CheckpointError};
use crate::run::measuring::Measuring;
use crate::run::settings::{Crossover, Merit, Settings};
use crate::run::statistics::Statistics;
use crate::run::strength::Measurement;
use mancala::endgame::Tables;
use mancala::eval::{Provenance, Weights};
use mancala::progress::Progress;
use mancala::store::FileError;

/// A generation whose fitness is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// Its number, from 1.
    pub generation: u32,
    /// Its chromosomes.
    pub members: Vec<Chromosome>,
    /// Their fitness, in the same order.
    pub fitness: Vec<u64>,
    /// Games that the evaluation asked for.
    pub games_asked: u64,
    /// Games that had to be played for it.
    pub games_played: u64,
}

impl Evaluated {
    /// The fittest chromosome, the first among equals, and its fitness.
    pub fn best(&self) -> (&Chromosome, u64) {
        let fitness = *self.fitness.iter().max().expect("a population has members");
        let index = self.fitness.iter().position(|&f| f == fitness).expect("the maximum occurs");
        (&self.members[index], fitness)
    }
}

impl Evaluated {
    /// Where the mean stands that the other offspring were bred from, if they were.
    pub(crate) fn mean(&self, settings: &Settings) -> Option<usize> {
        place_of_mean(settings, self.generation, self.members.len())
    }

    /// The chromosome that the run would name its champion if it ended here without final games: the
    /// [mean](Self::mean), if there is one, since it owes less to luck than any member that one
    /// generation's games call the best; else the fittest.
    pub fn leader(&self, settings: &Settings) -> (&Chromosome, u64) {
        match self.mean(settings) {
            Some(mean) => (&self.members[mean], self.fitness[mean]),
            None => self.best(),
        }
    }
}

/// Where in a generation of so many members the mean stands that the other offspring were bred from, if
/// they were.
pub(crate) fn place_of_mean(settings: &Settings, generation: u32, members: usize) -> Option<usize> {
    let mean = settings.elite_size();
    let is_bred = generation > 1 && mean < members;
    let always = settings.crossover == Crossover::Pool && settings.restart_below == 0.0;
    (is_bred && always).then_some(mean)
}

/// What a generation cost; the only thing about it that may differ between machines and between two
/// runs on one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Positions searched; see [`Evaluation::nodes`](super::Evaluation::nodes).
    pub nodes: u64,
    /// Seconds on the clock.
    pub seconds: f64,
}

/// What observers are told.
#[derive(Debug)]
pub enum Event<'a> {
    /// A generation has been evaluated; the trainer holds it.
    Generation {
        /// The trainer after it.
        trainer: &'a Trainer,
        /// The generation in numbers.
        statistics: &'a Statistics,
        /// What it cost.
        cost: Cost,
    },
    /// The strength of a generation's champion has been measured.
    Measured {
        /// The trainer, which may have gone further since.
        trainer: &'a Trainer,
        /// What was measured.
        measurement: &'a Measurement,
    },
    /// Training stops here.
    End {
        /// The trainer as it stops.
        trainer: &'a Trainer,
        /// Why it stops.
        end: End,
    },
}

/// Why training stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Every generation asked for has been evaluated.
    Complete,
    /// Somebody interrupted it.
    Interrupted,
    /// Its time is up.
    OutOfTime,
}

/// Somebody who is told what happens in a run: a folder, a progress bar.
pub trait Observer {
    /// Takes note of an event.
    ///
    /// # Errors
    /// A file that could not be written. It ends the run.
    fn observe(&mut self, event: &Event) -> Result<(), FileError>;
}

/// A run in memory: its settings and the last evaluated generation.
#[derive(Debug, Clone)]
pub struct Trainer {
    settings: Settings,
    fitness: Tournament,
    /// Those that the settings may need.
    lessons: Option<Lessons>,
    last: Option<Evaluated>,
}

impl Trainer {
    /// A run that has not begun.
    pub fn new(settings: Settings) -> Self {
        let fitness = Tournament::new(settings.clone());
        Trainer { settings, fitness, lessons: None, last: None }
    }

    /// The run as a checkpoint left it.
    pub fn restore(settings: Settings, checkpoint: Checkpoint) -> Result<Self, CheckpointError> {
        let (last, fitness) = checkpoint.open(&settings)?;
        Ok(Trainer { settings, fitness, lessons: None, last: Some(last) })
    }

    /// The same run, taught by these tables if its settings [need](Settings::needs_tables) any.
    #[must_use]
    pub fn taught_by(self, tables: Arc<Tables>) -> Self {
        Trainer { lessons: Some(Lessons::new(tables)), ..self }
    }

    /// All that another process needs to go on from here; `None` before the first generation.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let last = self.last.as_ref()?;
        Some(Checkpoint::of(&self.settings, last, &self.fitness))
    }

    /// The run as a checkpoint of settings `from` left it, to go on under others. Of what fitness
    /// remembers only the hall of fame stays: games might end otherwise now.
    pub(crate) fn branch(
        from: &Settings,
        checkpoint: Checkpoint,
        settings: Settings,
    ) -> Result<Self, CheckpointError> {
        let (last, fitness) = checkpoint.open(from)?;
        let fitness = Tournament::with_hall(settings.clone(), fitness.hall().to_vec());
        Ok(Trainer { settings, fitness, lessons: None, last: Some(last) })
    }

    /// Champions of the past that the run keeps, oldest first.
    pub fn hall(&self) -> &[Champion] {
        self.fitness.hall()
    }

    /// The settings of the run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The last evaluated generation.
    pub fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    /// How many generations have been evaluated.
    pub fn generation(&self) -> u32 {
        self.last.as_ref().map_or(0, |last| last.generation)
    }

    /// Breeds and evaluates the next generation and returns the nodes that it took. `None` if
    /// `control` stopped it: the run then stands where it stood.
    ///
    /// # Panics
    /// If the settings need tables and the run was not given any.
    pub fn step(&mut self, control: &dyn Control) -> Option<u64> {
        let members = match &self.last {
            None => first_population(&self.settings),
            Some(parents) => breed(&self.settings, parents),
        };
        let generation = self.generation() + 1;
        let evaluation = self.evaluate(generation, &members, control)?;
        let last = Evaluated {
            generation,
            members,
            fitness: evaluation.fitness,
            games_asked: evaluation.games_asked,
            games_played: evaluation.games_played,
        };
        self.fitness.honour(generation, last.leader(&self.settings).0);
        self.last = Some(last);
        Some(evaluation.nodes)
    }

    fn evaluate(
        &mut self,
        generation: u32,
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Evaluation> {
        let settings = &self.settings;
        if !settings.needs_tables() {
            return self.fitness.evaluate(generation, members, control);
        }
        let lessons = self.lessons.as_ref().expect("a run that needs tables is given them");
        // Before the games: these are remembered, which they must not be if the generation is dropped.
        let marks = lessons.mark(settings, generation, members, control)?;
        let games = match settings.fitness {
            Merit::Tables => None,
            Merit::Tournament | Merit::Mix(_) => {
                Some(self.fitness.evaluate(generation, members, control)?)
            }
        };
        Some(with_marks(settings.fitness, marks, games))
    }
}

/// The weights of a generation's best chromosome, with where they come from.
pub fn champion(settings: &Settings, generation: u32, best: &Chromosome, fitness: u64) -> Weights {
    let mut weights = settings.weights(best);
    weights.provenance = Some(Provenance {
        preset: settings.preset.clone(),
        seed: settings.seed,
        settings: settings.hash(),
        generation,
        fitness: Some(fitness),
        played: settings.game().into(),
        depth: settings.depth,
    });
    weights
}

/// Trains until every generation asked for is evaluated or `control` wants to leave.
///
/// # Errors
/// The first error of an observer.
pub fn run(
    trainer: &mut Trainer,
    control: &dyn Control,
    observers: &mut [&mut dyn Observer],
) -> Result<End, FileError> {
    let mut measuring = Measuring::never(&trainer.settings);
    run_measured(trainer, &mut measuring, control, observers)
}

/// The same, and measures strength whenever that is due.
///
/// # Errors
/// The first error of an observer.
pub fn run_measured(
    trainer: &mut Trainer,
    measuring: &mut Measuring,
    control: &dyn Control,
    observers: &mut [&mut dyn Observer],
) -> Result<End, FileError> {
    let mut tell = |event: &Event| observers.iter_mut().try_for_each(|o| o.observe(event));
    let end = loop {
        if measuring.is_due() {
            if let Some(end) = control.leave() {
                break end;
            }
            let Some(measurement) = measuring.take(&AtOnce(control)) else {
                break control.leave().unwrap_or(End::Interrupted);
            };
            tell(&Event::Measured { trainer, measurement: &measurement })?;
            continue;
        }
        if trainer.generation() >= trainer.settings.generations {
            break End::Complete;
        }
        if let Some(end) = control.leave() {
            break end;
        }
        let begun = Instant::now();
        let Some(nodes) = trainer.step(control) else {
            break control.leave().unwrap_or(End::Interrupted);
        };
        let cost = Cost { nodes, seconds: begun.elapsed().as_secs_f64() };
        let last = trainer.last.as_ref().expect("a step evaluates a generation");
        let statistics = Statistics::of(&trainer.settings, last);
        tell(&Event::Generation { trainer, statistics: &statistics, cost })?;
        measuring.note(trainer);
    };
    tell(&Event::End { trainer, end })?;
    Ok(end)
}

/// When to leave a run: once it is interrupted or its time is up, a generation that is under way may
/// take [`Patience::GRACE`] longer before it is dropped.
#[derive(Debug, Default)]
pub struct Patience {
    interrupted: OnceLock<Instant>,
    /// How much time there is, and when it is up.
    limit: Option<(Duration, Instant)>,
    lifted: OnceLock<()>,
}

impl Patience {
    /// How long a generation under way may go on.
    pub const GRACE: Duration = Duration::from_secs(5);

    /// Patience for so long from now; for ever without a limit.
    pub fn new(limit: Option<Duration>) -> Self {
        let limit = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        Patience { limit, ..Patience::default() }
    }

    /// Asks to leave.
    pub fn interrupt(&self) {
        self.interrupted.get_or_init(Instant::now);
    }

    /// Gives what follows the time that it takes; only an interruption ends it.
    pub fn lift_deadline(&self) {
        self.lifted.get_or_init(|| ());
    }

    /// How much of its time is left, and how much it had; `None` without a limit.
    pub fn time_left(&self) -> Option<(Duration, Duration)> {
        let (limit, deadline) = self.limit.filter(|_| self.lifted.get().is_none())?;
        Some((deadline.saturating_duration_since(Instant::now()), limit))
    }

    fn wanted_since(&self) -> Option<(Instant, End)> {
        let interrupted = self.interrupted.get().map(|&at| (at, End::Interrupted));
        let limit = self.limit.filter(|_| self.lifted.get().is_none());
        let late = limit.map(|(_, at)| (at, End::OutOfTime));
        interrupted.or(late.filter(|&(at, _)| Instant::now() >= at))
    }
}

impl Progress for Patience {
    fn should_stop(&self) -> bool {
        self.wanted_since().is_some_and(|(at, _)| at.elapsed() >= Patience::GRACE)
    }
}

impl Control for Patience {
    fn leave(&self) -> Option<End> {
        self.wanted_since().map(|(_, end)| end)
    }
}
