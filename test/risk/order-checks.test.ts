import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/domain/index.ts';
import { FreeBalances } from '../../src/risk/free-balances.ts';
import { isCut, OrderChecks } from '../../src/risk/order-checks.ts';
import type { RefusalCode } from '../../src/risk/refusal-code.ts';
import type { Check } from '../../src/risk/review.ts';
import { makeDraft, makeRisk, reviewOrder } from './fixture.ts';

/** A check that refuses orders of more than `most`. */
const refusesAbove = (code: RefusalCode, most: number): Check => ({
  ...{ code, scope: 'order', describe: '' },
  onOrder: ({ draft }) => (draft.amount > most ? refusal(code) : undefined),
});

const refusal = (code: RefusalCode): Refusal => ({ code, limit: '', observed: '', scope: 'order' });

const OBJECTION = { limit: '1 order in 1 s', observed: '2' };

/** The strategy holds 2, and sells 1.5 of that at once: one order may be of 1. */
function createChecks(...checks: readonly Check[]) {
  const { view } = makeRisk({ held: { maker: 2 }, limits: { orderValueMax: 100 } });
  const order = new OrderChecks(checks, new FreeBalances(view));
  const review = reviewOrder(view, makeDraft({ side: 'sell', type: 'ioc', amount: 1.5 }));
  const told = () => {
    const answer = order.answer(review);
    if (answer === undefined) return 'all';
    return isCut(answer) ? Number(answer.review.draft.amount) : answer.code;
  };
  return { order, review, told };
}

describe('OrderChecks', () => {
  it('let all of an order leave that no check refuses', () => {
    const { order, review, told } = createChecks(refusesAbove('shape', 2));
    expect([told(), order.letsLeave(review)]).toEqual(['all', true]);
  });

  it('answer with the first refusal that an exit cannot be cut down for', () => {
    const { order, review, told } = createChecks(
      refusesAbove('collar', 0),
      refusesAbove('shape', 0),
    );
    expect([told(), order.letsLeave(review)]).toEqual(['collar', false]);
  });

  it('cut an exit down to what it was refused for', () => {
    const { order, review, told } = createChecks(refusesAbove('aboveMaximum', 1));
    expect([told(), order.letsLeave(review)]).toEqual([1, true]);
  });

  it('say of a part that does not leave why the whole does not', () => {
    const checks = [refusesAbove('aboveMaximum', 1), refusesAbove('collar', 0)];
    const { order, review, told } = createChecks(...checks);
    expect([told(), order.letsLeave(review)]).toEqual(['aboveMaximum', false]);
  });

  it('say of a part that leaves soon what it waits for', () => {
    const checks = [refusesAbove('aboveMaximum', 1), refusesAbove('orderRate', 0)];
    const { order, review, told } = createChecks(...checks);
    expect([told(), order.letsLeave(review)]).toEqual(['orderRate', true]);
  });

  it('tell whom a refusal speaks of by its check, or by what that has against the order', () => {
    const check: Check = { code: 'orderRate', scope: 'account', onOrder: () => OBJECTION };
    const own: Check = { ...check, onOrder: () => ({ ...OBJECTION, scope: 'strategy' }) };
    const refusals = [check, own].map((one) => {
      const { order, review } = createChecks(one);
      return order.answer(review);
    });
    const told = { code: 'orderRate', ...OBJECTION };
    expect(refusals).toEqual([
      { ...told, scope: 'account' },
      { ...told, scope: 'strategy' },
    ]);
  });

  it('tell the checks that want to know what leaves', () => {
    const left: unknown[] = [];
    const onPassed: Check['onPassed'] = ({ draft }) => left.push(draft);
    const { order, review } = createChecks({ ...refusesAbove('shape', 2), onPassed });
    order.passed(review);
    expect(left).toEqual([review.draft]);
  });
});
