import { describe, expect, it } from 'vitest';
import { printable, printableJson } from '../../../src/app/log/printable.ts';

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
});

describe('printableJson', () => {
  it('means the same, and shows what is not seen', () => {
    const value = { 'a\u202e': ['\u009b2J', '\u{e0041}\u2028\u007f', 'äß 提现 €\n'], b: 1 };
    const text = printableJson(JSON.stringify(value, null, 1));
    expect(JSON.parse(text)).toEqual(value);
    expect(text).toContain('"a\\u202e"');
    expect(text).toContain('"\\u009b2J"');
    expect(text).toContain('"\\udb40\\udc41\\u2028\\u007f"');
    expect(text).toContain('"äß 提现 €\\n"');
  });
});
