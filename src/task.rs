//! `ayo task`: computes parts of a run on several machines that share a folder.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Args;
use evolve::run::{End, StopPolicy, Watched, run_measured};
use evolve::task::{TaskError, TaskRunner, Then, check_answer, run_task};
use mancala::memory::Reservation;
use mancala::progress::Progress;
use mancala::store::{self, FileError, sha256};

use crate::lock;
use crate::terminal::{
    Interrupt, ShownProgress, Workers, announce, counted, rounded, shell, shown, usage, warn,
};
use crate::train::resume::{Resumed, resume};

crate::cli::verbs! {
    /// Compute the answer to a task
    Run(RunArguments) => compute,
    /// Advance a run using the answers in a folder, and write its next tasks there
    Next(NextArguments) => next,
}

#[derive(Debug, Args)]
#[command(after_help = "If OUT already contains the answer to IN, nothing is computed.")]
struct RunArguments {
    /// Task file
    #[arg(value_name = "IN")]
    task: PathBuf,
    /// File to write the answer to
    #[arg(value_name = "OUT")]
    answer: PathBuf,
    #[command(flatten)]
    workers: Workers,
}

fn compute(arguments: &RunArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let RunArguments { task: input, answer: output, workers } = arguments;
    let task = store::read(input)?;
    if output.exists() && check_answer(&task, &store::read(output)?).is_ok() {
        announce(&format!("{} already contains the answer", shown(output)), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let message = |done, of, left: &str| format!("{} of {of}{left}", counted(done, "game"));
    let progress = ShownProgress::new(0, workers.verbosity, &Interrupt::listen()?, message);
    let answer = workers.pool()?.install(|| run_task(&task, &progress));
    progress.finish();
    let answer = match answer {
        Ok(answer) => answer,
        Err(TaskError::Stopped) => return Ok(ExitCode::from(130)),
        Err(error) => return Err(anyhow!("{}: {error}", shown(input))),
    };
    store::write_output(output, &answer)?;
    let time = rounded(progress.elapsed());
    announce(&format!("wrote {} after {time}", shown(output)), out)?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Debug, Args)]
#[command(after_help = NEXT_HELP)]
struct NextArguments {
    /// Run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Folder of the tasks and answers
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    workers: Workers,
}

const NEXT_HELP: &str = "\
Tasks are files such as DIR/1a2b3c4d5e6f7081.task. Write the answer to a file of the same name with the extension \
answer. Obsolete files are removed. Exit codes: 0 if tasks are waiting, 3 if all generations are evaluated.";

fn next(arguments: &NextArguments, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let NextArguments { run: path, folder, workers } = arguments;
    store::create_folder(folder)?;
    let Resumed { run, is_finished, warnings } = resume(path, None, None)?;
    warnings.iter().for_each(warn);
    let settings = run.trainer.settings();
    if settings.islands == 1 && settings.own.layers().is_none() {
        let reason = "the run has no islands and learns no features, so it has no tasks";
        return Err(usage(format!("{}: {reason}", shown(path))));
    }
    if is_finished {
        announce(&format!("{} is complete", shown(path)), out)?;
        return Ok(ExitCode::from(3));
    }
    let _memory = Reservation::of(settings.learning_needs().memory).context("buffer")?;
    let tasks = Arc::new(SharedFolder { path: folder.clone(), ..SharedFolder::default() });
    let runner: Arc<dyn TaskRunner> = Arc::<SharedFolder>::clone(&tasks);
    let (mut trainer, mut run_folder) = (run.trainer.with_task_runner(runner), run.folder);
    trainer = trainer.learning_in(run_folder.path());
    let mut measuring = run_folder.measuring(&trainer, run.tables)?;
    let watched = Watched { progress: &Interrupt::listen()?, stop: &StopPolicy::default() };
    let advance = || run_measured(&mut trainer, &mut measuring, &watched, &mut [&mut run_folder]);
    let end = workers.pool()?.install(advance).context("the run cannot continue")?;
    let waiting = tasks.waiting.load(Ordering::Relaxed);
    // We were interrupted, so we don't know which tasks are still needed. We keep them all.
    if waiting == 0 && end != End::Complete {
        return Ok(ExitCode::from(130));
    }
    let needed = if end == End::Complete { BTreeSet::new() } else { lock(&tasks.asked).clone() };
    remove_others(folder, &needed)?;
    let generation = counted(trainer.generation().into(), "generation");
    if end == End::Complete {
        let resume = shell::command(&["resume", &path.to_string_lossy()]);
        announce(&format!("{generation} evaluated; to finish the run: {resume}"), out)?;
        return Ok(ExitCode::from(3));
    }
    let tasks = counted(waiting, "task");
    announce(&format!("{generation} evaluated; {tasks} in {}", shown(folder)), out)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs tasks by writing them to a folder, where other processes add the answers.
#[derive(Debug, Default)]
struct SharedFolder {
    path: PathBuf,
    asked: Mutex<BTreeSet<String>>,
    waiting: AtomicU64,
}

impl SharedFolder {
    /// Returns the answer to a task. If there is no valid answer yet, writes the task and returns `None`.
    fn answer(&self, name: &str, task: &[u8]) -> Result<Option<Vec<u8>>, FileError> {
        let [input, output] = [TASK, ANSWER].map(|it| self.path.join(name).with_extension(it));
        if output.exists() {
            let answer = store::read(&output)?;
            match check_answer(task, &answer) {
                Ok(()) => return Ok(Some(answer)),
                Err(error) => warn(format!("{}: {error}", shown(output))),
            }
        }
        if !input.exists() || store::read(&input)? != task {
            store::replace(&input, task)?;
        }
        Ok(None)
    }
}

const TASK: &str = "task";
const ANSWER: &str = "answer";

impl TaskRunner for SharedFolder {
    fn is_prompt(&self) -> bool {
        false
    }

    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        _: &dyn Progress,
    ) -> Result<(), TaskError> {
        let mut queue = VecDeque::from(tasks);
        let (mut number, mut waiting) = (0, 0);
        while let Some(task) = queue.pop_front() {
            let name = sha256(&task)[..16].to_owned();
            let answer = self.answer(&name, &task);
            lock(&self.asked).insert(name);
            match answer.map_err(|error| TaskError::Runner(error.to_string()))? {
                Some(answer) => queue.extend(then(number, answer)?),
                None => waiting += 1,
            }
            number += 1;
        }
        self.waiting.store(waiting, Ordering::Relaxed);
        if waiting == 0 { Ok(()) } else { Err(TaskError::Stopped) }
    }
}

/// Removes temporary files left by killed processes, and all tasks and answers that aren't in `names`.
fn remove_others(folder: &Path, names: &BTreeSet<String>) -> Result<(), FileError> {
    let minute = Duration::from_secs(60);
    store::remove_leftovers(folder, minute, |name| is_task_or_answer(Path::new(name)));
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let file = entry.map_err(FileError::of("read", folder))?.path();
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if is_task_or_answer(&file) && !names.contains(&*name) {
            store::remove(&file)?;
        }
    }
    Ok(())
}

fn is_task_or_answer(file: &Path) -> bool {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let is_name = name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name && file.extension().is_some_and(|it| it == TASK || it == ANSWER)
}
