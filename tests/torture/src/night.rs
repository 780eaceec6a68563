//! A night of training with learned features on two threads. The run is killed at random, every ten minutes on average,
//! and resumed, and then compared with an undisturbed run of the same generations.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use ayo::run::{Estimate, RunFolder};
use mancala::random::ChaCha8Rng;
use rand::RngExt;

use crate::job::outputs;
use crate::options::{Attack, Options};
use crate::process::{Running, run as run_line, start};
use crate::report::Part;
use crate::sandbox::{Sandbox, rng};

/// Mean time between kills. A shorter night has at least three on average.
const KILL_INTERVAL: Duration = Duration::from_secs(600);
/// Settings of a night so short that larger datasets would not be fitted.
const SMALL: &str = " --features u1..u8 --depth 2 --set fit_every=4 --set positions=4000 --set first_positions=1000 \
                     --set buffer=8000 --set label_depth=2 --set label_tables=4 --set gate_openings=10 \
                     --set measure_every=8 --set measure_openings=2 --set finalist_games=100";
/// Memory in addition to twice the announced disk space, in bytes.
const BASE_MEMORY: u64 = 64 << 20;
/// Maximum time for the rest of a run, and for the undisturbed run.
const TIMEOUT: Duration = Duration::from_secs(48 * 3600);
const WORK: &str = "--threads 2 --quiet --report off --max-time 48h";

#[derive(Debug, Default)]
struct Night {
    kills: u64,
    generations: usize,
    disk: u64,
    memory: u64,
}

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Night);
    let mut night = Night::default();
    let result = night.run(options, sandbox);
    part.add(sandbox, 0, result);
    part.tried = night.kills;
    part.what = format!(
        "kills in {} h and {} generations on two threads: at most {} MiB of memory, {} kB of disk",
        options.hours(),
        night.generations,
        night.memory >> 20,
        night.disk / 1000
    );
    part
}

impl Night {
    fn run(&mut self, options: &Options, sandbox: &Sandbox) -> Result<(), String> {
        let folder = sandbox.empty("case");
        let hours = options.hours();
        let small = if hours < 1.0 { SMALL } else { "" };
        let train =
            format!("train --preset overnight{small} --seed {} {WORK} --out ", options.seed);
        let mut rng = rng(options.seed, Attack::Night, 0);
        self.disturb(sandbox, &folder, &train, hours, &mut rng)?;
        let history = fs::read_to_string(folder.join("run/history.csv")).unwrap_or_default();
        self.generations = history.lines().skip(1).count();
        let to = format!("--generations {}", self.generations);
        run_line(sandbox, &folder, &format!("resume run {WORK} {to}"), TIMEOUT).succeeded()?;
        run_line(sandbox, &folder, &format!("{train}whole {to}"), TIMEOUT).succeeded()?;
        self.compare(&folder)?;
        self.check_needs(&folder.join("run"))
    }

    /// Trains for this number of hours, and kills the process at random.
    fn disturb(
        &mut self,
        sandbox: &Sandbox,
        folder: &Path,
        train: &str,
        hours: f64,
        rng: &mut ChaCha8Rng,
    ) -> Result<(), String> {
        let night = Duration::from_secs_f64(3600.0 * hours);
        let (begun, interval) = (Instant::now(), KILL_INTERVAL.min(night / 4));
        while begun.elapsed() < night {
            let is_there = folder.join("run/run.toml").exists();
            let line = if is_there { format!("resume run {WORK}") } else { format!("{train}run") };
            let mut running = start(sandbox, folder, &line, None);
            let until = begun.elapsed() + interval.mul_f64(rng.random_range(0.0..2.0));
            while begun.elapsed() < until.min(night) && running.is_alive() {
                self.sample(&running, &folder.join("run"));
                thread::sleep(Duration::from_secs(1));
            }
            let gently = rng.random_ratio(1, 3);
            running.signal(if gently { libc::SIGTERM } else { libc::SIGKILL });
            let ended = running.end(TIMEOUT);
            if !ended.was_killed() {
                ended.ended_properly()?;
            }
            self.kills += 1;
        }
        Ok(())
    }

    fn sample(&mut self, running: &Running, run: &Path) {
        let status = format!("/proc/{}/status", running.child.id());
        let status = fs::read_to_string(status).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        self.memory = self.memory.max(peak.unwrap_or_default() << 10);
        self.disk = self.disk.max(size(run));
    }

    fn compare(&self, folder: &Path) -> Result<(), String> {
        let files = format!(
            "history.csv strength.csv iterations.csv champion.json features- checkpoint-{:06}.ayo",
            self.generations
        );
        let [whole, run] = ["whole", "run"].map(|name| outputs(&folder.join(name), &files));
        if whole == run {
            Ok(())
        } else {
            Err("the files differ from those of the undisturbed run".into())
        }
    }

    /// Checks that the run stayed within its announced needs.
    fn check_needs(&self, run: &Path) -> Result<(), String> {
        let settings = RunFolder::settings(run).map_err(|error| error.to_string())?;
        let (announced, memory) = (Estimate::of(&settings).bytes, self.memory);
        if self.disk > announced || memory > 2 * announced + BASE_MEMORY {
            return Err(format!(
                "{} bytes of disk, {memory} of memory, announced {announced}",
                self.disk
            ));
        }
        Ok(())
    }
}

/// Returns the size of the files in a folder and its subfolders, in bytes.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let metadata = entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)));
    metadata.map(|(path, it)| if it.is_dir() { size(&path) } else { it.len() }).sum()
}
