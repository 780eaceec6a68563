//! Invalid input yields a one-line error that names the file, field or value. The exit code is 2 for the command line
//! and 1 for files and failures. The program never panics.

use ayo::run::RunFolder;

use crate::support::{Ended, Scratch, holds, refused, verbs};

#[test]
fn positions_and_lines() {
    let scratch = Scratch::new();
    let cases: [(&str, &[&str]); 9] = [
        ("--position 4", &["--position", "fields"]),
        ("--position 4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", &["--position", "49"]),
        ("--position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", &["--position", "\"X\""]),
        ("--position x-4-4-4-4-4-4-4-4-4-4-4-0-0-S", &["--position", "pit A"]),
        ("--line FfX", &["--line", "ply 3"]),
        ("--line 4S6(", &["--line", "ply 1"]),
        ("--line FF", &["--line", "ply 2"]),
        ("--line F\u{e9}", &["--line", "ply 2: \"\u{e9}\""]),
        ("--rules oware", &["--rules", "\"oware\""]),
    ];
    for command in ["perft 3", "eval", "bestmove"] {
        scratch.refuses(2, command, &cases);
    }
    // A finished game has no legal moves.
    for position in ["0-0-0-0-0-3-0-0-2-0-0-1-25-17-S", "0-0-0-0-0-0-4-0-0-0-0-0-24-20-S"] {
        refused(scratch.ayo(&format!("bestmove --position {position}")), 1, &["the game is over"]);
        scratch.ayo(&format!("eval --position {position}")).success();
        scratch.ayo(&format!("perft 3 --position {position}")).success();
    }
}

#[test]
fn numbers_settings_and_commands() {
    let scratch = Scratch::new();
    let commands: [(&str, &[&str]); 10] = [
        ("perft 101", &["101"]),
        ("resume run --generations 0", &["--generations", "0"]),
        ("resume run --threads 0", &["--threads", "0"]),
        ("export seeds --format yaml", &["--format", "yaml", "toml"]),
        ("export run --generation 0", &["--generation", "0"]),
        ("eval --signs odd", &["--signs", "odd"]),
        ("eval --weights nobody", &["\"nobody\"", "learned"]),
        ("match seeds seeds --games 0", &["--games", "1 or more"]),
        ("serve --port 99999", &["99999 is not from 0 to 65535"]),
        ("completions", &["bash, elvish, fish"]),
    ];
    scratch.refuses(2, "", &commands);
    let train: [(&str, &[&str]); 19] = [
        ("--max-time soon", &["--max-time", "soon"]),
        ("--max-time 0", &["--max-time", "0"]),
        ("--preset deap", &["--preset", "\"deap\"", "daoud2004"]),
        ("--set preset=daoud2004", &["--set preset", "--preset"]),
        ("--seed -1", &["--seed", "-1"]),
        ("--population 1", &["--population", "population is 1"]),
        ("--preset daoud2004 --population 4", &["fitness_set is 20%"]),
        ("--depth 101", &["--depth", "depth is 101"]),
        ("--rules oware", &["--rules", "rules is oware"]),
        ("--set depth", &["--set depth", "key=value"]),
        ("--set depht=3", &["--set", "\"depht\"", "depth"]),
        ("--set depth=", &["--set", "depth is "]),
        ("--set elite=51", &["elite is 51"]),
        ("--set fitness_set=101%", &["fitness_set is 101%"]),
        ("--set crossover_rate=2", &["crossover_rate is 2"]),
        ("--set mutation_rate=nan", &["mutation_rate is nan"]),
        ("--set encoding=binary:16", &["encoding is binary:16"]),
        ("--set features=a1,b2", &["features is a1,b2", "\"b2\""]),
        ("--set pairing_memory=0", &["pairing_memory is 0"]),
    ];
    scratch.refuses(2, "train", &train);
    scratch.refuses(1, "accuracy seeds", &[("", &["ayo endgame build"])]);
    assert!(scratch.list("").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn configuration_files() {
    let scratch = Scratch::new();
    for (content, words) in [
        ("depht = 3", "\"depht\""),
        ("depth = \"deep\"", "depth is deep"),
        ("[depth]\nvalue = 3", "depth is "),
        ("depth = 3\ndepth = 4", "line 2"),
        ("{\"depth\": 3}", "TOML"),
        ("preset = \"deap\"", "\"deap\""),
    ] {
        scratch.write("a.toml", content);
        refused(scratch.ayo("train --out run --config a.toml"), 2, &["a.toml", words]);
    }
    scratch.write("binary.toml", [0xFF, 0xFE, 0]);
    for file in ["binary.toml", "none.toml", "."] {
        refused(scratch.ayo(&format!("train --out run --config {file}")), 1, &[file]);
    }
    assert!(!scratch.path("run").exists());
}

#[test]
fn weights() {
    let scratch = Scratch::new();
    let json = |features: &str, weights: &str, signs: &str| {
        format!(
            r#"{{"kind":"weights","name":"w","features":[{features}],"weights":[{weights}],"signs":"{signs}"}}"#
        )
    };
    for (name, content, field) in [
        ("kind.json", r#"{"kind":"population"}"#.to_owned(), ""),
        ("count.json", json(r#""a9","a10""#, "1", "signed"), "1 weights for 2 features"),
        ("feature.json", json(r#""a9","x1""#, "1,2", "signed"), "\"x1\""),
        ("twice.json", json(r#""a9","a9""#, "1,2", "signed"), "a9"),
        ("range.json", json(r#""a9""#, "32768", "signed"), "a9 is 32768"),
        ("signs.json", json(r#""a9""#, "1", "odd"), "\"odd\""),
        ("cut.json", r#"{"kind":"weights","name":"w","feat"#.into(), "JSON"),
        ("missing.json", r#"{"kind":"weights"}"#.into(), "name"),
        ("toml.toml", "kind = \"weights\"\nname = \n".into(), "TOML"),
        ("csv.csv", "feature,weight,sign\na9,one,+\n".into(), "line: 2"),
    ] {
        scratch.write(name, content);
        for command in ["eval --weights", "export", "inspect"] {
            refused(scratch.ayo(&format!("{command} {name}")), 1, &[name, field]);
        }
        let player = format!("bestmove --player minimax:weights={name},depth=2");
        refused(scratch.ayo(&player), 1, &["minimax", name, field]);
    }
}

#[test]
fn players() {
    let scratch = Scratch::new();
    refused(scratch.run(&["bestmove", "--player", ""]), 2, &["\"\""]);
    let cases: [(&str, &[&str]); 5] = [
        ("maximin", &["\"maximin\""]),
        ("minimax:depth", &["\"depth\""]),
        ("minimax:depth=101", &["depth is \"101\""]),
        ("minimax:sings=signed", &["\"sings\""]),
        ("minimax:weights=\"seeds", &["double quote"]),
    ];
    scratch.refuses(2, "bestmove --player", &cases);
}

#[test]
fn folders() {
    let scratch = Scratch::tiny(3);
    std::fs::create_dir(scratch.path("empty")).unwrap();
    scratch.write("file", "no folder");
    let cases: [(&str, &[&str]); 11] = [
        ("resume none", &["none"]),
        ("resume .", &["run"]),
        ("resume empty", &["empty", "run.toml"]),
        ("resume file", &["file"]),
        ("inspect empty", &["empty"]),
        ("inspect none.ayo", &["none.ayo"]),
        ("runs none", &["none"]),
        ("export empty", &["empty", "champion.json"]),
        ("export run --generation 4", &["run/history.csv", "generation 4", "3"]),
        ("export run -o ../none/weights.json", &["../none/weights.json"]),
        ("train --out file/run", &["file/run"]),
    ];
    scratch.refuses(1, "", &cases);
    scratch.refuses(2, "export run", &[("-o x.xyz", &["--output x.xyz", ".json"])]);
    scratch.refuses(2, "resume run", &[("--generations 2", &["--generations is 2", "3"])]);
    assert!(scratch.list("empty").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn damaged_run_files() {
    let scratch = Scratch::tiny(3);
    for (file, content, command, words) in [
        ("run/run.toml", "seed = 1\n\ndepth : 3\n", "inspect", "line 3"),
        ("run/run.toml", "depth = 0", "inspect", "depth is 0"),
        ("run/run.toml", "depht = 2", "resume", "\"depht\""),
        ("run/champion.json", "{", "export", "JSON"),
        ("run/history.csv", "generation,best\n2,x\n", "export --generation 2", ""),
    ] {
        let before = scratch.read(file);
        scratch.write(file, content);
        refused(scratch.ayo(&format!("{command} run")), 1, &[file, words]);
        scratch.write(file, before);
    }
    // Settings that were added later have defaults; all others must be present.
    let late = "game fitness tables_positions tables_depth perspective quiescence nodes ties measure_at cooling \
                warm_up layer measure_early panel opponents champion";
    let late: Vec<&str> = late.split_whitespace().collect();
    let whole = scratch.read("run/run.toml");
    for line in whole.lines().filter(|line| !line.starts_with(['#', 'v'])) {
        let key = line.split(' ').next().unwrap();
        if !late.contains(&key) {
            scratch.write("run/run.toml", whole.replace(&format!("{line}\n"), ""));
            let error = RunFolder::settings(&scratch.path("run")).unwrap_err().to_string();
            holds(&error, &["run.toml", key]);
        }
    }
    scratch.write("run/run.toml", "depth = ");
    assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "damaged");
}

#[test]
fn a_name_that_is_nearly_right_is_guessed() {
    let scratch = Scratch::new();
    let typos = [
        ("trian", "train"),
        ("train --sede 3", "--seed"),
        ("train --preset standart", "standard"),
        ("train --set populaton=5", "population"),
        ("train --rules awri", "awari"),
        ("train --rules ayo:stalemate=viod", "stalemate=void"),
        ("train --features daoud2003", "daoud2004"),
        ("train --features A9,a10", "a9"),
        ("train --game kalha:seeds=3", "kalah"),
        ("bestmove --player minmax:depth=3", "minimax"),
        ("bestmove --player begginer", "beginner"),
        ("bestmove --player minimax:dept=3", "depth"),
        ("bestmove --player minimax:weights=refernce", "reference"),
        ("eval --weights daoud2004-depth", "daoud2004-depth3"),
        ("compare standrad spsa", "standard"),
        ("compare standard spsa:dept=3", "depth"),
        ("match greedy greedy --sprt alpa=0.1", "alpha"),
        ("export seeds --format jsno", "json"),
        ("match greedy greedy -o games", "--games-out"),
        ("eval q1", "--weights q1"),
        ("eval 4-4-4", "--position 4-4-4"),
        ("eval .", "--weights ."),
        ("bestmove .", "--player ."),
        ("play amateur", "--player amateur"),
        ("train help", "--help"),
        ("version", "--version"),
        ("train quick", "--preset quick"),
        ("endgame build 8", "--seeds 8"),
    ];
    for (line, meant) in typos {
        let said = refused(scratch.ayo(line), 2, &[]);
        let first = said.lines().next().unwrap();
        assert!(first.ends_with(&format!("did you mean \"{meant}\"?")), "{line}: {said}");
    }
    let unknown = ["fly", "train --set wings=2", "train --preset deap", "bestmove --player gnu"];
    for line in unknown.into_iter().chain(["bestmove --player engine:cut_from=4"]) {
        let said = refused(scratch.ayo(line), 2, &[]);
        assert!(!said.contains("did you mean"), "{line}: {said}");
    }
}

#[test]
fn earlier_names_of_commands_work() {
    let scratch = Scratch::new();
    let game = "--preset kalah-standard --game kalah:pits=3,seeds=2 --set measure_every=0";
    scratch.train("run", &format!("{game} --generations 1 --population 6 --depth 1 --quiet"));
    scratch.write("games", "FfEaCe\n");
    let help = scratch.text("--help");
    let renamed = [
        (
            "champion",
            "select",
            [(0, "--help"), (0, "run --games 200 --quiet --json"), (1, "nowhere"), (2, "")],
        ),
        (
            "move",
            "bestmove",
            [(0, "--help"), (0, "--player greedy"), (2, "--line FfX"), (2, "greedy")],
        ),
        (
            "replay",
            "analyse",
            [(0, "--help"), (0, "games --player seeds"), (1, "nowhere"), (2, "games --blunder 5")],
        ),
    ];
    for (earlier, verb, cases) in renamed {
        for (code, rest) in cases {
            let printed = [earlier, verb].map(|verb| {
                let ended = scratch.ayo(&format!("{verb} {rest}")).code(code);
                (ended.stdout(), ended.stderr())
            });
            assert_eq!(printed[0], printed[1], "{earlier} {rest}");
        }
        // Only the current name is listed and suggested.
        assert!(!verbs(&help).contains(&earlier) && verbs(&help).contains(&verb));
        let said = refused(scratch.ayo(&format!("{earlier}e")), 2, &[verb]);
        assert!(!said.contains(&format!("\"{earlier}\"")), "{said}");
    }
}

#[test]
fn commands_of_papers_name_their_program() {
    let scratch = Scratch::new();
    for (line, command) in [
        ("study daoud --quick", "ayo-papers daoud --quick"),
        ("study list --help", "ayo-papers list --help"),
        ("cdg sums 1..3", "ayo-papers cdg sums 1..3"),
        ("amdf rows -o rows.csv", "ayo-papers amdf rows -o rows.csv"),
        ("count", "ayo-papers count"),
    ] {
        let said =
            refused(scratch.ayo(line), 2, &[command, "cargo run --release -p ayo-papers -- "]);
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let quoted = ["study", "rbh", "--player", "rbh:plies=4 x"];
    refused(scratch.run(&quoted), 2, &["ayo-papers rbh --player 'rbh:plies=4 x'"]);
    let help = scratch.text("--help");
    let completions = scratch.text("completions bash");
    for word in ["study", "cdg", "amdf", "count"] {
        assert!(!verbs(&help).contains(&word), "{word}");
        assert!(!completions.contains(&format!("ayo__subcmd__{word}")), "{word}");
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    let mut command = scratch.command();
    command.arg(std::ffi::OsStr::from_bytes(b"\xff"));
    refused(Ended::of(command, ""), 2, &["subcommand"]);
}
