//! All readers of external text or bytes, each as a function that must not panic, hang or allocate without bound, and whose
//! result must survive writing and reading.
//!
//! `fuzz_targets` hands these functions to libfuzzer. `cargo test` runs them on the corpus.

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

#[test]
fn the_corpus_is_read() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in TARGETS {
        let files = std::fs::read_dir(corpus.join(target.name)).unwrap();
        for file in files.map(|entry| entry.unwrap().path()) {
            let bytes = std::fs::read(&file).unwrap();
            // Truncated files as well.
            for length in [bytes.len(), bytes.len() / 2, bytes.len().saturating_sub(1)] {
                (target.read)(&bytes[..length]);
            }
        }
    }
}
