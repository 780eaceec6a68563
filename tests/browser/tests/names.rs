//! Names that contain markup or control characters, in files and addresses.

use std::fs;

use ayo_browser::{Page, Scene, Screen, in_browser};
use serde_json::json;

const EVIL: &str = "<img src=x onerror=window.ran=1>";
const WORSE: &str = "\u{1b}[31m<script>window.ran=1</script><b>bold</b>";

async fn nothing_ran(page: &Page, at: &str) {
    assert_eq!(page.js("typeof window.ran").await, "undefined", "{at}: it ran");
    let made = "$$('#view img[src=x], #view b b, #view script, #view p b').map(it => it.outerHTML)";
    assert_eq!(page.js(made).await, json!([]), "{at}: it became an element");
}

async fn contains(page: &Page, css: &str, text: &str) {
    page.wait(&format!("$('{css}')?.textContent.includes({})", json!(text))).await;
}

#[test]
fn markup_in_names_is_text() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        let folder = stage.learned(EVIL);
        let opponent = "minimax:weights=seeds,depth=9";
        let raw = json!(WORSE).to_string();
        for (name, evil) in [("strength.csv", WORSE), ("champion.json", raw.trim_matches('"'))] {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            assert!(text.contains(opponent), "{name}");
            fs::write(folder.join(name), text.replace(opponent, evil)).unwrap();
        }
        // Without checksums, as in runs from earlier versions, the modified files are accepted.
        fs::remove_file(folder.join("checksums.csv")).unwrap();
        page.open(server, "#/runs", ".run-card").await;
        assert_eq!(page.text(".run-card h2").await, EVIL);
        nothing_ran(page, "the list").await;
        page.click(".run-card h2 a").await;
        page.shown(&format!("article.run[data-run='{EVIL}']")).await;
        page.shown("[data-chart=strength] .chart-name").await;
        let all = "$$('#view details:not(.chart-twin, :has(img)), [data-chart=strength] details')";
        page.js(&format!("{all}.forEach(it => {{ it.open = true; }})")).await;
        contains(page, "#champion-strength", WORSE).await;
        nothing_ran(page, "the run").await;
        // The run's name is part of the addresses of its pictures and files.
        page.wait("$$('.picture img').some(it => it.complete && it.naturalWidth > 0)").await;
        let twice = "%253Cimg%2520src%253Dx%2520onerror%253Dwindow.ran%253D1%253E";
        page.visit(&format!("#/compare?runs={twice}"), "#compared").await;
        nothing_ran(page, "in a comparison").await;
        page.visit("#/play", "#choose-player option[value^='run:']").await;
        page.choose("#choose-player", &format!("run:{EVIL}")).await;
        page.choose("#choose-player-limit", "depth=1").await;
        page.pick("You play", "north").await;
        page.start_game().await;
        page.status("It is your turn, North.").await;
        assert!(page.text(".owner-top").await.contains(EVIL));
        nothing_ran(page, "the board").await;
        // The hostile name as a player in a games file.
        let player = "minimax:weights=learned,depth=1";
        stage
            .ayo(&format!("match {player} greedy --games 4 --quiet --games-out matches/evil.games"))
            .await;
        let file = stage.path("matches/evil.games");
        let evil =
            fs::read_to_string(&file).unwrap().replacen(player, &format!("\\u001b[31m{EVIL}"), 1);
        fs::write(&file, evil).unwrap();
        page.visit("#/matches", "[data-match='evil']").await;
        contains(page, "[data-match=evil]", "<img src=x").await;
        page.click("[data-match='evil'] h3 a").await;
        page.shown("article.match, .notice.bad").await;
        contains(page, "#view", "<img src=x").await;
        nothing_ran(page, "a match").await;
    });
}

#[test]
fn markup_in_an_address_is_text() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "").await;
        page.expect(&["/api/play", "/api/runs", "/api/matches", "/api/players", "ApiError"]);
        let evil = "%3Cimg%20src%3Dx%20onerror%3Dwindow.ran%3D1%3E";
        page.visit(&format!("#/play?mode=look&title={evil}&line=Cf"), "[data-pit='A']").await;
        contains(page, ".game-title", "<img").await;
        nothing_ran(page, "the title").await;
        for part in ["game", "rules", "from", "line", "with", "advice"] {
            page.visit(&format!("#/play?{part}={evil}"), "#status").await;
            page.wait("!/Loading/.test($('#status').textContent)").await;
            nothing_ran(page, part).await;
        }
        for view in ["runs/", "matches/", "compare?runs="] {
            page.visit(&format!("#/{view}{evil}"), ".notice.bad").await;
            nothing_ran(page, view).await;
        }
    });
}
