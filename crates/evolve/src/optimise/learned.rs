//! Learned features with evolved weights.
//!
//! A run consists of iterations. At the start of an iteration, positions are collected and labelled by the champion of
//! earlier iterations, and hidden units are fitted to them ([`crate::learn`]). Then the genetic algorithm evolves the
//! output weights of the units. At the end, the champion of evolution plays against the fitted weights. If it proves
//! stronger, it labels the positions of the next iteration, otherwise the fitted weights do.
//!
//! The champion of an iteration is the fitted weights, since the champion of evolution is more likely to be weaker
//! until it has proved to be stronger. It takes part in the final games.

mod settings;

use std::sync::Arc;

use arena::{Batch, Decision, Judgement, PairScore, Sprt};
use mancala::eval::{Feature, Layer};
use mancala::random::{Purpose, stream};
use mancala::search::Limits;
use rand::Rng;

pub(crate) use self::settings::METHOD;
use self::settings::{LearnedSettings, sizes_of};
use super::genetic::{Genetic, Setup, with_founder};
use super::{
    Answer, Ask, Champion, Chromosome, ChromosomeError, Evaluated, FitReport, LoadError, Memory,
    Optimiser, OptimiserSettings, Saved, SavedIterations, SavedStep, Task, join_layer,
    read_champions, save_champions, split_layer,
};
use crate::games::{TRAINING_PLIES, pairs, random_openings};
use crate::learn::{Dataset, Fitted, Plan, Teacher};

/// Maximum number of past iterations whose champions are kept.
const MAX_ITERATIONS: usize = 256;
/// Nodes per move in these games, which resembles games with a clock.
const NODES: u64 = 2000;
/// Number of openings that are played before the result is checked again.
const ROUND: usize = 50;

/// The optimiser of runs with learned features. A step is a generation within an iteration.
#[derive(Debug)]
pub(crate) struct Learned {
    task: Task,
    own: LearnedSettings,
    last: Option<Evaluated>,
    iteration: Option<Iteration>,
    /// The champions of past iterations, oldest first, each with the last generation of its iteration. A champion of
    /// evolution that proved to be stronger follows the fitted weights.
    past: Vec<Champion>,
    /// A report on the features, if the last step was the first of its iteration.
    report: Option<FitReport>,
    next: NextIteration,
}

/// The next iteration, while it is being prepared. It is not saved until its first generation is finished.
#[derive(Debug, Default)]
struct NextIteration {
    /// The scores of the last iteration's evolved weights in the match against its fitted weights.
    gate: Vec<PairScore>,
    iteration: Option<(Iteration, FitReport)>,
}

impl NextIteration {
    fn judgement(&self) -> Judgement {
        Sprt::default().first_crossing(self.gate.iter().copied())
    }

    /// Returns whether the evolved weights have proved to be stronger.
    fn is_gate_won(&self) -> bool {
        self.judgement().decision == Decision::AcceptH1
    }
}

impl Learned {
    fn new(task: Task, own: LearnedSettings) -> Learned {
        let (past, next) = (Vec::new(), NextIteration::default());
        Learned { task, own, last: None, iteration: None, past, report: None, next }
    }

    fn start(task: Task, own: LearnedSettings, saved: Option<Saved>) -> Result<Learned, LoadError> {
        let Some(saved) = saved else { return Ok(Learned::new(task, own)) };
        let Memory::Iterations(memory) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let coding = own.coding(&task);
        let last = saved.last.open(own.candidates() as usize, &coding)?;
        let (layer, fitted) = (memory.layer, coding.read(&memory.fitted)?);
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
        let memory_of = Memory::Pairings(memory.pairings);
        let saved = Saved { last: SavedStep::of(&inner), memory: memory_of };
        let genetic = Genetic::start(setup(&task, &own, place.iteration, found), Some(saved))?;
        let iteration = Iteration { layer, genetic, fitted };
        let past = read_champions(&memory.past, &coding)?;
        let iterations: Vec<&[Champion]> = past.chunk_by(Champion::is_of_same_generation).collect();
        let is_valid = iterations.len() <= MAX_ITERATIONS
            && iterations.iter().all(|it| it.len() <= 2)
            && past.is_sorted_by_key(|it| it.generation);
        if !is_valid {
            return Err(LoadError::content("champions are too many or not ordered by generation"));
        }
        let (last, iteration) = (Some(last), Some(iteration));
        Ok(Learned { last, iteration, past, ..Learned::new(task, own) })
    }

    fn place(&self) -> Place {
        Place::of(self.generation() + 1, self.own.fit_every)
    }

    /// Returns the evolution of the current step, unless its iteration still has to begin.
    fn evolution(&mut self) -> Option<&mut Genetic> {
        let is_first = self.place().is_first();
        let next = self.next.iteration.as_mut().map(|(iteration, _)| iteration);
        let iteration = if is_first { next } else { self.iteration.as_mut() };
        iteration.map(|iteration| &mut iteration.genetic)
    }

    /// Converts a candidate of evolution, which consists of output weights only, to a candidate of the run.
    fn with_layer(&self, it: Champion) -> Option<Champion> {
        let chromosome = join_layer(self.iteration.as_ref()?.layer, &it.chromosome);
        Some(Champion { generation: self.generation(), chromosome, ..it })
    }

    /// The champion of evolution after the last step. With default settings, it is the mean of the population.
    fn evolved(&self) -> Option<Champion> {
        self.with_layer(self.iteration.as_ref()?.genetic.current_champion()?)
    }

    fn fitted(&self) -> Option<Champion> {
        let fitted = &self.iteration.as_ref()?.fitted;
        Some(Champion::past(self.generation(), fitted.clone()))
    }

    /// The champion that labels the positions of the next iteration: the fitted weights unless evolution improved them.
    fn labeller(&self) -> Option<Champion> {
        let fitted = if self.next.is_gate_won() { None } else { self.fitted() };
        fitted.or_else(|| self.evolved().map(|it| Champion::past(it.generation, it.chromosome)))
    }

    fn plan(&self) -> Plan {
        let Task { seed, game, depth, options, .. } = self.task;
        let (units, neurons) = sizes_of(&self.task.features);
        Plan {
            seed,
            game,
            units,
            neurons,
            phases: self.own.phases as usize,
            datasets: self.datasets(),
            epochs: self.own.epochs,
            depth,
            label_depth: self.own.label_depth,
            label_tables: self.own.label_tables as u8,
            options,
        }
    }

    /// Returns the datasets of the next fit, oldest first.
    fn datasets(&self) -> Vec<Dataset> {
        let newest = self.place().iteration;
        let dataset = |(iteration, positions)| {
            let labeller = match iteration == newest {
                true => self.labeller(),
                // Only recent labellers are kept.
                false => Some(self.labeller_of(iteration)?),
            };
            Some(Dataset { iteration, positions, teacher: self.teacher(labeller) })
        };
        let mut datasets: Vec<_> =
            self.own.datasets_of(newest).into_iter().map_while(dataset).collect();
        datasets.reverse();
        datasets
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

    /// Returns the next games of the gating match, unless it is over or the weights are the same.
    fn gate_round(&self) -> Option<Batch> {
        let (evolved, fitted) = (self.evolved()?, self.fitted()?);
        if evolved.chromosome == fitted.chromosome || self.next.judgement().is_final() {
            return None;
        }
        let Task { seed, game, .. } = self.task;
        let rng = stream(seed, Purpose::GatingMatch, self.place().iteration.into(), 0);
        let openings = random_openings(game, self.own.gate_openings as usize, TRAINING_PLIES, rng);
        let openings: Vec<String> =
            openings.into_iter().skip(self.next.gate.len()).take(ROUND).collect();
        if openings.is_empty() {
            return None;
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let coding = self.own.coding(&self.task);
        let players = [evolved, fitted].map(|it| coding.player(&it.chromosome, limits)).to_vec();
        Some(pairs(game, players, &[[0, 1]], openings))
    }

    fn start_iteration(&mut self, fitted: Fitted) {
        let Fitted { layer, outputs, losses, positions } = fitted;
        let number = self.place().iteration;
        let report = FitReport {
            iteration: number,
            layer: layer.short_hash().to_owned(),
            positions,
            losses,
            evolved: self.next.judgement().pairs.score(),
            labeller: match &self.iteration {
                None => "results",
                Some(_) if self.next.is_gate_won() => "evolved",
                Some(_) => "fitted",
            },
        };
        let (name, layer) = self.own.layers.add(layer);
        let setup = setup(&self.task, &self.own, number, layer);
        let (setup, fitted) = with_founder(setup, genes(&self.task, &outputs));
        let (genetic, fitted) = (Genetic::new(setup), join_layer(name, &fitted));
        self.next.iteration = Some((Iteration { layer: name, genetic, fitted }, report));
    }

    fn finish(&mut self) {
        let place = self.place();
        self.report = None;
        if place.is_first() {
            let champions = self.fitted().into_iter().chain(self.labeller());
            self.past.extend(champions);
            self.past.dedup();
            if self.past.chunk_by(Champion::is_of_same_generation).count() > MAX_ITERATIONS {
                let first = self.past[0].generation;
                self.past.retain(|it| it.generation > first);
            }
            (self.iteration, self.report) = self.next.iteration.take().unzip();
        }
        let gate_games = 2 * std::mem::take(&mut self.next).gate.len() as u64;
        let iteration = self.iteration.as_ref().expect("a generation belongs to an iteration");
        let inner = iteration.genetic.last().expect("it has just been evaluated").clone();
        self.last = Some(Evaluated {
            generation: self.generation() + 1,
            members: inner.members.iter().map(|it| join_layer(iteration.layer, it)).collect(),
            games_asked: inner.games_asked + gate_games,
            games_played: inner.games_played + gate_games,
            ..inner
        });
    }
}

impl Optimiser for Learned {
    fn ask(&mut self) -> Ask {
        if let Some(evolution) = self.evolution() {
            let ask = evolution.ask();
            if let Ask::Done = ask {
                self.finish();
            }
            return ask;
        }
        // An iteration begins with the gating match and a layer.
        let layer = || Ask::Layer(Box::new(self.plan()));
        self.gate_round().map_or_else(layer, Ask::Match)
    }

    fn tell(&mut self, answer: Answer) {
        match (answer, self.evolution()) {
            (Answer::Layer(fitted), _) => self.start_iteration(*fitted),
            (answer, Some(evolution)) => evolution.tell(answer),
            (Answer::Games(outcomes), None) => {
                self.next.gate.extend(PairScore::of_pairs(&outcomes));
            }
            (Answer::Positions(_) | Answer::Islands(_), None) => {}
        }
    }

    fn abandon(&mut self) {
        self.next = NextIteration::default();
        if let Some(iteration) = &mut self.iteration {
            iteration.genetic.abandon();
        }
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
        self.evolved().map(|it| ("evolved champion", it)).into_iter().chain(others).collect()
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
        let past = save_champions(&self.past);
        let fitted = iteration.fitted.to_hex();
        let memory =
            Memory::Iterations(SavedIterations { layer: iteration.layer, pairings, past, fitted });
        Some(Saved { last: SavedStep::of(last), memory })
    }
}

/// The iteration of a step and its generation within the iteration. Both numbers start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    iteration: u32,
    generation: u32,
}

impl Place {
    /// Returns the iteration and the generation of a step, for iterations of `length` generations.
    fn of(step: u32, length: u32) -> Place {
        let before = step.saturating_sub(1);
        Place { iteration: before / length + 1, generation: before % length + 1 }
    }

    fn is_first(self) -> bool {
        self.generation == 1
    }
}

/// The generations that share a layer. Their chromosomes consist of output weights only.
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
    use crate::optimise::testing::{step, task_of};
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
        learned.next.gate = vec![PairScore::ALL[4]; 500];
        step(&mut learned);
        let past: Vec<_> = learned.past.iter().map(|it| (it.generation, &it.chromosome)).collect();
        assert_eq!(past, [(2, &measured), (2, &evolved)]);
        assert_eq!(learned.labeller_of(2).unwrap().chromosome, evolved);
        let saved = learned.save().unwrap();
        let loaded = Learned::start(task_of(&METHOD), own, Some(saved.clone())).unwrap();
        assert_eq!(loaded.save().unwrap(), saved);
    }
}
