//! Evaluates layers with vector instructions. Uses AVX-512 with VNNI if the processor has it, and otherwise AVX2.
//!
//! A layer's rows are stored in tables of [`Line`]s of 32 units. [`Layer`] guarantees that the sum of the active rows
//! and the bias fits in 16 bits. In the last line, unused units and neurons are zero, and so are their weights.

// Unsafe code is needed to read tables without bounds checks, and to call vector code after checking for support.
#![allow(unsafe_code)]

mod ayo;
mod lanes;

use std::arch::x86_64::{__m256i, __m512i};
use std::sync::Arc;

use self::lanes::Lanes;
use super::layer::Layer;
use super::second::SecondLayer;
use crate::game::ayo::vector::is_available;
use crate::game::{Encoded, GameKind, MAX_GROUPS, Material};

const UNITS: usize = 32;
/// The number of second-layer neurons in a group. The values of a group fill a line.
const NEURONS: usize = 16;

/// A cache line: 32 units or their weights, 16 neurons or their weights, or 64 weights in a second layer.
#[repr(C, align(64))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line([i16; UNITS]);

const ZERO: Line = Line([0; UNITS]);

impl Line {
    fn of_bytes(byte: impl Fn(usize) -> u8) -> Line {
        Line(std::array::from_fn(|pair| i16::from_le_bytes([byte(2 * pair), byte(2 * pair + 1)])))
    }

    fn of_neurons(neuron: impl Fn(usize) -> i32) -> Line {
        Line::of_bytes(|byte| neuron(byte / 4).to_le_bytes()[byte % 4])
    }
}

/// The rows of a layer, or sums of them.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    /// The number of lines per row (1, 2, 4 or 8).
    width: usize,
    rows: Vec<Line>,
}

impl Tables {
    /// Arranges a layer's rows for its game's vector code. Returns `None` if the processor lacks the instructions.
    pub(super) fn new(layer: &Layer) -> Option<Tables> {
        let width = layer.units().div_ceil(UNITS).next_power_of_two();
        let mut tables = is_available().then_some(Tables { width, rows: Vec::new() })?;
        match layer.game() {
            GameKind::Ayo => tables.push_sums(layer),
            GameKind::Kalah => {
                layer.rows().chunks_exact(layer.units()).for_each(|row| tables.push(&[row]));
                tables.push(&[layer.bias()]);
            }
        }
        Some(tables)
    }

    /// Appends a row that is the sum of the given layer rows.
    fn push(&mut self, rows: &[&[i16]]) {
        let sum = |unit: usize| rows.iter().filter_map(|row| row.get(unit)).sum();
        let line = |line: usize| Line(std::array::from_fn(|unit| sum(line * UNITS + unit)));
        self.rows.extend((0..self.width).map(line));
    }
}

/// A layer and its output weights. This can be created only if the processor has the vector instructions.
#[derive(Debug, Clone)]
pub struct Head {
    tables: Arc<Tables>,
    /// Output weights for each value of [`Material`], first for the units, and then for each group of neurons.
    weights: Arc<[Line]>,
    /// Biases of the second layer's neurons, followed by the weights of their inputs.
    second: Arc<[Line]>,
    kernel: Kernel,
}

/// A function that adds up the active rows and one more row, and returns the weighted sum of the outputs. In kalah, the
/// additional row is the bias. In ayo, it is the row for the stores, which a leaf without a capture can reuse from its
/// parent. For safety, see [`Head::weighed`].
type Kernel = unsafe fn(&Head, &[u16], u16, Material) -> i64;

impl Head {
    /// Creates a head from one weight per output. Returns `None` if the processor doesn't have the vector instructions.
    pub(super) fn new(layer: &Layer, weights: &[i16]) -> Option<Head> {
        Head::with(layer, weights, has_avx512())
    }

    /// Like [`new`](Self::new), but uses AVX-512 if `has_avx512` is set, and otherwise AVX2.
    pub(super) fn with(layer: &Layer, weights: &[i16], has_avx512: bool) -> Option<Head> {
        let tables = Arc::clone(layer.tables.as_ref()?);
        let (units, width) = (layer.units(), tables.width);
        let groups = (layer.outputs() - units).div_ceil(NEURONS);
        let mut lines = Vec::with_capacity((width + groups) * Material::COUNT);
        for material in Material::all() {
            let all = layer.phases().weights(weights, material);
            let (of_units, of_neurons) = all.split_at(units);
            let unit = |unit: usize| of_units.get(unit).copied().unwrap_or(0);
            let line = |line| Line(std::array::from_fn(|lane| unit(UNITS * line + lane)));
            lines.extend((0..width).map(line));
            let neuron = |neuron: usize| of_neurons.get(neuron).map_or(0, |&it| it.into());
            let line = |group| Line::of_neurons(|nth| neuron(NEURONS * group + nth));
            lines.extend((0..groups).map(line));
        }
        let second = layer.second_layer().map_or_else(Vec::new, |it| second_lines(it, width));
        let kernel = match width {
            1 => kernel::<1, 1>(groups, has_avx512),
            2 => kernel::<2, 2>(groups, has_avx512),
            4 => kernel::<4, 4>(groups, has_avx512),
            _ => kernel::<8, 4>(groups, has_avx512),
        };
        Some(Head { tables, weights: lines.into(), second: second.into(), kernel })
    }

    /// Adds up the active rows and returns the weighted sum of the outputs for the side to move.
    #[inline]
    pub(super) fn sum<G: Encoded>(&self, position: &G::Position) -> i64 {
        let mut rows = [0; MAX_GROUPS];
        let count = G::active(position, &mut rows);
        let active = &rows[..count];
        // The last row is the bias.
        let bias = (self.tables.rows.len() >> self.tables.width.trailing_zeros()) as u16 - 1;
        assert!(active.iter().all(|&row| row < bias), "an active row is outside the layer");
        // SAFETY: the rows are in bounds, and the kernel was chosen for this layer and processor.
        unsafe { (self.kernel)(self, active, bias, G::material(position)) }
    }

    /// Returns the outputs' weighted sum. There are L lines per row (C at a time in registers) and G groups of neurons.
    ///
    /// # Safety
    /// The layer must have these sizes and contain these rows, and the processor must support `V`'s instructions.
    #[inline(always)]
    unsafe fn weighed<V: Lanes, const L: usize, const C: usize, const G: usize>(
        &self,
        active: &[u16],
        other: u16,
        material: Material,
    ) -> i64 {
        // SAFETY: guaranteed by the caller. `Head::with` creates L + G lines of weights for each material value.
        unsafe {
            let rows = self.tables.rows.as_ptr();
            let weights = self.weights.as_ptr().add(material.parts() * (L + G));
            let mut second = self.second.as_ptr();
            let zero = V::load(&ZERO);
            let mut total = zero;
            let mut parts = [[zero; 4]; G];
            for part in parts.as_flattened_mut() {
                *part = V::load(second);
                second = second.add(1);
            }
            for first in (0..L).step_by(C) {
                let mut units = [zero; C];
                let row = rows.add(usize::from(other) * L + first);
                for (nth, sum) in units.iter_mut().enumerate() {
                    *sum = V::load(row.add(nth));
                }
                for &row in active {
                    let row = rows.add(usize::from(row) * L + first);
                    for (nth, sum) in units.iter_mut().enumerate() {
                        *sum = sum.add(V::load(row.add(nth)));
                    }
                }
                for (nth, sum) in units.iter_mut().enumerate() {
                    *sum = sum.units();
                    total = total.add_weighed(*sum, V::load(weights.add(first + nth)));
                }
                for pair in units.chunks(2) {
                    for bytes in pair[0].quarters(pair.get(1).copied().unwrap_or(zero)) {
                        for part in parts.as_flattened_mut() {
                            *part = part.add_products(bytes, V::load(second));
                            second = second.add(1);
                        }
                    }
                }
            }
            for (group, parts) in parts.into_iter().enumerate() {
                total = total.add_weighed(V::neurons(parts), V::load(weights.add(L + group)));
            }
            total.sum()
        }
    }
}

/// Returns the lines of a second layer in the order in which [`Head::weighed`] reads them.
fn second_lines(second: &SecondLayer, width: usize) -> Vec<Line> {
    let (units, neurons) = (second.units(), second.neurons());
    let weight = |neuron: usize, unit: usize| match neuron < neurons && unit < units {
        true => second.weights()[neuron * units + unit] as u8,
        false => 0,
    };
    let step = 4 * neurons.div_ceil(NEURONS);
    let line = |line: usize| {
        // Each line contains the biases or weights of four neurons.
        let first = 4 * (line % step);
        let bias = |nth: usize| second.bias().get(first + nth).copied().unwrap_or(0);
        match (line / step).checked_sub(1) {
            None => Line::of_neurons(|nth| if nth < 4 { bias(nth) } else { 0 }),
            Some(quarter) => Line::of_bytes(|byte| {
                // See `Lanes::quarters` for the order of the units.
                let (part, place) = (byte / 16, quarter % 4 * 4 + byte % 4);
                let unit = UNITS * (quarter / 4 * 2 + place / 8) + 8 * part + place % 8;
                weight(first + byte % 16 / 4, unit)
            }),
        }
    };
    (0..step * (1 + 4 * width.div_ceil(2))).map(line).collect()
}

fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni")
}

fn kernel<const L: usize, const C: usize>(groups: usize, has_avx512: bool) -> Kernel {
    match (groups, has_avx512) {
        (0, false) => avx2::<L, C, 0>,
        (1, false) => avx2::<L, C, 1>,
        (_, false) => avx2::<L, C, 2>,
        (0, true) => avx512::<L, C, 0>,
        (1, true) => avx512::<L, C, 1>,
        (_, true) => avx512::<L, C, 2>,
    }
}

#[target_feature(enable = "avx2")]
unsafe fn avx2<const L: usize, const C: usize, const G: usize>(
    head: &Head,
    active: &[u16],
    other: u16,
    material: Material,
) -> i64 {
    // SAFETY: guaranteed by the caller.
    unsafe { head.weighed::<[__m256i; 2], L, C, G>(active, other, material) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
unsafe fn avx512<const L: usize, const C: usize, const G: usize>(
    head: &Head,
    active: &[u16],
    other: u16,
    material: Material,
) -> i64 {
    // SAFETY: guaranteed by the caller.
    unsafe { head.weighed::<__m512i, L, C, G>(active, other, material) }
}
