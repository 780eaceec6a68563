//! Every optimiser is interchangeable: its runs are reproducible despite interruptions, and all commands support them.

use crate::settings::searches;
use crate::support::{Scratch, column, refuses};

/// Returns the arguments of a quick run with measurements but without finals, which are slow.
pub fn small(preset: &str) -> String {
    format!(
        "--preset {preset} --seed 3 --quiet --depth 1 --population 4 --set openings=1 \
         --set measure_every=10 --set measure_openings=1 --set panel=1 --set finalist_games=0"
    )
}

fn shown(weights: &serde_json::Value) -> String {
    let weights = weights.as_array().unwrap().iter().filter(|it| it["effective"] != 0);
    let shown =
        |it: &serde_json::Value| format!("{}={}", it["feature"].as_str().unwrap(), it["effective"]);
    weights.map(shown).collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "slow: trains twice"]
fn a_comparison_finds_what_training_finds() {
    let tiny = "population=4,depth=1,openings=1";
    let genetic = "daoud2004:population=8,depth=1,fitness_set=2,mutation_rate=0.1".to_owned();
    for contestant in searches().map(|name| format!("{name}:{tiny}")).chain([genetic]) {
        let scratch = Scratch::new();
        let budget = "--budget games=150 --depth 1 --openings 1";
        scratch.text(&format!("compare {contestant} --seeds 3 {budget} --quiet -o it.csv"));
        let mut rows = csv::Reader::from_path(scratch.path("it.csv")).unwrap();
        let last = rows.records().last().unwrap().unwrap();
        let (spent, weights) = (last[8].parse::<u64>().unwrap(), last[17].to_owned());
        let (preset, changes) = contestant.split_once(':').unwrap();
        let set: String = changes.split(',').map(|it| format!(" --set {it}")).collect();
        let rest = "--generations 100 --set finalist_games=0 --set measure_every=0 --quiet";
        scratch.train("run", &format!("--preset {preset} --seed 3 {set} {rest}"));
        // The run needs as many generations as the search took steps in the comparison.
        let played = column(&scratch.read("run/history.csv"), "games_played");
        let (mut generation, mut games) = (0, 0);
        while games < spent {
            games += played[generation].parse::<u64>().unwrap();
            generation += 1;
        }
        assert_eq!(games, spent);
        scratch.ayo(&format!("export run --generation {generation} -o best.json")).success();
        let found = scratch.json("inspect best.json --json");
        assert_eq!(shown(&found["weights"]), weights, "{contestant}");
    }
}

#[test]
fn all_verbs_know_the_runs() {
    for preset in searches() {
        let scratch = Scratch::trained(&format!("{} --generations 6", small(preset)));
        assert!(shown(&scratch.json("inspect run --json")["champion"]["weights"]).contains('='));
        scratch.ayo("plot run -o it.svg").success();
        assert_eq!(scratch.json("runs . --json")["runs"][0]["state"], "complete");
        let found = scratch.json("inspect run/checkpoint-000006.ayo --json");
        assert_eq!(found["settings"]["preset"], preset);
        scratch.ayo("export run --generation 4").success();
        scratch.refuses("1 export run", "--generation 4 --fittest => --fittest");
        scratch.ayo("resume run --set depth=2 --out branch --generations 7 --quiet").success();
        assert_eq!(scratch.generation("branch"), 7);
        // Finalists play from every opening, but a small board has few. If there's just one finalist, it doesn't play.
        let board = "--set game=kalah:pits=3,seeds=2 --generations 4";
        scratch.train("board", &format!("{} {board}", small(preset)));
        let selected = scratch.json("select board --games 100 --quiet --json");
        let finalists = selected["ranking"].as_array().unwrap().len();
        let has_played = finalists < 2 || selected["games"].as_u64() > Some(0);
        assert!(has_played, "{preset}: {finalists} finalists played no games: {selected}");
        assert!(scratch.read("board/champion.json").contains("strength"));
        scratch.refuses("2 resume run", "--set length=300 --out other --generations 7 => length");
        scratch.ayo("train --preset daoud2004 --start-from run --dry-run").success();
        let dry = scratch.text(&format!("train --preset {preset} --dry-run"));
        assert!(dry.contains("length = 400 # ") && !dry.contains("crossover"), "{dry}");
        refuses! { scratch, &format!("2 train --preset {preset}"), r#"
            --start-from seeds => cannot start from given weights
            --fitness tables => unknown setting "fitness"
        "# }
        let before = scratch.outputs();
        let measured = scratch.read("run/strength.csv");
        scratch.write("run/strength.csv", &measured[..measured.len() / 3]);
        scratch.resume("");
        scratch.outputs().assert_same(&before);
    }
}
