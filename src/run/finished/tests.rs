use proptest::prelude::*;

use super::*;
use crate::run::{RunState, StopPolicy, Summary, Watched, train};
use mancala::laws;

/// A run of moments.
fn settings(preset: &str, changes: &[(&str, &str)]) -> Settings {
    let mut draft = Draft::preset(preset).unwrap();
    let tiny = [("depth", "1"), ("generations", "4"), ("measure_openings", "2")];
    for (key, value) in tiny.iter().chain(changes) {
        draft.set(key, value).unwrap();
    }
    draft.finish().unwrap()
}

/// With measurements and finals, on a board that has few openings.
fn genetic() -> Settings {
    let changes = [
        ("game", "kalah:pits=3,seeds=2"),
        ("population", "6"),
        ("sparring", "1"),
        ("openings", "random:1,plies=5-9"),
        ("measure_every", "2"),
        ("finalist_games", "60"),
    ];
    settings("kalah-standard", &changes)
}

fn trained(folder: &Path, settings: &Settings) {
    let mut run = RunFolder::create(folder, settings, None).unwrap();
    let mut trainer = Trainer::new(settings.clone());
    let mut measuring = run.measuring(&trainer, None).unwrap();
    let watched = Watched { progress: &(), stop: &StopPolicy::default() };
    train(&mut trainer, &mut run, &mut measuring, &watched, &mut Silent).unwrap();
}

struct Silent;

impl crate::run::Observer for Silent {
    fn observe(&mut self, _: &crate::run::Event) -> Result<(), FileError> {
        Ok(())
    }
}

/// What must be the same in both folders, and is there.
const KEPT: [&str; 5] =
    ["history.csv", "cost.csv", "strength.csv", "champion.json", "checkpoint-000004.ayo"];

#[test]
fn what_travels_is_the_run() {
    let learned = [
        ("features", "u1..u8"),
        ("population", "4"),
        ("epoch", "2"),
        ("positions", "100"),
        ("passes", "1"),
        ("duel_openings", "2"),
        ("measure_every", "0"),
        ("finalist_games", "0"),
    ];
    let directed =
        [("population", "4"), ("openings", "1"), ("measure_every", "0"), ("finalist_games", "0")];
    for settings in [genetic(), settings("cma-es", &directed), settings("learned", &learned)] {
        let scratch = tempfile::tempdir().unwrap();
        let [from, to, begun] = ["from", "to", "begun"].map(|it| scratch.path().join(it));
        trained(&from, &settings);
        let sent = Finished::of(&from).unwrap();
        assert_eq!(sent.begins_so(3, &()), Some(true));
        let came = Finished::decode(&sent.encode(), &anew(&settings).unwrap()).unwrap();
        assert_eq!(came.digest(), sent.digest());
        // Into a new folder, and into one in which the run was begun.
        trained(&begun, &Settings { generations: 2, ..anew(&settings).unwrap() });
        for folder in [&to, &begun] {
            came.write(folder).unwrap();
            let names = KEPT.into_iter().filter(|it| from.join(it).exists());
            for name in names {
                assert_eq!(
                    store::read(&folder.join(name)).unwrap(),
                    store::read(&from.join(name)).unwrap(),
                    "{name}"
                );
            }
            let summary = Summary::of(folder).unwrap();
            assert_eq!((summary.state, summary.damages), (RunState::Complete, Vec::new()));
            assert_eq!(Finished::of(folder).unwrap().digest(), sent.digest());
        }
    }
}

/// A finished run, which takes its moment once.
fn sent() -> &'static Wire {
    static SENT: std::sync::OnceLock<Wire> = std::sync::OnceLock::new();
    SENT.get_or_init(|| {
        let scratch = tempfile::tempdir().unwrap();
        trained(&scratch.path().join("run"), &genetic());
        Finished::of(&scratch.path().join("run")).unwrap().wire
    })
}

#[test]
fn what_does_not_fit_the_settings_is_refused() {
    let refused = |wire: &Wire, settings: &Settings, words: &str| {
        let error = Finished::decode(&FRAME.encode(wire), settings).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let (wire, own) = (sent(), genetic());
    refused(wire, &settings("daoud2004", &[("measure_every", "0")]), "checkpoint");
    refused(wire, &Settings { generations: 5, ..genetic() }, "generations");
    refused(wire, &Settings { seed: 2, ..genetic() }, "seed was 1");
    let last = wire.history.trim_end().rfind('\n').unwrap();
    let changed = [
        Wire { history: wire.history[..=last].into(), ..wire.clone() },
        Wire { history: wire.history.replacen(',', ";", 1), ..wire.clone() },
        Wire { history: wire.history.replacen("\n1,", "\n1,x", 1), ..wire.clone() },
        Wire { costs: wire.costs.replacen("\n2,", "\n2,../", 1), ..wire.clone() },
    ];
    changed.iter().for_each(|wire| refused(wire, &own, "generations"));
    let strength =
        wire.strength.replacen("champion of generation 1", "champion of generation 9", 1);
    for strength in [String::new(), strength, wire.strength.clone() + "\n"] {
        refused(&Wire { strength, ..wire.clone() }, &own, "measurements");
    }
    let chosen = wire.chosen.clone().unwrap();
    let wrong = [
        None,
        Some(Chosen { finalist: 99, ..chosen.clone() }),
        Some(Chosen { strength: Vec::new(), ..chosen.clone() }),
        Some(Chosen { strength: vec![(4, 2.0, 0.0, 1.0); chosen.strength.len()], ..chosen }),
    ];
    wrong.into_iter().for_each(|chosen| refused(&Wire { chosen, ..wire.clone() }, &own, "finals"));
    let layers = vec![b"layer".to_vec()];
    refused(&Wire { layers, ..wire.clone() }, &own, "layers");
}

#[test]
fn a_run_that_began_otherwise_is_noticed() {
    let row = sent().history.lines().nth(2).unwrap();
    let other = row.replacen(",", ",1", 1);
    let wire = Wire { history: sent().history.replace(row, &other), ..sent().clone() };
    let finished = Finished::admit(wire, &genetic()).unwrap();
    assert_eq!([1, 2].map(|it| finished.begins_so(it, &())), [Some(true), Some(false)]);
}

laws! {
    #[test]
    fn damaged_bytes_are_refused(at in any::<prop::sample::Index>(), bit in 0..8u32) {
        let mut bytes = FRAME.encode(sent());
        let at = at.index(bytes.len());
        prop_assert!(Finished::decode(&bytes[..at], &genetic()).is_err());
        bytes[at] ^= 1 << bit;
        prop_assert!(Finished::decode(&bytes, &genetic()).is_err());
    }
}
