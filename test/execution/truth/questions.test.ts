import { describe, expect, it } from 'vitest';
import { Questions } from '../../../src/execution/truth/questions.ts';
import { createBench, quotes } from '../fixture.ts';

/** A source with so many questions to ask, which notes who asks when. */
function sourceOf(
  name: string,
  asked: string[],
  { dueMs = 0, left = Number.POSITIVE_INFINITY } = {},
) {
  const waits: (number | undefined)[] = [];
  let rest = left;
  return {
    waits,
    get nextMs() {
      return rest > 0 ? dueMs : Number.POSITIVE_INFINITY;
    },
    sendDue: ({ waitingSinceMs }: { readonly waitingSinceMs: number | undefined }) => {
      if (rest === 0) return false;
      rest--;
      asked.push(name);
      waits.push(waitingSinceMs);
      return true;
    },
  };
}

/** A round with room for so many questions. */
function roundAt(nowMs: number, places: number) {
  let left = places;
  return { nowMs, priority: 'question' as const, budget: { hasRoom: () => left-- > 0 } };
}

describe('Questions', () => {
  it('lets sources take turns, the most urgent first', () => {
    const asked: string[] = [];
    const questions = new Questions(['a', 'b', 'c'].map((name) => sourceOf(name, asked)));
    expect(questions.ask(roundAt(0, 2))).toBe(true);
    expect(questions.ask(roundAt(1, 5))).toBe(true);
    expect(asked.join('')).toBe('abcabca');
  });

  it('asks nothing ahead of its time, and passes over who has nothing to say', () => {
    const asked: string[] = [];
    const silent = { nextMs: 0, sendDue: () => false };
    const later = sourceOf('later', asked, { dueMs: 10 });
    const questions = new Questions([silent, later, sourceOf('now', asked, { left: 2 })]);
    expect(questions.ask(roundAt(0, 9))).toBe(false);
    expect(asked).toEqual(['now', 'now']);
    expect(questions.nextMs).toBe(0);
  });

  it('tells each source since when it has waited, not since when others have', () => {
    const asked: string[] = [];
    const often = sourceOf('often', asked);
    const late = sourceOf('late', asked, { dueMs: 500, left: 1 });
    const questions = new Questions([often, late]);
    for (const nowMs of [0, 100, 200]) questions.ask(roundAt(nowMs, 1));
    questions.ask(roundAt(500, 0));
    questions.ask(roundAt(600, 2));
    expect(late.waits).toEqual([500]);
    expect(often.waits).toEqual([undefined, 0, 100, 200]);
  });
});

describe('Executor, of many lookups that fail', () => {
  it('reads markets and account all the same', () => {
    const bench = createBench({});
    bench.model.pushDelayMs = undefined;
    bench.model.fate = (operation) => {
      if (operation === 'place') return { loss: 'silent' };
      return operation === 'order' ? { loss: 'lost', backMs: 200 } : {};
    };
    for (let at = 0; at < 40; at++) bench.wish(quotes([[99 - at * 0.1, 1]], []), `s${at}`);
    bench.clock.advanceBy(10_000);
    expect(bench.live().filter(({ status }) => status === 'unknown')).toHaveLength(40);
    let hasRead = false;
    bench.executor.reconcile('test').subscribe(() => {
      hasRead = true;
    });
    bench.clock.advanceBy(30_000);
    expect(hasRead).toBe(true);
  });
});
