use super::super::Evaluation;
use super::super::breeding::first_population;
use super::super::race::Race;
use super::super::testing;
use super::*;
use crate::optimise::saved::Pairings;
use arena::{Games, LocalGames};
use mancala::game::ayo::{Ayo, Position};

fn settings(changes: &[(&str, &str)]) -> Setup {
    testing::setup(&[changes, &[("depth", "2")]].concat())
}

/// Evaluates a generation.
fn evaluate(tournament: &mut Tournament, generation: u32, members: &[Chromosome]) -> Evaluation {
    let mut race = Race::new(tournament, generation, members);
    while let Some(batch) = race.ask(tournament) {
        race.tell(&LocalGames::new().outcomes(&batch, &()).unwrap());
    }
    race.finish(tournament)
}

#[test]
fn a_fitness_set_has_distinct_members() {
    let tournament = Tournament::new(settings(&[("fitness_set", "50")]));
    let set = |generation| tournament.draw(Purpose::FitnessSet, generation, 50, 50);
    let mut all = set(3);
    assert_ne!(all, set(4));
    all.sort();
    assert_eq!(all, (0..50).collect::<Vec<_>>());
}

#[test]
fn remembering_changes_no_fitness() {
    let setup = settings(&[("population", "12"), ("fitness_set", "4")]);
    let mut members = first_population(&setup);
    members[5] = members[2].clone();
    let mut remembering = Tournament::new(setup.clone());
    for generation in 1..4 {
        let with = evaluate(&mut remembering, generation, &members);
        let mut fresh = Tournament::new(setup.clone());
        let without = evaluate(&mut fresh, generation, &members);
        assert_eq!(with.fitness, without.fitness);
        assert_eq!(with.games_asked, 12 * 4 * 2);
        assert!(generation == 1 || with.games_played < without.games_played);
    }
}

#[test]
fn points_add_up() {
    let setup = settings(&[("population", "10"), ("fitness_set", "10")]);
    let members = first_population(&setup);
    let evaluation = evaluate(&mut Tournament::new(setup), 1, &members);
    // With all members in the set, each game gives two points to each of its two askers' sums.
    assert_eq!(evaluation.fitness.iter().sum::<u64>(), 2 * 10 * 10);
}

#[test]
fn memory_reads_back_and_is_bounded() {
    let setup = settings(&[("population", "8"), ("fitness_set", "3"), ("pairing_memory", "1")]);
    let members = first_population(&setup);
    let mut tournament = Tournament::new(setup.clone());
    evaluate(&mut tournament, 1, &members);
    let second = evaluate(&mut tournament, 2, &members);
    assert!(tournament.results.len() as u64 <= second.games_asked);
    let memory = tournament.remembered();
    let restored = Tournament::restore(setup.clone(), memory.clone(), 2).unwrap();
    assert_eq!(restored.results, tournament.results);
    let refused = |memory| Tournament::restore(setup.clone(), memory, 2).is_err();
    assert!(refused(Pairings { results: vec![(99, 0, 1, 1)], ..memory.clone() }));
    assert!(refused(Pairings { results: vec![(0, 0, 3, 1)], ..memory.clone() }));
    assert!(refused(Pairings { results: vec![(0, 0, 2, 3)], ..memory.clone() }));
    assert!(refused(Pairings { chromosomes: vec!["x".into()], ..memory }));
}

fn varied(changes: &[(&str, &str)]) -> Setup {
    let varied = [("population", "8"), ("fitness_set", "2"), ("openings", "random:4,plies=5-9")];
    settings(&[&varied, changes].concat())
}

#[test]
fn openings_are_common_to_a_generation_and_new_in_the_next() {
    let tournament = Tournament::new(varied(&[]));
    let measured: std::collections::HashSet<Position> = {
        let suite: arena::Suite = "plies:4".parse().unwrap();
        suite.openings(Ayo::default()).unwrap().positions().iter().copied().collect()
    };
    let mut all = std::collections::HashSet::new();
    for generation in 1..200 {
        let drawn = || {
            let Setup { task, own } = &tournament.setup;
            own.openings.draw(Ayo::default(), task.seed, generation)
        };
        let openings = drawn();
        assert_eq!(openings, drawn());
        assert_eq!(openings.len(), 4);
        assert!(openings.iter().all(|opening| !measured.contains(opening)));
        all.extend(openings);
    }
    assert!(all.len() > 700, "{}", all.len());
}

#[test]
fn champions_of_the_past_are_met_once_there_are_some() {
    let setup = varied(&[("hall_of_fame", "3"), ("fitness_set", "1")]);
    let members = first_population(&setup);
    let mut tournament = Tournament::new(setup);
    for (generation, opponents) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4)] {
        let evaluation = evaluate(&mut tournament, generation, &members);
        assert_eq!(evaluation.games_asked, 8 * opponents * 4 * 2);
        tournament.enter_hall(generation, &members[generation as usize]);
    }
    for generation in 6..400 {
        tournament.enter_hall(generation, &members[0]);
    }
    assert_eq!(tournament.hall().len(), MOST_CHAMPIONS);
    assert_eq!(tournament.hall()[MOST_CHAMPIONS - 1].generation, 399);
    let restored =
        Tournament::restore(tournament.setup.clone(), tournament.remembered(), 399).unwrap();
    assert_eq!(restored.hall, tournament.hall);
    assert!(Tournament::restore(restored.setup, tournament.remembered(), 398).is_err());
}

#[test]
fn sparring_partners_are_new_in_every_generation() {
    let setup = varied(&[("sparring", "3"), ("fitness_set", "0"), ("encoding", "integer:9")]);
    let members = first_population(&setup);
    let mut tournament = Tournament::new(setup);
    let first = tournament.sparring_partners(1, &members);
    assert_eq!(first, tournament.sparring_partners(1, &members));
    assert!(first.iter().all(|partner| !members.contains(partner)));
    assert_ne!(first, tournament.sparring_partners(2, &members));
    tournament.enter_hall(1, &members[0]);
    assert_ne!(first, tournament.sparring_partners(1, &members));
    let evaluation = evaluate(&mut tournament, 2, &members);
    assert_eq!(evaluation.games_asked, 8 * 3 * 4 * 2);
}

#[test]
fn a_race_spares_games_and_keeps_its_winner() {
    let whole = varied(&[]);
    let members = first_population(&whole);
    let all = evaluate(&mut Tournament::new(whole), 1, &members);
    let raced = evaluate(&mut Tournament::new(varied(&[("rounds", "2")])), 1, &members);
    assert_eq!((all.games_asked, raced.games_asked), (8 * 2 * 4 * 2, (8 + 4) * 2 * 2 * 2));
    let complete = all.fitness.iter().zip(&raced.fitness).filter(|(a, b)| a == b).count();
    assert!(complete >= 4);
    assert!(all.fitness.iter().zip(&raced.fitness).all(|(a, b)| b <= a));
}
