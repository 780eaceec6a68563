// The list of moves in both notations, with what a judge said of them, and the buttons to step through it.

import { button, fill, h } from '../ui.js';
import { SIDE, sideOf } from './words.js';

/** The thesis' notation of each ply, where the server has it for every one. */
function notations(board) {
  const parts = (board.notation ?? '').split(',').map(part => part.trim()).filter(Boolean);
  return parts.length === board.line.length ? parts : [];
}

const judgeMark = ply => (ply.blunder ? '??' : ply.lost > 0 ? '?' : '');

function judgeText(ply) {
  if (ply.lost <= 0) return 'the best move, or as good';
  const kind = ply.blunder ? 'a blunder' : 'not the best';
  return `${kind}: ${ply.best} was ${ply.best_score_text}, ${ply.played} is ${ply.score_text}`;
}

function plyButton(game, index, notation, onlook) {
  const letter = game.line[index];
  const judged = game.judgedPly(index);
  const now = game.shown.moves === index + 1;
  const name = [`Move ${index + 1}, ${SIDE[sideOf(letter)]}: ${letter}`, notation, judged && judgeText(judged)].filter(Boolean).join(', ');
  const classes = ['ply', judged?.blunder && 'blunder', judged?.lost > 0 && 'lost', judged && judged.lost <= 0 && 'good'].filter(Boolean);
  return h('button', {
    type: 'button', class: classes.join(' '), 'aria-label': name, title: judged ? judgeText(judged) : null,
    'aria-current': now && 'step', data: { ply: index + 1 }, on: { click: () => onlook(index + 1) },
  }, h('b', {}, letter), notation && notation !== letter && h('span', { class: 'thesis' }, notation), judged && h('span', { class: 'judged' }, judgeMark(judged)));
}

/** A row a turn: one cell for each side, and a side that moves again has more plies in its cell. */
function turns(line) {
  const rows = [];
  const opener = line ? sideOf(line[0]) : 'south';
  let last = null;
  [...line].forEach((letter, index) => {
    const side = sideOf(letter);
    if (side === opener && last !== opener) rows.push({ south: [], north: [] });
    rows.at(-1)[side].push(index);
    last = side;
  });
  return { rows, order: opener === 'south' ? ['south', 'north'] : ['north', 'south'] };
}

function summary(game) {
  const { judged } = game;
  if (!judged) return null;
  const of = side => judged.plies.filter(ply => ply.side === side);
  const said = side => `${SIDE[side]}: ${of(side).filter(ply => ply.lost <= 0).length} of ${of(side).length} moves best, ${of(side).filter(ply => ply.blunder).length} blunders`;
  return h('p', { class: 'small', id: 'judged' }, `${said('south')}. ${said('north')}. `, h('span', { class: 'muted' }, '? is not the best move, ?? is a blunder.'));
}

export function createMoves({ look, copyLine, copyPosition, copyLink, paste, judge, stopJudging, back, playOn }) {
  const list = h('ol', { id: 'moves', class: 'moves', tabindex: 0, 'aria-label': 'Moves' });
  const about = h('div', {});
  const step = (text, name, id, action) => button(text, action, { class: 'button quiet', 'aria-label': name, title: name, id });
  let shown = () => 0;
  let total = () => 0;
  const toolbar = h('div', { class: 'cluster steps', role: 'group', 'aria-label': 'Look at other moves' },
    step('⏮', 'The start', 'first', () => look(0)), step('◀', 'One move back', 'back', () => look(shown() - 1)),
    step('▶', 'One move on', 'forward', () => look(shown() + 1)), step('⏭', 'The last move', 'last', () => look(total())));
  const backButton = button('Back to the game', back, { id: 'back-to-game' });
  const onButton = button('Play on from here', playOn, { id: 'play-on' });
  const judgeButton = button('Judge the moves', () => (judgeButton.dataset.stop ? stopJudging() : judge()), { id: 'judge' });
  const element = h('section', { class: 'card moves-card', 'aria-labelledby': 'moves-title' },
    h('div', { class: 'spread' }, h('h2', { id: 'moves-title' }, 'Moves'), toolbar),
    list, about,
    h('div', { class: 'cluster' }, backButton, onButton, judgeButton),
    h('div', { class: 'cluster copies' },
      button('Copy line', copyLine, { class: 'button small', id: 'copy-line' }),
      button('Copy position', copyPosition, { class: 'button small', id: 'copy-position' }),
      button('Copy link', copyLink, { class: 'button small', id: 'copy-link' }),
      button('Paste', paste, { class: 'button small', id: 'paste' })));

  function row(game, { cells, number, order, notation }) {
    return h('li', { class: 'turn-row' }, h('span', { class: 'turn-number', 'aria-hidden': 'true' }, `${number}.`),
      order.map(side => h('span', { class: 'turn-cell' }, cells[side].map(index => plyButton(game, index, notation[index], look)))));
  }

  function keepInSight() {
    const current = list.querySelector('[aria-current]');
    if (!current) { list.scrollTop = 0; return; }
    const from = current.offsetTop - list.offsetTop;
    if (from < list.scrollTop || from + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = from - list.clientHeight / 2;
  }

  function render(game) {
    if (!game.board) return;
    shown = () => game.shown.moves;
    total = () => game.line.length;
    const { rows, order } = turns(game.line);
    const notation = notations(game.board);
    const focused = list.contains(document.activeElement) ? document.activeElement.dataset.ply : null;
    fill(list, rows.map((cells, index) => row(game, { cells, number: index + 1, order, notation })));
    if (!rows.length) fill(list, h('li', { class: 'muted' }, 'No move has been made.'));
    if (focused) list.querySelector(`[data-ply="${focused}"]`)?.focus({ preventScroll: true });
    keepInSight();
    fill(about, summary(game));
    backButton.hidden = !game.looking || game.setup.mode === 'look';
    onButton.hidden = !game.looking && game.setup.mode !== 'look';
    judgeButton.hidden = !game.line.length;
    judgeButton.textContent = game.judging ? 'Stop judging' : 'Judge the moves';
    if (game.judging) judgeButton.dataset.stop = '1';
    else delete judgeButton.dataset.stop;
  }

  return { element, render };
}
