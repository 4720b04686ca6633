import {
  cancel,
  defineStrategy,
  type Intent,
  interval,
  map,
  midPrice,
  order,
  quotes,
  target,
  withLatestFrom,
  z,
} from '#strategy';

const TAGS = ['a', 'b', 'c'] as const;
/** Orders by a tag that may rest on a side of a market. */
export const MEDLEY_TAGS = TAGS.length;
const TYPES = ['limit', 'limit', 'postOnly', 'ioc'] as const;
/** Targets, in what is allowed: beyond it too, for that is for risk to refuse. */
const TARGETS = [0, 0, 0, 1, -1, 0.5, -0.5, 1.5, -1.5] as const;
/** How far from the price orders are, a fraction of it at most. */
const OFF = 0.002;

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
  }),
  run(context) {
    const { market, params, random, clock } = context;
    const { positionMax, levels, postOnly, periodMs } = params;
    const one = <T>(values: readonly T[]): T => values[random.integer(values.length)]!;
    const amount = () => positionMax * (0.1 + 0.9 * random.next());
    const near = (mid: number, sign: number) => mid * (1 + sign * OFF * (random.next() - 0.2));
    const side = (mid: number, sign: number) =>
      Array.from({ length: levels }, () => ({ price: near(mid, sign), amount: amount() / levels }));
    const wish = (mid: number): Intent => {
      const draw = random.next();
      if (draw < 0.3) return target(market, positionMax * one(TARGETS));
      if (draw < 0.45) return quotes(market, side(mid, -1), side(mid, 1), { postOnly });
      if (draw < 0.55) return cancel(market, one(TAGS));
      const buys = random.next() < 0.5;
      const price = near(mid, buys ? -1 : 1);
      const terms = { tag: one(TAGS), type: one(TYPES), price, amount: amount() };
      return order(market, { ...terms, side: buys ? 'buy' : 'sell' });
    };
    const mids = context.depth().pipe(midPrice());
    return interval(periodMs, clock).pipe(
      withLatestFrom(mids, (_, mid) => mid),
      map(wish),
    );
  },
});
