//! Labelled positions, packed into a few bytes each.

use mancala::eval::Score;
use mancala::game::{Encoded, Group, InputKind, MAX_GROUPS, Material};
use mancala::store::Frame;
use serde::{Deserialize, Serialize};

/// The format of a file that contains the positions from a block of games.
const FRAME: Frame = Frame { kind: *b"POSN", version: 1 };

/// The log odds of winning in a position that a search has proved to be a win.
const WIN: f64 = 9.0;
/// If endgame tables give a win, then the log odds increase linearly with the margin, from this value (for a margin of
/// 0) to [`WIN`] (for a margin of [`CLEAR_WIN`] or more).
const NARROW_WIN: f64 = 0.7;
const CLEAR_WIN: i32 = 24;

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) enum Label {
    /// A search score, in the units of the evaluator.
    Score(i32),
    /// The result of the game (1, ½ or 0), or the probability of winning if a search has decided the position.
    Points(f32),
}

impl Label {
    /// Converts a search score to a label. If the search decided the position, by the end of the game or by endgame
    /// tables, then the label is the probability of winning that we assign to this result.
    pub(super) fn of(score: Score) -> Label {
        let odds = match score.table_difference() {
            Some((difference, _)) => {
                let share = f64::from(difference.abs().min(CLEAR_WIN)) / f64::from(CLEAR_WIN);
                NARROW_WIN + (WIN - NARROW_WIN) * share
            }
            None if score.counts_plies() => WIN,
            None => return Label::Score(score.0),
        };
        Label::Points(logistic(f64::from(score.0.signum()) * odds) as f32)
    }

    /// Returns the probability of winning. `scale` converts search scores to log odds.
    pub(super) fn probability(self, scale: f64) -> f32 {
        match self {
            Label::Score(score) => logistic(scale * f64::from(score)) as f32,
            Label::Points(points) => points,
        }
    }
}

/// Newton's method stops once the relative change of the factor is smaller than this.
const TOLERANCE: f64 = 1e-6;
/// The maximum number of steps of Newton's method. It usually converges within six.
const MAX_STEPS: usize = 50;

/// Returns `f` such that logistic(`f · score`) best predicts the points, or `None` if there is no positive correlation.
pub(super) fn scale(samples: &[(i32, f32)]) -> Option<f64> {
    let mean = samples.iter().map(|(score, _)| f64::from(score.abs())).sum::<f64>();
    let mean = mean / samples.len() as f64;
    if mean.is_nan() || mean <= 0.0 {
        return None;
    }
    // Dividing the scores by their mean absolute value brings the factor close to 1.
    let mut factor = 0.5;
    for _ in 0..MAX_STEPS {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for &(score, points) in samples {
            let score = f64::from(score) / mean;
            let predicted = logistic(factor * score);
            slope += (f64::from(points) - predicted) * score;
            curvature += predicted * (1.0 - predicted) * score * score;
        }
        let step = if curvature > 0.0 { slope / curvature } else { 0.0 };
        let next = (factor + step).clamp(factor / 2.0, factor * 2.0);
        let is_exact = (next - factor).abs() < TOLERANCE * factor;
        factor = next;
        if is_exact {
            break;
        }
    }
    (1e-3..1e3).contains(&factor).then_some(factor / mean)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Labelled positions, along with the scores and results that we use to estimate the scale of the labels.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Positions {
    /// For each position, the index of the active row in each group, followed by the material on the board.
    pub(super) inputs: Vec<u8>,
    pub(super) labels: Vec<Label>,
    /// Search scores from games, along with the points that the side to move eventually got (from 0 to 1).
    pub(super) samples: Vec<(i32, f32)>,
    pub(super) nodes: u64,
}

impl Positions {
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn add<G: Encoded>(
        &mut self,
        encoding: &Encoding,
        position: &G::Position,
        label: Label,
    ) {
        let mut rows = [0; MAX_GROUPS];
        let count = G::active(position, &mut rows);
        encoding.pack(&rows[..count], &mut self.inputs);
        self.inputs.push(G::material(position).parts() as u8);
        self.labels.push(label);
    }

    pub(super) fn append(&mut self, others: Positions) {
        self.inputs.extend(others.inputs);
        self.labels.extend(others.labels);
        self.samples.extend(others.samples);
        self.nodes += others.nodes;
    }

    pub(super) fn truncate(&mut self, count: usize, encoding: &Encoding) {
        self.inputs.truncate(count * encoding.bytes());
        self.labels.truncate(count);
        self.inputs.shrink_to_fit();
        self.labels.shrink_to_fit();
    }

    /// Encodes the positions for a file. `origin` is a hash of everything that they depend on.
    pub(super) fn encode(&self, origin: &str) -> Vec<u8> {
        FRAME.encode(&(origin, self))
    }

    /// Decodes positions from a file. Returns `None` if the file is damaged or has a different origin.
    pub(super) fn decode(bytes: &[u8], origin: &str, encoding: &Encoding) -> Option<Positions> {
        let (found, positions): (String, Positions) = FRAME.decode(bytes).ok()?;
        (found == origin && positions.are_whole(encoding)).then_some(positions)
    }

    /// Returns whether the size of the inputs matches the number of labels.
    pub(crate) fn are_whole(&self, encoding: &Encoding) -> bool {
        self.inputs.len() == self.len() * encoding.bytes()
    }
}

/// The input groups of a game, which determine how positions are packed.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    groups: Vec<Group>,
}

/// The byte for a group in which no row is active. Groups that use all values of a byte always have an active row.
const NONE: u8 = u8::MAX;

impl Encoding {
    pub(super) fn of<G: Encoded>(_: G) -> Encoding {
        Encoding { groups: G::groups() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.groups.len() + 1
    }

    /// Returns whether a group combines the inputs of two other groups.
    pub(super) fn is_pair(&self, group: usize) -> bool {
        matches!(self.groups[group].kind, InputKind::Pair(_))
    }

    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.rows.into())
    }

    /// Packs the active rows, which must be ordered by group.
    fn pack(&self, rows: &[u16], bytes: &mut Vec<u8>) {
        let mut rows = rows.iter().peekable();
        bytes.extend(self.groups.iter().map(|group| {
            let is_within = |row: &&u16| (group.first..group.first + group.rows).contains(*row);
            rows.next_if(is_within).map_or(NONE, |row| (row - group.first) as u8)
        }));
    }

    /// Returns the index of the active row within each group, and the material.
    #[inline(always)]
    pub(super) fn unpack<'a>(
        &'a self,
        bytes: &'a [u8],
    ) -> (impl Iterator<Item = Option<usize>> + 'a, Material) {
        let (material, places) = bytes.split_last().expect("a packed position");
        let rows = self.groups.iter().zip(places);
        let rows = rows
            .map(|(group, &place)| (u16::from(place) < group.rows).then_some(usize::from(place)));
        (rows, Material::new((*material).into(), Material::PARTS.into()))
    }
}

#[cfg(test)]
mod tests {
    use mancala::eval::Certainty;
    use mancala::game::kalah::Kalah;
    use mancala::game::{Game, Side};
    use mancala::laws::prelude::*;

    use super::*;

    laws! {
        #[test]
        fn positions_of_all_boards_unpack_to_their_rows(
            pits in 2usize..=6,
            seeds in 1u8..=9,
            choices in proptest::collection::vec(0usize..6, 0..60),
        ) {
            let game: Kalah = format!("kalah:pits={pits},seeds={seeds}").parse().unwrap();
            let mut position = game.start(Side::South);
            for choice in choices {
                if game.ended(&position).is_none() {
                    let moves: Vec<_> = game.moves(&position).collect();
                    position = game.play(&position, moves[choice % moves.len()]);
                }
            }
            let encoding = Encoding::of(Kalah::default());
            let mut found = Positions::default();
            found.add::<Kalah>(&encoding, &position, Label::Score(3));
            prop_assert_eq!(found.inputs.len(), encoding.bytes());
            let (rows, material) = encoding.unpack(&found.inputs);
            let firsts = Kalah::groups().into_iter().map(|group| group.first);
            let rows = rows.zip(firsts);
            let rows: Vec<u16> =
                rows.filter_map(|(row, first)| Some(row? as u16 + first)).collect();
            let mut expected = [0; MAX_GROUPS];
            let count = Kalah::active(&position, &mut expected);
            prop_assert_eq!(&rows[..], &expected[..count]);
            prop_assert_eq!(material, Kalah::material(&position));
        }

        #[test]
        fn clearer_results_are_labelled_as_more_certain(difference in 1i32..48, plies in 0u32..9) {
            let points = |difference| {
                let label = Label::of(Score::of_tables(difference, Certainty::Heuristic, plies));
                label.probability(0.01)
            };
            prop_assert!(points(difference) <= points(difference + 1));
            prop_assert!(0.5 < points(difference));
            prop_assert!(points(difference) <= Label::of(Score::win(plies)).probability(0.01));
            prop_assert!((points(difference) + points(-difference) - 1.0).abs() < 1e-6);
        }

        #[test]
        fn files_read_back_and_damaged_ones_are_refused(
            scores: Vec<i32>,
            at: prop::sample::Index,
            flip in 1u8..,
        ) {
            let encoding = Encoding::of(Kalah::default());
            let start = Kalah::default().start(Side::South);
            let mut positions = Positions::default();
            for score in scores {
                positions.add::<Kalah>(&encoding, &start, Label::Score(score));
                positions.samples.push((score, 0.5));
            }
            let mut bytes = positions.encode("a plan");
            prop_assert_eq!(Positions::decode(&bytes, "a plan", &encoding), Some(positions));
            prop_assert_eq!(Positions::decode(&bytes, "another", &encoding), None);
            let at = at.index(bytes.len());
            bytes[at] ^= flip;
            prop_assert_eq!(Positions::decode(&bytes, "a plan", &encoding), None);
        }
    }

    laws! {
        #[test]
        fn the_scale_that_made_results_is_found(factor in 0.0005f64..0.05, sizes: [u16; 40]) {
            let scores = sizes.iter().map(|&size| i32::from(size % 500) - 250);
            let samples: Vec<(i32, f32)> = scores
                .map(|score| (score, logistic(factor * f64::from(score)) as f32))
                .collect();
            prop_assume!(samples.iter().any(|(score, _)| score.abs() > 50));
            let found = scale(&samples).unwrap();
            prop_assert!((found / factor - 1.0).abs() < 1e-3, "{found} {factor}");
        }
    }

    #[test]
    fn uncorrelated_scores_have_no_scale() {
        assert_eq!(scale(&[]), None);
        assert_eq!(scale(&[(0, 1.0), (0, 0.0)]), None);
        // Here, the score has the wrong sign in every game.
        assert_eq!(scale(&[(50, 0.0), (-50, 1.0)]), None);
    }
}
