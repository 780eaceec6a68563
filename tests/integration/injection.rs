//! Hostile names and messages in files, folders, arguments and other programs. Whatever they contain, the terminal gets
//! no control characters, a message stays on one line, and nothing is injected into exports and pictures.

use std::process::Output;

use mancala::text::is_invisible;
use serde_json::{Value, json};

use crate::support::{Scratch, TINY};

/// Hostile content for a name: escape sequences, a carriage return, bidirectional controls, comment
/// terminators, markup, a trigraph, a separate line, and a trailing backslash that would join the next line.
const EVIL: &str = "q\u{1b}[31m\u{9b}2J\u{7}\r\u{202e}\u{2066}\u{7f} */ int evil(void){return 42;} /* \
                    ??/ <b>&\"' {evil} \nFORGED() \\";

/// As much of [`EVIL`] as a folder name and a player specification can contain.
const FOLDER: &str = "q\u{1b}]0;x\u{7}\u{9b}2J\r\u{202e}\u{7f}<b>&'\nFORGED()\\";

/// Runs the program and checks its output for injected text. The command may succeed or fail.
fn run(scratch: &Scratch, arguments: &[&str]) -> Output {
    let output = scratch.run(arguments).output().clone();
    assert!(output.status.code().is_some_and(|code| code < 100), "{arguments:?}: {output:?}");
    for said in [&output.stdout, &output.stderr] {
        let said = std::str::from_utf8(said).unwrap();
        let obeyed = said.chars().find(|&c| is_invisible(c) && c != '\n' && c != '\t');
        assert_eq!(obeyed, None, "{arguments:?}: {said}");
        // A TOML document may contain multi-line strings.
        let forged = said.lines().any(|line| line.trim_start().starts_with("FORGED"));
        assert!(!forged || arguments.contains(&"toml"), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    }
    if arguments.contains(&"--json") && output.status.success() {
        let read: Result<Value, _> = serde_json::from_slice(&output.stdout);
        assert!(read.is_ok(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
    output
}

fn succeeds(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = run(scratch, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Like [`run`], but for a line of arguments, in which each `@` is replaced by the name.
fn ayo(scratch: &Scratch, line: &str, name: &str) -> Output {
    let words: Vec<String> = line.split(' ').map(|word| word.replace('@', name)).collect();
    run(scratch, &words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn evil_weights() -> Value {
    json!({
        "kind": "weights", "name": EVIL, "features": ["a9", "a10"], "weights": [7, -3], "signs": "literal",
        "provenance": {
            "preset": EVIL, "seed": 1, "settings": EVIL, "generation": 3, "fitness": 7, "rules": "ayo",
            "depth": 5
        },
        "strength": [
            { "opponent": EVIL, "openings": EVIL, "games": 10, "score": 0.5, "low": 0.25, "high": 0.75 }
        ],
    })
}

#[test]
fn names_in_weights_and_folders() {
    let scratch = Scratch::new();
    for folder in [FOLDER, "run"] {
        let measured = "--set measure_every=3 --set measure_openings=1 --set panel=1";
        let line = format!("train --preset daoud2004 --generations 3 {measured} {TINY}");
        let words: Vec<&str> = line.split_whitespace().chain(["--out", folder]).collect();
        let said = succeeds(&scratch, &words);
        assert!(folder == "run" || said.contains("\\nFORGED"), "{said}");
    }
    scratch.write("evil.json", evil_weights().to_string());
    for name in [FOLDER, "evil.json"] {
        for line in [
            "inspect @",
            "inspect @ --json",
            "eval --weights @",
            "export @ --format c",
            "export @ --format python",
            "export @ -o @.h",
            "ablate @ --depth 1 --openings plies:1",
            "match minimax:weights=@,depth=1 greedy --openings plies:1 --games-out @.games",
            "match minimax:weights=@,depth=1 greedy --openings plies:1 --json",
            "tournament minimax:weights=@,depth=1 greedy --openings plies:1",
            "analyse @.games --player minimax:weights=@,depth=1",
            "plot @ run -o both.svg",
        ] {
            let output = ayo(&scratch, line, name);
            assert!(output.status.success(), "{line}: {output:?}");
        }
        check_svg(&scratch, "both.svg");
        let header = scratch.read(&format!("{name}.h"));
        assert!(!header.contains("??") && !header.contains("*/ int evil"), "{header}");
    }
    for line in ["resume @", "doctor @", "runs .", "export @ --generation 9", "train --out @"] {
        ayo(&scratch, line, FOLDER);
    }
    let said = succeeds(&scratch, &["resume", FOLDER]);
    let mut bash = scratch.command_of("bash");
    if let Ok(bash) = bash.args(["-c", said.lines().nth(1).unwrap().trim()]).output() {
        assert!(bash.status.success(), "{said}: {bash:?}");
    }
}

#[cfg(unix)]
#[test]
fn answers_of_an_engine() {
    let scratch = Scratch::new();
    let evil = EVIL.replace(['\n', '\r', '\''], "").replace('\\', "\\\\").replace('%', "%%");
    for script in [
        format!(
            "printf 'id name {evil}\\n'; echo uciok\nwhile read -r line; do case $line in\n\
             isready) echo readyok;; go*) printf 'bestmove {evil}\\n';; quit) exit;; esac; done\n"
        ),
        format!("printf '{evil}\\n' >&2; exit 3"),
    ] {
        scratch.write("engine.sh", script);
        let spec = "uci:cmd=\"/bin/sh engine.sh\",timeout=300ms";
        run(&scratch, &["bestmove", "--player", spec]);
        run(&scratch, &["match", spec, "random", "--openings", "plies:1", "--games", "2"]);
    }
}

/// Checks that a picture is well-formed, without characters that XML forbids, tags from names, or bare ampersands.
fn check_svg(scratch: &Scratch, file: &str) {
    let svg = scratch.read(file);
    assert_eq!(svg.chars().find(|&c| is_invisible(c) && c != '\n'), None, "{file}");
    assert!(!svg.contains("<b>"), "{file}");
    let known = ["amp;", "lt;", "gt;", "quot;", "apos;"];
    let mut entities = svg.split('&').skip(1);
    assert!(entities.all(|after| known.iter().any(|it| after.starts_with(it))), "{file}");
}
