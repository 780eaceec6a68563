//! Matches: starting, watching and stopping them, and opening their games on the board.

use ayo_browser::{Scene, Screen, in_browser};
use serde_json::json;

#[test]
fn a_game_of_a_match_is_replayed_and_continued() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.open(server, "#/matches", "#no-matches").await;
        let line = "match minimax:weights=learned,depth=1 minimax:weights=seeds,depth=1 --games 20 --quiet";
        let known = stage.json(&format!("{line} --games-out matches/shallow.games")).await;
        // The new match appears in the list without a reload.
        page.click("[data-match='shallow'] h3 a").await;
        page.shown("#games-list [data-game]").await;
        let score = known["score"].as_f64().unwrap();
        assert_eq!(page.text("#score strong").await, format!("{score:.3}"), "{known}");
        assert_eq!(server.get("/api/matches/shallow").await["score"], known["score"]);
        let games = server.get("/api/matches/shallow/games?offset=2&limit=1").await;
        let game = &games["games"][0];
        page.press("[data-game='3']", "The game is over").await;
        assert_eq!(page.line().await, game["line"]);
        assert_eq!(page.counter().await, game["plies"].as_u64().unwrap());
        assert!(page.text(".game-title").await.contains("shallow, game 3"));
        let [south, north] = [page.store("south").await, page.store("north").await];
        let first_is_south = game["south"] == game["first"];
        let stores = if first_is_south { [south, north] } else { [north, south] };
        assert_eq!(json!(stores), game["stores"]);
        page.press("#first", "Showing move 0").await;
        page.press("#forward", "Showing move 1").await;
        page.click("#play-on").await;
        page.choose("#seats-mode", "two").await;
        page.press("#ask-seats [data-answer='yes']", "turn").await;
        assert_eq!(page.line().await, game["line"].as_str().unwrap()[..1]);
        page.client().back().await.unwrap();
        page.shown("article.match").await;
        // A match of kalah opens on a board of the right size.
        let line = "match minimax:weights=stores,depth=1 greedy --game kalah:pits=4,seeds=3 --openings plies:1";
        stage.ayo(&format!("{line} --quiet --games-out matches/small.games")).await;
        page.visit("#/matches/small", "#games-list [data-game]").await;
        page.press("[data-game='1']", "The game is over").await;
        assert_eq!(page.js("$$('[data-pit]').length").await, 8);
    });
}

#[test]
fn a_match_is_started_watched_and_stopped_from_the_page() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.open(server, "#/matches", "#start-match").await;
        page.unfold("#start-match").await;
        for (player, weights) in [("#player-a", "weights:learned"), ("#player-b", "weights:seeds")]
        {
            page.choose(player, weights).await;
            page.choose(&format!("{player}-limit"), "depth=6").await;
        }
        page.write("#games", "100000").await;
        page.choose("#openings", "random:8").await;
        page.write("#match-name", "mine").await;
        page.write("#match-threads", "1").await;
        page.click("#begin-match").await;
        page.shown("article.match[data-match='mine']").await;
        let played = async |condition: &str| {
            let games = "Number($('#progress').textContent.split(' ')[0].replace(/,/g, ''))";
            page.wait(&format!("(it => it {condition} && it)({games})")).await
        };
        let before = played(">= 2").await;
        page.shown("#score").await;
        played(&format!("> {before}")).await;
        page.shown("#games-list [data-game]").await;
        page.answer("#stop", "#stop-dialogue", "yes").await;
        page.shown("[data-state=stopped]").await;
        let result = server.get("/api/matches/mine").await;
        assert_eq!(result["state"], "stopped");
        played(&format!("=== {}", result["games"])).await;
    });
}
