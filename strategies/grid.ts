import {
  amountOf,
  combineLatest,
  defineStrategy,
  distinctUntilChanged,
  map,
  midPrice,
  quotes,
  scan,
  startWith,
  take,
  z,
} from '#strategy';

/**
 * Buys at each line that the price falls through and sells one line higher.
 *
 * Line n lies n spacings from the center. The line nearest to the first price is left empty; bids
 * rest on the lines below it, asks above. A line that has traded becomes the empty one; until then
 * nothing moves. Fees are not bought back.
 */
export default defineStrategy({
  name: 'grid',
  params: z.strictObject({
    amount: z.number().positive().describe('Amount on each line, in the base currency.'),
    center: z.number().positive().optional().describe('Price of line 0. Default: first mid price.'),
    spacing: z.number().positive().max(0.5).default(0.005).describe('Fraction from line to line.'),
    lines: z.int().min(1).max(100).default(5).describe('Lines on each side of the center.'),
  }),
  run(context) {
    const { market, params } = context;
    const amount = amountOf(market, params.amount);
    const numbers = Array.from({ length: 2 * params.lines + 1 }, (_, i) => i - params.lines);
    const start = context.depth().pipe(
      midPrice(),
      take(1),
      map((mid) => ({ center: params.center ?? mid, mid })),
    );
    const climbed = context.fills().pipe(
      map((fill) => (fill.side === 'sell' ? fill.amount : -fill.amount) / amount),
      scan((sold, lines) => sold + lines, 0),
      // Lines sold minus lines bought; a line counts once all of it has traded, up to rounding.
      scan((lines, sold) => (Math.abs(sold - lines) > 0.999 ? Math.round(sold) : lines), 0),
      startWith(0),
      distinctUntilChanged(),
    );

    return combineLatest([start, climbed]).pipe(
      map(([{ center, mid }, lines]) => {
        const empty = lines + Math.round(Math.log(mid / center) / Math.log1p(params.spacing));
        const level = (line: number) => ({ price: center * (1 + params.spacing) ** line, amount });
        const bids = numbers.filter((line) => line < empty).reverse();
        const asks = numbers.filter((line) => line > empty);
        return quotes(market, bids.map(level), asks.map(level));
      }),
    );
  },
});
