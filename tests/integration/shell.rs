//! Completions and manual pages.

use std::process::Command;

use crate::support::{Scratch, refused};

/// Completions that bash offers for the last word.
fn offered(scratch: &Scratch, words: &[&str]) -> Vec<String> {
    let script = "source ./ayo.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                  _ayo \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = scratch.command_of("bash");
    let output = bash.args(["--norc", "-c", script, "bash"]).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::to_owned).filter(|line| !line.is_empty());
    // Bash shows what is offered twice once.
    lines.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[test]
fn bash_completes_verbs_flags_and_names() {
    let scratch = Scratch::new();
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    scratch.write("ayo.bash", scratch.text("completions bash"));
    let cases: [(&[&str], &[&str]); 11] = [
        (&["ayo", "tr"], &["train"]),
        (&["ayo", "train", "--gen"], &["--generations"]),
        (&["ayo", "train", "--preset", "qu"], &["quick"]),
        (&["ayo", "train", "--rules", "no"], &["no-slam"]),
        (&["ayo", "train", "--set", "mutation_r"], &["mutation_rate="]),
        (&["ayo", "train", "--game", "ka"], &["kalah"]),
        (&["ayo", "match", "refer"], &["reference"]),
        (&["ayo", "play", "--level", "am"], &["amateur"]),
        (&["ayo", "play", "--player", "plain"], &["plain-minimax"]),
        (&["ayo", "eval", "--weights", "daoud2004-depth5"], &["daoud2004-depth5"]),
        (&["ayo", "endgame", "bu"], &["build"]),
    ];
    for (words, expected) in cases {
        assert_eq!(offered(&scratch, words), expected, "{words:?}");
    }
    // If no name fits, bash completes files, so a run folder is completed as one.
    let script = scratch.read("ayo.bash");
    assert!(script.contains("-o bashdefault -o default"), "{script}");
    assert!(offered(&scratch, &["ayo", "match", "populations/"]).is_empty());
    let zsh = scratch.text("completions zsh");
    assert!(zsh.contains(":a -- First player: _ayo_names_or_files minimax "), "{zsh}");
    for shell in ["zsh", "fish"] {
        let script = scratch.text(&format!("completions {shell}"));
        assert!(script.contains("daoud2004-depth5") && script.contains("quick"), "{shell}");
    }
    refused(scratch.ayo("completions"), 2, &["<SHELL>"]);
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new();
    let said = scratch.text("man pages/man1");
    let pages = scratch.list("pages/man1");
    assert_eq!(said, format!("{} pages in pages/man1\n", pages.len()));
    for page in ["ayo.1", "ayo-train.1", "ayo-endgame-build.1", "ayo-completions.1"] {
        assert!(pages.iter().any(|it| it == page), "no {page} in {pages:?}");
    }
    assert_eq!(scratch.text("man"), scratch.read("pages/man1/ayo.1"));
    assert!(scratch.read("pages/man1/ayo-train.1").contains("preset"));
    scratch.write("file", "");
    refused(scratch.ayo("man file/man1"), 1, &["file/man1"]);
}
