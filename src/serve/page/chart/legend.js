// The legend: for each curve, a button in the curve's colour and dashes that shows and hides the curve.

import { fill, h, svg } from '../ui.js';
import { DASHES } from './plot.js';

function swatch(one) {
  const y = {
    x1: 1,
    x2: 27,
    y1: 6,
    y2: 6,
    'stroke-width': one.muted ? 1 : 2.5,
    'stroke-dasharray': DASHES[one.dash ?? 0].join(' ') || null,
  };
  return svg(
    'svg',
    {
      viewBox: '0 0 28 12',
      width: 28,
      height: 12,
      'aria-hidden': 'true',
      style: { color: `var(${one.muted ? '--muted' : (one.token ?? '--curve-1')})` },
    },
    one.line !== false && svg('line', { ...y, stroke: 'currentColor' }),
    one.points && svg('circle', { cx: 14, cy: 6, r: one.line === false ? 5 : 3.5, fill: 'currentColor' }),
  );
}

/** Calls `toggle(index, shown)` with a curve's index in the chart. */
export function legend({ toggle }) {
  const element = h('div', { class: 'chart-legend' });
  let key = null,
    values = [];

  function entry(one, index) {
    const value = h('span', { class: 'number' });
    values[index] = value;
    const press = () => {
      const shown = node.getAttribute('aria-pressed') !== 'true';
      node.setAttribute('aria-pressed', shown);
      toggle(index, shown);
    };
    const node = h(
      'button',
      {
        type: 'button',
        class: 'chart-name',
        title: one.title,
        'aria-pressed': String(!one.hidden),
        data: { series: one.label },
        on: { click: press },
      },
      swatch(one),
      h('span', {}, one.label),
      ' ',
      value,
    );
    return node;
  }

  return {
    element,
    update(series) {
      const next = series.map(one => one.label).join('\n');
      if (next === key) return;
      key = next;
      values = [];
      const entries = series.map((one, index) => (one.quiet ? null : [one, entry(one, index)])).filter(Boolean);
      const nodes = aside => entries.filter(([one]) => Boolean(one.muted || one.hidden) === aside).map(([, node]) => node);
      const rest = nodes(true);
      fill(
        element,
        nodes(false),
        rest.length > 0 && h('details', {}, h('summary', {}, `${rest.length} more`), h('div', { class: 'chart-legend' }, rest)),
      );
    },
    values(texts) {
      texts.forEach((text, index) => {
        if (values[index]) values[index].textContent = text;
      });
    },
  };
}
