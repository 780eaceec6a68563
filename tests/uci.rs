//! Conversations between programs: `ayo uci` as others see it, and engines outside as players see
//! them, good and bad.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use ayo::arena::{Openings, Played, Suite, play_game};
use ayo::game::ayo::{Ayo, Rules};
use ayo::game::{Record, Side};
use ayo::player;

const AYO: &str = env!("CARGO_BIN_EXE_ayo");

/// `ayo uci`, spoken to.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Talk {
    fn begin(arguments: &[&str]) -> Talk {
        let mut command = Command::new(AYO);
        command.arg("uci").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
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

    /// The lines up to the first that begins like this.
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

    fn ask(&mut self, line: &str, last: &str) -> Vec<String> {
        self.say(line);
        self.hear(last)
    }

    /// The letter after `bestmove`.
    fn best_move(&mut self, line: &str) -> String {
        let last = self.ask(line, "bestmove").pop().unwrap();
        last.split(' ').nth(1).unwrap().to_owned()
    }

    /// Waits for the end, which must be a good one.
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
    let thoughts = talk.ask("go depth 5", "bestmove");
    assert!(thoughts[0].starts_with("info depth 1 score cp "), "{thoughts:?}");
    assert!(thoughts.iter().any(|line| line.starts_with("info depth 5 ")));
    assert!(thoughts.iter().any(|line| line.contains(" pv ")));
    // While it searches without end it hears what else is said.
    talk.say("position startpos moves f F");
    talk.say("go infinite");
    talk.hear("info depth 3 ");
    talk.ask("isready", "readyok");
    assert!("abcdef".contains(&talk.best_move("stop")));
    for garbage in ["joho", "", "position", "go depth x", "setoption name Hash value 1"] {
        talk.say(garbage);
    }
    talk.say(b"\xff\xfe\x00");
    let remarks = talk.ask("isready", "readyok");
    assert_eq!(remarks.len(), 6, "{remarks:?}");
    assert!(remarks[..5].iter().all(|line| line.starts_with("info string ")));
    assert_eq!(talk.best_move("go depth 1"), "0000", "a refused position is no position");
    talk.say("position startpos");
    talk.say("go infinite");
    talk.hear("info depth 2 ");
    talk.say("quit");
    // Whatever it has said in between, it ends, and says no move.
    let rest: Vec<String> = talk.lines.iter().collect();
    assert!(rest.iter().all(|line| line.starts_with("info ")), "{rest:?}");
    talk.end();
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let mut talk = Talk::begin(&[]);
    talk.ask("isready", "readyok");
    talk.say("go infinite");
    talk.hear("info depth 2 ");
    talk.input = None;
    assert!(talk.child.wait().unwrap().success());
}

#[test]
fn nobody_who_reads_is_no_failure() {
    let mut command = Command::new(AYO);
    let command = command.arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.as_mut().unwrap().write_all(b"uci\nuci\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn go_plays_what_ayo_move_plays() {
    let spec = "minimax:weights=daoud2004-depth5,depth=5";
    let mut talk = Talk::begin(&["--player", spec]);
    for line in ["", "F", "f", "FfEa", "fEeFdD", "CcBbAaDdFf"] {
        let mut command = Command::new(AYO);
        command.args(["move", "--json", "--player", spec, "--line", line]);
        let printed = command.output().unwrap().stdout;
        let moved: serde_json::Value = serde_json::from_slice(&printed).unwrap();
        let blank = if line.is_empty() { "" } else { " moves " };
        talk.say(format!("position startpos{blank}{line}"));
        assert_eq!(talk.best_move("go depth 5"), moved["move"], "{line}");
        assert_eq!(talk.best_move("go"), moved["move"], "{line}");
    }
    talk.say("quit");
    talk.end();
}

#[test]
fn wrong_arguments_are_a_wrong_command() {
    for arguments in [["--player", "nobody"], ["--rules", "chess"], ["--player", "uci"]] {
        let mut command = Command::new(AYO);
        let output = command.arg("uci").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
    let no_engine = ["uci", "--player", "uci:cmd=/nowhere/engine"];
    let output = Command::new(AYO).args(no_engine).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

/// The specification of `ayo uci`, with a player's settings, as an engine outside.
fn outside(settings: &str) -> String {
    format!("uci:cmd=\"'{AYO}' uci --player minimax:weights=seeds\",{settings}")
}

fn openings(suite: &str, game: Ayo) -> Openings {
    suite.parse::<Suite>().unwrap().openings(game).unwrap()
}

#[test]
fn a_player_outside_chooses_as_the_one_inside() {
    for limit in ["depth=4", "nodes=3000"] {
        let mut outer = player::build(&outside(limit)).unwrap();
        let mut inner = player::build(&format!("minimax:weights=seeds,{limit}")).unwrap();
        for opening in openings("random:40,plies=12,seed=5", Ayo::default()).positions() {
            let record = Record::from_position(Ayo::default(), *opening);
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
fn ayo_move_shows_what_an_engine_thinks() {
    let mut command = Command::new(AYO);
    command.args(["move", "--json", "--player", &outside("depth=5")]);
    let printed = command.output().unwrap().stdout;
    let moved: serde_json::Value = serde_json::from_slice(&printed).unwrap();
    assert!(moved["score"].is_i64() && moved["nodes"].as_u64() > Some(0), "{moved}");
    assert_eq!(moved["pv"].as_str().unwrap().len(), 5);
}

#[test]
fn what_an_engine_is_stands_in_its_identity() {
    let spec = outside("movetime=20ms,option.Depth=7");
    let player = player::build(&spec).unwrap();
    let identity = player.identity();
    for part in ["uci --player", "(ayo ", "Depth=7", "movetime 20ms"] {
        assert!(identity.contains(part), "{part}: {identity}");
    }
    assert!(!player.reproducible());
    assert!(player::build(&outside("depth=2")).unwrap().reproducible());
}

fn played(specs: [&str; 2], record: &mut Record<Ayo>) -> Played {
    let mut players = specs.map(|spec| player::build(spec).unwrap());
    let [south, north] = &mut players;
    south.new_game();
    north.new_game();
    play_game(record, [&mut **south, &mut **north], &()).unwrap()
}

#[test]
fn whole_games_are_those_of_the_same_player_inside() {
    let (other, inner) = ("minimax:weights=aalina4,depth=3", "minimax:weights=seeds,depth=4");
    let outer = outside("depth=4");
    for rules in [Rules::AYO, Rules::AWARI, Rules::NO_SLAM] {
        let game = Ayo { rules };
        for opening in openings("random:3,plies=6,seed=2", game).positions() {
            for side in Side::BOTH {
                let pair = |ours| if side == Side::South { [ours, other] } else { [other, ours] };
                let mut records = [inner, &outer].map(|ours| {
                    let mut record = Record::from_position(game, *opening);
                    let end = played(pair(ours), &mut record).end;
                    (record.line(), record.settlement(), end)
                });
                let [(line, ..), _] = &mut records;
                assert!(line.len() > 10);
                assert_eq!(records[0], records[1], "{rules} {opening}");
            }
        }
    }
}

/// Engines that are wrong on purpose.
#[cfg(unix)]
mod misbehaving {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::time::Instant;

    use super::*;
    use ayo::arena::End;
    use ayo::game::Verdict;
    use ayo::player::NoChoice;
    use ayo::search::Monitor;

    /// Longer than any of these tests may take.
    const SOON: Duration = Duration::from_secs(20);

    /// A shell script that is an engine.
    struct Script(tempfile::TempDir);

    impl Script {
        fn new(text: &str) -> Script {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("engine.sh"), text).unwrap();
            Script(folder)
        }

        /// An engine that does everything right except what it does when it is to move.
        fn on_go(text: &str) -> Script {
            Script::new(&format!(
                "cd \"$(dirname \"$0\")\"; echo $$ > pid
                while read -r line; do case \"$line\" in
                uci) echo 'id name mock'; echo uciok;;
                isready) echo readyok;;
                go*) {text};;
                quit) exit 0;;
                esac; done"
            ))
        }

        fn spec(&self, settings: &str) -> String {
            let script = self.0.path().join("engine.sh");
            format!("uci:cmd=\"/bin/sh '{}'\"{settings}", script.display())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }
    }

    fn start() -> Record<Ayo> {
        Record::new(Ayo::default(), Side::South)
    }

    /// Why the engine loses when it is to move at the start.
    fn fault(script: &Script, settings: &str) -> String {
        let begun = Instant::now();
        let mut player = player::build(&script.spec(settings)).unwrap();
        let reason = match player.choose(&start(), &()) {
            Err(NoChoice::Forfeit(reason)) => reason,
            other => panic!("{other:?}"),
        };
        drop(player);
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        assert!(!runs(&script.path("pid")), "it is still there");
        reason
    }

    /// Whether the process whose number is in a file is there.
    fn runs(pid: &Path) -> bool {
        let pid = fs::read_to_string(pid).unwrap();
        let mut command = Command::new("/bin/sh");
        let command = command.args(["-c", &format!("kill -0 {pid}")]).stderr(Stdio::null());
        command.status().unwrap().success()
    }

    fn refused(script: &str, settings: &str) -> String {
        let begun = Instant::now();
        let script = Script::new(script);
        let error = player::build(&script.spec(settings)).err().expect("no player").to_string();
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
        error
    }

    #[test]
    fn one_that_does_not_introduce_itself_is_no_player() {
        assert_eq!(
            refused("echo help >&2; exit 3", ""),
            "player uci: engine /bin/sh ended with exit status: 3 after \"uci\"; its last words \
             were \"help\""
        );
        let late = "player uci: engine /bin/sh did not answer \"uci\" within 1s";
        assert_eq!(refused("sleep 100", ",timeout=1s"), late);
        assert_eq!(refused("yes uci", ",timeout=1s"), late);
        assert_eq!(refused("yes uci | tr -d '\\n'", ",timeout=1s"), late);
        // One that has closed its output but stays.
        assert_eq!(
            refused("exec >&-; sleep 100", ""),
            "player uci: engine /bin/sh closed its output after \"uci\""
        );
    }

    #[test]
    fn a_move_that_is_none_loses() {
        for (answer, objection) in [
            ("bestmove a", "with \"a\": it is South's turn"),
            ("bestmove G", "with \"G\": there is no such pit"),
            ("bestmove 7", "with \"7\": that is no pit"),
            ("bestmove AB", "with \"AB\": that is no pit"),
            ("bestmove", "with \"\": that is no pit"),
            ("bestmove 0000", "with \"0000\": the game is not over"),
        ] {
            let script = Script::on_go(&format!("echo {answer}"));
            let reason = fault(&script, ",depth=6");
            assert_eq!(reason, format!("engine mock answered \"go depth 6\" {objection}"));
        }
    }

    #[test]
    fn one_that_does_not_move_in_time_loses() {
        let late = "engine mock did not answer \"go depth 5\" within 1s";
        for way in ["sleep 100", "yes joho", "while :; do :; done", "sleep 3; echo bestmove A"] {
            assert_eq!(fault(&Script::on_go(way), ",timeout=1s"), late, "{way}");
        }
        let reason = fault(&Script::on_go("sleep 100"), ",timeout=500ms,movetime=500ms");
        assert_eq!(reason, "engine mock did not answer \"go movetime 500\" within 1s");
    }

    #[test]
    fn an_illegal_move_or_a_crash_in_mid_game_loses_the_game() {
        let other = "minimax:weights=seeds,depth=1";
        for (way, reason) in [
            ("echo bestmove F", "engine mock answered \"go depth 5\" with \"F\": the pit is empty"),
            (
                "[ -e moved ] && exit 7; touch moved; echo bestmove F",
                "engine mock ended with exit status: 7 after \"go depth 5\"",
            ),
            (
                "[ -e moved ] && kill -9 $$; touch moved; echo bestmove F",
                "engine mock ended with signal: 9 (SIGKILL) after \"go depth 5\"",
            ),
        ] {
            let script = Script::on_go(way);
            let mut record = start();
            let played = played([&script.spec(""), other], &mut record);
            assert_eq!(played.end, End::Forfeit(Side::South, reason.into()));
            assert_eq!(played.settlement.verdict, Verdict::Won(Side::North));
            assert_eq!(record.plies().len(), 2);
        }
        // The crash may as well be noticed at the next word to it.
        let script = Script::on_go("echo bestmove F; exit 7");
        let mut record = start();
        let played = played([&script.spec(""), other], &mut record);
        let End::Forfeit(Side::South, reason) = played.end else { panic!("{played:?}") };
        assert!(reason.starts_with("engine mock ended with exit status: 7 after \""), "{reason}");
    }

    #[test]
    fn another_is_started_after_one_has_failed() {
        let script = Script::on_go("[ -e failed ] && echo bestmove B || { touch failed; exit 1; }");
        let mut player = player::build(&script.spec("")).unwrap();
        player.new_game();
        assert!(matches!(player.choose(&start(), &()), Err(NoChoice::Forfeit(_))));
        player.new_game();
        assert_eq!(player.choose(&start(), &()).unwrap().pit.index(), 1);
    }

    #[test]
    fn a_late_word_is_not_taken_for_the_next_answer() {
        let script = Script::on_go(
            "[ -e moved ] && echo bestmove E || { touch moved; echo bestmove F; echo bestmove A; }",
        );
        let mut player = player::build(&script.spec("")).unwrap();
        let chosen =
            [(), ()].map(|()| player.choose(&start(), &()).unwrap().pit.letter(Side::South));
        assert_eq!(chosen, ['F', 'E']);
    }

    #[test]
    fn lines_that_are_none_of_our_business_do_no_harm() {
        let noise = "echo; echo joho; echo info; echo info depth x pv Q; printf '\\377\\n';
            head -c 100000 /dev/zero | tr '\\0' x; echo; seq 5000; echo info score cp 7 nodes 9;";
        let script = Script::on_go(&format!("{noise} echo bestmove C"));
        let choice = player::build(&script.spec("")).unwrap().choose(&start(), &()).unwrap();
        assert_eq!(choice.pit.letter(Side::South), 'C');
        assert_eq!((choice.score.unwrap().0, choice.nodes, choice.depth), (7, 9, None));
    }

    /// Stops a while after it was made.
    struct After(Instant);

    impl Monitor for After {
        fn should_stop(&self) -> bool {
            self.0.elapsed() > Duration::from_millis(300)
        }
    }

    #[test]
    fn a_player_outside_can_be_stopped() {
        for way in ["read -r line; echo bestmove A", "sleep 100"] {
            let script = Script::on_go(way);
            let mut player = player::build(&script.spec(",timeout=100s")).unwrap();
            let begun = Instant::now();
            let choice = player.choose(&start(), &After(begun));
            assert_eq!(choice, Err(NoChoice::Stopped), "{way}");
            assert!(begun.elapsed() < SOON);
        }
    }

    #[test]
    fn one_that_does_not_quit_is_killed_with_what_it_has_started() {
        let script = Script::new(
            "cd \"$(dirname \"$0\")\"; sh -c 'echo $$ > pid; exec sleep 1000' &
            while :; do read -r line
            case \"$line\" in uci) echo uciok;; isready) echo readyok;; esac; done",
        );
        let begun = Instant::now();
        let player = player::build(&script.spec("")).unwrap();
        while fs::read_to_string(script.path("pid")).is_ok_and(|pid| pid.trim().is_empty()) {
            thread::sleep(Duration::from_millis(5));
        }
        drop(player);
        assert!(begun.elapsed() < SOON);
        let pid = fs::read_to_string(script.path("pid")).unwrap();
        while lives(pid.trim()) {
            assert!(begun.elapsed() < SOON);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether a process does anything; a dead one may wait for whoever adopted it to bury it.
    fn lives(pid: &str) -> bool {
        let state = fs::read_to_string(format!("/proc/{pid}/stat"));
        state.is_ok_and(|state| !state.contains(") Z "))
    }

    #[test]
    fn an_engine_that_is_stopped_still_plays() {
        let mut player = player::build(&outside("depth=5")).unwrap();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        assert_eq!(player.choose(&start(), &After(long_ago)), Err(NoChoice::Stopped));
        assert!(player.choose(&start(), &()).is_ok());
    }
}
