//! What the features mean, as short as a label needs it.

use std::cmp::Reverse;

/// The meaning of a feature and the sign with which it enters the evaluation.
pub(super) fn meaning(name: &str) -> Option<(&'static str, i32)> {
    Some(match name {
        "a1" => ("opponent's pits that capture 2", -1),
        "a2" => ("opponent's pits that capture 3", -1),
        "a3" => ("my pits that capture 2", 1),
        "a4" => ("my pits that capture 3", 1),
        "a5" => ("opponent's pits that reach my row", -1),
        "a6" => ("my pits that reach the other row", 1),
        "a7" => ("opponent's pits above 12 seeds", -1),
        "a8" => ("my pits above 12 seeds", 1),
        "a9" => ("seeds the opponent has captured", -1),
        "a10" => ("seeds I have captured", 1),
        "a11" => ("opponent's empty pits", 1),
        "a12" => ("my empty pits", -1),
        "a13" => ("opponent's pits with 1 or 2 seeds", 1),
        "a14" => ("my pits with 1 or 2 seeds", -1),
        _ => return None,
    })
}

/// The name and, where it is known, the meaning.
pub(super) fn title(name: &str) -> String {
    match meaning(name) {
        Some((meaning, _)) => format!("{name}: {meaning}"),
        None => name.to_owned(),
    }
}

/// The sign that a weight of this feature gets by convention.
pub(super) fn sign(name: &str) -> i32 {
    meaning(name).map_or(1, |(_, sign)| sign)
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
