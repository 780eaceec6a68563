//! The names of what lies in the server.
//!
//! | key | content |
//! |---|---|
//! | `ayo:1:runs` | sorted set: runs, by the server's time of their last sign of life |
//! | `ayo:1:workers` | the same of workers |
//! | `ayo:1:worker:ID` | JSON: what a worker says of itself; gone 15 s after its last sign of life |
//! | `ayo:1:run:ID:info` | JSON: what a run says of itself; gone 15 s after its last sign of life |
//! | `ayo:1:run:ID:tasks` | stream: [`Task`](super::wire::Task)s that nobody has finished, with the group `workers` |
//! | `ayo:1:run:ID:ground:HASH` | what the tasks of a batch have in common |
//! | `ayo:1:run:ID:answers:BATCH` | hash: [`Answer`](super::wire::Answer)s by task and attempt, the first of each |
//! | `ayo:1:run:ID:news` | stream, trimmed: who has answered or refused which task |
//! | `ayo:1:run:ID:quarantine` | hash: workers that nothing is taken from any more, with the reason |

/// Seconds after which a sign of life is none.
pub(super) const LIFE: u64 = 15;
/// Seconds after which what nobody has touched is gone.
pub(super) const EXPIRY: u64 = 600;
/// The consumer group of tasks.
pub(super) const GROUP: &str = "workers";
pub(super) const RUNS: &str = "ayo:1:runs";
pub(super) const WORKERS: &str = "ayo:1:workers";

pub(super) fn worker(id: &str) -> String {
    format!("ayo:1:worker:{id}")
}

/// The keys of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunKeys {
    pub(super) info: String,
    pub(super) tasks: String,
    pub(super) news: String,
    pub(super) quarantine: String,
    prefix: String,
}

impl RunKeys {
    pub(super) fn new(run: &str) -> RunKeys {
        let key = |name: &str| format!("ayo:1:run:{run}:{name}");
        RunKeys {
            info: key("info"),
            tasks: key("tasks"),
            news: key("news"),
            quarantine: key("quarantine"),
            prefix: key(""),
        }
    }

    pub(super) fn ground(&self, hash: &str) -> String {
        format!("{}ground:{hash}", self.prefix)
    }

    pub(super) fn answers(&self, batch: u64) -> String {
        format!("{}answers:{batch}", self.prefix)
    }
}
