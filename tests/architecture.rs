//! The floors of the house: which module may name which, and where foreign crates may be named.
//!
//! Only the text of `src/` is read. It is formatted by rustfmt, so a module begins and ends in the
//! first column. Tests inside `src/` are held to the same rules as the code.

use std::fs;
use std::path::{Path, PathBuf};

/// Every module at the top of `src/` and its floor. A new module must be entered here.
const FLOORS: [(&str, u32); 10] = [
    ("player", 4),
    ("arena", 4),
    ("optimise", 5),
    ("run", 5),
    ("results", 6),
    ("report", 7),
    ("study", 7),
    ("bench", 7),
    ("app", 8),
    ("cli", 9),
];

/// Words that only one module may use.
const RESERVED: [(&str, &str); 11] = [
    ("plotters", "report"),
    ("bincode", "store"),
    ("anyhow", "cli"),
    ("clap", "cli"),
    ("indicatif", "cli"),
    ("println", "cli"),
    ("print", "cli"),
    ("eprintln", "cli"),
    ("eprint", "cli"),
    ("stdout", "cli"),
    ("stderr", "cli"),
];

#[test]
fn modules_import_from_their_own_floor_or_below() {
    let broken: Vec<String> = sources()
        .iter()
        .flat_map(|(path, text)| {
            let complaints = complaints(path, text);
            complaints.into_iter().map(|what| format!("{}: {what}", path.display()))
        })
        .collect();
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn every_module_is_on_a_floor_and_declared() {
    let library = fs::read_to_string(root().join("lib.rs")).unwrap();
    for (path, _) in sources() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_ne!(name, "mod.rs", "{}: write foo.rs and foo/", path.display());
        let Some(module) = module_of(&path) else { continue };
        assert!(floor_of(&module).is_some(), "{} is on no floor", path.display());
        assert!(library.contains(&format!("pub mod {module};\n")), "lib.rs lacks {module}");
    }
}

/// What a file does that it must not.
fn complaints(path: &Path, text: &str) -> Vec<String> {
    let Some(module) = module_of(path) else {
        return Vec::new();
    };
    let code = without_comments(text);
    let mut complaints = Vec::new();
    let own = floor_of(&module).unwrap_or(0);
    for named in named_modules(&code, path.components().count()) {
        match floor_of(&named) {
            Some(floor) if floor <= own => {}
            Some(_) => complaints.push(format!("{module} names {named}, which is above it")),
            None => complaints.push(format!("names crate::{named}, which is on no floor")),
        }
    }
    // The streams of a process that we start are not ours.
    let own_streams = code.replace(".stdout", "").replace(".stderr", "");
    for (word, home) in RESERVED {
        if module != home && words(&own_streams).any(|w| w == word) {
            complaints.push(format!("{word} may be named in {home} alone"));
        }
    }
    complaints
}

/// The modules at the top of the crate that a file names. `depth` is how many modules deep it lies.
fn named_modules(code: &str, depth: usize) -> Vec<String> {
    let mut named = Vec::new();
    let mut inline = 0;
    let mut seen = 0;
    while let Some(at) = next_path(&code[seen..]).map(|at| seen + at) {
        // A module written out inside the file is one deeper.
        for line in code[seen..at].lines() {
            match line {
                "}" => inline = 0,
                _ if line.ends_with(" {") && words(line).any(|w| w == "mod") => inline = 1,
                _ => {}
            }
        }
        let mut rest = &code[at..];
        let mut up = 0;
        while let Some(after) = rest.strip_prefix("super::") {
            rest = after;
            up += 1;
        }
        if let Some(after) = rest.strip_prefix("crate::") {
            named.extend(heads(after));
        } else if up >= depth + inline {
            named.extend(heads(rest));
        }
        seen = code.len() - rest.len() + if up == 0 { "crate::".len() } else { 0 };
    }
    named
}

/// Where the next path begins that may lead to the top.
fn next_path(code: &str) -> Option<usize> {
    [code.find("crate::"), code.find("super::")].into_iter().flatten().min()
}

/// The first names of what follows `crate::`: `a` of `a::b`, `a` and `c` of `{a::b, c::{d, e}}`.
fn heads(text: &str) -> Vec<String> {
    let Some(group) = text.strip_prefix('{') else {
        return words(text).next().map(str::to_owned).into_iter().collect();
    };
    let (mut depth, mut heads, mut item) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.extend(words(&item).next().map(str::to_owned));
                item.clear();
                if c == '}' {
                    break;
                }
            }
            _ => item.push(c),
        }
    }
    heads
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn without_comments(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| line.split(" // ").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The module at the top of the crate that a file belongs to; `None` for the crate's two roots.
fn module_of(path: &Path) -> Option<String> {
    let first = path.components().next()?.as_os_str().to_string_lossy().into_owned();
    let name = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
    (!["lib", "main"].contains(&name.as_str())).then_some(name)
}

fn floor_of(module: &str) -> Option<u32> {
    FLOORS.iter().find(|(name, _)| *name == module).map(|(_, floor)| *floor)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every Rust file below `src/`, by its path there, with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let (mut folders, mut found) = (vec![root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    assert!(found.len() > 40, "only {} files were found", found.len());
    found.sort();
    found
}

mod the_checker {
    use super::*;

    fn complains(path: &str, text: &str, about: &[&str]) {
        let found = complaints(Path::new(path), text);
        assert_eq!(found.len(), about.len(), "{path}: {found:?}");
        for (found, about) in found.iter().zip(about) {
            assert!(found.contains(about), "{path}: {found}");
        }
    }

    #[test]
    fn lets_pass_what_is_allowed() {
        let text = "use crate::eval::{Score, load};\nuse crate::store;\nuse super::spec;\n";
        complains("player/minimax.rs", text, &[]);
        complains("arena.rs", "use crate::player::Player;", &[]);
        complains("report/chart.rs", "use plotters::prelude::*;", &[]);
        complains("cli/train.rs", "    println!(\"\");", &[]);
        complains("main.rs", "ayo::cli::main()", &[]);
        complains("game.rs", "// use crate::eval;\nlet a = 1; // of crate::eval", &[]);
        complains("game.rs", "#[cfg(test)]\nmod tests {\n    use super::eval;\n}\n", &[]);
    }

    #[test]
    fn finds_imports_from_above() {
        complains("game/perft.rs", "use crate::eval::Score;", &["game names eval"]);
        complains("game.rs", "fn f() -> crate::search::Found {}", &["game names search"]);
        complains("store.rs", "use crate::{random, game::{Pit, Side}};", &["store names game"]);
        let group = "use crate::{\n    eval::{self, Score},\n    cli,\n};";
        complains("search.rs", group, &["search names cli"]);
        complains("eval.rs", "use crate::attic::Box;", &["crate::attic, which is on no floor"]);
    }

    #[test]
    fn finds_imports_that_climb() {
        complains("eval.rs", "use super::search;", &["eval names search"]);
        complains("eval/set.rs", "use super::super::{search, game};", &["eval names search"]);
        complains("eval/set.rs", "use super::search;", &[]);
        let tests = "mod tests {\n    use super::*;\n    use super::super::cli;\n}\n";
        complains("random.rs", tests, &["random names cli"]);
        let after = "mod tests {\n    use super::*;\n}\nuse super::cli;\n";
        complains("random.rs", after, &["random names cli"]);
    }

    #[test]
    fn finds_words_out_of_their_home() {
        complains("report.rs", "use anyhow::Context;", &["anyhow"]);
        complains("search/plain.rs", "    eprintln!(\"here\");", &["eprintln"]);
        complains("run/folder.rs", "bincode::serialize()", &["bincode"]);
        complains("arena.rs", "use std::io::{Write, stderr};", &["stderr"]);
        complains("arena.rs", "let printing = footprint;", &[]);
    }
}
