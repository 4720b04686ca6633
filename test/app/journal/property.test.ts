import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { journalDays, journalRuns, journalTrades } from '../../../src/app/journal/index.ts';
import type { Fill, TradingEvent } from '../../../src/domain/index.ts';
import { DAY_MS, Decimal, HOUR_MS } from '../../../src/kernel/index.ts';
import {
  isClosed,
  type RecordedFill,
  type RoundTrip,
  roundTrips,
  tradesCsv,
} from '../../../src/report/index.ts';
import { fillEvent } from '../../domain/fixture.ts';
import { START_MS } from '../../storage/events.ts';
import { BTC, ETH, fillOf, journalWith, lateFeeOf, marketOf } from './fixture.ts';

/** One thing that happens: a fill, of which a part of the fee may be told later. */
const step = fc.record({
  strategy: fc.constantFrom('maker', 'swing'),
  market: fc.constantFrom(BTC.id, ETH.id),
  side: fc.constantFrom<Fill['side']>('buy', 'sell'),
  price: fc.integer({ min: 5_000, max: 15_000 }).map((units) => units / 100),
  amount: fc.constantFrom(0.5, 1, 1.5, 2, 0.999, 0.0001),
  isReceived: fc.boolean(),
  fee: fc.integer({ min: 0, max: 400 }).map((units) => new Decimal(units, 5)),
  late: fc.option(fc.integer({ min: -100, max: 400 }).map((units) => new Decimal(units, 5))),
  passedMs: fc.integer({ min: 0, max: 10 * HOUR_MS }),
  /** Whether the order of the step before it goes on, where that is of the same kind. */
  goesOn: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The fills, their fees as they were in the end, and the events by which a journal has them. */
function historyOf(steps: readonly Step[]) {
  const fills: RecordedFill[] = [];
  const events: TradingEvent[] = [];
  const booked: Fill[] = [];
  let time = START_MS;
  for (const { isReceived, late, goesOn, passedMs, fee, ...rest } of steps) {
    time += passedMs;
    const { base, quote } = marketOf(rest.market);
    const feeCurrency = isReceived && rest.side === 'buy' ? base : quote;
    const before = booked.at(-1);
    const isSame =
      before?.market === rest.market &&
      before.strategy === rest.strategy &&
      before.side === rest.side;
    const order = goesOn && isSame ? { clientOrderId: before.clientOrderId } : {};
    const fill = fillOf({ ...rest, ...order, feeCurrency, fee: fee.toString(), time });
    booked.push(fill);
    events.push(fillEvent(fill));
    if (late !== null) events.push(lateFeeOf(fill, late.toString()));
    fills.push({ ...fill, fee: fill.fee.plus(late ?? Decimal.ZERO), passed: {} });
  }
  return { fills, events };
}

/** Cuts a history into runs. */
function journalOf(events: readonly TradingEvent[], cuts: readonly number[]): string {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * events.length)), events.length].sort(
    (a, b) => a - b,
  );
  return journalWith(
    places.slice(1).map((end, at) => ({ events: events.slice(places[at]!, end) })),
  );
}

/** As `trades.csv` has them, by their ends. */
function linesOf(trips: Iterable<RoundTrip>): string[] {
  return [...tradesCsv(trips)].sort();
}

const history = fc.array(step, { maxLength: 40 });
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 });

const sum = (values: readonly Decimal[]): Decimal =>
  values.reduce((total, value) => total.plus(value), Decimal.ZERO);
const exact = (value: number): Decimal => Decimal.of(Number(value.toPrecision(15)));

describe('the trades of a journal', () => {
  it('are those of a backtest with the same fills, whatever runs these fell into', () => {
    const check = fc.property(history, cuts, (steps, places) => {
      const { fills, events } = historyOf(steps);
      const expected = [...roundTrips({ fills, markets: [BTC, ETH], passed: new Map() })];
      const { closed, open } = journalTrades({ path: journalOf(events, places) });
      expect(linesOf(closed)).toEqual(linesOf(expected.filter(isClosed)));
      expect(linesOf(open.map(({ trip }) => trip))).toEqual(
        linesOf(expected.filter((trip) => !isClosed(trip))),
      );
      const ends = closed.map(({ closeTime }) => closeTime);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
    });
    fc.assert(check, { seed: 11, numRuns: 60 });
  });

  it('add up to its days, to the last digit', () => {
    const check = fc.property(history, cuts, (steps, places) => {
      const path = journalOf(historyOf(steps).events, places);
      const { closed } = journalTrades({ path });
      const { days } = journalDays({ path });
      for (const quote of ['usdt', 'btc']) {
        const trips = closed.filter(({ market }) => marketOf(market).quote === quote);
        const ofQuote = days.filter(({ currency }) => currency === quote);
        const profit = sum(trips.map((trip) => exact(trip.profit)));
        expect(sum(ofQuote.map((day) => day.profit)).equals(profit)).toBe(true);
        const fees = sum(trips.map((trip) => exact(trip.fees)));
        expect(sum(ofQuote.map((day) => day.fees)).equals(fees)).toBe(true);
        expect((ofQuote.at(-1)?.sum ?? Decimal.ZERO).equals(profit)).toBe(true);
        expect(ofQuote.reduce((count, { trades }) => count + trades, 0)).toBe(trips.length);
        for (const { day } of ofQuote) expect(day % DAY_MS).toBe(0);
      }
    });
    fc.assert(check, { seed: 12, numRuns: 40 });
  });

  it('share out among its runs, whose fees are those of all fills', () => {
    const check = fc.property(history, cuts, (steps, places) => {
      const { fills, events } = historyOf(steps);
      const path = journalOf(events, places);
      const { closed } = journalTrades({ path });
      const runs = journalRuns(path);
      for (const quote of ['usdt', 'btc']) {
        const ofQuote = fills.filter(({ market }) => marketOf(market).quote === quote);
        const told = ofQuote.map(({ fee, feeCurrency, price }) =>
          feeCurrency === quote ? fee : fee.times(Decimal.of(price)),
        );
        const earned = runs.flatMap(({ profit }) => profit);
        const ofRuns = earned.filter(({ currency }) => currency === quote);
        expect(sum(ofRuns.map(({ fees }) => fees)).equals(sum(told))).toBe(true);
      }
      const byRun = runs.flatMap(({ run }) => journalTrades({ path, run }).closed);
      expect(linesOf(byRun)).toEqual(linesOf(closed));
      expect(runs.reduce((count, one) => count + one.fills, 0)).toBe(steps.length);
    });
    fc.assert(check, { seed: 13, numRuns: 30 });
  });
});
