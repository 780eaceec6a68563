//! What the features mean, as short as a label needs it.

use std::cmp::Reverse;

use crate::eval::Feature;

/// What a feature counts, where the name is known.
pub(super) fn meaning(name: &str) -> Option<&'static str> {
    Feature::from_name(name).map(Feature::meaning)
}

/// The name and, where it is known, the meaning.
pub(super) fn title(name: &str) -> String {
    match meaning(name) {
        Some(meaning) => format!("{name}: {meaning}"),
        None => name.to_owned(),
    }
}

/// The names of all lists, each once. The longest list leads, so that a run with
/// fewer features does not disturb the order of the others.
pub(super) fn union<'a>(lists: impl Iterator<Item = &'a Vec<String>>) -> Vec<&'a str> {
    let mut lists: Vec<_> = lists.collect();
    lists.sort_by_key(|list| Reverse(list.len()));
    let mut union: Vec<&str> = Vec::new();
    for name in lists.into_iter().flatten() {
        if !union.contains(&name.as_str()) {
            union.push(name);
        }
    }
    union
}
