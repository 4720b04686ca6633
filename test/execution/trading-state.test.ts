import { describe, expect, it } from 'vitest';
import type { TradingState } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import { keptLines } from '../kernel/fixture.ts';
import { type Bench, type BenchOptions, createBench, MARKET, quotes, target } from './fixture.ts';

const MINUTE_MS = 60_000;

function createQuoting(options: BenchOptions = {}): Bench {
  const bench = createBench(options);
  bench.wish(quotes([100], [110]));
  bench.clock.advanceBy(100);
  expect(bench.model.open).toHaveLength(2);
  return bench;
}

function publish(bench: Bench, state: TradingState): void {
  bench.bus.publish({ kind: 'tradingState', time: bench.clock.now(), state, reason: 'loss' });
}

/** Nothing of ours rests, nothing leaves, and the exchange's timed cancel has run out. */
function expectSilence(bench: Bench): void {
  expect(bench.model.open).toEqual([]);
  const calls = bench.model.calls.length;
  bench.clock.advanceBy(5 * MINUTE_MS);
  expect(bench.model.calls).toHaveLength(calls);
  expect(bench.model.firesAtMs(MARKET.id)).toBeUndefined();
  expect(bench.model.open).toEqual([]);
}

/** The exchange answers no cancel. */
function breakCancels(bench: Bench): void {
  const busy = new ExchangeFailure('rejected', 'Cannot: busy', { code: 1002 });
  bench.model.fate = (operation) => (operation === 'cancel' ? { refusal: busy } : {});
}

/** The timed cancel has taken all away, and was called no more meanwhile. */
function expectTimedCancel(bench: Bench): void {
  const calls = bench.model.of('cancelAllAfter').length;
  bench.clock.advanceBy(MINUTE_MS + 5_000);
  expect(bench.model.open).toEqual([]);
  expect(bench.model.of('cancelAllAfter')).toHaveLength(calls);
  bench.clock.advanceBy(5_000);
  expect(bench.live()).toEqual([]);
}

const WAYS_OUT: readonly (readonly [string, (bench: Bench) => void])[] = [
  ['a strategy withdrew', (bench) => bench.executor.withdraw('maker')],
  ['a new wish replaced', (bench) => bench.wish(quotes([]))],
  ['a target replaced', (bench) => bench.wish(target(0))],
];

describe('where cancels fail, the timed cancel takes away', () => {
  it('what rests when trading is halted', () => {
    const bench = createQuoting();
    breakCancels(bench);
    publish(bench, 'HALTED');
    expectTimedCancel(bench);
    expect(bench.ofKind('lapse').map(({ reason }) => reason)).toEqual([
      expect.stringContaining('orders that are to be cancelled rest there still'),
    ]);
  });

  it.each(WAYS_OUT)('what %s', (_, leave) => {
    const bench = createQuoting();
    breakCancels(bench);
    leave(bench);
    expectTimedCancel(bench);
  });

  it('what has no answer and is not wished, once nothing like it can arrive any more', () => {
    const bench = createBench();
    bench.model.fate = (operation) =>
      operation === 'place' || operation === 'order' ? { loss: 'silent' } : {};
    bench.model.pushDelayMs = undefined;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_000);
    expect(bench.model.open).toHaveLength(1);
    expect(bench.live()).toMatchObject([{ status: 'unknown' }]);
    bench.executor.withdraw('maker');
    bench.clock.advanceBy(2 * MINUTE_MS);
    expect(bench.model.open).toHaveLength(1);
    const { length } = bench.model.of('cancelAllAfter');
    bench.clock.advanceBy(MINUTE_MS);
    expect(bench.model.open).toEqual([]);
    bench.clock.advanceBy(MINUTE_MS);
    expect(bench.model.of('cancelAllAfter').length - length).toBeLessThan(2);
  });

  it('what risk does not let stay, though it is wished, and is called again once risk does', () => {
    let isStale = false;
    const bench: Bench = createQuoting({ unwelcome: () => (isStale ? bench.live() : []) });
    breakCancels(bench);
    isStale = true;
    bench.executor.signOfLife();
    bench.clock.advanceBy(30_000);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    isStale = false;
    bench.executor.signOfLife();
    bench.clock.advanceBy(2 * MINUTE_MS);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.ofKind('lapse')).toEqual([]);
  });

  it('nothing that is wished again before it fires', () => {
    const bench = createQuoting();
    breakCancels(bench);
    bench.executor.withdraw('maker');
    bench.clock.advanceBy(30_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    const rest = () => bench.live().every(({ status }) => status === 'open');
    while (!rest()) bench.clock.advanceBy(10);
    bench.wish(quotes([100], [110]));
    bench.clock.advanceBy(2 * MINUTE_MS);
    expect(bench.model.open).toHaveLength(2);
    expect(bench.model.of('place')).toHaveLength(2);
    expect(bench.ofKind('lapse')).toEqual([]);
  });
});

describe('an executor whose orders risk does not let stay', () => {
  const STALE = { code: 'staleData', limit: 'fresh', observed: 'stale', scope: 'market' } as const;

  it('tells once that it has them cancelled, and what became of them', () => {
    const { lines, logger } = keptLines('warn', 'info');
    let isStale = false;
    const bench: Bench = createQuoting({
      unwelcome: () => (isStale ? bench.live() : []),
      refuse: () => (isStale ? STALE : undefined),
      logger,
    });
    breakCancels(bench);
    isStale = true;
    bench.executor.signOfLife();
    bench.clock.advanceBy(MINUTE_MS + 10_000);
    expect(bench.live()).toEqual([]);
    expect(lines.filter((line) => line.startsWith('cancelling'))).toEqual([
      'cancelling 2 orders of btc_usdt: its data are stale',
    ]);
    expect(lines.filter((line) => line.includes('heartbeat'))).toEqual([
      'what became of 2 orders of btc_usdt since the heartbeat lapsed: ' +
        '2 cancelled by the timed cancel',
    ]);
  });
});

describe('Executor and the trading state', () => {
  it('cancels everything when trading is halted, and lets the heartbeat lapse', () => {
    const bench = createQuoting();
    publish(bench, 'HALTED');
    bench.clock.advanceBy(1_000);
    expectSilence(bench);
  });

  it('cancels everything even where cancels get lost', () => {
    const bench = createQuoting();
    let left = 4;
    bench.model.fate = (operation) =>
      operation === 'cancel' && left-- > 0 ? { loss: 'lost' } : {};
    publish(bench, 'HALTED');
    bench.clock.advanceBy(2 * MINUTE_MS);
    expectSilence(bench);
  });

  it('cancels everything when the key is locked, once anything may leave again', () => {
    const bench = createQuoting();
    const locked = new ExchangeFailure('rejected', 'Cannot: locked', { code: CODES.locked });
    bench.model.fate = (operation) => (operation === 'place' ? { refusal: locked } : {});
    bench.wish(quotes([100], [110, 111]));
    bench.clock.advanceBy(2 * MINUTE_MS);
    expect(bench.halts).toHaveLength(1);
    expectSilence(bench);
  });

  it('cancels everything when the journal is not on disk', () => {
    const bench = createQuoting();
    bench.journal.commitOrders = () => {
      throw new Error('disk full');
    };
    bench.wish(quotes([99], [110]));
    bench.clock.advanceBy(1_000);
    expect(bench.halts).toHaveLength(1);
    expectSilence(bench);
  });

  it('cancels what risk does not let stay, wished or not, and keeps the others', () => {
    let isReducing = false;
    const bench: Bench = createQuoting({
      unwelcome: () => (isReducing ? bench.live().filter(({ side }) => side === 'buy') : []),
      refuse: ({ side }) =>
        isReducing && side === 'buy'
          ? { code: 'reducing', limit: '', observed: '', scope: 'market' }
          : undefined,
    });
    isReducing = true;
    publish(bench, 'REDUCING');
    bench.clock.advanceBy(MINUTE_MS);
    expect(bench.openPrices()).toEqual([110]);
    expect(bench.model.of('cancel')).toHaveLength(1);
  });
});
