use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Sender};
use std::thread;

use clap::Args;

use super::interrupt::leave_on_signals;
use super::moves::{DEFAULT_ENGINE, player_error};
use super::usage;
use crate::app::uci::{Event, Session};
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
    let (sender, events) = mpsc::channel();
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

/// Hands on the lines of the input.
fn read_commands(events: &Sender<Event>) {
    for line in io::stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line).into_owned();
        if events.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::EndOfInput);
}
