//! Attacks on the memory and connections of `ayo serve`, all over loopback.
//!
//! ```sh
//! cargo build --release
//! AYO=target/release/ayo cargo run --release -p ayo-browser --bin attack
//! AYO=target/release/ayo cargo run --release -p ayo-browser --bin attack -- streams silent
//! ```
//!
//! Each attack runs against a new server for ten seconds, while a legitimate client requests `/api/about` ten times
//! per second on new connections. The server receives SIGTERM while the attack is still running.

use std::fs;
use std::future::pending;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ayo_browser::requests::Connection;
use ayo_browser::{Server, Stage};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{interval, sleep, timeout};

const GENERATIONS: u32 = 200_000;
const SPAN: Duration = Duration::from_secs(10);
const GIVE_UP: Duration = Duration::from_secs(30);
/// Limits that the server must meet under attack.
const MEMORY_LIMIT: u64 = 256;
const LATENCY_LIMIT: Duration = Duration::from_secs(2);
const ANSWERED_LIMIT: f64 = 0.95;

const SILENT: usize = 540;
const FLOOD: usize = 40_000;
const LOCALHOST: Ipv4Addr = Ipv4Addr::LOCALHOST;

#[derive(Clone, Copy)]
enum Attack {
    /// Sends each request this number of times, with the token, and reads no responses. `{number}` differs each time.
    Unread(&'static [(usize, &'static str)]),
    /// Holds connections without a token, and replaces those closed by the server. One byte is sent per second, and
    /// the last byte is repeated.
    Held {
        addresses: u8,
        sent: &'static [u8],
        files: Option<u64>,
    },
    Flood {
        addresses: u8,
    },
}

const STREAM: &str = "/api/events?run=night&after=0";
const HISTORY: &str = "/api/runs/night/history";
const VARIED: &str = "/api/runs/night/history?columns=weights&points={number}";
const FILE: &str = "/api/runs/night/files/history.csv";
const RUN: &str = "/api/runs/night";

const ATTACKS: [(&str, Attack); 16] = [
    ("streams", Attack::Unread(&[(120, STREAM)])),
    ("streams-rows", Attack::Unread(&[(120, "/api/events?run=night&after=198100")])),
    ("history", Attack::Unread(&[(200, HISTORY)])),
    ("history-varied", Attack::Unread(&[(200, VARIED)])),
    ("history-all", Attack::Unread(&[(200, "/api/runs/night/history?columns=weights&after=0")])),
    ("file", Attack::Unread(&[(200, FILE)])),
    ("run", Attack::Unread(&[(200, RUN)])),
    ("cost", Attack::Unread(&[(200, "/api/runs/night/cost")])),
    ("picture", Attack::Unread(&[(200, "/api/runs/night/plot.svg")])),
    (
        "mixed",
        Attack::Unread(&[(120, STREAM), (120, HISTORY), (120, FILE), (20, RUN), (60, VARIED)]),
    ),
    ("silent", Attack::Held { addresses: 1, sent: b"", files: None }),
    ("silent-addresses", Attack::Held { addresses: 8, sent: b"", files: None }),
    ("slow-head", Attack::Held { addresses: 1, sent: b"GET / HTTP/1.1\r\nX: x", files: None }),
    ("few-files", Attack::Held { addresses: 8, sent: b"", files: Some(128) }),
    ("flood", Attack::Flood { addresses: 1 }),
    ("flood-addresses", Attack::Flood { addresses: 8 }),
];

fn main() -> ExitCode {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let known = |name: &String| ATTACKS.iter().any(|(known, _)| known == name);
    if !chosen.iter().all(known) {
        eprintln!("usage: attack [{}]…", ATTACKS.map(|(name, _)| name).join("|"));
        return ExitCode::from(2);
    }
    let runtime = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let is_good = runtime.block_on(async {
        let stage = Stage::default();
        night(&stage).await;
        println!(
            "| attack | peak memory | slowest answer | answered within 2 s | end after SIGTERM |"
        );
        println!("|---|---:|---:|---:|---:|");
        let mut is_good = true;
        for (name, attack) in ATTACKS {
            if chosen.is_empty() || chosen.iter().any(|it| it == name) {
                is_good &= measure(&stage, name, attack).await;
            }
        }
        is_good
    });
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Creates the run `night` by repeating the rows of a small run many times, as written by a version without checksums.
async fn night(stage: &Stage) {
    let folder = stage.trained("night", 1, 12).await;
    let mut history = fs::read_to_string(folder.join("history.csv")).expect("the run has a table");
    let rows: Vec<String> = history.lines().skip(1).map(str::to_owned).collect();
    for generation in rows.len() as u32 + 1..=GENERATIONS {
        let (_, values) = rows[generation as usize % rows.len()].split_once(',').expect("a row");
        history += &format!("{generation},{values}\n");
    }
    fs::write(folder.join("history.csv"), history).expect("the history can be written");
    fs::remove_file(folder.join("checksums.csv")).expect("the run has checksums");
}

/// Attacks a new server, prints a row of the table, and returns whether the server withstood the attack.
async fn measure(stage: &Stage, name: &str, attack: Attack) -> bool {
    let files = if let Attack::Held { files, .. } = attack { files } else { None };
    let mut server = serve(stage, files).await;
    let mut attackers = JoinSet::new();
    match attack {
        Attack::Unread(requests) => {
            for &(count, path) in requests {
                for number in 0..count {
                    let path = path.replace("{number}", &(10_000 - number).to_string());
                    attackers.spawn(unread(server.port, server.token().to_owned(), path));
                }
            }
        }
        Attack::Held { addresses, sent, .. } => {
            for index in 0..SILENT {
                attackers.spawn(hold(source(index, addresses), server.port, sent));
            }
        }
        Attack::Flood { addresses } => {
            for index in 0..8 {
                attackers.spawn(flood(source(index, addresses), server.port));
            }
        }
    }
    sleep(Duration::from_secs(1)).await;
    let mut probes = JoinSet::new();
    let mut ticks = interval(Duration::from_millis(100));
    let begun = Instant::now();
    while begun.elapsed() < SPAN {
        ticks.tick().await;
        probes.spawn(timeout(GIVE_UP, about(server.port, server.token().to_owned())));
    }
    let mut latencies = Vec::new();
    while let Some(probe) = probes.join_next().await {
        let answer = probe.expect("a probe does not panic");
        latencies.push(answer.ok().flatten().unwrap_or(GIVE_UP));
    }
    let memory = peak_memory(server.id());
    let end = terminate(&mut server).await;
    attackers.shutdown().await;
    let answered = latencies.iter().filter(|it| **it < LATENCY_LIMIT).count() as f64;
    let answered = answered / latencies.len() as f64;
    let slowest = latencies.into_iter().max().unwrap_or_default();
    println!(
        "| {name} | {memory} MiB | {:.2} s | {:.0} % | {:.2} s |",
        slowest.as_secs_f64(),
        100.0 * answered,
        end.as_secs_f64()
    );
    memory <= MEMORY_LIMIT && answered >= ANSWERED_LIMIT && end <= LATENCY_LIMIT
}

async fn serve(stage: &Stage, files: Option<u64>) -> Server {
    let (usual, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("there is a limit");
    let limit = |files| setrlimit(Resource::RLIMIT_NOFILE, files, most).expect("it can be set");
    limit(files.unwrap_or(usual));
    let server = stage.serve().await;
    limit(usual);
    server
}

/// Returns an attacker's source address. If there is only one address, it is that of the legitimate client.
fn source(index: usize, addresses: u8) -> Ipv4Addr {
    match addresses {
        1 => LOCALHOST,
        _ => Ipv4Addr::new(127, 0, 0, 2 + (index % usize::from(addresses)) as u8),
    }
}

async fn connect(from: Ipv4Addr, port: u16) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::from((from, 0)))?;
    socket.connect(SocketAddr::from((LOCALHOST, port))).await
}

async fn unread(port: u16, token: String, path: String) {
    let Ok(mut connection) = Connection::open(port, &token).await else { return };
    let _ = connection.send("GET", &path, None).await;
    pending().await
}

async fn hold(from: Ipv4Addr, port: u16, sent: &'static [u8]) {
    loop {
        if let Ok(mut stream) = connect(from, port).await {
            let head = sent.iter().chain(sent.last().into_iter().cycle());
            for letter in head {
                if stream.write_all(&[*letter]).await.is_err() {
                    break;
                }
                sleep(Duration::from_secs(1)).await;
            }
            drop(stream.read(&mut [0]).await);
        }
        sleep(Duration::from_millis(100)).await;
    }
}

async fn flood(from: Ipv4Addr, port: u16) {
    for _ in 0..FLOOD / 8 {
        drop(timeout(Duration::from_secs(1), connect(from, port)).await);
    }
}

/// Returns the legitimate client's response time on a new connection, or `None` if there is no response.
async fn about(port: u16, token: String) -> Option<Duration> {
    let begun = Instant::now();
    let mut connection = Connection::open(port, &token).await.ok()?;
    let answer = connection.ask("GET", "/api/about", None).await.ok()?;
    (answer.status == 200).then(|| begun.elapsed())
}

fn peak_memory(process: u32) -> u64 {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(Path::new(&path)).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |it| it >> 10)
}

async fn terminate(server: &mut Server) -> Duration {
    let begun = Instant::now();
    kill(Pid::from_raw(server.id() as i32), Signal::SIGTERM).expect("the server is there");
    let ended = timeout(GIVE_UP, server.ended()).await;
    if ended.is_err() { GIVE_UP } else { begun.elapsed() }
}
