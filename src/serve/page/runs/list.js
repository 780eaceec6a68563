// The list of runs with their state, progress and strength.

import { get } from '../api.js';
import { follow, throttled } from '../events.js';
import { check, fill, h } from '../ui.js';
import { championWords, describe, part, progress, progressBar, stateWords, strengthWords } from './words.js';

const compareLink = ids => `#/compare?runs=${encodeURIComponent(ids.map(encodeURIComponent).join(','))}`;

function facts(run) {
  const bar = run.state !== 'damaged' && [progressBar(run, run.id), h('p', { class: 'number small' }, progress(run).text)];
  return [
    h('p', { class: 'run-now' }, stateWords(run)),
    bar,
    run.error && h('p', { class: 'notice bad' }, run.error),
    h('p', { class: 'run-strength' }, 'Strength ', strengthWords(run)),
    h('p', { class: 'small muted' }, run.champion ? `Champion ${championWords(run.champion)}` : 'No champion yet'),
  ];
}

function card(run, chosen, choose) {
  const body = h('div', { class: 'stack-small' });
  const compare = check('Compare', chosen.has(run.id), on => choose(run.id, on), {
    'aria-label': `Compare ${run.id}`,
    data: { compare: run.id },
  });
  const element = h(
    'li',
    { class: 'card run-card', data: { run: run.id } },
    h('div', { class: 'spread' }, h('h2', {}, h('a', { href: `#/runs/${encodeURIComponent(run.id)}` }, run.id)), compare),
    h('p', { class: 'small muted' }, describe(run)),
    body,
  );
  const update = next => {
    element.dataset.state = next.state;
    fill(body, facts(next));
  };
  update(run);
  return { element, update };
}

const nothing = (folder, control) =>
  h(
    'div',
    { class: 'empty', id: 'no-runs' },
    h('p', {}, `No runs in ${folder} yet.`),
    control ? h('p', {}, h('a', { class: 'button primary', href: '#/begin' }, 'Start a run')) : null,
    h('p', {}, 'In a terminal, a first run of about twenty seconds is ', h('code', {}, 'ayo train --preset quick'), '.'),
  );

export default async function mount(container, params, { signal, title }) {
  title('Runs');
  let listing = await get('/api/runs', { signal });
  const cards = new Map(),
    chosen = new Set();
  const list = h('ul', { class: 'cards', id: 'runs' });
  const filter = h('input', {
    type: 'search',
    id: 'filter',
    placeholder: 'Filter by name, preset or state',
    'aria-label': 'Filter runs',
  });
  const none = h('p', { class: 'muted', role: 'status' });
  const compare = h('a', { class: 'button', id: 'compare', href: '#/compare' });
  const start = h('a', { class: 'button primary', id: 'start', href: '#/begin' }, 'Start a run');
  const foot = h('p', { class: 'small muted' });

  function choose(id, on) {
    if (on) chosen.add(id);
    else chosen.delete(id);
    compare.hidden = chosen.size < 2;
    compare.href = compareLink([...chosen]);
    compare.textContent = `Compare ${chosen.size} runs`;
  }

  function matching() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = run => `${run.id} ${run.preset} ${run.game} ${run.state} ${run.status ? part(run.status) : ''}`.toLowerCase();
    return listing.runs.filter(run => words.every(word => text(run).includes(word)));
  }

  function arrange() {
    const shown = matching();
    const ids = new Set(listing.runs.map(run => run.id));
    for (const id of cards.keys())
      if (!ids.has(id)) {
        cards.delete(id);
        choose(id, false);
      }
    const wanted = shown.map(run => cards.get(run.id).element);
    if (wanted.length !== list.children.length || wanted.some((node, i) => list.children[i] !== node))
      list.replaceChildren(...wanted);
    none.textContent = shown.length || !listing.runs.length ? '' : 'No run matches the filter.';
  }

  function update() {
    for (const run of listing.runs) {
      if (cards.has(run.id)) cards.get(run.id).update(run);
      else cards.set(run.id, card(run, chosen, choose));
    }
    start.hidden = !listing.control || listing.runs.length === 0;
    foot.textContent = listing.control
      ? `These are the runs in the folder ${listing.folder}.`
      : `These are the runs in the folder ${listing.folder}. They can be started and stopped only on the machine that serves this page.`;
    const empty = listing.runs.length === 0;
    list.hidden = filter.hidden = empty;
    fill(gap, empty && nothing(listing.folder, listing.control));
    arrange();
  }

  const gap = h('div', {});
  const head = h('div', { class: 'spread page-head' }, h('h1', {}, 'Runs'), h('div', { class: 'cluster' }, compare, start));
  fill(container, head, h('div', { class: 'field' }, filter), none, gap, list, foot);
  filter.addEventListener('input', arrange);
  choose(null, false);
  update();

  const reload = throttled(async () => {
    listing = await get('/api/runs', { signal });
    update();
  }, 1000);
  const one = run => {
    const at = listing.runs.findIndex(other => other.id === run.id);
    if (at < 0) return reload();
    listing.runs[at] = run;
    cards.get(run.id)?.update(run);
  };
  const end = follow({}, null, { runs: reload, status: one, job: reload, back: reload });
  return () => {
    end();
    reload.end();
  };
}
