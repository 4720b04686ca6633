import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/app/errors.ts';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import { reportFailure } from '../../src/cli/failure.ts';
import { columns } from '../../src/cli/format.ts';
import { plain } from '../../src/cli/style.ts';
import { numbers, table, words } from '../../src/cli/table.ts';

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
