import { defer, delay, NEVER, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { complete, pass } from '../../src/app/time/drive.ts';
import type { TradingEvent } from '../../src/domain/index.ts';
import type { RunOver } from '../../src/engine/index.ts';
import { type AccountPort, ExchangeFailure, type OrdersQuery } from '../../src/exchange/index.ts';
import { type Clock, Decimal } from '../../src/kernel/index.ts';
import type { TradingStateControl } from '../../src/risk/index.ts';
import { composedBot, startedBot } from '../app/bot.ts';
import { KeptJournal } from '../storage/kept-journal.ts';

/** Fails from its n-th event on, like a full disk. */
class FailingJournal extends KeptJournal {
  #left: number;

  constructor(events: number) {
    super();
    this.#left = events;
  }

  override append(event: TradingEvent): void {
    if (this.#left-- <= 0) throw new Error('the disk is full');
    super.append(event);
  }
}

/** An account whose balances are read within a tenth of a second. */
function slowAccount(account: AccountPort, clock: Clock): AccountPort {
  return { ...account, account: () => defer(() => account.account()).pipe(delay(100, clock)) };
}

describe('Engine', () => {
  it('starts, trades, and stops without an order left', async () => {
    const { engine, clock, resting, journal } = await startedBot();
    expect(resting()).toBe(2);
    const report = await complete(engine.stop('enough'), clock);
    expect(report).toMatchObject({ cancelled: 2, of: 2, verified: true });
    expect(resting()).toBe(0);
    const statuses = journal.events.flatMap((event) => (event.kind === 'run' ? event.status : []));
    expect(statuses).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(journal.events.filter(({ kind }) => kind === 'strategy')).toMatchObject([
      { status: 'started' },
      { status: 'stopped', reason: 'enough' },
    ]);
  });

  it('has an order on record before its request', async () => {
    const { journal } = await startedBot();
    const kinds = journal.events.flatMap((event) => {
      if (event.kind === 'order' && event.order.status === 'pending') return 'pending';
      return event.kind === 'request' && event.operation === 'place' ? 'request' : [];
    });
    expect(kinds).toHaveLength(4);
    expect(kinds.indexOf('pending')).toBeLessThan(kinds.indexOf('request'));
  });

  it('does not let strategies run where a stop came during the start', async () => {
    const { engine, clock, journal, resting } = await composedBot();
    const starting = complete(engine.start(), clock);
    await complete(engine.stop('never mind'), clock);
    await starting.catch(() => {});
    expect(resting()).toBe(0);
    expect(journal.events.at(-1)).toMatchObject({ kind: 'run', status: 'stopped' });
  });

  it('leaves nothing resting when trading is halted, so that no fill grows the position', async () => {
    const { sources, clock, resting, host } = await startedBot();
    expect(resting()).toBe(2);
    (sources.state as TradingStateControl).set('HALTED', 'test');
    await pass(clock, { durationMs: 1_000, until: NEVER });
    expect(resting()).toBe(0);
    host.anonymous('btc_usdt').replace({ bids: [[50, 10]], asks: [[51, 10]] });
    await pass(clock, { durationMs: 120_000, until: NEVER });
    expect(resting()).toBe(0);
    expect(sources.positions.position('btc_usdt').amount.sign).toBe(0);
  });

  it('lets nothing rest in a blackout that could open, and all of it again afterwards', async () => {
    const risk = { blackouts: [{ from: '00:01', to: '00:03' }] };
    const { clock, resting, journal, host } = await startedBot({ risk });
    const passTo = async (seconds: number): Promise<void> => {
      const untilMs = Date.UTC(2024, 0, 1) + 1_000 * seconds;
      while (clock.now() < untilMs) {
        host.anonymous('btc_usdt').replace({ bids: [[99, 10]], asks: [[101, 10]] });
        await pass(clock, { durationMs: 1_000, until: NEVER });
      }
    };
    await passTo(59);
    expect(resting()).toBe(2);
    await passTo(62);
    expect(resting()).toBe(0);
    await passTo(179);
    expect(resting()).toBe(0);
    const isTold = journal.events.some(
      (event) => event.kind === 'refusal' && event.refusal.code === 'blackout',
    );
    expect(isTold).toBe(true);
    await passTo(185);
    expect(resting()).toBe(2);
  });

  it('says that it cannot go on when the journal fails', async () => {
    const over: RunOver[] = [];
    const { engine, clock } = await composedBot({ journal: new FailingJournal(5) });
    engine.over.subscribe((reason) => over.push(reason));
    await complete(engine.start(), clock);
    expect(over[0]).toEqual({ reason: 'journal', message: 'the disk is full' });
  });
});

describe('Engine, of a strategy that is over,', () => {
  it('lets nothing leave that was refused before', async () => {
    const use = new URL('../cli/fixtures/throws.ts', import.meta.url).pathname;
    const risk = { blackouts: [{ from: '00:00', to: '00:01' }] };
    const { clock, engine, resting, journal, host } = await startedBot({ risk, use });
    for (let second = 0; second < 70; second++) {
      host.anonymous('btc_usdt').replace({ bids: [[99, 10 + second]], asks: [[101, 10]] });
      await pass(clock, { durationMs: 1_000, until: NEVER });
    }
    expect(journal.events.some(({ kind }) => kind === 'refusal')).toBe(true);
    expect(engine.strategies[0]?.status).toBe('failed');
    expect(resting()).toBe(0);
  });
});

describe('Engine, of what is traded,', () => {
  it('hears what is traded where risk asks for that alone, and only then', async () => {
    const deaf = await startedBot();
    deaf.host.anonymous('btc_usdt').print({ takerSide: 'buy', price: 101, amount: 1 });
    await pass(deaf.clock, { durationMs: 2_000, until: NEVER });
    expect(deaf.journal.events.filter(({ kind }) => kind === 'trade')).toEqual([]);
    const { host, clock, resting, journal } = await startedBot({ risk: { volumeShareMax: 0.1 } });
    expect(resting()).toBe(0);
    host.anonymous('btc_usdt').print({ takerSide: 'buy', price: 101, amount: 1 });
    await pass(clock, { durationMs: 5_000, until: NEVER });
    expect(journal.events.filter(({ kind }) => kind === 'trade')).toHaveLength(1);
    expect(resting()).toBe(2);
  });
});

describe('Engine, of its key', () => {
  it('refuses a key that may withdraw, unless it is told to take it', async () => {
    const permissions = { withdrawals: true };
    await expect(startedBot({ permissions })).rejects.toThrow('it may withdraw funds');
    const { resting, log } = await startedBot({ permissions, allowWithdrawals: true });
    expect(resting()).toBe(2);
    expect(log.lines.join()).toContain('this key may withdraw funds');
  });

  it('refuses a key that may not trade', async () => {
    const permissions = { orders: false };
    await expect(startedBot({ permissions })).rejects.toThrow('it may not place orders');
  });

  it('tells once the key is taken, before anything trades, and of none that may not trade', async () => {
    const { engine, clock, journal } = await composedBot();
    const told: (string | undefined)[] = [];
    const accepted = () => told.push(journal.events.at(-1)?.kind);
    await complete(engine.start(accepted), clock);
    expect(told).toEqual(['balance']);
    const refused = await composedBot({ permissions: { orders: false } });
    await expect(complete(refused.engine.start(accepted), refused.clock)).rejects.toThrow();
    expect(told).toHaveLength(1);
  });

  it('reads no orders before the key is taken, though the pushes stand', async () => {
    const asked: string[] = [];
    const { engine, clock } = await composedBot({
      between: (exchange, time) => ({
        ...exchange,
        account: slowAccount(exchange.account, time),
        accountFeed: {
          connection: () => of({ connected: true, reason: 'late' }).pipe(delay(10, time)),
          orders: (market) => exchange.accountFeed.orders(market),
          balances: () => exchange.accountFeed.balances(),
        },
        trading: Object.assign(Object.create(exchange.trading), {
          orders: (query: OrdersQuery) => {
            asked.push(`orders at ${time.now() - Date.UTC(2024, 0, 1)}`);
            return exchange.trading.orders(query);
          },
        }),
      }),
    });
    await complete(engine.start(), clock);
    expect(new Set(asked)).toEqual(new Set(['orders at 100']));
  });

  it('starts nothing where what is to be told fails', async () => {
    const { engine, clock, resting } = await composedBot();
    const failing = () => {
      throw new TypeError('no room');
    };
    await expect(complete(engine.start(failing), clock)).rejects.toThrow('no room');
    await pass(clock, { durationMs: 2_000, until: NEVER });
    expect(resting()).toBe(0);
    expect(engine.strategies[0]?.status).not.toBe('started');
  });
});

describe('Engine, of its account', () => {
  it('starts though the first answer about it was lost, and ends where every one is', async () => {
    const lost = new ExchangeFailure('unknown', 'Cannot read the account: other side closed');
    const startedAfter = async (failures: number) => {
      let left = failures;
      const { engine, clock } = await composedBot({
        between: (exchange) => ({
          ...exchange,
          account: {
            ...exchange.account,
            account: () => (left-- > 0 ? throwError(() => lost) : exchange.account.account()),
          },
        }),
      });
      await complete(engine.start(), clock);
      return engine.strategies[0]?.status;
    };
    expect(await startedAfter(1)).toBe('started');
    await expect(startedAfter(100)).rejects.toBe(lost);
  });

  it('keeps a balance that was pushed while the account was read', async () => {
    const btc = { currency: 'btc', available: Decimal.of(7), frozen: Decimal.ZERO };
    const push = { balances: [btc], exchangeTime: 0, receivedTime: 0 };
    const { engine, clock, journal } = await composedBot({
      between: (exchange, time) => ({
        ...exchange,
        account: slowAccount(exchange.account, time),
        accountFeed: {
          connection: () => exchange.accountFeed.connection(),
          orders: (market) => exchange.accountFeed.orders(market),
          balances: () => of(push).pipe(delay(50, time)),
        },
      }),
    });
    await complete(engine.start(), clock);
    const told = journal.events.flatMap((event) =>
      event.kind === 'balance' ? event.balances : [],
    );
    expect(told.findLast(({ currency }) => currency === 'btc')).toBe(btc);
  });
});
