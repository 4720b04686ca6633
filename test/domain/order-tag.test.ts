import { describe, expect, it } from 'vitest';
import { kindOfTag, tagOfOrder } from '../../src/domain/index.ts';

describe('kindOfTag', () => {
  it.each([
    ['quotes/bid/0', 'quotes'],
    ['target/', 'target'],
    ['entry', 'order'],
    ['my quotes/', 'order'],
  ])('takes %s for one of %s', (tag, kind) => {
    expect(kindOfTag(tag)).toBe(kind);
  });
});

describe('tagOfOrder', () => {
  it('gives the tag of an order that was asked for by itself, and of no other', () => {
    expect(tagOfOrder('entry')).toEqual({ tag: 'entry' });
    expect(tagOfOrder('quotes/bid/0')).toEqual({});
  });
});
