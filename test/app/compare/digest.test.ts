import { describe, expect, it } from 'vitest';
import { RunDigest, summed } from '../../../src/app/compare/digest.ts';
import type { RejectedOrder } from '../../../src/domain/index.ts';
import { makePending } from '../../domain/fixture.ts';
import { tradedOf } from './fixture.ts';

describe('RunDigest', () => {
  it('tells an order that reads did not find from one that the exchange refused', () => {
    const digest = new RunDigest();
    const ended = (by: Partial<RejectedOrder>) => {
      const order = { ...makePending(), status: 'rejected', reason: '', ...by } as const;
      digest.take({ kind: 'order', time: 0, market: order.market, order });
    };
    ended({ evidence: 'query' });
    ended({ evidence: 'answer' });
    ended({ evidence: 'answer', code: 2009 });
    expect([...digest.refusals.keys()]).toEqual([
      ...['absent', 'exchange without a code', 'exchange 2009'],
    ]);
  });
});

describe('summed', () => {
  it('asks for what its orders filled, and what the last one wanted on top', () => {
    const cut = tradedOf({ amount: '0.4', asked: '1' });
    const askedBy = (last: { amount: string; asked: string }) =>
      summed([cut, tradedOf(last)]).asked?.toNumber();
    expect(askedBy({ amount: '0.6', asked: '0.6' })).toBe(1);
    expect(askedBy({ amount: '0', asked: '0.6' })).toBe(1);
    expect(summed([cut, { ...cut, asked: undefined }]).asked).toBeUndefined();
  });
});
