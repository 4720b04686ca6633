import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Alignment, type Difference } from '../../../src/app/replay/alignment.ts';
import type { MadeDecision } from '../../../src/app/replay/decision.ts';
import { orderEvent, orderOf } from '../../storage/events.ts';

/** A decision that is told apart by its name alone. */
function made(name: string, time: number): MadeDecision {
  const intent = { kind: 'cancel', market: 'btc_usdt', tag: name } as const;
  return { strategy: 'maker', time, decision: { kind: 'intent', intent }, input: undefined };
}

/** What comes of laying texts beside each other, a letter a decision every 100 ms. */
function aligned(recorded: string, replayed: string) {
  const found: string[] = [];
  const tag = (one?: MadeDecision) =>
    one?.decision.kind === 'intent' && 'tag' in one.decision.intent ? one.decision.intent.tag : '';
  const alignment = new Alignment('maker', (one: Difference) =>
    found.push(`${one.kind} ${tag(one.recorded)}>${tag(one.replayed)}`),
  );
  for (let at = 0; at < Math.max(recorded.length, replayed.length); at++) {
    if (at < replayed.length) alignment.add('replayed', made(replayed[at]!, at * 100));
    if (at < recorded.length) alignment.add('recorded', made(recorded[at]!, at * 100 + 3));
  }
  alignment.end();
  return { found, same: alignment.same };
}

describe('Alignment', () => {
  it.each<[string, string, string[], number]>([
    ['abcdef', 'abcdef', [], 6],
    ['abcdef', 'abXdef', ['changed c>X'], 5],
    ['abcdef', 'abdef', ['missing c>'], 5],
    ['abcdef', 'abcXdef', ['extra >X'], 6],
    ['abc', '', ['missing a>', 'missing b>', 'missing c>'], 0],
    ['', 'ab', ['extra >a', 'extra >b'], 0],
    ['abcd', 'abcdX', ['extra >X'], 4],
  ])('finds between %o and %o: %o', (recorded, replayed, found, same) => {
    expect(aligned(recorded, replayed)).toEqual({ found, same });
  });

  it('does not take decisions that are more than a second apart for one', () => {
    const kinds: string[] = [];
    const alignment = new Alignment('maker', ({ kind }) => kinds.push(kind));
    alignment.add('recorded', made('a', 0));
    alignment.add('replayed', made('a', 1_001));
    alignment.end();
    expect(kinds).toEqual(['missing', 'extra']);
  });

  it('takes one that was held up, as where the machine stood still, for that of the same cause', () => {
    const kinds: string[] = [];
    const alignment = new Alignment('maker', ({ kind }) => kinds.push(kind));
    const input = { sequence: 1, event: orderEvent(orderOf({ changedTime: 0 })) };
    alignment.add('replayed', { ...made('a', 0), input });
    alignment.add('recorded', { ...made('a', 1_139), input });
    // Whichever comes first.
    alignment.add('recorded', { ...made('b', 1_140), input });
    alignment.add('replayed', { ...made('b', 0), input });
    alignment.end();
    expect({ kinds, same: alignment.same }).toEqual({ kinds: [], same: 2 });
  });

  it('goes by what led to a decision where one was held up and differs', () => {
    const found: string[] = [];
    const alignment = new Alignment('maker', (one) => {
      const decision = (one.recorded ?? one.replayed)!.decision;
      found.push(
        `${one.kind} ${decision.kind === 'intent' && 'tag' in decision.intent ? decision.intent.tag : ''}`,
      );
    });
    const heldUp = (name: string, { causeMs, time }: { causeMs: number; time: number }) => {
      const input = { sequence: 1, event: orderEvent(orderOf({ changedTime: causeMs })) };
      return { ...made(name, time), input };
    };
    // The replayed input comes two seconds after the recorded one: the decisions are no pair.
    alignment.add('recorded', heldUp('a', { causeMs: 0, time: 5_000 }));
    alignment.add('replayed', heldUp('a', { causeMs: 2_000, time: 2_000 }));
    expect(found).toEqual(['missing a']);
    alignment.end();
    expect(found).toEqual(['missing a', 'extra a']);
  });

  it('accounts for every decision of both sides', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
    const check = fc.property(letters, letters, (recorded, replayed) => {
      const { found, same } = aligned(recorded, replayed);
      const count = (...kinds: string[]) =>
        found.filter((one) => kinds.includes(one.split(' ')[0]!)).length;
      expect(same + count('changed', 'missing')).toBe(recorded.length);
      expect(same + count('changed', 'extra')).toBe(replayed.length);
      expect(found.length === 0).toBe(recorded === replayed);
    });
    fc.assert(check, { seed: 7, numRuns: 300 });
  });
});
