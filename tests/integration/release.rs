//! If several files of the repository state the same fact, they must agree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
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

/// Checks that the notebook is valid nbformat 4, small, and only names columns that runs write.
#[test]
fn the_notebook_reads_the_files_of_a_run() {
    let text = read("docs/run.ipynb");
    let notebook: Value = serde_json::from_str(&text).unwrap();
    assert!(text.len() < 150_000 && notebook["nbformat"] == 4);
    assert!(notebook["nbformat_minor"].is_u64() && notebook["metadata"].is_object());
    let mut source = String::new();
    for cell in notebook["cells"].as_array().unwrap() {
        assert!(cell["id"].is_string() && cell["metadata"].is_object(), "{cell}");
        if cell["cell_type"] == "code" {
            let outputs = cell["outputs"].as_array().unwrap();
            assert!(outputs.iter().all(|output| output["output_type"] != "error"), "{outputs:?}");
            let lines = cell["source"].as_array().unwrap().iter();
            source.extend(lines.map(|line| line.as_str().unwrap()));
        }
    }
    let tables = ["history", "strength", "cost"];
    let headers = tables.map(|it| read(&format!("populations/reference/{it}.csv")));
    let mut known: BTreeSet<&str> =
        headers.iter().flat_map(|text| text.lines().next().unwrap().split(',')).collect();
    known.extend(tables);
    // Find quoted text in brackets, e.g. `table["a"]` or `table[["a", "b"]]`. Skip names built from a feature's name.
    let behind = source.split('[').map(|text| text.split(']').next().unwrap());
    let quoted = behind.filter(|text| text.starts_with('"'));
    let named: Vec<&str> = quoted.flat_map(|text| text.split('"').skip(1).step_by(2)).collect();
    let missing: Vec<_> =
        named.iter().filter(|it| !known.contains(**it) && !it.contains('{')).collect();
    assert!(named.len() > 10 && missing.is_empty(), "no columns {missing:?}");
    for (argument, column) in
        [("index=\"", "generation"), ("columns=\"", "opponent"), ("values=\"", "score")]
    {
        assert!(source.contains(&format!("{argument}{column}\"")), "{argument}{column}");
    }
}
