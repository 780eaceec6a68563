//! All readers of external text or bytes, each as a function that must not panic, hang or allocate without bound, and whose
//! result must survive writing and reading.
//!
//! `fuzz_targets` passes these functions to libfuzzer; `tests/torture` has its own mutations.

mod binary;
mod texts;

/// A reader under attack.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, also of its file in `fuzz_targets` and of its folder in `corpus`.
    pub name: &'static str,
    /// Reads the bytes.
    pub read: fn(&[u8]),
}

/// All readers.
pub const TARGETS: [Target; 19] = [
    Target { name: "batch", read: binary::batch },
    Target { name: "book", read: binary::book },
    Target { name: "checkpoint", read: binary::checkpoint },
    Target { name: "comparison", read: texts::comparison },
    Target { name: "games", read: texts::games },
    Target { name: "history", read: texts::history },
    Target { name: "kalah", read: texts::kalah },
    Target { name: "layer", read: binary::layer },
    Target { name: "line", read: texts::line },
    Target { name: "option", read: texts::option },
    Target { name: "outcomes", read: binary::outcomes },
    Target { name: "position", read: texts::position },
    Target { name: "protocol", read: texts::protocol },
    Target { name: "results", read: texts::results },
    Target { name: "settings", read: texts::settings },
    Target { name: "spec", read: texts::spec },
    Target { name: "strength", read: texts::strength },
    Target { name: "units", read: binary::units },
    Target { name: "weights", read: texts::weights },
];

/// Returns the reader of this name.
///
/// # Panics
/// If the name is unknown.
pub fn target(name: &str) -> Target {
    let target = TARGETS.into_iter().find(|target| target.name == name);
    target.unwrap_or_else(|| panic!("no target {name}"))
}
