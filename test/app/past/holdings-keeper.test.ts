import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { dayStartOf } from '../../../src/app/past/day-start.ts';
import { HoldingsKeeper } from '../../../src/app/past/holdings-keeper.ts';
import { type Recollection, recall, recollect } from '../../../src/app/past/recall.ts';
import type { Amount, Booking, Fill, Market, TradingEvent } from '../../../src/domain/index.ts';
import {
  Bus,
  DAY_MS,
  Decimal,
  HOUR_MS,
  MINUTE_MS,
  silentLogger,
  VirtualClock,
} from '../../../src/kernel/index.ts';
import { PositionLedger } from '../../../src/ledger/index.ts';
import { TradingStateControl } from '../../../src/risk/index.ts';
import { BY_HAND, FileJournal, JournalReader } from '../../../src/storage/index.ts';
import { makeMarket, makeOpen } from '../../domain/fixture.ts';
import { keptLines } from '../../kernel/fixture.ts';
import { scratchFolder } from '../fixture.ts';

const START_MS = Date.UTC(2024, 0, 1);
const MARKETS = ['btc_usdt', 'eth_usdt', 'xrp_usdt'].map((id) => makeMarket({ id }));

function knownOf(markets: readonly Market[]): ReadonlyMap<string, Market> {
  return new Map(markets.map((market) => [market.id, market]));
}

/** What a bot would make of what it recalls, as plain data. */
function pictureOf(past: Recollection, nowMs: number) {
  const known = knownOf(MARKETS);
  const bus = new Bus<TradingEvent>();
  const ledger = new PositionLedger({ bus, markets: known, bookings: new Subject<Fill>() });
  for (const held of past.held) ledger.restoreHeld(held);
  for (const fill of past.bookings) ledger.restore(fill);
  const plain = (positions: PositionLedger) =>
    positions
      .held()
      .map((held) => JSON.stringify({ ...held, ofStrategy: [...held.ofStrategy].sort() }))
      .sort();
  const { trading, resetTime, liveOrders } = past;
  const dayStart = plain(dayStartOf(past, { markets: known, nowMs }));
  return { held: plain(ledger), dayStart, trading, resetTime, live: liveOrders.length };
}

/** What is recalled with the help of snapshots, and by reading everything. */
function recollections(path: string, nowMs: number) {
  const reader = new JournalReader(path);
  const quick = recollect(reader, nowMs);
  reader.snapshot = () => undefined;
  const full = recollect(reader, nowMs);
  reader.close();
  return { quick, full };
}

/** The part of a bot that holds something, on a journal of its own, over several lives. */
class Holder {
  readonly path = `${scratchFolder()}/a.journal`;
  readonly clock = new VirtualClock(START_MS);
  #life: ReturnType<Holder['begin']> | undefined;
  #orders = 0;

  /** Begins a life that trades those markets. */
  begin(markets: readonly Market[]) {
    const { clock, path } = this;
    const known = knownOf(markets);
    const bus = new Bus<TradingEvent>();
    const journal = new FileJournal({ path, clock, configHash: 'a' });
    bus.record((event) => journal.append(event));
    const past = recall(path, clock.now());
    const fills = new Subject<Booking>();
    const positions = new PositionLedger({ bus, markets: known, bookings: fills });
    for (const held of past.held) if (known.has(held.market)) positions.restoreHeld(held);
    for (const fill of past.bookings) if (known.has(fill.market)) positions.restore(fill);
    const state = new TradingStateControl({ clock, bus, initial: past.trading });
    const keeper = new HoldingsKeeper({
      ...{ bus, clock, journal, positions, state, past, markets: known },
      logger: silentLogger,
    });
    return { bus, journal, fills, state, keeper, markets };
  }

  get life() {
    this.#life ??= this.begin(MARKETS);
    return this.#life;
  }

  /** `killed`: the end is not foreseen, nothing more is kept. */
  restart(markets: readonly Market[], { killed }: { readonly killed: boolean }): void {
    const { keeper, journal } = this.life;
    if (!killed) keeper.close();
    journal.close();
    this.#life = this.begin(markets);
  }

  /** Between two lives a person sets what a strategy holds. */
  set({ inMarket, strategy, after }: SetStep): void {
    const { keeper, journal, markets } = this.life;
    keeper.close();
    journal.close();
    const { path, clock } = this;
    const byHand = new FileJournal({ path, clock, configHash: BY_HAND });
    const [before, is] = [Decimal.of('0.25'), Decimal.of(after)];
    byHand.append({
      ...{ kind: 'adjustment', time: clock.now(), market: MARKETS[inMarket]!.id, strategy },
      ...{ before, after: is, value: is.minus(before).times(Decimal.of('99.5')) },
    });
    byHand.close();
    this.#life = this.begin(markets);
  }

  fill({ market, strategy, side, amount, lateFee }: FillStep): void {
    const { bus, fills, markets } = this.life;
    const { id } = markets[market % markets.length]!;
    const fill = fillOf({ market: id, strategy, side, amount, time: this.clock.now() });
    fills.next(fill);
    bus.publish({ kind: 'fill', time: fill.time, market: id, fill });
    if (lateFee === undefined) return;
    this.clock.advanceBy(lateFee.afterMs);
    this.tellFee(fill);
  }

  /** The fee of a fill is told later, unless its market is not traded any more. */
  tellFee({ amount: _, ...fill }: Fill): void {
    const { bus, fills, markets } = this.life;
    if (!markets.some(({ id }) => id === fill.market)) return;
    const time = this.clock.now();
    const lateFee = { ...fill, time, fee: Decimal.of('-0.0002'), value: Decimal.of('-0.0002') };
    fills.next(lateFee);
    bus.publish({ kind: 'lateFee', time, market: fill.market, lateFee });
  }

  /** An order leaves and rests from now on. */
  rest(): void {
    const clientOrderId = `live${this.#orders++}`;
    const time = this.clock.now();
    const order = { ...makeOpen(), clientOrderId, createdTime: time, changedTime: time };
    this.life.bus.publish({ kind: 'order', time, market: order.market, order });
  }
}

interface FillStep {
  readonly market: number;
  readonly strategy: string;
  readonly side: 'buy' | 'sell';
  readonly amount: number;
  /** When another fee than the fill's is told. Default: never. */
  readonly lateFee?: { readonly afterMs: number } | undefined;
}

interface SetStep {
  readonly inMarket: number;
  readonly strategy: string;
  readonly after: number;
}

function fillOf({
  time,
  ...step
}: Omit<FillStep, 'market' | 'lateFee'> & { market: string; time: number }): Fill {
  const amount = step.amount as Amount;
  return {
    ...step,
    ...{ amount, time, clientOrderId: 'tw1', exchangeOrderId: `${time}`, price: 100 },
    ...{ value: Decimal.of(`${step.amount * 100}.37`), fee: Decimal.of('0.00123') },
    feeCurrency: 'usdt',
  };
}

const anyFill = fc.record({
  kind: fc.constant('fill' as const),
  market: fc.nat(2),
  strategy: fc.constantFrom('maker', 'grid'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  amount: fc.integer({ min: 1, max: 9 }),
  lateFee: fc.option(fc.record({ afterMs: fc.nat(2 * HOUR_MS) }), { nil: undefined }),
});
const anyStep = fc.oneof(
  { weight: 6, arbitrary: anyFill },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(30 * HOUR_MS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restart'),
      killed: fc.boolean(),
      markets: fc.subarray(MARKETS, { minLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('halt', 'reset') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('set'),
      ...{ inMarket: fc.nat(2), after: fc.integer({ min: -3, max: 3 }) },
      strategy: fc.constantFrom('maker', 'grid'),
    }),
  },
);

describe('HoldingsKeeper', () => {
  it('lets a restart recall what a full read does, wherever lives end', () => {
    let spared = 0;
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 40, maxLength: 80 }),
        fc.option(fc.nat(80)),
        (steps, restsAt) => {
          const holder = new Holder();
          for (const [at, step] of steps.entries()) {
            if (at === restsAt) holder.rest();
            if ('ms' in step) holder.clock.advanceBy(step.ms);
            else if ('markets' in step) holder.restart(step.markets, step);
            else if ('amount' in step) holder.fill(step);
            else if ('after' in step) holder.set(step);
            else if (step.kind === 'halt') holder.life.state.set('HALTED', 'loss');
            else holder.life.state.reset();
          }
          holder.life.journal.close();
          const nowMs = holder.clock.now();
          const { quick, full } = recollections(holder.path, nowMs);
          expect(pictureOf(quick, nowMs)).toEqual(pictureOf(full, nowMs));
          expect(full.held).toEqual([]);
          const oldestMs = Math.min(...full.liveOrders.map(({ createdTime }) => createdTime));
          const since = (bookings: Recollection['bookings']) =>
            bookings.filter(({ time }) => time >= oldestMs);
          expect(since(quick.bookings)).toEqual(since(full.bookings));
          spared += full.bookings.length - quick.bookings.length;
        },
      ),
      { seed: 13, numRuns: 20, endOnFailure: true },
    );
    expect(spared).toBeGreaterThan(100);
  }, 60_000);

  it('keeps what is told after midnight of a fee before it apart from what was held then', () => {
    const holder = new Holder();
    const step = { market: 0, strategy: 'maker', side: 'buy', amount: 1 } as const;
    holder.clock.advanceBy(DAY_MS - 30 * MINUTE_MS);
    holder.fill(step);
    holder.clock.advanceBy(10 * MINUTE_MS);
    holder.fill({ ...step, lateFee: { afterMs: 30 * MINUTE_MS } });
    holder.clock.advanceBy(HOUR_MS);
    holder.restart(MARKETS, { killed: true });
    const nowMs = holder.clock.now();
    const { quick, full } = recollections(holder.path, nowMs);
    expect(pictureOf(quick, nowMs)).toEqual(pictureOf(full, nowMs));
    holder.life.journal.close();
  });

  it('leaves a restart two days of fills to read, after however many', () => {
    const holder = new Holder();
    const step = { market: 0, strategy: 'maker', side: 'buy', amount: 1 } as const;
    for (let hour = 0; hour < 24 * 20; hour++) {
      holder.fill(step);
      holder.clock.advanceBy(HOUR_MS);
    }
    holder.restart(MARKETS, { killed: true });
    const { quick, full } = recollections(holder.path, holder.clock.now() + DAY_MS / 2);
    expect(full.bookings).toHaveLength(24 * 20);
    expect(quick.bookings.length).toBeLessThanOrEqual(48);
    holder.life.journal.close();
  });
});

describe('HoldingsKeeper.keep', () => {
  it('keeps nothing where nothing was filled, and says so where it cannot', () => {
    const kept: unknown[] = [];
    const { lines: warnings, logger } = keptLines();
    const clock = new VirtualClock(START_MS);
    const bus = new Bus<TradingEvent>();
    const markets = knownOf(MARKETS);
    const fills = new Subject<Fill>();
    const keeper = new HoldingsKeeper({
      ...{ bus, clock, markets, logger },
      positions: new PositionLedger({ bus, markets, bookings: fills }),
      state: new TradingStateControl({ clock, bus }),
      past: {
        ...{ held: [], bookings: [], endedOrderIds: [], guessedOrders: [], liveOrders: [] },
        ...{ aliveTimes: new Map(), requestTimes: [], recentOrders: [], endedOrders: [] },
        trading: { state: 'ACTIVE', reason: '' },
      },
      journal: {
        keepSnapshot: (snapshot) => {
          kept.push(snapshot);
          throw new Error('disk full');
        },
      },
    });
    clock.advanceBy(DAY_MS);
    expect(kept).toEqual([]);
    const fill = fillOf({ market: 'btc_usdt', strategy: 'a', side: 'buy', amount: 1, time: 0 });
    bus.publish({ kind: 'fill', time: 0, market: 'btc_usdt', fill });
    keeper.close();
    expect(kept).toHaveLength(1);
    expect(warnings).toEqual(['what is held could not be kept in the journal']);
    clock.advanceBy(DAY_MS);
    expect(kept).toHaveLength(1);
  });
});
