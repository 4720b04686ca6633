import { describe, expect, it } from 'vitest';
import { RunDigest } from '../../../src/app/compare/digest.ts';
import type { RejectedOrder } from '../../../src/domain/index.ts';
import { makePending } from '../../domain/fixture.ts';

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
