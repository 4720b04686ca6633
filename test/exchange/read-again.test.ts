import { defer, of, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { ExchangeFailure, readAgain } from '../../src/exchange/index.ts';
import { VirtualClock } from '../../src/kernel/index.ts';
import { keepingLogger } from '../venues/zb/server/fixture.ts';

/** A read that fails with these failures, one after the other, then succeeds. */
function asked(failures: readonly unknown[]) {
  const clock = new VirtualClock(0);
  const { logger, lines } = keepingLogger();
  const askedMs: number[] = [];
  const left = [...failures];
  const heard: unknown[] = [];
  const answer = defer(() => {
    askedMs.push(clock.now());
    return left.length > 0 ? throwError(() => left.shift()) : of('answer');
  });
  answer.pipe(readAgain({ clock, logger, what: 'the account' })).subscribe({
    next: (value) => heard.push(value),
    error: (thrown) => heard.push(thrown),
  });
  clock.advanceBy(60_000);
  return { heard, askedMs, told: lines.map(({ message }) => message) };
}

const lost = new ExchangeFailure('unknown', 'Cannot read the account: other side closed');

describe('readAgain', () => {
  test('asks again a second later where the answer was lost, and tells so', () => {
    const { heard, askedMs, told } = asked([lost, lost]);
    expect([heard, askedMs]).toEqual([['answer'], [0, 1_000, 2_000]]);
    const text = 'the account could not be read, it is tried again: other side closed';
    expect(told).toEqual([text, text]);
  });

  test('gives up after the third', () => {
    const { heard, askedMs, told } = asked([lost, lost, lost, lost]);
    expect([heard, askedMs]).toEqual([[lost], [0, 1_000, 2_000]]);
    expect(told).toHaveLength(2);
  });

  test.each([
    ['was refused', new ExchangeFailure('rejected', 'no', { code: 1003 })],
    ['came too fast', new ExchangeFailure('limited', 'no', { code: 4002 })],
    ['was not sent', new ExchangeFailure('unsent', 'no')],
    ['failed by a defect', new TypeError('no')],
  ])('fails at once where it %s', (_name, failure) => {
    const { heard, askedMs, told } = asked([failure]);
    expect([heard, askedMs, told]).toEqual([[failure], [0], []]);
  });
});
