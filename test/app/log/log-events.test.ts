import { describe, expect, it } from 'vitest';
import { logEvents } from '../../../src/app/log/log-events.ts';
import type { Amount, OrderState, TradingEvent } from '../../../src/domain/index.ts';
import { Bus, Decimal, type Logger } from '../../../src/kernel/index.ts';
import { makeOpen, makePending } from '../../domain/fixture.ts';

function logged(levels: readonly string[] = ['debug', 'info', 'warn', 'error']) {
  const bus = new Bus<TradingEvent>();
  const lines: string[] = [];
  const at = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const all = ['debug', 'info', 'warn', 'error'].map((level) => [level, at(level)]);
  const isLevelEnabled = (level: string): boolean => levels.includes(level);
  const logger = { ...Object.fromEntries(all), isLevelEnabled } as Logger;
  logEvents(bus, {
    logger,
    settingOf: ({ code }) => (code === 'collar' ? 'risk.it' : undefined),
    resumedBy: 'a start with --resume',
  });
  return { bus, lines };
}

const market = 'btc_usdt';
const strategy = 'maker';
const reason = 'because';

function refusalAt(time: number, code = 'collar'): TradingEvent {
  const refusal = { code, limit: '100', observed: '101', scope: 'order' } as const;
  return { kind: 'refusal', time, market, strategy, refusal };
}

function orderOf(order: Extract<TradingEvent, { kind: 'order' }>['order']): TradingEvent {
  return { kind: 'order', time: 0, market, order };
}

const time = 0;
const SENT_BACK =
  'Cannot place an order: the exchange answered 1001 "the PostOnly order would take"';
const EVENTS: [string, TradingEvent][] = [
  [
    'info maker sold 0.5 in btc_usdt at 60793.24831',
    {
      ...{ kind: 'fill', time, market },
      fill: {
        ...{ market, strategy, side: 'sell', amount: 0.5 as Amount, price: 60793.2483083083 },
        ...{ clientOrderId: 'a', exchangeOrderId: '1', time },
        ...{ value: Decimal.of('30396.62'), fee: Decimal.ZERO, feeCurrency: 'usdt' },
      },
    },
  ],
  [
    'error strategy maker failed: because',
    { kind: 'strategy', time, strategy, status: 'failed', reason },
  ],
  [
    'warn strategy maker ended: because',
    { kind: 'strategy', time, strategy, status: 'ended', reason },
  ],
  [
    'info strategy maker stopped: because',
    { kind: 'strategy', time, strategy, status: 'stopped', reason },
  ],
  [
    'info market data: feed connected',
    {
      ...{ kind: 'connection', time, channel: 'market', connected: true },
      reason: 'feed connected: connected',
    },
  ],
  [
    'info pushes of orders and balances: because',
    { kind: 'connection', time, channel: 'pushes', connected: true, reason },
  ],
  [
    'info orders in btc_usdt at the exchange (because): 2 open, 0 adopted, 1 resolved',
    { kind: 'reconciliation', time, market, reason, open: 2, adopted: 0, resolved: 1 },
  ],
  ['info strategy maker started', { kind: 'strategy', time, strategy, status: 'started', reason }],
  [
    'error trading is HALTED now: because; it stays so until a start with --resume',
    { kind: 'tradingState', time, state: 'HALTED', reason },
  ],
  ['info trading is ACTIVE now: because', { kind: 'tradingState', time, state: 'ACTIVE', reason }],
  ['info running: because', { kind: 'run', time, status: 'running', reason }],
  ['error the heartbeat of btc_usdt lapsed: because', { kind: 'lapse', time, market, reason }],
  ['debug heartbeat of btc_usdt confirmed', { kind: 'heartbeat', time, market, sentTime: 0 }],
  [
    'warn market data: disconnected, because',
    { kind: 'connection', time, channel: 'market', connected: false, reason },
  ],
  [
    'info market data: because',
    { kind: 'connection', time, channel: 'market', connected: true, reason },
  ],
  [
    'warn depth of btc_usdt is stale',
    { kind: 'freshness', time, market, stream: 'depth', fresh: false, ageMs: 9 },
  ],
  [
    'info depth of btc_usdt is fresh',
    { kind: 'freshness', time, market, stream: 'depth', fresh: true, ageMs: 0 },
  ],
  [
    'warn gap in trade of btc_usdt: because',
    { kind: 'gap', time, market, stream: 'trade', after: '1', before: '9', reason },
  ],
  ['debug pending: buy 1 in btc_usdt at 100 by maker', orderOf(makePending())],
  [
    'warn rejected, buy 1 in btc_usdt at 100 by maker: the exchange answered 1001 ' +
      '"the PostOnly order would take"',
    orderOf({ ...makePending(), status: 'rejected', reason: SENT_BACK, code: 1001 }),
  ],
  [
    'warn outcome unknown, the exchange is asked: buy 1 in btc_usdt at 100 by maker',
    orderOf({ ...makeOpen(), status: 'unknown', reason, unknownSince: 0 }),
  ],
];

describe('logEvents', () => {
  it.each(EVENTS)('%s', (line, event) => {
    const { bus, lines } = logged();
    bus.publish(event);
    expect(lines).toEqual([line]);
  });

  it('tells of readings that found nothing new once an hour, of others each time', () => {
    const { bus, lines } = logged();
    for (let minute = 0; minute < 120; minute++) {
      const resolved = minute === 70 ? 1 : 0;
      const event = { kind: 'reconciliation', time: minute * 60_000, market, reason } as const;
      bus.publish({ ...event, open: 2, adopted: 0, resolved });
    }
    const told = lines.flatMap((line, minute) => (line.startsWith('info') ? minute : []));
    expect(lines).toHaveLength(120);
    expect(told).toEqual([0, 60, 70]);
  });

  it('warns of a refusal once as long as it goes on, of another one at once', () => {
    const { bus, lines } = logged();
    for (const event of [
      refusalAt(0),
      refusalAt(100),
      refusalAt(200, 'stale'),
      ...[1, 2, 3, 4, 5, 6, 7].map((minute) => refusalAt(minute * 60_000)),
      refusalAt(7 * 60_000 + 300_000),
    ]) {
      bus.publish(event);
    }
    const goesOn = Array.from({ length: 7 }, () => 'debug');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      ...['warn', 'debug', 'warn'],
      ...goesOn,
      'warn',
    ]);
    expect(lines[0]).toBe(
      'warn risk refused maker in btc_usdt, collar: 101, wanted: 100 (risk.it)',
    );
    expect(lines[2]).toBe('warn risk refused maker in btc_usdt, stale: 101, wanted: 100');
  });

  it('leaves market data to the journal', () => {
    const { bus, lines } = logged();
    const stamps = { exchangeTime: 0, receivedTime: 0 };
    bus.publish({ kind: 'depth', market, bids: [], asks: [], ...stamps });
    expect(lines).toEqual([]);
  });
});

describe('logEvents of orders', () => {
  it('warns of orders that are rejected, or in doubt, where it tells no more', () => {
    const { bus, lines } = logged(['warn', 'error']);
    bus.publish(orderOf(makePending()));
    bus.publish(orderOf({ ...makePending(), status: 'rejected', reason: SENT_BACK, code: 1001 }));
    bus.publish(orderOf({ ...makePending(), status: 'unknown', reason, unknownSince: 0 }));
    expect(lines.map((line) => line.split(',', 1)[0])).toEqual([
      'warn rejected',
      'warn outcome unknown',
    ]);
  });

  it('warns once a minute of orders that somebody else cancels', () => {
    const { bus, lines } = logged();
    const open = makeOpen({ type: 'postOnly' });
    const cancelled = { ...open, status: 'cancelled' } as const;
    const steps = (id: string, ...states: OrderState[]): void => {
      for (const state of states) bus.publish(orderOf({ ...state, clientOrderId: id }));
    };
    steps('tw01', makePending(), open, { ...open, status: 'cancelling' }, cancelled);
    steps('tw02', { ...open, type: 'ioc' }, { ...cancelled, type: 'ioc' });
    steps('tw03', makePending(), cancelled);
    const told = () => lines.filter((line) => line.includes('not by this run'));
    expect(told()).toEqual([]);
    steps('tw04', open, cancelled);
    steps('tw05', { ...open, type: 'limit' }, { ...cancelled, type: 'limit' });
    const what =
      'cancelled, not by this run, buy 1 in btc_usdt at 100 by maker: ' +
      'by a person, another bot on this account, ';
    expect(told()).toEqual([
      `warn ${what}the timed cancel, or the exchange because it would have traded at once`,
      `debug ${what}or the timed cancel`,
    ]);
  });

  it('warns once a minute of orders that the exchange does not cancel', () => {
    const { bus, lines } = logged();
    const cancelling = { ...makeOpen(), status: 'cancelling' } as const;
    const steps = (...states: OrderState[]): void => {
      for (const state of states) bus.publish(orderOf(state));
    };
    steps(makeOpen(), cancelling, { ...cancelling, status: 'cancelled' }, makeOpen());
    const told = () => lines.filter((line) => line.includes('not cancelled'));
    expect(told()).toEqual([]);
    steps(cancelling, cancelling, makeOpen({ evidence: 'query' }));
    steps(cancelling, makeOpen({ evidence: 'answer' }), makeOpen({ evidence: 'answer' }));
    const what = 'not cancelled, buy 1 in btc_usdt at 100 by maker: ';
    const next = '; the cancel is sent again unless a wish keeps the order';
    expect(told()).toEqual([
      `warn ${what}it still rests at the exchange${next}`,
      `debug ${what}no cancel got through${next}`,
    ]);
  });
});

it('logEvents tells the ends of a gap as times in UTC, of trades as their ids', () => {
  const bus = new Bus<TradingEvent>();
  const seen: object[] = [];
  const logger = { warn: (fields: object) => void seen.push(fields) } as unknown as Logger;
  logEvents(bus, { logger, settingOf: () => undefined, resumedBy: '' });
  const ends = { after: '1795830240000', before: '1795830420000' };
  const gap = { kind: 'gap', time, market, reason } as const;
  bus.publish({ ...gap, stream: 'candle', ...ends });
  bus.publish({ ...gap, stream: 'trade', ...ends });
  bus.publish({ ...gap, stream: 'depth', after: '', before: '9e20' });
  expect(seen).toEqual([
    {
      ...{ market, stream: 'candle' },
      ...{ after: '2026-11-28 01:44:00 UTC', before: '2026-11-28 01:47:00 UTC' },
    },
    { market, stream: 'trade', ...ends },
    { market, stream: 'depth', after: '', before: '9e20' },
  ]);
});

it('logEvents tells what became of an order whose outcome was unknown', () => {
  const { bus, lines } = logged(['info', 'warn', 'error']);
  const open = makeOpen();
  const unknown = { ...makePending(), status: 'unknown', reason, unknownSince: 0 } as const;
  const absent = { ...makePending(), status: 'rejected', reason: 'proven absent' } as const;
  const ends: OrderState[] = [
    ...[open, { ...open, status: 'filled' } as const, { ...open, status: 'cancelled' } as const],
    ...[absent, { ...absent, reason: SENT_BACK, code: 1001 }],
  ];
  for (const end of ends) for (const state of [unknown, end]) bus.publish(orderOf(state));
  bus.publish(orderOf(open));
  const what = 'buy 1 in btc_usdt at 100 by maker';
  expect(lines.filter((line) => !line.includes('outcome unknown'))).toEqual([
    ...['resting', 'filled', 'cancelled', 'never placed'].map(
      (end) => `info outcome known, ${end}: ${what}`,
    ),
    `warn outcome known, rejected: ${what}: the exchange answered 1001 ` +
      '"the PostOnly order would take"',
  ]);
});

it('logEvents tells of an order that was not found what it came to after all', () => {
  const { bus, lines } = logged(['info', 'warn', 'error']);
  const unknown = { ...makePending(), status: 'unknown', reason, unknownSince: 0 } as const;
  const absent = { ...makePending(), status: 'rejected', reason, evidence: 'query' } as const;
  for (const state of [unknown, absent, makeOpen()]) bus.publish(orderOf(state));
  const what = 'buy 1 in btc_usdt at 100 by maker';
  expect(lines).toEqual([
    `warn outcome unknown, the exchange is asked: ${what}`,
    `info outcome known, never placed: ${what}`,
    `info outcome known, resting: ${what}`,
  ]);
});
