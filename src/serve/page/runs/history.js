// The rows of a run's tables, as columns for charts.

import { get, part } from '../api.js';
import { integer } from '../ui.js';

/** Maximum number of points. If there are more rows, the server combines them into pairs of minimum and maximum. */
const POINTS = innerWidth < 600 ? 400 : 700;

/** A run's rows of one kind: `fitness`, `diversity`, `weights` or `fit`. */
export class History {
  constructor(id, kind, signal) {
    Object.assign(this, { id, kind, signal, columns: [], rows: [], paired: 0 });
  }

  get last() {
    return this.rows.at(-1)?.[0] ?? 0;
  }

  #ask(query) {
    return get(`/api/runs/${part(this.id)}/history`, { query: { columns: this.kind, ...query }, signal: this.signal });
  }

  async load(points = this.kind === 'weights' ? POINTS / 2 : POINTS) {
    const given = await this.#ask({ points });
    // Rows received during the request are newer than its response.
    const newer = this.rows.filter(row => row[0] > given.last);
    this.columns = given.columns;
    this.rows = [...given.rows, ...newer];
    this.paired = given.decimated ? given.rows.length - (given.rows.length % 2) : 0;
    return this;
  }

  /** Adds new rows. If there are too many, reloads all rows, downsampled. */
  async append(rows) {
    const last = this.last;
    this.rows.push(...rows.filter(row => row[0] > last));
    if (this.rows.length - this.paired > 2 * POINTS) await this.load();
  }

  async catchUp() {
    if (this.rows.length === 0) return this.load();
    const given = await this.#ask({ after: this.last });
    await this.append(given.rows);
    return this;
  }

  column(name) {
    const at = this.columns.indexOf(name);
    return this.rows.map(row => row[at] ?? null);
  }

  /** The x values. Both rows of a pair get the x of the interval's end, so the pair is drawn as a vertical line. */
  get x() {
    return this.rows.map((row, i) => (i < this.paired ? this.rows[i - (i % 2) + 1][0] : row[0]));
  }

  /** The name of the rows from `first` to `last` in the table. */
  span() {
    return (first, last) => [...new Set([first, last])].map(at => integer(this.rows[at][0])).join(' to ');
  }

  data(series, bands = []) {
    return { x: this.x, series, bands, paired: this.paired, span: this.span() };
  }
}

/** Joins curves `{x, values}` on one axis: the union of their x values, with gaps where a curve has no point. */
export function align(curves) {
  const x = [...new Set(curves.flatMap(curve => curve.x))].sort((a, b) => a - b);
  const at = new Map(x.map((value, i) => [value, i]));
  const values = curves.map(curve => {
    const row = new Array(x.length).fill(null);
    curve.x.forEach((value, i) => {
      row[at.get(value)] = curve.values[i];
    });
    return row;
  });
  return { x, values };
}
