//! Schedules strength measurements during a run.

use std::collections::VecDeque;

use mancala::eval::{GateTest, Weights};

use super::{
    Measurement, PAIRS, Panel, SHORT_PAIRS, Settings, TableAccuracyTest, Trainer, best_of_some,
    champion, gate, past_opponents, short_test,
};
use crate::games::GameRunner;
use crate::optimise::{Champion, RecordedChampion, WorkError};

/// The schedule of strength measurements. It depends on the settings, the recorded tables and the trainer.
#[derive(Debug)]
pub struct Measuring {
    settings: Settings,
    /// A test for the accuracy of each champion, if the run uses endgame tables.
    pub(super) table_accuracy: Option<TableAccuracyTest>,
    /// The measured champions, oldest first.
    measured: Vec<Champion>,
    due: VecDeque<Champion>,
    champion: Option<Weights>,
}

impl Measuring {
    /// Restores the schedule of a run. Missed measurements are due now if their champions are known.
    pub fn resume(trainer: &Trainer, recorded: &[Measurement], history: &str) -> Self {
        let mut measuring = Measuring {
            settings: trainer.settings().clone(),
            table_accuracy: None,
            measured: Vec::new(),
            due: VecDeque::new(),
            champion: None,
        };
        for measurement in recorded {
            measuring.enter(measurement);
        }
        for champion in measuring.missed(trainer, history) {
            measuring.expect(champion);
        }
        if trainer.generation() > measuring.last() {
            measuring.note(trainer);
        }
        measuring
    }

    fn last(&self) -> u32 {
        self.measured.last().map_or(0, |it| it.generation)
    }

    /// Schedules a measurement of the last evaluated generation if the settings call for one.
    pub fn note(&mut self, trainer: &Trainer) {
        if let Some(leader) = trainer.current_champion() {
            self.expect(leader);
        }
    }

    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    /// Takes the oldest pending measurement. Panics if none [is due](Self::is_due).
    pub fn take(&mut self, runner: GameRunner) -> Result<Measurement, WorkError> {
        let Champion { generation, chromosome, .. } = self.due[0].clone();
        let past = past_opponents(self.measured.len());
        let past: Vec<Weights> =
            past.map(|index| champion(&self.settings, &self.measured[index])).collect();
        let weights = self.settings.coding().weights(&chromosome);
        let against = self.settings.measure(&weights, &past, runner)?;
        let accuracy = match &mut self.table_accuracy {
            Some(test) => Some(test.measure(&self.settings, &weights, runner.progress)?),
            None => None,
        };
        let (gate, is_champion) = self.gate(generation, &weights, PAIRS, runner)?;
        self.due.pop_front();
        let measurement =
            Measurement { generation, chromosome, against, accuracy, gate, is_champion };
        self.enter(&measurement);
        Ok(measurement)
    }

    /// Returns whether the current champion should be measured before the run stops.
    pub fn is_outdated(&self, trainer: &Trainer) -> bool {
        self.settings.measure_every > 0 && trainer.generation() > self.last()
    }

    /// Measures the current champion with a short test. This measurement is discarded when the run is resumed.
    pub fn take_short(
        &self,
        trainer: &Trainer,
        runner: GameRunner,
    ) -> Result<Measurement, WorkError> {
        let champion = trainer.current_champion().expect("a generation was evaluated");
        let Champion { generation, chromosome, .. } = champion;
        let weights = self.settings.coding().weights(&chromosome);
        let against = short_test(&self.settings).measure(&weights, &[], runner)?;
        let gate = self.gate(generation, &weights, SHORT_PAIRS, runner);
        // If the gate was not finished, then the candidate has not passed it.
        let (gate, is_champion) = gate.unwrap_or_else(|_| (Some(Vec::new()), false));
        Ok(Measurement { generation, chromosome, against, accuracy: None, gate, is_champion })
    }

    /// Plays the gate tests, if there are any. Returns the tests and whether the candidate becomes champion.
    fn gate(
        &self,
        generation: u32,
        candidate: &Weights,
        pairs: usize,
        runner: GameRunner,
    ) -> Result<(Option<Vec<GateTest>>, bool), WorkError> {
        let settings = &self.settings;
        let champion = self.champion.as_ref().filter(|_| settings.panel == Panel::Second);
        let Some(champion) = champion else { return Ok((None, true)) };
        let tests = settings.play_gate((generation, pairs), [candidate, champion], runner)?;
        let is_passed = gate::is_passed(&tests, settings);
        Ok((Some(tests), is_passed))
    }

    /// Returns the known champions that should have been measured after the last measurement, but weren't.
    fn missed(&self, trainer: &Trainer, history: &str) -> Vec<Champion> {
        let (own, last) = (&trainer.settings().own, self.last());
        let is_missed =
            |it: u32| last < it && it < trainer.generation() && self.settings.measures(it);
        let is_recorded = |it: u32| own.recorded(it) != RecordedChampion::FittestOnly;
        let mut missed =
            best_of_some(history, trainer.settings(), |it| is_missed(it) && is_recorded(it));
        let of_hall = trainer.optimiser().past_champions().iter();
        let of_hall = of_hall.filter(|it| is_missed(it.generation) && !is_recorded(it.generation));
        missed.extend(of_hall.cloned());
        missed.sort_by_key(|it| it.generation);
        missed.dedup_by_key(|it| it.generation);
        missed
    }

    fn expect(&mut self, champion: Champion) {
        if self.settings.measures(champion.generation) {
            self.due.push_back(champion);
        }
    }

    fn enter(&mut self, measurement: &Measurement) {
        let past = Champion::past(measurement.generation, measurement.chromosome.clone());
        if measurement.is_champion {
            self.champion = Some(champion(&self.settings, &past));
        }
        self.measured.push(past);
    }
}
