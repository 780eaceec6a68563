//! Hashes of whole runs.
//!
//! If a hash no longer matches, the same settings and seed now train something else: users can't reproduce their run
//! folders any more, and published measurements of earlier runs don't describe what the program does. A faster search
//! or tournament must not change any hash. If one changes, something that affects decisions has changed, e.g. the
//! rules, an evaluation, a search's choice, selection, a stream of random numbers, or a file format. Find the change
//! and revert it. Enter new hashes only if the old behaviour was wrong and the change is intended. In that case, the
//! changelog lists it under "Changed", with the words "changes runs".

use std::path::Path;

use ayo::run::{Checkpoint, Draft, RunFolder, Trainer};
use sha2::{Digest, Sha256};

use crate::support::{Scratch, checkpoints};

/// Compares hashes of a run: those of the last generation, the history, the champion and any measurements.
#[track_caller]
fn assert_hashes(preset: &str, rest: &str, expected: &str) {
    let scratch = Scratch::trained(&format!("{preset} --quiet --report off {rest}"));
    let settings = RunFolder::settings(&scratch.path("run")).unwrap();
    let last = checkpoints(&scratch.path("run")).pop().unwrap();
    let checkpoint = Checkpoint::decode(&std::fs::read(last).unwrap()).unwrap();
    let trainer = Trainer::restore(settings, checkpoint).unwrap();
    let last = trainer.last().unwrap();
    let members = last.members.iter().zip(&last.fitness);
    let members = members.map(|(member, fitness)| format!("{} {fitness}\n", member.to_hex()));
    let mut hashes = vec![hash(&members.collect::<String>())];
    let files = ["history.csv", "champion.json", "strength.csv"];
    let files = files.iter().filter(|file| scratch.path("run").join(file).exists());
    hashes.extend(files.map(|file| hash(&scratch.read(&format!("run/{file}")))));
    assert_eq!(hashes.join(" "), expected, "{preset} {rest}");
}

fn hash(text: &str) -> String {
    Sha256::digest(text)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The preset of 2004 with the rules that it had when we recorded the hashes. (Existing runs keep them.)
const DAOUD: &str = "--preset daoud2004 --set rules=ayo";

/// A shorter run with other settings. It has 19 offspring, so the last one has no partner.
const SHORT: &str =
    "--preset daoud2004 --generations 12 --population 21 --depth 3 --set mutation_rate=0.02";

const QUICK: &str = "--preset quick --seed 1 --population 8 --depth 2 --set measure_every=4 --set measure_openings=1";

/// The evolution strategy with measurements, run until its hall of fame (256 members) overflows. With these settings,
/// runs still produce the same bytes as in the first version.
const FULL_HALL: &str = "--preset evolution-strategy --seed 1 --population 10 --depth 1 --generations 300 \
                         --set panel=1 --set measure_early=first --set openings=random:1,plies=5-12 \
                         --set measure_every=100 --set measure_openings=5 --set perspective=root \
                         --set quiescence=off --set ties=lowest --set measure_at=depth --set hall_of_fame=2 \
                         --set sparring=6 --set mutation=gaussian --set cooling=halving \
                         --set step_floor=0.025 --set step_half=8";

#[test]
fn runs_are_as_they_were() {
    for (preset, rest, expected) in [
        (DAOUD, "--seed 1 --generations 5", "f237989229e55cd7 310d91f87f1c3507 aa1a381732eb3e59"),
        (SHORT, "--set rules=awari", "3174b67b84c38974 842d8f3de346c05f 555574ea9760231e"),
        (SHORT, "--set rules=wipe-out", "bd07fe29132ee927 627c22431b72e9f7 fc95f5502d05f644"),
        (SHORT, "--set rules=no-slam", "602ddc81d4352891 0cf86f02ae227da0 8e43f70b43dd788a"),
        (
            SHORT,
            "--set rules=ayo --set signs=literal",
            "5129bc86ac54cded bbc3f59145bb406f 3b9b1f93a3252031",
        ),
        (
            SHORT,
            "--set rules=ayo --set features=aalina --set encoding=binary:7 --set pairing_memory=2",
            "677479777787d5e7 2a99a0e2b756777d e816b3c5130adbe0",
        ),
        (
            "--preset evolution-strategy --seed 1 --population 8 --depth 2 --generations 12",
            "--set finalist_games=0 --set measure_every=5 --set measure_openings=3 --set panel=1 \
             --set measure_early=first",
            "4a42273c251947e3 f0bec6e9d17b9c95 78280a4d6b324c14 0c608f7e3188d167",
        ),
        (
            QUICK,
            "--generations 6 --set finalist_games=0",
            "65623bd3a2929fcc 19015a04ea0b037d 739847c08faea5df 6ff93e7150a1206d",
        ),
        // A game with few openings, including finals.
        (
            "--preset kalah-standard --seed 1 --population 10 --depth 2 --generations 8",
            "--set game=kalah:pits=4,seeds=3 --set openings=random:2,plies=5-9 \
             --set finalist_games=300 --set measure_every=4 --set measure_openings=5",
            "fd67cdf0a6bae959 8547d589f090c280 0e49bb6334de2c3b fc50d78622e96e48",
        ),
    ] {
        assert_hashes(preset, rest, expected);
    }
}

#[test]
#[ignore = "half a minute: whole runs, and finals of ayo, after which the champion plays thousands of games"]
fn longer_runs_are_as_they_were() {
    for (preset, rest, expected) in [
        (DAOUD, "--seed 1", "fadc265c6d6d85ba b7fa023645319fcc 5dcf27630950f683"),
        (DAOUD, "--seed 2", "760dfa6ba491f603 1cc7f159b76e0047 881e9e194fd3ce86"),
        (DAOUD, "--seed 3", "d68ca607222d2947 0a2daf7487d28a4f 2500c3c05bc808c8"),
        (
            QUICK,
            "--generations 12 --set finalist_games=200",
            "f72d8fdc2962fa80 93f1611e9053ead7 876909796acb0513 9e980ef97b9dc494",
        ),
        (
            FULL_HALL,
            "--set finalist_games=300",
            "2e8ba9f7684b9059 6f960b18f12e11e5 cf41f45d8c8082e1 71e1f47032982c8b",
        ),
    ] {
        assert_hashes(preset, rest, expected);
    }
}

/// The whole run takes minutes, so we check its first generations, and that its last files belong together.
#[test]
fn the_committed_reference_run_is_one_of_the_default_preset() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("populations/reference");
    let settings = RunFolder::settings(&folder).unwrap();
    let mut draft = Draft::preset("standard").unwrap();
    draft.set("seed", &settings.seed.to_string()).unwrap();
    assert_eq!(settings, draft.finish().unwrap());
    let history = std::fs::read_to_string(folder.join("history.csv")).unwrap();
    let mut trainer = Trainer::new(settings.clone());
    for line in history.lines().skip(1).take(2) {
        trainer.step(&()).unwrap();
        let last = trainer.last().unwrap();
        let (best, fitness) = last.best();
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields[..2], [last.generation.to_string(), fitness.to_string()]);
        assert_eq!(fields[5], best.to_hex());
    }
    let checkpoint = checkpoints(&folder).pop().unwrap();
    let checkpoint = Checkpoint::decode(&std::fs::read(checkpoint).unwrap()).unwrap();
    let trainer = Trainer::restore(settings.clone(), checkpoint).unwrap();
    let last = trainer.last().unwrap();
    let row = history.lines().last().unwrap();
    assert!(row.starts_with(&format!("{},{},", last.generation, last.best().1)));
    let weights = mancala::eval::Weights::named("reference").unwrap();
    assert_eq!(weights.provenance.unwrap().settings, settings.hash());
    assert_eq!(weights.strength.len(), 7);
}

/// `mancala` has copies of these files, because a crate can be built only from its own folder. The learned weights need
/// their layer, which is named in the run's file.
#[test]
fn the_weights_compiled_in_are_the_champions_of_the_committed_runs() {
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    let compiled_in = read("crates/mancala/src/eval/reference.json");
    assert_eq!(compiled_in, read("populations/reference/champion.json"));
    let folder = Path::new("populations/learned");
    let mut champion = mancala::eval::load(folder.to_str().unwrap()).unwrap();
    champion.name = "learned".into();
    assert_eq!(mancala::eval::Weights::named("learned").unwrap(), champion);
    let settings = RunFolder::settings(folder).unwrap();
    assert_eq!(champion.provenance.unwrap().settings, settings.hash());
    let checkpoint = std::fs::read(checkpoints(folder).pop().unwrap()).unwrap();
    let checkpoint = Checkpoint::decode(&checkpoint).unwrap();
    assert_eq!(Trainer::restore(settings, checkpoint).unwrap().generation(), 640);
}
