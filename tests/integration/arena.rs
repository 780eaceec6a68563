//! Matches, tournaments and replays as a user starts, stops and repeats them.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use ayo::arena::{GameResult, PairScore, Sprt};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::among_own_tables;

const AYO: &str = env!("CARGO_BIN_EXE_ayo");

/// A match of a second or so, long enough to be interrupted.
const LONG: &str = "match minimax:weights=daoud2004-depth5,depth=6 minimax:weights=seeds,depth=6 \
                    --games 500 --quiet";
/// A match of a moment.
const SHORT: &str = "match minimax:weights=daoud2004-depth5,depth=2 minimax:weights=seeds,depth=2 \
                     --openings plies:3 --quiet";

/// A folder to run the program in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn command(&self, line: &str) -> Command {
        let mut command = among_own_tables(AYO);
        command.current_dir(&self.0).args(line.split_whitespace());
        command
    }

    fn run(&self, line: &str) -> Output {
        self.command(line).output().unwrap()
    }

    /// Returns the standard output; the exit code must be this one.
    fn ends(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, line: &str) -> Value {
        without_times(serde_json::from_str(&self.ends(&format!("{line} --json"), 0)).unwrap())
    }

    /// Returns the error message of a refused command.
    fn refused(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{line}: {error}");
        error
    }
}

/// Times differ from run to run.
fn without_times(mut found: Value) -> Value {
    for who in ["a", "b"] {
        if let Some(effort) = found["effort"][who].as_object_mut() {
            effort.remove("seconds_per_move").expect("a match tells the time a move");
        }
    }
    found
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn documented_strengths_decide_the_signs() {
    let desk = Desk::new();
    for (a, b_depth, score, games, width) in [
        ("minimax:weights=daoud2004-depth5,depth=5", 5, 0.88, 300, 0.09),
        ("minimax:weights=daoud2004-depth5,depth=5", 7, 0.72, 200, 0.13),
        ("minimax:weights=daoud2004-depth5,depth=5,signs=literal", 5, 0.045, 500, 0.05),
    ] {
        let opponent = format!("minimax:weights=seeds,depth={b_depth}");
        let line = format!("match {a} {opponent} --openings plies:4 --games {games}");
        let found = desk.json(&line);
        let interval = found["score_ci95"].as_array().unwrap();
        let (low, high) = (number(&interval[0]), number(&interval[1]));
        assert!(low < score && score < high, "{line}: {low} to {high}");
        assert!(high - low < width && found["games"] == games);
    }
}

#[test]
fn the_json_of_a_match_has_the_documented_fields() {
    let found = Desk::new().json(SHORT);
    for key in ["score", "elo", "los"] {
        assert!(found[key].is_f64(), "{key}");
    }
    for key in ["score_ci95", "elo_ci95", "mean_seeds"] {
        assert_eq!(found[key].as_array().unwrap().len(), 2, "{key}");
    }
    let count = |value: &Value| value.as_u64().unwrap();
    let games = ["wins", "draws", "losses"].map(|key| count(&found[key]));
    assert_eq!(games.iter().sum::<u64>(), 380);
    let pairs = ["ll", "ld", "dd_wl", "wd", "ww"].map(|key| count(&found["pairs"][key]));
    assert_eq!((pairs.iter().sum::<u64>(), pairs.len()), (190, 5));
    assert_eq!((count(&found["games"]), count(&found["distinct_games"])), (380, 380));
    let points = 2 * games[0] + games[1];
    assert_eq!(number(&found["score"]), points as f64 / 760.0);
    assert_eq!((&found["reproducible"], &found["interrupted"]), (&true.into(), &false.into()));
}

#[test]
fn threads_change_nothing() {
    let desk = Desk::new();
    let on = |threads: u32, line: &str, file: &str| {
        let found = desk.json(&format!("{line} --threads {threads} --games-out {file}{threads}"));
        (found, desk.read(&format!("{file}{threads}")))
    };
    let tournament = "tournament greedy random minimax:weights=seeds,depth=2 --openings plies:3";
    for (file, line) in [("match", SHORT), ("tournament", tournament)] {
        assert_eq!(on(1, line, file), on(2, line, file), "{line}");
        assert_eq!(on(1, line, file), on(3, line, file), "{line}");
    }
}

#[test]
fn a_file_that_was_cut_anywhere_is_completed() {
    let desk = Desk::new();
    let line = format!("{SHORT} --games 60 --games-out games");
    let whole = desk.json(&line);
    let games = desk.read("games");
    assert_eq!(desk.json(&line), whole);
    for length in (0..games.len()).step_by(997).chain([games.len() - 1]) {
        desk.write("games", &games[..length]);
        assert_eq!((desk.json(&line), desk.read("games")), (whole.clone(), games.clone()));
    }
}

#[test]
fn files_of_games_are_not_taken_for_others() {
    let desk = Desk::new();
    let line = format!("{SHORT} --games 20 --games-out games");
    desk.ends(&line, 0);
    let games = desk.read("games");
    for (other, words) in [
        (line.replace("depth=2 m", "depth=3 m"), "its players[0]."),
        (format!("{line} --rules awari"), "this match has \"ayo awari\""),
        (format!("{line} --seed 2"), "drawn with seed 2"),
        (format!("{line} --sprt elo1=5"), "this match has \"elo0=0,elo1=5"),
        (line.replace("plies:3", "plies:2"), "this match has \"plies:2"),
    ] {
        assert!(desk.refused(&other, 1).contains(words), "{other}");
    }
    let spoiled = |from: &str, to: &str| games.replacen(from, to, 1);
    for (text, words) in [
        ("my list of things".to_owned(), "games: it is not a file of games"),
        ("# ayo games 1: match\n".to_owned(), "ayo doctor --convert"),
        (spoiled("\"game\":3,", "\"game\":4,"), "line 4: game 3 should stand here"),
        (spoiled("\"1-0\"", "\"0-1\""), "is not that of the moves"),
        (spoiled("nodes", "notes"), "line 2: it is not a game"),
        (format!("{games}{}\n", games.lines().last().unwrap()), "game 21 should stand here"),
    ] {
        desk.write("games", &text);
        assert!(desk.refused(&line, 1).contains(words), "{words}");
        assert_eq!(desk.read("games"), text, "a refused file is left alone");
    }
    // Openings are identified by the content of their file.
    desk.write("openings", "Ff\nFe\n");
    let line = SHORT.replace("plies:3", "openings") + " --games-out other";
    desk.ends(&line, 0);
    desk.write("openings", "Ff\nFe\nFd\n");
    assert!(desk.refused(&line, 1).contains("belongs to another match"));
}

/// The lines of the games in a file of games.
fn games_in(file: &str) -> Vec<&str> {
    file.lines().skip(1).collect()
}

fn outcome(game: &str) -> GameResult {
    let game: Value = serde_json::from_str(game).unwrap();
    match game["result"].as_str().unwrap() {
        "1-0" => GameResult::Win,
        "0-1" => GameResult::Loss,
        _ => GameResult::Draw,
    }
}

#[test]
fn a_sequential_test_ends_at_the_first_crossing() {
    let desk = Desk::new();
    desk.ends(&format!("{SHORT} --games-out all"), 0);
    let all = desk.read("all");
    let lines = games_in(&all);
    let score = |pair: &[&str]| PairScore::of([outcome(pair[0]), outcome(pair[1])]);
    let pairs: Vec<PairScore> = lines.chunks_exact(2).map(score).collect();
    for (test, code, decision) in [
        ("elo0=0,elo1=50", 0, "H1 accepted"),
        ("elo0=400,elo1=600", 3, "H0 accepted"),
        ("elo0=215,elo1=220", 4, "undecided"),
    ] {
        let sprt: Sprt = test.parse().unwrap();
        let judgement = sprt.first_crossing(pairs.iter().copied());
        for threads in [1, 2] {
            let file = format!("{code}-{threads}");
            let line = format!("{SHORT} --sprt {test} --threads {threads} --games-out {file}");
            let found: Value =
                serde_json::from_str(&desk.ends(&format!("{line} --json"), code)).unwrap();
            assert_eq!(found["games"], 2 * judgement.pairs.pairs());
            assert_eq!(found["sprt"]["decision"], decision);
            assert_eq!(number(&found["sprt"]["llr"]), judgement.llr);
            let games = desk.read(&file);
            assert_eq!(games_in(&games), lines[..2 * judgement.pairs.pairs() as usize]);
            // A decided match plays no further game.
            desk.ends(&line, code);
            assert_eq!(desk.read(&file), games);
        }
    }
}

#[test]
fn a_player_against_himself_is_even() {
    let found = Desk::new().json("match greedy greedy --openings plies:3 --quiet");
    assert_eq!(
        (&found["score"], &found["elo"], &found["los"]),
        (&0.5.into(), &0.0.into(), &0.5.into())
    );
    assert_eq!((&found["games"], &found["distinct_games"]), (&380.into(), &190.into()));
    assert_eq!(found["pairs"]["dd_wl"], 190);
}

#[test]
fn time_limits_are_owned_up_to() {
    let desk = Desk::new();
    let line = "match minimax:depth=1,movetime=1ms random --openings plies:1 --quiet";
    assert!(desk.ends(line, 0).contains("these games cannot be reproduced"));
    assert_eq!(desk.json(line)["reproducible"], false);
}

/// A disk that is full in the end is played by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_report_is_not_lost_with_the_file_of_its_games() {
    let desk = Desk::new();
    for (output, sign) in [("", "score of A"), (" --json", "\"score\""), (" --csv", "a,b,games")] {
        let _ = fs::remove_file(desk.path("games"));
        let mut shell = among_own_tables("sh");
        let line =
            format!("trap '' XFSZ; ulimit -f 4; exec '{AYO}' {SHORT} --games-out games{output}");
        let output = shell.current_dir(&desk.0).args(["-c", &line]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with("ayo: cannot write games"), "{error}");
        assert!(String::from_utf8(output.stdout).unwrap().contains(sign), "{error}");
    }
}

#[test]
fn openings_are_every_position_after_four_plies() {
    let desk = Desk::new();
    let text = desk.ends("openings plies:4", 0);
    let distinct: HashSet<&str> = text.lines().collect();
    assert_eq!((text.lines().count(), distinct.len()), (1014, 1014));
    let found: Value = serde_json::from_str(&desk.ends("openings plies:4 --json", 0)).unwrap();
    let positions = found["positions"].as_array().unwrap();
    assert!(positions.iter().map(|p| p.as_str().unwrap()).eq(text.lines()));
    // A suite that runs out says so at once, however many are asked for.
    let refusal = desk.refused("openings random:1000000,plies=1", 2);
    assert!(refusal.contains("only 6 distinct openings"), "{refusal}");
}

#[test]
fn wrong_commands_are_refused_in_a_sentence() {
    let desk = Desk::new();
    for (line, words) in [
        ("match greedy random --games 3", "give an even number"),
        ("match greedy random --games 5000", "plies:4 has openings for 2028"),
        ("match greedy random --sprt elo0=5,elo1=0", "not less than elo1"),
        ("match greedy random --sprt elo2=5", "no setting \"elo2\""),
        ("match greedy random --seed 2", "--games <N>"),
        ("match greedy random --threads 0", "0 is not from 1 to 1024"),
        ("match greedy random --openings random:5,seed=1,seed=2", "twice"),
        ("match greedy minimax:depht=2", "no setting \"depht\""),
        ("tournament greedy greedy", "player greedy is named twice"),
        ("tournament greedy", "2 values required"),
    ] {
        assert!(desk.refused(line, 2).contains(words), "{line}");
    }
    assert!(desk.refused("match greedy random --openings none", 1).contains("cannot read none"));
    let folder = "match greedy random --games-out .";
    assert!(desk.refused(folder, 1).contains("not a regular file"));
}

#[test]
fn a_tournament_rates_what_its_matches_say() {
    let desk = Desk::new();
    let players = ["greedy", "random", "minimax:weights=seeds,depth=2"];
    let line = format!("tournament {} --openings plies:3", players.join(" "));
    let found = desk.json(&line);
    let rank = |player: &str| {
        let ranked = found["players"].as_array().unwrap();
        ranked.iter().position(|it| it["player"] == player).unwrap()
    };
    assert_eq!(players.map(rank), [1, 2, 0]);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let alone = desk.json(&format!("match {} {} --openings plies:3", players[a], players[b]));
        let cell = &found["crosstable"][rank(players[a])][rank(players[b])];
        assert_eq!((&cell["score"], &cell["pairs"]), (&alone["score"], &alone["pairs"]));
    }
    let ratings: Vec<f64> = (0..3).map(|i| number(&found["players"][i]["elo"])).collect();
    assert!(ratings.iter().sum::<f64>().abs() < 1e-6 && ratings.is_sorted_by(|a, b| a > b));
    assert_eq!((&found["games"], &found["players"][0]["games"]), (&1140.into(), &760.into()));
    assert!(number(&found["los"][0][2]) > 0.999);
    let gauntlet = desk.json(&format!("{line} --gauntlet"));
    assert_eq!(
        (&gauntlet["games"], &gauntlet["crosstable"][0][2]["score"]),
        (&760.into(), &Value::Null)
    );
    let anchor = gauntlet["players"].as_array().unwrap().iter().find(|it| it["player"] == "greedy");
    assert_eq!(anchor.unwrap()["elo"], 0.0);
    let csv = desk.ends(&format!("{line} --csv"), 0);
    assert_eq!(csv.lines().count(), 4);
    assert!(
        csv.starts_with("rank,player,elo,elo_low,elo_high,score,games,forfeits\n1,\"minimax:"),
        "{csv}"
    );
}

#[test]
fn results_can_be_plotted() {
    let desk = Desk::new();
    desk.write("match.json", &desk.ends(&format!("{SHORT} --json"), 0));
    let line = "tournament greedy random --openings plies:2 --json";
    desk.write("tournament.json", &desk.ends(line, 0));
    for file in ["match", "tournament"] {
        desk.ends(&format!("plot {file}.json -o {file}.png"), 0);
        assert!(fs::read(desk.path(&format!("{file}.png"))).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(desk.refused("plot match.json -o x.png --what ratings", 1).contains("ratings needs"));
}

#[test]
fn replay_reads_files_of_games_and_judges_them() {
    let desk = Desk::new();
    let line = format!("{SHORT} --games 6 --rules no-slam --games-out games");
    desk.ends(&line, 0);
    let judge = "--player minimax:weights=daoud2004-depth5,depth=2";
    let plain: Value = serde_json::from_str(&desk.ends("replay games --json", 0)).unwrap();
    assert_eq!(plain["games"].as_array().unwrap().len(), 6);
    assert!(plain["games"][0]["moves"].is_null() && plain["player"].is_null());
    let found: Value =
        serde_json::from_str(&desk.ends(&format!("replay games --json {judge}"), 0)).unwrap();
    assert_eq!((&found["blunder"], &found["reproducible"]), (&42.into(), &true.into()));
    for (index, game) in found["games"].as_array().unwrap().iter().enumerate() {
        assert_eq!(game["label"], format!("game {}", index + 1));
        assert_eq!(game["moves"].as_array().unwrap().len(), game["plies"]);
        // The first player is the judge, and begins the odd games.
        let opener = game["moves"][0]["side"].as_str().unwrap();
        let own = if index % 2 == 0 { opener } else { other(opener) };
        assert_eq!(game["summary"][own]["same"], game["summary"][own]["moves"]);
        assert_eq!(
            (&game["summary"][own]["blunders"], &game["summary"][own]["mean_lost"]),
            (&0.into(), &0.0.into())
        );
    }
    let text = desk.ends(&format!("replay games {judge} --blunder 5"), 0);
    assert!(
        text.contains("a blunder loses at least 5 points") && text.contains("  blunder\n"),
        "{text}"
    );
    assert!(text.contains("win in 1") && text.contains("6 of 6 games replay"), "{text}");
    let refusal = desk.refused("replay games --player greedy", 2);
    assert!(refusal.contains("player greedy gives moves no values"), "{refusal}");
}

fn other(side: &str) -> &str {
    if side == "South" { "North" } else { "South" }
}

#[cfg(unix)]
mod signals {
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use super::*;

    /// Long enough for some games, too short for a long match.
    const A_MOMENT: Duration = Duration::from_millis(150);

    /// Waits for the file of games: from then on the program listens to signals.
    fn await_file(desk: &Desk) {
        let begun = Instant::now();
        while fs::read_to_string(desk.path("games")).unwrap_or_default().is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the match does not begin");
            sleep(Duration::from_millis(5));
        }
    }

    /// Ends a long match, which keeps its games, after a moment.
    fn stopped(desk: &Desk, line: &str, signal: &str) -> Output {
        let mut command = desk.command(&format!("{line} --threads 1 --games-out games"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        await_file(desk);
        sleep(A_MOMENT);
        let killed = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(killed.unwrap().success(), "the match was over too soon");
        child.wait_with_output().unwrap()
    }

    #[test]
    fn an_interrupted_match_goes_on() {
        let desk = Desk::new();
        let whole = desk.json(&format!("{LONG} --games-out whole"));
        let output = stopped(&desk, &format!("{LONG} --json"), "INT");
        assert_eq!(output.status.code(), Some(130));
        let part: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(part["interrupted"], true);
        let done = part["games"].as_u64().unwrap();
        assert!(0 < done && done < 500, "{done}");
        let kept = games_in(&desk.read("games")).len() as u64;
        assert!(kept == done || kept == done + 1, "only whole pairs count: {kept}, {done}");
        let killed = stopped(&desk, LONG, "KILL");
        assert_eq!(killed.status.code(), None);
        assert_eq!(desk.json(&format!("{LONG} --games-out games")), whole);
        assert_eq!(desk.read("games"), desk.read("whole"));
    }

    #[test]
    fn an_interrupted_tournament_says_what_it_does_not_know() {
        let desk = Desk::new();
        let line = "tournament minimax:weights=seeds,depth=6 minimax:weights=aalina4,depth=6 random \
                    --quiet";
        let text = String::from_utf8(stopped(&desk, line, "TERM").stdout).unwrap();
        assert!(text.contains("unknown") && text.contains("interrupted"), "{text}");
        let output = stopped(&desk, &format!("{line} --json"), "INT");
        assert_eq!(output.status.code(), Some(130));
        desk.write("part.json", &String::from_utf8(output.stdout).unwrap());
        let refusal = desk.refused("plot part.json -o part.svg", 1);
        assert!(refusal.contains("has no rating"), "{refusal}");
    }

    #[test]
    fn one_match_at_a_time_writes_a_file() {
        let desk = Desk::new();
        let line = format!("{LONG} --games-out games");
        let mut first = desk.command(&line).stdout(Stdio::null()).spawn().unwrap();
        await_file(&desk);
        let refusal = desk.refused(&line, 1);
        assert!(refusal.contains("games is being written by another match"), "{refusal}");
        first.kill().unwrap();
        first.wait().unwrap();
    }
}
