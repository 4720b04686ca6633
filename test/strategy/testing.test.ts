import { debounceTime, interval, map, merge, of, switchMap, throwError, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { LiveOrder } from '../../src/domain/index.ts';
import {
  cancel,
  Decimal,
  defineStrategy,
  type Intent,
  noQuotes,
  type Observable,
  runStrategy,
  type ScriptedEvent,
  type StrategyContext,
  StrategyError,
  scriptedBalance,
  scriptedCandles,
  scriptedDepth,
  scriptedFill,
  scriptedFreshness,
  scriptedMarket,
  scriptedOrder,
  scriptedPosition,
  z,
} from '../../src/strategy/index.ts';
import { market } from './fixture.ts';

const params = z.strictObject({ label: z.string().default('x') });
type Context = StrategyContext<z.output<typeof params>>;

const probe = (run: (context: Context) => Observable<Intent>) =>
  defineStrategy({ name: 'probe', params, run });

/** A strategy that reports what it sees: each value of a stream becomes the tag of a cancel. */
const echo = (look: (context: Context) => Observable<unknown>) =>
  probe((context) => look(context).pipe(map((seen) => cancel(context.market, String(seen)))));

const seen = (run: { readonly intents: readonly Intent[] }): string[] =>
  run.intents.map((intent) => (intent.kind === 'cancel' ? intent.tag : intent.kind));

describe('runStrategy', () => {
  it('delivers each event at its own time and notes when the wishes came', () => {
    const events = [10, 25].map((time) => scriptedDepth({ time, bid: time, ask: time + 2 }));
    const run = runStrategy(
      echo((context) => context.depth().pipe(map(({ bids }) => bids[0]?.[0]))),
      { events },
    );
    expect(seen(run)).toEqual(['10', '25']);
    expect(run.times).toEqual([10, 25]);
  });

  it('runs timers on the virtual clock, past the last event for as long as told', () => {
    const quiet = echo((context) =>
      context.depth().pipe(
        debounceTime(5, context.clock),
        map(() => context.clock.now()),
      ),
    );
    const events = [0, 3, 20].map((time) => scriptedDepth({ time, bid: 1, ask: 2 }));
    expect(seen(runStrategy(quiet, { events }))).toEqual(['8']);
    expect(seen(runStrategy(quiet, { events, lingerMs: 5 }))).toEqual(['8', '25']);
  });

  it('reads the parameters by the schema and refuses those that do not fit', () => {
    const label = echo((context) => of(context.params.label));
    expect(seen(runStrategy(label, { events: [] }))).toEqual(['x']);
    expect(seen(runStrategy(label, { events: [], params: { label: 'y' } }))).toEqual(['y']);
    const wrong = { label: 1 as unknown as string };
    expect(() => runStrategy(label, { events: [], params: wrong })).toThrow(
      'Cannot run probe: params.label',
    );
  });

  it('throws what the strategy fails with', () => {
    const failing = probe(() => throwError(() => new Error('no idea')));
    expect(() => runStrategy(failing, { events: [] })).toThrow('no idea');
  });

  it('throws what an operator of the strategy throws', () => {
    const broken = echo((context) =>
      context.depth().pipe(
        map(() => {
          throw new Error('broken');
        }),
      ),
    );
    const events = [scriptedDepth({ time: 0, bid: 1, ask: 2 })];
    expect(() => runStrategy(broken, { events })).toThrow('broken');
  });

  it('refuses to run without a market', () => {
    const run = () =>
      runStrategy(
        echo((context) => context.depth()),
        { markets: [], events: [] },
      );
    expect(run).toThrow(new StrategyError('Cannot run probe: it has no market, one is wanted'));
  });

  it('keeps the log and seeds the randomness', () => {
    const draws = echo((context) => {
      context.log('hello', { at: 1 });
      return of(context.random.next());
    });
    const run = runStrategy(draws, { events: [] });
    expect(run.log).toEqual([{ message: 'hello', fields: { at: 1 } }]);
    expect(seen(run)).toEqual(seen(runStrategy(draws, { events: [] })));
    expect(seen(run)).not.toEqual(seen(runStrategy(draws, { events: [], seed: 2 })));
  });
});

describe('runStrategy, of a strategy that a run would end,', () => {
  it('fails by what is no wish, as a run does', () => {
    const listing = probe(({ market }) => of([cancel(market, 'a'), cancel(market, 'b')]) as never);
    expect(() => runStrategy(listing, { events: [] })).toThrow(
      new StrategyError(
        'Cannot run probe: it emitted a list, intents one by one are wanted (mergeAll() behind it ' +
          'makes them so)',
      ),
    );
  });

  it('fails by timers that let no time pass', () => {
    const restless = echo(({ clock }) => interval(0, clock));
    const events = [0, 1].map((time) => scriptedDepth({ time, bid: 1, ask: 2 }));
    expect(() => runStrategy(restless, { events })).toThrow(
      new StrategyError(
        'Cannot run probe: more than 100,000 of its timers went off at one moment, ' +
          'timers that let time pass are wanted',
      ),
    );
  });
});

describe('the script of runStrategy', () => {
  it('plays events in order of time, those of one time as they stand', () => {
    const depth = (time: number, bid: number) => scriptedDepth({ time, bid, ask: 10 });
    const bids = echo((context) => context.depth().pipe(map(({ bids }) => bids[0]?.[0])));
    const run = runStrategy(bids, { events: [depth(7, 3), depth(5, 1), depth(7, 4), depth(5, 2)] });
    expect(seen(run)).toEqual(['1', '2', '3', '4']);
    expect(run.times).toEqual([5, 5, 7, 7]);
  });

  it('lets no timer go off between events of one time, as a backtest does not', () => {
    const last = echo((context) =>
      context.depth().pipe(
        debounceTime(0, context.clock),
        map(({ bids }) => bids[0]?.[0]),
      ),
    );
    const events = [1, 2, 3].map((bid) => scriptedDepth({ time: 5, bid, ask: 10 }));
    expect(seen(runStrategy(last, { events }))).toEqual(['3']);
  });

  it('plays what is due before an event of its time is told', () => {
    const merged = echo(({ depth, clock }) =>
      merge(timer(0, 5, clock), depth().pipe(map(() => 'book'))),
    );
    const events = [0, 5].map((time) => scriptedDepth({ time, bid: 1, ask: 2 }));
    expect(seen(runStrategy(merged, { events }))).toEqual(['0', 'book', '1', 'book']);
  });

  it('refuses an event before the start', () => {
    const run = () =>
      runStrategy(
        echo(() => of()),
        { startMs: 5, events: [4, 6].map((time) => scriptedDepth({ time, bid: 1, ask: 2 })) },
      );
    expect(run).toThrow(
      new StrategyError('Cannot play depth at 4: the start is 5, no event before it is wanted'),
    );
  });
});

describe('the scripted context', () => {
  it('emits the history of candles first, of the interval and market asked for', () => {
    const history = scriptedCandles([1, 2]);
    const later = scriptedCandles([3], { startMs: 120_000 });
    const other = scriptedCandles([9], { startMs: 180_000, market: 'eth_usdt' });
    const hourly = scriptedCandles([8], { startMs: 240_000, interval: '1hour' });
    const events = [...later, ...other, ...hourly];
    const closes = echo((context) => context.candles('1min').pipe(map(({ close }) => close)));
    expect(seen(runStrategy(closes, { history, events }))).toEqual(['1', '2', '3']);
  });

  it('takes a market by itself or by its identifier', () => {
    const second = market({ id: 'eth_usdt', base: 'eth' });
    const both = echo((context) =>
      merge(context.depth(second), context.depth('eth_usdt')).pipe(map((depth) => depth.market)),
    );
    const events = [scriptedDepth({ time: 0, market: 'eth_usdt', bid: 1, ask: 2 })];
    const run = runStrategy(both, { events, markets: [scriptedMarket, second] });
    expect(seen(run)).toEqual(['eth_usdt', 'eth_usdt']);
  });

  it('begins with a position, balance and order list of nothing, then follows the script', () => {
    const everything = echo((context) =>
      merge(
        context.position().pipe(map(({ amount }) => `position ${amount}`)),
        context.balance('btc').pipe(map(({ available }) => `balance ${available}`)),
        context.orders().pipe(map((orders) => `orders ${orders.length}`)),
        context.fills().pipe(map(({ side, amount }) => `fill ${side} ${amount}`)),
      ),
    );
    const order = { clientOrderId: 'a', status: 'open' } as LiveOrder;
    const at = { time: 1, market: scriptedMarket.id };
    const some = { currency: 'btc', available: Decimal.of(3), frozen: Decimal.ZERO };
    const events: ScriptedEvent[] = [
      scriptedFill({ time: 1, side: 'buy', price: 10, amount: 0.5 }),
      scriptedPosition({ time: 1, amount: 0.5, price: 10 }),
      { kind: 'order', ...at, order },
      { kind: 'order', ...at, order: { ...order, status: 'cancelling' } as LiveOrder },
      { kind: 'order', ...at, order: { ...order, status: 'filled', exchangeOrderId: '1' } },
      { kind: 'balance', time: 1, balances: [some] },
    ];
    expect(seen(runStrategy(everything, { events }))).toEqual([
      'position 0',
      'balance 0',
      'orders 0',
      'fill buy 0.5',
      'position 0.5',
      'orders 1',
      'orders 1',
      'orders 0',
      'balance 3',
    ]);
  });
});

describe('the scripted context, of whoever looks later,', () => {
  it('begins with what is so then, as a run does', () => {
    const late = echo((context) =>
      context
        .depth()
        .pipe(
          switchMap(() =>
            merge(
              context.position().pipe(map(({ amount }) => `position ${amount}`)),
              context.balance('btc').pipe(map(({ available }) => `balance ${available}`)),
              context.orders().pipe(map((orders) => orders.map(({ tag }) => tag).join(' and '))),
              context.freshness().pipe(map(({ stream, fresh }) => `${stream} ${fresh}`)),
            ),
          ),
        ),
    );
    const quote = { side: 'buy', price: 1, amount: 1 } as const;
    const events: ScriptedEvent[] = [
      scriptedPosition({ time: 1, amount: 0.5, price: 10 }),
      scriptedPosition({ time: 1, amount: 9, market: 'eth_usdt' }),
      scriptedOrder({ time: 1, tag: 'a', ...quote }),
      scriptedOrder({ time: 1, tag: 'b', ...quote }),
      scriptedBalance({ time: 1, currency: 'btc', available: 3 }),
      scriptedFreshness({ time: 1, fresh: false, stream: 'ticker' }),
      scriptedFreshness({ time: 1, fresh: false }),
      scriptedFreshness({ time: 1, fresh: true }),
      scriptedDepth({ time: 2, bid: 1, ask: 2 }),
      scriptedOrder({ time: 3, tag: 'a', ...quote, status: 'filled' }),
    ];
    expect(seen(runStrategy(late, { events }))).toEqual([
      'position 0.5',
      'balance 3',
      'a and b',
      'ticker false',
      'depth true',
      'b',
    ]);
  });
});

describe('the scripted context, asked for what there is not,', () => {
  it('refuses a market that is not its own', () => {
    const astray = probe((context) => context.depth('ltc_usdt').pipe(map(() => noQuotes('x'))));
    expect(() => runStrategy(astray, { events: [] })).toThrow(
      'Cannot look at market ltc_usdt: strategy probe has btc_usdt',
    );
  });
});
