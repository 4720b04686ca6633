/** Undoes the packing of `chart/encoding.ts`. A part of the page's script. */
export const UNPACKING = `
const library = window.LightweightCharts;
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

/** Running sums of whole units, as numbers. */
const summed = (deltas, places) => {
  const power = 10 ** places;
  let units = 0;
  return deltas.map((delta) => {
    units += delta;
    return units / power;
  });
};

/** The same from pairs: a difference, and how many times it comes. */
const unrolled = ({ runs, places }) => {
  const deltas = [];
  for (let at = 0; at < runs.length; at += 2) {
    for (let times = runs[at + 1]; times > 0; times--) deltas.push(runs[at]);
  }
  return summed(deltas, places);
};

const pointsOf = ({ time, values }) => {
  const numbers = summed(values.deltas, values.places);
  return unrolled(time).map((second, at) => ({ time: second, value: numbers[at] }));
};

const candlesOf = ({ time, open, move, rise, fall, priceScale }) => {
  const power = 10 ** priceScale;
  let last = 0;
  return unrolled(time).map((second, at) => {
    const first = last + open[at];
    last = first + move[at];
    return {
      time: second,
      open: first / power,
      close: last / power,
      high: (Math.max(first, last) + rise[at]) / power,
      low: (Math.min(first, last) - fall[at]) / power,
    };
  });
};

const marksOf = ({ marks: { time, kind, price, amount } }) => {
  const prices = summed(price.deltas, price.places);
  return unrolled(time).map((second, at) => ({
    time: second,
    kind: kind[at],
    price: prices[at],
    amount: amount[at],
    value: prices[at] * amount[at],
  }));
};
`;
