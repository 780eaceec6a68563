//! The choice of a run's champion.

use crate::arena::LocalGames;
use crate::optimise::fitness::{AtOnce, Control, Measured};
use crate::optimise::genetic::breeding::mean_of_all;
use crate::optimise::genome::Chromosome;
use crate::run::finals::{FinalsTerms, Ranked, finals};
use crate::run::history::best_of_generation;
use crate::run::settings::{Crossover, Settings, ranking};
use crate::run::trainer::{Trainer, champion};
use crate::run::yardstick::Yardstick;
use mancala::eval::Weights;

/// Somebody who may become champion.
#[derive(Debug, Clone, PartialEq)]
pub struct Finalist {
    /// Where he comes from, in words.
    pub name: String,
    /// His weights, with their provenance.
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

/// The fittest members of the last generation who are finalists: as many as the elite, within bounds.
const FROM_LAST: std::ops::RangeInclusive<usize> = 2..=8;
/// Openings of the measurement at most: as many as ayo has, since large boards of kalah have thousands.
const MOST_OPENINGS: u32 = 1014;
/// Champions of the past who are finalists.
const FROM_PAST: usize = 8;

/// The finalists of a run: the champion and the fittest of the last generation, the mean of the later half
/// of the hall of fame where that is meaningful, then champions spread
/// over the past, the latest first, from the hall of fame or else from `history`, the text of
/// `history.csv`. Nobody is there twice.
pub fn finalists(trainer: &Trainer, history: &str) -> Vec<Finalist> {
    let settings = trainer.settings();
    let Some(last) = trainer.last() else { return Vec::new() };
    let mut finalists = Entries { settings, entries: Vec::new() };
    let (leader, fitness) = last.leader(settings);
    finalists.enter("champion", last.generation, leader, Some(fitness));
    let fittest = settings.elite_size().clamp(*FROM_LAST.start(), *FROM_LAST.end());
    for &index in ranking(&last.fitness).iter().take(fittest) {
        let (member, fitness) = (&last.members[index], last.fitness[index]);
        finalists.enter("member", last.generation, member, Some(fitness));
    }
    if settings.crossover == Crossover::Pool {
        // Champions of such a run wander around one place; their mean is nearer to it than most.
        let late = &trainer.hall()[trainer.hall().len() / 2..];
        let late: Vec<Chromosome> = late.iter().map(|it| it.chromosome.clone()).collect();
        if !late.is_empty() {
            finalists.enter(
                "mean of late champions",
                last.generation,
                &mean_of_all(settings, &late),
                None,
            );
        }
    }
    for (generation, chromosome) in past(trainer, history) {
        // What he scored is in the history, if he was the best.
        let recorded = best_of_generation(history, generation, settings).ok();
        let fitness = recorded.filter(|(best, _)| *best == chromosome).map(|(_, f)| f);
        finalists.enter("champion", generation, &chromosome, fitness);
    }
    finalists.entries
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
        let mut weights = champion(self.settings, generation, chromosome, 0);
        if let Some(provenance) = &mut weights.provenance {
            provenance.fitness = fitness;
        }
        if self.entries.iter().all(|it| it.weights.values() != weights.values()) {
            let fitness = fitness.map(|fitness| format!(", fitness {fitness}"));
            let fitness = fitness.unwrap_or_default();
            let name = format!("{what} of generation {generation}{fitness}");
            self.entries.push(Finalist { name, weights });
        }
    }
}

/// Champions evenly spread over the past, the latest first.
fn past(trainer: &Trainer, history: &str) -> Vec<(u32, Chromosome)> {
    let spread = |count: usize| (1..=FROM_PAST).rev().map(move |part| count * part / FROM_PAST);
    let hall = trainer.hall();
    if !hall.is_empty() {
        let places = spread(hall.len()).filter_map(|place| hall.get(place.checked_sub(1)?));
        return places.map(|it| (it.generation, it.chromosome.clone())).collect();
    }
    let generations = spread(trainer.generation() as usize).filter(|&generation| generation > 0);
    let best = |generation: usize| {
        let generation = generation as u32;
        let (best, _) = best_of_generation(history, generation, trainer.settings()).ok()?;
        Some((generation, best))
    };
    generations.filter_map(best).collect()
}

/// Lets the finalists meet in no more than so many games, and measures the winner. `None` if `control`
/// stopped it, or there are no finalists.
pub fn choose(
    settings: &Settings,
    finalists: &[Finalist],
    games: u64,
    control: &dyn Control,
) -> Option<Choice> {
    let (game, &Settings { depth, seed, .. }) = (settings.game(), settings);
    let weights: Vec<Weights> = finalists.iter().map(|it| it.weights.clone()).collect();
    let control = &AtOnce(control);
    let (local, progress) = (LocalGames::new(), Measured(control));
    let finals = finals(&weights, &FinalsTerms { game, depth, seed, games }, &local, &progress)?;
    let mut champion = weights.into_iter().nth(finals.ranking.first()?.finalist)?;
    let yardstick = Yardstick::new(game, depth, MOST_OPENINGS);
    champion.strength = yardstick.measure(&champion, &[], &local, &progress)?;
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
        let leader = trainer.last().unwrap().leader(trainer.settings()).0;
        assert_eq!(finalists[0].weights.values(), trainer.settings().weights(leader).values());
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
