//! The players of the report of Gifford et al. (2008) on Kalah.

use super::settings::depth_alone;
use super::spec::{Spec, SpecError};
use super::{Minimax, Player};
use mancala::eval::kansas::Heuristics;
use mancala::game::kalah::Kalah;

pub(super) const SETTINGS: &[&str] = &["heuristics", "depth"];

/// The player that sums the heuristics of a specification, without knowledge of the win.
pub(super) fn read(spec: &Spec, _: Kalah) -> Result<Box<dyn Player<Kalah>>, SpecError> {
    let heuristics =
        spec.value("heuristics", |_| true, "h0 or some of h1 to h6, as in h1+h2+h4")?;
    let Some::<Heuristics>(heuristics) = heuristics else {
        let (key, example) = ("heuristics".into(), "h1+h2".into());
        return Err(SpecError::Missing { kind: spec.kind.clone(), key, example });
    };
    let (utility, limits) = (heuristics.utility(), depth_alone(spec)?);
    let seed_value = utility.seed_value();
    Ok(Box::new(Minimax::of(utility.searcher(), seed_value, limits)))
}
