import { defer, delay, NEVER, type Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ExchangeFailure } from '../../src/exchange/index.ts';
import { type Clock, VirtualClock } from '../../src/kernel/index.ts';
import { Poller, type PollerOptions } from '../../src/market/poller.ts';
import { noAnswer } from './fixture.ts';

function pollerFixture(overrides: Partial<PollerOptions<string>> = {}) {
  const clock = new VirtualClock();
  const sent: number[] = [];
  const answers: string[] = [];
  const failures: string[] = [];
  const answer = { of: (): Observable<string> => of('answer') };
  const poller = new Poller<string>({
    clock,
    request: () => {
      sent.push(clock.now());
      return answer.of();
    },
    onAnswer: (value) => {
      answers.push(value);
      return 'wait';
    },
    onFailure: (failure) => failures.push(failure.message),
    intervalMs: 100,
    backoffMaxMs: 1_000,
    ...overrides,
  });
  return { clock, poller, sent, answers, failures, answer };
}

describe('Poller', () => {
  it('asks at its cadence, the first time at once', () => {
    const { clock, poller, sent } = pollerFixture();
    poller.start();
    clock.advanceBy(350);
    expect(sent).toEqual([0, 100, 200, 300]);
  });

  it('lets a slow answer delay the next request and never overlaps', () => {
    const { clock, poller, sent, answer } = pollerFixture();
    answer.of = () => of('late').pipe(delay(250, clock));
    poller.start();
    clock.advanceBy(700);
    expect(sent).toEqual([0, 250, 500]);
  });

  it('asks again after a pause of its own where its pace was called too fast', () => {
    const { clock, poller, sent, answer } = pollerFixture({ limitedMs: 30 });
    answer.of = () => throwError(() => new ExchangeFailure('limited', 'too frequent'));
    poller.start();
    clock.advanceBy(100);
    expect(sent).toEqual([0, 30, 90]);
    answer.of = () => throwError(() => noAnswer);
    clock.advanceBy(1_200);
    expect(sent.slice(3)).toEqual([210, 1_210]);
  });

  it('asks no second time at once where it is started while it runs', () => {
    const { clock, poller, sent, answer } = pollerFixture();
    answer.of = () => of('late').pipe(delay(60, clock));
    poller.start();
    clock.advanceBy(10);
    poller.start();
    clock.advanceBy(100);
    expect(sent).toEqual([0, 100]);
  });

  it('keeps the cadence where the answer comes within it', () => {
    const { clock, poller, sent, answer } = pollerFixture();
    answer.of = () => of('late').pipe(delay(60, clock));
    poller.start();
    clock.advanceBy(250);
    expect(sent).toEqual([0, 100, 200]);
  });

  it('doubles the pause with every failure up to the longest, and forgets after a success', () => {
    const { clock, poller, sent, failures, answer } = pollerFixture();
    answer.of = () => throwError(() => noAnswer);
    poller.start();
    clock.advanceBy(3_300);
    expect(sent).toEqual([0, 200, 600, 1_400, 2_400]);
    expect(failures).toHaveLength(5);
    answer.of = () => of('again');
    clock.advanceBy(250);
    expect(sent.slice(5)).toEqual([3_400, 3_500]);
    answer.of = () => throwError(() => noAnswer);
    clock.advanceBy(300);
    expect(sent.slice(7)).toEqual([3_600, 3_800]);
  });

  it('counts silence beyond the limit, an empty answer and a thrown error as failures', () => {
    const { clock, poller, failures, answer } = pollerFixture({ timeoutMs: 50 });
    answer.of = () => NEVER;
    poller.start();
    clock.advanceBy(50);
    expect(failures).toEqual(['Cannot tell the outcome: no answer within 0.05 s']);
    answer.of = () => defer(() => of<string>());
    clock.advanceBy(200);
    expect(failures[1]).toMatch(/empty/);
    answer.of = () => {
      throw new Error('no socket');
    };
    clock.advanceBy(400);
    expect(failures[2]).toMatch(/no socket/);
  });
});

describe('Poller, told by its user', () => {
  it('drops the answer to a request under way when stopped', () => {
    const { clock, poller, sent, answers, answer } = pollerFixture();
    answer.of = () => of('late').pipe(delay(50, clock));
    poller.start();
    clock.advanceBy(10);
    poller.stop();
    clock.advanceBy(500);
    expect(sent).toEqual([0]);
    expect(answers).toEqual([]);
  });

  it('can be stopped and started from within its answer', () => {
    const fixture: ReturnType<typeof pollerFixture> = pollerFixture({
      onAnswer: () => {
        fixture.poller.stop();
        return 'wait';
      },
    });
    fixture.poller.start();
    fixture.clock.advanceBy(500);
    expect(fixture.sent).toEqual([0]);
    fixture.poller.start();
    fixture.clock.advanceBy(500);
    expect(fixture.sent).toEqual([0, 500]);
  });

  it('asks on in the same turn when told that there is more', () => {
    let left = 3;
    const { clock, poller, sent } = pollerFixture({
      onAnswer: () => (--left > 0 ? 'again' : 'wait'),
    });
    poller.start();
    clock.advanceBy(150);
    expect(sent).toEqual([0, 0, 0, 100]);
  });

  it('keeps its cadence when the clock is set back', () => {
    const virtual = new VirtualClock(1_000_000);
    let offsetMs = 0;
    const clock: Clock = {
      now: () => virtual.now() + offsetMs,
      schedule: virtual.schedule.bind(virtual),
    };
    const { poller, sent } = pollerFixture({
      clock,
      onAnswer: () => {
        offsetMs = -500_000;
        return 'wait';
      },
    });
    poller.start();
    virtual.advanceBy(250);
    expect(sent).toHaveLength(3);
  });
});

describe('Poller.hurry', () => {
  it('brings the next request forward, but not while one is under way or backing off', () => {
    const { clock, poller, sent, answer } = pollerFixture();
    poller.start();
    clock.advanceBy(30);
    poller.hurry();
    clock.advanceBy(5);
    expect(sent).toEqual([0, 30]);
    answer.of = () => of('late').pipe(delay(80, clock));
    clock.advanceBy(100);
    poller.hurry();
    clock.advanceBy(75);
    expect(sent).toEqual([0, 30, 130]);
    answer.of = () => throwError(() => noAnswer);
    clock.advanceBy(25);
    poller.hurry();
    clock.advanceBy(50);
    expect(sent).toEqual([0, 30, 130, 230]);
    poller.stop();
    poller.hurry();
    clock.advanceBy(500);
    expect(sent).toHaveLength(4);
  });
});
