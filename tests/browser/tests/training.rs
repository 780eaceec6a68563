//! Runs that train while the page is open.

use std::fs;

use ayo_browser::runs::{SMALL, checkpoint, drawn, generations, in_state, recorded, unfold_table};
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::{Value, json};

#[test]
fn a_curve_grows_while_another_process_trains() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        page.open(server, "#/runs", "#no-runs").await;
        page.js("void (window.kept = true)").await;
        let mut trainer = stage.training("grows", 3, 100_000);
        page.shown("[data-run=grows][data-state=running]").await;
        page.click("[data-run='grows'] h2 a").await;
        unfold_table(page).await;
        let before = generations(page).await;
        drawn(page, &format!("> {}", before.last().unwrap())).await;
        stage.ayo("stop runs/grows").await;
        trainer.wait().await.unwrap();
        page.shown("[data-state=stopped]").await;
        let length = recorded(&stage.run("grows"));
        drawn(page, &format!("=== {length}")).await;
        assert!(length > before.len());
        assert_eq!(generations(page).await, (1..=length as u64).collect::<Vec<_>>());
        // The page was not reloaded, so the event stream delivered everything.
        assert_eq!(page.js("window.kept").await, true);
        assert!(page.events("rows").await > 0);
    });
}

#[test]
fn a_run_is_begun_stopped_and_resumed_from_the_page() {
    in_browser(Screen::Wide, async |Scene { page, server, .. }: &mut Scene| {
        const GENERATIONS: u32 = 100;
        page.open(server, "#/begin", "#begin").await;
        page.choose("#preset", "quick").await;
        page.pick("Length", "generations").await;
        page.write("#generations", &GENERATIONS.to_string()).await;
        page.write("#seed", "7").await;
        page.write("#name", "mine").await;
        page.write("#threads", "1").await;
        page.unfold("#all-settings").await;
        for (name, value) in SMALL {
            page.write(&format!("[data-setting='{name}']"), value).await;
        }
        let command = page.text("#command").await;
        assert!(command.starts_with("ayo train --preset quick --seed 7 --out "), "{command}");
        page.click("#begin").await;
        page.shown("[data-run=mine]").await;
        page.wait("Number($('#progress')?.textContent.match(/generation (\\d+)/)?.[1]) > 5").await;
        page.answer("#stop", "#stop-dialogue", "yes").await;
        page.shown(".run-now [data-state=stopped]").await;
        let stopped = in_state(server, "mine", "stopped").await;
        let at = stopped["generation"].as_u64().unwrap();
        assert!((5..GENERATIONS.into()).contains(&at), "stopped at {at}");
        page.answer("#resume", "#resume-dialogue", "yes").await;
        page.shown(".run-now [data-state=complete]").await;
        in_state(server, "mine", "complete").await;
        unfold_table(page).await;
        drawn(page, &format!("=== {GENERATIONS}")).await;
        assert_eq!(generations(page).await, (1..=GENERATIONS.into()).collect::<Vec<_>>());
    });
}

/// A power cut between the two writes of a flush leaves a history that is ahead of the newest checkpoint. Resuming
/// truncates the history, and a page that already shows the later generations must remove them.
#[test]
fn a_history_that_a_resume_cuts_is_shown_without_repetitions() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        let folder = stage.trained("cut", 11, 5).await;
        let mut trainer = stage.start("resume runs/cut --generations 100000 --threads 1 --quiet");
        page.open(server, "#/runs/cut", "[data-run='cut']").await;
        unfold_table(page).await;
        drawn(page, "> 7").await;
        trainer.kill().await.unwrap();
        let ahead = recorded(&folder);
        drawn(page, &format!("=== {ahead}")).await;
        fs::remove_file(checkpoint(&folder).unwrap()).unwrap();
        page.shown(".run-now [data-state=stopped]").await;
        // It ends below the length that the page has drawn, so the server sees the cut however rarely it looks.
        let kept = checkpoint(&folder).unwrap().file_stem().unwrap().to_string_lossy().into_owned();
        let length = kept.trim_start_matches("checkpoint-").parse::<usize>().unwrap() + 1;
        assert!(length < ahead, "{kept} of {ahead}");
        stage.ayo(&format!("resume runs/cut --generations {length} --threads 1 --quiet")).await;
        page.shown(".run-now [data-state=complete]").await;
        assert_eq!(recorded(&folder), length);
        drawn(page, &format!("=== {length}")).await;
        assert_eq!(generations(page).await, (1..=length as u64).collect::<Vec<_>>());
        assert!(page.events("reset").await > 0, "the server says nothing of the cut");
        let history = server.get("/api/runs/cut/history?points=10000").await;
        let rows = "$$('[data-chart=fitness] tbody tr').map(row => [...row.children].slice(0, 2)\
                    .map(it => Number(it.textContent.replace(/,/g, ''))))";
        let shown: Vec<[f64; 2]> = serde_json::from_value(page.js(rows).await).unwrap();
        let in_thousandths = |[generation, share]: [f64; 2]| [generation, (1000.0 * share).round()];
        let shown: Vec<_> = shown.into_iter().map(in_thousandths).collect();
        let columns = history["columns"].as_array().unwrap();
        let best = columns.iter().position(|it| it == "best_share").unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let row = |row: &Value| in_thousandths([number(&row[0]), number(&row[best])]);
        let known: Vec<_> = history["rows"].as_array().unwrap().iter().map(row).collect();
        assert!(known.ends_with(&shown), "{shown:?}");
        assert_eq!(history["last"], json!(length));
    });
}
