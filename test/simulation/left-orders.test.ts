import { describe, expect, it } from 'vitest';
import type { Intent, Market } from '../../src/domain/index.ts';
import type { StrategyInstance } from '../../src/engine/index.ts';
import type { StopReport } from '../../src/execution/index.ts';
import {
  defineStrategy,
  filter,
  map,
  merge,
  NEVER,
  order,
  quotes,
  target,
  timer,
  z,
} from '../../src/strategy/index.ts';
import { checkAgreement, checkSettled } from './agreement.ts';
import { quotingWorld } from './quoting-world.ts';
import { World } from './world.ts';
import { configOf, manyMarkets } from './world-options.ts';

const MINUTE_MS = 60_000;

type Wish = (market: Market) => Intent | undefined;

/** A strategy that wishes once what it is told to then. Default: 5 s after its start. */
function saying(
  market: Market,
  wish: () => Wish,
  { name = 'saying', atMs = 5_000 } = {},
): StrategyInstance {
  const definition = defineStrategy({
    name,
    params: z.strictObject({}),
    run: ({ clock }) =>
      merge(
        NEVER,
        timer(atMs, clock).pipe(
          map(() => wish()(market)),
          filter((intent) => intent !== undefined),
        ),
      ),
  });
  return {
    ...{ name, params: {}, markets: [market] },
    definition: definition as unknown as StrategyInstance['definition'],
  };
}

describe('orders that no cancel gets through to', () => {
  it('are taken away by the timed cancel when trading is halted', () => {
    const { world, of } = quotingWorld();
    const isCancel = (target: string) => target.startsWith('/api/cancelOrder');
    world.network.intercept = (target) =>
      isCancel(target) ? '{"code":1002,"message":"Internal error"}' : undefined;
    world.stillMarkets();
    const called = of('heartbeat').length;
    world.bot.sources.state.set('HALTED', 'a person pulled the plug');
    world.advance(MINUTE_MS + 1_000);
    expect(world.books.ownOpen).toEqual([]);
    expect(of('heartbeat')).toHaveLength(called);
    world.advance(5_000);
    expect([...world.bot.sources.orders.allLive()]).toEqual([]);
  });
});

describe('orders of a strategy that a restart runs under another name', () => {
  it('are cancelled, for nobody will wish for them', () => {
    const { world } = quotingWorld();
    const { cast } = world;
    world.cast = (listed) => {
      const { markets, strategies } = cast(listed);
      return { markets, strategies: strategies.map((one) => ({ ...one, name: 'another' })) };
    };
    world.kill();
    world.strategiesSpeak = false;
    expect(world.books.ownOpen.length).toBeGreaterThan(0);
    world.boot();
    world.advance(5_000);
    expect(world.books.ownOpen).toEqual([]);
  });
});

describe('orders in a market that the restart does not trade', () => {
  it('are gone when a stop calls itself verified, however soon', () => {
    const { world } = quotingWorld({ markets: manyMarkets(2) });
    const { cast } = world;
    const resting = () => world.books.ownOpen.map(({ market }) => market);
    expect(new Set(resting()).size).toBe(2);
    world.cast = ([first]) => cast([first!]);
    world.kill();
    world.boot();
    const reports: StopReport[] = [];
    world.stop((report) => reports.push(report));
    for (let atMs = 0; reports.length === 0 && atMs < 40_000; atMs += 100) world.advance(100);
    expect([reports[0]?.verified, resting()]).toEqual([true, []]);
  });
});

describe('an order by a tag that is wished after a restart, and refused', () => {
  const bid = (market: Market, price: number, amount = 0.01): Intent =>
    order(market, { tag: 'entry', side: 'buy', price, amount });

  /** The prices of what rests where that bid was left and this is wished 5 s after the next start. */
  function wishing(next: (market: Market) => Intent, orderValueMax = 1_000): readonly number[] {
    const world = new World({ risk: { orderValueMax: 1_000 } });
    let wish = (market: Market) => bid(market, 29_000);
    world.cast = (listed) => ({ markets: listed, strategies: [saying(listed[0]!, () => wish)] });
    world.advance(1_000);
    world.boot();
    world.advance(10_000);
    expect(world.books.ownOpen).toHaveLength(1);
    world.kill();
    wish = next;
    world.config = configOf({ ...world.options, risk: { orderValueMax } });
    world.boot();
    world.advance(10_000);
    return world.books.ownOpen.map(({ price }) => price);
  }

  it.each<[string, (market: Market) => Intent, readonly number[]]>([
    ['at another price', (market) => bid(market, 29_500, 0.05), []],
    ['as a target beside it', (market) => target(market, 1), []],
    [
      'under another tag',
      (market) => ({ ...bid(market, 29_500, 0.05), tag: 'other' }) as Intent,
      [29_000],
    ],
  ])('is cancelled where that decides about it: %s', (_what, next, left) => {
    expect(wishing(next)).toEqual(left);
  });

  it('stays beside quotes that are refused in part', () => {
    const beside = (market: Market): Intent => quotes(market, [[28_000, 0.01]], [[31_000, 0.05]]);
    expect(wishing(beside)).toEqual([29_000, 28_000]);
  });

  it('may be wished once more where it is refused in its own terms', () => {
    expect(wishing((market) => bid(market, 29_000), 100)).toEqual([29_000]);
  });
});

describe('an order in its grace after a restart', () => {
  const risk = { longMax: 0.05, shortMax: 0 };

  it.each<[string, Wish]>([
    ['a quote', (market) => quotes(market, [], [[31_000, 0.03]])],
    [
      'an order by a tag',
      (market) => order(market, { tag: 'mine', side: 'sell', price: 31_000, amount: 0.03 }),
    ],
  ])('makes room for an exit that lacks it: %s', (_what, ask) => {
    const world = new World({ risk });
    let exits = false;
    world.cast = (listed) => ({
      markets: listed,
      strategies: [
        saying(listed[0]!, () => (market) => target(market, exits ? 0 : 0.03), { name: 'stop' }),
        saying(listed[0]!, () => (market) => (exits ? undefined : ask(market)), {
          ...{ name: 'maker', atMs: 7_000 },
        }),
      ],
    });
    world.advance(1_000);
    world.boot();
    world.advance(15_000);
    expect(world.books.ownOpen).toHaveLength(1);
    world.kill();
    exits = true;
    world.boot();
    world.advance(12_000);
    const { positions } = world.bot.sources;
    expect(positions.position('btc_usdt', 'stop').amount.toNumber()).toBe(0);
    expect(world.books.ownOpen).toEqual([]);
  });
});

describe('an order that somebody on the way sends twice', () => {
  /** The next orders reach the exchange twice, so many of them. */
  function repeat(world: World, count: number): void {
    let left = count;
    world.network.repeats = (target) => target.startsWith('/api/order?') && left-- > 0;
  }

  it.each(['market-maker', 'swing'] as const)(
    'is not left there, nor its fills (%s)',
    (strategy) => {
      for (const seed of ['a', 'b', 'c']) {
        const { world } = quotingWorld({ seed, strategy });
        repeat(world, 1);
        world.advance(60_000);
        expect(world.books.twinCount).toBe(1);
        checkSettled(world);
        expect(world.bot.sources.state.state).toBe('ACTIVE');
      }
    },
  );

  it('halts trading when it happens again, with books that are true', () => {
    const { world } = quotingWorld();
    repeat(world, 10);
    world.advance(60_000);
    expect(world.bot.sources.state).toMatchObject({ state: 'HALTED' });
    expect(world.books.ownOpen).toEqual([]);
    checkAgreement(world);
  });
});
