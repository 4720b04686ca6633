import { describe, expect, it } from 'vitest';
import { batchTag, isBatched, leftAfter, quoteTag } from '../../../src/execution/desk/tags.ts';
import { makeOpen } from '../../domain/fixture.ts';

describe('isBatched', () => {
  it('is so of quotes that left in a batch alone, whatever the tags of a strategy end with', () => {
    const quote = quoteTag('sell', 2);
    const tags = [
      quote,
      batchTag(quote, undefined),
      batchTag(quote, 5),
      'scale/batch',
      'x/batch/5',
    ];
    const batched = tags.filter((tag) => isBatched(makeOpen({ tag })));
    expect(batched).toEqual(['quotes/ask/2/batch', 'quotes/ask/2/batch/5']);
    expect(batched.map((tag) => leftAfter(makeOpen({ tag })))).toEqual([undefined, 5]);
  });
});
