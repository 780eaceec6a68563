//! Perfect play as a teacher: members are fit as far as they find what endgame tables know.
//!
//! The idea is that of van Rijswijck's mining of endgame databases (2000) in its simplest form: what an
//! evaluator is to learn stands in the tables, so games to find out about it are not needed.

use std::sync::Arc;

use rand::Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::arena::{Sample, Sampling};
use crate::optimise::fitness::{Control, Evaluation};
use crate::optimise::genome::Chromosome;
use crate::player::Minimax;
use crate::run::settings::{ALL_KEPT, Merit, Settings};
use mancala::endgame::Tables;
use mancala::game::ayo::Ayo;
use mancala::progress::Muted;
use mancala::random::{Purpose, stream};

/// Asks all members of a generation about the same positions, new ones in each generation. They remember
/// nothing, so no checkpoint knows of them.
#[derive(Debug, Clone)]
pub(crate) struct Lessons {
    tables: Arc<Tables>,
}

/// What members' choices come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Of what is at stake, the millionths that each member does not give away.
    pub(crate) kept: Vec<u64>,
    /// Positions searched, those of the games included that the positions are from.
    pub(crate) nodes: u64,
}

impl Lessons {
    pub(crate) fn new(tables: Arc<Tables>) -> Lessons {
        Lessons { tables }
    }

    /// How members do in the positions of a generation. `None` if `control` stopped it.
    pub(crate) fn mark(
        &self,
        settings: &Settings,
        generation: u32,
        members: &[Chromosome],
        control: &dyn Control,
    ) -> Option<Marks> {
        let seed = stream(settings.seed, Purpose::Lessons, generation.into(), 0).next_u64();
        let seeds = 1..=self.tables.most_seeds();
        let sampling = Sampling { seeds, positions: settings.tables_positions as usize, seed };
        let sample = Sample::draw(&self.tables, &sampling, &Muted(control))?;
        let mut places = FxHashMap::default();
        let mut different: Vec<&Chromosome> = Vec::new();
        for member in members {
            places.entry(member).or_insert_with(|| {
                different.push(member);
                different.len() - 1
            });
        }
        let ask = |member: &&Chromosome| {
            let player = Minimax::<Ayo>::to_depth(&settings.weights(member), settings.tables_depth);
            let answers = sample.ask_minimax(&player, control)?;
            let lost = answers.lost.iter().map(|&lost| u64::from(lost)).sum();
            Some((kept(lost, sample.at_stake()), answers.nodes))
        };
        let asked: Option<Vec<(u64, u64)>> = different.par_iter().map(ask).collect();
        let asked = asked?;
        let nodes = sample.nodes() + asked.iter().map(|(_, nodes)| nodes).sum::<u64>();
        Some(Marks { kept: members.iter().map(|member| asked[places[member]].0).collect(), nodes })
    }
}

/// What is kept of so much at stake; all, if nothing is.
fn kept(lost: u64, at_stake: u64) -> u64 {
    ALL_KEPT - (lost * ALL_KEPT).checked_div(at_stake).unwrap_or(0)
}

/// The fitness of members by marks and games together, or by marks alone where no games were played.
pub(crate) fn with_marks(merit: Merit, marks: Marks, games: Option<Evaluation>) -> Evaluation {
    let Some(games) = games else {
        let Marks { kept: fitness, nodes } = marks;
        return Evaluation { fitness, games_asked: 0, games_played: 0, nodes };
    };
    let share = match merit {
        Merit::Tournament => 0,
        Merit::Tables => 100,
        Merit::Mix(percent) => u64::from(percent),
    };
    // Points of games and seeds kept differ in unit and spread, places among the others do not.
    let (by_games, by_tables) = (places(&games.fitness), places(&marks.kept));
    let both = by_games.iter().zip(&by_tables);
    let fitness = both.map(|(games, tables)| (100 - share) * games + share * tables).collect();
    Evaluation { fitness, nodes: games.nodes + marks.nodes, ..games }
}

/// For each member two for every other who has less and one for every other who has the same.
fn places(values: &[u64]) -> Vec<u64> {
    let place = |value: &u64| {
        let points = values.iter().map(|other| match other.cmp(value) {
            std::cmp::Ordering::Less => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 0,
        });
        // Everybody has as much as himself.
        points.sum::<u64>() - 1
    };
    values.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Draft, first_population};
    use mancala::endgame::{BuildPlan, build};
    use mancala::eval::Weights;
    use mancala::game::ayo::Rules;

    fn tables() -> Arc<Tables> {
        let folder = tempfile::tempdir().unwrap();
        let plan = BuildPlan::new(Rules::AWARI, 8, folder.path()).unwrap();
        Arc::new(build(&plan, &(), |_| ()).unwrap().unwrap())
    }

    fn settings(changes: &[(&str, &str)]) -> Settings {
        let mut draft = Draft::preset("standard").unwrap();
        let common = [("rules", "awari"), ("population", "6"), ("tables_positions", "60")];
        for (key, value) in common.iter().chain(changes) {
            draft.set(key, value).unwrap();
        }
        draft.finish().unwrap()
    }

    #[test]
    fn who_sees_captures_keeps_more_than_who_does_not() {
        let changes =
            [("features", "seeds"), ("encoding", "integer:4"), ("tables_positions", "300")];
        let settings = settings(&changes);
        let genes = |factor: i64| {
            let greedy = Weights::named("seeds").unwrap().effective();
            let genes: Vec<i64> = greedy.iter().map(|it| factor * i64::from(*it)).collect();
            settings.encoding.encode(&genes).unwrap()
        };
        let (greedy, generous) = (genes(1), genes(-1));
        let members = [greedy.clone(), generous.clone(), greedy];
        let marks = Lessons::new(tables()).mark(&settings, 1, &members, &()).unwrap();
        assert!(marks.kept[0] > marks.kept[1] + ALL_KEPT / 10, "{marks:?}");
        assert_eq!(marks.kept[0], marks.kept[2]);
    }

    #[test]
    fn generations_are_asked_different_positions_and_threads_change_nothing() {
        let settings = settings(&[]);
        let (lessons, members) = (Lessons::new(tables()), first_population(&settings));
        let on = |threads, generation| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| lessons.mark(&settings, generation, &members, &())).unwrap()
        };
        assert_eq!(on(1, 1), on(3, 1));
        assert_ne!(on(1, 1), on(1, 2));
    }

    #[test]
    fn a_mix_is_of_places_whatever_the_units() {
        let games = |fitness: &[u64]| Evaluation {
            fitness: fitness.to_vec(),
            games_asked: 9,
            games_played: 8,
            nodes: 70,
        };
        let mixed = |merit, by_games: &[u64], kept: &[u64]| {
            let marks = Marks { kept: kept.to_vec(), nodes: 5 };
            with_marks(merit, marks, Some(games(by_games)))
        };
        let half = mixed(Merit::Mix(50), &[3, 1, 2], &[10, 900_000, 10]);
        assert_eq!(half.fitness, [50 * 4 + 50, 50 * 4, 50 * 2 + 50]);
        assert_eq!((half.games_asked, half.games_played, half.nodes), (9, 8, 75));
        let most = settings(&[("fitness", "mix:20%"), ("population", "4")]);
        let best = mixed(Merit::Mix(20), &[1, 2, 3, 4], &[4, 5, 6, 7]).fitness[3];
        assert_eq!(best, most.best_possible_fitness());
        assert_eq!(kept(0, 0), ALL_KEPT);
        assert_eq!(kept(7, 7), 0);
    }
}
