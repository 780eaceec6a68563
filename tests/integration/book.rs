//! Opening books from the command line: builds are reproducible regardless of interruptions, and players use the book.

use crate::support::{Scratch, holds, refused, refuses};

const SMALL: &str = "--nodes 300 --positions 48 --quiet";

#[test]
fn books_are_the_same_in_pieces_and_on_any_number_of_threads() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("book build -o whole.ayo {SMALL} --threads 1")).success();
    let build = |rest: &str| scratch.text(&format!("book build -o a.ayo --quiet {rest}"));
    holds(&build("--nodes 300 --positions 48 --max-time 1ns"), &["repeat the command to resume"]);
    for rest in ["1 --threads 3", "20 --threads 3", "48 --threads 2 --max-time 10ms"] {
        build(&format!("--nodes 300 --positions {rest}"));
    }
    holds(&build("--nodes 300 --positions 48"), &["moves for 71 positions"]);
    assert_eq!(scratch.bytes("a.ayo"), scratch.bytes("whole.ayo"));
    // A book must be continued with the settings that it was begun with.
    refuses! { scratch, "2 book build -o a.ayo --quiet", "
        --nodes 301 => a.ayo was built with nodes 300, not nodes 301
        --nodes 300 --own 5 => built with | --own 32 | --own 5
        --player engine:nodes=300,hash=16,tables=off,perspective=root => built with only | perspective=root
        --nodes 300 --rules awari => a book for rules ayo, not for rules awari
        --player engine:movetime=5ms => is not reproducible
        --player greedy => greedy does not evaluate captured seeds
        --positions 0 => --positions
    " }
    scratch.flip("a.ayo", 100);
    refuses! { scratch, "1", "
        book build -o a.ayo --nodes 300 => a.ayo is damaged
        book build -o ../no/such.ayo --nodes 300 => no/such.ayo
        inspect a.ayo => a.ayo
    " }
}

#[test]
fn an_engine_plays_what_its_book_shows() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("book build -o a.ayo {SMALL}")).success();
    let engine = "engine:nodes=50,hash=1,tables=off,book=a.ayo";
    let mut line = String::new();
    loop {
        let shown = scratch.ayo(&format!("book show --book a.ayo --json {line}"));
        if !shown.output().status.success() {
            refused(shown, 1, &["is not in a.ayo"]);
            break;
        }
        let shown = shown.json();
        let from = if line.is_empty() { String::new() } else { format!("--line {line}") };
        let played = scratch.json(&format!("bestmove --player {engine} --json {from}"));
        assert_eq!(played["move"], shown["move"], "{line}");
        assert_eq!((&played["score"], &played["nodes"]), (&shown["value"], &0.into()));
        let best = shown["moves"].as_array().unwrap().iter().map(|it| it["value"].as_i64());
        assert_eq!(best.max().unwrap(), shown["value"].as_i64());
        line += shown["move"].as_str().unwrap();
    }
    assert!(line.len() > 2, "{line}");
    let searched = scratch.json(&format!("bestmove --player {engine} --json --line {line}"));
    assert!(searched["nodes"].as_u64() > Some(0));
    refuses! { scratch, "2", "
        bestmove --game kalah --player engine:book=a.ayo => a book for rules ayo, not for game kalah
        bestmove --rules awari --player engine:book=a.ayo => engine: book: a.ayo is a book for rules ayo
        book show fF --book a.ayo => 'fF' | LINE
    " }
}

#[test]
fn the_book_that_is_compiled_in_is_used_under_its_own_rules() {
    let scratch = Scratch::new();
    assert!(scratch.text("book verify --sample 2 --quiet").contains("all values agree"));
    let nodes = |player: &str, game: &str| {
        let found = scratch.json(&format!("bestmove --player {player} --json {game}"));
        found["nodes"].as_u64().unwrap()
    };
    let engine = "engine:nodes=50,hash=1,tables=off,book=builtin";
    assert_eq!((nodes(engine, ""), nodes("grandmaster", "")), (0, 0));
    assert!(nodes("engine:nodes=50,hash=1,tables=off", "") > 0);
    assert!(nodes(engine, "--rules awari") > 0);
    assert!(nodes("engine:nodes=50,hash=1,book=builtin", "--game kalah") > 0);
}

#[test]
fn what_is_exported_is_what_is_shown_of_any_game() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("book build -o k.ayo --game kalah {SMALL}")).success();
    holds(&scratch.text("book verify --book k.ayo --sample 20"), &["20 positions searched"]);
    let told = scratch.json("inspect k.ayo --json");
    assert_eq!((&told["kind"], &told["game"]), (&"book-file".into(), &"game kalah".into()));
    assert!(told["expanded"] == 71 && told["positions"].as_u64() > Some(71), "{told}");
    holds(&scratch.text("doctor ."), &["moves for 71 positions", "nothing is damaged\n"]);
    let csv = scratch.text("book export --book k.ayo");
    let json = scratch.json("book export --book k.ayo --format json");
    let positions = json["positions"].as_array().unwrap();
    let moves = positions.iter().map(|it| it["moves"].as_object().unwrap().len());
    assert_eq!(csv.lines().count(), 1 + moves.sum::<usize>());
    assert_eq!((&json["game"], positions.len()), (&"kalah".into(), 71));
    let best = csv.lines().filter(|line| line.ends_with(",1")).count();
    assert_eq!(best, positions.len());
    for position in positions.iter().step_by(20) {
        let line = position["line"].as_str().unwrap();
        let shown = scratch.json(&format!("book show --book k.ayo --json {line}"));
        assert_eq!(shown["move"], position["best"]);
        assert_eq!(shown["position"], position["position"]);
    }
}
