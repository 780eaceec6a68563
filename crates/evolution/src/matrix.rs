//! Small symmetric matrices: as much of linear algebra as ratings and distances need.
//!
//! Sums are taken in the order of indices, so that results are the same bits everywhere.

use std::ops::{Index, IndexMut};

/// A square matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    size: usize,
    /// Row by row.
    values: Vec<f64>,
}

impl Matrix {
    /// The matrix of zeros with `size` rows.
    pub fn zeros(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    /// The unit matrix with `size` rows.
    pub fn unit(size: usize) -> Matrix {
        let mut unit = Matrix::zeros(size);
        (0..size).for_each(|i| unit[(i, i)] = 1.0);
        unit
    }

    /// How many rows there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.size).map(|i| self[(i, i)]).sum()
    }

    /// The same with each value made into another.
    #[must_use]
    pub fn map(&self, value: impl Fn(f64) -> f64) -> Matrix {
        Matrix { size: self.size, values: self.values.iter().map(|&it| value(it)).collect() }
    }

    /// Rows as columns.
    #[must_use]
    pub fn transposed(&self) -> Matrix {
        let mut turned = Matrix::zeros(self.size);
        for (at, &value) in self.values.iter().enumerate() {
            turned[(at % self.size, at / self.size)] = value;
        }
        turned
    }

    /// The same with `more` on the diagonal.
    #[must_use]
    pub fn ridged(mut self, more: f64) -> Matrix {
        (0..self.size).for_each(|i| self[(i, i)] += more);
        self
    }

    /// Adds `weight · v vᵀ`.
    ///
    /// # Panics
    ///
    /// As all that takes vectors here, where `v` has not as many values as there are rows.
    pub fn add_square(&mut self, weight: f64, v: &[f64]) {
        assert_eq!(v.len(), self.size);
        for (i, a) in v.iter().enumerate() {
            for (j, b) in v.iter().enumerate() {
                self[(i, j)] += weight * a * b;
            }
        }
    }

    /// The product with a vector.
    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        (0..self.size).map(|i| dot(self.row(i), v)).collect()
    }

    /// The factors of a symmetric matrix, of which the lower triangle is read; `None` unless it is positive definite.
    pub fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Matrix::zeros(self.size);
        for i in 0..self.size {
            for j in 0..=i {
                let known = lower.row(i)[..j].iter().zip(&lower.row(j)[..j]);
                let rest = known.fold(self[(i, j)], |rest, (a, b)| rest - a * b);
                lower[(i, j)] = if i > j { rest / lower[(j, j)] } else { rest.sqrt() };
            }
            // Nor is it where the root is of a negative number.
            if lower[(i, i)].is_nan() || lower[(i, i)] <= 0.0 {
                return None;
            }
        }
        Some(Cholesky { lower })
    }

    /// The eigenvalues of a symmetric matrix, in no order, by rotations after C. G. J. Jacobi (Crelle 30 (1846), 51–94).
    pub fn eigenvalues(&self) -> Vec<f64> {
        let mut turned = self.clone();
        let size = self.size;
        let pairs = || (0..size).flat_map(|p| (p + 1..size).map(move |q| (p, q)));
        // What is off the diagonal shrinks quadratically: half a dozen rounds do.
        for _ in 0..50 {
            let off: f64 = pairs().map(|at| turned[at] * turned[at]).sum();
            let on: f64 = (0..size).map(|i| turned[(i, i)] * turned[(i, i)]).sum();
            if off <= on * 1e-32 {
                break;
            }
            pairs().for_each(|(p, q)| turned.rotate(p, q));
        }
        (0..size).map(|i| turned[(i, i)]).collect()
    }

    /// Turns the plane of two axes so that nothing is left between them.
    fn rotate(&mut self, p: usize, q: usize) {
        if self[(p, q)] == 0.0 {
            return;
        }
        let theta = (self[(q, q)] - self[(p, p)]) / (2.0 * self[(p, q)]);
        let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        for k in 0..self.size {
            let (a, b) = (self[(k, p)], self[(k, q)]);
            (self[(k, p)], self[(k, q)]) = (cosine * a - sine * b, sine * a + cosine * b);
        }
        for k in 0..self.size {
            let (a, b) = (self[(p, k)], self[(q, k)]);
            (self[(p, k)], self[(q, k)]) = (cosine * a - sine * b, sine * a + cosine * b);
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.size..(i + 1) * self.size]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.values[i * self.size + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.values[i * self.size + j]
    }
}

/// The sum of the products.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// A positive definite matrix as `L Lᵀ`, in which form equations are solved.
pub struct Cholesky {
    /// L: above the diagonal it is 0.
    lower: Matrix,
}

impl Cholesky {
    /// The vector whose product with the matrix is `v`.
    pub fn solve(&self, v: &[f64]) -> Vec<f64> {
        let lower = &self.lower;
        assert_eq!(v.len(), lower.size);
        let mut x = v.to_vec();
        for i in 0..x.len() {
            let rest = (0..i).fold(x[i], |rest, k| rest - lower[(i, k)] * x[k]);
            x[i] = rest / lower[(i, i)];
        }
        for i in (0..x.len()).rev() {
            let known = (i + 1..x.len()).fold(0.0, |sum, k| sum + lower[(k, i)] * x[k]);
            x[i] = (x[i] - known) / lower[(i, i)];
        }
        x
    }

    /// The same for each column of a matrix.
    pub fn solve_all(&self, columns: &Matrix) -> Matrix {
        let size = self.lower.size;
        let mut solved = Matrix::zeros(size);
        for j in 0..size {
            let column: Vec<f64> = (0..size).map(|i| columns[(i, j)]).collect();
            for (i, value) in self.solve(&column).into_iter().enumerate() {
                solved[(i, j)] = value;
            }
        }
        solved
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Matrix {
        self.solve_all(&Matrix::unit(self.lower.size))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use mancala::laws;

    /// A sum of squares of small vectors and a part of the unit matrix.
    fn definite((size, values, ridge): (usize, Vec<i8>, u8)) -> Matrix {
        let mut sum = Matrix::unit(size).map(|it| it * (f64::from(ridge) + 1.0));
        for v in values.chunks_exact(size) {
            let v: Vec<f64> = v.iter().map(|&it| f64::from(it)).collect();
            sum.add_square(0.5, &v);
        }
        sum
    }

    fn any_definite() -> impl Strategy<Value = Matrix> {
        let values = prop::collection::vec(any::<i8>(), 0..60);
        (1..=8usize, values, any::<u8>()).prop_map(definite)
    }

    laws! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_is_solved_is_a_solution(matrix in any_definite(), wanted: [i8; 8]) {
            let wanted: Vec<f64> = wanted[..matrix.size()].iter().map(|&it| it.into()).collect();
            let factors = matrix.cholesky().unwrap();
            for x in [factors.solve(&wanted), factors.inverse().times(&wanted)] {
                let found = matrix.times(&x);
                let error = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                prop_assert!(error < 1e-7, "{}", error);
            }
        }

        /// The matrix less an eigenvalue is singular, and they add up to the trace.
        #[test]
        fn eigenvalues_are_roots(matrix in any_definite()) {
            let values = matrix.eigenvalues();
            let largest = values.iter().copied().fold(0.0, f64::max);
            prop_assert!((values.iter().sum::<f64>() - matrix.trace()).abs() <= 1e-9 * largest);
            let least = values.iter().copied().fold(f64::MAX, f64::min);
            prop_assert!(matrix.clone().ridged(1e-9 * largest - least).cholesky().is_some());
            prop_assert!(matrix.ridged(-1e-9 * largest - least).cholesky().is_none());
        }
    }

    #[test]
    fn by_hand() {
        let mut matrix = Matrix::zeros(2);
        matrix.add_square(1.0, &[2.0, 1.0]);
        matrix[(1, 1)] += 4.0;
        // [[4, 2], [2, 5]] = L Lᵀ with L = [[2, 0], [1, 2]].
        assert_eq!(matrix.cholesky().unwrap().solve(&[8.0, 12.0]), [1.0, 2.0]);
        let mut values = matrix.eigenvalues();
        values.sort_by(f64::total_cmp);
        assert!((values[0] - (4.5 - 4.25f64.sqrt())).abs() < 1e-12);
        assert!((values[1] - (4.5 + 4.25f64.sqrt())).abs() < 1e-12);
        assert!(matrix.ridged(-4.0).cholesky().is_none());
        assert!(Matrix::zeros(1).cholesky().is_none());
    }
}
