//! The covariance matrix adaptation evolution strategy, (μ/μ_w, λ)-CMA-ES (N. Hansen and A. Ostermeier, Evolutionary
//! Computation 9 (2001)).
//!
//! Formulas and constants are from N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016, arXiv:1604.00772), with
//! two differences. First, the evolution path of the step size uses the coordinates of the Cholesky factor (O. Krause,
//! D. R. Arbonès and C. Igel, NIPS 2016), because that only needs + − × ÷ and square roots. Second, we rescale the mean
//! to length 1 after every generation, together with the step size, because only directions matter.

use super::direction::{
    Direction, Directions, Games, Kind, Point, dot, is_unit, method, norm, normals, plus, times,
};
use super::{Method, Numbers, Task, WorkError};
use mancala::random::{Purpose, sample, stream};

pub(crate) static METHOD: Method = method!(
    "cma-es",
    "covariance matrix adaptation",
    Directions { population: 16, ..Directions::defaults(&KIND) },
    "600",
    "100"
);

pub(super) static KIND: Kind = Kind {
    tried: |offspring| offspring,
    pairs: |offspring| u64::from(offspring) * OPPONENTS as u64,
    pairs_of_one: |_| OPPONENTS as u64,
    begin: |task, settings| Box::new(CmaEs::new(task, settings)),
};

/// The number of offspring among the opponents of each offspring. It's doubled as long as there is no mean.
const PEERS: usize = 3;
/// The number of past means that each offspring plays against.
const PAST: usize = 2;
const OPPONENTS: usize = PEERS + 1 + PAST;
const MAX_MEANS: usize = 500;
/// The bounds of the step size, relative to the length of the mean.
const STEP: std::ops::RangeInclusive<f64> = 0.01..=2.0;

/// The maximum absolute value of a coordinate in saved evolution paths. Variances must not exceed the square of this.
const MAX_COORDINATE: f64 = 1e50;

/// A square matrix, stored by rows.
type Matrix = Vec<Point>;

#[derive(Debug)]
struct Constants {
    /// The recombination weights of the parents, best first. They sum to 1.
    weights: Vec<f64>,
    /// The variance effective selection mass, μ_eff.
    mu_eff: f64,
    /// The learning rate of the step-size path, c_σ.
    c_step: f64,
    /// The learning rate of the covariance path, c_c.
    c_path: f64,
    /// The learning rate of the rank-one update.
    c_one: f64,
    /// The learning rate of the rank-μ update.
    c_mu: f64,
    damping: f64,
    /// The expected length of a standard normal vector.
    chi: f64,
}

impl Constants {
    fn new(dimensions: usize, offspring: usize) -> Constants {
        let (n, parents) = (dimensions as f64, offspring / 2);
        let raw = |rank: usize| libm::log(parents as f64 + 0.5) - libm::log(rank as f64);
        let sum: f64 = (1..=parents).map(raw).sum();
        let weights: Vec<f64> = (1..=parents).map(|rank| raw(rank) / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let c_step = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let c_one = 2.0 / ((n + 1.3) * (n + 1.3) + mu_eff);
        let c_mu = 2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0) * (n + 2.0) + mu_eff);
        let excess = (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        Constants {
            weights,
            mu_eff,
            c_step,
            c_path: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_one,
            c_mu: c_mu.clamp(0.0, 1.0 - c_one),
            damping: 1.0 + 2.0 * excess + c_step,
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

#[derive(Debug)]
struct CmaEs {
    seed: u64,
    offspring: usize,
    openings: usize,
    constants: Constants,
    /// The mean of the distribution. It has length 1, or is zero before the first generation.
    mean: Point,
    step_size: f64,
    covariance: Matrix,
    path: Point,
    step_path: Point,
    /// Past means, oldest first.
    past: Vec<Point>,
}

impl CmaEs {
    fn new(task: &Task, settings: &Directions) -> Self {
        let n = task.features.features().len();
        let unit = |row| (0..n).map(|column| f64::from(u8::from(row == column))).collect();
        let offspring = settings.population as usize;
        CmaEs {
            seed: task.seed,
            offspring,
            openings: settings.openings as usize,
            constants: Constants::new(n, offspring),
            mean: vec![0.0; n],
            step_size: 1.0,
            covariance: (0..n).map(unit).collect(),
            path: vec![0.0; n],
            step_path: vec![0.0; n],
            past: Vec::new(),
        }
    }

    /// Returns the opponents that aren't offspring. Also returns the indices of all opponents in a list that consists
    /// of all offspring, followed by those opponents.
    fn opponents(&self, step: u64) -> (Vec<Point>, Vec<usize>) {
        let mut rng = stream(self.seed, Purpose::Opponents, step, 0);
        let mean = Some(&self.mean).filter(|mean| norm(mean) > 0.0);
        let peers = if mean.is_some() { PEERS } else { 2 * PEERS };
        let mut opponents = sample(peers, self.offspring, &mut rng);
        let past = sample(PAST, self.past.len(), &mut rng).into_iter().map(|it| &self.past[it]);
        let others: Vec<Point> = mean.into_iter().chain(past).cloned().collect();
        opponents.extend(self.offspring..self.offspring + others.len());
        (others, opponents)
    }

    /// Updates the distribution. `normals` and `steps` are the parents' standard normal vectors and steps, best first.
    fn adapt(&mut self, step: u64, normals: &[&Point], steps: &[&Point]) {
        let Constants { c_step, c_path, c_one, c_mu, damping, chi, mu_eff, .. } = self.constants;
        let n = self.mean.len() as f64;
        let zero = vec![0.0; self.mean.len()];
        let sum = |vectors: &[&Point]| {
            let weighted = self.constants.weights.iter().zip(vectors);
            weighted.fold(zero.clone(), |sum, (weight, vector)| plus(&sum, *weight, vector))
        };
        let (normal, shift) = (sum(normals), sum(steps));
        let kept = times(1.0 - c_step, &self.step_path);
        self.step_path = plus(&kept, (c_step * (2.0 - c_step) * mu_eff).sqrt(), &normal);
        let length = norm(&self.step_path);
        let bias = 1.0 - libm::pow(1.0 - c_step, 2.0 * step as f64);
        let is_stalled = length * length / bias / n >= 2.0 + 4.0 / (n + 1.0);
        let pull = if is_stalled { 0.0 } else { (c_path * (2.0 - c_path) * mu_eff).sqrt() };
        self.path = plus(&times(1.0 - c_path, &self.path), pull, &shift);
        let lost = if is_stalled { c_one * c_path * (2.0 - c_path) } else { 0.0 };
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
        // Scale the mean to length 1 and the step size by the same factor.
        let length = norm(&self.mean);
        if length > 0.0 {
            self.mean = times(1.0 / length, &self.mean);
            self.step_size = (self.step_size / length).clamp(*STEP.start(), *STEP.end());
        }
    }
}

impl Direction for CmaEs {
    fn step(&mut self, number: u64, games: &mut Games) -> Result<Vec<Point>, WorkError> {
        let n = self.mean.len();
        let draw = |index| normals(n, &mut stream(self.seed, Purpose::Trial, number, index));
        let normals: Vec<Point> = (0..self.offspring as u64).map(draw).collect();
        let root = cholesky(&self.covariance);
        let product = |vector: &Point| root.iter().map(|row| dot(row, vector)).collect();
        let steps: Vec<Point> = normals.iter().map(product).collect();
        let (others, opponents) = self.opponents(number);
        let offspring = steps.iter().map(|it| plus(&self.mean, self.step_size, it));
        let mut players: Vec<Point> = offspring.chain(others).collect();
        let all = (0..self.offspring).flat_map(|a| opponents.iter().map(move |&b| [a, b]));
        let pairs: Vec<[usize; 2]> = all.filter(|[a, b]| a != b).collect();
        let scores = games.play(&players, &pairs, self.openings)?;
        // An offspring's fitness is the sum of its mean scores against all opponents. Its score against itself is ½.
        let mut means = vec![vec![0.0; players.len()]; self.offspring];
        for (&[a, b], scores) in pairs.iter().zip(scores.chunks(self.openings)) {
            scores.iter().for_each(|score| means[a][b] += score / self.openings as f64);
        }
        let fitness = |member: usize| -> f64 {
            let score = |&it: &usize| if it == member { 0.5 } else { means[member][it] };
            opponents.iter().map(score).sum()
        };
        let fitness: Vec<f64> = (0..self.offspring).map(fitness).collect();
        let points = |score: &f64| (4.0 * self.openings as f64 * score).round() as u64;
        games.points = fitness.iter().map(points).collect();
        let mut best: Vec<usize> = (0..self.offspring).collect();
        best.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
        best.truncate(self.constants.weights.len());
        let [normals, steps] = [&normals, &steps]
            .map(|all: &Vec<Point>| best.iter().map(|&it| &all[it]).collect::<Vec<_>>());
        self.adapt(number, &normals, &steps);
        self.past.push(self.mean.clone());
        if self.past.len() > MAX_MEANS {
            self.past.remove(0);
        }
        players.truncate(self.offspring);
        Ok(players)
    }

    fn best(&self) -> &Point {
        &self.mean
    }

    fn save(&self) -> Numbers {
        let lists = [
            ("mean", self.mean.clone()),
            ("step_size", vec![self.step_size]),
            ("covariance", self.covariance.concat()),
            ("path", self.path.clone()),
            ("step_path", self.step_path.clone()),
            ("past", self.past.concat()),
        ];
        lists.into_iter().map(|(name, numbers)| (name.into(), numbers)).collect()
    }

    fn load(&mut self, numbers: &Numbers) -> Option<()> {
        let n = self.mean.len();
        let rows = |numbers: &Vec<f64>| numbers.chunks(n).map(<[f64]>::to_vec).collect::<Matrix>();
        self.mean.clone_from(numbers.get("mean")?);
        self.step_size = *numbers.get("step_size")?.first()?;
        self.covariance = rows(numbers.get("covariance")?);
        self.path.clone_from(numbers.get("path")?);
        self.step_path.clone_from(numbers.get("step_path")?);
        self.past = rows(numbers.get("past")?);
        let is_mean = |it: &Point| it.len() == n && is_unit(it);
        let is_path = |it: &Point| it.len() == n && it.iter().all(|it| it.abs() <= MAX_COORDINATE);
        let is_valid = is_mean(&self.mean)
            && STEP.contains(&self.step_size)
            && self.covariance.concat().len() == n * n
            && is_covariance(&self.covariance)
            && [&self.path, &self.step_path].into_iter().all(is_path)
            && self.past.len() <= MAX_MEANS
            && self.past.iter().all(is_mean);
        is_valid.then_some(())
    }
}

fn cholesky(matrix: &Matrix) -> Matrix {
    let n = matrix.len();
    let mut root = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            let rest: f64 = matrix[i][j] - known;
            // Keep the diagonal positive despite rounding errors, which grow with the variance.
            let floor = 1e-12 * matrix[i][i].max(1.0);
            root[i][j] = if i == j { rest.max(floor).sqrt() } else { rest / root[j][j] };
        }
    }
    root
}

/// Returns whether a matrix is symmetric and positive definite, up to rounding errors.
fn is_covariance(matrix: &Matrix) -> bool {
    let root = cholesky(matrix);
    let is_variance = |i: usize| {
        let variance = matrix[i][i];
        let is_square = dot(&root[i], &root[i]) <= 1.01 * variance + 1e-6;
        (0.0..=MAX_COORDINATE * MAX_COORDINATE).contains(&variance) && is_square
    };
    let is_symmetric = |i: usize| {
        (0..i).all(|j| (matrix[i][j] - matrix[j][i]).abs() <= 1e-6 * (matrix[i][i] + matrix[j][j]))
    };
    (0..matrix.len()).all(|i| is_variance(i) && is_symmetric(i))
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
                assert!((dot(&root[i], &root[j]) - cell).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn past_means_that_are_incomplete_or_too_many_are_refused() {
        let settings = Directions { kind: &KIND, population: 8, openings: 1, length: 400 };
        let mut search = (KIND.begin)(&crate::optimise::testing::task_of(&METHOD), &settings);
        let mut draw = |_: &[Point], pairs: &[_], openings| Ok(vec![0.5; pairs.len() * openings]);
        search.step(1, &mut Games::new(&mut draw)).unwrap();
        let mean = search.best().clone();
        let saved = search.save();
        let mut loads = |past: Vec<f64>| {
            let mut changed = saved.clone();
            changed.insert("past".into(), past);
            search.load(&changed).is_some()
        };
        assert!(loads(mean.repeat(MAX_MEANS)));
        assert!(!loads(mean.repeat(MAX_MEANS + 1)));
        // The last vector has length 1, but too few coordinates.
        assert!(!loads([mean, vec![1.0]].concat()));
    }

    #[test]
    fn constants_are_those_of_the_tutorial() {
        // These values were printed by purecma for N = 10, λ = 10.
        let constants = Constants::new(10, 10);
        assert!((constants.mu_eff - 3.167).abs() < 1e-2, "{}", constants.mu_eff);
        assert!((constants.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((constants.chi - 3.0847).abs() < 1e-3);
    }
}
