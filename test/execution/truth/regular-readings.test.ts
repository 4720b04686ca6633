import { EMPTY } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { executionConfigSchema } from '../../../src/execution/index.ts';
import {
  RegularReadings,
  type RegularReadingsParts,
} from '../../../src/execution/truth/regular-readings.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

const RECONCILE_MS = 30_000;
const START_MS = 1_700_000_000_000;

/** Readings of three markets; `live` says how many orders live in each, `armed` where a heartbeat does. */
function createReadings({ armed = [] as readonly string[] } = {}) {
  const clock = new VirtualClock(START_MS);
  const live = new Map<string, number>();
  const read: unknown[] = [];
  const options = {
    ...{ clock, config: executionConfigSchema.parse({ reconcileMs: RECONCILE_MS }) },
    orders: {
      live: (market: string) => new Array(live.get(market) ?? 0).fill(undefined),
      get liveCount() {
        return [...live.values()].reduce((sum, count) => sum + count, 0);
      },
    },
    heartbeat: { confirmed: (market: string) => armed.includes(market) },
  } as unknown as ConstructorParameters<typeof RegularReadings>[0];
  const parts = {
    desks: { markets: () => ['a', 'b', 'c'].values() },
    reconciler: {
      read: (reason: string, markets: readonly string[], how: object) => {
        read.push([reason, markets, how]);
        return EMPTY;
      },
    },
  } as unknown as RegularReadingsParts;
  return { clock, live, read, readings: new RegularReadings(options, parts) };
}

describe('RegularReadings', () => {
  it('are due a while after the last one, as long as an order lives', () => {
    const { clock, live, read, readings } = createReadings();
    expect(readings.nextMs).toBe(Number.POSITIVE_INFINITY);
    live.set('a', 1);
    expect(readings.nextMs).toBe(START_MS + RECONCILE_MS);
    clock.advanceBy(RECONCILE_MS - 1);
    readings.readDue(clock.now());
    expect(read).toEqual([]);
    clock.advanceBy(1);
    readings.readDue(clock.now());
    readings.readDue(clock.now());
    expect(read).toHaveLength(1);
    expect(readings.nextMs).toBe(clock.now() + RECONCILE_MS);
    live.clear();
    clock.advanceBy(RECONCILE_MS);
    readings.readDue(clock.now());
    expect(read).toHaveLength(1);
  });

  it('read the markets where orders live or a timed cancel is armed, and go on without others', () => {
    const { clock, live, read, readings } = createReadings({ armed: ['c'] });
    live.set('a', 2);
    clock.advanceBy(RECONCILE_MS);
    readings.readDue(clock.now());
    expect(read).toEqual([['regular', ['a', 'c'], { goesWithout: true }]]);
  });

  it('are put off by any other reading, which is passed on as it is', () => {
    const { clock, live, read, readings } = createReadings();
    live.set('a', 1);
    clock.advanceBy(RECONCILE_MS - 1);
    readings.read('reconnected', ['b'], { goesWithout: false });
    expect(read).toEqual([['reconnected', ['b'], { goesWithout: false }]]);
    expect(readings.nextMs).toBe(clock.now() + RECONCILE_MS);
  });
});
