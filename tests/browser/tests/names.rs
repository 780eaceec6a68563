//! Names from files and addresses that contain markup or control characters.

use std::fs;

use ayo_browser::board::Board;
use ayo_browser::{Page, Scene, Screen, in_browser};
use serde_json::json;

/// Markup that sets `window.ran` if it is executed.
const EVIL: &str = "<img src=x onerror=window.ran=1>";
const WORSE: &str = "\u{1b}[31m<script>window.ran=1</script><b>bold</b>";

const OPPONENT: &str = "minimax:weights=seeds,depth=7";

async fn nothing_ran(page: &Page, at: &str) {
    assert_eq!(page.js("typeof window.ran").await, "undefined", "{at}: it ran");
    let made = page
        .js("$$('#view img[src=x], #view b b, #view script, #view p b').map(it => it.outerHTML)")
        .await;
    assert_eq!(made, json!([]), "{at}: it became an element");
}

#[test]
fn markup_in_names_is_text() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        // The names of a run and of its reference opponent.
        let folder = stage.learned(EVIL);
        let in_json = json!(WORSE).to_string();
        for (name, evil) in [("strength.csv", WORSE), ("champion.json", in_json.trim_matches('"'))]
        {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.contains(OPPONENT), "{name}");
            fs::write(folder.join(name), text.replace(OPPONENT, evil)).unwrap();
        }
        // Without checksums, as in runs of an earlier version, the changed files are accepted.
        fs::remove_file(folder.join("checksums.csv")).unwrap();
        page.open(server, "#/runs", ".run-card").await;
        assert_eq!(page.text(".run-card h2").await, EVIL);
        nothing_ran(page, "the list").await;
        page.click(".run-card h2 a").await;
        page.wait(
            "the page of the run",
            &format!("$('article.run')?.dataset.run === {}", json!(EVIL)),
        )
        .await;
        page.wait("the curve of strength", "$('[data-chart=strength] .chart-name')").await;
        page.js("$$('#view details').forEach(it => { it.open = true; })").await;
        let table = format!("$('#champion-strength')?.textContent.includes({})", json!(WORSE));
        page.wait("the opponent as it is", &table).await;
        nothing_ran(page, "the run").await;
        // The addresses of its pictures and files contain the name.
        page.wait("a picture", "$$('.picture img').some(it => it.complete && it.naturalWidth > 0)")
            .await;
        let compare = format!(
            "#/compare?runs={}",
            "%253Cimg%2520src%253Dx%2520onerror%253Dwindow.ran%253D1%253E"
        );
        page.visit(&compare, "#compared").await;
        nothing_ran(page, "in a comparison").await;
        // As an opponent at the board.
        page.visit("#/play", "#choose-player option[value^='run:']").await;
        page.choose("#choose-player", &format!("run:{EVIL}")).await;
        page.choose("#choose-player-limit", "depth=1").await;
        page.pick("You play", "north").await;
        page.click("#start[aria-disabled=false]").await;
        Board(page).until("It is your turn, North.").await;
        assert!(page.text(".owner-top").await.contains(EVIL));
        nothing_ran(page, "the board").await;
    });
}

#[test]
fn markup_in_an_address_is_text() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, .. } = scene;
        page.open(server, "#/play", "button[data-pit='A']").await;
        for complaint in ["/api/play", "/api/runs", "/api/matches", "/api/players", "ApiError"] {
            page.expect(complaint);
        }
        let evil = "%3Cimg%20src%3Dx%20onerror%3Dwindow.ran%3D1%3E";
        page.visit(&format!("#/play?mode=look&title={evil}&line=Cf"), "[data-pit='A']").await;
        page.wait("the title", "$('.game-title').textContent.includes('<img')").await;
        nothing_ran(page, "the title").await;
        for part in ["game", "rules", "from", "line", "with", "advice"] {
            page.visit(&format!("#/play?{part}={evil}"), "#status").await;
            page.wait("an answer", "!/Loading/.test($('#status').textContent)").await;
            nothing_ran(page, part).await;
        }
        for view in ["runs", "matches"] {
            page.visit(&format!("#/{view}/{evil}"), ".notice.bad").await;
            nothing_ran(page, view).await;
        }
        page.visit(&format!("#/compare?runs={evil}"), ".notice.bad").await;
        nothing_ran(page, "compare").await;
    });
}
