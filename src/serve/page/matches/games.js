// The games of a match, split into pages, with links to the board.

import { get, part } from '../api.js';
import { pager } from '../chart/pager.js';
import { opponent } from '../runs/words.js';
import { h, table } from '../ui.js';
import { sign } from './words.js';

const PAGE = 50;
const RESULTS = { '1-0': 'wins', '0-1': 'loses', '1/2-1/2': 'draws' };

export function boardLink(match, game) {
  const query = new URLSearchParams({
    mode: 'look',
    from: game.opening,
    line: game.line,
    title: `${match.id}, game ${game.number}`,
    game: match.game,
    ...(match.game === 'ayo' ? { rules: match.rules } : {}),
  });
  return `#/play?${query}`;
}

export function gamesPart(match, signal) {
  const of = match.players.length;
  const who = index => h('span', { title: opponent(match.players[index]) }, sign(index, of));
  const columns = [
    {
      title: 'game',
      heading: true,
      right: true,
      cell: game => h('a', { href: boardLink(match, game), data: { game: game.number } }, `Game ${game.number}`),
    },
    { title: 'South', cell: game => who(game.south) },
    { title: 'North', cell: game => who(game.south === game.first ? game.second : game.first) },
    { title: 'result', cell: game => [who(game.first), ` ${RESULTS[game.result] ?? game.result}, ${game.stores.join(' : ')}`] },
    { title: 'plies', right: true, cell: game => game.plies },
    { title: 'end', label: '', cell: game => game.end },
  ];
  const body = table({ caption: 'Games', columns, hideCaption: true, attrs: { id: 'games-list' } });
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  let showing = '';

  async function show(from) {
    try {
      const { games, total } = await get(`/api/matches/${part(match.id)}/games`, {
        query: { offset: from, limit: PAGE },
        signal,
      });
      pages.know(total);
      // Reuse unchanged rows to preserve the focus.
      const key = JSON.stringify(games);
      if (key !== showing) body.fill(games);
      showing = key;
      wrong.hidden = true;
    } catch (error) {
      if (error.name === 'AbortError') return;
      wrong.hidden = false;
      wrong.textContent = error.message;
    }
  }

  const pages = pager({ size: PAGE, show, label: 'Pages of games' });
  return {
    element: h('section', { id: 'games' }, h('h2', {}, 'Games'), wrong, body, pages.element),
    refresh: () => show(pages.from),
  };
}
