import { defer, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { read } from '../../../src/app/terminal/index.ts';
import { CODES, ExchangeFailure, type FailureKind } from '../../../src/exchange/index.ts';
import { impatientClock, START_MS } from './fixture.ts';

/** A question that fails so often before it is answered. */
function question(failures: number, kind: FailureKind) {
  let asked = 0;
  const answer = defer(() => {
    asked++;
    const failure = new ExchangeFailure(kind, 'Request too frequent', { code: CODES.tooFrequent });
    return asked > failures ? of('answer') : throwError(() => failure);
  });
  return { answer, asked: () => asked };
}

describe('read', () => {
  it('puts a question again, a second later, that came too soon', async () => {
    const clock = impatientClock();
    const { answer, asked } = question(2, 'limited');
    expect(await read({ host: 'exchange', clock }, answer)).toBe('answer');
    expect([asked(), clock.now()]).toEqual([3, START_MS + 2_000]);
  });

  it('gives up after three further questions', async () => {
    const { answer, asked } = question(9, 'limited');
    const asking = read({ host: 'exchange', clock: impatientClock() }, answer);
    await expect(asking).rejects.toThrow(/too frequent/i);
    expect(asked()).toBe(4);
  });

  it.each(['rejected', 'unknown', 'unsent'] as const)(
    'does not put a %s one again',
    async (kind) => {
      const { answer, asked } = question(1, kind);
      const asking = read({ host: 'exchange', clock: impatientClock() }, answer);
      await expect(asking).rejects.toThrow(/too frequent/i);
      expect(asked()).toBe(1);
    },
  );
});
