//! Matching groups: what the first pile of a row does when it is sown again and again (tables 3.7 and 3.8).

/// How a number of seeds behaves in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The number of piles k of the largest matching group k, k − 1, …, 1 that the seeds make.
    pub group: u32,
    /// Seeds beyond that group; 0 when they are a matching group.
    pub beyond: u32,
    /// The periods that occur, longest first. A matching group has period 1 alone.
    pub periods: Vec<u32>,
}

/// What `seeds` ≥ 1 seeds do on a row without end.
///
/// With k(k + 1)/2 + j seeds, 0 < j ≤ k, the j seeds sit on k + 1 places that turn by one a move, so the
/// period is k + 1 or, when they lie alike in every m-th part, (k + 1)/m.
///
/// ```
/// use mancala::endgame::cdg::pattern;
/// assert_eq!(pattern(4).periods, [3]);
/// assert_eq!(pattern(8).periods, [4, 2]);
/// ```
pub fn pattern(seeds: u32) -> Pattern {
    let (mut group, mut beyond) = (0, seeds);
    while beyond > group {
        group += 1;
        beyond -= group;
    }
    let places = group + 1;
    let alike = |&parts: &u32| places.is_multiple_of(parts) && beyond.is_multiple_of(parts);
    let periods = match beyond {
        0 => vec![1],
        _ => (1..=places).filter(alike).map(|parts| places / parts).collect(),
    };
    Pattern { group, beyond, periods }
}

/// Sows the first pile onward, one seed a pile: `[2, 1, 1]` becomes `[2, 2]`.
pub fn march(piles: &[u32]) -> Vec<u32> {
    let Some((&first, rest)) = piles.split_first() else {
        return Vec::new();
    };
    let mut after = rest.to_vec();
    after.resize(rest.len().max(first as usize), 0);
    after[..first as usize].iter_mut().for_each(|seeds| *seeds += 1);
    after
}
