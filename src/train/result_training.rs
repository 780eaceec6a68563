//! Training as it goes on, an object an event, and what came of it.

use mancala::eval::Weights;
use serde::Serialize;

use crate::train::result_inspection::Measured;
use crate::train::strength::{AgainstOpponent, Score, against};
use evolve::run::{Cost, End, Event, Statistics, StatusPart, Summary, Trainer};

/// A run begins or goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "begun")]
pub struct Begun {
    /// Its folder.
    pub folder: String,
    /// Its preset.
    pub preset: String,
    /// Its seed.
    pub seed: u64,
    /// Generations that are evaluated already.
    pub generation: u32,
    /// Generations asked for.
    pub generations: u32,
}

/// What happens in a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TrainingEvent {
    /// A part of it begins.
    Part(BegunPart),
    /// A generation has been evaluated.
    Generation(EvaluatedGeneration),
    /// Strength has been measured.
    Measured(Measured),
}

/// A part of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BegunPart {
    /// Which.
    pub part: StatusPart,
    /// The generation, where it is a part of one.
    pub generation: Option<u32>,
}

/// A generation in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvaluatedGeneration {
    /// Its number, from 1.
    pub generation: u32,
    /// The largest fitness.
    pub best: u64,
    /// The largest that there could be.
    pub best_possible: u64,
    /// The mean fitness.
    pub mean: f64,
    /// The smallest fitness.
    pub worst: u64,
    /// Different chromosomes.
    pub distinct: usize,
    /// Games that it asked for.
    pub games_asked: u64,
    /// Games that had to be played for it.
    pub games_played: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds on the clock.
    pub seconds: f64,
}

/// What this process has done in a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Done {
    /// Generations.
    pub generations: u32,
    /// Games that they asked for.
    pub games_asked: u64,
    /// Games that had to be played for them.
    pub games_played: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Seconds on the clock, measurements and final games included.
    pub seconds: f64,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "trained")]
pub struct TrainedRun {
    /// Its folder.
    pub folder: String,
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// Generations that are evaluated.
    pub generation: u32,
    /// Generations asked for.
    pub generations: u32,
    /// What this process has done.
    pub done: Done,
    /// The champion, once there is a generation.
    pub champion: Option<TrainedChampion>,
    /// What its figures say, a sentence each.
    pub findings: Vec<String>,
    /// The command that goes on with it.
    pub resume: String,
}

/// The champion of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrainedChampion {
    /// Its file.
    pub file: String,
    /// The generation that it is of.
    pub generation: Option<u32>,
    /// Its fitness in that.
    pub fitness: Option<u64>,
    /// The weights that are not zero, by feature.
    #[serde(serialize_with = "crate::results::as_map")]
    pub weights: Vec<(String, i64)>,
    /// The mean against the panel, if final games were played.
    #[serde(flatten)]
    pub score: Option<Score>,
    /// What it scored, opponent by opponent.
    pub strength: Vec<AgainstOpponent>,
}

impl Begun {
    /// A run that stands where `trainer` does.
    pub fn of(folder: &std::path::Path, trainer: &Trainer) -> Begun {
        let settings = trainer.settings();
        Begun {
            folder: folder.display().to_string(),
            preset: settings.preset.clone(),
            seed: settings.seed,
            generation: trainer.generation(),
            generations: settings.generations,
        }
    }
}

impl TrainingEvent {
    /// The same as observers are told; none of the end, which is told with what came of the run.
    pub fn of(event: &Event) -> Option<TrainingEvent> {
        match event {
            Event::Begins(part) => Some(TrainingEvent::Part(BegunPart {
                part: StatusPart::of(*part),
                generation: part.generation(),
            })),
            Event::Generation { trainer, statistics, cost } => {
                let generation = EvaluatedGeneration::of(trainer, statistics, *cost);
                Some(TrainingEvent::Generation(generation))
            }
            Event::Measured { measurement, .. } => {
                Some(TrainingEvent::Measured(Measured::from(*measurement)))
            }
            Event::End { .. } => None,
        }
    }
}

impl EvaluatedGeneration {
    fn of(trainer: &Trainer, statistics: &Statistics, cost: Cost) -> EvaluatedGeneration {
        let last = trainer.last().expect("a generation was evaluated");
        EvaluatedGeneration {
            generation: statistics.generation,
            best: statistics.best,
            best_possible: trainer.settings().best_possible_fitness(statistics.generation),
            mean: statistics.mean,
            worst: statistics.worst,
            distinct: statistics.distinct,
            games_asked: last.games_asked,
            games_played: last.games_played,
            nodes: cost.nodes,
            seconds: cost.seconds,
        }
    }
}

impl TrainedRun {
    /// What a run came to that ended so, and the command that goes on with it.
    pub fn of(run: &Summary, end: End, done: Done, resume: String) -> TrainedRun {
        TrainedRun {
            folder: run.path.display().to_string(),
            seed: run.settings.seed,
            end,
            generation: run.generation,
            generations: run.settings.generations,
            done,
            champion: run.champion.as_ref().map(|champion| TrainedChampion::of(champion, run)),
            findings: run.findings(),
            resume,
        }
    }
}

impl TrainedChampion {
    fn of(champion: &Weights, run: &Summary) -> TrainedChampion {
        let provenance = champion.provenance.as_ref();
        let weights = champion.features().features().iter().zip(champion.effective());
        let weights = weights.filter(|(_, weight)| *weight != 0);
        TrainedChampion {
            file: run.path.join("champion.json").display().to_string(),
            generation: provenance.map(|it| it.generation),
            fitness: provenance.and_then(|it| it.fitness),
            weights: weights.map(|(it, weight)| (it.name().to_owned(), weight.into())).collect(),
            score: Score::mean(evolve::run::against_panel(&champion.strength)),
            strength: against(&champion.strength),
        }
    }
}
