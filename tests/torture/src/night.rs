//! A whole night's worth of generations on one thread. Memory, threads and handles must not grow.

use std::fs;
use std::time::Duration;

use crate::options::{Attack, Options};
use crate::process::{Running, start};
use crate::report::Part;
use crate::sandbox::Sandbox;

/// Generations per hour of the recommended preset on two cores.
const GENERATIONS_PER_HOUR: f64 = 4800.0;
/// Memory limit for training, in bytes.
const MAX_MEMORY: u64 = 64 << 20;
/// Maximum memory growth between the first and the last quarter, in bytes.
const MAX_GROWTH: u64 = 4 << 20;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) memory: u64,
    /// Numbers of threads and of open handles.
    pub(crate) held: [usize; 2],
}

pub(crate) fn run(options: &Options, sandbox: &Sandbox) -> Part {
    let mut part = Part::new(Attack::Hours);
    let generations = (options.hours(Attack::Hours) * GENERATIONS_PER_HOUR).ceil().max(20.0) as u64;
    let folder = sandbox.empty("case");
    let line = format!(
        "train --preset quick --depth 1 --threads 1 --quiet --out run --seed {} --generations {generations} \
         --set finalist_games=0 --set measure_every=0",
        options.seed
    );
    let mut running = start(sandbox, &folder, &line, None);
    let mut samples = Vec::new();
    while running.child.try_wait().expect("a child").is_none() {
        samples.extend(sample(&running));
        std::thread::sleep(Duration::from_millis(50));
    }
    let result = running.end(Duration::MAX).succeeded().and_then(|()| check_growth(&samples));
    part.add(sandbox, 0, result);
    let most = samples.iter().map(|it| it.memory).max().unwrap_or_default() as f64;
    let held = samples.iter().map(|it| it.held).max().unwrap_or_default();
    part.tried = generations;
    part.what = format!(
        "generations at depth 1 on one thread: at most {:.1} MiB, {} threads, {} handles",
        most / f64::from(1 << 20),
        held[0],
        held[1]
    );
    part
}

pub(crate) fn sample(running: &Running) -> Option<Sample> {
    let process = running.child.id();
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let memory: u64 = resident.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(Sample { memory: memory << 10, held: resources(process) })
}

/// Returns the numbers of threads and of open handles of a process.
fn resources(process: u32) -> [usize; 2] {
    ["task", "fd"].map(|what| {
        fs::read_dir(format!("/proc/{process}/{what}")).map_or(0, |entries| entries.count())
    })
}

/// Checks that the last quarter uses no more than the first, and that no sample exceeds the limit.
fn check_growth(samples: &[Sample]) -> Result<(), String> {
    let quarter = (samples.len() / 4).max(1).min(samples.len());
    let most = |samples: &[Sample]| samples.iter().map(|it| it.memory).max().unwrap_or_default();
    let (first, last) = (most(&samples[..quarter]), most(&samples[samples.len() - quarter..]));
    // Use the median, since files are briefly open while rows are added, and threads start after the process.
    let held = |samples: &[Sample]| {
        let mut all: Vec<_> = samples.iter().map(|it| it.held).collect();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or_default()
    };
    let holds = [held(&samples[..quarter]), held(&samples[samples.len() - quarter..])];
    match () {
        () if most(samples) > MAX_MEMORY => Err(format!("{} MiB", most(samples) >> 20)),
        () if last > first + MAX_GROWTH => {
            Err(format!("memory grows from {first} to {last} bytes"))
        }
        () if holds[1] > holds[0] => Err(format!("threads and handles grow: {holds:?}")),
        () => Ok(()),
    }
}
