import { describe, expect, it } from 'vitest';
import { silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { zbServer } from '../../../../src/venues/zb/server/index.ts';
import {
  ADDRESS,
  fakeHost,
  KEY,
  ORDER,
  type SigningChanges,
  START_MS,
  serverFixture,
} from './fixture.ts';

const LOCKED = 'ffffffff-locked';
const KEYS = [
  KEY,
  { ...KEY, accessKey: LOCKED, disabled: true },
  { ...KEY, accessKey: 'bound', boundAddresses: ['10.9.9.9'] },
  { ...KEY, accessKey: 'reader', permissions: { ...KEY.permissions, orders: false } },
  { ...KEY, accessKey: 'both', disabled: true, boundAddresses: ['10.9.9.9'] },
];
const LIMITS = {
  enforced: true,
  requestsPerSecond: 1,
  requestsPerMinute: 1,
  candleIntervalMs: 0,
  lockMs: 3_600_000,
};

describe('authenticate', () => {
  /** From first to last check; each request has the faults of its own check and a later one. */
  const fixture = serverFixture({ keys: KEYS });
  const order = (changes: SigningChanges = {}, parameters: Record<string, string> = ORDER) =>
    fixture.call('order', parameters, changes).code;
  const FAR = '1645610000000';

  it.each<[string, number, SigningChanges, Record<string, string>]>([
    ['a reqTime that is no number', 3005, { reqTime: 'now', accessKey: 'nobody' }, ORDER],
    ['an empty reqTime', 3005, { reqTime: '', accessKey: 'nobody' }, ORDER],
    ['an empty accesskey', 3005, { accessKey: '' }, ORDER],
    ['an empty sign before an unknown key', 3005, { accessKey: 'nobody', sign: '' }, ORDER],
    ['an unknown key before an old reqTime', 1003, { accessKey: 'nobody', reqTime: FAR }, ORDER],
    ['a disabled key before a foreign address', 4001, { accessKey: 'both' }, ORDER],
    ['a disabled key before a bad sign', 4001, { accessKey: LOCKED, sign: 'x' }, ORDER],
    ['a foreign address before an old reqTime', 3006, { accessKey: 'bound', reqTime: FAR }, ORDER],
    ['an old reqTime before an empty parameter', 3007, { reqTime: FAR }, {}],
    ['an empty parameter before a bad sign', 3005, { sign: 'x' }, { ...ORDER, price: '' }],
    ['another method before a bad sign', 3005, { sign: 'x', method: 'getOrder' }, ORDER],
    ['a bad sign before a missing permission', 1003, { accessKey: 'reader', sign: 'x' }, ORDER],
    [
      'a missing permission before a bad market',
      1012,
      { accessKey: 'reader' },
      { ...ORDER, currency: 'x_y' },
    ],
    ['a bad market last', 1001, {}, { ...ORDER, currency: 'x_y' }],
    ['nothing', 1000, {}, ORDER],
  ])('minds %s', (_name, code, changes, parameters) => {
    expect(order(changes, parameters)).toBe(code);
  });
});

describe('authenticate, of reqTime', () => {
  it('takes a reqTime up to five minutes off, either way', () => {
    const { call, clock } = serverFixture();
    const code = (offMs: number) =>
      call('order', ORDER, { reqTime: String(clock.now() + offMs) }).code;
    expect([-300_000, 300_000, -300_001, 300_001].map(code)).toEqual([1000, 1000, 3007, 3007]);
  });

  it("judges a reqTime by the machine's date, which was set right, not by what only runs", () => {
    const date = { aheadMs: 600_000 };
    const clock = new VirtualClock(START_MS);
    const wireClock = {
      now: () => clock.now() + 600_000,
      wallMs: () => clock.now() + date.aheadMs,
      schedule: clock.schedule.bind(clock),
    };
    const { call } = serverFixture({ wireClock });
    const codes = () =>
      [0, 600_000].map((offMs) => {
        return call('order', ORDER, { reqTime: String(START_MS + offMs) }).code;
      });
    expect(codes()).toEqual([3007, 1000]);
    date.aheadMs = 0;
    expect(codes()).toEqual([1000, 3007]);
  });
});

describe('authenticate, beyond one request', () => {
  it('checks the lock of the address after the key, and before its rate', () => {
    const { call } = serverFixture({ keys: KEYS, limits: LIMITS });
    const code = (changes: SigningChanges) => call('order', ORDER, changes).code;
    expect(code({})).toBe(1000);
    expect(code({ accessKey: 'nobody' })).toBe(1003);
    expect(code({ reqTime: 'now' })).toBe(3005);
    expect(code({})).toBe(4001);
    expect(code({ accessKey: LOCKED })).toBe(4001);
  });

  it('checks the rate of the key before whether it is disabled', () => {
    const { call } = serverFixture({ keys: KEYS, limits: { ...LIMITS, requestsPerMinute: 9 } });
    const code = (changes: SigningChanges) => call('order', ORDER, changes).code;
    expect(code({ accessKey: LOCKED })).toBe(4001);
    expect(code({ accessKey: LOCKED })).toBe(4002);
  });

  it('covers unknown parameters by the signature and otherwise ignores them', () => {
    const { call, ask, called } = serverFixture();
    expect(call('order', { ...ORDER, zzz: '备 注&=+' }).code).toBe(1000);
    expect(called('place')).toHaveLength(1);
    expect(ask(`/api/order?${new URLSearchParams(ORDER)}&accesskey=${KEY.accessKey}`).code).toBe(
      3005,
    );
  });

  it('leaves an empty customerOrderId out of the signed text', () => {
    const { call, called } = serverFixture();
    expect(call('order', { ...ORDER, customerOrderId: '' }).code).toBe(1000);
    expect(called('place')).toMatchObject([{ clientOrderId: undefined }]);
  });

  it('takes the recorded signature of the contract', () => {
    const secretless = {
      accesskey: 'ce2a18e0-dshs-4c44-4515-9aca67dd706e',
      acctType: '0',
      amount: '0.001',
      currency: 'zb_qc',
      method: 'order',
      price: '1.0',
      tradeType: '1',
    };
    const zbQc = { ...ZB_QC };
    const { ask, clock } = serverFixture({ markets: [zbQc] });
    const query = new URLSearchParams({
      ...secretless,
      sign: 'b8a452e4f8a1ac26ad9f3dbd835c7e48',
      reqTime: String(clock.now()),
    });
    expect(ask(`/api/order?${query}`).code).toBe(1000);
  });

  it('binds a key to its addresses', () => {
    const { call } = serverFixture({ keys: [{ ...KEY, boundAddresses: [ADDRESS] }] });
    expect(call('order', ORDER).code).toBe(1000);
    expect(call('order', ORDER, { address: '10.0.0.2' }).code).toBe(3006);
  });
});

const ZB_QC = {
  id: 'zb_qc',
  base: 'zb',
  quote: 'qc',
  priceScale: 4,
  amountScale: 3,
  minAmount: 0.001,
  minSize: 0.001,
};

describe('zbServer', () => {
  const parts = { ...fakeHost(), clock: new VirtualClock(), logger: silentLogger };

  it('refuses two keys of one name', () => {
    expect(() => zbServer({ ...parts, keys: [KEY, KEY] })).toThrow(/comes twice/);
  });

  it('refuses a key to an account that the exchange does not have', () => {
    expect(() => zbServer({ ...parts, keys: [{ ...KEY, account: 'else' }] })).toThrow(
      /opens the account "else", an account of the exchange is wanted/,
    );
  });
});
