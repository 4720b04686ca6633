/** What both charts share: their look, and the colours of the page. A part of the page's script. */
export const DRAWING = `
const style = getComputedStyle(document.documentElement);
const tone = (name) => style.getPropertyValue('--' + name).trim();
/** Without a minus sign where the value rounds to zero. */
const written = (value, digits) =>
  value.toLocaleString('en-US', { ...digits, signDisplay: 'negative' });
const number = (value, places) =>
  written(value, { minimumFractionDigits: places, maximumFractionDigits: places });
/** With as many places as it needs. */
const amountOf = (value, places) => written(value, { maximumFractionDigits: places });
/** Seconds where they are not zero. */
const clock = (second) =>
  new Date(second * 1000).toISOString().slice(0, second % 60 === 0 ? 16 : 19).replace('T', ' ');
const axis = (places, text) => ({ type: 'custom', minMove: 10 ** -places, formatter: text });

const charts = [];
const repaint = [];
/** No tag at the last value, which would cover the axis: the line above the chart shows it. */
const quiet = { priceLineVisible: false, lastValueVisible: false };
const zero = { type: 'price', price: 0 };

/** How far keys move the two ends of the visible range, as shares of its width. */
const KEYS = {
  ArrowLeft: [-0.1, -0.1],
  ArrowRight: [0.1, 0.1],
  '+': [0.25, -0.25],
  '-': [-0.5, 0.5],
};

/** The wheel scrolls the page over a chart too. With Ctrl it zooms, as a touchpad's pinch does. */
const handle = (chart, place) => {
  const passOn = (event) => {
    const isDown = Math.abs(event.deltaY) > Math.abs(event.deltaX);
    if (isDown && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  };
  place.addEventListener('wheel', passOn, { capture: true, passive: true });
  place.tabIndex = 0;
  place.addEventListener('keydown', (event) => {
    const scale = chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    const moves = KEYS[event.key];
    if (!range || !moves || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const width = range.to - range.from;
    scale.setVisibleLogicalRange({
      from: range.from + moves[0] * width,
      to: range.to + moves[1] * width,
    });
  });
};

const makeChart = (place) => {
  const chart = library.createChart(place, {
    autoSize: true,
    layout: {
      fontFamily: getComputedStyle(document.body).fontFamily,
      fontSize: 12,
      // The foot of the page has it: screen readers do not read a link within an image.
      attributionLogo: false,
    },
    rightPriceScale: { borderVisible: false, minimumWidth: 92, entireTextOnly: true },
    timeScale: {
      borderVisible: false,
      timeVisible: true,
      secondsVisible: true,
      minBarSpacing: 0.001,
      // Keeps the labels of both ends whole, and both ends in sight when the width changes.
      fixLeftEdge: true,
      fixRightEdge: true,
      lockVisibleTimeRangeOnResize: true,
    },
    crosshair: { mode: library.CrosshairMode.Normal },
    handleScroll: { vertTouchDrag: false },
  });
  repaint.push(() => {
    const rule = tone('rule');
    chart.applyOptions({
      layout: {
        background: { color: tone('paper') },
        textColor: tone('muted'),
        panes: { separatorColor: rule, separatorHoverColor: rule },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: rule } },
    });
  });
  handle(chart, place);
  charts.push({ chart, place });
  return chart;
};

/** Gives a series the colours of the page, now and whenever those change. */
const coloured = (series, options) => {
  const colour = () => series.applyOptions(options());
  colour();
  repaint.push(colour);
  return series;
};

/** The colours of a line that is filled towards zero. */
const filled = (name) => () => ({
  topLineColor: tone(name),
  topFillColor1: tone(name) + '4d',
  topFillColor2: tone(name) + '14',
  bottomLineColor: tone(name),
  bottomFillColor1: tone(name) + '14',
  bottomFillColor2: tone(name) + '4d',
});
`;
