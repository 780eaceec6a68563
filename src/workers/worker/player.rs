//! A thread of a worker: it does one task while the next is on its way.
//!
//! What it sends it does not wait for: it reads the replies, in order, after the next task is done. So the delay of the
//! network costs nothing as long as it is shorter than a task.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use redis::{Connection, Pipeline, RedisError, Value, cmd, pipe};

use super::super::keys::GROUP;
use super::super::link::{Link, is_full};
use super::super::wire::hash;
use super::super::work::Seldom;
use super::duty::{Delivered, Duty, Renewal, Sender, dismiss};
use super::office::{Office, Served};

/// Milliseconds that the server waits for a task.
const WAIT: u64 = 300;
/// Tasks that are expected to take longer are not taken ahead: others could do them.
const SHORT: u64 = 100_000;
/// Deliveries of a task after which it is left to the coordinator.
const DELIVERIES: i64 = 3;
const NAP: Duration = Duration::from_millis(50);

/// What a reply on its way is of.
enum Due {
    /// A read of tasks.
    Read,
    /// An answer, which has so many replies.
    Answer { replies: usize },
    /// Whatever it is.
    Nothing,
}

pub(super) struct Player<'a> {
    worker: &'a Office,
    consumer: String,
    link: Link,
    /// Replies on their way, in order.
    due: VecDeque<Due>,
    /// Answers whose replies are on their way; sent again if the connection breaks.
    sent: VecDeque<(Vec<u8>, usize)>,
    /// Tasks that were taken ahead.
    ahead: VecDeque<Duty>,
}

impl<'a> Player<'a> {
    pub(super) fn new(worker: &'a Office, number: u32) -> Player<'a> {
        Player {
            worker,
            consumer: format!("{}:{number}", worker.name),
            link: Link::new(&worker.address),
            due: VecDeque::new(),
            sent: VecDeque::new(),
            ahead: VecDeque::new(),
        }
    }

    /// Does tasks until the worker is over.
    pub(super) fn work(mut self) {
        while !self.worker.is_over() {
            let served = self.worker.served();
            if served.is_empty() && self.ahead.is_empty() && self.due.is_empty() {
                thread::sleep(NAP);
                continue;
            }
            let mut link = std::mem::replace(&mut self.link, Link::new(&self.worker.address));
            let turn = link.speak(|connection| self.turn(&served, connection));
            self.link = link;
            if turn.is_err() {
                // Replies may be lost, so the next ones come on another connection.
                self.link = Link::new(&self.worker.address);
                self.due.clear();
                self.ahead.clear();
                self.link.rest(|| self.worker.is_over());
            }
        }
        // The last answers are not lost for want of a moment.
        let mut link = std::mem::replace(&mut self.link, Link::new(&self.worker.address));
        let _ = link.speak(|connection| self.settle(&[], connection));
    }

    /// One task, if there is one.
    fn turn(&mut self, served: &[Served], connection: &mut Connection) -> Result<(), RedisError> {
        if self.due.is_empty() {
            // The connection is new: whether the last answers have arrived is not known.
            for (answer, replies) in self.sent.clone() {
                self.send(&answer, Due::Answer { replies }, connection)?;
            }
        }
        if self.ahead.is_empty() {
            self.settle(served, connection)?;
        }
        if self.ahead.is_empty() && !served.is_empty() {
            self.wait(served, connection)?;
        }
        match self.ahead.pop_front() {
            Some(duty) => self.act(&duty, served, connection),
            None => Ok(()),
        }
    }

    /// Waits for a task; takes over one that someone has left lying, if none is new.
    fn wait(&mut self, served: &[Served], connection: &mut Connection) -> Result<(), RedisError> {
        let found = read(served, &self.consumer, Some(WAIT)).query(connection);
        let found: Value =
            found.or_else(|error| if is_gone(&error) { Ok(Value::Nil) } else { Err(error) })?;
        if found == Value::Nil {
            thread::sleep(Duration::from_millis(5));
        }
        self.take(Duty::of_streams(&found, served), connection)?;
        for run in served {
            if self.ahead.is_empty() {
                self.take_over(run, connection)?;
            }
        }
        Ok(())
    }

    fn take_over(&mut self, run: &Served, connection: &mut Connection) -> Result<(), RedisError> {
        let mut claim = cmd("XAUTOCLAIM");
        claim
            .arg(&run.keys.tasks)
            .arg(GROUP)
            .arg(&self.consumer)
            .arg(run.card.lease)
            .arg("0-0")
            .arg("COUNT")
            .arg(1);
        let found: Result<(String, Value, Value), RedisError> = claim.query(connection);
        let entries = match found {
            Ok((_, entries, _)) => entries,
            Err(error) if is_gone(&error) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.take(Duty::of_entries(&entries, run), connection)?;
        let Some(duty) = self.ahead.front() else { return Ok(()) };
        type Pending = Vec<(String, String, i64, i64)>;
        let mut asked = cmd("XPENDING");
        asked.arg(&run.keys.tasks).arg(GROUP).arg(&duty.entry).arg(&duty.entry).arg(1);
        let pending: Pending = asked.query(connection)?;
        if pending.iter().any(|(_, _, _, deliveries)| *deliveries > DELIVERIES) {
            self.ahead.clear();
        }
        Ok(())
    }

    /// Takes delivered tasks. What is none is thrown away.
    fn take(
        &mut self,
        found: Vec<Delivered>,
        connection: &mut Connection,
    ) -> Result<(), RedisError> {
        for it in found {
            match it {
                Ok(duty) => self.ahead.push_back(duty),
                Err(stray) => {
                    let (run, entry) = *stray;
                    let mut pipe = pipe();
                    dismiss(&mut pipe, &run, &entry);
                    self.settle(&[], connection)?;
                    pipe.exec(connection)?;
                }
            }
        }
        Ok(())
    }

    fn act(
        &mut self,
        duty: &Duty,
        served: &[Served],
        connection: &mut Connection,
    ) -> Result<(), RedisError> {
        let task = &duty.task;
        if task.build != hash(duty.run.card.build.as_bytes()) {
            return self
                .settle_with(&duty.refuse(self.worker, "it is of another build"), connection);
        }
        let mut ground = None;
        if !self.worker.engine.knows(task) {
            self.settle(served, connection)?;
            ground = cmd("GET").arg(duty.run.keys.ground(&task.ground)).query(connection)?;
            if ground.is_none() {
                // The batch is over.
                let mut pipe = pipe();
                duty.dismiss(&mut pipe);
                return pipe.exec(connection);
            }
        }
        if task.expected <= SHORT && self.ahead.is_empty() && !served.is_empty() {
            let read = read(served, &self.consumer, None);
            self.send(&read.get_packed_command(), Due::Read, connection)?;
        }
        let begun = Instant::now();
        let sender = Sender { connection, renewed: begun, sent: 0 };
        let (worker, consumer) = (self.worker, self.consumer.clone());
        let (sender, seldom) = (Mutex::new(sender), Seldom::default());
        let renewal = Renewal { worker, duty, consumer: &consumer, sender, seldom };
        let found = worker.engine.act(task, ground, &renewal);
        let Sender { connection, sent, .. } =
            renewal.sender.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.due.extend((0..sent).map(|_| Due::Nothing));
        match found {
            Ok(Some(found)) => {
                let micros = begun.elapsed().as_micros() as u64;
                let answer = duty.answer(worker, found, micros);
                // One to each command, and to the begin and the end of the transaction.
                let (bytes, replies) = (answer.get_packed_pipeline(), answer.len() + 2);
                // First of all, since the connection may have broken meanwhile, and what took hours is not lost so.
                self.sent.push_back((bytes.clone(), replies));
                worker.count();
                self.settle(served, connection)?;
                self.send(&bytes, Due::Answer { replies }, connection)
            }
            Ok(None) => self.settle(served, connection),
            Err(why) => {
                self.settle(served, connection)?;
                (worker.tell)(&format!("a task of {} is refused: {why}", duty.run.card.what));
                self.settle_with(&duty.refuse(worker, &why), connection)
            }
        }
    }

    fn send(
        &mut self,
        bytes: &[u8],
        due: Due,
        connection: &mut Connection,
    ) -> Result<(), RedisError> {
        connection.send_packed_command(bytes)?;
        self.due.push_back(due);
        Ok(())
    }

    /// Reads all replies that are due, then says something and waits for the reply.
    fn settle_with(
        &mut self,
        pipe: &Pipeline,
        connection: &mut Connection,
    ) -> Result<(), RedisError> {
        self.settle(&[], connection)?;
        pipe.exec(connection)
    }

    /// Reads all replies that are due.
    fn settle(&mut self, served: &[Served], connection: &mut Connection) -> Result<(), RedisError> {
        while let Some(due) = self.due.pop_front() {
            match due {
                Due::Nothing => drop(connection.recv_response()?),
                Due::Read => {
                    let found = connection.recv_response()?;
                    for duty in Duty::of_streams(&found, served).into_iter().flatten() {
                        self.ahead.push_back(duty);
                    }
                }
                Due::Answer { replies } => {
                    let mut last = Value::Nil;
                    for _ in 0..replies {
                        last = connection.recv_response()?;
                    }
                    self.sent.pop_front();
                    if let Err(error) = last.extract_error()
                        && is_full(&error)
                    {
                        // The answer is lost; someone will find it again.
                        thread::sleep(20 * NAP);
                    }
                }
            }
        }
        Ok(())
    }
}

/// A read of one new task of any run.
fn read(served: &[Served], consumer: &str, wait: Option<u64>) -> redis::Cmd {
    let mut read = cmd("XREADGROUP");
    read.arg("GROUP").arg(GROUP).arg(consumer).arg("COUNT").arg(1);
    if let Some(wait) = wait {
        read.arg("BLOCK").arg(wait);
    }
    read.arg("STREAMS");
    read.arg(served.iter().map(|run| run.keys.tasks.as_str()).collect::<Vec<_>>());
    read.arg(vec![">"; served.len()]);
    read
}

/// Whether a run has ended, or the server has lost it.
fn is_gone(error: &RedisError) -> bool {
    matches!(error.code(), Some("NOGROUP" | "UNBLOCKED"))
}
