import { amountOf, cancel, defineStrategy, map, mergeMap, order, take, z } from '#strategy';

/** Takes what there is, cancels the rest at once, and sells what it holds by then. */
export default defineStrategy({
  name: 'hasty',
  params: z.strictObject({}),
  run({ market, depth, position }) {
    // It looks what it holds when it wants to know, and not before.
    const held = () =>
      position().pipe(
        take(1),
        map(({ amount }) => amount.toNumber()),
      );
    return depth().pipe(
      mergeMap(({ bids, asks }, turn) => {
        const [best] = turn % 2 === 0 ? asks : bids;
        if (best === undefined) return [];
        const [price, there] = best;
        if (turn % 2 === 0) {
          const amount = amountOf(market, there + 0.001);
          return [order(market, { tag: 'in', side: 'buy', price, amount }), cancel(market, 'in')];
        }
        const out = { tag: 'out', side: 'sell', type: 'ioc', price } as const;
        return held().pipe(
          map((amount) => amountOf(market, amount)),
          mergeMap((amount) => (amount > 0 ? [order(market, { ...out, amount })] : [])),
        );
      }),
    );
  },
});
