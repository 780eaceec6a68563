//! Restarts of the server while a page is open.

use ayo_browser::{Page, Scene, Screen, Server, in_browser};

/// Errors of the browser while the server is gone and after it was restarted.
const EXPECTED: [&str; 5] = [
    "ERR_CONNECTION_REFUSED",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "401",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_RESET",
];

async fn banner(page: &Page, words: &str) {
    page.wait(&format!("/{words}/.test($('#banner').textContent)")).await;
}

#[test]
fn a_page_and_its_game_continue_when_the_server_was_restarted() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.expect(&EXPECTED);
        page.play(server, "mode=two&line=Cf").await;
        server.end().await;
        banner(page, "server does not answer.*start ayo serve again").await;
        page.press("[data-pit='A']", "The server does not answer.").await;
        assert!(page.there("#again").await);
        // The page's cookie belongs to the previous start.
        *server = Server::start(stage, server.port).await;
        banner(page, "no longer signed in: open the address that ayo serve printed").await;
        assert_eq!(page.line().await, "Cf");
        // The new address is opened with the game of the page.
        page.client().goto(&server.url_to("#/play?mode=two&line=Cf")).await.unwrap();
        banner(page, "^$").await;
        page.status("South's turn").await;
        assert!(!page.js("location.href").await.as_str().unwrap().contains("token"));
        page.sow("A").await;
        page.status("North's turn").await;
        // The listings are live again.
        page.visit("#/runs", "#no-runs").await;
        stage.trained("later", 1, 3).await;
        page.shown("[data-run=later]").await;
    });
}
