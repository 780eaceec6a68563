// Formats information about runs as text.

import { ago, duration, h, integer } from '../ui.js';

const STATES = {
  running: ['●', 'running', 'good'],
  complete: ['✓', 'complete', ''],
  stopped: ['■', 'stopped', 'warn'],
  damaged: ['▲', 'damaged', 'bad'],
};
const PARTS = {
  learning: 'learning features',
  generation: 'evolving',
  measuring: 'measuring strength',
  finals: 'selecting the champion',
  complete: 'complete',
  stopped: 'stopped',
  'out-of-time': 'out of time',
};

/** The state of a run, shown as a word, a shape and a colour. */
export function badge(state) {
  const [shape, word, kind] = STATES[state] ?? ['?', state, ''];
  return h('span', { class: `badge ${kind}`, data: { state } }, h('span', { 'aria-hidden': 'true' }, shape), ' ', word);
}

export const part = status => PARTS[status.part] ?? status.part;

export const points = (value, digits = 3) => (value === null || value === undefined ? '–' : value.toFixed(digits));

export const interval = ([low, high], digits = 3) => `${points(low, digits)} to ${points(high, digits)}`;

const sameDay = (a, b) => a.toDateString() === b.toDateString();

/** The time of day, with the weekday if it is not today, or the date if it is more than six days away. */
export function clock(seconds) {
  const at = new Date(seconds * 1000),
    now = new Date();
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (sameDay(at, now)) return time;
  if (Math.abs(at - now) > 6 * 86400e3)
    return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${at.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`;
}

/** The preset, game and seed of a run. */
export const describe = run =>
  [run.preset, run.game !== 'ayo' && run.game, run.seed !== null && `seed\u00a0${run.seed}`].filter(Boolean).join(' · ');

/** The estimated end of a run. */
export function eta(run) {
  const { status } = run;
  if (run.state !== 'running')
    return run.changed === null ? '' : `${run.state === 'complete' ? 'finished' : 'last change'} ${clock(run.changed)}, ${ago(run.changed)}`;
  if (!status) return 'no training progress reported';
  const now = Date.now() / 1000;
  const left = status.seconds_left ?? null;
  const ends = left === null ? null : status.updated + left;
  if (status.deadline && (ends === null || status.deadline <= ends + 1)) {
    return `about ${duration(status.deadline - now)} left, until ${clock(status.deadline)}`;
  }
  return ends === null ? 'no estimate yet' : `about ${duration(ends - now)} left, done ${clock(ends)}`;
}

// Long stages during which the number of generations does not change. They report their own counts.
const LONG = ['learning', 'finals'];

/** The progress, in generations or in units of the current stage. */
export function progress(run) {
  const { status } = run;
  const live = run.state === 'running' ? status : null;
  const speed = live?.games_per_second ? ` · ${integer(live.games_per_second)} games per second` : '';
  if (live && live.of > 0 && LONG.includes(live.part)) {
    return {
      done: live.done,
      of: live.of,
      text: `${live.stage || live.part}: ${integer(live.done)} of ${integer(live.of)}`,
    };
  }
  // The status may be newer, since rows are written only every few seconds.
  const generation = Math.max(run.generation ?? 0, live?.generation ?? 0);
  const of = live?.generations ?? run.generations ?? 0;
  return { done: generation, of, text: `generation ${integer(generation)} of ${integer(of)}${speed}` };
}

export function progressBar(run, name) {
  const { done, of, text } = progress(run);
  return h('progress', { max: Math.max(of, 1), value: Math.min(done, of), 'aria-label': `Progress of ${name}: ${text}` });
}

/** The generation of the measured champion. */
export const measuredOf = strength => `generation ${integer(strength.generation)}${strength.final ? ', after final games' : ''}`;


export function championWords(champion) {
  if (!champion) return 'no champion yet';
  const fitness =
    champion.fitness === null || champion.fitness === undefined
      ? ''
      : `, fitness ${integer(champion.fitness)}${champion.best_possible ? ` of ${integer(champion.best_possible)}` : ''}`;
  return `of generation ${integer(champion.generation)}${fitness}`;
}

const fileName = path => path.replace(/\/(champion\.json)?$/, '').split('/').at(-1);

/** Descriptions of player settings. */
const SETTINGS = {
  depth: value => `depth ${value}`,
  nodes: value => `${integer(value)} nodes`,
  movetime: value => value.replace(/(?<=\d)(?=[a-z])/, ' '),
  slips: value => `${value} % random moves`,
  book: value => (value === 'off' ? null : 'opening book'),
};

/**
 * Describes a player: "aalina4, depth 6" for `minimax:weights=aalina4,depth=6`. In strength tests, the budget after "at"
 * applies to both players. Other text is returned unchanged.
 */
export function opponent(text) {
  const [spec, , kind, number] = text.split(/( at (depth|nodes) (\d+)$)/);
  const [, type, list = ''] = /^([a-z-]+)(?::(\w+=.*))?$/s.exec(spec) ?? [];
  if (!type) return text;
  const settings = [...list.matchAll(/([\w.]+)=("[^"]*"|[^,]*)/g)].map(([, key, value]) => [key, value.replaceAll('"', '')]);
  const { weights, cmd } = Object.fromEntries(settings);
  const source = weights && fileName(weights);
  const name = cmd ? fileName(cmd.split(' ')[0]) : type === 'minimax' && source ? source : `${type}${source ? ` with ${source}` : ''}`;
  const rest = settings.filter(([key]) => !['weights', 'cmd', kind].includes(key));
  const words = rest.map(([key, value]) => (SETTINGS[key] ?? (() => `${key} ${value}`))(value));
  return [name, ...words, kind && `both at ${SETTINGS[kind](number)}`].filter(Boolean).join(', ');
}

/** Whether an opponent counts towards the mean: it has the usual budget and is not a past champion. */
export const ofPanel = text => !/ at (depth|nodes) /.test(text) && !/^champion of generation /.test(text);

/** The description of a player, with its specification as a tooltip. */
export const player = text => h('span', { class: 'spec', title: text }, opponent(text));

/** The strength of a run, with its interval and the measured champion. */
export function strengthWords({ strength }) {
  if (!strength) return h('span', { class: 'muted' }, 'not measured yet');
  return [
    h('strong', { class: 'number big' }, points(strength.score)),
    ' ',
    h('span', { class: 'number' }, `(${interval(strength.score_ci95)})`),
    h('span', { class: 'small muted' }, ` points per game against the reference opponents; ${measuredOf(strength)}, ${integer(strength.games)} games`),
  ];
}

/** The state, the current part and the remaining time. */
export const stateWords = run => [
  badge(run.state),
  ' ',
  run.state === 'running' && run.status && h('strong', { class: 'part-now' }, part(run.status)),
  ' ',
  h('span', { class: 'muted eta' }, eta(run)),
];
