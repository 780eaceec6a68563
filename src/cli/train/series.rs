//! Runs of several seeds, one after the other.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use super::drive::{Effort, drive, listen};
use super::refusals::{task_error, warn_of};
use super::report::{say_champion, say_how_to_play};
use super::whole::{Whole, place_of};
use crate::app::resume::Rest;
use crate::app::series::{Course, Limit, NoTask, Standing, Task, in_turn, tasks};
use crate::app::train::NewRun;
use crate::app::whole_runs::{Next, next};
use crate::cli::helpers::Hands;
use crate::cli::meter::counted;
use crate::cli::output::{announce, announce_json};
use crate::cli::progress::Leaving;
use crate::cli::seeds::Seeds;
use crate::cli::shell::{self, program};
use crate::cli::terminal::shown;
use crate::cli::usage;
use crate::results::{Completion, MeanScore, Score, Series, SeriesRun, SeriesState};
use crate::run::{Elsewhere, End, RUNS, Summary};

/// Runs of several seeds as they were asked for.
pub(super) struct Wanted<'a> {
    pub(super) new: &'a NewRun,
    pub(super) seeds: &'a Seeds,
    /// Where they go; the seed is put behind.
    pub(super) out: Option<&'a Path>,
    pub(super) tables: Option<&'a Path>,
    pub(super) effort: &'a Effort,
}

/// An error in terms of the command line.
struct Failure(anyhow::Error);

impl From<NoTask> for Failure {
    fn from(error: NoTask) -> Failure {
        Failure(task_error(error))
    }
}

impl Wanted<'_> {
    fn tasks(&self) -> anyhow::Result<Vec<Task>> {
        if let Some(out) = self.out.filter(|out| out.file_name().is_none()) {
            let out = shown(out);
            return Err(usage(format!("--out {out}: with --seeds give a name, as in {RUNS}/mine")));
        }
        Ok(tasks(self.new, self.seeds.all(), self.out))
    }

    fn limit(&self) -> Limit {
        match self.effort.limit(self.new.settings()) {
            Some(_) => Limit::Time,
            None => Limit::Generations,
        }
    }

    /// Trains those that are not finished, and says what there is and what to type next.
    pub(super) fn train(&self, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let (tasks, leaving) = (self.tasks()?, listen()?);
        self.effort.check()?;
        // What would stop the last run should not be said in the morning.
        for task in &tasks {
            task.standing(self.limit()).map_err(task_error)?;
        }
        let all = counted(tasks.len() as u64, "run");
        let hands = self.effort.hands(&format!("train {all} of {}", self.new.settings().preset))?;
        let is_whole = self.limit() == Limit::Generations && self.tables.is_none();
        let course = match hands.elsewhere().filter(|_| is_whole) {
            Some(place) => self.beside(&tasks, &*place, (&hands, &leaving), out)?,
            None => {
                let one =
                    |task: &Task| self.one(task, &tasks, (&hands, &leaving), out).map_err(Failure);
                in_turn(&tasks, self.limit(), one).map_err(|Failure(error)| error)?
            }
        };
        let found = self.found(&tasks, course)?;
        if self.effort.json {
            announce_json(&found, out)?;
        } else {
            print(&found, out)?;
        }
        Ok(ExitCode::from(if course == Course::Stopped { 130 } else { 0 }))
    }

    /// Does tasks with those who train whole runs.
    fn beside(
        &self,
        tasks: &[Task],
        place: &dyn Elsewhere,
        (hands, leaving): (&Hands, &Leaving),
        out: &mut dyn Write,
    ) -> anyhow::Result<Course> {
        let pool = self.effort.workers().pool()?;
        let threads = || pool.current_num_threads() + place.threads();
        let mut tried = Vec::new();
        while let Some(next) = next(tasks, place, threads(), &tried).map_err(task_error)? {
            let is_stopped = match next {
                Next::One(task) => {
                    let end = self.one(task, tasks, (hands, leaving), out)?;
                    tried.push(task.folder.clone());
                    matches!(end, End::Interrupted | End::Stopped)
                }
                Next::Whole(some) => {
                    let whole = Whole { all: tasks, some: &some, place, pool: &pool };
                    whole.train(self.effort, leaving, out)? == Course::Stopped
                }
            };
            if is_stopped {
                return Ok(Course::Stopped);
            }
        }
        Ok(Course::Done)
    }

    /// Does one task.
    fn one(
        &self,
        task: &Task,
        tasks: &[Task],
        with: (&Hands, &Leaving),
        out: &mut dyn Write,
    ) -> anyhow::Result<End> {
        let resumed = task.open(self.tables, self.limit()).map_err(task_error)?;
        warn_of(&resumed, &task.folder);
        if resumed.rest == Rest::Nothing {
            return Ok(End::Complete);
        }
        let (trainer, folder) = (&resumed.run.trainer, shown(&task.folder));
        let going_on = match trainer.generation() {
            0 => String::new(),
            done => format!(", going on {}", self.effort.after(done, trainer.settings())),
        };
        let (place, seed) = (place_of(task, tasks), task.settings.seed);
        let beginning = format!("{place}: {folder}, seed {seed}{going_on}");
        let ended = drive(resumed.run, &beginning, self.effort, with, out)?;
        if self.effort.json {
            announce_json(&ended.result(), out)?;
        } else {
            announce(&ended.totals(), out)?;
            say_champion(&ended.summary, out)?;
            announce("", out)?;
        }
        Ok(ended.end)
    }

    /// What the folders hold.
    fn found(&self, tasks: &[Task], course: Course) -> anyhow::Result<Series> {
        let run = |task: &Task| {
            let run = match task.standing(self.limit()).map_err(task_error)? {
                Standing::New => SeriesRun::new(&task.folder, task.settings.seed),
                Standing::Begun(run) => SeriesRun::of(&run, SeriesState::Begun),
                Standing::Finished(run) => SeriesRun::of(&run, SeriesState::Finished),
            };
            anyhow::Ok(run)
        };
        let runs = tasks.iter().map(run).collect::<anyhow::Result<_>>()?;
        let completion = match course {
            Course::Done => Completion::Finished,
            Course::Stopped => Completion::Interrupted,
        };
        let settings = self.new.settings();
        Ok(Series::of(&settings.preset, settings.game(), runs, completion))
    }

    /// Says which runs there would be.
    pub(super) fn say_folders(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "\n# A run for each of {}:", counted(self.seeds.all().len() as u64, "seed"))?;
        for task in self.tasks()? {
            let standing = match task.standing(self.limit()) {
                Ok(Standing::New) => String::new(),
                Ok(Standing::Begun(run)) => format!(", to go on after {}", run.generation),
                Ok(Standing::Finished(_)) => ", finished".into(),
                Err(refusal) => format!(", which cannot be: {:#}", task_error(refusal)),
            };
            writeln!(out, "#   {}{standing}", shown(&task.folder))?;
        }
        Ok(())
    }
}

fn print(found: &Series, out: &mut dyn Write) -> anyhow::Result<()> {
    let wide = found.runs.iter().map(|run| shown(&run.folder).chars().count()).max().unwrap_or(0);
    writeln!(out, "{:<wide$}  {:<8}  {:>10}  strength", "run", "state", "generation")?;
    for run in &found.runs {
        let (folder, state) = (shown(&run.folder), run.state.word());
        let Score { score, score_ci95 } = match run.score {
            Some(score) => score,
            None => {
                writeln!(out, "{folder:<wide$}  {state:<8}  {:>10}  -", run.generation)?;
                continue;
            }
        };
        let strength = said(score, Some(score_ci95));
        writeln!(out, "{folder:<wide$}  {state:<8}  {:>10}  {strength}", run.generation)?;
    }
    if let Some(MeanScore { score, score_ci95 }) = found.panel {
        let measured = found.runs.iter().filter(|run| run.score.is_some()).count() as u64;
        let (seeds, strength) = (counted(measured, "seed"), said(score, score_ci95));
        writeln!(out, "\nmean of {seeds}: {strength}")?;
        for (opponent, MeanScore { score, score_ci95 }) in &found.opponents {
            writeln!(out, "  {} against {}", said(*score, *score_ci95), shown(opponent))?;
        }
        if let Some(it) = found.runs.iter().flat_map(|run| run.strength.first()).next() {
            let (games, openings) = (counted(it.games, "game"), shown(&it.openings));
            writeln!(out, "  in {games} each, openings {openings}")?;
        }
    }
    if let Some(best) = &found.best {
        writeln!(out, "best by these games: {}", shown(best))?;
    }
    if found.interrupted {
        writeln!(out, "stopped before all were finished; go on with")?;
        writeln!(out, "  {}", shell::again())?;
        return Ok(());
    }
    say_what_next(found, out)
}

fn said(score: f64, interval: Option<(f64, f64)>) -> String {
    let interval = interval.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
    format!("{score:.3}{}", interval.unwrap_or_default())
}

fn say_what_next(found: &Series, out: &mut dyn Write) -> anyhow::Result<()> {
    let all = found.runs.iter().map(|run| shell::quoted(&run.folder)).collect::<Vec<_>>().join(" ");
    let picture = shell::quoted(&format!("plots/{}-seeds.png", found.preset));
    writeln!(out, "next:\n  {} plot {all} --group -o {picture}", program())?;
    match &found.best {
        Some(best) => say_how_to_play(&Summary::of(Path::new(best))?, out),
        None => Ok(()),
    }
}
