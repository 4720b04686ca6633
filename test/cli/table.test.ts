import { describe, expect, it } from 'vitest';
import { plain } from '../../src/cli/style.ts';
import { grouped, numbers, table, words } from '../../src/cli/table.ts';

describe('table', () => {
  it('aligns words left and numbers right, with equally many places', () => {
    const rows = [
      ['btc', '2'],
      ['usdt', '-12345.25'],
      ['eth', '-'],
    ];
    expect(table([words('currency'), numbers('sum')], { rows, paint: plain })).toEqual([
      'currency         sum',
      'btc             2.00',
      'usdt      -12,345.25',
      'eth                -',
    ]);
  });

  it('says that it is empty', () => {
    expect(table([words('a'), words('b')], { rows: [], paint: plain })).toEqual(['a  b', '(none)']);
  });
});

describe('grouped', () => {
  it.each([
    ['1', '1'],
    ['999', '999'],
    ['1000', '1,000'],
    ['-1234567.12345', '-1,234,567.12345'],
    ['0.00001', '0.00001'],
  ])('%s as %s', (text, expected) => {
    expect(grouped(text)).toBe(expected);
  });
});
