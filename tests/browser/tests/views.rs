//! Checks that every view and dialogue is accessible, fits on every screen, and contacts no other servers.

use ayo_browser::axe::violations;
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::json;

use crate::tour::{everywhere, furnish};

/// Visible elements that reach beyond the window or scroll sideways and, on a phone, controls that are too small for a
/// finger. Links within text are exempt. The pits of wide boards are narrow but high.
const MISFITS: &str = "(() => { \
    const width = document.documentElement.clientWidth, least = width < 700 ? 40 : 0; \
    const controls = 'button, select, summary, input, nav a, :is(h2, h3, th, li) > a'; \
    const isSmall = (it, box) => it.matches(controls) && (box.height < least || box.width < (it.dataset.pit ? 30 : least)); \
    return $$('body *').filter(it => { \
        if (!it.checkVisibility() || it.closest('.visually-hidden, .skip, .stacked thead, .uplot, svg, label > input')) return false; \
        const box = it.getBoundingClientRect(), scrolls = getComputedStyle(it).overflowX !== 'visible'; \
        return box.right > width + 1 || box.left < -1 || (scrolls && it.scrollWidth > it.clientWidth + 1) || isSmall(it, box); \
    }).map(it => it.outerHTML.slice(0, 150)); })()";

/// Checks every view for accessibility, misfits, specifications, and requests to other servers.
fn look_everywhere(screen: Screen, scheme: &str) {
    in_browser(screen, async |scene: &mut Scene| {
        let _trainer = furnish(&scene.stage).await;
        let page = &scene.page;
        page.set_media(scheme).await;
        let width = screen.width();
        let mut errors = Vec::new();
        everywhere(scene, async |name| {
            for violation in violations(page).await {
                errors.push(format!("{name}: {violation:#}"));
            }
            // A phone zooms out if a page is too wide, which makes the window seem wider.
            let widths = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth)";
            let needed = page.js(widths).await;
            if needed.as_u64() > Some(width.into()) {
                errors.push(format!("{name}: {needed} is wider than the screen, {width}"));
            }
            // Players are described in words.
            let specifications = "document.body.innerText.match(/\\w+:(weights|depth|nodes)=\\S*/g) ?? []";
            for found in [page.js(MISFITS).await, page.js(specifications).await] {
                if found != json!([]) {
                    errors.push(format!("{name}: {found:#}"));
                }
            }
        })
        .await;
        assert!(errors.is_empty(), "{}", errors.join("\n"));
        // Requests to this server, and those for the browser's default page.
        let origin = format!("{}/", scene.server.origin());
        let own = [&origin, "data:", "chrome:", "chrome-untrusted:"];
        let requests = page.network("Network.requestWillBeSent").await;
        let urls: Vec<_> = requests.iter().filter_map(|it| it["request"]["url"].as_str()).collect();
        let is_own = |url: &str| own.iter().any(|start| url.starts_with(start));
        let others: Vec<_> = urls.iter().filter(|url| !is_own(url)).collect();
        assert!(others.is_empty(), "requests to others: {others:?}");
        assert!(urls.len() > 100, "only {} requests were recorded", urls.len());
        assert_eq!(json!(page.network("Network.webSocketCreated").await), json!([]));
    });
}

#[test]
fn wide_windows() {
    for scheme in ["light", "dark"] {
        look_everywhere(Screen::Wide, scheme);
    }
}

#[test]
fn phones() {
    look_everywhere(Screen::Phone, "dark");
}

/// Widths from the narrowest phone to a wide window, with boards of six and eight pits.
#[test]
fn payoffs_fit_under_their_pits() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        page.play(server, "mode=two").await;
        // Values are shown with two decimals for ayo, and without decimals for kalah.
        for (game, widest) in [
            ("game=ayo&advice=weights:learned:depth=3", "\u{2212}23.99"),
            ("game=kalah:pits=8,seeds=3&advice=weights:stores:depth=3", "\u{2212}23"),
        ] {
            page.visit(&format!("#/play?mode=two&{game}"), "button[data-pit='A']").await;
            page.status("South's turn").await;
            page.payoffs().await;
            let fill = "$$('.payoff .value').forEach(it => { it.textContent = arguments[0]; })";
            page.js_with(fill, &[json!(widest)]).await;
            for width in [360, 390, 480, 704, 960, 1080, 1280] {
                page.resize(width, 900).await;
                let too_wide = "$$('.payoff .value').map(it => [it.scrollWidth, it.closest('.payoff').clientWidth])\
                                .filter(([needed, available]) => needed > available)";
                assert_eq!(page.js(too_wide).await, json!([]), "{game}, {width}");
            }
        }
    });
}
