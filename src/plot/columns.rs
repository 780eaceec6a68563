//! Which panels stand in which of two columns.

/// Both columns, in the order of the panels, split so that the higher one is as low as can be. The first
/// panel stands first in the left one.
pub(super) fn split<T: Copy>(panels: &[T], heights: &[i32]) -> [Vec<T>; 2] {
    let height = |right: u32, column: u32| -> i32 {
        let places = heights.iter().enumerate();
        places.filter(|(place, _)| right >> place & 1 == column).map(|(_, height)| height).sum()
    };
    let higher = |right: &u32| height(*right, 0).max(height(*right, 1));
    // Bit by bit, whether a panel stands on the right; the first never does.
    let all = (0..1_u32 << panels.len()).step_by(2);
    let right = all.min_by_key(higher).unwrap_or(0);
    let column = |column: u32| {
        let places = panels.iter().enumerate();
        places.filter(|(place, _)| right >> place & 1 == column).map(|(_, panel)| *panel).collect()
    };
    [column(0), column(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_even_as_can_be() {
        assert_eq!(split(&['a', 'b', 'c', 'd'], &[3, 5, 1, 1]), [vec!['a', 'c', 'd'], vec!['b']]);
        assert_eq!(split(&['a', 'b'], &[1, 9]), [vec!['a'], vec!['b']]);
        assert_eq!(split(&[0; 9], &[1; 9]).map(|column| column.len()), [5, 4]);
    }
}
