//! Games played with the keyboard.

use ayo_browser::{PAYOFFS, Page, Scene, Screen, in_browser};
use fantoccini::key::Key;
use serde_json::json;

async fn press(page: &Page, key: Key) {
    page.keys(&char::from(key).to_string()).await;
}

async fn press_until(page: &Page, key: Key, css: &str) {
    for _ in 0..60 {
        if page.js(&format!("document.activeElement.matches({})", json!(css))).await == true {
            return;
        }
        press(page, key).await;
    }
    panic!("the focus does not come to {css}");
}

#[test]
fn a_game_is_played_to_its_end_by_keyboard() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation").await;
        press_until(page, Key::Tab, "[data-pit='A']").await;
        page.play_to_end(server, async |line, pit| {
            if line.len() % 4 == 0 {
                return page.keys(&pit.to_lowercase()).await;
            }
            // The focus stays on the same element after each move.
            let from = page.js("document.activeElement.dataset.pit").await;
            let from = from.as_str().expect("a pit has the focus");
            let way = if from < pit { Key::Right } else { Key::Left };
            press_until(page, way, &format!("[data-pit='{pit}']")).await;
            press(page, Key::Enter).await;
        })
        .await;
    });
}

#[test]
fn keys_stand_for_the_buttons() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation&advice=weights:learned:depth=4&line=CfDc").await;
        page.keys("p").await;
        page.shown(PAYOFFS).await;
        page.keys("p").await;
        page.shown(".payoffs[hidden]").await;
        page.keys(",").await;
        page.status("Showing move 3 of 4.").await;
        page.keys(".").await;
        page.turn().await;
        page.keys("?").await;
        page.shown("#help-dialogue[open]").await;
        // Keys do not sow while a dialogue is open.
        page.keys("a").await;
        press(page, Key::Escape).await;
        page.gone("dialog").await;
        assert_eq!(page.counter().await, 4);
        page.keys("z").await;
        page.shown("#ask-cancel[open]").await;
        press(page, Key::Enter).await;
        page.gone("dialog").await;
        assert_eq!(page.counter().await, 4);
        page.keys("r").await;
        page.shown("#ask-retry[open]").await;
        press(page, Key::Tab).await;
        press(page, Key::Enter).await;
        page.counted(0).await;
    });
}
