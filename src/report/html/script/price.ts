/** Draws price, fills and position. A part of the page's script. */
export const PRICE = `
const MARKS_IN_SIGHT = 60;
/** Each stretch shows at most a buy and a sell. */
const STRETCHES = MARKS_IN_SIGHT / 2;

const markerOf = ({ time, kind }, size) => {
  const buys = kind > 0;
  const enters = Math.abs(kind) === 1;
  return {
    time,
    position: buys ? 'belowBar' : 'aboveBar',
    shape: enters ? (buys ? 'arrowUp' : 'arrowDown') : 'circle',
    color: tone(buys ? 'gain' : 'loss'),
    size: enters ? size : size * 0.7,
  };
};

/** As many marks as can be told apart: of each stretch of time the largest buy and sell. */
const apart = (marks, { from, to }) => {
  if (marks.length <= MARKS_IN_SIGHT) return marks;
  const chosen = new Map();
  for (const mark of marks) {
    const stretch = Math.floor(((mark.time - from) / (to - from + 1)) * STRETCHES);
    const place = stretch + (mark.kind > 0 ? ' buy' : ' sell');
    const other = chosen.get(place);
    if (!other || mark.value > other.value) chosen.set(place, mark);
  }
  return [...chosen.values()].sort((a, b) => a.time - b.time);
};

/** Shows the fills in sight; those of one candle and kind are one mark. */
const makeMarks = (chart, candles) => {
  const markers = library.createSeriesMarkers(candles, []);
  const state = { marks: [], total: 0 };
  const show = () => {
    const range = chart.timeScale().getVisibleRange();
    if (!range) return;
    const isInSight = ({ time }) => time >= range.from && time <= range.to;
    const inSight = state.marks.filter(isInSight);
    const shown = apart(inSight, range);
    const size = shown.length < 30 ? 1.8 : 1;
    markers.setMarkers(shown.map((mark) => markerOf(mark, size)));
    const count = number(inSight.length, 0);
    const seen =
      shown.length < inSight.length
        ? shown.length + ' of ' + count + ' marks in sight, of each stretch of time the largest' +
          ' buy and the largest sell; zoom in for all.'
        : count + (inSight.length === 1 ? ' mark in sight.' : ' marks in sight.');
    const held = number(state.marks.length, 0) + ' of ' + number(state.total, 0);
    const kept = state.total > state.marks.length ? ' The page holds ' + held + '.' : '';
    // Within a day the axis shows only hours.
    const span = clock(range.from) + ' to ' + clock(range.to) + ': ';
    byId('marks-note').textContent = span + seen + kept;
  };
  let isAsked = false;
  const ask = () => {
    if (!isAsked)
      requestAnimationFrame(() => {
        isAsked = false;
        show();
      });
    isAsked = true;
  };
  chart.timeScale().subscribeVisibleTimeRangeChange(ask);
  repaint.push(ask);
  return {
    clear: () => markers.setMarkers([]),
    set: (market) => {
      state.marks = marksOf(market);
      state.total = market.marks.total;
      ask();
    },
    at: (second) => state.marks.filter(({ time }) => time === second),
    upTo: (second) => state.marks.findLast(({ time }) => time <= second),
  };
};

const addCandles = (chart) =>
  // Candles that rose are hollow, because green and red are equally bright.
  coloured(chart.addSeries(library.CandlestickSeries, quiet), () => ({
    upColor: tone('paper'),
    downColor: tone('loss'),
    borderUpColor: tone('gain'),
    borderDownColor: tone('loss'),
    wickUpColor: tone('gain'),
    wickDownColor: tone('loss'),
  }));

const drawPrice = () => {
  const place = byId('price-chart');
  const chart = makeChart(place);
  const candles = addCandles(chart);
  const steps = { ...quiet, lineWidth: 1, lineType: library.LineType.WithSteps, baseValue: zero };
  const position = coloured(chart.addSeries(library.BaselineSeries, steps, 1), filled('account'));
  chart.panes()[0].setStretchFactor(8);
  chart.panes()[1].setStretchFactor(2);
  const marks = makeMarks(chart, candles);
  let scale = 2;
  let places = 0;
  const show = (market) => {
    scale = market.priceScale;
    places = market.position.places;
    const rows = candlesOf(market);
    const held = unrolled(market.position);
    marks.clear();
    candles.applyOptions({ priceFormat: axis(scale, (value) => number(value, scale)) });
    position.applyOptions({ priceFormat: axis(places, (value) => amountOf(value, places)) });
    candles.setData(rows);
    position.setData(rows.map(({ time }, at) => ({ time, value: held[at] })));
    marks.set(market);
    const what = ' with the fills of the run, and the position held';
    place.setAttribute('aria-label', 'Price of ' + market.id + what);
    tellEnd();
    return { from: rows[0].time, to: rows.at(-1).time };
  };
  const prices = ['open', 'high', 'low', 'close'];
  const tell = (when, { bar, held, fills }) => {
    byId('price-readout').textContent =
      bar === undefined
        ? ''
        : [
            when,
            ...prices.map((name) => name + ' ' + number(bar[name], scale)),
            'position ' + amountOf(held?.value ?? 0, places),
            ...fills,
          ].join(' · ');
  };
  /** Shows the last candle while nobody points at one. */
  const tellEnd = () =>
    tell('at the end', { bar: candles.data().at(-1), held: position.data().at(-1), fills: [] });
  chart.subscribeCrosshairMove(({ time, seriesData }) => {
    const filledAt = ({ kind, amount, price }) =>
      (kind > 0 ? 'bought ' : 'sold ') +
      amountOf(amount, places) +
      ' at ' +
      number(price, scale) +
      (Math.abs(kind) === 1 ? ' (entry)' : ' (exit)');
    if (time === undefined) tellEnd();
    else {
      const fills = marks.at(time).map(filledAt);
      tell(clock(time), { bar: seriesData.get(candles), held: seriesData.get(position), fills });
    }
  });
  show(data.markets[0]);
  /** Puts the crosshair on the newest mark by then: the line above the chart shows its fill. */
  const point = (second) => {
    const mark = marks.upTo(second);
    if (mark) chart.setCrosshairPosition(mark.price, mark.time, candles);
  };
  const leave = () => {
    chart.clearCrosshairPosition();
    tellEnd();
  };
  return { chart, show, point, leave };
};
`;
