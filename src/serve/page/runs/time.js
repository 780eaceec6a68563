// Lengths of time as the command line takes them.

const UNITS = { s: 1, m: 60, min: 60, h: 3600, d: 86400 };

/** `8h` → 28800; `undefined` if it is no length of time. */
export function seconds(text) {
  const found = /^(\d+(?:\.\d+)?)\s*(s|m|min|h|d)$/.exec(text.trim());
  const length = found ? Math.round(Number(found[1]) * UNITS[found[2]]) : 0;
  return length > 0 ? length : undefined;
}

/** The shortest way to write it: `28800` → `8h`. */
export function flag(length) {
  const [unit, size] = [
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ].find(([, size]) => length % size === 0);
  return `${length / size}${unit}`;
}
