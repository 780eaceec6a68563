//! Comparisons and ablations: their output and files, how they resume, and what they reject.

use std::fs;

use crate::support::{Scratch, column, holds, refused, refuses};

const QUICK: &str = "compare spsa:population=4,openings=1,depth=1 \
                     daoud2004:rules=ayo,population=8,fitness_set=2,depth=1 --seeds 1..2 --budget games=100 \
                     --depth 1 --openings 3 --quiet";

/// Returns the rows of a results file, without the columns that may differ between runs.
fn steady(table: &str) -> Vec<String> {
    let volatile = ["nodes", "seconds", "checksum"];
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        let cells = headers.iter().zip(record.iter()).filter(|(name, _)| !volatile.contains(name));
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join("|")
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn a_comparison_prints_and_draws_what_it_found_on_any_number_of_threads() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{QUICK} --threads 1 -o 1.csv")).success();
    let text = scratch.text(&format!("{QUICK} --threads 3 -o plots/them.svg"));
    assert_eq!(steady(&scratch.read("1.csv")), steady(&scratch.read("plots/them.csv")));
    holds(&text, &["games=100", "depth 1 on 3 of plies:4", "daoud2004:", "95 % interval"]);
    let drawn = scratch.read("plots/them.svg");
    let found = scratch.json(&format!("{QUICK} -o plots/them.png --json"));
    assert_eq!((&found["kind"], &found["reproducible"]), (&"comparison".into(), &true.into()));
    assert_eq!(found["searches"].as_array().unwrap().len(), 4);
    for contestant in found["contestants"].as_array().unwrap() {
        assert_eq!(contestant["seeds"], serde_json::json!([1, 2]));
        let panel = contestant["panel"]["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&panel) && contestant["panel"]["score_ci95"].is_array());
        assert_eq!(contestant["opponents"].as_object().unwrap().len(), 4);
    }
    let difference = &found["differences"][0];
    let first = &found["contestants"][0]["contestant"];
    assert_eq!((&difference["seeds"], &difference["a"]), (&2.into(), first));
    let last = found["searches"][0]["points"].as_array().unwrap().last().unwrap();
    assert!(last["games"].as_u64().unwrap() <= 100 && last["weights"].is_object(), "{last}");
    scratch.ayo("plot plots/them.csv -o again.svg").success();
    assert_eq!(scratch.read("again.svg"), drawn);
    let whole = scratch.read("1.csv");
    for share in [1, 7] {
        scratch.write("cut.csv", &whole[..whole.len() * share / 8]);
        scratch.ayo(&format!("{QUICK} -o cut.csv")).success();
        assert_eq!(steady(&scratch.read("cut.csv")), steady(&whole), "{share}");
    }
    // Adding a contestant keeps the existing results.
    let more = QUICK.replace("compare ", "compare random-search:openings=1,population=4,depth=1 ");
    let found = scratch.json(&format!("{more} -o 1.csv --json"));
    assert_eq!(found["contestants"].as_array().unwrap().len(), 3);
    assert!(scratch.read("1.csv").starts_with(&whole));
    // A file with an invalid line is left alone.
    let text = whole.replacen(&format!(",{},", column(&whole, "nodes")[0]), ",4x538,", 1);
    scratch.write("them.csv", &text);
    let other = QUICK.replace("games=100", "games=90");
    for line in [QUICK, &other] {
        refused(scratch.ayo(&format!("{line} -o them.csv")), 1, &["them.csv, line 2: "]);
        assert_eq!(scratch.read("them.csv"), text);
    }
    // A truncated file isn't damaged, but we still reject it if the settings differ.
    let cut = &whole[..whole.len() - 9];
    scratch.write("them.csv", cut);
    scratch.refuses(&format!("2 {other}"), "-o them.csv => them.csv | --budget games=100");
    assert_eq!(scratch.read("them.csv"), cut);
    wrong_comparisons_are_refused(&scratch, &whole);
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_prints_how_to_go_on() {
    let scratch = Scratch::new();
    let line = "compare spsa:depth=1 cma-es:depth=9 --seeds 1 --budget games=5000 --depth 1 \
                --openings 1 --quiet -o them.csv";
    let mut running = scratch.start(line);
    let table = || fs::read_to_string(scratch.path("them.csv")).unwrap_or_default();
    let has_trial = || table().lines().count() > 5 || running.has_ended();
    crate::support::wait_until("no trial ends", has_trial);
    let out = running.interrupted("INT");
    holds(
        &out,
        &["after 1 of 2", "resume with\n", " compare spsa:depth=1 cma-es:depth=9 --seeds 1 "],
    );
    // A comparison with a time limit can't be reproduced.
    let line = "compare spsa:depth=1 --seeds 1 --budget time=200ms --depth 1 --openings 2 --quiet";
    assert_eq!(scratch.json(&format!("{line} --json"))["reproducible"], false);
}

fn wrong_comparisons_are_refused(scratch: &Scratch, table: &str) {
    refuses! { scratch, "2", r#"
        compare --budget games=9 => <NAME[:key=value,…]>
        compare sspa --budget games=9 => unknown contestant | did you mean "spsa"?
        compare spsa spsa --budget games=9 => spsa is given twice
        compare spsa --budget games=9 --seeds 5..1 => --seeds | 1..5
        compare spsa --budget games=9 --openings plies:5 => --openings | plies:4
        compare spsa --budget games=9 --quiet => too small for spsa | 64 games
        ablate seeds -o them.txt => them.txt | .png
    "# }
    scratch.write("them.csv", table);
    for (was, is) in [
        ("--budget games=100", "--budget games=90"),
        ("--depth 1", "--depth 2"),
        ("--openings 3", "--openings 4"),
    ] {
        let line = format!("{} -o them.csv", QUICK.replace(was, is));
        refused(scratch.ayo(&line), 2, &["them.csv", was.trim_end_matches(" 3")]);
    }
    let (header, _) = table.split_once('\n').unwrap();
    scratch.write("none.csv", format!("{header}\n"));
    scratch.ayo(&format!("{} -o other.csv", QUICK.replace("games=100", "games=90"))).success();
    scratch.write("two.csv", table.to_owned() + &scratch.read("other.csv")[header.len() + 1..]);
    refuses! { scratch, "1 plot -o a.svg", "
        none.csv => none.csv | it has no finished search
        them.csv --what pairs => pairs needs
        two.csv => results for games=100 and games=90
    " }
    scratch.write("mine.csv", "feature,weight,sign\na10,1,+\n");
    scratch.refuses(&format!("1 {QUICK}"), "-o mine.csv => mine.csv");
    assert!(scratch.read("mine.csv").starts_with("feature,"));
}

#[test]
fn an_ablation_says_what_features_are_worth() {
    let scratch = Scratch::new();
    let line = "ablate daoud2004-depth5 --depth 2 --openings plies:2 --quiet";
    let found = scratch.json(&format!("{line} --json --threads 1 -o one.svg"));
    assert_eq!(found, scratch.json(&format!("{line} --json --threads 2")));
    let features = found["features"].as_array().unwrap();
    assert_eq!((features.len(), &found["kind"]), (12, &"ablation".into()));
    let elos: Vec<f64> = features.iter().filter_map(|it| it["elo"].as_f64()).collect();
    assert!(elos.len() == 9 && elos.is_sorted_by(|a, b| a >= b), "{elos:?}");
    assert!(features[..9].iter().all(|it| it["games"] == 72));
    assert_eq!(scratch.text(line).matches("not played").count(), 3);
    let drawn = scratch.read("one.svg");
    assert!(drawn.contains("What each feature is worth") && drawn.contains("zero weight"));
    scratch.write("found.json", found.to_string());
    scratch.ayo("plot found.json -o two.svg").success();
    assert_eq!(scratch.read("two.svg"), drawn);
}
