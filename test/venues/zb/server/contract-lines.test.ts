import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { SimulatedExchange, type SimulatedExchangeOptions } from '../../../../src/sim/index.ts';
import { type KeySettings, zbServer } from '../../../../src/venues/zb/server/index.ts';
import { readAnswer, readPlaced } from '../../../../src/venues/zb/wire/index.ts';
import {
  ADDRESS,
  BTC_USDT,
  FULL_KEY,
  fakeConnection,
  KEY,
  ORDER,
  refusing,
  START_MS,
  serverFixture,
  signedFrame,
  signedTarget,
} from './fixture.ts';

// Lines of the contract that no other test shows on the wire, against the simulated exchange.

const XRP_USDT = { ...BTC_USDT, id: 'xrp_usdt', base: 'xrp', minAmount: 1, minSize: 1 };
const PASSWORD = 'open sesame';
const BID = { currency: 'btc_usdt', tradeType: '1', price: '29000', amount: '0.1' };
const ASK = { ...BID, tradeType: '0', price: '31000' };

/** The simulated exchange and its wire in the documented dialect. */
function wire(options: Partial<SimulatedExchangeOptions> = {}, keys: KeySettings[] = [FULL_KEY]) {
  const clock = new VirtualClock(START_MS);
  const host = new SimulatedExchange({
    clock,
    markets: [BTC_USDT, XRP_USDT],
    accounts: [
      {
        name: 'main',
        balances: { usdt: '100000', btc: '10', xrp: '5000' },
        permissions: { withdrawals: true },
        fundsPassword: PASSWORD,
        withdrawalAddresses: { xrp: [{ address: 'rMine', memo: '5' }] },
      },
    ],
    ...options,
  });
  const server = zbServer({ host, keys, clock, logger: silentLogger });
  const ask = (target: string) => {
    let answer = '';
    server.handle({ target, address: ADDRESS, userAgent: 'Mozilla/5.0' }).subscribe(({ body }) => {
      answer = body;
    });
    return JSON.parse(answer);
  };
  const call = (
    name: string,
    parameters: Record<string, string> = {},
    accessKey: string = FULL_KEY.accessKey,
  ) => ask(signedTarget(name, parameters, { nowMs: clock.now(), accessKey }));
  return { clock, host, server, ask, call, liquidity: host.anonymous('btc_usdt') };
}

describe('market data, from many', () => {
  it('is the latest 1000 candles of more', () => {
    const { ask, host, clock } = wire();
    const minutes = Array.from({ length: 1_200 }, (_, at) => ({
      ...{ openTime: START_MS - (START_MS % MINUTE_MS) - (1_200 - at) * MINUTE_MS },
      ...{ open: at, high: at, low: at, close: at, volume: 1 },
    }));
    host.seedHistory('btc_usdt', minutes);
    const opens = (more: string): number[] => {
      clock.advanceBy(1_000);
      const { data } = ask(`/data/v1/kline?market=btc_usdt&type=1min${more}`);
      return data.map(([, open]: number[]) => open);
    };
    for (const more of ['', '&size=1000']) {
      const told = opens(more);
      expect([told.length, told[0], told.at(-1)]).toEqual([1_000, 200, 1_199]);
    }
    expect(opens('&size=3')).toEqual([1_197, 1_198, 1_199]);
  });

  it('wants a market that there is', () => {
    const { ask } = wire();
    for (const path of ['ticker', 'depth', 'trades', 'kline']) {
      const code = (query: string) => ask(`/data/v1/${path}${query}`).code;
      // A second request of candles within a second is one too many.
      const unknown = path === 'kline' ? 4002 : 1001;
      expect([code(''), code('?market=doge_usdt')]).toEqual([3005, unknown]);
    }
  });

  it('is as many levels a side as asked for, 50 where nothing is said', () => {
    const { ask, liquidity } = wire();
    const levels = (sign: number) =>
      Array.from({ length: 60 }, (_, at) => [30_000 + sign * (at + 1), 1] as const);
    liquidity.replace({ bids: levels(-1), asks: levels(1) });
    const counts = (more: string) => {
      const { bids, asks } = ask(`/data/v1/depth?market=btc_usdt${more}`);
      return [bids.length, asks.length];
    };
    expect(['', '&size=50', '&size=1', '&size=50&merge=10'].map(counts)).toEqual([
      ...[
        [50, 50],
        [50, 50],
        [1, 1],
        [5, 5],
      ],
    ]);
  });
});

describe('orders on the wire', () => {
  it('have the types 0 to 5', () => {
    const { call } = wire();
    const typeOf = (tradeType: string, orderType: string) => {
      const { price } = tradeType === '1' ? BID : ASK;
      const { id } = call('order', { ...BID, tradeType, price, orderType });
      return call('getOrder', { currency: 'btc_usdt', id }).type;
    };
    const types = ['', '1', '2'].flatMap((type) => [typeOf('0', type), typeOf('1', type)]);
    expect(types).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('go from 0 over 3 to 2, and cancelled to 1 untouched or 2 in part', () => {
    const { call, liquidity } = wire();
    const place = () => call('order', BID).id;
    const status = (id: string) => call('getOrder', { currency: 'btc_usdt', id }).status;
    const sell = (amount: number) => liquidity.print({ takerSide: 'sell', price: 29_000, amount });
    const filled = place();
    const seen = [status(filled)];
    for (const amount of [0.04, 0.06]) {
      sell(amount);
      seen.push(status(filled));
    }
    expect(seen).toEqual([0, 3, 2]);
    const [touched, untouched] = [place(), place()];
    sell(0.04);
    for (const id of [touched, untouched]) call('cancelOrder', { currency: 'btc_usdt', id });
    expect([status(touched), status(untouched)]).toEqual([2, 1]);
  });

  it('take a customerOrderId of 4 and of 36 letters or digits', () => {
    const { call } = wire();
    for (const customerOrderId of ['aB12', 'Z9'.repeat(18)]) {
      const { id } = call('order', { ...BID, customerOrderId });
      expect(call('getOrder', { currency: 'btc_usdt', customerOrderId }).id).toBe(id);
    }
  });
});

describe('orders on the wire, ids and accounts', () => {
  it.each(['None', 'null', 'undefined'])('take the customerOrderId %j for a name', (word) => {
    const { call } = wire();
    const { id } = call('order', { ...BID, customerOrderId: word });
    const reference = { currency: 'btc_usdt', customerOrderId: word };
    expect(call('getOrder', reference).id).toBe(id);
    expect(call('getOrder', { ...reference, id }).code).toBe(3005);
    expect(call('cancelOrder', reference).code).toBe(1000);
  });

  it('borrow and repay by a switch for no key without the right to margin', () => {
    const permissions = { ...FULL_KEY.permissions, margin: false };
    const less = { ...FULL_KEY, accessKey: 'less', permissions };
    const { call, liquidity } = wire(
      {
        accounts: [
          { name: 'main', balances: {}, marginBalances: { cross: { usdt: '3000', btc: '0.1' } } },
        ],
      },
      [FULL_KEY, less],
    );
    liquidity.replace({ bids: [[29_000, 9]], asks: [[29_000, 9]] });
    for (const name of ['setExpressState', 'setRepayState']) {
      expect(call(name, { state: 'true' }, 'less').code).toBe(1012);
      expect(call(name, { state: 'true' }).code).toBe(1000);
    }
    const order = { ...BID, amount: '0.15', acctType: '2' };
    const batch = { market: 'btc_usdt', tradeType: '1', tradeParams: '[[29000,0.15]]' };
    expect(call('order', order, 'less').code).toBe(2009);
    expect(call('order', { ...order, enableExpress: 'true' }, 'less').code).toBe(1012);
    expect(call('orderMoreV2', { ...batch, acctType: '2' }, 'less').code).toBe(2009);
    const loan = () =>
      call('getCrossAssets').result.list.find((asset: { key: string }) => asset.key === 'USDT')
        .loanIn;
    expect(loan()).toBe(0);
    expect(call('order', order).code).toBe(1000);
    expect(loan()).toBe(1_350);
    expect(call('order', { ...order, tradeType: '0', amount: '0.05' }, 'less').code).toBe(1000);
    expect(loan()).toBe(1_350);
    expect(call('order', { ...order, tradeType: '0', amount: '0.05' }).code).toBe(1000);
    expect(loan()).toBe(0);
  });

  it('are taken by the account that acctType names, the spot account unless told', () => {
    const { call } = wire({
      accounts: [
        {
          name: 'main',
          balances: {},
          marginBalances: { isolated: { usdt: '3000' }, cross: { usdt: '3000' } },
        },
      ],
    });
    const accounts = ['', '0', '1', '2'].map((acctType) => call('order', { ...BID, acctType }));
    expect(accounts.map(({ code }) => code)).toEqual([2009, 2009, 1000, 1000]);
    const batch = { market: 'btc_usdt', tradeType: '1', tradeParams: '[[1000,0.1]]' };
    const batches = ['', '1', '2'].map((acctType) => call('orderMoreV2', { ...batch, acctType }));
    expect(batches.map(({ code }) => code)).toEqual([2009, 1000, 1000]);
  });
});

describe('withdrawals on the wire', () => {
  const WITHDRAW = { currency: 'xrp', amount: '20', fees: '0.1', safePwd: PASSWORD };

  it('go to an account and its memo, written with an underscore', () => {
    const { call } = wire();
    const receiveAddr = call('getWithdrawAddress', { currency: 'xrp' }).message.datas.key;
    expect(receiveAddr).toBe('rMine_5');
    for (const wrong of ['rMine', 'rMine_6', 'rMine5']) {
      expect(call('withdraw', { ...WITHDRAW, receiveAddr: wrong }).code).toBe(3005);
    }
    const { id } = call('withdraw', { ...WITHDRAW, receiveAddr });
    const { list } = call('getWithdrawRecord', { currency: 'xrp' }).message.datas;
    expect(list.map((one: { id: number }) => String(one.id))).toHaveLength(1);
    expect([list[0].toAddress, String(id)]).toEqual(['rMine_5', expect.stringMatching(/^\d+$/)]);
  });

  it.each([
    ['succeeded', [0, 5, 2]],
    ['failed', [0, 5, 1]],
    ['cancelled', [0, 3, 3]],
  ] as const)('are submitted and have %s in the end', (withdrawalOutcome, statuses) => {
    const { call, clock } = wire({ funds: { withdrawalOutcome } });
    const receiveAddr = 'rMine_5';
    call('withdraw', { ...WITHDRAW, receiveAddr });
    const record = () => call('getWithdrawRecord', { currency: 'xrp' }).message.datas.list[0];
    const seen = [record()];
    for (const waitMs of [MINUTE_MS, HOUR_MS]) {
      clock.advanceBy(waitMs);
      seen.push(record());
    }
    expect(seen.map(({ status }) => status)).toEqual(statuses);
    expect([seen[0].manageTime, seen[0].hash, seen[0].merchantOrderNo]).toEqual([0, '', '']);
    expect(seen[1].manageTime).toBe(START_MS + MINUTE_MS);
  });
});

describe('deposits on the wire', () => {
  it.each([
    ['succeeded', 2],
    ['failed', 1],
  ] as const)('wait for confirmations and have %s then', (outcome, status) => {
    const { call, clock, host } = wire();
    host.creditDeposit('main', { currency: 'btc', amount: '0.5', outcome });
    const record = () => call('getChargeRecord', { currency: 'btc' }).message.datas.list[0];
    expect(record()).toMatchObject({ status: 0, confirmTimes: 0, itransfer: 0, currency: 'BTC' });
    clock.advanceBy(10 * MINUTE_MS);
    expect(record()).toMatchObject({ status: 0, confirmTimes: 1 });
    clock.advanceBy(HOUR_MS);
    expect(record().status).toBe(status);
  });
});

describe('what the contract does not have', () => {
  it.each(['addSubUser', 'createSubUserKey', 'orderMore', 'Order', 'order//'])(
    'is the operation %s',
    (name) => {
      const { call, called } = serverFixture();
      expect(call(name, ORDER)).toMatchObject({ code: 1001 });
      expect(called('place')).toEqual([]);
    },
  );

  it('is a version in signed paths, or none in those of market data', () => {
    const { ask } = serverFixture();
    const signed = signedTarget('order', ORDER);
    for (const target of [signed.replace('/api/', '/api/v1/'), '/data/markets']) {
      expect(ask(target)).toMatchObject({ code: 1001 });
    }
    expect(ask(signed).code).toBe(1000);
  });
});

describe('what needs no word of the key', () => {
  it('is market data, whatever credentials come along', () => {
    const { ask } = serverFixture();
    for (const path of ['markets', 'allTicker', 'ticker', 'depth', 'trades', 'kline']) {
      const answer = ask(`/data/v1/${path}?market=btc_usdt&accesskey=nobody&sign=x`);
      expect(answer).not.toHaveProperty('code');
    }
  });

  it('is the time of a request: reqTime is not part of the signed text', () => {
    const { call, clock } = serverFixture();
    expect(call('order', ORDER, { reqTime: String(clock.now() - 4 * MINUTE_MS) }).code).toBe(1000);
  });
});

describe('a signature', () => {
  it('may be written in capitals', () => {
    const { ask } = serverFixture();
    const target = signedTarget('order', ORDER);
    const capitals = target.replace(/sign=\w+/, (sign) => `sign=${sign.slice(5).toUpperCase()}`);
    expect(capitals).not.toBe(target);
    expect(ask(capitals).code).toBe(1000);
  });
});

describe('pushes of REST operations', () => {
  it('tell what a request changed, and nothing of a question', () => {
    const { call, clock, server } = wire();
    const { connection, frames } = fakeConnection();
    const session = server.open(connection, ADDRESS);
    for (const frame of [
      signedFrame('push_user_incr_record', { market: 'btcusdtdefault' }),
      signedFrame('push_user_incr_asset'),
    ]) {
      session.receive(JSON.stringify(frame));
    }
    const heard = () => {
      clock.advanceBy(1_000);
      return frames.splice(0).map((frame) => JSON.parse(frame).dataType);
    };
    heard();
    const { id } = call('order', BID);
    expect(heard().sort()).toEqual(['userIncrAsset', 'userIncrRecord']);
    for (const name of ['getAccountInfo', 'getSpotBills', 'getFeeInfo']) call(name);
    call('getOrder', { currency: 'btc_usdt', id });
    call('getOrders', { currency: 'btc_usdt', tradeType: '1' });
    expect(heard()).toEqual([]);
    session.end();
  });
});

describe('private channels', () => {
  it.each([
    'push_user_incr_record',
    'push_user_record',
    'push_user_incr_asset',
    'push_user_asset',
    'push_user_cross_asset',
  ])('are refused where the account may not what the key may: %s', (channel) => {
    const permissions = { assets: false, orders: false, margin: false };
    const { server } = wire({ accounts: [{ name: 'main', balances: {}, permissions }] });
    const { connection, frames } = fakeConnection();
    const frame = signedFrame(channel, { market: 'btcusdtdefault', no: '7' });
    server.open(connection, ADDRESS).receive(JSON.stringify(frame));
    expect(frames.map((one) => JSON.parse(one))).toMatchObject([{ no: '7', code: 1012 }]);
  });
});

describe('the coins of getAccountInfo', () => {
  it('may come in and go out as their chains let them, in pushes too', () => {
    const chain = { withdrawalFee: '1', minWithdrawal: '1', usesMemo: false, confirmations: 1 };
    const closed = { ...chain, name: 'A', blockMs: 1, canDeposit: false, canWithdraw: false };
    const { call, server, clock } = wire({
      accounts: [{ name: 'main', balances: { usdt: '100000', btc: '10', xrp: '5000' } }],
      currencies: {
        usdt: { chains: [closed, { ...closed, name: 'B', canDeposit: true }] },
        btc: { chains: [closed] },
      },
    });
    type Coin = Record<'key' | 'isCanRecharge' | 'isCanWithdraw', unknown>;
    const told = (coins: readonly Coin[]) =>
      coins.map(({ key, isCanRecharge, isCanWithdraw }) => [key, isCanRecharge, isCanWithdraw]);
    expect(told(call('getAccountInfo').result.coins).sort()).toEqual([
      ['btc', false, false],
      ['usdt', true, false],
      ['xrp', true, true],
    ]);
    const { connection, frames } = fakeConnection();
    server.open(connection, ADDRESS).receive(JSON.stringify(signedFrame('push_user_incr_asset')));
    call('order', BID);
    clock.advanceBy(1_000);
    expect(frames.flatMap((frame) => told(JSON.parse(frame).coins))).toEqual([
      ['usdt', true, false],
    ]);
  });
});

describe('the flags of getAccountInfo', () => {
  it('name what a key may do, each its own right', () => {
    const none = { assets: false, orders: false, withdrawals: false, margin: false };
    const flags = (right: keyof typeof none) => {
      const permissions = { ...none, assets: true, [right]: true };
      const { call } = wire({}, [{ ...KEY, permissions }]);
      const { result: _, ...told } = call('getAccountInfo');
      return Object.keys(told).filter((name) => name.endsWith('Perm') && told[name]);
    };
    expect(flags('assets')).toEqual(['assetPerm']);
    expect(flags('orders')).toEqual(['assetPerm', 'entrustPerm']);
    expect(flags('withdrawals')).toEqual(['assetPerm', 'moneyPerm']);
    expect(flags('margin')).toEqual(['leverPerm', 'assetPerm']);
  });
});

describe('a code that this exchange never answers', () => {
  const named = [1006, 1010, 1013, 3008, 3009, 3010, 3011, 3012];
  const coins = Array.from({ length: 8 }, (_, at) => 2_001 + at);

  it.each([...named, ...coins])('is a certain no to our client: %i', (code) => {
    const { server } = serverFixture({ trading: { place: refusing(code) } });
    let body = '';
    const target = signedTarget('order', ORDER);
    server.handle({ target, address: ADDRESS, userAgent: 'x' }).subscribe((answer) => {
      body = answer.body;
    });
    const call = { action: 'place an order', read: readPlaced };
    expect(() => readAnswer({ status: 200, body }, call)).toThrow(
      expect.objectContaining({ kind: 'rejected', code }),
    );
  });
});
