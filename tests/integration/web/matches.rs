//! Matches over HTTP: listed, begun, watched, stopped, and gone on with.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::Server;
use crate::support::Scratch;

/// A match of some seconds, which cannot be over before it is asked to stop.
const LONG: &str = r#"{"a":{"weights":"aalina4","depth":8},"b":{"weights":"seeds","depth":8},
                       "games":300,"threads":1,"name":"long"}"#;
/// The same at the command line.
const LONG_COMMAND: &str = "match minimax:weights=aalina4,depth=8 minimax:weights=seeds,depth=8 --games 300 \
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
fn a_match_is_begun_watched_stopped_and_gone_on_with() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "");
    let empty = server.get("/api/matches").fine();
    assert_eq!((&empty["control"], empty["matches"].as_array().unwrap().len()), (&true.into(), 0));
    let begun = server.post("/api/matches", LONG).fine();
    assert_eq!((&begun["kind"], &begun["id"]), (&"begun".into(), &"long".into()));
    let mut events = server.events("?match=long&after=0");
    let found = server.get("/api/matches/long").fine();
    assert_eq!((state(&found), &found["of"]), ("running", &300.into()));
    assert_eq!(found["players"][0], "minimax:weights=aalina4,depth=8");
    assert_eq!((&found["game"], &found["rules"]), (&"ayo".into(), &"ayo".into()));
    assert_eq!(
        server.post("/api/matches", LONG).refusal(409),
        "name is \"long\": there is one already"
    );
    let stopping = server.post("/api/matches/long/stop", "").fine();
    assert_eq!((&stopping["kind"], &stopping["id"]), (&"stopping".into(), &"long".into()));
    let found = server.until("/api/matches/long", is_over);
    let games = found["games"].as_u64().unwrap();
    assert_eq!(state(&found), "stopped");
    assert!(games < 300 && found["error"].is_null(), "{found}");
    while events.next("games")["games"] != games {}
    assert_eq!(server.get("/api/matches").fine()["matches"][0]["state"], "stopped");
    assert_eq!(scratch.list("matches"), ["long.games"], "the wish is gone with what it wished for");
    let idle = server.post("/api/matches/long/stop", "").refusal(409);
    assert_eq!(idle, "no process plays this match");
    // What was begun from the page, the terminal goes on with.
    scratch.ayo(&format!("{LONG_COMMAND} matches/long.games")).success();
    scratch.ayo(&format!("{LONG_COMMAND} whole")).success();
    assert!(scratch.read("matches/long.games") == scratch.read("whole"));
    let found = server.get("/api/matches/long").fine();
    assert_eq!((state(&found), &found["games"]), ("complete", &300.into()));
    while events.next("games")["games"] != 300 {}
}

#[test]
fn a_stopped_match_of_the_terminal_ends_as_by_ctrl_c() {
    let scratch = Scratch::new();
    // One that was left is for nobody.
    scratch.write("games.stop", "");
    let mut playing = scratch.start(&format!("{LONG_COMMAND} games --threads 1"));
    let begun = Instant::now();
    while fs::read_to_string(scratch.path("games")).unwrap_or_default().is_empty()
        || scratch.path("games.stop").exists()
    {
        assert!(begun.elapsed() < Duration::from_secs(30), "the match does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    scratch.write("games.stop", "");
    let (status, out, err) = playing.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    assert!(!scratch.path("games.stop").exists());
}

#[test]
fn a_match_of_another_game_is_played_to_the_decision_of_its_test() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "--matches played/today");
    let id = server.post("/api/matches", &SHORT.replace("seeds", "stores")).fine();
    let id = id["id"].as_str().unwrap();
    assert_eq!(id, "stores-stores");
    let found = server.until(&format!("/api/matches/{id}"), is_over);
    assert_eq!((state(&found), &found["error"]), ("complete", &Value::Null), "{found}");
    assert_eq!((&found["game"], &found["rules"]), (&"kalah".into(), &Value::Null));
    let (sprt, row) = (&found["sprt"], &found["table"][0]);
    let walk = sprt["walk"].as_array().unwrap();
    assert_eq!(walk.last().unwrap(), &json!([found["games"], sprt["llr"]]));
    assert_eq!(walk.len() as u64 * 2, found["games"].as_u64().unwrap());
    assert_eq!((&row["a"], &row["b"], &row["games"]), (&0.into(), &1.into(), &found["games"]));
    assert_eq!((&row["score"], &row["score_ci95"]), (&found["score"], &found["score_ci95"]));
    let games = server.get(&format!("/api/matches/{id}/games?offset=1&limit=2")).fine();
    assert_eq!(games["total"], found["games"]);
    let second = &games["games"][0];
    assert_eq!(
        (&second["number"], &second["first"], &second["south"]),
        (&2.into(), &0.into(), &1.into())
    );
    let line = second["line"].as_str().unwrap();
    let board = format!(r#"{{"game":"kalah","from":{},"line":"{line}"}}"#, second["opening"]);
    let board = server.post("/api/play", &board).fine();
    assert_eq!(board["over"]["ending"], second["end"]);
    let stores = &second["stores"];
    assert_eq!(
        (&board["over"]["stores"]["south"], &board["over"]["stores"]["north"]),
        (&stores[1], &stores[0])
    );
    // The next of the same players has another name.
    let id = server.post("/api/matches", &SHORT.replace("seeds", "stores")).fine();
    assert_eq!(id["id"], "stores-stores-2");
    server.until("/api/matches/stores-stores-2", is_over);
}

#[test]
fn what_a_heading_says_is_text() {
    let scratch = Scratch::new();
    let server = Server::start(&scratch, "");
    scratch.ayo("match greedy random --openings plies:1 --quiet --games-out tame").success();
    let text = scratch.read("tame");
    let (touched, markup) = (scratch.path("touched"), "<img src=x onerror=alert(1)>");
    let program = format!("uci:cmd=\"touch {}\"", touched.display());
    fs::create_dir(scratch.path("matches")).unwrap();
    let hostile = text.replacen("\"greedy\"", &json!(program).to_string(), 1).replacen(
        "\"random\"",
        &json!(markup).to_string(),
        1,
    );
    scratch.write(&format!("matches/{markup}.games"), &hostile);
    scratch.write("matches/notes.games", "buy milk\n");
    scratch.write("matches/later.games", text.replace("version\":2", "version\":9"));
    scratch.write("matches/cut.games", &text[..text.len() - 20]);
    scratch.write("matches/list.txt", &text);
    let found = server.get("/api/matches").fine();
    let matches = found["matches"].as_array().unwrap();
    let of = |id: &str| {
        matches.iter().find(|it| it["id"] == id).unwrap_or_else(|| panic!("{id}: {found}"))
    };
    assert_eq!(matches.len(), 4);
    assert_eq!(of("notes")["error"], "it is not a file of games");
    assert!(of("later")["error"].as_str().unwrap().contains("version 9"));
    assert_eq!((state(of("notes")), state(of("cut"))), ("damaged", "stopped"));
    let known = of(markup);
    assert_eq!(
        (&known["players"][0], &known["players"][1]),
        (&program.as_str().into(), &markup.into())
    );
    for id in ["notes", "later", "cut", "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"] {
        let answer = server.get(&format!("/api/matches/{id}"));
        answer.fine();
        assert!(answer.head.contains("application/json") && answer.head.contains("nosniff"));
    }
    server.get("/api/matches/%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E/games").fine();
    assert!(server.get("/api/matches/notes/games").refusal(409).contains("not a file of games"));
    assert!(!touched.exists());
}

#[test]
fn wrong_requests_about_matches_get_a_sentence_each() {
    let scratch = Scratch::new();
    scratch
        .ayo("match greedy random --openings plies:1 --quiet --games-out secret.games")
        .success();
    fs::create_dir_all(scratch.path("matches/folder.games")).unwrap();
    let server = Server::start(&scratch, "");
    for id in [
        "..",
        "%2e%2e",
        "../secret",
        "..%2Fsecret",
        "%2e%2e%2fsecret",
        "secret",
        "folder",
        "a/b",
        "%00",
        "",
    ] {
        for rest in ["", "/games"] {
            let answer = server.get(&format!("/api/matches/{id}{rest}"));
            assert_eq!(answer.status, 404, "{id}{rest}: {answer:?}");
        }
        assert_eq!(server.post(&format!("/api/matches/{id}/stop"), "").status, 404, "{id}");
    }
    let body =
        |more: &str| format!(r#"{{"a":{{"level":"beginner"}},"b":{{"level":"amateur"}}{more}}}"#);
    for (more, said) in [
        (r#","game":"chess""#, "game: "),
        (r#","rules":"chess""#, "rules: "),
        (r#","openings":"/etc/passwd""#, "write plies:K or random:N"),
        (r#","openings":"plies:99""#, "openings: "),
        (r#","openings":"random:1000000,plies=1""#, "only 6 distinct openings"),
        (r#","games":3"#, "games is 3: every opening is played twice"),
        (r#","games":0"#, "games is 0: "),
        (r#","games":5000"#, "plies:4 has openings for 2028"),
        (r#","sprt":"elo0=50,elo1=0""#, "not less than elo1"),
        (r#","threads":0"#, "threads is 0, not 1 to 1024"),
        (r#","name":"../x""#, "name is \"../x\": a name has letters"),
        (r#","name":"-x""#, "name is \"-x\""),
    ] {
        let refusal = server.post("/api/matches", &body(more)).refusal(400);
        assert!(refusal.contains(said) && refusal.lines().count() == 1, "{more}: {refusal}");
    }
    assert!(
        server.post("/api/matches", &body(r#","seed":1"#)).refusal(422).contains("unknown field")
    );
    assert_eq!(server.post("/api/matches", &body(r#","name":"folder""#)).status, 409);
    let spec = r#"{"a":{"kind":"uci"},"b":{"level":"amateur"}}"#;
    assert!(server.post("/api/matches", spec).refusal(422).contains("unknown field"));
    for limit in ["0", "501"] {
        let refusal = server.get(&format!("/api/matches/folder/games?limit={limit}")).refusal(400);
        assert!(refusal.contains("not 1 to 500"), "{refusal}");
    }
    assert_eq!(scratch.list("matches"), ["folder.games"]);
}
