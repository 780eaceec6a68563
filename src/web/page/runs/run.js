// One run: how far it is and how strong it became first, then its curves, then all else.

import { get, part as inPath } from '../api.js';
import { follow, throttled } from '../events.js';
import { fill, h } from '../ui.js';
import { championPart, downloadsPart, picturesPart, replace, settingsPart } from './about.js';
import { controls } from './control.js';
import { curves } from './curves.js';
import { badge, championWords, describe, eta, interval, measuredAt, part, points, progress, progressBar } from './words.js';

function now(run) {
  const { strength } = run;
  return [
    h(
      'div',
      { class: 'run-now' },
      badge(run.state),
      ' ',
      run.state === 'running' && run.status && h('strong', { id: 'part' }, part(run.status)),
      ' ',
      h('span', { class: 'muted', id: 'eta' }, eta(run)),
    ),
    run.state !== 'damaged' && [progressBar(run, run.id), h('p', { class: 'small number', id: 'progress' }, progress(run).text)],
    run.error && h('p', { class: 'notice bad', id: 'error' }, run.error),
    h(
      'dl',
      { class: 'facts' },
      h(
        'div',
        { id: 'strength' },
        h('dt', {}, 'Strength'),
        h(
          'dd',
          {},
          strength
            ? [
                h('strong', { class: 'number big' }, points(strength.score)),
                ' ',
                h('span', { class: 'number' }, `(${interval(strength.low, strength.high)})`),
                h('br', {}),
                h('span', { class: 'small muted' }, measuredAt(strength)),
              ]
            : 'not measured yet',
        ),
      ),
      h('div', { id: 'champion' }, h('dt', {}, 'Champion'), h('dd', {}, championWords(run.champion))),
    ),
  ];
}

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

// These two take turns too often to be spoken of each time.
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

export default async function mount(container, { id }, { signal, title }) {
  title(id);
  const at = `/api/runs/${inPath(id)}`;
  let run = await get(at, { signal });
  const { control } = await get('/api/runs', { signal });
  const reload = throttled(async () => {
    show(await get(at, { signal }));
    await champion();
  }, 2000);
  const buttons = controls({ may: control, changed: reload });
  const places = Object.fromEntries(
    ['now', 'findings', 'champion', 'pictures', 'settings', 'downloads'].map(name => [
      name,
      h('div', { class: `place-${name}` }),
    ]),
  );
  const shown = curves(id, signal);
  const wrong = h('p', { class: 'notice bad', role: 'alert', hidden: true });
  const compare = h(
    'p',
    { class: 'cluster' },
    control &&
      h('a', { class: 'button', href: `#/begin?like=${encodeURIComponent(id)}`, id: 'another' }, 'Start another like it'),
    h(
      'a',
      { class: 'button', href: `#/compare?runs=${encodeURIComponent(encodeURIComponent(id))}`, id: 'compare' },
      'Compare it with other runs',
    ),
  );
  const said = h('p', { class: 'visually-hidden', role: 'status' });
  let drawn = null,
    heard = null;

  function show(next) {
    run = { ...run, ...next };
    fill(places.now, now(run));
    buttons.update(run);
    // Only what is new is spoken, not every count.
    const news = [run.state, QUIET.includes(run.status?.part) ? null : run.status?.part].join();
    if (heard !== null && news !== heard)
      said.textContent = `${id} is ${run.state}${run.state === 'running' && run.status ? `: ${part(run.status)}` : ''}.`;
    if (heard !== null && news !== heard) wrong.hidden = true;
    heard = news;
    // Fields that only the whole answer has are drawn again when they have changed, so that nothing closes under the reader.
    const key = JSON.stringify([run.findings, run.settings, run.pictures, run.files, run.exports]);
    if (key === drawn) return;
    drawn = key;
    replace(places.findings, findings(run));
    replace(places.pictures, picturesPart(run));
    replace(places.settings, run.settings.length > 0 && settingsPart(run));
    replace(places.downloads, downloadsPart(run));
  }

  let known = null;
  async function champion() {
    if (!run.champion) return;
    const given = await get(`${at}/champion`, { signal });
    const key = JSON.stringify(given);
    if (key !== known) replace(places.champion, championPart(id, given));
    known = key;
  }

  fill(
    container,
    h(
      'article',
      { class: 'run', data: { run: id } },
      heading(run, buttons),
      said,
      wrong,
      places.now,
      places.findings,
      h('h2', { class: 'visually-hidden' }, 'Curves'),
      shown.element,
      places.champion,
      places.pictures,
      places.settings,
      compare,
      places.downloads,
    ),
  );
  show(run);
  const fail = error => {
    if (error.name !== 'AbortError') {
      wrong.hidden = false;
      wrong.textContent = error.message;
    }
  };
  const load = async () => {
    if (run.state !== 'damaged') await shown.load().catch(fail);
  };
  await Promise.all([load(), champion().catch(() => {})]);

  const slowly = throttled(() => shown.catchUp(['weights', 'diversity']), 5000);
  const end = follow({ run: id }, () => shown.last, {
    async rows(given) {
      await shown.rows(given.rows ?? given).catch(fail);
      slowly();
    },
    strength(given) {
      shown.strength(given);
      reload();
    },
    status(given) {
      const ended = given.state !== run.state || given.status?.part !== run.status?.part;
      show(given);
      if (ended) {
        reload();
        shown.catchUp(['fit']).catch(fail);
      }
    },
    reset() {
      load();
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
  });
  return () => {
    end();
    slowly.end();
    reload.end();
    shown.destroy();
  };
}
