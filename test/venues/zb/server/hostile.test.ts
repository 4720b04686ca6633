import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../../src/sim/index.ts';
import { zbServer } from '../../../../src/venues/zb/server/index.ts';
import { ADDRESS, BTC_USDT, FULL_KEY, START_MS, serverFixture } from './fixture.ts';
import {
  expectWellFormed,
  type HostileRequest,
  hostileRequest,
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
          const body = askText(targetOf(request, clock.now()));
          expectWellFormed(request.name, body);
          if (!/^\{"code":"?[1-4]00[1-9]/.test(body)) reached.add(request.name);
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

/** The simulated exchange behind the wire, with all rights and something in every account. */
function simulated() {
  const clock = new VirtualClock(START_MS);
  const balances = { usdt: '100000', btc: '10' };
  const host = new SimulatedExchange({
    clock,
    markets: [BTC_USDT],
    accounts: [
      {
        name: 'main',
        balances,
        marginBalances: { isolated: balances, cross: balances },
        permissions: { withdrawals: true },
        fundsPassword: 'secret',
        withdrawalAddresses: { btc: [{ chain: 'BTC', address: '0x1' }] },
      },
    ],
  });
  host.anonymous('btc_usdt').replace({ bids: [[29_999, 1]], asks: [[30_001, 1]] });
  const server = zbServer({ host, keys: [FULL_KEY], clock, logger: silentLogger, limits: LIMITS });
  const answerTo = (request: HostileRequest) => {
    let answer = '';
    const target = targetOf(request, clock.now());
    server.handle({ target, address: ADDRESS, userAgent: 'x' }).subscribe(({ body }) => {
      answer = body;
    });
    return answer;
  };
  const totals = () => ['btc', 'usdt'].map((currency) => String(host.totalOf(currency)));
  return { clock, answerTo, totals };
}

describe('every operation of the simulated exchange', () => {
  it('answers them likewise, and no money comes or goes by them', () => {
    const { clock, answerTo, totals } = simulated();
    const before = totals();
    const step = fc.tuple(hostileRequest, fc.nat(30_000));
    const done = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        for (const [request, waitMs] of steps) {
          const body = answerTo(request);
          expectWellFormed(request.name, body);
          if (body.startsWith('{"code":1000')) done.add(request.name);
          clock.advanceBy(waitMs);
        }
        expect(totals()).toEqual(before);
      }),
      { seed: 8, numRuns: 500 },
    );
    expect([...done]).toEqual(
      expect.arrayContaining(['order', 'orderMoreV2', 'setExpressState', 'withdraw']),
    );
  });
});
