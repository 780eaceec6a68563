//! A temporary folder to run the program in, and helpers for the tests.

mod ended;

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use ayo::run::Checkpoint;
use mancala::random::{ChaCha8Rng, Purpose, stream};
use serde_json::Value;
use tempfile::TempDir;

pub use self::ended::Ended;
use crate::schema;

/// A run whose generations soon cost almost nothing.
pub const TINY: &str = "--seed 3 --population 10 --set fitness_set=3 --depth 2 --quiet";

/// A run with enough mutation to stay diverse, so that every generation takes a few milliseconds.
pub const LIVELY: &str = "--seed 5 --population 16 --depth 2 --set mutation_rate=0.03 --quiet";

/// A run whose first generation takes too long to end.
pub const DEEP: &str = "train --preset daoud2004 --out run --depth 30 --threads 1 --quiet";

/// A small run in the style of the default trainer: mean and gaussian steps, weights of fixed length,
/// perturbed past champions, new openings in every generation.
pub const POOLED: &str = "--seed 5 --population 12 --depth 2 --quiet --set fitness_set=0 \
                          --set hall_of_fame=1 --set sparring=2 --set openings=random:2,plies=6-12 \
                          --set crossover=pool --set inertia=0.3 --set mutation=gaussian \
                          --set mutation_rate=1 --set encoding=integer:13 --set scale=1000 \
                          --set selection=truncation:50% --set signs=literal";

/// Returns the program under test: the one built with the tests, unless `AYO` names another.
pub fn program() -> PathBuf {
    std::env::var_os("AYO").map_or_else(|| env!("CARGO_BIN_EXE_ayo").into(), PathBuf::from)
}

/// Returns a command that looks for endgame tables in its working directory instead of the user's tables.
pub fn among_own_tables(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("AYO_TABLES", "tables");
    command
}

/// Long enough for the program to install its signal handlers and evaluate a generation of a lively run. Signals that
/// follow each other faster than this count as one.
pub const A_MOMENT: Duration = Duration::from_millis(400);

pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Scratch(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn value(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn flip(&self, name: &str, place: usize) {
        let mut bytes = self.bytes(name);
        bytes[place] ^= 1;
        self.write(name, bytes);
    }

    pub fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    pub fn trained(arguments: &str) -> Self {
        let scratch = Scratch::new();
        scratch.train("run", arguments);
        scratch
    }

    /// Creates a folder with a finished tiny run of this many generations in `run`.
    pub fn tiny(generations: u32) -> Self {
        Scratch::trained(&format!("{TINY} --generations {generations}"))
    }

    pub fn with_tables(arguments: &str) -> Self {
        let scratch = Scratch::new();
        scratch.ayo(&format!("endgame build --quiet {arguments}")).success();
        scratch
    }

    pub fn train(&self, folder: &str, arguments: &str) -> Ended {
        self.ayo(&train_line(folder, arguments)).success()
    }

    pub fn resume(&self, arguments: &str) -> Ended {
        self.ayo(&format!("resume run --quiet --report off {arguments}")).success()
    }

    pub fn outputs(&self) -> Bytes {
        Bytes::of(&self.path("run"))
    }

    /// Asserts that the program rejects each line `ARGUMENTS => PART | PART` with a message that contains the parts.
    /// `command` is the exit code and the beginning of all commands.
    #[track_caller]
    pub fn refuses(&self, command: &str, cases: &str) {
        let (code, command) = command.split_once(' ').unwrap_or((command, ""));
        assert!(cases.contains("=>"), "no cases of {command}");
        for case in cases.lines().filter(|case| !case.trim().is_empty()) {
            let (arguments, parts) = case.split_once("=>").unwrap();
            let parts: Vec<&str> = parts.split(" | ").map(str::trim).collect();
            refused(self.ayo(&format!("{command} {arguments}")), code.parse().unwrap(), &parts);
        }
    }

    pub fn succeed(&self, lines: &[&str]) {
        for line in lines {
            self.ayo(line).success();
        }
    }

    pub fn ayo(&self, line: &str) -> Ended {
        self.run(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, "")
    }

    pub fn run_with(&self, arguments: &[&str], input: &str) -> Ended {
        let mut command = self.command();
        command.args(arguments);
        Ended::of(command, input)
    }

    pub fn command(&self) -> Command {
        self.command_of(program())
    }

    pub fn command_of(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = among_own_tables(program);
        command.current_dir(&self.0);
        command
    }

    pub fn shell(&self, line: &str) -> Ended {
        let mut shell = self.command_of("sh");
        shell.arg("-c").arg(line).arg(program());
        Ended::of(shell, "")
    }

    pub fn text(&self, line: &str) -> String {
        self.ayo(line).success().stdout()
    }

    /// Returns the JSON printed by a command, which must succeed and match docs/json.md.
    pub fn json(&self, line: &str) -> Value {
        let text = self.text(line);
        let found = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{line}: {e}: {text}"));
        schema::check(&found);
        found
    }

    pub fn start(&self, line: &str) -> Training {
        let mut command = self.command();
        command.args(line.split_whitespace());
        Training::start(command)
    }

    /// Starts a training process, and waits until its run exists.
    pub fn begin(&self, line: &str) -> Training {
        let mut training = self.start(line);
        training.begun();
        training
    }

    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    pub fn generation(&self, run: &str) -> u32 {
        checkpoints(&self.path(run)).last().map_or(0, |file| {
            let checkpoint = Checkpoint::decode(&fs::read(file).unwrap()).unwrap();
            checkpoint.generation()
        })
    }
}

/// Returns the command that trains in a folder, by default with preset `daoud2004` and without a report at the end.
pub fn train_line(folder: &str, arguments: &str) -> String {
    let preset = if arguments.contains("--preset") { "" } else { "--preset daoud2004" };
    let report = if arguments.contains("--report") { "" } else { "--report off" };
    format!("train {preset} --out {folder} {report} {arguments}")
}

pub fn checkpoints(run: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().path());
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("checkpoint-") && name.ends_with(".ayo")
    };
    let mut found: Vec<PathBuf> = entries.filter(is_checkpoint).collect();
    found.sort();
    found
}

/// Files of a run that must not depend on interruptions.
#[derive(PartialEq, Eq)]
pub struct Bytes(Vec<(String, Vec<u8>)>);

impl Bytes {
    pub fn of(run: &Path) -> Self {
        let last = checkpoints(run).pop().expect("a finished run has a checkpoint");
        let mut files = vec![run.join("history.csv"), run.join("champion.json"), last];
        files.extend(Some(run.join("strength.csv")).filter(|file| file.exists()));
        let name = |file: &Path| file.file_name().unwrap().to_string_lossy().into_owned();
        Bytes(files.iter().map(|file| (name(file), fs::read(file).unwrap())).collect())
    }

    /// Panics with the name of the file and the position of the first difference.
    pub fn assert_same(&self, other: &Bytes) {
        assert_eq!(self.0.len(), other.0.len(), "files");
        for ((name, one), (other_name, other)) in self.0.iter().zip(&other.0) {
            assert_eq!(name, other_name);
            let differs = one.iter().zip(other).position(|(a, b)| a != b);
            let place = differs.or((one.len() != other.len()).then_some(one.len()));
            assert_eq!(place, None, "{name} differs at this byte");
        }
    }
}

/// Calls `Scratch::refuses`. It's a macro because rustfmt leaves tables in macros alone.
macro_rules! refuses {
    ($scratch:expr, $command:expr, $cases:expr) => {
        $scratch.refuses($command, $cases)
    };
}

pub(crate) use refuses;

pub fn undisturbed(arguments: &str) -> Bytes {
    Scratch::trained(arguments).outputs()
}

#[track_caller]
pub fn holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no {word:?} in {text}");
    }
}

pub fn column(table: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let place = reader.headers().unwrap().iter().position(|it| it == name);
    let place = place.unwrap_or_else(|| panic!("no column {name} in {table}"));
    reader.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asserts that the program failed with this exit code and a one-line message that contains all words. Returns the
/// message. If it comes from `clap`, the usage may follow.
#[track_caller]
pub fn refused(ended: Ended, code: i32, words: &[&str]) -> String {
    let sentence = ended.stderr();
    let complaint = format!("{:?}: {sentence}", ended.output().status);
    assert!(!sentence.contains("panicked"), "{complaint}");
    assert_eq!(ended.output().status.code(), Some(code), "{complaint}");
    assert_eq!(ended.stdout(), "", "{complaint}");
    let by_clap = code == 2 && sentence.ends_with("try '--help'.\n");
    assert!(sentence.starts_with("ayo: "), "{complaint}");
    assert!(!sentence.starts_with("ayo: warning: "), "{complaint}");
    assert!(by_clap || sentence.lines().count() == 1, "{complaint}");
    holds(&sentence, words);
    sentence
}

pub fn verbs(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Train:");
    let listed = listed.take_while(|line| *line != "Options:");
    listed
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Returns a reproducible random number generator for a test, which is different for each `purpose` and `index`.
pub fn dice(purpose: u64, index: u64) -> ChaCha8Rng {
    stream(purpose, Purpose::Player, u64::MAX, index)
}

/// Returns the peak memory of a process so far in KiB, or 0 once it has ended.
#[cfg(target_os = "linux")]
pub fn peak_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or(0, |it| it.trim().trim_end_matches(" kB").parse().unwrap())
}

#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let status = Command::new("kill").args(["-s", name, &process.to_string()]).status();
    assert!(status.unwrap().success());
}

pub struct Training {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Training {
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Training { child, out }
    }

    pub fn begun(&mut self) -> String {
        let line = self.first_line();
        if !line.starts_with("run ") {
            let (status, _, err) = self.wait();
            panic!("{status}: {line}{err}");
        }
        line
    }

    pub fn first_line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Kills the process (with `SIGKILL` on Unix). Returns whether it was still running.
    pub fn kill(&mut self) -> bool {
        self.child.kill().unwrap();
        // On Unix, a killed process has no exit code.
        let of_the_killed = if cfg!(unix) { None } else { Some(1) };
        self.child.wait().unwrap().code() == of_the_killed
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        signal(self.id(), name);
    }

    #[cfg(unix)]
    #[track_caller]
    pub fn interrupted(&mut self, signal: &str) -> String {
        self.signal(signal);
        self.ended(130)
    }

    #[track_caller]
    pub fn ended(&mut self, code: i32) -> String {
        let (status, out, err) = self.wait();
        assert_eq!(status.code(), Some(code), "{out}{err}");
        assert!(!err.contains("panicked"), "{err}");
        out
    }

    /// Waits for the program to exit. Returns its status and the rest of its output and errors.
    pub fn wait(&mut self) -> (ExitStatus, String, String) {
        wait_until("the program does not end", || self.has_ended());
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (self.child.wait().unwrap(), out, err)
    }
}

impl Drop for Training {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
