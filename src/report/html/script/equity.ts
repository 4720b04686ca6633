/** Draws equity, what it is compared with, and drawdown. A part of the page's script. */
export const EQUITY = `
/** Whole units on the axis, unless the account is small or hardly moved. */
const axisPlaces = (account) => {
  const start = account[0]?.value ?? 0;
  const reach = account.reduce((most, { value }) => Math.max(most, Math.abs(value - start)), 0);
  return data.places > 2 || reach < 20 ? data.places : 0;
};

/** As few places as tell the lines of the axis apart. */
const percentPlaces = (falls) => {
  const deepest = falls.reduce((most, { value }) => Math.max(most, -value), 0);
  return deepest < 0.1 ? 3 : deepest < 2 ? 2 : 1;
};

const percentText = (value, places) => number(value, places) + '\u00a0%';

const drawEquity = () => {
  const chart = makeChart(byId('equity-chart'));
  const account = pointsOf(data.equity);
  const places = axisPlaces(account);
  const money = axis(places, (value) => number(value, places));
  const line = (points, name, options) => {
    const look = { ...quiet, lineWidth: 1, priceFormat: money, ...options };
    const series = coloured(chart.addSeries(library.LineSeries, look), () => ({
      color: tone(name),
    }));
    series.setData(points);
    return series;
  };
  const dashed = () => ({ lineStyle: library.LineStyle.Dashed });
  const alone = data.leftAlone && line(pointsOf(data.leftAlone), 'muted', dashed());
  const held = data.buyAndHold && line(pointsOf(data.buyAndHold), 'held');
  const equity = line(account, 'account', { lineWidth: 2 });
  const falls = pointsOf(data.drawdown);
  const fallPlaces = percentPlaces(falls);
  const percent = axis(fallPlaces, (value) => percentText(value, fallPlaces));
  const options = { ...quiet, lineWidth: 1, priceFormat: percent, baseValue: zero };
  const drawdown = coloured(chart.addSeries(library.BaselineSeries, options, 1), filled('loss'));
  drawdown.setData(falls);
  chart.panes()[0].setStretchFactor(7);
  chart.panes()[1].setStretchFactor(3);
  const told = (label, value, text) => (value === undefined ? [] : [label + text(value)]);
  const cash = (value) => number(value, data.places);
  const tell = (when, value) => {
    byId('equity-readout').textContent = [
      when,
      ...told('account ', value(equity), cash),
      ...told('left alone ', alone && value(alone), cash),
      ...told('buy and hold ', held && value(held), cash),
      ...told('drawdown ', value(drawdown), (fall) => percentText(fall, 2)),
    ].join(' · ');
  };
  /** Shows the values at the end while nobody points at a moment. */
  const tellEnd = () =>
    account.length > 0 && tell('at the end', (series) => series.data().at(-1)?.value);
  chart.subscribeCrosshairMove(({ time, seriesData }) => {
    if (time === undefined) tellEnd();
    else tell(clock(time), (series) => seriesData.get(series)?.value);
  });
  tellEnd();
};
`;
