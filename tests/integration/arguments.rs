//! Invalid input yields a one-line error that names the file, field or value. The exit code is 2 for the command line
//! and 1 for files and failures. The program never panics.

use ayo::run::RunFolder;
use evolve::optimise::Since;

use crate::support::{Scratch, holds, refused, refuses, verbs};

#[test]
fn positions_and_lines() {
    let scratch = Scratch::new();
    for command in ["perft 3", "eval", "bestmove"] {
        refuses! { scratch, &format!("2 {command}"), r#"
            --position 4 => --position | fields
            --line FfX => --line | ply 3
            --rules oware => --rules | "oware"
        "# }
    }
    for position in ["0-0-0-0-0-3-0-0-2-0-0-1-25-17-S", "0-0-0-0-0-0-4-0-0-0-0-0-24-20-S"] {
        scratch.refuses("1 bestmove --position", &format!("{position} => the game is over"));
        scratch.ayo(&format!("eval --position {position}")).success();
        scratch.ayo(&format!("perft 3 --position {position}")).success();
    }
}

#[test]
fn numbers_settings_and_commands() {
    let scratch = Scratch::new();
    refuses! { scratch, "2", r#"
        perft 101 => 101
        eval --weights nobody => "nobody" | learned
        match seeds seeds --games 0 => --games | 1 or more
    "# }
    refuses! { scratch, "2 train", r#"
        --max-time soon => --max-time | soon
        --preset deap => --preset | "deap" | daoud2004
        --set optimiser=spsa => --set optimiser | --preset
        --set depth => --set depth | key=value
        --set depth= => depth is "": give a whole number
        --set openings=plies:4 => openings is plies:4 | reserved for measuring
        --preset quick extra => did you mean "--out extra"?
    "# }
    refuses! { scratch, "2", "
        uci --game kalah => --game | only ayo
        export seeds --game=kalah => --game | from weights
        resume => ayo runs
        export => ayo runs
        resume --set depth=1 => --out
    " }
    scratch.refuses("1 accuracy seeds", " => ayo endgame build");
    assert!(scratch.list("").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn folders() {
    let scratch = Scratch::tiny(3);
    std::fs::create_dir(scratch.path("empty")).unwrap();
    scratch.write("file", "no folder");
    scratch.write("a.toml", "depht = 3");
    scratch.write("b.json", "{");
    scratch.write("c.toml", [0xFF]);
    scratch.refuses("2 train --out x --config", r#"a.toml => a.toml | "depht""#);
    refuses! { scratch, "1", "
        train --out x --config c.toml => c.toml
        eval --weights b.json => b.json | JSON
        bestmove --player minimax:weights=b.json => minimax | b.json
        resume none => none
        resume empty => empty | run.toml
        export run --generation 4 => run/history.csv | generation 4 | 3
        export run -o ../none/weights.json => ../none/weights.json
        train --out file/run => file/run
    " }
    refuses! { scratch, "2", "
        inspect populations/nix => populations/nix | no such file or folder
    " }
    scratch.refuses("2 export run", "-o x.xyz => --output x.xyz | .json");
    scratch.refuses("2 resume run", "--generations 2 => --generations is 2 | 3");
    assert!(scratch.list("empty").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn only_settings_that_were_added_later_may_be_missing() {
    let scratch = Scratch::tiny(3);
    let whole = scratch.read("run/run.toml");
    let without = |names: &[&str]| -> String {
        let is_kept = |line: &&str| !names.contains(&line.split(' ').next().unwrap());
        whole.split_inclusive('\n').filter(is_kept).collect()
    };
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    let entries = settings.entries();
    let late = entries.iter().filter(|it| it.since == Since::Late).map(|it| it.name);
    scratch.write("run/run.toml", without(&late.collect::<Vec<_>>()));
    assert_eq!(RunFolder::settings(&scratch.path("run")).unwrap(), settings);
    for entry in entries.iter().filter(|it| it.since != Since::Late) {
        scratch.write("run/run.toml", without(&[entry.name]));
        let error = RunFolder::settings(&scratch.path("run")).unwrap_err().to_string();
        holds(&error, &["run.toml", entry.name]);
    }
}

#[test]
fn a_name_that_is_nearly_right_is_guessed() {
    let scratch = Scratch::new();
    // This must mean the built-in weights, even though there is a run with the same name.
    std::fs::create_dir_all(scratch.path("populations/reference")).unwrap();
    scratch.write("populations/reference/run.toml", "");
    let typos = [
        ("eval --weights refrence", "reference"),
        ("train --set populaton=5", "population"),
        ("train --rules awri", "awari"),
        ("bestmove --player minmax:depth=3", "minimax"),
        ("match greedy greedy -o games", "--games-out"),
        ("eval q1", "--weights q1"),
        ("bestmove FfEaCe", "--line FfEaCe"),
        ("train qiuck", "--preset quick"),
        ("help playrs", "ayo help players"),
        ("endgame build 8", "--seeds 8"),
        ("match seeds greedy -n 8", "--games"),
        ("play --depth 7", "--player learned:depth=N"),
        ("match seeds greedy --depth 7", "seeds:depth=N"),
        ("match seeds greedy -concurrency 2", "--threads"),
    ];
    for (line, meant) in typos {
        refused(scratch.ayo(line), 2, &[&format!("did you mean \"{meant}\"?\n")]);
    }
    for line in ["fly", "train --set wings=2", "bestmove --player engine:cut_from=4"] {
        let said = refused(scratch.ayo(line), 2, &[]);
        assert!(!said.contains("did you mean"), "{line}: {said}");
    }
}

#[test]
fn options_may_be_spelt_as_in_fastchess() {
    let scratch = Scratch::new();
    let ours = "match seeds greedy --quiet --json --sprt elo0=0,elo1=400,alpha=0.1 --games 8";
    let theirs = "match -quiet -json -sprt elo0=0 elo1=400 alpha=0.1 -games 8 seeds greedy";
    let [ours, theirs] = [ours, theirs].map(|line| {
        let said = scratch.ayo(line).stdout();
        let found: serde_json::Value = serde_json::from_str(&said).unwrap();
        ["games", "score", "sprt"].map(|field| found[field].clone())
    });
    assert_eq!(ours, theirs);
    assert_eq!(ours[2]["test"], "elo0=0,elo1=400,alpha=0.1,beta=0.05");
    // A short option may be followed directly by its value.
    scratch.text("export seeds -oweights.json");
    scratch.text("train --features daoud2004,bias --dry-run");
}

#[test]
fn earlier_names_of_commands_work() {
    let scratch = Scratch::new();
    scratch.write("games", "FfEaCe\n");
    let help = scratch.text("help all");
    for (earlier, verb, code, works) in [
        ("champion", "select", 1, "run"),
        ("move", "bestmove", 0, "--player greedy"),
        ("replay", "analyse", 0, "games --player seeds"),
    ] {
        for (code, rest) in [(0, "--help"), (code, works), (2, "--no-such-option")] {
            let printed = [earlier, verb].map(|verb| {
                let ended = scratch.ayo(&format!("{verb} {rest}")).code(code);
                (ended.stdout(), ended.stderr())
            });
            assert_eq!(printed[0], printed[1], "{earlier} {rest}");
        }
        assert!(!verbs(&help).contains(&earlier) && verbs(&help).contains(&verb));
    }
}

#[test]
fn commands_of_papers_name_their_program() {
    let scratch = Scratch::new();
    refused(scratch.ayo("study rbh"), 2, &["cargo run --release -p ayo-papers"]);
    let help = scratch.text("help all");
    let completions = scratch.text("completions bash");
    for word in ["study", "cdg", "amdf", "count"] {
        assert!(!verbs(&help).contains(&word), "{word}: see MOVED in refusal.rs");
        assert!(!completions.contains(&format!("ayo__subcmd__{word}")), "{word}");
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_is_no_text_is_refused() {
    let said = Scratch::new().shell("exec \"$0\" \"$(printf '\\377')\"").code(2).stderr();
    holds(&said, &["subcommand"]);
}
