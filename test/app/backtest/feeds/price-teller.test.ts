import { describe, expect, it } from 'vitest';
import {
  PriceTeller,
  type PriceTellerOptions,
} from '../../../../src/app/backtest/feeds/price-teller.ts';
import { VirtualClock } from '../../../../src/kernel/index.ts';

/** Tells of opens that are under way for 5 ms, and what was told and done, in order. */
function createTeller({
  isInstant = false,
  tells = true,
  opensMs = undefined as number | undefined,
} = {}) {
  const done: unknown[] = [];
  const clock = new VirtualClock(0);
  const options = {
    ...{ clock, feedMs: 5 },
    engine: { askAgain: () => done.push('asked again') },
    price: { send: (price: number, heardMs: number) => done.push(['sent', price, heardMs]) },
    best: { around: (price: number, { amount }: { amount: number }) => done.push([price, amount]) },
    hearing: opensMs === undefined ? undefined : { openMs: () => opensMs },
    tellOpen: tells ? (tell: () => void) => tell() : undefined,
  } as unknown as PriceTellerOptions;
  return { done, clock, teller: new PriceTeller(options, { isInstant }) };
}

describe('PriceTeller', () => {
  it('tells of nothing before a candle has happened', () => {
    const { done, teller } = createTeller();
    teller.send(100, 1);
    expect([teller.heardMs, done]).toEqual([Number.POSITIVE_INFINITY, []]);
  });

  it('tells of a price with the volume before it, when that is heard', () => {
    const { done, clock, teller } = createTeller();
    teller.volume = 7;
    teller.send(100, 1);
    expect(teller.heardMs).toBe(6);
    teller.hear();
    expect(clock.now()).toBe(6);
    expect(done).toEqual([['sent', 100, 6], [100, 7], 'asked again']);
  });

  it('goes by the hearing where there is one, and sends no price that is heard at once', () => {
    const { done, clock, teller } = createTeller({ isInstant: true, opensMs: 9 });
    teller.volume = 7;
    teller.send(100, 1);
    expect(teller.heardMs).toBe(9);
    teller.hear();
    expect(clock.now()).toBe(9);
    expect(done).toEqual([[100, 7], 'asked again']);
  });

  it('tells of the newest of the prices that are heard at one moment', () => {
    const { done, teller } = createTeller({ isInstant: true, opensMs: 9 });
    teller.volume = 7;
    for (const price of [100, 101, 102]) teller.send(price, price);
    teller.hear();
    expect(done).toEqual([[102, 7], 'asked again']);
    expect(teller.heardMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('tells nobody where opens are no news', () => {
    const { done, teller } = createTeller({ isInstant: true, tells: false });
    teller.volume = 7;
    teller.send(100, 1);
    teller.hear();
    expect(done).toEqual([]);
  });
});
