import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  NEVER,
  of,
  openAtMost,
  quotes,
  type StrategyContext,
  StrategyError,
  scriptedMarket,
  type TargetIntent,
} from '../../src/strategy/index.ts';
import { ETHER, hold, playedThrough, type Step, wait, wish } from './protect-fixture.ts';

const LITECOIN = { ...scriptedMarket, id: 'ltc_usdt', base: 'ltc' };
const [btc, eth, ltc] = ['btc_usdt', 'eth_usdt', 'ltc_usdt'];
const wishFor = (position: number, market = scriptedMarket): Step => wish(position, {}, market);

/** Of steps, a second each, what passes: second, market and position. */
function passed(most: number, steps: readonly Step[]) {
  const markets = [ETHER, LITECOIN];
  const { intents, times } = playedThrough((context) => openAtMost(context, most), {
    ...{ steps, markets },
  });
  return intents.map(({ market, position }, at) => [times[at]! / 1_000, market, position]);
}

describe('openAtMost', () => {
  it('leaves out what would open in one market more', () => {
    const steps = [wishFor(1), wishFor(2, ETHER), wishFor(-3, LITECOIN), wishFor(0, LITECOIN)];
    expect(passed(2, steps)).toEqual([
      [0, btc, 1],
      [1, eth, 2],
      [3, ltc, 0],
    ]);
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

  it('counts what was held at the start', () => {
    expect(passed(1, [hold(1), wishFor(1, ETHER)])).toEqual([]);
  });
});

describe('openAtMost, handed what is not for it,', () => {
  const context = {
    markets: [scriptedMarket],
    position: () => NEVER,
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
    const open = openAtMost({ markets: [scriptedMarket], position: () => positions }, 1);
    source.pipe(open).subscribe();
    expect(positions.observed).toBe(true);
    source.complete();
    expect(positions.observed).toBe(false);
  });
});
