// Draws pairs of minimum and maximum as a tinted area with a line through its middle. Points after the pairs are drawn
// as a line.

/** Makes a colour transparent. */
export const thin = (rgb, share = 0.25) => rgb.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`);

function corners(xs, ys, from, to, paired) {
  const points = [];
  for (let i = from; i <= to; i += i < paired ? 2 : 1) {
    const pair = i < paired ? [ys[i], ys[i + 1]] : [ys[i], ys[i]];
    if (pair.some(value => value === null || value === undefined)) continue;
    points.push([xs[i], Math.min(...pair), Math.max(...pair)]);
  }
  return points;
}

/** Creates a uPlot path builder for data whose first `paired` points form pairs. */
export function envelope(paired) {
  return (plot, index, first, last) => {
    const [xs, ys] = [plot.data[0], plot.data[index]];
    // Include one more point on either side to extend lines to the edge of the chart.
    const from = Math.max(0, (first < paired ? first - (first % 2) : first) - 2);
    const to = Math.min(xs.length - 1, last + 2);
    const points = corners(xs, ys, from, to, paired).map(([x, low, high]) => [
      plot.valToPos(x, 'x', true),
      plot.valToPos(low, 'y', true),
      plot.valToPos(high, 'y', true),
    ]);
    const [stroke, fill] = [new Path2D(), new Path2D()];
    points.forEach(([x, low, high], i) => {
      stroke[i ? 'lineTo' : 'moveTo'](x, (low + high) / 2);
      fill[i ? 'lineTo' : 'moveTo'](x, low);
    });
    points.reverse().forEach(([x, , high]) => fill.lineTo(x, high));
    fill.closePath();
    return { stroke, fill, clip: null, band: null, gaps: null, flags: 1 };
  };
}
