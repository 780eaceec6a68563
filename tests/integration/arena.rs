//! Matches, tournaments and replays as users start, stop and repeat them.

use std::fs;

use ayo::arena::{GameResult, PairScore, Sprt};
use serde_json::Value;

use crate::support::{Scratch, column, holds, refused, refuses};

/// Takes about a second, which is long enough to interrupt it.
const LONG: &str = "match minimax:weights=daoud2004-depth5,depth=6 minimax:weights=seeds,depth=6 \
                    --games 300 --quiet";
const SHORT: &str = "match minimax:weights=daoud2004-depth5,depth=2 minimax:weights=seeds,depth=2 \
                     --openings plies:3 --quiet";

const RULES: &str = "--resign movecount=3,score=6 --draw movecount=4,score=1,movenumber=20";

/// Returns the JSON output of a match or tournament without times, because these differ between runs.
fn timeless(scratch: &Scratch, line: &str) -> Value {
    let mut found = scratch.json(&format!("{line} --json"));
    let untimed = |effort: &mut Value| {
        let effort = effort.as_object_mut().expect("figures of a player");
        for key in ["seconds_per_move", "nodes_per_second", "depth"] {
            effort.remove(key).expect("a measured cost");
        }
    };
    match found["players"].as_array_mut() {
        Some(players) => players.iter_mut().for_each(untimed),
        None => ["a", "b"].iter().for_each(|player| untimed(&mut found["effort"][*player])),
    }
    found
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn documented_strengths_decide_the_signs() {
    let scratch = Scratch::new();
    for (signs, b_depth, score, games) in
        [("signed", 5, 0.88, 150), ("signed", 7, 0.72, 80), ("literal", 5, 0.045, 150)]
    {
        let a = format!("minimax:weights=daoud2004-depth5,depth=5,signs={signs}");
        let b = format!("minimax:weights=seeds,depth={b_depth}");
        let line = format!("match {a} {b} --openings plies:4 --games {games} --json");
        let found = scratch.json(&line);
        let [low, high] = [0, 1].map(|end| number(&found["score_ci95"][end]));
        assert!(low < score && score < high, "{line}: {low} to {high}");
        assert!(high - low < 0.21 && found["games"] == games);
    }
}

#[test]
fn figures_of_a_match_fit_together() {
    let scratch = Scratch::new();
    let found = scratch.json(&format!("{SHORT} --json"));
    let count = |value: &Value| value.as_u64().unwrap();
    let games = ["wins", "draws", "losses"].map(|key| count(&found[key]));
    assert_eq!(games.iter().sum::<u64>(), 380);
    let pairs = ["ll", "ld", "dd_wl", "wd", "ww"].map(|key| count(&found["pairs"][key]));
    assert_eq!(pairs.iter().sum::<u64>(), 190);
    assert_eq!((count(&found["games"]), count(&found["distinct_games"])), (380, 380));
    assert_eq!(number(&found["score"]), (2 * games[0] + games[1]) as f64 / 760.0);
    assert_eq!((&found["reproducible"], &found["interrupted"]), (&true.into(), &false.into()));
    let even = scratch.json("match greedy greedy --openings plies:3 --quiet --json");
    assert_eq!(["score", "elo", "los"].map(|key| number(&even[key])), [0.5, 0.0, 0.5]);
    assert_eq!((&even["distinct_games"], &even["pairs"]["dd_wl"]), (&190.into(), &190.into()));
    let timed = "match minimax:depth=1,movetime=1ms random --openings plies:1 --quiet";
    assert_eq!(scratch.json(&format!("{timed} --json"))["reproducible"], false);
    let said = scratch.text(timed);
    holds(&said, &["cannot be reproduced"]);
    assert_eq!(said.matches(" nodes/s").count(), 1, "random does not search: {said}");
}

/// Plays on one thread. Then cuts the file at each share (in thousandths) and completes it on several threads.
fn completed(scratch: &Scratch, line: &str, cuts: &[usize]) -> (Value, String) {
    let _ = fs::remove_file(scratch.path("games"));
    let line = format!("{line} --games-out games --threads");
    let whole = (timeless(scratch, &format!("{line} 1")), scratch.read("games"));
    for (share, threads) in cuts.iter().zip([2, 3].into_iter().cycle()) {
        scratch.write("games", &whole.1[..whole.1.len() * share / 1000]);
        let again = timeless(scratch, &format!("{line} {threads}"));
        assert_eq!((again, scratch.read("games")), whole, "{share}");
    }
    whole
}

#[test]
fn a_file_that_was_cut_anywhere_is_completed_on_any_number_of_threads() {
    let scratch = Scratch::new();
    completed(&scratch, SHORT, &[0, 1, 10, 320, 500, 777, 999, 1000]);
    let tournament = "tournament greedy random minimax:weights=seeds,depth=2 --openings plies:3";
    completed(&scratch, tournament, &[0, 500]);
}

#[test]
fn a_study_counts_what_adjudication_decides() {
    let scratch = Scratch::new();
    let line = format!("{SHORT} --games 60");
    let (study, _) = completed(&scratch, &format!("{line} {RULES} --adjudicate-study"), &[500]);
    let (ended, _) = completed(&scratch, &format!("{line} {RULES} --recover"), &[500]);
    let whole = scratch.json(&format!("{line} --json"));
    let rules = |found: &Value| found["adjudication"]["rules"].as_array().unwrap().clone();
    let games =
        |found: &Value| rules(found).iter().map(|it| it["games"].clone()).collect::<Vec<_>>();
    assert_eq!(games(&ended), games(&study));
    assert_eq!((&whole["score"], &whole["adjudication"]), (&study["score"], &Value::Null));
    let points = |found: &Value| number(&found["score"]) * 60.0;
    let changed: f64 = rules(&study).iter().map(|it| number(&it["changed"])).sum();
    assert!(changed > 0.0 && (points(&whole) - points(&ended)).abs() <= changed);
    // Endgame tables decide games, too. (They take long to build.)
    let line = format!("{line} --rules awari --games-out by-tables");
    let found = scratch.json(&format!("{line} --adjudicate-tables --json"));
    let decided = scratch.read("by-tables").matches("\"end\":\"adjudicated by tables\"").count();
    assert!(decided > 0 && games(&found) == [decided]);
    scratch.refuses(&format!("1 {line}"), "=> its adjudication is { | tables awari");
    // Games that were adjudicated can be analysed up to their last move.
    scratch.succeed(&["analyse games", "analyse by-tables"]);
}

#[test]
fn files_of_games_are_not_taken_for_others() {
    let scratch = Scratch::new();
    let line = format!("{SHORT} --games 20 --games-out games");
    scratch.ayo(&line).success();
    let games = scratch.read("games");
    for (other, words) in [
        (line.replace("depth=2 m", "depth=3 m"), "its players[0]."),
        (format!("{line} --rules awari"), "ayo awari"),
        (format!("{line} --sprt elo1=5"), "elo0=0,elo1=5"),
        (format!("{line} --sprt"), "elo0=0,elo1=10"),
        (line.replace("plies:3", "plies:2"), "plies:2"),
    ] {
        refused(scratch.ayo(&other), 1, &["games", words]);
    }
    let spoiled = |from: &str, to: &str| games.replacen(from, to, 1);
    for (text, words) in [
        ("# ayo games 1: match\n".to_owned(), "ayo doctor --convert"),
        (spoiled("\"game\":3,", "\"game\":4,"), "line 4: expected game 3"),
        (format!("{games}{}\n", games.lines().last().unwrap()), "line 22: the match has only 20"),
    ] {
        scratch.write("games", &text);
        refused(scratch.ayo(&line), 1, &[words]);
        assert_eq!(scratch.read("games"), text, "a refused file is left alone");
    }
    // We identify openings by the content of their file, so it may also be compressed.
    scratch.shell("printf 'Ff\\nFe\\n' | gzip > openings").success();
    let line = SHORT.replace("plies:3", "openings") + " --games-out other";
    scratch.ayo(&line).success();
    scratch.write("openings", "Ff\nFe\nFd\n");
    refused(scratch.ayo(&line), 1, &["belongs to another match"]);
}

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
    let scratch = Scratch::new();
    scratch.ayo(&format!("{SHORT} --games-out all")).success();
    let all = scratch.read("all");
    let lines = games_in(&all);
    let score = |pair: &[&str]| PairScore::of([outcome(pair[0]), outcome(pair[1])]);
    let pairs: Vec<PairScore> = lines.chunks_exact(2).map(score).collect();
    for (test, code, decision, threads) in [
        ("elo0=0,elo1=50", 0, "H1 accepted", 2),
        ("elo0=400,elo1=600", 3, "H0 accepted", 1),
        ("elo0=215,elo1=220", 4, "undecided", 2),
    ] {
        let sprt: Sprt = test.parse().unwrap();
        let judgement = sprt.first_crossing(pairs.iter().copied());
        let line = format!("{SHORT} --sprt {test} --threads {threads} --games-out {code}");
        let found = scratch.ayo(&format!("{line} --json")).code(code).json();
        assert_eq!(found["games"], 2 * judgement.pairs.pairs());
        assert_eq!(found["sprt"]["decision"], decision);
        assert_eq!(number(&found["sprt"]["llr"]), judgement.llr);
        let games = scratch.read(&code.to_string());
        assert_eq!(games_in(&games), lines[..2 * judgement.pairs.pairs() as usize]);
        // Once a match is decided, repeating the command plays no more games.
        scratch.ayo(&line).code(code);
        assert_eq!(scratch.read(&code.to_string()), games);
    }
}

/// A file size limit stands in for a disk that fills up during the match.
#[cfg(unix)]
#[test]
fn a_report_is_not_lost_with_the_file_of_its_games() {
    let scratch = Scratch::new();
    for (output, sign) in [("", "score of A"), (" --json", "\"score\""), (" --csv", "a,b,games")] {
        let _ = fs::remove_file(scratch.path("games"));
        let line = format!("exec \"$0\" {SHORT} --games-out games{output}");
        let ended = scratch.shell(&format!("trap '' XFSZ; ulimit -f 4; {line}")).code(1);
        assert!(ended.stderr().starts_with("ayo: cannot write games"), "{ended:?}");
        holds(&ended.stdout(), &[sign]);
    }
}

#[test]
fn wrong_commands_are_refused_in_a_sentence() {
    let scratch = Scratch::new();
    refuses! { scratch, "2 match", r#"
        greedy random --adjudicate-study => needs --adjudicate-tables
        greedy seeds --draw movecount=3,score=1 => report scores
        greedy random --game kalah --adjudicate-tables => no endgame tables for game kalah
        greedy random --rules no-slam --adjudicate-tables => no-slam
        greedy random --resign movecount=3 => missing field
        greedy random --affinity --threads 1000 => needs 1000 cores
        greedy random --games 3 => even
        greedy random --games 5000 => plies:4 has openings for only 2028 | --openings random:
        greedy random --sprt elo0=5,elo1=0 => must be less than elo1
        greedy random --sprt elo0=10 => must be less than elo1, which is 10 (defaults: 0 and 10)
        greedy random --seed 2 => --games <N>
    "# }
    let openings = scratch.json("openings plies:4 --json");
    assert_eq!(openings["positions"].as_array().unwrap().len(), 1014);
    // A suite with too few openings is rejected at once, however many are requested.
    refuses! { scratch, "2", "
        tournament greedy greedy => greedy is given twice
        tournament greedy => 2 values
    " }
    refuses! { scratch, "1 match greedy random", "
        --openings none => cannot read none
        --games-out . => not a regular file
    " }
}

#[test]
fn a_tournament_rates_what_its_matches_say() {
    let scratch = Scratch::new();
    let players = ["greedy", "random", "minimax:weights=seeds,depth=2"];
    let line = format!("tournament {} --openings plies:2", players.join(" "));
    let found = scratch.json(&format!("{line} --json"));
    let rank = |player: &str| {
        let ranked = found["players"].as_array().unwrap();
        ranked.iter().position(|it| it["player"] == player).unwrap()
    };
    assert_eq!(players.map(rank), [1, 2, 0]);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let pair = format!("match {} {} --openings plies:2 --json", players[a], players[b]);
        let alone = scratch.json(&pair);
        let cell = &found["crosstable"][rank(players[a])][rank(players[b])];
        assert_eq!((&cell["score"], &cell["pairs"]), (&alone["score"], &alone["pairs"]));
    }
    let ratings = [0, 1, 2].map(|i| number(&found["players"][i]["elo"]));
    assert!(ratings.iter().sum::<f64>().abs() < 1e-6 && ratings.is_sorted_by(|a, b| a > b));
    assert_eq!((&found["games"], &found["players"][0]["games"]), (&216.into(), &144.into()));
    assert!(number(&found["los"][0][2]) > 0.999);
    let gauntlet = scratch.json(&format!("{line} --gauntlet --json"));
    let unplayed = &gauntlet["crosstable"][0][2]["score"];
    assert_eq!((&gauntlet["games"], unplayed), (&144.into(), &Value::Null));
    let anchor = gauntlet["players"].as_array().unwrap().iter().find(|it| it["player"] == "greedy");
    assert_eq!(anchor.unwrap()["elo"], 0.0);
    assert_eq!(column(&scratch.text(&format!("{line} --csv")), "rank"), ["1", "2", "3"]);
}

#[cfg(unix)]
mod signals {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use crate::support::{Training, wait_until};

    /// Starts a long match and waits for the file with its games. From then on, the program handles signals.
    fn playing(scratch: &Scratch, line: &str) -> Training {
        let _ = fs::remove_file(scratch.path("games"));
        resumed(scratch, line)
    }

    fn resumed(scratch: &Scratch, line: &str) -> Training {
        let playing = scratch.start(&format!("{line} --threads 1 --games-out games"));
        let has_begun = || fs::read_to_string(scratch.path("games")).is_ok_and(|it| !it.is_empty());
        wait_until("the match does not begin", has_begun);
        sleep(Duration::from_millis(40));
        playing
    }

    #[test]
    fn an_interrupted_match_goes_on() {
        let scratch = Scratch::new();
        let whole = timeless(&scratch, &format!("{LONG} --games-out whole"));
        let part = playing(&scratch, &format!("{LONG} --json")).interrupted("INT");
        let part: Value = serde_json::from_str(&part).unwrap();
        assert_eq!(part["interrupted"], true);
        let done = part["games"].as_u64().unwrap();
        assert!(0 < done && done < 300, "{done}");
        let kept = games_in(&scratch.read("games")).len() as u64;
        assert!(kept == done || kept == done + 1, "only whole pairs count: {kept}, {done}");
        assert!(resumed(&scratch, LONG).kill());
        assert_eq!(timeless(&scratch, &format!("{LONG} --games-out games")), whole);
        assert_eq!(scratch.read("games"), scratch.read("whole"));
        let slow = "match minimax:depth=12 minimax:depth=12 --quiet";
        let mut first = playing(&scratch, slow);
        scratch.refuses(&format!("1 {slow}"), "--games-out games => games is in use");
        assert!(first.kill());
    }

    #[test]
    fn an_interrupted_tournament_says_what_it_does_not_know() {
        let scratch = Scratch::new();
        let line = "tournament minimax:weights=seeds,depth=6 minimax:weights=aalina4,depth=6 random \
                    --quiet";
        holds(&playing(&scratch, line).interrupted("TERM"), &["unknown", "interrupted"]);
        let part = playing(&scratch, &format!("{line} --json")).interrupted("INT");
        scratch.write("part.json", part);
        scratch.refuses("1 plot", "part.json -o part.svg => has no rating");
    }
}
