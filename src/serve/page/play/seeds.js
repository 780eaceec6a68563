// Positions of the seeds in a hole. They depend only on the hole and the number of seeds, so redrawing moves no seed.

import { svg } from '../ui.js';

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const ROOMY = 12;
const SEED = 10.4;

/** Positions in a circle of radius 50. The first twelve are the same for any number of seeds; more seeds are closer together. */
function places(count, turn) {
  const spread = 37 / Math.sqrt(Math.max(count, ROOMY));
  return Array.from({ length: count }, (_, i) => {
    const angle = i * GOLDEN + turn;
    const away = spread * Math.sqrt(i + 0.4);
    return [away * Math.cos(angle), away * Math.sin(angle)];
  });
}

const dot = (x, y, r, kind) => svg('circle', { cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1), class: `seed seed-${kind % 4}` });

/** Draws `count` seeds around the centre of a 100 × 100 picture. */
export function drawSeeds(picture, count, turn) {
  const size = SEED * Math.min(1, Math.sqrt(ROOMY / Math.max(count, 1)));
  picture.replaceChildren(...places(count, turn).map(([x, y], i) => dot(x, y, size, i * 5 + Math.round(turn * 3))));
}

/** Draws the seeds in a store in rows of four, starting at one end. The picture is 4 × 13 or 13 × 4 units. */
export function drawStore(picture, count, lying) {
  const rows = Math.max(13, Math.ceil(count / 4));
  const step = 13 / rows;
  picture.replaceChildren(...Array.from({ length: count }, (_, i) => {
    const along = 13 - (Math.floor(i / 4) + 0.5) * step;
    const across = (i % 4) + 0.5 + (Math.floor(i / 4) % 2 ? 0.12 : -0.12);
    return lying ? dot(13 - along, across, 0.44, i * 5) : dot(across, along, 0.44, i * 5);
  }));
}
