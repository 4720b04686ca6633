import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RateLimits } from '../../../src/exchange/index.ts';
import type { Priority } from '../../../src/execution/index.ts';
import { executionConfigSchema, RateBudget } from '../../../src/execution/index.ts';
import { VirtualClock } from '../../../src/kernel/index.ts';

const LIMITS: RateLimits = {
  requestsPerSecond: 60,
  requestsPerMinute: 10_000,
  candleIntervalMs: 1_000,
};
const START_MS = 1_700_000_000_000;

function createBudget(options: { config?: Record<string, unknown>; limits?: RateLimits } = {}) {
  const clock = new VirtualClock(START_MS);
  const config = executionConfigSchema.parse({ budget: options.config ?? {} }).budget;
  const budget = new RateBudget({ clock, limits: options.limits ?? LIMITS, config });
  return { clock, budget, config };
}

/** Takes all free places. Returns when each request left. */
function fill(budget: RateBudget, priority: Priority): number[] {
  const left: number[] = [];
  while (budget.hasRoom(priority)) left.push(budget.take(priority));
  return left;
}

/** Sends as many requests as there is room for, each answered at once. Returns their number. */
function exchange(budget: RateBudget, priority: Priority): number {
  let answered = 0;
  for (; budget.hasRoom(priority); answered++) budget.answered(priority, budget.take(priority));
  return answered;
}

/** Most arrivals in any window that begins right after a time and lasts `windowMs`. */
function mostIn(arrivals: readonly number[], windowMs: number): number {
  const times = [...arrivals].sort((a, b) => a - b);
  return Math.max(
    0,
    ...times.map((end) => times.filter((time) => time > end - windowMs && time <= end).length),
  );
}

describe('RateBudget', () => {
  it('never lets the server count more than the limit, whatever the latencies', () => {
    const latency = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 50 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_000 }) },
    );
    const request = fc.record({
      there: latency,
      back: latency,
      pause: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(request, { minLength: 200, maxLength: 500 }), (requests) => {
        const limits = { ...LIMITS, requestsPerSecond: 20, requestsPerMinute: 150 };
        const { clock, budget } = createBudget({ limits });
        const arrivals: number[] = [];
        for (const { there, back, pause } of requests) {
          clock.advanceBy(pause);
          while (!budget.hasRoom('cancel')) {
            const atMs = budget.roomAtMs('cancel');
            clock.advanceTo(Math.min(atMs, clock.nextDueMs ?? atMs));
          }
          const leftMs = budget.take('cancel');
          clock.schedule(() => arrivals.push(clock.now()), there);
          clock.schedule(() => budget.answered('cancel', leftMs), there + back);
        }
        clock.advanceBy(10_000);
        expect(arrivals).toHaveLength(requests.length);
        expect(mostIn(arrivals, 1_000)).toBeLessThanOrEqual(limits.requestsPerSecond);
        expect(mostIn(arrivals, 60_000)).toBeLessThanOrEqual(limits.requestsPerMinute);
      }),
      { seed: 7, numRuns: 60 },
    );
  });

  it('reaches limit x window / (window + answer time)', () => {
    const { clock, budget } = createBudget();
    const answerMs = 20;
    let sent = 0;
    const endMs = clock.now() + 60_000;
    while (clock.now() < endMs) {
      while (budget.hasRoom('cancel')) {
        const leftMs = budget.take('cancel');
        sent++;
        clock.schedule(() => budget.answered('cancel', leftMs), answerMs);
      }
      clock.runNext();
      if (clock.nextDueMs === undefined) clock.advanceTo(budget.roomAtMs('cancel'));
    }
    expect(sent / 60).toBeGreaterThan(60 * (1_000 / (1_000 + answerMs + 10)) - 1);
  });
});

describe('RateBudget, time', () => {
  it('frees no place when the date is set forth', () => {
    const time = { dateMs: START_MS, elapsedMs: 5_000 };
    const clock = {
      now: () => time.dateMs,
      elapsedMs: () => time.elapsedMs,
      schedule: new VirtualClock().schedule,
    };
    const { budget: config } = executionConfigSchema.parse({});
    const budget = new RateBudget({ clock, limits: LIMITS, config });
    const send = () => exchange(budget, 'cancel');
    expect(send()).toBe(60);
    time.dateMs += 3_600_000;
    time.elapsedMs += 50;
    expect(send()).toBe(0);
    expect(budget.roomAtMs('cancel')).toBe(time.dateMs + 950 + config.marginMs);
    time.elapsedMs += 950 + config.marginMs;
    expect(send()).toBe(60);
    budget.limited();
    time.dateMs += 3_600_000;
    expect(budget.hasRoom('heartbeat')).toBe(false);
  });

  it('counts requests of an earlier run by their age, whatever origin elapsed time has', () => {
    const clock = {
      now: () => START_MS,
      elapsedMs: () => 5,
      schedule: new VirtualClock().schedule,
    };
    const { budget: config } = executionConfigSchema.parse({});
    const budget = new RateBudget({ clock, limits: LIMITS, config });
    // The newest 30 may be without an answer.
    const ages = [80_000, 60_000, 10, ...Array.from({ length: 30 }, () => 0)];
    budget.restore(ages.map((ageMs) => START_MS - ageMs));
    expect(budget.usage()).toMatchObject({ lastSecond: 31, lastMinute: 32 });
  });
});

describe('RateBudget, transport', () => {
  it('lets no more orders and questions be under way than the transport carries', () => {
    const { budget } = createBudget({ limits: { ...LIMITS, unhurriedInFlightMax: 5 } });
    budget.take('question');
    const [leftMs] = fill(budget, 'open');
    expect(budget.usage().unanswered).toBe(5);
    expect(budget.roomAtMs('reduce')).toBe(Number.POSITIVE_INFINITY);
    expect(budget.hasRoom('question')).toBe(false);
    expect([budget.hasRoom('heartbeat'), budget.hasRoom('cancel')]).toEqual([true, true]);
    budget.answered('cancel', budget.take('cancel'));
    expect(budget.hasRoom('open')).toBe(false);
    budget.answered('open', leftMs!);
    expect(fill(budget, 'open')).toHaveLength(1);
  });
});

describe('RateBudget priorities', () => {
  it('keeps a reserve for cancels and a share for questions from orders', () => {
    const { budget } = createBudget();
    expect(exchange(budget, 'open')).toBe(48);
    expect(budget.hasRoom('reduce')).toBe(false);
    expect(exchange(budget, 'question')).toBe(6);
    expect(exchange(budget, 'cancel')).toBe(6);
    expect(budget.hasRoom('heartbeat')).toBe(false);
  });

  it('lets heartbeats and cancels use everything, questions their share', () => {
    expect(exchange(createBudget().budget, 'heartbeat')).toBe(60);
    expect(exchange(createBudget().budget, 'cancel')).toBe(60);
    expect(exchange(createBudget().budget, 'question')).toBe(6);
  });

  it('tells when there is room: a window and the margin after the answer', () => {
    const { clock, budget, config } = createBudget({ limits: { ...LIMITS, requestsPerSecond: 1 } });
    const leftMs = budget.take('cancel');
    expect(budget.roomAtMs('cancel')).toBe(Number.POSITIVE_INFINITY);
    clock.advanceBy(300);
    budget.answered('cancel', leftMs);
    expect(budget.roomAtMs('cancel')).toBe(START_MS + 1_300 + config.marginMs);
    clock.advanceTo(budget.roomAtMs('cancel') - 1);
    expect(budget.hasRoom('cancel')).toBe(false);
    clock.advanceBy(1);
    expect(budget.hasRoom('cancel')).toBe(true);
  });

  it('frees at once what never left', () => {
    const { budget } = createBudget();
    fill(budget, 'cancel');
    budget.unsent('cancel');
    expect(budget.hasRoom('cancel')).toBe(true);
  });

  it('takes no more of the minute than its share', () => {
    const { clock, budget } = createBudget({ config: { minuteShare: 0.01 } });
    expect(budget.usage().requestsPerMinute).toBe(100);
    let sent = 0;
    for (let second = 0; second < 50; second++, clock.advanceBy(1_010)) {
      sent += exchange(budget, 'cancel');
    }
    expect(sent).toBe(100);
  });
});

describe('RateBudget of few requests', () => {
  it('keeps whole places from orders, and lets one of each kind leave', () => {
    const few = (requestsPerSecond: number) =>
      createBudget({ limits: { ...LIMITS, requestsPerSecond } }).budget;
    expect(exchange(few(1), 'open')).toBe(1);
    expect(exchange(few(1), 'question')).toBe(1);
    // 7 less a tenth for cancels and one for questions.
    expect(exchange(few(7), 'open')).toBe(5);
    expect(fill(few(7), 'cancel')).toHaveLength(3);
    expect(fill(few(1), 'cancel')).toHaveLength(1);
  });

  it('gives questions no more of the minute than their share, and one at least', () => {
    const sentIn = (requestsPerMinute: number, priority: Priority, minuteShare = 1) => {
      const limits = { ...LIMITS, requestsPerMinute };
      const { clock, budget } = createBudget({ limits, config: { minuteShare } });
      let sent = 0;
      for (let second = 0; second < 50; second++, clock.advanceBy(1_010)) {
        sent += exchange(budget, priority);
      }
      return sent;
    };
    expect(sentIn(129, 'question')).toBe(12);
    expect(sentIn(5, 'question')).toBe(1);
    expect(sentIn(50, 'cancel', 0.01)).toBe(1);
    expect(sentIn(55, 'cancel', 0.1)).toBe(5);
  });
});

describe('RateBudget when things go wrong', () => {
  it('falls silent for a second when the exchange calls the pace too fast', () => {
    const { clock, budget } = createBudget();
    budget.limited();
    expect(budget.roomAtMs('heartbeat')).toBe(clock.now() + 1_000);
  });

  it('sends single requests after a lock until one succeeds', () => {
    const { clock, budget } = createBudget();
    budget.locked();
    expect(budget.hasRoom('cancel')).toBe(false);
    clock.advanceBy(60_000);
    const [leftMs, ...more] = fill(budget, 'cancel');
    expect(more).toEqual([]);
    budget.answered('cancel', leftMs!);
    const [againMs, ...others] = fill(budget, 'cancel');
    expect(others).toEqual([]);
    budget.answered('cancel', againMs!);
    budget.succeeded();
    // As many as may be without an answer.
    expect(fill(budget, 'cancel')).toHaveLength(30);
  });

  it('stays silent for the longest of the times that it was told', () => {
    const { clock, budget } = createBudget();
    const left = fill(budget, 'cancel');
    clock.advanceBy(5_000);
    for (const leftMs of left) budget.lost('cancel', leftMs);
    budget.locked();
    budget.limited();
    expect(budget.roomAtMs('heartbeat')).toBe(clock.now() + 60_000);
  });
});

describe('RateBudget after a restart', () => {
  it('survives a restart: what may have just left counts as under way', () => {
    const { clock, budget } = createBudget();
    const times = Array.from({ length: 100 }, (_, index) => clock.now() - 100 + index);
    budget.restore(times);
    expect(budget.usage().lastMinute).toBe(100);
    expect(budget.hasRoom('cancel')).toBe(false);
    clock.advanceBy(1_005);
    const [leftMs, ...more] = fill(budget, 'cancel');
    expect(more).toEqual([]);
    budget.answered('cancel', leftMs!);
    expect(exchange(budget, 'cancel')).toBe(29);
    clock.advanceBy(1_005);
    expect(exchange(budget, 'cancel')).toBe(27);
    clock.advanceBy(1_005);
    expect(exchange(budget, 'cancel')).toBe(57);
    clock.advanceBy(61_000);
    expect(budget.usage()).toMatchObject({ lastSecond: 0, lastMinute: 0 });
  });

  it('forgets requests of earlier runs that are too old to count', () => {
    const { clock, budget } = createBudget();
    budget.restore([clock.now() - 200_000, clock.now() - 120_000]);
    expect(budget.usage().lastMinute).toBe(0);
  });

  it('lets the others pass where requests leave one by one and fail at once', () => {
    const { clock, budget } = createBudget();
    // A killed run left as many as may be without an answer: nothing proves that the way is open.
    budget.restore(Array.from({ length: 30 }, () => clock.now()));
    budget.lost('heartbeat', budget.take('heartbeat'));
    const atMs = budget.roomAtMs('open');
    expect(budget.roomAtMs('heartbeat')).toBeGreaterThan(atMs);
    clock.advanceTo(atMs);
    expect(budget.hasRoom('heartbeat')).toBe(false);
    expect(budget.hasRoom('question')).toBe(true);
    // Where no other waits, its own turn comes.
    clock.advanceTo(budget.roomAtMs('heartbeat'));
    expect(budget.hasRoom('heartbeat')).toBe(true);
  });
});
