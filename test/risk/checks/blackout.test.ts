import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/index.ts';
import { makeDraft, makeHeld, makeQuotes, makeTarget, makeTrader } from '../fixture.ts';

const MIDNIGHT_MS = Math.ceil(1_000_000_000_000 / DAY_MS) * DAY_MS;
const START_MS = MIDNIGHT_MS + 13.5 * HOUR_MS;
const blackouts = [{ from: '13:30', to: '13:40' }];

/** A trader at a time that is so far from the beginning of the window. */
function traderAt(offMs: number, limits: object = { blackouts }) {
  const trader = makeTrader({ limits });
  trader.clock.advanceTo(START_MS + offMs);
  return trader;
}

describe('blackout', () => {
  it('lets nothing open in its window, and all before and after', () => {
    expect(traderAt(-1).send()).toMatch(/^order/);
    expect(traderAt(0).send()).toBe('blackout');
    expect(traderAt(10 * MINUTE_MS - 1).send()).toBe('blackout');
    expect(traderAt(10 * MINUTE_MS).send()).toMatch(/^order/);
  });

  it('lets what shrinks the position leave, and of wishes what does', () => {
    const { gate, positions, send } = traderAt(5 * MINUTE_MS, {
      blackouts: [{ from: '13:30', to: '13:40', days: ['mon'] }],
    });
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const refused = (observed: string) => ({
      ...{ code: 'blackout', observed, scope: 'market' },
      limit: 'nothing that opens from 13:30 to 13:40 UTC (mon)',
    });
    expect(new Date(START_MS).getUTCDay()).toBe(1);
    const { approved, refusals } = gate.intent('maker', makeQuotes([99], [101]));
    expect(approved?.value).toEqual(makeQuotes([], [101]));
    expect(refusals).toEqual([refused('buys of 1')]);
    expect(gate.intent('maker', makeTarget(0)).refusals).toEqual([]);
    expect(gate.intent('maker', makeTarget(2)).refusals).toEqual([refused('a target of 2')]);
    expect(gate.order(makeDraft({ amount: 0.5 }))).toEqual(refused('buys of 0.5'));
    expect(send({ side: 'sell', price: 101 })).toMatch(/^order/);
  });

  it('has what rests and could open cancelled from its first second to its last', () => {
    const { gate, send, positions, clock } = traderAt(-MINUTE_MS);
    positions.restore(makeHeld({ strategy: 'maker', held: 1, price: 100 }));
    const [bid, ask] = [send({ price: 99 }), send({ side: 'sell', price: 101 })];
    const beyond = send({ side: 'sell', price: 102 });
    const unwelcome = () => gate.unwelcome().map(({ clientOrderId }) => clientOrderId);
    expect(unwelcome()).toEqual([]);
    clock.advanceTo(START_MS);
    expect(unwelcome()).toEqual([bid, beyond]);
    expect(unwelcome()).not.toContain(ask);
    clock.advanceTo(START_MS + 10 * MINUTE_MS);
    expect(unwelcome()).toEqual([]);
  });

  it('is of a market by itself where that says so', () => {
    const { send, gate } = traderAt(0, { blackouts, markets: { eth_usdt: { blackouts: [] } } });
    expect(send()).toBe('blackout');
    expect(send({ market: 'eth_usdt' })).toMatch(/^order/);
    expect(gate.unwelcome()).toEqual([]);
    const ofOne = traderAt(-1, { markets: { eth_usdt: { blackouts } } });
    const ids = [ofOne.send(), ofOne.send({ market: 'eth_usdt' })];
    ofOne.clock.advanceBy(1);
    expect(ofOne.gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([ids[1]]);
  });
});

/** The same on a machine whose date may be wrong. */
function traderOn(offMs: number) {
  const trader = traderAt(offMs);
  const machine = { aheadMs: 0 };
  const wallMs = () => trader.clock.now() + machine.aheadMs;
  Object.assign(trader.clock, { wallMs });
  return { ...trader, machine };
}

describe('blackout, by the date', () => {
  it('is kept, though the clock of the run stays ahead of a date that was wrong', () => {
    const { machine, send } = traderOn(HOUR_MS);
    machine.aheadMs = -HOUR_MS - 1;
    expect(send()).toMatch(/^order/);
    machine.aheadMs++;
    expect(send()).toBe('blackout');
    machine.aheadMs += 10 * MINUTE_MS;
    expect(send({ price: 99 })).toMatch(/^order/);
  });

  it('holds again, and sends away what opens, where the date is set back into it', () => {
    const { machine, send, gate } = traderOn(10 * MINUTE_MS);
    const id = send();
    expect([id, gate.unwelcome()]).toEqual([expect.stringMatching(/^order/), []]);
    machine.aheadMs = -1;
    expect(gate.unwelcome().map(({ clientOrderId }) => clientOrderId)).toEqual([id]);
    expect(send({ price: 99 })).toBe('blackout');
    expect(gate.whyUnwelcome(gate.unwelcome()[0]!).cause).toBe('blackout');
  });

  it('is looked for every second as long as orders rest, and at its beginning', () => {
    const { machine, send, gate, clock } = traderOn(-HOUR_MS);
    const waitMs = () => gate.unwelcomeFromMs() - clock.now();
    expect(waitMs()).toBe(Number.POSITIVE_INFINITY);
    send();
    expect(waitMs()).toBe(1_000);
    machine.aheadMs = HOUR_MS - 400;
    expect(waitMs()).toBe(400);
    const even = traderAt(-HOUR_MS, { blackouts, staleRestMaxMs: 0 });
    even.send();
    expect(even.gate.unwelcomeFromMs() - even.clock.now()).toBe(HOUR_MS);
  });
});
