//! Viewing games: earlier moves, links, pasted text, and the games of a match.

use ayo_browser::{Page, Scene, Screen, in_browser};
use serde_json::json;

#[test]
fn a_link_brings_a_game_back() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation&side=north&line=CfD").await;
        page.sow_in_turn(&page.open_pits().await[0]).await;
        let line = page.line().await;
        let link = page.js("location.href").await;
        let south = page.store("south").await;
        page.visit("#/runs", "h1").await;
        page.click("#pages [data-page='play']").await;
        page.turn().await;
        assert_eq!(page.line().await, line);
        // The cookie is shared with other tabs of the same browser.
        page.client().goto("about:blank").await.unwrap();
        page.client().goto(link.as_str().unwrap()).await.unwrap();
        page.turn().await;
        assert_eq!((page.line().await, page.store("south").await), (line, south));
        assert_eq!(page.first_pit_below().await, "a");
    });
}

#[test]
fn a_game_is_continued_from_an_earlier_move() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "mode=two&line=CfDcEe").await;
        page.press("#back", "Showing move 5 of 6.").await;
        page.press("#first", "Showing move 0 of 6.").await;
        assert_eq!(page.seeds("C").await, 4);
        assert_eq!(page.open_pits().await, Vec::<String>::new());
        page.press("#forward", "Showing move 1 of 6.").await;
        page.press("#last", "It is South's turn.").await;
        let status = page.press("[data-ply='3']", "Showing move 3 of 6.").await;
        assert!(status.contains("South sowed D"), "{status}");
        assert_eq!(page.parameter("at").await.as_deref(), Some("3"));
        page.press("#back-to-game", "It is South's turn.").await;
        page.press("[data-ply='2']", "Showing move 2 of 6.").await;
        page.click("#play-on").await;
        assert!(page.text("#ask-play-on").await.contains("4 later moves will be lost."));
        page.press("#ask-play-on [data-answer='yes']", "It is South's turn.").await;
        assert_eq!(page.line().await, "Cf");
    });
}

#[test]
fn moves_are_judged_as_replay_does() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        let line = "CfDcEeAa";
        page.play(server, &format!("mode=two&advice=weights:learned:depth=5&line={line}")).await;
        page.click("#judge").await;
        page.shown("#judged").await;
        let body = json!({ "line": line, "player": { "weights": "learned", "depth": 5 } });
        let judged = server.post("/api/judge", &body).await;
        let plies = judged["plies"].as_array().unwrap();
        let blunders = page.js("$$('.ply.blunder').map(it => Number(it.dataset.ply))").await;
        let known = plies.iter().filter(|it| it["blunder"] == true);
        assert_eq!(blunders, json!(known.map(|it| &it["ply"]).collect::<Vec<_>>()));
        let is_good = |it: &&serde_json::Value| {
            it["move"] == it["choice"] || it["score"].as_i64() >= it["best_score"].as_i64()
        };
        let good = page.js("$$('.ply.good').length").await;
        assert_eq!(good, plies.iter().filter(is_good).count());
    });
}

async fn paste(page: &Page, text: &str) {
    if !page.there("#ask-paste").await {
        page.click("#paste").await;
    }
    page.write("#paste-text", text).await;
    page.click("#ask-paste [data-answer='yes']").await;
}

#[test]
fn pasted_text_becomes_a_game() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation").await;
        page.expect(&["/api/line"]);
        paste(page, "no game at all").await;
        page.shown("#ask-paste .problem:not(:empty)").await;
        paste(page, "4S6, 4N6").await;
        page.status("South is to move.").await;
        assert_eq!(page.line().await, "Ff");
        assert_eq!(page.parameter("mode").await.as_deref(), Some("look"));
        // Until the user takes a side, the game can only be viewed.
        assert!(!page.there("button[data-pit]").await);
        page.click("#play-on").await;
        page.choose("#seats-mode", "two").await;
        page.press("#ask-seats [data-answer='yes']", "It is South's turn.").await;
        page.sow("E").await;
        assert_eq!(page.line().await, "FfE");
        paste(page, "0-0-0-0-1-1-1-0-0-0-0-0-23-22-N").await;
        page.status("North is to move.").await;
        assert_eq!((page.store("south").await, page.counter().await), (23, 0));
    });
}
