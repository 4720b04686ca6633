import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientOrderId } from '../../../src/risk/checks/client-order-id.ts';
import { makeDraft, makeRisk, reviewOrder } from '../fixture.ts';

function refused(id: string, risk = makeRisk()): boolean {
  const draft = makeDraft({ clientOrderId: id });
  return clientOrderId.onOrder?.(reviewOrder(risk.view, draft)) !== undefined;
}

describe('clientOrderId', () => {
  it('passes just 4 to 36 letters or digits', () => {
    const letters = 'abcXYZ019_-. é';
    const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 40 });
    const risk = makeRisk();
    fc.assert(
      fc.property(text, (id) => {
        const plain = [...id].every((letter) => 'abcXYZ019'.includes(letter));
        expect(refused(id, risk)).toBe(!(plain && id.length >= 4 && id.length <= 36));
      }),
      { seed: 14 },
    );
  });

  it.each([
    ['abc', true],
    ['abc1', false],
    ['a'.repeat(36), false],
    ['a'.repeat(37), true],
    ['abcd\n', true],
  ])('%j: refused %s', (id, wanted) => {
    expect(refused(id)).toBe(wanted);
  });

  it('refuses an id that is in use, and still when its order is over', () => {
    const risk = makeRisk({ live: [{ status: 'pending' }] });
    expect(refused('live0', risk)).toBe(true);
    const news = { kind: 'rejected', reason: 'no', time: 1, evidence: 'answer' } as const;
    risk.orders.apply('live0', news);
    expect(risk.orders.live('btc_usdt')).toEqual([]);
    expect(refused('live0', risk)).toBe(true);
  });
});
