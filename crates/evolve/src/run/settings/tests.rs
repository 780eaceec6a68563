use super::*;
use crate::optimise::METHODS;
use crate::testing::{changed, pairs};

#[test]
fn the_hash_covers_what_the_bytes_depend_on() {
    let hash = |changes| changed("daoud2004", changes).hash();
    let [usual, generations, seed, rules] =
        ["", "generations=7", "seed=7", "rules=awari"].map(hash);
    assert!(generations == usual && seed != usual && rules != usual);
}

#[test]
fn wrong_settings_are_refused_by_key_and_value() {
    let wrong = "population=1 population=-5 population=10000 fitness_set=51 fitness_set=120% elite=51 \
        mutation_rate=NaN crossover_rate=1.1 encoding=hex:4 selection=truncation:0 openings=random:4 fix=a13=4 \
        fix=a9=-15 fix=a9:1 step_floor=0.2 founders=cf features=a1,b features=a1,u3 rules=chess";
    for (key, value) in pairs(wrong) {
        let mut draft = Draft::preset("daoud2004").unwrap();
        let error = draft.set(key, value).and_then(|()| draft.finish().map(drop)).unwrap_err();
        assert!(error.to_string().starts_with(&format!("{key} is {value}: ")), "{error}");
    }
    let mut draft = Draft::preset("daoud2004").unwrap();
    assert!(matches!(draft.set("populaton", "5"), Err(SettingError::Unknown { .. })));
    assert!(matches!(draft.set("preset", "deap"), Err(SettingError::Preset(_))));
    // A fraction of a small population may round to zero members.
    draft.set("population", "4").unwrap();
    assert!(draft.finish().unwrap_err().to_string().starts_with("fitness_set is 20%: "));
}

#[test]
fn the_documentation_lists_every_setting_with_its_values() {
    let page = include_str!("../../../../../docs/training.md");
    let keys =
        |name: &&str| changed(name, "").entries().iter().map(|it| it.name).collect::<Vec<_>>();
    // The second table has a column for each optimiser that has the same settings as `spsa`.
    let others = METHODS.iter().map(|it| it.presets[0].name).filter(|it| keys(it) == keys(&"spsa"));
    for columns in [&["standard", "daoud2004"][..], &others.collect::<Vec<_>>()] {
        let of = |name: &&str| changed(name, "").entries();
        let all: Vec<Vec<Entry>> = columns.iter().map(of).collect();
        // The second table only lists settings that differ from `standard`.
        let usual = |entry: &Entry| {
            let same = |it: &Entry| (it.name, &it.value) == (entry.name, &entry.value);
            columns[0] != "standard" && changed("standard", "").entries().iter().any(same)
        };
        for (index, entry) in all[0].iter().enumerate() {
            if all.iter().all(|entries| usual(&entries[index])) {
                continue;
            }
            let values = all.iter().map(|entries| format!("`{}` | ", entries[index].value));
            let values = values.collect::<String>();
            let row = format!("| `{}` | {values}{} |\n", entry.name, entry.meaning);
            assert!(
                page.contains(&row),
                "docs/training.md, table of {columns:?}: missing row {row}"
            );
        }
    }
}

#[test]
fn the_documentation_lists_every_preset() {
    let (table, _) =
        include_str!("../../../../../docs/training.md").split_once("--dry-run").unwrap();
    for name in presets() {
        assert!(table.contains(&format!("`{name}`")), "docs/training.md, first table: no {name}");
    }
}

/// Checks all optimiser settings that aren't in the two tables of settings checked above.
#[test]
fn the_documentation_lists_the_settings_of_all_other_optimisers() {
    let pages = concat!(
        include_str!("../../../../../docs/training.md"),
        include_str!("../../../../../docs/learned.md")
    );
    let of = |name| changed(name, "").entries();
    let known = [of("standard"), of("spsa")].concat();
    let is_known = |entry: &Entry| {
        entry.name == "layer"
            || known.iter().any(|it| (it.name, it.meaning) == (entry.name, entry.meaning))
    };
    for method in METHODS {
        for entry in of(method.presets[0].name).into_iter().filter(|it| !is_known(it)) {
            let start = format!("| `{}` | `{}` | ", entry.name, entry.value);
            let end = format!("| {} |", entry.meaning);
            let is_row = |line: &str| line.starts_with(&start) && line.ends_with(&end);
            assert!(
                pages.lines().any(is_row),
                "docs/training.md has no row of {}: {start}…{end}",
                method.name
            );
        }
    }
}

#[test]
fn presets_and_changes_read_back_from_toml() {
    let changes = "fitness=mix:30% fitness_set=7 elite=0% encoding=binary:6 features=a9,a10,a13 \
        rules=no-slam:stalemate=causer-loses openings=random:3,plies=6-9 scale=300 fix=a9=15 restart_below=0.05 \
        rounds=2 founders=0f0,fff";
    for (preset, changes) in presets().map(|name| (name, "")).chain([("daoud2004", changes)]) {
        let settings = changed(preset, changes);
        let table: toml::Table = settings.to_toml().parse().unwrap();
        assert_eq!(table.len(), settings.entries().len());
        assert_eq!(Draft::from_whole_table(&table).unwrap().finish().unwrap(), settings);
        assert_eq!(Draft::from_table(&table).unwrap().finish().unwrap(), settings);
    }
}

#[test]
fn hashes_of_searches_are_those_that_comparisons_have_always_had() {
    // In those comparisons, these settings had fixed values.
    const FIRST: &str =
        "perspective=root quiescence=off ties=lowest measure_at=depth panel=1 measure_early=first";
    let hash = |name: &str, changes: &str| changed(name, &format!("{FIRST} {changes}")).hash();
    let spsa = hash("spsa", "");
    let words =
        "spsa seed=1 features=daoud2004 length=400 rules=ayo depth=5 openings=4 population=8";
    assert_eq!(spsa, digits(words));
    let words =
        "cma-es seed=7 features=kansas length=400 game=kalah depth=4 openings=4 population=24";
    assert_eq!(hash("cma-es", "population=24 game=kalah seed=7"), digits(words));
    assert_ne!(hash("spsa", "measure_every=3"), spsa);
    assert_eq!(hash("spsa", "generations=3"), spsa);
}

#[test]
fn a_generation_without_games_is_refused() {
    let mut draft = Draft::preset("evolution-strategy").unwrap();
    draft.set("sparring", "0").unwrap();
    let said = draft.clone().finish().unwrap_err().to_string();
    assert!(said.starts_with("fitness_set is 0: it must select 1 to 25"), "{said}");
    // This is valid in a branch, because its members can play past champions of the parent.
    draft.set("parent", "0123 after generation 7").unwrap();
    draft.finish().unwrap();
}

#[test]
fn the_game_decides_what_a_search_weighs_unless_that_is_given() {
    let settings = changed("spsa", "depth=2 game=kalah");
    assert_eq!((settings.features.to_string().as_str(), settings.depth), ("kansas", 2));
}
