//! Server restarts while a page is open.

use ayo_browser::{Page, Scene, Screen, Server, Stage, in_browser};

/// Browser errors expected while the server is down and after it has restarted.
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

/// Restarts the server on its port. The page's cookie belongs to the previous server process.
async fn restart(page: &Page, server: &mut Server, stage: &Stage) {
    *server = Server::start(stage, server.port).await;
    banner(page, "no longer signed in: open the address that ayo serve printed").await;
}

#[test]
fn a_page_says_what_to_do_when_the_server_was_restarted() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.expect(&EXPECTED);
        page.open(server, "#/runs", "#no-runs").await;
        server.end().await;
        banner(page, "server does not answer.*start ayo serve again").await;
        restart(page, server, stage).await;
        page.client().goto(&server.url).await.unwrap();
        page.turn().await;
        banner(page, "^$").await;
        assert!(!page.js("location.href").await.as_str().unwrap().contains("token"));
        page.visit("#/runs", "#no-runs").await;
        stage.trained("later", 1, 3).await;
        page.shown("[data-run=later]").await;
    });
}

#[test]
fn a_game_continues_after_a_restart() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.expect(&EXPECTED);
        page.play(server, "mode=two&line=Cf").await;
        server.end().await;
        page.click("[data-pit='A']").await;
        page.status("The server does not answer.").await;
        assert!(page.there("#again").await);
        restart(page, server, stage).await;
        assert_eq!(page.line().await, "Cf");
        // Opens the new address with the page's game.
        page.client().goto(&server.url_to("#/play?mode=two&line=Cf")).await.unwrap();
        banner(page, "^$").await;
        page.status("South's turn").await;
        page.sow("A").await;
        page.status("North's turn").await;
    });
}
