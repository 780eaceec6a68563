//! The gate is a set of tests that a candidate must pass to replace the champion. The first test must prove that the
//! candidate is stronger. Further tests, which use other search limits, must not prove that the candidate is weaker.

use arena::{BatchPlayer, Decision, Pentanomial, Sprt};
use mancala::eval::{GateTest, Weights};
use mancala::progress::Part;
use mancala::random::{Purpose, stream};
use mancala::search::Limits;

use super::{Settings, generation_of};
use crate::games::{GameRunner, MATCH_PLIES, openings_or_start, pairs, play_until_decided};
use crate::optimise::WorkError;

/// The maximum number of game pairs in a test.
pub const PAIRS: usize = 500;
/// The maximum number of game pairs in a test when a run stops early.
pub const SHORT_PAIRS: usize = 100;
/// The maximum number of game pairs in a test after the finals.
pub const FINAL_PAIRS: usize = 2000;

/// Returns the test with this index. Only the first test must prove that the candidate is stronger.
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
pub fn is_passed(tests: &[GateTest], settings: &Settings) -> bool {
    tests.len() == settings.gate_limits().len() && first_failed(tests).is_none()
}

pub fn first_failed(tests: &[GateTest]) -> Option<usize> {
    let fails = |(number, it): (usize, &GateTest)| {
        !passes(number, sprt(number).judge(Pentanomial::of_counts(it.pairs)).decision)
    };
    tests.iter().enumerate().position(fails)
}

/// Returns whether two evaluators have the same weights. If so, games between them would be meaningless.
pub fn are_alike(one: &Weights, other: &Weights) -> bool {
    one.features() == other.features() && one.effective() == other.effective()
}

impl Settings {
    /// Plays tests of at most `most` game pairs each, until the candidate fails one of them. No tests are played if
    /// both weights are equal. `number` is the measured generation, or 0 after the finals. It determines the openings.
    pub(super) fn play_gate(
        &self,
        (number, most): (u32, usize),
        [candidate, champion]: [&Weights; 2],
        runner: GameRunner,
    ) -> Result<Vec<GateTest>, WorkError> {
        if are_alike(candidate, champion) {
            return Ok(Vec::new());
        }
        runner.progress.begin_stage("gate");
        let rng = stream(self.seed, Purpose::Gate, number.into(), 0);
        let openings = openings_or_start(self.game(), most, MATCH_PLIES, rng);
        let all = self.gate_limits();
        let mut tests = Vec::new();
        for (number, &limits) in all.iter().enumerate() {
            let players = [candidate, champion]
                .map(|it| BatchPlayer::new(it, limits, self.options()))
                .to_vec();
            let of = (2 * openings.len() * all.len()) as u64;
            let before = of * number as u64 / all.len() as u64;
            let test = sprt(number);
            let scores = play_until_decided(test, &openings, |round, played| {
                let batch = pairs(self.game(), players.clone(), &[[0, 1]], round);
                let before = before + 2 * played as u64;
                let progress = &Part { whole: runner.progress, before, of };
                GameRunner { progress, ..runner }.play(&batch)
            })?;
            let judgement = test.first_crossing(scores);
            tests.push(judged(number, generation_of(champion), limits, judgement.pairs));
            if !passes(number, judgement.decision) {
                break;
            }
        }
        Ok(tests)
    }
}

#[cfg(test)]
mod tests {
    use arena::PairScore;

    use super::*;
    use crate::testing::{changed, on_any_threads, runner};

    fn gate(candidate: &str, champion: &str) -> (Vec<GateTest>, bool) {
        let settings = changed("standard", "nodes=60");
        let [candidate, champion] = [candidate, champion].map(|it| Weights::named(it).unwrap());
        let both = [&candidate, &champion];
        let play = || settings.play_gate((3, 100), both, runner(&())).unwrap();
        let tests = on_any_threads(play);
        let is_passed = is_passed(&tests, &settings);
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
            let gates = changed("standard", run).gate_limits();
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
