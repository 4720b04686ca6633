import { styleText } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canDraw, clip, pad, paintFor, plain, widthOf } from '../../src/cli/style.ts';

const red = (text: string) => styleText('red', text, { validateStream: false });

describe('clip', () => {
  it.each([
    ['a short text', 'abc', 5, 'abc'],
    ['none that just fits', 'abc', 3, 'abc'],
    ['a long one', 'abcdef', 3, 'ab…'],
    ['to one column', 'abc', 1, '…'],
    ['nothing', 'abc', 0, ''],
  ])('cuts %s', (_what, text, width, clipped) => {
    expect(clip(text, width)).toBe(clipped);
  });

  it('leaves no half of a letter that is two columns wide', () => {
    expect(clip('余额不足', 6)).toBe('余额…');
    expect(clip(`余${red('额')}b不足`, 4)).toBe(
      `余${red('').slice(0, 5)}${red('').slice(5)}\u001b[0m…`,
    );
  });

  it('counts what is seen, and ends the styles that it cut', () => {
    const clipped = clip(`ab${red('cdef')}gh`, 4);
    expect(widthOf(clipped)).toBe(4);
    expect(clipped).toContain(`ab${red('c').slice(0, 6)}`);
    expect(clipped.endsWith('\u001b[0m…')).toBe(true);
  });
});

describe('widthOf', () => {
  it.each([
    ['letters', 'aß €…', 5],
    ['letters that are two columns wide', '余额不足，b', 11],
    ['pictures', '🚀', 2],
    ['accents that stand upon a letter', 'e\u0301', 1],
    ['no styles', red('余'), 2],
  ])('counts columns of a terminal: %s', (_what, text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe('canDraw', () => {
  it.each([
    ['xterm', true, true],
    ['dumb', true, false],
    ['xterm', undefined, false],
  ])('says of a terminal %s, %s: %s', (term, isTTY, can) => {
    vi.stubEnv('TERM', term);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(canDraw(isTTY === undefined ? {} : { isTTY })).toBe(can);
  });
});

describe('pad', () => {
  it('fills up what is seen', () => {
    expect(widthOf(pad(red('abc'), 6))).toBe(6);
    expect(pad('abcdef', 3)).toBe('abcdef');
  });
});

describe('paintFor', () => {
  const terminal = (isTTY: boolean, colors = true) =>
    ({ isTTY, hasColors: () => colors }) as unknown as NodeJS.WriteStream;

  it('paints for a terminal with colours alone', () => {
    expect(paintFor(terminal(false))).toBe(plain);
    expect(paintFor(terminal(true, false))).toBe(plain);
    expect(paintFor(terminal(true))('bad', 'x')).toBe(red('x'));
  });

  it('heeds NO_COLOR', () => {
    process.env.NO_COLOR = '1';
    expect(paintFor(terminal(true))).toBe(plain);
    delete process.env.NO_COLOR;
  });
});
