import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Amount, Price } from '../../../../src/domain/index.ts';
import { seededRandom, silentLogger, VirtualClock } from '../../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../../src/sim/index.ts';
import { connectZb } from '../../../../src/venues/zb/client/index.ts';
import { type DialectName, zbServer } from '../../../../src/venues/zb/server/index.ts';
import {
  ADDRESS,
  BTC_USDT,
  fakeConnection,
  KEY,
  START_MS,
  signedFrame,
  signedTarget,
} from './fixture.ts';

function simulated(dialect: DialectName) {
  const clock = new VirtualClock(START_MS);
  const host = new SimulatedExchange({
    clock,
    markets: [BTC_USDT],
    accounts: [{ name: 'main', balances: { usdt: '10000', btc: '1' } }],
  });
  host.anonymous('btc_usdt').replace({ bids: [[29_999, 1]], asks: [[30_001, 1]] });
  const server = zbServer({ host, keys: [KEY], clock, logger: silentLogger, dialect });
  const call = (name: string, parameters: Record<string, string> = {}) => {
    const target = signedTarget(name, parameters, { nowMs: clock.now() });
    let body = '';
    server.handle({ target, address: ADDRESS, userAgent: 'x' }).subscribe((answer) => {
      body = answer.body;
    });
    return JSON.parse(body);
  };
  const client = connectZb({
    ...{ dataUrl: 'https://data.example', tradeUrl: 'https://trade.example' },
    ...{ pushUrl: 'wss://push.example', accessKey: KEY.accessKey, secretKey: KEY.secretKey },
    ...{ clock, random: seededRandom(1) },
    http: () => ({
      get: (target) => server.handle({ target, address: ADDRESS, userAgent: 'x' }),
      close: async () => {},
    }),
  });
  const { connection, frames } = fakeConnection();
  const session = server.open(connection, ADDRESS);
  session.receive(
    JSON.stringify(signedFrame('push_user_incr_record', { market: 'btcusdtdefault' })),
  );
  session.receive(JSON.stringify(signedFrame('push_user_incr_asset')));
  const heard = () => {
    clock.advanceBy(1_000);
    return frames.splice(0).map((frame) => JSON.parse(frame));
  };
  return { clock, call, client, heard };
}

const BID = { currency: 'btc_usdt', tradeType: '1', price: '29000', amount: '0.1' };

describe.each(['documented', 'recorded'] as const)('the simulated exchange, %s', (dialect) => {
  it('refuses a PostOnly that would take in a way that our client takes for a no', async () => {
    const { client } = simulated(dialect);
    const failure = await lastValueFrom(
      client.trading.place({
        ...{ market: 'btc_usdt', side: 'buy', type: 'postOnly', clientOrderId: 'Tw13' },
        ...{ price: 30_001 as Price, amount: 0.1 as Amount },
      }),
    ).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ kind: 'rejected', code: 1001 });
  });

  it('lets an order rest, shows it everywhere, and cancels it', () => {
    const { call, heard } = simulated(dialect);
    heard();
    const { code, id } = call('order', { ...BID, customerOrderId: 'Tw12' });
    expect(String(code)).toBe('1000');
    const status = dialect === 'documented' ? 0 : 3;
    expect(call('getOrder', { currency: 'btc_usdt', id })).toMatchObject({ id, status, type: 1 });
    expect(call('getOrders', { currency: 'btc_usdt', tradeType: '1' })).toMatchObject([{ id }]);
    const [usdt] = call('getAccountInfo').result.coins.filter(
      (coin: { key: string }) => coin.key === 'usdt',
    );
    expect(usdt).toMatchObject({ available: '7100', freez: '2900' });
    const pushed = heard();
    expect(pushed.find(({ record }) => record)?.record.slice(0, 8)).toEqual([
      id,
      29_000,
      0.1,
      0,
      0,
      1,
      START_MS + 1_000,
      status,
    ]);
    expect(pushed.find(({ coins }) => coins)?.coins).toMatchObject([
      { key: 'usdt', freez: '2900' },
    ]);
    const cancelled = call('cancelOrder', { currency: 'btc_usdt', customerOrderId: 'Tw12' });
    expect(cancelled.message).toMatchObject({ isSuc: true, datas: { completeAmount: 0 } });
    expect(call('getOrder', { currency: 'btc_usdt', id }).status).toBe(1);
  });

  it('fires the timed cancel a minute after the call', () => {
    const { call, clock } = simulated(dialect);
    const ids = call('orderMoreV2', {
      market: 'btc_usdt',
      tradeType: '1',
      tradeParams: '[[29000,0.1],["28000","0.1"]]',
    }).data;
    expect(ids).toHaveLength(2);
    call('cancelAllOrdersAfter', { currency: 'btc_usdt' });
    const statuses = () =>
      ids.map((id: string) => call('getOrder', { currency: 'btc_usdt', id }).status);
    clock.advanceBy(59_999);
    expect(statuses()).not.toContain(1);
    clock.advanceBy(1);
    expect(statuses()).toEqual([1, 1]);
  });

  it('passes refusals of the exchange on', () => {
    const { call } = simulated(dialect);
    expect(Number(call('order', { ...BID, amount: '9' }).code)).toBe(2009);
    expect(Number(call('getOrder', { currency: 'btc_usdt', id: '1' }).code)).toBe(3001);
    expect(Number(call('getOrders', { currency: 'btc_usdt', tradeType: '0' }).code)).toBe(3001);
  });
});
