//! Groups of runs that differ only in the seed and are drawn as one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, Run, Stroke};
use evolve::run::Settings;

const MAX_SETTINGS: usize = 4;

/// Entries that are drawn as one curve. If entries are not grouped, each has a curve of its own.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) stroke: Stroke,
    /// Indices of the entries in this group, without duplicates.
    pub(crate) members: Vec<usize>,
}

impl Group {
    pub(crate) fn seeds(&self) -> String {
        match self.members.len() {
            1 => "1 seed".to_owned(),
            count => format!("{count} seeds"),
        }
    }
}

/// Puts each entry into a separate group.
pub(crate) fn single(entries: &[Entry]) -> Vec<Group> {
    let group = |(index, entry): (usize, &Entry)| Group {
        name: entry.name.clone(),
        stroke: entry.stroke,
        members: vec![index],
    };
    entries.iter().enumerate().map(group).collect()
}

/// Removes duplicate entries and groups the rest. The order of the result does not depend on the order of the entries.
pub(crate) fn grouped(entries: Vec<Entry>) -> (Vec<Entry>, Vec<Group>) {
    let (runs, others): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().partition(|entry| entry.run.is_some());
    let mut kinds: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in runs {
        kinds.entry(kind(&entry)).or_default().push(entry);
    }
    let mut kinds: Vec<Vec<Entry>> = kinds.into_values().map(distinct).collect();
    let settings: Vec<&Settings> = kinds.iter().filter_map(|kind| settings(&kind[0])).collect();
    let mut names = names(&settings);
    let mut others = others;
    others.sort_by(|a, b| a.name.cmp(&b.name));
    names.extend(others.iter().map(|entry| entry.name.clone()));
    kinds.extend(others.into_iter().map(|entry| vec![entry]));

    let mut named: Vec<(String, Vec<Entry>)> = names.into_iter().zip(kinds).collect();
    // Runs come before weights. The sort is stable, so groups of the same name keep their order.
    named.sort_by(|a, b| (a.1[0].run.is_none(), &a.0).cmp(&(b.1[0].run.is_none(), &b.0)));
    let (mut entries, mut groups) = (Vec::new(), Vec::new());
    for (index, (name, members)) in named.into_iter().enumerate() {
        let (stroke, first) = (Stroke::series(index), entries.len());
        entries.extend(members.into_iter().map(|entry| Entry { stroke, ..entry }));
        groups.push(Group { name, stroke, members: (first..entries.len()).collect() });
    }
    (entries, groups)
}

fn settings(entry: &Entry) -> Option<&Settings> {
    entry.run.as_ref().map(|run| &run.settings)
}

/// Returns a key that is equal for all runs in a group. It stands for all settings that affect a run's output, except
/// the seed.
fn kind(entry: &Entry) -> String {
    settings(entry).map(|it| Settings { seed: 0, ..it.clone() }.hash()).unwrap_or_default()
}

/// Sorts entries by seed. If a run is given twice, the entry that has reached the later generation is kept.
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

/// Names each group by its preset, and by those settings in which groups with the same preset differ.
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
