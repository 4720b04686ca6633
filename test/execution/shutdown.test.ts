import { describe, expect, it } from 'vitest';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import { type StopReport, stopText } from '../../src/execution/index.ts';
import { HOUR_MS } from '../../src/kernel/index.ts';
import { keptLines } from '../kernel/fixture.ts';
import { amount, price } from './exchange-model.ts';
import { type Bench, createBench, MARKET, quotes, SECOND_MARKET } from './fixture.ts';
import { SetClock } from './set-clock.ts';

function stop(bench: Bench, waitMs: number): StopReport | undefined {
  let report: StopReport | undefined;
  bench.executor.stop().subscribe((value) => {
    report = value;
  });
  bench.clock.advanceBy(waitMs);
  return report;
}

function createQuoting(config: Record<string, unknown> = {}): Bench {
  const bench = createBench({ config });
  bench.wish(quotes([100], [110]));
  bench.clock.advanceBy(50);
  return bench;
}

describe('Executor.stop, by default,', () => {
  it.each([0, 5_000, 15_000])(
    'is sure in time of an order that the exchange lost %i ms before it',
    (beforeMs) => {
      const bench = createQuoting();
      bench.clock.advanceBy(1_000);
      bench.model.orders.splice(0, 1);
      bench.clock.advanceBy(beforeMs);
      expect(stop(bench, bench.config.stopTimeoutMs)).toMatchObject({ verified: true });
    },
  );
});

describe('Executor.stop, where cancels fail at first,', () => {
  it('cancels what is wished again meanwhile', () => {
    const bench = createQuoting();
    bench.model.fate = (operation) => (operation === 'cancel' ? { loss: 'unsent' } : {});
    stop(bench, 1_000);
    expect(bench.model.open).toHaveLength(2);
    bench.model.fate = () => ({});
    bench.wish(quotes([100], [110]));
    bench.clock.advanceBy(5_000);
    expect(bench.model.open).toEqual([]);
  });
});

describe('Executor.stop, where cancels are acknowledged and not carried out,', () => {
  it.each([0, 100])('looks up what no list shows, cancelled %i ms before it', (beforeMs) => {
    const bench = createQuoting();
    bench.model.pushDelayMs = undefined;
    bench.model.lists = () => false;
    bench.model.carriesOutCancels = false;
    bench.wish(quotes([], []));
    bench.clock.advanceBy(beforeMs);
    expect(stop(bench, 1_000)).toBeUndefined();
    bench.model.carriesOutCancels = true;
    bench.clock.advanceBy(15_000);
    expect(bench.model.open).toEqual([]);
    expect(bench.executor.stopSoFar()).toMatchObject({ verified: true });
  });
});

describe('Executor.stop, behind a lock of the key,', () => {
  const lock = (bench: Bench) => {
    const code = CODES.locked;
    bench.model.fate = () => ({ refusal: new ExchangeFailure('rejected', 'locked', { code }) });
    bench.wish(quotes([99]));
    bench.clock.advanceBy(1_000);
  };

  it('asks once whether it is over, however long the pause behind it', () => {
    const bench = createQuoting();
    lock(bench);
    bench.model.fate = () => ({});
    expect(stop(bench, 5_000)).toMatchObject({ verified: true, cancelled: 2 });
    expect(bench.model.open).toEqual([]);
  });

  it('asks no more within that pause where it is not', () => {
    const bench = createQuoting();
    lock(bench);
    const before = bench.model.calls.length;
    expect(stop(bench, bench.config.stopTimeoutMs)).toMatchObject({ verified: false });
    expect(bench.model.calls).toHaveLength(before + 1);
  });
});

describe('Executor.stop, where orders of others are taken over,', () => {
  it('cancels one that its own reading is the first to find', () => {
    const bench = createBench({ config: { foreignOrders: 'adopt' } });
    const terms = { type: 'limit', price: price(90), amount: amount(2) } as const;
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    bench.model.placeForeign({ market: MARKET.id, side: 'buy', ...terms });
    expect(stop(bench, 10_000)).toMatchObject({ verified: true, remaining: [] });
    expect(bench.model.open).toEqual([]);
  });
});

describe('Executor.stop', () => {
  it('cancels all, verifies by reading, and tells when the timed cancel lapses', () => {
    const bench = createQuoting();
    const armedMs = bench.ofKind('heartbeat')[0]!.sentTime;
    expect(stop(bench, 1_000)).toEqual({
      ...{ cancelled: 2, filled: 0, rejected: 0, of: 2, verified: true, foreign: 0, remaining: [] },
      lapseAtMs: armedMs + 60_000,
    });
    expect(bench.model.open).toEqual([]);
    expect(bench.model.of('orders').length).toBeGreaterThanOrEqual(2);
  });

  it('reports at once when it never traded', () => {
    const report = stop(createBench(), 0);
    const counts = { cancelled: 0, filled: 0, rejected: 0, of: 0, foreign: 0 };
    expect(report).toEqual({ ...counts, verified: true, remaining: [] });
  });

  it('tells what filled meanwhile apart from what it cancelled', () => {
    const bench = createQuoting();
    bench.model.fill(bench.model.orders[0]!);
    expect(stop(bench, 5_000)).toMatchObject({ cancelled: 1, filled: 1, of: 2, verified: true });
  });

  it('reads again while a read shows an order of ours that should be over', () => {
    const bench = createBench();
    bench.wish(quotes([], []));
    bench.wish(quotes([100], [110], { market: SECOND_MARKET.id }));
    bench.clock.advanceBy(50);
    bench.model.readLagMs = 1_500;
    expect(stop(bench, 1_000)).toBeUndefined();
    bench.clock.advanceBy(3_000);
    expect(bench.model.open).toEqual([]);
    expect(stop(bench, 0)).toMatchObject({ cancelled: 2, verified: true });
  });

  it('waits for an order whose outcome is unknown, and cancels it', () => {
    const bench = createBench();
    bench.model.pushDelayMs = undefined;
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'silent' } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    expect(stop(bench, 10_000)).toMatchObject({ cancelled: 1, of: 1, verified: true });
    expect(bench.model.open).toEqual([]);
  });

  it('counts an order that never was as no cancelled one', () => {
    const bench = createBench({ config: { stopTimeoutMs: 300_000 } });
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'lost' } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    const counts = { cancelled: 0, filled: 0, rejected: 1, of: 1 };
    expect(stop(bench, 300_000)).toMatchObject({ ...counts, verified: true });
  });

  it('places nothing any more, and joins a second call to the first', () => {
    const bench = createQuoting();
    const reports: StopReport[] = [];
    bench.executor.stop().subscribe((report) => reports.push(report));
    bench.executor.stop().subscribe((report) => reports.push(report));
    bench.wish(quotes([100]));
    bench.clock.advanceBy(5_000);
    expect(reports).toHaveLength(2);
    expect(bench.model.of('cancel')).toHaveLength(2);
    expect(bench.model.of('place')).toHaveLength(2);
  });

  it('leaves to the timed cancels what its cancels do not get through to, and verifies that', () => {
    const bench = createQuoting({ stopTimeoutMs: 90_000 });
    bench.model.fate = (operation) => (operation === 'cancel' ? { loss: 'lost' } : {});
    const reports: StopReport[] = [];
    bench.executor.stop().subscribe((report) => reports.push(report));
    bench.clock.advanceBy(80_000);
    expect(bench.model.of('cancelAllAfter')).toHaveLength(1);
    expect(reports).toMatchObject([{ verified: true, cancelled: 2, of: 2, remaining: [] }]);
  });
});

describe('Executor.stop, where all of its orders are over,', () => {
  it.each([
    [false, 4],
    [true, 2],
  ])('reads back to the reading before, unless pushes tell all (%s)', (pushesTellAll, pages) => {
    const bench = createBench({ pushesTellAll });
    bench.executor.reconcile('start');
    bench.clock.advanceBy(100);
    for (let at = 0; at < 12; at++) {
      bench.wish(quotes([90 - at], [110 + at]));
      bench.clock.advanceBy(400);
    }
    const before = bench.model.of('orders').length;
    expect(stop(bench, 20_000)).toMatchObject({ verified: true });
    expect(bench.model.of('orders').length - before).toBe(pages);
  });
});

describe('Executor.stop, out of time', () => {
  it('takes its time, however far the date is set forth meanwhile', () => {
    const clock = new SetClock(1_700_000_000_000);
    const bench = createBench({ clock });
    bench.wish(quotes([100], [110]));
    clock.advanceBy(50);
    bench.model.readLagMs = 1_500;
    expect(stop(bench, 500)).toBeUndefined();
    clock.aheadMs = HOUR_MS;
    bench.executor.signOfLife();
    expect(stop(bench, 0)).toBeUndefined();
    expect(stop(bench, 5_000)).toMatchObject({ cancelled: 2, verified: true });
  });

  it('names what remains when the time is up, and is silent from then on', () => {
    const bench = createQuoting({ stopTimeoutMs: 5_000 });
    bench.model.fate = () => ({ loss: 'lost' });
    const report = stop(bench, 5_000);
    expect(report).toMatchObject({ cancelled: 0, of: 2, verified: false });
    expect(report!.remaining.map(({ price }) => Number(price))).toEqual([100, 110]);
    const before = bench.model.calls.length;
    bench.clock.advanceBy(120_000);
    expect(bench.model.calls).toHaveLength(before);
    expect(bench.model.firesAtMs(MARKET.id)).toBeUndefined();
  });

  it('tells until when an order may arrive that the exchange may not have', () => {
    const bench = createBench({ config: { stopTimeoutMs: 5_000 } });
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'lost' } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    const report = stop(bench, 5_000)!;
    expect(report).toMatchObject({ verified: false, remaining: [{ status: 'unknown' }] });
    const { readLagMs } = bench.config;
    expect(report.arrivesUntilMs).toBe(bench.clock.now() + 120_000 + readLagMs);
  });

  it('counts the time for an answer in where it is still awaited', () => {
    const bench = createBench({ config: { stopTimeoutMs: 5_000 } });
    bench.model.fate = (operation) => (operation === 'place' ? { loss: 'dead' } : {});
    bench.wish(quotes([100]));
    bench.clock.advanceBy(50);
    const report = stop(bench, 5_000)!;
    const { answerTimeoutMs, readLagMs } = bench.config;
    const mostMs = answerTimeoutMs + 120_000 + readLagMs;
    expect(report.arrivesUntilMs).toBe(bench.clock.now() + mostMs);
  });
});

describe('the log of a stop', () => {
  it('tells the time of day at which the last timed cancel lapses, or that none is armed', () => {
    const { lines, logger } = keptLines('info');
    const startMs = Date.UTC(2024, 0, 1, 23, 59, 30);
    stop(createBench({ logger, startMs }), 0);
    const bench = createBench({ logger, startMs });
    bench.wish(quotes([100]));
    bench.clock.advanceBy(1_000);
    stop(bench, 1_000);
    expect(lines).toEqual([
      'no timed cancel is armed',
      'timed cancels cannot be disarmed: the last one fires at 00:00:30 UTC',
    ]);
  });
});

describe('stopText', () => {
  const plain = { cancelled: 2, filled: 0, rejected: 0, foreign: 0, of: 2, remaining: [] };

  it.each([
    [{}, 'cancelled 2 of 2, verified'],
    [{ filled: 1, of: 3 }, 'cancelled 2 of 3, 1 filled, verified'],
    [{ rejected: 1, of: 3 }, 'cancelled 2 of 3, 1 never there, verified'],
    [{ verified: false, foreign: 4 }, 'cancelled 2 of 2, NOT verified, at least 4 open not ours'],
  ])('of %j says every number that is not none', (told, text) => {
    expect(stopText({ ...plain, verified: true, ...told })).toBe(text);
  });
});

describe('Executor.stopSoFar', () => {
  it('tells how a stop stands, and as it ended once it has', () => {
    const bench = createQuoting();
    bench.model.fate = (operation) => (operation === 'cancel' ? { loss: 'unsent' } : {});
    stop(bench, 1_000);
    const open = { of: 2, cancelled: 0, verified: false, remaining: [{}, {}] };
    expect(bench.executor.stopSoFar()).toMatchObject(open);
    bench.model.fate = () => ({});
    bench.clock.advanceBy(5_000);
    const ended = { of: 2, cancelled: 2, verified: true, remaining: [] };
    expect(bench.executor.stopSoFar()).toMatchObject(ended);
  });
});
