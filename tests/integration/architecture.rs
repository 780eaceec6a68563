//! The order of the modules within a crate, and where a foreign crate or an output stream may be
//! named. That a crate imports nothing from those above it is what Cargo holds.
//!
//! Only text is read, as rustfmt leaves it. Tests inside a file are held to the same rules as its code.

mod cycles;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use self::cycles::Modules;

/// A crate and its modules from the lowest to the highest. A module imports from its own floor and
/// from those before it.
struct House {
    sources: &'static str,
    floors: &'static [&'static [&'static str]],
}

const HOUSES: [House; 3] = [
    House {
        sources: "crates/mancala/src",
        // A macro that a crate exports is named at its top.
        floors: &[
            &["laws"],
            &["text"],
            &["random"],
            &["store"],
            &["memory"],
            &["progress"],
            &["game", "with_game"],
            &["eval", "option_words"],
            &["endgame"],
            &["search"],
            &["book"],
        ],
    },
    House {
        sources: "crates/evolution/src",
        floors: &[&["os"], &["player"], &["arena"], &["learn"], &["optimise"]],
    },
    House {
        sources: "src",
        floors: &[
            &["os"],
            &["run"],
            &["results"],
            &["report"],
            &["bench"],
            &["app"],
            &["web"],
            &["cli"],
        ],
    },
];

/// Words that only one module may use. `mancala` knows no terminal: none of its modules is named `cli`.
const RESERVED: [(&str, &str); 14] = [
    ("axum", "web"),
    ("hyper", "web"),
    ("tokio", "web"),
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

/// Words of `cli` that only some of its files may use: what is printed passes `terminal`, and so do the paths in
/// it. The bar draws itself.
const OF_THE_TERMINAL: [(&str, &[&str]); 5] = [
    ("stdout", &["cli/terminal.rs"]),
    ("stderr", &["cli/terminal.rs", "cli/meter.rs"]),
    ("eprintln", &[]),
    ("println", &[]),
    ("display", &[]),
];

/// Crates that `mancala` and `evolution` must build without.
const NOT_BELOW: [&str; 5] = ["clap", "plotters", "indicatif", "ctrlc", "anyhow"];

/// Lines of code, without comments and blank lines, after which a file is two.
const LONGEST: usize = 500;

#[test]
fn modules_import_from_floors_below() {
    let mut found = Vec::new();
    for house in &HOUSES {
        let sources = house.sources();
        assert!(sources.len() > 40, "{}: {} files", house.sources, sources.len());
        for (path, text) in &sources {
            let complaints = house.complaints(path, text).into_iter();
            found.extend(complaints.map(|what| format!("{}: {what}", path.display())));
        }
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

/// Tests have no floors, and comments in them count.
#[test]
fn no_file_of_tests_is_too_long() {
    let all = rust_files(&root().join("tests"));
    assert!(all.len() > 40, "{} files", all.len());
    let lengths = all.iter().map(|(path, text)| (path, text.lines().count()));
    let found: Vec<_> = lengths.filter(|(_, lines)| *lines > LONGEST).collect();
    assert!(found.is_empty(), "longer than {LONGEST} lines: {found:?}");
}

/// But for those of `mancala`: there the trait `Notated` and the enum of all games need each other.
#[test]
fn no_files_need_each_other() {
    let [_, evolution, ayo] = &HOUSES;
    let found: Vec<_> =
        [evolution, ayo].iter().flat_map(|house| Modules::of(&house.sources()).cycles()).collect();
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn the_crates_below_depend_on_nothing_that_shows() {
    for below in ["mancala", "evolution"] {
        let manifest = fs::read_to_string(root().join("crates").join(below).join("Cargo.toml"));
        let manifest: toml::Table = toml::from_str(&manifest.unwrap()).unwrap();
        let dependencies = manifest["dependencies"].as_table().unwrap();
        for name in NOT_BELOW {
            assert!(!dependencies.contains_key(name), "{below} depends on {name}");
        }
    }
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let [mancala, evolution, ayo] = &HOUSES;
    let complains = |house: &House, path: &str, text: &str, about: &[&str]| {
        let found = house.complaints(Path::new(path), text);
        assert_eq!(found.len(), about.len(), "{path}: {found:?}");
        assert!(found.iter().zip(about).all(|(f, about)| f.contains(about)), "{path}: {found:?}");
    };
    complains(evolution, "player/minimax.rs", "use crate::player::Spec;\nuse super::spec;\n", &[]);
    complains(ayo, "cli/train.rs", "use crate::run::Run;\n    println!(\"\");\n", &["println"]);
    complains(evolution, "arena.rs", "// use crate::cli;\nlet a = 1; // of crate::cli\n", &[]);
    complains(evolution, "arena.rs", "mod tests {\n    use super::*;\n}\nlet printing = 1;\n", &[]);
    complains(evolution, "arena.rs", "child.stdout.take();\n", &[]);
    complains(
        evolution,
        "player/spec.rs",
        "fn f() -> crate::arena::Suite {}",
        &["arena, which is above"],
    );
    complains(mancala, "game/pit.rs", "use crate::eval::Score;", &["eval, which is above"]);
    complains(ayo, "report.rs", "use crate::attic::Box;", &["attic, which is on no floor"]);
    complains(ayo, "report.rs", "use crate::{cli, run};", &["one module"]);
    complains(evolution, "player.rs", "use super::arena;", &["climbs"]);
    complains(evolution, "player/spec.rs", "    use super::super::super::arena;", &["climbs"]);
    complains(ayo, "cli/runs.rs", "f(path.display(), stderr());", &["stderr", "display"]);
    complains(ayo, "cli/terminal.rs", "stderr();", &[]);
    complains(mancala, "search.rs", "    eprintln!(\"here\");", &["eprintln"]);
    complains(ayo, "attic/mod.rs", "", &["foo.rs", "attic is on no floor"]);
    complains(ayo, "cli.rs", &"f();\n".repeat(LONGEST + 1), &["501 lines"]);
}

impl House {
    /// What a file has that it must not have.
    fn complaints(&self, path: &Path, text: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        if path.ends_with("mod.rs") {
            complaints.push("write foo.rs and foo/".to_owned());
        }
        let Some(module) = module_of(path) else { return complaints };
        let own = self.floor(&module);
        if own.is_none() {
            complaints.push(format!("{module} is on no floor"));
        }
        let code = code_of(text);
        for named in named_modules(&code) {
            match self.floor(named) {
                _ if named.is_empty() => complaints.push("an import names one module".to_owned()),
                None => complaints.push(format!("names {named}, which is on no floor")),
                floor if floor > own => {
                    complaints.push(format!("{module} names {named}, which is above it"));
                }
                Some(_) => {}
            }
        }
        if climbs(&code, path.components().count()) {
            complaints.push("climbs to the top of the crate: write crate::".to_owned());
        }
        complaints.extend(reserved_words(&module, &code));
        complaints.extend(words_of_the_terminal(path, &code));
        let lines = code.lines().count();
        if lines > LONGEST {
            complaints.push(format!("{lines} lines of code"));
        }
        complaints
    }

    fn floor(&self, module: &str) -> Option<usize> {
        self.floors.iter().position(|floor| floor.contains(&module))
    }

    /// Every Rust file by its path below the house, with its text.
    fn sources(&self) -> Vec<(PathBuf, String)> {
        rust_files(&root().join(self.sources))
    }
}

/// Every Rust file by its path below a folder, with its text. What Cargo has built there is no source.
fn rust_files(top: &Path) -> Vec<(PathBuf, String)> {
    let (mut folders, mut found) = (vec![top.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(top).unwrap().to_owned(), text));
            }
        }
    }
    found
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The module at the top of the crate that a file belongs to; `None` for the roots of the crate.
fn module_of(path: &Path) -> Option<String> {
    let first = path.components().next()?.as_os_str().to_string_lossy().into_owned();
    let name = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
    (!["lib", "main"].contains(&name.as_str())).then_some(name)
}

/// A file without comments and blank lines.
fn code_of(text: &str) -> String {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.map(|line| line.split(" // ").next().unwrap_or_default());
    code.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join("\n")
}

/// What follows each `crate::`; empty where that is a group.
fn named_modules(code: &str) -> BTreeSet<&str> {
    let after = code.split("crate::").skip(1).map(|after| words(after).next());
    after.map(Option::unwrap_or_default).collect()
}

/// Whether a path of a file that lies `depth` modules deep leads to the top of the crate by `super`.
/// A path that is indented may stand in a module written out in the file, which is one deeper.
fn climbs(code: &str, depth: usize) -> bool {
    code.lines().any(|line| {
        let deeper = usize::from(line.starts_with(' '));
        line.contains(&"super::".repeat(depth + deeper))
    })
}

/// The reserved words that a file of this module uses. The streams of a process that we start are
/// not ours.
fn reserved_words(module: &str, code: &str) -> Vec<String> {
    let code = code.replace(".stdout", "").replace(".stderr", "");
    let used: BTreeSet<&str> = words(&code).collect();
    let strangers = RESERVED.iter().filter(|(word, home)| *home != module && used.contains(word));
    strangers.map(|(word, home)| format!("{word} may be named in {home} alone")).collect()
}

/// The words of the terminal that a file of `cli` uses without being one that may.
fn words_of_the_terminal(path: &Path, code: &str) -> Vec<String> {
    let used: BTreeSet<&str> = words(code).collect();
    let mut strangers = OF_THE_TERMINAL.to_vec();
    strangers.retain(|(word, homes)| {
        path.starts_with("cli")
            && used.contains(word)
            && !homes.iter().any(|it| path == Path::new(it))
    });
    strangers.into_iter().map(|(word, _)| format!("{word}: print by cli/terminal.rs")).collect()
}

/// The names in a text, with an empty one wherever two signs that belong to no name stand together.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && !c.is_alphanumeric())
}
