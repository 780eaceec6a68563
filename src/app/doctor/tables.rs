//! The layers of endgame tables.

use std::collections::BTreeMap;
use std::path::Path;

use super::shell::Shell;
use crate::results::ExaminedFile;
use mancala::endgame::examine_layer;
use mancala::game::ayo::Rules;

/// Whether a file that lies in no run folder is meant as a layer.
pub(super) fn is_layer(file: &str) -> bool {
    file.ends_with(".ayo") && !file.starts_with('.')
}

/// Examines the layers in a folder, and says which are missing below others.
pub(super) fn examine(folder: &Path, names: &[String], shell: &Shell) -> Vec<ExaminedFile> {
    let rebuild = Rebuild { folder, names, shell };
    let mut whole: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut files = Vec::new();
    for file in names.iter().filter(|file| is_layer(file)) {
        files.push(match examine_layer(&folder.join(file)) {
            Ok((rules, seeds)) => {
                whole.entry(rules.to_string()).or_default().push(seeds);
                ExaminedFile::sound(file, format!("the layer of seeds {seeds}, rules {rules}"))
            }
            Err(reason) => ExaminedFile::damaged(file, LAYER, reason),
        });
    }
    for (rules, seeds) in whole {
        let most = seeds.iter().max().copied().unwrap_or(0);
        let files_below = (0..most).map(|seeds| format!("{}{seeds:02}.ayo", stem(&rules)));
        let missing = files_below.filter(|file| !names.contains(file));
        let told = |file: String| ExaminedFile::damaged(&file, LAYER, "it is missing below others");
        files.extend(missing.map(told));
    }
    files.sort_by(|one, other| one.file.cmp(&other.file));
    rebuild.offer_once(files)
}

const LAYER: &str = "a layer of endgame tables";

/// How layers are solved again.
struct Rebuild<'a> {
    folder: &'a Path,
    names: &'a [String],
    shell: &'a Shell,
}

impl Rebuild<'_> {
    /// The lowest damaged layer of some rules with the command that solves it again. That command solves those above
    /// it as well, so it is the only one: a build goes on where layers end.
    fn offer_once(&self, files: Vec<ExaminedFile>) -> Vec<ExaminedFile> {
        let mut lowest: BTreeMap<String, String> = BTreeMap::new();
        let offered = files.into_iter().map(|file| {
            let Some((stem, _)) = parts(&file.file).filter(|_| file.damage.is_some()) else {
                return file;
            };
            let stem = stem.to_owned();
            if let Some(lowest) = lowest.get(&stem) {
                return file.saved_by(format!("solved again by the command for {lowest}"), None);
            }
            lowest.insert(stem, file.file.clone());
            self.offer(file)
        });
        offered.collect()
    }

    /// A damaged layer with the command that solves it again, and those above it.
    fn offer(&self, damaged: ExaminedFile) -> ExaminedFile {
        let Some((stem, seeds)) = parts(&damaged.file) else { return damaged };
        let Some(rules) = self.rules(stem) else { return damaged };
        let above = |name: &&String| parts(name).is_some_and(|it| it.0 == stem && it.1 >= seeds);
        let gone: Vec<&String> = self.names.iter().filter(above).collect();
        let most = gone.iter().filter_map(|name| Some(parts(name)?.1)).max().unwrap_or(seeds);
        let path = |name: &String| self.folder.join(name).to_string_lossy().into_owned();
        let remove: Vec<String> =
            ["rm".into(), "--".into()].into_iter().chain(gone.into_iter().map(path)).collect();
        let remove: Vec<&str> = remove.iter().map(String::as_str).collect();
        let (most, rules, out) =
            (most.to_string(), rules.to_string(), self.folder.to_string_lossy());
        let build = ["endgame", "build", "--seeds", &most, "--rules", &rules, "--out", &out];
        let command = format!("{} && {}", self.shell.words(&remove), self.shell.ayo(&build));
        let saved =
            format!("layers of fewer than {seeds} seeds stay; from there on they are solved again");
        damaged.saved_by(saved, Some(command))
    }

    /// The rules that the names of files stand for.
    fn rules(&self, of: &str) -> Option<Rules> {
        let whole = self.names.iter().filter(|name| parts(name).is_some_and(|it| it.0 == of));
        let mut rules =
            whole.filter_map(|name| Some(examine_layer(&self.folder.join(name)).ok()?.0));
        rules.next().or_else(|| of.trim_end_matches('-').parse().ok())
    }
}

/// What the names of the layers of some rules begin with.
fn stem(rules: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    rules.chars().map(plain).chain(['-']).collect()
}

/// The name of a layer up to its number of seeds, and that.
fn parts(file: &str) -> Option<(&str, u8)> {
    let name = file.strip_suffix(".ayo")?;
    let (stem, seeds) = name.split_at_checked(name.len().checked_sub(2)?)?;
    Some((stem, seeds.parse().ok()?))
}
