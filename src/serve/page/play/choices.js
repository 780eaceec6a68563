// The panel for starting a new game. The board changes only when the start button is pressed.

import { button, field, fill, h, segmented, select } from '../ui.js';
import { isAyo, kalahName, kalahSize } from './link.js';
import { defaultAdvice, defaultOpponent, isListed, listPlayers, playerField } from './players.js';

const MODES = [['player', 'Me against an opponent'], ['two', 'Two people'], ['adviser', 'Two people, with advice']];
const HINTS = {
  two: 'Both sides are played by hand, on one board.',
  adviser: 'Enter the moves of both sides, for instance of a game on another board. Payoff shows the best move.',
};
const SIDES = [['south', 'South'], ['north', 'North']];
const GAMES = [['ayo', 'Ayo (oware, awari)'], ['kalah', 'Kalah']];

const sizes = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => [String(from + i), String(from + i)]);

/** Whether two setups differ only in options that can change during a game. */
const sameGame = (a, b) => a.game === b.game && (!isAyo(a) || a.rules === b.rules) && a.first === b.first;

export function createChoices({ begin, reseat, signal }) {
  let draft = null;
  let current = null;
  let players = null;
  let failed = null;
  const body = h('div', {});
  const element = h('details', { class: 'card choices', open: matchMedia('(min-width: 60rem)').matches },
    h('summary', {}, h('h2', {}, 'New game')), body);

  const set = (key, value) => { draft = { ...draft, [key]: value }; render(); };

  async function load(game) {
    try {
      const answer = await listPlayers(game, signal);
      if (draft.game !== game) return;
      players = answer;
      failed = null;
      if (!isListed(players, draft.player)) draft.player = defaultOpponent(players);
      draft.usualAdvice = defaultAdvice(players);
      if (!isListed(players, draft.advice)) draft.advice = draft.usualAdvice;
      if (isAyo(draft) && !players.rules.some(rules => rules.name === draft.rules)) draft.rules = 'ayo';
    } catch (error) {
      if (signal.aborted) return;
      failed = error.message;
    }
    render();
  }

  function setGame(game) {
    draft = { ...draft, game };
    players = null;
    render();
    load(game);
  }

  function sizeFields() {
    const { pits, seeds } = kalahSize(draft.game);
    const change = part => setGame(kalahName({ pits, seeds, ...part }));
    return h('div', { class: 'pair' },
      field('Pits per side', select(sizes(1, 8), String(pits), value => change({ pits: Number(value) }), { id: 'choose-pits' })),
      field('Seeds per pit', select(sizes(1, 24), String(seeds), value => change({ seeds: Number(value) }), { id: 'choose-seeds' })));
  }

  function rulesField() {
    const about = players?.rules.find(rules => rules.name === draft.rules)?.about;
    const rules = players?.rules ?? [{ name: draft.rules }];
    return field('Rules', select(rules.map(one => [one.name, one.name]), draft.rules, value => set('rules', value), { id: 'choose-rules' }), about);
  }

  const sideLegend = { player: 'You play', adviser: 'Advise' };

  function fields() {
    const ayo = isAyo(draft);
    const { mode } = draft;
    return [
      field('Game', select(GAMES, ayo ? 'ayo' : 'kalah', value => setGame(value), { id: 'choose-game' })),
      ayo ? rulesField() : sizeFields(),
      field('Who plays', select(MODES, mode, value => set('mode', value), { id: 'choose-mode' }), HINTS[mode]),
      mode === 'player' && players && playerField('Opponent', players, draft.player, player => { draft.player = player; buttons(); }, 'choose-player'),
      mode in sideLegend && segmented(sideLegend[mode], SIDES, draft.side, value => set('side', value)),
      segmented('Who starts', SIDES, draft.first, value => set('first', value)),
    ];
  }

  const actions = h('div', { class: 'cluster' });
  function buttons() {
    const ready = players !== null;
    const seat = current.mode !== 'look' && current.line && sameGame(draft, current);
    fill(actions,
      button('Start game', () => ready && begin(settled()), { class: 'button primary', id: 'start', 'aria-disabled': String(!ready) }),
      seat && button('Continue with these players', () => ready && reseat(settled()), { id: 'reseat' }));
  }

  const settled = () => ({ ...draft, title: null, judge: false, at: null });

  function render() {
    const focused = body.contains(document.activeElement) ? document.activeElement : null;
    const key = focused && (focused.id ? `#${focused.id}` : `input[value="${focused.value}"]`);
    const group = focused?.closest('fieldset')?.querySelector('legend')?.textContent;
    fill(body, fields(), failed && h('p', { class: 'notice warn' }, failed), actions);
    buttons();
    // Move the focus to the replacement of the focused control.
    if (!key) return;
    const again = group ? [...body.querySelectorAll('fieldset')].find(one => one.querySelector('legend').textContent === group)?.querySelector(key) : body.querySelector(key);
    again?.focus();
  }

  /** Shows the options of the current game. */
  function follow(setup) {
    const sameBoard = current?.game === setup.game && players;
    current = setup;
    draft = { ...setup, mode: setup.mode === 'look' ? 'player' : setup.mode };
    if (sameBoard) {
      render();
    } else {
      players = null;
      render();
      load(setup.game);
    }
  }

  return { element, follow };
}
