// The form that starts a match: game, players, openings, number of games, and a sequential test.

import { post } from '../api.js';
import { check, field, fill, h, number, select, validate } from '../ui.js';
import { defaultAdvice, defaultOpponent, listPlayers, playerField } from '../play/players.js';

const GAMES = [
  ['ayo', 'Ayo (oware, awari)'],
  ['kalah', 'Kalah'],
];
const all = plies => [`plies:${plies}`, `all positions after ${plies} plies`];
const random = plies => [`random:${plies}`, `random positions after ${plies} plies`];
const OPENINGS = [all(2), all(3), all(4), random(6), random(8), random(12)];

/** The openings in the server's syntax: one random position per pair of games. */
const openingsFor = (choice, games) => choice.replace('random:', `random:${Math.max(1, Math.floor(games / 2))},plies=`);

function sequential() {
  const [low, high] = [number('elo0', { min: -1000, value: 0 }), number('elo1', { min: 1, value: 10 })];
  low.addEventListener('input', () => { high.min = Number(low.value) + 1; });
  const box = h(
    'div',
    { class: 'side-by-side', hidden: true },
    field('H0: Elo difference', low, 'A is stronger than B by this much at most …'),
    field('H1: Elo difference', high, '… or by this much at least.'),
  );
  const label = 'Stop as soon as a sequential test accepts one of two hypotheses';
  const on = check(label, false, yes => { box.hidden = !yes; }, { id: 'sprt-on' });
  return { element: h('div', {}, on, box), text: () => (box.hidden ? undefined : `elo0=${low.value},elo1=${high.value}`) };
}

/** Calls `begun(id)` when the match has started. */
export async function beginForm({ signal, begun }) {
  const state = { game: 'ayo', a: null, b: null };
  const rules = h('select', { id: 'match-rules' }),
    rulesField = field('Rules', rules),
    people = h('div', { class: 'side-by-side wide-fields' });
  const openings = select(OPENINGS, 'plies:4', null, { id: 'openings' }),
    games = number('games', { min: 2, step: 2, value: 400, required: true }),
    name = h('input', { type: 'text', id: 'match-name', autocomplete: 'off', maxlength: 64, placeholder: 'from the players' }),
    threads = number('match-threads', { max: 1024, placeholder: 'all cores' });
  const test = sequential();
  const wrong = h('p', { class: 'notice bad', id: 'match-problem', role: 'alert', hidden: true });
  const submit = h('button', { type: 'submit', class: 'button primary', id: 'begin-match' }, 'Start the match');
  const say = sentence => {
    wrong.hidden = !sentence;
    wrong.textContent = sentence ?? '';
  };

  async function choose(game) {
    state.game = game;
    const players = await listPlayers(game, signal);
    const shallow = player => (player?.level ? player : { ...player, depth: 5 });
    const second = players.weights.find(one => one.name === 'aalina4') ?? players.weights[0];
    state.a = shallow(defaultAdvice(players) ?? defaultOpponent(players));
    state.b = shallow(second ? { weights: second.name } : defaultOpponent(players));
    const one = key => playerField(`Player ${key.toUpperCase()}`, players, state[key], player => { state[key] = player; }, `player-${key}`);
    fill(people, one('a'), one('b'));
    rules.replaceChildren(...players.rules.map(one => h('option', { value: one.name }, one.name)));
    rulesField.hidden = game !== 'ayo';
  }

  const body = () => ({
    a: state.a,
    b: state.b,
    game: state.game,
    rules: state.game === 'ayo' ? rules.value : undefined,
    openings: openingsFor(openings.value, games.value),
    games: games.value === '' ? undefined : Number(games.value),
    sprt: test.text(),
    threads: threads.value === '' ? undefined : Number(threads.value),
    name: name.value.trim() || undefined,
  });

  async function send(event) {
    event.preventDefault();
    say(null);
    if (!validate(form)) return;
    submit.disabled = true;
    try {
      begun((await post('/api/matches', body(), { signal })).id);
    } catch (error) {
      if (error.name !== 'AbortError') say(error.message);
    } finally {
      submit.disabled = false;
    }
  }

  const game = select(GAMES, 'ayo', one => choose(one).catch(error => say(error.message)), { id: 'match-game' });
  const form = h(
    'form',
    { class: 'card', novalidate: true, on: { submit: send } },
    h('div', { class: 'side-by-side' }, field('Game', game), rulesField),
    people,
    h(
      'div',
      { class: 'side-by-side' },
      field('Openings', openings),
      field('Games', games, 'Each opening is played twice, with colours swapped.'),
      field('Name', name),
      field('Threads', threads),
    ),
    test.element,
    wrong,
    submit,
  );
  await choose('ayo');
  return form;
}
