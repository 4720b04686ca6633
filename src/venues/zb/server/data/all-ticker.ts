import { publicOperation } from '../operation.ts';
import { renderTicker } from '../render/market-data.ts';

/** The 24-hour summaries of all markets, keyed by market as the dialect writes it. */
export const allTicker = publicOperation({
  name: 'allTicker',
  parameters: {},
  handle: (_values, context) => context.market.tickers(),
  render: (tickers, { dialect, markets }) => {
    const entries = tickers.flatMap((ticker) => {
      const market = markets.ofId(ticker.market);
      return market ? [`"${dialect.tickerKey(market)}":${renderTicker(ticker)}`] : [];
    });
    return `{${entries.join(',')}}`;
  },
});
