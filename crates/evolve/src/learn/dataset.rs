//! Labelled positions.

use mancala::game::Material;

/// Positions as lists of active inputs and the material on the board, with labels for the side to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Dataset {
    /// The active inputs of all positions, one position after the other.
    rows: Vec<u16>,
    /// The end of each position in `rows`.
    ends: Vec<u32>,
    fullness: Vec<Material>,
    labels: Vec<Label>,
}

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Label {
    /// A search score, in the units of the evaluator.
    Score(i32),
    /// The result of the game, or of a position that a search has decided: 1 for a win, ½ for a draw, 0 for a loss.
    Points(f32),
}

impl Dataset {
    pub(super) fn push(&mut self, rows: &[u16], fullness: Material, label: Label) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.fullness.push(fullness);
        self.labels.push(label);
    }

    /// Adds positions of `others`, up to `most` in total.
    pub(super) fn append(&mut self, others: &Dataset, most: usize) {
        let count = others.len().min(most - self.len());
        for index in 0..count {
            self.push(others.rows(index), others.fullness(index), others.labels[index]);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The active inputs of a position.
    pub(super) fn rows(&self, index: usize) -> &[u16] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start as usize..self.ends[index] as usize]
    }

    pub(super) fn fullness(&self, index: usize) -> Material {
        self.fullness[index]
    }

    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }
}
