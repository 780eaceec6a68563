//! A run in memory: an optimiser, and the resources to do the work that it requests.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

use arena::player::Minimax;
use arena::{Batch, Games, LocalGames, Outcome, Sample, Sampling, gather};
use mancala::endgame::Tables;
use mancala::eval::{Provenance, Weights};
use mancala::game::ayo::Ayo;
use mancala::progress::{Progress, Silent};
use mancala::search::Options;
use mancala::store::FileError;

use super::{Checkpoint, CheckpointError, Settings};
use crate::games::GameRunner;
use crate::learn::{Fitted, Learner, Plan};
use crate::optimise::{
    Champion, Chromosome, Evaluated, Executor, IslandTask, Islands, LoadError, Optimiser,
    Positions, RecordedChampion, SeedLosses, WorkError, unless_stopped,
};
use crate::task::{Pipeline, RemoteGames, TaskError, TaskRunner};

/// The settings of a run, and its optimiser after the last evaluated generation.
#[derive(Debug)]
pub struct Trainer {
    settings: Settings,
    optimiser: Box<dyn Optimiser>,
    resources: Resources,
}

#[derive(Debug)]
struct Resources {
    games: Arc<dyn Games>,
    /// Plays games that measure strength or select a champion, without a move cache.
    plain_games: Arc<dyn Games>,
    /// The endgame tables, if the run learns from them.
    tables: Option<Arc<Tables>>,
    /// Runs tasks. It's `None` if this process does all the work.
    runner: Option<Arc<dyn TaskRunner>>,
    /// Advances the islands by running tasks. `None` while no tasks are running.
    pipeline: Option<Pipeline>,
    /// The seconds that we waited for generations that tasks have computed, but [`Trainer::step`] hasn't returned yet.
    waited: f64,
    learner: Learner,
}

impl Trainer {
    /// Creates a run in which no generation has been evaluated.
    pub fn new(settings: Settings) -> Self {
        let optimiser = settings.new_optimiser();
        Trainer::with(settings, optimiser)
    }

    fn with(settings: Settings, optimiser: Box<dyn Optimiser>) -> Self {
        let resources = Resources {
            games: Arc::new(local_games(&settings)),
            plain_games: Arc::new(LocalGames::new()),
            tables: None,
            runner: None,
            pipeline: None,
            waited: 0.0,
            learner: Learner::default(),
        };
        Trainer { settings, optimiser, resources }
    }

    /// Restores a run from a checkpoint.
    pub fn restore(settings: Settings, checkpoint: Checkpoint) -> Result<Self, CheckpointError> {
        checkpoint.compare(&settings)?;
        let optimiser = settings.optimiser(Some(checkpoint.saved))?;
        Ok(Trainer::with(settings, optimiser))
    }

    /// Restores a run from a checkpoint that belongs to the settings `from`, and continues it with other settings.
    pub fn branch(
        from: &Settings,
        checkpoint: Checkpoint,
        settings: Settings,
    ) -> Result<Self, CheckpointError> {
        checkpoint.compare(from)?;
        let mut optimiser = settings.optimiser(Some(checkpoint.saved))?;
        optimiser.forget_games();
        Ok(Trainer::with(settings, optimiser))
    }

    /// Restores or starts an island, and adds the migrants.
    pub(crate) fn of_island(settings: Settings, task: IslandTask) -> Result<Self, LoadError> {
        let mut optimiser = settings.optimiser(task.saved)?;
        if !task.migrants.is_empty() {
            let coding = settings.coding();
            let migrants = task.migrants.iter().map(|it| coding.checked(it));
            optimiser.immigrate(&migrants.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(Trainer::with(settings, optimiser))
    }

    /// Sets the endgame tables that the run learns from. Some settings require them.
    #[must_use]
    pub fn taught_by(mut self, tables: Option<Arc<Tables>>) -> Self {
        self.resources.tables = tables;
        self
    }

    /// Stores the positions and fits of learned features in a run folder.
    #[must_use]
    pub fn learning_in(mut self, folder: &Path) -> Self {
        self.resources.learner = Learner::of_run(folder);
        self
    }

    /// Sets the backend that plays training games.
    #[must_use]
    pub fn playing_at(mut self, games: Arc<dyn Games>) -> Self {
        self.resources.games = games;
        self
    }

    pub fn plain_games(&self) -> &dyn Games {
        &*self.resources.plain_games
    }

    /// Sets the runner of tasks, which advance islands, collect positions, measure strength and select champions.
    #[must_use]
    pub fn with_task_runner(mut self, runner: Arc<dyn TaskRunner>) -> Self {
        if runner.is_prompt() {
            self.resources.plain_games = Arc::new(RemoteGames { runner: Arc::clone(&runner) });
        }
        self.resources.runner = Some(runner);
        self
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

    pub fn last(&self) -> Option<&Evaluated> {
        self.optimiser.last()
    }

    /// Returns the candidate that would become champion if the run ended now without final games.
    pub fn current_champion(&self) -> Option<Champion> {
        self.optimiser.current_champion()
    }

    /// Returns the weights of the current champion, or `None` before the first generation.
    pub fn champion(&self) -> Option<Weights> {
        Some(champion(&self.settings, &self.current_champion()?))
    }

    /// Returns the number of evaluated generations.
    pub fn generation(&self) -> u32 {
        self.optimiser.generation()
    }

    /// Evaluates the next generation and returns how many nodes were searched. An error leaves the run unchanged.
    ///
    /// # Panics
    /// If the settings need tables and the run has none.
    pub fn step(&mut self, progress: &dyn Progress) -> Result<u64, WorkError> {
        let Trainer { settings, optimiser, resources, .. } = self;
        let generation = optimiser.generation() + 1;
        let mut work = Work { settings, generation, resources, progress, nodes: 0 };
        let stepped = optimiser.step(&mut work).map(|()| work.nodes);
        stepped.inspect_err(|_| self.end_tasks())
    }

    /// Returns the time of a generation, given how long the step took. Tasks compute several generations at once, so we
    /// divide the time that we spend waiting for a task between these generations.
    pub(super) fn time_of_generation(&mut self, seconds: f64) -> f64 {
        let Resources { pipeline, waited, .. } = &mut self.resources;
        let ready = pipeline.as_ref().map_or(0, Pipeline::ready);
        let share = (*waited + seconds) / (ready + 1) as f64;
        *waited += seconds - share;
        share
    }

    /// Stops the tasks that compute the next generations in advance. The next step starts them again.
    pub fn end_tasks(&mut self) {
        self.resources.pipeline = None;
        self.resources.waited = 0.0;
    }
}

struct Work<'a> {
    settings: &'a Settings,
    generation: u32,
    resources: &'a mut Resources,
    progress: &'a dyn Progress,
    nodes: u64,
}

impl Work<'_> {
    fn play(&mut self, games: &dyn Games, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        let outcomes = GameRunner { games, progress: self.progress }.play(batch)?;
        self.nodes += outcomes.iter().map(|it| it.nodes).sum::<u64>();
        Ok(outcomes)
    }

    fn advance(&self, tasks: &[IslandTask]) -> Result<(Islands, u64), WorkError> {
        let Resources { games, tables, .. } = &*self.resources;
        let advance = |index: usize, progress: &dyn Progress| {
            let task: &IslandTask = &tasks[index];
            let island = Trainer::of_island(self.settings.island(task.island), task.clone());
            let mut island = island.expect("a state that an optimiser saved");
            let resources = &mut island.resources;
            (resources.games, resources.tables) = (Arc::clone(games), tables.clone());
            let nodes = unless_stopped(island.step(progress))?;
            Ok::<_, FileError>(nodes.map(|nodes| (island.optimiser, nodes)))
        };
        let advanced = gather(tasks.len(), self.progress, advance)?;
        if advanced.len() < tasks.len() {
            return Err(WorkError::Stopped);
        }
        let (islands, nodes): (_, Vec<u64>) = advanced.into_iter().unzip();
        Ok((islands, nodes.iter().sum()))
    }

    /// Returns the islands after the next generation. Tasks compute several generations in advance.
    fn advance_by_tasks(
        &mut self,
        runner: Arc<dyn TaskRunner>,
        tasks: &[IslandTask],
    ) -> Result<(Islands, u64), TaskError> {
        let last = self.settings.generations.max(self.generation);
        let mut pipeline = match self.resources.pipeline.take() {
            Some(pipeline) => pipeline,
            None => Pipeline::start(runner, self.settings, tasks, last)?,
        };
        let advanced = pipeline.next(self.progress)?;
        self.resources.pipeline = Some(pipeline).filter(|_| self.generation < last);
        Ok(advanced)
    }
}

impl Executor for Work<'_> {
    fn games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        self.progress.begin_stage("generation");
        self.play(&*Arc::clone(&self.resources.games), batch)
    }

    fn match_games(&mut self, batch: &Batch) -> Result<Vec<Outcome>, WorkError> {
        let Resources { games, plain_games, runner, .. } = &*self.resources;
        let games = Arc::clone(if runner.is_some() { plain_games } else { games });
        self.progress.begin_stage("gating match");
        self.play(&*games, batch)
    }

    fn losses(&mut self, positions: &Positions) -> Result<Vec<SeedLosses>, WorkError> {
        let Positions { seed, count, depth, options, ref players } = *positions;
        let tables = self.resources.tables.as_ref();
        let tables = tables.expect("a run that needs tables is given them");
        let seeds = 1..=tables.max_seeds();
        let sampling = Sampling { seeds, positions: count as usize, seed };
        let sample = Sample::draw(tables, &sampling, &Silent(self.progress));
        let sample = sample.ok_or(WorkError::Stopped)?;
        self.nodes += sample.nodes;
        let mut measure = |player: &Weights| {
            let player = Minimax::<Ayo>::to_depth(player, depth, options);
            let answers = sample.minimax_losses(&player, self.progress);
            let answers = answers.ok_or(WorkError::Stopped)?;
            self.nodes += answers.nodes;
            let lost = answers.lost.iter().map(|&lost| u64::from(lost)).sum();
            Ok(SeedLosses { lost, at_stake: sample.at_stake() })
        };
        players.iter().map(&mut measure).collect()
    }

    fn layer(&mut self, plan: &Plan) -> Result<Fitted, WorkError> {
        let Resources { learner, runner, .. } = &mut *self.resources;
        let learned = learner.learn(plan, runner.as_deref(), self.progress);
        let (fitted, nodes) = learned.map_err(|error| error.of("learn", "the features"))?;
        self.nodes += nodes;
        Ok(fitted)
    }

    fn islands(&mut self, tasks: Vec<IslandTask>) -> Result<Islands, WorkError> {
        let (islands, nodes) = match self.resources.runner.clone() {
            None => self.advance(&tasks)?,
            Some(runner) => self
                .advance_by_tasks(runner, &tasks)
                .map_err(|error| error.of("advance", "the islands"))?,
        };
        self.nodes += nodes;
        Ok(islands)
    }
}

/// Returns the candidate that `history.csv` records for the last generation of an optimiser.
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

/// Returns the provenance of weights: the run and generation that produced them, and the search options of the run.
pub fn provenance(settings: &Settings, generation: u32, fitness: Option<u64>) -> Provenance {
    let options = settings.options();
    // Omit options that still have the values of the first version, whose files don't contain them.
    fn changed<T: PartialEq>(option: T, first: T) -> Option<T> {
        Some(option).filter(|option| *option != first)
    }
    Provenance {
        preset: settings.preset.clone(),
        seed: settings.seed,
        settings: settings.hash(),
        generation,
        fitness,
        played: settings.game(),
        depth: settings.depth,
        nodes: NonZeroU64::new(settings.nodes),
        perspective: changed(options.perspective, Options::OF_2004.perspective),
        quiescence: changed(options.quiescence, Options::OF_2004.quiescence),
        ties: changed(options.ties, Options::OF_2004.ties),
    }
}
