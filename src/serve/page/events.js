// What a view hears from the server. Each tab holds one stream: opening another one ends the one before.

import { connection, events } from './api.js';

let end = () => {};

/**
 * `follow({run: id}, () => lastGeneration, {rows: …, status: …})`; `after()` is asked whenever the stream opens anew. `back()`
 * is called when it opens again, after the page was hidden or the server away: rows are caught up by `after`, all else is to be
 * asked for.
 */
export function follow(what, after, { back, ...listeners }) {
  end();
  let opened = false;
  const path = () => {
    if (opened) back?.();
    opened = true;
    const query = new URLSearchParams(what);
    const last = after?.();
    if (last !== undefined && last !== null) query.set('after', last);
    return query.size ? `/api/events?${query}` : '/api/events';
  };
  const stream = events(path, listeners);
  connection.addEventListener('back', back);
  end = () => {
    stream();
    connection.removeEventListener('back', back);
  };
  return end;
}

/** Calls `work` at once and then, however often it is called, at most once in `pause` milliseconds, and never twice at a time. */
export function throttled(work, pause) {
  let busy = false,
    again = false,
    timer = null,
    ended = false;
  const run = async () => {
    if (ended) return;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    again = false;
    try {
      await work();
    } catch (error) {
      if (error.name !== 'AbortError') console.warn(error.message);
    }
    timer = setTimeout(() => {
      busy = false;
      if (again) run();
    }, pause);
  };
  run.end = () => {
    ended = true;
    clearTimeout(timer);
  };
  return run;
}
