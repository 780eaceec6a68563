//! Links, pipes and devices in place of files: the program neither writes through them nor waits for them.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::support::{Ended, Scratch, TINY};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pipe,
    Socket,
    Folder,
    /// A link to an endless device.
    Device,
    /// A link to a file that must not change.
    Link,
    HardLink,
    /// A link to a file that must not be created.
    Dangling,
    /// A sparse file larger than memory.
    Sparse,
}

use Kind::{Dangling, Device, Folder, HardLink, Link, Pipe, Socket, Sparse};

const KINDS: [Kind; 8] = [Pipe, Socket, Folder, Device, Link, HardLink, Dangling, Sparse];

fn scratch() -> Scratch {
    let scratch = Scratch::with_tables("--seeds 3 --out tables");
    let measured = "--set measure_every=2 --set measure_openings=1 --set panel=1 --generations 2";
    scratch.train("runs/good", &format!("{TINY} {measured} --set finalist_games=0"));
    scratch.write("precious", "content");
    scratch
}

fn plant(scratch: &Scratch, kind: Kind, path: &Path) {
    let _ = fs::remove_file(path);
    match kind {
        Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        Socket => drop(UnixListener::bind(path).unwrap()),
        Folder => fs::create_dir(path).unwrap(),
        Device => symlink("/dev/zero", path).unwrap(),
        Link => symlink(scratch.path("precious"), path).unwrap(),
        HardLink => fs::hard_link(scratch.path("precious"), path).unwrap(),
        Dangling => symlink(scratch.path("created"), path).unwrap(),
        Sparse => fs::File::create(path).unwrap().set_len(1 << 40).unwrap(),
    }
}

/// Runs a command with limits on time and memory. Checks that it neither crashes nor harms other files.
fn tried(scratch: &Scratch, line: &str, what: &str) -> Ended {
    let ended = scratch.shell(&format!("ulimit -v 4000000; timeout 30 \"$0\" {line}"));
    let code = ended.output().status.code();
    let said = ended.stderr();
    assert!(matches!(code, Some(0..=2)), "{what}, {line}: {code:?}, {said}");
    assert!(!said.contains("panicked"), "{what}, {line}: {said}");
    assert_eq!(scratch.read("precious"), "content", "{what}, {line}");
    assert!(!scratch.path("created").exists(), "{what}, {line}");
    ended
}

#[test]
fn among_the_files_of_a_run() {
    let scratch = scratch();
    let mut names = scratch.list("runs/good");
    names.extend(["stop", "tables.toml", "iterations.csv"].map(str::to_owned));
    // Replace each file by a third of the kinds. Each kind then takes the place of a third of the files.
    for (turn, name) in names.iter().enumerate() {
        for kind in KINDS.into_iter().skip(turn % 3).step_by(3) {
            let what = format!("{kind:?} as {name}");
            scratch.shell("rm -rf runs/bad; cp -r runs/good runs/bad").success();
            plant(&scratch, kind, &scratch.path("runs/bad").join(name));
            assert!(tried(&scratch, "runs runs", &what).stdout().contains("good"), "{what}");
            if kind == Pipe || kind == Device {
                for line in ["inspect runs/bad", "doctor runs/bad", "plot runs/bad -o picture.svg"]
                {
                    tried(&scratch, line, &what);
                }
            }
            tried(&scratch, "resume runs/bad --generations 3 --quiet", &what);
        }
    }
}

#[test]
fn where_a_run_begins() {
    let scratch = scratch();
    for name in ["lock", "stop", "run.toml", "history.csv", "checksums.csv", "status.json"] {
        for kind in KINDS {
            let _ = fs::remove_dir_all(scratch.path("new"));
            fs::create_dir(scratch.path("new")).unwrap();
            plant(&scratch, kind, &scratch.path("new").join(name));
            let line = format!("train --preset daoud2004 --out new {TINY} --generations 1");
            tried(&scratch, &line, &format!("{kind:?} as {name}"));
        }
    }
}

#[test]
fn as_files_that_a_user_names() {
    let scratch = scratch();
    for kind in [Pipe, Socket, Folder, Device, Sparse] {
        for line in [
            "inspect it",
            "eval --weights it",
            "bestmove --player minimax:weights=it",
            "bestmove --player engine:nodes=9,book=it",
            "match random greedy --openings it --quiet",
            "match random greedy --openings plies:1 --quiet --games-out it",
            "train --config it --dry-run",
            "analyse it",
            "book verify --book it --quiet",
            "book build --positions 1 --nodes 9 -o it --quiet",
            "compare spsa --budget games=9 --seeds 1 -o it.csv --quiet",
        ] {
            let path = scratch.path(if line.contains("it.csv") { "it.csv" } else { "it" });
            plant(&scratch, kind, &path);
            let ended = tried(&scratch, line, &format!("{kind:?}"));
            assert_ne!(ended.output().status.code(), Some(0), "{kind:?}, {line}");
            let said = ended.stderr();
            assert!(said.contains("it"), "{kind:?}, {line}: {said}");
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
        }
    }
    // If the user's shell opens a file, it may be a pipe.
    scratch.shell("cat runs/good/champion.json | \"$0\" eval --weights /dev/stdin").success();
    for line in ["analyse -", "analyse /dev/stdin", "eval --weights /dev/stdin"] {
        tried(&scratch, &format!("{line} < /dev/zero"), "standard input").code(1);
    }
    // We never create a file at the target of a link.
    for line in [
        "match random greedy --openings plies:1 --quiet --games-out it.svg",
        "export runs/good -o it.svg",
        "plot runs/good -o it.svg",
    ] {
        plant(&scratch, Dangling, &scratch.path("it.svg"));
        tried(&scratch, line, "a link to a missing file");
    }
}

#[test]
fn among_tables_and_results() {
    let scratch = scratch();
    let results = scratch.path("results");
    for kind in [Pipe, Socket, Folder, Device, Sparse] {
        let what = format!("{kind:?}");
        plant(&scratch, kind, &scratch.path("tables/awari-02.ayo"));
        for line in [
            "doctor tables",
            "endgame verify tables --quiet",
            "bestmove --rules awari --player minimax:tables=tables",
        ] {
            tried(&scratch, line, &what).code(1);
        }
        let _ = fs::remove_dir(scratch.path("tables/awari-02.ayo"));
        fs::create_dir(&results).unwrap();
        for name in ["a.json", "b.csv", "c.games", "d.ayo", "e", "f.toml"] {
            plant(&scratch, kind, &results.join(name));
        }
        tried(&scratch, "doctor results", &what);
        fs::remove_dir_all(&results).unwrap();
    }
}
