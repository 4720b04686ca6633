import { defer, firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { clockOf } from '../../../../src/app/time/system-clock.ts';
import { failureOf, NOW_MS, zbFixture } from './fixture.ts';

const MINUTE_MS = 60_000;
/** Source: wire facts, Order of checks. */
const TOLERANCE_MS = 5 * MINUTE_MS;
const DONE = '{"code":1000,"message":"ok","id":"1"}';

/**
 * A client on a machine whose date may be wrong, and an exchange that refuses stamps that are off.
 * `aheadMs`: how far the date is ahead at the start. `timeOffsetMs`: what the client adds to it.
 */
function createDated({ aheadMs = 0, expired = 3007, timeOffsetMs = 0 } = {}) {
  const machine = { aheadMs, sinceMs: 0, sleptMs: 0, refusal: '' };
  const startedMs = NOW_MS + aheadMs;
  const clock = clockOf({
    wall: () => NOW_MS + machine.sinceMs + machine.aheadMs,
    monotonic: () => startedMs + machine.sinceMs - machine.sleptMs,
  });
  const stamps: number[] = [];
  const http = {
    get: (target: string) =>
      defer(() => {
        const reqTime = Number(new URL(target, 'http://fake').searchParams.get('reqTime'));
        const offMs = reqTime - NOW_MS - machine.sinceMs;
        stamps.push(offMs);
        const isTaken = Math.abs(offMs) <= TOLERANCE_MS;
        const body = isTaken ? machine.refusal || DONE : `{"code":${expired},"message":"expired"}`;
        return Promise.resolve({ status: 200, body });
      }),
    close: async () => {},
  };
  const { exchange, logger } = zbFixture({ clock, http: () => http, timeOffsetMs });
  const { trading } = exchange;
  const code = (call: Parameters<typeof failureOf>[0]) => failureOf(call).then((one) => one.code);
  return {
    ...{ machine, stamps, trading, logger, code },
    arm: () => trading.cancelAllAfter('btc_usdt'),
    cancel: () => trading.cancel({ market: 'btc_usdt', exchangeOrderId: '1' }),
    /** Time passes, with a look at the clock now and then. */
    pass: (durationMs: number) => {
      machine.sinceMs += durationMs;
      clock.now();
    },
  };
}

describe('the stamps of requests', () => {
  test('leave a date behind that was ahead at the start, once it is corrected', async () => {
    const { machine, stamps, arm, pass } = createDated({ aheadMs: 10 * MINUTE_MS });
    pass(10);
    machine.aheadMs = 0;
    pass(60 * MINUTE_MS);
    await firstValueFrom(arm());
    expect(stamps).toEqual([0]);
  });

  test('leave a date behind that was ahead for a moment', async () => {
    const { machine, stamps, arm, cancel, pass } = createDated();
    await firstValueFrom(arm());
    machine.aheadMs = 10 * MINUTE_MS;
    pass(10);
    machine.aheadMs = 0;
    pass(60 * MINUTE_MS);
    await firstValueFrom(cancel());
    expect(stamps).toEqual([0, 0]);
  });

  test.each([
    ['ahead', 10, 3007],
    ['behind', -10, 3007],
    ['ahead, where that is called unverified', 10, 1003],
  ])(
    'are reckoned while the date is %s: one request is refused, then cancels go out',
    async (_, minutes, expired) => {
      const { machine, stamps, arm, cancel, pass, code } = createDated({ expired });
      await firstValueFrom(arm());
      machine.aheadMs = minutes * MINUTE_MS;
      pass(10);
      expect(await code(cancel())).toBe(expired);
      for (let i = 0; i < 3; i++) {
        pass(MINUTE_MS);
        await firstValueFrom(cancel());
      }
      machine.aheadMs = 0;
      pass(MINUTE_MS);
      await firstValueFrom(cancel());
      expect(stamps).toEqual([0, minutes * MINUTE_MS, 0, 0, 0, 0]);
    },
  );
});

describe('the stamps of requests, after trouble', () => {
  test.each([
    ['a date that was ahead at the start and set right then', { aheadMs: 10 * MINUTE_MS }, 0],
    ['a date that the settings set right', { timeOffsetMs: 2 * MINUTE_MS }, -2 * MINUTE_MS],
  ])('are reckoned from %s', async (_, options, rightMs) => {
    const { machine, stamps, arm, cancel, pass, code } = createDated(options);
    machine.aheadMs = rightMs;
    await firstValueFrom(arm());
    machine.aheadMs = rightMs - 10 * MINUTE_MS;
    pass(MINUTE_MS);
    expect(await code(cancel())).toBe(3007);
    await firstValueFrom(cancel());
    expect(stamps).toEqual([0, -10 * MINUTE_MS, 0]);
  });

  test('go by the date after a sleep, which elapsed time does not tell', async () => {
    const { machine, stamps, arm, pass } = createDated();
    await firstValueFrom(arm());
    machine.sleptMs = 10 * MINUTE_MS;
    pass(10 * MINUTE_MS);
    await firstValueFrom(arm());
    expect(stamps).toEqual([0, 0]);
  });

  test('go by a third time where a sleep comes after a wrong date', async () => {
    const { machine, stamps, arm, pass, code } = createDated();
    await firstValueFrom(arm());
    machine.aheadMs = -10 * MINUTE_MS;
    expect(await code(arm())).toBe(3007);
    await firstValueFrom(arm());
    machine.aheadMs = 0;
    machine.sleptMs = 10 * MINUTE_MS;
    pass(10 * MINUTE_MS);
    expect(await code(arm())).toBe(3007);
    await firstValueFrom(arm());
    expect(stamps.slice(3)).toEqual([-10 * MINUTE_MS, 0]);
  });

  test('of requests that were under way together are set once, which is logged', async () => {
    const { machine, arm, cancel, pass, code, logger } = createDated();
    await firstValueFrom(arm());
    machine.aheadMs = 10 * MINUTE_MS;
    pass(10);
    expect(await Promise.all([code(cancel()), code(cancel())])).toEqual([3007, 3007]);
    await firstValueFrom(cancel());
    const told = logger.lines.filter((line) => line.startsWith('the exchange refuses our time'));
    expect(told).toEqual([`the exchange refuses our time: stamps are set {"byMs":-600000}`]);
  });

  test('of a key that is wrong are as they were: nothing is said of time', async () => {
    const { machine, arm, code, logger } = createDated();
    machine.refusal = '{"code":1003,"message":"unverified"}';
    expect(await code(arm())).toBe(1003);
    machine.aheadMs = 5;
    expect(await code(arm())).toBe(1003);
    expect(logger.lines.filter((line) => line.includes('our time'))).toEqual([]);
  });

  test('go by the date still where a request is refused for another reason', async () => {
    const { machine, stamps, arm, cancel, code } = createDated();
    await firstValueFrom(arm());
    machine.aheadMs = MINUTE_MS;
    machine.refusal = '{"code":3001,"message":"order not found"}';
    expect(await code(cancel())).toBe(3001);
    expect(await code(cancel())).toBe(3001);
    expect(stamps).toEqual([0, MINUTE_MS, MINUTE_MS]);
  });
});
