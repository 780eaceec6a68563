//! The optimisers that there are. Another one is its own file and a line here.

use super::method::{Method, Preset};
use super::{cma_es, genetic, learned, random_search, spsa};

/// All of them, in the order in which their presets are listed.
pub static METHODS: &[&Method] =
    &[&genetic::METHOD, &learned::METHOD, &random_search::METHOD, &cma_es::METHOD, &spsa::METHOD];

/// All presets with the methods that they are of.
pub fn presets() -> impl Iterator<Item = (&'static Method, &'static Preset)> {
    METHODS.iter().flat_map(|&method| method.presets.iter().map(move |it| (method, it)))
}

/// The preset of a name, and its method.
pub fn preset(name: &str) -> Option<(&'static Method, &'static Preset)> {
    presets().find(|(_, preset)| preset.name == name)
}
