// The x axis of charts: generations, games, nodes or hours.

import { get, part } from '../api.js';
import { h, integer, select } from '../ui.js';

const compact = value => value.toLocaleString('en', { notation: 'compact' });
const hours = value => String(Number(value.toFixed(4)));

/** The title of each axis, and functions that format its values in text and at ticks. */
const AXES = {
  generations: { x: 'generation', at: integer },
  games: { x: 'games', at: integer, tick: compact },
  nodes: { x: 'nodes', at: compact, tick: compact },
  hours: { x: 'hours', at: hours, tick: hours },
};

/** The chart options for an x axis. */
export const ofAxis = axis => AXES[axis];

/** A select element for the horizontal axis of all charts. */
export const chooser = (axis, choose) =>
  h('div', { class: 'cluster axis' }, h('label', { for: 'axis' }, 'Curves over'), select(
    Object.keys(AXES).map(name => [name, name]),
    axis,
    choose,
    { id: 'axis' },
  ));

/** A run's cumulative games, nodes and hours. */
export class Cost {
  rows = [];

  constructor(id, signal) {
    Object.assign(this, { id, signal });
  }

  async load() {
    this.rows = (await get(`/api/runs/${part(this.id)}/cost`, { signal: this.signal })).rows;
    return this;
  }

  /** The position of a generation on an axis, or `null` if it is unknown. */
  place(axis, generation) {
    if (axis === 'generations') return generation;
    const { rows } = this;
    if (axis === 'games' && !rows.at(-1)?.games) return null;
    const after = rows.findIndex(row => row.generation >= generation);
    if (after < 0) return null;
    const [low, high] = [rows[Math.max(0, after - 1)], rows[after]];
    if (low[axis] === null || high[axis] === null) return null;
    const share = (generation - low.generation) / (high.generation - low.generation || 1);
    return low[axis] + Math.min(share, 1) * (high[axis] - low[axis]);
  }

  /** Number of games scheduled up to the end of a generation. */
  asked(generation) {
    return this.rows.findLast(row => row.generation <= generation)?.games_asked ?? 0;
  }
}

/** The axis on which runs can be compared: games if they differ in games per generation, otherwise generations. */
export function usual(costs) {
  const common = Math.min(...costs.map(cost => cost.rows.at(-1)?.generation ?? 0));
  const asked = costs.map(cost => cost.asked(common));
  return asked.every(games => games > 0) && new Set(asked).size > 1 ? 'games' : 'generations';
}

/** Converts the x values of a chart from generations to another axis. Omits points without a position. */
export function placed(data, cost, axis) {
  if (axis === 'generations') return data;
  const x = data.x.map(generation => cost.place(axis, generation));
  const kept = x.map((value, i) => (value === null ? -1 : i)).filter(i => i >= 0);
  const pick = values => kept.map(i => values[i]);
  const at = pick(x);
  return {
    ...data,
    x: at,
    series: data.series.map(one => ({ ...one, values: pick(one.values) })),
    paired: Math.min(data.paired ?? 0, at.length),
    span: (first, last) => [...new Set([first, last].map(i => AXES[axis].at(at[i])))].join(' to '),
  };
}
