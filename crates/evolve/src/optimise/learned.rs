//! Learned features with evolved weights.
//!
//! A run consists of iterations. At the start of an iteration, positions are collected and labelled by the champion of
//! earlier iterations, and hidden units are fitted to them ([`crate::learn`]). Then the genetic algorithm evolves the
//! output weights of the units like the weights of any other features. At the end, the champion of evolution plays
//! against the fitted weights. If it proves stronger, it labels the positions of the next iteration, otherwise the
//! fitted weights do.
//!
//! The champion of an iteration is not the champion of evolution but the fitted weights, from which evolution started.
//! Until the champion of evolution has proved to be stronger, it is more likely to be weaker. It takes part in the
//! final games.

mod settings;

use std::sync::Arc;

use arena::{Batch, Decision, Judgement, PairScore, ScheduledGame, Sprt, balanced_openings};
use mancala::eval::{Feature, Layer};
use mancala::game::with_game;
use mancala::random::{Purpose, stream};
use mancala::search::Limits;
use rand::Rng;

pub(crate) use self::settings::METHOD;
use self::settings::{LearnedSettings, sizes_of};
use super::genetic::{Genetic, Setup, with_founder};
use super::genome::{Chromosome, ChromosomeError};
use super::optimiser::{Answer, Ask, Champion, CurrentChampion, Evaluated, FitReport, Optimiser};
use super::saved::{LoadError, Memory, Pairings, Saved, SavedIterations, SavedStep};
use super::settings::OptimiserSettings;
use super::task::{Task, join_layer, split_layer};
use crate::learn::{Dataset, Fitted, Plan, Teacher};

/// Maximum number of past iterations whose champions are kept.
const MAX_ITERATIONS: usize = 256;
/// Number of random plies at the start of the games between evolved and fitted weights.
const PLIES: std::ops::RangeInclusive<u32> = 5..=12;
/// Nodes per move in these games. A limit on nodes resembles games with a clock more closely than a limit on depth.
const NODES: u64 = 2000;
/// Number of openings that are played before the result is checked again.
const ROUND: usize = 50;

/// The optimiser of runs with learned features. A step is a generation within an iteration.
#[derive(Debug)]
pub(crate) struct Learned {
    task: Task,
    own: LearnedSettings,
    last: Option<Evaluated>,
    /// The iteration of the last step.
    iteration: Option<Iteration>,
    /// The champions of past iterations, oldest first, each with the last generation of its iteration. A champion of
    /// evolution that proved to be stronger follows the fitted weights of its iteration. The last entry of a generation
    /// labelled the positions of the next iteration.
    past: Vec<Champion>,
    /// A report on the features, if the last step was the first of its iteration.
    report: Option<FitReport>,
    next: NextIteration,
}

/// The next iteration, while it is being prepared. It is not saved until its first generation is finished.
#[derive(Debug, Default)]
struct NextIteration {
    gate: GatingMatch,
    iteration: Option<(Iteration, FitReport)>,
}

/// The match of the last iteration's evolved weights against the fitted weights from which evolution started.
#[derive(Debug, Default)]
struct GatingMatch {
    /// The scores of the evolved weights in the pairs of games that have been played so far.
    pairs: Vec<PairScore>,
}

impl GatingMatch {
    fn judgement(&self) -> Judgement {
        Sprt::default().first_crossing(self.pairs.iter().copied())
    }

    /// Whether the evolved weights have proved to be stronger.
    fn is_won(&self) -> bool {
        self.judgement().decision == Decision::AcceptH1
    }

    fn games(&self) -> u64 {
        2 * self.pairs.len() as u64
    }
}

impl Learned {
    fn new(task: Task, own: LearnedSettings) -> Learned {
        let (past, next) = (Vec::new(), NextIteration::default());
        Learned { task, own, last: None, iteration: None, past, report: None, next }
    }

    fn load(task: Task, own: LearnedSettings, saved: Saved) -> Result<Learned, LoadError> {
        let Memory::Iterations(memory) = saved.memory else {
            return Err(LoadError::of_another());
        };
        let coding = own.coding(&task);
        let last = saved.last.open(own.candidates() as usize, &coding)?;
        let fitted = coding.read(&memory.fitted)?;
        let (layer, pairings) = (memory.layer, memory.pairings);
        let iteration = Iteration::load(&task, &own, &last, (layer, pairings, fitted))?;
        let candidate = |(generation, hex): (u32, String)| {
            Ok(Champion { generation, chromosome: coding.read(&hex)? })
        };
        let past: Vec<Champion> =
            memory.past.into_iter().map(candidate).collect::<Result<_, LoadError>>()?;
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

    /// Returns the iteration and the generation of the current step.
    fn place(&self) -> Place {
        Place::of(self.last.as_ref().map_or(0, |last| last.generation) + 1, self.own.fit_every)
    }

    /// Returns the next request in the first step of an iteration. The requests are the match of the evolved against
    /// the fitted weights, then a layer, and then the games of the generation.
    fn ask_first(&mut self) -> Ask {
        if let Some((iteration, _)) = &mut self.next.iteration {
            return iteration.genetic.ask();
        }
        match self.gate_round() {
            Some(round) => Ask::Match(round),
            None => Ask::Layer(Box::new(self.plan())),
        }
    }

    /// The champion of evolution after the last step.
    fn evolved(&self) -> Option<Champion> {
        let chromosome = self.iteration.as_ref()?.evolved()?.candidate;
        Some(Champion { generation: self.last.as_ref()?.generation, chromosome })
    }

    /// The fitted weights of the last step's iteration.
    fn fitted(&self) -> Option<Champion> {
        let chromosome = self.iteration.as_ref()?.fitted.clone();
        Some(Champion { generation: self.last.as_ref()?.generation, chromosome })
    }

    /// The champion that labels the positions of the next iteration: the fitted weights unless evolution improved them.
    fn labeller(&self) -> Option<Champion> {
        let fitted = if self.next.gate.is_won() { None } else { self.fitted() };
        fitted.or_else(|| self.evolved())
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
                // This may return `None`, since only recent labellers are kept.
                false => Some(self.labeller_of(iteration)?),
            };
            Some(Dataset { iteration, positions, teacher: self.teacher(labeller) })
        };
        let mut datasets: Vec<_> =
            self.own.datasets_of(newest).into_iter().map_while(dataset).collect();
        datasets.reverse();
        datasets
    }

    /// The champion that labelled the positions of an earlier iteration.
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

    /// Returns the next games of the match between the evolved and the fitted weights of the last iteration, or `None`
    /// if the match is decided, all openings are played, or the weights are the same.
    fn gate_round(&self) -> Option<Batch> {
        let (evolved, fitted) = (self.evolved()?, self.fitted()?);
        let gate = &self.next.gate;
        if evolved == fitted || gate.judgement().is_final() {
            return None;
        }
        let Task { seed, game, .. } = self.task;
        let mut rng = stream(seed, Purpose::GatingMatch, self.place().iteration.into(), 0);
        let count = self.own.gate_openings as usize;
        let openings: Vec<String> = with_game!(game, game => {
            balanced_openings(game, count, PLIES, &mut rng).iter().map(ToString::to_string).collect()
        });
        let openings: Vec<String> =
            openings.into_iter().skip(gate.pairs.len()).take(ROUND).collect();
        if openings.is_empty() {
            return None;
        }
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let coding = self.own.coding(&self.task);
        let players = [evolved, fitted].map(|it| coding.player(&it.chromosome, limits)).to_vec();
        let schedule = ScheduledGame::all(&[[0, 1]], openings.len() as u32);
        Some(
            Batch::new(game, players, openings, schedule)
                .expect("players and openings of the game"),
        )
    }

    fn start_iteration(&mut self, fitted: Fitted) {
        let Fitted { layer, outputs, losses, positions } = fitted;
        let number = self.place().iteration;
        let report = FitReport {
            iteration: number,
            layer: layer.short_hash().to_owned(),
            positions,
            losses,
            evolved: self.next.gate.judgement().pairs.score(),
            labeller: match &self.iteration {
                None => "results",
                Some(_) if self.next.gate.is_won() => "evolved",
                Some(_) => "fitted",
            },
        };
        let (name, layer) = self.own.layers.add(layer);
        let iteration = Iteration::new(&self.task, &self.own, number, (name, layer), &outputs);
        self.next.iteration = Some((iteration, report));
    }

    /// Ends the step after its generation has been evaluated.
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
        let gate_games = std::mem::take(&mut self.next).gate.games();
        let iteration = self.iteration.as_ref().expect("a generation belongs to an iteration");
        let inner = iteration.genetic.last().expect("it has just been evaluated").clone();
        self.last = Some(Evaluated {
            generation: self.last.as_ref().map_or(0, |last| last.generation) + 1,
            members: inner
                .members
                .iter()
                .map(|member| join_layer(iteration.layer, member))
                .collect(),
            games_asked: inner.games_asked + gate_games,
            games_played: inner.games_played + gate_games,
            ..inner
        });
    }
}

impl Optimiser for Learned {
    fn ask(&mut self) -> Ask {
        let is_first = self.place().is_first();
        let ask = match &mut self.iteration {
            Some(iteration) if !is_first => iteration.genetic.ask(),
            _ => self.ask_first(),
        };
        if let Ask::Done = ask {
            self.finish();
        }
        ask
    }

    fn tell(&mut self, answer: Answer) {
        let is_first = self.place().is_first();
        match answer {
            Answer::Layer(fitted) => self.start_iteration(*fitted),
            Answer::Games(outcomes) if is_first && self.next.iteration.is_none() => {
                self.next.gate.pairs.extend(PairScore::of_pairs(&outcomes));
            }
            answer => {
                let next = self.next.iteration.as_mut().map(|(iteration, _)| iteration);
                let iteration = if is_first { next } else { self.iteration.as_mut() };
                if let Some(iteration) = iteration {
                    iteration.genetic.tell(answer);
                }
            }
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

    fn current_champion(&self) -> Option<CurrentChampion> {
        let candidate = self.iteration.as_ref()?.fitted.clone();
        Some(CurrentChampion { candidate, fitness: None })
    }

    fn finalists(&self) -> Vec<(&'static str, CurrentChampion)> {
        let Some(iteration) = &self.iteration else { return Vec::new() };
        let others = iteration.genetic.finalists().into_iter();
        let others = others.map(|(role, it)| (role, iteration.with_layer(it)));
        iteration.evolved().map(|it| ("evolved champion", it)).into_iter().chain(others).collect()
    }

    /// Returns the champions of past iterations.
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
        let past = self.past.iter().map(|it| (it.generation, it.chromosome.to_hex())).collect();
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
    /// The name by which candidates refer to the layer.
    layer: u32,
    genetic: Genetic,
    /// The candidate with the fitted output weights.
    fitted: Chromosome,
}

impl Iteration {
    /// Starts an iteration from the output weights that were fitted with its layer.
    fn new(
        task: &Task,
        own: &LearnedSettings,
        number: u32,
        layer: (u32, Arc<Layer>),
        outputs: &[f32],
    ) -> Iteration {
        let setup = setup(task, own, number, &layer.1);
        let genes = genes(task, outputs);
        let (setup, fitted) = with_founder(setup, genes);
        Iteration {
            layer: layer.0,
            genetic: Genetic::new(setup),
            fitted: join_layer(layer.0, &fitted),
        }
    }

    /// The champion of evolution. With default settings, it is the mean of the population.
    fn evolved(&self) -> Option<CurrentChampion> {
        self.genetic.current_champion().map(|it| self.with_layer(it))
    }

    /// Converts a candidate of evolution, which consists of output weights only, to a candidate of the run.
    fn with_layer(
        &self,
        CurrentChampion { candidate, fitness }: CurrentChampion,
    ) -> CurrentChampion {
        CurrentChampion { candidate: join_layer(self.layer, &candidate), fitness }
    }

    /// Restores an iteration from the saved state of the run after its last step.
    fn load(
        task: &Task,
        own: &LearnedSettings,
        last: &Evaluated,
        (layer, memory, fitted): (u32, Pairings, Chromosome),
    ) -> Result<Iteration, LoadError> {
        let place = Place::of(last.generation, own.fit_every);
        let missing = || ChromosomeError::Layer(format!("features-{layer:08x}.ayo"));
        let found = own.layers.get(layer).ok_or_else(missing)?;
        let weights_of = |candidate: &Chromosome| {
            let (name, weights) = split_layer(candidate);
            let other = || LoadError::content("members belong to several layers");
            (name == layer).then_some(weights).ok_or_else(other)
        };
        weights_of(&fitted)?;
        let members = last.members.iter().map(weights_of);
        let inner = Evaluated {
            generation: place.generation,
            members: members.collect::<Result<_, _>>()?,
            ..last.clone()
        };
        let saved = Saved { last: SavedStep::of(&inner), memory: Memory::Pairings(memory) };
        let genetic = Genetic::load(setup(task, own, place.iteration, &found), saved)?;
        Ok(Iteration { layer, genetic, fitted })
    }
}

/// Returns the settings of an iteration. Every iteration has its own random streams.
fn setup(task: &Task, own: &LearnedSettings, iteration: u32, layer: &Arc<Layer>) -> Setup {
    let seed = stream(task.seed, Purpose::Iteration, iteration.into(), 0).next_u64();
    let features = task.features.clone().with_layer(Arc::clone(layer));
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
        let mut own = LearnedSettings::default();
        let settings = "population=5 fit_every=2 positions=200 openings=start elite=0 crossover=pool \
            mutation=mirrored mutation_rate=1.0 step=0.5 encoding=integer:13 scale=2000";
        pairs(settings).for_each(|(name, value)| own.set(name, value).unwrap().unwrap());
        let mut learned = Learned::new(task_of(&METHOD), own.clone());
        (0..2).for_each(|_| step(&mut learned));
        let measured = learned.current_champion().unwrap().candidate;
        let evolved = learned.evolved().unwrap().chromosome;
        assert_ne!(measured, evolved);
        learned.next.gate.pairs = vec![PairScore::ALL[4]; 500];
        step(&mut learned);
        let past: Vec<_> = learned.past.iter().map(|it| (it.generation, &it.chromosome)).collect();
        assert_eq!(past, [(2, &measured), (2, &evolved)]);
        assert_eq!(learned.labeller_of(2).unwrap().chromosome, evolved);
        let saved = learned.save().unwrap();
        let loaded = Learned::load(task_of(&METHOD), own, saved.clone()).unwrap();
        assert_eq!(loaded.save().unwrap(), saved);
    }
}
