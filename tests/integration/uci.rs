//! Dialogues between programs: `ayo uci` as seen by other programs, and external engines as players.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use ayo::arena::{FinishedGame, Suite, play_game};
use ayo::player;
use mancala::game::ayo::{Ayo, Position, Rules};
use mancala::game::{Record, Side};

use crate::support::{Scratch, among_own_tables, holds};

const AYO: &str = env!("CARGO_BIN_EXE_ayo");

pub struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    pub fn begin(arguments: &[&str]) -> Talk {
        let mut command = among_own_tables(AYO);
        command.arg("uci").args(arguments);
        Talk::with(command)
    }

    pub fn with(mut command: Command) -> Talk {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || output.lines().map_while(Result::ok).all(|l| sender.send(l).is_ok()));
        Talk { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    fn hear(&self, last: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("no {last} after {heard:?}: {error}"),
            }
            if heard[heard.len() - 1].starts_with(last) {
                return heard;
            }
        }
    }

    pub fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.say(line);
        self.hear(last)
    }

    /// Waits for the program to exit. It must succeed and print nothing more.
    fn end(mut self) {
        assert!(self.child.wait().unwrap().success());
        assert!(self.lines.recv_timeout(Duration::from_secs(60)).is_err(), "silence");
    }
}

#[test]
fn a_whole_dialogue() {
    let mut talk = Talk::begin(&["--player", "minimax:weights=seeds,depth=3"]);
    let introduction = talk.ask("uci", "uciok");
    assert_eq!(introduction[0], format!("id name ayo {}", env!("CARGO_PKG_VERSION")));
    assert!(introduction[1].starts_with("id author "));
    assert!(introduction.contains(&"option name Depth type spin default 3 min 1 max 100".into()));
    assert_eq!(talk.ask("isready", "readyok"), ["readyok"]);
    talk.say("ucinewgame");
    talk.say("position startpos moves FfEa");
    let thoughts = talk.ask("go depth 5", "bestmove").join("\n");
    holds(&thoughts, &["info depth 1 score cp ", "\ninfo depth 5 ", " pv "]);
    talk.say("position startpos moves f F");
    talk.say("go infinite");
    talk.hear("info depth 3 ");
    talk.ask("isready", "readyok");
    let last = talk.ask("stop", "bestmove").pop().unwrap();
    assert!("abcdef".contains(last.split(' ').nth(1).unwrap()));
    talk.say(b"\xff\xfe\x00");
    let remarks = talk.ask("isready", "readyok");
    assert!(remarks.len() > 1);
    assert!(remarks[..remarks.len() - 1].iter().all(|line| line.starts_with("info string ")));
    talk.say("position startpos");
    talk.say("go infinite");
    talk.hear("info depth 2 ");
    talk.say("quit");
    let rest: Vec<String> = talk.lines.iter().collect();
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
    talk.end();
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let mut talk = Talk::begin(&[]);
    talk.ask("isready", "readyok");
    talk.say("go infinite");
    talk.hear("info depth 3 ");
    talk.input = None;
    assert!(talk.child.wait().unwrap().success());
    // The last command of a script still gets an answer.
    let uci = ["uci", "--player", "minimax:weights=seeds"];
    for script in ["go depth 4\n", "go depth 4\nquit\ngo infinite\n"] {
        let said = Scratch::new().run_with(&uci, script).success().stdout();
        assert_eq!(said.matches("\nbestmove ").count(), 1, "{said}");
    }
}

/// Returns the specification of an external engine that is `ayo uci` with these settings.
fn outside(settings: &str) -> String {
    format!("uci:cmd=\"'{AYO}' uci --player minimax:weights=seeds\",{settings}")
}

fn openings(suite: &str, game: Ayo) -> Vec<Position> {
    suite.parse::<Suite>().unwrap().openings(game).unwrap()
}

#[test]
fn a_player_outside_chooses_as_the_one_inside() {
    for (limit, rules) in [("depth=4", Rules::NO_SLAM), ("nodes=3000", Rules::AWARI)] {
        let game = Ayo { rules };
        let mut outer = player::build_for(&outside(limit), game).unwrap();
        let mut inner = player::build_for(&format!("minimax:weights=seeds,{limit}"), game).unwrap();
        for opening in openings("random:40,plies=12,seed=5", game) {
            let record = Record::from_position(game, opening);
            let told = outer.choose(&record, &()).unwrap();
            let own = inner.choose(&record, &()).unwrap();
            assert_eq!((told.pit, told.score), (own.pit, own.score), "{opening}");
            assert_eq!(told.depth, own.depth, "{opening}");
            let line = outer.variation(&record, &told);
            assert_eq!(line, inner.variation(&record, &own), "{opening}");
        }
    }
}

#[test]
fn what_an_engine_is_and_thinks_is_shown() {
    let line = ["bestmove", "--json", "--player", &outside("depth=5")];
    let moved = Scratch::new().run(&line).success().json();
    assert!(moved["score"].is_i64() && moved["nodes"].as_u64() > Some(0), "{moved}");
    assert_eq!(moved["pv"].as_str().unwrap().len(), 5);
    let player = player::build(&outside("movetime=20ms,option.Depth=7")).unwrap();
    holds(&player.identity(), &["uci --player", "(ayo ", "Depth=7", "movetime 20ms"]);
    assert!(!player.is_reproducible());
    assert!(player::build(&outside("depth=2")).unwrap().is_reproducible());
}

fn played(specs: [&str; 2], record: &mut Record<Ayo>) -> FinishedGame {
    let mut players = specs.map(|spec| player::build(spec).unwrap());
    let [south, north] = &mut players;
    south.new_game();
    north.new_game();
    play_game(record, [&mut **south, &mut **north], &()).unwrap()
}

#[cfg(unix)]
#[path = "uci/misbehaving.rs"]
mod misbehaving;
