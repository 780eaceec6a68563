// Requests to the server. All failures become ApiErrors with a message for the user.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Events: `gone` and `back` (the server), `signed-out` and `signed-in` (the cookie). */
export const connection = new EventTarget();
const state = { gone: false, signedOut: false };
const GONE = 'The server does not answer.';
export const SIGNED_OUT = 'This page is no longer signed in: open the address that ayo serve printed.';

function set(key, value, events) {
  if (state[key] === value) return;
  state[key] = value;
  connection.dispatchEvent(new Event(events[value ? 0 : 1]));
}
const setGone = value => { set('gone', value, ['gone', 'back']); if (value) retry(); };
const setSignedOut = value => set('signedOut', value, ['signed-out', 'signed-in']);

// While the server is down, the page retries at increasing intervals.
let retrying = false;
async function retry() {
  if (retrying) return;
  retrying = true;
  for (let wait = 1000; state.gone; wait = Math.min(wait * 1.6, 15000)) {
    await new Promise(resolve => setTimeout(resolve, wait));
    try { await request('/api/players?game=ayo'); } catch { /* repeated above */ }
  }
  retrying = false;
}

async function failure(response) {
  let text = null;
  try { text = (await response.json()).error; } catch { /* not JSON */ }
  return new ApiError(response.status, text ?? `The server answered ${response.status}.`);
}

async function request(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    setGone(true);
    throw new ApiError(0, GONE);
  }
  setGone(false);
  if (response.status === 401) {
    setSignedOut(true);
    throw new ApiError(401, SIGNED_OUT);
  }
  if (!response.ok) throw await failure(response);
  if (path.startsWith('/api')) setSignedOut(false);
  return response;
}

const withQuery = (path, query) => {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
};

/** `get('/api/runs', {query: {…}, signal})` returns the JSON of the response. */
export async function get(path, { query, signal } = {}) {
  return (await request(withQuery(path, query), { signal })).json();
}

export async function post(path, body = {}, { signal } = {}) {
  const response = await request(path, {
    method: 'POST', signal, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  return response.status === 204 ? null : response.json();
}

/** Exchanges the token in the printed address for a cookie that scripts cannot read. */
export async function signIn(token) {
  await request('/api/session', { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
}

export const aborted = error => error?.name === 'AbortError';

/** Encodes an ID for use in a path. */
export const part = encodeURIComponent;

/**
 * Receives server-sent events while the page is visible. `listeners` has the form `{rows: data => …}`. `path()` is
 * called each time the stream opens, so `after` can be the view's last row. Returns a function that ends the stream.
 */
export function events(path, listeners) {
  let source = null, retry = null, wait = 1000, ended = false;
  const close = () => { source?.close(); source = null; clearTimeout(retry); };
  const open = () => {
    close();
    if (ended || document.hidden) return;
    source = new EventSource(path());
    source.addEventListener('open', () => { wait = 1000; });
    for (const [name, listener] of Object.entries(listeners)) {
      source.addEventListener(name, event => listener(JSON.parse(event.data)));
    }
    source.addEventListener('error', () => {
      // Reopen the stream ourselves: the browser would reconnect with the old value of `after`.
      close();
      // The error event gives no reason. Send a request to find out if the server is down or the cookie has expired.
      request('/api/players?game=ayo').catch(() => {});
      retry = setTimeout(open, wait);
      wait = Math.min(wait * 1.6, 15000);
    });
  };
  const turn = () => (document.hidden ? close() : open());
  document.addEventListener('visibilitychange', turn);
  open();
  return () => { ended = true; close(); document.removeEventListener('visibilitychange', turn); };
}
