import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { RecordedPrices } from '../../../../src/app/backtest/feeds/prices.ts';
import { type CandleSource, runBacktest } from '../../../../src/app/backtest/index.ts';
import { EquityMeter } from '../../../../src/app/backtest/meters/equity-meter.ts';
import { NumberSpool } from '../../../../src/app/backtest/record/number-spool.ts';
import type { Booking, TradingEvent } from '../../../../src/domain/index.ts';
import { Bus, VirtualClock } from '../../../../src/kernel/index.ts';
import { BalanceLedger, PositionLedger } from '../../../../src/ledger/index.ts';
import type { MarketView } from '../../../../src/market/index.ts';
import { makeFill, makeMarket, wholeCurve } from '../../../report/fixture.ts';
import { MINUTE, minuteSource, START_MS, scriptedDeployment } from '../fixture.ts';

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
    ...{ bus, prices, markets: [market], quote: 'usdt', lent: {}, spool: new NumberSpool() },
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

function sourceOf(base: string): CandleSource {
  // No candle closes at minutes 3 to 5.
  const source = minuteSource([0, 1, 5, 6].map((at) => ({ close: 100, at })));
  return { ...source, market: { ...source.market, id: `${base}_usdt`, base } };
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
    const { record } = await runBacktest({ deployment, sources: bases.map(sourceOf) });
    const [fill] = record.fills;
    expect(fill!.time - START_MS).toBe(2 * MINUTE + 20_000);
    const { time, positions } = wholeCurve(record);
    const held = positions.get('btc_usdt')!;
    const told = Array.from(time, (at, row) => [(at - START_MS) / MINUTE, held[row]]);
    expect(told).toContainEqual([5, 1]);
  });
});
