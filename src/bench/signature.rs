//! Whether two builds search alike.

use arena::gather_all;
use arena::player::PlayableGame;
use mancala::progress::Progress;
use mancala::search::{Found, Pruning};

use super::suite;
use crate::bench::result::Signature;

/// What searches of some positions to a depth came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sum {
    /// Plies.
    pub depth: u32,
    /// Positions entered. Another version of the search may enter others.
    pub nodes: u64,
    /// CRC-32 of the moves and scores, which no version may change.
    pub checksum: u32,
}

impl From<Sum> for Signature {
    fn from(Sum { depth, nodes, checksum }: Sum) -> Signature {
        Signature { depth, nodes, checksum: format!("{checksum:08x}") }
    }
}

/// Searches positions to a depth, as many at a time as there are threads in the current pool.
pub fn signature<G: PlayableGame>(game: G, positions: &[G::Position], depth: u32) -> Sum {
    let searcher = suite::searcher(game);
    let search = |position: usize, _: &dyn Progress| {
        Some(searcher.search(&game, &positions[position], depth, Pruning::AlphaBeta, &()))
    };
    let found = gather_all(positions.len(), &(), search).unwrap_or_default();
    sum(depth, found.into_iter().flatten())
}

/// The sum of what was found.
pub fn sum(depth: u32, found: impl IntoIterator<Item = Found>) -> Sum {
    let mut hasher = crc32fast::Hasher::new();
    let mut nodes = 0;
    for found in found {
        nodes += found.nodes;
        hasher.update(&[found.pit.index() as u8]);
        hasher.update(&found.score.0.to_le_bytes());
    }
    Sum { depth, nodes, checksum: hasher.finalize() }
}

#[cfg(test)]
mod tests {
    use super::super::suite::positions;
    use super::*;
    use mancala::game::ayo::Ayo;
    use mancala::game::kalah::Kalah;

    /// Moves and scores are those of minimax, so that a checksum never changes as long as the suite,
    /// the rules and the scores do not. A total of nodes is what this version of the search takes:
    /// one that is cheaper or dearer changes it here.
    const SIGNATURE: [Sum; 2] = [
        Sum { depth: 5, nodes: 12_008, checksum: 0xdcbe_f728 },
        Sum { depth: 9, nodes: 217_424, checksum: 0x1fb1_36ab },
    ];

    #[test]
    fn the_signature_is_known() {
        let positions = positions();
        assert_eq!(
            SIGNATURE.map(|sum| signature(Ayo::default(), &positions, sum.depth)),
            SIGNATURE
        );
    }

    #[test]
    fn the_references_have_the_same_checksums() {
        let (game, searcher) = (Ayo::default(), suite::searcher(Ayo::default()));
        for Sum { depth, checksum, .. } in SIGNATURE {
            let pruning = if depth < 6 { Pruning::None } else { Pruning::Unordered };
            let search = |p| searcher.search(&game, &p, depth, pruning, &());
            let found = positions().into_iter().filter_map(search);
            assert_eq!(sum(depth, found).checksum, checksum, "depth {depth}");
        }
    }

    const SIGNATURE_OF_KALAH: Sum = Sum { depth: 5, nodes: 13_386, checksum: 0x25df_d327 };

    #[test]
    fn the_signature_of_kalah_is_that_of_minimax() {
        let game = Kalah::default();
        let (positions, depth) = (suite::suite(game).unwrap(), SIGNATURE_OF_KALAH.depth);
        assert_eq!(positions.len(), 40);
        assert_eq!(signature(game, &positions, depth), SIGNATURE_OF_KALAH);
        let plain =
            |position| suite::searcher(game).search(&game, position, depth, Pruning::None, &());
        let found = sum(depth, positions.iter().filter_map(plain));
        assert_eq!(found.checksum, SIGNATURE_OF_KALAH.checksum);
    }

    #[test]
    fn the_signature_does_not_depend_on_threads() {
        let of = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| signature(Ayo::default(), &positions(), 5))
        };
        assert_eq!(of(1), of(3));
    }
}
