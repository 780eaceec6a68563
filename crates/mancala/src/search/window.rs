//! The values that matter to a search at a node.

use crate::eval::Score;

/// Values outside need not be known exactly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// All values are inside.
    pub(super) const FULL: Window = Window { alpha: Score::LOWEST, beta: Score::HIGHEST };

    /// The window that only this score is inside of.
    pub(super) fn around(Score(value): Score) -> Window {
        Window { alpha: Score(value - 1), beta: Score(value + 1) }
    }

    /// The window that asks whether a value is more than this one.
    pub(super) fn above(Score(value): Score) -> Window {
        Window { alpha: Score(value), beta: Score(value + 1) }
    }

    /// The window that asks whether a value is less than this one.
    pub(super) fn below(Score(value): Score) -> Window {
        Window { alpha: Score(value - 1), beta: Score(value) }
    }

    /// Whether no value is inside.
    pub(super) fn is_question(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    pub(super) fn contains(self, value: Score) -> bool {
        self.alpha < value && value < self.beta
    }
}
