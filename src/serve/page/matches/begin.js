// The form that starts a match: players, openings, number of games, and a sequential test.

import { post } from '../api.js';
import { check, field, fill, h, select } from '../ui.js';
import { defaultAdvice, defaultOpponent, listPlayers, playerField } from '../play/players.js';

const text = (id, attrs) => h('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false', ...attrs });

function sequential(changed) {
  const input = text('sprt', { value: 'elo0=0,elo1=10', disabled: true });
  const box = field('Hypotheses', input, 'elo0 and elo1 are the two hypotheses: the Elo difference between A and B.');
  box.hidden = true;
  const on = check(
    'Stop when a sequential test reaches a decision',
    false,
    yes => {
      box.hidden = !yes;
      input.disabled = !yes;
      changed();
    },
    { id: 'sprt-on' },
  );
  return {
    element: h('div', {}, on, box),
    get value() {
      return input.disabled ? null : input.value.trim();
    },
  };
}

/** `begun(id)` is called when the match has started. */
export async function beginForm({ signal, begun }) {
  const state = { game: 'ayo', a: null, b: null };
  const rules = h('select', { id: 'match-rules' }),
    rulesField = field('Rules', rules);
  const people = h('div', { class: 'side-by-side wide-fields' });
  const openings = text('openings', { value: 'plies:4' }),
    games = h('input', { type: 'number', min: 2, step: 2, id: 'games', value: 400 });
  const name = text('match-name', { maxlength: 64, placeholder: 'from the players' }),
    threads = h('input', { type: 'number', min: 1, step: 1, id: 'match-threads', placeholder: 'all cores' });
  const test = sequential(() => {});
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
    state.a = shallow(defaultAdvice(players) ?? defaultOpponent(players));
    state.b = shallow(
      players.weights[0]
        ? { weights: players.weights.find(one => one.name === 'aalina4')?.name ?? players.weights[0].name }
        : defaultOpponent(players),
    );
    fill(
      people,
      playerField(
        'Player A',
        players,
        state.a,
        one => {
          state.a = one;
        },
        'player-a',
      ),
      playerField(
        'Player B',
        players,
        state.b,
        one => {
          state.b = one;
        },
        'player-b',
      ),
    );
    rules.replaceChildren(...players.rules.map(one => h('option', { value: one.name }, one.name)));
    rulesField.hidden = game !== 'ayo';
  }

  function body() {
    const given = {
      a: state.a,
      b: state.b,
      game: state.game,
      rules: state.game === 'ayo' ? rules.value : undefined,
      openings: openings.value.trim() || undefined,
      games: Number(games.value) || undefined,
      sprt: test.value,
      threads: Number(threads.value) || undefined,
      name: name.value.trim() || undefined,
    };
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  }

  async function send(event) {
    event.preventDefault();
    say(null);
    submit.disabled = true;
    try {
      begun((await post('/api/matches', body(), { signal })).id);
    } catch (error) {
      if (error.name !== 'AbortError') say(error.message);
    } finally {
      submit.disabled = false;
    }
  }

  const game = select(
    [
      ['ayo', 'ayo'],
      ['kalah', 'kalah'],
    ],
    'ayo',
    one => choose(one).catch(error => say(error.message)),
    { id: 'match-game' },
  );
  const form = h(
    'form',
    { class: 'card', novalidate: true, on: { submit: send } },
    people,
    h(
      'div',
      { class: 'side-by-side' },
      field('Game', game),
      rulesField,
      field('Openings', openings, 'plies:4 is all positions after four plies; random:200,plies=8 is 200 random positions after eight plies.'),
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
