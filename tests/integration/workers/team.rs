//! A small run and those who help with it, in this process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};

use ayo::run::{Draft, Trainer};
use ayo::workers::{Address, Coordinator, Engine, Terms, Worker};
use mancala::progress::Progress;

/// What was said of workers.
#[derive(Clone, Default)]
pub struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    pub fn tell(&self) -> Box<dyn Fn(&str) + Send + Sync> {
        let said = Arc::clone(&self.0);
        Box::new(move |sentence| said.lock().unwrap().push(sentence.to_owned()))
    }

    pub fn has(&self, words: &str) -> bool {
        self.0.lock().unwrap().iter().any(|it| it.contains(words))
    }

    pub fn all(&self) -> String {
        self.0.lock().unwrap().join("\n")
    }
}

/// A run of a few generations, whose games take tenths of a second.
pub fn trainer() -> Trainer {
    let mut draft = Draft::preset("daoud2004").unwrap();
    let small = [
        ("population", "14"),
        ("fitness_set", "5"),
        ("depth", "2"),
        ("mutation_rate", "0.05"),
        ("openings", "random:4,plies=5-8"),
    ];
    for (key, value) in small {
        draft.set(key, value).unwrap();
    }
    Trainer::new(draft.finish().unwrap())
}

pub const GENERATIONS: u32 = 4;

/// All that a run has come to after each generation.
pub fn generations(mut trainer: Trainer, mut between: impl FnMut(u32)) -> Vec<Vec<u8>> {
    let step = |generation| {
        between(generation);
        trainer.step(&()).unwrap();
        trainer.checkpoint().unwrap().encode()
    };
    (1..=GENERATIONS).map(step).collect()
}

/// The same of the run alone.
pub fn alone() -> &'static Vec<Vec<u8>> {
    static ALONE: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    ALONE.get_or_init(|| generations(trainer(), |_| ()))
}

/// Tasks of a few games, and leases that end soon.
pub const TERMS: Terms = Terms { check_every: 50, least_lease: 150, task: 400, is_idle: false };

pub fn address(url: &str) -> Address {
    url.parse().unwrap()
}

pub fn coordinator(url: &str, terms: Terms, said: &Said) -> Arc<Coordinator> {
    Arc::new(Coordinator::start(&address(url), "a test", terms, said.tell()).unwrap())
}

/// A worker in a thread, which leaves when it is dropped.
pub struct Helper {
    stop: Arc<Stop>,
    thread: Option<JoinHandle<u64>>,
}

#[derive(Default)]
struct Stop(AtomicBool);

impl Progress for Stop {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Helper {
    pub fn start(worker: Worker) -> Helper {
        let stop = Arc::new(Stop::default());
        let until = Arc::clone(&stop);
        let thread = Some(thread::spawn(move || worker.work(&*until)));
        Helper { stop, thread }
    }

    pub fn of(url: &str, engine: impl Engine + 'static, said: &Said) -> Helper {
        Helper::start(Worker::new(&address(url), Arc::new(engine), 1, said.tell()))
    }

    /// Lets it leave. How many tasks it did.
    pub fn leave(mut self) -> u64 {
        self.end()
    }

    fn end(&mut self) -> u64 {
        self.stop.0.store(true, Ordering::Relaxed);
        self.thread.take().map_or(0, |it| it.join().unwrap())
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.end();
    }
}
