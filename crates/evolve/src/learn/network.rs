//! A network with groups of inputs, one or two hidden layers and one output. At most one input per group is active.
//!
//! A *unit* is a neuron in the first layer. It adds its bias to the sum of its weights for the active inputs, clamps
//! the result to between 0 and 1, and squares it. A neuron in the second layer adds its bias to a weighted sum of the
//! units' values, and clamps the result in the same way. The output is a weighted sum of the values of all neurons,
//! where the weights depend on the phase of the game. It predicts the log odds that the side to move wins.
//!
//! The result doesn't depend on the number of threads: we first compute the values of the neurons for each example, and
//! then sum the gradient of each group of parameters over the examples, always in the same order.

use std::sync::Mutex;

use mancala::eval::{Layer, ONE, SecondLayer, Taper, UNIT_MAX, Weights};
use mancala::game::{GameKind, Material};
use mancala::random::{Purpose, normal, stream};

use super::adam::{Adam, Step};
use super::positions::Encoding;
use super::team::Team;
use super::vectors::with_vectors;

/// The number of floats per block. It determines the order of summation, so it must be the same on every processor.
const LANES: usize = 16;
/// The number of examples per task.
const CHUNK: usize = 32;
const INPUT_SPREAD: f64 = 0.08;
/// The initial bias of neurons, chosen so that their sums aren't clamped at first.
const INITIAL_BIAS: f32 = 0.3;
/// The standard deviation of the initial output weights. With `n` units, it's multiplied by √(16 / n) for the units.
const OUTPUT_SPREAD: f64 = 0.5;
/// The limit on input weights and biases. It ensures that the rounded sums of a layer fit into sixteen bits.
const MAX_INPUT_WEIGHT: f32 = 5.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) units: usize,
    pub(super) neurons: usize,
    pub(super) phases: usize,
}

impl Shape {
    /// Returns the number of units, rounded up to a multiple of the block size. The padding stays zero.
    fn width(self) -> usize {
        self.units.next_multiple_of(LANES)
    }

    /// Returns the number of neurons in both layers. Each layer is rounded up to a multiple of the block size.
    fn outputs(self) -> usize {
        self.width() + self.neurons.next_multiple_of(LANES)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Network {
    shape: Shape,
    encoding: Encoding,
    /// The groups of parameters: one for each group of inputs (with a row of weights per input), one for the biases of
    /// units, one for the output weights (with a row per phase), and one per second-layer neuron (weights, then bias).
    groups: Vec<Group>,
}

#[derive(Debug, Clone)]
struct Group {
    kind: Kind,
    adam: Adam,
    gradient: Vec<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Inputs(usize),
    Bias,
    Outputs,
    /// The weights and the bias of a second-layer neuron.
    Neuron(usize),
}

/// Buffers for the examples of a step. They are reused in the next step.
#[derive(Debug, Default)]
pub(super) struct Batch {
    inputs: Vec<u8>,
    results: Vec<ExampleResult>,
    /// For each example, the values of all neurons, followed by the derivatives of the loss with respect to their sums.
    neurons: Vec<f32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ExampleResult {
    /// The derivative of the loss with respect to the output.
    error: f32,
    loss: f64,
}

type Block = [f32; LANES];

#[inline(always)]
fn blocks(list: &[f32]) -> &[Block] {
    list.as_chunks().0
}

#[inline(always)]
fn blocks_mut(list: &mut [f32]) -> &mut [Block] {
    list.as_chunks_mut().0
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // Iterators are not always inlined into vectorised code.
fn lanes(f: impl Fn(usize) -> f32) -> Block {
    let mut block = [0.0; LANES];
    for lane in 0..LANES {
        block[lane] = f(lane);
    }
    block
}

#[inline(always)]
fn add_scaled(sums: &mut [f32], factor: f32, others: &[f32]) {
    let (sums, others) = (blocks_mut(sums), blocks(others));
    for block in 0..sums.len().min(others.len()) {
        let (sum, other) = (&mut sums[block], &others[block]);
        *sum = lanes(|lane| sum[lane] + factor * other[lane]);
    }
}

/// Computes a dot product. We first sum the products in each lane over all blocks, and then add up the lanes.
#[inline(always)]
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (one, other) = (blocks(one), blocks(other));
    let mut sums = [0.0; LANES];
    for block in 0..one.len().min(other.len()) {
        sums = lanes(|lane| sums[lane] + one[block][lane] * other[block][lane]);
    }
    let mut count = LANES;
    while count > 1 {
        count /= 2;
        for lane in 0..count {
            sums[lane] += sums[lane + count];
        }
    }
    sums[0]
}

/// Returns whether `sum` is strictly within the range that it is clamped to.
#[inline(always)]
fn is_inside(sum: f32) -> bool {
    sum > 0.0 && sum < 1.0
}

impl Network {
    /// Creates a network in which all parameters are 0, and calls `fill` to initialise each group of parameters.
    fn new(shape: Shape, encoding: &Encoding, mut fill: impl FnMut(Kind, &mut [f32])) -> Network {
        let (width, outputs) = (shape.width(), shape.outputs());
        let inputs =
            encoding.sizes().enumerate().map(|(group, rows)| (Kind::Inputs(group), rows * width));
        let rest = [(Kind::Bias, width), (Kind::Outputs, shape.phases * outputs)];
        let neurons = (0..shape.neurons).map(|neuron| (Kind::Neuron(neuron), width + 1));
        let groups = inputs.chain(rest).chain(neurons).map(|(kind, count)| {
            let mut parameters = vec![0.0; count];
            fill(kind, &mut parameters);
            Group { kind, adam: Adam::new(parameters), gradient: vec![0.0; count] }
        });
        Network { shape, encoding: encoding.clone(), groups: groups.collect() }
    }

    pub(super) fn random(shape: Shape, encoding: &Encoding, seed: u64, iteration: u32) -> Network {
        let mut rng = stream(seed, Purpose::Layer, iteration.into(), 0);
        let mut draw = |spread: f64| (spread * normal(&mut rng)) as f32;
        let Shape { units, neurons, phases } = shape;
        let (width, outputs) = (shape.width(), shape.outputs());
        Network::new(shape, encoding, |kind, parameters| {
            match kind {
                // The weights of a pair of pits are corrections to the weights of the two pits, so they start at 0.
                Kind::Inputs(group) if encoding.is_pair(group) => {}
                Kind::Inputs(_) => {
                    for row in parameters.chunks_exact_mut(width) {
                        row[..units].fill_with(|| draw(INPUT_SPREAD));
                    }
                }
                Kind::Bias => parameters[..units].fill(INITIAL_BIAS),
                Kind::Outputs => {
                    let spread = OUTPUT_SPREAD * (16.0 / units as f64).sqrt();
                    parameters[..units].fill_with(|| draw(spread));
                    parameters[width..width + neurons].fill_with(|| draw(OUTPUT_SPREAD));
                    for phase in 1..phases {
                        parameters.copy_within(..outputs, phase * outputs);
                    }
                }
                Kind::Neuron(_) => {
                    let spread = 1.0 / (units as f64).sqrt();
                    parameters[..units].fill_with(|| draw(spread));
                    parameters[width] = INITIAL_BIAS;
                }
            }
        })
    }

    /// Converts an evaluator to a network. A score multiplied by `scale` gives the log odds. Returns `None` if the
    /// scale is not positive, or if the evaluator's hidden neurons do not have this shape.
    pub(super) fn of(
        shape: Shape,
        encoding: &Encoding,
        weights: &Weights,
        scale: f64,
    ) -> Option<Network> {
        let layer = weights.features().layer()?;
        let features = weights.features().features().iter().zip(weights.effective());
        let genes: Vec<i32> =
            features.filter(|(it, _)| it.is_hidden_neuron()).map(|(_, weight)| weight).collect();
        let found = Shape {
            units: layer.units(),
            neurons: layer.second_layer().map_or(0, SecondLayer::neurons),
            phases: layer.phases().count(),
        };
        if found != shape || scale <= 0.0 {
            return None;
        }
        let Shape { units, .. } = shape;
        let (width, outputs) = (shape.width(), shape.outputs());
        let mut rows = layer.rows().chunks_exact(units);
        let of_one = |number: i16| f32::from(number) / ONE as f32;
        Some(Network::new(shape, encoding, |kind, parameters| match kind {
            Kind::Inputs(_) => {
                for (row, numbers) in parameters.chunks_exact_mut(width).zip(&mut rows) {
                    row.iter_mut().zip(numbers).for_each(|(it, &number)| *it = of_one(number));
                }
            }
            Kind::Bias => {
                parameters.iter_mut().zip(layer.bias()).for_each(|(it, &n)| *it = of_one(n));
            }
            Kind::Outputs => {
                let of_unit = scale * f64::from(UNIT_MAX);
                let factors = layer.phases().factors().chunks_exact(genes.len());
                for (row, factors) in parameters.chunks_exact_mut(outputs).zip(factors) {
                    let weights = genes.iter().zip(factors).map(|(&gene, &factor)| {
                        let factor = f32::from(factor) / f32::from(Taper::ONE);
                        factor * (of_unit * f64::from(gene)) as f32
                    });
                    let places = (0..units).chain(width..);
                    places.zip(weights).for_each(|(place, weight)| row[place] = weight);
                }
            }
            Kind::Neuron(neuron) => {
                let second = layer.second_layer().expect("a layer with second-layer neurons");
                let numbers = second.weights()[neuron * units..].iter();
                for (parameter, &number) in parameters[..units].iter_mut().zip(numbers) {
                    *parameter = f32::from(number) / SecondLayer::ONE as f32;
                }
                parameters[width] = second.bias()[neuron] as f32 / SecondLayer::SUM_ONE as f32;
            }
        }))
    }

    fn parameters(&self, kind: Kind) -> &[f32] {
        let inputs = self.groups.len() - 2 - self.shape.neurons;
        let index = match kind {
            Kind::Inputs(group) => group,
            Kind::Bias => inputs,
            Kind::Outputs => inputs + 1,
            Kind::Neuron(neuron) => inputs + 2 + neuron,
        };
        &self.groups[index].adam.parameters
    }

    /// Quantises the network to a layer. Also returns each neuron's largest output weight (by magnitude) in any phase.
    pub(super) fn quantised(&self, game: GameKind) -> (Layer, Vec<f32>) {
        let (Shape { units, neurons, .. }, width) = (self.shape, self.shape.width());
        let inputs = self.groups.iter().filter(|group| matches!(group.kind, Kind::Inputs(_)));
        let rows = inputs.flat_map(|it| it.adam.parameters.chunks_exact(width));
        let rows: Vec<f32> = rows.flat_map(|row| &row[..units]).copied().collect();
        let mut layer = Layer::quantised(game, units, &rows, &self.parameters(Kind::Bias)[..units])
            .expect("a valid number of units and no NaN");
        if neurons > 0 {
            let of = |neuron| self.parameters(Kind::Neuron(neuron));
            let weights = (0..neurons).flat_map(|neuron| &of(neuron)[..units]).copied();
            let bias: Vec<f32> = (0..neurons).map(|neuron| of(neuron)[width]).collect();
            layer = SecondLayer::quantised(&weights.collect::<Vec<f32>>(), &bias)
                .and_then(|second| layer.with_second_layer(second))
                .expect("a valid number of second-layer neurons and no NaN");
        }
        // Split each neuron's output weights into the largest one and a factor for each phase.
        let rows = self.parameters(Kind::Outputs).chunks_exact(self.shape.outputs());
        let all = rows.flat_map(|row| row[..units].iter().chain(&row[width..width + neurons]));
        let (all, count): (Vec<f32>, _) = (all.copied().collect(), units + neurons);
        let larger = |most: f32, next: &f32| if next.abs() > most.abs() { *next } else { most };
        let largest = |neuron| all.iter().skip(neuron).step_by(count).fold(0.0, larger);
        let outputs: Vec<f32> = (0..count).map(largest).collect();
        let factor = |(place, weight): (usize, &f32)| match outputs[place % count] {
            0.0 => Taper::ONE,
            largest => (weight / largest * f32::from(Taper::ONE)).round() as i16,
        };
        let factors = all.iter().enumerate().map(factor).collect();
        let taper = Taper::new(count, factors).expect("factors are at most 1");
        (layer.with_phases(taper).expect("phases for the layer's neurons"), outputs)
    }

    pub(super) fn state(&self) -> Vec<&Adam> {
        self.groups.iter().map(|group| &group.adam).collect()
    }

    /// Restores a [state](Self::state). Returns `false` if the state is for a network with a different shape.
    pub(super) fn restore(&mut self, state: Vec<Adam>) -> bool {
        let fits = self.state().into_iter().map(Adam::sizes).eq(state.iter().map(Adam::sizes));
        if fits {
            self.groups.iter_mut().zip(state).for_each(|(group, adam)| group.adam = adam);
        }
        fits
    }

    /// Takes one training step. `example` returns a packed position and the probability of winning that the network
    /// should predict. Returns the sum of the cross-entropies of all examples.
    pub(super) fn train<'a>(
        &mut self,
        examples: usize,
        example: &(impl Fn(usize) -> (&'a [u8], f32) + Sync),
        batch: &mut Batch,
        step: Step,
        team: &mut Team,
    ) -> f64 {
        let (stride, bytes) = (2 * self.shape.outputs(), self.encoding.bytes());
        batch.results.resize(examples, ExampleResult::default());
        batch.neurons.resize(examples * stride, 0.0);
        batch.inputs.resize(examples * bytes, 0);
        let network = &*self;
        let chunks = batch.results.chunks_mut(CHUNK);
        let chunks = chunks
            .zip(batch.neurons.chunks_mut(CHUNK * stride))
            .zip(batch.inputs.chunks_mut(CHUNK * bytes));
        let chunks: Vec<_> = chunks.map(Mutex::new).collect();
        team.for_each(chunks.len(), &|chunk| {
            let ((results, neurons), inputs) = &mut *chunks[chunk].lock().expect("used once");
            let mut targets = [0.0; CHUNK];
            for (nth, copy) in inputs.chunks_exact_mut(bytes).enumerate() {
                let (input, target) = example(chunk * CHUNK + nth);
                copy.copy_from_slice(input);
                targets[nth] = target;
            }
            with_vectors(|| {
                let outputs = results.iter_mut().zip(neurons.chunks_exact_mut(stride));
                let examples = inputs.chunks_exact(bytes).zip(&targets);
                for ((result, neurons), (input, &target)) in outputs.zip(examples) {
                    *result = network.example(input, target, neurons);
                }
            });
        });
        drop(chunks);
        let (shape, encoding, batch) = (self.shape, &self.encoding, &*batch);
        let groups: Vec<_> = self.groups.iter_mut().map(Mutex::new).collect();
        team.for_each(groups.len(), &|group| {
            let mut group = groups[group].lock().expect("used once");
            with_vectors(|| group.step(shape, encoding, batch, step));
        });
        batch.results.iter().map(|result| result.loss).sum()
    }

    /// Evaluates an example, and fills `neurons` as described in [`Batch`].
    #[inline(always)]
    fn example(&self, input: &[u8], target: f32, neurons: &mut [f32]) -> ExampleResult {
        let (width, outputs) = (self.shape.width(), self.shape.outputs());
        let (values, slopes) = neurons.split_at_mut(outputs);
        let (rows, material) = self.encoding.unpack(input);
        let mut active: [&[f32]; mancala::game::MAX_GROUPS + 1] = [&[]; _];
        active[0] = self.parameters(Kind::Bias);
        let mut count = 1;
        for (group, row) in self.groups.iter().zip(rows) {
            if let Some(row) = row {
                active[count] = &group.adam.parameters[row * width..][..width];
                count += 1;
            }
        }
        // `slopes` contains the sums of the units until we replace them with derivatives.
        let (sums, units) = (blocks_mut(&mut slopes[..width]), blocks_mut(&mut values[..width]));
        for block in 0..sums.len() {
            let mut sum = [0.0; LANES];
            for row in &active[..count] {
                let weights = &blocks(row)[block];
                sum = lanes(|lane| sum[lane] + weights[lane]);
            }
            sums[block] = sum;
            units[block] = lanes(|lane| sum[lane].clamp(0.0, 1.0) * sum[lane].clamp(0.0, 1.0));
        }
        let (units, second) = values.split_at_mut(width);
        for neuron in 0..self.shape.neurons {
            let parameters = self.parameters(Kind::Neuron(neuron));
            let sum = dot(units, parameters) + parameters[width];
            second[neuron] = sum.clamp(0.0, 1.0);
            slopes[width + neuron] = sum;
        }
        let mut weights = [0.0; MAX_OUTPUTS];
        let weights = &mut weights[..outputs];
        for (phase, part) in mixture(self.shape, material) {
            add_scaled(
                weights,
                part,
                &self.parameters(Kind::Outputs)[phase * outputs..][..outputs],
            );
        }
        let output = dot(values, weights);
        let (predicted, loss) = logistic_loss(output, target);
        let error = predicted - target;
        for neuron in 0..self.shape.neurons {
            let slope = &mut slopes[width + neuron];
            *slope = if is_inside(*slope) { error * weights[width + neuron] } else { 0.0 };
        }
        let backs = blocks_mut(&mut weights[..width]);
        for back in &mut *backs {
            *back = lanes(|lane| error * back[lane]);
        }
        for neuron in 0..self.shape.neurons {
            if slopes[width + neuron] != 0.0 {
                let inner = &self.parameters(Kind::Neuron(neuron))[..width];
                add_scaled(&mut weights[..width], slopes[width + neuron], inner);
            }
        }
        let (slopes, backs) = (blocks_mut(&mut slopes[..width]), blocks(&weights[..width]));
        for block in 0..backs.len() {
            let (sum, back) = (slopes[block], &backs[block]);
            let inner =
                |lane: usize| if is_inside(sum[lane]) { 2.0 * sum[lane] * back[lane] } else { 0.0 };
            slopes[block] = lanes(inner);
        }
        ExampleResult { error, loss }
    }
}

/// The maximum number of neurons in both layers, including padding.
const MAX_OUTPUTS: usize = 256 + 32;

impl Group {
    /// Sums the gradients over the examples in order, then takes a training step.
    #[inline(always)]
    fn step(&mut self, shape: Shape, encoding: &Encoding, batch: &Batch, step: Step) {
        let (width, outputs) = (shape.width(), shape.outputs());
        let bytes = encoding.bytes();
        let gradient = &mut self.gradient[..];
        let neurons = batch.neurons.chunks_exact(2 * outputs);
        let examples = neurons.zip(batch.inputs.chunks_exact(bytes)).zip(&batch.results);
        let mut step = step;
        match self.kind {
            Kind::Inputs(group) => {
                let rows = gradient.len() / width;
                for ((neurons, input), _) in examples {
                    let row = usize::from(input[group]);
                    if row < rows {
                        add_scaled(
                            &mut gradient[row * width..][..width],
                            1.0,
                            &neurons[outputs..][..width],
                        );
                    }
                }
                step.limit = MAX_INPUT_WEIGHT;
            }
            Kind::Bias => {
                for ((neurons, _), _) in examples {
                    add_scaled(gradient, 1.0, &neurons[outputs..][..width]);
                }
                step.limit = MAX_INPUT_WEIGHT;
            }
            Kind::Outputs => {
                for ((neurons, input), result) in examples {
                    let (_, material) = encoding.unpack(input);
                    for (phase, part) in mixture(shape, material) {
                        let slopes = &mut gradient[phase * outputs..][..outputs];
                        add_scaled(slopes, part * result.error, &neurons[..outputs]);
                    }
                }
            }
            Kind::Neuron(neuron) => {
                for ((neurons, _), _) in examples {
                    let slope = neurons[outputs + width + neuron];
                    if slope != 0.0 {
                        add_scaled(&mut gradient[..width], slope, &neurons[..width]);
                        gradient[width] += slope;
                    }
                }
                step.limit = SecondLayer::MAX_WEIGHT;
            }
        }
        self.adam.step(gradient, step);
    }
}

/// Returns the two phases whose output weights we interpolate between, along with the weight of each phase.
#[inline(always)]
fn mixture(shape: Shape, material: Material) -> [(usize, f32); 2] {
    Taper::interpolation(shape.phases, material)
        .map(|(phase, parts)| (phase, f32::from(parts) / f32::from(Material::PARTS)))
}

/// Converts log odds to a probability. Also returns the cross-entropy between this probability and the target.
#[inline(always)]
fn logistic_loss(output: f32, target: f32) -> (f32, f64) {
    let (output, target) = (f64::from(output), f64::from(target));
    let small = libm::exp(-output.abs());
    let larger = 1.0 / (1.0 + small);
    let predicted = if output >= 0.0 { larger } else { 1.0 - larger };
    let loss = output.max(0.0) - output * target + libm::log1p(small);
    (predicted as f32, loss)
}

#[cfg(test)]
mod tests {
    use mancala::eval::{FeatureSet, Signs};
    use mancala::game::ayo::Ayo;
    use mancala::game::{Game, Side};

    use super::super::positions::{Label, Positions};
    use super::*;

    /// Returns positions from a game in which both sides always play their first legal move.
    fn positions(encoding: &Encoding) -> Positions {
        let game = Ayo::default();
        let mut positions = Positions::default();
        let mut position = game.start(Side::South);
        for _ in 0..20 {
            positions.add::<Ayo>(encoding, &position, Label::Score(0));
            position = game.play(&position, game.moves(&position).next().unwrap());
        }
        positions
    }

    fn train(network: &mut Network, positions: &Positions, step: Step, team: &mut Team) -> f64 {
        let bytes = network.encoding.bytes();
        let example = |nth: usize| (&positions.inputs[nth * bytes..][..bytes], nth as f32 / 20.0);
        network.train(positions.len(), &example, &mut Batch::default(), step, team)
    }

    #[test]
    fn the_gradient_is_the_derivative_of_the_loss() {
        let encoding = Encoding::of(Ayo::default());
        let shape = Shape { units: 8, neurons: 8, phases: 3 };
        let mut network = Network::random(shape, &encoding, 3, 1);
        let positions = positions(&encoding);
        let mut checked = 0;
        Team::with(|team| {
            // With a learning rate of 0, a step doesn't change the parameters.
            let still = Step::new(1, 0.0, 1.0);
            train(&mut network, &positions, still, team);
            let found: Vec<_> = network.groups.iter().map(|group| group.adam.slopes()).collect();
            for group in 0..network.groups.len() {
                let slopes = found[group].iter().enumerate();
                // We check a sample, and only a few of the inputs that don't occur here and so have slope 0.
                let stride = if let Kind::Inputs(_) = network.groups[group].kind { 12 } else { 2 };
                let step = |slope| if slope == 0.0 { 1 + found[group].len() / 64 } else { stride };
                let tested = slopes.filter(|(index, it)| (index + index / 16) % step(**it) == 0);
                for (parameter, found) in tested {
                    let at = network.groups[group].adam.parameters[parameter];
                    let mut loss_at = |value: f32| {
                        network.groups[group].adam.parameters[parameter] = value;
                        train(&mut network, &positions, still, team)
                    };
                    let step = 1e-3;
                    let slope = (loss_at(at + step) - loss_at(at - step)) / f64::from(2.0 * step);
                    network.groups[group].adam.parameters[parameter] = at;
                    let found = f64::from(*found);
                    checked += usize::from(found != 0.0);
                    let is_near = (slope - found).abs() < 0.01 * (1.0 + slope.abs());
                    assert!(is_near, "{group} {parameter}: {slope} {found}");
                }
            }
        });
        assert!(checked > 150, "{checked}");
    }

    #[test]
    fn vectors_change_no_bit() {
        let encoding = Encoding::of(Ayo::default());
        let positions = positions(&encoding);
        for (units, neurons) in [(8, 8), (16, 0), (24, 16), (128, 32)] {
            let shape = Shape { units, neurons, phases: 4 };
            let mut network = Network::random(shape, &encoding, 3, 1);
            let mut buffers = [(); 2].map(|()| vec![0.0; 2 * shape.outputs()]);
            for input in positions.inputs.chunks_exact(encoding.bytes()) {
                let [plain, vectors] = &mut buffers;
                let expected = network.example(input, 0.7, plain);
                let found = with_vectors(|| network.example(input, 0.7, vectors));
                let bits = |it: &ExampleResult| (it.error.to_bits(), it.loss.to_bits());
                assert_eq!(bits(&found), bits(&expected));
                assert!(plain.iter().zip(&*vectors).all(|(a, b)| a.to_bits() == b.to_bits()));
            }
            // Padded units and neurons stay 0.
            let step = Step::new(1, 0.05, 1.0);
            Team::with(|team| train(&mut network, &positions, step, team));
            let bias = network.parameters(Kind::Bias);
            assert!(bias[units..].iter().all(|it| *it == 0.0), "{bias:?}");
        }
    }

    #[test]
    fn weights_convert_back_to_the_network() {
        let encoding = Encoding::of(Ayo::default());
        for (neurons, features) in [(0, "u1..u8"), (16, "u1..u8,v1..v16")] {
            let shape = Shape { units: 8, neurons, phases: 3 };
            let mut network = Network::random(shape, &encoding, 5, 1);
            let positions = positions(&encoding);
            for step in 1..20 {
                let step = Step::new(step, 0.05, 1.0);
                Team::with(|team| train(&mut network, &positions, step, team));
            }
            let (layer, outputs) = network.quantised(GameKind::Ayo);
            let genes: Vec<i64> = outputs.iter().map(|gene| (gene * 1000.0) as i64).collect();
            let features: FeatureSet = features.parse().unwrap();
            let features = features.with_layer(layer.into()).unwrap();
            let weights = Weights::new("", features, &genes, Signs::Literal).unwrap();
            let scale = 1.0 / (1000.0 * f64::from(UNIT_MAX));
            let found = Network::of(shape, &encoding, &weights, scale).unwrap();
            for (one, other) in network.state().into_iter().zip(found.state()) {
                for (one, other) in one.parameters.iter().zip(&other.parameters) {
                    assert!((one - other).abs() < 0.02, "{one} {other}");
                }
            }
            let other = Shape { phases: 1, ..shape };
            assert!(Network::of(other, &encoding, &weights, scale).is_none());
            assert!(Network::of(shape, &encoding, &weights, 0.0).is_none());
        }
    }
}
