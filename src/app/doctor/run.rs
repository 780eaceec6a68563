//! The files of a run folder.

use std::path::Path;

use super::left_over::left_over;
use super::lock::{LOCK, lock};
use super::results;
use super::shell::Shell;
use crate::results::ExaminedFile;
use crate::run::{
    COST_HEADER, Checkpoint, CheckpointError, Damage, OnDisk, RunFolder, Settings, Status,
    StopFile, Summary, Trainer, champion_is_edited, checkpoints, good_rows, header, is_layer,
    known_costs, known_epochs, noted, read_layers, read_strength,
};
use mancala::eval::Layer;
use mancala::store::{self, CHECKSUMS, Checksums, FrameError, Lock};

/// Whether a folder with these files is that of a run, or what is left of one.
pub(super) fn is_run(names: &[String]) -> bool {
    let of_run = |name: &String| name == "run.toml" || name == "history.csv" || is_checkpoint(name);
    names.iter().any(of_run)
}

fn is_checkpoint(name: &str) -> bool {
    name.starts_with("checkpoint-") && name.ends_with(".ayo")
}

/// Whether a checkpoint is of a generation before this one, by its name. Nothing reads one without a number.
fn is_older(name: &str, generation: u32) -> bool {
    let number = name.strip_prefix("checkpoint-").and_then(|it| it.strip_suffix(".ayo"));
    number.and_then(|it| it.parse().ok()).is_none_or(|own: u32| own < generation)
}

const CHECKSUMS_HOLD: &str = "what the other files were when they were written";

/// What a run folder holds.
pub(super) struct RunExamination {
    pub(super) files: Vec<ExaminedFile>,
    /// Whether a process trains in it.
    pub(super) is_busy: bool,
}

/// Examines a run folder. Nothing is said of one that a process trains in: its files change meanwhile.
pub(super) fn examine(folder: &Path, names: &[String], shell: &Shell) -> RunExamination {
    if Lock::is_held(folder) {
        let holds = "a run that a process trains at the moment: ask again when it has ended";
        let files = vec![ExaminedFile::sound("run.toml", holds)];
        return RunExamination { files, is_busy: true };
    }
    let run = Run::read(folder, shell);
    let mut files = vec![run.configuration()];
    files.extend(run.lacking(names));
    files.extend(names.iter().filter(|name| *name != "run.toml").map(|name| run.file(name)));
    RunExamination { files, is_busy: false }
}

/// A run as its folder has it.
struct Run<'a> {
    folder: &'a Path,
    shell: &'a Shell,
    settings: Result<Settings, String>,
    /// The checkpoints that are whole, oldest first, by generation.
    whole: Vec<u32>,
    /// Good rows of the history.
    rows: u32,
    /// What is wrong with `run.toml`, by the newest whole checkpoint.
    changed: Option<String>,
}

impl Run<'_> {
    fn read<'a>(folder: &'a Path, shell: &'a Shell) -> Run<'a> {
        let settings = RunFolder::settings(folder).map_err(|error| error.to_string());
        let decoded: Vec<Checkpoint> = checkpoints(folder)
            .unwrap_or_default()
            .iter()
            .filter_map(|(_, file)| Checkpoint::decode(&store::read(file).ok()?).ok())
            .collect();
        let whole = decoded.iter().map(Checkpoint::generation).collect();
        let newest = decoded.into_iter().next_back();
        let restored = settings.clone().ok().zip(newest);
        let restored = restored.map(|(settings, newest)| Trainer::restore(settings, newest).err());
        let changed = match restored.flatten() {
            Some(error @ CheckpointError::Changed { .. }) => Some(error.to_string()),
            _ => None,
        };
        let mut run = Run { folder, shell, settings, whole, rows: 0, changed };
        run.rows = run.good_rows();
        run
    }

    fn good_rows(&self) -> u32 {
        let Ok(settings) = &self.settings else { return 0 };
        let history = OnDisk::read(self.folder, "history.csv");
        history.map_or(0, |it| good_rows(it.sound(), &header(settings)).len() as u32)
    }

    /// The generation of the newest whole checkpoint; 0 if there is none.
    fn done(&self) -> u32 {
        self.whole.last().copied().unwrap_or(0)
    }

    /// Where resuming would go on, if it can.
    fn resumable(&self) -> Option<u32> {
        let is_sound = self.settings.is_ok() && self.changed.is_none();
        self.whole.iter().rev().copied().find(|it| is_sound && *it <= self.rows)
    }

    fn configuration(&self) -> ExaminedFile {
        let file = "run.toml";
        let damage = match (&self.settings, &self.changed) {
            (Err(reason), _) | (_, Some(reason)) => reason,
            (Ok(settings), None) => return ExaminedFile::sound(file, self.summary(settings)),
        };
        let damaged = ExaminedFile::damaged(file, "the settings of a run", damage);
        let Some(newest) = self.whole.last() else { return damaged };
        let checkpoint = self.folder.join(format!("checkpoint-{newest:06}.ayo"));
        let inspect = self.shell.ayo(&["inspect", &checkpoint.to_string_lossy()]);
        damaged.saved_by(
            "a checkpoint has all settings but the number of generations: write them there again",
            Some(inspect),
        )
    }

    fn summary(&self, settings: &Settings) -> String {
        let state = Summary::of(self.folder).map_or("unknown".into(), |it| it.state.to_string());
        let (preset, seed, all) = (&settings.preset, settings.seed, settings.generations);
        format!("a run of {preset}, seed {seed}, {state}, {} of {all} generations", self.done())
    }

    /// Files that there should be.
    fn lacking(&self, names: &[String]) -> Vec<ExaminedFile> {
        let lacks = |name: &&str| self.done() > 0 && !names.iter().any(|it| it == name);
        let due = ["history.csv", "champion.json", "strength.csv", CHECKSUMS, "cost.csv"];
        due.into_iter().filter(lacks).filter_map(|name| self.missing(name)).collect()
    }

    /// A file that is not there, if it should be.
    fn missing(&self, name: &str) -> Option<ExaminedFile> {
        let lost = ExaminedFile::damaged(name, "", "it is missing");
        Some(match name {
            "history.csv" => self.offer_history(lost),
            "champion.json" => self.offer_champion(lost),
            // The first generation is measured, if any is.
            "strength.csv" => {
                self.settings.as_ref().ok().filter(|it| it.measure_every > 0)?;
                let known = "champions that are still known, which resuming measures again";
                self.offer_resume_for(lost, known)
            }
            CHECKSUMS => {
                let means = "the run has no checksums, so changed rows and a changed champion cannot be seen";
                let lacking = ExaminedFile::missing(name, CHECKSUMS_HOLD, means);
                let now =
                    "nothing from before; resuming writes checksums of the files as they are now";
                self.offer_resume_for(lacking, now)
            }
            _ => {
                let means = "nodes and seconds of the generations are lost; no run depends on them";
                let lacking = ExaminedFile::missing(name, "times of generations", means);
                self.offer_resume_for(lacking, "nothing; resuming begins the file anew")
            }
        })
    }

    fn file(&self, name: &str) -> ExaminedFile {
        match name {
            "history.csv" => self.history(),
            "strength.csv" => self.strength(),
            "cost.csv" => self.cost(),
            "champion.json" => self.champion(),
            "tables.toml" => self.tables(),
            CHECKSUMS => self.checksums(),
            LOCK => lock(false),
            Status::NAME => {
                let holds = "how far the process was that trained here last; no run depends on it";
                ExaminedFile::sound(name, holds)
            }
            StopFile::NAME => {
                let holds = "a request to stop that came too late; training removes it";
                ExaminedFile::sound(name, holds)
            }
            "epochs.csv" => self.epochs(),
            _ if is_checkpoint(name) => self.checkpoint(name),
            _ if is_layer(name) => self.layer(name),
            _ if name.ends_with(".damaged") || name.ends_with(".ahead") => {
                ExaminedFile::sound(name, "set aside when the run was resumed; it can go")
            }
            _ => {
                left_over(name).unwrap_or_else(|| ExaminedFile::unchecked(name, "no file of a run"))
            }
        }
    }

    fn history(&self) -> ExaminedFile {
        let holds = format!("rows of generations 1 to {}", self.rows);
        match self.damage_of_table("history.csv") {
            Some(damage) => self.offer_history(ExaminedFile::damaged("history.csv", holds, damage)),
            None => ExaminedFile::sound("history.csv", holds),
        }
    }

    /// What is wrong with a table, as far as its checksums, its header and its rows tell.
    fn damage_of_table(&self, name: &str) -> Option<String> {
        let on_disk = match OnDisk::read(self.folder, name) {
            Ok(on_disk) => on_disk,
            Err(error) => return Some(error.to_string()),
        };
        if let Some(Damage::Mended(line) | Damage::LeftOut(line)) = on_disk.damages().next() {
            return Some(format!("line {} has changed since it was written", line.line));
        }
        let changed = crate::run::changed_lines(self.folder).unwrap_or_default();
        if let Some(line) = changed.iter().find(|it| it.path.ends_with(name)) {
            return Some(format!("line {} has changed since it was written", line.line));
        }
        let (rows, done) = (self.rows, self.done());
        let settings = self.settings.as_ref().ok().filter(|_| name == "history.csv")?;
        let text = on_disk.sound();
        let lines = text.matches('\n').count() as u32;
        if !text.is_empty() && !text.starts_with(&header(settings)) {
            return Some("line 1 is not its header".into());
        }
        let cut = rows < done || lines > rows + 1;
        cut.then(|| {
            format!(
                "line {} is not generation {}; a checkpoint is of generation {done}",
                rows + 2,
                rows + 1
            )
        })
    }

    fn offer_history(&self, damaged: ExaminedFile) -> ExaminedFile {
        match self.resumable() {
            Some(generation) => self.offer_resume(damaged, generation),
            None if self.settings.is_err() => damaged,
            None => self.offer_population(damaged),
        }
    }

    /// Without a history a run cannot go on, but another can begin where it was.
    fn offer_population(&self, damaged: ExaminedFile) -> ExaminedFile {
        let configuration = self.folder.join("run.toml");
        let (config, from) = (configuration.to_string_lossy(), self.folder.to_string_lossy());
        let begin = ["train", "--config", &config, "--start-from", &from, "--out"];
        let out = format!("{from}-again");
        let saved = "the last population, from which a new run can begin; or put a copy of the file in its place";
        let is_whole = !self.whole.is_empty() && self.changed.is_none();
        let command = self.shell.ayo(&[&begin[..], &[&out]].concat());
        damaged.saved_by(saved, is_whole.then_some(command))
    }

    fn offer_resume(&self, damaged: ExaminedFile, generation: u32) -> ExaminedFile {
        let words = crate::run::resume_arguments(self.folder);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let saved = format!("the run up to generation {generation}, from which resuming goes on");
        damaged.saved_by(saved, Some(self.shell.ayo(&words)))
    }

    /// What resuming saves of a file, if the run can be resumed.
    fn offer_resume_for(&self, file: ExaminedFile, saved: &str) -> ExaminedFile {
        let offered = self.offer_if_resumable(file);
        let saved = offered.command.is_some().then(|| saved.into());
        ExaminedFile { saved, ..offered }
    }

    fn offer_if_resumable(&self, damaged: ExaminedFile) -> ExaminedFile {
        match self.resumable() {
            Some(generation) => self.offer_resume(damaged, generation),
            None => damaged,
        }
    }

    fn strength(&self) -> ExaminedFile {
        let text = OnDisk::read(self.folder, "strength.csv").map(|it| it.sound().to_owned());
        let (text, settings) = (text.unwrap_or_default(), self.settings.as_ref().ok());
        let measured = settings.map_or(Vec::new(), |it| read_strength(&text, it));
        let holds = format!("measurements: {}", measured.len());
        let rows: usize = measured.iter().map(|it| it.against.len()).sum();
        let damage = self.damage_of_table("strength.csv").or_else(|| {
            let is_cut = settings.is_some() && text.matches('\n').count() > rows + 1;
            is_cut.then(|| format!("line {} is not what can stand there", rows + 2))
        });
        match damage {
            Some(damage) => {
                let damaged = ExaminedFile::damaged("strength.csv", holds, damage);
                self.offer_resume_for(damaged, "the measurements before it")
            }
            None => ExaminedFile::sound("strength.csv", holds),
        }
    }

    /// Nothing depends on it, so that it has no checksums.
    fn cost(&self) -> ExaminedFile {
        let bytes = store::read(&self.folder.join("cost.csv")).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let known = known_costs(&text, self.done()).len();
        let header = if text.starts_with(COST_HEADER) { "" } else { ", another header" };
        ExaminedFile::sound("cost.csv", format!("times of generations: {known}{header}"))
    }

    /// As of [`cost`](Self::cost).
    fn epochs(&self) -> ExaminedFile {
        let bytes = store::read(&self.folder.join("epochs.csv")).unwrap_or_default();
        let known = known_epochs(&String::from_utf8_lossy(&bytes), self.done()).len();
        ExaminedFile::sound("epochs.csv", format!("fits of features: {known}"))
    }

    /// Nothing saves a layer that is damaged: it cannot be learned again but with all before it.
    fn layer(&self, name: &str) -> ExaminedFile {
        let read = store::read(&self.folder.join(name)).map_err(|error| error.to_string());
        let decoded = read.and_then(|it| Layer::decode(&it).map_err(|error| format!("it {error}")));
        let holds = "features that were learned";
        match decoded {
            Ok(layer) if name != layer.file_name() => {
                ExaminedFile::damaged(name, holds, format!("it is {}", layer.file_name()))
            }
            Ok(layer) => ExaminedFile::sound(name, format!("{holds}: {} units", layer.units())),
            Err(damage) => ExaminedFile::damaged(name, holds, damage),
        }
    }

    fn champion(&self) -> ExaminedFile {
        let found = results::weights(&self.folder.join("champion.json"), "champion.json");
        if found.damage.is_some() {
            return self.offer_champion(found);
        }
        let edited = champion_is_edited(self.folder);
        let by = if edited { ", not as the run wrote it: edited by hand" } else { "" };
        ExaminedFile { holds: found.holds + by, ..found }
    }

    fn offer_champion(&self, damaged: ExaminedFile) -> ExaminedFile {
        let (Ok(settings), Some(generation)) = (&self.settings, self.resumable()) else {
            return damaged;
        };
        if generation < settings.generations {
            return self.offer_resume(damaged, generation);
        }
        let folder = self.folder.to_string_lossy();
        if settings.has_finals() {
            let command = self.shell.ayo(&["champion", &folder]);
            return damaged
                .saved_by("its candidates, among which it is chosen anew", Some(command));
        }
        self.offer_resume_for(damaged, "the champion of the last generation, from the checkpoint")
    }

    fn tables(&self) -> ExaminedFile {
        match noted(self.folder) {
            Ok(Some(tables)) => ExaminedFile::sound("tables.toml", format!("goes by {tables}")),
            Ok(None) => {
                let damage = "it does not say rules, seeds and checksum of tables";
                ExaminedFile::damaged("tables.toml", "which endgame tables the run goes by", damage)
            }
            Err(error) => ExaminedFile::damaged("tables.toml", "", error),
        }
    }

    fn checksums(&self) -> ExaminedFile {
        let holds = CHECKSUMS_HOLD;
        match Checksums::damaged_lines(self.folder) {
            Ok(lines) if lines.is_empty() => ExaminedFile::sound(CHECKSUMS, holds),
            Ok(lines) => {
                let what = format!("line {} is damaged, and says nothing", lines[0]);
                self.offer_if_resumable(ExaminedFile::damaged(CHECKSUMS, holds, what))
            }
            Err(error) => ExaminedFile::damaged(CHECKSUMS, holds, error),
        }
    }

    fn checkpoint(&self, name: &str) -> ExaminedFile {
        let read = store::read(&self.folder.join(name)).map_err(|error| error.to_string());
        let decoded = read.and_then(|bytes| match Checkpoint::decode(&bytes) {
            Err(error @ FrameError::Version { .. }) => Err(format!("it {error}")),
            decoded => decoded.map_err(|error| format!("it {error}")),
        });
        let holds = "a checkpoint";
        match decoded.and_then(|checkpoint| self.restored(name, checkpoint)) {
            Ok(generation) => {
                ExaminedFile::sound(name, format!("{holds} of generation {generation}"))
            }
            Err(damage) => self.offer_checkpoint(ExaminedFile::damaged(name, holds, damage)),
        }
    }

    /// Resuming sets a damaged checkpoint aside on its way to an older one. It never comes to one that is older than
    /// the one that it goes on from.
    fn offer_checkpoint(&self, damaged: ExaminedFile) -> ExaminedFile {
        let newer = self.resumable().filter(|whole| is_older(&damaged.file, *whole));
        let Some(newer) = newer else { return self.offer_if_resumable(damaged) };
        let path = self.folder.join(&damaged.file);
        let remove = self.shell.words(&["rm", "--", &path.to_string_lossy()]);
        let saved = format!(
            "all of the run: this is a spare, and the newer checkpoint of generation {newer} is whole"
        );
        damaged.saved_by(saved, Some(remove))
    }

    /// The generation of a checkpoint that the run can go on from.
    fn restored(&self, name: &str, checkpoint: Checkpoint) -> Result<u32, String> {
        let generation = checkpoint.generation();
        if name != format!("checkpoint-{generation:06}.ayo") {
            return Err(format!("it is of generation {generation}"));
        }
        let mut own = checkpoint.settings().map_err(|error| error.to_string())?;
        read_layers(self.folder, &mut own).map_err(|error| error.to_string())?;
        let restored = Trainer::restore(own, checkpoint);
        restored.map(|_| generation).map_err(|error| error.to_string())
    }
}
