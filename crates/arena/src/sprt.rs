//! The sequential probability ratio test, which stops a match as soon as there's enough evidence.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::pentanomial::{PairScore, Pentanomial};
use crate::statistics::{Weights, score_of_elo};
use mancala::text::{Message, Result};

/// A test of "A is `elo1` points stronger than B" (H1) against "A is `elo0` points stronger" (H0), in logistic Elo. If
/// H0 is true, then the test accepts H1 with probability `alpha`. If H1 is true, it accepts H0 with probability `beta`.
///
/// ```
/// use arena::{Decision, Pentanomial, Sprt};
/// let test: Sprt = "elo0=0,elo1=10".parse().unwrap();
/// assert_eq!(test.to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05");
/// let pairs = Pentanomial { ll: 20, ld: 30, dd_wl: 120, wd: 60, ww: 40 };
/// let judgement = test.judge(pairs);
/// assert_eq!(format!("{:.2}", judgement.llr), "2.90");
/// assert_eq!(judgement.decision, Decision::Undecided);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Decision {
    /// We accept that A's advantage is closer to `elo1` than to `elo0`.
    #[serde(rename = "H1 accepted")]
    AcceptH1,
    /// We accept that A's advantage is closer to `elo0` than to `elo1`.
    #[serde(rename = "H0 accepted")]
    AcceptH0,
    #[serde(rename = "undecided")]
    Undecided,
}

impl Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The state of a test after the pairs that have been played so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    pub test: Sprt,
    /// The log-likelihood ratio of the pairs.
    pub llr: f64,
    /// The [bounds](Sprt::bounds) at which H0 and H1 are accepted.
    pub bounds: (f64, f64),
    pub decision: Decision,
    #[serde(skip)]
    pub pairs: Pentanomial,
}

impl Judgement {
    pub(crate) fn add(&mut self, pair: PairScore) {
        self.pairs.add(pair);
        *self = self.test.judge(self.pairs);
    }

    /// Returns whether a hypothesis was accepted, in which case the match ends.
    pub fn is_final(&self) -> bool {
        self.decision != Decision::Undecided
    }
}

/// The largest Elo difference that is allowed in a hypothesis.
const MAX_ELO: f64 = 2000.0;

impl Default for Sprt {
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 }
    }
}

impl Sprt {
    /// Creates a test. Requires −2000 ≤ elo0 < elo1 ≤ 2000 and 0 < alpha, beta < 0.5.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt> {
        Sprt { elo0, elo1, alpha, beta }.validated()
    }

    /// Returns the log-likelihood ratios at which H0 and H1 are accepted. These are `log(beta / (1 − alpha))` and
    /// `log((1 − beta) / alpha)` (A. Wald, *Sequential Analysis* (1947), section 3.2).
    ///
    /// ```
    /// let (low, high) = arena::Sprt::default().bounds();
    /// assert_eq!(format!("{low:.3} {high:.3}"), "-2.944 2.944");
    /// ```
    pub fn bounds(&self) -> (f64, f64) {
        let Sprt { alpha, beta, .. } = self;
        (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha))
    }

    /// Returns the generalised log-likelihood ratio of the pairs. For each hypothesis, we maximise the likelihood over
    /// the probabilities of all five scores, given the mean score that `elo0` or `elo1` implies.
    ///
    /// The generalised test is due to X. Li, J. Liu and Z. Ying, *Generalized sequential probability ratio test for
    /// separate families of hypotheses*, Sequential Analysis 33 (2014), 539–563. M. Van den Bergh adapted it to pairs
    /// of games for fishtest, Stockfish's testing framework (cantate.be/Fishtest/GSPRT_approximation.pdf). As in
    /// fishtest, a score that never occurred counts as a thousandth of a pair, so that the ratio is always finite.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        const UNSEEN: f64 = 1e-3;
        let weights = Weights(pairs.counts().map(|count| (count as f64).max(UNSEEN)));
        weights.support(score_of_elo(self.elo1)) - weights.support(score_of_elo(self.elo0))
    }

    /// Applies the test. If there are no pairs, then the ratio is 0 and the test is always undecided.
    pub fn judge(&self, pairs: Pentanomial) -> Judgement {
        let (none, bounds) = (pairs.pairs() == 0, self.bounds());
        let llr = if none { 0.0 } else { self.llr(&pairs) };
        let decision = if none {
            Decision::Undecided
        } else if llr >= bounds.1 {
            Decision::AcceptH1
        } else if llr <= bounds.0 {
            Decision::AcceptH0
        } else {
            Decision::Undecided
        };
        Judgement { test: *self, llr, bounds, decision, pairs }
    }

    /// Adds pairs one at a time until the ratio crosses a bound, and returns the state of the test.
    pub fn first_crossing(&self, pairs: impl IntoIterator<Item = PairScore>) -> Judgement {
        let mut judgement = self.judge(Pentanomial::default());
        for pair in pairs {
            judgement.add(pair);
            if judgement.is_final() {
                break;
            }
        }
        judgement
    }

    fn validated(self) -> Result<Sprt> {
        let Sprt { elo0, elo1, alpha, beta } = self;
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return Err(invalid(key, &elo.to_string()));
            }
        }
        for (key, probability) in [("alpha", alpha), ("beta", beta)] {
            if !(probability > 0.0 && probability < 0.5) {
                return Err(invalid(key, &probability.to_string()));
            }
        }
        if elo0 >= elo1 {
            let reason = format!(
                "elo0 is {elo0}, but must be less than elo1, which is {elo1} (defaults: 0 and 10)"
            );
            return Err(format!("sprt: {reason}").into());
        }
        Ok(self)
    }
}

impl Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

impl From<Sprt> for String {
    fn from(sprt: Sprt) -> String {
        sprt.to_string()
    }
}

impl TryFrom<String> for Sprt {
    type Error = Message;

    fn try_from(text: String) -> Result<Sprt> {
        text.parse()
    }
}

impl FromStr for Sprt {
    type Err = Message;

    /// Parses settings in any order. The defaults are `elo0=0,elo1=10,alpha=0.05,beta=0.05`.
    fn from_str(text: &str) -> Result<Sprt> {
        let (mut test, mut keys) = (Sprt::default(), Vec::new());
        for part in text.split(',') {
            let wrong = || format!("sprt: \"{part}\" is not of the form key=value");
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let (key, value) = (key.trim(), value.trim());
            let field = match key {
                _ if keys.contains(&key) => return Err(format!("sprt: {key} is set twice").into()),
                "elo0" => &mut test.elo0,
                "elo1" => &mut test.elo1,
                "alpha" => &mut test.alpha,
                "beta" => &mut test.beta,
                _ => {
                    let known = "choose elo0, elo1, alpha or beta";
                    return Err(format!("sprt has no setting \"{key}\": {known}").into());
                }
            };
            *field = value.parse().map_err(|_| invalid(key, value))?;
            keys.push(key);
        }
        test.validated()
    }
}

fn invalid(key: &str, value: &str) -> Message {
    let expected = match key {
        "elo0" | "elo1" => "a number from -2000 to 2000",
        _ => "a number above 0 and below 0.5",
    };
    format!("sprt: {key} is \"{value}\", not {expected}").into()
}

#[cfg(test)]
mod tests;
