/** Joins the charts, and gives the page its buttons. A part of the page's script. */
export const PAGE = `
/** The chart that the reader moves leads; the others take its range. */
let leader = 0;
const follow = () =>
  charts.forEach(({ chart, place }, index) => {
    for (const kind of ['pointerenter', 'pointerdown', 'wheel', 'touchstart', 'keydown']) {
      place.addEventListener(
        kind,
        () => {
          leader = index;
        },
        // Before the key or the wheel moves the chart.
        { passive: true, capture: true },
      );
    }
    chart.timeScale().subscribeVisibleTimeRangeChange((range) => {
      if (leader !== index || range === null) return;
      const others = charts.filter((_, at) => at !== index);
      for (const other of others) other.chart.timeScale().setVisibleRange(range);
    });
  });
const reset = () => charts.forEach(({ chart }) => chart.timeScale().fitContent());

const root = document.documentElement;
const wished = window.matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ?? (wished.matches ? 'dark' : 'light')) === 'dark';
const paint = () => {
  repaint.forEach((colour) => colour());
  root.toggleAttribute('data-drawn-dark', isDark());
};
const onAll = (selector, act) => {
  for (const button of document.querySelectorAll(selector)) {
    button.addEventListener('click', () => act(button));
  }
};

/** The equity is not drawn where it is not known. */
if (byId('equity-chart')) drawEquity();
const price = data.markets.length > 0 ? drawPrice() : undefined;
paint();
reset();
follow();

/** The width that a sheet of paper has room for, pixels. */
const PAPER_WIDTH = 680;
/** Tables that do not fit say so. Charts are printed as they are drawn, scaled to the paper. */
const boxes = document.querySelectorAll('.scroll');
new ResizeObserver(() => {
  for (const box of boxes) {
    const isWide = box.toggleAttribute('data-wide', box.scrollWidth > box.clientWidth);
    // Keys scroll what has the focus.
    box.tabIndex = isWide ? 0 : -1;
  }
  for (const { place } of charts) {
    place.style.setProperty('--on-paper', Math.min(1, PAPER_WIDTH / place.clientWidth));
  }
}).observe(root);

const choice = byId('market');
/** Shows another market over the equity chart's range; as a whole if it has no candles there. */
const choose = (at) => {
  if (choice) choice.value = String(at);
  leader = 0;
  const { from, to } = price.show(data.markets[at]);
  const scale = price.chart.timeScale();
  scale.fitContent();
  const range = charts[0].chart !== price.chart && charts[0].chart.timeScale().getVisibleRange();
  if (range && range.from <= to && range.to >= from) scale.setVisibleRange(range);
};
choice?.addEventListener('change', () => choose(Number(choice.value)));
wished.addEventListener('change', paint);
onAll('[data-reset]', () => {
  reset();
  price?.leave();
});
onAll('#theme', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  paint();
});
onAll('[data-show]', ({ dataset }) => {
  const at = data.markets.findIndex(({ id }) => id === dataset.show);
  if (choice && choice.value !== String(at)) choose(at);
  const from = Number(dataset.from);
  const to = Number(dataset.to);
  const margin = Math.max(120, (to - from) * 0.6);
  leader = charts.length - 1;
  price.chart.timeScale().setVisibleRange({ from: from - margin, to: to + margin });
  requestAnimationFrame(() => price.point(from));
  // Keys now act on this chart.
  byId('price-chart').focus({ preventScroll: true });
  byId('price-title').scrollIntoView({ block: 'start' });
});
`;
