// Where the seeds of a hole lie. The layout depends on the hole and the number alone, so nothing jumps about.

import { svg } from '../ui.js';

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const ROOMY = 12;

/** Places in a circle of radius 50: the first twelve keep theirs while seeds come and go, more lie closer. */
function places(count, turn) {
  const spread = 36 / Math.sqrt(Math.max(count, ROOMY));
  return Array.from({ length: count }, (_, i) => {
    const angle = i * GOLDEN + turn;
    const away = spread * Math.sqrt(i + 0.4);
    return [away * Math.cos(angle), away * Math.sin(angle)];
  });
}

/** Draws `count` seeds into `picture`; `stretch` makes a long hole of a round one. */
export function drawSeeds(picture, count, turn, stretch = [1, 1]) {
  const size = count <= ROOMY ? 9 : Math.max(4.2, 9 * Math.sqrt(ROOMY / count));
  picture.replaceChildren(...places(count, turn).map(([x, y], i) => svg('circle', {
    cx: (x * stretch[0]).toFixed(1), cy: (y * stretch[1]).toFixed(1), r: size.toFixed(1), class: `seed seed-${(i * 5 + Math.round(turn * 3)) % 4}`,
  })));
}
