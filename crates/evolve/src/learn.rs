//! Fits layers of hidden neurons to positions that are collected and labelled in self-play.
//!
//! The result depends only on the [`Plan`]: every game has its own random stream, sums are computed in a fixed order,
//! and all arithmetic uses only `+`, `−`, `×`, `÷`, square roots and functions from the crate `libm`.

mod adam;
mod buffer;
mod collect;
mod fit;
mod network;
mod plan;
mod positions;
mod team;
mod vectors;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mancala::progress::Progress;

use self::fit::fit;
use crate::task::{TaskError, TaskRunner};

pub use self::buffer::POSITIONS;
pub(crate) use self::collect::play_games;
pub use self::fit::FIT;
pub use self::plan::{Dataset, Fitted, Plan, SIZES, Teacher};
pub(crate) use self::positions::Positions;

/// Learns the layers of a run, one after another, and caches the positions that the next layer may need again.
#[derive(Debug, Default)]
pub struct Learner {
    /// A map from the [origin](Plan::origin_of) of a dataset to its positions.
    datasets: BTreeMap<String, Positions>,
    /// The run folder, or `None` to keep everything in memory.
    folder: Option<PathBuf>,
}

impl Learner {
    /// Creates a learner that stores positions and the state of a fit in the given run folder.
    pub fn of_run(folder: &Path) -> Learner {
        Learner { folder: Some(folder.into()), ..Learner::default() }
    }

    /// Collects positions (using tasks if there is a `runner`) and fits a layer. Also returns the nodes searched.
    pub fn learn(
        &mut self,
        plan: &Plan,
        runner: Option<&dyn TaskRunner>,
        progress: &dyn Progress,
    ) -> Result<(Fitted, u64), TaskError> {
        progress.begin_stage("collecting positions");
        let nodes = self.collect(plan, runner, progress)?;
        let datasets = plan.datasets.iter().map(|it| &self.datasets[&plan.origin_of(it)]).collect();
        let folder = self.folder.as_deref();
        progress.begin_stage("fitting");
        Ok((fit(datasets, plan, folder, progress)?, nodes))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::sync::Mutex;

    use mancala::eval::Weights;
    use mancala::game::AnyGame;
    use mancala::laws::{StopAfter, on_threads};
    use mancala::search::Options;

    use super::*;

    pub(crate) fn plan(game: AnyGame, teacher: Teacher) -> Plan {
        let dataset =
            |iteration, positions| Dataset { iteration, positions, teacher: teacher.clone() };
        Plan {
            seed: 7,
            game,
            units: 8,
            neurons: 8,
            phases: 2,
            datasets: vec![dataset(2, 3000), dataset(3, 2000)],
            epochs: 2,
            depth: 1,
            label_depth: 1,
            label_tables: 4,
            options: Options::of(game.kind()),
        }
    }

    fn seeds() -> Teacher {
        Teacher::Scores(Box::new(Weights::named("seeds").unwrap()))
    }

    #[test]
    fn stages_are_reported_in_order() {
        #[derive(Default)]
        struct Stages(Mutex<Vec<&'static str>>);
        impl Progress for Stages {
            fn begin_stage(&self, name: &'static str) {
                self.0.lock().unwrap().push(name);
            }
        }
        let stages = Stages::default();
        Learner::default().learn(&plan(AnyGame::default(), seeds()), None, &stages).unwrap();
        assert_eq!(stages.0.into_inner().unwrap(), ["collecting positions", "fitting"]);
    }

    #[test]
    fn threads_do_not_matter_in_any_game() {
        for (game, teacher) in [
            ("ayo", seeds()),
            ("kalah", Teacher::Outcomes),
            ("kalah:pits=3,seeds=2", Teacher::Outcomes),
        ] {
            let plan = plan(game.parse().unwrap(), teacher);
            let learn = |threads| {
                on_threads(threads, || Learner::default().learn(&plan, None, &()).unwrap().0)
            };
            let found = learn(1);
            // With nine threads, we play several blocks of games in parallel.
            assert_eq!(found, learn(9));
            assert!(found.losses.last() < found.losses.first(), "{:?}", found.losses);
        }
    }

    #[test]
    fn interruptions_and_lost_or_damaged_files_do_not_matter() {
        let plan = plan(AnyGame::default(), Teacher::Outcomes);
        let expected = Learner::default().learn(&plan, None, &()).unwrap().0;
        let run = tempfile::tempdir().unwrap();
        let mut stops = 0;
        let found = loop {
            let progress = StopAfter::reports(3 + stops);
            match Learner::of_run(run.path()).learn(&plan, None, &progress) {
                Ok((found, _)) => break found,
                Err(TaskError::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
        };
        assert!(found == expected && stops > 3, "{stops}");
        let entries = fs::read_dir(run.path().join(POSITIONS)).unwrap();
        let mut files: Vec<_> = entries.map(|it| it.unwrap().path()).collect();
        files.sort();
        assert!(files.len() > 3, "{files:?}");
        let contents: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        fs::remove_file(&files[0]).unwrap();
        let mut damaged = contents[1].clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        fs::write(&files[1], damaged).unwrap();
        fs::write(run.path().join(FIT), "").unwrap();
        assert_eq!(Learner::of_run(run.path()).learn(&plan, None, &()).unwrap().0, expected);
        let again: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
        assert!(again == contents);
        // Learning the next layer must remove the positions of iterations that are no longer needed.
        let next = Plan { datasets: plan.datasets[1..].to_vec(), ..plan };
        Learner::of_run(run.path()).learn(&next, None, &()).unwrap();
        assert!(!files[0].exists() && files.last().unwrap().exists());
    }
}
