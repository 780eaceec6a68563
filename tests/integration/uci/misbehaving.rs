//! Engines that misbehave on purpose, and how players handle them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::*;
use crate::support::{column, wait_until};
use ayo::arena::End;
use ayo::player::NoChoice;
use mancala::game::Verdict;
use mancala::progress::Progress;

const SOON: Duration = Duration::from_secs(20);

/// A shell script that acts as an engine.
struct Script(tempfile::TempDir);

impl Script {
    fn new(text: &str) -> Script {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("engine.sh"), text).unwrap();
        Script(folder)
    }

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

/// Returns why the engine forfeits when it has to move from the start.
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
    // No pipe can hold this much.
    let unread = format!(",timeout=400ms,option.X={}", "x".repeat(4 << 20));
    for (script, settings, words) in [
        ("echo help >&2; exit 3", "", ["exit status: 3 after \"uci\"", "\"help\""]),
        ("sleep 100", ",timeout=400ms", ["\"uci\"", "within 400ms"]),
        ("yes uci", ",timeout=400ms", ["\"uci\"", "within 400ms"]),
        ("yes uci | tr -d '\\n'", ",timeout=400ms", ["\"uci\"", "within 400ms"]),
        ("exec >&-; sleep 100", "", ["closed its output", "\"uci\""]),
        (
            "echo 'option name X type string'; echo uciok; sleep 9",
            &unread,
            ["\"isready\"", "within 400ms"],
        ),
    ] {
        let said = refused(script, settings);
        holds(&said, &["player uci: engine /bin/sh ", words[0], words[1]]);
    }
}

#[test]
fn a_move_that_is_none_or_late_loses() {
    for (answer, objection) in [
        ("a", "it is South's turn"),
        ("G", "there is no such pit"),
        ("7", "not a pit"),
        ("AB", "not a pit"),
        ("", "not a pit"),
        ("0000", "the game is not over"),
    ] {
        let reason = fault(&Script::on_go(&format!("echo bestmove {answer}")), ",depth=6");
        holds(&reason, &["engine mock", "\"go depth 6\"", &format!("\"{answer}\""), objection]);
    }
    for way in ["sleep 100", "yes joho", "while :; do :; done", "sleep 3; echo bestmove A"] {
        let late = fault(&Script::on_go(way), ",timeout=400ms");
        holds(&late, &["engine mock", "\"go depth 5\" within 400ms"]);
    }
    let reason = fault(&Script::on_go("sleep 100"), ",timeout=400ms,movetime=100ms");
    holds(&reason, &["\"go movetime 100\" within 500ms"]);
}

#[test]
fn an_illegal_move_or_a_crash_in_mid_game_loses_the_game() {
    for (way, words) in [
        ("echo bestmove F", "answered \"go depth 5\" with \"F\": the pit is empty"),
        ("[ -e moved ] && exit 7; touch moved; echo bestmove F", "ended with exit status: 7 after"),
        ("[ -e moved ] && kill -9 $$; touch moved; echo bestmove F", "ended with signal: 9 "),
        // We may notice the crash only when we send the next command.
        ("echo bestmove F; exit 7", "ended with exit status: 7 after \""),
    ] {
        let script = Script::on_go(way);
        let mut record = start();
        let played = played([&script.spec(""), "minimax:weights=seeds,depth=1"], &mut record);
        let End::Forfeit(Side::South, reason) = played.end else { panic!("{played:?}") };
        holds(&reason, &["engine mock ", words]);
        assert_eq!(played.settlement.verdict, Verdict::Won(Side::North));
        assert_eq!(record.plies().len(), 2);
    }
}

#[test]
fn another_is_started_after_one_has_failed_and_late_words_are_not_answers() {
    let script = Script::on_go("[ -e failed ] && echo bestmove B || { touch failed; exit 1; }");
    let mut player = player::build(&script.spec("")).unwrap();
    player.new_game();
    assert!(matches!(player.choose(&start(), &()), Err(NoChoice::Forfeit(_))));
    player.new_game();
    assert_eq!(player.choose(&start(), &()).unwrap().pit.index(), 1);
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

/// Asks for a stop 300 ms after its start time.
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
    // Our own engine can be stopped, too, and still plays afterwards.
    let mut player = player::build(&outside("depth=5")).unwrap();
    let long_ago = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
    assert_eq!(player.choose(&start(), &After(long_ago)), Err(NoChoice::Stopped));
    assert!(player.choose(&start(), &()).is_ok());
}

#[test]
fn what_an_engine_has_started_is_killed_with_it() {
    let script = Script::new(
        "cd \"$(dirname \"$0\")\"; sh -c 'echo $$ > pid; exec sleep 1000' &
        while :; do read -r line
        case \"$line\" in uci) echo uciok;; isready) echo readyok;; esac; done",
    );
    let player = player::build(&script.spec("")).unwrap();
    let pid = || fs::read_to_string(script.path("pid")).unwrap_or_default();
    wait_until("nothing is started", || pid().ends_with('\n'));
    let begun = Instant::now();
    drop(player);
    assert!(begun.elapsed() < SOON);
    gone(&pid());
    let script = Script::on_go(
        "sh -c 'echo $$ > child; exec sleep 1000' >&- 2>&- &
        while [ ! -s child ]; do :; done; exit 3",
    );
    assert!(fault(&script, "").starts_with("engine mock ended with exit status: 3"));
    gone(&fs::read_to_string(script.path("child")).unwrap());
}

/// Waits for a process to end. It may remain a zombie until its new parent reaps it.
fn gone(pid: &str) {
    let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    wait_until("it is still there", || {
        state().is_ok_and(|it| it.contains(") Z ")) || state().is_err()
    });
}

#[test]
fn an_option_that_an_engine_does_not_have_is_refused() {
    let script =
        "echo 'option name Hash type spin'; echo 'option name Own Book type check'; echo uciok
        while read -r line; do echo readyok; done";
    let no_option = "engine /bin/sh has no option";
    let said = refused(script, ",option.ownbook=1");
    holds(&said, &[no_option, "\"ownbook\"", "its options are Hash, Own Book"]);
    holds(&refused("echo uciok", ",option.Hash=1"), &[no_option, "\"Hash\": it has no options"]);
    let many = refused("seq -f 'option name o%g' 30; echo uciok", ",option.Hash=1");
    holds(&many, &["its options include o1, o2, o3", "o19, o20 and 10 more"]);
    let script = Script::new(script);
    player::build(&script.spec(",option.hash=64,option.own book=false")).unwrap();
}

#[test]
fn ctrl_c_ends_an_engine_with_the_program() {
    let script = Script::new("cd \"$(dirname \"$0\")\"; echo $$ > pid; sleep 1000");
    fs::write(script.path("games"), "Ff\n").unwrap();
    let pid = || fs::read_to_string(script.path("pid")).unwrap_or_default();
    for verb in ["bestmove", "analyse games", "play", "uci"] {
        let _ = fs::remove_file(script.path("pid"));
        let mut command = among_own_tables(AYO);
        command.current_dir(script.path("")).args(verb.split(' '));
        command.args(["--player", &script.spec(",timeout=100s")]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        wait_until(verb, || pid().ends_with('\n'));
        crate::support::signal(child.id(), "INT");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{verb}");
        gone(&pid());
    }
}

#[test]
fn games_that_an_engine_forfeits_are_counted_wherever_results_are_told() {
    let (scratch, script) = (Scratch::new(), Script::on_go("exit 7"));
    let spec = script.spec("");
    let prints = |verb: &str, players: &[&str], rest: &str| {
        let rest = format!("--openings plies:2 --games 4 --quiet {rest}");
        let rest: Vec<&str> = rest.split_whitespace().collect();
        scratch.run(&[&[verb], players, &rest].concat()).success()
    };
    let csv = prints("match", &[&spec, "greedy"], "--csv --games-out games").stdout();
    assert_eq!(["forfeits_a", "forfeits_b"].map(|it| column(&csv, it).remove(0)), ["4", "0"]);
    let players = ["greedy", spec.as_str(), "random"];
    let csv = prints("tournament", &players, "--csv").stdout();
    let forfeits = column(&csv, "player").into_iter().zip(column(&csv, "forfeits"));
    let forfeits: BTreeMap<String, String> = forfeits.collect();
    assert_eq!(players.map(|player| &*forfeits[player]), ["0", "8", "0"], "{csv}");
    let found = prints("tournament", &players, "--json").json();
    let [first, last] = [0, 2].map(|place| &found["players"][place]);
    assert_eq!((last["player"].as_str(), &last["forfeits"]), (Some(spec.as_str()), &8.into()));
    assert!(last["first_forfeit"].as_str().unwrap().starts_with("engine mock ended with exit"));
    assert!(first["forfeits"] == 0 && first["first_forfeit"].is_null(), "{first}");
    // An analysis of the games reports the forfeits, too.
    let told = "forfeit by the first player: engine mock ended with exit status: 7";
    assert_eq!(scratch.text("analyse games").matches(told).count(), 4);
    let found = scratch.json("analyse games --json");
    assert!(found["games"][3]["forfeit"].as_str().unwrap().starts_with(told));
}

#[test]
fn a_copy_that_does_not_start_is_named_with_a_way_on() {
    let script = Script::new(&format!(
        "[ -e \"$0.on\" ] && exit 9; touch \"$0.on\"; exec '{AYO}' uci --player minimax:weights=seeds"
    ));
    let spec = script.spec(",depth=1");
    let line = ["match", &spec, "greedy", "--openings", "plies:3", "--threads", "2", "--quiet"];
    let _ = fs::remove_file(script.path("engine.sh.on"));
    let recovered = Scratch::new().run(&[&line[..], &["--recover", "--csv"]].concat()).success();
    let forfeits = column(&recovered.stdout(), "forfeits_a")[0].parse::<u32>().unwrap();
    assert!((1..380).contains(&forfeits), "{forfeits}");
    let _ = fs::remove_file(script.path("engine.sh.on"));
    let error = Scratch::new().run(&line).code(1).stderr();
    let begin = format!("ayo: cannot start another copy of {spec}: ");
    assert!(error.starts_with(&begin) && error.ends_with("; try fewer threads\n"), "{error}");
}

/// An engine that crashes in every third game and plays well in the others.
#[test]
fn an_engine_that_crashes_again_and_again_loses_only_these_games() {
    let script = Script::new(&format!(
        "cd \"$(dirname \"$0\")\"; mkfifo to.$$; '{AYO}' uci --player minimax:weights=seeds <to.$$ & exec 3>to.$$
        while read -r line; do case \"$line\" in
        ucinewgame) echo game >> games; [ $(($(wc -l < games) % 3)) = 0 ] && exit 7;;
        esac; echo \"$line\" >&3; done"
    ));
    let spec = script.spec(",depth=2");
    let scratch = Scratch::new();
    let match_of = |file: &str, games: &str| {
        let line = ["match", &spec, "random", "--openings", "plies:2", "--threads", "1", "--quiet"];
        let rest = ["--csv", "--recover", "--games-out", file, "--games", games];
        let csv = scratch.run(&[&line[..], &rest].concat()).success().stdout();
        ["forfeits_a", "forfeits_b", "wins"].map(|name| column(&csv, name)[0].clone())
    };
    assert_eq!(match_of("whole", "30"), ["10", "0", "20"]);
    // The match continues from its file as if nothing had interrupted it.
    let whole = fs::read_to_string(scratch.path("whole")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    scratch.write("part", lines[..14].concat() + &lines[14][..20]);
    fs::write(script.path("games"), "game\n".repeat(13)).unwrap();
    assert_eq!(match_of("part", "30"), ["10", "0", "20"]);
    assert_eq!(fs::read_to_string(scratch.path("part")).unwrap(), whole);
}

#[cfg(target_os = "linux")]
#[test]
fn engines_run_on_the_cores_of_their_game() {
    let script = Script::new(&format!(
        "cd \"$(dirname \"$0\")\"; grep Cpus_allowed_list /proc/$$/status >> cores
        exec '{AYO}' uci --player minimax:weights=seeds"
    ));
    let spec = script.spec(",depth=2");
    let line = ["match", &spec, "greedy", "--openings", "plies:1", "--quiet", "--affinity"];
    Scratch::new().run(&line).success();
    let cores = fs::read_to_string(script.path("cores")).unwrap();
    // The first copy is started before the games.
    let cores: Vec<&str> = cores.lines().skip(1).collect();
    let is_one = |line: &&str| line.rsplit('\t').next().unwrap().parse::<u32>().is_ok();
    assert!(!cores.is_empty() && cores.iter().all(is_one), "{cores:?}");
}
