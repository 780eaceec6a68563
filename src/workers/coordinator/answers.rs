//! The thread that hears of answers.

use std::time::Duration;

use redis::{Connection, RedisError, cmd};

use super::shared::Shared;
use super::state::{Batch, State};
use crate::workers::link::Link;
use crate::workers::shares::{Found, Trust, Verdict};
use crate::workers::trained::MOST_BYTES;
use crate::workers::wire::{Answer, of_field};

/// Milliseconds that the server waits for news.
const WAIT: u64 = 200;
/// News taken at a time.
const MOST: usize = 256;

/// What a worker reports.
pub(in crate::workers) struct News {
    pub(in crate::workers) batch: u64,
    pub(in crate::workers) field: String,
    pub(in crate::workers) worker: String,
    pub(in crate::workers) digest: u32,
    /// Why it does not do the task.
    pub(in crate::workers) refused: Option<String>,
}

/// Hears of answers until the coordinator closes.
pub(super) fn run(shared: &Shared) {
    let mut link = Link::new(&shared.address);
    let mut last = "0-0".to_owned();
    while !shared.state().is_closing {
        let heard = link.speak(|connection| {
            let (to, news) = news(shared, &last, connection)?;
            take(shared, &news, connection)?;
            Ok(to)
        });
        match heard {
            Ok(to) => last = to.unwrap_or(last),
            Err(_) => {
                // A server that has lost everything may count anew.
                last = "0-0".into();
                link.rest(|| shared.state().is_closing);
            }
        }
    }
}

/// Streams, their entries, and the fields of these.
type Streams = Vec<(String, Vec<(String, Vec<(String, String)>)>)>;

/// News after an entry, and the last entry of them.
fn news(
    shared: &Shared,
    last: &str,
    connection: &mut Connection,
) -> Result<(Option<String>, Vec<News>), RedisError> {
    let mut asked = cmd("XREAD");
    asked
        .arg("COUNT")
        .arg(MOST)
        .arg("BLOCK")
        .arg(WAIT)
        .arg("STREAMS")
        .arg(&shared.keys.news)
        .arg(last);
    let found: Option<Streams> = asked.query(connection)?;
    let entries = found.into_iter().flatten().flat_map(|(_, entries)| entries);
    let mut to = None;
    let mut news = Vec::new();
    for (entry, fields) in entries {
        let text = |name: &str| {
            let field = fields.iter().find(|(it, _)| it == name);
            field.map(|(_, value)| value.clone())
        };
        let read = || {
            Some(News {
                batch: text("b")?.parse().ok()?,
                field: text("f")?,
                worker: text("w")?,
                digest: text("d")?.parse().ok()?,
                refused: text("x"),
            })
        };
        news.extend(read());
        to = Some(entry);
    }
    Ok((to, news))
}

fn take(shared: &Shared, news: &[News], connection: &mut Connection) -> Result<(), RedisError> {
    let (batch, is_lasting) = match &shared.state().batch {
        Some(batch) => (batch.number, batch.is_lasting),
        None => return Ok(()),
    };
    let current: Vec<&News> = news.iter().filter(|it| it.batch == batch).collect();
    for refusal in current.iter().filter(|it| it.refused.is_some()) {
        refused(shared, refusal);
    }
    let answered: Vec<&&News> = current.iter().filter(|it| it.refused.is_none()).collect();
    if answered.is_empty() {
        return Ok(());
    }
    let key = shared.keys.answers(batch);
    if is_lasting {
        return answered.into_iter().try_for_each(|it| take_long(shared, it, &key, connection));
    }
    let fields: Vec<&str> = answered.iter().map(|it| it.field.as_str()).collect();
    let found: Vec<Option<Vec<u8>>> = cmd("HMGET").arg(key).arg(fields).query(connection)?;
    for (news, bytes) in answered.into_iter().zip(found) {
        if let Some(answer) = bytes.and_then(|bytes| Answer::decode(&bytes).ok()) {
            answered_by(shared, news, answer);
        }
    }
    Ok(())
}

/// Takes an answer that may be long, unless it is longer than one can be.
fn take_long(
    shared: &Shared,
    news: &News,
    key: &str,
    connection: &mut Connection,
) -> Result<(), RedisError> {
    let length: usize = cmd("HSTRLEN").arg(key).arg(&news.field).query(connection)?;
    let found: Option<Vec<u8>> = match length {
        0..=MOST_BYTES => cmd("HGET").arg(key).arg(&news.field).query(connection)?,
        _ => Some(Answer::none(&news.worker).encode()),
    };
    if let Some(answer) = found.and_then(|bytes| Answer::decode(&bytes).ok()) {
        answered_by(shared, news, answer);
    }
    Ok(())
}

/// A worker cannot do a task: nobody is asked for the rest of the batch, since others will lack the same.
fn refused(shared: &Shared, news: &News) {
    let mut state = shared.state();
    let Some(batch) = current(&mut state, news) else { return };
    batch.is_shared = false;
    batch.offers.clear();
    batch.shares.withdraw_all();
    let why = news.refused.clone().unwrap_or_default();
    let said =
        format!("these games are played here alone, because on worker {} {why}", news.worker);
    let is_news = state.said.insert(why);
    drop(state);
    shared.news.notify_all();
    if is_news {
        (shared.tell)(&said);
    }
}

/// An answer lies in the server. The news may be of a copy that came later.
fn answered_by(shared: &Shared, news: &News, answer: Answer) {
    let Some((piece, attempt)) = of_field(&news.field) else { return };
    let mut state = shared.state();
    let is_out = |worker: &String| state.quarantined.contains_key(worker);
    if is_out(&news.worker) || is_out(&answer.worker) {
        if let Some(batch) = current(&mut state, news) {
            batch.offers.retain(|_, (it, _)| *it != piece);
            batch.shares.reject(piece, attempt);
        }
        return;
    }
    let trust = trust(&state, &answer.worker, piece, shared.terms.check_every);
    let Some(batch) = current(&mut state, news) else { return };
    let Some(digest) = batch.pieces.get(piece).and_then(|it| it.digest(&answer.found)) else {
        batch.shares.reject(piece, attempt);
        let said = state.quarantine(&answer.worker);
        drop(state);
        return (shared.tell)(&said);
    };
    batch.took.extend(batch.is_lasting.then_some(Duration::from_micros(answer.micros)));
    let worker = answer.worker.clone();
    let found = Found { by: Some(answer.worker), digest, bytes: answer.found };
    let verdict = batch.shares.answered(piece, attempt, found, trust);
    batch.offers.retain(|_, (it, _)| *it != piece);
    let differs = verdict == Verdict::Differs || news.worker != worker && news.digest != digest;
    if differs {
        // Which of the two is true is found out here.
        batch.shares.doubt(piece);
    }
    if verdict == Verdict::First {
        *state.answers.entry(worker.clone()).or_insert(0) += 1;
    }
    let is_news = differs && state.said.insert(format!("differs {} {}", news.batch, news.field));
    drop(state);
    shared.news.notify_all();
    shared.wake.notify_all();
    if is_news {
        let both = format!("{worker} and {}", news.worker);
        (shared.tell)(&format!(
            "ALARM: workers {both} answered task {piece} differently: it is done here"
        ));
    }
}

/// The batch that news are of. It may have ended, and another begun, since they were read.
fn current<'a>(state: &'a mut State, news: &News) -> Option<&'a mut Batch> {
    state.batch.as_mut().filter(|batch| batch.number == news.batch)
}

/// The first answer of a worker is checked, and one in so many of all others. What took hours is not taken from
/// anybody of whom nothing was checked yet.
fn trust(state: &State, worker: &str, piece: usize, every: u64) -> Trust {
    let number = (state.batches << 20) ^ piece as u64;
    let is_drawn = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20).is_multiple_of(every.max(1));
    let is_known = match state.batch.as_ref().is_some_and(|it| it.is_lasting) {
        true => state.proven.contains(worker),
        false => state.answers.contains_key(worker),
    };
    match is_drawn || !is_known {
        true => Trust::Check,
        false => Trust::Take,
    }
}
