import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OrderColumns,
  orderColumns,
} from '../../../../src/app/backtest/record/order-columns.ts';
import { type FollowedOrder, OrderLog } from '../../../../src/app/backtest/record/order-log.ts';
import { Spool } from '../../../../src/app/backtest/record/spool.ts';
import type { OrderState, PendingOrder } from '../../../../src/domain/index.ts';
import { Decimal } from '../../../../src/kernel/index.ts';

type Ending = 'filled' | 'cancelled' | 'guessed' | 'absent' | 'live';

function pendingOrder(at: number): PendingOrder {
  return {
    ...{ market: 'btc_usdt', side: 'buy', type: 'limit', strategy: 'maker', tag: 'bid0' },
    ...{ price: 100 + at, amount: 2, filledAmount: 0, filledValue: Decimal.ZERO },
    ...{ clientOrderId: `order${at}`, createdTime: at, changedTime: at },
    ...{ evidence: 'request', status: 'pending' },
  } as PendingOrder;
}

function newLog(onOver: (followed: FollowedOrder) => void): OrderLog {
  return new OrderLog({ spool: new Spool(), names: new Map(), onOver });
}

/** The columns of all parts, as plain lists. */
function joined(parts: Iterable<OrderColumns>): Record<string, unknown[]> {
  const all: Record<string, unknown[]> = {};
  for (const part of parts) {
    for (const [name, column] of Object.entries(part)) {
      all[name] ??= [];
      all[name].push(...column);
    }
  }
  return all;
}

function endedOrder(at: number, ending: Ending): OrderState {
  const order = { ...pendingOrder(at), changedTime: at + 1 };
  const exchangeOrderId = `${at}`;
  switch (ending) {
    case 'live':
      return { ...order, status: 'open', exchangeOrderId };
    case 'guessed':
      return { ...order, status: 'filled', exchangeOrderId, guessedFee: Decimal.ZERO };
    case 'absent':
      return { ...order, status: 'rejected', reason: 'not found', evidence: 'query' };
    default:
      return { ...order, status: ending, exchangeOrderId };
  }
}

describe('OrderLog', () => {
  const endings = fc.array(
    fc.record({
      ending: fc.oneof(
        // One that may change keeps its whole block at hand: most blocks have none.
        { weight: 5_000, arbitrary: fc.constantFrom<Ending>('filled', 'cancelled') },
        { weight: 1, arbitrary: fc.constantFrom<Ending>('absent', 'guessed', 'live') },
      ),
      /** How many orders are made before it ends. */
      after: fc.oneof({ weight: 99, arbitrary: fc.nat(4) }, fc.nat(2_000)),
    }),
    { minLength: 3_000, maxLength: 5_000, size: 'max' },
  );

  it('gives the last states in order of creation, whenever the orders end', () => {
    let putAway = 0;
    const check = fc.property(endings, (orders) => {
      const over: string[] = [];
      const log = newLog(({ order }) => over.push(order.clientOrderId));
      const last: OrderState[] = [];
      const due = new Map<number, number[]>();
      for (const [at, { after }] of orders.entries()) {
        const order = pendingOrder(at);
        last.push(order);
        log.add({ order, referencePrice: at });
        due.set(at + after, [...(due.get(at + after) ?? []), at]);
        for (const place of due.get(at) ?? []) {
          const followed = log.get(`order${place}`)!;
          expect(followed.referencePrice).toBe(place);
          followed.order = endedOrder(place, orders[place]!.ending);
          last[place] = followed.order;
        }
      }
      expect(log.count).toBe(orders.length);
      expect(joined(log.columns())).toEqual(
        joined([
          orderColumns(
            last.map((order) => ({ order })),
            new Map(),
          ),
        ]),
      );
      putAway += over.length;
      const left = Array.from(log.atHand(), ({ order }) => order.clientOrderId);
      expect([...over, ...left].sort()).toEqual(last.map((order) => order.clientOrderId).sort());
    });
    fc.assert(check, { seed: 5, numRuns: 8, endOnFailure: true });
    expect(putAway).toBeGreaterThan(1_024);
  });

  it('puts a block away when all its orders are over, and keeps one of which more may be told', () => {
    for (const [ending, putAway] of [
      ['filled', 1_024],
      ['absent', 0],
      ['guessed', 0],
    ] as const) {
      const over: FollowedOrder[] = [];
      const log = newLog((followed) => over.push(followed));
      for (let at = 0; at < 1_025; at++) {
        const order = endedOrder(at, at === 7 ? ending : 'cancelled');
        log.add({ order, referencePrice: undefined });
      }
      expect(over).toHaveLength(putAway);
      expect(log.get('order7') === undefined).toBe(putAway > 0);
    }
  });

  it('has columns of no rows before the first order', () => {
    const [first] = newLog(() => {}).columns();
    expect(joined([first!])).toMatchObject({ price: [], status: [] });
  });
});
