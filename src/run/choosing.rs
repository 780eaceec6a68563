//! The choice of a run's champion.

use evolution::arena::Games;
use evolution::optimise::{Champion, Chromosome, Recorded};
use mancala::eval::Weights;
use mancala::progress::Progress;

use super::finals::{FinalsTerms, Ranked, finals};
use super::history::best_of_generation;
use super::settings::Settings;
use super::trainer::{Trainer, champion};
use super::yardstick::{MeasuredOpenings, Yardstick};

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
    /// The winner's weights with their strength against the panel on all openings, or 1014 of them.
    pub champion: Weights,
    /// How the finalists did, the winner first.
    pub ranking: Vec<Ranked>,
    /// Games that the choice took, those of the measurement not counted.
    pub games: u64,
}

/// Openings of the measurement at most: as many as ayo has, since large boards of kalah have thousands.
const MOST_OPENINGS: u32 = 1014;
/// The same of a search, whose games take long.
const OPENINGS_OF_SEARCH: u32 = 300;
/// Champions of the past that are finalists.
const FROM_PAST: usize = 8;

/// The finalists of a run: the champion, what the optimiser proposes beside it, then champions spread over
/// the past, the latest first, from those that the optimiser keeps or else from `history`, the text of
/// `history.csv`. None is there twice.
pub fn finalists(trainer: &Trainer, history: &str) -> Vec<Finalist> {
    let (settings, generation) = (trainer.settings(), trainer.generation());
    let Some(leader) = trainer.leader() else { return Vec::new() };
    let mut finalists = Entries { settings, entries: Vec::new() };
    finalists.enter("champion", generation, &leader.candidate, leader.fitness);
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
        let weights = champion(self.settings, generation, chromosome, fitness);
        if self.entries.iter().all(|it| it.weights.values() != weights.values()) {
            let fitness = fitness.map(|fitness| format!(", fitness {fitness}"));
            let fitness = fitness.unwrap_or_default();
            let name = format!("{what} of generation {generation}{fitness}");
            self.entries.push(Finalist { name, weights });
        }
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

/// Returns the most games of the finals, and the games that measure the winner.
pub(crate) fn most_games(settings: &Settings) -> [u64; 2] {
    let openings = openings(settings).min(MeasuredOpenings::of(settings.game()).all());
    let opponents = settings.conditions().opponents([]).len() as u64;
    [settings.finalist_games.into(), 2 * opponents * u64::from(openings)]
}

/// Returns the most openings that the winner is measured from.
fn openings(settings: &Settings) -> u32 {
    if settings.features.sets_search() { OPENINGS_OF_SEARCH } else { MOST_OPENINGS }
}

/// Lets the finalists meet in no more than so many games, which `place` plays, and measures the winner, which begins
/// with a call of `chosen`. `None` if the progress stopped it, or there are no finalists.
pub fn choose(
    settings: &Settings,
    finalists: &[Finalist],
    games: u64,
    place: &dyn Games,
    progress: &dyn Progress,
    chosen: &mut dyn FnMut(),
) -> Option<Choice> {
    let &Settings { options, seed, .. } = settings;
    let (game, limits) = (settings.game(), settings.limits());
    let weights: Vec<Weights> = finalists.iter().map(|it| it.weights.clone()).collect();
    let finals =
        finals(&weights, &FinalsTerms { game, limits, options, seed, games }, place, progress)?;
    let mut champion = weights.into_iter().nth(finals.ranking.first()?.finalist)?;
    chosen();
    let yardstick = Yardstick::new(settings.conditions(), openings(settings));
    champion.strength = yardstick.measure(&champion, &[], place, progress)?;
    Some(Choice { champion, ranking: finals.ranking, games: finals.games })
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
        let finalists = finalists(&trainer, "");
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
        let finalists = finalists(&trainer, "");
        assert!((1..=5).contains(&finalists.len()));
        assert!(finalists.iter().all(|it| it.name.contains("generation 6")));
    }
}
