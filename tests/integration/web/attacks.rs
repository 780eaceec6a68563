//! Many clients: those that do not read, silent connections, and open pages.

use std::time::{Duration, Instant};

use mancala::store::Checksums;

use super::client::Server;
use crate::support::{Scratch, peak_memory};

/// Time limit for responses, and for the shutdown of the server.
const PROMPT: Duration = Duration::from_secs(2);

/// Creates the run `night` by repeating the first row of a small run.
fn night(scratch: &Scratch, generations: u32) {
    let run = "populations/night";
    scratch.train(run, "--population 5 --depth 1 --generations 2 --quiet");
    let history = scratch.read(&format!("{run}/history.csv"));
    let (header, rows) = history.split_once('\n').unwrap();
    let (_, row) = rows.lines().next().unwrap().split_once(',').unwrap();
    let rows: String = (1..=generations).map(|it| format!("{it},{row}\n")).collect();
    let history = format!("{header}\n{rows}");
    let checksums = Checksums::rows_of_lines("history.csv", 1, &history);
    scratch.write(&format!("{run}/checksums.csv"), Checksums::HEADER.to_owned() + &checksums);
    scratch.write(&format!("{run}/history.csv"), history);
}

fn assert_prompt(server: &Server, path: &str) {
    let begun = Instant::now();
    assert_eq!(server.get(path).status, 200, "{path}");
    assert!(begun.elapsed() < PROMPT, "{path}: {:?}", begun.elapsed());
}

/// If each of these clients had its own copy of the table, they would take a gigabyte in total.
#[cfg(target_os = "linux")]
#[test]
fn clients_that_do_not_read_use_no_memory() {
    let scratch = Scratch::new();
    night(&scratch, 20_000);
    let server = Server::start(&scratch, "");
    let unread = |path: &str| server.unread(&server.request_to_get(path));
    let run = "/api/runs/night";
    for columns in ["fitness", "diversity", "weights"] {
        assert_prompt(&server, &format!("{run}/history?columns={columns}"));
    }
    let mut clients = Vec::new();
    for number in 0..60 {
        clients.push(unread("/api/events?run=night&after=18500"));
        for path in ["history", "history?after=0", "files/history.csv"] {
            clients.push(unread(&format!("{run}/{path}")));
        }
        if number % 6 == 0 {
            assert_prompt(&server, "/api/about");
            clients.push(unread(run));
            let points = 9000 + number;
            clients.push(unread(&format!("{run}/history?columns=weights&points={points}")));
        }
    }
    let memory = peak_memory(server.process.id());
    assert!((1..128 << 10).contains(&memory), "{memory} KiB");
    // Disconnected clients free their slots.
    drop(clients);
    let table = scratch.read("populations/night/history.csv");
    assert_eq!(server.get(&format!("{run}/files/history.csv")).body, table);
    let clients: Vec<_> = (0..100).map(|_| unread(run)).collect();
    let taken = server.terminate();
    assert!(taken < PROMPT, "the server ends after {taken:?}");
    drop(clients);
}

/// Pages that follow a run, together with 100 requests per second.
#[cfg(target_os = "linux")]
#[test]
fn open_pages_take_little_processor_time() {
    let scratch = Scratch::new();
    night(&scratch, 600);
    let server = Server::start(&scratch, "");
    let _pages: Vec<_> = (0..25).map(|_| server.events("?run=night&after=590")).collect();
    let (before, begun) = (server.seconds(), Instant::now());
    for number in 0..100 {
        std::thread::sleep((number * Duration::from_millis(10)).saturating_sub(begun.elapsed()));
        let answer = match number % 4 {
            0 => server.get("/api/runs"),
            1 => server.get("/api/runs/night/history?after=3"),
            2 => server.get("/api/runs/night/history?after=590"),
            _ => server.post("/api/play", r#"{"line":"CfDcEeAa"}"#),
        };
        answer.fine();
    }
    let (taken, span) = (server.seconds() - before, begun.elapsed().as_secs_f64());
    assert!(taken < 0.5 * span, "{taken} s of {span} s");
}

#[cfg(unix)]
#[test]
fn silent_connections_block_nobody() {
    let scratch = Scratch::new();
    let server = Server::start_with_files(&scratch, 128);
    let mut silent: Vec<_> = (0..150).map(|_| server.connect()).collect();
    for number in 0..40 {
        assert_prompt(&server, "/api/about");
        if number % 4 == 0 {
            silent.push(server.connect());
        }
    }
    assert!(server.terminate() < PROMPT);
}
