//! What is printed, byte for byte: users have files and scripts that rest on it. Fields are only added.

use crate::support::Scratch;

/// Commands, each after a `$`, and what they print. How long a player thought is left out of it.
const PRINTED: &str = include_str!("printed.txt");

const GAMES: &str = "\
one: FfE
two: 4S6, 4N6, 5S5 # forfeit
4S6, 4S5
1-1-2-2-0-0-0-0-0-0-0-0-22-20-S
";

#[test]
fn results_are_printed_as_ever() {
    let scratch = Scratch::new();
    scratch.write("games.txt", GAMES);
    scratch.ayo("endgame build --seeds 5 --out tables --quiet").success();
    let sections: Vec<&str> = PRINTED.split("$ ayo ").skip(1).collect();
    assert!(sections.len() > 20);
    for section in sections {
        let (line, expected) = section.split_once('\n').unwrap();
        let found = scratch.ayo(line).stdout();
        let found: String = found.lines().map(|line| timeless(line) + "\n").collect();
        assert_eq!(found, expected, "ayo {line}");
    }
}

fn timeless(line: &str) -> String {
    match line.split_once("\"seconds_per_move\": ") {
        Some((before, rest)) => {
            let comma = if rest.ends_with(',') { "," } else { "" };
            format!("{before}\"seconds_per_move\": \"…\"{comma}")
        }
        None => line.into(),
    }
}
