//! All readers of external text or bytes. Each is a function that must not panic, hang or allocate without bound, and
//! whose result must survive a round trip.
//!
//! `fuzz_targets` passes these functions to libFuzzer. `cargo test` runs them on the corpus.

mod binary;
mod texts;

/// A reader to be fuzzed.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name, which is also that of its file in `fuzz_targets` and its folder in `corpus`.
    pub name: &'static str,
    /// Reads the bytes.
    pub read: fn(&[u8]),
}

/// All readers.
pub const TARGETS: [Target; 21] = [
    Target { name: "book", read: binary::book },
    Target { name: "checkpoint", read: binary::checkpoint },
    Target { name: "comparison", read: texts::comparison },
    Target { name: "exchange", read: texts::exchange },
    Target { name: "finals", read: binary::finals },
    Target { name: "games", read: texts::games },
    Target { name: "history", read: texts::history },
    Target { name: "kalah", read: texts::kalah },
    Target { name: "layer", read: binary::layer },
    Target { name: "line", read: texts::line },
    Target { name: "option", read: texts::option },
    Target { name: "position", read: texts::position },
    Target { name: "protocol", read: texts::protocol },
    Target { name: "report", read: binary::report },
    Target { name: "results", read: texts::results },
    Target { name: "settings", read: texts::settings },
    Target { name: "spec", read: texts::spec },
    Target { name: "strength", read: texts::strength },
    Target { name: "task", read: binary::task },
    Target { name: "units", read: binary::units },
    Target { name: "weights", read: texts::weights },
];

/// Returns the reader with this name.
///
/// # Panics
/// If there is no reader with this name.
pub fn target(name: &str) -> Target {
    let target = TARGETS.into_iter().find(|target| target.name == name);
    target.unwrap_or_else(|| panic!("no target {name}"))
}

#[test]
fn the_corpus_is_read() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in TARGETS {
        let files = std::fs::read_dir(corpus.join(target.name)).unwrap();
        for file in files.map(|entry| entry.unwrap().path()) {
            let bytes = std::fs::read(&file).unwrap();
            // Also try truncated files.
            for length in [bytes.len(), bytes.len() / 2, bytes.len().saturating_sub(1)] {
                (target.read)(&bytes[..length]);
            }
        }
    }
}
