//! A layer as source code: its numbers, and a plain function that values a position by them.

use std::fmt::{Display, Write};

use crate::eval::{Layer, Weights};
use crate::game::GameKind;

/// The arrays and the function in Rust, of weights of units alone.
pub(super) fn rust(weights: &Weights) -> String {
    let Some((layer, output)) = of_units(weights) else { return String::new() };
    let (units, rows) = (layer.units(), layer.rows().len() / layer.units());
    let lists: String =
        layer.rows().chunks(units).map(|row| format!("    [{}],\n", list(row))).collect();
    let function = match layer.game() {
        GameKind::Ayo => include_str!("ayo.rs.in"),
        GameKind::Kalah => include_str!("kalah.rs.in"),
    };
    format!(
        "\n/// Units of the layer {}.\npub const UNITS: usize = {units};\n\n\
         /// What a unit weighs.\npub const OUTPUT: [i32; UNITS] = [{}];\n\n\
         /// In 1/255.\npub const BIAS: [i16; UNITS] = [{}];\n\n\
         /// In 1/255, what each input adds to the units.\n\
         pub static ROWS: [[i16; UNITS]; {rows}] = [\n{lists}];\n{function}",
        layer.hash(),
        list(&output),
        list(layer.bias()),
    )
}

/// The same in C.
pub(super) fn c(weights: &Weights) -> String {
    let Some((layer, output)) = of_units(weights) else { return String::new() };
    let (units, rows) = (layer.units(), layer.rows().len() / layer.units());
    let lists: String =
        layer.rows().chunks(units).map(|row| format!("    {{{}}},\n", list(row))).collect();
    let function = match layer.game() {
        GameKind::Ayo => include_str!("ayo.c.in"),
        GameKind::Kalah => include_str!("kalah.c.in"),
    };
    format!(
        "\n/* Units of the layer {}. */\n#define AYO_UNITS {units}\n\n\
         /* What a unit weighs. */\nstatic const int AYO_OUTPUT[AYO_UNITS] = {{{}}};\n\n\
         /* In 1/255. */\nstatic const short AYO_BIAS[AYO_UNITS] = {{{}}};\n\n\
         /* In 1/255, what each input adds to the units. */\n\
         static const short AYO_ROWS[{rows}][AYO_UNITS] = {{\n{lists}}};\n{function}",
        layer.hash(),
        list(&output),
        list(layer.bias()),
    )
}

/// The layer and the weight of each of its units, if nothing else is weighed.
fn of_units(weights: &Weights) -> Option<(&Layer, Vec<i16>)> {
    let layer = weights.features().layer()?;
    if weights.features().features().iter().any(|feature| !feature.is_unit()) {
        return None;
    }
    let mut output = weights.units().map_or_else(Vec::new, |(_, units)| units);
    output.resize(layer.units(), 0);
    Some((layer, output))
}

fn list(numbers: &[impl Display]) -> String {
    let mut text = String::new();
    for (index, number) in numbers.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{number}");
    }
    text
}
