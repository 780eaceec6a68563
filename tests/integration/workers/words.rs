//! What is said of servers and workers, and what never is.

use super::server::{Server, until};
use crate::support::{Scratch, refused};

const SECRET: &str = "swordfish";

#[test]
fn an_address_that_is_none_is_refused_without_repeating_it() {
    let scratch = Scratch::new();
    for line in ["worker", "workers", "match seeds greedy --workers"] {
        let wrong = |url: &str, words: &[&str]| {
            let said = refused(scratch.ayo(&format!("{line} {url}")), 2, words);
            assert!(!said.contains(SECRET), "{said}");
        };
        wrong(
            &format!("http://me:{SECRET}@host/"),
            &["write the address of the server as redis://"],
        );
        wrong(&format!("rediss://me:{SECRET}@host/"), &["without TLS", "ssh -L"]);
    }
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    let scratch = Scratch::new();
    let url = format!("redis://me:{SECRET}@127.0.0.1:1/");
    for line in ["workers", "match seeds greedy --workers", "champion nowhere --workers"] {
        let assert = scratch.ayo(&format!("{line} {url}"));
        let said = assert.stderr();
        assert_eq!(assert.output().status.code(), Some(1), "{said}");
        assert!(!said.contains(SECRET), "{said}");
    }
    refused(scratch.ayo(&format!("workers {url}")), 1, &["redis://127.0.0.1:1/0 cannot be used"]);
}

#[test]
fn users_and_passwords_are_those_of_redis() {
    let Some(server) = Server::start(&["--requirepass", "other"]) else { return };
    let scratch = Scratch::new();
    let admin = format!("redis://:other@127.0.0.1:{}/", server.port());
    let mut connection = redis::Client::open(admin).unwrap().get_connection().unwrap();
    let user = format!("ACL SETUSER ayo on >{SECRET} ~ayo:* +@all -@admin -@dangerous +info");
    let mut command = redis::Cmd::new();
    command.arg(user.split(' ').collect::<Vec<_>>());
    command.exec(&mut connection).unwrap();
    let at = format!("127.0.0.1:{}/", server.port());
    refused(scratch.ayo(&format!("workers redis://ayo:wrong@{at}")), 1, &["cannot be used"]);
    refused(scratch.ayo(&format!("workers redis://{at}")), 1, &["cannot be used"]);
    let url = format!("redis://ayo:{SECRET}@{at}");
    let mut worker = scratch.start(&format!("worker {url} --threads 3"));
    until("a worker", || scratch.ayo(&format!("workers {url}")).stdout().contains("3 threads"));
    let hidden = scratch
        .command()
        .args(["workers", &format!("redis://ayo@{at}"), "--json"])
        .env("REDISCLI_AUTH", SECRET)
        .output();
    let found: serde_json::Value = serde_json::from_slice(&hidden.unwrap().stdout).unwrap();
    assert_eq!(
        (&found["workers"][0]["threads"], &found["runs"]),
        (&3.into(), &serde_json::json!([]))
    );
    let said =
        scratch.ayo(&format!("match seeds greedy --openings plies:2 --workers {url}")).success();
    let said = said.stderr();
    assert!(said.contains("helps with 3 threads") && !said.contains(SECRET), "{said}");
    worker.signal("TERM");
    let (_, out, err) = worker.wait();
    assert!(!format!("{out}{err}").contains(SECRET), "{out}{err}");
}
