import { concat, defer, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/exchange/index.ts';
import { silentLogger, VirtualClock } from '../../src/kernel/index.ts';
import { FeedWatch, type FeedWatchOptions } from '../../src/market/feed-watch.ts';

function watchFixture(overrides: Partial<FeedWatchOptions<string>> = {}) {
  const clock = new VirtualClock();
  const records = new Subject<string>();
  const connection = new Subject<Connection>();
  const up: Observable<Connection> = concat(of({ connected: true, reason: '' }), connection);
  const told: string[] = [];
  const watch = new FeedWatch<string>({
    clock,
    logger: silentLogger,
    subject: 'letters',
    records,
    connection: up,
    silenceMs: 1_000,
    onRecord: (record) => told.push(record),
    onLost: () => told.push(`lost at ${clock.now()}`),
    ...overrides,
  });
  const down = () => connection.next({ connected: false, reason: 'cut' });
  return { clock, records, watch, told, down };
}

describe('FeedWatch', () => {
  it('is live from the first record on, not from the connection', () => {
    const { watch, records } = watchFixture();
    watch.start();
    expect([watch.connected, watch.live]).toEqual([true, false]);
    records.next('a');
    expect(watch.live).toBe(true);
  });

  it('is lost after the silence counted from the last record, and live with the next', () => {
    const { clock, watch, records, told } = watchFixture();
    watch.start();
    records.next('a');
    clock.advanceBy(900);
    records.next('b');
    clock.advanceBy(5_000);
    records.next('c');
    expect(told).toEqual(['a', 'b', 'lost at 1900', 'c']);
    expect(watch.live).toBe(true);
  });

  it('is lost with its connection, once', () => {
    const { clock, watch, records, told, down } = watchFixture();
    watch.start();
    down();
    expect(told).toEqual([]);
    records.next('a');
    down();
    down();
    clock.advanceBy(5_000);
    expect(told).toEqual(['a', 'lost at 0']);
  });

  it('may be silent where the limit is 0', () => {
    const { clock, watch, records, told } = watchFixture({ silenceMs: 0 });
    watch.start();
    records.next('a');
    clock.advanceBy(1_000_000);
    expect(told).toEqual(['a']);
  });

  it('subscribes anew to a feed that failed or ended', () => {
    const feeds: Observable<string>[] = [
      concat(
        of('a'),
        throwError(() => new Error('broken')),
      ),
      of('b'),
      concat(of('c'), NEVER),
    ];
    const { clock, watch, told } = watchFixture({ records: defer(() => feeds.shift() ?? NEVER) });
    watch.start();
    clock.advanceBy(11_000);
    expect(told).toEqual(['a', 'lost at 0', 'b', 'lost at 5000', 'c', 'lost at 11000']);
  });

  it('tells nothing after its stop', () => {
    const { clock, watch, records, told, down } = watchFixture();
    watch.start();
    records.next('a');
    watch.stop();
    expect(clock.nextDueMs).toBeUndefined();
    records.next('b');
    down();
    clock.advanceBy(5_000);
    expect(told).toEqual(['a']);
    expect(watch.live).toBe(false);
  });
});
