import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/domain/index.ts';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import type { Operation } from './exchange-model.ts';
import { type Bench, createBench, quotes, target } from './fixture.ts';

const START_MS = 1_700_000_000_000;

/** A clock that advances by a millisecond at one of its readings, as a machine's may anywhere. */
class MovingClock extends VirtualClock {
  #left = Number.POSITIVE_INFINITY;
  #movedMs = 0;

  /** Moves after so many readings. Returns whether it came to that. */
  during(readings: number, work: () => void): boolean {
    this.#left = readings;
    work();
    const hasMoved = this.#movedMs > 0;
    this.#left = Number.POSITIVE_INFINITY;
    this.#movedMs = 0;
    if (hasMoved) this.advanceBy(1);
    return hasMoved;
  }

  override now(): number {
    if (this.#left-- <= 0) this.#movedMs = 1;
    return super.now() + this.#movedMs;
  }
}

interface Story {
  /** Sets up a state in which something waits for its time. */
  readonly begin: (clock: MovingClock) => Bench;
  /** The request sent then. */
  readonly operation: Operation;
}

/** Runs on until one more such request was sent, and returns its time. */
function sentMs(bench: Bench, { operation }: Story, before: number): number {
  const endMs = bench.clock.now() + 70_000;
  while (bench.model.of(operation).length === before && bench.clock.now() < endMs) {
    bench.clock.advanceBy(1);
  }
  return bench.clock.now();
}

/**
 * By how many milliseconds at most the request leaves late if the clock moves within the due round.
 */
function worstLatenessMs(story: Story): number {
  const still = story.begin(new MovingClock(START_MS));
  const before = still.model.of(story.operation).length;
  const dueMs = sentMs(still, story, before);
  let worst = 0;
  for (let readings = 0, hasMoved = true; hasMoved; readings++) {
    const clock = new MovingClock(START_MS);
    const bench = story.begin(clock);
    clock.advanceTo(dueMs - 1);
    expect(bench.model.of(story.operation)).toHaveLength(before);
    hasMoved = clock.during(readings, () => bench.executor.signOfLife());
    worst = Math.max(worst, sentMs(bench, story, before) - dueMs);
  }
  return worst;
}

const refusalOf = (code: Refusal['code']): Refusal => ({
  ...{ code, limit: '1', observed: '2', scope: 'strategy' },
});

/** Risk refuses by that code for a while, then lets pass. */
function refusedBench(clock: MovingClock, code: Refusal['code']): Bench {
  const opensMs = clock.now() + 730;
  const bench = createBench({
    clock,
    refuse: () => (clock.now() < opensMs ? refusalOf(code) : undefined),
    paceOpensMs: () => Math.max(opensMs, clock.now()),
    book: [99, 100],
  });
  return bench;
}

describe('what waits for its time leaves then, wherever in a round that comes', () => {
  it.each([
    ['a target that the pace of orders held', 'orderRate', target(2)],
    ['a quote that the pace of orders held', 'orderRate', quotes([95])],
    ['a target that risk refused', 'balance', target(2)],
    ['a quote that risk refused', 'balance', quotes([95])],
  ] as const)('%s', (_, code, intent) => {
    const begin = (clock: MovingClock): Bench => {
      const bench = refusedBench(clock, code);
      bench.wish(intent);
      clock.advanceBy(10);
      return bench;
    };
    expect(worstLatenessMs({ begin, operation: 'place' })).toBeLessThanOrEqual(1);
  });

  it('a cancel that the exchange refused', () => {
    const begin = (clock: MovingClock): Bench => {
      const bench = createBench({ clock });
      const refusal = new ExchangeFailure('rejected', 'Cannot cancel', { code: 1001 });
      bench.wish(quotes([95]));
      clock.advanceBy(3_137);
      bench.model.fate = (operation) => (operation === 'cancel' ? { refusal } : {});
      bench.wish(quotes([]));
      clock.advanceBy(20);
      bench.model.fate = () => ({});
      return bench;
    };
    expect(worstLatenessMs({ begin, operation: 'cancel' })).toBeLessThanOrEqual(1);
  });
});
