//! Endgame tables that a player has without being told where they are.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::os::folders;
use mancala::endgame::{BuildPlan, Tables, TablesError, build};
use mancala::game::ayo::Rules;
use mancala::progress::Progress;

/// The seeds of tables that are built on the way: half a second of processor time and 2.6 MiB, where values are not
/// proven two and a half seconds and 13 MiB. Each seed more takes twice that.
const BUILT: u8 = 12;

/// How often one who waits asks whether to go on waiting.
const A_MOMENT: Duration = Duration::from_millis(1);

/// Endgame tables that are there, or that are built when they are needed.
#[derive(Debug, Clone)]
pub enum Provided {
    /// Those of a folder.
    Filed(Arc<Tables>),
    /// Those in memory.
    Built(Arc<Building>),
}

/// Whether bounds are found for values that are not proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// They are.
    Bounded,
    /// They are not.
    Likely,
}

/// Tables under some rules, if there are any.
type Found = Vec<(Rules, Option<Provided>)>;

/// What has been found for the rules asked about so far: players of the same rules share their tables.
static FOUND: Mutex<Found> = Mutex::new(Vec::new());
/// The same without bounds.
static LIKELY: Mutex<Found> = Mutex::new(Vec::new());

/// What was found before, or else is found now.
fn shared<E>(
    found: &Mutex<Found>,
    rules: Rules,
    find: impl FnOnce() -> Result<Option<Provided>, E>,
) -> Result<Option<Provided>, E> {
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = found.iter().find(|(of, _)| *of == rules) {
        return Ok(known.clone());
    }
    let provided = find()?;
    found.push((rules, provided.clone()));
    Ok(provided)
}

impl Provided {
    /// The tables of these rules: those of the user's folder if they are of more seeds than would be built.
    /// `None` if under the rules there are none.
    ///
    /// # Errors
    /// If the tables of the folder are damaged.
    pub fn find(rules: Rules) -> Result<Option<Provided>, TablesError> {
        shared(&FOUND, rules, || {
            let filed = folders::tables().map_or(Ok(None), |folder| filed(&folder, rules))?;
            let filed = filed.map(|tables| Provided::Filed(Arc::new(tables)));
            Ok(filed.or_else(|| Provided::built(rules, Values::Bounded)))
        })
    }

    /// Tables of these rules that are built, without bounds. `None` if under the rules there are none.
    pub fn likely(rules: Rules) -> Option<Provided> {
        let found: Result<_, Infallible> =
            shared(&LIKELY, rules, || Ok(Provided::built(rules, Values::Likely)));
        found.unwrap_or_else(|never| match never {})
    }

    fn built(rules: Rules, values: Values) -> Option<Provided> {
        Some(Provided::Built(Arc::new(Building::of(rules, values)?)))
    }

    /// The most seeds that a position in the tables has on the board.
    pub fn most_seeds(&self) -> u8 {
        match self {
            Provided::Filed(tables) => tables.most_seeds(),
            Provided::Built(_) => BUILT,
        }
    }

    /// Has them built, unless that was begun before.
    pub fn begin(&self) {
        if let Provided::Built(building) = self {
            building.begin();
        }
    }

    /// The tables, if they are there.
    pub fn ready(&self) -> Option<&Arc<Tables>> {
        match self {
            Provided::Filed(tables) => Some(tables),
            Provided::Built(building) => building.tables.get()?.as_ref(),
        }
    }

    /// Waits for the tables. `None` if the progress stops that, or there was no memory for them.
    pub fn wait(&self, progress: &dyn Progress) -> Option<&Arc<Tables>> {
        self.begin();
        if let Provided::Built(building) = self {
            while building.tables.get().is_none() && !progress.should_stop() {
                thread::sleep(A_MOMENT);
            }
        }
        self.ready()
    }
}

/// Rules and seeds, from which all values follow; of files their checksum too.
impl fmt::Display for Provided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Provided::Filed(tables) => {
                let (rules, seeds) = (tables.rules(), tables.most_seeds());
                write!(f, "tables {rules} {seeds} {:08x}", tables.checksum())
            }
            Provided::Built(building) => {
                let bounds = if building.has_bounds() { " bounds" } else { "" };
                write!(f, "tables {} {BUILT}{bounds}", building.rules)
            }
        }
    }
}

/// The tables of a folder, all bits checked, if they are of these rules and know more than those that would be built:
/// of as many seeds these have bounds besides, where values are not proven.
fn filed(folder: &Path, rules: Rules) -> Result<Option<Tables>, TablesError> {
    // It may be named before anything is built there.
    if matches!(folder.try_exists(), Ok(false)) {
        return Ok(None);
    }
    match Tables::open(folder, rules) {
        Ok(tables) if tables.most_seeds() + u8::from(tables.proven()) > BUILT => {
            tables.check_all()?;
            Ok(Some(tables))
        }
        Ok(_) | Err(TablesError::None(_) | TablesError::Rules { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Tables that are built once, on a thread of their own.
#[derive(Debug)]
pub struct Building {
    rules: Rules,
    plan: BuildPlan,
    values: Values,
    begun: Once,
    /// `None` inside if there was no memory for them.
    tables: OnceLock<Option<Arc<Tables>>>,
}

impl Building {
    /// `None` if under the rules there are no tables.
    pub(super) fn of(rules: Rules, values: Values) -> Option<Building> {
        let plan = BuildPlan::in_memory(rules, BUILT).ok()?;
        Some(Building { rules, plan, values, begun: Once::new(), tables: OnceLock::new() })
    }

    /// Whether bounds are found too, once the values are.
    fn has_bounds(&self) -> bool {
        self.values == Values::Bounded && !Tables::proves(self.rules)
    }

    fn begin(self: &Arc<Self>) {
        self.begun.call_once(|| {
            // One who waits may be a thread of a pool that is to build: the work needs a pool of its own.
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => {
                    let building = Arc::clone(self);
                    pool.spawn(move || building.finish(building.built()));
                }
                Err(_) => self.finish(None),
            }
        });
    }

    /// Seems to be at work from now on, and never ends.
    #[cfg(test)]
    pub(super) fn never(&self) {
        self.begun.call_once(|| ());
    }

    fn built(&self) -> Option<Tables> {
        let mut tables = build(&self.plan, &(), |_| ()).ok().flatten()?;
        if self.has_bounds() {
            tables.find_bounds().ok()?;
        }
        Some(tables)
    }

    fn finish(&self, tables: Option<Tables>) {
        // It is the only one to set them.
        let _ = self.tables.set(tables.map(Arc::new));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stopped;

    impl Progress for Stopped {
        fn should_stop(&self) -> bool {
            true
        }
    }

    fn in_folder(folder: &Path, rules: Rules, seeds: u8) -> Tables {
        build(&BuildPlan::new(rules, seeds, folder).unwrap(), &(), |_| ()).unwrap().unwrap()
    }

    #[test]
    fn they_are_the_same_in_memory_and_in_files() {
        let folder = tempfile::tempdir().unwrap();
        let written = in_folder(folder.path(), Rules::AWARI, BUILT);
        let found = filed(folder.path(), Rules::AWARI).unwrap().unwrap();
        let Some(provided @ Provided::Built(_)) = Provided::find(Rules::AWARI).unwrap() else {
            panic!("a unit test has no tables in files");
        };
        let built = provided.wait(&()).unwrap();
        assert_eq!([built.checksum(), found.checksum()], [written.checksum(); 2]);
        let again = Provided::find(Rules::AWARI).unwrap().unwrap();
        assert!(Arc::ptr_eq(again.ready().unwrap(), built));

        let layer = folder.path().join("awari-09.ayo");
        let mut bytes = std::fs::read(&layer).unwrap();
        bytes[99] ^= 1;
        std::fs::write(&layer, bytes).unwrap();
        let error = filed(folder.path(), Rules::AWARI).unwrap_err().to_string();
        assert!(error.contains("awari-09.ayo is damaged"), "{error}");
    }

    #[test]
    fn only_tables_that_are_better_than_those_built_are_taken_from_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        in_folder(folder.path(), Rules::AWARI, BUILT - 4);
        for (folder, rules) in [
            (folder.path(), Rules::AWARI),
            (folder.path(), Rules::AYO),
            (&folder.path().join("nowhere"), Rules::AWARI),
        ] {
            assert!(filed(folder, rules).unwrap().is_none(), "{rules}");
        }
        assert!(Provided::find(Rules::NO_SLAM).unwrap().is_none());
    }

    #[test]
    fn who_is_told_to_stop_does_not_wait() {
        let building = Building::of(Rules::AYO, Values::Likely).unwrap();
        building.never();
        assert!(Provided::Built(Arc::new(building)).wait(&Stopped).is_none());
    }
}
