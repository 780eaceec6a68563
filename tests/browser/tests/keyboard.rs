//! Games with the keyboard.

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, in_browser};
use fantoccini::key::Key;
use serde_json::json;

fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// Presses a key until an element has the focus.
async fn press_until(scene: &Scene, with: Key, css: &str) {
    for _ in 0..60 {
        if scene.page.js(&format!("document.activeElement.matches({})", json!(css))).await
            == json!(true)
        {
            return;
        }
        scene.page.keys(&key(with)).await;
    }
    panic!("the focus does not come to {css}");
}

#[test]
fn a_game_is_played_to_its_end_by_keyboard() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?with=level:initiation", "button[data-pit='A']").await;
        let mut status = board.turn().await;
        press_until(scene, Key::Tab, "[data-pit='A']").await;
        while !status.contains("The game is over") {
            let line = board.line().await;
            let body = json!({ "line": line, "player": { "weights": "learned", "depth": 4 } });
            let chosen = scene.server.post("/api/play", &body).await;
            let pit = chosen["chosen"]["pit"].as_str().unwrap().to_owned();
            if line.len() % 4 == 0 {
                page.keys(&pit.to_lowercase()).await;
            } else {
                // The focus stays on the same element from move to move.
                let from = page.js("document.activeElement.dataset.pit").await;
                let from = from.as_str().expect("a pit has the focus").to_owned();
                let way = if from < pit { Key::Right } else { Key::Left };
                press_until(scene, way, &format!("[data-pit='{pit}']")).await;
                page.keys(&key(Key::Enter)).await;
            }
            board.played(&line, &pit).await;
            status = board.turn().await;
        }
        assert!(status.contains("South wins"), "{status}");
        let end = scene.server.post("/api/play", &json!({ "line": board.line().await })).await;
        assert!(status.contains(end["over"]["verdict"].as_str().unwrap()), "{status}");
    });
}

#[test]
fn keys_stand_for_the_buttons() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(
            &scene.server,
            "#/play?with=level:initiation&advice=weights:learned:depth=4&line=CfDc",
            "button[data-pit='A']",
        )
        .await;
        board.turn().await;
        page.keys("p").await;
        page.wait("payoffs", "$('.payoffs:not([hidden]) [data-value]')").await;
        page.keys("p").await;
        page.wait("no payoffs", "$('.payoffs').hidden").await;
        page.keys(",").await;
        board.until("Looking at move 3 of 4.").await;
        page.keys(".").await;
        board.turn().await;
        page.keys("?").await;
        page.wait("the help", "$('#help-dialogue[open]')").await;
        // Keys do not sow while a dialogue is open.
        page.keys("a").await;
        page.keys(&key(Key::Escape)).await;
        page.wait("no dialogue", "!$('dialog')").await;
        assert_eq!(board.counter().await, 4);
        page.keys("z").await;
        page.wait("the question", "$('#ask-cancel[open]')").await;
        // The safe answer has the focus.
        page.keys(&key(Key::Enter)).await;
        page.wait("no dialogue", "!$('dialog')").await;
        assert_eq!(board.counter().await, 4);
        page.keys("r").await;
        page.wait("the question", "$('#ask-retry[open]')").await;
        page.keys(&format!("{}{}", key(Key::Tab), key(Key::Enter))).await;
        page.wait("the beginning", "$('#counter strong').textContent === '0'").await;
    });
}
