import {
  combineLatest,
  defineStrategy,
  distinctUntilChanged,
  isFresh,
  itself,
  ladder,
  map,
  midPrice,
  noQuotes,
  quotes,
  together,
  Volatility,
  z,
} from '#strategy';

/** Quotes around the mid price: wider when it moves more, leaning against the position held. */
export default defineStrategy({
  name: 'market-maker',
  params: z.strictObject({
    amount: z.number().positive().describe('Amount of each quote, in the base currency.'),
    positionMax: z.number().positive().describe('Largest position that quotes build.'),
    levels: z.int().min(1).max(20).default(1).describe('Quotes on each side.'),
    step: z.number().positive().max(0.5).default(0.001).describe('Fraction from level to level.'),
    spread: z.number().positive().max(0.5).default(0.002).describe('Least spread, a fraction.'),
    volatilityLength: z.int().min(2).default(50).describe('Books for volatility before any quote.'),
    volatilityFactor: z.number().min(0).default(4).describe('Deviations that the spread covers.'),
    skew: z.number().min(0).max(1).default(1).describe('Shift at full position, in half spreads.'),
    requote: z.number().min(0).default(2e-4).describe('Price change that is ignored, a fraction.'),
  }),
  run(context) {
    const { market, params } = context;
    const { amount, positionMax, levels, step, spread, volatilityFactor, skew, requote } = params;
    const prices = context.depth().pipe(
      midPrice(),
      together(() => [itself, new Volatility(params.volatilityLength)]),
    );
    const position = context.position().pipe(map((now) => now.amount.toNumber()));
    return combineLatest([prices, position, context.freshness().pipe(isFresh('depth'))]).pipe(
      map(([[mid, deviation], held, open]) => {
        const half = Math.min(0.5, Math.max(spread, volatilityFactor * deviation) / 2);
        const center = mid * (1 - skew * half * Math.max(-1, Math.min(1, held / positionMax)));
        return { bid: center * (1 - half), ask: center * (1 + half), held, open };
      }),
      distinctUntilChanged((a, b) => {
        const off = Math.max(Math.abs(a.bid - b.bid), Math.abs(a.ask - b.ask));
        return a.open === b.open && a.held === b.held && off <= requote * a.bid;
      }),
      map(({ bid, ask, held, open }) => {
        if (!open) return noQuotes(market);
        const least = levels * Math.max(market.minAmount, market.minSize / bid);
        const side = (room: number) => (room < least ? 0 : Math.min(amount, room / levels));
        const bids = ladder(bid, { levels, step: -step, amount: side(positionMax - held) });
        const asks = ladder(ask, { levels, step, amount: side(positionMax + held) });
        return quotes(market, bids, asks);
      }),
    );
  },
});
