//! Parameters of the engine's pruning and reductions. Both can change the move that the engine chooses.

/// Parameters of a selective search.
///
/// ```
/// use mancala::search::engine::{SearchParam, Selectivity};
/// let mut selectivity = Selectivity::NONE;
/// let margin = SearchParam::ALL.into_iter().find(|it| it.name == "probcut_margin").unwrap();
/// selectivity.set(margin, 150);
/// assert_eq!(selectivity.get(margin), selectivity.probcut_margin);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Selectivity {
    /// Whether to use table entries from deeper searches in addition to entries from searches of the same depth.
    pub deeper: bool,
    /// The minimum depth for ProbCut, which cuts off a node if a shallower search returns a value that is outside the
    /// window by at least a margin (M. Buro, "ProbCut", ICCA Journal 18(2), 1995).
    pub probcut_depth: i32,
    /// The ProbCut margin. Like all margins, it's in hundredths of a captured seed.
    pub probcut_margin: i32,
    /// The amount by which the ProbCut margin grows for each ply above the minimum depth.
    pub probcut_margin_per_ply: i32,
    /// The number of plies by which the ProbCut search is shallower than the search that it may replace.
    pub probcut_reduction: i32,
    /// The number of bounds that ProbCut tests. If this is 1, the static value determines which bound we test.
    pub probcut_sides: i32,
    /// The maximum depth for reverse futility pruning, i.e. a cutoff if the static value is beyond a bound by a margin.
    pub futility_depth: i32,
    /// The reverse futility margin per ply of depth.
    pub futility_margin: i32,
    /// The minimum depth for late move reductions. Captures are never reduced.
    pub lmr_depth: i32,
    /// The number of plies by which we reduce the depth of late moves.
    pub lmr_reduction: i32,
    /// The number of moves at a node after which the remaining moves count as late.
    pub lmr_move_count: i32,
}

impl Selectivity {
    /// Disables all selectivity. A search to a fixed depth then returns the same score as plain minimax.
    pub const NONE: Selectivity = Selectivity {
        deeper: false,
        probcut_depth: SearchParam::OFF,
        probcut_margin: 100,
        probcut_margin_per_ply: 0,
        probcut_reduction: 4,
        probcut_sides: 1,
        futility_depth: 0,
        futility_margin: 200,
        lmr_depth: SearchParam::OFF,
        lmr_reduction: 2,
        lmr_move_count: 3,
    };

    /// The parameters that performed best in matches.
    pub const PROVEN: Selectivity =
        Selectivity { deeper: true, probcut_depth: 5, probcut_margin: 75, ..Selectivity::NONE };

    pub fn get(mut self, parameter: SearchParam) -> i32 {
        *(parameter.field)(&mut self)
    }

    /// Sets a parameter, clamping the value to its range.
    pub fn set(&mut self, parameter: SearchParam, value: i32) {
        let (min, max) = parameter.range;
        *(parameter.field)(self) = value.clamp(min, max);
    }

    /// Replaces minimum depths of [`SearchParam::OFF`] or more with a depth that no search can reach.
    pub(super) fn without_off(mut self) -> Selectivity {
        for depth in [&mut self.probcut_depth, &mut self.lmr_depth] {
            if *depth >= SearchParam::OFF {
                *depth = i32::MAX;
            }
        }
        self
    }
}

impl Default for Selectivity {
    fn default() -> Selectivity {
        Selectivity::PROVEN
    }
}

/// A parameter of the selective search. Players have a setting for each parameter.
#[derive(Debug, Clone, Copy)]
pub struct SearchParam {
    pub name: &'static str,
    pub range: (i32, i32),
    field: fn(&mut Selectivity) -> &mut i32,
}

impl SearchParam {
    /// A minimum depth with this value turns off ProbCut or late move reductions.
    pub const OFF: i32 = 40;

    pub const ALL: [SearchParam; 10] = [
        SearchParam::new("probcut_depth", (2, SearchParam::OFF), |it| &mut it.probcut_depth),
        SearchParam::new("probcut_margin", (0, 10_000), |it| &mut it.probcut_margin),
        SearchParam::new("probcut_margin_per_ply", (0, 10_000), |it| {
            &mut it.probcut_margin_per_ply
        }),
        SearchParam::new("probcut_reduction", (1, 8), |it| &mut it.probcut_reduction),
        SearchParam::new("probcut_sides", (1, 2), |it| &mut it.probcut_sides),
        SearchParam::new("futility_depth", (0, 8), |it| &mut it.futility_depth),
        SearchParam::new("futility_margin", (0, 10_000), |it| &mut it.futility_margin),
        SearchParam::new("lmr_depth", (2, SearchParam::OFF), |it| &mut it.lmr_depth),
        SearchParam::new("lmr_reduction", (1, 4), |it| &mut it.lmr_reduction),
        SearchParam::new("lmr_move_count", (1, 12), |it| &mut it.lmr_move_count),
    ];

    const fn new(
        name: &'static str,
        range: (i32, i32),
        field: fn(&mut Selectivity) -> &mut i32,
    ) -> SearchParam {
        SearchParam { name, range, field }
    }
}
