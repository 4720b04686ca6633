import {
  combineLatest,
  debounceTime,
  defineStrategy,
  filter,
  interval,
  map,
  merge,
  order,
  startWith,
  switchMap,
  target,
  withLatestFrom,
  z,
} from '#strategy';

/** Listens to all that there is, draws, and lets timers decide. */
export default defineStrategy({
  name: 'noisy',
  params: z.strictObject({ amount: z.number().default(0.001), everyMs: z.number().default(700) }),
  run(context) {
    const { market, params, clock, random } = context;
    const state = combineLatest([
      context.position(),
      context.orders().pipe(map((orders) => orders.length)),
      context.balance('usdt'),
      context.freshness().pipe(startWith(undefined)),
      context.candles('1min').pipe(startWith(undefined)),
      context.trades().pipe(startWith(undefined)),
      context.ticker().pipe(startWith(undefined)),
    ]);
    const drawn = interval(params.everyMs, clock).pipe(
      withLatestFrom(context.depth(), state),
      filter(([, depth]) => depth.bids.length > 0),
      map(([turn, depth, [position, resting, balance, ...others]]) => {
        const known = others.filter((one) => one !== undefined).length;
        const share = random.next() * 0.01 + known * 1e-4 + resting * 1e-3;
        return order(market, {
          tag: `${turn % 3} ${resting} ${known} ${position.amount} ${balance.available}`.slice(
            0,
            60,
          ),
          side: random.integer(2) === 0 ? 'buy' : 'sell',
          price: depth.bids[0]![0] * (1 + (share - 0.005) / 20),
          amount: params.amount,
        });
      }),
    );
    const calm = context.fills().pipe(
      debounceTime(350, clock),
      switchMap(() => context.position()),
      filter((position) => position.amount.abs().toNumber() > params.amount * 3),
      map((position) => target(market, position.amount.toNumber() / 2 + (clock.now() % 7) * 1e-4)),
    );
    return merge(drawn, calm);
  },
});
