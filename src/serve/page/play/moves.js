// The list of moves in both notations, with their analysis, and the buttons to step through it.

import { button, fill, h, plural, svg } from '../ui.js';
import { SIDE, sideOf } from './words.js';

/** The thesis notation of each ply, or an empty list if any ply has none. */
function notations(board) {
  const parts = (board.notation ?? '').split(',').map(part => part.trim()).filter(Boolean);
  return parts.length === board.line.length ? parts : [];
}

const isBest = ply => ply.move === ply.choice || ply.score >= ply.best_score;
const judgeMark = ply => (ply.blunder ? '??' : isBest(ply) ? '' : '?');

// The threshold for a blunder is the evaluator's value of three captured seeds.
const inSeeds = (points, limit) => (points / (limit / 3)).toFixed(2);
const scoreText = (score, text, limit) => (limit > 0 && text === String(score) ? `${score < 0 ? '\u2212' : '+'}${inSeeds(Math.abs(score), limit)}` : text);

function judgeText(ply, limit) {
  if (isBest(ply)) return ply.move === ply.choice ? 'best move' : `as good as ${ply.choice}`;
  const lost = ply.lost > 0 && limit > 0 ? `, ${inSeeds(ply.lost, limit)} seeds lost` : '';
  return `${ply.blunder ? 'a blunder' : 'not the best'}: ${scoreText(ply.score, ply.score_text, limit)}, and ${ply.best} is ${scoreText(ply.best_score, ply.best_score_text, limit)}${lost}`;
}

function plyButton(game, index, notation, onlook) {
  const letter = game.line[index];
  const judged = game.judgedPly(index);
  const now = game.shown.moves === index + 1;
  const hidden = text => h('span', { class: 'visually-hidden' }, text);
  const classes = ['ply', judged?.blunder && 'blunder', judged && (isBest(judged) ? 'good' : 'lost')].filter(Boolean);
  return h('button', {
    type: 'button', class: classes.join(' '), title: judged && judgeText(judged, game.judged.blunder),
    'aria-current': now && 'step', data: { ply: index + 1 }, on: { click: () => onlook(index + 1) },
  }, hidden(`Move ${index + 1}, ${SIDE[sideOf(letter)]}: `), h('b', {}, letter),
  notation && [' ', h('span', { class: 'thesis' }, notation)],
  judged && [h('span', { class: 'judged', 'aria-hidden': 'true' }, judgeMark(judged)), hidden(`, ${judgeText(judged, game.judged.blunder)}`)]);
}

/** Rows of turns, with a cell for each side. A cell contains several plies if the side moves again. */
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
  const said = side => {
    const plies = judged.plies.filter((_, index) => sideOf(judged.line[index]) === side);
    return `${SIDE[side]}: ${plies.filter(isBest).length} of ${plural(plies.length, 'move')} best, ${plural(plies.filter(ply => ply.blunder).length, 'blunder')}`;
  };
  const ply = game.shown.moves > 0 ? game.judgedPly(game.shown.moves - 1) : null;
  const about = ply && `Move ${game.shown.moves}, ${game.line[game.shown.moves - 1]}: ${judgeText(ply, judged.blunder)}.`;
  return h('p', { class: 'small', id: 'judged' }, about && [h('strong', {}, about), h('br')], `${said('south')}. ${said('north')}. `, h('span', { class: 'muted' }, '? is not the best move, ?? is a blunder.'));
}

// Replace characters that some fonts lack.
const ICONS = { first: 'M6 5v14M19 5L8 12l11 7z', back: 'M17 5L6 12l11 7z', forward: 'M7 5l11 7-11 7z', last: 'M18 5v14M5 5l11 7-11 7z' };
const icon = shape => svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true', focusable: 'false' }, svg('path', { d: ICONS[shape] }));

export function createMoves({ look, copyLine, copyPosition, copyLink, paste, judge, stopJudging, back, playOn }) {
  const list = h('ol', { id: 'moves', class: 'moves', tabindex: 0, 'aria-label': 'Moves' });
  const about = h('div', {});
  const step = (shape, name, id, action) => button(icon(shape), action, { class: 'button quiet', 'aria-label': name, title: name, id });
  let shown = () => 0;
  let total = () => 0;
  const toolbar = h('div', { class: 'cluster steps', role: 'group', 'aria-label': 'Show other moves' },
    step('first', 'Start', 'first', () => look(0)), step('back', 'Previous move', 'back', () => look(shown() - 1)),
    step('forward', 'Next move', 'forward', () => look(shown() + 1)), step('last', 'Last move', 'last', () => look(total())));
  const backButton = button('Back to the game', back, { id: 'back-to-game', hidden: true });
  const onButton = button('Continue from here', playOn, { id: 'play-on', hidden: true });
  const judgeButton = button('Analyse the moves', () => (judgeButton.dataset.stop ? stopJudging() : judge()), { id: 'judge', hidden: true });
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
    const from = current.offsetTop;
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
    if (!rows.length) fill(list, h('li', { class: 'muted' }, 'No moves yet.'));
    if (focused) list.querySelector(`[data-ply="${focused}"]`)?.focus({ preventScroll: true });
    keepInSight();
    fill(about, summary(game));
    backButton.hidden = !game.looking || game.setup.mode === 'look';
    onButton.hidden = !game.looking && game.setup.mode !== 'look';
    judgeButton.hidden = !game.line.length;
    judgeButton.textContent = game.judging ? 'Stop the analysis' : 'Analyse the moves';
    if (game.judging) judgeButton.dataset.stop = '1';
    else delete judgeButton.dataset.stop;
  }

  return { element, render };
}
