//! Runs that use endgame tables: reproducible regardless of interruptions, and never continued with other tables.

use crate::support::{Bytes, POOLED, Scratch, column, holds, refused, refuses};

const MEASURED: &str = "--preset daoud2004 --rules awari --seed 3 --population 8 --depth 2 --quiet \
                        --set fitness_set=2 --set mutation_rate=0.03 --set measure_every=3 \
                        --set measure_openings=1 --set panel=1";

fn scratch() -> Scratch {
    // Positions of larger tables are sampled from fewer games.
    let scratch = Scratch::with_tables("--rules awari --seeds 10 --out perfect");
    scratch.text("endgame build --rules awari --seeds 9 --out smaller --quiet");
    scratch
}

#[test]
#[ignore = "slow: three measured runs"]
fn precision_is_recorded_alike_in_pieces() {
    let scratch = scratch();
    let tables = format!("{MEASURED} --tables perfect");
    scratch.train("whole", &format!("{tables} --generations 4 --threads 1"));
    let stopped = scratch.train("pieces", &format!("{tables} --generations 2 --max-time 1ns"));
    holds(&stopped.stdout(), &["resume pieces --tables perfect"]);
    holds(&scratch.text("runs ."), &["pieces --tables DIR"]);
    scratch.ayo("resume pieces --tables perfect --quiet --threads 2").success();
    // The same tables in another folder are fine.
    std::fs::rename(scratch.path("perfect"), scratch.path("elsewhere")).unwrap();
    for stop in ["--generations 4 --max-time 1ns", ""] {
        scratch.ayo(&format!("resume pieces --tables elsewhere --quiet {stop}")).success();
    }
    Bytes::of(&scratch.path("pieces")).assert_same(&Bytes::of(&scratch.path("whole")));
    let rows = scratch.read("whole/strength.csv");
    assert!(rows.lines().next().unwrap().ends_with(",optimal,seeds_lost,tables"), "{rows}");
    let numbers = |name| column(&rows, name).into_iter().map(|it| it.parse::<f64>().unwrap());
    assert!(numbers("optimal").all(|it| (0.3..1.0).contains(&it)), "{rows}");
    assert!(numbers("seeds_lost").all(|it| (0.0..3.0).contains(&it)), "{rows}");
    let checksums = column(&rows, "tables");
    let noted = scratch.read("whole/tables.toml");
    assert!(checksums.iter().all(|it| noted.contains(&format!("checksum = \"{it}\""))), "{noted}");
    for file in ["run.toml", "tables.toml", "strength.csv", "champion.json"] {
        let text = scratch.read(&format!("pieces/{file}"));
        assert!(!text.contains("perfect") && !text.contains("elsewhere"), "{file}: {text}");
    }
    let inspected = scratch.json("inspect whole --json");
    assert_eq!(inspected["measured"]["precision"]["tables"], *checksums[0]);
    scratch.train("without", &format!("{MEASURED} --generations 4"));
    for file in ["history.csv", "champion.json"] {
        let [with, without] = ["whole", "without"].map(|it| scratch.read(&format!("{it}/{file}")));
        assert_eq!(with, without);
    }
    let games = rows.lines().map(|row| row.rsplitn(4, ',').last().unwrap().to_owned() + "\n");
    assert_eq!(games.collect::<String>(), scratch.read("without/strength.csv"));
}

#[test]
fn other_tables_than_those_of_the_run_are_refused_except_for_a_branch() {
    let scratch = scratch();
    scratch.train("run", &format!("{MEASURED} --tables perfect --generations 3"));
    let branch = "resume run --set elite=1 --generations 4 --quiet";
    for (name, tables) in
        [("same", "--tables perfect"), ("other", "--tables smaller"), ("none", "")]
    {
        scratch.ayo(&format!("{branch} --out {name} {tables}")).success();
    }
    let parent = scratch.read("run/strength.csv");
    assert!(scratch.read("same/strength.csv").starts_with(&parent));
    let other = scratch.read("other/strength.csv");
    let has_precision = |row: &&str| !row.ends_with(",,,");
    let inherited = parent.lines().count() - 1;
    assert!(!other.lines().skip(1).take(inherited).any(|row| has_precision(&row)));
    assert!(other.lines().skip(1 + inherited).all(|row| has_precision(&row)));
    assert!(scratch.read("none/strength.csv").lines().next().unwrap().contains(",chromosome"));
    refuses! { scratch, "1 resume run --generations 4 --quiet", "
        => tables.toml | awari to 10 seeds, checksum | --tables
        --tables smaller => tables.toml | awari to 10 seeds, checksum | awari to 9 seeds
        --tables nowhere => nowhere
    " }
    scratch.resume("--generations 4 --tables perfect");
    scratch.train("plain", &format!("{MEASURED} --generations 2"));
    scratch.refuses("1 resume plain --generations 4", "--tables perfect => plain | endgame tables");
    let train = format!("train {MEASURED} --out new --tables perfect --set");
    scratch.refuses(&format!("2 {train}"), "measure_every=0 => --tables | measure_every is 0");
    scratch.refuses(&format!("1 {train}"), "rules=ayo => perfect | awari, not ayo");
    scratch.write("run/tables.toml", "rules = 5");
    scratch.refuses("1 resume run --generations 6", "--tables perfect => tables.toml | checksum");
}

#[test]
fn values_that_are_not_proven_are_called_so() {
    let scratch = Scratch::new();
    for rules in ["ayo", "awari"] {
        let said =
            scratch.text(&format!("endgame build --rules {rules} --seeds 5 --out {rules} --quiet"));
        assert_eq!(said.contains("\nheuristic: "), rules == "ayo", "{said}");
        let stats = format!("endgame stats {rules}");
        assert_eq!(scratch.text(&stats).contains("\nheuristic: "), rules == "ayo");
        assert_eq!(scratch.json(&format!("{stats} --json"))["proven"], rules == "awari");
        let learn = "--population 6 --generations 2 --depth 1 --fitness tables \
                     --set tables_positions=5 --set measure_every=0 --set finalist_games=0 --quiet";
        let line = format!("train {learn} --rules {rules} --tables {rules} --out run-{rules}");
        let said = scratch.text(&line);
        assert_eq!(said.contains("heuristic: "), rules == "ayo", "{said}");
        // A series with nothing left to train doesn't warn.
        for is_new in [true, false] {
            let said = scratch.ayo(&format!("{line} --seeds 1")).stderr();
            assert_eq!(said.contains("heuristic: "), is_new && rules == "ayo", "{said}");
        }
    }
    let compare = "compare quick:depth=1,population=6,tables_positions=5,fitness=tables --tables ayo \
                   --seeds 1 --budget nodes=3000000 --openings 1 --depth 1 --quiet";
    holds(&scratch.text(compare), &["heuristic: "]);
    // A folder may have tables of several rules.
    scratch.ayo("endgame build --seeds 2 --out ayo --quiet").success();
    scratch.refuses("2 endgame stats", "ayo => several rule sets | --rules: awari, ayo");
    scratch.ayo("endgame verify ayo --rules awari --quiet").success();
}

/// Returns a small run that learns from tables in the style of the default trainer.
fn taught(fitness: &str) -> String {
    format!("{POOLED} --rules awari --set tables_positions=20 --fitness {fitness}")
}

#[test]
fn learning_from_tables_gives_the_same_bytes_on_any_threads_and_in_pieces() {
    let scratch = scratch();
    for fitness in ["tables", "mix:30%"] {
        let tables = format!("{} --tables perfect", taught(fitness));
        let [whole, pieces] = ["whole", "pieces"].map(|name| format!("{fitness}-{name}"));
        scratch.train(&whole, &format!("{tables} --generations 5 --threads 1"));
        scratch.train(&pieces, &format!("{tables} --generations 2 --threads 3"));
        for stop in ["--generations 3", "--generations 5 --max-time 10ms", ""] {
            scratch.ayo(&format!("resume {pieces} --tables perfect --quiet {stop}")).success();
        }
        Bytes::of(&scratch.path(&pieces)).assert_same(&Bytes::of(&scratch.path(&whole)));
        let asked = column(&scratch.read(&format!("{whole}/history.csv")), "games_asked");
        assert_eq!(asked[0] == "0", fitness == "tables", "{fitness}");
    }
    // Without tables, such a run neither begins nor continues.
    let train = format!("2 train {} --out run", taught("tables"));
    scratch.refuses(&train, "=> fitness is tables | --tables | endgame build");
    scratch.remove("tables-whole/tables.toml");
    refuses! { scratch, "2 resume tables-whole --generations 6 --quiet", "
         => fitness is tables | --tables
        --set fitness=mix --out other => fitness is mix:50% | --tables
    " }
}

#[test]
fn teachers_are_compared() {
    let scratch = scratch();
    let common = "standard:rules=awari,population=6,depth=2,tables_positions=20";
    let compare = |fitness: &str, rest: &str| {
        let rest = format!("--seeds 1..2 --openings 2 --depth 1 --quiet {rest}");
        scratch.ayo(&format!("compare {common} {common},fitness={fitness} {rest}"))
    };
    compare("tables", "--tables perfect --budget nodes=1000000 -o found.csv").success();
    compare("mix", "--tables perfect --budget nodes=1000000 --json").success();
    let found = scratch.read("found.csv");
    let taught = found.lines().filter(|row| row.contains("fitness=tables"));
    // Positions from tables count as nodes, not as games.
    assert!(taught.count() > 2, "{found}");
    let line = format!("2 compare --seeds 1..2 --openings 2 --depth 1 --quiet {common}");
    refuses! { scratch, &line.replace(common, &format!("{common} {common},fitness=tables")), "
        --tables smaller --budget nodes=1000000 -o found.csv => found.csv | different settings
        --budget nodes=100 => fitness is tables | --tables
    " }
    refuses! { scratch, &line.replace(common, &format!("{common} {common},fitness=mix")), "
        --tables perfect --budget games=100 => --budget games=100 | nodes=N
        --budget nodes=100 => fitness is mix:50% | --tables
    " }
    scratch.refuses(&line, "--tables perfect --budget nodes=100 => --tables | no contestant");
}

#[test]
#[ignore = "slow: builds tables"]
fn an_engine_finds_the_tables_of_its_user() {
    let scratch = Scratch::new();
    let few = "0-0-0-0-1-2-1-1-0-0-0-0-21-22-S";
    let under = |rules: &str, player: &str| {
        let player = format!("engine:hash=1{player}");
        scratch.ayo(&format!("bestmove --position {few} --rules {rules} --player {player}"))
    };
    let asked = |player: &str| under("awari", &format!(",nodes=900{player}"));
    scratch.ayo("endgame build --seeds 12 --rules awari --quiet").success();
    scratch.ayo(&format!("endgame probe --position {few}")).success();
    let named = asked(",tables=tables").success().stdout();
    assert_eq!(asked("").success().stdout(), named);
    // We only notice damage in a part of the file that we read.
    scratch.flip("tables/awari-07.ayo", 100);
    for damaged in [asked(""), scratch.ayo("match engine random --games 2 --rules awari")] {
        refused(damaged, 1, &["player engine", "tables/awari-07.ayo is damaged"]);
    }
    asked(",tables=off").success();
    under("ayo", ",movetime=9ms").success();
    std::fs::remove_dir_all(scratch.path("tables")).unwrap();
    assert_eq!(asked(",tables=likely").success().stdout(), named);
    scratch.write("tables", "");
    refused(asked(""), 1, &["player engine: tables: cannot read tables"]);
}
