//! Learned features with evolved weights.
//!
//! A run consists of iterations. At the start of an iteration, we collect positions, label them with a champion of the
//! previous iteration, and fit hidden units to them ([`crate::learn`]). Then the genetic algorithm evolves the output
//! weights of the units. At the end, the evolved champion plays a gating match against the fitted weights. If it proves
//! to be stronger, then we use it to label positions in the next iteration. Otherwise, we use the fitted weights.
//!
//! The current champion has the fitted weights, because evolved weights that have not proved to be stronger are
//! probably weaker. The evolved weights still take part in the final games.

mod settings;

use std::sync::Arc;

use arena::{Decision, PairScore, Sprt};
use mancala::eval::{Feature, Layer};
use mancala::random::{Purpose, stream};
use mancala::search::Limits;
use rand::Rng;

pub(crate) use self::settings::METHOD;
use self::settings::{LearnedSettings, sizes_of};
use super::genetic::{Genetic, Setup, with_founder};
use super::{
    Champion, Chromosome, ChromosomeError, Evaluated, Executor, FitReport, LoadError, Memory,
    Optimiser, OptimiserSettings, Saved, SavedIterations, Task, WorkError, checked_champions,
    join_layer, split_layer,
};
use crate::games::{TRAINING_PLIES, pairs, play_until_decided, random_openings};
use crate::learn::{Dataset, Plan, Teacher};

/// The maximum number of past iterations whose champions we keep.
const MAX_ITERATIONS: usize = 256;
/// The number of nodes per move in gating matches. Games with a node limit resemble games with a clock.
const NODES: u64 = 2000;

/// The optimiser of runs with learned features. A step is a generation within an iteration.
#[derive(Debug)]
pub(crate) struct Learned {
    task: Task,
    own: LearnedSettings,
    last: Option<Evaluated>,
    iteration: Option<Iteration>,
    /// The champions of past iterations, oldest first. The generation of a champion is the last one of its iteration.
    /// If an evolved champion proved to be stronger, then it comes after the fitted weights of the same iteration.
    past: Vec<Champion>,
    /// A report on the learned features, if the last step was the first step of an iteration.
    report: Option<FitReport>,
}

impl Learned {
    fn new(task: Task, own: LearnedSettings) -> Learned {
        Learned { task, own, last: None, iteration: None, past: Vec::new(), report: None }
    }

    fn start(task: Task, own: LearnedSettings, saved: Option<Saved>) -> Result<Learned, LoadError> {
        let Some(saved) = saved else { return Ok(Learned::new(task, own)) };
        let Memory::Iterations(memory) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let coding = own.coding(&task);
        let last = saved.last.checked(own.candidates() as usize, &coding)?;
        let (layer, fitted) = (memory.layer, coding.checked(&memory.fitted)?);
        let missing = || ChromosomeError::Layer(format!("features-{layer:08x}.ayo"));
        let found = own.layers.get(layer).ok_or_else(missing)?;
        let weights_of = |candidate: &Chromosome| {
            let (name, weights) = split_layer(candidate);
            let other = || LoadError::content("members belong to several layers");
            (name == layer).then_some(weights).ok_or_else(other)
        };
        weights_of(&fitted)?;
        let members = last.members.iter().map(weights_of).collect::<Result<_, _>>()?;
        let place = Place::of(last.generation, own.fit_every);
        let inner = Evaluated { generation: place.generation, members, ..last.clone() };
        let saved = Saved { last: inner, memory: Memory::Pairings(memory.pairings) };
        let genetic = Genetic::start(setup(&task, &own, place.iteration, found), Some(saved))?;
        let iteration = Iteration { layer, genetic, fitted };
        // Every iteration adds its fitted weights. Sometimes, it also adds its evolved weights.
        let most = 2 * MAX_ITERATIONS;
        let past = checked_champions(&memory.past, most, last.generation, &coding)?;
        let (last, iteration) = (Some(last), Some(iteration));
        Ok(Learned { last, iteration, past, ..Learned::new(task, own) })
    }

    fn place(&self) -> Place {
        Place::of(self.generation() + 1, self.own.fit_every)
    }

    /// Prepends the name of the layer to an evolved candidate, which consists only of output weights.
    fn with_layer(&self, it: Champion) -> Option<Champion> {
        let chromosome = join_layer(self.iteration.as_ref()?.layer, &it.chromosome);
        Some(Champion { generation: self.generation(), chromosome, ..it })
    }

    /// Returns the evolved champion after the last step. By default, it is the mean of the population.
    fn evolved(&self) -> Option<Champion> {
        self.with_layer(self.iteration.as_ref()?.genetic.current_champion()?)
    }

    fn fitted(&self) -> Option<Champion> {
        let fitted = &self.iteration.as_ref()?.fitted;
        Some(Champion::past(self.generation(), fitted.clone()))
    }

    /// Plays the gating match of the last iteration, unless the evolved and the fitted weights are equal.
    fn play_gate(&self, executor: &mut dyn Executor) -> Result<Vec<PairScore>, WorkError> {
        let players = self.evolved().zip(self.fitted());
        let differ = |(one, other): &(Champion, Champion)| one.chromosome != other.chromosome;
        let Some((evolved, fitted)) = players.filter(differ) else { return Ok(Vec::new()) };
        let Task { seed, game, .. } = self.task;
        let rng = stream(seed, Purpose::GatingMatch, self.place().iteration.into(), 0);
        let openings = random_openings(game, self.own.gate_openings as usize, TRAINING_PLIES, rng);
        let coding = self.own.coding(&self.task);
        let limits = Limits::nodes(NODES);
        let players = [evolved, fitted].map(|it| coding.player(&it.chromosome, limits)).to_vec();
        play_until_decided(Sprt::default(), &openings, |round, _| {
            executor.match_games(&pairs(game, players.clone(), &[[0, 1]], round))
        })
    }

    /// Learns the features of the next iteration, given the scores of the gating match. Also returns the champion that
    /// will label the positions, which is the evolved one if it passed the gating match, and the fitted one otherwise.
    fn next_iteration(
        &self,
        gate: &[PairScore],
        executor: &mut dyn Executor,
    ) -> Result<(Iteration, FitReport, Option<Champion>), WorkError> {
        let judgement = Sprt::default().first_crossing(gate.iter().copied());
        let is_improved = judgement.decision == Decision::AcceptH1;
        let labeller = if is_improved { self.evolved() } else { self.fitted() };
        let labeller = labeller.map(|it| Champion::past(it.generation, it.chromosome));
        let iteration = self.place().iteration;
        let fitted = executor.layer(&self.plan(iteration, labeller.clone()))?;
        let report = FitReport {
            iteration,
            layer: fitted.layer.short_hash().to_owned(),
            positions: fitted.positions,
            losses: fitted.losses,
            evolved: judgement.pairs.score(),
            labeller: match &labeller {
                None => "results",
                Some(_) if is_improved => "evolved",
                Some(_) => "fitted",
            },
        };
        let (name, layer) = self.own.layers.add(fitted.layer);
        let setup = setup(&self.task, &self.own, iteration, layer);
        let (setup, founder) = with_founder(setup, genes(&self.task, &fitted.outputs));
        let (genetic, fitted) = (Genetic::new(setup), join_layer(name, &founder));
        Ok((Iteration { layer: name, genetic, fitted }, report, labeller))
    }

    fn plan(&self, iteration: u32, labeller: Option<Champion>) -> Plan {
        let Task { seed, game, depth, options, .. } = self.task;
        let (units, neurons) = sizes_of(&self.task.features);
        let dataset = |(number, positions)| {
            let labeller = match number == iteration {
                true => labeller.clone(),
                // If we no longer have the champion that labelled these positions, then we stop here.
                false => Some(self.labeller_of(number)?),
            };
            Some(Dataset { iteration: number, positions, teacher: self.teacher(labeller) })
        };
        let datasets = self.own.datasets_of(iteration).into_iter().map_while(dataset);
        let mut datasets: Vec<_> = datasets.collect();
        // A plan lists its datasets from oldest to newest.
        datasets.reverse();
        Plan {
            seed,
            game,
            units,
            neurons,
            phases: self.own.phases as usize,
            datasets,
            epochs: self.own.epochs,
            depth,
            label_depth: self.own.label_depth,
            label_tables: self.own.label_tables as u8,
            options,
        }
    }

    fn labeller_of(&self, iteration: u32) -> Option<Champion> {
        let before = (iteration - 1) * self.own.fit_every;
        self.past.iter().rfind(|champion| champion.generation <= before).cloned()
    }

    fn teacher(&self, champion: Option<Champion>) -> Teacher {
        champion.map_or(Teacher::Outcomes, |champion| {
            let weights = self.own.coding(&self.task).weights(&champion.chromosome);
            Teacher::Scores(Box::new(weights))
        })
    }

    /// Takes a step. `gate` contains the scores in the gating match, if the step is the first one of an iteration.
    fn step_after(
        &mut self,
        gate: &[PairScore],
        executor: &mut dyn Executor,
    ) -> Result<(), WorkError> {
        let mut next = match self.place().is_first() {
            true => Some(self.next_iteration(gate, executor)?),
            false => None,
        };
        let current = next.as_mut().map(|(iteration, ..)| iteration).or(self.iteration.as_mut());
        let current = current.expect("a generation belongs to an iteration");
        current.genetic.step(executor)?;
        let inner = current.genetic.last().expect("it has just been evaluated").clone();
        let members = inner.members.iter().map(|it| join_layer(current.layer, it)).collect();
        self.report = None;
        if let Some((iteration, report, labeller)) = next {
            self.past.extend(self.fitted().into_iter().chain(labeller));
            self.past.dedup();
            let by_iteration = self.past.chunk_by(|a, b| a.generation == b.generation);
            if by_iteration.count() > MAX_ITERATIONS {
                let first = self.past[0].generation;
                self.past.retain(|it| it.generation > first);
            }
            (self.iteration, self.report) = (Some(iteration), Some(report));
        }
        let gate_games = 2 * gate.len() as u64;
        self.last = Some(Evaluated {
            generation: self.generation() + 1,
            members,
            games_asked: inner.games_asked + gate_games,
            games_played: inner.games_played + gate_games,
            ..inner
        });
        Ok(())
    }
}

impl Optimiser for Learned {
    /// In the first step of an iteration, we also play the gating match of the previous one and learn a new layer.
    fn step(&mut self, executor: &mut dyn Executor) -> Result<(), WorkError> {
        let is_first = self.place().is_first();
        let gate = if is_first { self.play_gate(executor)? } else { Vec::new() };
        self.step_after(&gate, executor)
    }

    fn learns_next(&self) -> bool {
        self.place().is_first()
    }

    fn fit(&self) -> Option<&FitReport> {
        self.report.as_ref()
    }

    fn last(&self) -> Option<&Evaluated> {
        self.last.as_ref()
    }

    fn current_champion(&self) -> Option<Champion> {
        self.fitted()
    }

    fn finalists(&self) -> Vec<(&'static str, Champion)> {
        let others = self.iteration.iter().flat_map(|iteration| iteration.genetic.finalists());
        let others = others.filter_map(|(role, it)| Some((role, self.with_layer(it)?)));
        self.evolved().map(|it| ("evolved champion of", it)).into_iter().chain(others).collect()
    }

    fn past_champions(&self) -> &[Champion] {
        &self.past
    }

    fn forget_games(&mut self) {
        if let Some(iteration) = &mut self.iteration {
            iteration.genetic.forget_games();
        }
    }

    fn save(&self) -> Option<Saved> {
        let (last, iteration) = (self.last.as_ref()?, self.iteration.as_ref()?);
        let Memory::Pairings(pairings) = iteration.genetic.save()?.memory else { return None };
        let memory = Memory::Iterations(SavedIterations {
            layer: iteration.layer,
            pairings,
            past: self.past.clone(),
            fitted: iteration.fitted.clone(),
        });
        Some(Saved { last: last.clone(), memory })
    }
}

/// The iteration that a step belongs to, and its generation within that iteration. Both are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    iteration: u32,
    generation: u32,
}

impl Place {
    fn of(step: u32, length: u32) -> Place {
        let before = step.saturating_sub(1);
        Place { iteration: before / length + 1, generation: before % length + 1 }
    }

    fn is_first(self) -> bool {
        self.generation == 1
    }
}

/// The generations that share a layer. Their chromosomes only consist of output weights.
#[derive(Debug)]
struct Iteration {
    layer: u32,
    genetic: Genetic,
    fitted: Chromosome,
}

/// Returns the settings of an iteration. Every iteration has its own random streams.
fn setup(task: &Task, own: &LearnedSettings, iteration: u32, layer: Arc<Layer>) -> Setup {
    let seed = stream(task.seed, Purpose::Iteration, iteration.into(), 0).next_u64();
    let features = task.features.clone().with_layer(layer);
    let features = features.expect("a layer with the units of the run");
    Setup::new(Task { seed, features, ..task.clone() }, own.genetic.clone())
}

/// Returns the fitted output weight of each hidden neuron, and 0 for other features.
fn genes(task: &Task, outputs: &[f32]) -> Vec<f64> {
    let mut outputs = outputs.iter();
    let gene = |feature: &Feature| match feature.is_hidden_neuron() {
        true => outputs.next().map_or(0.0, |&output| output.into()),
        false => 0.0,
    };
    task.features.features().iter().map(gene).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optimise::testing::{LocalExecutor, step, task_of};
    use crate::testing::pairs;

    #[test]
    fn a_won_gate_keeps_the_champion_that_was_measured() {
        let mut own = LearnedSettings::defaults();
        let settings = "population=5 fit_every=2 positions=200 openings=start elite=0 crossover=pool \
            mutation=mirrored mutation_rate=1.0 step=0.5 encoding=integer:13 scale=2000";
        pairs(settings).for_each(|(name, value)| own.set(name, value).unwrap().unwrap());
        let mut learned = Learned::new(task_of(&METHOD), own.clone());
        (0..2).for_each(|_| step(&mut learned));
        let measured = learned.current_champion().unwrap().chromosome;
        let evolved = learned.evolved().unwrap().chromosome;
        assert_ne!(measured, evolved);
        learned.step_after(&[PairScore::ALL[4]; 500], &mut LocalExecutor).unwrap();
        let past: Vec<_> = learned.past.iter().map(|it| (it.generation, &it.chromosome)).collect();
        assert_eq!(past, [(2, &measured), (2, &evolved)]);
        assert_eq!(learned.labeller_of(2).unwrap().chromosome, evolved);
        let saved = learned.save().unwrap();
        let loaded = Learned::start(task_of(&METHOD), own, Some(saved.clone())).unwrap();
        assert_eq!(loaded.save().unwrap(), saved);
    }
}
