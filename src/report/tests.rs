use std::error::Error as _;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;

const ENDINGS: [&str; 2] = ["png", "svg"];

/// A folder for runs and pictures.
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

    /// A run whose figures drift with the generations, or stand still.
    fn run(&self, name: &str, features: &[&str], generations: u32, drift: f64) -> PathBuf {
        let history = history(features, generations, drift);
        self.file(&format!("{name}/history.csv"), &history);
        let settings = "preset = \"daoud2004\"\nseed = 7\ngenerations = 100\nrules = \"ayo\"\n";
        self.file(&format!("{name}/run.toml"), settings);
        self.file(&format!("{name}/champion.json"), &champion(name, features));
        self.path(name)
    }

    fn plot(&self, inputs: &[PathBuf], what: Option<What>, ending: &str) -> Vec<u8> {
        let output = self.path(&format!("picture.{ending}"));
        plot(inputs, what, &output).unwrap();
        fs::read(output).unwrap()
    }

    fn svg(&self, inputs: &[PathBuf], what: Option<What>) -> String {
        String::from_utf8(self.plot(inputs, what, "svg")).unwrap()
    }

    fn refusal(&self, inputs: &[PathBuf], what: Option<What>) -> String {
        let output = self.path("picture.svg");
        plot(inputs, what, &output).unwrap_err().to_string()
    }
}

fn history(features: &[&str], generations: u32, drift: f64) -> String {
    let mut text = "generation,best,mean,worst,sd,best_chromosome,hamming,distinct,\
                    games_asked,games_played"
        .to_owned();
    for name in features {
        text += &format!(",{name}_mean,{name}_sd");
    }
    for generation in 1..=generations {
        let at = drift * f64::from(generation);
        let best = 30 + at as i64 % 7;
        let mean = 20.0 + at.sin();
        text += &format!("\n{generation},{best},{mean:.4},5,{drift:.4},ab,{at:.4},9,1000,400");
        for _ in features {
            text += &format!(",{:.4},{drift:.4}", 7.0 + at.cos());
        }
    }
    text + "\n"
}

fn champion(name: &str, features: &[&str]) -> String {
    let weights: Vec<_> = (3..3 + features.len()).collect();
    format!(
        r#"{{"kind":"weights","name":"{name}","features":{features:?},"weights":{weights:?},
        "signs":"signed","rules":"ayo","depth":5,"strength":null,"later":{{}},
        "provenance":{{"preset":"daoud2004","seed":7,"generation":100,"fitness":36}}}}"#
    )
}

fn assert_texts(svg: &str, texts: &[&str]) {
    for text in texts {
        assert!(svg.contains(&format!(">\n{text}\n<")), "no {text:?}");
    }
}

#[test]
fn the_sheet_has_every_panel() {
    let desk = Desk::new();
    let run = desk.run("daoud2004-7", &["a1", "a10"], 40, 1.0);
    let svg = desk.svg(&[run], None);
    assert!(svg.starts_with("<svg width=\"1600\" height="));
    assert_texts(
        &svg,
        &[
            "daoud2004-7",
            "preset daoud2004 · seed 7 · 40 of 100 generations so far",
            "Fitness",
            "generation",
            "fitness (points)",
            "mean ± 1 standard deviation",
            "Diversity",
            "mean distance (bits)",
            "distinct chromosomes",
            "Weights",
            "a1: opponent&apos;s pits that capture 2",
            "a10: seeds I have captured",
            "Champion",
            "weights with their signs · generation 100 · fitness 36 · depth 5 · rules ayo",
            "seeds I have captured",
            "−3",
            "4",
        ],
    );
}

#[test]
fn a_panel_can_be_drawn_alone() {
    let desk = Desk::new();
    let run = desk.run("run", &["a1"], 40, 1.0);
    for what in What::ALL {
        let heading = |other: What| {
            let name = other.name();
            format!(">\n{}{}\n<", name[..1].to_uppercase(), &name[1..])
        };
        let svg = desk.svg(std::slice::from_ref(&run), Some(what));
        for other in What::ALL {
            assert_eq!(svg.contains(&heading(other)), what == other, "{what} {other}");
        }
    }
}

#[test]
fn a_picture_is_whole_and_always_the_same() {
    let desk = Desk::new();
    let run = [desk.run("run", &["a1", "a2"], 40, 1.0)];
    let png = desk.plot(&run, None, "png");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 10_000);
    assert_eq!(png, desk.plot(&run, None, "again.PNG"));
    assert_eq!(desk.plot(&run, None, "svg"), desk.plot(&run, None, "svg"));
    let mut names: Vec<_> = fs::read_dir(desk.0.path()).unwrap().map(name).collect();
    names.sort();
    assert_eq!(names, ["picture.again.PNG", "picture.png", "picture.svg", "run"]);
}

fn name(entry: std::io::Result<fs::DirEntry>) -> String {
    entry.unwrap().file_name().into_string().unwrap()
}

#[test]
fn odd_runs_have_pictures_too() {
    let desk = Desk::new();
    let many: Vec<_> = (1..=14).map(|number| format!("a{number}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let long = "a feature whose name takes much more room than a label has on any sheet";
    let runs = [
        desk.run("single", &["a1"], 1, 1.0),
        desk.run("constant", &["a1", "a2"], 9, 0.0),
        desk.run("bare", &[], 9, 1.0),
        desk.run("many", &many, 5, 1e6),
        desk.run("long", &[long, "a1", "a2", "a3"], 1000, 0.1),
        desk.run(&"very long name ".repeat(15), &["x"], 2, -1.0),
    ];
    for ending in ENDINGS {
        for run in &runs {
            desk.plot(std::slice::from_ref(run), None, ending);
        }
        desk.plot(&runs, None, ending);
    }
}

#[test]
fn long_runs_say_that_they_are_smoothed() {
    let desk = Desk::new();
    let run = desk.run("long", &["a1"], 3000, 0.01);
    let svg = desk.svg(&[run], Some(What::Fitness));
    assert_texts(&svg, &["each point is the mean of 10 generations", "3000"]);
}

#[test]
fn several_inputs_are_told_apart() {
    let desk = Desk::new();
    let first = desk.run("first", &["a1", "a2"], 40, 1.0);
    let second = desk.run("second", &["a1", "a2", "a3"], 20, 0.5);
    let file = desk.file("weights.json", &champion("alone", &["a4"]));
    let svg = desk.svg(&[first.clone(), second, file], None);
    assert_texts(&svg, &["first", "second", "alone", "my pits that capture 3"]);

    let twin = desk.run("elsewhere/first", &["a1"], 3, 1.0);
    let svg = desk.svg(&[first.clone(), twin.clone()], None);
    let paths = [first, twin].map(|path| path.display().to_string());
    // Temporary folders may have names too long for a legend.
    assert!(paths.iter().all(|path| svg.contains(&path[..12])), "{svg}");
}

#[test]
fn a_file_of_weights_is_drawn_as_bars() {
    let desk = Desk::new();
    let signed = champion("bred", &["a1", "unheard-of"]);
    let literal = signed.replace("\"signed\"", "\"literal\"");
    let svg = desk.svg(&[desk.file("signed.json", &signed)], None);
    assert_texts(&svg, &["bred", "unheard-of", "−3", "4"]);
    let svg = desk.svg(&[desk.file("literal.json", &literal)], None);
    assert_texts(&svg, &["3", "4"]);
    assert!(!svg.contains('−'));
}

#[test]
fn a_run_needs_no_champion_yet() {
    let desk = Desk::new();
    let run = [desk.run("run", &["a1"], 3, 1.0)];
    fs::remove_file(run[0].join("champion.json")).unwrap();
    fs::remove_file(run[0].join("run.toml")).unwrap();
    assert_texts(&desk.svg(&run, None), &["3 generations", "Weights"]);
    let refusal = desk.refusal(&run, Some(What::Champion));
    assert!(refusal.starts_with("the inputs hold nothing to plot as champion"));
}

#[test]
fn what_is_not_drawn_leaves_the_old_picture() {
    let desk = Desk::new();
    let output = desk.file("picture.svg", "old");
    let run = desk.file("run/history.csv", "generation,best\n");
    let refusal = desk.refusal(&[run.parent().unwrap().to_owned()], None);
    assert!(refusal.ends_with("history.csv: no generation has been recorded yet"));
    assert_eq!(fs::read_to_string(output).unwrap(), "old");
}

#[test]
fn outputs_that_cannot_be_written_are_refused() {
    let desk = Desk::new();
    let run = [desk.run("run", &["a1"], 3, 1.0)];
    for name in ["picture", "picture.jpg", ".png", "run"] {
        let refusal = plot(&run, None, &desk.path(name)).unwrap_err().to_string();
        assert!(refusal.ends_with("the file name must end in .png or .svg"));
    }
    let refusal = plot(&run, None, &desk.path("no/picture.png")).unwrap_err();
    assert!(matches!(&refusal, Error::OutputFolder { folder, .. } if folder.ends_with("no")));

    fs::create_dir(desk.path("taken.png")).unwrap();
    let refusal = plot(&run, None, &desk.path("taken.png")).unwrap_err();
    assert!(matches!(refusal, Error::Output { .. }) && refusal.source().is_some());
    assert_eq!(fs::read_dir(desk.0.path()).unwrap().count(), 2);
}

#[test]
fn inputs_that_cannot_be_drawn_are_refused() {
    let desk = Desk::new();
    let good = champion("bred", &["a1"]);
    for (text, expected) in [
        ("kind = 1", "cannot be understood as JSON"),
        ("[1]", "has no text field `kind`"),
        (r#"{"kind":"match"}"#, "nothing is drawn for kind `match`"),
        (r#"{"kind":"weights"}"#, "cannot be understood as JSON"),
        (&good.replace("[3]", "[3,4]"), "2 values for the 1 names"),
        (&good.replace("[3]", "[0.5]"), "cannot be understood as JSON"),
    ] {
        let refusal = desk.refusal(&[desk.file("bad.json", text)], None);
        assert!(refusal.contains(expected), "{refusal}");
        assert!(refusal.contains("bad.json"), "{refusal}");
    }
    assert!(matches!(plot(&[], None, Path::new("x.png")), Err(Error::NoInput)));
    let empty = desk.refusal(&[desk.0.path().to_owned()], None);
    assert!(empty.ends_with("is not the folder of a run: it has no history.csv"));
    let absent = desk.refusal(&[desk.path("absent")], None);
    assert!(absent.starts_with("cannot read ") && absent.ends_with("absent"));
    let run = desk.run("run", &["a1"], 3, 1.0);
    desk.file("run/run.toml", "preset = ");
    assert!(desk.refusal(&[run], None).ends_with("run.toml is not valid TOML"));
}

#[test]
fn panels_are_named() {
    for what in What::ALL {
        assert_eq!(what.to_string().parse::<What>().unwrap(), what);
    }
    let refusal = "colour".parse::<What>().unwrap_err().to_string();
    let expected =
        "`colour` cannot be plotted: choose one of fitness, diversity, weights, champion";
    assert_eq!(refusal, expected);
}
