// Sections of a run's page: the champion's weights, the settings, pictures and files.

import { part } from '../api.js';
import { check, fill, h, integer, table } from '../ui.js';
import { interval, player, points } from './words.js';

const address = (id, rest) => `/api/runs/${part(id)}/${rest}`;

/** A bar that extends from the middle to the right, or to the left for negative values. */
function bar(value, most) {
  const width = `${(50 * Math.abs(value)) / most}%`;
  return h(
    'span',
    { class: 'bar', 'aria-hidden': 'true' },
    h('span', { class: value < 0 ? 'bar-minus' : 'bar-plus', style: { width } }),
  );
}

function weightsTable(champion) {
  const most = Math.max(1, ...champion.weights.map(one => Math.abs(one.effective)));
  const signs = champion.weights.some(one => one.weight !== one.effective);
  const columns = [
    { title: 'feature', heading: true, cell: one => one.feature },
    { title: 'weight', right: true, cell: one => integer(one.weight) },
    ...(signs ? [{ title: 'signed', right: true, cell: one => integer(one.effective) }] : []),
    { title: h('span', { class: 'visually-hidden' }, 'as a bar'), cell: one => bar(one.effective, most) },
    { title: 'meaning', label: '', cell: one => one.meaning },
  ];
  const body = table({
    caption: 'Weights of the champion',
    columns,
    rows: champion.weights,
    hideCaption: true,
    attrs: { id: 'champion-weights' },
  });
  body.classList.add('tall');
  const order = check('Sort by magnitude', false, on => {
    const rows = [...champion.weights];
    body.fill(on ? rows.sort((a, b) => Math.abs(b.effective) - Math.abs(a.effective)) : rows);
  });
  return [champion.weights.length > 6 && order, body];
}

function measuredTable({ strength, provenance }) {
  if (!strength?.length) return null;
  const columns = [
    { title: 'opponent', heading: true, cell: one => player(one.opponent) },
    { title: 'score', right: true, cell: one => `${points(one.score)} (${interval(one.score_ci95)})` },
    { title: 'games', right: true, cell: one => integer(one.games) },
  ];
  const caption = `Points per game of the champion of generation ${integer(provenance.generation)}, with 95 % intervals`;
  return table({ caption, columns, rows: strength, attrs: { id: 'champion-strength' } });
}

export function championPart(id, champion) {
  const origin = champion.provenance;
  const about = [
    champion.name,
    origin.generation && `generation ${integer(origin.generation)}`,
    origin.fitness !== undefined && `fitness ${origin.fitness}`,
    origin.depth && `search depth ${origin.depth}`,
    origin.game ?? (origin.rules && `rules ${origin.rules}`),
  ]
    .filter(Boolean)
    .join(', ');
  return [
    h('h2', {}, 'Champion'),
    h('p', {}, `${about}.`),
    h(
      'p',
      {},
      h(
        'a',
        { class: 'button primary', id: 'play-it', href: `#/play?with=${encodeURIComponent(`run:${id}`)}` },
        'Play against it',
      ),
    ),
    measuredTable(champion),
    h('h3', {}, 'Its weights'),
    weightsTable(champion),
  ];
}

const differs = one =>
  one.preset_value !== null && one.preset_value !== undefined && String(one.preset_value) !== String(one.value);

export function settingsPart(run) {
  const columns = [
    { title: 'setting', heading: true, cell: one => one.name },
    {
      title: 'value',
      cell: one => [
        h('span', { class: 'mono' }, one.value === '' ? 'empty' : String(one.value)),
        differs(one) && [' ', h('span', { class: 'badge warn' }, `not ${one.preset_value === '' ? 'empty' : one.preset_value}`)],
      ],
    },
    { title: 'meaning', label: '', cell: one => one.meaning },
  ];
  const changed = run.settings.filter(differs);
  const body = table({
    caption: `Settings of ${run.id}`,
    columns,
    rows: run.settings,
    hideCaption: true,
    attrs: { id: 'settings' },
  });
  const words = changed.length
    ? `${changed.length} of ${run.settings.length} settings differ from the preset ${run.preset}.`
    : `All settings are the same as in the preset ${run.preset}.`;
  return h(
    'details',
    { class: 'part' },
    h('summary', {}, h('h2', {}, 'Settings')),
    h('p', {}, words),
    changed.length > 0 &&
      check('Only settings that differ', false, on => body.fill(on ? changed : run.settings), { id: 'only-changed' }),
    body,
  );
}

const TITLES = {
  fitness: 'fitness over the generations',
  strength: 'strength against each opponent, with intervals',
  diversity: 'diversity over the generations',
  weights: 'means and spread of the weights',
  champion: 'weights of the champion',
  agreement: 'agreement of champions',
  pits: 'value of seeds in a pit',
  units: 'weights of each hidden neuron',
  fit: 'losses and gating matches of the iterations',
};
// Pictures that show more than the page's charts.
const APART = ['pits', 'units'];
const picture = (id, what) => address(id, `plot.svg?what=${encodeURIComponent(what)}`);

function image(id, what) {
  const alt = `Picture of ${id}: ${TITLES[what] ?? what}`;
  return h(
    'figure',
    { class: 'picture', data: { picture: what } },
    h('a', { href: picture(id, what) }, h('img', { src: picture(id, what), alt, loading: 'lazy' })),
    h('figcaption', { class: 'small muted' }, TITLES[what] ?? what),
  );
}

export function picturesPart(run) {
  const apart = run.pictures.filter(what => APART.includes(what));
  const rest = run.pictures.filter(what => !APART.includes(what));
  return [
    apart.map(what => [h('h2', {}, what === 'units' ? 'Hidden neurons' : 'Value of the seeds in a pit'), image(run.id, what)]),
    rest.length > 0 &&
      h(
        'details',
        { class: 'part' },
        h('summary', {}, h('h2', {}, 'Pictures')),
        rest.map(what => image(run.id, what)),
      ),
  ];
}

export function downloadsPart(run) {
  const item = (href, text, name) => h('li', {}, h('a', { href, download: name }, text));
  const group = (title, items) => items.length > 0 && h('div', {}, h('h3', {}, title), h('ul', {}, items));
  const { id } = run;
  return h(
    'section',
    { id: 'downloads', class: 'part' },
    h('h2', {}, 'Downloads'),
    h(
      'div',
      { class: 'downloads' },
      group(
        'Files of the run',
        run.files.map(name => item(address(id, `files/${encodeURIComponent(name)}`), name, `${id}-${name}`)),
      ),
      group(
        'Pictures',
        run.pictures.map(what => item(picture(id, what), `${what}.svg`, `${id}-${what}.svg`)),
      ),
      group(
        'The champion’s weights for other programs',
        run.exports.map(format =>
          item(address(id, `export?format=${encodeURIComponent(format)}`), format, `${id}.${ENDINGS[format] ?? format}`),
        ),
      ),
    ),
  );
}
const ENDINGS = { rust: 'rs', c: 'h' };

/** Replaces the children of an element, and hides the element if there are none. */
export function replace(place, ...children) {
  fill(place, ...children);
  place.hidden = place.childNodes.length === 0;
}
