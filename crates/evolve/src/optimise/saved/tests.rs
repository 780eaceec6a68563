use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::optimise::settings::{METHODS, OptimiserSettings};
use crate::optimise::task::Task;
use crate::optimise::testing::{self, step};
use mancala::laws;

fn task(method: usize) -> Task {
    Task { has_finals: true, ..testing::task_of(METHODS[method]) }
}

fn settings(method: usize) -> Box<dyn OptimiserSettings> {
    let mut settings = (METHODS[method].settings)();
    let openings =
        if settings.entries().iter().any(|it| it.name == "length") { "1" } else { "start" };
    let tiny =
        [("population", "5"), ("openings", openings), ("positions", "200"), ("fit_every", "2")];
    for (name, value) in tiny {
        // Not every method has all of these settings.
        settings.set(name, value).unwrap_or(Ok(())).unwrap();
    }
    settings
}

/// Returns the state of a method after three steps, and the settings that hold its learned layers.
fn saved(method: usize) -> (Box<dyn OptimiserSettings>, Saved) {
    let settings = settings(method);
    let mut optimiser = settings.start(task(method), None).unwrap();
    (0..3).for_each(|_| step(&mut *optimiser));
    (settings, optimiser.save().unwrap())
}

#[derive(Debug, Clone)]
struct Damage {
    field: Index,
    place: Index,
    number: f64,
    whole: u32,
    hex: String,
}

fn damage() -> impl Strategy<Value = Damage> {
    let finite = [0.0, -1.0, 0.5, 1e6, 1e-12, 1e-160, 2e-162, 1e160, -1e308, f64::MAX];
    let numbers = [&finite[..], &[f64::NAN, f64::INFINITY]].concat();
    let number = prop_oneof![select(numbers), any::<f64>()];
    let whole = prop_oneof![0..5u32, select(vec![u32::MAX, 255, 10_000_001])];
    let hex = prop_oneof![Just("0".repeat(48)), Just("f".repeat(48)), "[0-9a-g]{0,60}"];
    (any::<Index>(), any::<Index>(), number, whole, hex)
        .prop_map(|(field, place, number, whole, hex)| Damage { field, place, number, whole, hex })
}

fn one_of<'a, T>(list: &'a mut [T], place: &Index) -> Option<&'a mut T> {
    if list.is_empty() { None } else { Some(place.get_mut(list)) }
}

impl Damage {
    fn of_step(&self, last: &mut SavedStep) {
        match self.field.index(5) {
            0 => last.generation = self.whole,
            1 => *self.place.get_mut(&mut last.members) = self.hex.clone(),
            2 => *self.place.get_mut(&mut last.fitness) = u64::MAX >> (self.whole % 64),
            3 => drop(last.members.pop()),
            _ => drop(last.fitness.pop()),
        }
    }

    fn of_pairings(&self, pairings: &mut Pairings) {
        let Damage { place, whole, hex, .. } = self;
        let result = one_of(&mut pairings.results, place);
        match (self.field.index(7), result) {
            (0, Some(result)) => result.0 = *whole,
            (1, Some(result)) => result.1 = *whole,
            (2, Some(result)) => result.2 = *whole as u8,
            (3, Some(result)) => result.3 = *whole,
            (4, _) => pairings.chromosomes.iter_mut().take(1).for_each(|it| it.clone_from(hex)),
            (5, _) => pairings.hall.push((*whole, hex.clone())),
            _ => pairings.hall.iter_mut().take(1).for_each(|it| it.0 = *whole),
        }
    }

    fn of_iterations(
        &self,
        SavedIterations { layer, pairings, past, fitted }: &mut SavedIterations,
    ) {
        match self.whole {
            0 => *layer ^= 1 << self.place.index(32),
            1 => past.push((self.field.index(5) as u32, self.hex.clone())),
            2 => past.iter_mut().for_each(|it| it.0 = 0),
            3 => fitted.clone_from(&self.hex),
            _ => self.of_pairings(pairings),
        }
    }

    fn of_numbers(&self, Numbers(numbers): &mut Numbers) {
        let mut lists: Vec<&mut Vec<f64>> = numbers.values_mut().collect();
        let list = self.field.get_mut(&mut lists);
        match self.whole {
            0 => drop(list.pop()),
            1 => list.push(self.number),
            2 => list.fill(self.number),
            _ => one_of(list, &self.place).into_iter().for_each(|it| *it = self.number),
        }
    }
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// A modified state is either rejected, or the optimiser can continue from it.
    #[test]
    fn a_changed_state_is_refused_or_valid(
        method in 0..METHODS.len(), of_step: bool, damage in damage(),
    ) {
        let (settings, mut changed) = saved(method);
        match &mut changed.memory {
            _ if of_step => damage.of_step(&mut changed.last),
            Memory::Pairings(pairings) => damage.of_pairings(pairings),
            Memory::Numbers(numbers) => damage.of_numbers(numbers),
            Memory::Iterations(iterations) => damage.of_iterations(iterations),
            Memory::Islands(_) => unreachable!("an optimiser without islands"),
        }
        if let Ok(mut optimiser) = settings.start(task(method), Some(changed)) {
            step(&mut *optimiser);
            let coding = settings.coding(&task(method));
            coding.weights(&optimiser.current_champion().unwrap().chromosome);
            for member in &optimiser.last().unwrap().members {
                coding.weights(member);
            }
            let saved = optimiser.save().unwrap();
            prop_assert!(settings.start(task(method), Some(saved)).is_ok());
        }
    }
}

#[test]
fn a_saved_state_loads() {
    for (index, method) in METHODS.iter().enumerate() {
        let (settings, saved) = saved(index);
        let loaded = settings.start(task(index), Some(saved.clone())).unwrap();
        assert_eq!(loaded.save(), Some(saved), "{}", method.name);
    }
}
