import fc from 'fast-check';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { MarketRecord } from '../../src/domain/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { type ReplayOptions, startReplay } from '../../src/sim/replay-market.ts';
import { BATCH_RECORDS } from '../../src/sim/replay-source.ts';
import { NotedLiquidity, settled, tradeOf } from './replay-fixture.ts';

const START_MS = 5_000_000;

function replayOf(records: ReplayOptions['records'], options: Partial<ReplayOptions> = {}) {
  const clock = new VirtualClock(START_MS);
  const liquidity = new NotedLiquidity(clock);
  const replay = startReplay({ records, liquidity, clock, ...options });
  return { clock, liquidity, replay };
}

const tape = (...times: number[]): MarketRecord[] =>
  times.map((time, index) => tradeOf({ time, price: 100 + index }));

describe('startReplay', () => {
  it('plays each record as far behind the first as it was recorded', () => {
    const { clock, liquidity } = replayOf(tape(1_000, 1_250, 1_250, 3_000));
    clock.advanceBy(10_000);
    expect(liquidity.prints).toEqual([
      [START_MS, 100],
      [START_MS + 250, 101],
      [START_MS + 250, 102],
      [START_MS + 2_000, 103],
    ]);
  });

  it('plays faster, and slower, by its speed', () => {
    for (const speed of [0.5, 10]) {
      const { clock, liquidity } = replayOf(tape(1_000, 2_000), { speed });
      clock.advanceBy(10_000);
      expect(liquidity.prints.map(([at]) => at - START_MS)).toEqual([0, 1_000 / speed]);
    }
    expect(() => replayOf([], { speed: 0 })).toThrow('the speed is 0, more than 0 is wanted');
  });

  it('keeps the recorded order whatever the stamps say, and is never early', () => {
    const times = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(times, fc.constantFrom(1, 3, 7.5), (offsets, speed) => {
        const { clock, liquidity } = replayOf(tape(...offsets.map((time) => time + 0.5)), {
          speed,
        });
        clock.advanceBy(100_000);
        let latest = offsets[0]!;
        const expected = offsets.map((time, index) => {
          latest = Math.max(latest, time);
          return [START_MS + (latest - offsets[0]!) / speed, 100 + index];
        });
        expect(liquidity.prints.map(([, price]) => price)).toEqual(expected.map(([, p]) => p));
        for (const [index, [at]] of liquidity.prints.entries()) {
          expect(at).toBeCloseTo(expected[index]![0]!, 6);
        }
      }),
      { seed: 1 },
    );
  });

  it('sums up what it played', async () => {
    let told: unknown;
    const records = [...tape(1_000, 2_000), { kind: 'gap', time: 3_000, reason: '' } as const];
    const { clock, replay } = replayOf(records);
    replay.ended.subscribe((summary) => {
      told = summary;
    });
    clock.advanceBy(1_999);
    expect(told).toBeUndefined();
    clock.advanceBy(1);
    const summary = {
      records: 3,
      trades: 2,
      gaps: 1,
      passes: 1,
      firstTime: 1_000,
      lastTime: 3_000,
    };
    expect([told, replay.summary, await lastValueFrom(replay.ended)]).toEqual([
      ...[summary, summary, summary],
    ]);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('ends at once without records', () => {
    const { clock, replay } = replayOf([], { loop: true });
    clock.advanceBy(0);
    expect(replay.summary).toMatchObject({ records: 0, passes: 0, firstTime: undefined });
    expect(clock.nextDueMs).toBeUndefined();
  });
});

describe('Replay.stop', () => {
  it('ends it, and lets go of the source', () => {
    let closed = false;
    const records = function* (): Generator<MarketRecord> {
      try {
        for (let time = 0; ; time++) yield tradeOf({ time });
      } finally {
        closed = true;
      }
    };
    const { clock, liquidity, replay } = replayOf(records());
    clock.advanceBy(99);
    replay.stop();
    replay.stop();
    clock.advanceBy(1_000);
    expect([liquidity.prints.length, replay.summary.records, closed]).toEqual([100, 100, true]);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('holds between two records of one instant', () => {
    const { clock, liquidity, replay } = replayOf(tape(0, 0, 0));
    liquidity.onPrint = () => replay.stop();
    clock.advanceBy(10);
    expect(liquidity.prints).toHaveLength(1);
  });
});

describe('a looping replay', () => {
  it('begins anew a second after its end, faster when it plays faster', () => {
    const { clock, liquidity, replay } = replayOf(tape(1_000, 3_000), { loop: true, speed: 2 });
    clock.advanceBy(3_100);
    expect(liquidity.prints.map(([at]) => at - START_MS)).toEqual([0, 1_000, 1_500, 2_500, 3_000]);
    expect(replay.summary).toMatchObject({ records: 5, passes: 2 });
    replay.stop();
  });

  it('ends when its source cannot be read again', () => {
    const { clock, replay } = replayOf(tape(0, 10).values(), { loop: true });
    clock.advanceBy(60_000);
    expect(replay.summary).toMatchObject({ records: 2, passes: 1 });
    expect(clock.nextDueMs).toBeUndefined();
  });
});

describe('a replay of asynchronous records', () => {
  async function* slowly(count: number, read: (index: number) => void = () => {}) {
    for (let index = 0; index < count; index++) {
      read(index);
      yield tradeOf({ time: index });
    }
  }

  it('reads ahead of the schedule, but never more than two batches', async () => {
    let read = 0;
    const { clock, liquidity } = replayOf(slowly(6 * BATCH_RECORDS, (index) => (read = index + 1)));
    let most = 0;
    for (let round = 0; round < 80; round++) {
      await settled();
      most = Math.max(most, read - liquidity.prints.length);
      clock.advanceBy(100);
    }
    expect(liquidity.prints).toHaveLength(6 * BATCH_RECORDS);
    expect(most).toBeGreaterThan(BATCH_RECORDS);
    expect(most).toBeLessThanOrEqual(2 * BATCH_RECORDS);
  });

  it('maps the first record to the time when it is there', async () => {
    const { clock, liquidity, replay } = replayOf(slowly(3));
    clock.advanceBy(500);
    expect(liquidity.prints).toEqual([]);
    await settled();
    clock.advanceBy(10);
    await settled();
    clock.advanceBy(0);
    expect(liquidity.prints.map(([at]) => at - START_MS)).toEqual([500, 501, 502]);
    expect(replay.summary.passes).toBe(1);
  });

  it('fails as its source fails, after what was read before', async () => {
    const { clock, liquidity, replay } = replayOf(
      slowly(10, (index) => {
        if (index === 5) throw new Error('broken line');
      }),
    );
    const ended = lastValueFrom(replay.ended);
    const failing = expect(ended).rejects.toThrow('broken line');
    for (let round = 0; round < 5; round++) {
      await settled();
      clock.advanceBy(10);
    }
    await failing;
    expect(liquidity.prints).toHaveLength(5);
    expect(clock.nextDueMs).toBeUndefined();
  });

  it('closes its source when it is stopped while reading', async () => {
    let closed = false;
    const source = async function* () {
      try {
        for (;;) yield tradeOf();
      } finally {
        closed = true;
      }
    };
    const { clock, replay } = replayOf(source());
    replay.stop();
    await settled();
    expect([closed, clock.nextDueMs]).toEqual([true, undefined]);
  });

  it('loops over a source that opens anew', async () => {
    const records = { [Symbol.asyncIterator]: () => slowly(2) };
    const { clock, replay } = replayOf(records, { loop: true });
    for (let round = 0; round < 40; round++) {
      await settled();
      clock.advanceBy(100);
    }
    expect(replay.summary.passes).toBeGreaterThan(2);
    replay.stop();
  });
});
