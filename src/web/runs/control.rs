//! Starting, stopping and resuming runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tokio::task::spawn_blocking;

use crate::train::request::{RunRequest, SettingOverride};
use crate::train::stop;
use crate::web::answer::{Body, Named, Refusal};
use crate::web::desk::Desk;
use crate::web::jobs::{Answered, Purpose, Reserved, being_begun};
use crate::web::shelf::is_good_name;
use evolve::run::{Draft, RunFolder, Settings};
use mancala::store::Lock;

/// How long a run may take.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
const MOST_THREADS: u32 = 1024;

/// A run that is to begin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct RunAsked {
    preset: String,
    seed: Option<u64>,
    name: Option<String>,
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

/// How far a run is to go on.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct MoreAsked {
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
}

/// Begins a run as a process of its own.
pub(in crate::web) async fn begin(
    State(desk): State<Desk>,
    Body(asked): Body<RunAsked>,
) -> Result<Json<Answered>, Refusal> {
    let more = flags(asked.seconds, asked.generations, asked.threads)?;
    let own = desk.clone();
    let placed = spawn_blocking(move || {
        let settings = asked.check()?;
        let (place, path) = asked.place(&own, &settings)?;
        Ok((asked, settings, place, path))
    });
    let placed = placed.await.map_err(|_| Refusal::failed("the run could not be placed"))?;
    let (asked, settings, place, path) = placed?;
    let id = place.id().to_owned();
    let mut words = vec!["train".into(), "--preset".into(), asked.preset.clone()];
    words.extend(["--out".into(), argument(&path)]);
    words.extend(["--seed".into(), seed_of(&asked, &settings, &id).to_string()]);
    for (key, value) in &asked.settings {
        words.extend(["--set".into(), format!("{key}={value}")]);
    }
    words.extend(more);
    let trains = || path.join("run.toml").exists() && Lock::is_held(&path);
    desk.jobs.begin(&place, &words, trains).await?;
    desk.cards.remove(&id);
    Ok(Json(Answered::Begun { id }))
}

impl RunAsked {
    /// The settings that the run would have.
    fn check(&self) -> Result<Settings, Refusal> {
        let setting = |key: &str, value: &str| SettingOverride {
            source: "settings".into(),
            key: key.into(),
            value: value.into(),
        };
        // What names a file of this machine is for who sits at it.
        let is_file =
            |(key, value): &(&String, &String)| *key == "features" && value.starts_with("learned:");
        if self.settings.iter().any(|it| is_file(&it)) {
            return Err(Refusal::wrong(
                "settings: features of a file are given on the command line",
            ));
        }
        for key in ["preset", "seed", "generations"] {
            if self.settings.contains_key(key) {
                return Err(Refusal::wrong(format!("settings: {key} is a field of its own")));
            }
        }
        if self.settings.contains_key("parent") {
            return Err(Refusal::wrong("settings: a branch is begun on the command line"));
        }
        let mut settings: Vec<SettingOverride> =
            self.settings.iter().map(|(key, value)| setting(key, value)).collect();
        settings.extend(self.seed.map(|seed| setting("seed", &seed.to_string())));
        settings.extend(self.generations.map(|it| setting("generations", &it.to_string())));
        Draft::preset(&self.preset).map_err(Refusal::wrong)?;
        let preset = Some(self.preset.clone());
        let request = RunRequest { preset, settings, ..RunRequest::default() };
        let settings = request.resolve().map_err(Refusal::wrong)?.settings;
        if settings.needs_tables() {
            return Err(Refusal::wrong(
                "settings: a run by endgame tables is begun on the command line",
            ));
        }
        Ok(settings)
    }

    /// The name of the run and its folder, which is free.
    fn place(&self, desk: &Desk, settings: &Settings) -> Result<(Reserved, PathBuf), Refusal> {
        let runs = desk.runs.folder();
        if let Some(name) = &self.name {
            if !is_good_name(name) {
                let rule = "a name has letters, digits, dots, dashes and underscores, 64 at most";
                return Err(Refusal::wrong(format!("name is {name:?}: {rule}")));
            }
            let path = runs.join(name);
            let place = desk.jobs.reserve(Purpose::Run, name).ok_or_else(|| being_begun(name))?;
            RunFolder::check_free(&path).map_err(Refusal::conflict)?;
            return Ok((place, path));
        }
        let named = |seed: u64| format!("{}-{seed}", settings.preset);
        let seeds = self.seed.map_or(1..=u64::MAX, |seed| seed..=seed);
        let free = |seed: &u64| RunFolder::check_free(&runs.join(named(*seed)));
        if let Some(seed) = self.seed {
            free(&seed).map_err(Refusal::conflict)?;
        }
        let reserved = seeds.into_iter().filter(|seed| free(seed).is_ok());
        let mut reserved = reserved
            .filter_map(|seed| Some((seed, desk.jobs.reserve(Purpose::Run, &named(seed))?)));
        let (seed, place) =
            reserved.next().ok_or_else(|| being_begun(&named(self.seed.unwrap_or(1))))?;
        Ok((place, runs.join(named(seed))))
    }
}

/// The seed: what was asked for, or what the name has at its end where the name was made of it.
fn seed_of(asked: &RunAsked, settings: &Settings, id: &str) -> u64 {
    let of_name = || id.strip_prefix(&format!("{}-", settings.preset))?.parse().ok();
    asked.seed.or_else(|| of_name().filter(|_| asked.name.is_none())).unwrap_or(settings.seed)
}

/// Asks the process of a run to stop.
pub(in crate::web) async fn stop(
    State(desk): State<Desk>,
    Named(id): Named<String>,
) -> Result<Json<Answered>, Refusal> {
    let folder = desk.run_folder(&id)?;
    let is_training = Lock::is_held(&folder);
    let request = stop::request(&folder);
    desk.cards.remove(&id);
    match request {
        Ok(_) => Ok(Json(Answered::Stopping { id })),
        Err(error) if !is_training => Err(Refusal::conflict(error)),
        Err(error) => Err(Refusal::failed(error)),
    }
}

/// Goes on with a run, in a process of its own.
pub(in crate::web) async fn resume(
    State(desk): State<Desk>,
    Named(id): Named<String>,
    Body(asked): Body<MoreAsked>,
) -> Result<Json<Answered>, Refusal> {
    let folder = desk.run_folder(&id)?;
    if Lock::is_held(&folder) {
        return Err(Refusal::conflict(format!("run {id:?} is under way already")));
    }
    let place = desk.jobs.reserve(Purpose::Run, &id).ok_or_else(|| being_begun(&id))?;
    let mut words = vec!["resume".into(), argument(&folder)];
    words.extend(flags(asked.seconds, asked.generations, asked.threads)?);
    desk.jobs.begin(&place, &words, || Lock::is_held(&folder)).await?;
    desk.cards.remove(&id);
    Ok(Json(Answered::Begun { id }))
}

/// A path that is taken for nothing else on a command line.
fn argument(path: &Path) -> String {
    let path = path.display().to_string();
    if Path::new(&path).is_absolute() { path } else { format!("./{path}") }
}

fn flags(
    seconds: Option<u64>,
    generations: Option<u32>,
    threads: Option<u32>,
) -> Result<Vec<String>, Refusal> {
    let mut words = Vec::new();
    if let Some(seconds) = seconds {
        if !(1..=LONGEST.as_secs()).contains(&seconds) {
            return Err(Refusal::wrong(format!(
                "seconds is {seconds}, not a time of up to a year"
            )));
        }
        let time = humantime::format_duration(Duration::from_secs(seconds));
        words.extend(["--max-time".into(), time.to_string().replace(' ', "")]);
    }
    if let Some(generations) = generations {
        if generations == 0 {
            return Err(Refusal::wrong("generations is 0, not 1 or more"));
        }
        words.extend(["--generations".into(), generations.to_string()]);
    }
    if let Some(threads) = threads {
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(Refusal::wrong(format!("threads is {threads}, not 1 to {MOST_THREADS}")));
        }
        words.extend(["--threads".into(), threads.to_string()]);
    }
    Ok(words)
}
