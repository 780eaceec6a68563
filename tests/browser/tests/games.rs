//! Games against a player, with the mouse: played to the end, taken back, restarted, and from both sides.

use ayo_browser::{Scene, Screen, in_browser};
use serde_json::json;

#[test]
fn a_game_is_played_to_its_end_by_mouse() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation").await;
        page.play_to_end(server, async |_, pit| page.click(&format!("[data-pit='{pit}']")).await)
            .await;
        assert_eq!(page.open_pits().await, Vec::<String>::new());
        page.press("[data-pit='A']", "The game is over. Restart it, or start a new game.").await;
    });
}

#[test]
fn cancel_and_retry_ask_first() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "with=level:initiation&line=CfDc").await;
        assert_eq!(page.counter().await, 4);
        page.sow_in_turn(&server.advised("CfDc").await).await;
        let line = page.line().await;
        assert_eq!(line.len(), 6);
        page.click("#cancel").await;
        assert!(page.text("#ask-cancel").await.contains("This undoes the last 2 moves"));
        page.click("#ask-cancel [data-answer='no']").await;
        page.gone("dialog").await;
        assert_eq!(page.line().await, line);
        page.answer("#cancel", "#ask-cancel", "yes").await;
        page.counted(4).await;
        assert_eq!(page.line().await, "CfDc");
        page.answer("#retry", "#ask-retry", "no").await;
        page.gone("dialog").await;
        assert_eq!(page.counter().await, 4);
        page.answer("#retry", "#ask-retry", "yes").await;
        page.counted(0).await;
        assert_eq!((page.line().await.as_str(), page.seeds("a").await), ("", 4));
        page.press("#cancel", "There is no move to undo.").await;
    });
}

#[test]
fn north_is_played_against_a_player_that_begins() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "").await;
        page.choose("#choose-player", "level:initiation").await;
        page.pick("You play", "north").await;
        page.start_game().await;
        assert!(page.status("It is your turn, North.").await.contains("South sowed"));
        assert_eq!(page.counter().await, 1);
        // North's row is at the bottom, in reverse order.
        assert_eq!(page.first_pit_below().await, "a");
        let pit = page.open_pits().await.remove(0);
        assert_eq!(pit, pit.to_lowercase());
        page.sow_in_turn(&pit).await;
        assert_eq!(page.counter().await, 3);
        page.pick("Who starts", "north").await;
        page.start_game().await;
        page.click("#ask-start [data-answer='yes']").await;
        page.counted(0).await;
        assert_eq!(page.status("It is your turn, North.").await, "It is your turn, North.");
    });
}

#[test]
fn seeds_are_sown_one_by_one() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "mode=two").await;
        page.js("localStorage.setItem('ayo.speed', '3')").await;
        // Records every number shown in the next pits during sowing.
        let watch = "(() => { window.seen = []; \
                     const now = () => [...'ABCDE'].map(it => $(`[data-pit=${it}] .count`).textContent).join(); \
                     const note = () => { if (window.seen.at(-1) !== now()) window.seen.push(now()); }; \
                     const all = { subtree: true, childList: true, characterData: true }; \
                     new MutationObserver(note).observe($('.board'), all); })()";
        page.js(watch).await;
        page.click("[data-pit='A']").await;
        page.shown(".hand").await;
        page.wait("!$('.hand') && $('[data-pit=E] .count').textContent === '5'").await;
        let seen: Vec<String> = serde_json::from_value(page.js("window.seen").await).unwrap();
        let seen: Vec<_> = seen.iter().filter(|it| *it != "4,4,4,4,4").collect();
        assert_eq!(seen, ["0,4,4,4,4", "0,5,4,4,4", "0,5,5,4,4", "0,5,5,5,4", "0,5,5,5,5"]);
    });
}

#[test]
fn a_side_of_kalah_moves_again() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "").await;
        for (list, value) in [
            ("#choose-game", "kalah"),
            ("#choose-pits", "4"),
            ("#choose-seeds", "3"),
            ("#choose-player", "weights:stores"),
            ("#choose-player-limit", "depth=2"),
        ] {
            page.choose(list, value).await;
        }
        page.start_game().await;
        page.wait("$$('[data-pit]').length === 8").await;
        page.status("It is your turn, South.").await;
        // Sowing three seeds from B ends in the store.
        page.sow("B").await;
        let status = page.status("and moves again").await;
        assert!(status.ends_with("It is your turn, South."), "{status}");
        assert_eq!((page.store("south").await, page.line().await.as_str()), (1, "B"));
        assert_eq!(page.open_pits().await, ["A", "C", "D"]);
        page.sow_in_turn("D").await;
        assert!(page.counter().await >= 3);
        let body = json!({ "game": "kalah:pits=4,seeds=3", "line": page.line().await });
        let board = server.post("/api/play", &body).await;
        page.check_stores(&board).await;
    });
}

#[test]
fn every_kind_of_opponent_answers() {
    in_browser(Screen::Phone, async |Scene { page, server, stage }: &mut Scene| {
        stage.trained("small", 1, 1).await;
        page.play(server, "").await;
        for (game, published) in [("ayo", &["rbh", "amdf"][..]), ("kalah", &["kansas"])] {
            page.visit(&format!("#/play?game={game}"), "#choose-player").await;
            page.turn().await;
            // Levels and published players have no search limit; of the others, one each is enough.
            let one_each = "$$('#choose-player optgroup').flatMap(it => [...it.children].map(it => it.value)\
                            .filter((value, i) => i === 0 || value.startsWith('level:')))";
            let offered: Vec<String> = serde_json::from_value(page.js(one_each).await).unwrap();
            page.unfold(".advice").await;
            for player in published {
                let player = format!("level:{player}");
                assert!(offered.contains(&player), "{offered:?}");
                page.choose("#advice", &player).await;
                assert!(!page.payoffs().await.is_empty(), "{player}");
                page.click("#payoff").await;
            }
            assert_eq!(offered.iter().any(|it| it == "run:small"), game == "ayo", "{offered:?}");
            for player in offered {
                let limit = if player.starts_with("level:") { "" } else { ":depth=2" };
                page.visit(&format!("#/play?game={game}&with={player}{limit}"), "[data-pit='A']")
                    .await;
                // In kalah, a side may move again.
                while !page.line().await.contains(char::is_lowercase) {
                    page.turn().await;
                    page.sow_in_turn(&page.open_pits().await[0]).await;
                }
            }
        }
    });
}
