//! Runs that go by endgame tables: the same bytes however they came about, and by no other tables.

use crate::support::{Bytes, POOLED, Scratch, refused};

/// A run with small measurements.
const MEASURED: &str = "--preset daoud2004 --rules awari --seed 3 --population 8 --depth 2 --quiet \
                        --set fitness_set=2 --set mutation_rate=0.03 --set measure_every=3 \
                        --set measure_openings=1 --set panel=1";

/// A folder with tables of ten seeds and of eight.
fn scratch() -> Scratch {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --rules awari --seeds 10 --out perfect10 --quiet").success();
    scratch.ayo("endgame build --rules awari --seeds 8 --out perfect8 --quiet").success();
    scratch
}

#[test]
fn precision_is_recorded_alike_in_pieces() {
    let scratch = scratch();
    let train = format!("train {MEASURED} --tables perfect10");
    scratch.ayo(&format!("{train} --out whole --generations 6 --threads 1")).success();
    let stopped = scratch.text(&format!("{train} --out pieces --generations 3 --max-time 1ns"));
    assert!(stopped.contains("resume pieces --tables perfect10"), "{stopped}");
    assert!(scratch.text("runs .").contains("pieces --tables DIR"));
    scratch.ayo("resume pieces --tables perfect10 --quiet --threads 2").success();
    // Equal tables in another folder are accepted.
    std::fs::rename(scratch.path("perfect10"), scratch.path("elsewhere")).unwrap();
    for stop in ["--generations 4", "--generations 6 --max-time 1ns", ""] {
        scratch.ayo(&format!("resume pieces --tables elsewhere --quiet {stop}")).success();
    }
    Bytes::of(&scratch.path("pieces")).assert_same(&Bytes::of(&scratch.path("whole")));

    let rows = scratch.read("whole/strength.csv");
    let precision: Vec<[&str; 3]> = rows.lines().map(last_three).collect();
    assert_eq!(precision[0], ["optimal", "seeds_lost", "tables"]);
    let noted = scratch.read("whole/tables.toml");
    for [optimal, seeds_lost, tables] in &precision[1..] {
        let [optimal, seeds_lost] = [optimal, seeds_lost].map(|it| it.parse::<f64>().unwrap());
        assert!((0.3..1.0).contains(&optimal) && (0.0..3.0).contains(&seeds_lost), "{rows}");
        assert!(noted.contains(&format!("checksum = \"{tables}\"")), "{noted}");
    }
    for file in ["run.toml", "tables.toml", "strength.csv", "champion.json"] {
        let text = scratch.read(&format!("pieces/{file}"));
        assert!(!text.contains("perfect10") && !text.contains("elsewhere"), "{file}: {text}");
    }
    let inspected = scratch.json("inspect whole --json");
    assert_eq!(inspected["measured"]["precision"]["tables"], precision[1][2]);
    // Records of games are the same as without tables.
    scratch.ayo(&format!("train {MEASURED} --out without --generations 6")).success();
    for file in ["history.csv", "champion.json"] {
        assert_eq!(
            scratch.read(&format!("whole/{file}")),
            scratch.read(&format!("without/{file}"))
        );
    }
    let games = |row: &str| row.rsplitn(4, ',').last().unwrap().to_owned();
    let games: Vec<String> = rows.lines().map(games).collect();
    assert_eq!(games.join("\n") + "\n", scratch.read("without/strength.csv"));
}

fn last_three(row: &str) -> [&str; 3] {
    let mut fields = row.rsplit(',');
    let mut last = || fields.next().unwrap();
    let [third, second, first] = [last(), last(), last()];
    [first, second, third]
}

#[test]
fn other_tables_than_those_of_the_run_are_refused() {
    let scratch = scratch();
    scratch
        .ayo(&format!("train {MEASURED} --tables perfect10 --out run --generations 2"))
        .success();
    let resume = |rest: &str| scratch.ayo(&format!("resume run --generations 4 --quiet {rest}"));
    let noted = "awari to 10 seeds, checksum";
    refused(resume(""), 1, &["tables.toml", noted, "--tables"]);
    refused(resume("--tables perfect8"), 1, &["tables.toml", noted, "awari to 8 seeds"]);
    refused(resume("--tables nowhere"), 1, &["nowhere"]);
    resume("--tables perfect10").success();

    scratch.ayo(&format!("train {MEASURED} --out plain --generations 2")).success();
    let begun_without = scratch.ayo("resume plain --generations 4 --quiet --tables perfect10");
    refused(begun_without, 1, &["plain", "began without endgame tables"]);
    let train = |rest: &str| scratch.ayo(&format!("train {MEASURED} --out new {rest}"));
    refused(
        train("--tables perfect10 --set measure_every=0"),
        2,
        &["--tables", "measure_every is 0"],
    );
    refused(train("--tables perfect10 --set rules=ayo"), 1, &["perfect10", "awari, not ayo"]);

    scratch.write("run/tables.toml", "rules = 5");
    let damaged = scratch.ayo("resume run --generations 6 --quiet --tables perfect10");
    refused(damaged, 1, &["tables.toml", "checksum"]);
}

#[test]
fn a_branch_goes_by_tables_of_its_own() {
    let scratch = scratch();
    scratch
        .ayo(&format!("train {MEASURED} --tables perfect10 --out parent --generations 4"))
        .success();
    let branch = "resume parent --set elite=1 --generations 6 --quiet";
    for (name, tables) in
        [("same", "--tables perfect10"), ("other", "--tables perfect8"), ("none", "")]
    {
        scratch.ayo(&format!("{branch} --out {name} {tables}")).success();
    }
    let parent = scratch.read("parent/strength.csv");
    assert!(scratch.read("same/strength.csv").starts_with(&parent));
    let other = scratch.read("other/strength.csv");
    let has_precision = |row: &&str| !row.ends_with(",,,");
    let inherited = parent.lines().count() - 1;
    assert!(!other.lines().skip(1).take(inherited).any(|row| has_precision(&row)));
    assert!(other.lines().skip(1 + inherited).all(|row| has_precision(&row)));
    let none = scratch.read("none/strength.csv");
    assert!(none.lines().next().unwrap().contains(",chromosome"));
}

#[test]
fn values_that_are_not_proven_are_called_so() {
    let scratch = Scratch::new();
    scratch.ayo("endgame build --rules ayo --seeds 5 --out t --quiet").success();
    let learn = "--rules ayo --population 6 --generations 2 --depth 1 --fitness tables --tables t \
                 --set tables_positions=5 --set measure_every=0 --set finalist_games=0 --quiet";
    assert!(scratch.text(&format!("train {learn} --out run")).contains("heuristic: "));
    let found = "compare quick:depth=1,population=6,tables_positions=5,fitness=tables --tables t \
                 --seeds 1 --budget nodes=3000000 --openings 1 --depth 1 --quiet";
    assert!(scratch.text(found).contains("heuristic: "));
    let proven = Scratch::new();
    proven.ayo("endgame build --rules awari --seeds 5 --out t --quiet").success();
    let text =
        proven.text(&format!("train {} --out run", learn.replace("--rules ayo", "--rules awari")));
    assert!(!text.contains("heuristic"), "{text}");
}

/// A run as the default trainer makes them, small, that learns from tables.
fn taught(fitness: &str) -> String {
    format!(
        "train {POOLED} --preset daoud2004 --rules awari --set tables_positions=40 --fitness {fitness}"
    )
}

#[test]
fn learning_from_tables_gives_the_same_bytes_on_any_threads_and_in_pieces() {
    let scratch = scratch();
    for fitness in ["tables", "mix:30%"] {
        let train = format!("{} --tables perfect10", taught(fitness));
        let [whole, pieces] = ["whole", "pieces"].map(|name| format!("{fitness}-{name}"));
        scratch.ayo(&format!("{train} --out {whole} --generations 8 --threads 1")).success();
        scratch.ayo(&format!("{train} --out {pieces} --generations 2 --threads 3")).success();
        for stop in ["--generations 3", "--generations 8 --max-time 20ms", ""] {
            scratch.ayo(&format!("resume {pieces} --tables perfect10 --quiet {stop}")).success();
        }
        Bytes::of(&scratch.path(&pieces)).assert_same(&Bytes::of(&scratch.path(&whole)));
    }
    let games_asked = |run: &str| {
        let history = scratch.read(&format!("{run}/history.csv"));
        let column =
            history.split('\n').next().unwrap().split(',').position(|it| it == "games_asked");
        history.lines().nth(1).unwrap().split(',').nth(column.unwrap()).unwrap().to_owned()
    };
    assert_eq!(games_asked("tables-whole"), "0");
    assert_ne!(games_asked("mix:30%-whole"), "0");
}

#[test]
fn who_learns_from_tables_needs_them() {
    let scratch = scratch();
    let train = format!("{} --out run --generations 2", taught("tables"));
    refused(scratch.ayo(&train), 2, &["fitness is tables", "--tables", "endgame build"]);
    scratch.ayo(&format!("{train} --tables perfect10")).success();
    let resume = |rest: &str| scratch.ayo(&format!("resume run --generations 4 --quiet {rest}"));
    refused(resume(""), 1, &["tables.toml", "awari to 10 seeds", "--tables"]);
    refused(resume("--tables perfect8"), 1, &["awari to 10 seeds", "awari to 8 seeds"]);
    std::fs::remove_file(scratch.path("run/tables.toml")).unwrap();
    refused(resume(""), 2, &["fitness is tables", "--tables"]);
    let branch = scratch.ayo("resume run --set fitness=mix --out other --generations 4 --quiet");
    refused(branch, 2, &["fitness is mix:50%", "--tables"]);
}

#[test]
fn a_run_from_before_there_were_such_settings_goes_on() {
    let scratch = Scratch::new();
    let train = format!("train {MEASURED} --out");
    scratch.ayo(&format!("{train} whole --generations 4")).success();
    scratch.ayo(&format!("{train} old --generations 2")).success();
    let new = ["fitness = ", "tables_positions = ", "tables_depth = "];
    let settings = scratch.read("old/run.toml");
    let old = settings.lines().filter(|line| !new.iter().any(|key| line.starts_with(key)));
    let old: Vec<&str> = old.collect();
    assert_eq!(old.len() + new.len(), settings.lines().count());
    scratch.write("old/run.toml", old.join("\n"));
    scratch.ayo("resume old --generations 4 --quiet").success();
    Bytes::of(&scratch.path("old")).assert_same(&Bytes::of(&scratch.path("whole")));
}

#[test]
fn teachers_are_compared() {
    let scratch = scratch();
    let common = "rules=awari,population=6,depth=2,tables_positions=20";
    let compare = |fitness: &str, rest: &str| {
        let line = format!(
            "compare standard:{common} standard:{common},fitness={fitness} --seeds 1..2 --openings 2 \
             --depth 1 --quiet {rest}"
        );
        scratch.ayo(&line)
    };
    compare("tables", "--tables perfect10 --budget nodes=2000000 -o found.csv").success();
    compare("mix", "--tables perfect10 --budget nodes=2000000 --json").success();
    let found = scratch.read("found.csv");
    let taught = found.lines().filter(|row| row.contains("fitness=tables"));
    // Positions of tables are nodes, and no games.
    assert!(taught.count() > 2, "{found}");
    let other = compare("tables", "--tables perfect8 --budget nodes=2000000 -o found.csv");
    refused(other, 2, &["found.csv", "other settings"]);
    refused(
        compare("mix", "--tables perfect10 --budget games=100"),
        2,
        &["--budget games=100", "nodes=N"],
    );
    refused(compare("mix", "--budget nodes=100"), 2, &["fitness is mix:50%", "--tables"]);
    refused(
        compare("tournament", "--tables perfect10 --budget nodes=100"),
        2,
        &["--tables", "no contestant"],
    );
}

#[test]
fn an_engine_finds_the_tables_of_its_user() {
    let scratch = Scratch::new();
    let few = "0-0-0-0-1-2-1-1-0-0-0-0-21-22-S";
    // Where values are not proven, tables of twelve seeds that are built know more than those in files.
    let under = |rules: &str, player: &str| {
        let player = format!("engine:nodes=900,hash=1{player}");
        scratch.ayo(&format!("move --position {few} --rules {rules} --player {player}"))
    };
    let asked = |player: &str| under("awari", player);
    scratch.ayo("endgame build --seeds 12 --rules awari --quiet").success();
    scratch.ayo("endgame probe --position 0-0-0-0-1-2-1-1-0-0-0-0-21-22-S").success();
    let from_files = asked("").success();
    let named = asked(",tables=tables").success();
    assert_eq!(from_files.output().stdout, named.output().stdout);
    // Only a bit that is looked at can be found to have changed.
    let mut layer = std::fs::read(scratch.path("tables/awari-07.ayo")).unwrap();
    layer[100] ^= 1;
    scratch.write("tables/awari-07.ayo", layer);
    let words = ["player engine", "tables/awari-07.ayo is damaged"];
    refused(asked(""), 1, &words);
    refused(scratch.ayo("match engine random --games 2 --rules awari"), 1, &words);
    asked(",tables=off").success();
    under("ayo", "").success();
    std::fs::remove_dir_all(scratch.path("tables")).unwrap();
    assert_eq!(asked(",tables=likely").success().output().stdout, named.output().stdout);
    scratch.write("tables", "");
    refused(asked(""), 1, &["player engine: tables: cannot read tables"]);
}
