import { describe, expect, it } from 'vitest';
import { INTERVALS } from '../../../../../src/domain/index.ts';
import { silentLogger, VirtualClock } from '../../../../../src/kernel/index.ts';
import { SimulatedExchange } from '../../../../../src/sim/index.ts';
import { type DialectName, zbServer } from '../../../../../src/venues/zb/server/index.ts';
import {
  ADDRESS,
  BTC_USDT,
  FULL_KEY,
  fakeConnection,
  START_MS,
  signedFrame,
  signedTarget,
} from '../fixture.ts';

const PUBLIC = ['ticker', 'depth', 'trades', 'quick_depth', ...INTERVALS.map((i) => `kline_${i}`)];

/** A peer of the simulated exchange's own wire. */
function peerOf(dialect: DialectName) {
  const clock = new VirtualClock(START_MS);
  const balances = { usdt: '10000', btc: '1' };
  const host = new SimulatedExchange({
    clock,
    markets: [BTC_USDT],
    accounts: [{ name: 'main', balances, marginBalances: { cross: balances } }],
  });
  const liquidity = host.anonymous('btc_usdt');
  liquidity.replace({ bids: [[29_999, 1]], asks: [[30_001, 1]] });
  const keys = [FULL_KEY];
  const server = zbServer({ host, keys, clock, logger: silentLogger, dialect });
  const { connection, frames } = fakeConnection();
  const session = server.open(connection, ADDRESS);
  return {
    clock,
    liquidity,
    add: (channel: string) => session.receive(JSON.stringify({ event: 'addChannel', channel })),
    sign: (channel: string, market?: string) =>
      session.receive(JSON.stringify(signedFrame(channel, market === undefined ? {} : { market }))),
    /** The frames since the last look; half a second passes. */
    heard: () => {
      clock.advanceBy(500);
      return frames.splice(0).map((frame) => JSON.parse(frame));
    },
    order: (parameters: Record<string, string>) => {
      const defaults = { currency: 'btc_usdt', tradeType: '1', price: '29000', amount: '0.1' };
      const query = { ...defaults, ...parameters };
      const target = signedTarget('order', query, { nowMs: clock.now() });
      let id = '';
      server.handle({ target, address: ADDRESS, userAgent: 'x' }).subscribe(({ body }) => {
        id = JSON.parse(body).id;
      });
      return id;
    },
  };
}

describe.each(['documented', 'recorded'] as const)('pushes of the simulator, %s', (dialect) => {
  it('begin with one frame a channel, and are silent while nothing changes', () => {
    const { add, heard } = peerOf(dialect);
    for (const name of PUBLIC) add(`btcusdt_${name}`);
    add('markets');
    expect(heard()).toHaveLength(PUBLIC.length + 1);
    expect(heard()).toEqual([]);
  });

  it('tell a trade on every channel that it changes', () => {
    const { add, heard, liquidity } = peerOf(dialect);
    for (const name of PUBLIC) add(`btcusdt_${name}`);
    heard();
    liquidity.print({ takerSide: 'buy', price: 30_000, amount: 0.25 });
    const frames = heard();
    const channels = frames.map(({ channel }) => channel.slice('btcusdt_'.length));
    const klines = INTERVALS.map((interval) => `kline_${interval}`);
    expect(channels).toEqual(expect.arrayContaining(['trades', 'ticker', ...klines]));
    expect(new Set(channels).size).toBe(channels.length);
    const [{ data }] = frames.filter(({ dataType }) => dataType === 'trades');
    const isRecorded = dialect === 'recorded';
    expect(data).toMatchObject([
      {
        price: isRecorded ? '30000' : 30_000,
        amount: isRecorded ? '0.25' : 0.25,
        date: isRecorded ? START_MS / 1_000 : START_MS + 500,
        type: 'buy',
      },
    ]);
  });

  it('tell an order and its money, whole and in part', () => {
    const { sign, heard, order, liquidity } = peerOf(dialect);
    for (const channel of ['push_user_record', 'push_user_incr_record']) {
      sign(channel, 'btcusdtdefault');
    }
    for (const channel of ['push_user_asset', 'push_user_incr_asset']) sign(channel);
    expect(heard().map(({ dataType }) => dataType)).toEqual(['userRecord', 'userAsset']);
    const id = order({});
    const placed = heard();
    const of = (frames: typeof placed, kind: string) =>
      frames.filter(({ dataType }) => dataType === kind);
    expect(of(placed, 'userIncrRecord').map(({ record }) => record[0])).toEqual([id]);
    expect(of(placed, 'userRecord').map(({ record }) => record[0][0])).toEqual([id]);
    expect(of(placed, 'userIncrAsset')).toMatchObject([
      { coins: [{ key: 'usdt', available: '7100', freez: '2900' }] },
    ]);
    expect(of(placed, 'userAsset')).toMatchObject([{ coins: { length: 2 } }]);
    liquidity.print({ takerSide: 'sell', price: 29_000, amount: 5 });
    const filled = heard();
    const rows = of(filled, 'userIncrRecord').map(({ record }) => record);
    expect(rows.at(-1).slice(13, 16)).toEqual([expect.any(String), 29_000, 0.1]);
    const [snapshot] = of(filled, 'userRecord').slice(-1);
    expect([snapshot.record, snapshot.hrecord[0][0]]).toEqual([[], id]);
  });

  it('tell nothing of money that came back in the same breath', () => {
    const { sign, heard, order } = peerOf(dialect);
    sign('push_user_incr_asset');
    heard();
    order({ orderType: '2' });
    expect(heard()).toEqual([]);
  });

  it('tell the cross account on its own channel', () => {
    const { sign, heard, order } = peerOf(dialect);
    sign('push_user_cross_asset');
    sign('push_user_incr_asset');
    order({ acctType: '2' });
    expect(heard()).toMatchObject([
      { dataType: 'userCrossAsset', coins: [{ key: 'usdt', available: '7100', freez: '2900' }] },
    ]);
  });
});

describe('a push of the cross account', () => {
  it('names the coins like those of the spot account', () => {
    const { sign, heard, order } = peerOf('documented');
    sign('push_user_cross_asset');
    sign('push_user_incr_asset');
    order({ acctType: '2' });
    order({});
    const [cross, spot] = heard().map(({ coins: [{ available: _, freez: __, ...coin }] }) => coin);
    expect(spot).toMatchObject({ key: 'usdt', cnName: 'Tether' });
    expect(cross).toEqual(spot);
  });
});
