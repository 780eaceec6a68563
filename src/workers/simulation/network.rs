//! The machines of a simulation.

/// What a simulation knows of the machines.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Network {
    /// Threads of workers.
    pub workers: usize,
    /// Threads of the coordinator that play.
    pub local: usize,
    /// Processors that all of them share; `None` if each thread has one of its own.
    pub cores: Option<usize>,
    /// Seconds that a message travels.
    pub delay: f64,
    /// Seconds of processor that a task and its answer cost the coordinator and the server.
    pub handling: f64,
    /// The same of the worker.
    pub taking: f64,
    /// What is searched again because it is somebody else who remembers it, as a share of all.
    pub again: f64,
    /// One answer in so many is checked.
    pub check_every: usize,
    /// Seconds between two batches in which only the coordinator works.
    pub between: f64,
}
