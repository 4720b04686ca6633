import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import {
  NEVER,
  of,
  openAtMost,
  quotes,
  type StrategyContext,
  StrategyError,
  scriptedMarket,
  scriptedOrder,
  type TargetIntent,
  target,
} from '../../src/strategy/index.ts';
import { ETHER, hold, playedThrough, purchase, type Step, wait, wish } from './protect-fixture.ts';

const LITECOIN = { ...scriptedMarket, id: 'ltc_usdt', base: 'ltc' };
const [btc, eth, ltc] = ['btc_usdt', 'eth_usdt', 'ltc_usdt'];
const wishFor = (position: number, market = scriptedMarket): Step => wish(position, {}, market);

/** A step in which the first market's order changes its state. */
const ordered = (status: 'open' | 'cancelled'): Step => ({
  event: (time) =>
    scriptedOrder({ time, tag: 'target/', side: 'buy', price: 100, amount: 1, status }),
});

/** The targets that pass for steps of one second each: second, market and position. */
function passed(most: number, steps: readonly Step[]) {
  const markets = [ETHER, LITECOIN];
  const { intents, times } = playedThrough((context) => openAtMost(context, most), {
    ...{ steps, markets },
  });
  return intents.map(({ market, position }, at) => [times[at]! / 1_000, market, position]);
}

describe('openAtMost', () => {
  it('leaves out what would open in one market more', () => {
    const held = [wishFor(1), hold(1), wishFor(2, ETHER), hold(2, 100, ETHER)];
    expect(passed(2, [...held, wishFor(-3, LITECOIN), wishFor(0, LITECOIN)])).toEqual([
      [0, btc, 1],
      [2, eth, 2],
      [5, ltc, 0],
    ]);
  });

  it('leaves it out of wishes of one moment too', () => {
    const source = new Subject<TargetIntent>();
    const context = {
      markets: [scriptedMarket, ETHER],
      clock: new VirtualClock(0),
      ...{ position: () => NEVER, fills: () => NEVER, orders: () => NEVER },
    } as unknown as StrategyContext;
    const seen: string[] = [];
    source.pipe(openAtMost(context, 1)).subscribe(({ market }) => seen.push(market));
    source.next(target(scriptedMarket, 1));
    source.next(target(ETHER, 1));
    expect(seen).toEqual([btc]);
  });

  it('passes what is for a market that the strategy has not, and does not count it', () => {
    const stranger = { ...scriptedMarket, id: 'xrp_usdt' };
    const steps = [wishFor(1, stranger), wishFor(1)];
    expect(passed(1, steps).map(([, market]) => market)).toEqual(['xrp_usdt', btc]);
  });

  it('passes what changes, turns or closes what is open', () => {
    const steps = [hold(1), wishFor(2), wishFor(-1), wishFor(0), wishFor(1, ETHER)];
    expect(passed(1, steps).map(([second]) => second)).toEqual([1, 2, 3]);
  });

  it('has room again once what was held is flat, whoever closed it', () => {
    const steps = [wishFor(1), hold(1), wishFor(1, ETHER), hold(0), wishFor(1, ETHER)];
    expect(passed(1, steps)).toEqual([
      [0, btc, 1],
      [4, eth, 1],
    ]);
  });

  it('has room again where the fee of buying back left a short position', () => {
    const short = [wishFor(-10), hold(-10), wishFor(0)];
    const boughtBack = [purchase(10, 0.02), hold(-0.02)];
    expect(passed(1, [...short, ...boughtBack, wishFor(1, ETHER)]).at(-1)).toEqual([5, eth, 1]);
    const inPart = [purchase(5, 0.01), hold(-5.01)];
    expect(passed(1, [...short, ...inPart, wishFor(1, ETHER)])).toHaveLength(2);
  });

  it('counts what is on its way out until it is', () => {
    const steps = [wishFor(1), hold(1), wishFor(0), wishFor(1, ETHER), hold(0.00001)];
    expect(passed(1, [...steps, wishFor(1, LITECOIN)])).toEqual([
      [0, btc, 1],
      [2, btc, 0],
      [5, ltc, 1],
    ]);
  });

  it('has room again where a wish was taken back before anything of it was held', () => {
    const steps = [wishFor(1), wishFor(0), wait, wishFor(1, ETHER)];
    expect(passed(1, steps).map(([second]) => second)).toEqual([0, 1, 3]);
  });
});

describe('openAtMost, where something has its place,', () => {
  it('gives the place of the wish that was not made anew for longest', () => {
    const steps = [wishFor(1), wishFor(1, ETHER), wishFor(2), wishFor(1, LITECOIN)];
    expect(passed(2, steps).slice(3)).toEqual([
      [3, eth, 0],
      [3, ltc, 1],
    ]);
  });

  it('gives the place of a wish of which nothing came to a new one', () => {
    expect(passed(1, [wishFor(1), wishFor(1, ETHER), wishFor(1)])).toEqual([
      [0, btc, 1],
      [1, btc, 0],
      [1, eth, 1],
      [2, eth, 0],
      [2, btc, 1],
    ]);
  });

  it('leaves its place to a wish of which something is held or under way', () => {
    const steps = [wishFor(1), ordered('open'), wishFor(1, ETHER), ordered('cancelled')];
    expect(passed(1, [...steps, hold(1), wishFor(1, ETHER)])).toEqual([[0, btc, 1]]);
    expect(passed(1, [...steps, wishFor(1, ETHER)]).map(([second]) => second)).toEqual([0, 4, 4]);
  });

  it('counts what was held at the start', () => {
    expect(passed(1, [hold(1), wishFor(1, ETHER)])).toEqual([]);
  });
});

describe('openAtMost, handed what is not for it,', () => {
  const context = {
    ...{ markets: [scriptedMarket], clock: new VirtualClock(0) },
    ...{ position: () => NEVER, fills: () => NEVER, orders: () => NEVER },
  } as unknown as StrategyContext;

  it.each([0, 1.5, Number.NaN])('refuses %d positions', (most) => {
    const message = `Cannot open at most ${most} positions: a whole number of at least 1 is wanted`;
    expect(() => openAtMost(context, most)).toThrow(new StrategyError(message));
  });

  it('fails at a wish that is no target', () => {
    const wishes = of(quotes(scriptedMarket, [], []) as unknown as TargetIntent);
    const failed: unknown[] = [];
    wishes.pipe(openAtMost(context, 2)).subscribe({ error: (error) => failed.push(error) });
    const message = 'Cannot open at most 2 positions: a wish is quotes, a target is wanted';
    expect(failed).toEqual([new StrategyError(message)]);
  });

  it('looks at no position any more once it has ended', () => {
    const positions = new Subject<never>();
    const source = new Subject<TargetIntent>();
    const fills = new Subject<never>();
    const orders = new Subject<never>();
    const streams = { position: () => positions, fills: () => fills, orders: () => orders };
    source.pipe(openAtMost({ ...context, ...streams }, 1)).subscribe();
    const observed = () => [positions, fills, orders].map((stream) => stream.observed);
    expect(observed()).toEqual([true, true, true]);
    source.complete();
    expect(observed()).toEqual([false, false, false]);
  });
});
