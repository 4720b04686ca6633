import { describe, expect, it } from 'vitest';
import { faultyNetwork } from './fixture.ts';

describe('FaultyNetwork without a fault', () => {
  it('lets everything through', () => {
    const { ask, reached } = faultyNetwork();
    expect(ask()).toEqual(['200 {"id":1}', 'end']);
    expect(reached).toEqual(['/api/order?x=1']);
  });
});

describe('FaultyNetwork with a fault of requests', () => {
  it('answerDelayed: the exchange acts at once, the answer comes later', () => {
    const { ask, inject, reached, clock } = faultyNetwork();
    inject({ kind: 'answerDelayed', delayMs: 500 });
    const got = ask();
    expect([reached.length, got]).toEqual([1, []]);
    clock.advanceBy(499);
    expect(got).toEqual([]);
    clock.advanceBy(1);
    expect(got).toEqual(['200 {"id":1}', 'end']);
  });

  it.each([
    ['answerLost', 1, ['end']],
    ['requestDropped', 0, ['end']],
    ['requestDuplicated', 2, ['200 {"id":1}', 'end']],
    ['answerTruncated', 1, ['200 {"id', 'end']],
    ['busy', 0, ['200 {"result":false,"message":"服务端忙碌"}', 'end']],
    ['timedOut', 1, ['200 {"code":1001,"message":"响应超时"}', 'end']],
    ['maintenance', 0, ['200 {"code":1009,"message":"Under maintenance"}', 'end']],
    ['refused', 0, ['200 {"code":1001,"message":"Error"}', 'end']],
  ])('%s: reaches the exchange %i times', (kind, times, wanted) => {
    const { ask, inject, reached } = faultyNetwork();
    inject({ kind });
    expect(ask()).toEqual(wanted);
    expect(reached).toHaveLength(times);
    expect(ask()).toEqual([`200 {"id":${times + 1}}`, 'end']);
  });

  it('htmlPage: a page in place of JSON, with or without effect', () => {
    const { ask, inject, reached } = faultyNetwork();
    inject({ kind: 'htmlPage' });
    inject({ kind: 'htmlPage', taken: true, status: 502 });
    expect(ask()[0]).toMatch(/^200 <!DOCTYPE html>/);
    expect(reached).toHaveLength(0);
    expect(ask()[0]).toMatch(/^502 <!DOCTYPE html>/);
    expect(reached).toHaveLength(1);
  });

  it('refused: with any code and message', () => {
    const { ask, inject } = faultyNetwork();
    inject({ kind: 'refused', code: 3007, message: 'Request time expired' });
    expect(ask()[0]).toBe('200 {"code":3007,"message":"Request time expired"}');
  });

  it.each([
    [{ kind: 'refused', code: 3007, message: 'm' }, '200 {"code":"3007","message":"m"}'],
    [{ kind: 'maintenance' }, '200 {"code":"1009","message":"Under maintenance"}'],
  ])('%j: the code is a text where the exchange speaks the recorded dialect', (fault, answer) => {
    const { ask, inject } = faultyNetwork({ dialect: 'recorded' });
    inject(fault);
    expect(ask()[0]).toBe(answer);
  });
});
