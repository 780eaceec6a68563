//! The course of batches through a network, event by event.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use super::network::Network;

/// Tasks that a thread of a worker has at hand.
const AT_HAND: usize = 3;

/// Time that is counted in whole nanoseconds, so that it has an order.
fn nanos(seconds: f64) -> u64 {
    (seconds * 1e9).ceil() as u64
}

/// A network at work. Workers go on with what nobody waits for any more.
pub(super) struct Course<'a> {
    network: &'a Network,
    now: f64,
    /// Threads of the coordinator, then those of workers.
    seats: Vec<Seat>,
}

#[derive(Clone, Default)]
struct Seat {
    /// What is being done, and the seconds of processor that it still takes.
    doing: Option<(Piece, f64)>,
    ahead: Option<(Piece, f64)>,
}

/// A task of the batch; `None` stands for one of a batch that is over.
type Piece = Option<usize>;

/// A batch that is under way.
struct Batch<'a> {
    tasks: &'a [f64],
    waiting: VecDeque<usize>,
    /// Offered tasks that nobody has settled, and when.
    offered: BTreeSet<usize>,
    since: Vec<f64>,
    copied: BTreeSet<usize>,
    /// Offers that are not answered.
    out: usize,
    /// Offered tasks that lie in the server.
    lying: VecDeque<usize>,
    unchecked: VecDeque<usize>,
    settled: Vec<bool>,
    left: usize,
    /// When the coordinator has handled what it has to handle.
    desk: f64,
    /// By the time of their arrival, and in the order in which they were sent.
    messages: BinaryHeap<Reverse<(u64, u64, Message)>>,
    sent: u64,
    answers: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Message {
    Task(usize),
    Answer(usize),
}

impl Course<'_> {
    pub(super) fn new(network: &Network) -> Course<'_> {
        let seats = vec![Seat::default(); network.local + network.workers];
        Course { network, now: 0.0, seats }
    }

    /// Seconds so far.
    pub(super) fn now(&self) -> f64 {
        self.now
    }

    /// Plays a batch whose tasks take so many seconds.
    pub(super) fn play(&mut self, tasks: &[f64]) {
        self.pass(self.network.between, None);
        let mut batch = Batch::new(tasks, self.now);
        while batch.left > 0 {
            batch.offer(self.network, self.now);
            self.seat(&mut batch);
            let message = batch.messages.peek().map(|Reverse((at, ..))| *at as f64 * 1e-9);
            let done = self.seats.iter().filter_map(|it| it.doing).map(|(_, left)| left);
            let done = done.reduce(f64::min).map(|left| self.now + left / self.rate());
            let copy = batch.next_copy().filter(|at| *at > self.now);
            let next = [message, done, copy].into_iter().flatten().reduce(f64::min);
            let Some(next) = next else { break };
            self.pass((next - self.now).max(0.0), Some(&mut batch));
            while let Some(Reverse((at, _, message))) = batch.messages.peek().copied()
                && at as f64 * 1e-9 <= self.now + 1e-12
            {
                batch.messages.pop();
                batch.hear(message, self.network, self.now);
            }
        }
        self.now = self.now.max(batch.desk);
        for seat in &mut self.seats[self.network.local..] {
            for (piece, _) in seat.doing.iter_mut().chain(&mut seat.ahead) {
                *piece = None;
            }
        }
        self.seats[..self.network.local].iter_mut().for_each(|seat| *seat = Seat::default());
    }

    /// How fast each thread goes that works.
    fn rate(&self) -> f64 {
        let busy = self.seats.iter().filter(|seat| seat.doing.is_some()).count();
        let cores = self.network.cores.unwrap_or(usize::MAX);
        (cores as f64 / busy.max(1) as f64).min(1.0)
    }

    /// Lets time pass, in which nothing ends but at its end.
    fn pass(&mut self, seconds: f64, mut batch: Option<&mut Batch>) {
        let worked = seconds * self.rate();
        self.now += seconds;
        for (number, seat) in self.seats.iter_mut().enumerate() {
            let Some((piece, left)) = &mut seat.doing else { continue };
            *left -= worked;
            if *left > 1e-12 {
                continue;
            }
            if let (Some(piece), Some(batch)) = (*piece, batch.as_deref_mut()) {
                match number < self.network.local {
                    true => batch.settle(piece),
                    false => {
                        let at = nanos(self.now + self.network.delay);
                        batch.send(at, Message::Answer(piece));
                    }
                }
            }
            seat.doing = seat.ahead.take();
        }
    }

    /// Gives all who are idle something to do, and workers something ahead.
    fn seat(&mut self, batch: &mut Batch) {
        let Network { local, cores, handling, taking, .. } = *self.network;
        // On shared processors, what a task costs the coordinator is lost to whoever works.
        let extra = taking + if cores.is_some() { handling } else { 0.0 };
        for seat in &mut self.seats[..local] {
            if seat.doing.is_none() {
                seat.doing = batch.take_here(self.now).map(|it| (Some(it), batch.tasks[it]));
            }
        }
        let work = |piece: usize| (Some(piece), batch.tasks[piece] + extra);
        for seat in &mut self.seats[local..] {
            if seat.doing.is_none() {
                seat.doing = batch.lying.pop_front().map(work);
            }
        }
        for seat in &mut self.seats[local..] {
            if seat.doing.is_some() && seat.ahead.is_none() {
                seat.ahead = batch.lying.pop_front().map(work);
            }
        }
    }
}

impl Batch<'_> {
    fn new(tasks: &[f64], now: f64) -> Batch<'_> {
        Batch {
            tasks,
            waiting: (0..tasks.len()).collect(),
            offered: BTreeSet::new(),
            since: vec![now; tasks.len()],
            copied: BTreeSet::new(),
            out: 0,
            lying: VecDeque::new(),
            unchecked: VecDeque::new(),
            settled: vec![false; tasks.len()],
            left: tasks.len(),
            desk: now,
            messages: BinaryHeap::new(),
            sent: 0,
            answers: 0,
        }
    }

    /// Sends workers what they are to have at hand.
    fn offer(&mut self, network: &Network, now: f64) {
        while self.out < AT_HAND * network.workers {
            let copy = || self.offered.iter().rev().copied().find(|it| !self.copied.contains(it));
            let (piece, is_copy) = match self.waiting.pop_front() {
                Some(piece) => (piece, false),
                None => match copy() {
                    Some(piece) => (piece, true),
                    None => return,
                },
            };
            self.desk = self.desk.max(now) + network.handling / 2.0;
            match is_copy {
                true => drop(self.copied.insert(piece)),
                false => self.since[piece] = self.desk,
            }
            self.offered.insert(piece);
            self.out += 1;
            let at = nanos(self.desk + network.delay);
            self.send(at, Message::Task(piece));
        }
    }

    fn send(&mut self, at: u64, message: Message) {
        self.sent += 1;
        self.messages.push(Reverse((at, self.sent, message)));
    }

    fn hear(&mut self, message: Message, network: &Network, now: f64) {
        match message {
            Message::Task(piece) => self.lying.push_back(piece),
            Message::Answer(piece) => {
                self.desk = self.desk.max(now) + network.handling / 2.0;
                self.out = self.out.saturating_sub(1);
                self.answers += 1;
                let is_new = !self.settled[piece] && self.offered.contains(&piece);
                if is_new && self.answers.is_multiple_of(network.check_every.max(1)) {
                    self.offered.remove(&piece);
                    self.unchecked.push_back(piece);
                } else if !self.unchecked.contains(&piece) {
                    self.settle(piece);
                }
            }
        }
    }

    fn settle(&mut self, piece: usize) {
        self.offered.remove(&piece);
        if !std::mem::replace(&mut self.settled[piece], true) {
            self.left -= 1;
        }
    }

    /// What the coordinator plays next.
    fn take_here(&mut self, now: f64) -> Option<usize> {
        let fresh = self.unchecked.pop_front().or_else(|| self.waiting.pop_front());
        fresh.or_else(|| {
            self.next_copy().filter(|at| *at <= now)?;
            self.offered.last().copied()
        })
    }

    /// When the coordinator may play what workers have.
    fn next_copy(&self) -> Option<f64> {
        let oldest = self.offered.iter().map(|&it| self.since[it]).reduce(f64::min)?;
        let mean = self.tasks.iter().sum::<f64>() / self.tasks.len() as f64;
        self.waiting.is_empty().then_some(oldest + mean)
    }
}
