//! Viewing games: earlier moves, links, pasted text, games of a match.

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::json;

#[test]
fn a_link_brings_a_game_back() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(
            &scene.server,
            "#/play?with=level:initiation&side=north&line=CfD",
            "button[data-pit='a']",
        )
        .await;
        board.turn().await;
        board.sow(&board.open_pits().await[0]).await;
        board.turn().await;
        let line = board.line().await;
        let link = page.js("location.href").await;
        let south = board.store("south").await;
        page.visit("#/runs", "h1").await;
        // The navigation link leads back to the game.
        page.click("#pages [data-page='play']").await;
        board.turn().await;
        assert_eq!(board.line().await, line);
        // Another tab of the same browser has the cookie.
        page.client().goto("about:blank").await.unwrap();
        page.client().goto(link.as_str().unwrap()).await.unwrap();
        board.turn().await;
        assert_eq!((board.line().await, board.store("south").await), (line, south));
        assert_eq!(page.js("$('.row-bottom').firstElementChild.dataset.pit").await, "a");
    });
}

#[test]
fn a_game_is_continued_from_an_earlier_move() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?mode=two&line=CfDcEe", "button[data-pit='A']").await;
        board.until("South's turn").await;
        page.click("#back").await;
        board.until("Looking at move 5 of 6.").await;
        page.click("#first").await;
        board.until("Looking at move 0 of 6.").await;
        assert_eq!(board.seeds("C").await, 4);
        assert_eq!(board.open_pits().await, Vec::<String>::new());
        page.click("#forward").await;
        board.until("Looking at move 1 of 6.").await;
        page.click("#last").await;
        board.until("It is South's turn.").await;
        page.click("[data-ply='3']").await;
        assert!(board.until("Looking at move 3 of 6.").await.contains("South sowed D"));
        assert_eq!(board.parameter("at").await.as_deref(), Some("3"));
        page.click("#back-to-game").await;
        board.until("It is South's turn.").await;
        page.click("[data-ply='2']").await;
        board.until("Looking at move 2 of 6.").await;
        page.click("#play-on").await;
        assert!(page.text("#ask-play-on").await.contains("4 later moves will be lost."));
        page.click("#ask-play-on [data-answer='yes']").await;
        board.until("It is South's turn.").await;
        assert_eq!(board.line().await, "Cf");
    });
}

#[test]
fn moves_are_judged_as_replay_does() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        let line = "CfDcEeAa";
        page.open(
            &scene.server,
            &format!("#/play?mode=two&advice=weights:learned:depth=5&line={line}"),
            "button[data-pit='A']",
        )
        .await;
        board.until("turn").await;
        page.click("#judge").await;
        page.wait("the judgement", "$('#judged')").await;
        let body = json!({ "line": line, "player": { "weights": "learned", "depth": 5 } });
        let judged = scene.server.post("/api/judge", &body).await;
        let plies = judged["plies"].as_array().unwrap();
        let blunders = page.js("$$('.ply.blunder').map(it => Number(it.dataset.ply))").await;
        let known: Vec<_> =
            plies.iter().filter(|it| it["blunder"] == true).map(|it| it["ply"].clone()).collect();
        assert_eq!(blunders, json!(known));
        let good = page.js("$$('.ply.good').length").await;
        assert_eq!(
            good,
            plies.iter().filter(|it| it["score"].as_i64() >= it["best_score"].as_i64()).count()
        );
    });
}

#[test]
fn pasted_text_becomes_a_game() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?with=level:initiation", "button[data-pit='A']").await;
        board.turn().await;
        page.expect("/api/line");
        page.click("#paste").await;
        page.write("#paste-text", "no game at all").await;
        page.click("#ask-paste [data-answer='yes']").await;
        page.wait("what is wrong", "$('#ask-paste .problem').textContent").await;
        page.write("#paste-text", "4S6, 4N6").await;
        page.click("#ask-paste [data-answer='yes']").await;
        board.until("South is to move.").await;
        assert_eq!(
            (board.line().await.as_str(), board.parameter("mode").await.as_deref()),
            ("Ff", Some("look"))
        );
        // It can only be viewed until the user takes a side.
        assert!(!page.there("button[data-pit]").await);
        page.click("#play-on").await;
        page.choose("#seats-mode", "two").await;
        page.click("#ask-seats [data-answer='yes']").await;
        board.until("It is South's turn.").await;
        board.sow("E").await;
        assert_eq!(board.line().await, "FfE");
        let position = "0-0-0-0-1-1-1-0-0-0-0-0-23-22-N";
        page.click("#paste").await;
        page.write("#paste-text", position).await;
        page.click("#ask-paste [data-answer='yes']").await;
        board.until("North is to move.").await;
        assert_eq!((board.store("south").await, board.counter().await), (23, 0));
    });
}
