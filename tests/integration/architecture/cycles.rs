//! Which file names what of which other file, and whether that leads in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::code_of;

/// The names of modules from the top of the crate on; that of the crate itself is empty.
type Path = Vec<String>;

/// What the file of a module names.
#[derive(Default)]
struct Module {
    /// Names that an import brings in, and what they stand for. Others may import them from here.
    imports: BTreeMap<String, Path>,
    /// Paths that the module uses: those of its own imports, and those in its code.
    used: Vec<Path>,
}

/// The modules of a crate by path.
pub struct Modules(BTreeMap<Path, Module>);

impl Modules {
    /// The modules of these files, without those that only tests have.
    pub fn of(sources: &[(PathBuf, String)]) -> Modules {
        let module = |(path, text): &(PathBuf, String)| {
            let path: Path =
                path.with_extension("").iter().map(|it| it.to_string_lossy().into()).collect();
            match path.last()?.as_str() {
                "main" | "tests" | "testing" => None,
                "lib" => Some((Path::new(), Module::read(text))),
                _ => Some((path, Module::read(text))),
            }
        };
        Modules(sources.iter().filter_map(module).collect())
    }

    /// Each dependency that is part of a circle, or leads from one to another.
    pub fn cycles(&self) -> Vec<String> {
        let mut left: BTreeMap<&Path, BTreeSet<Path>> =
            self.0.keys().map(|path| (path, self.dependencies(path))).collect();
        // Peeled from both sides: what depends on nothing that is left, and what nothing depends on.
        loop {
            let before = left.len();
            let there: BTreeSet<Path> = left.keys().map(|&path| path.clone()).collect();
            left.retain(|_, on| {
                on.retain(|it| there.contains(it));
                !on.is_empty()
            });
            let needed: BTreeSet<Path> = left.values().flatten().cloned().collect();
            left.retain(|path, _| needed.contains(*path));
            if left.len() == before {
                break;
            }
        }
        let said = |(path, on): (&&Path, &BTreeSet<Path>)| {
            let on: Vec<String> = on.iter().map(|it| it.join("::")).collect();
            format!("{} names {}", path.join("::"), on.join(", "))
        };
        left.iter().map(said).collect()
    }

    /// The modules of which a module names something.
    fn dependencies(&self, path: &Path) -> BTreeSet<Path> {
        let used = self.0[path].used.iter();
        let on = used.filter_map(|used| self.home(path, used, FARTHEST));
        on.filter(|home| home != path).collect()
    }

    /// The module in which what a path names is defined, seen from another module.
    fn home(&self, from: &Path, path: &[String], steps: usize) -> Option<Path> {
        let (head, _) = path.split_first()?;
        let mut at = match head.as_str() {
            "crate" => Path::new(),
            "self" | "super" => from.clone(),
            name if self.0.contains_key(&child(from, name)) => from.clone(),
            _ => return None,
        };
        let ups = path.iter().take_while(|it| *it == "super").count();
        at.truncate(at.len().checked_sub(ups)?);
        let turns = |it: &&String| ["crate", "self", "super"].contains(&it.as_str());
        let mut rest = &path[path.iter().take_while(turns).count()..];
        while let Some((name, below)) = rest.split_first() {
            let below_it = child(&at, name);
            if !self.0.contains_key(&below_it) {
                break;
            }
            (at, rest) = (below_it, below);
        }
        let Some((name, below)) = rest.split_first().filter(|_| steps > 0) else {
            return Some(at);
        };
        match self.0.get(&at)?.imports.get(name) {
            Some(import) => self.home(&at, &[import, below].concat(), steps - 1),
            None => Some(at),
        }
    }
}

/// Imports of imports that are followed.
const FARTHEST: usize = 10;

fn child(path: &Path, name: &str) -> Path {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

impl Module {
    fn read(text: &str) -> Module {
        let code = code_of(text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default());
        let (mut module, mut rest) = (Module::default(), String::new());
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            let Some((visibility, tree)) = import(line) else {
                rest += line;
                rest.push('\n');
                continue;
            };
            let mut tree = tree.to_owned();
            while !tree.ends_with(';') {
                tree += lines.next().expect("the end of an import").trim();
            }
            for (name, path) in expanded(tree.trim_end_matches(';'), &[]) {
                if visibility.is_empty() {
                    module.used.push(path.clone());
                }
                module.imports.insert(name, path);
            }
        }
        module.used.extend(paths(&rest));
        module
    }
}

/// The visibility and the tree of a line that begins an import.
fn import(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (visibility, tree) = line.split_once("use ")?;
    let plain = visibility.is_empty() || visibility.starts_with("pub");
    (plain && !visibility.contains('{')).then_some((visibility, tree))
}

/// The names that a tree of imports brings in, each with its path.
fn expanded(tree: &str, prefix: &[String]) -> Vec<(String, Path)> {
    let tree = tree.trim();
    if let Some((path, group)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let steps = path.split("::").filter(|it| !it.is_empty()).map(str::to_owned);
        let prefix: Path = prefix.iter().cloned().chain(steps).collect();
        return branches(group).into_iter().flat_map(|it| expanded(it, &prefix)).collect();
    }
    let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
    let steps = path.split("::").map(str::to_owned);
    let mut path: Path = prefix.iter().cloned().chain(steps).collect();
    if path.len() > 1 && path.last().is_some_and(|it| it == "self") {
        path.pop();
    }
    let name =
        if alias.is_empty() { path.last().cloned().unwrap_or_default() } else { alias.into() };
    vec![(name, path)]
}

/// The parts of a group between its commas.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut begun, mut found) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&group[begun..at]);
                begun = at + 1;
            }
            _ => {}
        }
    }
    found.push(&group[begun..]);
    found.retain(|branch| !branch.trim().is_empty());
    found
}

/// The paths in code, but those that say where something can be seen.
fn paths(code: &str) -> Vec<Path> {
    let code = code.replace("(in crate::", "(in ");
    let ends = |c: char| c != '_' && c != ':' && !c.is_alphanumeric();
    let words = code.split(ends).map(|word| word.trim_end_matches(':'));
    let paths = words.filter(|word| word.contains("::") && !word.starts_with(':'));
    paths.map(|path| path.split("::").map(str::to_owned).collect()).collect()
}

#[test]
fn a_circle_is_found_wherever_it_is_closed() {
    let cycles = |files: &[(&str, &str)]| {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
        Modules::of(&files.collect::<Vec<_>>()).cycles()
    };
    let parent = ("a.rs", "mod b;\npub use b::Cat;\npub struct Dog;\nfn f() { b::meow() }\n");
    let found = cycles(&[parent, ("a/b.rs", "use super::Dog;\npub struct Cat;\n")]);
    assert_eq!(found, ["a names a::b", "a::b names a"]);
    // Passing a name on makes no parent depend on its child.
    let parent =
        ("a.rs", "mod b;\nmod c;\npub use self::{\n    b::Cat,\n};\npub use c::{Ape as Dog};\n");
    let child = ("a/b.rs", "use crate::a::Dog;\npub struct Cat;\n");
    assert_eq!(cycles(&[parent, child, ("a/c.rs", "pub struct Ape;\n")]), [""; 0]);
    let found = cycles(&[parent, child, ("a/c.rs", "fn f(it: &super::Cat) {}\n")]);
    assert_eq!(found, ["a::b names a::c", "a::c names a::b"]);
    let tests = "#[cfg(test)]\nmod tests {\n    use crate::a::Dog;\n}\n";
    assert_eq!(
        cycles(&[("a.rs", "pub struct Dog;\nfn f() { crate::b::g() }\n"), ("b.rs", tests)]),
        [""; 0]
    );
}
