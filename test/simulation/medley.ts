import {
  cancel,
  defineStrategy,
  type Intent,
  interval,
  type Market,
  map,
  merge,
  midPrice,
  order,
  protect,
  quotes,
  target,
  withLatestFrom,
  z,
} from '#strategy';

/** What it wishes; `targets` alone are under `protect`, and `long` never wishes to sell what it has not. */
export const MEDLEY_KINDS = ['all', 'targets', 'quotes', 'tags', 'long'] as const;
/** The tags of its orders. */
export const MEDLEY_TAGS = ['a', 'b', 'c'] as const;
const TYPES = ['limit', 'limit', 'postOnly', 'ioc'] as const;
/** Targets, in what is allowed: beyond it too, for that is for risk to refuse. */
const TARGETS = [0, 0, 0, 1, -1, 0.5, -0.5, 1.5, -1.5] as const;
const LONG_TARGETS = TARGETS.filter((target) => target >= 0);
/** How far from the price orders are, a fraction of it at most. */
const OFF = 0.002;
/** Rules that are met now and then within seconds. */
const EXITS = { stopLoss: 0.0008, takeProfit: 0.001, holdMaxMs: 8_000, reenterAfterMs: 3_000 };

/**
 * Wishes all that there is to wish, one after the other and without a look at what it holds: targets
 * and exits beside orders by a tag that rest, are on their way or hold the coins, quotes, cancels.
 */
export default defineStrategy({
  name: 'medley',
  params: z.strictObject({
    positionMax: z.number().positive(),
    levels: z.int().min(1),
    postOnly: z.boolean(),
    periodMs: z.number().positive().default(700),
    kind: z.enum(MEDLEY_KINDS).default('all'),
  }),
  run(context) {
    const { params, random, clock } = context;
    const { positionMax, levels, postOnly, periodMs, kind } = params;
    const one = <T>(values: readonly T[]): T => values[random.integer(values.length)]!;
    const amount = () => positionMax * (0.1 + 0.9 * random.next());
    const near = (mid: number, sign: number) => mid * (1 + sign * OFF * (random.next() - 0.2));
    const side = (mid: number, sign: number) =>
      Array.from({ length: levels }, () => ({ price: near(mid, sign), amount: amount() / levels }));
    const isLong = kind === 'long';
    const aTarget = (market: Market) =>
      target(market, positionMax * one(isLong ? LONG_TARGETS : TARGETS));
    const someQuotes = (market: Market, mid: number) =>
      quotes(market, side(mid, -1), isLong ? [] : side(mid, 1), { postOnly });
    const byTag = (market: Market, mid: number): Intent => {
      const buys = isLong || random.next() < 0.5;
      const price = near(mid, buys ? -1 : 1);
      const terms = { tag: one(MEDLEY_TAGS), type: one(TYPES), price, amount: amount() };
      return order(market, { ...terms, side: buys ? 'buy' : 'sell' });
    };
    const wish = (market: Market, mid: number): Intent => {
      if (kind === 'quotes') return someQuotes(market, mid);
      const draw = kind === 'tags' ? 0.5 + 0.5 * random.next() : random.next();
      if (draw < 0.3) return aTarget(market);
      if (draw < 0.45) return someQuotes(market, mid);
      if (draw < 0.55) return cancel(market, one(MEDLEY_TAGS));
      return byTag(market, mid);
    };
    const inEach = <T>(wished: (market: Market, mid: number) => T) =>
      merge(
        ...context.markets.map((market) => {
          const mids = context.depth(market).pipe(midPrice());
          return interval(periodMs, clock).pipe(
            withLatestFrom(mids, (_, mid) => mid),
            map((mid) => wished(market, mid)),
          );
        }),
      );
    return kind === 'targets' ? inEach(aTarget).pipe(protect(context, EXITS)) : inEach(wish);
  },
});
