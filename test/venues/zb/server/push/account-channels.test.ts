import { describe, expect, it } from 'vitest';
import type { Amount } from '../../../../../src/domain/index.ts';
import { Decimal } from '../../../../../src/kernel/index.ts';
import { signatureOf, signingKeyOf } from '../../../../../src/venues/zb/wire/signing.ts';
import { BALANCES, KEY, orderRecord, START_MS, sessionFixture, signedFrame } from '../fixture.ts';

const ORDERS = 'push_user_incr_record';
const ASSETS = 'push_user_incr_asset';
const ORDERS_FRAME = signedFrame(ORDERS, { market: 'btcusdtdefault' });
const PUSH = { exchangeTime: START_MS, receivedTime: START_MS };
const PART = { filledAmount: 0.0002 as Amount, filledValue: Decimal.of('6.00') };

describe('push_user_incr_record', () => {
  it('sends each order that changes as one flat array of seventeen', () => {
    const { say, heard, feeds } = sessionFixture();
    say(ORDERS_FRAME);
    expect(heard()).toEqual([]);
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    const record = ['202202224851151555', 30_000, 0.0006, 0, 0, 1, 1_645_610_254_524, 0];
    expect(heard()).toEqual([
      {
        dataType: 'userIncrRecord',
        channel: ORDERS,
        market: 'btcusdtdefault',
        record: [...record, '0', 0, 0, 0, 0, '0', 0, 0, 0],
      },
    ]);
  });

  it('ends with the latest trade where the host tells it', () => {
    const { say, heard, feeds } = sessionFixture();
    say(ORDERS_FRAME);
    heard();
    const lastTrade = { id: '9007199254740993', price: 30_000, amount: 0.0002, time: START_MS };
    const order = orderRecord({ ...PART, fee: Decimal.of('0.0000004'), lastTrade });
    feeds.orders.next({ order, ...PUSH });
    const { record } = heard()[0];
    expect(record.slice(3, 9)).toEqual([0.0002, 6, 1, 1_645_610_254_524, 3, '0.0000004']);
    expect(record.slice(13)).toEqual(['9007199254740993', 30_000, 0.0002, START_MS]);
  });

  it('shows status by dialect and what ended', () => {
    const { say, heard, feeds } = sessionFixture({ dialect: 'recorded' });
    say(ORDERS_FRAME);
    heard();
    for (const changes of [{}, { closed: true }, { closed: true, ...PART }]) {
      feeds.orders.next({ order: orderRecord(changes), ...PUSH });
    }
    expect(heard().map(({ record }) => record[7])).toEqual([3, 1, 2]);
  });

  it.each(['', 'default', 'btcusdt', 'btc_usdtdefault', 'dogeusdtdefault'])(
    'has no market %j',
    (market) => {
      const { say, heard } = sessionFixture();
      say(signedFrame(ORDERS, { market }));
      expect(heard()).toMatchObject([{ code: 1001, message: 'Error Market' }]);
    },
  );
});

describe('push_user_incr_asset', () => {
  it('sends the coins that changed', () => {
    const { say, heard, feeds } = sessionFixture();
    say(signedFrame(ASSETS));
    heard();
    const more = { ...BALANCES[0]!, available: Decimal.of('1.6') };
    feeds.balances.next({ balances: [more], ...PUSH });
    feeds.balances.next({ balances: [], ...PUSH });
    expect(heard()).toMatchObject([
      {
        coins: [{ key: 'btc', available: '1.6', freez: '0.5', showName: 'BTC' }],
        dataType: 'userIncrAsset',
        channel: ASSETS,
        version: START_MS,
        usdtcny: '6.32',
      },
    ]);
  });
});

describe('push_user_incr_asset of a host that repeats itself', () => {
  it('leaves out coins that are as they were', () => {
    const { say, heard, feeds } = sessionFixture();
    say(signedFrame(ASSETS));
    const [btc, usdt] = [BALANCES[0]!, { ...BALANCES[1]!, frozen: Decimal.of(7) }];
    feeds.balances.next({ balances: [btc], ...PUSH });
    feeds.balances.next({ balances: [btc, usdt], ...PUSH });
    feeds.balances.next({ balances: [{ ...btc, frozen: Decimal.of('0.50') }], ...PUSH });
    const keys = heard().map(({ coins }) => coins.map(({ key }: { key: string }) => key));
    expect(keys).toEqual([['usdt']]);
  });
});

const disabled = { ...KEY, accessKey: 'off', disabled: true };
const bound = { ...KEY, accessKey: 'bound', boundAddresses: ['10.9.9.9'] };
const reader = {
  ...KEY,
  accessKey: 'reader',
  permissions: { ...KEY.permissions, orders: false },
};
const keys = [KEY, disabled, bound, reader];
const market = 'btcusdtdefault';

describe('AccountChannels', () => {
  it.each([
    ['no accesskey', { ...ORDERS_FRAME, accesskey: '' }, 3005],
    ['an accesskey that is a number', { ...ORDERS_FRAME, accesskey: 1 }, 3005],
    ['no sign', { ...ORDERS_FRAME, sign: '' }, 3005],
    ['an unknown key', signedFrame(ORDERS, { market, accessKey: 'nobody' }), 1003],
    ['a wrong sign', signedFrame(ORDERS, { market, secretKey: 'guess' }), 1003],
    ['a changed field', { ...ORDERS_FRAME, market: 'shibbtcdefault' }, 1003],
    ['an added field', { ...ORDERS_FRAME, extra: '1' }, 1003],
    ['a disabled key', signedFrame(ORDERS, { market, accessKey: 'off' }), 4001],
    ['a foreign address', signedFrame(ORDERS, { market, accessKey: 'bound' }), 3006],
    ['a missing permission', signedFrame(ORDERS, { market, accessKey: 'reader' }), 1012],
  ])('refuses %s with an error frame and code', (_name, frame, code) => {
    const { say, heard, feeds } = sessionFixture({ keys });
    say(frame);
    expect(heard()).toMatchObject([{ code, success: false, channel: ORDERS }]);
    expect(feeds.orders.observed).toBe(false);
  });
});

describe('AccountChannels subscriptions', () => {
  it('signs over all fields but sign, whatever their order on the wire', () => {
    const { say, heard } = sessionFixture();
    const text = `{"accesskey":"${KEY.accessKey}","channel":"${ASSETS}","event":"addChannel","no":"7"}`;
    const sign = signatureOf(signingKeyOf(KEY.secretKey), text);
    say({ sign, no: '7', event: 'addChannel', channel: ASSETS, accesskey: KEY.accessKey });
    expect(heard()).toMatchObject([{ code: 1000, no: '7' }]);
  });

  it('serves several sessions of a key, and both channels of one, apart', () => {
    const { open, feeds } = sessionFixture();
    const [first, second] = [open(), open()];
    for (const { say } of [first, second]) say(ORDERS_FRAME);
    first.say(signedFrame(ASSETS));
    first.heard();
    second.heard();
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    feeds.balances.next({ balances: [{ ...BALANCES[0]!, available: Decimal.ZERO }], ...PUSH });
    expect([first.heard().length, second.heard().length]).toEqual([2, 1]);
    first.session.end();
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    expect([first.heard().length, second.heard().length]).toEqual([0, 1]);
  });

  it('ends one market by its name and all of them without', () => {
    const { say, heard, feeds } = sessionFixture();
    say(ORDERS_FRAME);
    say(signedFrame(ORDERS, { market: 'shibbtcdefault' }));
    say({ event: 'removeChannel', channel: ORDERS, market: 'shibbtcdefault' });
    expect(feeds.orders.observers).toHaveLength(1);
    say({ event: 'removeChannel', channel: ORDERS });
    expect(feeds.orders.observers).toHaveLength(0);
    heard();
  });
});

describe('AccountChannels answers', () => {
  it('tells success to who numbered the frame or was refused before, and to nobody else', () => {
    const { say, heard } = sessionFixture({ keys });
    const good = signedFrame(ORDERS, { market });
    say(good);
    expect(heard()).toEqual([]);
    say(signedFrame(ORDERS, { market, no: 'a1' }));
    expect(heard()).toEqual([
      { no: 'a1', code: 1000, success: true, channel: ORDERS, message: '操作成功' },
    ]);
    say({ ...good, sign: '0' });
    say(good);
    expect(heard()).toMatchObject([
      { no: '0', code: 1003 },
      { no: '0', code: 1000 },
    ]);
    say(good);
    expect(heard()).toEqual([]);
  });

  it('ends with the key: one that is disabled hears no more', () => {
    const { server, say, heard, feeds } = sessionFixture();
    say(ORDERS_FRAME);
    server.operator.setDisabled(KEY.accessKey, true);
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    expect(heard()).toMatchObject([{ code: 4001, success: false, channel: ORDERS }]);
    expect(feeds.orders.observed).toBe(false);
  });

  it('begins anew what is asked for again, whatever fields are added', () => {
    const { say, heard, feeds } = sessionFixture();
    say(ORDERS_FRAME);
    say(signedFrame(ORDERS, { market, no: '2' }));
    say(signedFrame(ASSETS, { market: 'a' }));
    say(signedFrame(ASSETS, { market: 'b' }));
    heard();
    feeds.orders.next({ order: orderRecord(), ...PUSH });
    feeds.balances.next({ balances: [{ ...BALANCES[0]!, available: Decimal.ZERO }], ...PUSH });
    expect(heard()).toHaveLength(2);
  });

  it('takes the frames of other programs, fields of theirs included', () => {
    const { say, heard } = sessionFixture();
    const fields = {
      accesskey: KEY.accessKey,
      binary: 'false',
      channel: 'push_user_asset',
      event: 'addChannel',
      isZip: 'false',
    };
    say({ ...fields, sign: signatureOf(signingKeyOf(KEY.secretKey), JSON.stringify(fields)) });
    expect(heard()).toMatchObject([{ dataType: 'userAsset' }]);
  });
});
