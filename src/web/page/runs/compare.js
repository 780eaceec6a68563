// Two or more runs side by side: strength first, since fitness is points within one population alone.

import { get, part } from '../api.js';
import { chart } from '../chart.js';
import { look } from '../chart/plot.js';
import { fill, h, integer, table } from '../ui.js';
import { History, align } from './history.js';
import { badge, interval, opponent, points } from './words.js';

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
  const [strength, fitness] = await Promise.all([get(`${at}/strength`, { signal }), new History(id, 'fitness', signal).load()]);
  return { id, run, strength, fitness };
}

function strengthCurves(runs) {
  const curves = runs.flatMap(({ strength: { measurements } }) =>
    [at => at.score, at => at.score_ci95[1], at => at.score_ci95[0]].map(value => ({
      x: measurements.map(at => at.generation),
      values: measurements.map(value),
    })),
  );
  const { x, values } = align(curves);
  const series = [],
    bands = [];
  runs.forEach(({ id }, i) => {
    series.push({ label: id, ...look(i), width: 2.5, points: 5, values: values[3 * i] });
    if (runs.length > 3) return;
    bands.push({ high: series.length, low: series.length + 1, token: look(i).token });
    series.push(
      { label: `${id}, upper`, quiet: true, values: values[3 * i + 1] },
      { label: `${id}, lower`, quiet: true, values: values[3 * i + 2] },
    );
  });
  return { x, series, bands };
}

/** The final measurement, or else the last one in the course of the run. */
const newest = ({ strength }) => strength.final ?? strength.measurements.at(-1) ?? null;
const latest = one => newest(one)?.strength ?? [];

/** One opponent that all runs have met, run beside run. */
function opponentCurves(runs, name) {
  const curves = runs.map(({ strength: { measurements } }) => ({
    x: measurements.map(at => at.generation),
    values: measurements.map(at => at.strength.find(one => one.opponent === name)?.score ?? null),
  }));
  const { x, values } = align(curves);
  return { x, series: runs.map(({ id }, i) => ({ label: id, ...look(i), points: 5, values: values[i] })) };
}

function fitnessCurves(runs) {
  const curves = runs.map(({ fitness }) => ({ x: fitness.rows.map(row => row[0]), values: fitness.column('mean') }));
  const { x, values } = align(curves);
  return { x, series: runs.map(({ id }, i) => ({ label: id, ...look(i), width: 1.5, values: values[i] })) };
}

const share = (low, high) => [Math.max(0, Math.min(low, 0.5) - 0.02), Math.min(1, Math.max(high, 0.5) + 0.02)];

function opponents(runs) {
  const names = runs.map(one => new Set(latest(one).map(it => it.opponent)));
  return [...(names[0] ?? [])].filter(name => names.every(set => set.has(name)) && !/^champion of/.test(name));
}

function strengthTable(runs) {
  const row = name => ({ name, cells: runs.map(one => latest(one).find(it => it.opponent === name)) });
  const mean = { name: 'mean of the panel', cells: runs.map(newest) };
  const text = cell => {
    if (!cell) return '–';
    const said = `${points(cell.score)} (${interval(cell.score_ci95)})`;
    return cell.strength ? h('strong', {}, said) : said;
  };
  const columns = [
    { title: 'opponent', heading: true, cell: one => h('span', { title: one.name }, opponent(one.name)) },
    ...runs.map(({ id }, i) => ({ title: id, right: true, cell: one => text(one.cells[i]) })),
  ];
  const all = [...new Set(runs.flatMap(one => latest(one).map(it => it.opponent)))].filter(name => !/^champion of/.test(name));
  return table({
    caption: 'Points a game in the final or else the last measurement, with the 95 % interval',
    columns,
    rows: [mean, ...all.map(row)],
    attrs: { id: 'strengths' },
  });
}

function settingsTable(runs) {
  const maps = runs.map(({ run }) => new Map(run.settings.map(one => [one.name, one])));
  const names = [...new Set(maps.flatMap(map => [...map.keys()]))];
  const value = (map, name) => (map.has(name) ? String(map.get(name).value) : '–');
  const different = names.filter(name => new Set(maps.map(map => value(map, name))).size > 1);
  if (different.length === 0) return h('p', {}, 'All settings are the same.');
  const columns = [
    { title: 'setting', heading: true, cell: name => name },
    ...runs.map(({ id }, i) => ({ title: id, cell: name => h('span', { class: 'mono' }, value(maps[i], name) || '""') })),
    { title: 'meaning', cell: name => maps.find(map => map.has(name)).get(name).meaning },
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
    h('summary', {}, 'Choose the runs'),
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
  const charts = [];
  const put = (given, data) => {
    if (data.x.length === 0) return null;
    const made = chart({ height: innerWidth < 480 ? 220 : 280, ...given });
    charts.push(made);
    made.update(data);
    return made.element;
  };
  const scale = { format: value => points(value), range: share, lines: [{ at: 0.5, label: 'even' }] };
  const able = runs.filter(one => one.fitness);
  fill(
    container,
    h('p', { class: 'small back' }, h('a', { href: '#/runs' }, 'Runs'), ' / compare'),
    h('h1', {}, 'Compare runs'),
    failed,
    picker(listing, chosen, go),
    able.length > 0 && [
      h('h2', {}, 'Curves'),
      h(
        'div',
        { class: 'charts' },
        put(
          {
            name: 'strength',
            title: 'Strength',
            about: 'Mean points a game against the panel, the same opponents for every run of a game.',
            ...scale,
          },
          strengthCurves(able),
        ),
        opponents(able).map(name =>
          put({ name: `against-${name}`, title: `Against ${opponent(name)}`, ...scale }, opponentCurves(able, name)),
        ),
        put(
          {
            name: 'fitness',
            title: 'Mean fitness',
            about: 'Points within each run’s own population: comparable only where settings are the same.',
            format: value => value.toFixed(1),
          },
          fitnessCurves(able),
        ),
      ),
      h('h2', {}, 'Strength of the champions'),
      strengthTable(able),
    ],
    runs.length > 0 && [h('h2', {}, 'The runs'), stateTable(runs)],
    runs.length > 1 && [h('h2', {}, 'Settings that differ'), settingsTable(runs)],
  );
  return () => charts.forEach(one => one.destroy());
}
