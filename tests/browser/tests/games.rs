//! Games against a player with the mouse: to the end, taken back, restarted, from both sides.

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::json;

/// Returns the move of a good player for the user.
async fn advised(scene: &Scene, line: &str) -> String {
    let player = json!({ "weights": "learned", "depth": 4 });
    let body = json!({ "line": line, "player": player });
    let board = scene.server.post("/api/play", &body).await;
    board["chosen"]["pit"].as_str().unwrap().to_owned()
}

#[test]
fn a_game_is_played_to_its_end_by_mouse() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let board = Board(&scene.page);
        scene
            .page
            .open(&scene.server, "#/play?with=level:initiation", "button[data-pit='A']")
            .await;
        let mut status = board.turn().await;
        while !status.contains("The game is over") {
            let pit = advised(scene, &board.line().await).await;
            board.sow(&pit).await;
            status = board.turn().await;
        }
        let line = board.line().await;
        let end = scene.server.post("/api/play", &json!({ "line": line })).await;
        let verdict = end["over"]["verdict"].as_str().unwrap();
        assert!(status.contains(verdict), "{status} is not {verdict}");
        assert!(status.contains("South wins"), "{status}");
        assert_eq!(board.counter().await, line.len() as u64);
        for side in ["south", "north"] {
            assert_eq!(json!(board.store(side).await), end["over"]["stores"][side], "{side}");
        }
        // No pit can be sown after the end.
        assert_eq!(board.open_pits().await, Vec::<String>::new());
        scene.page.click("[data-pit='A']").await;
        board.until("The game is over. Restart it, or start a new game.").await;
    });
}

#[test]
fn cancel_and_retry_ask_first() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?with=level:initiation&line=CfDc", "button[data-pit='A']")
            .await;
        board.turn().await;
        assert_eq!(board.counter().await, 4);
        board.sow(&advised(scene, "CfDc").await).await;
        board.turn().await;
        let line = board.line().await;
        assert_eq!(line.len(), 6);
        page.click("#cancel").await;
        assert!(page.text("#ask-cancel").await.contains("The last 2 moves are taken back"));
        page.click("#ask-cancel [data-answer='no']").await;
        page.wait("no dialogue", "!$('dialog')").await;
        assert_eq!(board.line().await, line);
        page.click("#cancel").await;
        page.click("#ask-cancel [data-answer='yes']").await;
        page.wait("four moves", "$('#counter strong').textContent === '4'").await;
        assert_eq!(board.line().await, "CfDc");
        page.click("#retry").await;
        page.click("#ask-retry [data-answer='no']").await;
        page.wait("no dialogue", "!$('dialog')").await;
        assert_eq!(board.counter().await, 4);
        page.click("#retry").await;
        page.click("#ask-retry [data-answer='yes']").await;
        page.wait("the beginning", "$('#counter strong').textContent === '0'").await;
        assert_eq!((board.line().await.as_str(), board.seeds("a").await), ("", 4));
        page.click("#cancel").await;
        board.until("There is no move to undo.").await;
    });
}

#[test]
fn north_is_played_against_a_player_that_begins() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play", "#start").await;
        board.turn().await;
        page.choose("#choose-player", "level:initiation").await;
        page.pick("You play", "north").await;
        page.click("#start[aria-disabled=false]").await;
        assert!(board.until("It is your turn, North.").await.contains("South sowed"));
        assert_eq!(board.counter().await, 1);
        // North's row is at the bottom, in reverse order.
        let below = page.js("$('.row-bottom').firstElementChild.dataset.pit").await;
        assert_eq!(below, "a");
        let pit = board.open_pits().await.remove(0);
        assert_eq!(pit, pit.to_lowercase());
        board.sow(&pit).await;
        board.turn().await;
        assert_eq!(board.counter().await, 3);
        // North can also begin.
        page.pick("Who starts", "north").await;
        page.click("#start[aria-disabled=false]").await;
        page.click("#ask-start [data-answer='yes']").await;
        page.wait("the beginning", "$('#counter strong').textContent === '0'").await;
        assert_eq!(board.until("It is your turn, North.").await, "It is your turn, North.");
    });
}

#[test]
fn seeds_are_sown_one_by_one() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?mode=two", "button[data-pit='A']").await;
        board.until("South's turn").await;
        page.js("localStorage.setItem('ayo.speed', '3')").await;
        // Records every number that the next pits show during sowing.
        let watch = "(() => { window.seen = []; \
                     const now = () => [...'ABCDE'].map(it => $(`[data-pit=${it}] .count`).textContent).join(); \
                     const note = () => { if (window.seen.at(-1) !== now()) window.seen.push(now()); }; \
                     const all = { subtree: true, childList: true, characterData: true }; \
                     new MutationObserver(note).observe($('.board'), all); })()";
        page.js(watch).await;
        page.click("[data-pit='A']").await;
        page.wait("the hand", "$('.hand')").await;
        page.wait("its end", "!$('.hand') && $('[data-pit=E] .count').textContent === '5'").await;
        let seen = page.js("window.seen").await;
        let steps = json!(["0,4,4,4,4", "0,5,4,4,4", "0,5,5,4,4", "0,5,5,5,4", "0,5,5,5,5"]);
        let seen: Vec<_> =
            seen.as_array().unwrap().iter().filter(|it| **it != "4,4,4,4,4").collect();
        assert_eq!(json!(seen), steps);
    });
}

#[test]
fn a_side_of_kalah_moves_again() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play", "#start").await;
        board.turn().await;
        page.choose("#choose-game", "kalah").await;
        page.choose("#choose-pits", "4").await;
        page.choose("#choose-seeds", "3").await;
        page.choose("#choose-player", "weights:stores").await;
        page.choose("#choose-player-limit", "depth=2").await;
        page.click("#start[aria-disabled=false]").await;
        page.wait("four pits a side", "$$('[data-pit]').length === 8").await;
        board.until("It is your turn, South.").await;
        // Three seeds from B end in the store.
        board.sow("B").await;
        let status = board.until("and moves again").await;
        assert!(status.ends_with("It is your turn, South."), "{status}");
        assert_eq!((board.store("south").await, board.line().await.as_str()), (1, "B"));
        let legal = board.open_pits().await;
        assert_eq!(legal, ["A", "C", "D"]);
        board.sow("D").await;
        board.turn().await;
        assert!(board.counter().await >= 3);
        let known = scene
            .server
            .post(
                "/api/play",
                &json!({ "game": "kalah:pits=4,seeds=3", "line": board.line().await }),
            )
            .await;
        for side in ["south", "north"] {
            assert_eq!(json!(board.store(side).await), known["stores"][side], "{side}");
        }
    });
}
