//! The notebook in `docs/` reads the files that runs write.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn cells() -> (Vec<Value>, Vec<Value>) {
    let notebook: Value = serde_json::from_str(&read("docs/run.ipynb")).unwrap();
    assert_eq!(notebook["nbformat"], 4);
    assert!(notebook["nbformat_minor"].is_u64() && notebook["metadata"].is_object());
    let cells = notebook["cells"].as_array().unwrap().clone();
    let code = cells.iter().filter(|cell| cell["cell_type"] == "code").cloned().collect();
    (cells, code)
}

/// Returns the quoted text in brackets after a name: `table["a"]`, `table[["a", "b"]]`.
fn columns(source: &str, table: &str) -> BTreeSet<String> {
    let opening = format!("{table}[");
    let behind = source.match_indices(&opening).map(|(at, found)| &source[at + found.len()..]);
    let mut named = BTreeSet::new();
    for inside in behind.filter_map(|text| text.split(']').next()) {
        let inside = inside.trim_start_matches('[');
        // Skip `table[other["column"]]` and `table[variable]`: the name belongs to another table, or is not literal.
        if inside.starts_with(['"', '\'']) {
            named.extend(inside.split(['"', '\'']).skip(1).step_by(2).map(String::from));
        }
    }
    named
}

#[test]
fn the_notebook_names_columns_that_there_are() {
    let (_, code) = cells();
    let lines = code.iter().flat_map(|cell| cell["source"].as_array().unwrap());
    let source: String = lines.map(|line| line.as_str().unwrap()).collect();
    let mut found = 0;
    for (file, tables) in [
        ("history.csv", &["history"][..]),
        ("strength.csv", &["strength", "panel", "last", "table"]),
        ("cost.csv", &["cost"]),
    ] {
        let text = read(&format!("populations/reference/{file}"));
        let header: BTreeSet<&str> = text.lines().next().unwrap().split(',').collect();
        for name in tables.iter().flat_map(|table| columns(&source, table)) {
            // Skip names composed from a feature's name.
            if !name.contains('{') {
                assert!(header.contains(&*name), "{file} has no column {name}");
                found += 1;
            }
        }
    }
    assert!(found > 10, "{found} columns");
    for (argument, column) in
        [("index=\"", "generation"), ("columns=\"", "opponent"), ("values=\"", "score")]
    {
        assert!(source.contains(&format!("{argument}{column}\"")), "{argument}{column}");
    }
}

/// Checks the nbformat 4 requirements that readers insist on.
#[test]
fn the_notebook_is_one_and_small() {
    let (cells, code) = cells();
    for cell in cells {
        assert!(cell["id"].is_string() && cell["metadata"].is_object(), "{cell}");
    }
    for cell in code {
        let outputs = cell["outputs"].as_array().unwrap();
        assert!(outputs.iter().all(|output| output["output_type"] != "error"), "{outputs:?}");
    }
    assert!(read("docs/run.ipynb").len() < 150_000);
}
