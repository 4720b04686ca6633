import fc from 'fast-check';
import { delay, NEVER, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/kernel/index.ts';
import { SpacedQueue } from '../../src/market/spaced-queue.ts';
import { noAnswer } from './fixture.ts';

function queueFixture() {
  const clock = new VirtualClock();
  const sent: [label: string, time: number][] = [];
  const queue = new SpacedQueue({ clock, spacingMs: 1_000, timeoutMs: 5_000 });
  const request = (label: string, latencyMs = 0) =>
    queue.run(() => {
      sent.push([label, clock.now()]);
      return latencyMs === 0 ? of(label) : of(label).pipe(delay(latencyMs, clock));
    });
  return { clock, queue, sent, request };
}

describe('SpacedQueue', () => {
  it('sends the first at once and the next a pause after its end, first come first served', () => {
    const { clock, sent, request } = queueFixture();
    const answers: string[] = [];
    request('a', 300).subscribe((answer) => answers.push(answer));
    request('b').subscribe((answer) => answers.push(answer));
    request('c').subscribe((answer) => answers.push(answer));
    clock.advanceBy(5_000);
    expect(sent).toEqual([
      ['a', 0],
      ['b', 1_300],
      ['c', 2_300],
    ]);
    expect(answers).toEqual(['a', 'b', 'c']);
  });

  it('gives up the turn of a request that nobody waits for any more', () => {
    const { clock, sent, request } = queueFixture();
    request('a').subscribe();
    request('b').subscribe().unsubscribe();
    request('c').subscribe();
    clock.advanceBy(5_000);
    expect(sent.map(([label]) => label)).toEqual(['a', 'c']);
  });

  it('goes on after failures, silence and an answer abandoned under way', () => {
    const { clock, queue, sent, request } = queueFixture();
    const errors: unknown[] = [];
    const keep = { error: (error: unknown) => errors.push(error) };
    queue.run(() => throwError(() => noAnswer)).subscribe(keep);
    queue.run(() => NEVER).subscribe(keep);
    const abandoned = request('a', 500).subscribe();
    request('b').subscribe();
    clock.advanceBy(7_100);
    abandoned.unsubscribe();
    clock.advanceBy(5_000);
    const silence = { message: 'Cannot tell the outcome: no answer within 5 s' };
    expect(errors).toMatchObject([noAnswer, silence]);
    expect(sent).toEqual([
      ['a', 7_000],
      ['b', 8_100],
    ]);
  });

  it('never sends two requests within any second', () => {
    const calls = fc.array(fc.record({ wait: fc.nat(1_500), latency: fc.nat(2_500) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(calls, (script) => {
        const { clock, sent, request } = queueFixture();
        for (const { wait, latency } of script) {
          clock.advanceBy(wait);
          request('x', latency).subscribe();
        }
        clock.advanceBy(200_000);
        const times = sent.map(([, time]) => time);
        expect(times).toHaveLength(script.length);
        times.slice(1).forEach((time, at) => {
          expect(time - times[at]!).toBeGreaterThanOrEqual(1_000);
        });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
