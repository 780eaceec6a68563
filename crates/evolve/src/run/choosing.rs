//! The choice of a run's champion.

use crate::optimise::{Champion, Chromosome, Recorded};
use arena::Games;
use mancala::eval::{GateTest, Weights};
use mancala::progress::Progress;

use super::finals::{FinalsTerms, Ranked, finals};
use super::gate::{self, FINAL_PAIRS, Gate};
use super::history::best_of_generation;
use super::settings::Settings;
use super::trainer::{Trainer, champion};
use super::yardstick::{Conditions, MeasuredOpenings, Panel, Yardstick};

/// A candidate that may become champion.
#[derive(Debug, Clone, PartialEq)]
pub struct Finalist {
    /// Where it comes from, in words.
    pub name: String,
    /// Its weights, with their provenance.
    pub weights: Weights,
}

/// A choice that has been made.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The champion's weights with their strength against the panel: the winner, or the champion before if the winner
    /// did not pass the gate.
    pub champion: Weights,
    /// The tests that the winner had to pass; none if it was the champion already, or the run has no gates.
    pub gate: Vec<GateTest>,
    /// How the finalists did, the winner first.
    pub ranking: Vec<Ranked>,
    /// Games that the choice took, those of the measurement not counted.
    pub games: u64,
}

/// Openings of the measurement at most: as many as ayo has, since large boards of kalah have thousands.
const MOST_OPENINGS: u32 = 1014;
/// How many times as many openings as other measurements it has, so that a short run has a short one.
const TIMES_OPENINGS: u32 = 10;
/// Champions of the past that are finalists.
const FROM_PAST: usize = 8;

/// The finalists of a run, without duplicates: the champion of the last generation, the champion that passed the last
/// gate, further proposals of the optimiser, then champions spread over the past, the latest first. These are the ones
/// that the optimiser keeps, or else come from `history`, the text of `history.csv`.
pub fn finalists(trainer: &Trainer, history: &str, before: Option<&Weights>) -> Vec<Finalist> {
    let (settings, generation) = (trainer.settings(), trainer.generation());
    let Some(leader) = trainer.leader() else { return Vec::new() };
    let mut finalists = Entries { settings, entries: Vec::new() };
    finalists.enter("champion", generation, &leader.candidate, leader.fitness);
    if let Some(weights) = before {
        finalists.enter_weights("champion", weights.clone());
    }
    for it in trainer.proposals() {
        finalists.enter(it.what, generation, &it.candidate, it.fitness);
    }
    for Champion { generation, chromosome } in past(trainer, history) {
        let fitness = recorded_fitness(history, generation, &chromosome, settings);
        finalists.enter("champion", generation, &chromosome, fitness);
    }
    finalists.entries
}

/// What a champion scored, if it was the fittest of its generation.
fn recorded_fitness(
    history: &str,
    generation: u32,
    chromosome: &Chromosome,
    settings: &Settings,
) -> Option<u64> {
    let is_fittest = settings.own.recorded(generation) != Recorded::LeaderOnly;
    let recorded = best_of_generation(history, generation, settings).ok().filter(|_| is_fittest);
    recorded.filter(|(best, _)| best == chromosome).map(|(_, fitness)| fitness)
}

struct Entries<'a> {
    settings: &'a Settings,
    entries: Vec<Finalist>,
}

impl Entries<'_> {
    fn enter(
        &mut self,
        what: &str,
        generation: u32,
        chromosome: &Chromosome,
        fitness: Option<u64>,
    ) {
        self.enter_weights(what, champion(self.settings, generation, chromosome, fitness));
    }

    fn enter_weights(&mut self, what: &str, weights: Weights) {
        if self.entries.iter().any(|it| it.weights.values() == weights.values()) {
            return;
        }
        let of = weights.provenance.as_ref().expect("the run is known");
        let fitness = of.fitness.map(|fitness| format!(", fitness {fitness}")).unwrap_or_default();
        let name = format!("{what} of generation {}{fitness}", of.generation);
        self.entries.push(Finalist { name, weights });
    }
}

/// Champions evenly spread over the past, the latest first.
fn past(trainer: &Trainer, history: &str) -> Vec<Champion> {
    let spread = |count: usize| (1..=FROM_PAST).rev().map(move |part| count * part / FROM_PAST);
    let hall = trainer.hall();
    if !hall.is_empty() {
        let places = spread(hall.len()).filter_map(|place| hall.get(place.checked_sub(1)?));
        return places.cloned().collect();
    }
    let generations = spread(trainer.generation() as usize).filter(|&generation| generation > 0);
    let best = |generation: usize| {
        let generation = generation as u32;
        let (chromosome, _) = best_of_generation(history, generation, trainer.settings()).ok()?;
        Some(Champion { generation, chromosome })
    };
    generations.filter_map(best).collect()
}

/// Returns the most games of the finals and of the first test of the gate, and the games that measure the champion.
pub fn most_games(settings: &Settings) -> [u64; 2] {
    let openings = openings(settings).min(MeasuredOpenings::of(settings.game()).all());
    let opponents = settings.conditions().opponents([]).len() as u64;
    let gate = match settings.panel {
        Panel::First => 0,
        Panel::Second => 2 * FINAL_PAIRS as u64,
    };
    [u64::from(settings.finalist_games) + gate, 2 * opponents * u64::from(openings)]
}

/// Returns the most openings that the winner is measured from.
fn openings(settings: &Settings) -> u32 {
    match settings.panel {
        Panel::First => MOST_OPENINGS,
        Panel::Second => MOST_OPENINGS.min(TIMES_OPENINGS * settings.measure_openings),
    }
}

/// The inputs of a choice.
pub struct Choosing<'a> {
    /// The settings of the run.
    pub settings: &'a Settings,
    /// The candidates.
    pub finalists: &'a [Finalist],
    /// The champion that passed the last gate, if there is one.
    pub before: Option<&'a Weights>,
    /// Games of the finals at most.
    pub games: u64,
}

impl Choosing<'_> {
    /// Lets the finalists meet in games that `place` plays, the winner pass the gate if there was a champion before, and
    /// measures the champion, which begins with a call of `chosen`. `None` if the progress stopped it, or there are no
    /// finalists.
    pub fn choose(
        &self,
        place: &dyn Games,
        progress: &dyn Progress,
        chosen: &mut dyn FnMut(),
    ) -> Option<Choice> {
        let &Settings { options, seed, .. } = self.settings;
        let (game, limits) = (self.settings.game(), self.settings.limits());
        let weights: Vec<Weights> = self.finalists.iter().map(|it| it.weights.clone()).collect();
        let terms = FinalsTerms { game, limits, options, seed, games: self.games };
        let finals = finals(&weights, &terms, place, progress)?;
        let winner = weights.into_iter().nth(finals.ranking.first()?.finalist)?;
        let conditions = self.settings.conditions();
        let (mut champion, gate) = self.pass(winner, &conditions, place, progress)?;
        chosen();
        let yardstick = Yardstick::new(conditions, openings(self.settings));
        champion.strength = yardstick.measure(&champion, &[], place, progress)?;
        Some(Choice { champion, gate, ranking: finals.ranking, games: finals.games })
    }

    /// The winner if it passes the gate, or else the champion before, and the tests.
    fn pass(
        &self,
        mut winner: Weights,
        conditions: &Conditions,
        place: &dyn Games,
        progress: &dyn Progress,
    ) -> Option<(Weights, Vec<GateTest>)> {
        let generation = |it: &Weights| it.provenance.as_ref().map_or(0, |it| it.generation);
        let Some(before) = self.before else { return Some((winner, Vec::new())) };
        let gate = Gate { conditions, seed: self.settings.seed, number: 0, pairs: FINAL_PAIRS };
        let tests = gate.play(&winner, (generation(before), before), place, progress)?;
        if !gate::is_passed(&tests, conditions) {
            return Some((before.clone(), tests));
        }
        winner.gates = tests.clone();
        Some((winner, tests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Draft;

    fn trainer(changes: &[(&str, &str)]) -> Trainer {
        let mut draft = Draft::preset("daoud2004").unwrap();
        let tiny = [("population", "8"), ("fitness_set", "2"), ("depth", "1")];
        for (key, value) in tiny.iter().chain(changes) {
            draft.set(key, value).unwrap();
        }
        let mut trainer = Trainer::new(draft.finish().unwrap());
        for _ in 0..6 {
            trainer.step(&()).unwrap();
        }
        trainer
    }

    #[test]
    fn finalists_are_of_the_last_generation_and_of_the_past_and_differ() {
        let trainer = trainer(&[("finalist_games", "100"), ("mutation_rate", "0.1")]);
        let finalists = finalists(&trainer, "", None);
        assert_eq!(finalists[0].weights.values(), trainer.champion().unwrap().values());
        assert!(finalists.iter().any(|it| it.name.starts_with("champion of generation 3")));
        for (index, one) in finalists.iter().enumerate() {
            assert!(one.weights.provenance.is_some());
            let before = &finalists[..index];
            assert!(before.iter().all(|other| other.weights.values() != one.weights.values()));
        }
    }

    #[test]
    fn without_a_hall_of_fame_or_history_the_last_generation_is_all() {
        let trainer = trainer(&[]);
        let finalists = finalists(&trainer, "", None);
        assert!((1..=5).contains(&finalists.len()));
        assert!(finalists.iter().all(|it| it.name.contains("generation 6")));
    }
}
