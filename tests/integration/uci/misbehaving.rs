//! Engines that are wrong on purpose, and what becomes of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::*;
use ayo::arena::End;
use ayo::player::NoChoice;
use mancala::game::Verdict;
use mancala::progress::Progress;

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
    // An engine that has closed its output but keeps running.
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
        ("bestmove 7", "with \"7\": that is not a pit"),
        ("bestmove AB", "with \"AB\": that is not a pit"),
        ("bestmove", "with \"\": that is not a pit"),
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
    let chosen = [(), ()].map(|()| player.choose(&start(), &()).unwrap().pit.letter(Side::South));
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

impl Progress for After {
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

#[test]
fn one_that_does_not_read_is_late() {
    let script = "echo 'option name X type string'; echo uciok; sleep 100";
    // More than any pipe holds.
    let value = "x".repeat(4 << 20);
    assert_eq!(
        refused(script, &format!(",timeout=1s,option.X={value}")),
        "player uci: engine /bin/sh did not answer \"isready\" within 1s"
    );
}

#[test]
fn an_option_that_an_engine_does_not_have_is_refused() {
    let script =
        "echo 'option name Hash type spin'; echo 'option name Own Book type check'; echo uciok
        while read -r line; do echo readyok; done";
    let sentence = "player uci: engine /bin/sh has no option";
    assert_eq!(
        refused(script, ",option.ownbook=1"),
        format!("{sentence} \"ownbook\": there is Own Book, Hash")
    );
    assert_eq!(
        refused("echo uciok", ",option.Hash=1"),
        format!("{sentence} \"Hash\": it has none")
    );
    let many = refused("seq -f 'option name o%g' 30; echo uciok", ",option.Hash=1");
    assert!(many.ends_with("o20 and 10 more"), "{many}");
    let script = Script::new(script);
    player::build(&script.spec(",option.hash=64,option.own book=false")).unwrap();
}

#[test]
fn what_an_engine_prints_cannot_change_the_terminal() {
    let script = "printf 'id name \\033[31mred\\n'; echo uciok; sleep 100";
    assert_eq!(
        refused(script, ",timeout=300ms"),
        "player uci: engine \\u{1b}[31mred did not answer \"isready\" within 300ms"
    );
    let reason = fault(&Script::on_go("printf 'bestmove \\033[2J\\n'"), "");
    assert!(reason.contains("with \"\\u{1b}[2J\": that is not a pit"), "{reason}");
}

#[test]
fn what_an_engine_leaves_behind_is_killed() {
    let script = Script::on_go(
        "sh -c 'echo $$ > child; exec sleep 1000' >&- 2>&- &
        while [ ! -s child ]; do :; done; exit 3",
    );
    assert!(fault(&script, "").starts_with("engine mock ended with exit status: 3"));
    gone(&fs::read_to_string(script.path("child")).unwrap());
}

/// Waits for the end of a process.
fn gone(pid: &str) {
    let begun = Instant::now();
    while lives(pid.trim()) {
        assert!(begun.elapsed() < SOON, "{pid} is still there");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn ctrl_c_ends_an_engine_with_the_program() {
    let script = Script::new("cd \"$(dirname \"$0\")\"; echo $$ > pid; sleep 1000");
    fs::write(script.path("games"), "Ff\n").unwrap();
    for verb in ["move", "replay games", "play", "uci"] {
        let _ = fs::remove_file(script.path("pid"));
        let mut command = among_own_tables(AYO);
        command.current_dir(script.path("")).args(verb.split(' '));
        command.args(["--player", &script.spec(",timeout=100s")]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let pid = loop {
            match fs::read_to_string(script.path("pid")) {
                Ok(pid) if pid.ends_with('\n') => break pid,
                _ => assert!(begun.elapsed() < SOON, "{verb}"),
            }
            thread::sleep(Duration::from_millis(5));
        };
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{verb}");
        gone(&pid);
    }
}

/// Output of a command in a new folder.
fn prints(folder: &Path, verb: &str, players: &[&str], rest: &str) -> String {
    let mut command = among_own_tables(AYO);
    command.current_dir(folder).arg(verb).args(players).args(rest.split_whitespace());
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{verb}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn games_that_an_engine_forfeits_are_counted_wherever_results_are_told() {
    let script = Script::on_go("exit 7");
    let spec = script.spec("");
    let prints =
        |verb: &str, players: &[&str], rest: &str| prints(&script.path(""), verb, players, rest);
    let games = "--openings plies:2 --games 4 --quiet";
    let csv = prints("match", &[&spec, "greedy"], &format!("{games} --csv --games-out games"));
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().ends_with(",distinct_games,forfeits_a,forfeits_b"), "{csv}");
    assert!(lines.next().unwrap().ends_with(",4,0"), "{csv}");
    let players = ["greedy", spec.as_str(), "random"];
    let csv = prints("tournament", &players, &format!("{games} --csv"));
    let forfeits = |player: &str| {
        let row = csv.lines().find(|row| row.contains(player)).unwrap();
        row.rsplit(',').next().unwrap().to_owned()
    };
    assert_eq!(["greedy", "uci:", "random"].map(forfeits), ["0", "8", "0"]);
    let json = prints("tournament", &players, &format!("{games} --json"));
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    let last = &found["players"][2];
    assert_eq!((last["player"].as_str(), &last["forfeits"]), (Some(spec.as_str()), &8.into()));
    assert!(last["first_forfeit"].as_str().unwrap().starts_with("engine mock ended with exit"));
    assert_eq!(
        (&found["players"][0]["forfeits"], &found["players"][0]["first_forfeit"]),
        (&0.into(), &serde_json::Value::Null)
    );
    // And where the games are looked at again.
    let told = "forfeit by the first player: engine mock ended with exit status: 7";
    assert_eq!(prints("replay", &["games"], "").matches(told).count(), 4);
    let json = prints("replay", &["games"], "--json");
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(found["games"][3]["forfeit"].as_str().unwrap().starts_with(told));
}

#[test]
fn a_copy_that_does_not_start_is_named_with_a_way_on() {
    let script = Script::new(&format!(
        "[ -e \"$0.on\" ] && exit 9; touch \"$0.on\"; exec '{AYO}' uci --player minimax:weights=seeds"
    ));
    let spec = script.spec(",depth=1");
    let mut command = among_own_tables(AYO);
    command.args(["match", &spec, "greedy", "--openings", "plies:3", "--threads", "2", "--quiet"]);
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    let begin =
        format!("ayo: another copy of {spec} cannot be started: player uci: engine /bin/sh ended");
    assert!(error.starts_with(&begin) && error.ends_with("; try --threads 1\n"), "{error}");
}
