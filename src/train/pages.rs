//! What there is to see of runs, read without disturbing a process that trains in one.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use evolve::optimise::{Preset, presets};
use mancala::eval::{Format, Weights};
use mancala::game::AnyGame;
use mancala::store;

use crate::plot::Panel;
use crate::train::result_inspection::Measured;
use crate::train::result_pages::{
    CardChampion, CostCurve, Presets, RunCard, RunPage, ShownPreset, ShownSetting, StrengthCurve,
};
use crate::train::strength::{LastStrength, Score};
use evolve::run::{Draft, FolderError, RunState, Settings, Status, Summary, against_panel, totals};

/// Files of a run folder that are worth having elsewhere.
pub const FILES: [&str; 7] = [
    "champion.json",
    "history.csv",
    "strength.csv",
    "cost.csv",
    "epochs.csv",
    "run.toml",
    "status.json",
];

/// The card of a run that lies in a folder under a name.
pub fn card(id: &str, folder: &Path) -> RunCard {
    match Summary::of(folder) {
        Ok(summary) => card_of(id, &summary),
        Err(error) => damaged(id, folder, &error),
    }
}

/// All that is shown of a run.
///
/// # Errors
/// If it cannot be read at all.
pub fn page(id: &str, folder: &Path) -> Result<RunPage, FolderError> {
    let summary = Summary::of(folder)?;
    Ok(RunPage {
        card: card_of(id, &summary),
        settings: settings(&summary.settings),
        findings: summary.findings(),
        pictures: pictures(&summary),
        files: FILES.into_iter().filter(|name| folder.join(name).is_file()).collect(),
        exports: summary.champion.as_ref().map_or_else(Vec::new, formats),
    })
}

/// The names of the formats that hold all of some weights.
fn formats(weights: &Weights) -> Vec<&'static str> {
    let fit = Format::ALL.into_iter().filter(|format| format.check(weights).is_ok());
    fit.map(Format::name).collect()
}

/// The measurements of a run.
///
/// # Errors
/// If it cannot be read at all.
pub fn strength(folder: &Path) -> Result<StrengthCurve, FolderError> {
    let summary = Summary::of(folder)?;
    let chosen = summary.champion.as_ref().and_then(|champion| {
        let score = Score::mean(against_panel(&champion.strength))?;
        let generation = champion.provenance.as_ref().map_or(0, |it| it.generation);
        let strength = crate::train::strength::against(&champion.strength);
        let gate = champion.gates.clone();
        Some(Measured { generation, score, strength, precision: None, champion: true, gate })
    });
    Ok(StrengthCurve {
        measurements: summary.measurements().iter().map(Measured::from).collect(),
        chosen,
        measure_every: summary.settings.measure_every,
    })
}

/// The most rows of a cost curve, or a few more.
const COST_ROWS: usize = 1000;

/// Reads the cost of a run. A missing table is empty.
pub fn cost(folder: &Path) -> CostCurve {
    let [history, costs] = ["history.csv", "cost.csv"]
        .map(|name| store::read_text(&folder.join(name)).unwrap_or_default());
    let mut rows = totals(&history, &costs);
    let (last, stride) = (rows.len() as u32, rows.len().div_ceil(COST_ROWS).max(1) as u32);
    rows.retain(|it| [1, last].contains(&it.generation) || it.generation.is_multiple_of(stride));
    CostCurve { rows }
}

/// What runs can begin from.
pub fn all_presets() -> Presets {
    Presets { presets: presets().filter_map(|(_, preset)| shown(preset)).collect() }
}

fn shown(&Preset { name, about, .. }: &Preset) -> Option<ShownPreset> {
    let settings = Draft::preset(name).ok()?.finish().ok()?;
    let games = match settings.usual_time() {
        Some(_) => 0,
        None => settings.games_of_generations(1..=settings.generations),
    };
    Some(ShownPreset {
        name,
        about,
        game: settings.game().to_string(),
        usual_seconds: settings.usual_time().map(|time| time.as_secs()),
        games,
        settings: self::settings(&settings),
    })
}

fn settings(settings: &Settings) -> Vec<ShownSetting> {
    let preset = Draft::preset(&settings.preset).ok().and_then(|draft| draft.finish().ok());
    let preset = preset.map(|settings| settings.entries()).unwrap_or_default();
    let value = |text: &str| text.trim_matches('"').to_owned();
    let shown = settings.entries().into_iter().map(|entry| ShownSetting {
        name: entry.name,
        value: value(&entry.value),
        preset_value: preset.iter().find(|it| it.name == entry.name).map(|it| value(&it.value)),
        meaning: entry.meaning,
    });
    shown.collect()
}

fn card_of(id: &str, summary: &Summary) -> RunCard {
    let Summary { path, settings, state, generation, champion, damages, .. } = summary;
    let provenance = champion.as_ref().and_then(|champion| champion.provenance.as_ref());
    let running = *state == RunState::Running;
    RunCard {
        id: id.into(),
        state: state.to_string(),
        preset: Some(settings.preset.clone()),
        game: Some(settings.game().to_string()),
        seed: Some(settings.seed),
        generation: *generation,
        generations: settings.generations,
        changed: changed(path),
        status: running.then(|| Status::read(path)).flatten(),
        champion: provenance.map(|it| CardChampion {
            generation: it.generation,
            fitness: it.fitness,
            best_possible: settings.best_possible_fitness(it.generation),
        }),
        strength: LastStrength::of(summary),
        error: (!damages.is_empty()).then(|| damages.join("; ")),
        resume: Some(next(summary)),
    }
}

fn damaged(id: &str, folder: &Path, error: &FolderError) -> RunCard {
    RunCard {
        id: id.into(),
        state: RunState::Damaged.to_string(),
        changed: changed(folder),
        error: Some(error.to_string()),
        ..RunCard::default()
    }
}

/// Returns the command that continues a run.
fn next(summary: &Summary) -> String {
    let words = summary.next_arguments();
    let words = words.iter().map(String::as_str);
    let line = shlex::try_join(std::iter::once("ayo").chain(words));
    line.unwrap_or_else(|_| "ayo resume DIR".into())
}

/// Panels that the folder holds something for.
fn pictures(summary: &Summary) -> Vec<&'static str> {
    let features = summary.settings.features.features();
    let has = |panel: &Panel| match panel {
        Panel::Fitness | Panel::Diversity | Panel::Weights => summary.generation > 0,
        Panel::Strength => !summary.measurements().is_empty(),
        Panel::Champion => summary.champion.is_some(),
        Panel::Agreement => false,
        Panel::Pits => {
            summary.champion.is_some() && features.iter().any(|it| it.name().contains('='))
        }
        Panel::Units => {
            summary.champion.is_some() && features.iter().any(|feature| feature.is_unit())
        }
        Panel::Fit => summary.path.join("epochs.csv").is_file(),
    };
    let panels = Panel::ALL.into_iter().filter(has);
    panels.map(|panel| crate::plot::What::Panel(panel).name()).collect()
}

/// When the newest file of a folder was written; 0 if that cannot be found out.
pub fn changed(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let times = files.filter_map(|entry| entry.metadata().ok()?.modified().ok());
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    times.max().map_or(0, |time| seconds(time).as_secs())
}

/// The game that a run is of, by its card.
pub fn game_of(card: &RunCard) -> Option<AnyGame> {
    card.game.as_ref()?.parse().ok()
}
