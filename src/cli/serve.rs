use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, process};

use clap::Args;

use crate::terminal::interrupt::on_signals;
use crate::terminal::{say, warn};
use crate::web::{Folders, Reach, Server};
use evolve::run::RUNS;

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
    match server.lan_url() {
        Some(url) => writeln!(out, "{url}\n{}", code(&url))?,
        None if arguments.lan => warn("this machine has no address on a network"),
        None => {}
    }
    out.flush()?;
    let stop = Arc::new(AtomicBool::new(false));
    let wish = Arc::clone(&stop);
    on_signals(move || wish.store(true, Ordering::Relaxed))?;
    // It is there as long as the server is.
    let page = if arguments.no_open { None } else { Some(opened(&server.url())) };
    if page.as_ref().is_some_and(Result::is_err) {
        warn("no browser could be opened: open the address above");
    }
    say("Ctrl-C ends the server");
    server.run(&stop);
    Ok(())
}

/// A page in a file of one's own that leads to an address. Other users of the machine see the arguments of a browser,
/// and would see the token there.
struct Leading(PathBuf);

impl Drop for Leading {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Opens an address in the browser.
#[expect(clippy::disallowed_methods, reason = "a new file with its own mode")]
fn opened(url: &str) -> io::Result<Leading> {
    let name = format!("ayo-{}.html", process::id());
    let leading = Leading(std::env::temp_dir().join(name));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let page = format!("<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\">\n");
    options.open(&leading.0)?.write_all(page.as_bytes())?;
    open::that_detached(&leading.0)?;
    Ok(leading)
}

/// An address as a code for the camera of a phone.
fn code(url: &str) -> String {
    use qrcode::render::unicode::Dense1x2;

    let code = qrcode::QrCode::new(url);
    code.map_or(String::new(), |code| code.render::<Dense1x2>().build())
}
