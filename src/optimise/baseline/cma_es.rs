//! The evolution strategy with covariance matrix adaptation, (μ/μ_w, λ).
//!
//! Formulas and constants are those of N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016,
//! arXiv:1604.00772), but for two things. The path of the step size is kept in the coordinates of the
//! Cholesky factor (O. Krause, D. R. Arbonès and C. Igel, NIPS 2016), which needs nothing but
//! + − × ÷ and roots. And since only directions matter, the mean is brought back to length 1 after every
//!   generation, the step size with it.

use super::{Duels, Meeting, Plan, Point, Spent, Strategy, drawn, norm, normals, plus, times};
use crate::optimise::fitness::Control;
use mancala::random::{Purpose, stream};

/// Offspring who are everybody's opponents, and as many more while there is no mean yet.
const PEERS: usize = 3;
/// Means of the past who are.
const PAST: usize = 2;
/// Means that are remembered.
const MOST_MEANS: usize = 500;
/// Bounds of the step size, relative to the mean.
const STEP: std::ops::RangeInclusive<f64> = 0.01..=2.0;

/// A square matrix by rows.
type Matrix = Vec<Point>;

/// The constants, which depend on the dimensions and the number of offspring.
struct Constants {
    /// Of the parents, the best first; their sum is 1.
    weights: Vec<f64>,
    /// How many parents of equal weight they are worth.
    worth: f64,
    /// Learning rates: of both paths, of the covariance from its path and from the parents.
    c_step: f64,
    c_path: f64,
    c_one: f64,
    c_mu: f64,
    damping: f64,
    /// Mean length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(dimensions: usize, offspring: usize) -> Constants {
        let (n, parents) = (dimensions as f64, offspring / 2);
        let raw = |rank: usize| libm::log(parents as f64 + 0.5) - libm::log(rank as f64);
        let sum: f64 = (1..=parents).map(raw).sum();
        let weights: Vec<f64> = (1..=parents).map(|rank| raw(rank) / sum).collect();
        let worth = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_step = (worth + 2.0) / (n + worth + 5.0);
        let c_one = 2.0 / ((n + 1.3) * (n + 1.3) + worth);
        let c_mu = 2.0 * (worth - 2.0 + 1.0 / worth) / ((n + 2.0) * (n + 2.0) + worth);
        let excess = (((worth - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        Constants {
            weights,
            worth,
            c_step,
            c_path: (4.0 + worth / n) / (n + 4.0 + 2.0 * worth / n),
            c_one,
            c_mu: c_mu.clamp(0.0, 1.0 - c_one),
            damping: 1.0 + 2.0 * excess + c_step,
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

/// The state of the search.
pub(crate) struct CmaEs {
    seed: u64,
    offspring: usize,
    openings: usize,
    constants: Constants,
    /// Of length 1; zero before the first generation.
    mean: Point,
    step_size: f64,
    covariance: Matrix,
    path: Point,
    step_path: Point,
    /// Means of the past, oldest first.
    past: Vec<Point>,
}

impl CmaEs {
    pub(crate) fn new(plan: &Plan) -> Self {
        let n = plan.dimensions();
        let unit = |row| (0..n).map(|column| f64::from(u8::from(row == column))).collect();
        let offspring = plan.population as usize;
        CmaEs {
            seed: plan.seed,
            offspring,
            openings: plan.openings as usize,
            constants: Constants::new(n, offspring),
            mean: vec![0.0; n],
            step_size: 1.0,
            covariance: (0..n).map(unit).collect(),
            path: vec![0.0; n],
            step_path: vec![0.0; n],
            past: Vec::new(),
        }
    }

    /// Whom all offspring meet: players by number, those who are no offspring added to the list.
    fn opponents(&self, step: u64, players: &mut Vec<Point>) -> Vec<usize> {
        let mut dice = stream(self.seed, Purpose::Opponents, step, 0);
        let begun = norm(&self.mean) > 0.0;
        let peers = if begun { PEERS } else { 2 * PEERS };
        let mut opponents = drawn(peers, self.offspring, &mut dice);
        let before = players.len();
        if begun {
            players.push(self.mean.clone());
        }
        let past = drawn(PAST, self.past.len(), &mut dice);
        players.extend(past.into_iter().map(|index| self.past[index].clone()));
        opponents.extend(before..players.len());
        opponents
    }

    /// Points of each offspring. A meeting with oneself is even.
    fn fitness(&self, opponents: &[usize], score: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        let points = |member: usize| {
            let of =
                |&opponent: &usize| if opponent == member { 0.5 } else { score(member, opponent) };
            opponents.iter().map(of).sum()
        };
        (0..self.offspring).map(points).collect()
    }

    /// Takes over what the parents, the best first, have in common. They are given as standard normal
    /// vectors and as the steps that come of these.
    fn learn(&mut self, step: u64, normals: &[&Point], steps: &[&Point]) {
        let Constants { c_step, c_path, c_one, c_mu, damping, chi, worth, .. } = self.constants;
        let n = self.mean.len() as f64;
        let zero = vec![0.0; self.mean.len()];
        let sum = |vectors: &[&Point]| {
            let weighted = self.constants.weights.iter().zip(vectors);
            weighted.fold(zero.clone(), |sum, (weight, vector)| plus(&sum, *weight, vector))
        };
        let (normal, shift) = (sum(normals), sum(steps));
        let kept = times(1.0 - c_step, &self.step_path);
        self.step_path = plus(&kept, (c_step * (2.0 - c_step) * worth).sqrt(), &normal);
        let length = norm(&self.step_path);
        let settled = 1.0 - libm::pow(1.0 - c_step, 2.0 * step as f64);
        let is_long = length * length / settled / n >= 2.0 + 4.0 / (n + 1.0);
        let pull = if is_long { 0.0 } else { (c_path * (2.0 - c_path) * worth).sqrt() };
        self.path = plus(&times(1.0 - c_path, &self.path), pull, &shift);
        let lost = if is_long { c_one * c_path * (2.0 - c_path) } else { 0.0 };
        for (i, row) in self.covariance.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                let parents = self.constants.weights.iter().zip(steps);
                let spread: f64 = parents.map(|(weight, step)| weight * step[i] * step[j]).sum();
                *cell *= 1.0 - c_one - c_mu + lost;
                *cell += c_one * self.path[i] * self.path[j] + c_mu * spread;
            }
        }
        self.mean = plus(&self.mean, self.step_size, &shift);
        self.step_size *= libm::exp(c_step / damping * (length / chi - 1.0));
        self.bring_back();
    }

    /// Gives the mean length 1 and the step size what that leaves of it.
    fn bring_back(&mut self) {
        let length = norm(&self.mean);
        if length > 0.0 {
            self.mean = times(1.0 / length, &self.mean);
            self.step_size = (self.step_size / length).clamp(*STEP.start(), *STEP.end());
        }
    }
}

impl Strategy for CmaEs {
    fn step(&mut self, step: u64, duels: &dyn Duels, control: &dyn Control) -> Option<Spent> {
        let n = self.mean.len();
        let draw = |index| normals(n, &mut stream(self.seed, Purpose::Trial, step, index));
        let normals: Vec<Point> = (0..self.offspring as u64).map(draw).collect();
        let root = cholesky(&self.covariance);
        let steps: Vec<Point> = normals.iter().map(|normal| product(&root, normal)).collect();
        let mut players: Vec<Point> =
            steps.iter().map(|it| plus(&self.mean, self.step_size, it)).collect();
        let opponents = self.opponents(step, &mut players);
        let openings = 0..self.openings;
        let meetings: Vec<Meeting> = (0..self.offspring)
            .flat_map(|a| opponents.iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a != b)
            .flat_map(|(a, b)| openings.clone().map(move |opening| Meeting { a, b, opening }))
            .collect();
        let (scores, spent) = duels.play(step, &players, &meetings, control)?;
        let mut sums = vec![vec![0.0; players.len()]; self.offspring];
        for (meeting, score) in meetings.iter().zip(scores) {
            sums[meeting.a][meeting.b] += score / self.openings as f64;
        }
        let fitness = self.fitness(&opponents, |a, b| sums[a][b]);
        let mut ranking: Vec<usize> = (0..self.offspring).collect();
        // The sort is stable.
        ranking.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        let best = &ranking[..self.constants.weights.len()];
        let pick = |vectors: &'_ [Point]| best.iter().map(|&it| vectors[it].clone()).collect();
        let (normals, steps): (Vec<Point>, Vec<Point>) = (pick(&normals), pick(&steps));
        self.learn(step, &normals.iter().collect::<Vec<_>>(), &steps.iter().collect::<Vec<_>>());
        self.past.push(self.mean.clone());
        if self.past.len() > MOST_MEANS {
            self.past.remove(0);
        }
        Some(spent)
    }

    fn best(&self) -> &Point {
        &self.mean
    }
}

/// The lower triangle whose product with its transpose is `matrix`.
fn cholesky(matrix: &Matrix) -> Matrix {
    let n = matrix.len();
    let mut root = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            let rest: f64 = matrix[i][j] - known;
            // Rounding must not make a variance vanish.
            root[i][j] = if i == j { rest.max(1e-12).sqrt() } else { rest / root[j][j] };
        }
    }
    root
}

fn product(matrix: &Matrix, vector: &Point) -> Point {
    matrix.iter().map(|row| super::dot(row, vector)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_times_itself_is_the_matrix() {
        let matrix = vec![vec![4.0, 2.0, 0.6], vec![2.0, 5.0, -1.0], vec![0.6, -1.0, 3.0]];
        let root = cholesky(&matrix);
        for (i, row) in matrix.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                assert!((super::super::dot(&root[i], &root[j]) - cell).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn constants_are_those_of_the_tutorial() {
        // N = 10, λ = 10 as purecma prints them.
        let constants = Constants::new(10, 10);
        assert!((constants.worth - 3.167).abs() < 1e-2, "{}", constants.worth);
        assert!((constants.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((constants.chi - 3.0847).abs() < 1e-3);
    }
}
