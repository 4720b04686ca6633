import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../../src/kernel/index.ts';
import { FULL_KEY, ORDER, serverFixture, signedTarget } from './fixture.ts';
import {
  codeOf,
  expectWellFormed,
  type HostileRequest,
  hostileRequest,
  hostileValue,
  isDone,
  LIMITS,
  PUBLIC,
  SIGNED,
  targetOf,
} from './hostile-requests.ts';

describe('every operation', () => {
  it('answers every sequence of hostile requests with a code or its data, and stays well', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(hostileRequest, { minLength: 1, maxLength: 12 }), (requests) => {
        const [{ recorded }] = requests as [HostileRequest];
        const dialect = recorded ? 'recorded' : 'documented';
        const fixture = serverFixture({ keys: [FULL_KEY], limits: LIMITS, dialect });
        const { askText, called, lines, clock } = fixture;
        for (const request of requests) {
          const body = askText(targetOf(request, { nowMs: clock.now() }));
          expectWellFormed(request.name, body);
          if (isDone(body)) reached.add(request.name);
        }
        expectSound(called);
        expect(lines).toEqual([]);
        expect(fixture.ask('/data/v1/markets')).toHaveProperty('btc_usdt');
      }),
      { seed: 7, numRuns: 1_000 },
    );
    expect([...reached].sort()).toEqual([...SIGNED, ...PUBLIC].sort());
  });
});

/** What reached the host is of the types that its ports promise. */
function expectSound(called: (name: string) => readonly unknown[]): void {
  for (const { amount, fee, currency } of called('withdraw') as {
    amount: Decimal;
    fee: Decimal;
    currency: string;
  }[]) {
    expect([amount.sign, fee.compare(Decimal.ZERO) >= 0]).toEqual([1, true]);
    expect(currency).toMatch(/^[a-z0-9]+$/);
  }
  for (const { price, amount, market } of called('place') as Record<string, number | string>[]) {
    expect([Number(price) > 0, Number(amount) > 0, market]).toEqual([true, true, 'btc_usdt']);
  }
  for (const { page, pageSize } of [
    ...called('bills'),
    ...called('withdrawals'),
    ...called('deposits'),
    ...called('list'),
  ] as { page: number; pageSize: number }[]) {
    expect(Number.isInteger(page) && page >= 1 && pageSize >= 1 && pageSize <= 100).toBe(true);
  }
}

/** Codes of the checks before an operation's own. Source: wire facts, Order of checks. */
const UNVERIFIED = [1001, 1003, 3005, 3007];

describe('the envelope of a request', () => {
  const good = { accesskey: FULL_KEY.accessKey, method: 'order' };

  it.each(['reqTime', 'sign', 'accesskey', 'method'])(
    'lets nothing reach the host with a hostile %s',
    (name) => {
      const { askText, called, lines, clock } = serverFixture({ keys: [FULL_KEY], limits: LIMITS });
      const right = new URL(signedTarget('order', ORDER), 'http://x').searchParams;
      fc.assert(
        fc.property(hostileValue, fc.boolean(), (value, encoded) => {
          const hostile = value.toWellFormed();
          // A time within the tolerance, or the value itself, would not be hostile.
          const isRight = /^\d{13}$/.test(hostile) || hostile === right.get(name);
          fc.pre(!isRight && !/[&=#]/.test(encoded ? '' : hostile));
          const values = { ...ORDER, ...good, sign: right.get('sign')!, [name]: hostile };
          const timed = { reqTime: String(clock.now()), ...values };
          const pairs = Object.entries(timed).map(
            ([key, text]) => `${key}=${encoded || key !== name ? encodeURIComponent(text) : text}`,
          );
          expect(UNVERIFIED).toContain(codeOf(askText(`/api/order?${pairs.join('&')}`)));
        }),
        { seed: 12, numRuns: 1_000 },
      );
      expect([called('place'), lines]).toEqual([[], []]);
    },
  );

  it('answers every target, whatever its bytes, and executes none of them', () => {
    const { askText, called, lines, clock } = serverFixture({ keys: [FULL_KEY], limits: LIMITS });
    const signed = () => signedTarget('order', ORDER, { nowMs: clock.now() });
    const ascii = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 });
    const bytes = fc.oneof(ascii, fc.string({ unit: 'binary', minLength: 1 }), hostileValue);
    const target = fc.oneof(
      bytes.map((path) => `/${path}`),
      bytes.map((path) => `/api/${path}?${signed().split('?')[1]}`),
      bytes.map((path) => `/data/v1/${path}`),
      bytes.map((query) => `/api/order?${query}`),
      // A good target, cut or with text inserted.
      fc.tuple(fc.nat(300), ascii, fc.boolean()).map(([at, text, cut]) => {
        const whole = signed();
        return whole.slice(0, at) + (cut ? '' : text + whole.slice(at));
      }),
    );
    const seen = new Set<number>();
    fc.assert(
      fc.property(target, (text) => {
        fc.pre(text.replace(/&+/g, '&').replace(/&$/, '') !== signed());
        const body = askText(text);
        expectWellFormed('', body);
        seen.add(codeOf(body)!);
      }),
      { seed: 13, numRuns: 3_000 },
    );
    expect([...seen].sort()).toEqual(UNVERIFIED);
    expect([called('place'), lines]).toEqual([[], []]);
  });
});
