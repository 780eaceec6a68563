use std::sync::atomic::{AtomicU32, Ordering};

use mancala::progress::Progress;

use super::*;
use crate::optimise::Chromosome;
use crate::run::{Checkpoint, Draft, SettingError, Settings, Trainer};

const TINY: [(&str, &str); 6] = [
    ("population", "6"),
    ("fitness_set", "2"),
    ("hall_of_fame", "1"),
    ("openings", "random:1,plies=5-12"),
    ("depth", "1"),
    ("mutation_rate", "0.1"),
];

fn settings(changes: &[(&str, &str)]) -> Result<Settings, SettingError> {
    let mut draft = Draft::preset("daoud2004")?;
    TINY.iter().chain(changes).try_for_each(|(name, value)| draft.set(name, value))?;
    draft.finish()
}

fn islands(count: &str, migrate: &str) -> Settings {
    settings(&[("islands", count), ("migrate", migrate)]).unwrap()
}

fn states(mut trainer: Trainer, generations: u32) -> Vec<Saved> {
    let mut step = |_| {
        trainer.step(&()).unwrap();
        trainer.checkpoint().unwrap().into_saved()
    };
    (0..generations).map(&mut step).collect()
}

fn of_islands(saved: &Saved) -> &[Saved] {
    let Memory::Islands(memory) = &saved.memory else { panic!("a state without islands") };
    &memory.islands
}

#[test]
fn islands_that_never_migrate_are_separate_runs() {
    for changes in [&[][..], &[("openings", "start"), ("champion", "mean")]] {
        let all = [&[("islands", "3"), ("migrate", "5")], changes].concat();
        let settings = settings(&all).unwrap();
        let archipelago = states(Trainer::new(settings.clone()), 5);
        for index in 0..3 {
            let alone = states(Trainer::new(settings.island(index)), 5);
            let island = archipelago.iter().map(|it| of_islands(it)[index as usize].clone());
            assert!(island.eq(alone), "island {index}");
        }
        let seeds: Vec<u64> = (0..3).map(|it| settings.island(it).seed).collect();
        assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2]);
    }
}

#[test]
fn champions_move_to_the_next_island() {
    let all = states(Trainer::new(islands("3", "2")), 6);
    let settings = islands("3", "2");
    for (before, after) in all.iter().zip(&all[1..]) {
        let migrates = before.last.generation.is_multiple_of(2);
        for (index, island) in of_islands(after).iter().enumerate() {
            let from = of_islands(before)[(index + 2) % 3].clone();
            let from = settings.own.load(settings.task(), from).unwrap();
            let migrant = from.current_champion().unwrap().candidate.to_hex();
            let last = island.last.members.last().unwrap();
            assert_eq!(migrates, *last == migrant, "{}", after.last.generation);
            let Memory::Pairings(memory) = &island.memory else { panic!("a genetic algorithm") };
            let entry = (before.last.generation, migrant);
            let own = memory.hall.iter().rposition(|it| it.0 == entry.0).unwrap();
            assert!(!migrates || memory.hall[own - 1] == entry);
        }
    }
}

#[test]
fn a_stopped_and_resumed_run_has_the_same_states_on_any_number_of_threads() {
    let settings = islands("4", "2");
    let whole = states(Trainer::new(settings.clone()), 5);
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut trainer = Trainer::new(settings.clone());
        for state in &whole {
            assert!(pool.install(|| trainer.step(&StopAfter(AtomicU32::new(2)))).is_none());
            pool.install(|| trainer.step(&())).unwrap();
            let bytes = trainer.checkpoint().unwrap().encode();
            let checkpoint = Checkpoint::decode(&bytes).unwrap();
            assert!(checkpoint.clone().into_saved() == *state, "{threads} threads");
            trainer = Trainer::restore(settings.clone(), checkpoint).unwrap();
        }
    }
}

/// Requests a stop after a number of reports.
struct StopAfter(AtomicU32);

impl Progress for StopAfter {
    fn advance(&self, _: u64, _: u64) {
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| it.checked_sub(1));
    }

    fn should_stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

#[test]
fn the_last_generation_is_that_of_all_islands() {
    let mut trainer = Trainer::new(islands("3", "2"));
    assert!(trainer.current_champion().is_none() && trainer.checkpoint().is_none());
    for generation in 1..=4 {
        trainer.step(&()).unwrap();
        let last = trainer.last().unwrap();
        assert_eq!((last.generation, last.members.len(), last.fitness.len()), (generation, 18, 18));
        assert_eq!(last.games_asked, 3 * 6 * 2 * (2 + u64::from(generation > 1)));
        let (best, fitness) = last.best();
        let champion = trainer.current_champion().unwrap();
        assert_eq!((champion.candidate, champion.fitness), (best.clone(), Some(fitness)));
        let past: Vec<u32> =
            trainer.optimiser().past_champions().iter().map(|it| it.generation).collect();
        assert!(past.into_iter().eq(1..=generation));
        let finalists: Vec<Chromosome> =
            trainer.optimiser().finalists().into_iter().map(|it| it.1.candidate).collect();
        for island in last.members.chunks(6).zip(last.fitness.chunks(6)) {
            let best = &island.0[ranking(island.1)[0]];
            assert!(finalists.contains(best));
        }
    }
}

#[test]
fn a_state_of_other_islands_is_refused() {
    let settings = islands("3", "2");
    let good = states(Trainer::new(settings.clone()), 3).pop().unwrap();
    let earlier = states(Trainer::new(settings.clone()), 2).pop().unwrap();
    let refusal = |change: &dyn Fn(&mut Saved, &mut SavedIslands)| {
        let mut bad = good.clone();
        let Memory::Islands(mut memory) = bad.memory.clone() else { panic!("islands") };
        change(&mut bad, &mut memory);
        bad.memory = Memory::Islands(memory);
        let bytes = Checkpoint::new(settings.lines(), bad).encode();
        let checkpoint = Checkpoint::decode(&bytes).unwrap();
        Trainer::restore(settings.clone(), checkpoint).unwrap_err().to_string()
    };
    let of_islands = of_islands(&earlier);
    for (error, expected) in [
        (refusal(&|_, memory| drop(memory.islands.pop())), "its 2 islands, expected 3"),
        (refusal(&|_, memory| memory.islands[1] = of_islands[1].clone()), "its islands do not"),
        (refusal(&|saved, _| saved.last.games_asked += 1), "its islands do not belong to"),
        (refusal(&|_, memory| memory.islands.swap(0, 1)), "its islands do not belong to"),
        (refusal(&|_, memory| memory.islands[2].last.generation = 0), "its generation is 0"),
        (refusal(&|_, memory| memory.champions.swap(0, 1)), "its champions are too many, not"),
        (refusal(&|_, memory| memory.champions[2].0 = 4), "its champions are too many, not past"),
        (refusal(&|_, memory| memory.champions[0].1 = "x".into()), "member \"x\" is not a"),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
    let bytes = Checkpoint::new(settings.lines(), good.clone()).encode();
    for bit in (0..bytes.len() * 8).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Checkpoint::decode(&damaged).is_err(), "bit {bit}");
    }
}

#[test]
fn one_island_is_a_run_without_the_setting() {
    let one = islands("1", "10");
    assert_eq!((one.lines(), one.hash()), {
        let without = settings(&[]).unwrap();
        (without.lines(), without.hash())
    });
    assert!(!one.lines().contains("islands") && one.to_toml().contains("islands = 1 #"));
    assert_ne!(islands("2", "10").hash(), one.hash());
    assert_eq!(islands("2", "10").games_of_generation(3), 2 * one.games_of_generation(3));
}

#[test]
fn optimisers_and_populations_without_places_for_migrants_are_refused() {
    let refusal = |preset: &str, changes: &[(&str, &str)]| {
        let mut draft = Draft::preset(preset).unwrap();
        changes.iter().for_each(|(name, value)| draft.set(name, value).unwrap());
        draft.set("islands", "2").unwrap();
        draft.finish().unwrap_err().to_string()
    };
    for (error, expected) in [
        (refusal("spsa", &[]), "islands is 2: this optimiser takes no migrants (optimiser spsa)"),
        (refusal("learned", &[]), "islands is 2: islands that learn their features would have"),
        (refusal("daoud2004", &[("elite", "100%")]), "islands is 2: migrants would replace the"),
    ] {
        assert!(error.starts_with(expected), "{error}");
    }
    let mut draft = Draft::preset("daoud2004").unwrap();
    for (name, value) in [("islands", "0"), ("islands", "1001"), ("migrate", "0")] {
        assert!(draft.set(name, value).is_err(), "{name}={value}");
    }
    assert!(draft.set("topology", "star").unwrap_err().to_string().contains("ring"));
}
