use std::collections::HashSet;

use super::*;
use crate::optimise::genetic::reproduction::initial_population;
use crate::optimise::settings::OptimiserSettings;
use crate::optimise::testing::{LocalExecutor, setup};
use mancala::game::ayo::Ayo;

fn evaluate(genetic: &mut Genetic, generation: u32, members: &[Chromosome]) -> Evaluated {
    genetic.play(generation, members.to_vec(), &mut LocalExecutor).unwrap()
}

#[test]
fn remembering_changes_no_fitness_and_points_add_up() {
    let setup = setup("population=12 fitness_set=12");
    let mut members = initial_population(&setup);
    members[5] = members[2].clone();
    let mut remembering = Genetic::new(setup.clone());
    for generation in 1..4 {
        let with = evaluate(&mut remembering, generation, &members);
        let mut fresh = Genetic::new(setup.clone());
        let without = evaluate(&mut fresh, generation, &members);
        assert_eq!(with.fitness, without.fitness);
        assert_eq!(with.games_asked, 12 * 12 * 2);
        // Every member plays against all members, so each game counts towards the fitness of both players.
        assert_eq!(with.fitness.iter().sum::<u64>(), 2 * 12 * 12);
        assert!(generation == 1 || with.games_played < without.games_played);
    }
}

#[test]
fn memory_reads_back_and_is_bounded() {
    let setup = setup("population=8 fitness_set=3 pairing_memory=1");
    let members = initial_population(&setup);
    let mut genetic = Genetic::new(setup.clone());
    evaluate(&mut genetic, 1, &members);
    let second = evaluate(&mut genetic, 2, &members);
    assert!(genetic.results.len() as u64 <= second.games_asked);
    let memory = genetic.pairings();
    let mut restored = Genetic::new(setup.clone());
    restored.load(memory.clone(), 2).unwrap();
    assert_eq!(restored.results, genetic.results);
    let refused = |memory| Genetic::new(setup.clone()).load(memory, 2).is_err();
    assert!(refused(Pairings { results: vec![(99, 0, 1, 1)], ..memory.clone() }));
    assert!(refused(Pairings { results: vec![(0, 0, 3, 1)], ..memory.clone() }));
    assert!(refused(Pairings { results: vec![(0, 0, 2, 3)], ..memory.clone() }));
    assert!(refused(Pairings { chromosomes: vec![Chromosome::new(vec![true])], ..memory }));
}

fn varied(changes: &str) -> Setup {
    setup(&format!("population=8 fitness_set=2 openings=random:4,plies=5-9 {changes}"))
}

#[test]
fn openings_are_common_to_a_generation_and_new_in_the_next() {
    let Setup { task, own } = varied("");
    let suite: arena::Suite = "plies:4".parse().unwrap();
    let measured = suite.openings(Ayo::default()).unwrap();
    let measured: HashSet<String> = measured.iter().map(ToString::to_string).collect();
    let mut all = HashSet::new();
    for generation in 1..200 {
        let drawn = || own.openings.draw(task.game, task.seed, generation);
        let openings = drawn();
        assert_eq!(openings, drawn());
        assert_eq!(openings.len(), 4);
        assert!(openings.iter().all(|opening| !measured.contains(opening)));
        all.extend(openings);
    }
    assert!(all.len() > 700, "{}", all.len());
}

#[test]
fn past_champions_are_opponents_once_there_are_some() {
    let setup = varied("hall_of_fame=3 fitness_set=1");
    let members = initial_population(&setup);
    let mut genetic = Genetic::new(setup);
    for (generation, opponents) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 4)] {
        let evaluation = evaluate(&mut genetic, generation, &members);
        assert_eq!(evaluation.games_asked, 8 * opponents * 4 * 2);
        // The best possible fitness is two points for each of these games.
        let possible = genetic.setup.own.best_possible_fitness(evaluation.generation, 0);
        assert_eq!(8 * possible, 2 * evaluation.games_asked);
        genetic.enter_hall(generation, &members[generation as usize]);
    }
    for generation in 6..400 {
        genetic.enter_hall(generation, &members[0]);
    }
    assert_eq!(genetic.hall.len(), MAX_CHAMPIONS);
    assert_eq!(genetic.hall[MAX_CHAMPIONS - 1].generation, 399);
    let mut restored = Genetic::new(genetic.setup.clone());
    restored.load(genetic.pairings(), 399).unwrap();
    assert_eq!(restored.hall, genetic.hall);
    assert!(restored.load(genetic.pairings(), 398).is_err());
}

#[test]
fn mutants_of_champions_are_new_in_every_generation() {
    let setup = varied("sparring=3 fitness_set=0 encoding=integer:9");
    let members = initial_population(&setup);
    let mut genetic = Genetic::new(setup);
    let first = genetic.perturbed_champions(1, &members);
    assert_eq!(first, genetic.perturbed_champions(1, &members));
    assert!(first.iter().all(|mutant| !members.contains(mutant)));
    assert_ne!(first, genetic.perturbed_champions(2, &members));
    genetic.enter_hall(1, &members[0]);
    assert_ne!(first, genetic.perturbed_champions(1, &members));
    let evaluation = evaluate(&mut genetic, 2, &members);
    assert_eq!(evaluation.games_asked, 8 * 3 * 4 * 2);
}

#[test]
fn successive_halving_saves_games() {
    let whole = varied("");
    let members = initial_population(&whole);
    let all = evaluate(&mut Genetic::new(whole), 1, &members);
    let halved = evaluate(&mut Genetic::new(varied("rounds=2")), 1, &members);
    assert_eq!((all.games_asked, halved.games_asked), (8 * 2 * 4 * 2, (8 + 4) * 2 * 2 * 2));
    let complete = all.fitness.iter().zip(&halved.fitness).filter(|(a, b)| a == b).count();
    assert!(complete >= 4);
    assert!(all.fitness.iter().zip(&halved.fitness).all(|(a, b)| b <= a));
}
