// The buttons below the board, and the settings stored in this browser.

import { button, check, fill, h, reducedMotion, remember } from '../ui.js';
import { playerField } from './players.js';
import { SPEEDS } from './sowing.js';

/** Preferences, stored in this browser. */
export const settings = {
  get pace() { return (SPEEDS[Number(remember.get('speed', '2'))] ?? SPEEDS[2])[1]; },
  get turning() { return remember.get('turning') === '1'; },
  get letters() { return remember.get('letters', '1') === '1'; },
  get keep() { return remember.get('keep') === '1'; },
};

const rememberCheck = (label, key, value, changed, attrs) =>
  check(label, value, next => { remember.set(key, next ? '1' : '0'); changed?.(next); }, attrs);

export const lettersCheck = () => rememberCheck('Single-letter shortcuts', 'letters', settings.letters);

function speedField() {
  const now = remember.get('speed', '2');
  const name = value => SPEEDS[Number(value)]?.[0] ?? 'normal';
  const output = h('output', { class: 'muted' }, name(now));
  const range = h('input', {
    type: 'range', id: 'speed', min: 0, max: SPEEDS.length - 1, step: 1, value: now, 'aria-valuetext': name(now),
    on: {
      input: () => {
        remember.set('speed', range.value);
        output.textContent = name(range.value);
        range.setAttribute('aria-valuetext', name(range.value));
      },
    },
  });
  return h('div', { class: 'speed' }, h('label', { for: 'speed' }, 'Sowing speed'), range, output,
    reducedMotion() && h('span', { class: 'muted small' }, 'This system asks for reduced motion: seeds are not animated.'));
}

export function createControls({ payoff, cancel, retry, help, keepChanged, turned, advise }) {
  const payoffButton = button('Payoff', payoff, { id: 'payoff', class: 'button primary', 'aria-pressed': 'false', 'aria-keyshortcuts': 'P' });
  const cancelButton = button('Undo', cancel, { id: 'cancel', 'aria-keyshortcuts': 'Z' });
  const retryButton = button('Restart', retry, { id: 'retry', 'aria-keyshortcuts': 'R' });
  const turning = rememberCheck('Turn the board to the side to move', 'turning', settings.turning, turned, { id: 'turning' });
  turning.hidden = true;
  const adviser = h('div', {});
  const element = h('div', { class: 'controls' },
    h('div', { class: 'cluster' }, payoffButton, cancelButton, retryButton,
      button('?', help, { id: 'help', class: 'button quiet', 'aria-label': 'Help', title: 'Help', 'aria-keyshortcuts': '?' })),
    h('div', { class: 'cluster settings' }, rememberCheck('Always show payoffs', 'keep', settings.keep, keepChanged, { id: 'keep' }), speedField(), turning));
  const more = h('details', { class: 'advice' }, h('summary', {}, 'Evaluator'), adviser);

  function render(game) {
    payoffButton.setAttribute('aria-pressed', String(game.payoffs !== null));
    cancelButton.setAttribute('aria-disabled', String(game.cancelTo() === null));
    // When a game is only being viewed, there is no move to undo.
    cancelButton.hidden = retryButton.hidden = game.setup.mode === 'look';
    retryButton.setAttribute('aria-disabled', String(!game.line));
    turning.hidden = game.setup.mode !== 'two';
  }

  /** Lists the players that can evaluate moves. */
  function listAdvisers(players, advice) {
    // Omit levels with random moves, whose values would be misleading. The other levels are listed as evaluators too.
    const exact = { ...players, levels: players.levels.filter(level => level.name === 'amateur' || level.name === 'grandmaster') };
    fill(adviser, playerField('Player that evaluates moves, for Payoff and Analyse the moves', exact, advice, advise, 'advice'));
  }

  return { element, more, render, listAdvisers };
}

export const againButton = action => button('Try again', action, { id: 'again', class: 'button small' });
export const freshButton = action => button('New game', action, { id: 'fresh', class: 'button small' });
