import { describe, expect, it } from 'vitest';
import { publishedAsOne } from '../../../src/app/replay/published-as-one.ts';
import { ReplayLedger } from '../../../src/app/replay/replay-ledger.ts';
import { ReplayStage } from '../../../src/app/replay/stage.ts';
import type { Amount, Intent, OrderRecord, Price } from '../../../src/domain/index.ts';
import { StrategyHost, type StrategyInstance } from '../../../src/engine/index.ts';
import {
  type Clock,
  Decimal,
  seededRandom,
  silentLogger,
  type VirtualClock,
} from '../../../src/kernel/index.ts';
import { DirectStreams } from '../../../src/market/index.ts';
import {
  debounceTime,
  defineStrategy,
  FreshnessBoard,
  map,
  mergeMap,
  take,
  target,
  z,
} from '../../../src/strategy/index.ts';
import { makePending, makeRecord } from '../../domain/fixture.ts';
import { makeLedgers } from '../../ledger/fixture.ts';

/** At whatever it hears of an order it wishes for what it holds. */
const watchful = defineStrategy({
  name: 'maker',
  params: z.strictObject({}),
  run: ({ market, orders, position }) =>
    orders().pipe(
      mergeMap(() => position().pipe(take(1))),
      map(({ amount }) => target(market, amount.toNumber())),
    ),
});

/** Wishes for the last of trades that come close together. */
const calm = defineStrategy({
  name: 'maker',
  params: z.strictObject({}),
  run: ({ market, trades, clock }) =>
    trades().pipe(
      debounceTime(5, clock),
      map(({ price }) => target(market, price)),
    ),
});

/** A clock that is about to tick at every third look: what looks again sees the next millisecond. */
function tickingClock(clock: VirtualClock): Clock {
  let looks = 0;
  return {
    now: () => clock.now() + (++looks % 3 === 0 ? 1 : 0),
    schedule: clock.schedule.bind(clock) as Clock['schedule'],
  };
}

/** Ledgers on a bus with a strategy that hears of them, recorded; and a replay of that. */
function recordedLedgers({ definition = watchful, isTicking = false } = {}) {
  const ledgers = makeLedgers({ maker: 0.001, taker: 0.002 });
  const { bus, clock, markets, events, ...others } = ledgers;
  const { orders } = others;
  const random = seededRandom('any');
  const market = markets.get('btc_usdt')!;
  const instances = [
    { name: 'maker', definition, params: {}, markets: [market] },
  ] as unknown as readonly StrategyInstance[];
  const positionOf = (intent: Intent) => (intent.kind === 'target' ? intent.position : undefined);
  const decided: unknown[] = [];
  const freshness = new FreshnessBoard(bus);
  const shown = isTicking ? tickingClock(clock) : clock;
  const recorded = new Map([[market.id, { name: market.id, kinds: new Set(['trade'] as const) }]]);
  const host = new StrategyHost({
    ...{ bus, random, instances, clock: shown, onOver: () => {} },
    sources: {
      ...{ ...others, bus, clock: shown, logger: silentLogger },
      streams: new DirectStreams({ bus, recorded }),
      freshness: (id) => freshness.of(id),
    },
    onIntent: (_, intent) => decided.push(positionOf(intent)),
  });
  bus.on('orderPush').subscribe(({ order }) => orders.record(order, 'push'));
  bus.on('run').subscribe(() => host.start());
  bus.publish({ kind: 'run', time: 0, status: 'running', reason: '' });
  const replayed = () => {
    const again: unknown[] = [];
    const stage = new ReplayStage({
      ...{ markets, strategies: instances, random, logger: silentLogger, blot: undefined },
      ledger: new ReplayLedger(markets),
      onDecision: ({ decision }) => {
        if (decision.kind === 'intent') again.push(positionOf(decision.intent));
      },
    });
    const entries = events.map((event, sequence) => ({ sequence, event }));
    for (const run of publishedAsOne(entries as never)) {
      stage.book(run.map(({ event }) => event));
      for (const entry of run) stage.play(entry);
    }
    return again;
  };
  return { ...ledgers, shown, decided, replayed };
}

const amount = (value: number) => value as Amount;
const accepted = (exchangeOrderId: string) =>
  ({ kind: 'accepted', time: 1, evidence: 'answer', exchangeOrderId }) as const;
const pushOf = (order: OrderRecord) => {
  const { market, exchangeTime } = order;
  return { kind: 'orderPush', market, order, exchangeTime, receivedTime: exchangeTime } as const;
};

describe('a replayed strategy that waits for silence', () => {
  it('sets the timers that it set, whatever time passed while it heard of something', () => {
    const { bus, clock, shown, decided, replayed } = recordedLedgers({
      definition: calm,
      isTicking: true,
    });
    for (let price = 1; price <= 100; price++) {
      const time = shown.now();
      const stamps = { exchangeTime: time, receivedTime: time };
      const trade = { market: 'btc_usdt', id: `${price}`, price, amount: 1, side: 'buy' } as const;
      bus.publish({ kind: 'trade', ...trade, ...stamps });
      clock.advanceBy(price % 7);
    }
    expect(decided.length).toBeGreaterThan(20);
    expect(replayed()).toEqual(decided);
  });
});

describe('a replayed strategy that looks what it holds at every order', () => {
  it.each([
    ['a fee that is told later', 0.5, '0.0015', [0, 0, 0, 0.4995, 0.4985]],
    ['more of the order with the fee', 1, '0.002', [0, 0, 0, 0.4995, 0.998]],
  ])('sees what it saw, of %s', (_, filled, fee, held) => {
    const { bus, orders, decided, replayed } = recordedLedgers();
    orders.create(makePending());
    orders.apply('tw0001', accepted('1'));
    bus.publish(pushOf(makeRecord({ filledAmount: amount(0.5) })));
    orders.record(makeRecord({ filledAmount: amount(filled), fee: Decimal.of(fee) }), 'query');
    expect(decided).toEqual(held);
    expect(replayed()).toEqual(held);
  });

  it('sees what it saw, of a push before the answer', () => {
    const { bus, orders, decided, replayed } = recordedLedgers();
    orders.create(makePending());
    bus.publish(pushOf(makeRecord({ filledAmount: amount(0.5) })));
    orders.apply('tw0001', accepted('1'));
    expect(decided).toEqual([0, 0, 0.4995, 0.4995]);
    expect(replayed()).toEqual(decided);
  });

  it('sees what it saw, of a push behind the answer', () => {
    const { bus, orders, decided, replayed } = recordedLedgers();
    orders.create(makePending());
    orders.apply('tw0001', accepted('1'));
    bus.publish(pushOf(makeRecord({ filledAmount: amount(0.5) })));
    expect(decided).toEqual([0, 0, 0, 0.4995]);
    expect(replayed()).toEqual(decided);
  });

  it('sees what it saw, of two orders that are told of together or not', () => {
    for (const together of [true, false]) {
      const { bus, orders, decided, replayed } = recordedLedgers();
      const records = ['1', '2'].map((exchangeOrderId) =>
        makeRecord({ exchangeOrderId, price: 100 as Price, filledAmount: amount(1) }),
      );
      for (const { exchangeOrderId } of records) {
        orders.create(makePending({ clientOrderId: `tw000${exchangeOrderId}` }));
        orders.apply(`tw000${exchangeOrderId}`, accepted(exchangeOrderId));
      }
      if (together) bus.publishAll(records.map(pushOf));
      else for (const record of records) orders.record(record, 'query');
      expect(decided.slice(-2)).toEqual([together ? 1.998 : 0.999, 1.998]);
      expect(replayed()).toEqual(decided);
    }
  });
});
