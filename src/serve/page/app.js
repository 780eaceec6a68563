// The frame of the page: the current view, sign-in and theme.

import { ApiError, SIGNED_OUT, connection, signIn } from './api.js';
import { fill, h, remember } from './ui.js';

// A view module exports `default function mount(container, params, context)`, which returns an unmount function.
// `params` contains the address parameters as strings: `{id: 'standard-1', after: '20'}`.
const VIEWS = [
  [/^\/play$/, 'play', () => import('./play/view.js')],
  [/^\/runs$/, 'runs', () => import('./runs/list.js')],
  [/^\/runs\/(?<id>[^/]+)$/, 'runs', () => import('./runs/run.js')],
  [/^\/compare$/, 'runs', () => import('./runs/compare.js')],
  [/^\/begin$/, 'runs', () => import('./runs/begin.js')],
  [/^\/matches$/, 'matches', () => import('./matches/list.js')],
  [/^\/matches\/(?<id>[^/]+)$/, 'matches', () => import('./matches/match.js')],
];

const view = document.getElementById('view');
const banner = document.getElementById('banner');
let unmount = null;
let leaving = null;
let shown = 0;
let broken = false;

function parse(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  for (const [pattern, page, load] of VIEWS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const parts = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { page, load, params: { ...Object.fromEntries(new URLSearchParams(query)), ...Object.fromEntries(parts) } };
  }
  return null;
}

function context() {
  return {
    /** Aborted when the user leaves the view. Pass it to every request. */
    signal: leaving.signal,
    /** Navigates to another address, adding an entry to the browser's history. */
    go(hash) { location.hash = hash; },
    /** Changes the address without adding a history entry or remounting the view. */
    replace(hash) { history.replaceState(null, '', hash); },
    /** Sets the target of the page's link in the navigation bar, to lead back to the current game. */
    home(page, hash) { for (const link of document.querySelectorAll(`[data-home="${page}"]`)) link.setAttribute('href', hash); },
    title(text) { document.title = text ? `${text} · ayo` : 'ayo'; },
  };
}

function markPage(page) {
  for (const link of document.querySelectorAll('#pages a')) {
    if (link.dataset.page === page) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function unmountView() {
  leaving?.abort();
  leaving = new AbortController();
  try { unmount?.(); } finally { unmount = null; }
}

function failed(error) {
  broken = true;
  console.error(error);
  const text = error instanceof ApiError ? error.message : `Cannot show this page: ${error.message}`;
  fill(view, h('h1', { tabindex: -1 }, 'Something went wrong'), h('p', { class: 'notice bad' }, text));
}

/** Loads the module of a view. If the server was updated, only a reloaded page knows the module's URL. */
async function moduleOf(found) {
  try {
    return await found.load();
  } catch (error) {
    const answers = await fetch('/', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false);
    if (answers && error instanceof TypeError) throw new ApiError(0, 'The server has been updated. Reload the page.');
    throw answers ? error : new ApiError(0, 'The server does not answer.');
  }
}

function focusHeading() {
  (view.querySelector('h1') ?? view).focus({ preventScroll: true });
  scrollTo(0, 0);
}

async function show() {
  const found = parse(location.hash);
  if (!found) return location.replace('#/play');
  const turn = ++shown;
  unmountView();
  broken = false;
  markPage(found.page);
  const first = view.dataset.mounted === undefined;
  try {
    fill(view, h('p', { class: 'muted', role: 'status' }, 'Loading…'));
    const module = await moduleOf(found);
    if (turn !== shown) return;
    view.dataset.mounted = found.page;
    const end = await module.default(view, found.params, context());
    if (turn === shown) unmount = end;
    else end?.();
  } catch (error) {
    if (turn !== shown || error.name === 'AbortError') return;
    failed(error);
  }
  // Move the keyboard focus to the heading of the new view.
  if (!first) {
    view.querySelector('h1')?.setAttribute('tabindex', '-1');
    focusHeading();
  }
}

/** Removes `#token=…&to=/runs/x` from the address and signs in. */
async function exchange() {
  if (!location.hash.startsWith('#token=')) return;
  const given = new URLSearchParams(location.hash.slice(1));
  const to = `#${given.get('to') ?? '/play'}`;
  history.replaceState(null, '', to);
  try { await signIn(given.get('token')); } catch (error) { console.error(error); }
  // A view that waited for the cookie may have changed the address.
  history.replaceState(null, '', to);
}

const THEMES = { auto: 'Theme: same as the system', light: 'Theme: light', dark: 'Theme: dark' };
const SIGNS = { auto: '◐', light: '☀', dark: '☾' };

function theme() {
  const control = document.getElementById('theme');
  const order = Object.keys(THEMES);
  let now = remember.get('theme', 'auto');
  if (!(now in THEMES)) now = 'auto';
  const apply = () => {
    if (now === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    fill(control, h('span', { 'aria-hidden': 'true' }, SIGNS[now]), h('span', { class: 'visually-hidden' }, THEMES[now]));
    control.title = THEMES[now];
    document.dispatchEvent(new Event('theme'));
  };
  control.addEventListener('click', () => {
    now = order[(order.indexOf(now) + 1) % order.length];
    remember.set('theme', now);
    apply();
  });
  apply();
}

function watchConnection() {
  const say = text => fill(banner, text && h('p', { class: 'notice warn' }, text));
  connection.addEventListener('gone', () => say('The server does not answer. If it has ended, start ayo serve again and open the printed address.'));
  const recover = () => { say(null); if (broken) show(); };
  connection.addEventListener('back', recover);
  connection.addEventListener('signed-out', () => say(SIGNED_OUT));
  connection.addEventListener('signed-in', recover);
}

async function start() {
  theme();
  watchConnection();
  document.getElementById('skip').addEventListener('click', event => { event.preventDefault(); view.focus(); });
  await exchange();
  addEventListener('hashchange', async () => { await exchange(); show(); });
  await show();
}

start();
