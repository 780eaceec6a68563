//! The content of the web pages about runs, read without disturbing a training process.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use evolve::optimise::{Preset, presets};
use evolve::run::{Draft, FolderError, RunState, Settings, Status, Summary, against_panel, totals};
use mancala::eval::{Format, Weights};
use mancala::store;
use serde::Serialize;
use serde_json::{Value, json};

use super::strength::{LastStrength, Score, against, measured_json};
use crate::plot::What;
use crate::report;
use crate::terminal::{joined, shell::typed, without_empty};

/// Files of a run folder that can be downloaded.
pub const FILES: [&str; 7] = [
    "champion.json",
    "history.csv",
    "strength.csv",
    "cost.csv",
    "iterations.csv",
    "run.toml",
    "status.json",
];

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunCard {
    pub id: String,
    pub state: String,
    pub preset: Option<String>,
    /// The game; for kalah, with its rules.
    pub game: Option<String>,
    pub seed: Option<u64>,
    pub generation: u32,
    /// The requested number of generations.
    pub generations: u32,
    /// Modification time of the newest file, in seconds since the Unix epoch.
    pub changed: u64,
    pub status: Option<Status>,
    /// Generation and fitness of the champion.
    pub champion: Option<Value>,
    pub strength: Option<LastStrength>,
    pub error: Option<String>,
    pub resume: Option<String>,
}

/// Returns the card of the run in a folder, whose name is `id`.
pub fn card(id: &str, folder: &Path) -> RunCard {
    match Summary::of(folder) {
        Ok(summary) => card_of(id, &summary),
        Err(error) => RunCard {
            id: id.into(),
            state: RunState::Damaged.to_string(),
            changed: changed(folder),
            error: Some(error.to_string()),
            ..RunCard::default()
        },
    }
}

/// Returns the page of a run without its curves: its card, its settings, warnings, the names of the available pictures
/// and downloads, and the formats in which its champion can be exported.
pub fn page(id: &str, folder: &Path) -> Result<Value, FolderError> {
    let summary = Summary::of(folder)?;
    let files = FILES.into_iter().filter(|name| folder.join(name).is_file());
    let mut page = json!(card_of(id, &summary));
    page["kind"] = "run".into();
    page["settings"] = settings_json(&summary.settings).into();
    page["findings"] = summary.findings().into();
    page["pictures"] = pictures(&summary).into();
    page["files"] = files.collect();
    page["exports"] = summary.champion.as_ref().map_or_else(Vec::new, formats).into();
    Ok(page)
}

fn formats(weights: &Weights) -> Vec<&'static str> {
    let fit = Format::ALL.into_iter().filter(|format| format.check(weights).is_ok());
    fit.map(Format::name).collect()
}

/// Returns the measurements of a run, and the measurement of the champion selected by final games.
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

/// Approximate maximum number of rows in a cost curve.
const MAX_COST_ROWS: usize = 1000;

/// Reads the total numbers of games, nodes and hours up to some of the generations, including the last one. A missing
/// table counts as empty.
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

/// Describes a preset. The number of games is 0 for a preset with a time limit, since its runs rarely reach their last
/// generation.
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

/// Describes each setting, with its value in the form that `--set NAME=` accepts.
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

fn card_of(id: &str, summary: &Summary) -> RunCard {
    let Summary { path, settings, state, generation, champion, damages, .. } = summary;
    let provenance = champion.as_ref().and_then(|champion| champion.provenance.as_ref());
    let is_running = *state == RunState::Running;
    RunCard {
        id: id.into(),
        state: state.to_string(),
        preset: Some(settings.preset.clone()),
        game: Some(settings.game().to_string()),
        seed: Some(settings.seed),
        generation: *generation,
        generations: settings.generations,
        changed: changed(path),
        // "ayo select" does not update the status of a run that has ended.
        status: Status::read(path).filter(|status| is_running && !status.part.is_end()),
        champion: provenance.map(|it| {
            let best = settings.own.best_possible_fitness(it.generation);
            json!({ "generation": it.generation, "fitness": it.fitness, "best_possible": best })
        }),
        strength: LastStrength::of(summary),
        error: joined(damages),
        resume: Some(format!("ayo {}", typed(&summary.next_arguments()))),
    }
}

/// Returns the modification time of the newest file in a run folder except those of reports, in seconds since the Unix
/// epoch; 0 if it is unknown.
fn changed(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = files.filter(|file| report::FILES.iter().all(|name| file.file_name() != *name));
    let times = files.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    times.max().map_or(0, |time| seconds(time).as_secs())
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
