//! Runs that train while the page is open.

use std::fs;

use ayo_browser::runs::{SMALL, checkpoint, generations, in_state, recorded, unfold_table, until};
use ayo_browser::{Scene, Screen, in_browser};
use serde_json::{Value, json};

#[test]
fn a_curve_grows_while_another_process_trains() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        page.open(server, "#/runs", "#no-runs").await;
        page.js("void (window.kept = true)").await;
        let mut trainer = stage.training("grows", 3, 100_000);
        page.wait("the new run", "$('[data-run=grows][data-state=running]')").await;
        page.click("[data-run='grows'] h2 a").await;
        unfold_table(page, "fitness").await;
        let before = generations(page, "fitness").await;
        let grown =
            "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '') > arguments[0]";
        let grown = grown.replace("arguments[0]", &before.last().unwrap().to_string());
        page.wait("more generations", &grown).await;
        stage.ayo(&["stop", "runs/grows"]).await;
        trainer.wait().await.unwrap();
        page.wait("the end of it", "$('[data-state=stopped]')").await;
        let all = recorded(&stage.run("grows")) as u64;
        let complete = format!(
            "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '') === '{all}'"
        );
        page.wait("the last generation", &complete).await;
        let after = generations(page, "fitness").await;
        assert!(after.len() > before.len());
        assert_eq!(after, (1..=all).collect::<Vec<_>>());
        // The stream delivered everything: the page was not reloaded.
        assert_eq!(page.js("window.kept").await, true);
        assert!(page.events("rows").await > 0);
    });
}

#[test]
fn a_run_that_is_stopped_and_resumed_from_the_page_has_the_bytes_of_an_uninterrupted_one() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        const GENERATIONS: u32 = 150;
        let mut whole = stage.training("whole", 7, GENERATIONS);
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
        page.wait("the page of the run", "$('[data-run=mine]')").await;
        let begun = "Number($('#progress')?.textContent.match(/generation (\\d+)/)?.[1]) > 5";
        page.wait("some generations", begun).await;
        page.click("#stop").await;
        page.click("#stop-dialogue [data-answer='yes']").await;
        page.wait("the end of it", "$('.run-now [data-state=stopped]')").await;
        let stopped = in_state(server, "mine", "stopped").await;
        let at = stopped["generation"].as_u64().unwrap();
        assert!((5..GENERATIONS.into()).contains(&at), "stopped at {at}");
        page.click("#resume").await;
        page.click("#resume-dialogue [data-answer='yes']").await;
        page.wait("the whole run", "$('.run-now [data-state=complete]')").await;
        in_state(server, "mine", "complete").await;
        until("the other run", || whole.try_wait().unwrap()).await;
        let last = format!("checkpoint-{GENERATIONS:06}.ayo");
        for name in ["history.csv", "champion.json", &last] {
            let bytes = |run: &str| fs::read(stage.run(run).join(name)).unwrap();
            assert!(bytes("mine") == bytes("whole"), "{name} differs");
        }
        // The page shows all generations.
        unfold_table(page, "fitness").await;
        page.wait(
            "the last row",
            &format!(
                "$('[data-chart=fitness] .chart-where').textContent.includes('{GENERATIONS}')"
            ),
        )
        .await;
        assert_eq!(
            generations(page, "fitness").await,
            (1..=GENERATIONS.into()).collect::<Vec<_>>()
        );
    });
}

/// A power cut between the two writes of a flush leaves a history that is ahead of the newest checkpoint. Resuming
/// truncates it, and a page that shows the later generations must remove them.
#[test]
fn a_history_that_a_resume_cuts_is_shown_without_repetitions() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        let folder = stage.trained("cut", 11, 5).await;
        let resume = ["resume", "runs/cut", "--generations", "100000", "--threads", "1", "--quiet"];
        let mut trainer = stage.start(&resume);
        page.open(server, "#/runs/cut", "[data-run='cut']").await;
        unfold_table(page, "fitness").await;
        page.wait(
            "more generations",
            "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '') > 5",
        )
        .await;
        trainer.kill().await.unwrap();
        let ahead = recorded(&folder) as u64;
        let shown = format!(
            "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '') === '{ahead}'"
        );
        page.wait("all generations", &shown).await;
        fs::remove_file(checkpoint(&folder).unwrap()).unwrap();
        page.wait("that it is not running", "$('.run-now [data-state=stopped]')").await;
        let mut trainer = stage.start(&resume);
        until("the cut", || (recorded(&folder) < ahead as usize).then_some(())).await;
        until("the same length", || (recorded(&folder) > 5).then_some(())).await;
        stage.ayo(&["stop", "runs/cut"]).await;
        trainer.wait().await.unwrap();
        page.wait("the end of it", "$('.run-now [data-state=stopped]')").await;
        let all = recorded(&folder) as u64;
        let shown = format!(
            "$('[data-chart=fitness] .chart-where').textContent.replace(/\\D/g, '') === '{all}'"
        );
        page.wait("all generations", &shown).await;
        assert_eq!(generations(page, "fitness").await, (1..=all).collect::<Vec<_>>());
        assert!(page.events("reset").await > 0, "the server says nothing of the cut");
        // The rows are equal to those of the file.
        let history = server.get("/api/runs/cut/history?points=10000").await;
        let rows = "$$('[data-chart=fitness] tbody tr').map(row => [...row.children].slice(0, 2)\
                    .map(it => Number(it.textContent.replace(/,/g, ''))))";
        let shown = page.js(rows).await;
        let columns = history["columns"].as_array().unwrap();
        let best = columns.iter().position(|it| it == "best_share").unwrap();
        let number = |row: &Value, place: usize| {
            [row[0].as_f64(), row[place].as_f64().map(|share| (1000.0 * share).round())]
        };
        let rows = |rows: &Value, place| -> Vec<_> {
            rows.as_array().unwrap().iter().map(|row| number(row, place)).collect()
        };
        let (shown, known) = (rows(&shown, 1), rows(&history["rows"], best));
        assert!(known.ends_with(&shown), "{shown:?}");
        assert_eq!(history["last"], json!(all));
    });
}
