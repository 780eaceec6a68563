//! When strength is measured in the course of a run, and what of.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::optimise::{Champion, Chromosome, Recorded};
use arena::Games;
use mancala::endgame::Tables;
use mancala::eval::{GateTest, Weights};
use mancala::progress::Progress;

use super::gate::{self, Gate, PAIRS, SHORT_PAIRS};
use super::history::best_of_some;
use super::precision::TableYardstick;
use super::settings::Settings;
use super::strength::{Measurement, ancestors, short_test};
use super::trainer::Trainer;
use super::yardstick::{Ancestor, Panel, Yardstick};

/// The measurements of a run: those to come, and what is left of those taken. It follows from the
/// settings, what is recorded and where the trainer stands, and so needs no place in a checkpoint.
#[derive(Debug)]
pub struct Measuring {
    settings: Settings,
    /// If precision is measured as well.
    of_precision: Option<TableYardstick>,
    /// How many have been taken.
    taken: usize,
    /// The generation of the last measurement, or 0.
    last: u32,
    /// Champions that are still to be met, by the number of their measurement.
    ancestors: Vec<(usize, Ancestor)>,
    /// Champions that are due.
    due: VecDeque<(u32, Chromosome)>,
    /// The champion of the run and its generation, once there is one.
    champion: Option<(u32, Weights)>,
}

impl Measuring {
    /// Of a run of which nothing has been measured.
    pub fn new(settings: &Settings) -> Self {
        Measuring {
            settings: settings.clone(),
            of_precision: None,
            taken: 0,
            last: 0,
            ancestors: Vec::new(),
            due: VecDeque::new(),
            champion: None,
        }
    }

    /// The same measurements, and how near each champion is to perfect play.
    #[must_use]
    pub fn by_tables(self, tables: Arc<Tables>) -> Self {
        Measuring { of_precision: Some(TableYardstick::new(tables)), ..self }
    }

    /// No measurements, whatever the settings say.
    pub fn never(settings: &Settings) -> Self {
        Measuring::new(&Settings { measure_every: 0, ..settings.clone() })
    }

    /// Of a run that stands where `trainer` does, with the measurements that are recorded. Those that
    /// were due since are due now, as far as the champions are known: from what the optimiser keeps of
    /// them, or from `history`, the text of `history.csv`.
    pub fn resume(trainer: &Trainer, recorded: &[Measurement], history: &str) -> Self {
        let mut measuring = Measuring::new(trainer.settings());
        for measurement in recorded {
            measuring.enter(measurement);
        }
        for champion in measuring.missed(trainer, history, measuring.last) {
            measuring.expect(champion.generation, &champion.chromosome);
        }
        if trainer.generation() > measuring.last {
            measuring.note(trainer);
        }
        measuring
    }

    /// Takes note of the generation that has just been evaluated.
    pub fn note(&mut self, trainer: &Trainer) {
        if let Some(leader) = trainer.leader() {
            self.expect(trainer.generation(), &leader.candidate);
        }
    }

    /// Whether a measurement is due.
    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Takes the measurement that is due first. `None` if none is due, or the progress stopped it: it is
    /// then still due.
    pub fn take(&mut self, games: &dyn Games, progress: &dyn Progress) -> Option<Measurement> {
        let (generation, chromosome) = self.due.front()?.clone();
        let Settings { depth, options, measure_openings, .. } = self.settings;
        let met: Vec<Ancestor> = ancestors(self.taken).filter_map(|it| self.ancestor(it)).collect();
        let yardstick = Yardstick::new(self.settings.conditions(), measure_openings);
        let weights = self.settings.coding().weights(&chromosome);
        let against = yardstick.measure(&weights, &met, games, progress)?;
        let precision = match &mut self.of_precision {
            Some(yardstick) => Some(yardstick.measure(&weights, (depth, options), progress)?),
            None => None,
        };
        let (gate, is_champion) = self.gate(generation, &weights, PAIRS, games, progress)?;
        self.due.pop_front();
        let measurement =
            Measurement { generation, chromosome, against, precision, gate, is_champion };
        self.enter(&measurement);
        Some(measurement)
    }

    /// Whether the current champion should be measured before a run stops.
    pub fn is_outdated(&self, trainer: &Trainer) -> bool {
        self.settings.measure_every > 0 && trainer.generation() > self.last
    }

    /// Measures the current champion by a short test. It is not on the schedule, so resuming drops it. `None` if the
    /// progress stopped it.
    pub fn take_short(&self, trainer: &Trainer, progress: &dyn Progress) -> Option<Measurement> {
        let (generation, chromosome) = (trainer.generation(), trainer.leader()?.candidate);
        let weights = self.settings.coding().weights(&chromosome);
        let (conditions, openings) = short_test(&self.settings);
        let yardstick = Yardstick::new(conditions, openings);
        let games = trainer.plain_games();
        let against = yardstick.measure(&weights, &[], games, progress)?;
        let gate = self.gate(generation, &weights, SHORT_PAIRS, games, progress);
        // A gate that is not played to its end is not passed.
        let (gate, is_champion) = gate.unwrap_or_else(|| (Some(Vec::new()), false));
        Some(Measurement { generation, chromosome, against, precision: None, gate, is_champion })
    }

    /// The results of the gate that a candidate has to pass, if it has to, and whether it becomes champion. `None` if the
    /// progress stopped it.
    fn gate(
        &self,
        generation: u32,
        candidate: &Weights,
        pairs: usize,
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Option<(Option<Vec<GateTest>>, bool)> {
        let Settings { seed, panel, .. } = self.settings;
        let champion = self.champion.as_ref().filter(|_| panel == Panel::Second);
        let Some((before, champion)) = champion else { return Some((None, true)) };
        let conditions = self.settings.conditions();
        let gate = Gate { conditions: &conditions, seed, number: generation, pairs };
        let tests = gate.play(candidate, (*before, champion), games, progress)?;
        let is_passed = gate::is_passed(&tests, &conditions);
        Some((Some(tests), is_passed))
    }

    fn ancestor(&self, number: usize) -> Option<Ancestor> {
        let (_, ancestor) = self.ancestors.iter().find(|(other, _)| *other == number)?;
        Some(ancestor.clone())
    }

    /// The champions after generation `last` and before the trainer's that should have been measured and are
    /// known: from the history where that records leaders, from the hall of fame elsewhere.
    fn missed(&self, trainer: &Trainer, history: &str, last: u32) -> Vec<Champion> {
        let own = &trainer.settings().own;
        let is_missed =
            |it: u32| last < it && it < trainer.generation() && self.settings.measures(it);
        let is_recorded = |it: u32| own.recorded(it) != Recorded::FittestOnly;
        let mut missed =
            best_of_some(history, trainer.settings(), |it| is_missed(it) && is_recorded(it));
        let of_hall = trainer.hall().iter();
        let of_hall = of_hall.filter(|it| is_missed(it.generation) && !is_recorded(it.generation));
        missed.extend(of_hall.cloned());
        missed.sort_by_key(|it| it.generation);
        missed
    }

    fn expect(&mut self, generation: u32, chromosome: &Chromosome) {
        if self.settings.measures(generation) {
            self.due.push_back((generation, chromosome.clone()));
        }
    }

    fn enter(&mut self, measurement: &Measurement) {
        let generation = measurement.generation;
        let weights = self.settings.coding().weights(&measurement.chromosome);
        if measurement.is_champion {
            self.champion = Some((generation, weights.clone()));
        }
        self.ancestors.push((self.taken, Ancestor { generation, weights }));
        (self.taken, self.last) = (self.taken + 1, generation);
        let needed: Vec<usize> = ancestors(self.taken).collect();
        self.ancestors.retain(|(number, _)| needed.contains(number));
    }
}
