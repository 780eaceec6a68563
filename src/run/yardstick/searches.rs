//! The opponents of evolved searches.

use evolution::arena::Contender;
use evolution::player::PANEL_SIZE;
use mancala::eval::{FeatureSet, Signs, Weights};
use mancala::game::Dial;
use mancala::search::engine::Selection;
use mancala::search::{Limits, Options};

/// An opponent as a player specification, its search, and by how much its positions and those of the measured
/// search are multiplied.
const OPPONENTS: [(&str, Selection, u64, u64); PANEL_SIZE] = [
    ("", Selection::PROVEN, 1, 1),
    (",cut_from=40", Selection { cut_from: Dial::NEVER, ..Selection::PROVEN }, 1, 1),
    ("", Selection::PROVEN, 2, 1),
    ("", Selection::PROVEN, 4, 4),
];

/// The settings by hand with as many positions as the measured search may enter, the same without cuts, twice the
/// positions, and four times those on both sides: a name, the limits of the measured search, and the player.
pub(super) fn opponents(limits: Limits) -> [(String, Limits, Contender); PANEL_SIZE] {
    let times = |by| Limits { nodes: limits.nodes.map(|nodes| by * nodes), ..limits };
    OPPONENTS.map(|(setting, selection, by, own)| {
        let player = Contender::new(&weights(selection), times(by), Options::default());
        let at = if own == 1 { String::new() } else { format!(" at {}", times(own)) };
        let said = times(by).to_string().replace(' ', "=");
        (
            format!("engine:weights=learned,{said},hash=1,tables=off{setting}{at}"),
            times(own),
            player,
        )
    })
}

/// The weights of all dials that leave a search as it is.
fn weights(selection: Selection) -> Weights {
    let features: FeatureSet = "search".parse().expect("a set");
    let values = Dial::ALL.map(|dial| i64::from(dial.weight(selection.get(dial))));
    Weights::new("", features, &values, Signs::Literal).expect("a weight for each dial")
}

#[cfg(test)]
mod tests {
    use evolution::player::{Engine, Player, build};
    use mancala::game::ayo::Ayo;

    use super::*;

    #[test]
    fn opponents_are_what_their_names_say() {
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        for (name, own, player) in opponents(limits) {
            let Contender::Weights { weights, limits, .. } = player else { panic!("{player:?}") };
            let player = Engine::<Ayo>::of_dials(&weights.weights(), limits);
            let spec = name.split(" at ").next().unwrap();
            assert_eq!(build(spec).unwrap().identity(), player.identity());
            assert_eq!(name.contains(" at nodes 1200"), own.nodes == Some(1200));
        }
    }
}
