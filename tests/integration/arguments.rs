//! Wrong input: one sentence that names what is wrong, exit code 2 for what was typed and 1 for what
//! is in a file or failed. Never a panic.

use crate::support::{Ended, Scratch, TINY, refused, verbs};

const START: &str = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";

/// An exit code, a command line, and words that must be in the sentence.
type Refusal<'a> = (i32, &'a str, &'a [&'a str]);

fn all_refused(scratch: &Scratch, refusals: &[Refusal]) {
    for &(code, line, words) in refusals {
        eprintln!("{line}");
        refused(scratch.ayo(line), code, words);
    }
}

#[test]
fn positions_and_lines() {
    let scratch = Scratch::new();
    let positions: [(&str, &str); 12] = [
        ("", "15 fields"),
        ("4", "15 fields"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-S", "15 fields"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S", "15 fields"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-1-S", "the seeds total 49, not 48"),
        ("4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", "the seeds total 47, not 48"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "the side to move is \"X\""),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s", "the side to move is \"s\""),
        ("x-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "pit A is \"x\""),
        ("4-4-4-4-4-4-4-4-4-4-4-+4-0-0-S", "pit f is \"+4\""),
        ("4-4-4-4-4-4-4-4-4-4-4-4-260-0-S", "South's store is \"260\""),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-9999999999999999999999-S", "North's store is"),
    ];
    let lines: [(&str, &str); 8] = [
        ("FfX", "ply 3: \"X\""),
        ("Fg", "ply 2: \"g\""),
        ("F1f", "ply 1: \"F1f\""),
        ("4S6,4N7", "ply 2: \"4N7\""),
        ("4S0", "ply 1: \"4S0\""),
        ("4S6(", "ply 1: \"4S6(\""),
        ("FF", "ply 2: it is North's turn"),
        ("FfF", "ply 3: South cannot play F: the pit is empty"),
    ];
    for verb in [["perft", "3"].as_slice(), &["eval"], &["move"]] {
        for (position, words) in positions {
            let arguments = [verb, &["--position", position]].concat();
            refused(scratch.run(&arguments), 2, &["--position", words]);
        }
        for (line, words) in lines {
            let arguments = [verb, &["--line", line]].concat();
            refused(scratch.run(&arguments), 2, &["--line", words]);
        }
        let rules = [verb, &["--rules", "oware"]].concat();
        refused(scratch.run(&rules), 2, &["--rules", "unknown rules \"oware\"", "no-slam"]);
        let rules = [verb, &["--rules", "ayo:stalemate=win"]].concat();
        refused(scratch.run(&rules), 2, &["--rules", "\"stalemate=win\"", "causer-loses"]);
    }
    refused(scratch.run(&["eval", "--line", "ff"]), 2, &["--line", "ply 2: it is South's turn"]);
    let not_north = ["eval", "--position", START, "--line", "f"];
    refused(scratch.run(&not_north), 2, &["--line", "ply 1: it is South's turn"]);
    refused(scratch.run(&["eval", "--line", "F\u{e9}"]), 2, &["--line", "ply 2: \"\u{e9}\""]);
}

#[test]
fn positions_that_leave_nothing_to_choose() {
    let scratch = Scratch::new();
    let won = "move --position 0-0-0-0-0-3-0-0-2-0-0-1-25-17-S";
    let even = "move --position 0-0-0-0-0-0-0-0-0-0-0-0-24-24-N";
    let stuck = "move --position 0-0-0-0-0-0-4-0-0-0-0-0-24-20-S";
    let unable = "move --position 1-0-0-0-0-0-0-0-0-0-0-0-23-24-S";
    all_refused(
        &scratch,
        &[
            (1, won, &["the game is over, South wins (more than half of the seeds captured)"]),
            (1, even, &["the game is over, draw (half of the seeds each)"]),
            (1, stuck, &["the game is over, draw (no legal move)"]),
            (1, unable, &["the game is over, draw (no legal move)"]),
        ],
    );
    for position in ["0-0-0-0-0-0-0-0-0-0-0-0-24-24-N", "48-0-0-0-0-0-0-0-0-0-0-0-0-0-S"] {
        scratch.ayo(&format!("eval --position {position}")).success();
        scratch.ayo(&format!("perft 3 --position {position}")).success();
    }
}

#[test]
fn numbers_and_verbs() {
    let scratch = Scratch::new();
    all_refused(
        &scratch,
        &[
            (2, "trian", &["unrecognized subcommand", "trian"]),
            (2, "train --preset daoud2004 --sede 3", &["unexpected argument", "--sede"]),
            (2, "perft", &["<DEPTH>"]),
            (2, "perft -1", &["-1"]),
            (2, "perft 101", &["101 is not from 0 to 100"]),
            (2, "perft six", &["invalid value", "six"]),
            (2, "resume", &["which run?", "ayo runs", "<DIR>"]),
            (2, "resume run --generations 0", &["--generations", "invalid value", "0"]),
            (2, "resume run --threads 0", &["--threads", "invalid value", "0"]),
            (2, "train --preset daoud2004 --threads 2000", &["--threads", "2000"]),
            (2, "train --preset daoud2004 --max-time soon", &["--max-time", "soon"]),
            (2, "train --preset daoud2004 --max-time -5s", &["-5"]),
            (2, "train --preset daoud2004 --max-time 0", &["--max-time", "0"]),
            (2, "resume run --max-time 0s", &["--max-time", "0s"]),
            (2, "book build -o book.ayo --max-time 0ms", &["--max-time", "0ms"]),
            (2, "export", &["<DIR>"]),
            (
                2,
                "export seeds --format yaml",
                &["--format", "yaml", "json, toml, csv, rust, c or python"],
            ),
            (2, "export run --generation 0", &["--generation", "0"]),
            (2, "inspect", &["<DIR|FILE>"]),
            (1, "accuracy seeds", &["there are no endgame tables", "ayo endgame build"]),
            (2, "eval --signs odd", &["--signs", "odd", "signed or literal"]),
        ],
    );
    assert!(scratch.list("").is_empty());
}

#[test]
fn settings() {
    let scratch = Scratch::new();
    all_refused(
        &scratch,
        &[
            (2, "train --preset deap", &["--preset", "unknown preset \"deap\"", "daoud2004"]),
            (2, "train --set preset=daoud2004", &["--set preset", "--preset"]),
            (2, "train --preset daoud2004 --seed -1", &["--seed", "seed is -1"]),
            (2, "train --preset daoud2004 --seed one", &["--seed", "seed is one", "whole number"]),
            (
                2,
                "train --preset daoud2004 --seed 99999999999999999999",
                &["seed is 99999999999999999999"],
            ),
            (2, "train --preset daoud2004 --generations 0", &["--generations", "generations is 0"]),
            (2, "train --preset daoud2004 --population 1", &["--population", "population is 1"]),
            (
                2,
                "train --preset daoud2004 --population 4",
                &["fitness_set is 20%", "4 that is 0", "1 to 4 members"],
            ),
            (2, "train --preset daoud2004 --depth 0", &["--depth", "depth is 0", "1 to 100"]),
            (2, "train --preset daoud2004 --depth 101", &["--depth", "depth is 101", "1 to 100"]),
            (
                2,
                "train --preset daoud2004 --rules oware",
                &["--rules", "rules is oware", "unknown rules \"oware\""],
            ),
            (
                2,
                "train --preset daoud2004 --signs plus",
                &["--signs", "signs is plus", "signed or literal"],
            ),
            (2, "train --preset daoud2004 --set depth", &["--set depth", "key=value"]),
            (2, "train --preset daoud2004 --set =3", &["--set", "unknown setting \"\""]),
            (
                2,
                "train --preset daoud2004 --set depht=3",
                &["--set", "unknown setting \"depht\"", "depth"],
            ),
            (2, "train --preset daoud2004 --set depth=", &["--set", "depth is "]),
            (2, "train --preset daoud2004 --set elite=51", &["elite is 51", "only 50 members"]),
            (
                2,
                "train --preset daoud2004 --set elite=-1",
                &["elite is -1", "count or a percentage"],
            ),
            (
                2,
                "train --preset daoud2004 --set fitness_set=0",
                &["fitness_set is 0", "1 to 50 members"],
            ),
            (2, "train --preset daoud2004 --set fitness_set=101%", &["fitness_set is 101%"]),
            (
                2,
                "train --preset daoud2004 --set crossover_rate=2",
                &["crossover_rate is 2", "probability"],
            ),
            (
                2,
                "train --preset daoud2004 --set mutation_rate=nan",
                &["mutation_rate is nan", "probability"],
            ),
            (
                2,
                "train --preset daoud2004 --set encoding=hex:4",
                &["encoding is hex:4", "binary:BITS"],
            ),
            (
                2,
                "train --preset daoud2004 --set encoding=binary:16",
                &["encoding is binary:16", "1 to 15"],
            ),
            (2, "train --preset daoud2004 --set features=a1,b2", &["features is a1,b2", "\"b2\""]),
            (
                2,
                "train --preset daoud2004 --set features=a1,a1",
                &["features is a1,a1", "named twice"],
            ),
            (2, "train --preset daoud2004 --set features=", &["features is "]),
            (2, "train --preset daoud2004 --set pairing_memory=0", &["pairing_memory is 0"]),
        ],
    );
    assert!(scratch.list("").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn configuration_files() {
    let scratch = Scratch::new();
    let files: [(&str, &str, &[&str]); 11] = [
        ("key.toml", "depht = 3", &["unknown setting \"depht\""]),
        ("value.toml", "depth = \"deep\"", &["depth is deep"]),
        ("type.toml", "depth = 2.5", &["depth is 2.5"]),
        ("list.toml", "features = [\"a1\"]", &["features is [\"a1\"]"]),
        ("table.toml", "[depth]\nvalue = 3", &["depth is "]),
        ("twice.toml", "depth = 3\ndepth = 4", &["not TOML in line 2: ", "duplicate key"]),
        ("open.toml", "rules = \"ayo", &["not TOML"]),
        ("text.toml", "Depth shall be five.", &["not TOML"]),
        ("json.toml", "{\"depth\": 3}", &["not TOML"]),
        ("preset.toml", "preset = \"deap\"", &["unknown preset \"deap\""]),
        ("preset-type.toml", "preset = 2004", &["preset", "2004"]),
    ];
    for (name, content, words) in files {
        scratch.write(name, content);
        let train = format!("train --out run --config {name}");
        refused(scratch.ayo(&train), 2, &[&[name], words].concat());
    }
    scratch.write("binary.toml", [0xFF, 0xFE, 0]);
    refused(scratch.ayo("train --out run --config binary.toml"), 1, &["binary.toml", "UTF-8"]);
    refused(scratch.ayo("train --out run --config none.toml"), 1, &["cannot read none.toml"]);
    refused(scratch.ayo("train --out run --config ."), 1, &["cannot read ."]);
    assert!(!scratch.path("run").exists());
}

#[test]
fn weights() {
    let scratch = Scratch::new();
    let json = |name: &str, kind: &str, features: &str, weights: &str, signs: &str| {
        let text = format!(
            r#"{{"kind":"{kind}","name":"w","features":[{features}],"weights":[{weights}],"signs":"{signs}"}}"#
        );
        scratch.write(name, text);
    };
    json("kind.json", "population", r#""a9""#, "1", "signed");
    json("count.json", "weights", r#""a9","a10""#, "1", "signed");
    json("feature.json", "weights", r#""a9","x1""#, "1,2", "signed");
    json("twice.json", "weights", r#""a9","a9""#, "1,2", "signed");
    json("none.json", "weights", "", "", "signed");
    json("range.json", "weights", r#""a9""#, "32768", "signed");
    json("fraction.json", "weights", r#""a9""#, "0.5", "signed");
    json("signs.json", "weights", r#""a9""#, "1", "odd");
    scratch.write("cut.json", r#"{"kind":"weights","name":"w","feat"#);
    scratch.write("missing.json", r#"{"kind":"weights"}"#);
    scratch.write("empty.json", "");
    scratch.write("list.json", "[1, 2, 3]");
    scratch.write("toml.toml", "kind = \"weights\"\nname = \nweights = [\n");
    scratch.write("csv.csv", "feature,weight,sign\na9,one,+\n");
    scratch.write("mixed.csv", "feature,weight,sign\na9,1,-\na10,1,-\n");
    scratch.write("short.csv", "feature,weight,sign\na9\n");
    scratch.write("binary.json", [0x80, 0x81]);
    std::fs::create_dir(scratch.path("nothing")).unwrap();
    let refusals: [Refusal; 19] = [
        (2, "nobody", &["no weights \"nobody\"", "learned, reference, "]),
        (1, "nothing", &["nothing: no champion.json"]),
        (1, "kind.json", &["kind.json", "kind is \"population\""]),
        (1, "count.json", &["count.json", "1 weights for 2 features"]),
        (1, "feature.json", &["feature.json", "features", "\"x1\""]),
        (1, "twice.json", &["twice.json", "features", "a9 is named twice"]),
        (1, "none.json", &["none.json", "features", "at least one"]),
        (1, "range.json", &["range.json", "weight of a9 is 32768"]),
        (1, "fraction.json", &["fraction.json", "0.5"]),
        (1, "signs.json", &["signs.json", "signs", "\"odd\""]),
        (1, "cut.json", &["cut.json", "JSON", "EOF"]),
        (1, "missing.json", &["missing.json", "missing field `name`"]),
        (1, "empty.json", &["empty.json"]),
        (1, "list.json", &["list.json"]),
        (1, "toml.toml", &["toml.toml", "TOML"]),
        (1, "csv.csv", &["csv.csv", "CSV", "line: 2"]),
        (1, "mixed.csv", &["mixed.csv", "sign"]),
        (1, "short.csv", &["short.csv", "CSV"]),
        (1, "binary.json", &["binary.json", "UTF-8"]),
    ];
    for (code, name, words) in refusals {
        refused(scratch.ayo(&format!("eval --weights {name}")), code, words);
        refused(scratch.ayo(&format!("export {name}")), code, words);
        let spec = format!("move --player minimax:weights={name},depth=2");
        refused(scratch.ayo(&spec), code, &[&["minimax"], words].concat());
        if name != "nothing" {
            refused(scratch.ayo(&format!("inspect {name}")), code, words);
        }
    }
    // One sentence, said once.
    let said = refused(scratch.ayo("eval --weights binary.json"), 1, &["UTF-8"]);
    assert_eq!(said.matches("UTF-8").count(), 1, "{said}");
}

#[test]
fn players() {
    let scratch = Scratch::new();
    for (spec, words) in [
        ("", "unknown player \"\""),
        ("maximin", "unknown player \"maximin\""),
        (":depth=3", "unknown player \"\""),
        ("minimax:", "not of the form key=value"),
        ("minimax:depth", "\"depth\" is not of the form key=value"),
        ("minimax:depth=3=4", "\"depth=3=4\" is not of the form key=value"),
        ("minimax:depth=0", "depth is \"0\", not a whole number from 1 to 100"),
        ("minimax:depth=101", "depth is \"101\""),
        ("minimax:depth=deep", "depth is \"deep\""),
        ("minimax:depth=3,depth=3", "depth is set twice"),
        ("minimax:sings=signed", "no setting \"sings\""),
        ("minimax:signs=odd", "signs is \"odd\", not signed or literal"),
        ("minimax:weights=\"seeds", "a double quote is not closed"),
        ("plain-minimax:depth=-1", "player plain-minimax: depth is \"-1\""),
        ("random:seed=x", "seed is \"x\", not a whole number"),
        ("greedy:depth=3", "no setting \"depth\""),
    ] {
        refused(scratch.run(&["move", "--player", spec]), 2, &[words]);
    }
}

#[test]
fn folders() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    std::fs::create_dir(scratch.path("empty")).unwrap();
    scratch.write("file", "no folder");
    all_refused(
        &scratch,
        &[
            (1, "resume none", &["there is no folder none"]),
            (1, "resume .", &["holds runs", "run"]),
            (1, "resume empty", &["empty holds no run", "run.toml"]),
            (1, "resume file", &["file holds no run"]),
            (1, "inspect empty", &["empty holds no run"]),
            (2, "inspect none", &["\"none\""]),
            (1, "inspect none.ayo", &["cannot read none.ayo"]),
            (1, "runs none", &["cannot read none"]),
            (1, "runs file", &["cannot read file"]),
            (1, "export empty", &["empty: no champion.json"]),
            (1, "export empty --generation 1", &["empty holds no run"]),
            (1, "export run --generation 4", &["run/history.csv", "generation 4", "last one is 3"]),
            (1, "export run -o ../none/weights.json", &["cannot write ../none/weights.json"]),
            (1, "export run -o empty", &["cannot write empty"]),
            (
                2,
                "export run -o x.xyz",
                &["--output x.xyz", ".json, .toml, .csv, .rs, .c, .h or .py"],
            ),
            (1, "train --preset daoud2004 --out file --seed 1", &["file"]),
            (1, "train --preset daoud2004 --out file/run --seed 1", &["file/run"]),
            (2, "resume run --generations 2", &["--generations is 2", "3 generations already"]),
        ],
    );
    assert!(scratch.list("empty").is_empty(), "a refused command leaves nothing behind");
}

#[test]
fn damaged_run_files() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("train --preset daoud2004 --out run {TINY} --generations 3")).success();
    let damages: [(&str, &str, &str, &[&str]); 7] = [
        ("run.toml", "depth = ", "inspect", &["run/run.toml", "not TOML in line 1"]),
        ("run.toml", "seed = 1\n\ndepth : 3\n", "inspect", &["run.toml: not TOML in line 3: "]),
        ("run.toml", "depth = 0", "inspect", &["run/run.toml", "depth is 0"]),
        ("run.toml", "depht = 2", "resume", &["run/run.toml", "unknown setting \"depht\""]),
        ("run.toml", "", "resume", &["run/run.toml", "preset is missing"]),
        ("champion.json", "{", "export", &["run/champion.json", "JSON"]),
        ("history.csv", "generation,best\n2,x\n", "export --generation 2", &["run/history.csv"]),
    ];
    for (file, content, verb, words) in damages {
        let file = format!("run/{file}");
        let before = scratch.read(&file);
        scratch.write(&file, content);
        refused(scratch.ayo(&format!("{verb} run")), 1, words);
        scratch.write(&file, before);
    }
    let whole = scratch.read("run/run.toml");
    for line in whole.lines().filter(|line| !line.starts_with(['#', 'v'])) {
        let key = line.split(' ').next().unwrap();
        // Runs from before there were these go on without.
        let late = [
            "game",
            "fitness",
            "tables_positions",
            "tables_depth",
            "perspective",
            "quiescence",
            "nodes",
            "ties",
            "measure_at",
            "cooling",
            "warm_up",
            "layer",
        ];
        let late = [&late[..], &["measure_early", "panel", "opponents", "champion"]].concat();
        if late.contains(&key) {
            continue;
        }
        scratch.write("run/run.toml", whole.replace(&format!("{line}\n"), ""));
        refused(scratch.ayo("resume run"), 1, &[&format!("run/run.toml: {key} is missing")]);
    }
    scratch.write("run/run.toml", "depth = ");
    let listed = scratch.json("runs . --json");
    assert_eq!(listed["runs"][0]["state"], "damaged");
    assert!(listed["runs"][0]["error"].as_str().unwrap().contains("not TOML"), "{listed}");
    assert!(scratch.text("runs .").contains("damaged"));
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
        ("move --player minmax:depth=3", "minimax"),
        ("move --player begginer", "beginner"),
        ("move --player minimax:dept=3", "depth"),
        ("move --player minimax:weights=refernce", "reference"),
        ("eval --weights daoud2004-depth", "daoud2004-depth3"),
        ("compare standrad spsa", "standard"),
        ("compare standard spsa:dept=3", "depth"),
        ("match greedy greedy --sprt alpa=0.1", "alpha"),
        ("export seeds --format jsno", "json"),
        ("match greedy greedy -o games", "--games-out"),
        ("eval q1", "--weights q1"),
        ("eval 4-4-4", "--position 4-4-4"),
        ("eval .", "--weights ."),
        ("move .", "--player ."),
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
    assert!(refused(scratch.ayo("completions"), 2, &[]).contains("bash, elvish, fish"));
    refused(scratch.ayo("match seeds seeds --games 0"), 2, &["give 1 or more"]);
    refused(scratch.ayo("serve --port 99999"), 2, &["99999 is not from 0 to 65535"]);
    for line in [
        "fly",
        "train --set wings=2",
        "train --preset deap",
        "move --player gnu",
        "eval --weights nobody",
    ] {
        let said = refused(scratch.ayo(line), 2, &[]);
        assert!(!said.contains("did you mean"), "{line}: {said}");
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
