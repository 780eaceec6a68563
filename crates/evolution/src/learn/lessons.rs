//! Positions with labels, as the fit reads them.

/// Positions as the inputs that are on, and what each is worth to the side to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Lessons {
    /// The inputs that are on in all positions, one position after the other.
    rows: Vec<u16>,
    /// Where those of each position end.
    ends: Vec<u32>,
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
    /// Adds a position by the inputs that are on.
    pub(super) fn push(&mut self, rows: &[u16], label: Label) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len() as u32);
        self.labels.push(label);
    }

    /// Adds those of others, as many as there is room for up to `most`.
    pub(super) fn append(&mut self, others: &Lessons, most: usize) {
        let count = others.len().min(most - self.len());
        for index in 0..count {
            self.push(others.rows(index), others.labels[index]);
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

    /// What all positions are worth, in their order.
    pub(super) fn labels(&self) -> &[Label] {
        &self.labels
    }
}
