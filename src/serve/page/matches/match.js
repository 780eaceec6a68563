// A match: its result and its games.

import { get, part, post } from '../api.js';
import { chart } from '../chart.js';
import { follow, throttled } from '../events.js';
import { badge } from '../runs/words.js';
import { button, confirm, fill, h, toast } from '../ui.js';
import { crosstable, duelFacts, meetings, pairsPart, playersPart, sprtWords, walkData } from './figures.js';
import { gamesPart } from './games.js';
import { bar, openingsText, progressText } from './words.js';

function now(match) {
  return [
    h('p', { class: 'run-now' }, badge(match.state), ' ', h('span', { class: 'number', id: 'progress' }, progressText(match))),
    match.state === 'running' && bar(match, match.id),
    match.error && h('p', { class: 'notice bad', id: 'error' }, match.error),
    match.table.length === 1 && match.players.length === 2 && match.table[0].games > 0 && duelFacts(match.table[0]),
  ];
}

/** The result tables. They are replaced only if they have changed, which keeps open sections open. */
function figuresPart(many) {
  const title = h('h2', {}, many ? 'Standings' : 'Pairs of games');
  const main = h('div', {}),
    each = h('div', {});
  const all = h('details', { class: 'part' }, h('summary', {}, h('h2', {}, 'All pairings')), each);
  let drawn = null;
  return {
    element: h('div', {}, title, main, many && all),
    update(match) {
      const key = JSON.stringify(match.table);
      if (key === drawn || match.table.length === 0) return;
      drawn = key;
      fill(main, many ? crosstable(match) : pairsPart(match.table[0].pairs));
      if (many) fill(each, meetings(match));
    },
  };
}

async function stop(match) {
  const sure = await confirm({
    id: 'stop-dialogue',
    title: 'Stop this match?',
    text: 'Its games are kept, and the match can be resumed later.',
    yes: 'Stop it',
    no: 'Keep playing',
    danger: true,
  });
  if (!sure) return;
  await post(`/api/matches/${part(match.id)}/stop`);
  toast('The match is stopping.');
}

function testPart() {
  const words = h('div', {});
  const walk = chart({
    name: 'sprt',
    title: 'Log-likelihood ratio',
    x: 'games',
    about: 'The match ends when the log-likelihood ratio reaches a bound.',
    format: value => value.toFixed(2),
    height: innerWidth < 480 ? 220 : 260,
  });
  const element = h('section', { hidden: true }, h('h2', {}, 'Sequential test'), words, walk.element);
  return {
    element,
    destroy: walk.destroy,
    update(sprt) {
      element.hidden = !sprt;
      if (!sprt) return;
      fill(words, sprtWords(sprt));
      if (sprt.walk.length) walk.update(walkData(sprt));
    },
  };
}

function layout(match, stopping, places) {
  const back = h('p', { class: 'small back' }, h('a', { href: '#/matches' }, 'Matches'), match.form && ` / ${match.form}`);
  const head = h('div', { class: 'spread page-head' }, h('div', {}, back, h('h1', {}, match.id)), stopping);
  const rules = match.game === 'ayo' ? `rules ${match.rules}` : `game ${match.game}`;
  // Damaged files have no game.
  const words = match.game && `Openings: ${openingsText(match.openings)}; ${rules}. Figures in brackets are 95 % intervals.`;
  const openings = h('p', { class: 'small muted', id: 'openings' }, words);
  const { wrong, state, test, figures, games } = places;
  const body = [wrong, playersPart(match.players), state, openings, test.element, figures.element, games.element];
  return h('article', { class: 'match run', data: { match: match.id } }, head, body);
}

export default async function mount(container, { id }, { signal, title }) {
  title(id);
  const at = `/api/matches/${part(id)}`;
  const [first, { control }] = await Promise.all([get(at, { signal }), get('/api/matches', { signal })]);
  let match = first;
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  const fail = error => {
    if (error.name === 'AbortError') return;
    wrong.hidden = false;
    wrong.textContent = error.message;
  };
  const stopping = button('Stop', () => stop(match).catch(fail), { id: 'stop', class: 'button danger' });
  const figures = figuresPart(match.players.length > 2);
  const places = { wrong, state: h('div', {}), test: testPart(), figures, games: gamesPart(match, signal) };

  function show() {
    fill(places.state, now(match));
    stopping.hidden = !control || match.state !== 'running';
    places.test.update(match.sprt);
    figures.update(match);
  }

  fill(container, layout(match, stopping, places));
  show();
  places.games.refresh();
  const reload = throttled(async () => {
    match = await get(at, { signal });
    show();
    await places.games.refresh();
  }, 1500);
  const end = follow({ match: id }, () => match.games, {
    games: ({ games: count }) => {
      if (count !== match.games || match.state === 'running') reload();
    },
    reset: reload,
    matches: reload,
    back: reload,
    job(given) {
      if (given.id !== id || given.kind !== 'match') return;
      if (given.error) fail(new Error(given.error));
      reload();
    },
  });
  return () => {
    end();
    reload.end();
    places.test.destroy();
  };
}
