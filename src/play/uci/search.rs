//! Searches in their own thread, so that commands are answered during a search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::Event;
use arena::player::protocol::{Info, NO_MOVE, Reply};
use arena::player::{Choice, NoChoice, Player, build_for};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// Most nodes of a search after which the principal variation is searched, at about the same cost.
const MAX_NODES_WITH_LINE: u64 = 1_000_000;

/// Stops a search from another thread.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    is_set: AtomicBool,
    /// Deadline of the search, once it is known.
    deadline: OnceLock<Instant>,
}

impl Stop {
    /// Stops the search.
    pub(crate) fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Stops the search after `time`. A second call has no effect.
    pub(crate) fn set_after(&self, time: Duration) {
        if let Some(deadline) = Instant::now().checked_add(time) {
            let _ = self.deadline.set(deadline);
        }
    }
}

impl Progress for Stop {
    fn should_stop(&self) -> bool {
        let is_late = || self.deadline.get().is_some_and(|&at| Instant::now() >= at);
        self.is_set.load(Ordering::Relaxed) || is_late()
    }
}

/// The result of a search, and its player.
pub(super) struct Found {
    pub(crate) player: Box<dyn Player<Ayo>>,
    pub(crate) mover: Side,
    choice: Result<Choice, NoChoice>,
    line: Vec<(Side, Pit)>,
    elapsed: Duration,
}

/// Starts a search. Its iterations and its result are sent to `events`.
pub(super) fn start(
    mut player: Box<dyn Player<Ayo>>,
    record: Record<Ayo>,
    limits: Limits,
    stop: &Arc<Stop>,
    events: SyncSender<Event>,
) {
    let stop = Arc::clone(stop);
    thread::spawn(move || {
        let begun = Instant::now();
        let mut listener = |iteration: &Iteration| {
            let _ = events.send(Event::Iteration(*iteration));
        };
        let mut choice = player.analyse(&record, &limits, &*stop, &mut listener);
        // A player without iterations has no move yet when it is stopped. The protocol needs one.
        if matches!(choice, Err(NoChoice::Stopped)) {
            let mut greedy =
                build_for("greedy", *record.game()).expect("a player without settings");
            choice = greedy.choose(&record, &());
        }
        let elapsed = begun.elapsed();
        let line = match &choice {
            Ok(choice) if player.keeps_lines() || deserves_line(choice, &limits, &stop) => {
                player.variation(&record, choice)
            }
            Ok(choice) => vec![(record.to_move(), choice.pit)],
            Err(_) => Vec::new(),
        };
        let mover = record.to_move();
        // The receiver is gone when the program ends.
        let _ = events.send(Event::Found(Found { player, mover, choice, line, elapsed }));
    });
}

fn deserves_line(choice: &Choice, limits: &Limits, stop: &Stop) -> bool {
    let in_time = limits.movetime.is_none() && !stop.should_stop();
    in_time && choice.nodes <= MAX_NODES_WITH_LINE
}

impl Found {
    /// The replies at the end of a search.
    pub(crate) fn replies(&self) -> Vec<Reply> {
        let choice = match &self.choice {
            Ok(choice) => choice,
            Err(why) => return vec![Reply::Remark(why.to_string()), no_move()],
        };
        let mut replies = Vec::new();
        // A player that does not search has nothing to report.
        if choice.depth.is_some() {
            replies.push(Reply::Info(Info {
                depth: choice.depth,
                score: choice.score,
                nodes: Some(choice.nodes),
                time: Some(self.elapsed),
                line: self.line.clone(),
            }));
        }
        let best = choice.pit.letter(self.mover).into();
        let ponder = self.line.get(1).map(|&(side, pit)| pit.letter(side).into());
        replies.push(Reply::BestMove { best, ponder });
        replies
    }
}

/// The reply after an iteration.
pub(crate) fn report(iteration: &Iteration, mover: Side) -> Reply {
    let found = iteration.found;
    Reply::Info(Info {
        depth: Some(found.depth),
        score: Some(found.score),
        nodes: Some(found.nodes),
        time: Some(iteration.elapsed),
        line: vec![(mover, found.pit)],
    })
}

/// The reply without a move.
pub(crate) fn no_move() -> Reply {
    Reply::BestMove { best: NO_MOVE.into(), ponder: None }
}
