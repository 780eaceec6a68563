//! A run in memory: an optimiser, and what answers its questions.

use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::learn::learn;
use crate::optimise::{
    Answer, Ask, Champion, Chromosome, Coding, Evaluated, Fit, Leader, Moves, Optimiser, Proposal,
    Recorded,
};
use arena::{Batch, End, Games, LocalGames, Outcome};
use mancala::endgame::Tables;
use mancala::eval::{Provenance, Weights};
use mancala::progress::Progress;
use mancala::search::Options;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::oracle::Oracle;
use super::settings::Settings;

/// A run in memory: its settings, and its optimiser after the last evaluated generation.
#[derive(Debug)]
pub struct Trainer {
    settings: Settings,
    coding: Coding,
    optimiser: Box<dyn Optimiser>,
    games: Arc<dyn Games>,
    /// Where players search every position.
    plain_games: Arc<dyn Games>,
    /// Answers questions about positions, in a run that asks some.
    oracle: Option<Oracle>,
    /// Why games could not be played, if that ended the last step.
    failure: Option<String>,
}

impl Trainer {
    /// A run that has not begun.
    pub fn new(settings: Settings) -> Self {
        let optimiser = settings.optimiser();
        Trainer::with(settings, optimiser)
    }

    fn with(settings: Settings, optimiser: Box<dyn Optimiser>) -> Self {
        let games: Arc<dyn Games> = Arc::new(local_games(&settings));
        let plain_games: Arc<dyn Games> = Arc::new(LocalGames::new());
        let coding = settings.coding();
        Trainer { coding, settings, optimiser, games, plain_games, oracle: None, failure: None }
    }

    /// The run as a checkpoint left it.
    pub fn restore(settings: Settings, checkpoint: Checkpoint) -> Result<Self, CheckpointError> {
        checkpoint.compare(&settings)?;
        let optimiser = settings.own.load(settings.task(), checkpoint.into_saved())?;
        Ok(Trainer::with(settings, optimiser))
    }

    /// The run as a checkpoint of settings `from` left it, to go on under others. How games ended is
    /// forgotten: they might end otherwise now.
    pub fn branch(
        from: &Settings,
        checkpoint: Checkpoint,
        settings: Settings,
    ) -> Result<Self, CheckpointError> {
        checkpoint.compare(from)?;
        let mut optimiser = settings.own.load(settings.task(), checkpoint.into_saved())?;
        optimiser.forget_games();
        Ok(Trainer::with(settings, optimiser))
    }

    /// The same run, taught by these tables if its settings [need](Settings::needs_tables) any.
    #[must_use]
    pub fn taught_by(self, tables: Arc<Tables>) -> Self {
        Trainer { oracle: Some(Oracle::new(tables)), ..self }
    }

    /// The same run, its games played somewhere else.
    #[must_use]
    pub fn playing_at(self, games: Arc<dyn Games>) -> Self {
        Trainer { games, ..self }
    }

    /// Where games are played that measure strength and choose a champion.
    pub fn plain_games(&self) -> &dyn Games {
        &*self.plain_games
    }

    /// All that another process needs to go on from here; `None` before the first generation.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        Some(Checkpoint::new(self.settings.lines(), self.optimiser.save()?))
    }

    /// Leaders of past generations that the run keeps, oldest first.
    pub fn hall(&self) -> &[Champion] {
        self.optimiser.past()
    }

    /// The settings of the run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How candidates stand for weights.
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// The last evaluated generation.
    pub fn last(&self) -> Option<&Evaluated> {
        self.optimiser.last()
    }

    /// Whether the next generation begins with learning the features that it weighs.
    pub fn learns_next(&self) -> bool {
        self.optimiser.learns_next()
    }

    /// How the features came about that the last generation weighs, if they were learned in it.
    pub fn fit(&self) -> Option<&Fit> {
        self.optimiser.fit()
    }

    /// The candidate that the run would name its champion if it ended here without final games.
    pub fn leader(&self) -> Option<Leader> {
        self.optimiser.leader()
    }

    /// Candidates of the last generation that may become champion beside the leader.
    pub fn proposals(&self) -> Vec<Proposal> {
        self.optimiser.finalists()
    }

    /// What `history.csv` names of the last generation.
    pub fn recorded(&self) -> Option<Chromosome> {
        let last = self.last()?;
        match self.settings.own.recorded(last.generation) {
            Recorded::LeaderOnly => self.leader().map(|leader| leader.candidate),
            Recorded::FittestAndLeader | Recorded::FittestOnly => Some(last.best().0.clone()),
        }
    }

    /// The weights of the leader, with where they come from; `None` before the first generation.
    pub fn champion(&self) -> Option<Weights> {
        let Leader { candidate, fitness } = self.leader()?;
        Some(champion(&self.settings, self.generation(), &candidate, fitness))
    }

    /// How many generations have been evaluated.
    pub fn generation(&self) -> u32 {
        self.last().map_or(0, |last| last.generation)
    }

    /// Evaluates the next generation and returns the nodes that it took. `None` if the progress stopped
    /// it: the run then stands where it stood.
    ///
    /// # Panics
    /// If the settings need tables and the run was not given any.
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
                    return None;
                }
            }
        }
    }

    /// Why games could not be played, if that ended the last step.
    pub fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    fn played(&mut self, batch: &Batch, progress: &dyn Progress) -> Option<Vec<Outcome>> {
        let mut outcomes = Vec::with_capacity(batch.meetings().len());
        let mut forfeit = None;
        let mut follow = |outcome: Outcome| {
            // Only an external engine forfeits. Points won that way say nothing about a candidate.
            if let End::Forfeit(_, reason) = &outcome.end {
                forfeit = Some(reason.clone());
                return ControlFlow::Break(());
            }
            outcomes.push(outcome);
            ControlFlow::Continue(())
        };
        let error = self.games.play(batch, progress, &mut follow).err();
        self.failure = error.map(|error| error.to_string()).or(forfeit);
        (outcomes.len() == batch.meetings().len()).then_some(outcomes)
    }

    /// The answer, and the nodes that it took.
    fn answer(&mut self, ask: &Ask, progress: &dyn Progress) -> Option<(Answer, u64)> {
        match ask {
            Ask::Games(batch) => {
                let outcomes = self.played(batch, progress)?;
                let nodes = outcomes.iter().map(|outcome| outcome.nodes()).sum();
                Some((Answer::Games(outcomes), nodes))
            }
            Ask::Positions(positions) => {
                let oracle = self.oracle.as_ref();
                let oracle = oracle.expect("a run that needs tables is given them");
                let (losses, nodes) = oracle.losses(positions, progress)?;
                Some((Answer::Positions(losses), nodes))
            }
            Ask::Layer(plan) => {
                let (fitted, nodes) = learn(plan, progress)?;
                Some((Answer::Layer(Box::new(fitted)), nodes))
            }
            Ask::Done => None,
        }
    }
}

/// The games of a run in this process.
pub(super) fn local_games(settings: &Settings) -> LocalGames {
    match settings.method.moves {
        Moves::Cached => LocalGames::with_move_cache(),
        Moves::Searched => LocalGames::new(),
    }
}

/// The weights of a generation's leader, with where they come from.
pub fn champion(
    settings: &Settings,
    generation: u32,
    candidate: &Chromosome,
    fitness: Option<u64>,
) -> Weights {
    let (mut weights, options) = (settings.coding().weights(candidate), settings.options);
    // Files of the first version, whose options these are, do not say.
    fn changed<T: PartialEq>(option: T, first: T) -> Option<T> {
        Some(option).filter(|option| *option != first)
    }
    weights.provenance = Some(Provenance {
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
    });
    weights
}
