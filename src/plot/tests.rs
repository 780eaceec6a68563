use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::terminal::Usage;
use evolve::run::{self, Draft, Settings, header};
use mancala::eval::{Feature, Format, REFERENCE, Signs, Weights, export};
use mancala::game::GameKind;
use mancala::store::FileError;

mod sheets;

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Writes a run whose numbers change with each generation, unless `drift` is 0.
    fn run(&self, name: &str, features: &str, generations: u32, drift: f64) -> PathBuf {
        let settings = settings(&format!("seed=7 features={features}"));
        self.file(&format!("{name}/run.toml"), &settings.to_toml());
        self.file(&format!("{name}/history.csv"), &history(&settings, generations, drift));
        self.file(&format!("{name}/strength.csv"), &strength(&settings, generations));
        self.file(&format!("{name}/champion.json"), &export(&weights(&settings), Format::Json));
        self.path(name)
    }

    fn plot(&self, inputs: &[PathBuf], what: Option<What>, ending: &str) -> Vec<u8> {
        let output = self.path(&format!("picture.{ending}"));
        plot(inputs, &selected(what), &output).unwrap();
        fs::read(output).unwrap()
    }

    fn drawn(&self, inputs: &[PathBuf], selection: &Selection) -> String {
        let output = self.path("picture.svg");
        plot(inputs, selection, &output).unwrap();
        fs::read_to_string(output).unwrap()
    }

    fn svg(&self, inputs: &[PathBuf], what: Option<What>) -> String {
        self.drawn(inputs, &selected(what))
    }

    /// Asserts that plotting fails with an error that contains `part`.
    #[track_caller]
    fn refuses(&self, inputs: &[PathBuf], what: Option<What>, part: &str) {
        let output = self.path("picture.svg");
        let error = plot(inputs, &selected(what), &output).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

fn selected(what: Option<What>) -> Selection {
    Selection { what, ..Selection::default() }
}

fn size(svg: &str) -> (u32, u32) {
    let length = |name: &str| {
        let text = svg.split(&format!("{name}=\"")).nth(1).unwrap();
        text.split('"').next().unwrap().parse().unwrap()
    };
    (length("width"), length("height"))
}

fn settings(changes: &str) -> Settings {
    let mut draft = Draft::preset("daoud2004").unwrap();
    let measured = "panel=1 measure_early=first measure_every=5 measure_openings=50";
    for change in changes.split(' ').chain(measured.split(' ')) {
        let (key, value) = change.split_once('=').unwrap();
        draft.set(key, value).unwrap();
    }
    draft.finish().unwrap()
}

fn history(settings: &Settings, generations: u32, drift: f64) -> String {
    let mut text = header(settings).trim_end().to_owned();
    for generation in 1..=generations {
        let at = drift * f64::from(generation);
        let best = 30 + at as i64 % 7;
        let mean = 20.0 + at.sin();
        text += &format!("\n{generation},{best},{mean:.4},5,{drift:.4},ab,{at:.4},9,1000,400");
        for _ in settings.features.features() {
            text += &format!(",{:.4},{drift:.4}", 7.0 + at.cos());
        }
    }
    text + "\n"
}

/// Returns two measurements, or one if the run is too short for both.
fn strength(settings: &Settings, generations: u32) -> String {
    let mut text = "generation,opponent,games,score,low,high,chromosome\n".to_owned();
    let chromosome = "a".repeat(settings.features.features().len());
    for (generation, score) in [(1, 0.4), (5, 0.7)] {
        let past = (generation > 1).then(|| "champion of generation 1".to_owned());
        let panel = run::Panel::First.names(settings.game()).into_iter();
        for opponent in panel.chain(past).filter(|_| generation <= generations) {
            let (low, high) = (score - 0.1, score + 0.1);
            text += &format!(
                "{generation},\"{opponent}\",100,{score:.4},{low:.4},{high:.4},{chromosome}\n"
            );
        }
    }
    text
}

fn weights(settings: &Settings) -> Weights {
    let values: Vec<i64> = (3..).take(settings.features.features().len()).collect();
    let features = settings.features.clone();
    let mut weights = Weights::new("bred", features, &values, Signs::Signed).unwrap();
    weights.provenance = Weights::named(REFERENCE).unwrap().provenance;
    weights
}

fn every_feature() -> String {
    GameKind::Ayo.features().into_iter().map(Feature::name).collect::<Vec<_>>().join(",")
}

fn assert_texts(svg: &str, texts: &[&str]) {
    for text in texts {
        assert!(svg.contains(&format!(">\n{text}\n<")), "no {text:?}");
    }
}

#[test]
fn a_sheet_has_every_panel_and_a_panel_can_be_drawn_alone() {
    let desk = Desk::new();
    let run = [desk.run("run", "a1,a10", 40, 1.0)];
    let svg = desk.svg(&run, None);
    let (width, height) = size(&svg);
    assert!(width == 2140 && height <= 2400, "{width} × {height}");
    let title = "preset daoud2004 · seed 7 · rules wipe-out · 40 of 100 generations so far";
    let opponent = "against minimax:weights=aalina4,depth=5";
    assert_texts(&svg, &["run", title, opponent, "a10: seeds I have captured", "−3", "4"]);
    let is_of_one = |what: &What| !["agreement", "pits", "units", "fit"].contains(&what.name());
    let panels = || What::panels().filter(is_of_one);
    for what in panels() {
        let heading = |other: What| {
            let name = other.name();
            format!(">\n{}{}\n<", name[..1].to_uppercase(), &name[1..])
        };
        assert!(svg.contains(&heading(what)), "{what:?}");
        let alone = desk.svg(&run, Some(what));
        for other in panels() {
            assert_eq!(alone.contains(&heading(other)), what == other, "{what:?} {other:?}");
        }
    }
}

#[test]
fn a_picture_is_whole_and_always_the_same() {
    let desk = Desk::new();
    let run = [desk.run("run", "a1,a2", 40, 1.0)];
    let png = desk.plot(&run, Some(What::Fitness), "png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 10_000);
    assert_eq!(png, desk.plot(&run, Some(What::Fitness), "again.PNG"));
    assert_eq!(desk.svg(&run, None), desk.svg(&run, None));
    // No temporary file is left behind.
    assert_eq!(fs::read_dir(desk.0.path()).unwrap().count(), 4);
}

#[test]
fn odd_runs_have_pictures_too() {
    let desk = Desk::new();
    let runs = [
        desk.run("single", "a1", 1, 1.0),
        desk.run("constant", "a1,a2", 9, 0.0),
        desk.run("every", &every_feature(), 5, 1e6),
        desk.run("long", "a1,a2,a3,a4", 1000, 0.1),
        desk.run(&"very long name ".repeat(15), "a14", 2, -1.0),
    ];
    for inputs in runs.chunks(1).chain([&runs[..]]) {
        desk.svg(inputs, None);
    }
    desk.plot(&runs, Some(What::Fitness), "png");
}

#[test]
fn inputs_have_different_names() {
    let desk = Desk::new();
    assert_texts(&desk.svg(&[PathBuf::from("seeds")], None), &["seeds", "−1", "1"]);
    // A folder takes precedence over an evaluator of the same name.
    let first = desk.run("seeds", "a1,a2", 40, 1.0);
    assert_texts(&desk.svg(std::slice::from_ref(&first), None), &["Fitness", "−3"]);
    let second = desk.run("second", "a3,a2,a1", 20, 0.5);
    let svg = desk.svg(&[first.clone(), second, PathBuf::from("aalina4")], None);
    assert_texts(&svg, &["seeds", "second", "aalina4", "a14: my pits with 1 or 2"]);

    let twin = desk.run("elsewhere/seeds", "a1", 3, 1.0);
    let svg = desk.svg(&[first.clone(), twin.clone()], None);
    let paths = [first, twin].map(|path| path.display().to_string());
    // Temporary folders may have names that are too long for a legend.
    assert!(paths.iter().all(|path| svg.contains(&path[..12])), "{svg}");
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let desk = Desk::new();
    let run = [desk.run("run", "a1", 3, 1.0)];
    let refusal = |name: &str| plot(&run, &Selection::default(), &desk.path(name)).unwrap_err();
    for name in ["picture", "picture.jpg", ".png", "run"] {
        assert!(refusal(name).is::<Usage>(), "{name}");
    }
    fs::create_dir(desk.path("taken.svg")).unwrap();
    for (name, file) in [("run/run.toml/picture.svg", "run.toml"), ("taken.svg", "taken.svg")] {
        let error = refusal(name);
        let path = error.downcast_ref().map(|error: &FileError| &error.path);
        assert!(path.is_some_and(|it| it.ends_with(file)), "{name}: {error}");
    }
    assert!(refusal("pictures/of/picture.svg").to_string().contains("does not exist"));
    assert_eq!(fs::read_dir(desk.0.path()).unwrap().count(), 2);
}

#[test]
fn inputs_that_cannot_be_drawn_are_refused_and_leave_the_old_picture() {
    let desk = Desk::new();
    let output = desk.file("picture.svg", "old");
    for (text, part) in [
        ("kind = 1", "bad.json: not a weights file in JSON"),
        ("{", "bad.json: not a weights file in JSON"),
        (r#"{"kind":"matches"}"#, "bad.json: cannot draw kind \"matches\""),
        (r#"{"kind":"weights"}"#, "missing field"),
    ] {
        desk.refuses(&[desk.file("bad.json", text)], None, part);
    }
    assert!(plot(&[], &Selection::default(), Path::new("x.png")).unwrap_err().is::<Usage>());
    desk.refuses(&[desk.0.path().to_owned()], None, "not a run folder");
    desk.refuses(&[PathBuf::from("absent")], None, "unknown weights \"absent\"");
    desk.refuses(&[desk.run("empty", "a1", 0, 1.0)], None, "history.csv: no generation");
    let run = [desk.run("run", "a1", 3, 1.0)];
    for (file, text, part) in [
        ("champion.json", "{}", "missing field `kind`"),
        ("history.csv", "best\n5\n", "\"generation\""),
        ("run.toml", "depth = 0", "depth is 0"),
        ("run.toml", "depth = ", "line 1: "),
    ] {
        desk.file(&format!("run/{file}"), text);
        desk.refuses(&run, None, &format!("{file}: "));
        desk.refuses(&run, None, part);
    }
    assert_eq!(fs::read_to_string(output).unwrap(), "old");
}

fn rated(name: &str, elo: f64) -> String {
    let (low, high) = (elo - 20.0, elo + 20.0);
    format!(r#"{{"player":"{name}","elo":{elo},"elo_ci95":[{low},{high}],"score":0.5,"games":8}}"#)
}

fn tournament(players: &[String]) -> String {
    let players = players.join(",");
    format!(
        r#"{{"kind":"tournament","rules":"ayo","openings":"plies:4","reference":"the mean is 0",
        "games":12,"players":[{players}],"interrupted":false}}"#
    )
}

const MATCH: &str = r#"{"kind":"match","a":"greedy","b":"random","rules":"ayo","openings":"plies:4",
    "games":8,"score":0.75,"score_ci95":[0.5,0.875],"elo":190.8,"elo_ci95":[0,338],
    "pairs":{"ll":0,"ld":1,"dd_wl":0,"wd":1,"ww":2},"interrupted":true}"#;

#[test]
fn results_are_drawn() {
    let desk = Desk::new();
    let text = tournament(&[rated("weak,depth=1", -99.6), rated("strong", 120.2)]);
    let svg = desk.svg(&[desk.file("results.json", &text)], None);
    assert!(svg.find("strong") < svg.find("weak"));
    let many: Vec<_> = (0..20).map(|i| rated(&"x/".repeat(i * 27), f64::from(i as u32))).collect();
    let file = [desk.file("many.json", &tournament(&many))];
    desk.svg(&file, Some(What::Ratings));
    let svg = desk.svg(&[desk.file("results.json", MATCH)], Some(What::Pairs));
    assert_texts(&svg, &["A greedy", "B random", "2 (50.0 %)", "1 (25.0 %)"]);
}

#[test]
fn results_that_cannot_be_drawn_are_refused() {
    let desk = Desk::new();
    let unrated = r#"{"player":"late","elo":null,"elo_ci95":null}"#.to_owned();
    for (text, part) in [
        (tournament(&[]), "0 players"),
        (tournament(&[rated("one", 1e9)]), "the rating of one"),
        (tournament(&[rated("one", 1.0), unrated]), "late has no rating"),
        (MATCH.replace(":8", ":6"), "pairs do not add up"),
        (MATCH.replace("rules", "ruled"), "rules"),
        (r#"{"kind":"match"}"#.into(), "missing field `a`"),
    ] {
        desk.refuses(&[desk.file("bad.json", &text)], None, part);
    }
    let (seeds, file) = (PathBuf::from("seeds"), desk.file("match.json", MATCH));
    desk.refuses(std::slice::from_ref(&file), Some(What::Ratings), "ayo tournament");
    desk.refuses(&[seeds.clone(), file], None, "cannot be combined");
    desk.refuses(&[seeds], Some(What::Pairs), "ayo match");
}
