import { describe, expect, it } from 'vitest';
import { silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { zbServer } from '../../../../src/venues/zb/server/index.ts';
import { signatureOf, signingKeyOf } from '../../../../src/venues/zb/wire/signing.ts';
import {
  ADDRESS,
  fakeHost,
  KEY,
  ORDER,
  type SigningChanges,
  START_MS,
  serverFixture,
} from './fixture.ts';

const KEYS = [
  KEY,
  { ...KEY, accessKey: 'reader', permissions: { ...KEY.permissions, orders: false } },
];

/** What `check-order.test.ts` does not check for every operation. */
describe('authenticate', () => {
  const { call } = serverFixture({ keys: KEYS });

  it.each<[string, number, SigningChanges, Record<string, string>]>([
    ['an empty reqTime', 3005, { reqTime: '', accessKey: 'nobody' }, ORDER],
    [
      'a missing permission before a bad market',
      1012,
      { accessKey: 'reader' },
      { ...ORDER, currency: 'x_y' },
    ],
    ['a bad market last', 1001, {}, { ...ORDER, currency: 'x_y' }],
  ])('minds %s', (_name, code, changes, parameters) => {
    expect(call('order', parameters, changes).code).toBe(code);
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

  it('takes an empty customerOrderId in the signed text too, as the contract has it', () => {
    const { ask, called, clock } = serverFixture();
    const { accessKey: accesskey, secretKey } = KEY;
    const sent = { ...ORDER, accesskey, customerOrderId: '', method: 'order' };
    const names = Object.keys(sent).sort() as (keyof typeof sent)[];
    const text = names.map((name) => `${name}=${sent[name]}`).join('&');
    const sign = signatureOf(signingKeyOf(secretKey), text);
    const order = (changes: Record<string, string>) =>
      ask(`/api/order?${new URLSearchParams({ ...sent, sign, ...changes })}`).code;
    const reqTime = String(clock.now());
    expect(order({ reqTime })).toBe(1000);
    expect(order({ reqTime, amount: '0.002' })).toBe(1003);
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
