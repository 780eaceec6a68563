//! Matches with hostile engines. Each must end with a one-line error, within the time and memory limits, and leave no
//! process behind, even if it is killed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::RngExt;

use crate::engine::WAYS;
use crate::job::of_case;
use crate::options::{Attack, Options};
use crate::process::start;
use crate::report::Part;
use crate::sandbox::Sandbox;

/// Long enough to include the timeouts of a match with an engine that never answers.
const TIMEOUT: Duration = Duration::from_secs(40);
/// Limits for a player with an engine. A restart of the engine must not raise the counts permanently.
const MAX_THREADS: usize = 24;
const MAX_HANDLES: usize = 64;
/// Time limit for engine processes to exit.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let ways: Vec<&str> = WAYS.split(' ').collect();
    let mut killed = 0;
    let part = Part::of_cases(options, sandbox, Attack::Engines, |case, rng| {
        let way = of_case(&ways, case);
        // Matches in the first round are not killed.
        let kill = case >= ways.len() as u64 && rng.random_ratio(1, 2);
        killed += u64::from(kill);
        let after = Duration::from_millis(rng.random_range(20..1500u64));
        let result = play_match(sandbox, way, kill.then_some(after));
        result.map_err(|what| format!("{way}: {what}"))
    });
    let what = format!("matches with engines of {} ways, {killed} of them killed", ways.len());
    Part { what, ..part }
}

fn play_match(sandbox: &Sandbox, way: &str, kill_after: Option<Duration>) -> Result<(), String> {
    let folder = sandbox.empty("case");
    let engine = sandbox.engine();
    let games = if way == "daemon" { 24 } else { 4 };
    let line = format!(
        "match 'uci:cmd=\"{} {way}\",depth=2,timeout=250ms' random:seed=3 --openings plies:3 --games {games} \
         --threads 1 --quiet",
        engine.display()
    );
    let mut running = start(sandbox, &folder, &line, None);
    let (begun, mut most) = (Instant::now(), [0, 0]);
    let until = kill_after.unwrap_or(TIMEOUT);
    while begun.elapsed() < until && running.child.try_wait().expect("a child").is_none() {
        let now = resources(running.child.id());
        most = std::array::from_fn(|i| most[i].max(now[i]));
        std::thread::sleep(Duration::from_millis(10));
    }
    if kill_after.is_some() {
        running.signal(libc::SIGKILL);
    }
    let ended = running.end(TIMEOUT);
    if kill_after.is_none() {
        ended.ended_properly()?;
        if ended.stderr.contains('\u{1b}') || ended.stdout.contains('\u{1b}') {
            return Err("what it said reached the terminal".into());
        }
    }
    if most[0] > MAX_THREADS || most[1] > MAX_HANDLES {
        return Err(format!("{} threads and {} handles were held", most[0], most[1]));
    }
    no_engine_left(&engine, way)
}

pub(crate) fn resources(process: u32) -> [usize; 2] {
    ["task", "fd"].map(|what| {
        fs::read_dir(format!("/proc/{process}/{what}")).map_or(0, |entries| entries.count())
    })
}

/// Checks that no engine is left running. Processes started by an engine are not checked.
fn no_engine_left(engine: &Path, way: &str) -> Result<(), String> {
    let begun = Instant::now();
    loop {
        let left = processes_of(engine, way);
        if left.is_empty() {
            return Ok(());
        }
        if begun.elapsed() > CLEANUP_TIMEOUT {
            for &process in &left {
                // SAFETY: it is an engine started by us.
                unsafe { libc::kill(process, libc::SIGKILL) };
            }
            return Err(format!("{} engines are left behind", left.len()));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn processes_of(engine: &Path, way: &str) -> Vec<i32> {
    let line = [engine.to_string_lossy().as_bytes(), way.as_bytes(), b""].join(&0);
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_ours =
        |number: &i32| fs::read(format!("/proc/{number}/cmdline")).is_ok_and(|it| it == line);
    numbers.filter(is_ours).collect()
}
