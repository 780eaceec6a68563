// Compares two or more runs. Strength comes first, since fitness is relative to the population.

import { get, part } from '../api.js';
import { absent, chart } from '../chart.js';
import { look } from '../chart/plot.js';
import { fill, h, integer, table } from '../ui.js';
import { chooser, Cost, ofAxis, placed, usual } from './axis.js';
import { History, align } from './history.js';
import { badge, interval, measuredOf, ofPanel, opponent, player, points } from './words.js';

const decode = text => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
export const ids = text => [...new Set((text ?? '').split(',').filter(Boolean).map(decode))];

async function load(id, signal) {
  const at = `/api/runs/${part(id)}`;
  const run = await get(at, { signal });
  if (run.state === 'damaged') return { id, run, strength: { measurements: [], final: null }, fitness: null };
  const [strength, fitness, cost] = await Promise.all([
    get(`${at}/strength`, { signal }),
    new History(id, 'fitness', signal).load(),
    new Cost(id, signal).load(),
  ]);
  return { id, run, strength, fitness, cost };
}

/** A curve over an axis, without generations whose position is unknown. */
function curve({ cost }, axis, generations, values) {
  const { x, series } = placed({ x: generations, series: [{ values }] }, cost, axis);
  return { x, values: series[0].values };
}

/** Strength curves, labelled with the values in the table. Large points are measurements after final games. */
function measuredCurves(runs, axis, figure, bands = false) {
  const values = bands ? [figure, at => at.score_ci95[1], at => at.score_ci95[0]] : [figure];
  const curves = runs.flatMap(one => {
    const { measurements, final } = one.strength;
    const of = (taken, value) =>
      curve(one, axis, taken.map(at => at.generation), taken.map(at => value(at) ?? null));
    return [...values.map(value => of(measurements, value)), of(final ? [final] : [], figure)];
  });
  const aligned = align(curves);
  const stride = values.length + 1;
  const data = { x: aligned.x, series: [], bands: [] };
  runs.forEach((one, i) => {
    const at = aligned.values.slice(i * stride, (i + 1) * stride);
    const last = newest(one);
    const told = last && figure(last) !== undefined && `${points(figure(last))} of ${measuredOf(last)}`;
    data.series.push({ label: one.id, ...look(i), width: 2.5, points: 5, values: at[0], told });
    if (bands) {
      data.bands.push({ high: data.series.length, low: data.series.length + 1, token: look(i).token });
      for (const edge of [1, 2]) data.series.push({ label: `${one.id}, edge ${edge}`, quiet: true, values: at[edge] });
    }
    const label = `${one.id}, after final games`;
    data.series.push({ label, quiet: true, ...look(i), line: false, points: 11, values: at.at(-1) });
  });
  return data;
}

/** The final measurement or, if there is none, the last measurement of a champion during the run. */
const newest = ({ strength: { final, measurements } }) =>
  final ? { ...final, final: true } : (measurements.findLast(at => at.champion) ?? null);
const panel = at => at.strength.map(one => one.opponent).filter(ofPanel).join();
const latest = one => newest(one)?.strength ?? [];

const limits = ({ run }) => {
  const setting = name => run.settings.find(one => one.name === name)?.value;
  return Number(setting('nodes')) > 0 ? `nodes ${setting('nodes')}` : `depth ${setting('depth')}`;
};

/**
 * The reason why runs cannot be ranked. Ranking requires equal opponents, equal search limits, and final games or
 * equal generations.
 */
function incomparable(runs) {
  const measured = runs.map(newest).filter(Boolean);
  if (new Set(measured.map(panel)).size > 1) return 'Measured against different opponents: not comparable.';
  const searched = [...new Set(runs.filter(newest).map(limits))];
  if (searched.length > 1) return `The champions were measured at ${searched.join(' and ')}: not comparable.`;
  const finals = runs.filter(one => one.strength.final).length;
  const generations = [...new Set(runs.filter(newest).map(one => one.run.generation))].sort((a, b) => a - b);
  if (finals === measured.length || (finals === 0 && generations.length < 2)) return null;
  if (finals > 0) return 'Some runs are measured after final games and others without: not comparable.';
  return `Measured in runs of ${generations.map(integer).join(' and ')} generations: not comparable.`;
}

function fitnessCurves(runs, axis) {
  const of = one => curve(one, axis, one.fitness.rows.map(row => row[0]), one.fitness.column('mean_share'));
  const { x, values } = align(runs.map(of));
  return { x, series: runs.map(({ id }, i) => ({ label: id, ...look(i), width: 1.5, values: values[i] })) };
}

const share = (low, high) => [Math.max(0, Math.min(low, 0.5) - 0.02), Math.min(1, Math.max(high, 0.5) + 0.02)];

function opponents(runs) {
  const names = runs.map(one => new Set(latest(one).map(it => it.opponent)));
  return [...(names[0] ?? [])].filter(name => names.every(set => set.has(name)) && !/^champion of/.test(name));
}

/** The name of a run and the generation in which it was measured. */
function heading(one) {
  const last = newest(one);
  return [one.id, last && [h('br', {}), h('span', { class: 'small muted' }, measuredOf(last))]];
}

function strengthTable(runs) {
  const row = name => ({ name, cells: runs.map(one => latest(one).find(it => it.opponent === name)) });
  const mean = { name: 'mean over the opponents', cells: runs.map(newest) };
  const text = cell => {
    if (!cell) return '–';
    const said = `${points(cell.score)} (${interval(cell.score_ci95)})`;
    return cell.strength ? h('strong', {}, said) : said;
  };
  const columns = [
    { title: 'opponent', heading: true, cell: one => player(one.name) },
    ...runs.map((run, i) => ({ title: heading(run), label: run.id, right: true, cell: one => text(one.cells[i]) })),
  ];
  const why = incomparable(runs);
  const all = [...new Set(runs.flatMap(one => latest(one).map(it => it.opponent)))].filter(name => !/^champion of/.test(name));
  const caption = 'Points per game in the last measurement, with its 95 % interval';
  return [
    why && h('p', { class: 'notice warn', id: 'incomparable' }, why),
    table({ caption, columns, rows: [mean, ...all.map(row)], attrs: { id: 'strengths' } }),
  ];
}

function settingsTable(runs) {
  const maps = runs.map(({ run }) => new Map(run.settings.map(one => [one.name, one])));
  const names = [...new Set(maps.flatMap(map => [...map.keys()]))];
  const value = (map, name) => (map.has(name) ? String(map.get(name).value) : '–');
  const different = names.filter(name => new Set(maps.map(map => value(map, name))).size > 1);
  if (different.length === 0) return h('p', {}, 'All settings are equal.');
  const columns = [
    { title: 'setting', heading: true, cell: name => name },
    ...runs.map(({ id }, i) => ({ title: id, cell: name => h('span', { class: 'mono' }, value(maps[i], name) || 'empty') })),
    { title: 'meaning', label: '', cell: name => maps.find(map => map.has(name)).get(name).meaning },
  ];
  return table({ caption: 'Settings that differ', columns, rows: different, hideCaption: true, attrs: { id: 'differences' } });
}

function stateTable(runs) {
  const columns = [
    { title: 'run', heading: true, cell: ({ id }) => h('a', { href: `#/runs/${encodeURIComponent(id)}` }, id) },
    { title: 'state', cell: ({ run }) => badge(run.state) },
    { title: 'preset', cell: ({ run }) => run.preset },
    { title: 'seed', right: true, cell: ({ run }) => run.seed },
    { title: 'generation', right: true, cell: ({ run }) => integer(run.generation ?? 0) },
    { title: 'champion of generation', right: true, cell: ({ run }) => (run.champion ? integer(run.champion.generation) : '–') },
  ];
  return table({ caption: 'The runs', columns, rows: runs, hideCaption: true, attrs: { id: 'compared' } });
}

function picker(listing, chosen, go) {
  const box = id =>
    h(
      'label',
      { class: 'check' },
      h('input', { type: 'checkbox', checked: chosen.includes(id), data: { compare: id }, on: { change: press } }),
      id,
    );
  const place = h('div', { class: 'cluster' });
  function press() {
    const on = [...place.querySelectorAll('input:checked')].map(input => input.dataset.compare);
    go(`#/compare?runs=${encodeURIComponent(on.map(encodeURIComponent).join(','))}`);
  }
  place.append(...listing.runs.map(run => box(run.id)));
  return h(
    'details',
    { class: 'part', open: chosen.length < 2 },
    h('summary', {}, 'Choose two or more runs'),
    h('fieldset', {}, h('legend', { class: 'visually-hidden' }, 'Runs to compare'), place),
  );
}

export default async function mount(container, params, { signal, title, go }) {
  title('Compare runs');
  const chosen = ids(params.runs);
  const listing = await get('/api/runs', { signal });
  const results = await Promise.allSettled(chosen.map(id => load(id, signal)));
  const runs = results.filter(one => one.status === 'fulfilled').map(one => one.value);
  const failed = results.filter(one => one.status === 'rejected').map(one => h('p', { class: 'notice bad' }, one.reason.message));
  const scale = { format: value => points(value), range: share, lines: [{ at: 0.5, label: 'even' }] };
  const able = runs.filter(one => one.fitness);
  const place = h('div', { class: 'charts' });
  let charts = [];

  function draw(axis) {
    charts.forEach(one => one.destroy());
    charts = [];
    const put = (given, data) => {
      if (data.x.length === 0) return absent(given.title, `No data over ${axis} yet.`);
      const made = chart({ height: innerWidth < 480 ? 220 : 280, ...given, ...ofAxis(axis) });
      charts.push(made);
      made.update(data);
      return made.element;
    };
    fill(
      place,
      put(
        {
          name: 'strength',
          title: 'Strength',
          about: 'Mean points per game against the reference opponents of the run.',
          ...scale,
        },
        measuredCurves(able, axis, at => at.score, able.length <= 3),
      ),
      opponents(able).map(name =>
        put(
          { name: `against-${name}`, title: `Against ${opponent(name)}`, ...scale },
          measuredCurves(able, axis, at => at.strength.find(one => one.opponent === name)?.score),
        ),
      ),
      put(
        {
          name: 'fitness',
          title: 'Mean fitness',
          about: 'Share of the maximum points within the population of each run.',
          format: value => points(value),
        },
        fitnessCurves(able, axis),
      ),
    );
  }

  const first = able.length > 0 ? usual(able.map(one => one.cost)) : 'generations';
  draw(first);
  fill(
    container,
    h('p', { class: 'small back' }, h('a', { href: '#/runs' }, 'Runs'), ' / compare'),
    h('h1', {}, 'Compare runs'),
    failed,
    picker(listing, chosen, go),
    able.length > 0 && [
      h('h2', {}, 'Curves'),
      chooser(first, draw),
      place,
      h('h2', {}, 'Strength of the champions'),
      strengthTable(able),
    ],
    runs.length > 0 && [h('h2', {}, 'The runs'), stateTable(runs)],
    runs.length > 1 && [h('h2', {}, 'Settings that differ'), settingsTable(runs)],
  );
  return () => charts.forEach(one => one.destroy());
}
