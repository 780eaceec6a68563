//! Every view and dialogue: accessible, on every screen, without other servers.

use ayo_browser::axe::violations;
use ayo_browser::board::Board;
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::{Value, json};

use crate::tour::{everywhere, furnish};

/// Checks every view for accessibility, horizontal scrolling and requests to other servers.
fn look_everywhere(screen: Screen, scheme: &str) {
    in_browser(screen, async |scene: &mut Scene| {
        let _trainer = furnish(&scene.stage).await;
        let page = &scene.page;
        page.set_media(scheme).await;
        let width = screen.width();
        let mut found = Vec::new();
        everywhere(scene, async |name| {
            for violation in violations(page).await {
                found.push(format!("{name}: {violation:#}"));
            }
            // A phone shrinks a page that is too wide, so that the window seems wider.
            let widths = page
                .js("[document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]")
                .await;
            if widths.as_array().unwrap().iter().any(|it| it.as_u64() > Some(width.into())) {
                found.push(format!("{name}: {widths} is wider than the screen, {width}"));
            }
        })
        .await;
        assert!(found.is_empty(), "{}", found.join("\n"));
        let own = format!("{}/", scene.server.origin());
        let noted = page.network().await;
        let asked = noted.iter().filter(|it| it["method"] == "Network.requestWillBeSent");
        let asked: Vec<&str> =
            asked.filter_map(|it| it["params"]["request"]["url"].as_str()).collect();
        // The browser starts with its default page.
        let is_own =
            |url: &&&str| [own.as_str(), "data:", "chrome:"].iter().any(|it| url.starts_with(it));
        let others: Vec<_> = asked.iter().filter(|url| !is_own(url)).collect();
        assert!(others.is_empty(), "requests to others: {others:?}");
        assert!(asked.len() > 100, "only {} requests were noted", asked.len());
        let sockets = noted
            .iter()
            .filter(|it| it["method"] == "Network.webSocketCreated")
            .collect::<Vec<&Value>>();
        assert_eq!(json!(sockets), json!([]));
    });
}

#[test]
fn light_and_wide() {
    look_everywhere(Screen::WIDE, "light");
}

#[test]
fn dark_and_wide() {
    look_everywhere(Screen::WIDE, "dark");
}

#[test]
fn light_and_narrow() {
    look_everywhere(Screen::NARROW, "light");
}

#[test]
fn dark_and_narrow() {
    look_everywhere(Screen::NARROW, "dark");
}

/// Widths from the narrowest phone to a wide window, on boards of six and of eight pits.
#[test]
fn payoffs_fit_under_their_pits() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let (page, board) = (&scene.page, Board(&scene.page));
        page.open(&scene.server, "#/play?mode=two", "button[data-pit='A']").await;
        let mut found = Vec::new();
        // Values of ayo have two decimals, those of kalah none.
        let games = [
            ("game=ayo&advice=weights:learned:depth=3", "\u{2212}23.99"),
            ("game=kalah:pits=8,seeds=3&advice=weights:stores:depth=3", "\u{2212}23"),
        ];
        for (game, widest) in games {
            page.visit(&format!("#/play?mode=two&{game}"), "button[data-pit='A']").await;
            board.until("South's turn").await;
            board.payoffs().await;
            let fill = "$$('.payoff .value').forEach(it => { it.textContent = arguments[0]; })";
            page.js_with(fill, &[json!(widest)]).await;
            for width in [360, 390, 480, 704, 960, 1080, 1280] {
                let view = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
                page.devtools("Emulation.setDeviceMetricsOverride", view).await;
                page.wait("the new size", &format!("innerWidth === {width}")).await;
                let sizes = "$$('.payoff .value').map(it => [it.scrollWidth, it.closest('.payoff').clientWidth])";
                let sizes = page.js(sizes).await;
                let too_wide = |it: &&Value| it[0].as_u64() > it[1].as_u64();
                let too_wide: Vec<_> = sizes.as_array().unwrap().iter().filter(too_wide).collect();
                if !too_wide.is_empty() {
                    found.push(format!("{game}, {width}: {too_wide:?}"));
                }
            }
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    });
}
