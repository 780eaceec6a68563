// Where the seeds of a hole lie. The layout depends on the hole and the number alone, so nothing jumps about.

import { svg } from '../ui.js';

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const ROOMY = 12;
const SEED = 10.4;

/** Places in a circle of radius 50: the first twelve keep theirs while seeds come and go, more lie closer. */
function places(count, turn) {
  const spread = 37 / Math.sqrt(Math.max(count, ROOMY));
  return Array.from({ length: count }, (_, i) => {
    const angle = i * GOLDEN + turn;
    const away = spread * Math.sqrt(i + 0.4);
    return [away * Math.cos(angle), away * Math.sin(angle)];
  });
}

const dot = (x, y, r, kind) => svg('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1), class: `seed seed-${kind % 4}` });

/** Draws `count` seeds into a picture of 100 by 100 around its middle. */
export function drawSeeds(picture, count, turn) {
  const size = SEED * Math.min(1, Math.sqrt(ROOMY / Math.max(count, 1)));
  picture.replaceChildren(...places(count, turn).map(([x, y], i) => dot(x, y, size, i * 5 + Math.round(turn * 3))));
}

/** A store is filled from one end, four seeds abreast; the picture is 4 units wide and 13 long, or lies on its side. */
export function drawStore(picture, count, lying) {
  const rows = Math.max(13, Math.ceil(count / 4));
  const step = 13 / rows;
  picture.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const along = 13 - (Math.floor(i / 4) + 0.5) * step;
    const across = (i % 4) + 0.5 + (Math.floor(i / 4) % 2 ? 0.12 : -0.12);
    return lying ? dot(13 - along, across, 0.44, i * 5) : dot(across, along, 0.44, i * 5);
  }));
}
