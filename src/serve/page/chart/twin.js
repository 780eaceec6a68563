// A chart's data as a table. It is filled when the user opens it, since long runs have thousands of rows.

import { fill, h, table } from '../ui.js';
import { pager } from './pager.js';

const PAGE = 100;

function lines({ x, series, paired = 0, span }, format) {
  const shown = series.filter(one => !one.quiet);
  const text = (one, ...at) => {
    const known = at.map(i => one.values[i]).filter(value => value !== null && value !== undefined);
    const ends = known.length ? [...new Set([format(Math.min(...known)), format(Math.max(...known))])] : ['–'];
    return ends.join(' to ');
  };
  const rows = [];
  for (let i = 0; i < x.length; i += i < paired ? 2 : 1) {
    const at = i < paired ? [i, i + 1] : [i];
    rows.push([span?.(at[0], at.at(-1)) ?? String(x[i]), ...shown.map(one => text(one, ...at))]);
  }
  return { rows, titles: shown.map(one => one.label) };
}

export function twin({ title, x, format }) {
  const place = h('div', {});
  const element = h('details', { class: 'chart-twin' }, h('summary', {}, 'As a table'), place);
  let data = null,
    made = null;

  function refresh() {
    if (!element.open || !data) return;
    const { rows, titles } = lines(data, format);
    const key = titles.join('\n');
    if (made?.key !== key) {
      const columns = [x, ...titles].map((name, i) => ({ title: name, right: true, heading: i === 0, cell: row => row[i] }));
      const body = table({ caption: `${title}, as a table`, columns });
      const pages = pager({
        size: PAGE,
        follow: true,
        show: from => body.fill(made.rows.slice(from, from + PAGE)),
        label: `Rows of ${title}`,
      });
      made = { key, rows, pages };
      fill(place, body, pages.element);
      pages.last(rows.length);
    } else {
      made.rows = rows;
      made.pages.total(rows.length);
    }
  }

  element.addEventListener('toggle', refresh);
  return {
    element,
    update(next) {
      data = next;
      refresh();
    },
  };
}
