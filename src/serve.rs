//! `ayo serve`: serves a web page and its HTTP API, which is described in `docs/web.md`.
//!
//! The server keeps neither games nor runs in memory. Each request contains the whole game, and each run is a separate
//! process with its own folder.

mod access;
mod api;
mod assets;
mod events;
mod jobs;
mod matches;
mod play;
mod players;
mod runs;
mod server;
mod state;

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;
use tempfile::NamedTempFile;
use tokio::runtime::Builder;

use self::access::{Peer, Token, may_control, require_control};
use self::api::{ApiError, ApiResult, JsonResult, PathParam, check_range};
use self::jobs::{Jobs, check_name, job_response};
use self::players::PlayerOptions;
use self::state::{
    AppState, MAX_CONNECTIONS, MAX_DOWNLOADS, MAX_STREAMS, Shared, cores, file_stamp, folder_stamp,
};
use crate::terminal::{on_signals, say, shown, warn};
use evolve::run::RUNS;

/// The number of threads for downloading and starting processes, in addition to those for searching and reading.
const EXTRA_THREADS: usize = 4;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Allow other devices on this network to watch and play
    #[arg(long)]
    lan: bool,
    /// Also allow other devices to start, stop and resume runs, and to start and stop matches
    #[arg(long, requires = "lan")]
    lan_control: bool,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Folder that contains the run folders
    #[arg(long, value_name = "DIR", default_value = RUNS)]
    runs: PathBuf,
    /// Folder that contains the match files of "ayo match --games-out"
    #[arg(long, value_name = "DIR", default_value = "matches")]
    matches: PathBuf,
}

const AFTER_HELP: &str = "\
The first line of output is the address of the page, with a token that changes on each start. Scripts send the \
token as \"Authorization: Bearer TOKEN\"; docs/web.md describes the API. Runs started from the page are separate \
processes and continue after the server exits.";

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<()> {
    let ip = if arguments.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    let address = SocketAddr::from((ip, arguments.port));
    let threads = cores() + 1 + EXTRA_THREADS;
    let runtime =
        Builder::new_current_thread().enable_all().max_blocking_threads(threads).build()?;
    let listener = runtime.block_on(async { server::listen(address) });
    let listener = listener.with_context(|| format!("cannot listen on {address}"))?;
    let port = listener.local_addr()?.port();
    let state = AppState::new(port, arguments.lan_control, &arguments.runs, &arguments.matches)?;
    let url = |ip| format!("http://{}/#token={}", SocketAddr::new(ip, port), state.token.0);
    let own_url = url(IpAddr::from(Ipv4Addr::LOCALHOST));
    if !arguments.runs.is_dir() && arguments.runs != Path::new(RUNS) {
        warn(format!("--runs {}: this folder does not exist yet", shown(&arguments.runs)));
    }
    writeln!(out, "{own_url}")?;
    match server::lan_address().filter(|_| arguments.lan).map(&url) {
        Some(url) => {
            let code =
                qrcode::QrCode::new(&url)?.render::<qrcode::render::unicode::Dense1x2>().build();
            writeln!(out, "{url}\n{code}")?;
        }
        None if arguments.lan => warn("this machine has no network address"),
        None => {}
    }
    out.flush()?;
    let stop = Arc::new(AtomicBool::new(false));
    let signalled = Arc::clone(&stop);
    on_signals(move || signalled.store(true, Ordering::Relaxed))?;
    // We keep this value until we return, because dropping it removes the file.
    let redirect = (!arguments.no_open).then(|| open_browser(&own_url));
    if redirect.as_ref().is_some_and(Result::is_err) {
        warn("cannot open a browser: open the address above");
    }
    say("press Ctrl-C to stop the server");
    runtime.block_on(server::accept(listener, api::routes(state), &stop));
    // We don't wait for searches that are still running.
    runtime.shutdown_background();
    Ok(())
}

/// Opens the page via a private file that redirects to it. This keeps the token out of the process list.
fn open_browser(url: &str) -> io::Result<NamedTempFile> {
    let mut redirect = tempfile::Builder::new().prefix("ayo-").suffix(".html").tempfile()?;
    writeln!(redirect, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\">")?;
    open::that_detached(redirect.path())?;
    Ok(redirect)
}
