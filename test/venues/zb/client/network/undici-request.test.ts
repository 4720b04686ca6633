import { Subscriber } from 'rxjs';
import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import type { ExchangeFailure } from '../../../../../src/exchange/index.ts';
import { UndiciRequest } from '../../../../../src/venues/zb/client/network/undici-request.ts';
import type { WireAnswer } from '../../../../../src/venues/zb/wire/index.ts';

/** A request, the sockets that it was put on, and its outcome. */
function requestFixture() {
  const bodies: string[] = [];
  const failures: ExchangeFailure[] = [];
  const aborted: Error[] = [];
  const resets: number[] = [];
  const subscriber = new Subscriber<WireAnswer>({
    next: ({ body }) => bodies.push(body),
    error: (failure: ExchangeFailure) => failures.push(failure),
    complete: () => {},
  });
  const sockets = {
    reset: (abort: () => void) => {
      resets.push(aborted.length);
      abort();
    },
  };
  const request = new UndiciRequest('/api/order?sign=0123', { subscriber, sockets });
  const socket = (): Dispatcher.DispatchController => ({
    aborted: false,
    paused: false,
    reason: null,
    pause: () => {},
    resume: () => {},
    abort: (reason) => aborted.push(reason),
  });
  return { request, socket, bodies, failures, aborted, resets };
}

describe('UndiciRequest', () => {
  test('gives the answer of the one socket that it was put on', () => {
    const { request, socket, bodies, aborted } = requestFixture();
    const controller = socket();
    request.onRequestStart(controller);
    request.onResponseStart(controller, 200);
    request.onResponseData(controller, Buffer.from('{"a":'));
    request.onResponseData(controller, Buffer.from('1}'));
    request.onResponseEnd();
    expect([bodies, aborted]).toEqual([['{"a":1}'], []]);
  });

  test('ends as unknown where it would be sent a second time, before a byte leaves again', () => {
    const { request, socket, bodies, failures, aborted } = requestFixture();
    request.onRequestStart(socket());
    request.onRequestStart(socket());
    expect(failures.map(({ kind }) => kind)).toEqual(['unknown']);
    expect(failures[0]!.message).toContain('sent a second time');
    expect(aborted).toHaveLength(1);
    request.onResponseEnd();
    expect(bodies).toEqual([]);
  });

  test('resets its socket when it is given up', () => {
    const { request, socket, failures, aborted, resets } = requestFixture();
    request.onRequestStart(socket());
    request.expire(100);
    expect(failures.map(({ kind }) => kind)).toEqual(['unknown']);
    expect([resets, aborted.length]).toEqual([[0], 1]);
  });

  test('is not sent any more once it has ended', () => {
    const { request, socket, failures, aborted, resets } = requestFixture();
    request.expire(100);
    expect(resets).toEqual([]);
    request.onRequestStart(socket());
    expect(failures.map(({ kind }) => kind)).toEqual(['unsent']);
    expect(aborted).toHaveLength(1);
  });
});
