import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTRACT_LIMITS } from '../../../src/exchange/index.ts';
import { executionConfigSchema, type Priority, RateBudget } from '../../../src/execution/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

const START_MS = 1_700_000_000_000;
const TIMEOUT_MS = 5_000;
/** A second and the margin. */
const WINDOW_MS = 1_005;

function createBudget(limits = CONTRACT_LIMITS) {
  const clock = new VirtualClock(START_MS);
  const { budget: config } = executionConfigSchema.parse({});
  return { clock, budget: new RateBudget({ clock, limits, config }) };
}

/** How many cancels may leave now; they are answered at once. */
function free(budget: RateBudget): number {
  let count = 0;
  for (; budget.hasRoom('cancel'); count++) budget.answered('cancel', budget.take('cancel'));
  return count;
}

/** A budget with so many requests just given up, unanswered for five seconds. */
function createStalled(count = 3) {
  const { clock, budget } = createBudget();
  const left = Array.from({ length: count }, () => budget.take('cancel'));
  clock.advanceBy(TIMEOUT_MS);
  for (const leftMs of left) budget.lost('cancel', leftMs);
  return { clock, budget, left };
}

/** Time until no place is held, checked often; infinite: over two minutes. */
function heldForMs({ clock, budget }: Pick<ReturnType<typeof createBudget>, 'clock' | 'budget'>) {
  for (let heldMs = 0; heldMs < 125_000; heldMs += 5) {
    if (budget.usage().lastSecond === 0) return heldMs;
    clock.advanceBy(5);
  }
  return Number.POSITIVE_INFINITY;
}

describe('a request that was given up', () => {
  it('keeps its place while nothing is answered, for two minutes', () => {
    const stalled = createStalled();
    expect(stalled.budget.usage()).toMatchObject({ lastSecond: 3, lastMinute: 3, unanswered: 0 });
    expect(heldForMs(stalled)).toBe(120_000 + WINDOW_MS);
  });

  it('keeps its place until one that left later is answered, and as long again', () => {
    const stalled = createStalled();
    stalled.clock.advanceBy(20_000);
    stalled.budget.answered('cancel', stalled.budget.take('cancel'));
    expect(heldForMs(stalled)).toBe(TIMEOUT_MS + 20_000 + WINDOW_MS);
  });

  it('keeps its place for two minutes at the most, whatever is answered', () => {
    const stalled = createStalled();
    stalled.clock.advanceBy(90_000);
    stalled.budget.answered('cancel', stalled.budget.take('cancel'));
    expect(heldForMs(stalled)).toBe(30_000 + WINDOW_MS);
  });

  it.each([
    ['is not proven to be over by one that left before it was given up', TIMEOUT_MS - 1, 120_000],
    ['is proven to be over by one that left when it was given up', TIMEOUT_MS, TIMEOUT_MS],
  ])('%s', (_, otherMs, heldMs) => {
    const { clock, budget } = createBudget();
    const leftMs = budget.take('cancel');
    clock.advanceBy(otherMs);
    const other = budget.take('question');
    clock.advanceBy(TIMEOUT_MS - otherMs);
    budget.lost('cancel', leftMs);
    budget.answered('question', other);
    expect(heldForMs({ clock, budget })).toBe(heldMs + WINDOW_MS);
  });

  it('is not proven to be over by an answer that was here before it was given up', () => {
    const { clock, budget } = createBudget();
    const leftMs = budget.take('cancel');
    budget.answered('cancel', budget.take('cancel'));
    clock.advanceBy(TIMEOUT_MS);
    budget.lost('cancel', leftMs);
    expect(heldForMs({ clock, budget })).toBe(120_000 + WINDOW_MS);
  });

  it('waits for no answer where it failed within a second', () => {
    const { clock, budget } = createBudget();
    const leftMs = budget.take('cancel');
    clock.advanceBy(200);
    budget.lost('cancel', leftMs);
    expect(heldForMs({ clock, budget })).toBe(200 + WINDOW_MS);
  });

  it('is over with its own late answer, which proves nothing of the others', () => {
    const stalled = createStalled(3);
    stalled.clock.advanceBy(10_000);
    stalled.budget.answeredLate(stalled.left[0]!);
    expect(stalled.budget.usage().lastSecond).toBe(3);
    stalled.clock.advanceBy(WINDOW_MS);
    expect(stalled.budget.usage()).toMatchObject({ lastSecond: 2, lastMinute: 3 });
    expect(heldForMs(stalled)).toBe(110_000);
  });
});

describe('requests that were given up one after the other', () => {
  /** Requests that left, and were given up, at those times, the last of which is now. */
  function createLost(...times: readonly (readonly [leftMs: number, lostMs: number])[]) {
    const { clock, budget } = createBudget();
    const left: number[] = [];
    times.forEach(([leftMs, lostMs], index) => {
      clock.schedule(() => {
        left[index] = budget.take('cancel');
      }, leftMs);
      clock.schedule(() => budget.lost('cancel', left[index]!), lostMs);
    });
    clock.advanceBy(Math.max(...times.map(([, lostMs]) => lostMs)));
    return { clock, budget, left };
  }

  it('are over each with its own late answer', () => {
    const lost = createLost([0, 5_000], [1_000, 6_000]);
    lost.budget.answeredLate(lost.left[1]!);
    expect(heldForMs(lost)).toBe(119_000 + WINDOW_MS);
  });

  it('are over each with its own late answer though they left together', () => {
    const { clock, budget, left } = createStalled(3);
    for (const leftMs of left.slice(1)) budget.answeredLate(leftMs);
    expect(budget.usage().lastSecond).toBe(3);
    clock.advanceBy(WINDOW_MS);
    expect(budget.usage().lastSecond).toBe(1);
  });

  it('are proven to be over by the late answer to one that left after', () => {
    const lost = createLost([0, 5_000], [5_000, 10_000]);
    lost.budget.answeredLate(lost.left[1]!);
    expect(heldForMs(lost)).toBe(10_000 + WINDOW_MS);
  });

  it('are each proven to be over once, whatever else is answered', () => {
    const { clock, budget } = createBudget();
    const first = budget.take('cancel');
    clock.advanceBy(5_000);
    budget.lost('cancel', first);
    budget.answered('cancel', budget.take('cancel'));
    const second = budget.take('cancel');
    const other = budget.take('cancel');
    clock.advanceBy(3_000);
    budget.lost('cancel', second);
    budget.answered('cancel', other);
    budget.answered('cancel', budget.take('cancel'));
    expect(heldForMs({ clock, budget })).toBe(3_000 + WINDOW_MS);
  });

  it('say when to look again: the first of them is the first to be over', () => {
    const many = (lostMs: number) =>
      Array.from({ length: 30 }, () => [0, lostMs] as readonly [number, number]);
    const { clock, budget } = createLost(...many(5_000), ...many(6_000));
    expect(budget.roomAtMs('cancel')).toBe(clock.now() + 119_000);
  });
});

describe('a request that counts as under way no more', () => {
  /** One request was given up, and its place is free as a later one was answered. */
  function createReleased() {
    const stalled = createStalled(1);
    stalled.budget.answered('cancel', stalled.budget.take('cancel'));
    stalled.clock.advanceBy(TIMEOUT_MS);
    expect(stalled.budget.usage().lastSecond).toBe(1);
    stalled.clock.advanceBy(WINDOW_MS);
    expect(stalled.budget.usage().lastSecond).toBe(0);
    return stalled;
  }

  it('leaves three places free until nobody can hold it any longer', () => {
    const { clock, budget } = createReleased();
    clock.advanceBy(110_000);
    expect(free(budget)).toBe(57);
    // It was given up 120 s ago, and may have been counted up to now.
    clock.advanceBy(3_995 + WINDOW_MS - 1);
    expect(free(budget)).toBe(57);
    clock.advanceBy(WINDOW_MS);
    expect(free(budget)).toBe(60);
  });

  it('leaves them free though another one is over by its late answer since', () => {
    const { clock, budget } = createReleased();
    const leftMs = budget.take('cancel');
    clock.advanceBy(TIMEOUT_MS);
    budget.lost('cancel', leftMs);
    budget.answeredLate(leftMs);
    budget.usage();
    clock.advanceBy(WINDOW_MS);
    expect(free(budget)).toBe(57);
  });

  it('leaves none free once its own late answer is here', () => {
    const { clock, budget, left } = createStalled(1);
    budget.answeredLate(left[0]!);
    expect(budget.usage().lastSecond).toBe(1);
    clock.advanceBy(WINDOW_MS);
    expect(free(budget)).toBe(60);
  });

  it('never lets the server count more than the limit where it comes by itself', () => {
    const { clock, budget } = createBudget();
    // Three of 4000 are held for half a minute, by different holders than the others.
    const latesMs = Array.from({ length: 4_000 }, (_, index) => (index < 3 ? 30_000 : 0));
    const { arrivals, run } = createTraffic({ clock, budget, latesMs });
    run(60_000, 0);
    expect(mostIn(arrivals, 1_000)).toBe(60);
  });
});

describe('an exchange that answers nothing', () => {
  /** The times at which requests leave that are all given up, since the first of them. */
  function departures(priorities: readonly Priority[], timeoutMs = TIMEOUT_MS) {
    const { clock, budget } = createBudget();
    const sent: { priority: Priority; atMs: number }[] = [];
    const nextMs = () => Math.min(...priorities.map((priority) => budget.roomAtMs(priority)));
    while (clock.now() < START_MS + 120_000) {
      for (const priority of priorities) {
        while (budget.hasRoom(priority)) {
          const leftMs = budget.take(priority);
          sent.push({ priority, atMs: clock.now() - START_MS });
          clock.schedule(() => budget.lost(priority, leftMs), timeoutMs);
        }
      }
      clock.advanceTo(Math.min(nextMs(), clock.nextDueMs ?? Number.MAX_VALUE));
    }
    return sent;
  }

  it('is sent 30 requests, then single ones', () => {
    const times = departures(['heartbeat']).map(({ atMs }) => atMs);
    expect(times.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 0));
    expect(times.slice(30, 33)).toEqual([5_500, 11_000, 16_500]);
  });

  it('is sent single ones at such pauses that they last for two minutes', () => {
    const times = departures(['heartbeat'], 1_000).map(({ atMs }) => atMs);
    expect(times.slice(30)).toEqual(Array.from({ length: 26 }, (_, at) => 4_500 * (at + 1)));
  });

  it('is sent all kinds of single requests in turn', () => {
    const later = departures(['heartbeat', 'cancel']).slice(30, 34);
    expect(later.map(({ priority }) => priority)).toEqual([
      ...['cancel', 'heartbeat', 'cancel', 'heartbeat'],
    ]);
  });

  it('is sent them in turn where each is given up long before the next leaves, too', () => {
    const later = departures(['heartbeat', 'question'], 1_000).slice(30, 34);
    expect(later.map(({ atMs }) => atMs)).toEqual([4_000, 8_000, 12_000, 16_000]);
    expect(later.map(({ priority }) => priority)).toEqual([
      ...['question', 'heartbeat', 'question', 'heartbeat'],
    ]);
  });

  it('gets everything that has room as soon as it answers one', () => {
    const { clock, budget } = createStalled(30);
    clock.advanceBy(1_000);
    const probe = budget.take('heartbeat');
    expect(budget.roomAtMs('heartbeat')).toBe(Number.POSITIVE_INFINITY);
    clock.advanceBy(4_000);
    budget.answered('heartbeat', probe);
    expect(free(budget)).toBe(29);
    clock.advanceBy(WINDOW_MS);
    expect(free(budget)).toBe(30);
  });

  it('says when to look again though every place is held', () => {
    const { clock, budget } = createStalled(60);
    expect(budget.roomAtMs('cancel')).toBe(clock.now() + 120_000);
    clock.advanceBy(120_000);
    expect(budget.hasRoom('cancel')).toBe(false);
    expect(budget.roomAtMs('cancel')).toBe(clock.now() + WINDOW_MS);
    clock.advanceBy(WINDOW_MS);
    let sent = 0;
    for (; budget.hasRoom('cancel'); sent++) budget.take('cancel');
    expect(sent).toBe(30);
  });
});

describe('RateBudget over a network that stands still', () => {
  const stall = fc.record({
    calmMs: fc.integer({ min: 0, max: 20_000 }),
    stallMs: fc.integer({ min: 0, max: 110_000 }),
  });
  // Lost packets are resent until the request is given up: then its socket is reset.
  const againMs = fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: TIMEOUT_MS }) },
  );

  it.each([
    ['at once', fc.constant([0])],
    ['at once, some of it sent again before', fc.array(againMs, { minLength: 50 })],
  ])('never lets the server count more than the limit when all arrives %s', (_, agains) => {
    fc.assert(
      fc.property(agains, fc.array(stall, { minLength: 1, maxLength: 3 }), (latesMs, stalls) => {
        const { clock, budget } = createBudget({ ...CONTRACT_LIMITS, requestsPerMinute: 3_000 });
        const { arrivals, run } = createTraffic({ clock, budget, latesMs });
        for (const { calmMs, stallMs } of stalls) run(calmMs, stallMs);
        run(30_000, 0);
        expect(mostIn(arrivals, 1_000)).toBeLessThanOrEqual(60);
        expect(mostIn(arrivals, 60_000)).toBeLessThanOrEqual(3_000);
        const last = arrivals.filter((time) => time > clock.now() - 20_000);
        expect(last.length).toBeGreaterThan(50);
      }),
      { seed: 11, numRuns: 25 },
    );
  });
});

/**
 * Somebody who sends whenever there is room, over a line that stands still now and then. What
 * the line takes comes so many milliseconds late, request by request: it got lost, or was held.
 */
function createTraffic({
  clock,
  budget,
  latesMs,
}: Pick<ReturnType<typeof createBudget>, 'clock' | 'budget'> & { latesMs: readonly number[] }) {
  const arrivals: number[] = [];
  let openMs = 0;
  let sent = 0;
  const send = () => {
    const leftMs = budget.take('cancel');
    let isOver = false;
    const end = (how: 'answered' | 'lost') => {
      if (!isOver) budget[how]('cancel', leftMs);
      isOver = true;
    };
    const arrive = () => {
      const restMs = openMs - clock.now();
      if (restMs > 0) clock.schedule(arrive, restMs);
      else {
        arrivals.push(clock.now());
        clock.schedule(() => end('answered'), 10);
      }
    };
    clock.schedule(arrive, 10 + latesMs[sent++ % latesMs.length]!);
    clock.schedule(() => end('lost'), TIMEOUT_MS);
  };
  /** Sends for a while, with the line stalled for the latter part. */
  const run = (calmMs: number, stallMs: number): void => {
    const stallsMs = clock.now() + calmMs;
    const endMs = stallsMs + stallMs;
    while (clock.now() < endMs) {
      if (clock.now() >= stallsMs) openMs = endMs;
      while (budget.hasRoom('cancel')) send();
      const dueMs = Math.min(budget.roomAtMs('cancel'), clock.nextDueMs ?? endMs);
      const nextMs = clock.now() < stallsMs ? Math.min(dueMs, stallsMs) : dueMs;
      clock.advanceTo(Math.min(endMs, nextMs));
    }
  };
  return { arrivals, run };
}

/** Most arrivals in any window of that length. */
function mostIn(arrivals: readonly number[], windowMs: number): number {
  const times = [...arrivals].sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  times.forEach((time, index) => {
    while (times[from]! <= time - windowMs) from++;
    most = Math.max(most, index - from + 1);
  });
  return most;
}
