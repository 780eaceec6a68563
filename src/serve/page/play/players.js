// The players of a game: levels, published players, evaluators and runs.

import { get } from '../api.js';
import { field, h, select } from '../ui.js';
import { readPlayer, writePlayer } from './link.js';

const listed = new Map();

export function listPlayers(game, signal) {
  if (!listed.has(game)) {
    const asked = get('/api/players', { query: { game }, signal });
    listed.set(game, asked);
    // Request the list again after a while, since new runs may have appeared, or after a failure.
    const forget = () => listed.delete(game);
    asked.then(() => setTimeout(forget, 5000), forget);
  }
  return listed.get(game);
}

const has = (list, name, key = 'name') => list.some(one => one[key] === name);

/** The players with a fixed search limit. */
const named = players => [...players.levels, ...players.published];

export function isListed(players, player) {
  if (!player) return false;
  if (player.level) return has(named(players), player.level);
  return player.weights ? has(players.weights, player.weights) : has(players.runs, player.run, 'id');
}

const firstOf = (players, wanted) => wanted.find(player => isListed(players, player)) ?? (
  players.weights[0] ? { weights: players.weights[0].name, depth: 9 }
    : players.levels[0] ? { level: players.levels[0].name } : null);

export const defaultOpponent = players => firstOf(players, [{ level: 'amateur' }, { weights: 'kalah', depth: 6 }]);

/** The default adviser. It must not make random moves; the one with learned features is the strongest. */
export const defaultAdvice = players => firstOf(players, [{ weights: 'learned', depth: 9 }, { weights: 'reference', depth: 9 }]);

const LIMITS = [
  { label: 'Depth', options: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(depth => [`depth=${depth}`, `depth ${depth}`]) },
  { label: 'Time per move', options: [[100, '0.1 s'], [300, '0.3 s'], [1000, '1 s'], [3000, '3 s'], [10000, '10 s']].map(([ms, text]) => [`time=${ms}`, text]) },
];

function about(players, player) {
  if (!player) return '';
  const found = player.level ? named(players).find(one => one.name === player.level)
    : player.weights ? players.weights.find(one => one.name === player.weights) : players.runs.find(one => one.id === player.run);
  return found?.about ?? '';
}

/** A field for a player, with a depth or time if the player is a run or an evaluator. */
export function playerField(label, players, value, onchange, id) {
  let player = value;
  const who = one => writePlayer(one).replace(/:(depth|time)=\d+$/, '');
  const groups = [
    { label: 'Levels', options: players.levels.map(level => [`level:${level.name}`, level.name]) },
    { label: 'Published players', options: players.published.map(one => [`level:${one.name}`, one.name]) },
    { label: 'Evaluators', options: players.weights.map(weights => [`weights:${weights.name}`, weights.name]) },
    { label: 'Runs in this folder', options: players.runs.map(run => [`run:${run.id}`, run.id]) },
  ].filter(group => group.options.length);
  const whose = select(groups, who(value), () => change(), { id });
  const limits = select(LIMITS, value && !value.level ? writePlayer(value).match(/(depth|time)=\d+$/)[0] : 'depth=9', () => change(), { id: `${id}-limit` });
  const limitField = field('Search depth or time', limits);
  const hint = h('p', { class: 'muted small' });
  const show = () => {
    limitField.hidden = Boolean(player?.level);
    hint.textContent = about(players, player);
    hint.hidden = !hint.textContent;
  };
  function change() {
    player = readPlayer(whose.value.startsWith('level:') ? whose.value : `${whose.value}:${limits.value}`);
    show();
    onchange(player);
  }
  show();
  return h('div', { class: 'player-field' }, field(label, whose), limitField, hint);
}
