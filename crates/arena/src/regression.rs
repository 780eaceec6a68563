//! Regression lines through ratings whose true values scatter around the line.

use nalgebra::{DMatrix, DVector, Matrix2};

use crate::statistics::mean;

/// A straight line fitted by generalised least squares.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) slope: f64,
    pub(crate) slope_deviation: f64,
    /// The sum of squared residuals, in units of their covariance.
    pub(crate) misfit: f64,
}

impl Line {
    /// Fits a line to at least two points. `scatter` is the variance of the true values around the line.
    pub(crate) fn fit(x: &[f64], y: &[f64], covariance: DMatrix<f64>, scatter: f64) -> Line {
        let count = x.len();
        let total = covariance + DMatrix::identity(count, count) * scatter;
        // We make the matrix invertible by adding the variance of a shared error, which affects only the intercept.
        let shift = total.trace().max(1e-9) / count as f64;
        let total = total.add_scalar(shift) + DMatrix::identity(count, count) * (1e-9 * shift);
        let total = total.cholesky().expect("a covariance matrix");
        let design =
            DMatrix::from_fn(count, 2, |row, column| if column == 0 { 1.0 } else { x[row] });
        let y = DVector::from_column_slice(y);
        let weighted = total.solve(&design);
        let normal: Matrix2<f64> =
            (design.transpose() * &weighted).fixed_view::<2, 2>(0, 0).into_owned();
        let inverse = normal.try_inverse().expect("points with different x");
        let moments = weighted.transpose() * &y;
        let [intercept, slope] =
            [0, 1].map(|row| inverse[(row, 0)] * moments[0] + inverse[(row, 1)] * moments[1]);
        let residuals = y - design * DVector::from_column_slice(&[intercept, slope]);
        Line {
            slope,
            slope_deviation: inverse[(1, 1)].max(0.0).sqrt(),
            misfit: residuals.dot(&total.solve(&residuals)),
        }
    }
}

/// Estimates the variance of the true values around a smooth curve from second differences (T. Gasser, L. Sroka and C.
/// Jennen-Steinmetz, Biometrika 73 (1986), 625–633). We subtract the part that measurement errors explain, so the
/// result can be negative.
pub(crate) fn scatter(y: &[f64], covariance: &DMatrix<f64>) -> f64 {
    const SECOND: [f64; 3] = [1.0, -2.0, 1.0];
    let estimate = |at: usize| {
        let difference = y[at] - 2.0 * y[at + 1] + y[at + 2];
        let covariance =
            |(i, j): (usize, usize)| SECOND[i] * SECOND[j] * covariance[(at + i, at + j)];
        let variance: f64 = (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).map(covariance).sum();
        (difference * difference - variance) / 6.0
    };
    mean(&(0..y.len().saturating_sub(2)).map(estimate).collect::<Vec<f64>>())
}

/// The 95 % quantile of the standard normal distribution.
pub(crate) const QUANTILE_95: f64 = 1.644_853_626_951_472_7;

/// Returns the 95 % quantile of Student's distribution with `freedom` degrees of freedom, using its expansion in powers
/// of 1 / `freedom` (R. A. Fisher and E. A. Cornish, Technometrics 2 (1960), 209–225).
pub(crate) fn quantile_95(freedom: usize) -> f64 {
    let (z, v) = (QUANTILE_95, freedom.max(1) as f64);
    let [z3, z5, z7] = [z * z * z, z * z * z * z * z, z * z * z * z * z * z * z];
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v * v * v)
}
