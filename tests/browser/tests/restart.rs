//! Restarts of the server while a page is open.

use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, Server, in_browser};

#[test]
fn a_page_says_what_to_do_when_the_server_was_restarted() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        for complaint in [
            "ERR_CONNECTION_REFUSED",
            "ERR_INCOMPLETE_CHUNKED_ENCODING",
            "401",
            "ERR_EMPTY_RESPONSE",
            "ERR_CONNECTION_RESET",
        ] {
            page.expect(complaint);
        }
        page.open(server, "#/runs", "#no-runs").await;
        let port = server.port;
        server.end().await;
        page.wait(
            "that the server is gone",
            "/server does not answer.*start ayo serve again/.test($('#banner').textContent)",
        )
        .await;
        *server = Server::start(stage, port).await;
        // The cookie belongs to the previous start.
        let words = "/no longer signed in: open the address that ayo serve printed/.test($('#banner').textContent)";
        page.wait("that it is signed out", words).await;
        page.client().goto(&server.url).await.unwrap();
        let board = Board(page);
        board.turn().await;
        page.wait("no banner", "!$('#banner').textContent").await;
        assert!(!page.js("location.href").await.as_str().unwrap().contains("token"));
        page.visit("#/runs", "#no-runs").await;
        stage.trained("later", 1, 3).await;
        page.wait("the new run", "$('[data-run=later]')").await;
    });
}

#[test]
fn a_game_continues_after_a_restart() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        for complaint in
            ["ERR_CONNECTION_REFUSED", "401", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"]
        {
            page.expect(complaint);
        }
        let board = Board(page);
        page.open(server, "#/play?mode=two&line=Cf", "button[data-pit='A']").await;
        board.until("South's turn").await;
        let port = server.port;
        server.end().await;
        page.click("[data-pit='A']").await;
        board.until("The server does not answer.").await;
        assert!(page.there("#again").await);
        *server = Server::start(stage, port).await;
        page.wait("that it is signed out", "/no longer signed in/.test($('#banner').textContent)")
            .await;
        assert_eq!(board.line().await, "Cf");
        // The new address is opened with the game of the page.
        page.client().goto(&server.url_to("#/play?mode=two&line=Cf")).await.unwrap();
        page.wait("no banner", "!$('#banner').textContent").await;
        board.until("South's turn").await;
        board.sow("A").await;
        board.until("North's turn").await;
    });
}
