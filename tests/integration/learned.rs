//! Weights of units of a learned layer, in every verb that takes weights.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use mancala::eval::{
    FeatureSet, Format, Layer, MOST_UNITS, Signs, Weights, export, export_standalone,
};
use mancala::game::ayo::Ayo;
use mancala::game::kalah::Kalah;
use mancala::game::{AnyGame, Encoded, GameKind, Notated, Side, with_game};
use mancala::search::SearchableGame;
use predicates::str::contains;
use serde_json::json;

use crate::support::Scratch;
use crate::uci::Talk;

/// Numbers that look like any.
struct Noise(u64);

impl Noise {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    /// A number up to this size.
    fn within(&mut self, size: i16) -> i16 {
        self.below(2 * size as u64 + 1) as i16 - size
    }
}

fn layer<G: Encoded>(units: usize) -> Arc<Layer> {
    let mut noise = Noise(7);
    let rows = (0..G::rows() * units).map(|_| noise.within(60)).collect();
    let bias = (0..units).map(|_| noise.within(200)).collect();
    Arc::new(Layer::new(G::KIND, units, rows, bias).unwrap())
}

/// Weights of all units of a layer, and of these features.
fn weights<G: Encoded>(units: usize, beside: &str) -> Weights {
    let letter = if G::KIND == GameKind::Ayo { "u" } else { "ku" };
    let names: Vec<String> = (1..=units).map(|unit| format!("{letter}{unit}")).collect();
    let features: FeatureSet = format!("{}{beside}", names.join(",")).parse().unwrap();
    let features = features.with_layer(layer::<G>(units)).unwrap();
    let mut noise = Noise(11);
    let values: Vec<i64> = features.features().iter().map(|_| noise.within(300).into()).collect();
    Weights::new("learned", features, &values, Signs::Signed).unwrap()
}

/// Writes the weights and, beside them, their layer.
fn keep(scratch: &Scratch, name: &str, weights: &Weights) {
    let layer = weights.features().layer().unwrap();
    scratch.write(name, export(weights, Format::Json));
    scratch.write(&layer.file_name(), layer.encode());
}

const POSITION: &str = "0-1-0-1-0-12-0-1-1-2-3-1-14-12-S";

#[test]
fn every_verb_that_takes_weights_takes_those_of_units() {
    let scratch = Scratch::new();
    let of_ayo = weights::<Ayo>(16, ",a9,a10");
    keep(&scratch, "learned.json", &of_ayo);
    keep(&scratch, "kalah.json", &weights::<Kalah>(8, ""));
    let position: mancala::game::ayo::Position = POSITION.parse().unwrap();
    let values = of_ayo.features().values::<Ayo>(&position, Side::South);
    let score: i32 = values.iter().zip(of_ayo.effective()).map(|(n, weight)| n * weight).sum();
    let said = scratch.json(&format!("eval --position {POSITION} --weights learned.json --json"));
    let hash = of_ayo.features().layer().unwrap().hash();
    let expected = [json!(values), json!(score), json!(hash)];
    assert_eq!([&said["features"], &said["score"], &said["layer"]], expected.each_ref());
    let said = scratch.text(&format!("eval --position {POSITION} --weights learned.json"));
    assert!(said.contains("u16  unit 16 of a learned layer"), "{said}");
    let inspected = scratch.json("inspect learned.json --json");
    assert_eq!(inspected["layer"]["units"], 16);
    let file = of_ayo.features().layer().unwrap().file_name();
    assert_eq!(scratch.json(&format!("inspect {file} --json")), inspected["layer"]);
    for line in [
        "match minimax:weights=learned.json,depth=3 minimax:weights=seeds,depth=3 --games 20",
        "match rbh:weights=learned.json,plies=2 random --games 10",
        "match --game kalah minimax:weights=kalah.json,depth=3 random --games 10",
        "ablate learned.json --depth 2 --openings random:2,plies=6 --quiet",
        "plot learned.json -o a.svg",
        "inspect kalah.json",
        "eval --game kalah --weights kalah.json",
        "export learned.json --format toml",
    ] {
        scratch.ayo(line).success();
    }
    // Pruned or not, the move is the same.
    for (game, file) in [("ayo", "learned.json"), ("kalah", "kalah.json")] {
        let best = |player: &str| {
            let player = format!("{player}:weights={file},depth=5");
            let found = scratch.json(&format!("move --game {game} --player {player} --json"));
            (found["move"].clone(), found["score"].clone())
        };
        assert_eq!(best("minimax"), best("plain-minimax"));
    }
    scratch.ayo("match minimax:weights=kalah.json,depth=3 random --games 2").failure().code(2);
}

#[test]
fn a_session_of_uci_plays_by_units() {
    let scratch = Scratch::new();
    keep(&scratch, "learned.json", &weights::<Ayo>(32, ""));
    let file = scratch.path("learned.json");
    let player = format!("minimax:weights={}", file.display());
    let mut talk = Talk::begin(&["--player", &player]);
    talk.ask("uci", "uciok");
    let heard = talk.ask("go depth 4", "bestmove");
    assert!(heard.iter().any(|line| line.contains("depth 4")), "{heard:?}");
}

#[test]
fn searches_by_units_look_into_tables() {
    let scratch = Scratch::new();
    keep(&scratch, "learned.json", &weights::<Ayo>(16, ""));
    scratch.ayo("endgame build --seeds 5 --out tables --quiet").success();
    let position = "0-0-1-0-0-2-0-0-1-1-0-0-21-22-S";
    let found = scratch.json(&format!(
        "move --rules awari --position {position} --player minimax:weights=learned.json,depth=4,tables=tables --json"
    ));
    let seeds = scratch.json(&format!(
        "move --rules awari --position {position} --player minimax:weights=seeds,depth=4,tables=tables --json"
    ));
    assert_eq!(found["move"], seeds["move"]);
    let asked = "minimax:weights=learned.json,depth=3";
    scratch
        .ayo(&format!("accuracy {asked} --tables tables --seeds 4..5 --sample 50 --quiet"))
        .success();
}

#[test]
fn exports_hold_the_layer_or_name_its_file() {
    let scratch = Scratch::new();
    let learned = weights::<Ayo>(16, "");
    keep(&scratch, "learned.json", &learned);
    let file = learned.features().layer().unwrap().file_name();
    scratch.ayo("export learned.json --standalone -o one.json").success();
    assert_eq!(scratch.read("one.json"), export_standalone(&learned, Format::Json));
    assert_eq!(mancala::eval::read(&scratch.read("one.json"), "").unwrap(), learned);
    std::fs::create_dir(scratch.path("elsewhere")).unwrap();
    for ending in ["json", "toml"] {
        scratch.ayo(&format!("export one.json -o elsewhere/it.{ending}")).success();
        let path = scratch.path(&format!("elsewhere/it.{ending}"));
        assert_eq!(mancala::eval::load(&path.to_string_lossy()).unwrap(), learned);
    }
    assert!(scratch.path("elsewhere").join(&file).exists());
    let refused = scratch.ayo("export learned.json --format csv").failure().code(2);
    refused.stderr(contains("csv cannot hold the layer that units are of"));
    let mut bytes = std::fs::read(scratch.path(&file)).unwrap();
    bytes[5000] ^= 1;
    scratch.write(&file, bytes);
    let line =
        format!("learned.json: layer: file \"{file}\" is damaged: its checksum does not match");
    scratch.ayo("eval --weights learned.json").failure().code(1).stderr(contains(line));
    scratch.ayo(&format!("inspect {file}")).failure().code(1).stderr(contains("is damaged"));
}

/// Positions of random games, as numbers in the order of the exported functions, with their values.
fn valued<G: SearchableGame>(game: G, weights: &Weights) -> Vec<(Vec<u16>, i32)> {
    let mut noise = Noise(3);
    let mut valued = Vec::new();
    while valued.len() < 300 {
        let mut position = game.start(Side::BOTH[noise.below(2) as usize]);
        while game.ended(&position).is_none() {
            let me = game.to_move(&position);
            let [south, north] = Notated::rows(&game, &position);
            let rows = if me == Side::South { [south, north] } else { [north, south] };
            let stores = [me, me.other()].map(|side| game.store(&position, side)).to_vec();
            let values = weights.features().values::<G>(&position, me);
            let sum: i32 = values.iter().zip(weights.effective()).map(|(n, it)| n * it).sum();
            valued.push(([rows.concat(), stores].concat(), sum.clamp(-4_000_000, 4_000_000)));
            let moves = game.moves(&position);
            let nth = noise.below(moves.len() as u64) as usize;
            position = game.play(&position, moves.into_iter().nth(nth).unwrap());
        }
    }
    valued
}

/// What a compiled program prints of positions, a line each.
fn printed(program: &Path, positions: &[(Vec<u16>, i32)]) -> Vec<i32> {
    let line = |(numbers, _): &(Vec<u16>, i32)| {
        numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(" ") + "\n"
    };
    let input: String = positions.iter().map(line).collect();
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

const RUST: &str = "
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let numbers: Vec<u16> = line.split(' ').map(|it| it.parse().unwrap()).collect();
        let (rows, stores) = numbers.split_at(numbers.len() - 2);
        let (mine, theirs) = rows.split_at(rows.len() / 2);
        println!(\"{}\", evaluate(MINE, THEIRS, [stores[0], stores[1]]));
    }
}
";

const C: &str = "
#include <stdio.h>
int main(void)
{
    int mine[8], theirs[8], stores[2];
    for (;;) {
        for (int i = 0; i < PITS; i++)
            if (scanf(\"%d\", mine + i) != 1)
                return 0;
        for (int i = 0; i < PITS; i++)
            if (scanf(\"%d\", theirs + i) != 1)
                return 1;
        if (scanf(\"%d %d\", stores, stores + 1) != 2)
            return 1;
        printf(\"%d\\n\", ayo_evaluate(mine, theirs, ARGUMENT stores));
    }
}
";

/// The programs that value positions by an export, as far as there are compilers.
fn programs(
    scratch: &Scratch,
    name: &str,
    weights: &Weights,
    pits: usize,
) -> Vec<std::path::PathBuf> {
    let of_ayo = weights.features().game() == GameKind::Ayo;
    let (mine, theirs, argument) = match of_ayo {
        true => ("mine.try_into().unwrap()", "theirs.try_into().unwrap()", ""),
        false => ("mine", "theirs", "PITS,"),
    };
    let rust = RUST.replace("MINE", mine).replace("THEIRS", theirs);
    let c = C.replace("ARGUMENT", argument).replace("PITS", &pits.to_string());
    let texts = [
        ("rustc", "rs", Format::Rust, rust, &["--edition=2021", "-Copt-level=1", "-Dwarnings"][..]),
        ("cc", "c", Format::C, c, &["-std=c99", "-Wall", "-Wno-unused", "-Werror", "-O1"]),
    ];
    let mut programs = Vec::new();
    for (compiler, ending, format, main, flags) in texts {
        let source = format!("{name}.{ending}");
        let main = if ending == "rs" { format!("#![allow(dead_code)]\n{main}") } else { main };
        let text = export(weights, format);
        let text = if ending == "rs" { main + &text } else { text + &main };
        scratch.write(&source, text);
        let program = scratch.path(&format!("{name}-{ending}"));
        let mut command = Command::new(compiler);
        command.args(flags).arg(scratch.path(&source)).arg("-o").arg(&program);
        // Nothing else needs a C compiler.
        match command.output() {
            Err(_) if compiler == "cc" => continue,
            output => {
                let output = output.unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            }
        }
        programs.push(program);
    }
    programs
}

#[test]
fn exported_functions_value_positions_as_the_program_does() {
    let scratch = Scratch::new();
    let cases = [
        ("ayo", "ayo", weights::<Ayo>(16, "")),
        ("kalah", "kalah", weights::<Kalah>(MOST_UNITS, "")),
        ("small", "kalah:pits=3,seeds=6", weights::<Kalah>(8, "")),
    ];
    for (name, game, weights) in cases {
        let game: AnyGame = game.parse().unwrap();
        let (valued, pits) = with_game!(game, game => {
            let valued = valued(game, &weights);
            let pits = (valued[0].0.len() - 2) / 2;
            (valued, pits)
        });
        let expected: Vec<i32> = valued.iter().map(|(_, value)| *value).collect();
        for program in programs(&scratch, name, &weights, pits) {
            assert_eq!(printed(&program, &valued), expected, "{}", program.display());
        }
    }
}
