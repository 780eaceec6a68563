// Results of a match: scores, pairs, the crosstable and the log-likelihood ratio of a sequential test.

import { look } from '../chart/plot.js';
import { h, integer, table } from '../ui.js';
import { interval, opponent, player, points } from '../runs/words.js';
import { eloText, likelihood, reversed, scoreText, sign, signed } from './words.js';

/** The result of a match between two players. */
export function duelFacts(row) {
  const fact = (name, value, id) => h('div', { id }, h('dt', {}, name), h('dd', { class: 'number' }, value));
  return h(
    'dl',
    { class: 'facts', id: 'duel' },
    fact('Points of A per game', [h('strong', { class: 'big' }, points(row.score)), ` (${interval(row.score_ci95)})`], 'score'),
    fact('Elo difference', [h('strong', {}, signed(row.elo)), ` (${row.elo_ci95.map(signed).join(' to ')})`], 'elo'),
    fact('Likelihood that A is stronger', likelihood(row.los), 'los'),
    fact('Games of A', `${integer(row.wins)} won, ${integer(row.draws)} drawn, ${integer(row.losses)} lost`, 'wdl'),
  );
}

const PAIR = ['0', '½', '1', '1½', '2'];

/** The counts of the five possible pair scores, as a table with bars. */
export function pairsPart(pairs) {
  const most = Math.max(1, ...pairs),
    all = pairs.reduce((sum, count) => sum + count, 0);
  const columns = [
    { title: 'points of A', heading: true, right: true, cell: one => PAIR[one.i] },
    { title: 'pairs', right: true, cell: one => integer(one.count) },
    {
      title: h('span', { class: 'visually-hidden' }, 'as a bar'),
      cell: one =>
        h('span', { class: 'share', 'aria-hidden': 'true' }, h('span', { style: { width: `${(100 * one.count) / most}%` } })),
    },
    { title: 'share', right: true, cell: one => (all ? `${((100 * one.count) / all).toFixed(1)} %` : '–') },
  ];
  const caption = 'Points of A in pairs of games: each opening is played twice, with colours swapped';
  return table({ caption, columns, rows: pairs.map((count, i) => ({ count, i })), attrs: { id: 'pairs' } });
}

export function playersPart(players) {
  return h(
    'ol',
    { class: 'players', id: 'players' },
    players.map((one, i) => h('li', {}, h('strong', {}, sign(i, players.length)), ' ', player(one))),
  );
}

/** The score of each row against each column. */
export function crosstable({ players, table: rows }) {
  const of = players.length;
  const both = new Map(
    rows.flatMap(row => [
      [`${row.a}-${row.b}`, row],
      [`${row.b}-${row.a}`, reversed(row)],
    ]),
  );
  const own = i => [...both.values()].filter(row => row.a === i);
  const sum = (list, key) => list.reduce((total, row) => total + key(row), 0);
  const standing = players
    .map((name, i) => {
      const games = sum(own(i), row => row.games);
      return { i, name, games, points: games ? sum(own(i), row => row.score * row.games) / games : null };
    })
    .sort((x, y) => (y.points ?? -1) - (x.points ?? -1));
  const cell = (i, j) => {
    const row = both.get(`${i}-${j}`);
    return row
      ? h('span', { title: `${scoreText(row)}, Elo ${eloText(row)}, likelihood of being stronger ${likelihood(row.los)}` }, points(row.score))
      : '·';
  };
  const columns = [
    { title: 'player', heading: true, cell: one => [sign(one.i, of), ' ', player(one.name)] },
    { title: 'score', right: true, cell: one => h('strong', {}, points(one.points)) },
    { title: 'games', right: true, cell: one => integer(one.games) },
    ...standing.map(other => ({
      title: sign(other.i, of),
      label: `against ${sign(other.i, of)}`,
      right: true,
      cell: one => (one.i === other.i ? '–' : cell(one.i, other.i)),
    })),
  ];
  return table({
    caption: 'Points per game, and the row player’s points against each player',
    columns,
    rows: standing,
    attrs: { id: 'crosstable', class: 'crosstable' },
  });
}

/** The results of all pairings. */
export function meetings({ players, table: rows }) {
  const of = players.length;
  const columns = [
    { title: 'pairing', heading: true, cell: row => h('span', { title: [row.a, row.b].map(i => opponent(players[i])).join(' against ') }, `${sign(row.a, of)} against ${sign(row.b, of)}`) },
    { title: 'games', right: true, cell: row => integer(row.games) },
    { title: 'won, drawn, lost', right: true, cell: row => `${row.wins}, ${row.draws}, ${row.losses}` },
    { title: 'score', right: true, cell: scoreText },
    { title: 'Elo', right: true, cell: eloText },
    { title: 'likelihood of being stronger', right: true, cell: row => likelihood(row.los) },
    { title: 'pairs 0, ½, 1, 1½, 2', right: true, cell: row => row.pairs.join(', ') },
  ];
  return table({ caption: 'Pairings, with 95 % intervals', columns, rows, hideCaption: true, attrs: { id: 'meetings' } });
}

/** The test's log-likelihood ratio and its two bounds. */
export function walkData({ walk, bounds }) {
  return {
    x: walk.map(([games]) => games),
    series: [
      { label: 'log-likelihood ratio', ...look(0), values: walk.map(([, llr]) => llr) },
      { label: 'lower bound: H0 is accepted', token: '--bad', dash: 1, width: 1.5, values: walk.map(() => bounds[0]) },
      { label: 'upper bound: H1 is accepted', token: '--good', dash: 2, width: 1.5, values: walk.map(() => bounds[1]) },
    ],
  };
}

export function sprtWords({ test, llr, bounds, decision }) {
  const [elo0, elo1] = [...test.matchAll(/elo[01]=([^,]+)/g)].map(found => found[1]);
  return h(
    'p',
    { id: 'sprt', title: test },
    `H0 is an Elo difference of ${elo0}, and H1 an Elo difference of ${elo1}. The log-likelihood ratio is ${llr.toFixed(2)}, between the bounds ${bounds[0].toFixed(2)} and ${bounds[1].toFixed(2)}: `,
    h('strong', {}, decision ?? 'undecided'),
    '.',
  );
}
