import { styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/cli/style.ts';
import { printed, wrap } from '../../src/cli/wrap.ts';

const red = (text: string) => styleText('red', text, { validateStream: false });

describe('wrap', () => {
  it.each([
    ['a text that fits', 16, ['a text that fits']],
    ['a text that does not', 10, ['a text', 'that does', 'not']],
    ['a verylongword in it', 6, ['a', 'verylongword', 'in it']],
    ['', 5, ['']],
  ])('breaks %j at %i', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  it('ends a style with its line, and begins it anew in the next', () => {
    const lines = wrap(`so ${red('bad it is')} now`, 6);
    expect(lines.map(widthOf)).toEqual([6, 5, 3]);
    expect(lines).toEqual(['so \u001b[31mbad\u001b[0m', '\u001b[31mit is\u001b[39m', 'now']);
  });
});

describe('printed', () => {
  it('leaves what fits as it is, and everything in a pipe', () => {
    const line = '  figure      1.00   a reason that is long enough to be broken';
    expect(printed([line])).toBe(`${line}\n`);
    expect(printed([line], 63)).toBe(`${line}\n`);
  });

  it('breaks no command that may be copied', () => {
    const line = '  to look: npx tradewind orders list --market btc_usdt --show all';
    expect(printed([line], 40)).toBe(`${line}\n`);
  });

  it.each([
    [
      'what begins in the left half goes on below itself',
      '  stopped   its time is over and more',
      ['  stopped   its time is', '            over and', '            more'],
      24,
    ],
    [
      'what begins in the right half gets a line of its own',
      '  Sharpe ratio         -   5 days, at least 28 wanted',
      ['  Sharpe ratio         -', '      5 days, at least 28 wanted'],
      40,
    ],
    [
      'several cells get one together',
      'a      111111  222222  333333',
      ['a      111111', '    222222  333333'],
      20,
    ],
    [
      'a sentence goes on a little further in',
      'this is a sentence of one cell',
      ['this is a', '  sentence of', '  one cell'],
      14,
    ],
  ])('%s', (_what, line, lines, width) => {
    expect(printed([line], width)).toBe(`${lines.join('\n')}\n`);
  });
});
