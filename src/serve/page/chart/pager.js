// Splits a long table into pages.

import { button, h, integer } from '../ui.js';

/** `show(from)` displays the rows starting at an index. `follow` keeps the last page selected while rows are added. */
export function pager({ size, show, label, follow = false }) {
  let from = 0,
    count = 0;
  const words = h('span', { class: 'small muted number' });
  const step = way => () => {
    from = Math.max(0, from + way * size);
    say();
    show(from);
  };
  const earlier = button('Earlier', step(-1), { class: 'button small', data: { page: 'earlier' } });
  const later = button('Later', step(1), { class: 'button small', data: { page: 'later' } });
  const element = h('nav', { class: 'cluster pager', 'aria-label': label }, earlier, words, later);
  const start = () => Math.max(0, follow ? count - size : Math.floor((count - 1) / size) * size);

  function say() {
    words.textContent = count ? `${integer(from + 1)} to ${integer(Math.min(from + size, count))} of ${integer(count)}` : '';
    earlier.disabled = from === 0;
    later.disabled = from + size >= count;
    element.hidden = count <= size;
  }

  return {
    element,
    get from() {
      return from;
    },
    /** Sets the number of rows and redraws the page. */
    total(next) {
      const followed = follow && count > 0 && from === start();
      count = next;
      if (followed || from >= count) from = start();
      say();
      show(from);
    },
    /** Sets the number of rows and shows the last page. */
    last(next) {
      count = next;
      from = start();
      say();
      show(from);
    },
    /** Sets the number of rows without redrawing the page. */
    know(next) {
      count = next;
      say();
    },
  };
}
