import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SIDES, type Side } from '../../src/domain/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { OrderArchive } from '../../src/sim/order-archive.ts';
import { OrderIds } from '../../src/sim/order-ids.ts';
import { OrderStore } from '../../src/sim/order-store.ts';
import { answerOf, exchangeFixture, MARKET, place, START_MS } from './fixture.ts';

/** Closed orders that are kept at least, and the most that are kept beside few open ones. */
const KEPT = 1_000;
const KEPT_MAX = 1_127;

/** A page of all orders of a side. */
const ALL = { skip: 0, count: Infinity, takenUntil: Infinity };

interface NaiveOrder {
  readonly ordinal: number;
  readonly account: number;
  readonly side: Side;
  readonly name: string | undefined;
  /** Its number among the closings, undefined while it is open. */
  closing: number | undefined;
}

/** An archive beside a list of all orders that ever were, searched from end to end. */
class World {
  readonly store = new OrderStore();
  readonly archive = new OrderArchive({
    orders: this.store,
    ids: new OrderIds(new VirtualClock(START_MS)),
  });
  readonly all: NaiveOrder[] = [];
  #closings = 0;

  add({ account, side, name }: Pick<NaiveOrder, 'account' | 'side' | 'name'>): void {
    const ordinal = this.all.length;
    const slot = this.store.addOfAccount({
      ...{ account, side, clientOrderId: name, owner: 4 + account, accountType: 0 },
      ...{ type: 'limit', price: 1, amount: 1, repays: false, time: ordinal },
    });
    this.store.setOrdinal(slot, ordinal);
    this.archive.add(slot);
    this.all.push({ ordinal, account, side, name, closing: undefined });
  }

  close(pick: number): void {
    const open = this.all.filter(({ closing }) => closing === undefined);
    const order = open[pick % open.length];
    if (order === undefined) return;
    const { slot } = this.archive.byOrdinal(order.account, order.ordinal)!;
    this.store.close(slot);
    this.archive.close(slot);
    order.closing = ++this.#closings;
  }

  check(): void {
    for (const account of [0, 1]) {
      const kept = SIDES.map((side) => this.#checkSide(account, side));
      this.#checkCount(account, new Set(kept.flat()));
      const open = kept.flat().filter(({ closing }) => closing === undefined);
      const ordinals = open.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
      expect(this.archive.open(account).map(({ ordinal }) => ordinal)).toEqual(ordinals);
    }
  }

  /** Which orders are kept: all open ones and the last that have closed, oldest first. */
  #checkSide(account: number, side: Side): NaiveOrder[] {
    const { archive } = this;
    const mine = this.all.filter((order) => order.account === account && order.side === side);
    const shown = archive
      .newest(account, { side, ...ALL })
      .map(({ ordinal }) => ordinal)
      .reverse();
    const closed = mine.filter(({ closing }) => closing !== undefined);
    const open = mine.length - closed.length;
    const keptClosed = shown.length - open;
    expect(keptClosed).toBeGreaterThanOrEqual(Math.min(KEPT, closed.length));
    expect(keptClosed).toBeLessThanOrEqual(Math.max(KEPT_MAX, KEPT + Math.ceil(shown.length / 16)));
    closed.sort((a, b) => b.closing! - a.closing!);
    const last = new Set(closed.slice(0, keptClosed));
    const kept = mine.filter((order) => order.closing === undefined || last.has(order));
    expect(shown).toEqual(kept.map(({ ordinal }) => ordinal));
    for (const order of mine) {
      const found = archive.byOrdinal(account, order.ordinal);
      expect(found?.ordinal).toBe(kept.includes(order) ? order.ordinal : undefined);
    }
    const page = archive.newest(account, { side, ...ALL, skip: 3, count: 20 });
    expect(page.map(({ ordinal }) => ordinal)).toEqual(shown.reverse().slice(3, 23));
    this.#checkNames(kept);
    return kept;
  }

  /** A name is forgotten with the newest order that bears it. */
  #checkCount(account: number, kept: ReadonlySet<NaiveOrder>): void {
    const mine = this.all.filter((order) => order.account === account && order.name !== undefined);
    const newest = new Map(mine.map((order) => [order.name, order]));
    const known = [...newest.values()].filter((order) => kept.has(order));
    expect(this.archive.countNames(account)).toBe(known.length);
  }

  #checkNames(kept: readonly NaiveOrder[]): void {
    for (const { account, name, ordinal } of kept.slice(-50)) {
      if (name === undefined) continue;
      const newest = this.all.findLast((one) => one.account === account && one.name === name)!;
      if (newest.ordinal !== ordinal) continue;
      expect(this.archive.byClientOrderId(account, name)?.ordinal).toBe(ordinal);
    }
  }
}

describe('OrderArchive', () => {
  test('keeps what a naive list of closings keeps, over any sequence', () => {
    const burst = fc.record({
      account: fc.nat(1),
      side: fc.constantFrom(...SIDES),
      adds: fc.integer({ min: 1, max: 700 }),
      closes: fc.integer({ min: 0, max: 800 }),
      stride: fc.nat(1_000),
      names: fc.integer({ min: 1, max: 400 }),
    });
    let forgotten = 0;
    fc.assert(
      fc.property(fc.array(burst, { minLength: 4, maxLength: 12 }), (bursts) => {
        const world = new World();
        for (const { account, side, adds, closes, stride, names } of bursts) {
          for (let i = 0; i < adds; i++) {
            world.add({ account, side, name: i % 2 === 0 ? `name${i % names}` : undefined });
          }
          for (let i = 0; i < closes; i++) world.close(i * stride);
          world.check();
        }
        const { all, archive } = world;
        const kept = [0, 1].flatMap((account) =>
          SIDES.map((side) => archive.newest(account, { side, ...ALL }).length),
        );
        forgotten += all.length - kept.reduce((sum, length) => sum + length, 0);
      }),
      { seed: 20_220_122, numRuns: 12 },
    );
    expect(forgotten).toBeGreaterThan(KEPT);
  });
});

describe('TradingDesk.order', () => {
  /** More short-lived orders than are kept, behind those that rest. */
  const restBehind = (account: ReturnType<typeof exchangeFixture>['alice'], count: number) => {
    for (let i = 0; i < count; i++) {
      const exchangeOrderId = place(account, { price: 50, amount: 0.1 });
      answerOf(account.trading.cancel({ market: MARKET.id, exchangeOrderId }));
    }
  };

  test('finds an order that rested long and has just been filled', () => {
    const { alice, bob } = exchangeFixture();
    const exchangeOrderId = place(alice, { clientOrderId: 'resting1' });
    restBehind(alice, KEPT_MAX);
    place(bob, { side: 'sell' });
    const filled = { exchangeOrderId, closed: true, filledAmount: 1 };
    for (const reference of [{ exchangeOrderId }, { clientOrderId: 'resting1' }]) {
      const order = answerOf(alice.trading.order({ market: MARKET.id, ...reference }));
      expect(order).toMatchObject(filled);
    }
  });

  test('finds each order that was just cancelled, however old', () => {
    const { alice } = exchangeFixture();
    const old = Array.from({ length: 20 }, (_, i) => place(alice, { price: 90 - i }));
    restBehind(alice, KEPT_MAX - 1);
    for (const exchangeOrderId of old) {
      answerOf(alice.trading.cancel({ market: MARKET.id, exchangeOrderId }));
      const order = answerOf(alice.trading.order({ market: MARKET.id, exchangeOrderId }));
      expect(order).toMatchObject({ exchangeOrderId, closed: true });
    }
  });
});
