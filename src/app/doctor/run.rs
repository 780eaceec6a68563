//! The files of a run folder.

use std::path::Path;

use super::left_over::left_over;
use super::lock::{LOCK, lock};
use super::results;
use super::shell::Shell;
use crate::results::ExaminedFile;
use evolve::run::{
    CHAMPION, CONFIGURATION, COST, COST_HEADER, Checkpoint, EPOCHS, EPOCHS_HEADER, HISTORY,
    Measurement, RecordedTable, RunFolder, STRENGTH, Settings, Status, StopFile, Summary, Trainer,
    checkpoints, good_rows, header, is_layer, known_rows, noted, read_layers, read_strength,
};
use mancala::eval::{self, Layer};
use mancala::store::{self, CHECKSUMS, Checksums, FrameError, Lock, Verdict};

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
    /// The checkpoints that are whole and not of another run, oldest first, by generation.
    whole: Vec<u32>,
    /// Good rows of the history.
    rows: u32,
    /// What is wrong with `run.toml`, by the newest whole checkpoint.
    changed: Option<String>,
    known: Checksums,
}

impl Run<'_> {
    fn read<'a>(folder: &'a Path, shell: &'a Shell) -> Run<'a> {
        let settings = RunFolder::settings(folder).map_err(|error| error.to_string());
        let mut decoded: Vec<Checkpoint> = checkpoints(folder)
            .unwrap_or_default()
            .iter()
            .filter_map(|(_, file)| Checkpoint::decode(&store::read(file).ok()?).ok())
            .collect();
        let difference = |checkpoint: &Checkpoint| {
            Some(checkpoint.compare(settings.as_ref().ok()?).err()?.to_string())
        };
        // If all of them differ from run.toml, that has changed; otherwise those that do are of another run.
        let mut changed = decoded.last().and_then(difference);
        if decoded.iter().any(|it| difference(it).is_none()) {
            decoded.retain(|it| difference(it).is_none());
            changed = None;
        }
        let whole = decoded.iter().map(Checkpoint::generation).collect();
        let known = Checksums::of(folder).unwrap_or_default();
        let mut run = Run { folder, shell, settings, whole, rows: 0, changed, known };
        run.rows = run.good_rows();
        run
    }

    fn good_rows(&self) -> u32 {
        let Ok(settings) = &self.settings else { return 0 };
        let history = RecordedTable::read(self.folder, HISTORY);
        history.map_or(0, |it| good_rows(it.verified(), &header(settings)).len() as u32)
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
        let file = CONFIGURATION;
        let damage = match (&self.settings, &self.changed) {
            (Err(reason), _) | (_, Some(reason)) => reason,
            (Ok(settings), None) => {
                // Its settings are those of the checkpoint.
                return self.unless_edited(ExaminedFile::sound(file, self.summary(settings)));
            }
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
        let due = [HISTORY, CHAMPION, STRENGTH, CHECKSUMS, COST, EPOCHS];
        due.into_iter().filter(lacks).filter_map(|name| self.missing(name)).collect()
    }

    /// A file that is not there, if it should be.
    fn missing(&self, name: &str) -> Option<ExaminedFile> {
        let lost = ExaminedFile::damaged(name, "", "it is missing");
        Some(match name {
            HISTORY => self.offer_history(lost),
            CHAMPION => self.offer_champion(lost),
            // The first generation is measured, if any is.
            STRENGTH => {
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
                let (holds, lost) = match name {
                    EPOCHS => {
                        self.settings.as_ref().ok()?.layers()?;
                        ("fits of features", "losses and duels of the epochs")
                    }
                    _ => ("times of generations", "nodes and seconds of the generations"),
                };
                let means = format!("{lost} are lost; no run depends on them");
                let lacking = ExaminedFile::missing(name, holds, &means);
                self.offer_resume_for(lacking, "nothing; resuming begins the file again")
            }
        })
    }

    fn file(&self, name: &str) -> ExaminedFile {
        match name {
            HISTORY => self.history(),
            STRENGTH => self.strength(),
            COST => self.cost(),
            CHAMPION => self.champion(),
            "tables.toml" => self.tables(),
            CHECKSUMS => self.checksums(),
            LOCK => lock(false),
            Status::NAME => self.status(),
            StopFile::NAME => {
                let holds = "a request to stop that came too late; training removes it";
                ExaminedFile::sound(name, holds)
            }
            EPOCHS => self.epochs(),
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

    fn status(&self) -> ExaminedFile {
        let holds = "how far the process was that trained here last; no run depends on it";
        match Status::read(self.folder) {
            Some(_) => ExaminedFile::sound(Status::NAME, holds),
            None => {
                let damaged = ExaminedFile::damaged(Status::NAME, holds, "it cannot be read");
                self.offer_removal(damaged, "all of the run")
            }
        }
    }

    fn history(&self) -> ExaminedFile {
        let holds = format!("rows of generations 1 to {}", self.rows);
        match self.damage_of_table(HISTORY) {
            Some(damage) => self.offer_history(ExaminedFile::damaged(HISTORY, holds, damage)),
            None => ExaminedFile::sound(HISTORY, holds),
        }
    }

    /// What is wrong with a table, as far as its checksums, its header and its rows tell.
    fn damage_of_table(&self, name: &str) -> Option<String> {
        if let Some(damage) = self.damage_by_checksums(name) {
            return Some(damage);
        }
        let on_disk = RecordedTable::read(self.folder, name).ok()?;
        let (rows, done) = (self.rows, self.done());
        let settings = self.settings.as_ref().ok().filter(|_| name == HISTORY)?;
        let text = on_disk.verified();
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

    /// Finds damage to a table by its checksums. Older versions wrote no checksums for some tables.
    fn damage_by_checksums(&self, name: &str) -> Option<String> {
        let bytes = match store::read(&self.folder.join(name)) {
            Ok(bytes) => bytes,
            Err(error) => return Some(error.to_string()),
        };
        let known = self.known.last_line(name);
        if known == 0 {
            return None;
        }
        if let Some(line) = self.known.changed_line(name, 1, &bytes) {
            return Some(format!("line {line} has changed since it was written"));
        }
        let whole = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        let lines = whole + u64::from(!bytes.is_empty() && !bytes.ends_with(b"\n"));
        let good = self.good_lines(name).max(known);
        if lines > good {
            return Some(format!("line {} was not written by the run", good + 1));
        }
        let lacks_lines = whole == 0 || (whole < known && self.is_behind(name));
        lacks_lines.then(|| format!("it ends before line {}", whole + 1))
    }

    /// Lines of a table up to the newest checkpoint, its header included.
    fn good_lines(&self, name: &str) -> u64 {
        let done = self.done();
        let text = RecordedTable::read(self.folder, name).map(|it| it.verified().to_owned());
        let text = text.unwrap_or_default();
        let rows = match name {
            HISTORY => self.rows.min(done) as usize,
            STRENGTH => {
                let measured = self.measurements(&text).into_iter();
                let measured = measured.filter(|it| it.generation <= done);
                measured.map(|it| it.rows()).sum()
            }
            COST => known_rows(&text, COST_HEADER, done).len(),
            _ => known_rows(&text, EPOCHS_HEADER, done).len(),
        };
        1 + rows as u64
    }

    /// Whether a table lacks rows that were on disk before the newest checkpoint. A process that is killed while it
    /// writes leaves checksums of later rows.
    fn is_behind(&self, name: &str) -> bool {
        let done = self.done();
        if name == STRENGTH {
            let text = RecordedTable::read(self.folder, name).map(|it| it.verified().to_owned());
            let measured = self.measurements(&text.unwrap_or_default());
            let every = self.settings.as_ref().map_or(0, |it| it.measure_every).max(1);
            let due = (done.saturating_sub(1) / every * every).max(u32::from(done > 1));
            return measured.last().map_or(0, |last| last.generation) < due;
        }
        self.rows == done && self.known.last_line(HISTORY) == u64::from(self.rows) + 1
    }

    fn measurements(&self, text: &str) -> Vec<Measurement> {
        self.settings.as_ref().map_or(Vec::new(), |it| read_strength(text, it))
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
        let words = evolve::run::resume_arguments(self.folder);
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
        let text = RecordedTable::read(self.folder, STRENGTH).map(|it| it.verified().to_owned());
        let text = text.unwrap_or_default();
        let measured = self.measurements(&text);
        let holds = format!("measurements: {}", measured.len());
        let rows: usize = measured.iter().map(Measurement::rows).sum();
        let damage = self.damage_of_table(STRENGTH).or_else(|| {
            let is_cut = self.settings.is_ok() && text.matches('\n').count() > rows + 1;
            is_cut.then(|| format!("line {} is not what can stand there", rows + 2))
        });
        self.table(STRENGTH, holds, damage, "the measurements before it")
    }

    fn cost(&self) -> ExaminedFile {
        let bytes = store::read(&self.folder.join(COST)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let known = known_rows(&text, COST_HEADER, self.done()).len();
        let header = if text.starts_with(COST_HEADER) { "" } else { ", another header" };
        let holds = format!("times of generations: {known}{header}");
        self.table(COST, holds, self.damage_of_table(COST), "the rows before it")
    }

    fn epochs(&self) -> ExaminedFile {
        let bytes = store::read(&self.folder.join(EPOCHS)).unwrap_or_default();
        let known = known_rows(&String::from_utf8_lossy(&bytes), EPOCHS_HEADER, self.done()).len();
        let holds = format!("fits of features: {known}");
        self.table(EPOCHS, holds, self.damage_of_table(EPOCHS), "the rows before it")
    }

    /// A table that resuming mends as far as it can.
    fn table(
        &self,
        name: &str,
        holds: String,
        damage: Option<String>,
        saved: &str,
    ) -> ExaminedFile {
        match damage {
            Some(damage) => {
                self.offer_resume_for(ExaminedFile::damaged(name, holds, damage), saved)
            }
            None => ExaminedFile::sound(name, holds),
        }
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
        let path = self.folder.join(CHAMPION);
        let found = results::weights(&path, CHAMPION);
        let damage = found.damage.clone().or_else(|| self.other_run(&path));
        match damage {
            Some(damage) => self.offer_champion(ExaminedFile { damage: Some(damage), ..found }),
            None => self.unless_edited(found),
        }
    }

    fn unless_edited(&self, found: ExaminedFile) -> ExaminedFile {
        let content = store::read(&self.folder.join(&found.file)).unwrap_or_default();
        if self.known.is_changed(&found.file, &content) { found.edited() } else { found }
    }

    /// The run that the champion is of, if that is another one.
    fn other_run(&self, champion: &Path) -> Option<String> {
        let provenance = eval::load(&champion.to_string_lossy()).ok()?.provenance?;
        let settings = self.settings.as_ref().ok().filter(|_| self.changed.is_none())?;
        (provenance.settings != settings.hash()).then(|| {
            format!("it is of another run: {}, seed {}", provenance.preset, provenance.seed)
        })
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
        let damage = match Checksums::damaged_lines(self.folder) {
            Ok(lines) if lines.is_empty() => self.lacking_checksum(),
            Ok(lines) => Some(format!("line {} is damaged, and says nothing", lines[0])),
            Err(error) => return ExaminedFile::damaged(CHECKSUMS, holds, error),
        };
        match damage {
            Some(damage) => {
                self.offer_if_resumable(ExaminedFile::damaged(CHECKSUMS, holds, damage))
            }
            None => ExaminedFile::sound(CHECKSUMS, holds),
        }
    }

    /// Finds a file or line whose checksum was removed.
    fn lacking_checksum(&self) -> Option<String> {
        let is_unknown = |name: &str| self.known.verdict(name, &[]) == Verdict::Unknown;
        // Version 0.1 wrote no checksums for these files.
        let is_of_all = self.known.last_line(COST) > 0 || !is_unknown(CONFIGURATION);
        let of_all = [COST, EPOCHS, CONFIGURATION].into_iter().filter(|_| is_of_all);
        let names = [HISTORY, STRENGTH, CHAMPION].into_iter().chain(of_all);
        let mut there = names.filter(|name| self.done() > 0 && self.folder.join(name).exists());
        there.find_map(|name| match name {
            CHAMPION | CONFIGURATION => {
                is_unknown(name).then(|| format!("the checksum of {name} is missing"))
            }
            table => {
                let line = self.known.first_unknown_line(table);
                let is_lacking = line <= self.good_lines(table);
                is_lacking.then(|| format!("the checksum of {table}, line {line}, is missing"))
            }
        })
    }

    fn checkpoint(&self, name: &str) -> ExaminedFile {
        let read = store::read(&self.folder.join(name)).map_err(|error| error.to_string());
        let decoded = read.and_then(|bytes| match Checkpoint::decode(&bytes) {
            Err(error @ FrameError::Version { .. }) => Err(format!("it {error}")),
            decoded => decoded.map_err(|error| format!("it {error}")),
        });
        let holds = "a checkpoint";
        match decoded.and_then(|checkpoint| self.restored(name, checkpoint)) {
            Ok(generation) if self.whole.contains(&generation) => {
                ExaminedFile::sound(name, format!("{holds} of generation {generation}"))
            }
            Ok(generation) => {
                let damage = format!("it is of generation {generation} of another run");
                self.offer_removal(ExaminedFile::damaged(name, holds, damage), "the run")
            }
            Err(damage) => self.offer_checkpoint(ExaminedFile::damaged(name, holds, damage)),
        }
    }

    /// Resuming sets a damaged checkpoint aside on its way to an older one. It never comes to one that is older than
    /// the one that it goes on from.
    fn offer_checkpoint(&self, damaged: ExaminedFile) -> ExaminedFile {
        let newer = self.resumable().filter(|whole| is_older(&damaged.file, *whole));
        let Some(newer) = newer else { return self.offer_if_resumable(damaged) };
        let saved = format!(
            "all of the run: this is a spare, and the newer checkpoint of generation {newer} is whole"
        );
        self.offer_removal(damaged, &saved)
    }

    fn offer_removal(&self, damaged: ExaminedFile, saved: &str) -> ExaminedFile {
        let path = self.folder.join(&damaged.file);
        let remove = self.shell.words(&["rm", "--", &path.to_string_lossy()]);
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
