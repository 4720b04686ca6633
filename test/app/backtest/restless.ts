import {
  cancel,
  defineStrategy,
  map,
  merge,
  mergeMap,
  order,
  quotes,
  type StrategyContext,
  target,
  z,
} from '#strategy';

type OwnMarket = StrategyContext['market'];

/** Does something else at everything it hears: for runs in which as much as can be happens. */
export default defineStrategy({
  name: 'restless',
  params: z.strictObject({ hears: z.enum(['candles', 'trades', 'depth', 'quotes']) }),
  run(context) {
    const { markets, params, random } = context;
    const prices = (market: OwnMarket) => {
      const mids = context.depth(market).pipe(map(({ bids, asks }) => midOf(bids[0], asks[0])));
      if (params.hears === 'depth' || params.hears === 'quotes') return mids;
      if (params.hears === 'trades') return context.trades(market).pipe(map(({ price }) => price));
      return merge(context.candles('1min', market).pipe(map(({ close }) => close)), mids);
    };
    const wish = (market: OwnMarket, price: number, count: number) => {
      const side = random.integer(2) === 0 ? 'buy' : 'sell';
      const beyond = side === 'buy' ? 1.001 : 0.999;
      switch (count % 5) {
        case 0:
          return quotes(market, [[price * 0.9996, 0.02]], [[price * 1.0004, 0.02]], {
            postOnly: false,
          });
        case 1:
          return order(market, {
            tag: `ioc${count}`,
            side,
            price: price * beyond,
            amount: 0.03,
            type: 'ioc',
          });
        case 2:
          return order(market, { tag: 'rest', side, price, amount: 0.01 });
        case 3:
          return cancel(market, 'rest');
        default:
          return target(market, random.integer(5) / 100);
      }
    };
    return merge(
      ...markets.map((market) =>
        prices(market).pipe(
          mergeMap((price, count) => (price > 0 ? [wish(market, price, count)] : [])),
        ),
      ),
    );
  },
});

function midOf(bid: readonly number[] | undefined, ask: readonly number[] | undefined): number {
  return ((bid?.[0] ?? Number.NaN) + (ask?.[0] ?? Number.NaN)) / 2;
}
