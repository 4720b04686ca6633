import { of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Amount, OrderRecord } from '../../../../../src/domain/index.ts';
import { ExchangeFailure, type OrderListQuery } from '../../../../../src/exchange/index.ts';
import { Decimal } from '../../../../../src/kernel/index.ts';
import {
  BALANCES,
  FULL_KEY,
  orderRecord,
  START_MS,
  sessionFixture,
  signedFrame,
} from '../fixture.ts';

const PUSH = { exchangeTime: START_MS, receivedTime: START_MS };
const RECORDS = signedFrame('push_user_record', { market: 'btcusdtdefault' });
const CROSS = 'push_user_cross_asset';

const order = (id: number, changes: Partial<OrderRecord> = {}) =>
  orderRecord({ exchangeOrderId: String(id), ...changes });

/** A host that has these orders, newest first. */
function sessionWith(orders: readonly OrderRecord[]) {
  const list = ({ filter, page = 1, pageSize = 10 }: OrderListQuery) => {
    const wanted = orders.filter(({ closed, filledAmount }) =>
      filter === 'unfinished' ? !closed : closed || filledAmount > 0,
    );
    return of(wanted.slice((page - 1) * pageSize, page * pageSize));
  };
  return sessionFixture({ orderLists: { list } });
}

const ids = (rows: readonly string[][]) => rows.map(([id]) => id);

describe('push_user_record', () => {
  it('begins with the open and the past orders, as rows of seventeen', () => {
    const partial = order(3, { filledAmount: 0.0002 as Amount, filledValue: Decimal.of(6) });
    const { say, heard } = sessionWith([order(4), partial, order(2, { closed: true })]);
    say(RECORDS);
    const [frame, ...others] = heard();
    expect(others).toEqual([]);
    expect(frame).toMatchObject({
      dataType: 'userRecord',
      channel: 'push_user_record',
      market: 'btcusdtdefault',
    });
    expect([ids(frame.record), ids(frame.hrecord)]).toEqual([['4', '3'], ['2']]);
    expect(frame.record[1]).toHaveLength(17);
  });

  it('is an empty list each where there are no orders', () => {
    const { say, heard } = sessionWith([]);
    say(RECORDS);
    expect(heard()).toMatchObject([{ record: [], hrecord: [] }]);
  });

  it('reads open orders to the end, and the newest past ones', () => {
    const open = Array.from({ length: 250 }, (_, at) => order(1_000 - at));
    const past = Array.from({ length: 30 }, (_, at) => order(500 - at, { closed: true }));
    const { say, heard } = sessionWith([...open, ...past]);
    say(RECORDS);
    const [{ record, hrecord }] = heard();
    expect([record.length, hrecord.length, hrecord[0][0]]).toEqual([250, 20, '500']);
  });

  it('begins with the newest thousand open orders; an older one joins when it changes', () => {
    const open = Array.from({ length: 1_100 }, (_, at) => order(2_000 - at));
    const { say, heard, feeds, clock } = sessionWith(open);
    say(RECORDS);
    const [{ record }] = heard();
    expect([record.length, record[0][0], record.at(-1)[0]]).toEqual([1_000, '2000', '1001']);
    feeds.orders.next({ order: order(950, { filledAmount: 0.0002 as Amount }), ...PUSH });
    clock.advanceBy(100);
    expect(ids(heard()[0].record)).toEqual(['950', ...ids(record)]);
  });

  it('comes whole after changes, a hundred milliseconds apart at the least', () => {
    const { say, heard, feeds, clock } = sessionWith([order(1)]);
    say(RECORDS);
    heard();
    feeds.orders.next({ order: order(2), ...PUSH });
    feeds.orders.next({ order: order(1, { closed: true }), ...PUSH });
    expect(heard()).toEqual([]);
    clock.advanceBy(100);
    const frames = heard();
    expect(frames.map(({ record, hrecord }) => [ids(record), ids(hrecord)])).toEqual([
      [['2'], ['1']],
    ]);
    clock.advanceBy(1_000);
    expect(heard()).toEqual([]);
  });
});

describe('push_user_record over time', () => {
  it('shows each order once, as it is by now, and no other in its place', () => {
    const { say, heard, feeds, clock } = sessionWith([
      order(4),
      order(3),
      order(2),
      order(1, { closed: true }),
    ]);
    say(RECORDS);
    heard();
    feeds.orders.next({ order: order(3, { filledAmount: 0.0002 as Amount }), ...PUSH });
    feeds.orders.next({ order: order(4, { closed: true }), ...PUSH });
    clock.advanceBy(100);
    const [{ record, hrecord }] = heard();
    expect([ids(record), ids(hrecord)]).toEqual([
      ['3', '2'],
      ['4', '1'],
    ]);
    expect(record[0][3]).toBe(0.0002);
  });

  it('is not misled by old news', () => {
    const filled = { filledAmount: 0.0004 as Amount, filledValue: Decimal.of(12) };
    const { say, heard, feeds, clock } = sessionWith([
      order(2, filled),
      order(1, { closed: true }),
    ]);
    say(RECORDS);
    heard();
    feeds.orders.next({ order: order(1), ...PUSH });
    feeds.orders.next({ order: order(2), ...PUSH });
    clock.advanceBy(1_000);
    expect(heard()).toEqual([]);
  });

  it('tells who joins later what all know by then, reading the lists once', () => {
    const { say, open, called, feeds, clock } = sessionWith([order(1)]);
    say(RECORDS);
    feeds.orders.next({ order: order(2), ...PUSH });
    clock.advanceBy(100);
    const reads = called('list').length;
    const second = open();
    second.say(RECORDS);
    expect(second.heard().map(({ record }) => ids(record))).toEqual([['2', '1']]);
    expect(called('list')).toHaveLength(reads);
  });

  it('passes on why the lists cannot be read', () => {
    const list = () =>
      throwError(() => new ExchangeFailure('rejected', 'no right', { code: 1012 }));
    const { say, heard } = sessionFixture({ orderLists: { list } });
    say(RECORDS);
    expect(heard()).toMatchObject([{ code: 1012, success: false, channel: 'push_user_record' }]);
  });
});

describe('push_user_asset', () => {
  it('sends all coins at once and after a change', () => {
    const { say, heard, feeds, clock } = sessionFixture();
    say(signedFrame('push_user_asset'));
    const coins = (frames: { coins: { key: string; available: string }[] }[]) =>
      frames.map((frame) => frame.coins.map(({ key, available }) => [key, available]));
    const first = heard();
    expect(first).toMatchObject([
      { dataType: 'userAsset', channel: 'push_user_asset', version: START_MS, usdtcny: '6.32' },
    ]);
    expect(coins(first)).toEqual([
      [
        ['btc', '1.50000001'],
        ['usdt', '1000'],
      ],
    ]);
    feeds.balances.next({ balances: [{ ...BALANCES[1]!, available: Decimal.of(9) }], ...PUSH });
    clock.advanceBy(100);
    expect(coins(heard())).toEqual([
      [
        ['btc', '1.50000001'],
        ['usdt', '9'],
      ],
    ]);
  });
});

describe('coins of an account that has none', () => {
  it.each(['push_user_asset', 'push_user_incr_asset'])(
    '%s tells the first that come',
    (channel) => {
      const { say, heard, feeds, clock } = sessionFixture({ balances: [] });
      say(signedFrame(channel));
      feeds.balances.next({ balances: BALANCES, ...PUSH });
      clock.advanceBy(100);
      const keys = heard().map(({ coins }) => coins.map(({ key }: { key: string }) => key));
      expect(keys.at(-1)).toEqual(['btc', 'usdt']);
      expect(keys).toHaveLength(channel === 'push_user_asset' ? 2 : 1);
    },
  );
});

describe('push_user_cross_asset', () => {
  const balance = (available: string) => ({
    currency: 'btc',
    available: Decimal.of(available),
    frozen: Decimal.of('0.25'),
  });

  it('sends the coins of the cross account that changed', () => {
    const { say, heard, feeds } = sessionFixture({ keys: [FULL_KEY] });
    say(signedFrame(CROSS));
    feeds.crossBalances.next({ balances: [balance('1.5')], ...PUSH });
    feeds.crossBalances.next({ balances: [balance('1.75')], ...PUSH });
    feeds.balances.next({ balances: BALANCES, ...PUSH });
    expect(heard()).toMatchObject([
      {
        coins: [{ key: 'btc', available: '1.75', freez: '0.25' }],
        dataType: 'userCrossAsset',
        channel: CROSS,
        version: START_MS,
      },
    ]);
  });

  it('needs the right to margin', () => {
    const { say, heard } = sessionFixture();
    say(signedFrame(CROSS));
    expect(heard()).toMatchObject([{ code: 1012, channel: CROSS }]);
  });

  it('is no channel of a host that tells nothing of cross accounts', () => {
    const { say, heard } = sessionFixture({
      keys: [FULL_KEY],
      accountFeed: { crossBalances: undefined as never },
    });
    say(signedFrame(CROSS, { no: '7' }));
    expect(heard()).toMatchObject([{ code: 1007, channel: CROSS, message: 'Channel is empty' }]);
  });
});
