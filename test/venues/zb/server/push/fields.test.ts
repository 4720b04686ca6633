import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFields, textOf } from '../../../../../src/venues/zb/server/push/fields.ts';
import { signedFrameText } from '../../../../../src/venues/zb/wire/signing.ts';

describe('readFields', () => {
  it.each([
    ["{'event':'addChannel','channel':'btcusdt_depth'}"],
    ["{'event':'addChannel','channel':'btcusdt_depth',}"],
    ['{event:"addChannel",channel:"btcusdt_depth"}'],
    [' { "event" : \'addChannel\' , channel : "btcusdt_depth" } \n'],
  ])('reads %s as programs write it', (text) => {
    expect(readFields(text)).toEqual({ event: 'addChannel', channel: 'btcusdt_depth' });
  });

  it('reads numbers and words in a loose frame', () => {
    expect(readFields("{'a':20,'b':-1,'c':true,'d':null,'e':0}")).toEqual({
      ...{ a: 20, b: -1, c: true, d: null, e: 0 },
    });
  });

  it.each([
    ...['', '{', '{}}', "{'a'}", "{'a':}", "{'a':'b'", "{'a':'b'} x", '{,}', "{'a':07}"],
    ...["{'a':{'b':'c'}}", "{'a':['b']}", "['a']", "{'a\\'':'b'}", 'ping', '[]', 'null', '"a"'],
    ...['{"a":[1]}', '{"a":{}}', '7'],
  ])('takes %j for no frame', (text) => {
    expect(readFields(text)).toBeUndefined();
  });

  const flat = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)),
  );

  it('reads every flat object that JSON can say', () => {
    fc.assert(
      fc.property(flat, (fields) => {
        expect(readFields(JSON.stringify(fields))).toEqual(fields);
      }),
      { seed: 7 },
    );
  });

  it('reads loose frames like the JSON that they stand for', () => {
    const word = fc.stringMatching(/^[a-z_]{1,8}$/);
    const fields = fc.dictionary(word, fc.oneof(word, fc.nat()), { minKeys: 1 });
    fc.assert(
      fc.property(fields, (meant) => {
        const loose = JSON.stringify(meant).replaceAll('"', "'");
        expect(readFields(loose)).toEqual(meant);
      }),
      { seed: 7 },
    );
  });

  it('takes no longer than linear time over what nearly is a frame', () => {
    const almost = `{${"'a':'b' ,".repeat(6_000)}${' '.repeat(9_000)}${"'".repeat(2_000)}`;
    const began = process.hrtime.bigint();
    for (let round = 0; round < 20; round++) expect(readFields(almost)).toBeUndefined();
    // Quadratic work would take minutes.
    expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(5_000);
  });
});

describe('a number that a double writes otherwise', () => {
  it.each([
    ['1795536036454123456', '1795536036454123456'],
    ['5.0', '5'],
    ['1e3', '1000'],
    ['-0', '0'],
  ])('is signed as it was sent: %s', (sent, told) => {
    const frame = `{"channel":"c","no":${sent}}`;
    const fields = readFields(frame)!;
    expect(signedFrameText(fields)).toBe(frame);
    expect(textOf(fields.no)).toBe(told);
  });
});

describe('textOf', () => {
  it('is empty for what is neither text nor number', () => {
    expect([textOf('a'), textOf(7), textOf(null), textOf(true), textOf(undefined)]).toEqual([
      ...['a', '7', '', '', ''],
    ]);
  });
});
