// Formats information about matches as text.

import { h, integer, percent } from '../ui.js';
import { interval, points } from '../runs/words.js';

export const progressText = match =>
  match.of ? `${integer(match.games)} of ${integer(match.of)} games` : `${integer(match.games)} games`;

export const bar = (match, name) =>
  match.of > 0 &&
  h('progress', {
    max: match.of,
    value: Math.min(match.games, match.of),
    'aria-label': `Progress of ${name}: ${progressText(match)}`,
  });

export const signed = value =>
  value === null || value === undefined ? '–' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(0)}`;

export const scoreText = one => `${points(one.score)} (${interval(one.score_ci95)})`;

export const eloText = one => `${signed(one.elo)} (${one.elo_ci95.map(signed).join(' to ')})`;

/** Formats a likelihood. Likelihoods near 0 or 1 are not rounded to 0 % or 100 %. */
export const likelihood = los => (los > 0.9999 ? 'above 99.99 %' : los < 0.0001 ? 'below 0.01 %' : percent(los, 2));

const NAMES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The label of a player: A and B if there are two players, otherwise a number, as in `ayo tournament`. */
export const sign = (index, of) => (of === 2 ? NAMES[index] : String(index + 1));

/** `plies:4, 40 games drawn with seed 1` → "all positions after 4 plies, 40 games drawn with seed 1". */
export const openingsText = text =>
  text
    .replace(/^plies:(\d+)/, 'all positions after $1 plies')
    .replace(/^random:(\d+),plies=(\d+)(,seed=\d+)?/, '$1 random positions after $2 plies')
    .replace(/\b1 plies/, '1 ply');

/** Swaps the players of a row. */
export function reversed(row) {
  const minus = value => (value === null || value === undefined ? value : -value);
  return {
    ...row,
    a: row.b,
    b: row.a,
    wins: row.losses,
    losses: row.wins,
    pairs: [...row.pairs].reverse(),
    score: 1 - row.score,
    score_ci95: row.score_ci95.map(value => 1 - value).reverse(),
    elo: minus(row.elo),
    elo_ci95: row.elo_ci95.map(minus).reverse(),
    los: 1 - row.los,
  };
}
