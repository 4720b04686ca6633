import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { markOf, RunEarnings } from '../../../src/app/status/earnings.ts';
import type { Booking, Fill, Side, TradingEvent } from '../../../src/domain/index.ts';
import { Bus, Decimal } from '../../../src/kernel/index.ts';
import { PositionLedger } from '../../../src/ledger/index.ts';
import { makeFill, makeMarket } from '../../domain/fixture.ts';
import { composedBot, pastOf, STEADY, startedBot } from '../bot.ts';

const market = makeMarket();
const { id } = market;

type Step = readonly [strategy: string, side: Side, price: number, amount: number];

function fillOf([strategy, side, price, amount]: Step): Fill {
  return makeFill({ strategy, side, price, amount, fee: Decimal.of('0.5'), feeCurrency: 'usdt' });
}

/** A run that begins with what those fills left, and goes on as it is told. */
function runAfter(past: readonly Step[], traders: readonly string[]) {
  const bus = new Bus<TradingEvent>();
  const bookings = new Subject<Booking>();
  const positions = new PositionLedger({ bus, markets: new Map([[id, market]]), bookings });
  for (const step of past) positions.restore(fillOf(step));
  let last: number | undefined;
  const view = { depth: () => undefined, last: () => last, isFresh: () => true };
  const strategies = traders.map((name) => ({ name, markets: [market] }));
  const earnings = new RunEarnings({ bus, view, positions, strategies });
  return {
    bookings,
    read: () => earnings.read(id),
    fill: (...step: Step) => bookings.next(fillOf(step)),
    price: (price: number) => {
      last = price;
      const stamps = { exchangeTime: 0, receivedTime: 0 };
      bus.publish({ kind: 'trade', market: id, ...stamps, id: '1', price, amount: 1, side: 'buy' });
    },
  };
}

/** All in doubles, by name, but for the position. */
function plainOf({ ofStrategies, ...overall }: ReturnType<RunEarnings['read']>) {
  const plain = ({ entryPrice, profit, runProfit, runFees }: Omit<typeof overall, 'hasPast'>) =>
    [entryPrice, profit, runProfit, runFees].map((value) => value?.toNumber());
  return {
    all: plain(overall),
    ...Object.fromEntries(ofStrategies.map((one) => [one.strategy, plain(one)])),
  };
}

describe('RunEarnings', () => {
  it('gives a fresh strategy nothing of what another one made in earlier runs', () => {
    const run = runAfter(
      [
        ['old', 'buy', 100, 1],
        ['old', 'sell', 95, 1],
      ],
      ['fresh'],
    );
    run.price(90);
    expect(plainOf(run.read())).toEqual({
      all: [undefined, -6, 0, 0],
      fresh: [undefined, 0, 0, 0],
      old: [undefined, -6, 0, 0],
    });
    expect(run.read().ofStrategies.map(({ isTrading }) => isTrading)).toEqual([true, false]);
    expect(run.read().hasPast).toBe(true);
  });

  it('counts what was held at the start from the first price that the run is told', () => {
    const run = runAfter([['maker', 'buy', 100, 2]], ['maker']);
    expect(plainOf(run.read())).toMatchObject({ maker: [100, undefined, undefined, 0] });
    run.price(90);
    expect(plainOf(run.read())).toMatchObject({ maker: [100, -20.5, 0, 0] });
    run.price(93);
    run.fill('maker', 'sell', 94, 1);
    expect(plainOf(run.read())).toMatchObject({
      maker: [100, -14, 2 * 3 + 1 - 0.5, 0.5],
      all: [100, -14, 2 * 3 + 1 - 0.5, 0.5],
    });
  });

  it('needs no price of the start where nothing was held then', () => {
    const run = runAfter([], ['maker']);
    run.fill('maker', 'buy', 100, 1);
    run.price(101);
    expect(plainOf(run.read())).toMatchObject({ maker: [100, 0.5, 0.5, 0.5] });
    expect(run.read().hasPast).toBe(false);
  });

  it('adds up: all strategies to their market, and all runs to the one before and this one', () => {
    const step = fc.tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom<Side>('buy', 'sell'),
      fc.integer({ min: 50, max: 150 }),
      fc.constantFrom(0.5, 1, 2, 3),
    );
    const check = fc.property(fc.array(step), fc.array(step), (past, now) => {
      const run = runAfter(past, ['a', 'b']);
      run.price(100);
      const before = run.read();
      for (const one of now) run.fill(...one);
      run.price(120);
      const after = run.read();
      for (const key of ['profit', 'runProfit', 'runFees'] as const) {
        const parts = after.ofStrategies.map((one) => one[key]!.toNumber());
        const sum = parts.reduce((total, part) => total + part, 0);
        expect(sum).toBeCloseTo(after[key]!.toNumber(), 8);
      }
      expect(before.runProfit!.sign).toBe(0);
      expect(before.profit!.plus(after.runProfit!).equals(after.profit!)).toBe(true);
    });
    fc.assert(check, { seed: 5, numRuns: 100 });
  });
});

describe('RunEarnings, of several markets,', () => {
  it('shows a market those strategies that trade there', () => {
    const other = { ...market, id: 'eth_usdt' };
    const bus = new Bus<TradingEvent>();
    const positions = new PositionLedger({ bus, markets: new Map(), bookings: new Subject() });
    const view = { depth: () => undefined, last: () => 100, isFresh: () => true };
    const strategies = [
      { name: 'here', markets: [market] },
      { name: 'there', markets: [other] },
      { name: 'both', markets: [other, market] },
    ];
    const { ofStrategies } = new RunEarnings({ bus, view, positions, strategies }).read(id);
    expect(ofStrategies.map(({ strategy }) => strategy)).toEqual(['here', 'both']);
  });
});

describe('RunEarnings of a bot', () => {
  it('begins with what earlier runs left', async () => {
    const bookings = [fillOf([STEADY, 'buy', 110, 1])];
    const fresh = (await composedBot({ past: pastOf({ bookings }) })).sources.earnings;
    expect(fresh.read(id).runProfit).toBeUndefined();
    const { sources } = await startedBot({ past: pastOf({ bookings }) });
    expect(markOf(sources.view, id)?.toNumber()).toBe(100);
    expect(plainOf(sources.earnings.read(id)).all).toEqual([110, -10.5, 0, 0]);
  });
});
