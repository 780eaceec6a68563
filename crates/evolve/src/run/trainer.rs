//! A run in memory: an optimiser, and what answers its requests.

use std::io;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arena::player::Minimax;
use arena::{Batch, End, Games, LocalGames, Outcome, Sample, Sampling, gather_all};
use mancala::endgame::Tables;
use mancala::eval::{Provenance, Weights};
use mancala::game::ayo::Ayo;
use mancala::progress::{Progress, Silent};
use mancala::search::Options;
use mancala::store::FileError;

use super::{Checkpoint, CheckpointError, Settings};
use crate::learn::{LearnError, Learner};
use crate::optimise::{
    Answer, Ask, Champion, Chromosome, Coding, Evaluated, IslandTask, LoadError, Optimiser,
    Positions, RecordedChampion, SeedLosses,
};
use crate::task::{Failure, Pipeline, RemoteGames, TaskError, TaskRunner, lock};

/// A run in memory: its settings, and the optimiser after the last evaluated generation.
#[derive(Debug)]
pub struct Trainer {
    settings: Settings,
    coding: Coding,
    optimiser: Box<dyn Optimiser>,
    games: Arc<dyn Games>,
    /// Plays games that measure strength or select a champion, without a move cache.
    plain_games: Arc<dyn Games>,
    /// Endgame tables, if the run learns from them.
    tables: Option<Arc<Tables>>,
    /// Runs tasks, if not this process does all the work.
    runner: Option<Arc<dyn TaskRunner>>,
    /// The islands that tasks advance, while there are any.
    pipeline: Option<Pipeline>,
    learner: Learner,
    failure: Failure,
}

impl Trainer {
    /// Creates a run in which no generation has been evaluated.
    pub fn new(settings: Settings) -> Self {
        let optimiser = settings.new_optimiser();
        Trainer::with(settings, optimiser)
    }

    fn with(settings: Settings, optimiser: Box<dyn Optimiser>) -> Self {
        let games: Arc<dyn Games> = Arc::new(local_games(&settings));
        let plain_games: Arc<dyn Games> = Arc::new(LocalGames::new());
        let coding = settings.coding();
        Trainer {
            settings,
            coding,
            optimiser,
            games,
            plain_games,
            tables: None,
            runner: None,
            pipeline: None,
            learner: Learner::default(),
            failure: Failure::default(),
        }
    }

    /// Restores a run from a checkpoint.
    pub fn restore(settings: Settings, checkpoint: Checkpoint) -> Result<Self, CheckpointError> {
        checkpoint.compare(&settings)?;
        let optimiser = settings.optimiser(Some(checkpoint.into_saved()))?;
        Ok(Trainer::with(settings, optimiser))
    }

    /// Restores a run from a checkpoint that belongs to the settings `from`, to continue with other settings.
    pub fn branch(
        from: &Settings,
        checkpoint: Checkpoint,
        settings: Settings,
    ) -> Result<Self, CheckpointError> {
        checkpoint.compare(from)?;
        let mut optimiser = settings.optimiser(Some(checkpoint.into_saved()))?;
        optimiser.forget_games();
        Ok(Trainer::with(settings, optimiser))
    }

    /// Restores an island, or starts it, and lets the migrants enter.
    pub(crate) fn of_island(settings: Settings, task: IslandTask) -> Result<Self, LoadError> {
        let mut optimiser = settings.optimiser(task.saved)?;
        if !task.migrants.is_empty() {
            optimiser.immigrate(&task.migrants);
        }
        Ok(Trainer::with(settings, optimiser))
    }

    /// Sets the endgame tables to learn from, if the settings [need](Settings::needs_tables) them.
    #[must_use]
    pub fn taught_by(self, tables: Arc<Tables>) -> Self {
        Trainer { tables: Some(tables), ..self }
    }

    /// Stores the positions and fits of learned features in the folder of the run.
    #[must_use]
    pub fn learning_in(self, folder: &Path) -> Self {
        let learner = Learner::of_run(folder).with_task_runner(self.runner.clone());
        Trainer { learner, ..self }
    }

    /// Sets the executor for training games.
    #[must_use]
    pub fn playing_at(self, games: Arc<dyn Games>) -> Self {
        Trainer { games, ..self }
    }

    pub fn plain_games(&self) -> &dyn Games {
        &*self.plain_games
    }

    /// Sets the runner of tasks, which advance islands, collect positions, measure strength and select champions.
    #[must_use]
    pub fn with_task_runner(mut self, runner: Arc<dyn TaskRunner>) -> Self {
        if runner.is_prompt() {
            let (runner, failure) = (Arc::clone(&runner), Arc::clone(&self.failure));
            self.plain_games = Arc::new(RemoteGames { runner, failure });
        }
        self.learner = self.learner.with_task_runner(Some(runner.clone()));
        Trainer { runner: Some(runner), ..self }
    }

    /// Returns a checkpoint, or `None` before the first generation.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        Some(Checkpoint::new(self.settings.lines(), self.optimiser.save()?))
    }

    pub fn optimiser(&self) -> &dyn Optimiser {
        &*self.optimiser
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    pub fn last(&self) -> Option<&Evaluated> {
        self.optimiser.last()
    }

    /// Returns the candidate that would become champion if the run ended now without final games.
    pub fn current_champion(&self) -> Option<Champion> {
        self.optimiser.current_champion()
    }

    /// Returns the candidate recorded in `history.csv` for the last generation.
    pub fn recorded(&self) -> Option<Chromosome> {
        recorded_candidate(&self.settings, &*self.optimiser)
    }

    /// Returns the weights of the current champion, or `None` before the first generation.
    pub fn champion(&self) -> Option<Weights> {
        Some(champion(&self.settings, &self.current_champion()?))
    }

    /// Returns the number of evaluated generations.
    pub fn generation(&self) -> u32 {
        self.optimiser.generation()
    }

    /// Evaluates the next generation and returns the number of nodes searched. Returns `None` and leaves the run
    /// unchanged if `progress` requested a stop or the step failed; see [`take_failure`](Self::take_failure).
    ///
    /// # Panics
    /// If the settings need tables and the run has none.
    pub fn step(&mut self, progress: &dyn Progress) -> Option<u64> {
        let mut nodes = 0;
        loop {
            let ask = self.optimiser.ask();
            if let Ask::Done = ask {
                return Some(nodes);
            }
            match self.answer(&ask, progress) {
                Some((answer, cost)) => {
                    nodes += cost;
                    self.optimiser.tell(answer);
                }
                None => {
                    self.optimiser.abandon();
                    self.end_tasks();
                    return None;
                }
            }
        }
    }

    /// Ends the tasks that compute the next generations in advance. The next step starts them again.
    pub fn end_tasks(&mut self) {
        self.pipeline = None;
    }

    /// Takes the error that ended the last step or the last games of [`plain_games`](Self::plain_games), if any.
    pub fn take_failure(&self) -> Option<FileError> {
        lock(&self.failure).take()
    }

    fn fail(&self, action: &'static str, object: &str, error: io::Error) {
        *lock(&self.failure) = Some(FileError::of(action, Path::new(object))(error));
    }

    fn played(
        &self,
        games: &dyn Games,
        batch: &Batch,
        progress: &dyn Progress,
    ) -> Option<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(batch.schedule().len());
        let mut forfeit = None;
        let mut follow = |outcome: Outcome| {
            // Points won by the forfeit of an external engine do not measure strength.
            if let End::Forfeit(_, reason) = &outcome.end {
                forfeit = Some(reason.clone());
                return ControlFlow::Break(());
            }
            outcomes.push(outcome);
            ControlFlow::Continue(())
        };
        let error = games.play(batch, progress, &mut follow).err();
        if let Some(error) = error.map(|error| error.to_string()).or(forfeit) {
            self.fail("play against", "the opponents", io::Error::other(error));
        }
        (outcomes.len() == batch.schedule().len()).then_some(outcomes)
    }

    fn advance(&self, tasks: &[IslandTask], progress: &dyn Progress) -> Option<(Answer, u64)> {
        let Trainer { settings, games, tables, failure, .. } = self;
        let advance = |index: usize, progress: &dyn Progress| {
            let task: &IslandTask = &tasks[index];
            let island = Trainer::of_island(settings.island(task.island), task.clone());
            let mut island = island.expect("a state that an optimiser saved");
            (island.games, island.tables) = (Arc::clone(games), tables.clone());
            island.failure = Arc::clone(failure);
            let nodes = island.step(progress)?;
            Some((island.optimiser, nodes))
        };
        let advanced = gather_all(tasks.len(), progress, advance);
        let (islands, nodes): (Vec<_>, Vec<u64>) = advanced?.into_iter().unzip();
        Some((Answer::Islands(islands), nodes.iter().sum()))
    }

    /// Returns the islands after the next generation, which tasks compute in advance.
    fn advance_by_tasks(
        &mut self,
        runner: Arc<dyn TaskRunner>,
        tasks: &[IslandTask],
        progress: &dyn Progress,
    ) -> Option<(Answer, u64)> {
        let next = self.generation() + 1;
        let last = self.settings.generations.max(next);
        let pipeline = self
            .pipeline
            .take()
            .map_or_else(|| Pipeline::start(runner, &self.settings, tasks, last), Ok);
        let advanced = pipeline.and_then(|mut it| Ok((it.next(progress)?, it)));
        match advanced {
            Ok(((islands, nodes), pipeline)) => {
                self.pipeline = Some(pipeline).filter(|_| next < last);
                Some((Answer::Islands(islands), nodes))
            }
            Err(TaskError::Stopped) => None,
            Err(error) => {
                self.fail("advance", "the islands", io::Error::other(error));
                None
            }
        }
    }

    fn answer(&mut self, ask: &Ask, progress: &dyn Progress) -> Option<(Answer, u64)> {
        match ask {
            Ask::Games(batch) | Ask::Match(batch) => {
                let is_local = matches!(ask, Ask::Games(_)) || self.runner.is_none();
                let games = if is_local { &self.games } else { &self.plain_games };
                let is_match = matches!(ask, Ask::Match(_));
                progress.begin_stage(if is_match { "gating match" } else { "generation" });
                let outcomes = self.played(&**games, batch, progress)?;
                let nodes = outcomes.iter().map(|outcome| outcome.nodes()).sum();
                Some((Answer::Games(outcomes), nodes))
            }
            Ask::Positions(positions) => {
                let tables = self.tables.as_ref().expect("a run that needs tables is given them");
                let (losses, nodes) = losses(tables, positions, progress)?;
                Some((Answer::Positions(losses), nodes))
            }
            Ask::Layer(plan) => {
                match self.learner.learn(plan, progress) {
                    Ok((fitted, nodes)) => return Some((Answer::Layer(Box::new(fitted)), nodes)),
                    Err(LearnError::Stopped) => {}
                    Err(LearnError::File(error)) => *lock(&self.failure) = Some(error),
                    Err(error) => self.fail("learn", "the features", io::Error::other(error)),
                }
                None
            }
            Ask::Islands(tasks) => match self.runner.clone() {
                Some(runner) => self.advance_by_tasks(runner, tasks, progress),
                None => self.advance(tasks, progress),
            },
            Ask::Done => None,
        }
    }
}

/// Returns the candidate recorded in `history.csv` for the last generation of an optimiser.
pub(super) fn recorded_candidate(
    settings: &Settings,
    optimiser: &dyn Optimiser,
) -> Option<Chromosome> {
    let last = optimiser.last()?;
    match settings.own.recorded(last.generation) {
        RecordedChampion::ChampionOnly => optimiser.current_champion().map(|it| it.chromosome),
        _ => Some(last.best().0.clone()),
    }
}

pub(super) fn local_games(settings: &Settings) -> LocalGames {
    if settings.method.has_move_cache { LocalGames::with_move_cache() } else { LocalGames::new() }
}

/// Returns the weights of a generation's champion, with their provenance.
pub fn champion(settings: &Settings, champion: &Champion) -> Weights {
    let mut weights = settings.coding().weights(&champion.chromosome);
    weights.provenance = Some(provenance(settings, champion.generation, champion.fitness));
    weights
}

/// Returns the provenance of weights that were found in a generation of a run, with the options of their search.
pub fn provenance(settings: &Settings, generation: u32, fitness: Option<u64>) -> Provenance {
    let options = settings.options();
    // Options with the values of the first version are omitted, as in its files.
    fn changed<T: PartialEq>(option: T, first: T) -> Option<T> {
        Some(option).filter(|option| *option != first)
    }
    Provenance {
        preset: settings.preset.clone(),
        seed: settings.seed,
        settings: settings.hash(),
        generation,
        fitness,
        played: settings.game().into(),
        depth: settings.depth,
        nodes: NonZeroU64::new(settings.nodes),
        perspective: changed(options.perspective, Options::OF_2004.perspective),
        quiescence: changed(options.quiescence, Options::OF_2004.quiescence),
    }
}

/// Returns each player's losses in positions from endgame tables, and the nodes, unless `progress` requested a stop.
fn losses(
    tables: &Tables,
    asked: &Positions,
    progress: &dyn Progress,
) -> Option<(Vec<SeedLosses>, u64)> {
    let Positions { seed, count, depth, options, ref players } = *asked;
    let seeds = 1..=tables.max_seeds();
    let sampling = Sampling { seeds, positions: count as usize, seed };
    let sample = Sample::draw(tables, &sampling, &Silent(progress))?;
    let (mut losses, mut nodes) = (Vec::new(), sample.nodes);
    for player in players {
        let player = Minimax::<Ayo>::to_depth(player, depth, options);
        let answers = sample.minimax_losses(&player, progress)?;
        let lost = answers.lost.iter().map(|&lost| u64::from(lost)).sum();
        losses.push(SeedLosses { lost, at_stake: sample.at_stake() });
        nodes += answers.nodes;
    }
    Some((losses, nodes))
}
