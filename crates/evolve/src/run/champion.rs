//! Selects the champion of a run.

use std::path::Path;

use mancala::eval::{GateTest, Weights};

use super::{
    FINAL_PAIRS, Panel, Ranked, Settings, Trainer, best_of_generation, champion, gate,
    measured_openings,
};
use crate::games::GameRunner;
use crate::optimise::{Champion, RecordedChampion, WorkError};

#[derive(Debug, Clone, PartialEq)]
pub struct Finalist {
    /// Where the finalist comes from, such as `champion of generation 40`.
    pub name: String,
    pub weights: Weights,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SelectedChampion {
    /// The weights of the winner, or of the previous champion if the winner didn't pass the gate.
    pub champion: Weights,
    pub gate: Vec<GateTest>,
    /// The results of all finalists, starting with the winner.
    pub ranking: Vec<Ranked>,
    /// The number of games in the finals, not counting gate tests and those that measure the champion's strength.
    pub games: u64,
}

const MAX_OPENINGS: u32 = 1014;
/// With [`Panel::Second`], the final strength test has this many times the usual openings, up to [`MAX_OPENINGS`].
const OPENINGS_FACTOR: u32 = 10;
/// The maximum number of past champions among the finalists.
const PAST_CHAMPIONS: usize = 8;

/// Returns the finalists of a run without duplicates: the champion of the last generation, the champion that passed the
/// last gating match, candidates that the optimiser proposes, and past champions (latest first). If the optimiser has
/// no past champions, then they are read from `history`, the text of `history.csv`.
pub fn finalists(trainer: &Trainer, history: &str, before: Option<&Weights>) -> Vec<Finalist> {
    let settings = trainer.settings();
    let Some(leader) = trainer.current_champion() else { return Vec::new() };
    let mut candidates = vec![("champion of", champion(settings, &leader))];
    let proposals = trainer.optimiser().finalists().into_iter();
    let proposals = proposals.map(|(role, it)| (role, champion(settings, &it)));
    let proposals: Vec<_> = proposals.collect();
    candidates.extend(before.map(|weights| {
        // If earlier finals selected a candidate that the optimiser proposes, then we keep the role of this candidate.
        let proposal = proposals.iter().find(|(_, it)| it.values() == weights.values());
        (proposal.map_or("champion of", |(role, _)| *role), weights.clone())
    }));
    candidates.extend(proposals);
    for mut past in past_champions(trainer, history) {
        // The history contains the champion's fitness only if it was the fittest member of its generation.
        if settings.own.recorded(past.generation) != RecordedChampion::ChampionOnly {
            let best = best_of_generation(history, past.generation, settings).ok();
            let best = best.filter(|it| it.chromosome == past.chromosome);
            past.fitness = best.and_then(|it| it.fitness);
        }
        candidates.push(("champion of", champion(settings, &past)));
    }
    let mut finalists: Vec<Finalist> = Vec::new();
    for (role, weights) in candidates {
        if finalists.iter().all(|it| it.weights.values() != weights.values()) {
            let of = weights.provenance.as_ref().expect("the run is known");
            let fitness = of.fitness.map(|it| format!(", fitness {it}")).unwrap_or_default();
            let name = format!("{role} generation {}{fitness}", of.generation);
            finalists.push(Finalist { name, weights });
        }
    }
    finalists
}

/// Returns past champions at even intervals, latest first.
fn past_champions(trainer: &Trainer, history: &str) -> Vec<Champion> {
    let spread =
        |count: usize| (1..=PAST_CHAMPIONS).rev().map(move |part| count * part / PAST_CHAMPIONS);
    let hall = trainer.optimiser().past_champions();
    if !hall.is_empty() {
        let hall: Vec<&[Champion]> = hall.chunk_by(|a, b| a.generation == b.generation).collect();
        let places = spread(hall.len()).filter_map(|place| hall.get(place.checked_sub(1)?)?.last());
        return places.cloned().collect();
    }
    let generations = spread(trainer.generation() as usize).filter(|&generation| generation > 0);
    let best = |generation: usize| {
        let best = best_of_generation(history, generation as u32, trainer.settings()).ok()?;
        Some(Champion { fitness: None, ..best })
    };
    generations.filter_map(best).collect()
}

/// Returns the maximum number of games in the finals (including the first gate test) and in the final strength test.
pub fn most_games(settings: &Settings) -> [u64; 2] {
    let openings = openings(settings).min(measured_openings(settings.game()));
    let opponents = settings.measured_opponents([]).len() as u64;
    let gate = match settings.panel {
        Panel::First => 0,
        Panel::Second => 2 * FINAL_PAIRS as u64,
    };
    [u64::from(settings.finalist_games) + gate, 2 * opponents * u64::from(openings)]
}

/// Returns the maximum number of openings in the final strength test.
fn openings(settings: &Settings) -> u32 {
    match settings.panel {
        Panel::First => MAX_OPENINGS,
        Panel::Second => MAX_OPENINGS.min(OPENINGS_FACTOR * settings.measure_openings),
    }
}

pub struct ChampionSelection<'a> {
    /// The run folder, in which the results of interrupted finals are stored.
    pub folder: &'a Path,
    pub settings: &'a Settings,
    pub finalists: &'a [Finalist],
    /// The champion that passed the last gate, if any.
    pub before: Option<&'a Weights>,
    pub games: u64,
}

impl ChampionSelection<'_> {
    /// Plays the finals and the gate, calls `on_winner`, and measures the champion. Panics if there are no finalists.
    pub fn select(
        &self,
        runner: GameRunner,
        on_winner: &mut dyn FnMut(),
    ) -> Result<SelectedChampion, WorkError> {
        let finals = self.finals(runner)?;
        let winner = self.finalists[finals.ranking[0].finalist].weights.clone();
        let gate = match self.before {
            None => Vec::new(),
            Some(before) => self.settings.play_gate((0, FINAL_PAIRS), [&winner, before], runner)?,
        };
        let mut champion = winner;
        match self.before {
            Some(before) if !gate::is_passed(&gate, self.settings) => champion = before.clone(),
            _ => champion.gates.clone_from(&gate),
        }
        on_winner();
        let measure_openings = openings(self.settings);
        let settings = Settings { measure_openings, ..self.settings.clone() };
        champion.strength = settings.measure(&champion, &[], runner)?;
        Ok(SelectedChampion { champion, gate, ranking: finals.ranking, games: finals.games })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::changed;

    fn trainer(changes: &str) -> Trainer {
        trainer_of("daoud2004", changes)
    }

    fn trainer_of(preset: &str, changes: &str) -> Trainer {
        let tiny = "population=8 fitness_set=2 depth=1";
        let mut trainer = Trainer::new(changed(preset, &format!("{tiny} {changes}")));
        for _ in 0..6 {
            trainer.step(&()).unwrap();
        }
        trainer
    }

    #[test]
    fn finalists_are_of_the_last_generation_and_of_the_past_and_differ() {
        let trainer = trainer("finalist_games=100 mutation_rate=0.1");
        let finalists = finalists(&trainer, "", None);
        assert_eq!(finalists[0].weights.values(), trainer.champion().unwrap().values());
        assert!(finalists.iter().any(|it| it.name.starts_with("champion of generation 3")));
        for (index, one) in finalists.iter().enumerate() {
            assert!(one.weights.provenance.is_some());
            let before = &finalists[..index];
            assert!(before.iter().all(|other| other.weights.values() != one.weights.values()));
        }
        // Without a hall of fame or a history, all finalists are from the last generation.
        let finalists = super::finalists(&self::trainer(""), "", None);
        assert!((1..=5).contains(&finalists.len()));
        assert!(finalists.iter().all(|it| it.name.contains("generation 6")));
    }

    #[test]
    fn a_mean_that_was_selected_before_keeps_its_name() {
        let trainer = trainer_of("quick", "");
        let mean = finalists(&trainer, "", None)
            .into_iter()
            .find(|it| it.name == "mean of late champions, up to generation 6");
        let mean = mean.unwrap();
        assert!(finalists(&trainer, "", Some(&mean.weights)).contains(&mean));
    }
}
