// Animates a move: a hand takes the seeds of a pit and drops them along the path given by the server.

import { h, reducedMotion } from '../ui.js';

/** Milliseconds per seed; 0 shows the result immediately. */
export const SPEEDS = [['off', 0], ['slow', 420], ['normal', 190], ['fast', 75]];

const OFF = { finish() {}, done: Promise.resolve() };

function moveHand(hand, board, target) {
  const frame = board.getBoundingClientRect();
  const place = (target.querySelector('.hollow') ?? target).getBoundingClientRect();
  hand.style.transform = `translate(${place.left - frame.left + place.width / 2}px, ${place.top - frame.top + place.height / 2}px)`;
}

/** Returns the seed counts before the move, from the previous board or, if there is none, by undoing the move. */
function before(board, previous, next) {
  board.counts({ ...next, rows: previous.rows, stores: previous.stores });
}

/**
 * Animates `next.last` on a board that shows `previous`. `done` resolves when the board shows `next`; `finish` skips to
 * the end of the animation.
 */
export function sow(board, previous, next, pace) {
  const last = next.last;
  if (pace === 0 || reducedMotion() || !last || document.hidden) {
    board.counts(next);
    return OFF;
  }
  let stop = () => {};
  let stopped = false;
  const wait = share => stopped ? Promise.resolve() : new Promise(resolve => {
    const timer = setTimeout(resolve, pace * share);
    stop = () => { stopped = true; clearTimeout(timer); resolve(); };
  });
  const hand = h('span', { class: 'hand', 'aria-hidden': 'true', style: { '--pace': `${pace}ms` } });

  async function drop(name, left) {
    const hole = board.holes.get(name);
    moveHand(hand, board.element, hole.element);
    await wait(0.7);
    if (stopped) return;
    hole.set(hole.count + 1);
    hand.textContent = left;
    hole.element.classList.add('dropped');
    await wait(0.3);
    hole.element.classList.remove('dropped');
  }

  async function capture() {
    const home = board.holes.get(last.side);
    for (const name of last.taken) board.holes.get(name)?.element.classList.add('capturing');
    await wait(2.5);
    for (const name of last.taken) {
      const hole = board.holes.get(name);
      hole.element.classList.remove('capturing');
      if (stopped) continue;
      home.set(home.count + hole.count);
      hole.set(0);
    }
  }

  async function run() {
    before(board, previous, next);
    const origin = board.holes.get(last.pit);
    board.element.append(hand);
    hand.textContent = last.seeds;
    moveHand(hand, board.element, origin.element);
    await wait(1);
    if (!stopped) origin.set(0);
    for (let i = 0; i < last.path.length && !stopped; i += 1) await drop(last.path[i], last.path.length - i - 1);
    hand.remove();
    if (last.taken.length && !stopped) await capture();
    for (const hole of board.holes.values()) hole.element.classList.remove('dropped', 'capturing');
    board.counts(next);
  }

  return { finish() { stopped = true; stop(); }, done: run() };
}
