//! A hostile engine. The first argument selects its behaviour.

use std::io::{Write, stdin, stdout};
use std::process::{Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

pub(crate) const WAYS: &str = "silent deaf gone gone-after-uci gone-after-go crash-after-go endless-line endless-lines \
                               endless-info garbage binary illegal no-move unasked slow ignores-quit daemon \
                               huge-number";

/// Longer than any test waits, but finite, so that the process ends even if it is not killed.
const FOREVER: Duration = Duration::from_secs(60);

pub(crate) fn main() -> ExitCode {
    let way = std::env::args().nth(1).unwrap_or_default();
    // Writing to a closed pipe ends the process with a signal or an error.
    match way.as_str() {
        "silent" => wait_for_end(),
        "deaf" => sleep(FOREVER),
        "gone" => {}
        "endless-line" => forever(b"x"),
        "endless-lines" => forever(b"info string x\n"),
        "binary" => forever(&[0, 255, 27, 10, 13, 200]),
        "daemon" => daemon(),
        _ => converse(&way),
    }
    ExitCode::SUCCESS
}

/// Leaves behind a process that inherits our pipes.
fn daemon() {
    if std::env::args().nth(2).is_some() {
        sleep(Duration::from_secs(8));
        return;
    }
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    std::os::unix::process::CommandExt::arg0(&mut child, "engine");
    child.args(["daemon", "left"]).stdin(Stdio::inherit()).stdout(Stdio::inherit());
    let _ = child.spawn();
    converse("gone-after-go");
}

fn wait_for_end() {
    stdin().lines().map_while(Result::ok).for_each(drop);
}

fn forever(bytes: &[u8]) {
    let block = bytes.repeat(4096);
    while stdout().write_all(&block).is_ok() {}
}

fn say(text: &str) {
    let mut out = stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Follows the protocol, with the exception of the selected behaviour.
fn converse(way: &str) {
    for line in stdin().lines().map_while(Result::ok) {
        match line.split_whitespace().next().unwrap_or_default() {
            "uci" => {
                say("id name engine\nuciok");
                match way {
                    "gone-after-uci" => return,
                    "garbage" => say("\u{1b}[2J\u{7}uciok\u{202e} readyok bestmove"),
                    _ => {}
                }
            }
            "isready" => say("readyok"),
            "go" if way == "gone-after-go" => return,
            "go" => answer(way),
            "quit" if way == "ignores-quit" => sleep(FOREVER),
            "quit" => return,
            _ => {}
        }
    }
    if way == "ignores-quit" {
        sleep(FOREVER);
    }
}

fn answer(way: &str) {
    match way {
        "crash-after-go" => std::process::abort(),
        "endless-info" => forever(b"info depth 1 score cp 3 nodes 7 pv A\n"),
        "garbage" => say("bestmove \u{1b}]0;owned\u{7}"),
        "illegal" => say("bestmove Z"),
        "no-move" => say("bestmove 0000"),
        "unasked" => (0..1000).for_each(|_| say("bestmove A\nbestmove b")),
        "slow" => sleep(FOREVER),
        "huge-number" => {
            say(&format!("info depth {0} nodes {0} score cp {0}", "9".repeat(400)));
            say(&format!("bestmove {}", "A".repeat(1 << 20)));
        }
        _ => say("bestmove A"),
    }
}
