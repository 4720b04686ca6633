import { describe, expect, it } from 'vitest';
import { columns } from '../../src/cli/format.ts';
import { plain } from '../../src/cli/style.ts';
import { grouped, numbers, table, words } from '../../src/cli/table.ts';

describe('table', () => {
  it('has rows by the hundred thousand', () => {
    const rows = Array.from({ length: 200_000 }, () => ['a b', '0.5']);
    const lines = table([words('what'), numbers('sum')], { rows, paint: plain, width: 20 });
    expect([lines.length, lines.at(-1)]).toEqual([200_001, 'a b   0.5']);
  });

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

describe('table, on a terminal too narrow for it,', () => {
  const columns = [words('time'), words('what'), numbers('entry'), numbers('profit')];
  const rows = [
    ['10:15', 'a long text of several words', '61000.5', '-1.0767'],
    ['11:30', 'short', '60000', '12'],
  ];

  it('wraps its widest words at blanks', () => {
    expect(table(columns, { rows, paint: plain, width: 48 })).toEqual([
      'time   what                       entry   profit',
      '10:15  a long text of several  61,000.5  -1.0767',
      '       words',
      '11:30  short                   60,000.0  12.0000',
    ]);
  });

  it('puts the columns that have no room on lines of their own, in their order', () => {
    expect(table(columns, { rows, paint: plain, width: 36 })).toEqual([
      'time   what',
      '       entry   profit',
      '10:15  a long text of several words',
      '    61,000.5  -1.0767',
      '11:30  short',
      '    60,000.0  12.0000',
    ]);
  });

  it('leaves no line empty below a row', () => {
    const some = [words('kind'), words('what happened there')];
    const options = {
      rows: [
        ['a long kind', ''],
        ['b', 'x'],
      ],
      paint: plain,
      width: 24,
    };
    expect(table(some, options)).toEqual([
      ...['kind', '    what happened there', 'a long kind', 'b', '    x'],
    ]);
  });

  it.each([60, 72, 80])('breaks no word and no number at %i columns', (width) => {
    const wide = [
      words('closed'),
      ...Array.from({ length: 9 }, (_, at) => numbers(`number ${at}`)),
    ];
    const numbersOf = Array.from({ length: 9 }, (_, at) => `-${at}234567.89012345`);
    const texts = [['2024-01-31 10:15:00', ...numbersOf]];
    const whole = table(wide, { rows: texts, paint: plain, width: Infinity });
    const narrow = table(wide, { rows: texts, paint: plain, width });
    const wordsOf = (lines: readonly string[]) => lines.join(' ').split(/ +/).toSorted();
    expect(wordsOf(narrow)).toEqual(wordsOf(whole));
    expect(Math.max(...narrow.map(({ length }) => length))).toBeLessThanOrEqual(width);
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

describe('columns and tables', () => {
  it('show what is not seen of every cell, and count it in their widths', () => {
    expect(
      columns([
        ['\u202ea', 'x'],
        ['b', '\u001b[8my'],
      ]),
    ).toEqual(['\\u{202e}a  x', 'b          \\u{1b}[8my']);
    const rows = [['\u202ea', '1\u001b']];
    expect(table([words('w'), numbers('n')], { rows, paint: plain })[1]).toBe(
      '\\u{202e}a  1\\u{1b}',
    );
  });
});
