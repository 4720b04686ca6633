import { describe, expect, it } from 'vitest';
import type { LiveOrder, Refusal, Side } from '../../../src/domain/index.ts';
import type { Desk } from '../../../src/execution/desk/desk.ts';
import { Slot } from '../../../src/execution/desk/slot.ts';
import { Admission, type AdmissionParts } from '../../../src/execution/sending/admission.ts';
import { Decimal } from '../../../src/kernel/index.ts';
import { makeOpen } from '../../domain/fixture.ts';
import { amount, price } from '../exchange-model.ts';
import { MARKET } from '../fixture.ts';

const slot = (side: Side, of: number, tag = 'quotes/x/0'): Slot =>
  new Slot({ side, type: 'limit', price: price(100), amount: amount(of), tag });

interface Situation {
  /** The orders that the desk misses. */
  readonly places: readonly Slot[];
  /** Its strategy's position. Default: none. */
  readonly held?: number;
  readonly live?: readonly LiveOrder[];
  /** Whether the market can be read. Default: true. */
  readonly isReadable?: boolean;
  /** Whether the heartbeat has room for the market. Default: true. */
  readonly hasHeartbeat?: boolean;
  /** Whether it has room for an exit there. Default: true. */
  readonly hasHeartbeatForExits?: boolean;
  /** A quote that waits for an exit. Default: none. */
  readonly keptOut?: Slot;
  /** The side on which another strategy's exit takes the room. Default: neither. */
  readonly takenSide?: Side;
}

/** A desk's orders that may leave, and those that were refused. */
function createAdmission(situation: Situation) {
  const { places, held = 0, live = [], isReadable = true, hasHeartbeat = true } = situation;
  const { hasHeartbeatForExits = true, keptOut, takenSide } = situation;
  const refused: [Slot, Refusal['code']][] = [];
  const options = {
    heartbeat: {
      admits: (_market: string, { isExit = false } = {}) =>
        hasHeartbeat || (isExit && hasHeartbeatForExits),
      marketsMax: 1,
    },
    orders: { liveOf: () => live },
    positions: { position: () => ({ amount: Decimal.of(held) }) },
  } as unknown as ConstructorParameters<typeof Admission>[0];
  const parts = {
    desks: {
      keepsOut: (_market: string, one: Slot) => one === keptOut,
      takesRoom: (_desk: Desk, side: Side) => side === takenSide,
    },
    pacemaker: { mayOpen: () => isReadable },
    placer: {
      refuse: (_desk: Desk, { slot: one, refusal }: { slot: Slot; refusal: Refusal }) =>
        refused.push([one, refusal.code]),
    },
  } as unknown as AdmissionParts;
  const desk = { market: MARKET, strategy: 'maker', missing: { places, cancels: [] } };
  return { admission: new Admission(options, parts), desk: desk as unknown as Desk, refused };
}

describe('Admission.isAdmitted', () => {
  it('refuses all that is missing of a market beyond those that heartbeats are sent for', () => {
    const places = [slot('buy', 1), slot('sell', 1)];
    const { admission, desk, refused } = createAdmission({ places, hasHeartbeat: false });
    expect(admission.isAdmitted(desk)).toBe(false);
    expect(refused).toEqual(places.map((one) => [one, 'heartbeatBudget']));
  });

  it('lets exits leave there, as far as heartbeats may be sent for them', () => {
    const taking = (side: Side) =>
      new Slot({ side, type: 'ioc', price: price(100), amount: amount(1), tag: 'target/x' });
    const exit = taking('sell');
    const places = [exit, slot('sell', 1), taking('buy')];
    const situation = { places, held: 1, hasHeartbeat: false };
    const some = createAdmission(situation);
    expect(some.admission.isAdmitted(some.desk)).toBe(true);
    expect(some.refused.map(([one]) => one)).toEqual(places.slice(1));
    expect(some.admission.leavingOf(some.desk)).toEqual([exit]);
    const none = createAdmission({ ...situation, hasHeartbeatForExits: false });
    expect(none.admission.isAdmitted(none.desk)).toBe(false);
    expect(none.refused.map(([one]) => one)).toEqual(places);
  });

  it('refuses nothing elsewhere', () => {
    const { admission, desk, refused } = createAdmission({ places: [slot('buy', 1)] });
    expect([admission.isAdmitted(desk), refused]).toEqual([true, []]);
  });
});

describe('Admission.leavingOf', () => {
  const places = [slot('sell', 1), slot('sell', 2), slot('buy', 1), slot('sell', 0.5)];
  const indices = (situation: Omit<Situation, 'places'>, of: readonly Slot[] = places) => {
    const { admission, desk } = createAdmission({ places: of, ...situation });
    return admission.leavingOf(desk).map((one) => of.indexOf(one));
  };

  it('is all that is missing where the market can be read', () => {
    expect(indices({})).toEqual([0, 1, 2, 3]);
  });

  it('is elsewhere what shrinks the position together with what lives', () => {
    const isReadable = false;
    expect(indices({ isReadable })).toEqual([]);
    expect(indices({ isReadable, held: 1.5 })).toEqual([0, 3]);
    expect(indices({ isReadable, held: -1 })).toEqual([2]);
    const live = [
      makeOpen({ side: 'sell', amount: amount(1), filledAmount: amount(0.5) }),
      makeOpen({ side: 'buy', amount: amount(9) }),
    ];
    expect(indices({ isReadable, held: 1.5, live })).toEqual([0]);
  });
});

describe('Admission.leavingAs', () => {
  it('parts what is on the side that reduces from what opens', () => {
    const places = [slot('buy', 1), slot('sell', 1)];
    const leaving = (held: number) => {
      const { admission, desk } = createAdmission({ places, held });
      const sides = (priority: 'reduce' | 'open') =>
        admission.leavingAs(priority, desk).map(({ side }) => side);
      return [sides('reduce'), sides('open')];
    };
    expect(leaving(1)).toEqual([['sell'], ['buy']]);
    expect(leaving(-1)).toEqual([['buy'], ['sell']]);
    expect(leaving(0)).toEqual([[], ['buy', 'sell']]);
  });

  it('leaves out quotes that an exit would meet', () => {
    const [near, far] = [slot('buy', 1), slot('buy', 1)];
    const { admission, desk, refused } = createAdmission({ places: [near, far], keptOut: near });
    expect([admission.leavingAs('open', desk), refused]).toEqual([[far], []]);
  });

  it('leaves out what opens where an exit needs the room, and refuses single orders there', () => {
    const places = [slot('sell', 1), slot('sell', 1, 'entry'), slot('buy', 1)];
    const { admission, desk, refused } = createAdmission({ places, takenSide: 'sell' });
    expect(admission.leavingAs('open', desk)).toEqual([places[2]]);
    expect(refused).toEqual([[places[1], 'position']]);
  });

  it('lets leave there what shrinks the position together with what leaves before', () => {
    const places = [slot('sell', 1), slot('sell', 1)];
    const { admission, desk } = createAdmission({ places, held: 1.5, takenSide: 'sell' });
    expect(admission.leavingAs('reduce', desk)).toEqual([places[0]]);
  });
});
