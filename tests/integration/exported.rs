//! Evaluators exported as source code agree with the program's own evaluation.

use std::ffi::OsStr;
use std::fmt::Write;
use std::io::Write as _;
use std::process::Command;

use mancala::eval::{FeatureSet, Format, Signs, Weights, export_standalone};
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Featured, GameFeature, Side, with_game};
use mancala::search::SearchableGame;
use rand::RngExt;

use crate::learned::{in_phases, weights, with_second_layer};
use crate::support::{Ended, Scratch, dice, holds};

const POSITIONS: usize = 100;

/// Weights of one kind. In every language, the generated module has the same name.
struct Case {
    name: &'static str,
    game: &'static str,
    weights: Weights,
}

fn any_weights(features: &str) -> Weights {
    let features: FeatureSet = features.parse().unwrap();
    let mut rng = dice(42, 0);
    let values: Vec<i64> =
        features.features().iter().map(|_| rng.random_range(-300..=300)).collect();
    Weights::new("", features, &values, Signs::Signed).unwrap()
}

fn all_of<G: Featured>() -> String {
    let names: Vec<&str> = G::Feature::ALL.iter().map(|it| it.definition().name).collect();
    names.join(",")
}

fn cases() -> Vec<Case> {
    let named = |name| Weights::named(name).unwrap();
    let cases = [
        ("twelve", "ayo", named("reference")),
        ("all_of_ayo", "ayo", any_weights(&all_of::<Ayo>())),
        ("some_pits", "ayo", any_weights("bias,m1=0,t6=13,m3=2")),
        ("pits", "ayo", any_weights("pits")),
        ("learned", "ayo", named("learned")),
        ("beside", "ayo", weights::<Ayo>(16, ",a1,a10,bias,m2=3")),
        ("all_of_kalah", "kalah", any_weights(&all_of::<Kalah>())),
        ("small_kalah", "kalah:pits=3,seeds=6", any_weights("kalah")),
        ("in_phases", "ayo", in_phases(weights::<Ayo>(8, ",a9,a10"))),
        ("deep", "ayo", with_second_layer(weights::<Ayo>(72, ",a10"))),
        ("kalah_units", "kalah", weights::<Kalah>(8, "")),
        ("kalah_phases", "kalah:pits=4,seeds=3", in_phases(weights::<Kalah>(8, ""))),
        ("kalah_deep", "kalah", in_phases(with_second_layer(weights::<Kalah>(16, "")))),
        ("kalah_beside", "kalah:pits=5,seeds=4", weights::<Kalah>(8, ",h1,k3,k4")),
    ];
    let case = |(name, game, mut weights): (&'static str, _, Weights)| {
        weights.name = name.into();
        Case { name, game, weights }
    };
    cases.into_iter().map(case).collect()
}

/// Returns positions of random games with their values, as seen by the mover or (in every fourth position) by the
/// opponent. A position consists of own pits, opponent's pits, both stores, and whether it is that side's turn.
fn seen<G: SearchableGame>(game: G, weights: &Weights) -> Vec<(Vec<u16>, i32)> {
    let (mut rng, mut seen) = (dice(42, 1), Vec::new());
    let mut position = game.start(Side::North);
    while seen.len() < POSITIONS {
        let mover = game.to_move(&position);
        let me = if seen.len() % 4 == 3 { mover.other() } else { mover };
        let rows = game.rows(&position);
        let rows = [me, me.other()].map(|side| rows[side.index()].clone());
        let stores = [me, me.other()].map(|side| game.store(&position, side));
        let values = weights.features().values::<G>(&position, me);
        let terms = values.iter().zip(weights.effective_in::<G>(&position));
        let value: i32 = terms.map(|(value, weight)| value * weight).sum();
        // All evaluators clamp their results, although these weights hardly ever reach the limits.
        let value = value.clamp(-4_000_000, 4_000_000);
        seen.push(([&rows.concat()[..], &stores, &[(me == mover).into()]].concat(), value));
        let moves = game.moves(&position);
        let nth = rng.random_range(0..moves.len());
        position = game.play(&position, moves.into_iter().nth(nth).unwrap());
        if game.ended(&position).is_some() {
            position = game.start(Side::BOTH[rng.random_range(0..2)]);
        }
    }
    seen
}

/// Returns the input for a program (each line has the case's name and a position), and the expected output.
fn input_and_values(cases: &[Case]) -> (String, Vec<i32>) {
    let (mut input, mut values) = (String::new(), Vec::new());
    for Case { name, game, weights } in cases {
        let seen = with_game!(game.parse::<AnyGame>().unwrap(), game => seen(game, weights));
        for (numbers, value) in seen {
            let pits = (numbers.len() - 3) / 2;
            let numbers: Vec<String> = numbers.iter().map(u16::to_string).collect();
            let _ = writeln!(input, "{name} {pits} {}", numbers.join(" "));
            values.push(value);
        }
    }
    (input, values)
}

const RUST: &str = "
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (name, numbers) = line.split_once(' ').unwrap();
        let numbers: Vec<i32> = numbers.split(' ').map(|it| it.parse().unwrap()).collect();
        let pits = numbers[0] as usize;
        let (mine, theirs) = numbers[1..][..2 * pits].split_at(pits);
        let [mine_stored, theirs_stored, my_move] = numbers[1 + 2 * pits..] else { panic!() };
        let stores = [mine_stored, theirs_stored];
        let my_move = my_move == 1;
        println!(\"{}\", match name {
ARMS            _ => panic!(),
        });
    }
}
";

const C: &str = "
#include <stdio.h>
#include <string.h>

int main(void)
{
    char name[32];
    int pits;
    while (scanf(\"%31s %d\", name, &pits) == 2) {
        int numbers[2][8], stores[2], my_move, value = 0;
        for (int side = 0; side < 2; side++)
            for (int pit = 0; pit < pits; pit++)
                if (scanf(\"%d\", &numbers[side][pit]) != 1)
                    return 1;
        if (scanf(\"%d %d %d\", stores, stores + 1, &my_move) != 3)
            return 1;
        const int *mine = numbers[0], *theirs = numbers[1];
ARMS        printf(\"%d\\n\", value);
    }
    return 0;
}
";

const PYTHON: &str = "
import importlib, sys
for line in sys.stdin:
    name, pits, *numbers = line.split()
    pits, numbers = int(pits), [int(it) for it in numbers]
    mine, theirs, rest = numbers[:pits], numbers[pits:2 * pits], numbers[2 * pits:]
    print(importlib.import_module(name).evaluate(mine, theirs, rest[:2], bool(rest[2])))
";

fn rust(cases: &[Case]) -> String {
    let modules: String = cases.iter().map(|it| format!("mod {};\n", it.name)).collect();
    let arm = |Case { name, game, .. }: &Case| {
        let array = if *game == "ayo" { ".try_into().unwrap()" } else { "" };
        let call = format!("{name}::evaluate(mine{array}, theirs{array}, stores, my_move)");
        format!("            {name:?} => {call},\n")
    };
    modules + &RUST.replace("ARMS", &cases.iter().map(arm).collect::<String>())
}

/// Returns a C program. It includes each header twice, because that happens in large programs.
fn c(cases: &[Case]) -> String {
    let include = |case: &Case| format!("#include \"{}.h\"\n", case.name).repeat(2);
    let arm = |Case { name, game, .. }: &Case| {
        let pits = if *game == "ayo" { "" } else { "pits, " };
        let call = format!("{name}_evaluate(mine, theirs, {pits}stores, my_move)");
        format!("        if (!strcmp(name, {name:?}))\n            value = {call};\n")
    };
    let arms: String = cases.iter().map(arm).collect();
    cases.iter().map(include).collect::<String>() + &C.replace("ARMS", &arms)
}

fn run(scratch: &Scratch, program: impl AsRef<OsStr>, arguments: &[&str], input: &str) -> String {
    let mut command = scratch.command_of(program);
    command.args(arguments);
    let ended = Ended::of(command, input).success();
    assert_eq!(ended.stderr(), "");
    ended.stdout()
}

#[test]
fn exported_evaluators_value_positions_as_the_program_does() {
    let (scratch, cases) = (Scratch::new(), cases());
    for Case { name, weights, .. } in &cases {
        scratch.write(&format!("{name}.json"), export_standalone(weights, Format::Json));
        for ending in ["rs", "h", "py"] {
            scratch.ayo(&format!("export {name}.json -o {name}.{ending}")).success();
        }
    }
    let (input, values) = input_and_values(&cases);
    scratch.write("main.rs", rust(&cases));
    scratch.write("main.c", c(&cases));
    scratch.write("main.py", PYTHON);
    for (tool, arguments, compiled) in [
        ("rustc", "--edition=2021 -Copt-level=0 -Dwarnings main.rs -o by_rust", Some("by_rust")),
        ("cc", "-std=c99 -Wall -Wextra -Wpedantic -Werror main.c -o by_c", Some("by_c")),
        ("python3", "main.py", None),
    ] {
        if Command::new(tool).arg("--version").output().is_err() {
            let _ = writeln!(std::io::stderr(), "WARNING: NO EXPORTS ARE TRIED WITHOUT {tool}");
            continue;
        }
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let mut printed = run(&scratch, tool, &arguments, &input);
        if let Some(program) = compiled {
            printed = run(&scratch, scratch.path(program), &[], &input);
        }
        let printed: Vec<i32> = printed.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(printed.len(), values.len(), "{tool}");
        if let Some(at) = (0..values.len()).find(|&at| printed[at] != values[at]) {
            let line = input.lines().nth(at).unwrap();
            let features = cases[at / POSITIONS].weights.features();
            let exporter = "crates/mancala/src/eval/export/source.rs";
            let difference = format!("prints {} and not {}", printed[at], values[at]);
            panic!("{tool}: {difference}: {line}\nfeatures {features}, exported by {exporter}");
        }
    }
}

#[test]
fn sources_say_whose_value_it_is() {
    let scratch = Scratch::new();
    for (weights, said) in [("reference", "who just moved"), ("h2+k4", "at its root")] {
        for format in ["rust", "c", "python"] {
            holds(&scratch.text(&format!("export {weights} --format {format}")), &[said]);
        }
    }
    let text = scratch.text("export reference --format c --name 2nd-best!");
    let function = "static inline int weights_2nd_best_evaluate(";
    holds(&text, &["#ifndef WEIGHTS_2ND_BEST_H\n", function]);
    for (name, function) in [("", "my_seeds"), ("--name other", "other")] {
        holds(&scratch.text(&format!("export seeds -o my-seeds.h {name}")), &["my-seeds.h"]);
        holds(&scratch.read("my-seeds.h"), &[&format!("int {function}_evaluate(")]);
    }
    holds(&scratch.text("export learned -o l.json"), &["l.json", "features-"]);
}

#[test]
fn positions_of_a_file_are_valued_line_by_line() {
    let scratch = Scratch::new();
    let start = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
    scratch.write("positions.txt", format!("# two\n{start}\n\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\n"));
    let said = scratch.text("eval --positions positions.txt --weights a11");
    assert_eq!(said, format!("{start} 0\n4-4-4-4-4-0-5-5-5-5-4-4-0-0-N 1\n"));
    scratch.write("positions.txt", "4-4-S");
    scratch.refuses("1 eval --positions", "positions.txt => positions.txt line 1: ");
}
