//! Everything that reads text or bytes from outside, each as a function of some bytes that must neither
//! panic, hang nor allocate without bound, and whose result is read back the same once written.
//!
//! `fuzz_targets` hands these functions to libfuzzer; `tests/torture` runs them with mutations of its own.

mod binary;
mod texts;

/// A reader under attack.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, which is also that of its file in `fuzz_targets` and of its folder in `corpus`.
    pub name: &'static str,
    /// Reads the bytes.
    pub read: fn(&[u8]),
}

/// All readers.
pub const TARGETS: [Target; 17] = [
    Target { name: "book", read: binary::book },
    Target { name: "checkpoint", read: binary::checkpoint },
    Target { name: "comparison", read: texts::comparison },
    Target { name: "games", read: texts::games },
    Target { name: "history", read: texts::history },
    Target { name: "kalah", read: texts::kalah },
    Target { name: "layer", read: binary::layer },
    Target { name: "line", read: texts::line },
    Target { name: "option", read: texts::option },
    Target { name: "position", read: texts::position },
    Target { name: "protocol", read: texts::protocol },
    Target { name: "results", read: texts::results },
    Target { name: "settings", read: texts::settings },
    Target { name: "spec", read: texts::spec },
    Target { name: "strength", read: texts::strength },
    Target { name: "units", read: binary::units },
    Target { name: "weights", read: texts::weights },
];

/// The reader of this name.
///
/// # Panics
/// If there is none.
pub fn target(name: &str) -> Target {
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target {name}"))
}
