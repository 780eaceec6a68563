//! The default endgame tables of players, which are read from the user's folder or built in memory.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::os;
use mancala::endgame::{BuildPlan, Tables, TablesError, build};
use mancala::game::AnyGame;
use mancala::game::ayo::{Ayo, Rules};
use mancala::progress::Progress;

/// The maximum number of seeds in tables that we build in memory. Building them takes half a second and 2.6 MiB without
/// bounds, or 2.5 seconds and 13 MiB with bounds. Each additional seed doubles the time and the memory.
const BUILT_SEEDS: u8 = 12;

/// How often we check for a requested stop while we wait for tables.
const POLL: Duration = Duration::from_millis(1);

/// Endgame tables that are already open, or that are built on first use. Clones share the tables.
#[derive(Debug, Clone)]
pub struct DefaultTables(Arc<Source>);

#[derive(Debug)]
struct Source {
    /// The rules and the number of seeds, which determine all values, and the checksum of any files.
    identity: String,
    max_seeds: u8,
    /// How to build the tables and whether to compute bounds afterwards, or `None` if the tables are already open.
    plan: Option<(BuildPlan, bool)>,
    begun: Once,
    /// Set to the tables once they are built, or to `None` if there was not enough memory.
    tables: OnceLock<Option<Arc<Tables>>>,
}

/// The tables found so far, or `None` for rules without tables. Players with the same rules and bounds share tables.
static CACHE: Mutex<Vec<(Rules, bool, Option<DefaultTables>)>> = Mutex::new(Vec::new());

impl DefaultTables {
    /// Finds the tables for a game, if there are any. With bounds, we prefer the user's tables to those that we build
    /// if they cover more seeds, or if they are proven and cover as many seeds. Fails if the user's tables are damaged.
    pub fn find(
        game: impl Into<AnyGame>,
        with_bounds: bool,
    ) -> Result<Option<DefaultTables>, TablesError> {
        let AnyGame::Ayo(Ayo { rules }) = game.into() else { return Ok(None) };
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
        let filed = filed.map(|tables| DefaultTables::open(Arc::new(tables)));
        let provided = filed.or_else(|| DefaultTables::built(rules, with_bounds));
        cache.push((rules, with_bounds, provided.clone()));
        Ok(provided)
    }

    /// Returns tables with bounds for unproven values. The tables are read from `folder`. If `folder` is `None`, then
    /// we build them in memory, so they are identical on every machine. Returns `None` if the game has no tables or if
    /// memory runs out. Fails if the folder has no undamaged tables.
    pub fn with_bounds(
        game: impl Into<AnyGame>,
        folder: Option<&Path>,
    ) -> Result<Option<DefaultTables>, TablesError> {
        let AnyGame::Ayo(Ayo { rules }) = game.into() else { return Ok(None) };
        let Some(folder) = folder else {
            return Ok(DefaultTables::built(rules, true).filter(|it| it.wait(&()).is_some()));
        };
        let mut tables = Tables::open(folder, rules)?;
        tables.check_all()?;
        let is_computed = tables.compute_bounds().is_ok();
        Ok(is_computed.then(|| DefaultTables::open(Arc::new(tables))))
    }

    pub(super) fn open(tables: Arc<Tables>) -> DefaultTables {
        DefaultTables(Arc::new(Source {
            identity: tables.to_string(),
            max_seeds: tables.max_seeds(),
            plan: None,
            begun: Once::new(),
            tables: OnceLock::from(Some(tables)),
        }))
    }

    /// Returns tables to be built in memory, or `None` if there are no tables for these rules.
    pub(super) fn built(rules: Rules, with_bounds: bool) -> Option<DefaultTables> {
        let plan = BuildPlan::in_memory(rules, BUILT_SEEDS).ok()?;
        let has_bounds = with_bounds && !Tables::are_proven_under(rules);
        let bounds = if has_bounds { " bounds" } else { "" };
        Some(DefaultTables(Arc::new(Source {
            identity: format!("tables {rules} {BUILT_SEEDS}{bounds}"),
            max_seeds: BUILT_SEEDS,
            plan: Some((plan, has_bounds)),
            begun: Once::new(),
            tables: OnceLock::new(),
        })))
    }

    /// Returns how many seeds the tables cover.
    pub fn max_seeds(&self) -> u8 {
        self.0.max_seeds
    }

    /// Starts building the tables on a separate thread, unless building has already started.
    pub fn begin(&self) {
        let DefaultTables(source) = self;
        let Some((plan, has_bounds)) = &source.plan else { return };
        source.begun.call_once(|| {
            let (plan, has_bounds) = (plan.clone(), *has_bounds);
            let build = move || {
                let mut tables = build(&plan, &(), |_| ()).ok().flatten()?;
                if has_bounds {
                    tables.compute_bounds().ok()?;
                }
                Some(Arc::new(tables))
            };
            // We use a separate pool, since all threads of the current pool may be waiting for these tables.
            match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
                Ok(pool) => {
                    let source = Arc::clone(source);
                    // This can't fail, because only this thread sets the tables.
                    pool.spawn(move || _ = source.tables.set(build()));
                }
                Err(_) => _ = source.tables.set(None),
            }
        });
    }

    /// Pretends to start building, but never finishes.
    #[cfg(test)]
    pub(super) fn never(&self) {
        self.0.begun.call_once(|| ());
    }

    pub fn ready(&self) -> Option<&Arc<Tables>> {
        self.0.tables.get()?.as_ref()
    }

    /// Waits for the tables. Returns `None` if `progress` requests a stop or memory runs out.
    pub fn wait(&self, progress: &dyn Progress) -> Option<&Arc<Tables>> {
        self.begin();
        while self.0.tables.get().is_none() && !progress.should_stop() {
            thread::sleep(POLL);
        }
        self.ready()
    }
}

impl fmt::Display for DefaultTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.identity)
    }
}

/// Opens and verifies the tables in a folder. Returns `None` if there are none for these rules, or if they cover fewer
/// seeds than the tables that we build in memory. Also returns `None` if they cover as many seeds, but aren't proven.
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
        let provided = DefaultTables::find(Ayo { rules: Rules::AWARI }, true).unwrap().unwrap();
        let built = provided.wait(&()).unwrap();
        assert_eq!([built.checksum(), found.checksum()], [written.checksum(); 2]);
        let again = DefaultTables::find(Ayo { rules: Rules::AWARI }, true).unwrap().unwrap();
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
        assert!(DefaultTables::find(Ayo { rules: Rules::NO_SLAM }, true).unwrap().is_none());
    }

    #[test]
    fn a_stop_ends_waiting() {
        let tables = DefaultTables::built(Rules::AYO, false).unwrap();
        tables.never();
        assert!(tables.wait(&StopAfter::polls(0)).is_none());
    }
}
