//! Selectivity of the engine: pruning and reductions that can change its choice.

/// The parameters of selective search.
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
    /// Whether table entries of a greater depth are used too.
    pub deeper: bool,
    /// Minimum depth for ProbCut: a position is cut off if a shallower search finds it outside the window by a margin
    /// (M. Buro, "ProbCut: An effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995).
    pub probcut_depth: i32,
    /// In hundredths of a captured seed, as all margins.
    pub probcut_margin: i32,
    /// Added to the margin for every ply beyond the minimum depth.
    pub probcut_margin_per_ply: i32,
    /// Plies by which the search of ProbCut is shallower.
    pub probcut_reduction: i32,
    /// The bounds of the window that ProbCut tests: 1, the one on the side of the static value, or 2, both.
    pub probcut_sides: i32,
    /// Maximum depth for reverse futility pruning: a position is cut off if its static value is outside the window by a
    /// margin.
    pub futility_depth: i32,
    /// The margin per ply of depth.
    pub futility_margin: i32,
    /// Minimum depth for late move reductions. Captures are not reduced.
    pub lmr_depth: i32,
    /// Plies by which late moves are reduced.
    pub lmr_reduction: i32,
    /// Number of moves of a position that are not late.
    pub lmr_move_count: i32,
}

impl Selectivity {
    /// No selectivity: a search to a depth finds the score of plain minimax.
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

    /// The parameters that were strongest in matches.
    pub const PROVEN: Selectivity =
        Selectivity { deeper: true, probcut_depth: 5, probcut_margin: 75, ..Selectivity::NONE };

    /// Returns the value of a parameter.
    pub fn get(mut self, parameter: SearchParam) -> i32 {
        *(parameter.field)(&mut self)
    }

    /// Sets a parameter, to the nearest value in its range.
    pub fn set(&mut self, parameter: SearchParam, value: i32) {
        let (min, max) = parameter.range;
        *(parameter.field)(self) = value.clamp(min, max);
    }

    /// Replaces the depths that turn a technique off by one beyond every search.
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

/// A parameter of selective search, as a setting of a player.
#[derive(Debug, Clone, Copy)]
pub struct SearchParam {
    /// The name of the setting.
    pub name: &'static str,
    /// The lowest and the highest value.
    pub range: (i32, i32),
    field: fn(&mut Selectivity) -> &mut i32,
}

impl SearchParam {
    /// A minimum depth that turns a technique off.
    pub const OFF: i32 = 40;

    /// All parameters.
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
