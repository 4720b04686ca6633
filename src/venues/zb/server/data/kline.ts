import { INTERVALS } from '../../../../domain/index.ts';
import { publicOperation } from '../operation.ts';
import { defaulting, integer, market, oneOf, optional, required } from '../parameters.ts';
import { renderCandles } from '../render/market-data.ts';

/** Candles at most, however many are wanted, and where no size is given. Source: contract, kline. */
const CANDLES_MAX = 1_000;

/** The newest candles of a market, oldest first. Without `type` those of one minute. */
export const kline = publicOperation({
  name: 'kline',
  parameters: {
    market: required(market),
    type: defaulting(oneOf(INTERVALS), '1min'),
    since: optional(integer(0, Number.MAX_SAFE_INTEGER)),
    size: defaulting(integer(1, Number.MAX_SAFE_INTEGER), CANDLES_MAX),
  },
  handle: ({ market: { id }, type, since, size }, context) =>
    context.market.candles({
      market: id,
      interval: type,
      size: Math.min(size, CANDLES_MAX),
      ...(since === undefined ? {} : { since }),
    }),
  render: (candles, { values }) => {
    const { base, quote } = values.market;
    const names = `"moneyType":"${quote.toUpperCase()}","symbol":"${base.toUpperCase()}"`;
    return `{"data":${renderCandles(candles)},${names}}`;
  },
});
