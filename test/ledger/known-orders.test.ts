import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinal, type OrderState } from '../../src/domain/index.ts';
import { KnownOrders } from '../../src/ledger/known-orders.ts';
import { makePending } from '../domain/fixture.ts';

const AWAITED = 'awaited';

interface Step {
  readonly id: number;
  readonly status: 'open' | 'unknown' | 'cancelled';
  readonly awaited: boolean;
}

function orderOf({ id, status, awaited }: Step): OrderState {
  const pending = makePending({ clientOrderId: `tw${id}`, tag: awaited ? AWAITED : '' });
  return { ...pending, status, exchangeOrderId: `x${id}` } as OrderState;
}

/** The orders of a ledger that keeps them as they come. */
class AnyOrders extends KnownOrders {
  put(order: OrderState): void {
    this.set(order);
  }
}

/** The same rules applied to the list of all orders at every query. */
class NaiveOrders {
  readonly known: { order: OrderState; ended?: number; kept?: number }[] = [];
  readonly #capacity: number;
  #ended = 0;
  #kept = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  set(order: OrderState): void {
    const former = this.known.find((one) => one.order.clientOrderId === order.clientOrderId);
    const wasOver = former !== undefined && isFinal(former.order);
    if (former !== undefined && isFinal(order) === wasOver) {
      former.order = order;
      return;
    }
    if (former !== undefined) this.known.splice(this.known.indexOf(former), 1);
    if (!isFinal(order)) {
      this.known.push({ order });
      return;
    }
    const ended = this.#ended++;
    this.known.push({ order, ended });
    const oldest = this.known.find((one) => one.ended === ended - this.#capacity);
    if (oldest === undefined) return;
    if (oldest.order.tag === AWAITED) this.#keepOn(oldest);
    else this.known.splice(this.known.indexOf(oldest), 1);
  }

  #keepOn(oldest: NaiveOrders['known'][number]): void {
    delete oldest.ended;
    oldest.kept = this.#kept++;
    const kept = oldest.kept - 4 * this.#capacity;
    const gone = this.known.findIndex((one) => one.kept === kept);
    if (gone >= 0) this.known.splice(gone, 1);
  }

  get live(): OrderState[] {
    return this.known.map(({ order }) => order).filter((order) => !isFinal(order));
  }
}

const step: fc.Arbitrary<Step> = fc.record({
  id: fc.nat({ max: 14 }),
  status: fc.constantFrom('open', 'unknown', 'cancelled', 'cancelled'),
  awaited: fc.boolean(),
});

describe('KnownOrders', () => {
  it('knows what looking through all would know, also of orders that come back to life', () => {
    const property = fc.property(
      fc.array(step, { minLength: 40, maxLength: 90 }),
      fc.integer({ min: 1, max: 3 }),
      (steps, capacity) => {
        const known = new AnyOrders({ capacity, isAwaited: ({ tag }) => tag === AWAITED });
        const naive = new NaiveOrders(capacity);
        for (const order of steps.map(orderOf)) {
          known.put(order);
          naive.set(order);
          expect(known.allLive()).toEqual(naive.live);
          for (let id = 0; id < 15; id++) {
            const held = naive.known.find((one) => one.order.clientOrderId === `tw${id}`)?.order;
            expect(known.get(`tw${id}`)).toBe(held);
            expect(known.byExchangeOrderId(`x${id}`)).toBe(held);
          }
        }
        expect(known.unknownCount).toBe(naive.live.filter((o) => o.status === 'unknown').length);
      },
    );
    fc.assert(property, { seed: 9, numRuns: 100 });
  });

  it('tells what was heard to be over since a time, the newest first, once', () => {
    const known = new AnyOrders({ capacity: 3, isAwaited: () => false });
    const put = (id: number, status: Step['status'], changedTime: number) =>
      known.put({ ...orderOf({ id, status, awaited: false }), changedTime });
    const since = (timeMs: number) => known.endedSince(timeMs).map((one) => one.clientOrderId);
    expect(since(0)).toEqual([]);
    put(1, 'cancelled', 10);
    put(2, 'cancelled', 20);
    expect([since(0), since(20), since(21)]).toEqual([['tw2', 'tw1'], ['tw2'], []]);
    put(1, 'open', 30);
    put(2, 'cancelled', 40);
    expect(since(20)).toEqual(['tw2']);
    put(1, 'cancelled', 50);
    put(3, 'cancelled', 60);
    put(4, 'cancelled', 70);
    expect(since(0)).toEqual(['tw4', 'tw3', 'tw1']);
  });
});
