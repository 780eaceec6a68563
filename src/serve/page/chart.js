// A chart: curves drawn by uPlot, a legend of buttons, the values at the pointer, and a data table.

import { legend } from './chart/legend.js';
import { loadPlot, options } from './chart/plot.js';
import { twin } from './chart/twin.js';
import { button, h, integer, newId, onTheme } from './ui.js';

const whole = value => (Number.isInteger(value) ? integer(value) : '');

/** Text shown instead of a chart that cannot be drawn. */
export const absent = (title, why) => h('section', { class: 'chart absent' }, h('h3', {}, title), h('p', { class: 'muted' }, why));

/**
 * `chart({name, title, about, x, at, tick, format, range, lines, height})` returns `{element, update, say, destroy}`.
 * `x` is the title of the x axis. `at` formats x values in text and `tick` on the axis; `format` formats the values of
 * the curves. `lines` is a list of horizontal lines `{at, label}`.
 *
 * `update({x, series, bands, paired, span})` replaces the data. Each of `series` is `{label, values, …}`: `token` and
 * `dash` set the colour and dashes, `points` draws dots, `line: false` omits the line, and `muted` makes it thin and
 * grey. A `hidden` curve appears when selected in the legend; a `quiet` curve is omitted from the legend and the table;
 * `told` is the curve's legend text while no point is hovered. `bands` has entries `{high, low, token}`, with indices
 * into `series`. The first `paired` points form pairs: the minimum and maximum of an interval. `span(i)` returns the
 * name of a point in the table, by default `x[i]`.
 */
export function chart(given) {
  const settings = { x: 'generation', format: String, at: integer, tick: whole, height: 240, lines: [], range: null, ...given };
  const state = { data: null, plot: null, key: null, zoomed: false, ended: false, frame: 0 };
  const heading = h('h3', { id: newId('chart') }, settings.title);
  const canvas = h('div', { class: 'chart-plot', role: 'img', 'aria-label': settings.title });
  const where = h('span', { class: 'chart-where small muted number' });
  const wide = button(
    'Whole range',
    () => {
      state.zoomed = false;
      draw();
    },
    { class: 'button small chart-whole', hidden: true },
  );
  const names = legend({
    toggle: (index, shown) => {
      if (state.plot) state.plot.setSeries(index + 1, { show: shown });
    },
  });
  const rows = twin(settings);
  const about = h('p', { class: 'small muted' }, settings.about);
  const element = h(
    'section',
    { class: 'chart', data: { chart: settings.name }, 'aria-labelledby': heading.id },
    h('div', { class: 'spread' }, heading, wide, where),
    canvas,
    names.element,
    settings.about && about,
    rows.element,
  );

  const point = index => {
    const { data } = state;
    const at = index ?? data.x.length - 1;
    const first = at < (data.paired ?? 0) ? at - (at % 2) : at;
    const last = at < (data.paired ?? 0) ? first + 1 : at;
    return { first, last, text: data.span?.(first, last) ?? settings.at(data.x[at]) };
  };

  function tell(index, focused) {
    if (!state.data?.x.length) return;
    const at = point(index);
    where.textContent = `${settings.x} ${at.text}${index === null ? ' (latest)' : ''}${focused ? ` · ${focused}` : ''}`;
    const value = one => {
      const own = index === null ? lastOf(one, at) : at;
      const text = between(one, own, settings.format);
      return own === at ? text : `${text} at ${settings.at(state.data.x[own.last])}`;
    };
    names.values(state.data.series.map(one => (index === null && one.told) || value(one)));
  }

  function draw() {
    cancelAnimationFrame(state.frame);
    state.frame = requestAnimationFrame(show);
  }

  function show() {
    const { data } = state;
    if (!data || state.ended) return;
    wide.hidden = !state.zoomed;
    const values = [data.x, ...data.series.map(one => one.values)];
    if (!state.plot) return;
    // A line through a single point would be invisible.
    if (data.x.length === 1) {
      data.series = data.series.map(one => (one.quiet ? one : { ...one, points: Math.max(one.points ?? 0, 7) }));
    }
    const key = [data.paired ?? 0, data.x.length === 1, ...data.series.map(one => one.label)].join('\n');
    if (key !== state.key) return make(key, values);
    state.plot.setData(values, !state.zoomed);
    if (state.zoomed) state.plot.redraw();
  }

  function make(key, values) {
    if (state.plot !== true) state.plot.destroy();
    state.key = key;
    const hooks = {
      cursor: (index, focused) => tell(index, focused),
      zoom: zoomed => {
        state.zoomed = zoomed;
        wide.hidden = !zoomed;
      },
    };
    const size = { width: canvas.clientWidth || 300, height: settings.height };
    state.plot = new window.uPlot(options(settings, state.data, size, hooks), values, canvas);
  }

  const sizes = new ResizeObserver(() => {
    if (state.plot?.setSize && canvas.clientWidth > 0) state.plot.setSize({ width: canvas.clientWidth, height: settings.height });
  });
  sizes.observe(canvas);
  const endTheme = onTheme(() => state.plot?.redraw?.(false));

  loadPlot().then(
    () => {
      state.plot ??= true;
      draw();
    },
    () => {
      canvas.textContent = 'The chart could not be drawn. The table below contains its values.';
    },
  );

  return {
    element,
    update(data) {
      state.data = data;
      names.update(data.series);
      rows.update(data);
      canvas.setAttribute('aria-label', summary(settings, data));
      tell(null);
      draw();
    },
    /** Replaces the description. */
    say(text) {
      about.textContent = text;
    },
    destroy() {
      state.ended = true;
      cancelAnimationFrame(state.frame);
      sizes.disconnect();
      endTheme();
      state.plot?.destroy?.();
    },
  };
}

/** Finds the last point of a curve, which may end before the others. */
function lastOf({ values }, at) {
  if ([values[at.first], values[at.last]].some(value => value !== null && value !== undefined)) return at;
  const last = values.findLastIndex(value => value !== null && value !== undefined);
  return last < 0 ? at : { first: last, last };
}

function between({ values }, { first, last }, format) {
  const known = [values[first], values[last]].filter(value => value !== null && value !== undefined);
  if (known.length === 0) return '–';
  const [low, high] = [format(Math.min(...known)), format(Math.max(...known))];
  return low === high ? low : `${low} to ${high}`;
}

function summary({ title, x, at: count, format }, { x: at, series }) {
  if (at.length === 0) return `${title}: no data yet.`;
  const last = series
    .filter(one => !one.quiet && !one.muted)
    .slice(0, 6)
    .map(one => [one.label, one.values.findLast(value => value !== null && value !== undefined)])
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `${label} ${format(value)}`);
  return `${title}, ${x} ${count(at[0])} to ${count(at.at(-1))}. At the end: ${last.join(', ')}. The table below contains all values.`;
}
