// What is said of runs, in one place.

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
  finals: 'choosing the champion',
  complete: 'complete',
  stopped: 'stopped',
  'out-of-time': 'out of time',
};

/** The state by a word, a shape and a colour. */
export function badge(state) {
  const [shape, word, kind] = STATES[state] ?? ['?', state, ''];
  return h('span', { class: `badge ${kind}`, data: { state } }, h('span', { 'aria-hidden': 'true' }, shape), ' ', word);
}

export const part = status => PARTS[status.part] ?? status.part;

export const points = (value, digits = 3) => (value === null || value === undefined ? '–' : value.toFixed(digits));

export const interval = ([low, high], digits = 3) => `${points(low, digits)} to ${points(high, digits)}`;

const sameDay = (a, b) => a.toDateString() === b.toDateString();

/** A time of day, with the weekday if it is not today's, or a date if it is far off. */
export function clock(seconds) {
  const at = new Date(seconds * 1000),
    now = new Date();
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (sameDay(at, now)) return time;
  if (Math.abs(at - now) > 6 * 86400e3)
    return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${at.toLocaleDateString('en-GB', { weekday: 'short' })} ${time}`;
}

function secondsLeft(status) {
  if (status.seconds_left !== null && status.seconds_left !== undefined) return status.seconds_left;
  if (!(status.done > 0) || !(status.of > 0)) return null;
  return ((status.updated - status.began) / status.done) * (status.of - status.done);
}

/** What the run began from. */
export const describe = run =>
  [run.preset, run.game !== 'ayo' && run.game, run.seed !== null && `seed ${run.seed}`].filter(Boolean).join(' · ');

/** When a running run is done, as far as it knows. */
export function eta(run) {
  const { status } = run;
  if (run.state !== 'running')
    return `${run.state === 'complete' ? 'finished' : 'last change'} ${clock(run.changed)}, ${ago(run.changed)}`;
  if (!status) return 'it has not said yet how far it is';
  const now = Date.now() / 1000;
  const left = secondsLeft(status);
  const ends = left === null ? null : status.updated + left;
  if (status.deadline && (ends === null || status.deadline <= ends + 1)) {
    return `about ${duration(status.deadline - now)} left, until ${clock(status.deadline)}`;
  }
  return ends === null ? 'no estimate yet' : `about ${duration(ends - now)} left, done ${clock(ends)}`;
}

// Parts that take long and evaluate no generation: their own counts say more than that of generations.
const LONG = ['learning', 'finals'];

/** The share done: of generations, or of a part that has counts of its own. */
export function progress(run) {
  const { status } = run;
  const live = run.state === 'running' ? status : null;
  const speed = live?.games_per_second ? ` · ${integer(live.games_per_second)} games a second` : '';
  if (live && live.of > 0 && LONG.includes(live.part)) {
    return {
      done: live.done,
      of: live.of,
      text: `${integer(live.done)} of ${integer(live.of)}${live.part === 'finals' ? ' games' : ' steps'}`,
    };
  }
  // Rows reach the disk every few seconds, and the status is ahead of them.
  const generation = Math.max(run.generation ?? 0, live?.generation ?? 0);
  const of = live?.generations ?? run.generations ?? 0;
  return { done: generation, of, text: `generation ${integer(generation)} of ${integer(of)}${speed}` };
}

export function progressBar(run, name) {
  const { done, of, text } = progress(run);
  return h('progress', { max: Math.max(of, 1), value: Math.min(done, of), 'aria-label': `Progress of ${name}: ${text}` });
}

/** The generation of a measured champion. */
export const measuredOf = strength => `generation ${integer(strength.generation)}${strength.final ? ', after final games' : ''}`;

/** The generation and the games of a measurement. */
export const measuredAt = strength => `of ${measuredOf(strength)}, in ${integer(strength.games)} games against the panel`;

export function championWords(champion) {
  if (!champion) return 'no champion yet';
  const fitness =
    champion.fitness === null || champion.fitness === undefined
      ? ''
      : `, fitness ${integer(champion.fitness)}${champion.best_possible ? ` of ${integer(champion.best_possible)}` : ''}`;
  return `of generation ${integer(champion.generation)}${fitness}`;
}

/** `minimax:weights=aalina4,depth=6 at depth 6` → `aalina4, depth 6`: short enough for a legend. */
export function opponent(text) {
  const [spec, at] = text.split(/ at (?=(?:depth|nodes) )/);
  const found = /^minimax:weights=([^,]+)(?:,(depth|nodes)=(\d+))?$/.exec(spec);
  if (!found) return text;
  const [, weights, kind, number] = found;
  const searched = kind === 'nodes' ? `, ${integer(number)} nodes` : kind ? `, depth ${number}` : '';
  return `${weights}${searched}${at ? ' each' : ''}`;
}

/** An opponent of the panel, which the mean is over: neither at another budget nor of the past. */
export const ofPanel = text => !/ at (depth|nodes) /.test(text) && !/^champion of generation /.test(text);

/** A long specification that may break after its commas and slashes. */
export function spec(text) {
  const parts = text.split(/(?<=[,/:])/);
  return h(
    'span',
    { class: 'spec' },
    parts.flatMap((piece, i) => (i ? [h('wbr', {}), piece] : [piece])),
  );
}

/** The strength of a run with its interval, then whose it is. */
export function strengthWords({ strength }) {
  if (!strength) return h('span', { class: 'muted' }, 'not measured yet');
  return [
    h('strong', { class: 'number big' }, points(strength.score)),
    ' ',
    h('span', { class: 'number' }, `(${interval(strength.score_ci95)})`),
    h('span', { class: 'small muted' }, ' ', measuredAt(strength)),
  ];
}

/** The state, the part under way and the time left. */
export const stateWords = run => [
  badge(run.state),
  ' ',
  run.state === 'running' && run.status && h('strong', { class: 'part-now' }, part(run.status)),
  ' ',
  h('span', { class: 'muted eta' }, eta(run)),
];
