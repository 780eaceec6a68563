//! Who is there in a server.

use redis::{Connection, RedisError, cmd};
use serde::Serialize;

use super::address::Address;
use super::coordinator::{NoServer, cards};
use super::keys::{GROUP, RunKeys, WORKERS};
use super::wire::{RunCard, WorkerCard};
use super::worker::runs;

/// Runs and workers of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Roster {
    /// The server, without user and password.
    pub server: String,
    /// Its version.
    pub version: String,
    /// The runs that share their work out.
    pub runs: Vec<RunRow>,
    /// Those who help.
    pub workers: Vec<WorkerCard>,
}

/// A run and what waits in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// What it says of itself.
    #[serde(flatten)]
    pub card: RunCard,
    /// Tasks that nobody has finished.
    pub tasks: u64,
    /// Those of them that a worker has.
    pub taken: u64,
    /// Workers that nothing is taken from any more, and why.
    pub quarantined: Vec<(String, String)>,
}

impl Roster {
    /// What a server knows now.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn of(address: &Address) -> Result<Roster, NoServer> {
        let found = address.connect().and_then(|mut connection| look(address, &mut connection));
        found.map_err(|error| NoServer { address: address.to_string(), error })
    }
}

fn look(address: &Address, connection: &mut Connection) -> Result<Roster, RedisError> {
    let info: String = cmd("INFO").arg("server").query(connection).unwrap_or_default();
    let version = info.lines().find_map(|line| line.strip_prefix("redis_version:"));
    let version = version.unwrap_or("unknown").trim().to_owned();
    let names: Vec<String> = cmd("ZRANGE").arg(WORKERS).arg(0).arg(-1).query(connection)?;
    let mut workers = cards(&names, connection)?;
    workers.sort_by(|a, b| a.worker.cmp(&b.worker));
    let runs = runs(connection)?.into_iter().map(|card| row(card, connection));
    let runs = runs.collect::<Result<_, _>>()?;
    Ok(Roster { server: address.to_string(), version, runs, workers })
}

fn row(card: RunCard, connection: &mut Connection) -> Result<RunRow, RedisError> {
    let keys = RunKeys::new(&card.run);
    let tasks = cmd("XLEN").arg(&keys.tasks).query(connection)?;
    // A run that ends meanwhile has no group any more.
    let pending: Result<redis::Value, RedisError> =
        cmd("XPENDING").arg(&keys.tasks).arg(GROUP).query(connection);
    let taken = match pending {
        Ok(redis::Value::Array(it)) => {
            it.first().and_then(|it| redis::from_redis_value_ref(it).ok()).unwrap_or(0)
        }
        _ => 0,
    };
    let quarantined = cmd("HGETALL").arg(&keys.quarantine).query(connection)?;
    Ok(RunRow { card, tasks, taken, quarantined })
}
