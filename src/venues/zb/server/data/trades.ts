import { publicOperation } from '../operation.ts';
import { digits, market, optional, required } from '../parameters.ts';
import { renderTrades } from '../render/market-data.ts';

/** The newest public trades, or the fifty right after an id. */
export const trades = publicOperation({
  name: 'trades',
  parameters: { market: required(market), since: optional(digits) },
  handle: ({ market: { id }, since }, context) =>
    context.market.trades({ market: id, ...(since === undefined ? {} : { since }) }),
  render: (answer, { dialect }) => renderTrades(answer, dialect),
});
