import { describe, expect, test } from 'vitest';
import {
  callParameters,
  parseJson,
  readAny,
  signedText,
  WireError,
} from '../../../../src/venues/zb/wire/index.ts';

describe('callParameters', () => {
  test('writes every kind of value and leaves undefined ones out', () => {
    const parameters = callParameters('setExpressState', {
      ...{ state: true, amount: 1e-7, market: 'btc_usdt', note: '', nothing: undefined },
    });
    expect(parameters).toEqual({
      ...{ method: 'setExpressState', state: 'true', amount: '0.0000001' },
      ...{ market: 'btc_usdt', note: '' },
    });
    expect(signedText(parameters)).toBe(
      'amount=0.0000001&market=btc_usdt&method=setExpressState&note=&state=true',
    );
  });

  test.each(['', '../data', 'a/b', 'a?b', '1st', 'x'.repeat(80)])('refuses the name %j', (name) => {
    expect(() => callParameters(name, {})).toThrow(WireError);
  });

  test.each(['accesskey', 'method', 'reqTime', 'sign', 'a&b', ''])(
    'refuses the parameter %j',
    (name) => {
      expect(() => callParameters('getOrder', { [name]: '1' })).toThrow(WireError);
    },
  );

  test.each([Number.NaN, Number.NEGATIVE_INFINITY])('refuses the number %d', (value) => {
    expect(() => callParameters('getOrder', { value })).toThrow(/Cannot use the parameter value/);
  });
});

describe('readAny', () => {
  test('gives JSON with long numbers as their text', () => {
    expect(readAny(parseJson('{"code":1000,"id":202202224851151555,"list":[1,null]}'))).toEqual({
      ...{ code: 1000, id: '202202224851151555', list: [1, null] },
    });
    expect(readAny([1])).toEqual([1]);
  });

  test.each([null, 5, 'text', true])('takes %j for no answer', (json) => {
    expect(() => readAny(json)).toThrow(WireError);
  });
});
