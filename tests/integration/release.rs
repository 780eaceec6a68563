//! Release facts that are stated in several files are consistent.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).into()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn table(path: &str) -> Table {
    read(path).parse().unwrap()
}

#[test]
fn the_version_is_one() {
    let version = env!("CARGO_PKG_VERSION");
    let newest =
        read("CHANGELOG.md").lines().find(|line| line.starts_with("## ")).map(String::from);
    assert!(newest.unwrap().starts_with(&format!("## [{version}]")));
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let manifest = table("Cargo.toml");
    for name in ["mancala", "arena", "evolve"] {
        let required = manifest["dependencies"][name]["version"].as_str();
        assert_eq!(required, Some(format!("={version}").as_str()), "{name}");
    }
    assert_eq!(table("crates/python/Cargo.toml")["package"]["version"].as_str(), Some(version));
    let oldest = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    assert!(read("README.md").contains(&format!("({oldest} or newer)")));
}

#[test]
fn workflows_name_scripts_that_there_are() {
    let mut named = 0;
    for file in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for (at, _) in text.match_indices("run: .ci/") {
            let script = text[at + 5..].split_whitespace().next().unwrap();
            assert!(root().join(script).is_file(), "{script}");
            named += 1;
        }
    }
    assert!(named >= 3, "{named} scripts");
}
