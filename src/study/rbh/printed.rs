//! Table 5.1 of the thesis, as printed.

/// One of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// "Average Moves".
    pub moves: u32,
    /// Seeds of RBH and of Awale.
    pub seeds: [u32; 2],
}

/// Seconds that RBH and Awale took for a move at each level, the weakest first, on a Pentium 4 of 3 GHz.
pub const SECONDS: [[f64; 2]; 4] = [[1.84, 2.11], [2.21, 2.63], [2.73, 2.79], [2.95, 4.13]];

const ROWS: [[u32; 3]; 24] = [
    [19, 26, 4],
    [18, 28, 11],
    [20, 26, 9],
    [23, 30, 14],
    [28, 29, 12],
    [17, 26, 17],
    [37, 26, 11],
    [38, 25, 10],
    [36, 27, 10],
    [39, 26, 16],
    [42, 27, 15],
    [33, 26, 17],
    [36, 15, 27],
    [41, 21, 18],
    [48, 25, 14],
    [38, 20, 23],
    [33, 26, 15],
    [41, 27, 19],
    [36, 14, 28],
    [41, 17, 25],
    [41, 25, 15],
    [52, 29, 12],
    [47, 27, 16],
    [63, 27, 14],
];

/// The 24 games, six a level, the weakest level first.
pub fn printed() -> Vec<Printed> {
    ROWS.map(|[moves, ours, theirs]| Printed { moves, seeds: [ours, theirs] }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In two games at amateur neither player has more than 24 seeds: 21–18 and 20–23.
    #[test]
    fn rows_are_games_of_48_seeds() {
        let printed = printed();
        assert_eq!(printed.len(), 24);
        assert!(printed.iter().all(|row| row.seeds.iter().sum::<u32>() <= 48));
        let undecided = |row: &&Printed| row.seeds.iter().all(|&seeds| seeds <= 24);
        assert_eq!(printed.iter().filter(undecided).count(), 2);
    }
}
