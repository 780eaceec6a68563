//! Games and positions exchanged with other programs.

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use ayo::player;
use mancala::game::ayo::{Ayo, Position};
use mancala::game::{Game, Pit, Record, Side, Verdict};

use crate::support::{Scratch, holds, refused};
use crate::uci::Talk;

fn choose(bot: &mut Talk, position: &Position) -> Pit {
    let mover = position.to_move();
    let pits = [mover, mover.other()].map(|side| position.row(side));
    let pits: Vec<String> = pits.as_flattened().iter().map(u8::to_string).collect();
    let line = bot.ask(&pits.join(" "), "").remove(0);
    Pit::new(line.trim().parse().unwrap()).unwrap()
}

/// Plays a game after two given moves. Also returns the bot's longest time for a move, except for its first.
fn play(mut bot: Talk, side: Side, opponent: &str, opening: [u8; 2]) -> (Record<Ayo>, Duration) {
    let game = Ayo::default();
    let mut opponent = player::build_for(opponent, game).unwrap();
    let mut record = Record::new(game, Side::South);
    let mut times = Vec::new();
    for pit in opening {
        record.play(Pit::new(pit).unwrap()).unwrap();
    }
    while record.ending().is_none() && record.plies().len() < 200 {
        let pit = if record.to_move() == side {
            let begun = Instant::now();
            let pit = choose(&mut bot, record.position());
            times.push(begun.elapsed());
            pit
        } else {
            opponent.choose(&record, &()).unwrap().pit
        };
        record.play(pit).unwrap();
    }
    (record, times.into_iter().skip(1).max().unwrap_or_default())
}

fn points(record: &Record<Ayo>, side: Side) -> f64 {
    let stores = Side::BOTH.map(|side| record.game().store(record.position(), side));
    match record.verdict().unwrap_or(Verdict::by_stores(stores)) {
        Verdict::Won(winner) => f64::from(u8::from(winner == side)),
        Verdict::Drawn => 0.5,
    }
}

/// Compiles the exported bot, or returns `None` if there is no compiler.
fn compiled(scratch: &Scratch, weights: &str) -> Option<std::path::PathBuf> {
    scratch.ayo(&format!("export {weights} --format codingame -o bot.rs")).success();
    assert!(scratch.read("bot.rs").chars().count() < 100_000);
    let program = scratch.path("bot");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition=2021", "-O", "-Dwarnings", "-o"]).arg(&program);
    let Ok(status) = rustc.arg(scratch.path("bot.rs")).status() else {
        let _ = writeln!(std::io::stderr(), "WARNING: THE BOT IS NOT TRIED, THERE IS NO rustc");
        return None;
    };
    assert!(status.success());
    Some(program)
}

#[test]
fn the_exported_bot_plays_legal_moves() {
    let scratch = Scratch::new();
    let Some(program) = compiled(&scratch, "reference") else { return };
    for (side, opening) in [(Side::South, [2, 5]), (Side::North, [0, 3])] {
        let bot = Talk::with(Command::new(&program));
        let (record, _) = play(bot, side, "greedy", opening);
        assert!(points(&record, side) > 0.0, "{}", record.line());
    }
    for (weights, part) in [("learned", "100,000 characters"), ("stores", "no kalah")] {
        let said = scratch.ayo(&format!("export {weights} --format codingame"));
        holds(&said.code(2).stderr(), &[part]);
    }
}

#[test]
#[ignore = "takes ten minutes"]
fn the_exported_bot_beats_the_exported_player() {
    let scratch = Scratch::new();
    let Some(program) = compiled(&scratch, "reference") else { return };
    let (mut score, mut longest) = (0.0, Duration::ZERO);
    for game in 0..100_u8 {
        let side = if game % 2 == 0 { Side::South } else { Side::North };
        let opening = [game / 2 % 6, game / 12 % 6];
        let bot = Talk::with(Command::new(&program));
        let (record, time) = play(bot, side, "minimax:weights=reference,depth=5", opening);
        score += points(&record, side);
        longest = longest.max(time);
    }
    let _ = writeln!(std::io::stderr(), "score {score} of 100, longest move {longest:?}");
    assert!(score >= 90.0);
}

#[test]
fn ayo_plays_as_a_bot_of_codingame() {
    let mut command = crate::support::among_own_tables(env!("CARGO_BIN_EXE_ayo"));
    command.args(["uci", "--protocol", "codingame", "--player", "greedy"]);
    let (record, _) = play(Talk::with(command), Side::North, "random:seed=1", [2, 5]);
    assert!(record.plies().len() > 10);
}

#[test]
fn games_are_converted_between_formats() {
    let scratch = Scratch::new();
    scratch.text("match random greedy --openings plies:1 --quiet --games-out a.jsonl");
    scratch.text("convert a.jsonl -o a.pgn");
    holds(&scratch.read("a.pgn"), &["[Variant \"Oware\"]\n", "1. "]);
    scratch.text("convert a.pgn -o b.jsonl");
    assert_eq!(scratch.json("analyse b.jsonl --json")["games"].as_array().unwrap().len(), 12);
}

#[test]
fn conversions_warn_of_rules_and_refuse_what_does_not_fit() {
    let scratch = Scratch::new();
    scratch.write("slam.txt", "0-0-0-0-0-2-1-1-0-0-0-0-22-22-S F\n");
    let said = scratch.ayo("convert slam.txt --rules wipe-out -o slam.pgn");
    holds(&said.success().stderr(), &["warning", "ply 1", "pgn"]);
    scratch.write("kalah.kgp", "state <3,0,0,3,3,3,3,3,3>\nmove 1\n");
    scratch.write("huge.fen", "99999999999999999999S,5/6 0 0 S 1\n");
    scratch.write("empty.pgn", "");
    scratch.write("x.cg", "4 4 4 4 4 4 4 4 4 4 4 4\n6\n");
    for (code, command, parts) in [
        (2, "kalah.kgp -o a.pgn", &["kalah.kgp", "--to pgn"][..]),
        (2, "slam.txt -o a.xyz", &["a.xyz", "--to"]),
        (2, "x.cg --rules awari --to pgn", &["--rules awari"]),
        (1, "huge.fen", &["huge.fen", "line 1", "99999"]),
        (1, "empty.pgn", &["empty.pgn"]),
        (1, "x.cg", &["x.cg", "line 2"]),
        (1, "slam.txt -o a.spiel", &["slam.txt", "game 1"]),
    ] {
        refused(scratch.ayo(&format!("convert {command}")), code, parts);
    }
}
