import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../../../src/domain/index.ts';
import { LEAVERS } from '../../../src/sim/models/queue.ts';
import { START_MS } from '../fixture.ts';
import { depthFixture, snapshotRows, tradesFixture } from './model-fixture.ts';
import { NaiveQueues, type Row } from './naive-queues.ts';

const RUNS = { seed: 11, numRuns: 300 };
const side = fc.constantFrom<Side>('buy', 'sell');
const price = fc.integer({ min: 9_990, max: 10_010 });
const amount = fc.integer({ min: 1_000, max: 9_999 });
const row = { side, price, amount };
/** How much earlier than now a row is stamped, milliseconds. */
const age = fc.constantFrom(0, 0, 0, 1, 2, 5);

/** What is there and what is traded: anywhere, or bids and asks apart, so that queues last. */
const WORLDS = {
  anywhere: { level: fc.record(row), trade: fc.record(row) },
  apart: {
    level: fc.tuple(side, amount).map(([side, amount]) => {
      return { side, price: side === 'buy' ? 9_999 : 10_001, amount };
    }),
    trade: fc.record({
      side,
      price: fc.integer({ min: 9_999, max: 10_001 }),
      amount: fc.integer({ min: 100, max: 5_000 }),
    }),
  },
} as const;
type World = keyof typeof WORLDS;

const [toPrice, toAmount] = [100, 10_000];
const given = ({ side, price, amount }: Row) => {
  return { side, price: price / toPrice, amount: amount / toAmount };
};

/** A naive exchange on a recorded book: what own orders meet is found by sorting all of it. */
class NaiveDepth {
  readonly queues: NaiveQueues;
  readonly levels = { buy: new Map<number, number>(), sell: new Map<number, number>() };
  known = false;

  constructor(queues: NaiveQueues) {
    this.queues = queues;
  }

  snapshot(rows: readonly Row[], time: number): void {
    this.levels.buy.clear();
    this.levels.sell.clear();
    for (const { side, price, amount } of rows) this.levels[side].set(price, amount);
    this.known = true;
    for (const side of ['buy', 'sell'] as const) {
      for (const queue of this.queues.queues.filter((queue) => queue.side === side)) {
        const { price } = queue;
        this.queues.change({ side, price, amount: this.levels[side].get(price) ?? 0, time });
      }
      const sign = side === 'buy' ? -1 : 1;
      for (const price of [...this.levels[side].keys()].sort((a, b) => sign * (a - b))) {
        this.#cross(side, price);
      }
    }
  }

  change({ side, price, amount, time }: Required<Row>): void {
    this.#set(side, { price, amount });
    if (!this.known) return;
    this.queues.change({ side, price, amount, time });
    this.#cross(side, price);
  }

  trade(row: Required<Row>): void {
    if (this.known) this.queues.print(row, { capped: true });
  }

  place(own: string, { side, price: limit, amount, time }: Required<Row>): void {
    const left = amount - this.#take(side, { price: limit, amount });
    this.queues.filled.set(own, amount - left);
    const recorded = this.levels[side].get(limit) ?? 0;
    const isFirst = this.queues.queueAt(side, limit) === undefined;
    this.queues.rest(own, {
      side,
      price: limit,
      amount: left,
      time,
      ahead: () => (isFirst ? recorded : 0),
    });
  }

  /** Level by level, the best of the recorded ones and of those with own orders. */
  #take(side: Side, { price: limit, amount }: { price: number; amount: number }): number {
    const makers = side === 'buy' ? 'sell' : 'buy';
    const sign = side === 'buy' ? 1 : -1;
    // Nobody takes from a book that is not known; own orders are met in any case.
    const levels = this.known ? this.levels[makers] : new Map<number, number>();
    const owned = this.queues.queues.filter((queue) => queue.side === makers);
    const prices = new Set([...levels.keys(), ...owned.map(({ price }) => price)]);
    let left = amount;
    for (const price of [...prices].sort((a, b) => sign * (a - b))) {
      if (price * sign > limit * sign) break;
      const queue = this.queues.queueAt(makers, price);
      if (queue !== undefined) left -= this.queues.take(queue, left);
      else {
        const taken = Math.min(left, levels.get(price)!);
        this.#set(makers, { price, amount: levels.get(price)! - taken });
        left -= taken;
      }
    }
    return amount - left;
  }

  #cross(side: Side, price: number): void {
    const amount = this.levels[side].get(price) ?? 0;
    const filled = this.queues.cross(side, { price, amount });
    if (filled > 0) this.#set(side, { price, amount: amount - filled });
  }

  #set(side: Side, { price, amount }: { price: number; amount: number }): void {
    if (amount > 0) this.levels[side].set(price, amount);
    else this.levels[side].delete(price);
  }
}

function stepOf(world: World) {
  const { level, trade } = WORLDS[world];
  const kindOf = <K extends string, T extends object>(kind: K, rows: fc.Arbitrary<T>) =>
    fc.tuple(rows, age).map(([row, age]): T & { kind: K; age: number } => ({ kind, age, ...row }));
  const rows = fc.uniqueArray(level, {
    minLength: 1,
    maxLength: 8,
    selector: ({ side, price }) => `${side}${price}`,
  });
  return fc.oneof(
    { weight: 3, arbitrary: kindOf('change', level) },
    { weight: 1, arbitrary: kindOf('empty', level) },
    { weight: 9, arbitrary: kindOf('trade', trade) },
    { weight: 5, arbitrary: kindOf('place', level) },
    {
      weight: 2,
      arbitrary: kindOf(
        'cancel',
        fc.nat(20).map((at) => ({ at })),
      ),
    },
    {
      weight: 3,
      arbitrary: kindOf(
        'wait',
        fc.nat(3).map((ms) => ({ ms })),
      ),
    },
    { weight: 1, arbitrary: kindOf('gap', fc.constant({})) },
    {
      weight: 2,
      arbitrary: kindOf(
        'snapshot',
        rows.map((rows) => ({ rows })),
      ),
    },
  );
}

/** Small trades at both sides: in the end they show who waits before whom. */
const DRAIN = Array.from({ length: 40 }, (_, at) => {
  const side = at % 2 === 0 ? ('sell' as const) : ('buy' as const);
  const price = side === 'sell' ? 9_999 : 10_001;
  return { kind: 'trade' as const, age: 0, side, price, amount: 900 };
});

describe('DepthModel', () => {
  const cases = LEAVERS.flatMap((queue) =>
    (['anywhere', 'apart'] as const).map((world) => [queue, world] as const),
  );
  test.each(cases)('fills as the naive queues do, %s, levels %s', (queue, world) => {
    fc.assert(
      fc.property(fc.array(stepOf(world), { maxLength: 60, size: 'max' }), (steps) => {
        const { clock, play, order, cancel, filled, total } = depthFixture({ queue });
        const naive = new NaiveDepth(new NaiveQueues(queue));
        const money = [total('usdt'), total('btc')];
        const ids: string[] = [];
        let update = 1;
        for (const step of [...steps, ...DRAIN]) {
          const now = clock.now();
          const time = now - step.age;
          const afterMs = time - START_MS;
          if (step.kind === 'wait') clock.advanceBy(step.ms);
          else if (step.kind === 'place') {
            const id = order(given(step));
            ids.push(id);
            naive.place(id, { ...step, time: now });
          } else if (step.kind === 'cancel') {
            const id = ids[step.at];
            const open =
              id !== undefined &&
              naive.queues.queues.some(({ waiting }) => waiting.some(({ own }) => own === id));
            if (!open) continue;
            cancel(id);
            naive.queues.cancel(id);
          } else if (step.kind === 'gap') {
            play({ event: 'gap', afterMs });
            naive.known = false;
          } else if (step.kind === 'snapshot') {
            const sideOf = (side: Side): [number, number][] =>
              step.rows
                .filter((row) => row.side === side)
                .map(({ price, amount }) => [price / toPrice, amount / toAmount]);
            // A level without an amount follows: it ends the update.
            const book = snapshotRows({ bids: sideOf('buy'), asks: sideOf('sell') }, ++update);
            const end = { event: 'change', side: 'buy', price: 0.01, amount: 0 } as const;
            play(...[...book, end].map((row) => ({ ...row, afterMs })));
            naive.snapshot(step.rows, time);
          } else if (step.kind === 'trade') {
            play({ event: 'trade', ...given(step), afterMs });
            naive.trade({ ...step, time });
          } else {
            const changed = step.kind === 'empty' ? { ...step, amount: 0 } : step;
            play({ event: 'change', ...given(changed), afterMs });
            naive.change({ ...changed, time });
          }
          for (const id of ids) {
            const units = Math.round(filled(id) * toAmount);
            expect(units).toBe(naive.queues.filled.get(id) ?? 0);
          }
        }
        expect([total('usdt'), total('btc')]).toEqual(money);
      }),
      RUNS,
    );
  });
});

const tradesStep = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('trade' as const), ...row }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('place' as const),
      side,
      amount,
      distance: fc.integer({ min: 100, max: 104 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(20) }) },
);

describe('TradesModel', () => {
  test.each([true, false])('fills as the naive queues do, prints capped: %s', (printCap) => {
    const ahead = 3_000;
    fc.assert(
      fc.property(fc.array(tradesStep, { maxLength: 60 }), (steps) => {
        const settings = { queueAhead: { amount: ahead / toAmount }, printCap };
        const { play, order, cancel, filled, total } = tradesFixture(settings);
        const queues = new NaiveQueues('conservative');
        const money = [total('usdt'), total('btc')];
        const ids: string[] = [];
        const first = { side: 'buy', price: 10_000, amount: 1_000 } as const;
        play(given(first));
        for (const step of steps) {
          if (step.kind === 'trade') {
            // Far trades reach the orders that keep away from where the market is.
            const far = { ...step, price: step.price + (step.price % 2 === 0 ? 100 : -100) };
            play(given(step), given(far), given(first));
            for (const print of [step, far, first]) queues.print(print, { capped: printCap });
          } else if (step.kind === 'place') {
            const price = 10_000 + (step.side === 'buy' ? -step.distance : step.distance);
            const id = order(given({ ...step, price }));
            ids.push(id);
            const joining = (waiting: number) => Math.max(0, ahead - waiting);
            queues.rest(id, { ...step, price, ahead: joining });
          } else {
            const id = ids[step.at];
            const open =
              id !== undefined &&
              queues.queues.some(({ waiting }) => waiting.some(({ own }) => own === id));
            if (!open) continue;
            cancel(id);
            queues.cancel(id);
          }
          for (const id of ids) {
            expect(Math.round(filled(id) * toAmount)).toBe(queues.filled.get(id) ?? 0);
          }
        }
        expect([total('usdt'), total('btc')]).toEqual(money);
      }),
      RUNS,
    );
  });
});
