// Parses and formats durations in the syntax of the command line.

const UNITS = { s: 1, m: 60, min: 60, h: 3600, d: 86400 };

/** Parses a duration: 28800 for `8h`. Returns `undefined` if the text is not a duration. */
export function seconds(text) {
  const found = /^(\d+(?:\.\d+)?)\s*(s|m|min|h|d)$/.exec(text.trim());
  const length = found ? Math.round(Number(found[1]) * UNITS[found[2]]) : 0;
  return length > 0 ? length : undefined;
}

/** Formats seconds in the shortest form: `8h` for 28800. */
export function flag(length) {
  const [unit, size] = [
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ].find(([, size]) => length % size === 0);
  return `${length / size}${unit}`;
}
