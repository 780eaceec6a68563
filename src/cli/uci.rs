use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use clap::Args;

use super::usage;
use crate::analyse::bestmove::DEFAULT_ENGINE;
use crate::analyse::bestmove::player_error;
use crate::app::uci::{Event, Session};
use crate::terminal::interrupt::leave_on_signals;
use mancala::game::ayo::Rules;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Player that chooses
    #[arg(long, value_name = "SPEC", default_value = DEFAULT_ENGINE)]
    player: String,
    /// Rules: ayo, awari, wipe-out or no-slam, each with an optional :stalemate=…
    #[arg(long, value_name = "NAME", default_value_t = Rules::default())]
    rules: Rules,
}

/// Answers commands until the last one or the end of the input.
pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    leave_on_signals()?;
    let (sender, events) = mpsc::sync_channel(WAITING);
    let spec = arguments.player.parse().map_err(usage)?;
    let mut session = Session::new(spec, arguments.rules, sender.clone()).map_err(player_error)?;
    thread::spawn(move || read_commands(&sender));
    for event in &events {
        let Some(replies) = session.answer(event) else {
            break;
        };
        for reply in replies {
            writeln!(out, "{reply}")?;
            out.flush()?;
        }
        if session.is_over() {
            break;
        }
    }
    session.leave(&events);
    Ok(())
}

/// Commands and results that wait to be answered; further input stays where it comes from.
const WAITING: usize = 100;
/// In bytes. The rest of a longer line is read as another line.
const LONGEST_LINE: u64 = 1 << 16;

/// Hands on the lines of the input.
fn read_commands(events: &SyncSender<Event>) {
    let (mut input, mut line) = (io::stdin().lock(), Vec::new());
    while let Ok(1..) = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned();
        if events.send(Event::Line(text)).is_err() {
            return;
        }
        line.clear();
    }
    let _ = events.send(Event::EndOfInput);
}
