//! Comparisons and ablations: what they print and leave, how they go on, what they refuse.

use std::fs;

use serde_json::Value;

use crate::support::{Scratch, refused};

/// Two quick searches with two seeds.
const QUICK: &str = "compare spsa:population=4,openings=1,depth=1 \
                     daoud2004:rules=ayo,population=8,fitness_set=2,depth=1 --seeds 1..2 --budget games=100 \
                     --depth 1 --openings 3 --quiet";

/// Rows of a file of results without the columns that may differ between two runs.
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
fn a_comparison_is_the_same_on_any_number_of_threads() {
    let scratch = Scratch::new();
    for threads in [1, 3] {
        scratch.ayo(&format!("{QUICK} --threads {threads} -o {threads}.csv")).success();
    }
    assert_eq!(steady(&scratch.read("1.csv")), steady(&scratch.read("3.csv")));
}

#[test]
fn a_comparison_prints_and_draws_what_it_found() {
    let scratch = Scratch::new();
    let text = scratch.text(&format!("{QUICK} -o plots/them.svg"));
    for words in ["games=100 for each search", "strength at depth 1 on 3 of plies:4", "daoud2004:"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let drawn = scratch.read("plots/them.svg");
    assert!(drawn.contains("Strength by budget") && drawn.contains("games spent"));
    // Everything is there already.
    let found = scratch.json(&format!("{QUICK} -o plots/them.png --json"));
    assert_eq!((&found["kind"], &found["reproducible"]), (&"comparison".into(), &true.into()));
    assert_eq!(found["searches"].as_array().unwrap().len(), 4);
    for contestant in found["contestants"].as_array().unwrap() {
        assert_eq!(contestant["seeds"], serde_json::json!([1, 2]));
        let panel = contestant["panel"]["score"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&panel) && contestant["panel"]["score_ci95"].is_array());
        assert_eq!(contestant["opponents"].as_object().unwrap().len(), 4);
    }
    let [difference] = found["differences"].as_array().unwrap().as_slice() else {
        panic!("{found}");
    };
    let panel = |place: usize| found["contestants"][place]["panel"]["score"].as_f64().unwrap();
    let ahead = difference["difference"].as_f64().unwrap();
    assert!((ahead - (panel(0) - panel(1))).abs() < 1e-12 && ahead >= 0.0, "{difference}");
    assert_eq!(
        (&difference["seeds"], &difference["a"]),
        (&2.into(), &found["contestants"][0]["contestant"])
    );
    assert!(text.contains("difference on the same seeds, with its 95 % interval\n  +"), "{text}");
    let points = found["searches"][0]["points"].as_array().unwrap();
    let last = points.last().unwrap();
    assert!(last["games"].as_u64().unwrap() <= 100 && last["weights"].is_object(), "{last}");
    scratch.ayo("plot plots/them.csv -o again.svg").success();
    assert_eq!(scratch.read("again.svg"), drawn);
}

#[test]
fn a_comparison_goes_on_where_it_was_cut() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{QUICK} -o whole.csv")).success();
    let whole = scratch.read("whole.csv");
    for share in [0, 1, 3, 7] {
        scratch.write("cut.csv", &whole[..whole.len() * share / 8]);
        scratch.ayo(&format!("{QUICK} -o cut.csv")).success();
        assert_eq!(steady(&scratch.read("cut.csv")), steady(&whole), "{share}");
    }
    // A contestant more leaves what is known.
    let more = QUICK.replace("compare ", "compare random-search:openings=1,population=4,depth=1 ");
    let found = scratch.json(&format!("{more} -o whole.csv --json"));
    assert_eq!(found["contestants"].as_array().unwrap().len(), 3);
    assert!(scratch.read("whole.csv").starts_with(&whole));
}

#[test]
fn a_comparison_with_a_wrong_line_stays_as_it_is() {
    let scratch = Scratch::new();
    scratch.ayo(&format!("{QUICK} -o them.csv")).success();
    let whole = scratch.read("them.csv");
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let wrong = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number - 1] = line;
        lines.concat()
    };
    let mut reader = csv::Reader::from_reader(whole.as_bytes());
    let column = reader.headers().unwrap().iter().position(|name| name == "nodes").unwrap();
    let nodes = reader.records().next().unwrap().unwrap()[column].to_owned();
    let damaged = lines[1].replacen(&format!(",{nodes},"), ",4x538,", 1);
    for (text, words) in [
        (wrong(2, &damaged), vec!["line 2: it has changed since it was written"]),
        (wrong(3, ""), vec!["line ", " cannot be "]),
        (wrong(4, lines[2]), vec!["line 4: opponent cannot be "]),
        (wrong(5, "what\n"), vec!["line 5: 1 fields stand where 19 are due"]),
    ] {
        scratch.write("them.csv", &text);
        for line in [QUICK.to_owned(), QUICK.replace("games=100", "games=90")] {
            let refused = refused(scratch.ayo(&format!("{line} -o them.csv")), 1, &["them.csv, "]);
            assert!(words.iter().all(|word| refused.contains(word)), "{refused}");
            assert_eq!(scratch.read("them.csv"), text);
        }
    }
    // A truncated file is not damaged, but with other settings it is refused as well.
    let cut = &whole[..whole.len() - 9];
    scratch.write("them.csv", cut);
    let other = QUICK.replace("games=100", "games=90");
    refused(scratch.ayo(&format!("{other} -o them.csv")), 2, &["them.csv", "--budget games=100"]);
    assert_eq!(scratch.read("them.csv"), cut);
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_prints_how_to_go_on() {
    let scratch = Scratch::new();
    let line = "compare spsa:depth=1 cma-es:depth=9 --seeds 1 --budget games=5000 --depth 1 \
                --openings 1 --quiet -o them.csv";
    let mut running = scratch.start(line);
    let table = scratch.path("them.csv");
    let has_a_trial = || fs::read_to_string(&table).is_ok_and(|text| text.lines().count() > 5);
    while !has_a_trial() && !running.has_ended() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.signal("INT");
    let (status, out, err) = running.wait();
    assert_eq!(status.code(), Some(130), "{out}{err}");
    let mut lines = out.lines().skip_while(|line| !line.starts_with("interrupted after 1 of 2"));
    assert!(lines.next().is_some_and(|line| line.ends_with("; go on with")), "{out}");
    let command = lines.next().unwrap();
    assert!(command.contains(" compare spsa:depth=1 cma-es:depth=9 --seeds 1 "), "{command}");
}

#[test]
fn a_limit_on_time_is_said() {
    let scratch = Scratch::new();
    let line = "compare spsa:depth=1 --seeds 1 --budget time=300ms --depth 1 --openings 2 --quiet";
    assert!(scratch.text(line).contains("cannot be reproduced"));
    let found: Value = scratch.json(&format!("{line} --json"));
    assert_eq!(found["reproducible"], false);
}

#[test]
fn wrong_comparisons_are_refused() {
    let scratch = Scratch::new();
    let refusals = [
        ("compare --budget games=9", vec!["<NAME[:key=value,…]>"]),
        ("compare spsa", vec!["--budget"]),
        ("compare sspa --budget games=9", vec!["unknown contestant", "did you mean \"spsa\"?"]),
        ("compare spsa --budget 9", vec!["--budget", "games=N"]),
        ("compare spsa spsa --budget games=9", vec!["spsa is named twice"]),
        ("compare spsa --budget games=9 --seeds 5..1", vec!["--seeds", "1..5"]),
        ("compare spsa --budget games=9 --seeds 1,1", vec!["--seeds", "twice"]),
        ("compare spsa --budget games=9 --openings plies:5", vec!["--openings", "plies:4"]),
        ("compare spsa --budget games=9 -o them.txt", vec!["them.txt", ".csv"]),
        ("compare spsa --budget games=9 --quiet", vec!["too small for spsa", "64 games"]),
        ("ablate nobody", vec!["nobody"]),
        ("ablate seeds -o them.txt", vec!["them.txt", ".png"]),
        ("ablate seeds --depth 0", vec!["--depth"]),
    ];
    for (line, words) in refusals {
        refused(scratch.ayo(line), 2, &words);
    }
    scratch.ayo(&format!("{QUICK} -o them.csv")).success();
    for (change, words) in [
        (("games=100", "games=90"), "--budget games=100"),
        (("--depth 1", "--depth 2"), "--depth 1"),
        (("--openings 3", "--openings 4"), "--openings"),
    ] {
        let line = format!("{} -o them.csv", QUICK.replace(change.0, change.1));
        refused(scratch.ayo(&line), 2, &["them.csv", words]);
    }
    let table = scratch.read("them.csv");
    let header = table.lines().next().unwrap();
    scratch.write("none.csv", format!("{header}\n"));
    refused(scratch.ayo("plot none.csv -o a.svg"), 1, &["none.csv", "no search in it is finished"]);
    refused(scratch.ayo("plot them.csv --what pairs -o a.svg"), 1, &["pairs needs"]);
    scratch.ayo(&format!("{} -o other.csv", QUICK.replace("games=100", "games=90"))).success();
    scratch.write("two.csv", table.clone() + &scratch.read("other.csv")[header.len() + 1..]);
    refused(scratch.ayo("plot two.csv -o a.svg"), 1, &["results of games=100 and of games=90"]);
    scratch.write("mine.csv", "feature,weight,sign\na10,1,+\n");
    refused(scratch.ayo(&format!("{QUICK} -o mine.csv")), 1, &["mine.csv holds no comparison"]);
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
    let text = scratch.text(line);
    assert_eq!(text.matches("weighs nothing already").count(), 3, "{text}");
    let drawn = scratch.read("one.svg");
    assert!(drawn.contains("What each feature is worth") && drawn.contains("weighs nothing"));
    scratch.write("found.json", found.to_string());
    scratch.ayo("plot found.json -o two.svg").success();
    assert_eq!(scratch.read("two.svg"), drawn);
}
