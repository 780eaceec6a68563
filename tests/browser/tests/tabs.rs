//! Many tabs in one browser, which opens at most six connections per server. Each event stream occupies one.

use ayo_browser::{Scene, Screen, in_browser};

const TABS: usize = 7;
const COUNT: &str = "(() => { window.hidings = 0; document.addEventListener('visibilitychange', () => { \
                     window.hidings += document.hidden; }); })()";

#[test]
fn seven_tabs_stay_live() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.open(server, "#/runs", "#no-runs").await;
        for _ in 1..TABS {
            let tab = page.client().new_window(true).await.unwrap();
            page.client().switch_to_window(tab.handle).await.unwrap();
            page.client().goto(&format!("{}/#/runs", server.origin())).await.unwrap();
            page.shown("#no-runs").await;
            page.js(COUNT).await;
        }
        let tabs = page.client().windows().await.unwrap();
        assert_eq!(tabs.len(), TABS);
        for (number, tab) in tabs.iter().enumerate() {
            page.client().switch_to_window(tab.clone()).await.unwrap();
            let name = format!("run-{number}");
            stage.trained(&name, 1, 2).await;
            page.shown(&format!("[data-run={name}]")).await;
            // Other requests need not wait for a free connection either.
            page.visit("#/play?mode=two", "button[data-pit='A']").await;
            page.visit("#/runs", &format!("[data-run={name}]")).await;
            // The test requires a browser that shows only one tab at a time.
            assert!(page.js("document.visibilityState").await == "visible");
            assert!(
                number == 0 || page.js("window.hidings").await.as_u64() > Some(0),
                "tab {number} was never hidden"
            );
        }
    });
}
