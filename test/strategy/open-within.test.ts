import { NEVER, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import {
  openWithin,
  quotes,
  type StrategyContext,
  StrategyError,
  scriptedMarket,
  type TargetIntent,
  target,
} from '../../src/strategy/index.ts';
import { ETHER, hold, playedThrough, purchase, type Step, wait, wish } from './protect-fixture.ts';

/** The targets that pass for steps of one second each and a limit of 2.5 s: time (ms), position. */
function passed(steps: readonly Step[]) {
  const { intents, times } = playedThrough((context) => openWithin(context, 2_500), { steps });
  return intents.map(({ position }, at) => [times[at], position]);
}

describe('openWithin', () => {
  it('wishes flat what has opened nothing in time', () => {
    expect(passed([wish(1)])).toEqual([
      [0, 1],
      [2_500, 0],
    ]);
  });

  it('leaves what has opened a part', () => {
    expect(passed([wish(1), wait, hold(0.01)])).toEqual([[0, 1]]);
  });

  it('takes dust for nothing', () => {
    expect(passed([wish(1), hold(0.00001)]).at(-1)).toEqual([2_500, 0]);
  });

  it('takes what the fee of buying back left of a short position for nothing', () => {
    const boughtBack = [hold(-10), wish(0), purchase(10, 0.02), hold(-0.02)];
    expect(passed([...boughtBack, wish(-10)])).toEqual([
      [1_000, 0],
      [4_000, -10],
      [6_500, 0],
    ]);
  });

  it('begins anew with each wish, and ends with one to be flat', () => {
    expect(passed([wish(1), wait, wish(2)])).toEqual([
      [0, 1],
      [2_000, 2],
      [4_500, 0],
    ]);
    expect(passed([wish(1), wish(0)]).map(([, position]) => position)).toEqual([1, 0]);
  });

  it('lets what is held be changed at any time', () => {
    const steps = [hold(1), wish(2), wish(0.5)];
    expect(passed(steps).map(([, position]) => position)).toEqual([2, 0.5]);
  });

  it('wishes flat a turn that has opened nothing of its side, and leaves one that has', () => {
    // Risk refuses the other side: the way ends at flat, and the wish stands.
    expect(passed([hold(1), wish(-1), hold(0)])).toEqual([
      [1_000, -1],
      [3_500, 0],
    ]);
    expect(passed([hold(1), wish(-1), hold(-0.5)])).toEqual([[1_000, -1]]);
  });

  it('wishes flat what has opened nothing of its side, though late fills opened the other', () => {
    expect(passed([wish(-1), wish(1), hold(-0.5)]).at(-1)).toEqual([3_500, 0]);
  });

  it('counts the time of what is opened after a position', () => {
    expect(passed([wish(1), hold(1), wish(0), hold(0), wish(1)]).at(-1)).toEqual([6_500, 0]);
  });

  it('counts each market by itself', () => {
    const steps = [wish(1), wish(2, {}, ETHER), hold(1)];
    const { intents } = playedThrough((context) => openWithin(context, 2_500), { steps });
    expect(intents.map(({ market, position }) => [market, position])).toEqual([
      ['btc_usdt', 1],
      ['eth_usdt', 2],
      ['eth_usdt', 0],
    ]);
  });
});

describe('openWithin, at its ends,', () => {
  const clock = new VirtualClock(0);
  const context = {
    ...{ markets: [scriptedMarket], clock, position: () => NEVER, fills: () => NEVER },
  } as unknown as StrategyContext;

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a limit of %d', (limitMs) => {
    const message = `Cannot open within ${limitMs} ms: a number above 0 is wanted`;
    expect(() => openWithin(context, limitMs)).toThrow(new StrategyError(message));
  });

  it('fails at a wish that is no target', () => {
    const wishes = of(quotes(scriptedMarket, [], []) as unknown as TargetIntent);
    const failed: unknown[] = [];
    wishes.pipe(openWithin(context, 2_500)).subscribe({ error: (error) => failed.push(error) });
    const message = 'Cannot open within 2500 ms: a wish is quotes, a target is wanted';
    expect(failed).toEqual([new StrategyError(message)]);
  });

  it('leaves no timer behind', () => {
    const time = new VirtualClock(0);
    const source = new Subject<TargetIntent>();
    const wished = source.pipe(openWithin({ ...context, clock: time }, 1_000)).subscribe();
    source.next(target(scriptedMarket, 1));
    expect(time.nextDueMs).toBe(1_000);
    wished.unsubscribe();
    expect(time.nextDueMs).toBeUndefined();
  });

  it('completes as the source does, and wishes nothing more', () => {
    const source = new Subject<TargetIntent>();
    const seen: unknown[] = [];
    source.pipe(openWithin(context, 1_000)).subscribe({
      next: ({ position }) => seen.push(position),
      complete: () => seen.push('over'),
    });
    source.next(target(scriptedMarket, 1));
    source.complete();
    clock.advanceBy(5_000);
    expect(seen).toEqual([1, 'over']);
  });
});
