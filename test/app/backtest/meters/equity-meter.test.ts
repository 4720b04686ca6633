import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { RecordedPrices } from '../../../../src/app/backtest/feeds/prices.ts';
import { runBacktest } from '../../../../src/app/backtest/index.ts';
import { EquityMeter } from '../../../../src/app/backtest/meters/equity-meter.ts';
import { ByteSpool } from '../../../../src/app/backtest/record/byte-spool.ts';
import type { Booking, TradingEvent } from '../../../../src/domain/index.ts';
import { Bus, Decimal, VirtualClock } from '../../../../src/kernel/index.ts';
import { BalanceLedger, PositionLedger } from '../../../../src/ledger/index.ts';
import type { MarketView } from '../../../../src/market/index.ts';
import type { RunRecord } from '../../../../src/report/index.ts';
import { makeFill, makeMarket, wholeCurve } from '../../../report/fixture.ts';
import {
  MINUTE,
  type Minute,
  replayed,
  START_MS,
  scriptedDeployment,
  sourceOf,
} from '../fixture.ts';

/** A meter in usdt of an account that owns 4 eth, which eth_btc and btc_usdt lead from. */
function makeChain() {
  const markets = [makeMarket({ id: 'eth_btc', base: 'eth', quote: 'btc' }), makeMarket()];
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock();
  const prices = new RecordedPrices({
    ...{ bus, clock, view: {} as MarketView, withBook: new Set<string>() },
    markets: markets.map(({ id }) => id),
  });
  const balances = new BalanceLedger({ clock, bus });
  const meter = new EquityMeter({
    ...{ bus, prices, markets, currency: 'usdt', spool: new ByteSpool(), balances },
    lent: { eth: '1' },
    positions: new PositionLedger({
      ...{ bus, bookings: new Subject<Booking>() },
      markets: new Map(markets.map((market) => [market.id, market])),
    }),
    ...{ fromMs: 0, toMs: 10 * MINUTE, everyMs: MINUTE },
  });
  const eth = { currency: 'eth', available: Decimal.of(4), frozen: Decimal.of(1) };
  balances.update([eth], 'push');
  return { meter, prices };
}

/** A meter of an account without balances, of each minute, and what books fills in it. */
function makeMeter() {
  const market = makeMarket();
  const bus = new Bus<TradingEvent>();
  const bookings = new Subject<Booking>();
  const prices = new RecordedPrices({
    ...{ bus, markets: [market.id], view: {} as MarketView, withBook: new Set<string>() },
    clock: new VirtualClock(),
  });
  const meter = new EquityMeter({
    ...{ bus, prices, markets: [market], currency: 'usdt', lent: {}, spool: new ByteSpool() },
    balances: new BalanceLedger({ clock: new VirtualClock(), bus }),
    positions: new PositionLedger({ bus, bookings, markets: new Map([[market.id, market]]) }),
    ...{ fromMs: 0, toMs: 10 * MINUTE, everyMs: MINUTE },
  });
  const book = (timeMs: number): void => {
    const fill = makeFill({ time: timeMs });
    bookings.next(fill);
    bus.publish({ kind: 'fill', time: timeMs, market: market.id, fill });
  };
  return { meter, book };
}

describe('EquityMeter', () => {
  it('looks at a position that changed, though no balance was told', () => {
    const { meter, book } = makeMeter();
    meter.begin(0, new Map());
    meter.passTo(MINUTE);
    book(1.5 * MINUTE);
    meter.passTo(2 * MINUTE);
    book(2.5 * MINUTE);
    meter.passTo(3 * MINUTE);
    const { positions } = wholeCurve({ curve: meter.curve({ buyAndHold: 'firstOpen' }) });
    expect([...positions.get('btc_usdt')!]).toEqual([0, 0, 1, 2]);
  });
});

describe('EquityMeter of a currency that several markets lead from', () => {
  it('values it when all of them have a price, and names the first that has none', () => {
    const { meter, prices } = makeChain();
    expect(meter.unpriced).toEqual([{ currency: 'eth', market: 'eth_btc' }]);
    meter.begin(0, new Map());
    prices.cell('eth_btc').reach(0.05);
    expect(meter.unpriced).toEqual([{ currency: 'eth', market: 'btc_usdt' }]);
    meter.passTo(MINUTE);
    prices.cell('btc_usdt').reach(20_000);
    expect(meter.unpriced).toEqual([]);
    meter.passTo(2 * MINUTE);
    const { equity, cash } = wholeCurve({ curve: meter.curve({ buyAndHold: 'firstOpen' }) });
    // 4 available and 1 frozen, of which 1 is lent.
    expect(equity).toEqual(Float64Array.of(Number.NaN, Number.NaN, 4_000));
    expect(cash).toEqual(Float64Array.of(0, 0, 0));
  });
});

const minutesAt = (...minutes: number[]): Minute[] => minutes.map((at) => ({ close: 100, at }));

/** The minutes of samples, and what of btc the strategies hold then. */
function heldAt(record: RunRecord): [minute: number, held: number][] {
  const { time, positions } = wholeCurve(record);
  const held = positions.get('btc_usdt')!;
  return Array.from(time, (at, row) => [(at - START_MS) / MINUTE, held[row]!]);
}

describe('the curve of a backtest', () => {
  it.each([
    ['one market', ['btc']],
    ['several markets', ['btc', 'eth']],
  ])('has what was heard until a sample though no candle closes then: %s', async (_, bases) => {
    const deployment = scriptedDeployment({
      script: { 1: 1 },
      settings: { markets: bases.map((base) => `${base}_usdt`) },
      backtest: { equityEvery: '5min', latency: { order: 10_000, answer: 10_000 } },
    });
    // No candle closes at minutes 3 to 5.
    const sources = bases.map((base) => sourceOf(`${base}_usdt`, minutesAt(0, 1, 5, 6)));
    const { record } = await runBacktest({ deployment, sources });
    const [fill] = record.fills;
    expect(fill!.time - START_MS).toBe(2 * MINUTE + 20_000);
    expect(heldAt(record)).toContainEqual([5, 1]);
  });

  it.each([
    ['one market', ['btc'], 'none'],
    ['several markets', ['btc', 'eth'], 'none'],
    ['the last candles', ['btc'], 'open'],
  ])(
    'has what was heard until a sample at which candles open: %s',
    async (_, bases, closeAtEnd) => {
      const lowest = { close: 100, at: 2, low: 98 };
      const deployment = scriptedDeployment({
        script: { 0: { bids: [{ price: 99, amount: 1 }] } },
        settings: { markets: bases.map((base) => `${base}_usdt`) },
        backtest: {
          ...{ equityEvery: '5min', latency: { order: 10_000, answer: 10_000 }, closeAtEnd },
          fill: { model: 'candles', at: 'heardOpen', volumeCap: null },
        },
      });
      const sources = bases.map((base) =>
        sourceOf(`${base}_usdt`, [...minutesAt(0, 1), lowest, ...minutesAt(5)]),
      );
      const { record } = await runBacktest({ deployment, sources });
      const [fill] = record.fills;
      expect(fill!.time - START_MS).toBe(3 * MINUTE + 10_000);
      expect(heldAt(record)).toContainEqual([5, 1]);
    },
  );

  it('begins ahead of what is traded at the close that ends the warm-up', async () => {
    const { record } = await replayed({
      script: { 1: 1 },
      minutes: minutesAt(0, 1, 2, 3),
      settings: { fees: { maker: 0, taker: 0.001 } },
      backtest: {
        ...{ balances: { usdt: '10000' }, fees: { in: 'quote' } },
        ...{ from: new Date(START_MS + 2 * MINUTE).toISOString(), warmUpHours: 2 / 60 },
      },
    });
    expect(heldAt(record)).toEqual([
      [2, 0],
      [3, 1],
      [4, 1],
    ]);
    const { equity, leftAlone } = wholeCurve(record);
    expect([...equity]).toEqual([10_000, 9_999.9, 9_999.9]);
    expect(leftAlone).toBeUndefined();
  });
});
