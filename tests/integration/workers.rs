//! Runs that workers help with, through a real `redis-server`: the bytes are those of the run alone, whatever befalls
//! server, workers and network. Without `redis-server` these tests say that they are skipped, and pass.

#[cfg(target_os = "linux")]
mod efficiency;
mod engines;
mod faults;
mod figures;
#[cfg(target_os = "linux")]
mod network;
mod processes;
mod proxy;
mod schedules;
mod server;
mod team;
mod whole;
mod words;
