//! Curves over generations, games, nodes and hours, and the figures of a comparison.

use ayo_browser::{Scene, Screen, in_browser};

/// The last row of the table below the fitness curves.
const LAST_ROW: &str = "(() => { const at = $('[data-chart=fitness] details'); at.open = true; \
                        return [...at.querySelectorAll('tbody tr')].at(-1); })()";

#[test]
fn curves_run_over_games_nodes_and_hours() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        stage.trained("small", 3, 12).await;
        let cost = server.get("/api/runs/small/cost").await;
        let last = &cost["rows"].as_array().unwrap()[11];
        page.open(server, "#/runs/small", "[data-chart='fitness'] canvas").await;
        // A message replaces the curve of a run that is never measured.
        page.wait(
            "why there is no strength",
            "$('.absent')?.textContent.includes('measure_every')",
        )
        .await;
        for (axis, expected) in [("generations", 12.0), ("games", last["games"].as_f64().unwrap())]
        {
            page.choose("#axis", axis).await;
            let shown = format!(
                "Number({LAST_ROW}?.firstElementChild.textContent.replace(/,/g, '')) === {expected}"
            );
            page.wait(axis, &shown).await;
        }
        for axis in ["nodes", "hours"] {
            page.choose("#axis", axis).await;
            let title =
                format!("$('[data-chart=fitness] .chart-where').textContent.startsWith('{axis} ')");
            page.wait(axis, &title).await;
        }
        // Without costs a message replaces the curve.
        std::fs::remove_file(stage.run("small").join("cost.csv")).unwrap();
        page.choose("#axis", "generations").await;
        page.choose("#axis", "hours").await;
        page.wait("why there is no curve", "!$('[data-chart=fitness]') && $('.absent')").await;
    });
}

#[test]
fn a_curve_and_its_table_show_the_same_figure() {
    in_browser(Screen::WIDE, async |scene: &mut Scene| {
        let Scene { page, server, stage } = scene;
        for (name, generations) in [("short", "2"), ("long", "5")] {
            let folder = stage.run(name).display().to_string();
            let line = format!(
                "train --quiet --preset quick --out {folder} --seed 3 --population 12 --depth 3 \
                 --set finalist_games=0 --set panel=1 --set measure_openings=2 --set measure_every={generations} \
                 --generations {generations}"
            );
            stage.ayo(&line.split_whitespace().collect::<Vec<_>>()).await;
        }
        page.open(server, "#/compare?runs=short,long", "#strengths").await;
        // Scores of different generations are not ranked.
        let note = page.text("#incomparable").await;
        assert!(note.contains("generations 2 and 5"), "{note}");
        for (place, name, generation) in [(1, "short", 2), (2, "long", 5)] {
            let label = page.text(&format!("[data-chart='strength'] [data-series='{name}']")).await;
            let row = "#strengths tbody tr:first-child";
            let cell = page.text(&format!("{row} td:nth-child({})", place + 1)).await;
            let score = cell.split_whitespace().next().unwrap();
            assert!(
                label.contains(&format!("{score} of generation {generation}")),
                "{label}: {cell}"
            );
            let head = page.text(&format!("#strengths thead th:nth-child({})", place + 1)).await;
            assert!(head.contains(&format!("generation {generation}")), "{head}");
        }
    });
}
