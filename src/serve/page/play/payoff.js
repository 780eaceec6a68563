// Payoffs, as in the thesis's program: for each pit, the captured seeds and the value of the game after the move.

import { fill, h, plural } from '../ui.js';
import { letters } from './board.js';
import { SIDE, playerName } from './words.js';

const MINUS = '\u2212';

/** A value in seeds or, if it has none, in the player's words: "win in 5", "proven win by 3". */
function valueText(moves) {
  const seeds = moves.map(move => move.seeds).filter(number => typeof number === 'number');
  const digits = seeds.every(Number.isInteger) ? 0 : 2;
  const signed = number => `${number < 0 ? MINUS : '+'}${Math.abs(number).toFixed(digits)}`;
  return move => (typeof move.seeds === 'number' ? signed(move.seeds) : move.value_text);
}

const known = move => move.proven ?? move.likely ?? null;
const knownText = seeds => (seeds > 0 ? `${plural(seeds, 'seed')} ahead` : seeds < 0 ? `${plural(-seeds, 'seed')} behind` : 'even');

function marks(move) {
  return [
    move.best && h('span', { class: 'mark best' }, '★', h('span', { class: 'visually-hidden' }, ' best')),
    known(move) !== null && h('span', { class: 'mark proven' }, typeof move.proven === 'number' ? '✓' : '≈',
      h('span', { class: 'visually-hidden' }, typeof move.proven === 'number' ? ' proven' : ' likely')),
  ];
}

function cell(letter, move, text) {
  if (!move) return h('li', { class: 'payoff none', data: { payoff: letter } }, h('span', { class: 'visually-hidden' }, `${letter}: no move`));
  return h('li', { class: `payoff${move.best ? ' is-best' : ''}`, id: `payoff-${letter}`, data: { payoff: letter } },
    h('span', { class: 'visually-hidden' }, `${letter}: `),
    h('span', { class: 'value', data: { value: move.value } }, text(move)), h('span', { class: 'visually-hidden' }, ', '),
    h('span', { class: 'gain', data: { gain: move.gain } }, `wins ${move.gain}`), ' ', marks(move));
}

function describe(board, answer) {
  for (const [letter, hole] of board.holes) {
    if (answer?.moves?.some(move => move.pit === letter)) hole.element.setAttribute('aria-describedby', `payoff-${letter}`);
    else hole.element.removeAttribute('aria-describedby');
  }
}

/** The reason why payoffs are not available, or `null`. */
export function noPayoffs({ shown, setup, thinking }) {
  if (!shown) return 'Loading the board…';
  if (!setup.advice) return 'There is no player that evaluates moves.';
  if (!shown.to_move) return 'The game is over: there are no moves.';
  if (thinking) return `${playerName(setup.player)} is thinking; payoffs are shown for your moves.`;
  if (setup.mode === 'adviser' && shown.to_move !== setup.side) {
    return `Payoffs are shown for ${SIDE[setup.side]}. Enter ${SIDE[shown.to_move]}'s move first.`;
  }
  return null;
}

/** Shows the payoffs on the board. */
export function showPayoffs(board, answer) {
  const strip = board.payoffs;
  describe(board, answer);
  if (!answer?.moves?.length) {
    strip.hidden = true;
    return;
  }
  const side = answer.to_move;
  const text = valueText(answer.moves);
  const row = letters(side, answer.board.pits).map(letter => cell(letter, answer.moves.find(move => move.pit === letter), text));
  const below = strip.dataset.bottom === side;
  if (!below) row.reverse();
  strip.className = `payoffs ${below ? 'payoffs-bottom' : 'payoffs-top'}`;
  strip.hidden = false;
  fill(strip, h('ul', { 'aria-label': `Payoffs of ${SIDE[side]}'s moves` }, row));
}

/** The explanation of the payoffs below the board. */
export function caption(answer) {
  if (!answer) return null;
  if (answer.waiting) return h('p', { class: 'muted' }, `${playerName(answer.player)} is evaluating the moves…`);
  if (!answer.moves.length) return h('p', {}, `${playerName(answer.player)} does not evaluate moves. It would play ${answer.suggestion}.`);
  const sown = answer.moves.find(move => move.pit === answer.suggestion);
  const best = answer.moves.find(move => move.best);
  const text = valueText(answer.moves);
  const say = (kind, word) => {
    const moves = answer.moves.filter(move => typeof move[kind] === 'number');
    return moves.length > 0 && h('p', {}, `Endgame tables ${word}: ${moves.map(move => `${move.pit} ${knownText(move[kind])}`).join(', ')}.`);
  };
  const inSeeds = answer.moves.some(move => typeof move.seeds === 'number');
  return [
    h('p', {},
      h('strong', {}, `Sow ${answer.suggestion}.`),
      sown && ` It captures ${plural(sown.gain, 'seed')}; the value of the game is then ${text(sown)}${typeof sown.seeds === 'number' ? ' seeds' : ''} for ${SIDE[answer.to_move]}.`,
      sown && best && !sown.best && ` ${playerName(answer.player)} would play it, based on its book or a deeper search. According to the values below, from a shallower search, ${best.pit} is best.`),
    say('proven', 'prove'), say('likely', 'expect'),
    h('p', { class: 'muted small' }, `Under each pit: the value of the game after the move${inSeeds ? ', in seeds' : ''}, according to ${playerName(answer.player)}, and the captured seeds. ★ marks the best move, ✓ a value proven by endgame tables.`),
  ];
}
