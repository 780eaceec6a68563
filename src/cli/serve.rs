use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::interrupt::on_signals;
use super::terminal::{say, warn};
use crate::app::train::RUNS;
use crate::web::{Folders, Reach, Server};

/// Where matches are kept if nothing is said.
const MATCHES: &str = "matches";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Let other devices on this network look and play
    #[arg(long)]
    lan: bool,
    /// Let them start, stop and resume too
    #[arg(long, requires = "lan")]
    lan_control: bool,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Folder that the run folders are in
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    runs: PathBuf,
    /// Folder that the files of "ayo match --games-out" are in
    #[arg(long, value_name = "DIR", default_value = MATCHES)]
    matches: PathBuf,
}

const AFTER_HELP: &str = "\
The first line is the address of the page, with a token that is new each time. Scripts send the token as \
\"Authorization: Bearer TOKEN\"; docs/web.md describes what they can ask for. Runs that are started from the page \
are processes of their own: they go on when the server has ended.";

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let reach = match arguments.lan {
        true => Reach::Lan { control: arguments.lan_control },
        false => Reach::Loopback,
    };
    let folders = Folders { runs: arguments.runs.clone(), matches: arguments.matches.clone() };
    let server = Server::bind(arguments.port, reach, folders)?;
    writeln!(out, "{}", server.url())?;
    if let Some(url) = server.lan_url() {
        writeln!(out, "{url}\n{}", code(&url))?;
    }
    out.flush()?;
    let stop = Arc::new(AtomicBool::new(false));
    let wish = Arc::clone(&stop);
    on_signals(move || wish.store(true, Ordering::Relaxed))?;
    if !arguments.no_open && open::that_detached(server.url()).is_err() {
        warn("no browser could be opened: open the address above");
    }
    say("Ctrl-C ends the server");
    Ok(server.run(&stop)?)
}

/// An address as a code for the camera of a phone.
fn code(url: &str) -> String {
    use qrcode::render::unicode::Dense1x2;

    let code = qrcode::QrCode::new(url);
    code.map_or(String::new(), |code| code.render::<Dense1x2>().build())
}
