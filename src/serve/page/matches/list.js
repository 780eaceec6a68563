// The list of matches, and the form to start a match.

import { get } from '../api.js';
import { follow, throttled } from '../events.js';
import { badge, player } from '../runs/words.js';
import { ago, fill, h, toast } from '../ui.js';
import { beginForm } from './begin.js';
import { bar, progressText, scoreText, sign } from './words.js';

function card(match) {
  const many = match.players.length;
  const shown = match.players.slice(0, 6);
  return h(
    'li',
    { class: 'card match-card', data: { match: match.id, state: match.state } },
    h(
      'div',
      { class: 'spread' },
      h('h3', {}, h('a', { href: `#/matches/${encodeURIComponent(match.id)}` }, match.id)),
      badge(match.state),
    ),
    h(
      'ol',
      { class: 'players' },
      shown.map((one, i) => h('li', {}, h('strong', {}, sign(i, many)), ' ', player(one))),
    ),
    many > shown.length && h('p', { class: 'small muted' }, `and ${many - shown.length} more`),
    match.state !== 'complete' && bar(match, match.id),
    match.error && h('p', { class: 'notice bad' }, match.error),
    h(
      'p',
      { class: 'number' },
      match.score !== null && match.score !== undefined && ['Score of A ', h('strong', {}, scoreText(match)), ' · '],
      progressText(match),
      h('span', { class: 'muted' }, ` · ${ago(match.changed)}`),
    ),
  );
}

const nothing = folder =>
  h(
    'div',
    { class: 'empty', id: 'no-matches' },
    h('p', {}, `No matches in ${folder} yet.`),
    h('p', {}, 'To play one in a terminal: ', h('code', {}, 'ayo match A B --games-out matches/NAME.games')),
  );

export default async function mount(container, params, { signal, title, go }) {
  title('Matches');
  let listing = await get('/api/matches', { signal });
  const list = h('ul', { class: 'cards', id: 'matches' });
  const gap = h('div', {}),
    form = h('div', {});
  const starting = h(
    'details',
    { class: 'part', id: 'start-match', hidden: !listing.control },
    h('summary', {}, h('h2', {}, 'Start a match')),
    form,
  );
  let drawn = '';

  function update() {
    // Reuse unchanged cards to preserve the focus.
    const key = JSON.stringify(listing.matches);
    if (key !== drawn) list.replaceChildren(...listing.matches.map(card));
    drawn = key;
    fill(gap, listing.matches.length === 0 && nothing(listing.folder));
    list.hidden = listing.matches.length === 0;
  }

  starting.addEventListener('toggle', async () => {
    if (!starting.open || form.hasChildNodes()) return;
    try {
      form.append(
        await beginForm({
          signal,
          begun(id) {
            toast(`${id} has started.`);
            go(`#/matches/${encodeURIComponent(id)}`);
          },
        }),
      );
    } catch (error) {
      if (error.name !== 'AbortError') form.append(h('p', { class: 'notice bad' }, error.message));
    }
  });
  fill(
    container,
    h('h1', {}, 'Matches'),
    starting,
    h('h2', { class: 'visually-hidden' }, 'All matches'),
    gap,
    list,
    h('p', { class: 'small muted' }, `These are the matches in the folder ${listing.folder}.`),
  );
  update();
  const reload = throttled(async () => {
    listing = await get('/api/matches', { signal });
    update();
  }, 1000);
  const end = follow({}, null, { matches: reload, job: reload, back: reload });
  return () => {
    end();
    reload.end();
  };
}
