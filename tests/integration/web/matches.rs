//! Matches over HTTP: listing, starting, events, stopping and resuming.

use std::fs;

use serde_json::{Value, json};

use super::client::Server;
use crate::support::Scratch;

/// Takes several seconds, but we stop it before it ends.
const LONG: &str = r#"{"a":{"weights":"aalina4","depth":9},"b":{"weights":"seeds","depth":8},
                       "games":120,"threads":1,"name":"long"}"#;
const LONG_COMMAND: &str = "match minimax:weights=aalina4,depth=9 minimax:weights=seeds,depth=8 --games 120 \
                            --quiet --games-out";
const SHORT: &str = r#"{"a":{"weights":"seeds","depth":2},"b":{"weights":"stores","depth":1},"game":"kalah",
                        "openings":"random:20,plies=4","sprt":"elo0=0,elo1=400","threads":1}"#;

fn state(found: &Value) -> &str {
    found["state"].as_str().unwrap()
}

fn is_over(found: &Value) -> bool {
    found["kind"] == "match" && state(found) != "running"
}

#[test]
fn a_match_is_started_followed_stopped_and_resumed() {
    let (scratch, server) = Server::in_new_folder();
    let empty = server.get("/api/matches").fine();
    assert_eq!((&empty["control"], empty["matches"].as_array().unwrap().len()), (&true.into(), 0));
    let begun = server.post("/api/matches", LONG).fine();
    assert_eq!((&begun["kind"], &begun["id"]), (&"begun".into(), &"long".into()));
    let mut events = server.events("?match=long&after=0");
    let found = server.get("/api/matches/long").fine();
    assert_eq!((state(&found), &found["of"]), ("running", &120.into()));
    assert_eq!(found["players"][0], "minimax:weights=aalina4,depth=9");
    assert_eq!((&found["game"], &found["rules"]), (&"ayo".into(), &"ayo".into()));
    server.post("/api/matches", LONG).refusal(409);
    let stopping = server.post("/api/matches/long/stop", "").fine();
    assert_eq!((&stopping["kind"], &stopping["id"]), (&"stopping".into(), &"long".into()));
    let found = server.until("/api/matches/long", is_over);
    let games = found["games"].as_u64().unwrap();
    assert_eq!(state(&found), "stopped");
    assert!(games < 120 && found["error"].is_null(), "{found}");
    while events.next("games")["games"] != games {}
    assert_eq!(server.get("/api/matches").fine()["matches"][0]["state"], "stopped");
    assert_eq!(scratch.list("matches"), ["long.games"]);
    server.post("/api/matches/long/stop", "").refusal(409);
    // The command line resumes a match that was started on the page.
    scratch.ayo(&format!("{LONG_COMMAND} matches/long.games")).success();
    scratch.ayo(&format!("{LONG_COMMAND} whole")).success();
    assert!(scratch.read("matches/long.games") == scratch.read("whole"));
    let found = server.get("/api/matches/long").fine();
    assert_eq!((state(&found), &found["games"]), ("complete", &120.into()));
    while events.next("games")["games"] != 120 {}
}

#[test]
fn a_match_of_kalah_ends_with_its_sequential_test() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "--matches played/today");
    let begin = || server.post("/api/matches", &SHORT.replace("seeds", "stores")).fine();
    assert_eq!(begin()["id"], "stores-stores");
    let found = server.until("/api/matches/stores-stores", is_over);
    assert_eq!((state(&found), &found["error"]), ("complete", &Value::Null), "{found}");
    let (sprt, row) = (&found["sprt"], &found["table"][0]);
    let walk = sprt["walk"].as_array().unwrap();
    assert_eq!(walk.last().unwrap(), &json!([found["games"], sprt["llr"]]));
    assert_eq!(walk.len() as u64 * 2, found["games"].as_u64().unwrap());
    assert_eq!((&row["games"], &row["score"]), (&found["games"], &found["score"]));
    let games = server.get("/api/matches/stores-stores/games?offset=1&limit=2").fine();
    assert_eq!(games["total"], found["games"]);
    let second = &games["games"][0];
    assert_eq!((&second["number"], &second["south"]), (&2.into(), &1.into()));
    let line = second["line"].as_str().unwrap();
    let board = format!(r#"{{"game":"kalah","from":{},"line":"{line}"}}"#, second["opening"]);
    let board = server.post("/api/play", &board).fine();
    assert_eq!(board["over"]["ending"], second["end"]);
    assert_eq!(board["over"]["stores"]["south"], second["stores"][1]);
    // A second match between the same players gets another name.
    assert_eq!(begin()["id"], "stores-stores-2");
    server.until("/api/matches/stores-stores-2", is_over);
}

#[test]
fn headings_are_text_only() {
    let (scratch, server) = Server::in_new_folder();
    scratch.ayo("match greedy random --openings plies:1 --quiet --games-out tame").success();
    let text = scratch.read("tame");
    let (touched, markup) = (scratch.path("touched"), "<img src=x onerror=alert(1)>");
    let program = format!("uci:cmd=\"touch {}\"", touched.display());
    fs::create_dir(scratch.path("matches")).unwrap();
    let hostile = text.replacen("\"greedy\"", &json!(program).to_string(), 1);
    let hostile = hostile.replacen("\"random\"", &json!(markup).to_string(), 1);
    for (name, content) in [
        (&*format!("{markup}.games"), &*hostile),
        ("notes.games", "buy milk\n"),
        ("list.txt", &text),
    ] {
        scratch.write(&format!("matches/{name}"), content);
    }
    let found = server.get("/api/matches").fine();
    let matches = found["matches"].as_array().unwrap();
    let of = |id: &str| {
        matches.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id}: {found}"))
    };
    assert_eq!((matches.len(), state(of("notes"))), (2, "damaged"));
    assert_eq!(of("notes")["error"], "not a games file");
    assert_eq!(of(markup)["players"], json!([program, markup]));
    let evil = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E";
    for id in ["notes", evil] {
        let answer = server.get(&format!("/api/matches/{id}"));
        answer.fine();
        assert!(answer.head.contains("application/json") && answer.head.contains("nosniff"));
    }
    server.get(&format!("/api/matches/{evil}/games")).fine();
    assert!(server.get("/api/matches/notes/games").refusal(409).contains("not a games file"));
    assert!(!touched.exists());
}

#[test]
fn wrong_requests_are_refused_and_leave_no_files() {
    let scratch = Scratch::new();
    scratch
        .ayo("match greedy random --openings plies:1 --quiet --games-out secret.games")
        .success();
    fs::create_dir_all(scratch.path("matches/folder.games")).unwrap();
    let server = Server::start(&scratch, "");
    let outside = ["..", "%2e%2e", "../secret", "..%2Fsecret", "%2e%2e%2fsecret", "secret"];
    for id in outside.into_iter().chain(["folder", "a/b", "%00", ""]) {
        for rest in ["", "/games"] {
            assert_eq!(server.get(&format!("/api/matches/{id}{rest}")).status, 404, "{id}{rest}");
        }
        assert_eq!(server.post(&format!("/api/matches/{id}/stop"), "").status, 404, "{id}");
    }
    let post = |more: &str| {
        let body = format!(r#"{{"a":{{"level":"beginner"}},"b":{{"level":"amateur"}},{more}}}"#);
        server.post("/api/matches", &body)
    };
    for (fields, named) in [
        (r#""game":"chess""#, "game: "),
        (r#""openings":"/etc/passwd""#, "openings is"),
        (r#""openings":"random:1000000,plies=1""#, "only 6 distinct openings"),
        (r#""games":0"#, "--games"),
        (r#""games":5000"#, "games is 5000"),
        (r#""threads":0"#, "--threads"),
        (r#""name":"../x""#, "name is"),
    ] {
        let refusal = post(fields).refusal(400);
        assert!(refusal.contains(named) && refusal.lines().count() == 1, "{fields}: {refusal}");
    }
    assert_eq!(post(r#""seed":1"#).status, 422);
    assert_eq!(post(r#""name":"folder""#).status, 409);
    let spec = r#"{"a":{"kind":"uci"},"b":{"level":"amateur"}}"#;
    assert_eq!(server.post("/api/matches", spec).status, 422);
    for limit in ["0", "501"] {
        server.get(&format!("/api/matches/folder/games?limit={limit}")).refusal(400);
    }
    assert_eq!(scratch.list("matches"), ["folder.games"]);
}
