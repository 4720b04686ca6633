import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExchangeFailure } from '../../../../src/exchange/index.ts';
import { POST_ONLY_REJECTION } from '../../../../src/sim/index.ts';
import { readAnswer, readPlaced } from '../../../../src/venues/zb/wire/index.ts';
import { kindOf } from '../../../../src/venues/zb/wire/outcome.ts';

function failureOf(body: string, status = 200): ExchangeFailure {
  try {
    readAnswer({ status, body }, { action: 'place an order', read: readPlaced });
  } catch (error) {
    if (error instanceof ExchangeFailure) return error;
    throw error;
  }
  throw new Error(`no failure: ${body}`);
}

describe('readAnswer', () => {
  test('says once what it could not do, whole', () => {
    const { message } = failureOf(JSON.stringify(POST_ONLY_REJECTION));
    const text = 'the PostOnly order would take, a price that rests is wanted';
    expect(message).toBe(`Cannot place an order: the exchange answered 1001 "${text}"`);
  });

  test('gives the value for the code of success, as number and as string', () => {
    for (const code of ['1000', '"1000"']) {
      const body = `{"code":${code},"message":"操作成功","id":"202202224851151555"}`;
      expect(readAnswer({ status: 200, body }, { action: 'place', read: readPlaced })).toEqual({
        exchangeOrderId: '202202224851151555',
      });
    }
  });

  test.each([
    [
      'too little balance',
      '{"code":2009,"message":"account balance is not enough"}',
      'rejected',
      2009,
    ],
    ['a code as a string', '{"code":"3001","message":"order not found"}', 'rejected', 3001],
    ['maintenance', '{"code":1009,"message":"x"}', 'rejected', 1009],
    ['a general error', '{"code":1001,"message":"Error Market"}', 'rejected', 1001],
    ['a refused withdrawal', '{"code":1001,"message":"Cannot withdraw: x"}', 'rejected', 1001],
    ['a message object', '{"code":2009,"message":{"des":"no","isSuc":false}}', 'rejected', 2009],
    ['too frequent', '{"code":4002,"message":"x"}', 'limited', 4002],
    ['the lock', '{"code":"4001","message":"x"}', 'limited', 4001],
    ['a time-out', '{"code":1001,"message":"响应超时"}', 'unknown', 1001],
    ['an internal error', '{"code":1002,"message":"x"}', 'unknown', 1002],
    ['an unknown code', '{"code":7777,"message":"x"}', 'unknown', 7777],
    ['a busy server', '{"result":false,"message":"服务端忙碌"}', 'unknown', undefined],
    [
      'failure under success',
      '{"code":1000,"message":{"isSuc":false},"id":"1"}',
      'unknown',
      undefined,
    ],
    ['a code that is none', '{"code":{},"message":"x","id":"1"}', 'unknown', undefined],
    ['success without id', '{"code":1000,"message":"ok"}', 'unknown', undefined],
    ['truncated JSON', '{"code":1000,"mess', 'unknown', undefined],
    ['a page', '<html><body>502 Bad Gateway</body></html>', 'unknown', undefined],
    ['nothing', '', 'unknown', undefined],
    ['null', 'null', 'unknown', undefined],
  ])('tells %s apart', (_name, body, kind, code) => {
    expect(failureOf(body)).toMatchObject({ kind, code });
  });

  test('reads what a message object says', () => {
    const body = '{"code":1001,"message":{"des":"Error Market","isSuc":false}}';
    expect(failureOf(body)).toMatchObject({ kind: 'rejected', code: 1001 });
    expect(failureOf(body).message).toContain('"Error Market"');
  });

  test('trusts no word of a failing server, not even a refusal', () => {
    expect(failureOf('{"code":2009,"message":"x"}', 500).kind).toBe('unknown');
    expect(failureOf('{"code":1000,"id":"1"}', 502).kind).toBe('unknown');
  });

  test('trusts a refusal under 4xx, but no success', () => {
    expect(failureOf('{"code":2009,"message":"x"}', 400)).toMatchObject({
      kind: 'rejected',
      code: 2009,
    });
    expect(failureOf('{"code":1000,"id":"1"}', 403).kind).toBe('unknown');
  });

  test('takes 429 for a limit', () => {
    expect(failureOf('<html>', 429).kind).toBe('limited');
  });

  test('says what it was about and shows the answer, shortened', () => {
    const { message } = failureOf('<html>'.padEnd(5000, 'x'));
    expect(message).toMatch(/^Cannot place an order: .*<html>/);
    expect(message.length).toBeLessThan(400);
  });
});

describe('kindOf', () => {
  test.each([
    '系统异常',
    '操作失败',
    '网络异常',
    '服务端忙碌',
    'Internal error',
    'error market',
    '',
  ])('is unknown for %j under the general code', (text) => {
    expect(kindOf(1001, text)).toBe('unknown');
  });

  test.each([
    'Error Market',
    'Error Market: bchabc is now bch',
    POST_ONLY_REJECTION.message,
    'User-Agent wanted',
  ])('is rejected for the known refusal %j under the general code', (text) => {
    expect(kindOf(1001, text)).toBe('rejected');
  });

  test.each([
    [1003, 1010],
    [1012, 1013],
    [2001, 2009],
    [3001, 3012],
  ])('is rejected for every code of the table from %i to %i', (first, last) => {
    for (let code = first; code <= last; code++) {
      expect([code, kindOf(code, 'no')]).toEqual([code, 'rejected']);
    }
  });

  test('is unknown for every code outside of the table', () => {
    for (const code of [0, 999, 1011, 1014, 2000, 2010, 3000, 3013, 4000]) {
      expect([code, kindOf(code, 'no')]).toEqual([code, 'unknown']);
    }
    fc.assert(
      fc.property(fc.integer({ min: 4003, max: 99_999 }), fc.string(), (code, text) => {
        expect(kindOf(code, text)).toBe('unknown');
      }),
      { seed: 6 },
    );
  });
});
