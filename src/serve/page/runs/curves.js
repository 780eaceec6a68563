// The live curves of a run.

import { get, part } from '../api.js';
import { absent, chart } from '../chart.js';
import { loadPlot, look } from '../chart/plot.js';
import { h, integer } from '../ui.js';
import { chooser, Cost, ofAxis, placed } from './axis.js';
import { History } from './history.js';
import { ofPanel, opponent, points } from './words.js';

const LEADING = 8;
const height = () => (innerWidth < 480 ? 210 : 260);
const share = (low, high) => [Math.max(0, Math.min(low, 0.5) - 0.02), Math.min(1, Math.max(high, 0.5) + 0.02)];
const format = value => (Number.isInteger(value) ? integer(value) : value.toFixed(1));

export function fitnessData(history) {
  const series = [
    { label: 'best', ...look(0) },
    { label: 'mean', ...look(1) },
    { label: 'worst', ...look(2), width: 1.5 },
  ].map(one => ({ ...one, values: history.column(`${one.label}_share`) }));
  return history.data(series);
}

/** The mean score with its interval, the score against each opponent, and the champion selected by final games. */
export function strengthData({ measurements, final }) {
  const taken = new Map(measurements.map(at => [at.generation, at]));
  const x = [...new Set([...taken.keys(), ...(final ? [final.generation] : [])])].sort((a, b) => a - b);
  const each = value => x.map(generation => (taken.has(generation) ? (value(taken.get(generation)) ?? null) : null));
  const opponents = [...new Set(measurements.flatMap(at => at.strength.map(one => one.opponent)))];
  const series = [
    { label: 'mean over the opponents', ...look(0), width: 2.5, points: 5, values: each(at => at.score) },
    { label: 'upper', quiet: true, values: each(at => at.score_ci95[1]) },
    { label: 'lower', quiet: true, values: each(at => at.score_ci95[0]) },
  ];
  if (final) {
    const values = x.map(generation => (generation === final.generation ? final.score : null));
    series.push({ label: 'final measurement', ...look(0), line: false, points: 11, values });
  }
  for (const [i, name] of opponents.entries()) {
    const values = each(at => at.strength.find(one => one.opponent === name)?.score);
    series.push({ label: opponent(name), title: name, ...look(i + 1), width: 1.2, hidden: !ofPanel(name), values });
  }
  return { x, series, bands: [{ high: 1, low: 2 }] };
}

/** Colours the weights. If there are many, only the largest final weights are coloured; others are thin and grey. */
function weightData(history) {
  const names = history.columns.slice(1);
  const size = name => Math.abs(history.column(name).at(-1) ?? 0);
  const loud = names.length <= 12 ? names : [...names].sort((a, b) => size(b) - size(a)).slice(0, LEADING);
  const series = names.map(name => {
    const at = loud.indexOf(name);
    const style = at < 0 ? { muted: true } : { ...look(at), width: names.length > 12 ? 2 : 1.6 };
    return { label: name.replace(/_mean$/, ''), ...style, values: history.column(name) };
  });
  return history.data(series);
}

const columnsData = (history, names) =>
  history.data(
    names.map(([column, label], i) => ({
      label,
      ...look(i),
      points: history.kind === 'fit' ? 6 : undefined,
      values: history.column(column),
    })),
  );

const DISTANCE = [['hamming', 'mean distance between two members']];
const DISTINCT = [['distinct', 'distinct chromosomes']];
const LOSSES = [
  ['first_loss', 'loss of the first epoch'],
  ['last_loss', 'loss of the last epoch'],
];
const EVOLVED = [['evolved', 'score of the evolved weights']];

function kinds() {
  const all = { height: height() };
  return {
    strength: {
      ...all,
      title: 'Strength',
      about: 'Points per game against fixed opponents. The band is the 95 % interval of the mean.',
      format: value => points(value),
      range: share,
      lines: [{ at: 0.5, label: 'even' }],
    },
    fitness: {
      ...all,
      title: 'Fitness',
      about: 'Share of the maximum points within the population. Opponents change, so strength is more meaningful.',
      format: value => points(value),
      range: share,
    },
    weights: { ...all, title: 'Weights', about: 'The mean of each gene over the population. The table of the champion’s weights explains the names.', format: integer },
    diversity: { ...all, title: 'Diversity', about: 'Mean number of bits in which two members differ.', format },
    distinct: { ...all, title: 'Distinct chromosomes', about: 'Number of distinct members.', format },
    fit: {
      ...all,
      title: 'Training losses',
      about: 'Cross-entropy of learned features in each iteration, in nats.',
      format: value => points(value, 4),
    },
    evolved: {
      ...all,
      title: 'Evolved against fitted weights',
      about: 'Points per game of the previous iteration’s champion against the fitted weights that it evolved from.',
      format: value => points(value),
      range: share,
      lines: [{ at: 0.5, label: 'even' }],
    },
  };
}

/** All curves of the run. `load(fail)` loads them; `rows()`, `strength()` and `catchUp()` add data as it arrives. */
export function curves(id, signal) {
  const charts = {},
    looks = kinds();
  const element = h('div', { class: 'charts' });
  let axis = 'generations',
    measured = null;
  const slots = Object.fromEntries(Object.keys(looks).map(name => [name, h('div', { class: 'chart-slot', hidden: true })]));
  const none = h('p', { class: 'muted', id: 'no-rows', hidden: true }, 'The curves appear with the first generation.');
  element.append(...Object.values(slots));
  const whole = h('div', {}, chooser(axis, choose), none, element);
  const of = kind => new History(id, kind, signal);
  let kept = {};
  // Loaded in parallel with the rows. An error is reported when the axis is drawn.
  loadPlot().catch(() => {});

  /** Draws a chart or, if there is none, shows the reason `why`. Hides the slot if there is no reason either. */
  function put(name, data, why) {
    const shown = data.x.length > 0 ? placed(data, kept.cost, axis) : data;
    const reason = data.x.length > 0 ? `The ${axis} per generation were not recorded.` : why;
    slots[name].hidden = shown.x.length === 0 && !reason;
    if (shown.x.length === 0) {
      drop(name);
      if (reason) slots[name].replaceChildren(absent(looks[name].title, reason));
      return;
    }
    if (!charts[name]) slots[name].replaceChildren((charts[name] = chart({ name, ...looks[name], ...ofAxis(axis) })).element);
    charts[name].update(shown);
  }

  function drop(name) {
    charts[name]?.destroy();
    delete charts[name];
  }

  function redraw() {
    for (const one of Object.values(draw)) one();
  }

  async function choose(next) {
    axis = next;
    Object.keys(charts).forEach(drop);
    await kept.cost.load().catch(() => {});
    redraw();
  }

  const draw = {
    fitness() {
      none.hidden = kept.fitness.rows.length > 0;
      put('fitness', fitnessData(kept.fitness));
    },
    weights: () => put('weights', weightData(kept.weights)),
    diversity() {
      put('diversity', columnsData(kept.diversity, DISTANCE));
      // A constant curve is omitted, as in the pictures.
      const distinct = kept.diversity.column('distinct');
      const varies = distinct.some(it => it !== distinct[0]);
      const why = distinct.length > 0 && `${integer(distinct[0])} in every generation.`;
      put('distinct', varies ? columnsData(kept.diversity, DISTINCT) : { x: [] }, why);
    },
    fit() {
      put('fit', columnsData(kept.fit, LOSSES));
      const played = kept.fit.column('evolved').some(value => value !== null);
      put('evolved', played ? columnsData(kept.fit, EVOLVED) : { x: [] }, kept.fit.rows.length > 0 && 'No match yet.');
    },
    strength() {
      if (!measured) return;
      const why = measured.measure_every > 0 ? 'No measurement yet.' : 'Not measured: measure_every is 0.';
      const data = strengthData(measured);
      put('strength', data, why);
      const one = data.x.length === 1 ? ` Only one measurement, in generation ${integer(data.x[0])}.` : '';
      charts.strength?.say(looks.strength.about + one);
    },
  };

  function strength(given) {
    measured = given;
    draw.strength();
  }
  const measure = async () => strength(await get(`/api/runs/${part(id)}/strength`, { signal }));

  /** Resolves when the first curves are drawn. Calls `fail(error)` if the other curves cannot be loaded later. */
  async function load(fail) {
    const cost = new Cost(id, signal);
    kept = { fitness: of('fitness'), weights: of('weights'), diversity: of('diversity'), fit: of('fit'), cost };
    const one = async kind => {
      await kept[kind].load();
      draw[kind]();
    };
    if (axis !== 'generations') await cost.load();
    await Promise.all([one('fitness'), measure()]);
    Promise.all([one('weights'), one('diversity'), one('fit')]).catch(fail);
  }

  return {
    element: whole,
    load,
    strength,
    measure,
    get last() {
      return kept.fitness?.last ?? 0;
    },
    async rows(given) {
      await kept.fitness.append(given);
      draw.fitness();
    },
    async catchUp(kinds) {
      for (const kind of kinds) {
        if (kind === 'cost') {
          if (axis === 'generations') continue;
          await kept.cost.load();
          redraw();
          continue;
        }
        if (kind === 'fit') await kept.fit.load();
        else await kept[kind].catchUp();
        draw[kind]();
      }
    },
    destroy() {
      Object.keys(charts).forEach(drop);
    },
  };
}
