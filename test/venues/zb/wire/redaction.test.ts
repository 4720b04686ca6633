import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ExchangeFailure } from '../../../../src/exchange/index.ts';
import {
  readConfidential,
  readWithdrawn,
  shownTarget,
} from '../../../../src/venues/zb/wire/index.ts';

/** The target of a request with that funds password. */
const targetOf = (secret: string) => `/api/withdraw?${new URLSearchParams({ safePwd: secret })}`;

function failureOf(body: string, secret: string): ExchangeFailure {
  try {
    readConfidential(
      { status: 200, body },
      { action: 'withdraw', read: readWithdrawn, target: targetOf(secret) },
    );
  } catch (thrown) {
    return thrown as ExchangeFailure;
  }
  throw new Error('the answer did not fail');
}

const shown = (failure: ExchangeFailure) =>
  inspect(failure, { depth: 10, maxStringLength: 10_000 });

describe('shownTarget', () => {
  test.each(['accesskey=a&amount=1', 'amount=1&sign=c', 'safePwd=b'])(
    'is the path alone of a request that bears a secret: %s',
    (query) => {
      expect(shownTarget(`/api/withdraw?${query}&reqTime=2`)).toBe('/api/withdraw');
    },
  );

  test('is whole for what anybody may ask', () => {
    const target = '/data/v1/depth?market=btc_usdt&size=5';
    expect(shownTarget(target)).toBe(target);
  });
});

describe('readConfidential', () => {
  test('reads a success as it is, digits of the secret in its id or not', () => {
    const answer = { status: 200, body: '{"code":1000,"message":"ok","id":"12341234"}' };
    const call = { action: 'withdraw', read: readWithdrawn, target: targetOf('1234') };
    expect(readConfidential(answer, call)).toEqual({ withdrawalId: '12341234' });
  });

  test('tells kind and code by the answer itself, the text without the secret', () => {
    const failure = failureOf('{"code":1005,"message":"wrong: hunter2"}', 'hunter2');
    expect(failure).toMatchObject({ kind: 'rejected', code: 1005 });
    expect(failure.message).toBe('Cannot withdraw: the exchange answered 1005 "wrong: ***"');
    expect(failureOf('{"code":1005,"message":"x"}', '1005')).toMatchObject({ code: 1005 });
  });

  test('shows the digits of an answer that repeats no secret', () => {
    const { message } = failureOf('{"code":1001,"message":12345678901234567890}', 'hunter2');
    expect(message).toContain('12345678901234567890');
  });

  test.each([
    ['<html>GET /api/withdraw?safePwd=hunter2&sign=1</html>', 'hunter2'],
    ['hunter2', 'hunter2'],
    ['{"code":1000,"id":"hunter2"}', 'hunter2'],
    ['{"hunter2":1}', 'hunter2'],
    [`{"code":1001,"message":"${'x'.repeat(75)}hunter2"}`, 'hunter2'],
    ['{"code":1001,"message":"\\u0068unter2"}', 'hunter2'],
    ['safePwd=a+b%26c', 'a b&c'],
    ['safePwd=a%20b%26c', 'a b&c'],
    ['{"code":1001,"message":"say \\"please\\""}', 'say "please"'],
    ['{"code":1001,"message":"备注"}', '备注'],
  ])('shows nothing of the secret of %s', (body, secret) => {
    const text = shown(failureOf(body, secret));
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(0, 5).padEnd(5));
    expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  test('hides any secret wherever an answer repeats it', () => {
    const secret = fc.stringMatching(/^[!-~]{8,20}$/);
    const frame = fc.constantFrom<(secret: string) => string>(
      (text) => JSON.stringify({ code: 1001, message: `no: ${text}` }),
      (text) => JSON.stringify({ code: 1000, id: text }),
      (text) => JSON.stringify({ [text]: text }),
      (text) => `<p>${text}</p>`,
      (text) => `<p>safePwd=${encodeURIComponent(text)}&x</p>`,
    );
    fc.assert(
      fc.property(secret, frame, (text, frameOf) => {
        const { message, cause } = failureOf(frameOf(text), text);
        for (const told of [message, String(cause)]) {
          for (const writing of [
            text,
            encodeURIComponent(text),
            JSON.stringify(text).slice(1, -1),
          ]) {
            expect(told).not.toContain(writing);
          }
        }
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
