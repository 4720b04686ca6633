import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TradingEvent } from '../../src/domain/index.ts';
import { Bus, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import {
  type Freshness,
  type QuotesIntent,
  runStrategy,
  type ScriptedEvent,
  scriptedDepth,
  scriptedMarket,
  scriptedPosition,
} from '../../src/strategy/index.ts';
import { scriptedContext } from '../../src/strategy/scripted-context.ts';
import marketMaker from '../../strategies/market-maker.ts';

const PARAMS = { amount: 0.1, positionMax: 0.5, volatilityLength: 4 };

const depthOf = (mid: number, time: number) => scriptedDepth({ time, bid: mid - 1, ask: mid + 1 });

/** Books around these prices, one second apart. */
const books = (mids: readonly number[]) => mids.map((mid, index) => depthOf(mid, index * 1_000));

const CALM = [10_000, 10_000, 10_000, 10_000, 10_000];

function run(events: readonly ScriptedEvent[], params: object = {}): QuotesIntent[] {
  const { intents } = runStrategy(marketMaker, { params: { ...PARAMS, ...params }, events });
  return intents as QuotesIntent[];
}

describe('market-maker', () => {
  it('quotes nothing before it knows the volatility', () => {
    expect(run(books(CALM.slice(0, 4)))).toEqual([]);
  });

  it('quotes around the mid price at least the spread apart', () => {
    const [wish] = run(books(CALM));
    expect(wish).toMatchObject({
      bids: [{ price: 9_990, amount: 0.1 }],
      asks: [{ price: 10_010, amount: 0.1 }],
      postOnly: true,
    });
  });

  it('widens the spread with the volatility', () => {
    const calm = run(books(CALM)).at(-1)!;
    const wild = run(books([10_000, 10_100, 10_000, 10_100, 10_000])).at(-1)!;
    const spread = ({ bids, asks }: QuotesIntent) => asks[0]!.price - bids[0]!.price;
    expect(spread(wild)).toBeGreaterThan(1.5 * spread(calm));
  });

  it('leans against the position: lower when long, higher when short, in proportion', () => {
    const bidWith = (amount: number) =>
      run([...books(CALM), scriptedPosition({ time: 9_000, amount })]).at(-1)!.bids[0]!.price;
    expect(bidWith(0.2)).toBeLessThan(bidWith(0.1));
    expect(bidWith(0.1)).toBeLessThan(bidWith(0));
    expect(bidWith(0)).toBeLessThan(bidWith(-0.1));
  });

  it('stops adding at the greatest position and keeps the way back', () => {
    const full = run([...books(CALM), scriptedPosition({ time: 9_000, amount: 0.5 })]).at(-1)!;
    expect(full.bids).toEqual([]);
    expect(full.asks).toHaveLength(1);
    const short = run([...books(CALM), scriptedPosition({ time: 9_000, amount: -0.6 })]).at(-1)!;
    expect(short.asks).toEqual([]);
    expect(short.bids).toHaveLength(1);
  });
});

describe("market-maker's quotes over time", () => {
  it('stay put while the price moves less than asked for, and follow when it moves more', () => {
    expect(run(books([...CALM, 10_001, 9_999]))).toHaveLength(1);
    const moved = run(books([...CALM, 10_050]));
    expect(moved).toHaveLength(2);
    expect(moved[1]!.bids[0]!.price).not.toBe(moved[0]!.bids[0]!.price);
  });

  it('are taken back while the book is stale', () => {
    const word = (time: number, fresh: boolean): Freshness => ({
      kind: 'freshness',
      market: scriptedMarket.id,
      stream: 'depth',
      time,
      fresh,
      ageMs: 0,
    });
    const wishes = run([...books(CALM), word(9_000, false), word(9_500, true)]);
    expect(wishes.map(({ bids }) => bids.length)).toEqual([1, 0, 1]);
  });

  it('rest further out from level to level', () => {
    const [wish] = run(books(CALM), { levels: 3, step: 0.01 });
    expect(wish!.bids.map(({ price }) => price)).toEqual([9_990, 9_890.1, 9_791.19]);
    expect(wish!.asks[2]!.price).toBeGreaterThan(wish!.asks[1]!.price);
  });

  it('are finite, never cross and never add beyond the limit', () => {
    const walk = fc.array(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { maxLength: 40 });
    const held = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(walk, held, (steps, amount) => {
        let mid = 10_000;
        const mids = steps.map((step) => {
          mid = Math.max(10, mid * (1 + step));
          return mid;
        });
        const position = scriptedPosition({ time: 0, amount: Number(amount.toFixed(4)) });
        for (const { bids, asks } of run([position, ...books(mids)], { levels: 2 })) {
          const bought = bids.reduce((sum, quote) => sum + quote.amount, 0);
          expect(bids.length === 0 || amount + bought <= 0.5 + 1e-3).toBe(true);
          for (const { price } of [...bids, ...asks]) expect(Number.isFinite(price)).toBe(true);
          const [bid, ask] = [bids[0]?.price ?? 0, asks[0]?.price ?? Number.POSITIVE_INFINITY];
          expect(bid).toBeLessThan(ask);
        }
      }),
      { seed: 3, numRuns: 50 },
    );
  });
});

describe("market-maker's cost", () => {
  it('is less than 5 microseconds a book', () => {
    const bus = new Bus<TradingEvent>();
    const context = scriptedContext({
      name: 'perf',
      params: marketMaker.params.parse({ amount: 0.1, positionMax: 1 }),
      markets: [scriptedMarket],
      history: [],
      bus,
      clock: new VirtualClock(),
      random: seededRandom(1),
      onLog: () => {},
    });
    const random = seededRandom(5);
    let mid = 10_000;
    const events = Array.from({ length: 20_000 }, (_, index) => {
      mid *= 1 + 0.0002 * random.normal();
      return depthOf(mid, index);
    });
    let wishes = 0;
    marketMaker.run(context).subscribe(() => wishes++);
    // The best of many rounds: other work on the machine can only slow a round down.
    let bestUs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 50 && bestUs >= 5; round++) {
      const before = performance.now();
      for (const event of events) bus.publish(event);
      bestUs = Math.min(bestUs, ((performance.now() - before) * 1_000) / events.length);
    }
    expect(wishes).toBeGreaterThan(events.length * 0.2);
    expect(bestUs).toBeLessThan(5);
  });
});
