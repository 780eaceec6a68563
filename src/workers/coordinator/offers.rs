//! The thread that keeps the server supplied: with tasks, with signs of life, and with nothing that is over.

use std::time::{Duration, Instant};

use redis::{Connection, RedisError, cmd, pipe};

use super::shared::Shared;
use super::state::{Batch, State};
use crate::workers::keys::{self, EXPIRY, GROUP, LIFE, RUNS, WORKERS};
use crate::workers::link::{Link, is_full};
use crate::workers::wire::{RunCard, Task, WorkerCard, hash};

/// How often a sign of life is given and the workers are looked for.
const BEAT: Duration = Duration::from_millis(500);
/// How long there is nothing to offer before it is looked again.
const LOOK: Duration = Duration::from_millis(100);
/// Deliveries of a task after which no worker gets it again.
const DELIVERIES: i64 = 3;
/// Tasks in one message.
const MOST: usize = 512;

/// Keeps the server supplied until the coordinator closes.
pub(super) fn run(shared: &Shared) {
    let mut link = Link::new(&shared.address);
    let mut beaten: Option<Instant> = None;
    loop {
        let state = shared.state();
        let is_closing = state.is_closing;
        if !is_closing && !has_work(&state) {
            drop(shared.wake.wait_timeout(state, LOOK));
        } else {
            drop(state);
        }
        if is_closing {
            let _ = link.speak(|it| farewell(shared, it));
            return;
        }
        let is_due = beaten.is_none_or(|at| at.elapsed() >= BEAT);
        let done = link.speak(|connection| {
            if is_due {
                beat(shared, connection)?;
            }
            clear(shared, connection)?;
            offer(shared, connection)
        });
        match done {
            Ok(()) if is_due => {
                beaten = Some(Instant::now());
                shared.state().said.remove(GONE);
            }
            Ok(()) => {}
            Err(error) => {
                lost(shared, &error);
                link.rest(|| shared.state().is_closing);
            }
        }
    }
}

/// The mark that it was said that the server is gone.
const GONE: &str = "gone";

/// What was offered may or may not have arrived: it is done here, or offered again.
fn lost(shared: &Shared, error: &RedisError) {
    let mut state = shared.state();
    state.team.clear();
    if let Some(batch) = &mut state.batch {
        batch.offers.clear();
        batch.is_published = false;
        batch.shares.withdraw_all();
    }
    let is_news = state.said.insert(GONE.into());
    drop(state);
    shared.news.notify_all();
    if is_news {
        let why = match is_full(error) {
            true => "has no memory left".to_owned(),
            false => format!("does not answer ({error})"),
        };
        (shared.tell)(&format!(
            "{} {why}: the work goes on here alone until it does",
            shared.address
        ));
    }
}

fn has_work(state: &State) -> bool {
    let wants =
        |batch: &Batch| batch.is_shared && batch.offers.len() < state.window() && batch.can_offer();
    !state.leftovers.is_empty() || state.batch.as_ref().is_some_and(wants)
}

/// Gives a sign of life, looks for workers, and takes back what nobody can do.
fn beat(shared: &Shared, connection: &mut Connection) -> Result<(), RedisError> {
    let (keys, run) = (&shared.keys, &shared.card.run);
    let is_known: bool = cmd("EXISTS").arg(&keys.tasks).query(connection)?;
    if !is_known {
        // The first time, or the server has lost everything.
        let created = cmd("XGROUP")
            .arg("CREATE")
            .arg(&keys.tasks)
            .arg(GROUP)
            .arg("0")
            .arg("MKSTREAM")
            .exec(connection);
        created
            .or_else(|error| if error.code() == Some("BUSYGROUP") { Ok(()) } else { Err(error) })?;
        if let Some(batch) = &mut shared.state().batch {
            batch.offers.clear();
            batch.is_published = false;
            batch.shares.withdraw_all();
        }
    }
    let lease = shared
        .state()
        .batch
        .as_ref()
        .map_or(shared.terms.least_lease, |it| it.lease(shared.terms.least_lease));
    let card = serde_json::to_string(&RunCard { lease, ..shared.card.clone() }).unwrap_or_default();
    let (seconds, micros): (u64, u64) = cmd("TIME").query(connection)?;
    let now = seconds * 1000 + micros / 1000;
    let mut pipe = pipe();
    pipe.cmd("SET").arg(&keys.info).arg(card).arg("EX").arg(LIFE).ignore();
    pipe.cmd("ZADD").arg(RUNS).arg(now).arg(run).ignore();
    for key in [RUNS, keys.tasks.as_str(), keys.news.as_str(), keys.quarantine.as_str()] {
        pipe.cmd("EXPIRE").arg(key).arg(EXPIRY).ignore();
    }
    for (worker, is_told) in &shared.state().quarantined {
        if !is_told {
            pipe.cmd("HSET")
                .arg(&keys.quarantine)
                .arg(worker)
                .arg("its answers are not true")
                .ignore();
        }
    }
    pipe.cmd("ZRANGE").arg(WORKERS).arg("-inf").arg("+inf").arg("BYSCORE");
    let (workers,): (Vec<String>,) = pipe.query(connection)?;
    let cards = cards(&workers, connection)?;
    look_at(shared, cards);
    take_back(shared, connection)
}

/// What workers say of themselves, those that are there.
pub(in crate::workers) fn cards(
    workers: &[String],
    connection: &mut Connection,
) -> Result<Vec<WorkerCard>, RedisError> {
    if workers.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = workers.iter().map(|it| keys::worker(it)).collect();
    let found: Vec<Option<String>> = cmd("MGET").arg(names).query(connection)?;
    Ok(found.into_iter().flatten().filter_map(|card| serde_json::from_str(&card).ok()).collect())
}

/// Takes note of the workers that are there, and says who joins and who is refused.
fn look_at(shared: &Shared, cards: Vec<WorkerCard>) {
    let (mut news, mut state) = (Vec::new(), shared.state());
    let ours = &shared.card.build;
    for card in &cards {
        let WorkerCard { worker, threads, build, .. } = card;
        if build != ours && state.said.insert(format!("refused {worker}")) {
            news.push(format!(
                "worker {worker} is refused: it is \"{build}\" and this run \"{ours}\"; install the same version"
            ));
        }
        if build == ours && state.said.insert(format!("joined {worker}")) {
            news.push(format!(
                "worker {worker} helps with {threads} thread{}",
                if *threads == 1 { "" } else { "s" }
            ));
        }
    }
    let helps = |card: &WorkerCard| {
        card.build == *ours && card.refused.iter().all(|(run, _)| *run != shared.card.run)
    };
    let team = cards.into_iter().filter(helps).map(|card| (card.worker.clone(), card));
    state.team = team.collect();
    let left: Vec<String> =
        state.said.iter().filter_map(|it| it.strip_prefix("joined ")).map(str::to_owned).collect();
    for worker in left {
        if state.team.contains_key(&worker) {
            continue;
        }
        state.said.remove(&format!("joined {worker}"));
        news.push(format!("worker {worker} has left"));
    }
    state.quarantined.values_mut().for_each(|is_told| *is_told = true);
    state.has_looked = true;
    drop(state);
    news.iter().for_each(|it| (shared.tell)(it));
}

/// Takes back what was delivered too often: it may be what kills workers. What may take hours is also taken back where
/// nobody has gone on with it for two leases: it is not done here as well before.
fn take_back(shared: &Shared, connection: &mut Connection) -> Result<(), RedisError> {
    let (lease, is_lasting) = match &shared.state().batch {
        Some(batch) if !batch.offers.is_empty() => {
            (batch.lease(shared.terms.least_lease), batch.is_lasting)
        }
        _ => return Ok(()),
    };
    type Pending = Vec<(String, String, i64, i64)>;
    let mut asked = cmd("XPENDING");
    asked.arg(&shared.keys.tasks).arg(GROUP).arg("IDLE").arg(lease).arg("-").arg("+").arg(MOST);
    let pending: Pending = asked.query(connection)?;
    for (entry, _, idle, deliveries) in pending {
        let is_hopeless = deliveries >= DELIVERIES;
        let is_left_lying = is_lasting && idle as u64 >= 2 * lease;
        if !is_hopeless && !is_left_lying {
            continue;
        }
        let mut pipe = pipe();
        pipe.atomic().cmd("XACK").arg(&shared.keys.tasks).arg(GROUP).arg(&entry).ignore();
        pipe.cmd("XDEL").arg(&shared.keys.tasks).arg(&entry).ignore();
        pipe.exec(connection)?;
        let mut state = shared.state();
        if let Some(batch) = &mut state.batch
            && let Some((piece, _)) = batch.offers.remove(&entry)
        {
            if !is_hopeless {
                batch.shares.withdraw(piece);
                continue;
            }
            batch.shares.keep(piece);
            drop(state);
            (shared.tell)(&format!(
                "task {piece} was given to {DELIVERIES} workers and never answered: it is done here"
            ));
        }
    }
    shared.news.notify_all();
    Ok(())
}

/// Deletes what batches have left that are over.
fn clear(shared: &Shared, connection: &mut Connection) -> Result<(), RedisError> {
    let (leftovers, current) = {
        let state = shared.state();
        let hash = state.batch.as_ref().map(|batch| batch.hash.clone()).unwrap_or_default();
        (state.leftovers.clone(), hash)
    };
    if leftovers.is_empty() {
        return Ok(());
    }
    let mut pipe = pipe();
    for (batch, hash) in &leftovers {
        pipe.cmd("UNLINK").arg(shared.keys.answers(*batch)).ignore();
        if !hash.is_empty() && *hash != current {
            pipe.cmd("UNLINK").arg(shared.keys.ground(hash)).ignore();
        }
    }
    if !shared.state().batch.as_ref().is_some_and(|batch| batch.is_published) {
        pipe.cmd("XTRIM").arg(&shared.keys.tasks).arg("MAXLEN").arg(0).ignore();
    }
    pipe.exec(connection)?;
    shared.state().leftovers.retain(|it| !leftovers.contains(it));
    Ok(())
}

/// Offers as many tasks as workers can have at hand.
fn offer(shared: &Shared, connection: &mut Connection) -> Result<(), RedisError> {
    let (number, tasks, ground) = {
        let mut state = shared.state();
        let window = state.window();
        let Some(batch) = state.batch.as_mut().filter(|it| it.is_shared) else { return Ok(()) };
        let room = window.saturating_sub(batch.offers.len()).min(MOST);
        let build = hash(shared.card.build.as_bytes());
        let (mut tasks, copies) = (Vec::new(), batch.offers_copies());
        while tasks.len() < room
            && let Some((piece, attempt)) = match (batch.shares.offer(), copies) {
                (None, true) => batch.shares.offer_copy(),
                (offer, _) => offer,
            }
        {
            let task = Task {
                batch: batch.number,
                number: piece as u32,
                attempt,
                ground: batch.hash.clone(),
                build: build.clone(),
                piece: batch.pieces[piece].clone(),
                expected: batch.expected.as_micros() as u64,
            };
            tasks.push(task);
        }
        if tasks.is_empty() {
            return Ok(());
        }
        let ground =
            (!batch.is_published && !batch.ground.is_empty()).then(|| batch.ground.clone());
        batch.is_published = true;
        (batch.number, tasks, ground.map(|ground| (batch.hash.clone(), ground)))
    };
    let mut pipe = pipe();
    if let Some((hash, ground)) = ground {
        pipe.cmd("SET").arg(shared.keys.ground(&hash)).arg(ground).arg("EX").arg(EXPIRY).ignore();
    }
    for task in &tasks {
        pipe.cmd("XADD").arg(&shared.keys.tasks).arg("*").arg("t").arg(task.encode());
    }
    let entries: Vec<String> = pipe.query(connection)?;
    let mut state = shared.state();
    let Some(batch) = state.batch.as_mut().filter(|it| it.number == number) else { return Ok(()) };
    let now = Instant::now();
    for (entry, piece) in entries.into_iter().zip(tasks.iter().map(|task| task.number as usize)) {
        // It may have been answered already.
        if batch.shares.is_offered(piece) {
            batch.offers.insert(entry, (piece, now));
        }
    }
    Ok(())
}

/// Leaves nothing behind.
fn farewell(shared: &Shared, connection: &mut Connection) -> Result<(), RedisError> {
    let (keys, state) = (&shared.keys, shared.state());
    let mut gone =
        vec![keys.info.clone(), keys.tasks.clone(), keys.news.clone(), keys.quarantine.clone()];
    for (batch, hash) in &state.leftovers {
        gone.extend([keys.answers(*batch), keys.ground(hash)]);
    }
    drop(state);
    let mut pipe = pipe();
    pipe.cmd("ZREM").arg(RUNS).arg(&shared.card.run).ignore();
    pipe.cmd("UNLINK").arg(gone).ignore();
    pipe.exec(connection)
}
