//! The process that helps whoever asks in a server.

mod duty;
mod office;
mod player;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, RedisError, cmd, pipe};

use self::office::{Office, Served};
use self::player::Player;
use super::address::Address;
use super::coordinator::Tell;
use super::engine::Engine;
use super::keys::{self, EXPIRY, LIFE, RUNS, RunKeys, WORKERS};
use super::link::Link;
use super::wire::{RunCard, WorkerCard, host};
use mancala::progress::Progress;

/// How often a sign of life is given and runs are looked for.
const BEAT: Duration = Duration::from_millis(500);
const NAP: Duration = Duration::from_millis(50);
/// Milliseconds after which a run or a worker without a sign of life is forgotten.
const FORGOTTEN: u64 = 3_600_000;
/// Seconds of which the recent tasks are counted.
const RECENT: usize = 10;

/// A process that does tasks.
pub struct Worker(Office);

impl Worker {
    /// A worker of so many threads.
    pub fn new(address: &Address, engine: Arc<dyn Engine>, threads: u32, tell: Tell) -> Worker {
        Worker(Office::new(address, engine, threads, tell))
    }

    /// The same worker, of another build: what it says is not checked, only compared.
    #[must_use]
    pub fn of_build(self, build: &str) -> Worker {
        Worker(Office { build: build.into(), ..self.0 })
    }

    /// Its name in the server.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Does tasks until the progress stops it. How many it did. The server may come and go meanwhile.
    pub fn work(&self, progress: &dyn Progress) -> u64 {
        thread::scope(|scope| {
            for number in 0..self.0.threads {
                scope.spawn(move || Player::new(&self.0, number).work());
            }
            watch(&self.0, progress);
            self.0.is_over.store(true, Ordering::Relaxed);
        });
        self.0.tasks.load(Ordering::Relaxed)
    }
}

/// Keeps in touch with the server until the progress stops it.
fn watch(office: &Office, progress: &dyn Progress) {
    let (mut link, mut diary) = (Link::new(&office.address), Diary::new());
    while !progress.should_stop() {
        match link.speak(|connection| beat(office, &mut diary, connection)) {
            Ok(()) => {
                if std::mem::take(&mut diary.is_alone) {
                    (office.tell)(&format!("{} is there again", office.address));
                }
                let until = Instant::now() + BEAT;
                while Instant::now() < until && !progress.should_stop() {
                    thread::sleep(NAP);
                }
            }
            Err(error) => {
                office.lock().clear();
                office.see_nothing();
                if !std::mem::replace(&mut diary.is_alone, true) {
                    (office.tell)(&format!(
                        "{} cannot be used ({error}): it is asked again",
                        office.address
                    ));
                }
                link.rest(|| progress.should_stop());
            }
        }
    }
    let _ = link.speak(|connection| {
        let mut pipe = pipe();
        pipe.cmd("ZREM").arg(WORKERS).arg(&office.name).ignore();
        pipe.cmd("UNLINK").arg(keys::worker(&office.name)).ignore();
        pipe.exec(connection)
    });
}

fn beat(office: &Office, diary: &mut Diary, connection: &mut Connection) -> Result<(), RedisError> {
    let refused = look(office, diary, connection)?;
    let tasks = office.tasks.load(Ordering::Relaxed);
    let card = WorkerCard {
        worker: office.name.clone(),
        host: host(),
        threads: office.threads,
        build: office.build.clone(),
        up: diary.begun.elapsed().as_secs(),
        tasks,
        recent: diary.recent(tasks),
        refused,
    };
    let card = serde_json::to_string(&card).unwrap_or_default();
    let (seconds, _): (u64, u64) = cmd("TIME").query(connection)?;
    let now = 1000 * seconds;
    let mut pipe = pipe();
    pipe.cmd("SET").arg(keys::worker(&office.name)).arg(card).arg("EX").arg(LIFE).ignore();
    pipe.cmd("ZADD").arg(WORKERS).arg(now).arg(&office.name).ignore();
    pipe.cmd("EXPIRE").arg(WORKERS).arg(EXPIRY).ignore();
    for all in [WORKERS, RUNS] {
        let until = now.saturating_sub(FORGOTTEN);
        pipe.cmd("ZREMRANGEBYSCORE").arg(all).arg("-inf").arg(until).ignore();
    }
    pipe.exec(connection)
}

/// Finds the runs that are to be served. Those that are not, and why.
fn look(
    office: &Office,
    diary: &mut Diary,
    connection: &mut Connection,
) -> Result<Vec<(String, String)>, RedisError> {
    let (mut served, mut refused) = (Vec::new(), Vec::new());
    let (seconds, _): (u64, u64) = cmd("TIME").query(connection)?;
    let since = 1000 * seconds.saturating_sub(EXPIRY);
    let known: Vec<String> =
        cmd("ZRANGE").arg(RUNS).arg(since).arg("+inf").arg("BYSCORE").query(connection)?;
    known.iter().for_each(|run| office.see(run));
    for card in runs(connection)? {
        let keys = RunKeys::new(&card.run);
        let quarantine: Option<String> =
            cmd("HGET").arg(&keys.quarantine).arg(&office.name).query(connection)?;
        let RunCard { run, what, host, build, .. } = &card;
        let why = match quarantine {
            Some(why) => Some(why),
            None if *build != office.build => {
                Some(format!("it is \"{build}\" and this worker \"{}\"", office.build))
            }
            None => None,
        };
        let said = match &why {
            Some(why) => format!("{what} on {host} is not helped: {why}"),
            None => format!("helping {what} on {host}"),
        };
        diary.say(run, said, &office.tell);
        match why {
            Some(why) => refused.push((card.run, why)),
            None => served.push(Served { card, keys }),
        }
    }
    *office.lock() = served;
    Ok(refused)
}

/// What a worker remembers for people.
struct Diary {
    begun: Instant,
    is_alone: bool,
    said: Vec<(String, String)>,
    counts: Vec<(Instant, u64)>,
}

impl Diary {
    fn new() -> Diary {
        Diary { begun: Instant::now(), is_alone: false, said: Vec::new(), counts: Vec::new() }
    }

    /// Says something of a run, unless it was the last thing said of it.
    fn say(&mut self, run: &str, what: String, tell: &Tell) {
        let before = self.said.iter_mut().find(|(it, _)| it == run);
        match before {
            Some((_, before)) if *before == what => return,
            Some((_, before)) => before.clone_from(&what),
            None => self.said.push((run.into(), what.clone())),
        }
        tell(&what);
    }

    /// Tasks since some seconds ago.
    fn recent(&mut self, tasks: u64) -> u64 {
        let now = Instant::now();
        self.counts.retain(|(at, _)| now.duration_since(*at).as_secs() < RECENT as u64);
        self.counts.push((now, tasks));
        tasks - self.counts[0].1
    }
}

/// The runs that give signs of life.
pub(super) fn runs(connection: &mut Connection) -> Result<Vec<RunCard>, RedisError> {
    let runs: Vec<String> = cmd("ZRANGE").arg(RUNS).arg(0).arg(-1).query(connection)?;
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = runs.iter().map(|run| RunKeys::new(run).info).collect();
    let cards: Vec<Option<String>> = cmd("MGET").arg(names).query(connection)?;
    Ok(cards.into_iter().flatten().filter_map(|card| serde_json::from_str(&card).ok()).collect())
}
