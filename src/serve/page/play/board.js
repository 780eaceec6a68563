// The board: two rows of holes and two stores. It displays counts and reports clicks, but knows no rules.

import { fill, h, plural, svg } from '../ui.js';
import { drawSeeds, drawStore } from './seeds.js';
import { SIDE } from './words.js';

const LETTERS = 'ABCDEFGH';
export const letters = (side, pits) => [...LETTERS.slice(0, pits)].map(c => (side === 'south' ? c : c.toLowerCase()));

function hole(letter, index, playable, onpress) {
  const number = h('span', { class: 'count' });
  const picture = svg('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true', focusable: 'false' });
  // The letter comes first, as in the accessible name; the style sheet moves it below.
  const inside = [h('span', { class: 'letter' }, letter), ' ', number, h('span', { class: 'hollow' }, picture)];
  const element = playable
    ? h('button', { type: 'button', class: 'pit', data: { pit: letter }, on: { click: () => onpress(letter) } }, inside)
    : h('div', { class: 'pit', role: 'img', data: { pit: letter } }, inside);
  let count = null;
  return {
    element,
    get count() { return count; },
    set(next) {
      if (next === count) return;
      count = next;
      number.textContent = next;
      drawSeeds(picture, next, index * 1.1 + 0.3);
      element.setAttribute('aria-label', `${letter}, ${plural(next, 'seed')}`);
    },
  };
}

function store(side) {
  const number = h('span', { class: 'count' });
  // On narrow pages, stores are horizontal, above and below the board; the style sheet shows one of the two pictures.
  const picture = (name, box) => svg('svg', { viewBox: box, class: name, preserveAspectRatio: name === 'lying' ? 'xMinYMid' : 'xMidYMax', 'aria-hidden': 'true', focusable: 'false' });
  const standing = picture('standing', '-0.5 -0.5 5 14');
  const lying = picture('lying', '-0.5 -0.5 14 5');
  const element = h('div', { class: `store store-${side}`, role: 'img', data: { store: side } },
    h('span', { class: 'store-name' }, SIDE[side]), ' ', number, h('span', { class: 'hollow' }, standing, lying));
  let count = null;
  return {
    element,
    get count() { return count; },
    set(next) {
      if (next === count) return;
      count = next;
      number.textContent = next;
      drawStore(standing, next, false);
      drawStore(lying, next, true);
      element.setAttribute('aria-label', `${SIDE[side]}'s store, ${plural(next, 'seed')}`);
    },
  };
}

/** Moves the focus with the arrow keys. */
function arrows(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 0, ArrowDown: 0 }[event.key];
  const pit = event.target.closest?.('button.pit');
  if (step === undefined || !pit || event.ctrlKey || event.altKey || event.metaKey) return;
  const row = [...pit.parentElement.children];
  const place = row.indexOf(pit);
  let next = row[place + step];
  if (step === 0) {
    const rows = [...pit.closest('.board').querySelectorAll('.row')];
    next = rows[event.key === 'ArrowUp' ? 0 : 1].children[place];
  }
  if (next?.matches('button')) {
    next.focus();
    event.preventDefault();
  }
}

/**
 * `create({onpress})` → `{element, build, show, holes, …}`. `build` creates the holes, given the number of pits, the
 * side at the bottom and the sides whose moves the user enters.
 */
export function createBoard({ onpress }) {
  const element = h('div', { class: 'board', on: { keydown: arrows } });
  const holes = new Map();
  const rows = {};
  const labels = { south: h('p', { class: 'owner' }), north: h('p', { class: 'owner' }) };
  const counter = h('p', { id: 'counter', class: 'counter' });
  const payoffs = h('div', { class: 'payoffs', hidden: true });
  let built = '';

  function build({ pits, bottom, playable }) {
    const key = JSON.stringify([pits, bottom, playable]);
    if (key === built) return;
    built = key;
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.pit : null;
    holes.clear();
    for (const side of ['south', 'north']) {
      const row = letters(side, pits).map((letter, index) => hole(letter, index, playable.includes(side), onpress));
      row.forEach((one, index) => holes.set(letters(side, pits)[index], one));
      const elements = row.map(one => one.element);
      if (side !== bottom) elements.reverse();
      rows[side] = h('div', { class: `row ${side === bottom ? 'row-bottom' : 'row-top'}`, role: 'group', 'aria-label': `${SIDE[side]}'s row` }, elements);
      holes.set(side, store(side));
    }
    const top = bottom === 'south' ? 'north' : 'south';
    element.style.setProperty('--pits', pits);
    holes.get(top).element.classList.add('store-top');
    holes.get(bottom).element.classList.add('store-bottom');
    labels[top].className = 'owner owner-top';
    labels[bottom].className = 'owner owner-bottom';
    fill(element, labels[top], holes.get(top).element, rows[top], counter, rows[bottom], holes.get(bottom).element, labels[bottom], payoffs);
    // Payoffs are outside the board, next to their row.
    Object.assign(payoffs.dataset, { bottom, pits });
    if (focused) holes.get(focused)?.element.focus();
  }

  function counts(board) {
    for (const side of ['south', 'north']) {
      letters(side, board.pits).forEach((letter, index) => holes.get(letter).set(board.rows[side][index]));
      holes.get(side).set(board.stores[side]);
    }
  }

  /** Shows legal moves, the last move, the side to move and the number of moves. */
  function marks(board, { open, names }) {
    for (const [letter, one] of holes) {
      if (letter.length > 1) continue;
      const legal = open && board.legal.includes(letter);
      one.element.classList.toggle('legal', legal);
      one.element.classList.toggle('last', board.last?.pit === letter);
      one.element.classList.toggle('taken', board.last?.taken.includes(letter) ?? false);
      if (one.element.matches('button')) one.element.setAttribute('aria-disabled', String(!legal));
    }
    for (const side of ['south', 'north']) {
      const turn = board.to_move === side;
      labels[side].classList.toggle('turn', turn);
      rows[side].classList.toggle('turn', turn);
      fill(labels[side], h('span', { class: 'turn-mark', 'aria-hidden': 'true' }, turn ? '▸ ' : ''), SIDE[side], names[side] && h('span', { class: 'owner-name' }, ` · ${names[side]}`));
    }
    fill(counter, 'Moves ', h('strong', {}, board.moves));
  }

  return { element, build, counts, marks, holes, payoffs };
}
