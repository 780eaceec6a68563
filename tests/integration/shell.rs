//! Completions and manual pages.

use std::process::Command;

use crate::support::{Scratch, holds, refused};

fn offered(scratch: &Scratch, line: &str) -> Vec<String> {
    let script = "source ./ayo.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); \
                  _ayo \"$1\" \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"; \
                  printf '%s\\n' \"${COMPREPLY[@]}\"";
    let mut bash = scratch.command_of("bash");
    let output =
        bash.args(["--norc", "-c", script, "bash"]).args(line.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(str::to_owned).filter(|line| !line.is_empty());
    // Bash shows duplicate completions only once.
    lines.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

#[test]
fn bash_completes_verbs_flags_and_names() {
    let scratch = Scratch::new();
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    scratch.write("ayo.bash", scratch.text("completions bash"));
    for (line, expected) in [
        ("ayo tr", "train"),
        ("ayo train --gen", "--generations"),
        ("ayo train --preset qu", "quick"),
        ("ayo train --rules no", "no-slam"),
        ("ayo train --set mutation_r", "mutation_rate="),
        ("ayo train --game ka", "kalah"),
        ("ayo match refer", "reference"),
        ("ayo play --level am", "amateur"),
        ("ayo play --player plain", "plain-minimax"),
        ("ayo eval --weights daoud2004-depth5", "daoud2004-depth5"),
        ("ayo endgame bu", "build"),
    ] {
        assert_eq!(offered(&scratch, line), [expected], "{line}");
    }
    // If no name fits, bash falls back to file names, so a run folder can be completed.
    holds(&scratch.read("ayo.bash"), &["-o bashdefault -o default"]);
    assert!(offered(&scratch, "ayo match populations/").is_empty());
    let zsh = scratch.text("completions zsh");
    holds(&zsh, &[":a -- First player: _ayo_names_or_files minimax "]);
    for script in [zsh, scratch.text("completions fish")] {
        holds(&script, &["daoud2004-depth5", "quick"]);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new();
    let said = scratch.text("man pages/man1");
    let pages = scratch.list("pages/man1");
    assert_eq!(said, format!("wrote {} pages to pages/man1\n", pages.len()));
    for page in ["ayo.1", "ayo-train.1", "ayo-endgame-build.1", "ayo-completions.1"] {
        assert!(pages.iter().any(|it| it == page), "no {page} in {pages:?}");
    }
    assert_eq!(scratch.text("man"), scratch.read("pages/man1/ayo.1"));
    assert!(scratch.read("pages/man1/ayo-train.1").contains("preset"));
    scratch.write("file", "");
    refused(scratch.ayo("man file/man1"), 1, &["file/man1"]);
}
