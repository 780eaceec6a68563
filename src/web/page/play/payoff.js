// Payoff, as the thesis' program has it: under each pit what its move wins at once and what the game is worth after it.

import { fill, h, plural } from '../ui.js';
import { letters } from './board.js';
import { SIDE, playerName } from './words.js';

function marks(move) {
  return [
    move.best && h('span', { class: 'mark best' }, '★', h('span', { class: 'visually-hidden' }, ' best')),
    move.proven !== null && move.proven !== undefined
      && h('span', { class: 'mark proven' }, '✓', h('span', { class: 'visually-hidden' }, ' proven')),
  ];
}

function cell(letter, move) {
  if (!move) return h('li', { class: 'payoff none', data: { payoff: letter } }, h('span', { class: 'visually-hidden' }, `${letter}: no move`));
  return h('li', { class: `payoff${move.best ? ' is-best' : ''}`, id: `payoff-${letter}`, data: { payoff: letter } },
    h('span', { class: 'visually-hidden' }, `${letter}: `),
    h('span', { class: 'value', data: { value: '' } }, move.value_text), h('span', { class: 'visually-hidden' }, ', '),
    h('span', { class: 'gain', data: { gain: '' } }, move.gain > 0 ? `wins ${move.gain}` : 'wins 0'), ' ', marks(move));
}

function describe(board, answer) {
  for (const [letter, hole] of board.holes) {
    if (answer?.moves?.some(move => move.pit === letter)) hole.element.setAttribute('aria-describedby', `payoff-${letter}`);
    else hole.element.removeAttribute('aria-describedby');
  }
}

/** The row of payoffs on the board. */
export function showPayoffs(board, answer) {
  const strip = board.payoffs;
  describe(board, answer);
  if (!answer?.moves?.length) {
    strip.hidden = true;
    return;
  }
  const side = answer.to_move;
  const row = letters(side, answer.board.pits).map(letter => cell(letter, answer.moves.find(move => move.pit === letter)));
  const below = strip.dataset.bottom === side;
  if (!below) row.reverse();
  strip.className = `payoffs ${below ? 'payoffs-bottom' : 'payoffs-top'}`;
  strip.hidden = false;
  fill(strip, h('ul', { 'aria-label': `Payoffs of ${SIDE[side]}'s moves` }, row));
}

/** The sentence under the board that says what the numbers are. */
export function caption(answer) {
  if (!answer) return null;
  if (answer.waiting) return h('p', { class: 'muted' }, `${playerName(answer.player)} weighs the moves…`);
  if (!answer.moves.length) return h('p', {}, `${playerName(answer.player)} puts no value on moves. Its move would be ${answer.suggestion}.`);
  const best = answer.moves.find(move => move.best) ?? answer.moves.find(move => move.pit === answer.suggestion);
  const proven = answer.moves.filter(move => typeof move.proven === 'number');
  return [
    h('p', {}, h('strong', {}, `Sow ${answer.suggestion}`), best ? `: it wins ${plural(best.gain, 'seed')} now, and the game is worth ${best.value_text} to ${SIDE[answer.to_move]} after it.` : '.'),
    proven.length > 0 && h('p', {}, `Endgame tables prove: ${proven.map(move => `${move.pit} is worth ${plural(move.proven, 'seed')}`).join(', ')}.`),
    h('p', { class: 'muted small' }, `Under each pit: the value of the game after the move, in seeds, as ${playerName(answer.player)} scores it, and the seeds that the move wins at once. ★ marks the best move, ✓ what endgame tables prove.`),
  ];
}
