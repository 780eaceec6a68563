//! The report on a run, which needs no script.

use ayo_browser::{Scene, Screen, axe, in_browser};
use serde_json::json;

#[test]
fn a_report_fits_every_screen_and_is_accessible() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        stage.learned("learned");
        stage.ayo("report runs/learned --games-time 2s --quiet").await;
        page.open(server, "#/runs/learned", "#report").await;
        let address = page.js("$('#report').href").await;
        page.client().goto(address.as_str().unwrap()).await.unwrap();
        page.shown(".picture svg").await;
        let parts = page.js("$$('h2').length").await.as_u64().unwrap();
        assert!(parts >= 6, "{parts}");
        for scheme in ["light", "dark"] {
            page.set_media(scheme).await;
            for is_open in [false, true] {
                page.js(&format!("$$('details').forEach(it => {{ it.open = {is_open}; }})")).await;
                for width in [360, 800, 1280] {
                    page.resize(width, 900).await;
                    let over = page.js("document.documentElement.scrollWidth - innerWidth").await;
                    assert!(over.as_i64() <= Some(0), "{scheme}, {width}: {over}");
                }
                assert_eq!(json!(axe::violations(page).await), json!([]), "{scheme}, {is_open}");
            }
        }
    });
}
