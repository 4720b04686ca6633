import {
  concat,
  config,
  EMPTY,
  finalize,
  ignoreElements,
  NEVER,
  type Observable,
  of,
  Subject,
  tap,
  throwError,
} from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Intent, OrderState, TradingEvent } from '../../src/domain/index.ts';
import { StrategyHost } from '../../src/engine/index.ts';
import type { StrategyHostOptions } from '../../src/engine/strategy-host.ts';
import { Bus, seededRandom, VirtualClock } from '../../src/kernel/index.ts';
import { defineStrategy, type StrategyContext, z } from '../../src/strategy/index.ts';
import { makeMarket, makePending } from '../domain/fixture.ts';

type Run = (context: StrategyContext) => Observable<Intent>;

const INTENT: Intent = { kind: 'cancel', market: 'btc_usdt', tag: 'a' };

interface Heard {
  readonly onIntent?: (intent: Intent) => void;
  readonly blot?: (text: string) => string;
}

function hosted(runs: Record<string, Run>, { onIntent = () => {}, blot }: Heard = {}) {
  const bus = new Bus<TradingEvent>();
  const clock = new VirtualClock();
  const intents: string[] = [];
  const over: string[] = [];
  const told: string[] = [];
  bus
    .on('strategy')
    .subscribe(({ strategy, status, reason }) => told.push(`${strategy} ${status}: ${reason}`));
  const host = new StrategyHost({
    bus,
    clock,
    random: seededRandom(1),
    sources: { bus, clock } as unknown as StrategyHostOptions['sources'],
    instances: Object.entries(runs).map(([name, run]) => ({
      name,
      definition: defineStrategy({ name, params: z.strictObject({}), run }),
      params: {},
      markets: [makeMarket()],
    })),
    blot,
    onIntent: (strategy, intent) => {
      onIntent(intent);
      intents.push(strategy);
    },
    onOver: (strategy) => over.push(strategy),
  });
  return { host, bus, clock, intents, over, told };
}

describe('StrategyHost.blot', () => {
  it('takes what must not be shown out of wishes, starts and ends', () => {
    const seen: Intent[] = [];
    const order = {
      kind: 'order',
      market: 'btc_usdt',
      tag: 'my hush',
      side: 'buy',
      type: 'limit',
    };
    const wish = { ...order, price: 1, amount: 1 } as unknown as Intent;
    const { host, told } = hosted(
      {
        hush: () =>
          concat(
            of(wish, { ...INTENT, tag: 'my hush' }),
            throwError(() => 'hush!'),
          ),
      },
      { onIntent: (intent) => seen.push(intent), blot: (text) => text.replaceAll('hush', '***') },
    );
    host.start();
    expect(seen).toEqual([
      { ...wish, tag: 'my ***' },
      { ...INTENT, tag: 'my ***' },
    ]);
    expect(told).toEqual(['hush started: strategy ***', 'hush failed: ***!']);
  });
});

describe('StrategyHost, of refusals,', () => {
  it('tells each strategy of its own, by risk and by the exchange, by timers on the bus', () => {
    const seen: string[] = [];
    const timers: string[] = [];
    const listen: (who: string) => Run = (who) => (context) => {
      // A timer of its own keeps its number whatever refusals come.
      context.clock.schedule(() => {}, 5);
      return context.refusals().pipe(
        tap(({ by, code, tag }) => seen.push(`${who}: ${by} ${code} ${tag}`)),
        ignoreElements(),
      );
    };
    const { host, bus, clock } = hosted({ a: listen('a'), b: listen('b') });
    bus.on('timer').subscribe(({ strategy, timer }) => timers.push(`${strategy} ${timer}`));
    host.start();
    const at = { time: 0, market: 'btc_usdt' };
    const refusal = { code: 'balance', limit: '1', observed: '2', scope: 'account' } as const;
    const order = {
      ...makePending({ strategy: 'a', tag: 'exit' }),
      ...{ status: 'rejected', reason: 'no money', code: 2009 },
    } as OrderState;
    bus.publish({ kind: 'refusal', ...at, strategy: 'a', tag: 'entry', refusal });
    bus.publish({ kind: 'order', ...at, order });
    expect(seen).toEqual([]);
    clock.advanceBy(5);
    expect(seen).toEqual(['a: risk balance entry', 'a: exchange rejected exit']);
    expect(timers).toEqual(['a -1', 'a 1', 'b 1']);
  });
});

describe('StrategyHost', () => {
  it('passes on what every strategy wants', () => {
    const { host, intents } = hosted({
      a: () => concat(of(INTENT), NEVER),
      b: () => concat(of(INTENT, INTENT), NEVER),
    });
    host.start();
    expect(intents).toEqual(['a', 'b', 'b']);
    expect(host.running).toBe(2);
  });

  it.each<[string, Run, string]>([
    [
      'throws when it is run',
      () => {
        throw new Error('boom');
      },
      'failed: boom',
    ],
    ['throws later', () => throwError(() => new Error('boom')), 'failed: boom'],
    ['throws what is no error', () => throwError(() => 'boom'), 'failed: boom'],
    [
      'emits a list',
      () => of([INTENT] as unknown as Intent),
      'failed: it emitted a list, intents one by one are wanted',
    ],
    ['ends', () => EMPTY, 'ended: its stream of intents completed'],
    [
      'gives no stream',
      () => undefined as never,
      'failed: Cannot run the strategy bad: its run returned nothing, a stream of',
    ],
    [
      'emits what is no intent',
      () => of(3 as unknown as Intent),
      'failed: it emitted 3, an intent is wanted',
    ],
    [
      'emits quotes without asks',
      () => of({ kind: 'quotes', market: 'btc_usdt', bids: [] } as unknown as Intent),
      'failed: it emitted an intent of kind quotes whose asks is undefined, a list is wanted',
    ],
  ])('contains one that %s: its wishes go, the others go on', (_what, run, reason) => {
    const wishes = new Subject<Intent>();
    const { host, intents, over, told } = hosted({ bad: run, good: () => wishes });
    host.start();
    wishes.next(INTENT);
    expect(over).toEqual(['bad']);
    expect(intents).toEqual(['good']);
    expect(host.running).toBe(1);
    expect(told.find((line) => line.startsWith('bad') && !line.includes('started'))).toContain(
      `bad ${reason}`,
    );
  });
});

describe('StrategyHost, handing on a wish', () => {
  it('leaves what fails then unhandled, and blames no strategy', () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      config.onUnhandledError = null;
      vi.useRealTimers();
    });
    const unhandled: unknown[] = [];
    config.onUnhandledError = (thrown) => unhandled.push(thrown);
    const defect = new Error('a defect');
    const onIntent = (): void => {
      throw defect;
    };
    const { host } = hosted({ a: () => concat(of(INTENT), NEVER) }, { onIntent });
    host.start();
    vi.runAllTimers();
    expect(unhandled).toEqual([defect]);
    expect(host.running).toBe(1);
  });
});

describe('StrategyHost over time', () => {
  it('takes nothing more from one that is over', () => {
    const wishes = new Subject<Intent>();
    const { host, intents } = hosted({ a: () => wishes });
    host.start();
    wishes.error(new Error('boom'));
    wishes.next(INTENT);
    expect(intents).toEqual([]);
    expect(wishes.observed).toBe(false);
  });

  it('hands on no more of a wish than its fields', () => {
    const handed: Intent[] = [];
    const { host } = hosted(
      { a: () => of({ ...INTENT, score: 10n }) },
      {
        onIntent: (intent) => handed.push(intent),
      },
    );
    host.start();
    expect(handed).toStrictEqual([INTENT]);
  });

  it('is not over while one of those that end at once has not begun yet', () => {
    const { host, told } = hosted({ a: () => EMPTY, b: () => NEVER });
    host.start();
    expect(told.at(-1)).toBe('b started: strategy b');
    expect(host.running).toBe(1);
  });

  it('stops listening to all, without taking their wishes back', () => {
    const wishes = new Subject<Intent>();
    const { host, intents, over, told } = hosted({ a: () => wishes });
    host.start();
    host.stop('enough');
    wishes.next(INTENT);
    expect(intents).toEqual([]);
    expect(over).toEqual([]);
    expect(told.at(-1)).toBe('a stopped: enough');
  });

  it('reports how each one fares', () => {
    const { host } = hosted({ a: () => NEVER, b: () => throwError(() => new Error('boom')) });
    expect(host.reports.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    host.start();
    expect(host.reports).toEqual([
      { name: 'a', status: 'started', reason: 'strategy a' },
      { name: 'b', status: 'failed', reason: 'boom' },
    ]);
  });

  it('gives each its own stream of randomness, the same in each run', () => {
    const drawn: number[][] = [];
    for (let run = 0; run < 2; run++) {
      const draws: number[] = [];
      const draw: Run = ({ random }) => {
        draws.push(random.next());
        return NEVER;
      };
      hosted({ a: draw, b: draw }).host.start();
      drawn.push(draws);
    }
    expect(drawn[0]).toEqual(drawn[1]);
    expect(drawn[0]![0]).not.toBe(drawn[0]![1]);
  });
});

describe('StrategyHost with a teardown that throws', () => {
  const torn = <T>(stream: Observable<T>): Observable<T> =>
    stream.pipe(
      finalize(() => {
        throw new Error('torn');
      }),
    );

  it('has the strategy failed and its wishes gone where its stream ends', () => {
    const ends = new Subject<Intent>();
    const { host, over, told } = hosted({ a: () => torn(ends), b: () => NEVER });
    host.start();
    ends.complete();
    expect(over).toEqual(['a']);
    expect(told.at(-1)).toMatch(
      /^a failed: its stream of intents completed, then its teardown threw: torn/,
    );
    expect(host.running).toBe(1);
  });

  it('says both where its stream failed before', () => {
    const fails = new Subject<Intent>();
    const { host, told } = hosted({ a: () => torn(fails) });
    host.start();
    fails.error('broken');
    expect(told.at(-1)).toMatch(/^a failed: broken, then its teardown threw: torn/);
  });

  it('starts the others where it is over at once', () => {
    const { host, told } = hosted({
      a: () => torn(concat(of(3 as unknown as Intent), NEVER)),
      b: () => NEVER,
    });
    host.start();
    expect(told).toEqual([
      'a started: strategy a',
      'a failed: it emitted 3, an intent is wanted',
      'b started: strategy b',
    ]);
  });

  it('stops the others all the same', () => {
    const { host, told } = hosted({ a: () => torn(NEVER), b: () => NEVER });
    host.start();
    host.stop('enough');
    expect(told.slice(2)).toEqual([
      expect.stringMatching(/^a stopped: enough, then its teardown threw: torn/),
      'b stopped: enough',
    ]);
    expect(host.running).toBe(0);
  });
});
