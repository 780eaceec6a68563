//! The gate that a candidate must pass to replace the current champion. In a sequential test, the candidate must prove
//! stronger; in further tests, one ply deeper and with a node limit, it must not prove weaker.

use arena::{BatchPlayer, Decision, Games, PairScore, Pentanomial, Sprt};
use mancala::eval::{GateTest, Weights};
use mancala::progress::{Part, Progress};
use mancala::random::{Purpose, stream};
use mancala::search::Limits;

use super::{Conditions, generation_of};
use crate::games::{MATCH_PLIES, openings_or_start, pairs};

/// Maximum number of game pairs in a test.
pub const PAIRS: usize = 500;
/// Maximum number of game pairs in a test when a run stops early.
pub const SHORT_PAIRS: usize = 100;
/// Maximum number of game pairs in a test after the finals.
pub const FINAL_PAIRS: usize = 2000;
/// Number of pairs that are played before the result is checked again.
const ROUND: usize = 50;

/// Returns the test with this index. The first must show that the candidate is stronger, others that it is not weaker.
fn sprt(number: usize) -> Sprt {
    let [elo0, elo1] = if number == 0 { [0.0, 20.0] } else { [-20.0, 0.0] };
    Sprt::new(elo0, elo1, 0.05, 0.05).expect("hypotheses in order")
}

fn passes(number: usize, decision: Decision) -> bool {
    if number == 0 { decision == Decision::AcceptH1 } else { decision != Decision::AcceptH0 }
}

pub fn judged(number: usize, against: u32, limits: Limits, pairs: Pentanomial) -> GateTest {
    let test = sprt(number);
    let judgement = test.judge(pairs);
    GateTest {
        against,
        limits: limits.to_string(),
        test: test.to_string(),
        pairs: pairs.counts(),
        llr: (judgement.llr * 1e4).round() / 1e4,
        decision: judgement.decision.to_string(),
    }
}

/// Returns whether a candidate with these test results has passed the gate.
pub fn is_passed(tests: &[GateTest], conditions: &Conditions) -> bool {
    tests.len() == conditions.gates().len() && first_failed(tests).is_none()
}

pub fn first_failed(tests: &[GateTest]) -> Option<usize> {
    let fails = |(number, it): (usize, &GateTest)| {
        !passes(number, sprt(number).judge(Pentanomial::of_counts(it.pairs)).decision)
    };
    tests.iter().enumerate().position(fails)
}

/// Returns whether two evaluators have the same weights, so that games between them are meaningless.
pub fn are_alike(one: &Weights, other: &Weights) -> bool {
    one.features() == other.features() && one.effective() == other.effective()
}

#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    pub conditions: &'a Conditions,
    pub seed: u64,
    /// The number of the random stream for openings: the measured generation, or 0 after the finals.
    pub number: u32,
    /// Maximum number of game pairs in a test.
    pub pairs: usize,
}

impl Gate<'_> {
    /// Plays the tests in order until the candidate fails one. There are none if it has the weights of the champion.
    /// Returns `None` if `progress` requested a stop.
    pub fn play(
        &self,
        candidate: &Weights,
        champion: &Weights,
        games: &dyn Games,
        progress: &dyn Progress,
    ) -> Option<Vec<GateTest>> {
        if are_alike(candidate, champion) {
            return Some(Vec::new());
        }
        progress.begin_stage("gate");
        let rng = stream(self.seed, Purpose::Gate, self.number.into(), 0);
        let openings = openings_or_start(self.conditions.game, self.pairs, MATCH_PLIES, rng);
        let all = self.conditions.gates();
        let mut tests = Vec::new();
        for (number, &limits) in all.iter().enumerate() {
            let players = [candidate, champion]
                .map(|it| BatchPlayer::new(it, limits, self.conditions.options))
                .into();
            let most = (2 * openings.len() * all.len()) as u64;
            let part =
                Part { whole: progress, before: most * number as u64 / all.len() as u64, of: most };
            let pairs = self.test(number, players, &openings, games, &part)?;
            tests.push(judged(number, generation_of(champion), limits, pairs));
            if !passes(number, sprt(number).judge(pairs).decision) {
                break;
            }
        }
        Some(tests)
    }

    /// Plays pairs of games until the test is decided, and ignores later ones, or until the openings are exhausted.
    fn test(
        &self,
        number: usize,
        players: Vec<BatchPlayer>,
        openings: &[String],
        games: &dyn Games,
        progress: &Part,
    ) -> Option<Pentanomial> {
        let mut scores: Vec<PairScore> = Vec::new();
        for round in openings.chunks(ROUND) {
            let batch = pairs(self.conditions.game, players.clone(), &[[0, 1]], round.to_vec());
            let before = progress.before + 2 * scores.len() as u64;
            let outcomes = games.outcomes(&batch, &Part { before, ..*progress })?;
            scores.extend(PairScore::of_pairs(&outcomes));
            let judgement = sprt(number).first_crossing(scores.iter().copied());
            if judgement.is_final() {
                return Some(judgement.pairs);
            }
        }
        Some(scores.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use arena::LocalGames;

    use super::*;
    use crate::testing::{changed, on_any_threads};

    fn gate(candidate: &str, champion: &str) -> (Vec<GateTest>, bool) {
        let conditions = changed("standard", "nodes=60").conditions();
        let gate = Gate { conditions: &conditions, seed: 1, number: 3, pairs: 100 };
        let [candidate, champion] = [candidate, champion].map(|it| Weights::named(it).unwrap());
        let play = || gate.play(&candidate, &champion, &LocalGames::new(), &()).unwrap();
        let tests = on_any_threads(play);
        let is_passed = is_passed(&tests, &conditions);
        (tests, is_passed)
    }

    #[test]
    fn the_stronger_passes_all_tests_and_the_weaker_fails_the_first() {
        let (tests, is_passed) = gate("aalina4", "seeds");
        assert!(is_passed);
        assert_eq!(tests.len(), 2);
        let is_won = |it: &GateTest| it.against == 0 && it.decision == "H1 accepted";
        assert!(tests.iter().all(is_won), "{tests:?}");
        let (tests, is_passed) = gate("seeds", "aalina4");
        assert_eq!((tests.len(), is_passed), (1, false));
        assert_eq!(tests[0].decision, "H0 accepted");
        assert_eq!(gate("aalina4", "aalina4"), (Vec::new(), false));
        for (run, limits) in
            [("nodes=60", "nodes 60, nodes 120"), ("depth=2", "depth 2, depth 3, nodes 1000")]
        {
            let gates = changed("standard", run).conditions().gates();
            assert_eq!(gates.iter().map(Limits::to_string).collect::<Vec<_>>().join(", "), limits);
        }
    }

    /// Checks that, of a thousand equally strong candidates, no more pass than the error rate of the test allows.
    #[test]
    fn equals_pass_within_the_error_rate() {
        use rand::RngExt;
        let is_passed = |index: &u64| {
            let mut rng = stream(7, Purpose::Gate, 0, *index);
            let pairs = std::iter::repeat_with(|| PairScore::ALL[rng.random_range(0..5)]);
            passes(0, sprt(0).first_crossing(pairs.take(FINAL_PAIRS)).decision)
        };
        let passed = (0..1000).filter(is_passed).count();
        assert!((5..=70).contains(&passed), "{passed}");
    }
}
