//! `ayo serve`: games, runs, access control and limits.

mod attacks;
mod client;
mod matches;

use std::collections::BTreeSet;
use std::fs;
use std::net::{TcpStream, UdpSocket};
use std::time::Duration;

use serde_json::{Value, json};

use self::client::Server;
use crate::support::{Bytes, LIVELY, Scratch, holds, undisturbed, wait_until};

#[test]
fn a_game_is_played_to_its_end_request_by_request() {
    let (_scratch, server) = Server::in_new_folder();
    let mut line = String::new();
    let board = loop {
        let asked = format!(r#"{{"line":"{line}","player":{{"level":"beginner"}}}}"#);
        let board = server.post("/api/play", &asked).fine();
        line = board["line"].as_str().unwrap().to_owned();
        if !board["over"].is_null() {
            break board;
        }
        let path = board["last"]["path"].as_array().unwrap();
        assert_eq!(path.len() as u64, board["last"]["seeds"].as_u64().unwrap());
        let rows = ["south", "north"].map(|side| board["rows"][side].as_array().unwrap().clone());
        let stores = ["south", "north"].map(|side| board["stores"][side].as_u64().unwrap());
        let seeds: u64 = rows.concat().iter().map(|seeds| seeds.as_u64().unwrap()).sum();
        assert_eq!(seeds + stores.iter().sum::<u64>(), 48, "{board}");
    };
    assert!(board["to_move"].is_null() && board["legal"].as_array().unwrap().is_empty(), "{board}");
    let with = |level: &str| format!(r#"{{"line":"{line}","player":{{"level":"{level}"}}}}"#);
    assert_eq!(server.post("/api/play", &with("beginner")).status, 409);
    assert_eq!(server.post("/api/payoff", &with("amateur")).status, 409);
}

#[test]
fn payoffs_agree_with_the_command_line() {
    let (scratch, server) = Server::in_new_folder();
    for (line, weights, depth) in [("FfEeDd", "reference", 6), ("CcFfAb", "learned", 5)] {
        let asked = json!({ "line": line, "player": { "weights": weights, "depth": depth } });
        let found = server.post("/api/payoff", &asked.to_string()).fine();
        let player = format!("minimax:weights={weights},depth={depth}");
        let said = scratch.json(&format!("bestmove --player {player} --json --line {line}"));
        let moves = found["moves"].as_array().unwrap();
        let best = moves.iter().find(|it| it["pit"] == said["move"]).unwrap();
        assert_eq!(best["value"], said["score"], "{found} {said}");
        assert!(best["best"].as_bool().unwrap(), "{found}");
        assert_eq!(found["suggestion"], said["move"]);
    }
    // Published players have fixed settings and are requested by name.
    for (game, spec, name, line) in [
        ("ayo", "rbh", "rbh", "FfEb"),
        ("ayo", "amdf", "amdf", "FfE"),
        ("kalah", "kansas:heuristics=h1+h2+h3+h4+h5,depth=9", "kansas", "CAf"),
    ] {
        let listed = server.get(&format!("/api/players?game={game}")).fine();
        assert!(listed["published"].as_array().unwrap().iter().any(|it| it["name"] == name));
        let asked = json!({ "game": game, "line": line, "player": { "level": name } }).to_string();
        let command = format!("bestmove --game {game} --player {spec} --json --line {line}");
        let choice = &scratch.json(&command)["move"];
        assert_eq!(&server.post("/api/play", &asked).fine()["chosen"]["pit"], choice);
        let found = server.post("/api/payoff", &asked).fine();
        assert!(&found["suggestion"] == choice && !found["moves"].as_array().unwrap().is_empty());
        let judged = server.post("/api/judge", &asked).fine();
        assert_eq!(judged["plies"].as_array().unwrap().len(), line.len());
    }
    // Endgame tables cover this position, because it has just seven seeds.
    let asked = r#"{"from":"1-0-0-0-1-1-1-0-0-1-0-2-20-21-S","rules":"awari","player":{"weights":"seeds","depth":3}}"#;
    let found = server.post("/api/payoff", asked).fine();
    let known = |it: &Value| !it["proven"].is_null() || !it["likely"].is_null();
    assert!(found["moves"].as_array().unwrap().iter().all(known), "{found}");
}

#[test]
fn wrong_requests_are_refused_and_leave_no_files() {
    let (scratch, server) = Server::in_new_folder();
    let long = format!(r#""line":"{}""#, "Ff".repeat(1001));
    // The path, the fields of the body, and a part of the message. The message names the invalid field.
    for (path, fields, named) in [
        ("play", r#""game":"chess""#, "game"),
        ("play", r#""from":"4-4""#, "from: "),
        ("play", r#""line":"Fz""#, "line: ply 2"),
        ("play", &long, "line: "),
        ("play", r#""player":{}"#, "player: "),
        ("play", r#""player":{"weights":"seeds","depth":16}"#, "depth is 16, not 1 to 15"),
        ("play", r#""player":{"weights":"seeds","time_ms":9}"#, "time_ms is 9, not 10 to 10000"),
        ("play", r#""player":{"weights":"/etc/passwd"}"#, "player: "),
        ("play", r#""player":{"level":"uci:cmd=true"}"#, "player: "),
        ("play", r#""game":"kalah","player":{"level":"champion"}"#, "player: "),
        ("payoff", "", "player: "),
        ("runs", r#""preset":"../none""#, "preset is"),
        ("runs", r#""preset":"quick","settings":{"features=learned:/x":"/../u.ayo"}"#, "settings"),
        ("runs", r#""preset":"quick","name":"a/b""#, "name is"),
        ("runs", r#""preset":"quick","name":"ö""#, "name is"),
        ("runs", r#""preset":"quick","seconds":0"#, "seconds is 0"),
        ("runs", r#""preset":"quick","settings":{"seed":"9"}"#, "settings: seed"),
        ("runs", r#""preset":"quick","settings":{"features":"learned:/etc/passwd"}"#, "settings: "),
    ] {
        let refused = server.post(&format!("/api/{path}"), &format!("{{{fields}}}")).refusal(400);
        assert!(refused.contains(named), "{path} {fields}: {refused}");
    }
    for (path, body, status) in [
        ("/api/play", r#"{"side":"south"}"#, 422),
        ("/api/play", "{", 400),
        ("/api/play", r#"{"player":{"run":"../x"}}"#, 404),
        ("/api/runs/none/stop", "", 404),
        ("/api/runs/none/resume", "{}", 404),
    ] {
        server.post(path, body).refusal(status);
    }
    for (path, status) in [
        ("/api/none", 404),
        ("/api/runs/none", 404),
        ("/api/runs/..%2f..", 404),
        ("/api/runs/%ff", 400),
        ("/api/runs/%2e%2e/history", 404),
        ("/api/runs?x=1", 200),
        ("/api/play", 405),
        ("/assets/app.js", 200),
        ("/assets/../../../../Cargo.toml", 404),
        ("/assets/%2e%2e/%2e%2e/serve.rs", 404),
        ("/Cargo.toml", 404),
    ] {
        assert_eq!(server.get(path).status, status, "{path}");
    }
    assert!(fs::read_dir(scratch.path("")).unwrap().next().is_none());
}

#[test]
fn requests_need_the_token_the_host_and_the_origin() {
    let (_scratch, server) = Server::in_new_folder();
    let (port, token) = (server.port, &server.token);
    let ask = |method: &str, path: &str, host: &str, headers: &str| {
        let json = "Content-Type: application/json\r\nContent-Length: 2\r\n";
        let (more, body) = if method == "POST" { (json, "{}") } else { ("", "") };
        server.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}{more}\r\n{body}"
        ))
    };
    let own = &format!("127.0.0.1:{port}");
    let get = |headers: &str| ask("GET", "/api/runs", own, headers).status;
    let post = |headers: &str| ask("POST", "/api/play", own, headers).status;
    let bearer = &format!("Authorization: Bearer {token}\r\n");
    let session = server.post("/api/session", "");
    let set = session.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(set.ends_with("; HttpOnly; SameSite=Strict; Path=/"), "{set}");
    let (name, value) = set.split(';').next().unwrap().split_once('=').unwrap();
    assert!(name == format!("ayo-{port}") && value != token, "{set}");
    let cookie = &format!("Cookie: a=b; {name}={value}\r\n");
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "127.0.0.1:1", ""] {
        assert_eq!(ask("GET", "/", host, "").status, 421, "{host}");
        assert_eq!(ask("GET", "/api/runs", host, bearer).status, 421, "{host}");
    }
    for host in ["localhost", "LocalHost", "[::1]"] {
        assert_eq!(ask("GET", "/", &format!("{host}:{port}"), "").status, 200);
    }
    // The token must be complete, and we don't accept the cookie as a token.
    let short = format!("{}\r\n", &bearer[..bearer.len() - 3]);
    let cookie_as_token = format!("Authorization: Bearer {value}\r\n");
    for headers in ["", "Authorization: Bearer\r\n", &short, "Cookie: ayo=1\r\n", &cookie_as_token]
    {
        assert_eq!((get(headers), post(headers)), (401, 401), "{headers}");
    }
    // A browser also sends the cookie with requests from other pages, so we reject these.
    assert_eq!((get(bearer), get(cookie), post(bearer), post(cookie)), (200, 200, 200, 403));
    for credentials in [cookie, bearer] {
        for origin in ["http://evil.example", "null"] {
            let headers = format!("{credentials}Origin: {origin}\r\n");
            assert_eq!((get(&headers), post(&headers)), (403, 403), "{headers}");
        }
        assert_eq!(post(&format!("{credentials}Origin: http://{own}\r\n")), 200);
    }
    assert_eq!(session.status, 204);
    let policy = "content-security-policy: default-src 'self';";
    holds(&session.head, &[policy, "x-content-type-options: nosniff", "x-frame-options: DENY"]);
    // A form on another page can send text but not JSON.
    let form = format!(
        "POST /api/play HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n{bearer}\
         Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.raw(&form).status, 415);
    let large = format!(r#"{{"line":"{}"}}"#, "F".repeat(70_000));
    assert_eq!(server.post("/api/play", &large).status, 413);
}

fn own_address() -> Option<std::net::IpAddr> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified() && !address.is_loopback()).then_some(address)
}

#[test]
fn clients_on_the_network_may_watch_and_play_but_not_control() {
    let scratch = Scratch::new();
    let [alone, other] = [0, 1].map(|_| Server::start(&scratch, ""));
    assert_eq!(alone.get("/api/about").fine()["interface"], 1);
    assert_ne!(alone.token, other.token);
    assert_eq!((alone.token.len(), alone.printed.len()), (32, 1));
    let taken = scratch.ayo(&format!("serve --no-open --port {}", alone.port)).code(1);
    assert!(taken.stderr().contains(&format!("127.0.0.1:{}", alone.port)));
    let Some(address) = own_address() else { return };
    for (flags, status) in [("--lan", 403), ("--lan --lan-control", 404)] {
        let server = Server::start(&scratch, flags);
        assert!(server.printed[1].starts_with(&format!("http://{address}:{}/", server.port)));
        let there = |path: &str, body: &str| {
            let stream = TcpStream::connect((address, server.port)).unwrap();
            let host = format!("Host: {address}:{}", server.port);
            let request = server.request_to_post(path, body);
            let request = request.replace(&format!("Host: 127.0.0.1:{}", server.port), &host);
            server.raw_from(stream, &request).status
        };
        assert_eq!(there("/api/play", "{}"), 200);
        assert_eq!(there("/api/runs/none/stop", ""), status);
        assert_eq!(server.post("/api/runs/none/stop", "").status, 404);
    }
    assert!(TcpStream::connect((address, alone.port)).is_err());
}

#[test]
fn streams_are_limited_and_slow_clients_block_nobody() {
    let (_scratch, server) = Server::in_new_folder();
    let slow: Vec<_> = (0..100).map(|_| server.unread("GET / HTTP/1.1\r\nHost: ")).collect();
    let streams: Vec<_> = (0..128).map(|_| server.events("")).collect();
    assert!(streams.iter().all(|stream| stream.status.contains("200")));
    let refused = server.get("/api/events");
    assert!(refused.status == 503 && refused.head.contains("retry-after: "), "{refused:?}");
    drop(streams);
    let has_place = || server.events("").status.contains("200");
    wait_until("closed streams do not free their places", has_place);
    assert_eq!(server.get("/api/runs").status, 200);
    drop(slow);
}

/// There are no endgame tables for these rules. (We would continue to build them after the client has left.)
#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_with_its_client() {
    let (_scratch, server) = Server::in_new_folder();
    let asked = |time: u32| {
        let player = format!(r#"{{"weights":"learned","time_ms":{time}}}"#);
        format!(r#"{{"rules":"no-slam","line":"FfEeDdCcBb","player":{player}}}"#)
    };
    server.post("/api/play", &asked(10)).fine();
    let request = server.request_to_post("/api/play", &asked(10_000));
    for _ in 0..4 {
        let _client = server.unread(&request);
        std::thread::sleep(Duration::from_millis(50));
    }
    // If the searches hadn't stopped, they would use two cores for ten seconds each.
    std::thread::sleep(Duration::from_millis(500));
    let before = server.seconds();
    std::thread::sleep(Duration::from_millis(600));
    let taken = server.seconds() - before;
    assert!(taken < 0.3, "{taken} s of processor time");
}

/// `LIVELY` as a request.
const SMALL: &str = r#""preset":"daoud2004","seed":5,"threads":1,"settings":{"population":"16","depth":"2","mutation_rate":"0.03"}"#;

#[test]
fn a_stopped_and_resumed_run_has_the_same_bytes() {
    let (scratch, server) = Server::in_new_folder();
    let asked = format!(r#"{{{SMALL},"name":"watched","generations":100000}}"#);
    assert_eq!(server.post("/api/runs", &asked).fine()["id"], "watched");
    server.post("/api/runs", &asked).refusal(409);
    server.post("/api/runs/watched/resume", "{}").refusal(409);
    let mut events = server.events("?run=watched&after=0");
    assert_eq!(events.next("rows")["rows"][0][0], 1.0);
    assert_eq!(server.post("/api/runs/watched/stop", "").fine()["kind"], "stopping");
    let stopped = server.until("/api/runs/watched", |it| it["state"] == "stopped");
    let job = events.next("job");
    assert_eq!((&job["id"], &job["error"]), (&"watched".into(), &Value::Null));
    let end = stopped["generation"].as_u64().unwrap() + 3;
    let more = format!(r#"{{"generations":{end},"threads":1}}"#);
    server.post("/api/runs/watched/resume", &more).fine();
    server.until("/api/runs/watched", |it| it["state"] == "complete");
    let alone = undisturbed(&format!("{LIVELY} --generations {end}"));
    Bytes::of(&scratch.path("populations/watched")).assert_same(&alone);
    let history = server.get("/api/runs/watched/history?points=10").fine();
    assert_eq!((history["last"].as_u64(), history["decimated"].as_bool()), (Some(end), Some(true)));
    let csv = server.get("/api/runs/watched/files/history.csv");
    assert_eq!(csv.body, scratch.read("populations/watched/history.csv"));
    assert_eq!(server.get("/api/runs/watched/files/lock").status, 404);
    assert!(server.get("/api/runs/watched/plot.svg").body.starts_with("<svg"));
    assert!(server.get("/api/runs/watched/export?format=c").body.contains("_evaluate("));
}

#[test]
fn runs_started_at_the_same_time_have_different_names() {
    let (_scratch, server) = Server::in_new_folder();
    let asked = r#"{"preset":"daoud2004","threads":1,"generations":2,"settings":{"population":"6","depth":"1"}}"#;
    let ids: BTreeSet<String> = std::thread::scope(|scope| {
        let begin = || server.post("/api/runs", asked).fine()["id"].as_str().unwrap().to_owned();
        let begun: Vec<_> = (0..3).map(|_| scope.spawn(begin)).collect();
        begun.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 3, "{ids:?}");
    for id in &ids {
        let run = server.until(&format!("/api/runs/{id}"), |it| it["state"] != "running");
        assert!(id.ends_with(&format!("-{}", run["seed"])), "{run}");
    }
}

#[cfg(unix)]
#[test]
fn folders_with_pipes_or_links_are_not_listed() {
    let scratch = Scratch::new();
    scratch.train("populations/plain", "--population 5 --depth 1 --generations 1 --quiet");
    let copies = "cp -r populations/plain outside && cd populations && ln -s ../outside outside && \
                  cp -r plain linked && ln -sf /etc/passwd linked/history.csv && \
                  cp -r plain piped && rm piped/lock && mkfifo piped/lock";
    scratch.shell(copies).success();
    let server = Server::start(&scratch, "");
    for list in ["/api/runs", "/api/players"].map(|path| server.get(path).fine()) {
        let runs = list["runs"].as_array().unwrap();
        assert!(runs.len() == 1 && runs[0]["id"] == "plain", "{list}");
    }
    let changed = || server.get("/api/runs").fine()["runs"][0]["changed"].clone();
    assert!(changed().is_u64());
    // Repositories contain runs without their status, and the times of a clone's files mean nothing.
    scratch.remove("populations/plain/status.json");
    assert!(changed().is_null());
    assert_eq!(server.get("/api/runs/linked/history").status, 404);
    assert_eq!(server.get("/api/runs/outside").status, 404);
}

#[test]
fn a_run_continues_after_the_server_has_ended() {
    let (scratch, server) = Server::in_new_folder();
    let asked = format!(r#"{{{SMALL},"generations":100000}}"#);
    assert_eq!(server.post("/api/runs", &asked).fine()["id"], "daoud2004-5");
    drop(server);
    std::thread::sleep(Duration::from_millis(500));
    let again = Server::start(&scratch, "");
    assert_eq!(again.get("/api/runs/daoud2004-5").fine()["state"], "running");
    again.post("/api/runs/daoud2004-5/stop", "").fine();
    again.until("/api/runs/daoud2004-5", |it| it["state"] == "stopped");
}
