//! Examines the layers of endgame tables.

use std::collections::BTreeMap;
use std::path::Path;

use mancala::endgame::identify_layer;
use mancala::game::ayo::Rules;

use super::ExaminedFile;
use crate::terminal::{shell::command, shell::typed};

const LAYER: &str = "a layer of endgame tables";

/// Returns whether a file is a table layer rather than a learned layer. The caller has already excluded books.
pub(super) fn is_layer(file: &str) -> bool {
    file.ends_with(".ayo") && !file.starts_with('.') && !evolve::run::is_layer(file)
}

/// Examines the layers in a folder. Layers that are missing below the largest layer are reported, too.
pub(super) fn examine(folder: &Path, names: &[String]) -> Vec<ExaminedFile> {
    // A map from file-name prefix (i.e. rule set) to the largest layer. This requires that `names` is sorted.
    let mut largest: BTreeMap<&str, u8> = BTreeMap::new();
    let mut files = Vec::new();
    for file in names.iter().filter(|file| is_layer(file)) {
        files.push(match identify_layer(&folder.join(file)) {
            Ok((rules, seeds)) => {
                largest.extend(parts(file).map(|(stem, _)| (stem, seeds)));
                ExaminedFile::sound(file, format!("the layer for seeds {seeds} and rules {rules}"))
            }
            Err(reason) => ExaminedFile::damaged(file, LAYER, reason),
        });
    }
    for (stem, most) in largest {
        for seeds in 0..most {
            let file = format!("{stem}{seeds:02}.ayo");
            if !names.contains(&file) {
                let damage = "it is missing, but larger layers exist";
                files.push(ExaminedFile::damaged(&file, LAYER, damage));
            }
        }
    }
    files.sort_by(|one, other| one.file.cmp(&other.file));
    // A build continues from the highest layer, so the command that rebuilds the lowest damaged layer of a rule set
    // also rebuilds all layers above it.
    let mut lowest: BTreeMap<String, String> = BTreeMap::new();
    let offered = files.into_iter().map(|file| {
        let Some((stem, _)) = parts(&file.file).filter(|_| file.damage.is_some()) else {
            return file;
        };
        if let Some(lowest) = lowest.get(stem) {
            return file.saved_by(format!("solved again by the command for {lowest}"), None);
        }
        lowest.insert(stem.to_owned(), file.file.clone());
        offer_rebuild(folder, names, file)
    });
    offered.collect()
}

/// Adds the command to rebuild a damaged layer and the layers above it.
fn offer_rebuild(folder: &Path, names: &[String], damaged: ExaminedFile) -> ExaminedFile {
    let Some((stem, seeds)) = parts(&damaged.file) else { return damaged };
    let Some(rules) = rules_of(folder, names, stem) else { return damaged };
    let is_above =
        |name: &&String| parts(name).is_some_and(|(other, own)| other == stem && own >= seeds);
    let above: Vec<&String> = names.iter().filter(is_above).collect();
    let most = above.iter().filter_map(|name| parts(name)).map(|(_, own)| own).fold(seeds, u8::max);
    let paths = above.iter().map(|name| folder.join(name).to_string_lossy().into_owned());
    let remove: Vec<String> = ["rm", "--"].map(String::from).into_iter().chain(paths).collect();
    let (most, rules, out) = (most.to_string(), rules.to_string(), folder.to_string_lossy());
    let build = ["endgame", "build", "--seeds", &most, "--rules", &rules, "--out", &out];
    let command = format!("{} && {}", typed(&remove), command(&build));
    let saved = format!("layers of fewer than {seeds} seeds are kept; the others are solved again");
    damaged.saved_by(saved, Some(command))
}

fn rules_of(folder: &Path, names: &[String], stem: &str) -> Option<Rules> {
    let layers = names.iter().filter(|name| parts(name).is_some_and(|(other, _)| other == stem));
    let mut rules = layers.filter_map(|name| Some(identify_layer(&folder.join(name)).ok()?.0));
    rules.next().or_else(|| stem.trim_end_matches('-').parse().ok())
}

fn parts(file: &str) -> Option<(&str, u8)> {
    let name = file.strip_suffix(".ayo")?;
    let (stem, seeds) = name.split_at_checked(name.len().checked_sub(2)?)?;
    Some((stem, seeds.parse().ok()?))
}
