import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CandleColumns, Market, Side } from '../../../src/domain/index.ts';
import { MINUTE_MS } from '../../../src/kernel/index.ts';
import { CandlesModel } from '../../../src/sim/models/candles.ts';
import {
  type CandlesModelSettings,
  candlesModelSchema,
} from '../../../src/sim/models/candles-config.ts';
import { makeMarket } from '../../domain/fixture.ts';
import { answerOf, exchangeFixture, MARKET, place, START_MS } from '../fixture.ts';

interface CandleRow {
  readonly open?: number;
  readonly high: number;
  readonly low: number;
  readonly close?: number;
  readonly volume?: number;
}

/** Candles; open and close default to the middle, the volume to 100. */
function candles(rows: readonly CandleRow[]): CandleColumns {
  const middle = ({ high, low }: CandleRow) => (high + low) / 2;
  return {
    time: Float64Array.from(rows, (_, at) => START_MS + at * MINUTE_MS),
    open: Float64Array.from(rows, (row) => row.open ?? middle(row)),
    high: Float64Array.from(rows, ({ high }) => high),
    low: Float64Array.from(rows, ({ low }) => low),
    close: Float64Array.from(rows, (row) => row.close ?? middle(row)),
    volume: Float64Array.from(rows, ({ volume = 100 }) => volume),
  };
}

function fixture(settings: Partial<CandlesModelSettings> = {}, market: Partial<Market> = {}) {
  const markets = [makeMarket({ minSize: 0, ...market })];
  const { exchange, alice, clock } = exchangeFixture({ markets });
  const parsed = candlesModelSchema.parse({ model: 'candles', ...settings });
  const model = exchange.fillBy(MARKET.id, (market) => new CandlesModel(market, parsed));
  const filled = (id: string) => {
    const { filledAmount, filledValue, closed } = answerOf(
      alice.trading.order({ market: MARKET.id, exchangeOrderId: id }),
    );
    const price = filledAmount === 0 ? 0 : filledValue.toNumber() / filledAmount;
    return { filledAmount, price, closed };
  };
  return {
    model,
    alice,
    clock,
    filled,
    order: (terms: Parameters<typeof place>[1]) => place(alice, terms),
  };
}

describe('orders that take, by candles', () => {
  it('lets an order that takes trade at the close of the candle before it', () => {
    const { model, order, filled } = fixture();
    model.play(candles([{ high: 102, low: 98, close: 101 }]), 0);
    const id = order({ type: 'ioc', side: 'buy', price: 105, amount: 2 });
    expect(filled(id)).toEqual({ filledAmount: 2, price: 101, closed: true });
  });

  it('lets nothing trade before the first candle', () => {
    const { order, filled } = fixture();
    expect(filled(order({ type: 'ioc', side: 'buy', price: 105, amount: 2 })).filledAmount).toBe(0);
  });

  it('lets what arrives between open and close trade at the open', () => {
    const { model, order, filled } = fixture();
    const rows = candles([{ open: 99, high: 102, low: 98, close: 101 }]);
    model.open(rows, 0);
    const id = order({ type: 'ioc', side: 'sell', price: 95, amount: 1 });
    expect(filled(id).price).toBe(99);
    model.play(rows, 0);
    const later = order({ type: 'ioc', side: 'sell', price: 95, amount: 1 });
    expect(filled(later).price).toBe(101);
  });

  it('brings an open off scale of a candle that is walked on the nearest step, for both sides', () => {
    const { model, order, filled } = fixture({ at: 'heardPath', volumeCap: null });
    model.open(candles([{ open: 100.001, high: 102, low: 98, close: 101 }]), 0);
    const sell = order({ type: 'ioc', side: 'sell', price: 95, amount: 1 });
    const buy = order({ type: 'ioc', side: 'buy', price: 105, amount: 1 });
    expect([filled(sell).price, filled(buy).price]).toEqual([100, 100]);
  });

  it('charges slippage to orders that take, on both sides', () => {
    const { model, order, filled } = fixture({ slippage: { steps: 5, basisPoints: 10 } });
    model.play(candles([{ high: 102, low: 98, close: 100 }]), 0);
    const buy = order({ type: 'ioc', side: 'buy', price: 105, amount: 1 });
    const sell = order({ type: 'ioc', side: 'sell', price: 95, amount: 1 });
    expect([filled(buy).price, filled(sell).price]).toEqual([100.15, 99.85]);
  });

  it.each([
    ['buy', 100.1, 100.1],
    ['buy', 100, 100],
    ['buy', 99.99, 0],
    ['sell', 99.9, 99.9],
    ['sell', 100, 100],
    ['sell', 100.01, 0],
  ] as const)(
    'lets a %s that may rest at %d, by less than the slippage beyond the open, take at %d',
    (side, price, paid) => {
      const { model, order, filled } = fixture({
        slippage: { steps: 15, basisPoints: 0 },
        gaps: 'open',
      });
      model.open(candles([{ open: 100, high: 102, low: 98 }]), 0);
      const terms = { side, price, amount: 1 } as const;
      expect(filled(order({ type: 'ioc', ...terms })).price).toBe(0);
      expect(filled(order({ type: 'limit', ...terms })).price).toBe(paid);
      const postOnly = () => order({ type: 'postOnly', ...terms });
      if (paid === 0) expect(postOnly).not.toThrow();
      else expect(postOnly).toThrow();
    },
  );
});

describe('orders that rest, by candles', () => {
  it.each([
    ['penetration', 98, 0],
    ['penetration', 98.01, 1],
    ['touch', 98, 1],
    ['touch', 97.99, 0],
  ] as const)(
    'by %s a bid at %d fills %d of a candle that falls to 98',
    (limits, price, amount) => {
      const { model, order, filled } = fixture({ limits });
      const rows = candles([
        { high: 102, low: 100 },
        { high: 102, low: 98 },
      ]);
      model.play(rows, 0);
      const id = order({ side: 'buy', price, amount: 1 });
      model.play(rows, 1);
      expect(filled(id)).toMatchObject({ filledAmount: amount, price: amount === 0 ? 0 : price });
    },
  );

  it('fills at the price of the order where a gap leaps over it', () => {
    const { model, order, filled } = fixture();
    const rows = candles([
      { high: 102, low: 100 },
      { open: 90, high: 91, low: 89 },
    ]);
    model.play(rows, 0);
    const id = order({ side: 'buy', price: 99, amount: 1 });
    model.play(rows, 1);
    expect(filled(id)).toEqual({ filledAmount: 1, price: 99, closed: true });
  });

  it('trades no more than its part of the volume, first come first served, and the rest later', () => {
    const { model, order, filled } = fixture({ volumeCap: 0.1 });
    const rows = candles([
      { high: 102, low: 100 },
      { high: 102, low: 98, volume: 30 },
      { high: 102, low: 98, volume: 30 },
    ]);
    model.play(rows, 0);
    const first = order({ side: 'buy', price: 99, amount: 2 });
    const second = order({ side: 'buy', price: 99, amount: 2 });
    model.play(rows, 1);
    expect([filled(first).filledAmount, filled(second).filledAmount]).toEqual([2, 1]);
    model.play(rows, 2);
    expect(filled(second)).toEqual({ filledAmount: 2, price: 99, closed: true });
  });
});

describe('gaps, by candles', () => {
  it.each([
    ['buy', 99, 90, 90],
    ['buy', 89.5, 90, 89.5],
    ['sell', 103, 110, 110],
    ['sell', 111, 110, 111],
  ] as const)('fills a %s at %d by a candle that opens at %d for %d', (side, price, open, paid) => {
    const { model, order, filled } = fixture({ gaps: 'open' });
    const rows = candles([
      { high: 102, low: 100 },
      { open, high: open + 2, low: open - 2 },
    ]);
    model.play(rows, 0);
    const id = order({ side, price, amount: 1 });
    model.play(rows, 1);
    expect(filled(id)).toEqual({ filledAmount: 1, price: paid, closed: true });
  });

  it('pays out of what it had frozen where a gap made it cheaper, and gives the rest back', () => {
    const { model, order, alice } = fixture({ gaps: 'open' });
    const usdt = () =>
      answerOf(alice.account.account()).balances.find((b) => b.currency === 'usdt')!;
    const before = usdt().available;
    const rows = candles([
      { high: 102, low: 100 },
      { open: 90, high: 91, low: 89 },
    ]);
    model.play(rows, 0);
    order({ side: 'buy', price: 99, amount: 2 });
    model.play(rows, 1);
    const { available, frozen } = usdt();
    expect([before.minus(available).toString(), frozen.toString()]).toEqual(['180', '0']);
  });
});

describe('prices that are doubles, by candles', () => {
  it.each([
    ['touch', 2_500.0001, 2_500.0001, 1],
    ['touch', 2_500.0001, 2_500, 0],
    ['penetration', 2_500.0008, 2_500.0008, 0],
    ['penetration', 2_500.0008, 2_500.0009, 1],
  ] as const)('knows the %s of a low of %d by a buy at %d', (limits, low, price, amount) => {
    const { model, order, filled } = fixture({ limits }, { priceScale: 8 });
    const rows = candles([
      { high: 2_600, low: 2_590 },
      { high: 2_600, low },
    ]);
    model.play(rows, 0);
    const id = order({ side: 'buy', price, amount: 1 });
    model.play(rows, 1);
    expect(filled(id).filledAmount).toBe(amount);
  });

  it('takes the high to be seen first where it is as near to the open, whatever doubles say', () => {
    for (const [low, open, high] of [
      [0.0282, 0.0283, 0.0284],
      [0.0288, 0.0289, 0.029],
      [0.0294, 0.0295, 0.0296],
    ] as const) {
      const { model, order, filled } = fixture(
        { limits: 'touch', volumeCap: 0.01 },
        { priceScale: 4 },
      );
      const rows = candles([
        { open, high: open, low: open, close: open },
        { open, high, low, close: open, volume: 100 },
      ]);
      model.play(rows, 0);
      const sell = order({ side: 'sell', price: high, amount: 50 });
      const buy = order({ side: 'buy', price: low, amount: 50 });
      model.play(rows, 1);
      expect([filled(sell).filledAmount, filled(buy).filledAmount]).toEqual([1, 0]);
    }
  });
});

describe('orders that come while a candle is open', () => {
  const rows = candles([
    { high: 102, low: 100 },
    { high: 102, low: 98 },
    { high: 102, low: 98 },
  ]);

  it('do not meet it but the next one, behind those that came before them', () => {
    const { model, clock, order, filled } = fixture({ volumeCap: 0.03 });
    model.play(rows, 0);
    clock.advanceTo(START_MS + MINUTE_MS);
    const early = order({ side: 'buy', price: 99, amount: 4 });
    clock.advanceBy(1);
    const late = order({ side: 'buy', price: 99, amount: 1 });
    const later = order({ side: 'buy', price: 99, amount: 1 });
    model.play(rows, 1);
    expect([early, late, later].map((id) => filled(id).filledAmount)).toEqual([3, 0, 0]);
    model.play(rows, 2);
    expect([early, late, later].map((id) => filled(id).filledAmount)).toEqual([4, 1, 1]);
  });

  it('can be cancelled on what is filled in it', () => {
    const { model, alice, clock, order, filled } = fixture();
    model.play(rows, 0);
    const early = order({ side: 'buy', price: 99, amount: 1 });
    clock.advanceTo(START_MS + MINUTE_MS + 1);
    const late = order({ side: 'buy', price: 99, amount: 1 });
    alice.accountFeed
      .orders(MARKET.id)
      .subscribe(({ order: { exchangeOrderId, filledAmount } }) => {
        if (exchangeOrderId !== early || filledAmount === 0) return;
        answerOf(alice.trading.cancel({ market: MARKET.id, exchangeOrderId: late }));
      });
    model.play(rows, 1);
    expect([filled(early), filled(late)]).toMatchObject([
      { filledAmount: 1 },
      { filledAmount: 0, closed: true },
    ]);
  });

  it.each([
    ['rest until the next', 'limit', 'sell', 101, [0, 101]],
    ['take the close where that is the worse price', 'ioc', 'buy', 103, [1, 100]],
    ['take the price it was at where that is the worse', 'ioc', 'sell', 97, [1, 98]],
  ] as const)('%s where a fill in it sets them off', (_, type, side, price, [amount, met]) => {
    const { model, alice, clock, order, filled } = fixture({ path: 'openLowHighClose' });
    model.play(rows, 0);
    const bid = order({ side: 'buy', price: 99, amount: 1 });
    let set: string | undefined;
    alice.accountFeed.orders(MARKET.id).subscribe(({ order: { exchangeOrderId } }) => {
      if (exchangeOrderId === bid) set ??= order({ type, side, price, amount: 1 });
    });
    clock.advanceTo(START_MS + 2 * MINUTE_MS);
    model.play(rows, 1);
    expect(filled(set!)).toMatchObject({ filledAmount: amount, price: amount === 0 ? 0 : met });
    if (type === 'ioc') return;
    model.play(rows, 2);
    expect(filled(set!)).toEqual({ filledAmount: 1, price: met, closed: true });
  });
});

describe('the volume cap of candles', () => {
  it('counts what resting orders traded against what orders that take may', () => {
    const { model, order, filled } = fixture({ volumeCap: 0.1 });
    const rows = candles([
      { high: 102, low: 100 },
      { high: 102, low: 98, close: 100, volume: 30 },
    ]);
    model.play(rows, 0);
    order({ side: 'buy', price: 99, amount: 2 });
    model.play(rows, 1);
    const one = order({ type: 'ioc', side: 'buy', price: 105, amount: 2 });
    const two = order({ type: 'ioc', side: 'buy', price: 105, amount: 2 });
    expect([filled(one).filledAmount, filled(two).filledAmount]).toEqual([1, 0]);
  });

  it('lets any amount trade without a cap', () => {
    const { model, order, filled } = fixture({ volumeCap: null });
    model.play(candles([{ high: 102, low: 98, close: 100, volume: 0 }]), 0);
    const id = order({ type: 'ioc', side: 'buy', price: 105, amount: 50 });
    expect(filled(id).filledAmount).toBe(50);
  });

  it('sends back a PostOnly order that reaches the price, though the cap is used up', () => {
    const { model, order } = fixture();
    model.play(candles([{ high: 102, low: 98, close: 100, volume: 0 }]), 0);
    expect(() => order({ type: 'postOnly', side: 'buy', price: 100, amount: 1 })).toThrow(
      'PostOnly',
    );
    expect(() => order({ type: 'postOnly', side: 'buy', price: 99.99, amount: 1 })).not.toThrow();
  });

  it('leaves nothing of what it offered to the next order', () => {
    const { model, order, filled } = fixture();
    const rows = candles([
      { high: 102, low: 98, close: 100 },
      { high: 106, low: 104, close: 105 },
    ]);
    model.play(rows, 0);
    order({ side: 'buy', price: 99, amount: 1 });
    expect(() => order({ type: 'postOnly', side: 'sell', price: 99.5, amount: 1 })).toThrow();
    model.play(rows, 1);
    expect(filled(order({ type: 'ioc', side: 'buy', price: 104, amount: 1 })).filledAmount).toBe(0);
  });

  it.each([
    ['openHighLowClose', 'sell'],
    ['openLowHighClose', 'buy'],
    ['nearestFirst', 'buy'],
  ] as const)('by %s the %s order meets the capped volume first', (path, first) => {
    const { model, order, filled } = fixture({ path, volumeCap: 0.1 });
    const rows = candles([
      { high: 101, low: 99 },
      { open: 100, high: 105, low: 97, close: 100, volume: 10 },
    ]);
    model.play(rows, 0);
    const ids = {
      buy: order({ side: 'buy', price: 98, amount: 1 }),
      sell: order({ side: 'sell', price: 104, amount: 1 }),
    };
    model.play(rows, 1);
    const other = first === 'buy' ? 'sell' : 'buy';
    expect([filled(ids[first]).filledAmount, filled(ids[other]).filledAmount]).toEqual([1, 0]);
  });
});

describe('CandlesModel', () => {
  it('fills resting orders exactly where the prices of a candle reach them', () => {
    const cents = fc.integer({ min: 9_000, max: 11_000 });
    const candle = fc.tuple(cents, cents, cents, cents);
    const limit = fc.record({ side: fc.constantFrom<Side>('buy', 'sell'), price: cents });
    fc.assert(
      fc.property(candle, limit, fc.constantFrom('touch' as const, 'penetration' as const), runs),
      { seed: 7, numRuns: 300 },
    );

    function runs(
      prices: [number, number, number, number],
      { side, price }: { side: Side; price: number },
      limits: 'touch' | 'penetration',
    ): void {
      const [open, close] = prices;
      const high = Math.max(...prices);
      const low = Math.min(...prices);
      const { model, order, filled } = fixture({ limits, volumeCap: null });
      // Before, the price is far away on the order's own side, so that it rests.
      const away = side === 'buy' ? price + 500 : price - 500;
      const rows = candles([
        { high: away / 100, low: away / 100 },
        { open: open / 100, high: high / 100, low: low / 100, close: close / 100 },
      ]);
      model.play(rows, 0);
      const id = order({ side, price: price / 100, amount: 1 });
      model.play(rows, 1);
      const reached = side === 'buy' ? price - low : high - price;
      const fills = limits === 'touch' ? reached >= 0 : reached > 0;
      expect(filled(id).filledAmount).toBe(fills ? 1 : 0);
    }
  });

  it('confesses in whole sentences what its settings make of it', () => {
    const { model } = fixture({ at: 'nextOpen', volumeCap: null });
    expect(model.confession.every((sentence) => sentence.endsWith('.'))).toBe(true);
    expect(model.confession.join(' ')).toContain('when the next candle opens');
    expect(model.confession.join(' ')).toContain('any amount');
  });

  it.each([
    ['thisClose', 'trades at that close', 'each close'],
    ['nextOpen', 'trades at its open.', 'each close'],
    ['heardOpen', 'made on the news of that open', 'each open'],
    ['heardPath', 'made on the news of a price within the candle', 'each price of its path'],
  ] as const)('confesses what an order meets and what a book is made of: %s', (at, met, made) => {
    const confession = fixture({ at }).model.confession.join(' ');
    expect(confession).toContain(met);
    expect(confession).toContain(`below and above ${made}`);
  });

  it('confesses that an order made at a close trades there, where prices within are heard', () => {
    const momentOf = (atClose?: 'thisClose') =>
      fixture({ at: 'heardPath', ...(atClose && { atClose }) }).model.confession[0];
    expect(momentOf()).toContain('trades at its open; one made on the news of a price');
    expect(momentOf('thisClose')).toContain('has just heard of; one made on the news of a price');
  });

  it.each([
    [{ steps: 0, basisPoints: 2 }, 'pays 2 basis points beyond'],
    [{ steps: 1, basisPoints: 0 }, 'pays 1 price step beyond'],
    [{ steps: 3, basisPoints: 1 }, 'pays 3 price steps and 1 basis point beyond'],
    [{ steps: 0, basisPoints: 0 }, 'no slippage is charged'],
  ])('confesses the slippage %j that is charged, and none that is not', (slippage, text) => {
    expect(fixture({ slippage }).model.confession.join(' ')).toContain(text);
  });
});
