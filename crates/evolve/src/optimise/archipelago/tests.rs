use arena::{Games, LocalGames};

use super::*;
use crate::optimise::Chromosome;
use crate::run::{Checkpoint, Draft, Settings, Trainer};
use crate::testing::{changed, pairs};

fn settings(changes: &str) -> Settings {
    let tiny = "population=6 fitness_set=2 hall_of_fame=1 openings=random:1,plies=5-12 depth=1 mutation_rate=0.1";
    changed("daoud2004", &format!("{tiny} {changes}"))
}

fn islands(count: u32, migrate: u32) -> Settings {
    settings(&format!("islands={count} migrate={migrate}"))
}

fn states(mut trainer: Trainer, generations: u32) -> Vec<Saved> {
    let mut step = |_| {
        trainer.step(&()).unwrap();
        trainer.checkpoint().unwrap().saved
    };
    (0..generations).map(&mut step).collect()
}

fn of_islands(saved: &Saved) -> &[Saved] {
    let Memory::Islands(memory) = &saved.memory else { panic!("a state without islands") };
    &memory.islands
}

#[test]
fn islands_that_never_migrate_are_separate_runs() {
    for changes in ["", "openings=start champion=mean"] {
        let settings = settings(&format!("islands=3 migrate=5 {changes}"));
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
    let settings = islands(3, 2);
    let all = states(Trainer::new(settings.clone()), 6);
    for (before, after) in all.iter().zip(&all[1..]) {
        let migrates = before.last.generation.is_multiple_of(2);
        for (index, island) in of_islands(after).iter().enumerate() {
            let from = of_islands(before)[(index + 2) % 3].clone();
            let from = settings.own.start(settings.task(), Some(from)).unwrap();
            let migrant = from.current_champion().unwrap().chromosome;
            let last = island.last.members.last().unwrap();
            assert_eq!(migrates, *last == migrant, "{}", after.last.generation);
            let Memory::Pairings(memory) = &island.memory else { panic!("a genetic algorithm") };
            let entry = Champion::past(before.last.generation, migrant);
            let own = memory.hall.iter().rposition(|it| it.generation == entry.generation).unwrap();
            assert!(!migrates || memory.hall[own - 1] == entry);
        }
    }
}

fn ranking_of(trainer: &Trainer) -> Vec<u32> {
    let saved = trainer.checkpoint().unwrap().saved;
    let Memory::Islands(memory) = saved.memory else { panic!("a state without islands") };
    memory.ranking
}

#[test]
fn the_best_island_won_most_games_against_others() {
    for islands in 2..=20 {
        let pairings = pairings(islands);
        let of = |island: u32| pairings.iter().filter(|it| it.contains(&island)).count();
        let expected = (islands - 1).min(2 * NEIGHBOURS);
        assert!((0..islands as u32).all(|island| of(island) == expected), "{islands} islands");
        let games = 2 * pairings.len() * openings(islands, pairings.len());
        assert!((48 * islands..=64 * islands).contains(&(2 * games)), "{islands} islands");
    }
    let settings = islands(5, 2);
    let mut trainer = Trainer::new(settings.clone());
    trainer.step(&()).unwrap();
    let champions = trainer.optimiser().islands().iter().map(|it| it.current_champion().unwrap());
    let champions: Vec<String> = champions.map(|it| it.chromosome.to_hex()).collect();
    let tasks = (0..5).map(|island| settings.island(island).task()).collect();
    let archipelago = Archipelago::start(tasks, settings.own.clone(), 2, None).unwrap();
    let saved = of_islands(&trainer.checkpoint().unwrap().saved).to_vec();
    let load =
        |(index, saved)| settings.own.start(settings.island(index).task(), Some(saved)).unwrap();
    let batch = archipelago.games_of_ranking(&(0..).zip(saved).map(load).collect());
    let outcomes = LocalGames::new().outcomes(&batch, &()).unwrap();
    let mut points = vec![0; champions.len()];
    for (game, outcome) in batch.schedule.iter().zip(outcomes) {
        points[game.first as usize] += i32::from(outcome.result.points());
        points[game.second as usize] += 2 - i32::from(outcome.result.points());
    }
    let ranking = ranking_of(&trainer);
    assert!(ranking.is_sorted_by_key(|&island| -points[island as usize]), "{points:?}");
    assert!(points.iter().any(|it| *it != points[0]));
    let champion = trainer.current_champion().unwrap().chromosome.to_hex();
    assert_eq!(champion, champions[ranking[0] as usize]);
}

#[test]
fn the_last_generation_is_that_of_all_islands() {
    let mut trainer = Trainer::new(islands(3, 2));
    assert!(trainer.current_champion().is_none() && trainer.checkpoint().is_none());
    for generation in 1..=4 {
        trainer.step(&()).unwrap();
        let last = trainer.last().unwrap();
        assert_eq!((last.generation, last.members.len(), last.fitness.len()), (generation, 18, 18));
        // The champions of the islands play each other in generations 1, 2 and 4.
        let ranking = 3 * 2 * if generation == 3 { 0 } else { 16 };
        assert_eq!(last.games_asked, 3 * 6 * 2 * (2 + u64::from(generation > 1)) + ranking);
        let best = ranking_of(&trainer)[0] as usize;
        let (champion, optimiser) = (trainer.current_champion().unwrap(), trainer.optimiser());
        let of_best = optimiser.islands()[best].current_champion().unwrap();
        assert!(champion.chromosome == of_best.chromosome && champion.fitness == of_best.fitness);
        let past = optimiser.past_champions();
        assert!(past.iter().map(|it| it.generation).eq(1..=generation));
        let finalists: Vec<Chromosome> =
            optimiser.finalists().into_iter().map(|it| it.1.chromosome).collect();
        for island in last.members.chunks(6).zip(last.fitness.chunks(6)) {
            let most = *island.1.iter().max().unwrap();
            let is_finalist = |(member, points): (&Chromosome, &u64)| {
                *points == most && finalists.contains(member)
            };
            assert!(island.0.iter().zip(island.1).any(is_finalist));
        }
    }
}

#[test]
fn the_best_possible_fitness_is_that_of_a_member_that_wins_all_its_games() {
    let settings = settings("islands=3 migrate=1 hall_of_fame=9");
    let mut trainer = Trainer::new(settings.clone());
    for generation in 1..=8 {
        trainer.step(&()).unwrap();
        let of_ranking = 3 * 2 * 16;
        let of_member = (trainer.last().unwrap().games_asked - of_ranking) / 18;
        assert_eq!(settings.best_possible_fitness(generation), 2 * of_member, "{generation}");
    }
}

#[test]
fn a_state_of_other_islands_is_refused() {
    let settings = islands(3, 2);
    let [_, earlier, good] = states(Trainer::new(settings.clone()), 3).try_into().unwrap();
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
    for (error, part) in [
        (refusal(&|_, memory| drop(memory.islands.pop())), "islands"),
        (refusal(&|_, memory| memory.islands[1] = of_islands[1].clone()), "islands"),
        (refusal(&|saved, _| saved.last.games_asked += 1), "islands"),
        (refusal(&|_, memory| memory.islands.swap(0, 1)), "islands"),
        (refusal(&|_, memory| memory.islands[2].last.generation = 0), "generation"),
        (refusal(&|_, memory| memory.ranking[0] = 3), "ranking"),
        (refusal(&|_, memory| memory.ranking[0] = memory.ranking[1]), "ranking"),
        (refusal(&|_, memory| memory.champions.swap(0, 1)), "champions"),
        (refusal(&|_, memory| memory.champions[2].generation = 4), "champions"),
        (refusal(&|_, memory| memory.champions[0].chromosome = Chromosome::new(vec![])), "member"),
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn one_island_is_a_run_without_the_setting() {
    let [one, two, without] = [islands(1, 10), islands(2, 10), settings("")];
    assert_eq!((one.lines(), one.hash()), (without.lines(), without.hash()));
    assert!(!one.lines().contains("islands") && one.to_toml().contains("islands = 1 #"));
    assert_ne!(two.hash(), one.hash());
    assert_eq!(two.games_of_generation(3), 2 * one.games_of_generation(3));
}

#[test]
fn optimisers_and_populations_without_places_for_migrants_are_refused() {
    for (preset, elite) in [("spsa", None), ("learned", None), ("daoud2004", Some("100%"))] {
        let mut draft = Draft::preset(preset).unwrap();
        draft.set("islands", "2").unwrap();
        elite.into_iter().for_each(|share| draft.set("elite", share).unwrap());
        let error = draft.finish().unwrap_err().to_string();
        assert!(error.starts_with("islands is 2: "), "{error}");
    }
    let mut draft = Draft::preset("daoud2004").unwrap();
    for (name, value) in pairs("islands=0 islands=1001 migrate=0 topology=star") {
        assert!(draft.set(name, value).is_err(), "{name}={value}");
    }
}
