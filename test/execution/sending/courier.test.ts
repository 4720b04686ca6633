import { type Observable, of, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { CODES, ExchangeFailure } from '../../../src/exchange/index.ts';
import { Courier } from '../../../src/execution/sending/courier.ts';
import { ReadLag } from '../../../src/execution/truth/read-lag.ts';
import { silentLogger } from '../../../src/kernel/index.ts';
import { keptLines } from '../../kernel/fixture.ts';
import type { Fate } from '../exchange-model.ts';
import { createBench } from '../fixture.ts';

const START_MS = 1_700_000_000_000;

/** A single request with that fate, half a minute after it left. */
function createAsked(fate: Fate, config: Record<string, unknown> = {}) {
  const bench = createBench({ config, lively: false, startMs: START_MS });
  bench.model.fate = () => fate;
  const outcomes: string[] = [];
  bench.executor.readAccount().subscribe({
    next: () => outcomes.push('answer'),
    error: ({ kind }: ExchangeFailure) => outcomes.push(kind),
  });
  bench.clock.advanceBy(30_000);
  return { ...bench, outcomes, held: bench.budget.usage().lastSecond };
}

const unknown = (code?: number) =>
  new ExchangeFailure('unknown', 'Cannot tell', code === undefined ? {} : { code });

describe('Courier', () => {
  it('tells the bus once of each request that ends without a clear answer', () => {
    const failures = (fate: Fate) =>
      createAsked(fate)
        .ofKind('requestFailure')
        .map(({ operation, outcome, reason }) => [operation, outcome, reason]);
    const told = (outcome: string, reason: string) => [['queryAccount', outcome, reason]];
    expect([
      failures({ loss: 'dead' }),
      failures({ backMs: 5_000, refusal: unknown(CODES.internal) }),
      failures({ refusal: new ExchangeFailure('limited', 'Cannot ask: too fast') }),
      failures({ refusal: new ExchangeFailure('rejected', 'Cannot ask: no permission') }),
      failures({}),
    ]).toEqual([
      told('unknown', 'no answer in time'),
      told('unknown', 'Cannot tell'),
      told('limited', 'too fast'),
      [],
      [],
    ]);
  });

  it('leaves the place to a request that it gives up', () => {
    const { outcomes, held } = createAsked({ loss: 'dead' });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
  });

  it('leaves the place to a request that the transport gives up', () => {
    const { outcomes, held } = createAsked({ backMs: 5_000, refusal: unknown() });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
  });

  it('frees the place of one whose answer does not tell the outcome', () => {
    const { outcomes, held } = createAsked({ backMs: 5_000, refusal: unknown(CODES.internal) });
    expect([outcomes, held]).toEqual([['unknown'], 0]);
  });

  it('frees the place of one that is refused, though no code tells why', () => {
    const refusal = new ExchangeFailure('rejected', 'Cannot do it');
    const { outcomes, held } = createAsked({ backMs: 5_000, refusal });
    expect([outcomes, held]).toEqual([['rejected'], 0]);
  });

  it('takes a late answer for proof that the way is open', () => {
    const { outcomes, held, clock, budget } = createAsked({ backMs: 40_000 });
    expect([outcomes, held]).toEqual([['unknown'], 1]);
    // Out for 40 s, and as long again.
    clock.advanceTo(START_MS + 80_009);
    expect(budget.usage().lastSecond).toBe(1);
    clock.advanceBy(1);
    budget.usage();
    clock.advanceBy(1_005);
    expect(budget.usage().lastSecond).toBe(0);
  });

  it('tells once a minute that the exchange calls the pace too fast, and how much of it is ours', () => {
    const { lines: told, logger } = keptLines();
    const bench = createBench({ logger });
    bench.model.fate = () => ({
      refusal: new ExchangeFailure('limited', 'Cannot: too frequent', { code: CODES.tooFrequent }),
    });
    const ask = (): void => {
      bench.executor.readAccount().subscribe({ error: () => {} });
      bench.clock.advanceBy(2_000);
    };
    for (let i = 0; i < 10; i++) ask();
    expect(told).toEqual([
      'the exchange calls our pace too fast, though no more than 1 of the 60 requests of a second are ' +
        'ours: somebody else may use this key, one of its own is wanted for each bot',
    ]);
    bench.clock.advanceBy(60_000);
    ask();
    expect(told).toHaveLength(2);
  });
});

/** A courier by itself, what it told of the requests that it sent, and the places that they hold. */
function courierFixture({ isOnDisk = true } = {}) {
  const { clock, bus, budget, config } = createBench({ lively: false });
  const told: string[] = [];
  const courier = new Courier({
    ...{ clock, bus, budget, logger: silentLogger, answerTimeoutMs: 5_000 },
    readLag: new ReadLag({ clock, config }),
    journal: {
      commitOrders: () => {
        if (!isOnDisk) throw new Error('disk full');
      },
      commit: () => {},
    },
    onLocked: () => told.push('locked'),
    onHalt: () => told.push('halt'),
    settle: (deal) => deal(),
  });
  const send = (call: () => Observable<string>, { durable = false } = {}) =>
    courier.send<string>({
      ...{ operation: 'queryAccount', market: '', priority: 'cancel', durable, call },
      answered: (value, { late }) => told.push(late ? `late ${value}` : value),
      failed: ({ kind }, { late }) => told.push(late ? `late ${kind}` : kind),
    });
  const held = () => budget.usage().lastSecond;
  const failures: string[] = [];
  bus.on('requestFailure').subscribe(({ outcome }) => failures.push(outcome));
  return { clock, courier, send, told, held, budget, failures };
}

describe('Courier.send', () => {
  it('counts a request that the transport throws at, or ends without an answer, as unknown', () => {
    const { send, told } = courierFixture();
    send(() => {
      throw new Error('broken');
    });
    const silent = new Subject<string>();
    send(() => silent);
    silent.complete();
    expect(told).toEqual(['unknown', 'unknown']);
  });

  it('tells of a request once, whatever the transport says behind it', () => {
    const { send, told, budget } = courierFixture();
    const line = new Subject<string>();
    send(() => line);
    line.next('answer');
    line.next('again');
    line.error(unknown());
    expect(told).toEqual(['answer']);
    expect(budget.usage()).toMatchObject({ unanswered: 0, lastSecond: 1 });
    send(() => of('one', 'two'));
    expect(told).toEqual(['answer', 'one']);
  });

  it('tells late what is definite of one that was given up, and nothing else', () => {
    const { clock, courier, send, told, budget } = courierFixture();
    const lines = Array.from({ length: 3 }, () => new Subject<string>());
    for (const line of lines) send(() => line);
    expect(courier.nextMs).toBe(clock.now() + 5_000);
    clock.advanceBy(4_999);
    courier.giveUpOverdue(clock.now());
    expect(told).toEqual([]);
    clock.advanceBy(1);
    courier.giveUpOverdue(clock.now());
    expect(courier.nextMs).toBe(Number.POSITIVE_INFINITY);
    lines[0]!.error(unknown());
    lines[1]!.error(new ExchangeFailure('rejected', 'Cannot', { code: CODES.balance }));
    lines[2]!.next('answer');
    expect(told).toEqual(['unknown', 'unknown', 'unknown', 'late rejected', 'late answer']);
    expect(budget.usage().unanswered).toBe(0);
  });

  it('publishes one failure of each request without a clear answer, however late more comes', () => {
    const { clock, courier, send, told, failures } = courierFixture();
    const lines = Array.from({ length: 3 }, () => new Subject<string>());
    for (const line of lines) send(() => line);
    lines[2]!.error(new ExchangeFailure('rejected', 'Cannot', { code: CODES.balance }));
    clock.advanceBy(5_000);
    courier.giveUpOverdue(clock.now());
    expect(failures).toEqual(['unknown', 'unknown']);
    lines[0]!.error(new ExchangeFailure('limited', 'Cannot', { code: CODES.tooFrequent }));
    lines[1]!.error(new ExchangeFailure('unsent', 'Cannot'));
    expect(told.slice(3)).toEqual(['late limited', 'late unsent']);
    expect(failures).toEqual(['unknown', 'unknown']);
  });

  it('sends no order that is not on disk: its place is free, and trading halts', () => {
    const { send, told, held, failures } = courierFixture({ isOnDisk: false });
    send(() => of('answer'), { durable: true });
    expect([told, held()]).toEqual([['unsent', 'halt'], 0]);
    send(() => of('answer'));
    expect(told).toEqual(['unsent', 'halt', 'answer']);
    expect(failures).toEqual(['unsent']);
  });
});
