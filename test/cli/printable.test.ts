import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/app/errors.ts';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { reportFailure } from '../../src/cli/failure.ts';
import { columns } from '../../src/cli/format.ts';
import { printable } from '../../src/cli/printable.ts';
import { plain } from '../../src/cli/style.ts';
import { numbers, table, words } from '../../src/cli/table.ts';

describe('printable', () => {
  it.each([
    ['\u001b[31m', '\\u{1b}[31m'],
    ['a\nb\tc\r', 'a\\u{a}b\\u{9}c\\u{d}'],
    ['\u009b2J', '\\u{9b}2J'],
    ['\u202eabc\u2066', '\\u{202e}abc\\u{2066}'],
    ['\u200b\ufeff\u00ad', '\\u{200b}\\u{feff}\\u{ad}'],
    ['\u2028\u00a0\u3164', '\\u{2028}\\u{a0}\\u{3164}'],
    ['\u{e0041}\ud800', '\\u{e0041}\\u{d800}'],
  ])('shows what is not seen: %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('leaves letters of any script, figures and blanks alone', () => {
    const text = 'TRC20 0x6d36_-:. äß 提现 Привет €';
    expect(printable(text)).toBe(text);
  });

  it('stands behind every cell of columns and tables, and their widths', () => {
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

describe('reportFailure', () => {
  it('shows what is not seen of an answer, and keeps its lines', () => {
    let shown = '';
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      shown += text;
      return true;
    });
    const refusal = new AppError('refused', 'venue.test: it said "\u202eno"\nand a hint');
    try {
      expect(reportFailure(refusal)).toBe(EXIT_CODES.refused);
    } finally {
      write.mockRestore();
    }
    expect(shown).toBe('tradewind: venue.test: it said "\\u{202e}no"\nand a hint\n');
  });
});
