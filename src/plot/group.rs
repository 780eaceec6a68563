//! Groups of runs that differ only in their seed and are drawn as one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Run, Stroke};
use crate::terminal::counted;
use evolve::run::Settings;

const MAX_SETTINGS: usize = 4;

/// Entries that are drawn as one curve. By default, each entry is a group of its own.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) entries: Vec<Entry>,
}

impl Group {
    pub(crate) fn runs(&self) -> impl Iterator<Item = (&Entry, &Run)> {
        self.entries.iter().filter_map(|entry| Some((entry, entry.run.as_ref()?)))
    }

    pub(crate) fn stroke(&self) -> Stroke {
        self.entries[0].stroke
    }

    pub(crate) fn seeds(&self) -> String {
        counted(self.entries.len() as u64, "seed")
    }
}

/// Removes duplicate runs and groups the remaining entries. The result doesn't depend on the order of `entries`.
pub(crate) fn grouped(entries: Vec<Entry>) -> Vec<Group> {
    let (runs, mut others): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().partition(|entry| entry.run.is_some());
    let mut kinds: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in runs {
        kinds.entry(kind(&entry)).or_default().push(entry);
    }
    let kinds: Vec<Vec<Entry>> = kinds.into_values().map(distinct).collect();
    let settings: Vec<&Settings> = kinds.iter().filter_map(|kind| settings(&kind[0])).collect();
    let mut named: Vec<(String, Vec<Entry>)> = names(&settings).into_iter().zip(kinds).collect();
    named.sort_by(|a, b| a.0.cmp(&b.0));
    others.sort_by(|a, b| a.name.cmp(&b.name));
    named.extend(others.into_iter().map(|entry| (entry.name.clone(), vec![entry])));
    named.into_iter().map(|(name, entries)| Group { name, entries }).collect()
}

fn settings(entry: &Entry) -> Option<&Settings> {
    entry.run.as_ref().map(|run| &run.settings)
}

/// Returns the key for grouping runs: a hash of all settings that affect the output of a run, except the seed.
fn kind(entry: &Entry) -> String {
    settings(entry).map(|it| Settings { seed: 0, ..it.clone() }.hash()).unwrap_or_default()
}

/// Sorts entries by seed. If a run was given twice, keeps the entry with more generations.
fn distinct(mut entries: Vec<Entry>) -> Vec<Entry> {
    let seed = |entry: &Entry| settings(entry).map(|it| (it.seed, it.parent.clone()));
    let reached = |entry: &Entry| entry.run.as_ref().map_or(0, |run: &Run| run.reached);
    entries.sort_by(|a, b| {
        let by_seed = seed(a).cmp(&seed(b));
        by_seed.then(reached(b).cmp(&reached(a))).then_with(|| a.name.cmp(&b.name))
    });
    entries.dedup_by(|later, first| seed(later) == seed(first));
    entries
}

/// Names each group after its preset, and adds the settings that distinguish groups with the same preset.
fn names(all: &[&Settings]) -> Vec<String> {
    let values = |it: &Settings| -> BTreeMap<&'static str, String> {
        let entries = it.entries().into_iter();
        let told =
            entries.filter(|it| !["preset", "parent", "seed", "generations"].contains(&it.name));
        told.map(|it| (it.name, it.plain().to_owned())).collect()
    };
    let name = |own: &&Settings| {
        let rivals = || all.iter().filter(|other| other.preset == own.preset);
        let differs = |(name, value): &(&&str, &String)| {
            let others: BTreeSet<Option<String>> =
                rivals().map(|other| values(other).remove(**name)).collect();
            others.iter().any(|other| other.as_ref() != Some(*value))
        };
        let own_values = values(own);
        let told = own_values.iter().filter(differs).take(MAX_SETTINGS);
        let told = told.map(|(name, value)| format!("{name}={value}"));
        [own.preset.clone()].into_iter().chain(told).collect::<Vec<_>>().join(" ")
    };
    all.iter().map(name).collect()
}
