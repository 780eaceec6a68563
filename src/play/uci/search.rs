//! Runs searches in a separate thread, so that commands are answered in the meantime.

use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

use super::Event;
use crate::terminal::Interrupt;
use arena::player::protocol::{Info, NO_MOVE, Reply};
use arena::player::{Choice, NoChoice, Player, build_for};
use mancala::game::ayo::Ayo;
use mancala::game::{Pit, Record, Side};
use mancala::progress::Progress;
use mancala::search::{Iteration, Limits};

/// For some players, finding the principal variation takes another search of about the same cost. It is skipped if the
/// first search took more nodes than this.
const MAX_NODES_WITH_LINE: u64 = 1_000_000;

pub(super) struct Found {
    pub(super) player: Box<dyn Player<Ayo>>,
    pub(super) replies: Vec<Reply>,
}

/// Starts a search. It sends a reply to `events` after each iteration, and its final replies at the end.
pub(super) fn start(
    mut player: Box<dyn Player<Ayo>>,
    record: Record<Ayo>,
    limits: Limits,
    stop: Interrupt,
    events: SyncSender<Event>,
) {
    thread::spawn(move || {
        let (begun, mover) = (Instant::now(), record.to_move());
        let mut listener = |iteration: &Iteration| {
            let _ = events.send(Event::Iteration(report(iteration, mover)));
        };
        let mut choice = player.analyse(&record, &limits, &stop, &mut listener);
        // If a player without iterative deepening is stopped, it has no move. The protocol requires one, so play the
        // greedy move.
        if matches!(choice, Err(NoChoice::Stopped)) {
            let mut greedy =
                build_for("greedy", *record.game()).expect("a player without settings");
            choice = greedy.choose(&record, &());
        }
        let elapsed = begun.elapsed();
        let has_time = limits.movetime.is_none() && !stop.should_stop();
        let is_short = |nodes| has_time && nodes <= MAX_NODES_WITH_LINE;
        let line = match &choice {
            Ok(choice) if player.variation_is_stored() || is_short(choice.nodes) => {
                player.variation(&record, choice)
            }
            Ok(choice) => vec![(mover, choice.pit)],
            Err(_) => Vec::new(),
        };
        let replies = replies(choice, line, mover, elapsed);
        // Sending fails if the program is exiting and no longer receives events.
        let _ = events.send(Event::Found(Found { player, replies }));
    });
}

fn replies(
    choice: Result<Choice, NoChoice>,
    line: Vec<(Side, Pit)>,
    mover: Side,
    elapsed: Duration,
) -> Vec<Reply> {
    let choice = match choice {
        Ok(choice) => choice,
        Err(why) => return vec![Reply::Remark(why.to_string()), no_move()],
    };
    let best = choice.pit.letter(mover).into();
    let ponder = line.get(1).map(|&(side, pit)| pit.letter(side).into());
    let (depth, score) = (choice.depth, choice.score);
    let (nodes, time) = (Some(choice.nodes), Some(elapsed));
    // A player that does not search has nothing to report.
    let info = depth.map(|_| Reply::Info(Info { depth, score, nodes, time, line }));
    info.into_iter().chain([Reply::BestMove { best, ponder }]).collect()
}

fn report(iteration: &Iteration, mover: Side) -> Reply {
    let found = iteration.found;
    Reply::Info(Info {
        depth: Some(found.depth),
        score: Some(found.score),
        nodes: Some(found.nodes),
        time: Some(iteration.elapsed),
        line: vec![(mover, found.pit)],
    })
}

/// Returns the `bestmove` reply without a move.
pub(crate) fn no_move() -> Reply {
    Reply::BestMove { best: NO_MOVE.into(), ponder: None }
}
