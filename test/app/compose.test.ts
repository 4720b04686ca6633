import { NEVER, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { readStatus } from '../../src/app/status/status.ts';
import { pass } from '../../src/app/time/drive.ts';
import type { Fill, TradingState } from '../../src/domain/index.ts';
import { CODES, ExchangeFailure } from '../../src/exchange/index.ts';
import { Decimal } from '../../src/kernel/index.ts';
import { makeFill, makeOpen, makePending } from '../domain/fixture.ts';
import { pastOf, STEADY, startedBot } from './bot.ts';

const RISK = { orderValueMax: 1000, openValueMax: 3000, positionValueMax: 5000 };

/** What a strategy of an earlier run has bought at 100. */
function fillOf(strategy: string, amount: number): Fill {
  return makeFill({ strategy, amount });
}

describe('composeBot', () => {
  it('gives a bot that trades', async () => {
    const { sources } = await startedBot();
    expect(sources.orders.live('btc_usdt')).toHaveLength(2);
    expect(sources.engine.strategies[0]).toMatchObject({ status: 'started' });
  });

  it('counts what earlier runs have filled as held', async () => {
    const { sources } = await startedBot({ past: pastOf({ bookings: [fillOf(STEADY, 0.5)] }) });
    expect(sources.positions.position('btc_usdt').amount.toString()).toBe('0.5');
  });

  it('names what earlier runs have left to a strategy that is not there', async () => {
    const bookings = [fillOf('swing', 0.5), fillOf('gone', 0.25), fillOf(STEADY, 1)];
    const sold = { ...fillOf('gone', 0.25), side: 'sell' } as const;
    const { sources, log } = await startedBot({ past: pastOf({ bookings: [...bookings, sold] }) });
    const unowned = readStatus(sources).markets.flatMap((market) => market.unowned);
    expect(unowned.map(({ strategy, amount }) => `${strategy} ${amount}`)).toEqual(['swing 0.5']);
    const left = log.lines.filter((line) => line.includes('nobody closes the position'));
    expect(left).toHaveLength(1);
    expect(left[0]).toContain('swing holds 0.5 btc in btc_usdt since an earlier run');
    expect(sources.positions.position('btc_usdt').amount.toString()).toBe('1.5');
  });

  it('names what earlier runs have left in a market that is not traded any more', async () => {
    const bookings = [{ ...fillOf('swing', 0.5), market: 'eth_usdt', feeCurrency: 'eth' }];
    const { log } = await startedBot({ past: pastOf({ bookings }) });
    expect(log.lines.filter((line) => line.includes('since an earlier run'))).toEqual([
      expect.stringContaining(
        'swing holds 0.5 eth in eth_usdt since an earlier run, and this deployment does not trade ' +
          'that market: the position counts in no limit and nobody closes it, unless `markets` names the market again',
      ),
    ]);
  });

  it.each(['HALTED', 'REDUCING'] as TradingState[])('stays %s over a restart', async (state) => {
    const past = pastOf({ trading: { state, reason: 'lost too much' } });
    const { sources, log } = await startedBot({ past });
    expect(sources.state).toMatchObject({ state, reason: 'lost too much' });
    expect(sources.orders.live('btc_usdt')).toEqual([]);
    expect(log.lines.join()).toContain(
      `trading is still ${state} since an earlier run: lost too much; once you have looked into it`,
    );
  });

  it('trades again on a person’s word, and that is on record', async () => {
    const past = pastOf({ trading: { state: 'HALTED', reason: 'lost too much' } });
    const { sources, journal } = await startedBot({ past, resume: true });
    expect(sources.state.state).toBe('ACTIVE');
    expect(sources.orders.live('btc_usdt')).toHaveLength(2);
    expect(journal.events.find(({ kind }) => kind === 'tradingState')).toMatchObject({
      state: 'ACTIVE',
      reason: 'resumed by a person',
    });
  });

  it('says that there is nothing to resume where nothing was halted', async () => {
    for (const past of [undefined, pastOf()]) {
      const { log, sources } = await startedBot({ ...(past && { past }), resume: true });
      expect(log.lines.join()).toContain('nothing to resume');
      expect(sources.state.state).toBe('ACTIVE');
    }
  });
});

describe('composeBot, of what a person has set,', () => {
  it.each([
    ['a price', -35, 'REDUCING', 'daily loss of 15 usdt, at most 14'],
    ['its cost', -50, 'ACTIVE', 'never changed'],
  ])('counts what left today for %s into the loss of the day', async (...row) => {
    const [, value, state, reason] = row;
    const exact = { before: Decimal.of('0.5'), after: Decimal.ZERO, value: Decimal.of(value) };
    const time = Date.UTC(2024, 0, 1);
    const set = { market: 'btc_usdt', strategy: STEADY, ...exact, time };
    const past = pastOf({ bookings: [fillOf(STEADY, 0.5), set] });
    const { sources } = await startedBot({ past, risk: { ...RISK, dailyLossMax: 14 } });
    expect(sources.positions.position('btc_usdt').amount.toString()).toBe('0');
    expect([sources.state.state, sources.state.reason]).toEqual([
      state,
      expect.stringContaining(reason),
    ]);
  });
});

describe('composeBot, of orders that earlier runs left,', () => {
  it('names those that were in doubt before, as those that are since the start', async () => {
    const told = { exchangeOrderId: undefined, reason: 'no answer', unknownSince: 0 };
    const doubtful = { ...makePending(), ...told, status: 'unknown' } as const;
    const elsewhere = { ...doubtful, clientOrderId: 'tw04', market: 'eth_usdt' };
    const open = makeOpen({ clientOrderId: 'tw05', exchangeOrderId: '5' });
    const past = pastOf({ liveOrders: [doubtful, elsewhere, open] });
    const { log } = await startedBot({ past });
    const lines = log.lines.filter((line) => line.includes('outcome unknown'));
    expect(lines).toEqual([
      expect.stringContaining(
        'outcome unknown, the exchange is asked: buy 1 in btc_usdt at 100 by maker',
      ),
      expect.stringContaining(
        'outcome unknown since an earlier run, the exchange is asked: buy 1 in btc_usdt at 100 by maker',
      ),
    ]);
  });

  it('says of one that was in doubt before what it came to', async () => {
    const told = { exchangeOrderId: undefined, reason: 'no answer', unknownSince: 0 };
    const left = makePending({ createdTime: Date.UTC(2023, 11, 31) });
    const doubtful = { ...left, ...told, status: 'unknown' } as const;
    const { log, clock } = await startedBot({ past: pastOf({ liveOrders: [doubtful] }) });
    await pass(clock, { durationMs: 180_000, until: NEVER });
    expect(log.lines.filter((line) => line.includes('outcome known'))).toEqual([
      expect.stringContaining('outcome known, never placed: buy 1 in btc_usdt at 100 by maker'),
    ]);
  });
});

it('composeBot says what became of orders that earlier runs left', async () => {
  const left = makePending({ createdTime: Date.UTC(2023, 11, 31) });
  const elsewhere = makePending({ clientOrderId: 'tw04', market: 'eth_usdt' });
  const { log, clock } = await startedBot({ past: pastOf({ liveOrders: [left, elsewhere] }) });
  await pass(clock, { durationMs: 180_000, until: NEVER });
  expect(log.lines.filter((line) => line.includes('what became of'))).toEqual([
    expect.stringContaining('1 order of btc_usdt that an earlier run left: 1 never there'),
  ]);
});

describe('composeBot, of an order that was left in a market that is not traded,', () => {
  it.each([
    ['cancels it', 'lately', 10_000, 'it is cancelled, and what it fills until then is not booked'],
    ['leaves it to the timed cancel', 'long ago', 100_000, 'nobody looks after it'],
  ])('%s where the run that left it was alive %s', async (_what, _when, agoMs, fate) => {
    const order = makeOpen({ market: 'eth_usdt', changedTime: 0 });
    const aliveTimes = new Map([[order.clientOrderId, Date.UTC(2024, 0, 1) - agoMs]]);
    const { log } = await startedBot({ past: pastOf({ liveOrders: [order], aliveTimes }) });
    expect(log.lines).toContainEqual(expect.stringContaining(`trade that market, so ${fate}`));
  });
});

describe('composeBot, of post-only orders that the exchange rejects,', () => {
  /** Why wishes were refused while the exchange rejects every order with that code. */
  async function refusedAt(code: number): Promise<unknown[]> {
    const rejection = new ExchangeFailure('rejected', 'no', { code });
    const { journal } = await startedBot({
      risk: { rejectsInRowMax: 1, rejectsPerWindowMax: 100, rejectPauseMs: 60_000 },
      between: (exchange) => {
        vi.spyOn(exchange.trading, 'place').mockReturnValue(throwError(() => rejection));
        return exchange;
      },
    });
    return journal.events.flatMap((event) => (event.kind === 'refusal' ? event.refusal.code : []));
  }

  it.each([
    ['balance', CODES.balance],
    ['right', CODES.noPermission],
    ['maintenance', CODES.maintenance],
  ])(
    'takes those for failed ones that are rejected for want of %s, and pauses',
    async (_, code) => {
      expect(await refusedAt(code)).toContain('rejects');
    },
  );

  it('takes those for sent back that may have traded, and goes on', async () => {
    expect(await refusedAt(CODES.general)).not.toContain('rejects');
  });
});

describe('composeBot, of an address that the exchange locks,', () => {
  it('halts trading, which a restart reads, and says so as an error', async () => {
    const locked = new ExchangeFailure('rejected', 'locked for an hour', { code: CODES.locked });
    const { sources, journal, log } = await startedBot({
      between: (exchange) => {
        vi.spyOn(exchange.trading, 'place').mockReturnValue(throwError(() => locked));
        return exchange;
      },
    });
    expect(sources.state.state).toBe('HALTED');
    const states = journal.events.filter(({ kind }) => kind === 'tradingState');
    expect(states).toMatchObject([{ state: 'HALTED', reason: 'locked for an hour' }]);
    const errors = log.lines.filter((line) => line.includes('"level":"error"'));
    expect(errors.join('\n')).toContain('trading is HALTED now: locked for an hour');
  });
});
