import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Amount,
  isFinal,
  type OrderState,
  type TradingEvent,
} from '../../src/domain/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makePending, makeRecord, ofKind } from '../domain/fixture.ts';
import { makeLedgers } from './fixture.ts';

const ORDERS = 4;
const order = fc.integer({ min: 0, max: ORDERS - 1 });
const quarters = fc.integer({ min: 0, max: 4 });

/** The news that a client may get: answers, time-outs, pushes and queries in any order. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('answer' as const), order }),
  fc.record({ kind: fc.constant('lost' as const), order }),
  fc.record({ kind: fc.constant('cancelling' as const), order }),
  fc.record({
    kind: fc.constant('record' as const),
    ...{ order, quarters, closed: fc.boolean() },
    evidence: fc.constantFrom('push' as const, 'query' as const),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const clientId = (index: number) => `tw000${index}`;
const exchangeId = (index: number) => `100${index}`;

function start() {
  const ledgers = makeLedgers();
  for (let index = 0; index < ORDERS; index++) {
    const market = index % 2 === 0 ? 'btc_usdt' : 'eth_usdt';
    ledgers.orders.create(makePending({ clientOrderId: clientId(index), market }));
  }
  return ledgers;
}

function take(ledgers: ReturnType<typeof start>, told: Step): void {
  const { orders } = ledgers;
  const id = clientId(told.order);
  const exchangeOrderId = exchangeId(told.order);
  const now = { time: 1 } as const;
  switch (told.kind) {
    case 'answer':
      orders.apply(id, { kind: 'accepted', exchangeOrderId, ...now, evidence: 'answer' });
      return;
    case 'lost':
      orders.apply(id, { kind: 'lost', reason: 'timed out', ...now, evidence: 'request' });
      return;
    case 'cancelling':
      orders.apply(id, { kind: 'cancelling', ...now, evidence: 'request' });
      return;
    case 'record': {
      const market = told.order % 2 === 0 ? 'btc_usdt' : 'eth_usdt';
      const filledAmount = (told.quarters / 4) as Amount;
      const record = { market, exchangeOrderId, filledAmount, closed: told.closed };
      orders.record(makeRecord(record), told.evidence);
      return;
    }
    default:
      told satisfies never;
  }
}

/** Each order and its fills, reconstructed from the published events alone. */
function toldBy(events: readonly TradingEvent[]): Map<string, OrderState> {
  return new Map(ofKind(events, 'order').map(({ order: state }) => [state.clientOrderId, state]));
}

describe('OrderLedger, whatever it is told', () => {
  it('has lists, counts, fills and positions that agree with its orders', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const ledgers = start();
        for (const told of steps) take(ledgers, told);
        const { orders, positions, events } = ledgers;
        const states = Array.from({ length: ORDERS }, (_, index) => orders.get(clientId(index))!);
        const live = states.filter((state) => !isFinal(state));
        expect([...orders.allLive()]).toEqual(live);
        for (const market of ['btc_usdt', 'eth_usdt']) {
          expect(orders.live(market)).toEqual(live.filter((state) => state.market === market));
        }
        expect(orders.unknownCount).toBe(live.filter(({ status }) => status === 'unknown').length);
        expect([...toldBy(events).values()]).toEqual(states);
        for (const state of states) {
          const id = state.exchangeOrderId;
          if (id !== undefined) expect(orders.byExchangeOrderId(id)).toBe(state);
          const own = ofKind(events, 'fill')
            .map(({ fill }) => fill)
            .filter((fill) => fill.clientOrderId === state.clientOrderId);
          expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(state.filledAmount);
        }
        let held = Decimal.ZERO;
        for (const { fill } of ofKind(events, 'fill')) {
          held = held.plus(Decimal.of(fill.amount)).minus(fill.fee);
        }
        const all = positions
          .position('btc_usdt')
          .amount.plus(positions.position('eth_usdt').amount);
        expect(all.equals(held)).toBe(true);
      }),
      { seed: 8, numRuns: 1_000 },
    );
  });

  it('knows all that was told once every answer is in, whatever came first', () => {
    const records = fc.array(fc.record({ order, quarters }), { maxLength: 20 });
    fc.assert(
      fc.property(records, (pushes) => {
        const ledgers = start();
        for (const push of pushes) {
          take(ledgers, { kind: 'record', ...push, closed: false, evidence: 'push' });
        }
        for (let index = 0; index < ORDERS; index++)
          take(ledgers, { kind: 'answer', order: index });
        for (let index = 0; index < ORDERS; index++) {
          const most = Math.max(
            0,
            ...pushes.filter((p) => p.order === index).map((p) => p.quarters),
          );
          expect(ledgers.orders.get(clientId(index))?.filledAmount).toBe(most / 4);
        }
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});
