// Loads uPlot, a classic script that defines `window.uPlot`, and creates its options.

import { colour, onTheme } from '../ui.js';
import { envelope, thin } from './envelope.js';

let loading = null;

/** Resolves when `window.uPlot` is defined. */
export function loadPlot() {
  loading ??= new Promise((resolve, reject) => {
    const sheet = document.createElement('link');
    sheet.rel = 'stylesheet';
    sheet.href = new URL('../vendor/uPlot.min.css', import.meta.url);
    const script = document.createElement('script');
    script.src = new URL('../vendor/uPlot.iife.min.js', import.meta.url);
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => {
      loading = null;
      reject(new Error('uPlot is missing'));
    });
    document.head.append(sheet, script);
  });
  return loading;
}

export const DASHES = [[], [9, 5], [2, 4], [10, 4, 2, 4], [16, 6], [5, 3, 1, 3]];
export const COLOURS = 6;

/** Colour and dashes of the n-th curve. The first 36 curves all differ, and adjacent curves differ in both. */
export const look = n => ({ token: `--curve-${(n % COLOURS) + 1}`, dash: (n + Math.floor(n / COLOURS)) % DASHES.length });

// Cache colours: computed styles are slow to read, and a chart of 30 curves reads all of them on each redraw.
const known = new Map();
onTheme(() => known.clear());
function ink(token) {
  if (!known.has(token)) known.set(token, colour(token));
  return known.get(token);
}
const paint = token => () => ink(token);
const FONT = '12px system-ui, "DejaVu Sans", sans-serif';

function path(one, paired) {
  if (one.line === false) return { paths: () => null };
  if (paired === 0) return {};
  return { paths: envelope(paired), fill: one.muted ? undefined : () => thin(ink(one.token ?? '--curve-1')) };
}

function curve(one, format, paired) {
  const dash = DASHES[one.dash ?? 0];
  return {
    label: one.label,
    show: !one.hidden,
    spanGaps: true,
    stroke: one.muted ? () => thin(ink('--muted'), 0.5) : paint(one.token ?? '--curve-1'),
    // The edges of a band need paths but are invisible.
    width: one.quiet ? 0 : one.muted ? 0.6 : (one.width ?? 2),
    ...path(one, paired),
    dash: dash.length ? dash.map(length => length * devicePixelRatio) : undefined,
    points: one.points ? { show: true, size: one.points, fill: paint(one.token ?? '--curve-1') } : { show: false },
    value: (_, value) => (value === null ? '' : format(value)),
  };
}

function axes(format, tick) {
  const both = { stroke: paint('--muted'), font: FONT, grid: { stroke: paint('--grid'), width: 1 }, ticks: { show: false } };
  const text = (_, values) => values.map(value => (value === null ? '' : format(value)));
  return [
    {
      ...both,
      size: 28,
      gap: 6,
      space: 60,
      values: (_, values) => values.map(value => (value === null ? '' : tick(value))),
    },
    { ...both, size: (_, labels) => 10 + 7.5 * Math.max(4, ...(labels ?? []).map(label => label.length)), gap: 6, space: 34, values: text },
  ];
}

/** Draws horizontal lines, such as equal strength or the bounds of a test, with readable labels. */
function levels(lines) {
  return plot => {
    const { ctx, bbox } = plot;
    const margin = 4 * devicePixelRatio;
    const letters = 11 * devicePixelRatio;
    for (const line of lines) {
      const y = Math.round(plot.valToPos(line.at, 'y', true));
      if (y < bbox.top || y > bbox.top + bbox.height) continue;
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = ink('--muted');
      ctx.setLineDash([margin, margin]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.textAlign = 'left';
      ctx.textBaseline = 'alphabetic';
      ctx.font = `${letters}px system-ui, sans-serif`;
      const isAbove = y - margin - letters >= bbox.top;
      const place = [bbox.left + margin, isAbove ? y - margin : y + margin + letters];
      ctx.setLineDash([]);
      ctx.strokeStyle = ink('--surface');
      ctx.lineWidth = margin;
      ctx.lineJoin = 'round';
      ctx.strokeText(line.label, ...place);
      ctx.fillText(line.label, ...place);
      ctx.restore();
    }
  };
}

function follow(hooks) {
  return plot => {
    plot.over.style.touchAction = 'pan-y';
    plot.over.addEventListener('dblclick', () => hooks.zoom(false));
    plot.over.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') return;
      const box = plot.over.getBoundingClientRect();
      plot.setCursor({ left: event.clientX - box.left, top: event.clientY - box.top });
    });
  };
}

export function options({ format, tick, range, lines }, data, size, hooks) {
  let focused = null;
  return {
    ...size,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    scales: { x: { time: false }, y: range ? { range: (_, low, high) => range(low, high) } : {} },
    series: [{}, ...data.series.map(one => curve(one, format, data.paired ?? 0))],
    bands: (data.bands ?? []).map(band => ({
      series: [band.high + 1, band.low + 1],
      fill: band.token ? () => thin(ink(band.token)) : paint('--curve-band'),
    })),
    axes: axes(format, tick),
    focus: { alpha: 0.35 },
    cursor: { drag: { x: true, y: false, dist: 8 }, focus: { prox: data.series.length > 8 ? 14 : -1 }, points: { size: 6 } },
    hooks: {
      ready: [follow(hooks)],
      draw: lines.length ? [levels(lines)] : [],
      setCursor: [plot => hooks.cursor(plot.cursor.idx ?? null, focused)],
      setSeries: [
        (plot, index, options) => {
          if (options.focus !== undefined) focused = index ? plot.series[index].label : null;
        },
      ],
      setSelect: [
        plot => {
          if (plot.select.width > 0) hooks.zoom(true);
        },
      ],
    },
  };
}
