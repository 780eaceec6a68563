//! Reads the past champions and the last population of a run, and branches from a run.

use std::collections::BTreeMap;
use std::path::Path;

use mancala::eval::Weights;
use mancala::store::{self, FileError};

use super::{
    Checkpoint, Draft, FolderError, HISTORY, Panel, RecordedTable, RunFolder, STRENGTH,
    SettingError, Settings, Trainer, best_of_generation, best_of_some, champion, checkpoints,
    measured_champions, read_toml,
};
use crate::optimise::{Champion, Chromosome, RecordedChampion, SettingRefusal, ranking};

/// Reads the weights of a generation's fittest member if `fittest` is set. Otherwise, reads the weights of the
/// candidate that would have become champion if the run had ended then. Note that the champion may not have been
/// recorded if it isn't the fittest member of its generation.
pub fn weights_of_generation(
    folder: &Path,
    generation: u32,
    fittest: bool,
) -> Result<Weights, FolderError> {
    let settings = RunFolder::settings(folder)?;
    let recorded = RecordedTable::read(folder, HISTORY)?;
    let best = best_of_generation(recorded.verified(), generation, &settings);
    let best = best.map_err(|reason| {
        let changed = recorded.changed.as_ref();
        let changed = changed.map(|it| format!("line {} {}", it.line, it.damage));
        FolderError::invalid(&folder.join(HISTORY), changed.unwrap_or(reason))
    })?;
    let recorded = settings.own.recorded(generation);
    let unknown = |reason: String| Err(FolderError::invalid(folder, reason));
    match (fittest, recorded) {
        (true, RecordedChampion::ChampionOnly) => {
            let optimiser = settings.method.name;
            return unknown(format!(
                "{optimiser} records only the leader of a generation: omit --fittest"
            ));
        }
        (_, RecordedChampion::ChampionOnly) => {
            return Ok(champion(&settings, &Champion { fitness: None, ..best }));
        }
        (true, _) => return Ok(champion(&settings, &best)),
        (false, _) => {}
    }
    let known = champions(folder, &settings)?;
    if let Some(leader) = known.iter().find(|it| it.generation == generation) {
        let of_best = best.fitness.filter(|_| leader.chromosome == best.chromosome);
        let fitness = leader.fitness.or(of_best);
        return Ok(champion(&settings, &Champion { fitness, ..leader.clone() }));
    }
    if recorded == RecordedChampion::FittestIsChampion {
        return Ok(champion(&settings, &best));
    }
    let generations = || known.iter().map(|it| it.generation);
    let before = generations().filter(|&it| it < generation).max();
    let after = generations().filter(|&it| it > generation).min();
    let known: Vec<String> = before.into_iter().chain(after).map(|it| it.to_string()).collect();
    let known = if known.is_empty() { "none".into() } else { known.join(" and ") };
    unknown(format!(
        "the champion of generation {generation} is not its fittest member and was not recorded (recorded: {known}); \
         use --fittest to select the fittest member instead"
    ))
}

pub(super) fn recorded_champions(
    folder: &Path,
    settings: &Settings,
) -> Result<BTreeMap<u32, Chromosome>, FileError> {
    let history = RecordedTable::read(folder, HISTORY)?;
    let is_champion = |it: u32| settings.own.recorded(it) != RecordedChampion::FittestOnly;
    let best = best_of_some(history.verified(), settings, is_champion).into_iter();
    let known = champions(folder, settings)?.into_iter().rev();
    Ok(best.chain(known).map(|it| (it.generation, it.chromosome)).collect())
}

/// Collects all known champions. Champions in checkpoints come first, because checkpoints include the fitness.
fn champions(folder: &Path, settings: &Settings) -> Result<Vec<Champion>, FileError> {
    let mut known = Vec::new();
    let mut hall = Vec::new();
    for (_, file) in checkpoints(folder)? {
        let Ok(Ok(checkpoint)) = store::read(&file).map(|it| Checkpoint::decode(&it)) else {
            continue;
        };
        let Ok(trainer) = Trainer::restore(settings.clone(), checkpoint) else { continue };
        known.extend(trainer.current_champion());
        hall = trainer.optimiser().past_champions().to_vec();
    }
    let measured = RecordedTable::read(folder, STRENGTH)?;
    known.extend(measured_champions(measured.verified(), settings).into_iter().chain(hall));
    Ok(known)
}

/// Restores the run in `parent` from its newest checkpoint, with changes to its settings.
pub fn branch(parent: &Path, changes: &[(String, String)]) -> Result<Trainer, FolderError> {
    let from = RunFolder::settings(parent)?;
    let checkpoint = newest_checkpoint(parent)?;
    let mut draft = Draft::from_table(&read_toml(&from.to_toml())?)?;
    if from.measure_every == 0 && !from.has_finals() {
        draft.set("panel", &Panel::Second.to_string())?;
    }
    for (key, value) in changes {
        draft.set(key, value)?;
    }
    let generation = checkpoint.generation();
    draft.set("parent", &format!("{} after generation {generation}", from.hash()))?;
    let mut settings = draft.finish()?;
    // A branch inherits the population, so it must keep these settings.
    let after = settings.entries();
    let mut changes = from.entries().into_iter().zip(&after).filter(|(it, _)| it.is_taken_over);
    if let Some((_, changed)) = changes.find(|(before, after)| before.value != after.value) {
        let has_founders = after.iter().any(|it| it.name == "founders");
        let how = if has_founders { " with --start-from" } else { "" };
        let reason = format!(
            "it cannot change in a branch, which inherits the population: start a new run{how} instead"
        );
        let refusal = SettingRefusal::new(changed.name, changed.plain(), reason);
        return Err(SettingError::Value(refusal).into());
    }
    settings.features = from.features.clone();
    if let (Some(layers), Some(of_parent)) = (settings.own.layers(), from.own.layers()) {
        of_parent.all().iter().for_each(|it| drop(layers.add((**it).clone())));
    }
    Trainer::branch(&from, checkpoint, settings)
        .map_err(|error| FolderError::invalid(parent, error))
}

/// Reads the weights of the last population, fittest first, or those of the champion if there is no population.
pub fn last_population(run: &Path) -> Result<Vec<Weights>, FolderError> {
    let settings = RunFolder::settings(run)?;
    let checkpoint = newest_checkpoint(run)?;
    let trainer = Trainer::restore(settings.clone(), checkpoint)
        .map_err(|error| FolderError::invalid(run, error))?;
    if settings.own.recorded(trainer.generation()) == RecordedChampion::ChampionOnly {
        return Ok(trainer.champion().into_iter().collect());
    }
    let last = trainer.last().expect("a checkpoint contains an evaluated generation");
    let (ranking, coding) = (ranking(&last.fitness), settings.coding());
    Ok(ranking.into_iter().map(|index| coding.weights(&last.members[index])).collect())
}

fn newest_checkpoint(run: &Path) -> Result<Checkpoint, FolderError> {
    let checkpoints = checkpoints(run)?;
    for (_, file) in checkpoints.iter().rev() {
        if let Ok(checkpoint) = Checkpoint::decode(&store::read(file)?) {
            return Ok(checkpoint);
        }
    }
    Err(FolderError::invalid(run, "it has no undamaged checkpoint to continue from"))
}
