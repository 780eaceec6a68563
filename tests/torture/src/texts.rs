//! Fuzzed texts and bytes for every reader. A reader fails if it panics, writes something that it does not read back, takes
//! two seconds or exceeds its memory.

use std::fs;
use std::io::{BufRead, BufReader};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ayo_fuzz::{TARGETS, Target, target};
use rand::RngExt;

use crate::mutation::damage;
use crate::options::{Attack, Options};
use crate::process::limit;
use crate::report::Part;
use crate::sandbox::{Sandbox, rng};

/// Texts per progress line of a worker.
const TEXTS_PER_LINE: u64 = 500;
/// Time limit per text.
const MAX_TIME: Duration = Duration::from_secs(2);
/// Time without a progress line after which a worker hangs.
const HEARTBEAT_TIMEOUT: Duration = Duration::from_secs(60);
/// Memory limit of a worker, in bytes.
const MAX_MEMORY: u64 = 512 << 20;

/// Texts per case, which one worker tries.
const TEXTS_PER_CASE: u64 = 5000;

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Texts);
    let texts = options.count(Attack::Texts);
    let is_repeated = options.from > 0 || texts < TARGETS.len() as u64;
    let of_each = if is_repeated { TEXTS_PER_CASE } else { texts.div_ceil(TARGETS.len() as u64) };
    let folder = sandbox.empty("texts");
    let chosen = (options.from..).take(if is_repeated { texts as usize } else { usize::MAX });
    let rounds = of_each.div_ceil(TEXTS_PER_CASE);
    for case in chosen.take_while(|&case| is_repeated || case < rounds * TARGETS.len() as u64) {
        let target = TARGETS[(case % TARGETS.len() as u64) as usize];
        let count = TEXTS_PER_CASE.min(of_each);
        let result = run_worker(target, options.seed, case, count, &folder);
        part.add(case, result.map_err(|what| format!("{}: {what}", target.name)));
        part.tried += count - 1;
    }
    part.what = format!("texts over {} readers, in process", TARGETS.len());
    part
}

/// Tries texts in a separate process, since a stack overflow ends it.
fn run_worker(
    target: Target,
    seed: u64,
    case: u64,
    count: u64,
    folder: &Path,
) -> Result<(), String> {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--worker", target.name, "--texts", &count.to_string()]);
    command.args(["--seed", &seed.to_string(), "--from", &case.to_string()]);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    limit(&mut command, MAX_MEMORY);
    let mut child = command.spawn().expect("a worker starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let (say, heard) = mpsc::channel();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| say.send(line)));
    let mut last = String::new();
    loop {
        match heard.recv_timeout(HEARTBEAT_TIMEOUT) {
            Ok(line) => last = line,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                _ = child.kill();
                last += ", then silence";
                break;
            }
        }
    }
    match child.wait().expect("a worker") {
        status if status.success() => Ok(()),
        status => Err(format!("{status}: {last}")),
    }
}

/// Tries texts on one reader, and ends at the first failure.
pub(crate) fn worker(name: &str, options: &Options) -> ExitCode {
    let target = target(name);
    let corpus = corpus(name);
    std::panic::set_hook(Box::new(|_| ()));
    let mut rng = rng(options.seed, Attack::Texts, options.from);
    for text in 0..options.count(Attack::Texts) {
        let mut bytes = corpus[rng.random_range(0..corpus.len() as u64) as usize].clone();
        let other = &corpus[rng.random_range(0..corpus.len() as u64) as usize];
        for _ in 0..rng.random_range(0..6u32) {
            damage(&mut bytes, other, &mut rng);
        }
        if let Err(what) = try_text(target, &bytes) {
            println!("text {text} {what}: {:?}", shortened(&bytes));
            return ExitCode::FAILURE;
        }
        if text % TEXTS_PER_LINE == 0 {
            println!("text {text}");
        }
    }
    ExitCode::SUCCESS
}

fn try_text(target: Target, bytes: &[u8]) -> Result<(), String> {
    let begun = Instant::now();
    let read = catch_unwind(AssertUnwindSafe(|| (target.read)(bytes)));
    match read {
        Err(panic) => Err(format!("panics, \"{}\"", said(&*panic))),
        Ok(()) if begun.elapsed() > MAX_TIME => Err(format!("takes {:?}", begun.elapsed())),
        Ok(()) => Ok(()),
    }
}

fn said(panic: &dyn std::any::Any) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default()
}

fn shortened(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(300)]).into_owned()
}

/// Returns the texts that are mutated, from `fuzz/corpus`.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file of the corpus")).collect()
}
