//! Settings at their extremes and drawn at random: inconsistent settings are rejected with a one-line error before
//! anything is written, and all others train.

use std::sync::Arc;

use ayo::arena::{Batch, GameResult, Games, LocalGames, Outcome, ScheduledGame};
use ayo::run::{Draft, Settings, Trainer, presets};
use mancala::endgame::{BuildPlan, Tables, build};
use mancala::game::ayo::Rules;
use mancala::progress::Progress;
use mancala::random::ChaCha8Rng;
use mancala::text::Message;
use rand::RngExt;

use crate::support::dice;

/// Values to try for each setting: its limits, values just outside them, keywords and invalid values.
const VALUES: &[(&str, &str)] = &[
    ("nodes", "0 1 5000 1000000000 1000000001"),
    ("seed", "0 9223372036854775807 9223372036854775808"),
    ("generations", "0 1 2 10000000 10000001"),
    ("islands", "0 1 2 1000 1001"),
    ("migrate", "0 1 2 100000 100001"),
    ("topology", "ring none"),
    ("population", "1 2 3 4 5 10 1000 1001 10000 10001"),
    ("founders", "0 fff 000000000000 zero zero,zero zeros"),
    ("fitness", "tournament tables mix:1% mix:99% mix:100%"),
    ("tables_positions", "0 1 100000 100001"),
    ("tables_depth", "0 1 30 31"),
    ("fitness_set", "0 1 2 50 10000 0% 1% 50% 100% 101%"),
    ("hall_of_fame", "0 1 2 1000 1001"),
    ("sparring", "0 1 2 1000 1001"),
    ("sparring_step", "0 0.001 10 10.1 NaN"),
    (
        "openings",
        "0 1 2 1000 1001 start random:1,plies=5-5 random:1000,plies=5-40 random:2,plies=40-40 random:2,plies=4-5",
    ),
    ("rounds", "0 1 2 10 11"),
    ("elite", "0 1 2 50 10000 0% 1% 99% 100%"),
    (
        "selection",
        "proportional rank tournament:1 tournament:4 tournament:5 truncation:0% truncation:1% truncation:1 \
                   truncation:100%",
    ),
    ("crossover", "one-point uniform pool"),
    ("crossover_rate", "0 1 1.1 -0.1 inf"),
    ("inertia", "0 1 1.1"),
    ("mutation", "flip gaussian mirrored none"),
    ("mutation_rate", "0 1 1.1"),
    ("step", "0 1e-300 0.5 10 11"),
    ("step_floor", "0 1e-300 0.5 10 11"),
    ("step_half", "0 1 1000000 1000001"),
    ("cooling", "halving harmonic none"),
    ("restart_below", "0 0.5 1 1.1"),
    ("encoding", "binary:1 binary:15 binary:16 integer:1 integer:15 gray:4"),
    ("scale", "free 0 1 2000 1000000 1000001"),
    ("length", "0 1 400 1000000 1000001"),
    ("fix", "a9=0 a9=1 a9=-600 a9=1000000 h1=0 h1=4095 k9=0"),
    ("features", "a9 a9,a10 bias,m1=0 pits u1 daoud2004 aalina kansas kalah h1,h2 a9,h1 none"),
    ("signs", "signed literal none"),
    ("game", "ayo kalah kalah:pits=1 kalah:pits=2,seeds=1 kalah:pits=8 kalah:ending=emptier chess"),
    ("rules", "ayo awari wipe-out no-slam:stalemate=causer-loses none"),
    ("depth", "0 1 30 31"),
    ("perspective", "mover root none"),
    ("quiescence", "off captures none"),
    ("ties", "lowest hash none"),
    ("measure_at", "depth budgets none"),
    ("measure_early", "first halves none"),
    ("panel", "0 1 2 3"),
    ("opponents", " greedy greedy;minimax:weights=seeds,depth=1 nobody"),
    ("champion", "fittest mean none"),
    ("pairing_memory", "0 1 1000000 1000001"),
    ("layer", " 1a2b3c4d x"),
    ("fit_every", "0 1 2 100000 100001"),
    ("positions", "99 100 20000000 20000001"),
    ("first_positions", "0 1 100 20000000 20000001"),
    ("buffer", "0 1 300 200000000 200000001"),
    ("epochs", "0 1 2 1000 1001"),
    ("gate_openings", "0 1 1000 1001"),
    ("label_depth", "0 1 30 31"),
    ("label_tables", "0 1 16 17"),
    ("phases", "0 1 2 8 9"),
    ("warm_up", "0 1 1000000 1000001"),
    ("measure_every", "0 1 1000000 1000001"),
    ("measure_openings", "0 1 1014 1015"),
    ("finalist_games", "0 1 100000000 100000001"),
];

const MOST_GAMES: u64 = 4_000;

fn values(setting: &str) -> Vec<&'static str> {
    let found = VALUES.iter().find(|(name, _)| *name == setting);
    let (_, values) = found.unwrap_or_else(|| panic!("VALUES has no values of {setting}"));
    values.split_whitespace().collect()
}

/// Games without any moves and with pseudo-random results. The same game always has the same result.
#[derive(Debug)]
struct Tossed;

impl Games for Tossed {
    fn play(&self, batch: &Batch, _: &dyn Progress) -> Result<Vec<Outcome>, Message> {
        let toss = |&ScheduledGame { first, second, opening }: &ScheduledGame| {
            let result = [GameResult::Loss, GameResult::Draw, GameResult::Win]
                [((7 * first + 13 * second + 5 * opening) % 3) as usize];
            Outcome { result, line: String::new(), nodes: 0 }
        };
        Ok(batch.schedule.iter().map(toss).collect())
    }
}

/// Returns a preset's settings with changes. If we reject them, checks the error message and returns `None`.
fn settings(preset: &str, changes: &[(&str, &str)]) -> Option<Settings> {
    let mut draft = Draft::preset(preset).unwrap();
    let set = changes.iter().try_for_each(|(key, value)| draft.set(key, value));
    match set.and_then(|()| draft.finish()) {
        Ok(settings) => Some(settings),
        Err(refusal) => {
            let said = refusal.to_string();
            assert!(!said.contains('\n') && said.len() > 20, "{preset} {changes:?}: {said}");
            None
        }
    }
}

/// Trains two generations with these `Games` (just one if the run learns) and restores the checkpoint. Returns `false`
/// without trying if the settings would be too much work.
fn trains(settings: &Settings, tables: &Arc<Tables>, played: Arc<dyn Games>) -> bool {
    let positions = settings.own.table_fitness().map_or(0, |it| u64::from(it.positions));
    let entries = settings.entries();
    let is = |setting: &str, value: &str| {
        entries.iter().any(|it| it.name == setting && it.value == value)
    };
    let is_shallow = is("positions", "100") && is("label_depth", "1") && is("depth", "1");
    let has_large_tables = is("label_tables", "16") || is("label_tables", "12");
    let learns = entries.iter().any(|it| it.name == "fit_every");
    let learns_much = learns && (!is_shallow || has_large_tables);
    let is_large = settings.games_of_generation(2) > MOST_GAMES || settings.candidates() > 60;
    if learns_much || is_large || positions > 20 || settings.check_layer().is_err() {
        return false;
    }
    let mut trainer = Trainer::new(settings.clone()).playing_at(played);
    if settings.own.table_fitness().is_some() {
        trainer = trainer.taught_by(Some(Arc::clone(tables)));
    }
    for generation in 1..=if learns { 1 } else { 2 } {
        trainer.step(&()).expect("nothing stops it");
        assert_eq!(trainer.generation(), generation);
    }
    assert!(trainer.champion().is_some());
    let checkpoint = trainer.checkpoint().expect("a generation was evaluated");
    let restored = Trainer::restore(settings.clone(), checkpoint.clone()).unwrap();
    assert_eq!(restored.checkpoint(), Some(checkpoint));
    true
}

fn tables() -> (tempfile::TempDir, Arc<Tables>) {
    let folder = tempfile::tempdir().unwrap();
    let plan = BuildPlan::new(Rules::default(), 3, folder.path()).unwrap();
    let tables = build(&plan, &(), |_| ()).unwrap().unwrap();
    (folder, Arc::new(tables))
}

fn names(preset: &str) -> Vec<&'static str> {
    let settings = Draft::preset(preset).unwrap().finish().unwrap();
    let names = settings.entries().into_iter().map(|entry| entry.name);
    names.filter(|name| !["preset", "parent"].contains(name)).collect()
}

/// Returns the presets of optimisers that search for a direction. They all have the same settings.
pub fn searches() -> impl Iterator<Item = &'static str> {
    presets().filter(|preset| names(preset) == names("spsa"))
}

/// Presets with the same setting share its values, at least a ninth for each. With `AYO_CASES`, each gets all.
#[test]
#[ignore = "slow: all presets"]
fn every_preset_with_each_setting_at_its_ends() {
    let (_folder, tables) = tables();
    let (mut trained, mut refused) = (0, 0);
    let max_step = if std::env::var_os("AYO_CASES").is_some() { 1 } else { 9 };
    let all: Vec<Vec<&str>> = presets().map(names).collect();
    for (turn, preset) in presets().enumerate() {
        for &name in &all[turn] {
            let users = |presets: &[Vec<_>]| presets.iter().filter(|it| it.contains(&name)).count();
            let (step, first) = (users(&all).min(max_step), users(&all[..turn]));
            for value in values(name).into_iter().skip(first % step).step_by(step) {
                match settings(preset, &[&small(preset)[..], &[(name, value)]].concat()) {
                    Some(settings) => {
                        trained += u32::from(trains(&settings, &tables, Arc::new(Tossed)));
                    }
                    None => refused += 1,
                }
            }
        }
    }
    assert!(trained > 50 && refused > 30, "{trained} trained, {refused} refused");
}

#[test]
fn a_generation_of_more_games_than_memory_holds_is_refused() {
    let all =
        [("population", "10000"), ("fitness_set", "100%"), ("openings", "random:1000,plies=5-40")];
    assert!(settings("standard", &all).is_none());
    assert!(settings("random-search", &[("population", "1000"), ("openings", "1000")]).is_some());
}

/// Set `AYO_CASES` to draw more cases. One in eight plays real games, if there are few of them.
#[test]
fn settings_drawn_at_random_are_refused_or_train() {
    let cases = std::env::var("AYO_CASES").map_or(300, |cases| cases.parse().unwrap());
    let (_folder, tables) = tables();
    let presets: Vec<&str> = presets().collect();
    let (mut trained, mut refused, mut real) = (0, 0, 0);
    for case in 0..cases {
        let mut dice = dice(32, case);
        let preset = presets[dice.random_range(0..presets.len() as u32) as usize];
        let changes = drawn(preset, &mut dice);
        match settings(preset, &changes) {
            Some(settings) => {
                let is_short = settings.games_of_generation(2) <= 100
                    && settings.limits().depth == Some(1)
                    && changes.iter().all(|(name, value)| *name != "warm_up" || *value == "0");
                let played: Arc<dyn Games> = if case % 8 == 0 && is_short {
                    real += 1;
                    Arc::new(LocalGames::new())
                } else {
                    Arc::new(Tossed)
                };
                trained += u32::from(trains(&settings, &tables, played));
            }
            None => refused += 1,
        }
    }
    assert!(real > 0);
    eprintln!("{trained} trained, {refused} refused of {cases}");
    assert!(trained > 0 && refused > 0);
}

fn small(preset: &str) -> Vec<(&'static str, &'static str)> {
    let names = names(preset);
    let learning = [
        ("positions", "100"),
        ("first_positions", "0"),
        ("epochs", "1"),
        ("label_depth", "1"),
        ("label_tables", "4"),
        ("fit_every", "1"),
    ];
    let mut changes = vec![("depth", "1"), ("tables_positions", "3")];
    changes.extend(learning);
    changes.retain(|(name, _)| names.contains(name));
    if names.contains(&"fit_every") {
        changes.push(("features", "u1..u8"));
    }
    changes
}

/// Draws values for a few settings. Populations are small, because otherwise we couldn't try most cases.
fn drawn(preset: &str, dice: &mut ChaCha8Rng) -> Vec<(&'static str, &'static str)> {
    let (names, mut changes) = (names(preset), small(preset));
    if names.contains(&"fitness_set") {
        changes.extend([("population", "4"), ("fitness_set", "50%")]);
    }
    for _ in 0..dice.random_range(1..5u32) {
        let name = names[dice.random_range(0..names.len() as u32) as usize];
        let values = values(name);
        changes.push((name, values[dice.random_range(0..values.len() as u32) as usize]));
    }
    changes
}
