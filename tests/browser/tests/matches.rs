//! Matches: starting, watching, stopping, and their games on the board.

use std::fs;

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::{Value, json};

const A: &str = "minimax:weights=learned,depth=1";
const B: &str = "minimax:weights=seeds,depth=1";

#[test]
fn a_game_of_a_match_is_replayed_and_continued() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        let board = Board(page);
        page.open(server, "#/matches", "#no-matches").await;
        let file = "matches/shallow.games";
        stage.ayo(&["match", A, B, "--games", "20", "--quiet", "--games-out", file]).await;
        // The list shows it without a reload.
        page.wait("the new match", "$('[data-match=shallow]')").await;
        page.click("[data-match='shallow'] h3 a").await;
        page.wait("its games", "$('#games-list [data-game]')").await;
        let known = stage.ayo(&["match", A, B, "--games", "20", "--quiet", "--json"]).await;
        let known: Value = serde_json::from_str(&known).unwrap();
        let score = page.text("#score strong").await;
        let told = server.get("/api/matches/shallow").await;
        assert_eq!(score, format!("{:.3}", told["score"].as_f64().unwrap()));
        assert_eq!(told["score"], known["score"], "{known}");
        let game =
            server.get("/api/matches/shallow/games?offset=2&limit=1").await["games"][0].clone();
        page.click("[data-game='3']").await;
        page.wait("the board", "$('[data-pit=A]')").await;
        let status = board.until("The game is over").await;
        assert_eq!(board.line().await, game["line"]);
        assert_eq!(board.counter().await, game["plies"].as_u64().unwrap());
        assert!(page.text(".game-title").await.contains("shallow, game 3"), "{status}");
        let stores = [board.store("south").await, board.store("north").await];
        let first_is_south = game["south"] == game["first"];
        let of_players = if first_is_south { stores } else { [stores[1], stores[0]] };
        assert_eq!(json!(of_players), game["stores"]);
        page.click("#first").await;
        board.until("Looking at move 0").await;
        page.click("#forward").await;
        board.until("Looking at move 1").await;
        page.click("#play-on").await;
        page.choose("#seats-mode", "two").await;
        page.click("#ask-seats [data-answer='yes']").await;
        board.until("turn").await;
        assert_eq!(board.line().await, game["line"].as_str().unwrap()[..1]);
        // The browser's back button leads to the match.
        page.client().back().await.unwrap();
        page.wait("the match", "$('article.match')").await;
    });
}

#[test]
fn a_match_is_started_watched_and_stopped_from_the_page() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, .. } = scene;
        page.open(server, "#/matches", "#start-match").await;
        page.unfold("#start-match").await;
        page.choose("#player-a", "weights:learned").await;
        page.choose("#player-a-limit", "depth=6").await;
        page.choose("#player-b", "weights:seeds").await;
        page.choose("#player-b-limit", "depth=6").await;
        page.write("#games", "100000").await;
        page.write("#openings", "random:50000,plies=8").await;
        page.write("#match-name", "mine").await;
        page.write("#match-threads", "1").await;
        page.click("#begin-match").await;
        page.wait("the page of the match", "$('article.match')?.dataset.match === 'mine'").await;
        let games = async || {
            let text = page.text("#progress").await;
            text.split(' ').next().unwrap().replace(',', "").parse::<u64>().unwrap()
        };
        page.wait(
            "some games",
            "Number($('#progress')?.textContent.split(' ')[0].replace(/,/g, '')) >= 2",
        )
        .await;
        page.wait("the score", "$('#score')").await;
        let before = games().await;
        let more = format!(
            "Number($('#progress').textContent.split(' ')[0].replace(/,/g, '')) > {before}"
        );
        page.wait("more games", &more).await;
        page.wait("a row of the games", "$('#games-list [data-game]')").await;
        page.click("#stop").await;
        page.click("#stop-dialogue [data-answer='yes']").await;
        page.wait("the end of it", "$('[data-state=stopped]')").await;
        let all = server.get("/api/matches/mine").await;
        assert_eq!(all["state"], "stopped");
        let told = format!(
            "$('#progress').textContent.startsWith('{} of ')",
            with_commas(all["games"].as_u64().unwrap())
        );
        page.wait("all games", &told).await;
    });
}

fn with_commas(number: u64) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1000, number % 1000)
    }
}

#[test]
fn a_match_of_kalah_opens_on_a_board_of_its_size() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        let players = ["minimax:weights=stores,depth=1", "greedy"];
        let game = "kalah:pits=4,seeds=3";
        let file = "matches/small.games";
        stage
            .ayo(&[
                "match",
                players[0],
                players[1],
                "--game",
                game,
                "--openings",
                "plies:1",
                "--quiet",
                "--games-out",
                file,
            ])
            .await;
        page.open(server, "#/matches/small", "#games-list [data-game]").await;
        page.click("[data-game='1']").await;
        Board(page).until("The game is over").await;
        assert_eq!(page.js("$$('[data-pit]').length").await, 8);
    });
}

#[test]
fn players_in_a_file_of_games_are_text() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        let file = stage.path("matches/evil.games");
        stage
            .ayo(&["match", A, B, "--games", "4", "--quiet", "--games-out", "matches/evil.games"])
            .await;
        let evil = "\u{1b}[31m<img src=x onerror=window.ran=1>";
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.replacen(A, evil, 1)).unwrap();
        page.open(server, "#/matches", "[data-match='evil']").await;
        page.wait(
            "the list",
            &format!("$('[data-match=evil]').textContent.includes({})", json!("<img src=x")),
        )
        .await;
        page.click("[data-match='evil'] h3 a").await;
        page.wait("its page", "$('article.match') || $('.notice.bad')").await;
        page.wait(
            "the players",
            &format!("$('#view').textContent.includes({})", json!("<img src=x")),
        )
        .await;
        assert_eq!(page.js("typeof window.ran").await, "undefined");
        assert!(!page.there("#view img").await);
    });
}
