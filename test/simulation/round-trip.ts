import { concat, defineStrategy, map, NEVER, order, take, target, z } from '#strategy';

/** Buys once at the best ask by a plain limit order, and wants out as soon as that has filled. */
export default defineStrategy({
  name: 'round-trip',
  params: z.strictObject({ amount: z.number().positive() }),
  run({ market, params: { amount }, depth, fills }) {
    const entry = depth().pipe(
      take(1),
      map(({ asks: [best] }) => order(market, { tag: 'in', side: 'buy', price: best![0], amount })),
    );
    const exit = fills().pipe(
      take(1),
      map(() => target(market, 0)),
    );
    return concat(entry, exit, NEVER);
  },
});
