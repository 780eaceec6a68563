//! The laws of phases.

use super::*;
use crate::game::{Fullness, Notated};

laws! {
    /// A unit's weight follows its factors: at a phase it is the one given there, and nowhere beyond its neighbours'.
    #[test]
    fn weights_lie_between_those_of_the_phases(
        layer in any_layer_of::<Ayo>(), output in any_output(), left in 0..=48u32,
    ) {
        let (phases, units) = (layer.phases(), layer.units());
        let weights = &output[..units];
        let at = |phase: usize, unit: usize| {
            let factor = i32::from(phases.factors()[phase * units + unit]);
            i32::from(weights[unit]) * factor / i32::from(Phases::WHOLE)
        };
        let fullness = Fullness::new(left, 48);
        let found = phases.weights(weights, fullness);
        let place = left as usize * (phases.count() - 1);
        let (below, above) = (place / 48, place.div_ceil(48));
        for (unit, &weight) in found.iter().enumerate() {
            let ends = [at(below, unit), at(above, unit)];
            let range = ends[0].min(ends[1])..=ends[0].max(ends[1]);
            prop_assert!(range.contains(&weight.into()), "{} {:?}", weight, range);
        }
        let other: Vec<i16> = weights.iter().map(|weight| -weight).collect();
        let turned: Vec<i16> = found.iter().map(|weight| -weight).collect();
        prop_assert_eq!(phases.weights(&other, fullness), turned);
    }

    #[test]
    fn boards_are_as_full_as_their_seeds_tell(
        position in any_position(), (game, other) in any_kalah_position(),
    ) {
        let on_board = |rows: [Vec<u16>; 2]| rows.concat().iter().sum::<u16>() as usize;
        let rows = Ayo::default().rows(&position);
        prop_assert_eq!(Ayo::fullness(&position).parts(), on_board(rows));
        let stored: usize = Side::BOTH.map(|side| game.store(&other, side).into()).iter().sum();
        let left = on_board(game.rows(&other));
        prop_assert_eq!(Kalah::fullness(&other).parts(), 48 * left / (left + stored).max(1));
    }
}

#[test]
fn layers_of_one_phase_are_kept_as_ever_and_others_apart() {
    let layer = Layer::new(GameKind::Ayo, 8, vec![-1; 4752], vec![255; 8]).unwrap();
    let single = layer.clone().with_phases(Phases::single(8)).unwrap();
    assert_eq!((single.hash(), single.encode()), (layer.hash(), layer.encode()));
    let two = Phases::new(8, [[-256; 8], [256; 8]].concat()).unwrap();
    let phased = layer.clone().with_phases(two).unwrap();
    assert!(phased != layer && phased.hash() != layer.hash());
    assert_eq!(phased.phases().weights(&[10, -3], Fullness::new(0, 48)), [-10, 3]);
    assert_eq!(phased.phases().weights(&[10, -3], Fullness::new(24, 48)), [0, 0]);
    assert_eq!(phased.phases().weights(&[10, -3], Fullness::new(36, 48)), [5, -1]);
    assert_eq!(layer.phases().weights(&[10, -3], Fullness::new(36, 48)), [10, -3]);
}

#[test]
fn what_are_no_phases_is_refused_in_a_sentence() {
    let said = |factors: Vec<i16>| Phases::new(8, factors).unwrap_err().to_string();
    assert_eq!(said(vec![0; 12]), "has 12 factors, not 8 for each of 1 to 8 phases");
    assert_eq!(said(vec![]), "has 0 factors, not 8 for each of 1 to 8 phases");
    assert_eq!(said(vec![0; 72]), "has 72 factors, not 8 for each of 1 to 8 phases");
    assert_eq!(said(vec![1; 8]), "has a single phase with factors that are not 1");
    let mut large = vec![256; 16];
    large[9] = -257;
    assert_eq!(said(large), "has a factor of unit 2 that is -257, outside -256 to 256");
    let layer = Layer::new(GameKind::Ayo, 8, vec![0; 4752], vec![0; 8]).unwrap();
    let other = layer.with_phases(Phases::single(16)).unwrap_err();
    assert_eq!(other.to_string(), "has 16 factors, not 8 for each of 1 to 8 phases");
}
