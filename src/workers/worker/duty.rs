//! A task in the hands of a worker.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::{Connection, Pipeline, Value, cmd, pipe};

use super::super::keys::{EXPIRY, GROUP};
use super::super::wire::{Answer, Task};
use super::super::work::Seldom;
use super::office::{Office, Served};
use mancala::progress::Progress;

/// News that the server keeps at least.
const NEWS: usize = 10_000;

/// A task that was delivered.
pub(super) struct Duty {
    pub(super) run: Served,
    /// Its entry in the stream.
    pub(super) entry: String,
    pub(super) task: Task,
}

/// What was delivered; what is no task by its run and its entry.
pub(super) type Delivered = Result<Duty, Box<(Served, String)>>;

impl Duty {
    /// The tasks of what the server answered to a read: streams with entries.
    pub(super) fn of_streams(value: &Value, served: &[Served]) -> Vec<Delivered> {
        let streams: Option<Vec<(String, Value)>> =
            redis::from_redis_value_ref(value).unwrap_or_default();
        let mut found = Vec::new();
        for (stream, entries) in streams.into_iter().flatten() {
            if let Some(run) = served.iter().find(|run| run.keys.tasks == stream) {
                found.extend(Duty::of_entries(&entries, run));
            }
        }
        found
    }

    /// The same of the entries of a run. Those that are no task are returned by their names.
    pub(super) fn of_entries(entries: &Value, run: &Served) -> Vec<Delivered> {
        type Entries = Vec<(String, Option<Vec<Vec<u8>>>)>;
        let entries: Entries = redis::from_redis_value_ref(entries).unwrap_or_default();
        let duty = |(entry, fields): (String, Option<Vec<Vec<u8>>>)| {
            let task = fields.and_then(|fields| Task::decode(fields.get(1)?).ok());
            match task {
                Some(task) => Ok(Duty { run: run.clone(), entry, task }),
                None => Err(Box::new((run.clone(), entry))),
            }
        };
        entries.into_iter().map(duty).collect()
    }

    /// Reports the answer. The first of several counts.
    pub(super) fn answer(&self, worker: &Office, found: Vec<u8>, micros: u64) -> Pipeline {
        let keys = &self.run.keys;
        let digest = self.task.piece.digest(&found).unwrap_or_default();
        let answer = Answer { worker: worker.name.clone(), micros, digest, found };
        let (answers, field) = (keys.answers(self.task.batch), self.task.field());
        let mut pipe = pipe();
        pipe.atomic();
        pipe.cmd("HSETNX").arg(&answers).arg(&field).arg(answer.encode());
        pipe.cmd("EXPIRE").arg(&answers).arg(EXPIRY);
        self.dismiss(&mut pipe);
        self.report(&mut pipe, worker, &field).arg("d").arg(digest);
        pipe.cmd("EXPIRE").arg(&keys.news).arg(EXPIRY);
        pipe
    }

    /// Reports that it cannot be done here.
    pub(super) fn refuse(&self, worker: &Office, why: &str) -> Pipeline {
        let mut pipe = pipe();
        pipe.atomic();
        self.dismiss(&mut pipe);
        self.report(&mut pipe, worker, &self.task.field()).arg("d").arg(0).arg("x").arg(why);
        pipe.cmd("EXPIRE").arg(&self.run.keys.news).arg(EXPIRY);
        pipe
    }

    /// Nobody is to get it again.
    pub(super) fn dismiss(&self, pipe: &mut Pipeline) {
        dismiss(pipe, &self.run, &self.entry);
    }

    fn report<'a>(&self, pipe: &'a mut Pipeline, worker: &Office, field: &str) -> &'a mut Pipeline {
        pipe.cmd("XADD").arg(&self.run.keys.news).arg("MAXLEN").arg("~").arg(NEWS).arg("*");
        pipe.arg("b").arg(self.task.batch).arg("f").arg(field).arg("w").arg(&worker.name)
    }
}

/// Takes an entry out of the stream.
pub(super) fn dismiss(pipe: &mut Pipeline, run: &Served, entry: &str) {
    pipe.cmd("XACK").arg(&run.keys.tasks).arg(GROUP).arg(entry);
    pipe.cmd("XDEL").arg(&run.keys.tasks).arg(entry);
}

/// The progress of a task, which renews its lease: what makes no progress is given to someone else.
pub(super) struct Renewal<'a> {
    pub(super) worker: &'a Office,
    pub(super) duty: &'a Duty,
    pub(super) consumer: &'a str,
    pub(super) sender: Mutex<Sender<'a>>,
    pub(super) seldom: Seldom,
}

/// A connection that something is sent by, and how often it was.
pub(super) struct Sender<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) renewed: Instant,
    pub(super) sent: usize,
}

impl Progress for Renewal<'_> {
    fn advance(&self, _: u64, _: u64) {
        let Served { card, keys } = &self.duty.run;
        let mut sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        if sender.renewed.elapsed() < Duration::from_millis(card.lease) / 4 {
            return;
        }
        let mut claim = cmd("XCLAIM");
        claim
            .arg(&keys.tasks)
            .arg(GROUP)
            .arg(self.consumer)
            .arg(0)
            .arg(&self.duty.entry)
            .arg("JUSTID");
        sender.renewed = Instant::now();
        if sender.connection.send_packed_command(&claim.get_packed_command()).is_ok() {
            sender.sent += 1;
        }
    }

    fn should_stop(&self) -> bool {
        let has_lost = || self.worker.has_lost(&self.duty.run.card.run);
        self.worker.is_over() || self.seldom.ask(has_lost)
    }
}
