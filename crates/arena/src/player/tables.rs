//! A player's default endgame tables, read from the user's folder or built in memory.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::os;
use mancala::endgame::{BuildPlan, Tables, TablesError, build};
use mancala::game::ayo::Rules;
use mancala::progress::Progress;

/// Number of seeds in tables built in memory, which takes half a second and 2.6 MiB, or 2.5 seconds and 13 MiB with
/// bounds. Each additional seed doubles both.
const BUILT_SEEDS: u8 = 12;

/// Time between two checks for a requested stop while waiting.
const POLL: Duration = Duration::from_millis(1);

/// Endgame tables that are already open or are built when needed.
#[derive(Debug, Clone)]
pub enum DefaultTables {
    Filed(Arc<Tables>),
    Built(Arc<Building>),
}

/// The tables used so far, shared by players under the same rules. `None` if there are no tables for the rules.
static CACHE: Mutex<Vec<(Rules, bool, Option<DefaultTables>)>> = Mutex::new(Vec::new());

impl DefaultTables {
    /// Finds the tables for the rules, if there are any: with bounds, those in the user's folder if they cover more
    /// seeds than tables in memory. Fails if the user's tables are damaged.
    pub fn find(rules: Rules, with_bounds: bool) -> Result<Option<DefaultTables>, TablesError> {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., known)) =
            cache.iter().find(|entry| (entry.0, entry.1) == (rules, with_bounds))
        {
            return Ok(known.clone());
        }
        let filed = match os::tables_folder() {
            Some(folder) if with_bounds => filed(&folder, rules)?,
            _ => None,
        };
        let built = || Some(DefaultTables::Built(Arc::new(Building::of(rules, with_bounds)?)));
        let provided = filed.map(|tables| DefaultTables::Filed(Arc::new(tables))).or_else(built);
        cache.push((rules, with_bounds, provided.clone()));
        Ok(provided)
    }

    /// Returns tables with bounds for unproven values: those in a folder, or tables in memory, which are the same on
    /// every machine. `None` without tables for the rules or memory. Fails if the folder has no undamaged tables.
    pub fn with_bounds(
        rules: Rules,
        folder: Option<&Path>,
    ) -> Result<Option<DefaultTables>, TablesError> {
        let Some(folder) = folder else {
            let Some(building) = Building::of(rules, true) else { return Ok(None) };
            let tables = DefaultTables::Built(Arc::new(building));
            return Ok(tables.wait(&()).is_some().then_some(tables));
        };
        let mut tables = Tables::open(folder, rules)?;
        tables.check_all()?;
        let is_computed = tables.compute_bounds().is_ok();
        Ok(is_computed.then(|| DefaultTables::Filed(Arc::new(tables))))
    }

    /// The maximum number of seeds on the board for a position in the tables.
    pub fn max_seeds(&self) -> u8 {
        match self {
            DefaultTables::Filed(tables) => tables.max_seeds(),
            DefaultTables::Built(_) => BUILT_SEEDS,
        }
    }

    /// Starts building the tables, unless building has already started.
    pub fn begin(&self) {
        if let DefaultTables::Built(building) = self {
            building.begin();
        }
    }

    pub fn ready(&self) -> Option<&Arc<Tables>> {
        match self {
            DefaultTables::Filed(tables) => Some(tables),
            DefaultTables::Built(building) => building.tables.get()?.as_ref(),
        }
    }

    /// Waits for the tables. Returns `None` if `progress` requested a stop or there was not enough memory.
    pub fn wait(&self, progress: &dyn Progress) -> Option<&Arc<Tables>> {
        self.begin();
        if let DefaultTables::Built(building) = self {
            while building.tables.get().is_none() && !progress.should_stop() {
                thread::sleep(POLL);
            }
        }
        self.ready()
    }
}

/// Writes the rules and the number of seeds, which determine all values, and for tables in files also the checksum.
impl fmt::Display for DefaultTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultTables::Filed(tables) => tables.fmt(f),
            DefaultTables::Built(building) => {
                let bounds = if building.has_bounds { " bounds" } else { "" };
                write!(f, "tables {} {BUILT_SEEDS}{bounds}", building.rules)
            }
        }
    }
}

/// Opens and verifies the tables in a folder if they are for these rules and contain more than those built in memory.
fn filed(folder: &Path, rules: Rules) -> Result<Option<Tables>, TablesError> {
    // `AYO_TABLES` may refer to a folder that does not exist yet.
    if matches!(folder.try_exists(), Ok(false)) {
        return Ok(None);
    }
    match Tables::open(folder, rules) {
        Ok(tables) if tables.max_seeds() + u8::from(tables.are_proven()) > BUILT_SEEDS => {
            tables.check_all()?;
            Ok(Some(tables))
        }
        Ok(_) | Err(TablesError::None(_) | TablesError::Rules { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Tables that are built once, on a separate thread.
#[derive(Debug)]
pub struct Building {
    rules: Rules,
    plan: BuildPlan,
    /// Whether bounds are computed after the values.
    has_bounds: bool,
    begun: Once,
    /// Set to the tables once they are built, or to `None` if there was not enough memory.
    tables: OnceLock<Option<Arc<Tables>>>,
}

impl Building {
    /// Returns `None` if there are no tables for these rules.
    pub(super) fn of(rules: Rules, with_bounds: bool) -> Option<Building> {
        let plan = BuildPlan::in_memory(rules, BUILT_SEEDS).ok()?;
        let has_bounds = with_bounds && !Tables::are_proven_under(rules);
        Some(Building { rules, plan, has_bounds, begun: Once::new(), tables: OnceLock::new() })
    }

    fn begin(self: &Arc<Self>) {
        self.begun.call_once(|| {
            // Use a separate pool, since all threads of the current one may be waiting for these tables.
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => {
                    let building = Arc::clone(self);
                    // Setting cannot fail, since only this thread sets the tables.
                    pool.spawn(move || _ = building.tables.set(building.built().map(Arc::new)));
                }
                Err(_) => _ = self.tables.set(None),
            }
        });
    }

    /// Pretends to start building, but never finishes.
    #[cfg(test)]
    pub(super) fn never(&self) {
        self.begun.call_once(|| ());
    }

    fn built(&self) -> Option<Tables> {
        let mut tables = build(&self.plan, &(), |_| ()).ok().flatten()?;
        if self.has_bounds {
            tables.compute_bounds().ok()?;
        }
        Some(tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mancala::laws::StopAfter;

    fn in_folder(folder: &Path, rules: Rules, seeds: u8) -> Tables {
        build(&BuildPlan::new(rules, seeds, folder).unwrap(), &(), |_| ()).unwrap().unwrap()
    }

    #[test]
    fn tables_in_memory_equal_those_in_files() {
        let folder = tempfile::tempdir().unwrap();
        let written = in_folder(folder.path(), Rules::AWARI, BUILT_SEEDS);
        let found = filed(folder.path(), Rules::AWARI).unwrap().unwrap();
        let Some(provided @ DefaultTables::Built(_)) =
            DefaultTables::find(Rules::AWARI, true).unwrap()
        else {
            panic!("a unit test has no tables in files");
        };
        let built = provided.wait(&()).unwrap();
        assert_eq!([built.checksum(), found.checksum()], [written.checksum(); 2]);
        let again = DefaultTables::find(Rules::AWARI, true).unwrap().unwrap();
        assert!(Arc::ptr_eq(again.ready().unwrap(), built));

        let layer = folder.path().join("awari-09.ayo");
        let mut bytes = std::fs::read(&layer).unwrap();
        bytes[99] ^= 1;
        std::fs::write(&layer, bytes).unwrap();
        let error = filed(folder.path(), Rules::AWARI).unwrap_err().to_string();
        assert!(error.contains("awari-09.ayo is damaged"), "{error}");
    }

    #[test]
    fn a_folder_with_smaller_tables_is_not_used() {
        let folder = tempfile::tempdir().unwrap();
        in_folder(folder.path(), Rules::AWARI, BUILT_SEEDS - 4);
        for (folder, rules) in [
            (folder.path(), Rules::AWARI),
            (folder.path(), Rules::AYO),
            (&folder.path().join("nowhere"), Rules::AWARI),
        ] {
            assert!(filed(folder, rules).unwrap().is_none(), "{rules}");
        }
        assert!(DefaultTables::find(Rules::NO_SLAM, true).unwrap().is_none());
    }

    #[test]
    fn a_stop_ends_waiting() {
        let building = Building::of(Rules::AYO, false).unwrap();
        building.never();
        assert!(DefaultTables::Built(Arc::new(building)).wait(&StopAfter::polls(0)).is_none());
    }
}
