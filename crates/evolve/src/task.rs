//! Work that other processes can do for us. A task is a pure function from bytes to bytes, so every process that runs
//! the same build returns the same result. Tasks can't use time limits, files (such as tables) or other programs.

mod games;
mod generations;
mod positions;

use std::fmt::Debug;

use arena::{Batch, Outcome};
use mancala::progress::Progress;
use mancala::store::{FileError, Frame, FrameError, sha256};
use serde::{Deserialize, Serialize};

pub use self::games::RemoteGames;
use self::generations::GenerationsTask;
pub(crate) use self::generations::Pipeline;
use self::positions::PositionsTask;
pub(crate) use self::positions::collect_positions;
use crate::learn::Positions;
use crate::optimise::{Saved, WorkError};

/// The version and a hash of the source code. A task can only be run by the build that created it.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("AYO_SOURCES"));

/// The format of a task: the build that created it, and the work in a nested frame that only this build can decode.
const TASK: Frame = Frame { kind: *b"TASK", version: 1 };
const WORK: Frame = Frame { kind: *b"WORK", version: 1 };
/// The format of a result, which is preceded by the hash of its task.
const ANSWER: Frame = Frame { kind: *b"DONE", version: 1 };

/// Runs tasks, usually in other processes.
pub trait TaskRunner: Debug + Send + Sync {
    /// Returns whether tasks of about a second are run without delay. If not, we play match games in this process.
    fn is_prompt(&self) -> bool {
        true
    }

    /// Runs tasks with [`run_task`]. As soon as the result of a task is available, it is passed to `then`, along with
    /// the number of the task (starting at 0). `then` may return further tasks, whose numbers continue the sequence.
    /// Fails if a task fails, if `then` fails, or if `progress` requests a stop.
    fn run(
        &self,
        tasks: Vec<Vec<u8>>,
        then: &mut Then<'_>,
        progress: &dyn Progress,
    ) -> Result<(), TaskError>;
}

/// A callback that receives the number and the result of a task, and returns further tasks to run.
pub type Then<'a> = dyn FnMut(usize, Vec<u8>) -> Result<Vec<Vec<u8>>, TaskError> + 'a;

#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// The file is not a valid task, or it is damaged.
    #[error("the task {0}")]
    Task(FrameError),
    /// The file is not a valid result of a task, or it is damaged.
    #[error("the answer {0}")]
    Answer(FrameError),
    #[error("the answer belongs to another task")]
    OtherTask,
    #[error("the task is from build {0}, but this is build {BUILD}: use one build on all machines")]
    Build(String),
    #[error("the task is invalid: {0}")]
    Content(String),
    #[error("{0} cannot be computed as tasks")]
    Unsupported(&'static str),
    #[error("the work was stopped")]
    Stopped,
    /// An error in the [`TaskRunner`] rather than in a task.
    #[error("{0}")]
    Runner(String),
    #[error(transparent)]
    File(#[from] FileError),
}

impl TaskError {
    pub(crate) fn content(error: impl ToString) -> TaskError {
        TaskError::Content(error.to_string())
    }

    /// Converts this error to an error of the action that ran the tasks, e.g. action "learn" and object "the features".
    pub(crate) fn of(self, action: &'static str, object: &str) -> WorkError {
        match self {
            TaskError::Stopped => WorkError::Stopped,
            TaskError::File(error) => error.into(),
            error => WorkError::failed(action, object, error),
        }
    }
}

impl From<WorkError> for TaskError {
    fn from(error: WorkError) -> TaskError {
        match error {
            WorkError::Stopped => TaskError::Stopped,
            WorkError::Failed(error) => error.into(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
enum Task {
    Generations(GenerationsTask),
    Games(Batch),
    Positions(PositionsTask),
}

#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    /// For each generation, the saved state at its end and the number of nodes that were searched.
    Generations(Vec<(Saved, u64)>),
    Games(Vec<Outcome>),
    Positions(Vec<Positions>),
}

impl Task {
    fn encode(&self) -> Vec<u8> {
        TASK.encode(&(BUILD, WORK.encode(self)))
    }
}

/// Runs a task on the current rayon pool and returns its result.
pub fn run_task(bytes: &[u8], progress: &dyn Progress) -> Result<Vec<u8>, TaskError> {
    let (build, work): (String, Vec<u8>) = TASK.decode(bytes).map_err(TaskError::Task)?;
    if build != BUILD {
        return Err(TaskError::Build(build));
    }
    let answer = match WORK.decode(&work).map_err(TaskError::Task)? {
        Task::Generations(task) => Answer::Generations(task.run(progress)?),
        Task::Games(batch) => Answer::Games(games::play(batch, progress)?),
        Task::Positions(task) => Answer::Positions(task.run(progress)?),
    };
    Ok(ANSWER.encode(&(sha256(bytes), answer)))
}

/// Checks that `answer` is intact and belongs to `task`.
pub fn check_answer(task: &[u8], answer: &[u8]) -> Result<(), TaskError> {
    read_answer(task, answer).map(drop)
}

fn read_answer(task: &[u8], answer: &[u8]) -> Result<Answer, TaskError> {
    let (hash, answer): (String, Answer) = ANSWER.decode(answer).map_err(TaskError::Answer)?;
    if hash == sha256(task) { Ok(answer) } else { Err(TaskError::OtherTask) }
}

fn answers(
    runner: &dyn TaskRunner,
    tasks: &[Task],
    progress: &dyn Progress,
) -> Result<Vec<Answer>, TaskError> {
    let tasks: Vec<Vec<u8>> = tasks.iter().map(Task::encode).collect();
    let mut answers: Vec<Option<Answer>> = tasks.iter().map(|_| None).collect();
    let mut then = |number: usize, answer: Vec<u8>| {
        let task = tasks.get(number).ok_or(TaskError::OtherTask)?;
        answers[number] = Some(read_answer(task, &answer)?);
        Ok(Vec::new())
    };
    runner.run(tasks.clone(), &mut then, progress)?;
    let missing = || TaskError::Runner("some tasks were not computed".to_owned());
    answers.into_iter().collect::<Option<_>>().ok_or_else(missing)
}

#[cfg(test)]
mod tests;
