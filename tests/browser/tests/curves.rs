//! Curves over generations, games, nodes and hours, and the values in a comparison.

use ayo_browser::{Scene, Screen, in_browser};

#[test]
fn curves_run_over_games_nodes_and_hours() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        stage.trained("small", 3, 12).await;
        let cost = server.get("/api/runs/small/cost").await;
        page.open(server, "#/runs/small", "[data-chart='fitness'] canvas").await;
        // For a run that is never measured, a message replaces the curve.
        page.wait("$('.absent')?.textContent.includes('measure_every')").await;
        let last_row =
            "$('[data-chart=fitness] tbody tr:last-child > *').textContent.replace(/,/g, '')";
        let games = cost["rows"][11]["games"].to_string();
        for (axis, expected) in [("generations", "12"), ("games", &games)] {
            page.choose("#axis", axis).await;
            let unfold = "($('[data-chart=fitness] details').open = true)";
            page.wait(&format!("{unfold} && Number({last_row}) === {expected}")).await;
        }
        for axis in ["nodes", "hours"] {
            page.choose("#axis", axis).await;
            let title = "$('[data-chart=fitness] .chart-where').textContent";
            page.wait(&format!("{title}.startsWith('{axis} ')")).await;
        }
        // If the costs are missing, a message replaces the curve.
        std::fs::remove_file(stage.run("small").join("cost.csv")).unwrap();
        page.choose("#axis", "generations").await;
        page.choose("#axis", "hours").await;
        page.wait("!$('[data-chart=fitness]') && $('.absent')").await;
    });
}

#[test]
fn a_curve_and_its_table_show_the_same_figure() {
    in_browser(Screen::Wide, async |Scene { page, server, stage }: &mut Scene| {
        let train = |name, generations, depth| {
            format!(
                "train --quiet --preset quick --out runs/{name} --seed 3 --population 12 --depth {depth} \
                 --set finalist_games=0 --set panel=1 --set measure_openings=2 --set measure_every={generations} \
                 --generations {generations}"
            )
        };
        for (name, generations) in [("short", "2"), ("long", "5")] {
            stage.ayo(&train(name, generations, "3")).await;
        }
        page.open(server, "#/compare?runs=short,long", "#strengths").await;
        // Scores from different generations are not ranked.
        let note = page.text("#incomparable").await;
        assert!(note.contains("2 and 5 generations"), "{note}");
        // Neither are scores from different depths.
        stage.ayo(&train("shallow", "2", "2")).await;
        page.open(server, "#/compare?runs=short,shallow", "#incomparable").await;
        let note = page.text("#incomparable").await;
        assert!(note.contains("depth 3 and depth 2"), "{note}");
        page.open(server, "#/compare?runs=short,long", "#strengths").await;
        for (column, name, generation) in [(2, "short", 2), (3, "long", 5)] {
            let label = page.text(&format!("[data-chart='strength'] [data-series='{name}']")).await;
            let cell = format!("#strengths tbody tr:first-child td:nth-child({column})");
            let cell = page.text(&cell).await;
            let score = cell.split_whitespace().next().unwrap();
            let figure = format!("{score} of generation {generation}");
            assert!(label.contains(&figure), "{label}: {cell}");
            let head = page.text(&format!("#strengths thead th:nth-child({column})")).await;
            assert!(head.contains(&format!("generation {generation}")), "{head}");
        }
    });
}
