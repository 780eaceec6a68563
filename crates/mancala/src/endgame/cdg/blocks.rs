//! Maximal vectors, their sums and their blocks (the thesis' algorithm I, table 3.4 and conjecture 1).

/// The largest CDG vector of a board with `pits` pits a side, pit 1 first, by algorithm I.
///
/// ```
/// use mancala::endgame::cdg;
/// assert_eq!(cdg::maximal(6), [2, 2, 1, 3, 5, 7]);
/// ```
pub fn maximal(pits: usize) -> Vec<u32> {
    let mut vector = vec![0; pits];
    // The farthest pit comes out as pits + 1 seeds when the one beyond it is taken as empty.
    let (mut above, mut step) = (0, 0);
    for j in (1..=pits as i64).rev() {
        let low: i64 = above - step;
        let times = (j + 1 - low) / (j + 1);
        above = (j + 1) * times + low;
        step += 2 * times;
        vector[j as usize - 1] = above as u32;
    }
    vector
}

/// A row of table 3.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// s(n), the sum of the maximal vector.
    pub s: u64,
    /// f(n), the number of its blocks: one more than the pits j < n that algorithm I fills anew.
    pub f: u64,
    /// g(n), the closed form that the thesis proposes.
    pub g: u64,
}

impl Totals {
    /// s(n)·π/n², which goes to 1 as n grows (Broline and Loeb 1995).
    pub fn ratio(&self, pits: u32) -> f64 {
        self.s as f64 * std::f64::consts::PI / f64::from(pits).powi(2)
    }
}

/// s(n), f(n) and g(n) of a board with `pits` ≥ 1 pits a side.
///
/// ```
/// use mancala::endgame::cdg;
/// assert_eq!(cdg::totals(50), cdg::Totals { s: 868, f: 16, g: 16 });
/// ```
pub fn totals(pits: u32) -> Totals {
    let (mut s, mut f) = (0, 0);
    let (mut above, mut step) = (0, 0);
    for j in (1..=i64::from(pits)).rev() {
        let low: i64 = above - step;
        let times = (j + 1 - low) / (j + 1);
        above = (j + 1) * times + low;
        step += 2 * times;
        s += (2 * j * times) as u64;
        f += u64::from(times > 0);
    }
    Totals { s, f, g: shortcut(pits) }
}

/// f(n) alone, for `pits` ≥ 1, faster than [`totals`].
///
/// Within a block the pits fall by `step`, so a block is passed at once. As soon as `step` is at least what
/// a pit may hold, every nearer pit begins a block of its own.
pub fn block_count(pits: u32) -> u64 {
    let (mut pit, mut held, mut step) = (pits, pits + 1, 2);
    let mut blocks = 1;
    while step <= pit {
        // Pits from here on that are at least 1, this one among them.
        let length = (held - 1) / step + 1;
        if length >= pit {
            return blocks;
        }
        let short = step * length - held;
        pit -= length;
        // Since step ≤ the pit before it, one filling is nearly always enough.
        let times = 1 + short / (pit + 1);
        held = (pit + 1) * times - short;
        step += 2 * times;
        blocks += 1;
    }
    blocks + u64::from(pit - 1)
}

/// g(n), which the thesis proposes for f(n) less a few exceptions.
pub fn shortcut(pits: u32) -> u64 {
    let n = u64::from(pits);
    if n < 25 { (n + 5) / 3 } else { (n + 15) / 4 }
}

/// The f(n) of conjecture 1: [`shortcut`] with its four exceptions.
pub fn conjectured(pits: u32) -> u64 {
    match pits {
        15 => shortcut(pits) + 1,
        1 | 2 | 4 => shortcut(pits) - 1,
        _ => shortcut(pits),
    }
}
