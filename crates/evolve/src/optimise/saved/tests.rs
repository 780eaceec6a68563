use std::sync::LazyLock;

use mancala::laws::prelude::*;
use proptest::sample::{Index, select};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::*;
use crate::optimise::testing::{self, step};
use crate::optimise::{Executor, METHODS, Method, Optimiser, OptimiserSettings, Task, WorkError};
use crate::run::Checkpoint;
use crate::testing::pairs;

fn task(method: usize) -> Task {
    Task { has_finals: true, ..testing::task_of(METHODS[method]) }
}

fn settings(method: usize) -> Box<dyn OptimiserSettings> {
    let mut settings = (METHODS[method].settings)();
    let tiny = "population=5 openings=1 openings=start mutation_rate=0.03 hall_of_fame=1 positions=200 \
                label_depth=1 epochs=1 fit_every=4 gate_openings=1";
    for (name, value) in pairs(tiny) {
        // Not every method has all of these settings or accepts all of these values.
        let _ = settings.set(name, value);
    }
    settings
}

/// For each method, its settings (including learned layers) and its state after five steps.
static SAVED: LazyLock<Vec<(Box<dyn OptimiserSettings>, Saved)>> = LazyLock::new(|| {
    let saved = |method| {
        let settings = settings(method);
        let mut optimiser = settings.start(task(method), None).unwrap();
        (0..5).for_each(|_| step(&mut *optimiser));
        (settings, optimiser.save().unwrap())
    };
    (0..METHODS.len()).map(saved).collect()
});

#[derive(Debug, Clone)]
struct Damage {
    field: Index,
    place: Index,
    whole: u64,
    hex: String,
}

fn damage() -> impl Strategy<Value = Damage> {
    let whole = prop_oneof![0..5u64, select(vec![u64::MAX, u32::MAX.into(), 255, 10_000_001])];
    let hex = prop_oneof![Just("0".repeat(48)), Just("f".repeat(48)), "[0-9a-g]{0,60}"];
    let parts = (any::<Index>(), any::<Index>(), whole, hex);
    parts.prop_map(|(field, place, whole, hex)| Damage { field, place, whole, hex })
}

impl Damage {
    /// Changes a number, string or list in a part of a state. Returns whether the part can still be deserialised.
    fn change<T: Serialize + DeserializeOwned>(&self, part: &mut T) -> bool {
        let mut value = serde_json::to_value(&*part).unwrap();
        self.change_value(&mut value);
        serde_json::from_value(value).map(|changed| *part = changed).is_ok()
    }

    fn change_value(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                let nth = self.field.index(fields.len());
                self.change_value(fields.values_mut().nth(nth).unwrap());
            }
            Value::Array(items) if self.whole > 1 && !items.is_empty() => {
                self.change_value(self.place.get_mut(items));
            }
            Value::Array(items) if self.whole == 0 => drop(items.pop()),
            Value::Array(items) => items.extend(items.first().cloned()),
            Value::String(text) => text.clone_from(&self.hex),
            other => *other = self.whole.into(),
        }
    }
}

/// Returns `true` if a state is refused, or if the optimiser can continue from it.
fn is_refused_or_valid(method: usize, changed: Saved) -> bool {
    let settings = &SAVED[method].0;
    let Ok(mut optimiser) = settings.start(task(method), Some(changed)) else { return true };
    step(&mut *optimiser);
    let coding = settings.coding(&task(method));
    coding.weights(&optimiser.current_champion().unwrap().chromosome);
    for member in &optimiser.last().unwrap().members {
        coding.weights(member);
    }
    settings.start(task(method), Some(optimiser.save().unwrap())).is_ok()
}

laws! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn a_changed_state_is_refused_or_valid(
        method in 0..METHODS.len(), of_step: bool, damage in damage(),
    ) {
        let mut changed = SAVED[method].1.clone();
        let is_read = match &mut changed.memory {
            _ if of_step => damage.change(&mut changed.last),
            Memory::Pairings(pairings) => damage.change(pairings),
            Memory::Iterations(iterations) => damage.change(iterations),
            Memory::Numbers(_) | Memory::Islands(_) => damage.change(&mut changed.last),
        };
        prop_assert!(!is_read || is_refused_or_valid(method, changed));
    }
}

#[test]
fn damaged_numbers_are_refused_or_valid() {
    let finite = [0.0, -1.0, 0.5, 1e6, 1e-12, 1e-160, 2e-162, 1e160, -1e308, f64::MAX];
    for (method, (settings, saved)) in SAVED.iter().enumerate() {
        let Memory::Numbers(numbers) = &saved.memory else { continue };
        for (name, list) in numbers {
            let what = format!("{}: {name}", METHODS[method].name);
            let changed = |change: &dyn Fn(&mut Vec<f64>)| {
                let mut numbers = numbers.clone();
                change(numbers.get_mut(name).unwrap());
                Saved { memory: Memory::Numbers(numbers), ..saved.clone() }
            };
            for number in finite.into_iter().chain([f64::NAN, f64::INFINITY]) {
                for places in (0..list.len()).map(|it| it..it + 1).chain(Some(0..list.len())) {
                    let changed = changed(&|list| list[places.clone()].fill(number));
                    assert!(is_refused_or_valid(method, changed), "{what}, {places:?}: {number}");
                }
            }
            for length in list.len().checked_sub(1).into_iter().chain([list.len() + 1]) {
                let changed = changed(&|list| list.resize(length, 0.5));
                let started = settings.start(task(method), Some(changed));
                assert!(started.is_err(), "{what}, {length} long");
            }
        }
    }
}

struct Stopped;

impl Executor for Stopped {
    fn games(&mut self, _: &arena::Batch) -> Result<Vec<arena::Outcome>, WorkError> {
        Err(WorkError::Stopped)
    }
}

/// Checks that `save` omits nothing that later steps need.
#[test]
fn a_run_restored_after_every_step_continues_unchanged() {
    for (index, Method { name, .. }) in METHODS.iter().enumerate() {
        let settings = settings(index);
        let start = |saved| settings.start(task(index), saved).unwrap();
        let checkpoint = |optimiser: &dyn Optimiser| {
            Checkpoint::new(String::new(), optimiser.save().unwrap()).encode()
        };
        let [mut undisturbed, mut restored] = [start(None), start(None)];
        for number in 1..=12 {
            step(&mut *undisturbed);
            step(&mut *restored);
            let bytes = checkpoint(&*restored);
            assert!(bytes == checkpoint(&*undisturbed), "{name}: state of step {number} not saved");
            let load = || start(Some(Checkpoint::decode(&bytes).unwrap().saved));
            restored = load();
            if restored.step(&mut Stopped).is_ok() {
                // The step succeeded because the results of all its games were cached. Go back to the saved state.
                restored = load();
            }
            assert!(checkpoint(&*restored) == bytes, "{name}: a saved state changes");
            assert_eq!(restored.current_champion(), undisturbed.current_champion());
            assert_eq!(restored.past_champions(), undisturbed.past_champions());
        }
    }
}
