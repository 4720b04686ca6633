import { describe, expect, it } from 'vitest';
import type { Depth, LiveOrder, Side, TargetIntent } from '../../../src/domain/index.ts';
import { Clearance } from '../../../src/execution/desk/clearance.ts';
import type { DeskOptions } from '../../../src/execution/desk/options.ts';
import type { SlotTerms } from '../../../src/execution/desk/slot.ts';
import { Slots } from '../../../src/execution/desk/slots.ts';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import { depthOf, MARKET } from '../fixture.ts';

const EXIT: TargetIntent = { kind: 'target', market: MARKET.id, position: 0, slippage: 0 };
const BID = makeOpen({ side: 'buy', price: price(99), amount: amount(1), tag: 'quotes/bid/0' });
const ASK = makeOpen({ side: 'sell', strategy: 'other', tag: 'quotes/ask/0' });

const terms = (side: Side): SlotTerms => ({
  ...{ side, type: 'ioc', price: price(99), amount: amount(1), tag: 'target/' },
});

/** The clearance of the exit of a strategy that holds 2; `takers` take up its room. */
function createClearance({
  takers = [],
  rests = false,
  ...prices
}: {
  takers?: readonly LiveOrder[];
  /** Whether unwished orders may rest on. Default: false. */
  rests?: boolean;
} & Partial<DeskOptions['prices']> = {}) {
  const left = [...takers];
  const ended: LiveOrder[] = [];
  const options = {
    prices: { showsOwn: true, depth: () => depthOf(98, 101), last: () => undefined, ...prices },
    gate: {
      roomTakers: (_: unknown, givesWay: (one: LiveOrder) => boolean) => left.filter(givesWay),
    },
    config: executionConfigSchema.parse({}),
    mayRest: () => rests,
    endGrace: (order: LiveOrder) => ended.push(order),
    roomKeepers: new Set(),
  } as unknown as DeskOptions;
  const parts = { strategy: 'stop', market: MARKET, slots: new Slots() };
  const clearance = new Clearance(parts, options);
  const clear = (live: readonly LiveOrder[], side: Side = 'sell') => {
    const [wanted, held] = [Decimal.ZERO, Decimal.of(2)];
    const { prices } = options;
    const situation = { market: MARKET, wanted, held, filling: [], fee: wanted, prices, live };
    return clearance.clear({ intent: EXIT, situation, terms: terms(side), nowMs: 0 });
  };
  const other = { strategy: 'other', market: MARKET };
  const takesRoom = (side: Side) => clearance.takesRoom(other, side);
  return { clearance, clear, ended, left, takesRoom };
}

describe('Clearance', () => {
  it('lets an order leave that nothing has kept', () => {
    const { clearance, clear } = createClearance({ takers: [ASK] });
    const free = { takers: [], obstacles: [], terms: terms('sell'), endsPause: false };
    expect(clear([BID])).toEqual(free);
    expect(clearance.isObstructed).toBe(false);
  });

  it('names the quotes that it would meet, keeps others like them away, and ends its pause', () => {
    const { clearance, clear } = createClearance();
    clearance.refused({ isCrossed: true }, 0);
    expect([clearance.isObstructed, clear([BID]).obstacles]).toEqual([true, [BID]]);
    expect(clearance.keepsOut({ ...terms('buy'), type: 'limit' })).toBe(true);
    expect(clear([])).toMatchObject({ obstacles: [], endsPause: true });
    expect(clearance.isObstructed).toBe(false);
    clearance.leave();
    expect(clearance.keepsOut(terms('buy'))).toBe(false);
  });

  it('prices it by the book of others: what own orders are not in is all theirs', () => {
    const depth: Depth = {
      ...depthOf(99, 101),
      bids: [
        [99, 1],
        [98, 1],
      ],
    };
    const clearedPrice = (showsOwn: boolean) => {
      const { clearance, clear } = createClearance({ depth: () => depth, showsOwn });
      clearance.refused({ isCrossed: true }, 0);
      clear([BID]);
      return clear([]).terms.price;
    };
    expect([clearedPrice(true), clearedPrice(false)]).toEqual([98, 99]);
  });

  it('names what takes its room, keeps that for it, and ends its pause', () => {
    const { clearance, clear, left, takesRoom } = createClearance({ takers: [ASK] });
    clearance.refused({ lacks: 'room' }, 0);
    expect([clearance.isObstructed, clear([]).takers]).toEqual([true, [ASK]]);
    expect([takesRoom('sell'), takesRoom('buy')]).toEqual([true, false]);
    left.length = 0;
    expect(clear([])).toMatchObject({ takers: [], endsPause: true });
    clearance.placed(false, 0);
    expect(clear([]).endsPause).toBe(false);
  });

  it('keeps no room for an order that shrinks nothing', () => {
    const { clearance, clear, takesRoom } = createClearance({ takers: [ASK] });
    clearance.refused({ lacks: 'room' }, 0);
    expect(clear([], 'buy').takers).toEqual([]);
    expect(takesRoom('buy')).toBe(false);
  });
});

describe('Clearance, beside what nothing wishes,', () => {
  it('ends the grace of what an earlier run left, and leaves what a person has there', () => {
    const adopted = (order: LiveOrder): LiveOrder => ({ ...order, strategy: 'adopted' });
    const cleared = (bid: LiveOrder, ask: LiveOrder) => {
      const { clearance, clear, ended } = createClearance({ takers: [ask], rests: true });
      clearance.refused({ isCrossed: true, lacks: 'room' }, 0);
      const { obstacles, takers } = clear([bid]);
      expect(ended).toEqual([...takers, ...obstacles]);
      return ended;
    };
    expect(cleared(BID, ASK)).toEqual([ASK, BID]);
    expect(cleared(adopted(BID), adopted(ASK))).toEqual([]);
  });
});

describe('Clearance of an order that does not leave', () => {
  it('keeps both for a while where no order can leave', () => {
    const { clearance, clear, left, takesRoom } = createClearance({ takers: [ASK] });
    clearance.refused({ isCrossed: true, lacks: 'room' }, 0);
    clear([BID]);
    left.length = 0;
    clear([]);
    const keeps = () => [clearance.keepsOut(terms('buy')), takesRoom('sell')];
    const kept = [1_000, 2_000, 60_000].map((nowMs) => {
      clearance.wait(nowMs);
      return keeps();
    });
    expect(kept).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  it('keeps what was cleared for an order that only waits for the pace of orders', () => {
    const { clearance, clear } = createClearance();
    clearance.refused({ isCrossed: true }, 0);
    clear([BID]);
    clear([]);
    clearance.refused({ untilMs: 1 }, 0);
    expect(clearance.keepsOut(terms('buy'))).toBe(true);
    clearance.refused({}, 0);
    expect(clearance.keepsOut(terms('buy'))).toBe(false);
  });

  it('has the next target find its own way, in the room that was made for the last', () => {
    const { clearance, clear, takesRoom } = createClearance({ takers: [ASK] });
    clearance.refused({ isCrossed: true, lacks: 'room' }, 0);
    clear([BID]);
    clearance.turn();
    expect([clearance.keepsOut(terms('buy')), takesRoom('sell')]).toEqual([false, true]);
    clearance.end();
    expect(takesRoom('sell')).toBe(false);
  });
});
