//! Positions with labels, as the fit reads them.

use mancala::game::Fullness;

/// Positions as the inputs that are on and the seeds that are left, and what each is worth to the side to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Lessons {
    /// The inputs that are on in all positions, one position after the other.
    rows: Vec<u16>,
    /// Where those of each position end.
    ends: Vec<u32>,
    fullness: Vec<Fullness>,
    labels: Vec<Label>,
}

/// What a position is worth to the side to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Label {
    /// The value of a search, in the units of its evaluator.
    Score(i32),
    /// Points of a game, in which a win is 1, a draw ½ and a loss 0; or a won, drawn or lost end that a search has
    /// found.
    Points(f32),
}

impl Lessons {
    /// Adds a position by the inputs that are on and by how full the board is.
    pub(super) fn push(&mut self, rows: &[u16], fullness: Fullness, label: Label) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.fullness.push(fullness);
        self.labels.push(label);
    }

    /// Adds those of others, as many as there is room for up to `most`.
    pub(super) fn append(&mut self, others: &Lessons, most: usize) {
        let count = others.len().min(most - self.len());
        for index in 0..count {
            self.push(others.rows(index), others.fullness(index), others.labels[index]);
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The inputs that are on in a position.
    pub(super) fn rows(&self, index: usize) -> &[u16] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start as usize..self.ends[index] as usize]
    }

    /// How full the board of a position is.
    pub(super) fn fullness(&self, index: usize) -> Fullness {
        self.fullness[index]
    }

    /// What all positions are worth, in their order.
    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }
}
