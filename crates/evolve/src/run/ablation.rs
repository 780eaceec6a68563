//! What each feature of an evaluator is worth: what is lost without it.

use arena::{Batch, Contender, Estimate, Games, Meeting, Openings, PairScore, Pentanomial};
use mancala::eval::{Feature, Signs, Weights};
use mancala::game::Notated;
use mancala::progress::Progress;
use mancala::search::Options;

/// A feature without which an evaluator played itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Ablated {
    /// Which feature.
    pub feature: Feature,
    /// What the whole evaluator multiplies it with.
    pub weight: i32,
    /// The pairs of games of the whole evaluator against that without the feature, from the whole one's
    /// view; `None` where the weight is zero already, so that both are the same.
    pub pairs: Option<Pentanomial>,
}

impl Ablated {
    /// What the feature is worth: how much stronger the evaluator is with it than without.
    pub fn worth(&self) -> Option<Estimate> {
        Some(self.pairs?.estimate())
    }
}

/// The evaluator with what it multiplies one feature with set to zero.
fn without(weights: &Weights, feature: usize) -> Weights {
    let mut values: Vec<i64> = weights.effective().into_iter().map(i64::from).collect();
    values[feature] = 0;
    Weights::new("ablated", weights.features().clone(), &values, Signs::Literal)
        .expect("weights that were allowed before")
}

/// Lets an evaluator play itself without each of its features in turn, both searched `depth` plies,
/// from every opening with both colours. What is worth the most comes first, what weighs nothing last.
/// `None` if the progress stopped it, which counts games.
///
/// # Panics
/// If the evaluator is one of another game.
pub fn ablate<G: Notated>(
    weights: &Weights,
    game: G,
    (depth, options): (u32, Options),
    openings: &Openings<G::Position>,
    games: &dyn Games,
    progress: &dyn Progress,
) -> Option<Vec<Ablated>> {
    let effective = weights.effective();
    let weighed: Vec<usize> = (0..effective.len()).filter(|&it| effective[it] != 0).collect();
    let ablated = weighed.iter().map(|&feature| without(weights, feature));
    let players: Vec<Contender> = std::iter::once(weights.clone())
        .chain(ablated)
        .map(|it| Contender::to_depth(&it, depth, options))
        .collect();
    let pairings: Vec<[u32; 2]> = (1..players.len() as u32).map(|it| [0, it]).collect();
    let positions = openings.notation();
    let meetings = Meeting::all(&pairings, positions.len() as u32);
    let batch = Batch::new(game.into(), players, positions, meetings).expect("of the game");
    let scores = PairScore::of_pairs(&games.outcomes(&batch, progress)?);
    let results = scores.chunks(batch.openings().len()).map(|it| it.iter().copied().collect());
    let mut results =
        weighed.iter().zip(results).collect::<Vec<(&usize, Pentanomial)>>().into_iter().peekable();
    let of = |(index, (&feature, &weight)): (usize, (&Feature, &i32))| {
        let pairs = results.next_if(|(of, _)| **of == index).map(|(_, pairs)| pairs);
        Ablated { feature, weight, pairs }
    };
    let mut found: Vec<Ablated> =
        weights.features().features().iter().zip(&effective).enumerate().map(of).collect();
    let elo = |it: &Ablated| it.worth().map_or(f64::NEG_INFINITY, |worth| worth.elo);
    // The sort is stable.
    found.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    Some(found)
}

#[cfg(test)]
mod tests {
    use arena::{LocalGames, Suite};
    use mancala::game::ayo::{self, Ayo};

    use super::*;

    fn found(weights: &Weights, threads: usize) -> Vec<Ablated> {
        let suite: Suite = "plies:2".parse().unwrap();
        let openings = suite.openings(Ayo::default()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            ablate(
                weights,
                Ayo::default(),
                (2, Options::default()),
                &openings,
                &LocalGames::new(),
                &(),
            )
            .unwrap()
        })
    }

    #[test]
    fn the_seeds_are_worth_the_most_and_what_weighs_nothing_is_not_played() {
        let weights = Weights::named("daoud2004-depth5").unwrap();
        let one = found(&weights, 1);
        assert_eq!(one, found(&weights, 3));
        assert_eq!(one.len(), 12);
        let seeds = [ayo::Feature::MySeeds, ayo::Feature::TheirSeeds].map(Feature::from);
        assert!(seeds.contains(&one[0].feature), "{one:?}");
        assert!(one[0].worth().unwrap().elo_ci95.0 > 0.0);
        let idle: Vec<&str> =
            one.iter().filter(|it| it.pairs.is_none()).map(|it| it.feature.name()).collect();
        assert_eq!(idle, ["a4", "a7", "a11"]);
        assert!(one[..9].iter().all(|it| it.pairs.unwrap().pairs() == 36 && it.weight != 0));
    }

    #[test]
    fn one_feature_is_taken_away_and_signs_stay() {
        let weights = Weights::named("seeds").unwrap();
        assert_eq!(without(&weights, 0).effective(), [0, 1]);
        assert_eq!(without(&weights, 1).effective(), [-1, 0]);
    }
}
