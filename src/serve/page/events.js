// Server-sent events for a view. Each tab has a single stream: opening a stream closes the previous one.

import { connection, events } from './api.js';

let end = () => {};

/**
 * `follow({run: id}, () => lastGeneration, {rows: …, status: …})`; `after()` is called each time the stream opens.
 * `back()` is called when it reopens after the page was hidden or the server was down. The server then sends the rows
 * since `after`; the view must request everything else.
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

/** Calls `work` immediately, then at most once every `pause` milliseconds. Calls never overlap. */
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
