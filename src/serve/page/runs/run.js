// The page of a run: progress, strength, curves, and other sections.

import { get, part as inPath } from '../api.js';
import { follow, throttled } from '../events.js';
import { fill, h } from '../ui.js';
import { championPart, downloadsPart, picturesPart, replace, settingsPart } from './about.js';
import { controls } from './control.js';
import { curves } from './curves.js';
import { championWords, describe, part, progress, progressBar, stateWords, strengthWords } from './words.js';

const now = run => [
  h('div', { class: 'run-now' }, stateWords(run)),
  run.state !== 'damaged' && [progressBar(run, run.id), h('p', { class: 'small number', id: 'progress' }, progress(run).text)],
  run.error && h('p', { class: 'notice bad', id: 'error' }, run.error),
  run.state === 'stopped' && h('p', { class: 'small', id: 'next' }, 'To resume it in a terminal: ', h('code', {}, run.resume)),
  h(
    'dl',
    { class: 'facts' },
    h('div', { id: 'strength' }, h('dt', {}, 'Strength'), h('dd', { class: 'run-strength' }, strengthWords(run))),
    h('div', { id: 'champion' }, h('dt', {}, 'Champion'), h('dd', {}, championWords(run.champion))),
  ),
];

const findings = run =>
  run.findings.length > 0 &&
  h(
    'section',
    { id: 'findings' },
    h('h2', {}, 'Findings'),
    h(
      'ul',
      { class: 'notice warn' },
      run.findings.map(text => h('li', {}, text)),
    ),
  );

// These stages alternate too often for a screen reader to announce every change.
const QUIET = ['generation', 'measuring'];

function heading(run, buttons) {
  const about = describe(run);
  return h(
    'div',
    { class: 'spread page-head' },
    h('div', {}, h('p', { class: 'small back' }, h('a', { href: '#/runs' }, 'Runs'), ` / ${about}`), h('h1', {}, run.id)),
    buttons.element,
  );
}

function links(id, control) {
  const another = h(
    'a',
    { class: 'button', href: `#/begin?like=${encodeURIComponent(id)}`, id: 'another' },
    'Start a similar run',
  );
  const chosen = encodeURIComponent(encodeURIComponent(id));
  const compare = h('a', { class: 'button', href: `#/compare?runs=${chosen}`, id: 'compare' }, 'Compare with other runs');
  const address = `/api/runs/${inPath(id)}/report`;
  const report = h('a', { class: 'button', href: address, target: '_blank', rel: 'noopener', id: 'report' }, 'Report');
  return h('p', { class: 'cluster' }, control && another, compare, report);
}

/** The page without the curves. `show(run)` updates it, `fail(error)` shows an error. */
function sheet(first, { control, curves: drawing, buttons }) {
  const { id } = first;
  const names = ['now', 'findings', 'champion', 'pictures', 'settings', 'downloads'];
  const places = Object.fromEntries(names.map(name => [name, h('div', { class: `place-${name}` })]));
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  const said = h('p', { class: 'visually-hidden', role: 'status' });
  const body = [h('h2', { class: 'visually-hidden' }, 'Curves'), drawing, places.champion, places.pictures, places.settings];
  const head = [heading(first, buttons), said, wrong, places.now, places.findings];
  const element = h('article', { class: 'run', data: { run: id } }, head, body, links(id, control), places.downloads);
  let run = first;
  const last = { news: null, whole: null, champion: null };

  function speak() {
    const news = [run.state, QUIET.includes(run.status?.part) ? null : run.status?.part].join();
    if (last.news !== null && news !== last.news) {
      wrong.hidden = true;
      said.textContent = `${id} is ${run.state}${run.state === 'running' && run.status ? `: ${part(run.status)}` : ''}.`;
    }
    last.news = news;
  }

  /** Draws the sections that are not part of the status, only if they have changed, which keeps open sections open. */
  function whole() {
    const key = JSON.stringify([run.findings, run.settings, run.pictures, run.files, run.exports]);
    if (key === last.whole) return;
    last.whole = key;
    replace(places.findings, findings(run));
    replace(places.pictures, picturesPart(run));
    replace(places.settings, run.settings.length > 0 && settingsPart(run));
    replace(places.downloads, downloadsPart(run));
  }

  return {
    element,
    get run() {
      return run;
    },
    show(next) {
      run = { ...run, ...next };
      fill(places.now, now(run));
      buttons.update(run);
      speak();
      whole();
    },
    champion(given) {
      const key = JSON.stringify(given);
      if (key !== last.champion) replace(places.champion, championPart(id, given));
      last.champion = key;
    },
    fail(error) {
      if (error.name === 'AbortError') return;
      wrong.hidden = false;
      wrong.textContent = error.message;
    },
  };
}

export default async function mount(container, { id }, { signal, title }) {
  title(id);
  const at = `/api/runs/${inPath(id)}`;
  const shown = curves(id, signal);
  // Request the curves first, since they take longest.
  let page = null;
  const fail = error => page?.fail(error);
  const loaded = shown.load(fail).catch(error => error);
  const [run, { control }] = await Promise.all([get(at, { signal }), get('/api/runs', { signal })]);
  const reload = throttled(async () => {
    page.show(await get(at, { signal }));
    await champion();
  }, 2000);
  const buttons = controls({ may: control, changed: reload });
  page = sheet(run, { control, curves: shown.element, buttons });
  const champion = async () => page.run.champion && page.champion(await get(`${at}/champion`, { signal }));
  const slowly = throttled(() => shown.catchUp(['weights', 'diversity', 'cost']), 5000);
  fill(container, page.element);
  page.show(run);
  champion().catch(fail);

  const heard = {
    async rows(given) {
      await shown.rows(given.rows).catch(fail);
      slowly();
    },
    strength(given) {
      shown.strength(given);
      reload();
    },
    status(given) {
      const { state, status } = page.run;
      page.show(given);
      if (given.state === state && given.status?.part === status?.part) return;
      reload();
      shown.catchUp(['fit']).catch(fail);
    },
    reset() {
      shown.load(fail).catch(fail);
      reload();
    },
    back() {
      reload();
      shown.measure().catch(fail);
    },
    job(given) {
      if (given.id !== id || given.kind !== 'run') return;
      if (given.error) {
        buttons.failed();
        fail(new Error(given.error));
      }
      reload();
    },
  };
  let end = () => {};
  // The stream continues after the last loaded row.
  loaded.then(error => {
    if (signal.aborted) return;
    if (error && run.state !== 'damaged') fail(error);
    end = follow({ run: id }, () => shown.last, heard);
  });
  return () => {
    end();
    slowly.end();
    reload.end();
    shown.destroy();
  };
}
