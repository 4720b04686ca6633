import { publicOperation } from '../operation.ts';
import { market, required } from '../parameters.ts';
import { renderTicker } from '../render/market-data.ts';

/** The 24-hour summary of one market. */
export const ticker = publicOperation({
  name: 'ticker',
  parameters: { market: required(market) },
  handle: (values, context) => context.market.ticker(values.market.id),
  render: (answer) => `{"date":"${answer.exchangeTime}","ticker":${renderTicker(answer)}}`,
});
