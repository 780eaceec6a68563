//! The data for the web pages about runs. We don't write to run folders, to avoid disturbing training processes.

use std::path::Path;

use evolve::optimise::{Preset, presets};
use evolve::run::{Draft, FolderError, RunState, Settings, Status, Summary, against_panel, totals};
use mancala::eval::{Format, Weights};
use mancala::store;
use serde_json::{Value, json};

use super::strength::{LastStrength, Score, against, measured_json};
use crate::plot::What;
use crate::terminal::{
    shell::{quoted, typed},
    without_empty,
};

/// The files in a run folder that can be downloaded.
pub const FILES: [&str; 7] = [
    "champion.json",
    "history.csv",
    "strength.csv",
    "cost.csv",
    "iterations.csv",
    "run.toml",
    "status.json",
];

/// Returns the card (the summary in listings) of the run in a folder; `id` is the folder's name.
pub fn card(id: &str, folder: &Path) -> Value {
    card_of(id, folder, Summary::of(folder).as_ref())
}

/// Returns the data for a run's page, except for the curves: card, settings, warnings, the names of
/// plots and downloads, and the champion's export formats.
pub fn page(id: &str, folder: &Path) -> Result<Value, FolderError> {
    let summary = Summary::of(folder)?;
    let files = FILES.into_iter().filter(|name| folder.join(name).is_file());
    let mut page = card_of(id, folder, Ok(&summary));
    page["kind"] = "run".into();
    page["settings"] = settings_json(&summary.settings).into();
    page["findings"] = summary.findings(&quoted(&summary.argument())).into();
    page["pictures"] = pictures(&summary).into();
    page["files"] = files.collect();
    page["exports"] = summary.champion.as_ref().map_or_else(Vec::new, formats).into();
    Ok(page)
}

fn formats(weights: &Weights) -> Vec<&'static str> {
    let fit = Format::ALL.into_iter().filter(|format| format.check(weights).is_ok());
    fit.map(Format::name).collect()
}

/// Returns the measurements of a run and, if a champion was selected by final games, the measurement of that champion.
pub fn strength(folder: &Path) -> Result<Value, FolderError> {
    let summary = Summary::of(folder)?;
    let selected = summary.champion.as_ref().and_then(|champion| {
        let Score { score, score_ci95 } = Score::mean(against_panel(&champion.strength))?;
        let json = json!({
            "generation": champion.provenance.as_ref().map_or(0, |it| it.generation),
            "score": score,
            "score_ci95": score_ci95,
            "strength": against(&champion.strength),
            "precision": null,
            "champion": true,
            "gate": champion.gates,
        });
        Some(without_empty(json, &["gate"]))
    });
    Ok(json!({
        "kind": "strength",
        "measurements": summary.measurements().iter().map(measured_json).collect::<Vec<_>>(),
        "final": selected,
        "measure_every": summary.settings.measure_every,
    }))
}

/// The approximate maximum number of rows in a cost curve.
const MAX_COST_ROWS: usize = 1000;

/// Samples the cumulative games, nodes and hours, always including the last generation. Missing tables count as empty.
pub fn cost(folder: &Path) -> Value {
    let [history, costs] = ["history.csv", "cost.csv"]
        .map(|name| store::read_text(&folder.join(name)).unwrap_or_default());
    let mut rows = totals(&history, &costs);
    let last = rows.len() as u32;
    let stride = rows.len().div_ceil(MAX_COST_ROWS).max(1) as u32;
    rows.retain(|it| [1, last].contains(&it.generation) || it.generation.is_multiple_of(stride));
    json!({ "kind": "cost", "rows": rows })
}

pub fn all_presets() -> Value {
    let presets = presets().filter_map(|(_, preset)| preset_json(preset));
    json!({ "kind": "presets", "presets": presets.collect::<Vec<_>>() })
}

/// Describes a preset. If it has a time limit, then `games` is 0, because few runs complete before the limit.
fn preset_json(&Preset { name, about, .. }: &Preset) -> Option<Value> {
    let settings = Draft::preset(name).ok()?.finish().ok()?;
    let time = settings.usual_time();
    let all = || settings.games_of_generations(1..=settings.generations);
    Some(json!({
        "name": name,
        "about": about,
        "game": settings.game().to_string(),
        "usual_seconds": time.map(|time| time.as_secs()),
        "games": time.map_or_else(all, |_| 0),
        "settings": settings_json(&settings),
    }))
}

/// Describes each setting, with its value in the syntax of `--set NAME=`.
fn settings_json(settings: &Settings) -> Vec<Value> {
    let preset = Draft::preset(&settings.preset).ok().and_then(|draft| draft.finish().ok());
    let preset = preset.map(|settings| settings.entries()).unwrap_or_default();
    let value = |text: &str| text.trim_matches('"').to_owned();
    let shown = settings.entries().into_iter().map(|entry| {
        let of_preset = preset.iter().find(|it| it.name == entry.name);
        json!({
            "name": entry.name,
            "value": value(&entry.value),
            "preset_value": of_preset.map(|it| value(&it.value)),
            "meaning": entry.meaning,
        })
    });
    shown.collect()
}

fn card_of(id: &str, folder: &Path, summary: Result<&Summary, &FolderError>) -> Value {
    let run = summary.ok();
    let settings = run.map(|it| &it.settings);
    let provenance = run.and_then(|it| it.champion.as_ref()?.provenance.as_ref());
    let champion = provenance.zip(settings).map(|(it, settings)| {
        let best = settings.best_possible_fitness(it.generation);
        json!({ "generation": it.generation, "fitness": it.fitness, "best_possible": best })
    });
    let is_running = run.is_some_and(|it| it.state == RunState::Running);
    let status = Status::read(folder);
    json!({
        "id": id,
        "state": run.map_or(RunState::Damaged, |it| it.state),
        "preset": settings.map(|it| &it.preset),
        "game": settings.map(|it| it.game().to_string()),
        "seed": settings.map(|it| it.seed),
        "generation": run.map_or(0, |it| it.generation),
        "generations": settings.map_or(0, |it| it.generations),
        // The time of the last training, not of the last change of a file, because files may be copies.
        "changed": status.as_ref().map(|it| it.updated),
        // We leave out the status of a run that has ended, because "ayo select" doesn't update it.
        "status": status.filter(|it| is_running && !it.part.is_end()),
        "champion": champion,
        "strength": run.and_then(LastStrength::of),
        "error": summary.map_or_else(|error| Some(error.to_string()), Summary::error),
        "resume": run.map(|it| format!("ayo {}", typed(&it.next_arguments()))),
    })
}

fn pictures(summary: &Summary) -> Vec<&'static str> {
    let features = summary.settings.features.features();
    let has_champion = summary.champion.is_some();
    let has = |panel: &What| match panel {
        What::Fitness | What::Diversity | What::Weights => summary.generation > 0,
        What::Strength => !summary.measurements().is_empty(),
        What::Champion => has_champion,
        What::Pits => has_champion && features.iter().any(|it| it.name().contains('=')),
        What::Units => has_champion && features.iter().any(|feature| feature.is_hidden_neuron()),
        What::Fit => summary.path.join("iterations.csv").is_file(),
        _ => false,
    };
    What::panels().filter(has).map(|panel| panel.name()).collect()
}
