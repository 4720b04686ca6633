import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDraft, makeTarget, makeTrader, type RiskSetup } from '../fixture.ts';

const limits = { apiErrorsPerWindowMax: 2, apiErrorWindowMs: 10_000 };

/** A trader whose requests fail when a test says so. */
function makeFailing(setup: RiskSetup = {}) {
  const trader = makeTrader({ ...setup, limits });
  const { bus, clock } = trader;
  const fail = (): void => {
    const what = { market: 'btc_usdt', operation: 'queryOrder', outcome: 'unknown' } as const;
    bus.publish({ kind: 'requestFailure', time: clock.now(), ...what, reason: 'no answer' });
  };
  return { ...trader, fail };
}

describe('apiErrors', () => {
  it('lets nothing open just while more requests than may have failed in the window', () => {
    const event = fc.record({ waitMs: fc.integer({ min: 0, max: 6_000 }), fails: fc.boolean() });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { clock, fail, send } = makeFailing();
        const failedMs: number[] = [];
        for (const { waitMs, fails } of events) {
          clock.advanceBy(waitMs);
          const nowMs = clock.now();
          if (fails) {
            fail();
            failedMs.push(nowMs);
          }
          const inWindow = failedMs.filter((timeMs) => timeMs > nowMs - 10_000);
          expect(send({ amount: 1 + failedMs.length }) === 'apiErrors').toBe(inWindow.length > 2);
        }
      }),
      { seed: 63, numRuns: 300 },
    );
  });

  it('says how many may fail, and starts anew after a reset', () => {
    const { gate, fail, state } = makeFailing();
    for (let failed = 0; failed < 5; failed++) fail();
    const refusal = {
      ...{ code: 'apiErrors', limit: 'at most 2 in 10 s', scope: 'account' },
      observed: '3 or more requests without a clear answer',
    };
    expect(gate.order(makeDraft())).toEqual(refusal);
    expect(gate.intent('maker', makeTarget(1)).refusals).toEqual([refusal]);
    state.reset('seen to');
    expect(gate.order(makeDraft())).toHaveProperty('value');
  });

  it('lets pass what shrinks the position', () => {
    const { gate, fail } = makeFailing({ held: { maker: 2 } });
    for (let failed = 0; failed < 3; failed++) fail();
    expect(gate.order(makeDraft({ side: 'sell', price: 101 }))).toHaveProperty('value');
    expect(gate.intent('maker', makeTarget(1)).refusals).toEqual([]);
    expect(gate.order(makeDraft({ clientOrderId: 'other1' }))).toMatchObject({ code: 'apiErrors' });
  });

  it('limits nothing where it is not set', () => {
    const { bus, clock, send } = makeTrader();
    const failure = { kind: 'requestFailure', operation: 'place', outcome: 'unsent' } as const;
    for (let failed = 0; failed < 500; failed++)
      bus.publish({ ...failure, market: 'btc_usdt', time: clock.now(), reason: 'refused' });
    expect(send()).toMatch(/^order/);
  });
});
