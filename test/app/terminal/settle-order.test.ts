import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recall } from '../../../src/app/past/recall.ts';
import { type Settlement, settleOrder } from '../../../src/app/terminal/settle-order.ts';
import type { OrderState } from '../../../src/domain/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';
import { type JournalReader, readFrom } from '../../../src/storage/index.ts';
import { liveOrders, makeOpen, makePending } from '../../domain/fixture.ts';
import { orderEvent, START_MS } from '../../storage/events.ts';
import { journalOf, killedRun, writtenRun } from '../../storage/fixture.ts';
import { scratchFolder } from '../fixture.ts';
import { expectSkipped } from './by-hand.ts';

const LATER_MS = START_MS + 60_000;

/** An order of a lost batch: nobody knows whether the exchange has it. */
const LOST: OrderState = {
  ...makePending({ clientOrderId: 'lost1' }),
  ...{ status: 'unknown', reason: 'timed out', unknownSince: 5 },
};

/** A journal of one run that left these orders, and what a person says of them a minute later. */
function left(...orders: readonly OrderState[]) {
  const path = writtenRun(orders.map((order) => ({ ...orderEvent(order), time: START_MS })));
  const settle = (word: Partial<Settlement> = {}) =>
    settleOrder({
      ...{ journal: path, clientOrderId: 'lost1', clock: new VirtualClock(LATER_MS) },
      ...word,
    });
  const read = <T>(of: (reader: JournalReader) => T): T => readFrom(path, of);
  return { path, settle, read, live: () => recall(path, LATER_MS).liveOrders };
}

describe('settleOrder', () => {
  it('has the next start ask no more for an order that was never placed', () => {
    const { settle, read, live } = left(LOST, makeOpen());
    const { before, after } = settle();
    expect(before).toEqual(LOST);
    const {
      reason: _,
      unknownSince: __,
      ...shared
    } = LOST as Extract<typeof LOST, { reason: string }>;
    const reason = 'a person: it was never placed';
    const told = { status: 'rejected', reason, evidence: 'person', changedTime: LATER_MS };
    expect(after).toEqual({ ...shared, ...told });
    expect(read((reader) => reader.order('lost1'))).toEqual(after);
    expect(live()).toEqual([makeOpen()]);
  });

  it('has the next start read the order whose id a person tells', () => {
    const { settle, live } = left(LOST);
    const { after } = settle({ exchangeOrderId: '77' });
    expect(after).toMatchObject({ status: 'unknown', exchangeOrderId: '77', unknownSince: 5 });
    expect(live()).toEqual([after]);
  });

  it('takes another word of a person while no start has read the order', () => {
    const { settle, live } = left(LOST);
    settle({ exchangeOrderId: '77' });
    settle({ exchangeOrderId: '77' });
    const { after } = settle({ exchangeOrderId: '78' });
    expect(live()).toEqual([after]);
    expect(after).toMatchObject({ exchangeOrderId: '78' });
    expect(settle().after).not.toHaveProperty('exchangeOrderId');
    expect(live()).toEqual([]);
    expect(() => settle({ exchangeOrderId: '78' })).toThrow(
      'Cannot settle the order lost1: it counts as never placed already, one in doubt is wanted',
    );
  });

  it('takes an order that a killed run had sent', () => {
    const order = makePending({ clientOrderId: 'lost1' });
    const journal = killedRun([orderEvent(order)], 'commitOrders');
    expect(recall(journal, LATER_MS).liveOrders).toEqual([order]);
    expect(left().settle({ journal }).before).toEqual(order);
    expect(recall(journal, LATER_MS).liveOrders).toEqual([]);
  });
});

describe('settleOrder, what it refuses', () => {
  it.each(
    liveOrders()
      .filter(({ status }) => status !== 'pending')
      .filter((order) => 'exchangeOrderId' in order),
  )('is one that a start can read: $status', (order) => {
    const { settle, live } = left(order);
    expect(() => settle({ clientOrderId: order.clientOrderId })).toThrow(
      `Cannot settle the order tw0001: it is ${order.status} as 1, which a start reads, one in doubt is wanted`,
    );
    expect(live()).toEqual([order]);
  });

  it('is what is over, unknown to the journal, or the id of another', () => {
    const over = {
      ...makeOpen({ clientOrderId: 'over1', exchangeOrderId: '9' }),
      status: 'filled',
    } as const;
    const { settle, path, read } = left(LOST, over);
    const refused = (word: Partial<Settlement>) => {
      const reason = { reason: 'refused' };
      expect(() => settle(word)).toThrow(expect.objectContaining(reason));
      return () => settle(word);
    };
    expect(refused({ clientOrderId: 'over1' })).toThrow(
      'Cannot settle the order over1: it is over: filled as 9, one in doubt is wanted',
    );
    expect(refused({ clientOrderId: 'other' })).toThrow(`other: ${path} does not know it`);
    expect(refused({ exchangeOrderId: '9' })).toThrow('lost1: 9 is the order over1, the id of no');
    expect(read((reader) => reader.runs())).toHaveLength(1);
  });

  it('is a journal that is in use or not there, and none is made', () => {
    const { settle, path } = left(LOST);
    const journal = journalOf({ path });
    expect(() => settle()).toThrow(`Cannot open the journal ${path}: process ${process.pid} uses`);
    journal.close();
    expect(settle().after.status).toBe('rejected');
    const none = join(scratchFolder(), 'none.journal');
    expect(() => settle({ journal: none })).toThrow(`Cannot read ${none}: there is no such file`);
    expect([none, `${none}.lock`].filter(existsSync)).toEqual([]);
  });

  it('is one in a folder that nothing can be written to, in words', () => {
    const { settle } = left(LOST);
    const told = 'Cannot open the journal /proc/version: no folder can be made in /proc, another';
    expect(() => settle({ journal: '/proc/version' })).toThrow(told);
  });

  it('leaves the lock to others, whether it was refused or not', () => {
    const { settle, path } = left(LOST);
    expect(() => settle({ clientOrderId: 'other' })).toThrow();
    settle();
    journalOf({ path }).close();
  });
});

describe('settleOrder, for a start that looks for copies of its orders', () => {
  /** A journal with a pending order and its later state: a start may compare others with it. */
  const departed = (now: Partial<OrderState> = {}) => {
    const order = makePending({ clientOrderId: 'lost1', createdTime: START_MS });
    return left(order, { ...order, ...now } as OrderState);
  };

  it('leaves out one that a person settled, either way, while one in doubt is compared', () => {
    const recent = ({ path }: { readonly path: string }) => recall(path, LATER_MS).recentOrders;
    const lost = { status: 'unknown', reason: 'timed out', unknownSince: 5 } as const;
    expect(recent(departed(lost))).toMatchObject([{ clientOrderId: 'lost1' }]);
    for (const exchangeOrderId of [undefined, '1']) {
      const journal = departed(lost);
      journal.settle({ exchangeOrderId });
      expect(recent(journal)).toEqual([]);
    }
  });
});

describe('settleOrder, what it writes', () => {
  it('is a run by hand, whole by its hash, that stands in no way of the newest of a deployment', () => {
    const { settle, path, read } = left(LOST);
    settle();
    expect(read((reader) => reader.runs())).toMatchObject([
      { id: 1, isByHand: false },
      { id: 2, isByHand: true, started: LATER_MS },
    ]);
    expect(read((reader) => reader.verify(2))).toMatchObject({ intact: true, events: 1 });
    expectSkipped(path);
  });
});
